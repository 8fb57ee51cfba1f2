/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_domains: several schedulers on one cluster. Two domains do, action by action, what two schedulers
 * that each have these nodes alone do, over random lives; and which domain a job goes to, what becomes of
 * what concerns two of them, and what names are refused.
 *
 * PACT_ROUNDS is the number of lives of each pair.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/nodeset.h"
#include "core/kernel/engine.h"
#include "core/kernel/watch.h"
#include "testsuite/unit/feed.h"
#include "testsuite/unit/seed.h"

#define NODES 14
#define IDS 60
#define MOST_TEXT 8192

/* ---- a pair beside its two parts alone ---- */

struct part {
	const char *name;
	struct sched *s; /* alone */
	uint32_t node[NODES], n;
	int64_t wake, heard; /* heard: the last time that it was told */
	bool touched;	     /* something was said to it since its last drain */
	char did[MOST_TEXT], expected[MOST_TEXT];
};

static struct pair {
	struct sched *s; /* both */
	struct part part[2];
	struct sched_config c;
	int64_t now, wake;
	int of[IDS]; /* the part that an id belongs to */
	int salt;    /* of the answers */
} p;

static void write_to(char *text, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void write_to(char *text, const char *fmt, ...)
{
	size_t used = strlen(text);
	va_list args;

	va_start(args, fmt);
	vsnprintf(text + used, MOST_TEXT - used, fmt, args);
	va_end(args);
	assert_true(strlen(text) < MOST_TEXT - 1);
}

/* A part's nodes in the machine's numbers. */
static struct nodeset *to_machine(const struct part *q, const struct nodeset *local)
{
	struct nodeset *out = nodeset_create(NODES);

	for (uint32_t i = 0; i < q->n; i++)
		if (!local || nodeset_test(local, i))
			nodeset_set(out, q->node[i]);
	return out;
}

static void write_decision(char *text, const struct sched_decision *d)
{
	write_to(text, " %d %d %lld-%lld offer %lld-%lld critical %llu %lld tried %d %d %d",
		 d->accepted, d->reason, (long long)d->start, (long long)d->end,
		 (long long)d->offer_start, (long long)d->offer_end,
		 (unsigned long long)d->critical, (long long)d->critical_late, d->attempts,
		 d->violations, d->waiting);
	write_to(text, " %d %d %lld most %lld %d", d->running, d->blocked, (long long)d->room_at,
		 (long long)d->most_limit, d->most_width);
}

/* `allowed` in the machine's numbers. */
static void write_action(char *text, const struct sched_action *a, const struct nodeset *allowed)
{
	write_to(text, "%d of %llu", a->type, (unsigned long long)a->id);
	if (a->type == ACT_ACCEPT || a->type == ACT_REFUSE)
		write_decision(text, &a->decision);
	if (a->type == ACT_START) {
		write_to(text, " alt %u width %d exact %d limit %lld on", a->alt, a->width,
			 a->exact, (long long)a->limit);
		for (uint32_t n = 0; n < NODES; n++)
			if (nodeset_test(allowed, n))
				write_to(text, " %u", n);
	}
	write_to(text, " end %lld\n", (long long)a->end);
}

/* The answer to a start is a matter of the job and the time: the first of the allowed nodes, or none. */
static void answer(struct sched *s, const struct sched_action *a, const struct nodeset *allowed)
{
	struct sched_event ev = { .type = EV_STARTED, .now = p.now, .id = a->id };
	struct nodeset *nodes = nodeset_create(nodeset_size(allowed));
	int32_t left = a->width;

	for (uint32_t n = nodeset_next(allowed, 0); left && n < nodeset_size(allowed);
	     n = nodeset_next(allowed, n + 1), left--)
		nodeset_set(nodes, n);
	ev.nodes = nodes;
	if (((int64_t)a->id + p.now + p.salt) % 7 == 0) {
		ev.type = EV_START_FAILED;
		ev.nodes = NULL;
		ev.reserve = (a->id + (uint64_t)p.salt) % 2;
	}
	assert_int_equal(sched_event(s, &ev), PACT_OK);
	nodeset_destroy(nodes);
}

/* Something is said to it now. */
static void say(struct part *q)
{
	q->wake = PACT_FOREVER;
	q->heard = p.now;
	q->touched = true;
}

/* What waits for its turn while time goes on is told the time first. */
static void drain_part(struct part *q)
{
	struct sched_action a;

	if (q->touched && q->heard < p.now) {
		say(q);
		assert_int_equal(
			sched_event(q->s, &(struct sched_event){ .type = EV_TIME, .now = p.now }),
			PACT_OK);
	}
	q->touched = false;
	while (sched_next(q->s, &a)) {
		struct nodeset *all = nodeset_create(q->n), *allowed;

		nodeset_fill(all);
		if (a.type == ACT_WAKE) {
			q->wake = a.end;
		} else {
			allowed = to_machine(q, a.allowed);
			write_action(q->expected, &a, allowed);
			nodeset_destroy(allowed);
		}
		if (a.type == ACT_START)
			answer(q->s, &a, a.allowed ? a.allowed : all);
		nodeset_destroy(all);
	}
	assert_string_equal(sched_error(q->s), "");
}

static void drain_pair(void)
{
	struct sched_action a;

	p.wake = -1;
	while (sched_next(p.s, &a)) {
		assert_int_equal(p.wake, -1); /* it is the last */
		if (a.type == ACT_WAKE) {
			p.wake = a.end;
			continue;
		}
		assert_true(a.id < IDS || a.type == ACT_POLICY);
		/* a switch of dynP's bears no id; there is one dynP at most */
		int at = a.type == ACT_POLICY ? !!strcmp(p.part[0].name, "dynp") : p.of[a.id];

		write_action(p.part[at].did, &a, a.allowed);
		if (a.type == ACT_START) {
			assert_non_null(a.allowed);
			answer(p.s, &a, a.allowed);
		}
	}
	assert_string_equal(sched_error(p.s), "");
}

static void compare_views(void)
{
	size_t n[2] = { sched_waiting(p.part[0].s), sched_waiting(p.part[1].s) }, at[2] = { 0, 0 };
	struct sched_view v, w;
	int64_t last = -1;

	assert_int_equal(sched_waiting(p.s), n[0] + n[1]);
	for (size_t i = 0; i < n[0] + n[1]; i++) {
		assert_int_equal(sched_view_waiting(p.s, i, &v), PACT_OK);
		int k = p.of[v.id];

		assert_int_equal(sched_view_waiting(p.part[k].s, at[k]++, &w), PACT_OK);
		assert_int_equal(v.id, w.id);
		assert_true(v.start >= last);
		last = v.start;
	}
	assert_int_equal(sched_view_waiting(p.s, n[0] + n[1], &v), PACT_ENOENT);
	for (uint64_t id = 0; id < IDS; id++) {
		struct part *q = &p.part[p.of[id]];
		int rc = sched_view(q->s, id, &w);

		assert_int_equal(sched_view(p.s, id, &v), rc);
		assert_int_equal(sched_why(p.s, id), sched_why(q->s, id));
		if (rc != PACT_OK)
			continue;
		assert_true(v.id == w.id && v.start == w.start && v.end == w.end &&
			    v.submit == w.submit && v.deadline == w.deadline &&
			    v.artificial == w.artificial && v.width == w.width &&
			    v.running == w.running && v.promised == w.promised &&
			    v.broken == w.broken && v.unconfirmed == w.unconfirmed);
	}
}

static void drain_all(void)
{
	int64_t wake = PACT_FOREVER;

	drain_pair();
	for (int k = 0; k < 2; k++) {
		struct part *q = &p.part[k];

		drain_part(q);
		assert_string_equal(q->did, q->expected);
		q->did[0] = q->expected[0] = '\0';
		wake = q->wake < wake ? q->wake : wake;
	}
	assert_int_equal(p.wake, wake == PACT_FOREVER ? -1 : wake);
	compare_views();
}

static void tell_time(void)
{
	struct sched_event ev = { .type = EV_TIME, .now = p.now };

	for (int k = 0; k < 2; k++) {
		say(&p.part[k]);
		assert_int_equal(sched_event(p.part[k].s, &ev), PACT_OK);
	}
	assert_int_equal(sched_event(p.s, &ev), PACT_OK);
}

/* One event to both; its node sets are the part's, in its own numbers. */
static void tell(struct part *q, struct sched_event ev)
{
	struct nodeset *nodes = ev.nodes ? to_machine(q, ev.nodes) : NULL, *keep[40];
	struct sched_job jobs[4];
	size_t kept = 0;
	int rc;

	ev.now = p.now;
	say(q);
	rc = sched_event(q->s, &ev);
	for (size_t i = 0; i < ev.njobs; i++) {
		jobs[i] = ev.jobs[i];
		for (uint32_t k = 0; k < jobs[i].nalt; k++)
			jobs[i].alt[k] = keep[kept++] = to_machine(q, jobs[i].alt[k]);
		if (jobs[i].required)
			jobs[i].required = keep[kept++] = to_machine(q, jobs[i].required);
	}
	ev.jobs = jobs;
	ev.nodes = nodes;
	int both = sched_event(p.s, &ev);

	/* what no job can be told is wrong of an unknown one, too */
	if (rc != both && (rc != PACT_EINVAL || both != PACT_ENOENT))
		fail_msg("event %d of %llu: %d, alone %d (%s; %s)", ev.type,
			 (unsigned long long)ev.id, both, rc, sched_error(p.s), sched_error(q->s));
	if (rc != PACT_OK) {
		assert_true(*sched_error(p.s));
		tell_time(); /* an error has no effect, but alone one hears the time by it */
	}
	nodeset_destroy(nodes);
	while (kept)
		nodeset_destroy(keep[--kept]);
}

static struct nodeset *any_nodes(const struct part *q)
{
	struct nodeset *s = nodeset_create(q->n);

	nodeset_set(s, (uint32_t)seed_below(q->n));
	for (uint32_t n = 0; n < q->n; n++)
		if (seed_below(2))
			nodeset_set(s, n);
	return s;
}

#define SETS 3
static struct nodeset *set[2][SETS];

static struct sched_job any_job(int k, uint64_t id)
{
	struct part *q = &p.part[k];
	struct sched_job d = { .id = id,
			       .submit = p.now,
			       .begin = seed_below(5) ? 0 : p.now + seed_below(200),
			       .limit = seed_below(30) ? 1 + seed_below(300) : PACT_FOREVER,
			       .priority = seed_below(5),
			       .planned = -1,
			       .width = 1 + (int32_t)seed_below(q->n + 1),
			       .nalt = 1 + (uint32_t)seed_below(3) };

	if (seed_below(2))
		d.deadline = p.now + 1 + seed_below(1500);
	else if (!seed_below(6))
		d.flags = JOB_OPAQUE;
	if (!seed_below(4))
		d.flags |= JOB_UNCONFIRMED;
	if (d.deadline && !seed_below(8))
		d.flags |= JOB_PROMISED;
	for (uint32_t i = 0; i < d.nalt; i++)
		d.alt[i] = set[k][seed_below(SETS)];
	if (!seed_below(8))
		d.required = set[k][SETS - 1];
	return d;
}

static void ask_both(int k, uint64_t id)
{
	struct sched_job d = any_job(k, id), e = d;
	struct nodeset *keep[SCHED_MAX_ALT + 1];
	char want[MOST_TEXT] = "", have[MOST_TEXT] = "";
	struct part *q = &p.part[k];
	struct sched_decision x, y;
	size_t kept = 0;
	bool change = seed_below(2);
	int rc;

	d.deadline = d.deadline ? d.deadline : p.now + 400;
	d.flags = 0;
	e.deadline = d.deadline;
	e.flags = 0;
	for (uint32_t i = 0; i < d.nalt; i++)
		e.alt[i] = keep[kept++] = to_machine(q, d.alt[i]);
	if (d.required)
		e.required = keep[kept++] = to_machine(q, d.required);
	say(q);
	rc = change ? sched_ask_change(q->s, p.now, &d, &x) : sched_ask(q->s, p.now, &d, 1, &x);
	assert_int_equal(change ? sched_ask_change(p.s, p.now, &e, &y)
				: sched_ask(p.s, p.now, &e, 1, &y),
			 rc);
	if (rc == PACT_OK) {
		write_decision(want, &x);
		write_decision(have, &y);
		assert_string_equal(have, want);
	} else {
		tell_time();
	}
	while (kept)
		nodeset_destroy(keep[--kept]);
}

/* An id that is known somewhere, most often. */
static uint64_t known_id(void)
{
	struct sched_view v;
	uint64_t id = 0;

	for (int i = 0; i < 20; i++) {
		id = (uint64_t)seed_below(IDS);
		if (sched_view(p.part[p.of[id]].s, id, &v) == PACT_OK)
			break;
	}
	return id;
}

static void any_step(void)
{
	static const enum sched_event_type plain[] = { EV_CONFIRM,     EV_PRIORITY, EV_WITHDRAW,
						       EV_FINISH,      EV_FINISH,   EV_FINISH,
						       EV_END_CHANGED, EV_SUSPENDED };
	uint64_t id = known_id();
	int k = p.of[id];
	struct nodeset *nodes = any_nodes(&p.part[k]);
	struct sched_job jobs[3] = { any_job(k, id) };
	struct sched_event ev = { .id = id,
				  .new_id = id,
				  .priority = seed_below(5),
				  .jobs = jobs,
				  .njobs = 1,
				  .start = p.now,
				  .end = p.now + 1 + seed_below(300) };

	switch (seed_below(12)) {
	case 0:
	case 1:
	case 2:
	case 3:
		ev.type = EV_SUBMIT;
		jobs[0].id = (uint64_t)seed_below(IDS);
		/* a group is of one part, with deadlines or without; its ids may be known, or twice there */
		for (size_t i = 1; i < 3; i++) {
			jobs[i] = jobs[0];
			jobs[i].id = (jobs[0].id + 2 * i) % IDS;
		}
		k = p.of[jobs[0].id];
		jobs[0] = any_job(k, jobs[0].id);
		for (size_t i = 1; i < 3; i++) {
			uint64_t other = jobs[i].id;

			jobs[i] = jobs[0];
			jobs[i].id = other;
		}
		ev.njobs = seed_below(4) ? 1 : 1 + (size_t)seed_below(3);
		break;
	case 4:
		ev.type = EV_CHANGE;
		break;
	case 5:
		ev.type = seed_below(2) ? EV_STARTED : EV_BLOCK;
		ev.id = (uint64_t)seed_below(IDS);
		k = p.of[ev.id];
		nodeset_destroy(nodes);
		nodes = any_nodes(&p.part[k]);
		ev.nodes = nodes;
		ev.start = p.now + (ev.type == EV_BLOCK ? seed_below(100) : 0);
		ev.end = ev.start + 1 + seed_below(300);
		break;
	case 6:
		tell_time();
		nodeset_destroy(nodes);
		return;
	case 7:
		ask_both(k, id);
		nodeset_destroy(nodes);
		return;
	default:
		ev.type = plain[seed_below(sizeof(plain) / sizeof(plain[0]))];
		/* another id of the same part */
		if (ev.type == EV_CONFIRM && seed_below(2))
			ev.new_id = (id + 2) % IDS;
		break;
	}
	tell(&p.part[k], ev);
	nodeset_destroy(nodes);
}

static void reconfigure(bool slurm)
{
	p.c.mode = slurm ? SCHED_MODE_SLURM : SCHED_MODE_PAPER;
	p.c.guard = seed_below(2) ? 30 : 0;
	p.c.lateness = p.c.guard / 2;
	p.c.offer_probes = (int32_t)seed_below(3);
	p.c.min_artificial = seed_below(1000);
}

static void open_pair(const char *first, const char *second, bool slurm)
{
	char name[200] = "", why[200] = "";

	p = (struct pair){ .salt = (int)seed_below(7), .now = 100 };
	p.part[0].name = first;
	p.part[1].name = second;
	for (uint32_t n = 0; n < NODES; n++) {
		struct part *q = &p.part[n < 2 ? n : (uint32_t)seed_below(2)];

		q->node[q->n++] = n;
	}
	for (int id = 0; id < IDS; id++)
		p.of[id] = id % 2;
	sched_config_init(&p.c);
	reconfigure(slurm);
	for (int k = 0; k < 2; k++) {
		struct part *q = &p.part[k];

		write_to(name, "%s%s@", k ? "+" : "", q->name);
		for (uint32_t i = 0; i < q->n; i++)
			write_to(name, "%s%u", i ? "," : "", q->node[i]);
		q->s = sched_create(q->name, q->n, &p.c, NULL, 0);
		q->wake = PACT_FOREVER;
		assert_non_null(q->s);
		for (int i = 0; i < SETS; i++)
			set[k][i] = any_nodes(q);
	}
	p.s = sched_create(name, NODES, &p.c, why, sizeof(why));
	assert_string_equal(why, "");
	assert_non_null(p.s);
	assert_string_equal(sched_name(p.s), name);
}

static void close_pair(void)
{
	sched_destroy(p.s);
	for (int k = 0; k < 2; k++) {
		sched_destroy(p.part[k].s);
		for (int i = 0; i < SETS; i++)
			nodeset_destroy(set[k][i]);
	}
}

static void any_life(const char *first, const char *second, bool slurm)
{
	open_pair(first, second, slurm);
	drain_all();
	for (int i = 0; i < 250; i++) {
		p.now += seed_below(3) ? 0 : seed_below(60);
		any_step();
		if (!seed_below(30)) {
			reconfigure(slurm);
			for (int k = 0; k < 2; k++) {
				p.part[k].wake = PACT_FOREVER;
				p.part[k].touched = true;
				assert_int_equal(sched_configure(p.part[k].s, &p.c, NULL, 0),
						 PACT_OK);
			}
			assert_int_equal(sched_configure(p.s, &p.c, NULL, 0), PACT_OK);
		}
		if (seed_below(4))
			drain_all();
	}
	tell_time();
	drain_all();
	close_pair();
}

static void test_as_alone(void **state)
{
	static const struct {
		const char *first, *second;
		bool slurm;
	} pairs[] = {
		{ "qops", "easy", false },	   { "qops", "easy", true },
		{ "easy", "qops", true },	   { "qops", "qops", true },
		{ "conservative", "fcfs", false }, { "dynp", "qops", true },
		{ "msb", "mrt", false },	   { "qops-best", "dynp", false },
	};
	uint64_t rounds = seed_rounds(20);

	(void)state;
	for (uint64_t round = 0; round < rounds; round++) {
		for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
			any_life(pairs[i].first, pairs[i].second, pairs[i].slurm);
	}
}

/*
 * What is an error is no news: a question behind it finds the plan as it was, in which a job that could not be
 * started waits for its next turn. (An error at the door of several schedulers is heard by none of
 * them: with news, test_as_alone failed on one seed in three.)
 */
static void test_errors_are_no_news(void **state)
{
	static const enum sched_event_type types[] = { EV_CONFIRM,     EV_CHANGE, EV_PRIORITY,
						       EV_WITHDRAW,    EV_BLOCK,  EV_FINISH,
						       EV_END_CHANGED, EV_POLICY, EV_SUSPENDED,
						       EV_STARTED,     EV_LEFT };
	struct sched_job ask = feed_deadline(9, 2, 50, 1000), unknown = feed_deadline(5, 1, 1, 9);
	struct sched_decision first, d;
	struct sched_config c;
	struct feed f;

	(void)state;
	sched_config_init(&c);
	c.mode = SCHED_MODE_SLURM;
	feed_open(&f, "qops", 2, &c);
	f.hold_starts = true;
	feed_submit(&f, feed_job(1, 2, 100));
	assert_int_equal(feed_drain(&f), 1);
	feed_event(&f, (struct sched_event){ .type = EV_START_FAILED, .id = 1, .reserve = true });
	feed_drain(&f);
	assert_int_equal(feed_starts(&f, 1), 1);
	assert_int_equal(sched_ask(f.s, 0, &ask, 1, &first), PACT_OK);
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		struct sched_event ev = {
			.type = types[i], .id = 5, .new_id = 5, .jobs = &unknown, .njobs = 1
		};

		assert_int_not_equal(feed_event(&f, ev), PACT_OK);
		assert_int_equal(sched_ask(f.s, 0, &ask, 1, &d), PACT_OK);
		assert_int_equal(feed_starts(&f, 1), 1);
		assert_true(d.accepted && d.start == first.start && d.end == first.end);
	}
	feed_close(&f);
}

/* ---- which domain ---- */

static struct nodeset *low, *high, *middle; /* of 8: 0-3, 4-7, 2-5 */

static struct sched_job on(struct sched_job d, const struct nodeset *a, const struct nodeset *b)
{
	d.nalt = b ? 2 : 1;
	d.alt[0] = a;
	d.alt[1] = b;
	return d;
}

static bool started_on(const struct feed *f, const struct nodeset *nodes)
{
	return nodeset_subset(f->start.allowed, nodes);
}

static void test_first_that_accepts(void **state)
{
	struct feed f;

	(void)state;
	feed_open(&f, "qops@0-3+qops@4-7", 8, NULL);
	f.name_nodes = true;
	/* in the order of the alternatives, not of the domains */
	feed_submit(&f, on(feed_deadline(1, 4, 100, 150), high, low));
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(f.accepted, 1);
	assert_true(started_on(&f, high));
	assert_int_equal(f.start.alt, 0);
	/* there it could not be in time */
	feed_submit(&f, on(feed_deadline(2, 4, 100, 150), high, low));
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(f.accepted, 2);
	assert_true(started_on(&f, low));
	assert_int_equal(f.start.alt, 1);
	/* nowhere: the offer is the earliest, of the domain that has fewer jobs */
	feed_submit(&f, on(feed_deadline(3, 4, 100, 1000), high, NULL));
	feed_submit(&f, on(feed_deadline(4, 4, 100, 150), high, low));
	feed_drain(&f);
	assert_int_equal(f.refused, 1);
	assert_int_equal(f.decision.reason, REFUSE_FULL);
	assert_int_equal(f.decision.offer_end, 200);
	assert_int_equal(feed_starts(&f, 4), -1);
	feed_close(&f);
}

static void test_no_promises_here(void **state)
{
	struct sched_decision d;
	struct sched_job both = feed_deadline(1, 2, 100, 500), easy;
	struct feed f;

	(void)state;
	feed_open(&f, "easy@0-3+qops@4-7", 8, NULL);
	f.name_nodes = true;
	both = on(both, low, high);
	easy = on(feed_deadline(2, 2, 100, 500), low, NULL);
	assert_int_equal(sched_ask(f.s, 0, &both, 1, &d), PACT_OK);
	assert_true(d.accepted);
	assert_int_equal(sched_ask(f.s, 0, &easy, 1, &d), PACT_OK);
	assert_false(d.accepted);
	assert_int_equal(d.reason, REFUSE_DISABLED);
	/* a promise made earlier goes to where it can be kept */
	both.flags = JOB_PROMISED;
	feed_submit(&f, both);
	feed_drain(&f);
	assert_true(started_on(&f, high));
	/* a load that is too high says more than that there are no promises */
	both = on(feed_deadline(3, 4, 100, 120), low, high);
	feed_submit(&f, both);
	feed_drain(&f);
	assert_int_equal(f.refused, 1);
	assert_int_equal(f.decision.reason, REFUSE_FULL);
	assert_int_equal(f.decision.offer_end, 200);
	feed_close(&f);
}

/* Why a job that is late by its own limit is refused on those nodes; 0: it is not. */
static int late_on(struct feed *f, const struct nodeset *nodes)
{
	struct sched_job late = on(feed_deadline(1, 2, 100, 50), nodes, NULL);
	struct sched_decision d;

	assert_int_equal(sched_ask(f->s, 0, &late, 1, &d), PACT_OK);
	return d.accepted ? 0 : (int)d.reason;
}

/* A setting of its own goes before that of all, which goes on to be the others'. */
static void test_own_settings(void **state)
{
	struct sched_config c;
	struct feed f;

	(void)state;
	sched_config_init(&c);
	feed_open(&f, "librarisk:RiskLimit=0.2@0-3+librarisk@4-7", 8, &c);
	assert_int_equal(late_on(&f, low), REFUSE_CHANCE);
	assert_int_equal(late_on(&f, high), 0);
	c.risk_limit = 100000;
	assert_int_equal(sched_configure(f.s, &c, NULL, 0), PACT_OK);
	assert_int_equal(late_on(&f, high), REFUSE_CHANCE);
	feed_close(&f);
	feed_open(&f, "librarisk:RiskLimit=0@0-7", 8, &c);
	assert_int_equal(late_on(&f, low), 0);
	assert_int_equal(sched_configure(f.s, &c, NULL, 0), PACT_OK);
	assert_int_equal(late_on(&f, low), 0);
	feed_close(&f);
}

/* All were told something, and only the last has anything to say. */
static void test_all_speak(void **state)
{
	struct nodeset *last = feed_nodes(4, 0x8);
	struct sched_job d = feed_job(1, 1, 100);
	struct feed f;

	(void)state;
	feed_open(&f, "fcfs@0+easy@1+qops@2+fcfs@3", 4, NULL);
	f.name_nodes = true;
	d.nalt = 1;
	d.alt[0] = last;
	assert_int_equal(feed_submit(&f, d), PACT_OK);
	assert_int_equal(feed_event(&f, (struct sched_event){ .type = EV_TIME }), PACT_OK);
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(nodeset_next(f.start.allowed, 0), 3);
	feed_close(&f);
	nodeset_destroy(last);
}

static void test_least_demand(void **state)
{
	struct feed f;
	struct sched_job d;

	(void)state;
	feed_open(&f, "easy@0-1+easy@2-7", 8, NULL);
	f.name_nodes = true;
	feed_submit(&f, feed_job(1, 1, 100)); /* 0 and 0: the first */
	feed_drain(&f);
	assert_int_equal(nodeset_next(f.start.allowed, 0), 1 - 1);
	feed_submit(&f, feed_job(2, 2, 100)); /* 1/2 and 0 */
	feed_drain(&f);
	assert_int_equal(nodeset_next(f.start.allowed, 0), 2);
	feed_submit(&f, feed_job(3, 2, 100)); /* 1/2 and 2/6 */
	feed_drain(&f);
	assert_int_equal(nodeset_next(f.start.allowed, 0), 4);
	feed_submit(&f, feed_job(4, 1, 100)); /* 1/2 and 4/6 */
	feed_drain(&f);
	assert_int_equal(nodeset_next(f.start.allowed, 0), 1);
	feed_submit(&f, feed_job(5, 3, 100)); /* only one of them has so many */
	feed_drain(&f);
	assert_int_equal(feed_starts(&f, 5), PACT_FOREVER); /* easy plans nothing */
	assert_int_equal(feed_drain(&f), 0);
	feed_finish(&f, 2);
	assert_int_equal(feed_drain(&f), 1);
	/* too wide for each, and on nodes of both: they wait for ever, and are refused */
	feed_submit(&f, feed_job(6, 7, 100));
	d = feed_job(7, 2, 100);
	d.required = low;
	feed_submit(&f, d);
	feed_finish(&f, 1);
	feed_finish(&f, 3);
	feed_finish(&f, 4);
	feed_finish(&f, 5);
	assert_int_equal(feed_drain(&f), 0);
	assert_int_equal(sched_waiting(f.s), 2);
	feed_close(&f);
	feed_open(&f, "qops@0-3+qops@4-7", 8, NULL);
	feed_submit(&f, feed_deadline(1, 5, 10, 1000));
	feed_drain(&f);
	assert_int_equal(f.decision.reason, REFUSE_NEVER_FITS);
	d = feed_deadline(2, 2, 10, 1000);
	d.required = middle;
	feed_submit(&f, d);
	feed_drain(&f);
	assert_int_equal(f.decision.reason, REFUSE_NEVER_FITS);
	feed_close(&f);
}

static int change(struct feed *f, struct sched_job d)
{
	return feed_event(f, (struct sched_event){ .type = EV_CHANGE, .jobs = &d, .njobs = 1 });
}

static void test_change_of_domain(void **state)
{
	struct feed f;
	struct sched_job d;
	struct sched_view v;

	(void)state;
	feed_open(&f, "qops@0-3+qops@4-7", 8, NULL);
	f.name_nodes = true;
	feed_submit(&f, on(feed_job(1, 4, 100), low, NULL));
	feed_submit(&f, on(feed_job(2, 4, 1000), high, NULL));
	feed_drain(&f);
	feed_submit(&f, on(feed_deadline(3, 4, 100, 300), low, NULL));
	feed_drain(&f);
	/* not promised there: all stays */
	assert_int_equal(change(&f, on(feed_deadline(3, 4, 100, 300), high, NULL)), PACT_OK);
	feed_drain(&f);
	assert_int_equal(f.refused, 1);
	assert_int_equal(feed_starts(&f, 3), 100);
	/* promised there: it is gone here */
	assert_int_equal(change(&f, on(feed_deadline(3, 4, 100, 1200), high, NULL)), PACT_OK);
	feed_drain(&f);
	assert_int_equal(f.accepted, 2);
	assert_int_equal(feed_starts(&f, 3), 1000);
	feed_submit(&f, on(feed_deadline(4, 4, 100, 300), low, NULL));
	feed_drain(&f);
	assert_int_equal(f.accepted, 3);
	assert_int_equal(feed_starts(&f, 4), 100);
	/* without a deadline it simply goes, and is not confirmed by that */
	d = on(feed_job(5, 4, 50), low, NULL);
	d.flags = JOB_UNCONFIRMED;
	feed_submit(&f, d);
	assert_int_equal(change(&f, on(feed_job(5, 4, 50), high, NULL)), PACT_OK);
	feed_drain(&f);
	assert_int_equal(sched_view(f.s, 5, &v), PACT_OK);
	assert_true(v.unconfirmed);
	assert_int_equal(v.start, 1100);
	assert_int_equal(sched_waiting(f.s), 3);
	feed_close(&f);
}

/* The matrix of one of several schedulers, in the machine's numbers. */
static void test_matrix(void **state)
{
	struct nodeset *turns = nodeset_dup(high);
	struct sched_matrix m;
	struct sched_place place;
	struct sched_view v;
	struct feed f;

	(void)state;
	feed_open(&f, "conservative@0-3+gs@4-7", 8, NULL);
	f.name_nodes = true;
	for (uint64_t id = 1; id <= 2; id++)
		feed_submit(&f, on(feed_job(id, 3, 100), high, NULL));
	assert_int_equal(feed_drain(&f), 0);
	assert_int_equal(sched_matrix(f.s, 0, &m), PACT_ENOENT);
	assert_int_equal(sched_matrix(f.s, 2, &m), PACT_ENOENT);
	assert_int_equal(sched_matrix(f.s, 1, &m), PACT_OK);
	assert_true(nodeset_equal(m.nodes, turns));
	assert_int_equal(m.jobs, 2);
	assert_int_equal(sched_matrix_place(f.s, 0, 0, &place), PACT_ENOENT);
	assert_int_equal(sched_matrix_place(f.s, 1, 1, &place), PACT_OK);
	assert_int_equal(place.id, 2);
	assert_true(nodeset_subset(place.nodes, turns));
	assert_int_equal(nodeset_count(place.nodes), 3);
	assert_int_equal(sched_view(f.s, 2, &v), PACT_OK);
	assert_true(v.turns.rows == 5 && v.turns.home == 1 && (v.turns.in & 3) == 2);
	assert_true(nodeset_equal(v.turns.nodes, place.nodes));
	feed_submit(&f, on(feed_job(3, 4, 100), low, NULL));
	assert_int_equal(sched_view(f.s, 3, &v), PACT_OK);
	assert_int_equal(v.turns.rows, 0);
	assert_int_equal(sched_lack(f.s, 3), LACK_NONE);
	feed_close(&f);
	nodeset_destroy(turns);
}

static void test_across(void **state)
{
	struct feed f;
	struct sched_view v;

	(void)state;
	feed_open(&f, "conservative@0-3+conservative@4-7", 8, NULL);
	f.name_nodes = true;
	assert_int_equal(feed_start(&f, 1, middle), PACT_OK);
	assert_int_equal(feed_start(&f, 1, low), PACT_EEXIST);
	assert_int_equal(sched_view(f.s, 1, &v), PACT_OK);
	assert_int_equal(v.width, 4);
	assert_int_equal(feed_block(&f, 2, middle, 500, 600), PACT_OK);
	assert_int_equal(
		feed_event(&f, (struct sched_event){ .type = EV_END_CHANGED, .id = 1, .end = 200 }),
		PACT_OK);
	feed_submit(&f, on(feed_job(3, 4, 100), low, NULL));
	feed_submit(&f, on(feed_job(4, 4, 400), high, NULL));
	assert_int_equal(feed_drain(&f), 0);
	assert_int_equal(feed_starts(&f, 3), 200);
	assert_int_equal(feed_starts(&f, 4), 600);
	assert_int_equal(f.wake, 200);
	/* a waiting job that was started by hand, here and there: it waits no more */
	feed_finish(&f, 1);
	assert_int_equal(feed_start(&f, 3, middle), PACT_OK);
	assert_int_equal(sched_waiting(f.s), 1);
	assert_int_equal(sched_view(f.s, 3, &v), PACT_OK);
	assert_true(v.running);
	feed_finish(&f, 2);
	feed_finish(&f, 3);
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(feed_finish(&f, 2), PACT_ENOENT);
	feed_close(&f);
}

/* ---- names ---- */

static void test_names(void **state)
{
	static const struct {
		const char *name, *why; /* NULL: it is good */
	} table[] = {
		{ "qops@0-3+easy@4-7", NULL },
		{ "qops@0,2,4-7+easy@1,3", NULL },
		{ "fcfs@0-7", NULL },
		{ "qops@0-3+easy@3-7", "'easy@3-7': node 3 is in two domains" },
		{ "qops@0-3,2+easy@4-7", "'qops@0-3,2': node 2 is in two domains" },
		{ "qops@0-3+easy@5-7", "node 4 is in no domain" },
		{ "qops@0-6", "node 7 is in no domain" },
		{ "qops@0-3+easy@4-8", "'easy@4-8': node 8, but the machine has 8 (0-7)" },
		{ "qops@0-3+eazy@4-7", "'eazy@4-7': no scheduler named 'eazy'" },
		{ "qops@0-3+", "'': no scheduler named ''" },
		{ "qops+easy", "'qops': not SCHEDULER@NODES, as qops@0-3,8" },
		{ "qops@", "'qops@': not SCHEDULER@NODES, as qops@0-3,8" },
		{ "qops@0-", "'qops@0-': not SCHEDULER@NODES, as qops@0-3,8" },
		{ "qops@3-0", "'qops@3-0': not SCHEDULER@NODES, as qops@0-3,8" },
		{ "qops@0-7,", "'qops@0-7,': not SCHEDULER@NODES, as qops@0-3,8" },
		{ "qops@0-7x", "'qops@0-7x': not SCHEDULER@NODES, as qops@0-3,8" },
		{ "qops@99999999999-7",
		  "'qops@99999999999-7': not SCHEDULER@NODES, as qops@0-3,8" },
		{ "quops", "no scheduler named 'quops'" },
		{ "librarisk:RiskLimit=0.2:NodeChoice=best@0-3+easy@4-7", NULL },
		{ "libra:RiskLimit=2@0-7",
		  "RiskLimit=2: must be a number from 0 to 1, with at most 6 decimals" },
		{ "libra:RiskLimit@0-7", "'RiskLimit': not KEY=VALUE" },
		{ "libra:Spare=idle@0-7", "Spare=idle: all domains have it in common" },
		{ "easy:RiskLimit=0.2@0-7", "RiskLimit=0.2: scheduler easy does not use it (only "
					    "libra, librarisk, demand)" },
	};
	struct sched_config c;
	char why[200], many[65 * 8 + 1] = "";

	(void)state;
	sched_config_init(&c);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		why[0] = '\0';
		struct sched *s = sched_create(table[i].name, 8, &c, why, sizeof(why));

		assert_string_equal(why, table[i].why ? table[i].why : "");
		assert_int_equal(s != NULL, !table[i].why);
		sched_destroy(s);
	}
	/* one domain is that scheduler itself */
	struct sched *one = sched_create("fcfs@0-7", 8, &c, NULL, 0);

	assert_string_equal(sched_name(one), "fcfs");
	assert_false(sched_by_number(one));
	sched_destroy(one);
	for (int n = 0; n < 65; n++)
		snprintf(many + strlen(many), sizeof(many) - strlen(many), "%seasy@%d",
			 n ? "+" : "", n);
	assert_null(sched_create(many, 65, &c, why, sizeof(why)));
	assert_string_equal(why, "'easy@64': more than 64 domains");
	c.mode = SCHED_MODE_SLURM;
	assert_null(sched_create("qops@0-3+msb@4-7", 8, &c, why, sizeof(why)));
	assert_string_equal(why, "mode: scheduler msb knows the paper mode only");
}

static int set_up(void **state)
{
	(void)state;
	low = feed_nodes(8, 0x0f);
	high = feed_nodes(8, 0xf0);
	middle = feed_nodes(8, 0x3c);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	nodeset_destroy(low);
	nodeset_destroy(high);
	nodeset_destroy(middle);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_alone),
		cmocka_unit_test(test_errors_are_no_news),
		cmocka_unit_test(test_all_speak),
		cmocka_unit_test_setup_teardown(test_first_that_accepts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_promises_here, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_own_settings, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_least_demand, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_change_of_domain, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_matrix, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_across, set_up, tear_down),
		cmocka_unit_test(test_names),
	};

	return seed_run("test_domains", tests);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sharing_world: see sharing_world.h. */
#include "testsuite/unit/sharing_world.h"
#include "testsuite/unit/seed.h"

#include <inttypes.h>
#include <string.h>

static struct sched_event event_at(int64_t at, enum sched_event_type type, size_t job)
{
	return (struct sched_event){ .type = type,
				     .now = at / SHARING_SECOND,
				     .fine = (int32_t)(at % SHARING_SECOND),
				     .id = job + 1 };
}

static void feed(struct world *w, struct sched_event ev)
{
	int rc = sched_event(w->s, &ev);

	if (rc != PACT_OK)
		fail_msg("event %d of job %" PRIu64 ": %s", (int)ev.type, ev.id, sched_error(w->s));
}

/* ---- what is asked for ---- */

static void start(struct world *w, const struct sched_action *a)
{
	struct sched_event ev = event_at(w->now, EV_STARTED, a->id - 1);
	uint32_t k = 0;

	assert_int_equal(nodeset_count(a->allowed), w->job[a->id - 1].width);
	assert_true(a->nshares == 0 || a->nshares == nodeset_count(a->allowed));
	for (int node = 0; node < w->c->nodes; node++) {
		struct piece *p = &w->piece[node][a->id - 1];

		if (!nodeset_test(a->allowed, (uint32_t)node))
			continue;
		p->here = true;
		w->on[node][a->id - 1] = 1;
		p->left = (work)w->job[a->id - 1].runtime * SHARING_SECOND * SHARE_WHOLE;
		p->left = (work)((long double)p->left / w->c->rating[node]);
		p->share = a->nshares ? a->shares[k++] : SHARE_WHOLE;
	}
	w->in_step[a->id - 1] =
		(work)w->job[a->id - 1].runtime * SHARING_SECOND * SHARE_WHOLE * RATING_WHOLE;
	ev.nodes = a->allowed;
	ev.start = w->now / SHARING_SECOND;
	feed(w, ev);
}

static void set_shares(struct world *w, const struct sched_action *a)
{
	for (size_t i = 0; i < w->n; i++)
		w->piece[a->node][i].share = 0;
	for (uint32_t k = 0; k < a->nshares; k++) {
		assert_true(w->piece[a->node][a->ids[k] - 1].here);
		w->piece[a->node][a->ids[k] - 1].share = a->shares[k];
	}
}

static void check_nodes(const struct world *w)
{
	for (int node = 0; node < w->c->nodes; node++) {
		uint64_t sum = 0;
		int64_t memory = 0;

		for (size_t i = 0; i < w->n; i++) {
			const struct piece *p = &w->piece[node][i];
			int k = w->job[i].processors;

			if (!p->here)
				continue;
			assert_true(p->share <= SHARE_WHOLE);
			k = k && w->c->kind != REF_EDF ? k : w->c->processors[node];
			sum += (uint64_t)p->share * (uint64_t)k;
			memory += w->job[i].memory;
		}
		assert_true(sum <= (uint64_t)SHARE_WHOLE * (uint64_t)w->c->processors[node]);
		assert_true(!w->c->memory[node] || memory <= w->c->memory[node]);
	}
}

static void drain(struct world *w)
{
	struct sched_action a;

	w->wake = INT64_MAX;
	while (sched_next(w->s, &a)) {
		switch (a.type) {
		case ACT_ACCEPT:
			w->accepted[a.id - 1] = true;
			w->promised[a.id - 1] = !a.decision.expected;
			w->decision[a.id - 1] = a.decision;
			break;
		case ACT_REFUSE:
			w->refused[a.id - 1] = true;
			w->decision[a.id - 1] = a.decision;
			break;
		case ACT_START:
			w->accepted[a.id - 1] = true;
			start(w, &a);
			break;
		case ACT_SHARES:
			set_shares(w, &a);
			break;
		case ACT_BROKEN:
			w->broken[a.id - 1] = true;
			break;
		case ACT_MENDED:
			w->broken[a.id - 1] = false;
			break;
		case ACT_WAKE:
			w->wake = a.end * SHARING_SECOND + a.fine;
			break;
		case ACT_LEARNED:
			w->learned++;
			w->needed += a.past.part;
			break;
		default:
			fail_msg("action %d", (int)a.type);
		}
	}
	assert_string_equal(sched_error(w->s), "");
	check_nodes(w);
}

/* ---- time ---- */

/* The least that a part of the job does, in thousandths of full speed. */
static uint64_t pace_of(const struct world *w, size_t i)
{
	uint64_t pace = UINT64_MAX;

	for (int node = 0; node < w->c->nodes; node++) {
		uint64_t rating = (uint64_t)(w->c->rating[node] * RATING_WHOLE + 0.5L);

		if (w->piece[node][i].here && w->piece[node][i].share * rating < pace)
			pace = w->piece[node][i].share * rating;
	}
	return pace < UINT64_MAX ? pace : 0;
}

static int64_t end_in_step(const struct world *w, size_t i)
{
	uint64_t pace = pace_of(w, i);

	return pace ? w->now + (int64_t)((w->in_step[i] + pace - 1) / pace) : INT64_MAX;
}

static void go_in_step(struct world *w, size_t i, int64_t at)
{
	work done = (work)pace_of(w, i) * (uint64_t)(at - w->now);

	w->in_step[i] = done < w->in_step[i] ? w->in_step[i] - done : 0;
	for (int node = 0; node < w->c->nodes; node++)
		w->piece[node][i].left = w->in_step[i];
}

static int64_t end_of(const struct world *w, const struct piece *p)
{
	return p->here && p->share ? w->now + (int64_t)((p->left + p->share - 1) / p->share)
				   : INT64_MAX;
}

static int64_t next_end(const struct world *w)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < w->n && w->c->in_step; i++) {
		int64_t end = end_in_step(w, i);

		next = end < next ? end : next;
	}
	for (int node = 0; node < w->c->nodes && !w->c->in_step; node++) {
		for (size_t i = 0; i < w->n; i++) {
			int64_t end = end_of(w, &w->piece[node][i]);

			next = end < next ? end : next;
		}
	}
	return next;
}

static void go_to(struct world *w, int64_t at)
{
	for (size_t i = 0; i < w->n && w->c->in_step; i++)
		go_in_step(w, i, at);
	for (int node = 0; node < w->c->nodes && !w->c->in_step; node++) {
		for (size_t i = 0; i < w->n; i++) {
			struct piece *p = &w->piece[node][i];
			work done = (work)p->share * (uint64_t)(at - w->now);

			p->left = done < p->left ? p->left - done : 0;
		}
	}
	w->now = at;
}

/* The parts of a job that are done leave. */
static void end_job(struct world *w, size_t i)
{
	struct nodeset *left = nodeset_create((uint32_t)w->c->nodes);
	struct sched_event ev = event_at(w->now, EV_LEFT, i);
	bool goes_on = false;

	for (int node = 0; node < w->c->nodes; node++) {
		struct piece *p = &w->piece[node][i];

		if (p->here && !p->left) {
			nodeset_set(left, (uint32_t)node);
			p->here = false;
			p->share = 0;
		}
		goes_on |= p->here;
	}
	if (!nodeset_empty(left)) {
		ev.nodes = left;
		if (!goes_on) {
			ev = event_at(w->now, EV_FINISH, i);
			w->ended[i] = true;
			w->end[i] = w->now;
		}
		feed(w, ev);
		drain(w);
	}
	nodeset_destroy(left);
}

/* ---- questions, which leave no trace ---- */

static void ask_once(struct world *w, const struct sched_job *d, struct sched_decision *decision)
{
	int rc = sched_ask(w->s, w->now / SHARING_SECOND, d, 1, decision);

	if (rc != PACT_OK)
		fail_msg("asked for job %" PRIu64 ": %s", d->id, sched_error(w->s));
}

/*
 * Does a later deadline fit whenever an earlier one does? Not where the nearest deadline runs first on several
 * processors: a job that comes later may leave two long ones to the end, side by side with nothing.
 */
static bool is_monotone(const struct world *w)
{
	bool one = true;

	for (int i = 0; i < w->c->nodes; i++)
		one &= w->c->processors[i] == 1;
	return w->c->kind != REF_DEMAND || one;
}

/* What it is told is true of the deadline that is offered, and of none that is earlier. */
static void check_offer(struct world *w, struct sched_job d, int64_t offered)
{
	bool monotone = is_monotone(w);
	struct sched_decision other;

	assert_true(offered > d.deadline || !monotone);
	d.deadline = offered;
	ask_once(w, &d, &other);
	assert_true(other.accepted && !other.expected);
	d.deadline = offered - 1;
	ask_once(w, &d, &other);
	assert_false(other.accepted && !other.expected && monotone);
	w->offers++;
}

static void ask(struct world *w, struct sched_job d)
{
	ask_once(w, &d, &w->asked);
	if (!w->asked.accepted && w->asked.offer_end != PACT_FOREVER)
		check_offer(w, d, w->asked.offer_end);
	d.flags = JOB_PROBE;
	ask_once(w, &d, &w->probed);
}

static void check_asked(const struct world *w, size_t i)
{
	const struct sched_decision *d = &w->decision[i];

	if (w->c->kind == REF_EDF) { /* nothing is decided at submission */
		assert_int_equal(w->asked.reason, REFUSE_DISABLED);
		return;
	}
	assert_int_equal(w->asked.accepted, d->accepted);
	assert_int_equal(w->probed.accepted, d->accepted);
	assert_int_equal(w->asked.expected, d->expected);
	assert_int_equal(w->asked.reason, d->reason);
	assert_int_equal(w->asked.end, d->end);
	assert_int_equal(w->asked.offer_end, d->offer_end);
	assert_int_equal(w->asked.suited, d->suited);
	assert_int_equal(w->asked.share, d->share);
	assert_int_equal(w->asked.delay, d->delay);
}

static void submit(struct world *w)
{
	const struct ref_sharer *j = &w->job[w->next];
	struct sched_job d = { .id = w->next + 1,
			       .submit = j->submit,
			       .limit = j->estimate,
			       .deadline = j->deadline,
			       .planned = -1,
			       .width = j->width,
			       .processors = j->processors,
			       .memory = j->memory,
			       .user = w->risk_limit ? 1 + (int64_t)w->next % 3 : 0 };
	struct sched_event ev = event_at(w->now, EV_SUBMIT, w->next++);

	if (w->asks)
		ask(w, d);
	ev.jobs = &d;
	ev.njobs = 1;
	feed(w, ev);
	drain(w);
	if (w->asks)
		check_asked(w, d.id - 1);
}

static void describe_nodes(struct world *w)
{
	for (int node = 0; node < w->c->nodes; node++) {
		struct nodeset *one = nodeset_create((uint32_t)w->c->nodes);
		struct sched_event ev = { .type = EV_NODES, .nodes = one };

		nodeset_set(one, (uint32_t)node);
		ev.rating = (int32_t)(w->c->rating[node] * RATING_WHOLE + 0.5L);
		ev.processors = w->c->processors[node];
		ev.memory = w->c->memory[node];
		feed(w, ev);
		nodeset_destroy(one);
	}
}

void sharing_world_run(struct world *w, const struct ref_sharing *c, struct ref_sharer *job,
		       size_t n)
{
	static const char *const names[] = { "libra", "librarisk", "demand", "edf" };
	struct sched_config config;
	char why[100] = "";
	int32_t risk_limit = w->risk_limit;
	bool asks = w->asks;

	memset(w, 0, sizeof(*w));
	w->asks = asks;
	w->risk_limit = risk_limit;
	w->c = c;
	w->job = job;
	w->n = n;
	w->wake = INT64_MAX;
	sched_config_init(&config);
	config.spare = c->idle ? SPARE_IDLE : SPARE_SHARE;
	config.parts = c->in_step ? PARTS_STEP : PARTS_INDEPENDENT;
	config.node_choice = c->best ? NODES_BEST : NODES_ORDER;
	config.risk_limit = risk_limit;
	w->s = sched_create(names[c->kind], (uint32_t)c->nodes, &config, why, sizeof(why));
	assert_string_equal(why, "");
	describe_nodes(w);
	for (;;) {
		int64_t end = next_end(w);
		int64_t arrival = w->next < n ? job[w->next].submit * SHARING_SECOND : INT64_MAX;

		if (end == INT64_MAX && arrival == INT64_MAX)
			break;
		if (end <= arrival && end <= w->wake) {
			go_to(w, end);
			for (size_t i = 0; i < n; i++)
				end_job(w, i);
		} else if (arrival <= w->wake) {
			go_to(w, arrival);
			submit(w);
		} else {
			go_to(w, w->wake);
			feed(w, event_at(w->now, EV_TIME, 0));
			drain(w);
		}
	}
	sched_destroy(w->s);
}

/* ---- worlds ---- */

void sharing_world_nodes(struct ref_sharing *c, bool alike)
{
	static const long double ratings[] = { 0.5L, 1, 1, 1.25L, 2 };

	c->nodes = 1 + (int)seed_below(REF_NODES);
	c->idle = !seed_below(3);
	c->best = seed_below(2);
	for (int i = 0; i < c->nodes; i++) {
		c->rating[i] = alike ? 1 : ratings[seed_below(5)];
		c->processors[i] = alike ? 1 : 1 + (int)seed_below(4);
		c->memory[i] = alike || seed_below(2) ? 0 : 100 + seed_below(200);
	}
}

size_t sharing_world_jobs(const struct ref_sharing *c, struct ref_sharer *job, enum runtimes how)
{
	size_t n = 5 + (size_t)seed_below(REF_JOBS - 5);
	int64_t at = 1000, gap = 1 + seed_below(400);

	memset(job, 0, REF_JOBS * sizeof(*job));
	for (size_t i = 0; i < n; i++) {
		struct ref_sharer *j = &job[i];

		at += seed_below(4) ? seed_below(gap) : 0;
		j->submit = at;
		j->estimate = 1 + seed_below(seed_below(3) ? 1000 : 50);
		j->runtime = how == EXACT ? j->estimate : 1 + seed_below(j->estimate);
		if (how == ANY && !seed_below(4))
			j->runtime = j->estimate + seed_below(300);
		j->deadline = at + j->runtime + seed_below(1 + 4 * j->estimate);
		if (how == ANY && !seed_below(8) && i)
			j->deadline = job[i - 1].deadline > at ? job[i - 1].deadline : j->deadline;
		j->width = 1 + (int)seed_below(seed_below(3) ? 2 : c->nodes);
		if (j->width > c->nodes)
			j->width = c->nodes;
		j->processors = seed_below(2) ? 0 : 1 + (int)seed_below(4);
		j->memory = seed_below(2) ? 0 : seed_below(150);
	}
	return n;
}

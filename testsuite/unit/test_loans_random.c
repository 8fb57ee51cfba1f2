/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_loans_random: loans (core/loans) in thousands of small random worlds, under a driver that gives nodes back at once,
 * some time later or not before they are taken, refuses to give more, starts jobs on any allowed nodes and wakes late:
 *   - no node is ever two jobs', and none has fewer than its own or more than it can use;
 *   - whatever is called in has its whole notice, as long as the driver is no later than Lateness;
 *   - each promise is kept, and none is ever told as broken; no job is called in for what its promise takes;
 *   - which job gets the next node, and which one gives the next one back, is as the plain reference has it (ref_loans);
 *   - all jobs end, and nothing is left behind.
 * In about every second world an allocation fails.
 *
 * The same holds where the scheduler begins anew, at random moments: with what was saved of the one before, which is told and
 * asked the same from then on, and has to say the same; and with what a driver knows that comes up: what runs, on which nodes,
 * how many of these are its own, what is left of its limit, and what was called in.
 *
 * And one job that has no range, which comes while jobs with ranges run, in the same world with loans and without: it starts
 * a notice later at most. That holds for one that needs not wait for another such job, where all that run end at the same times in
 * both worlds and give back what they are asked for, and the driver is not late. (Of several, one that starts a notice later
 * may change which job fits where behind it.)
 *
 * A failure names the PACT_SEED that makes its world the first; PACT_ROUNDS is their number.
 */
#include <inttypes.h>
#include <string.h>

#include "core/kernel/retell.h"
#include "core/sched.h"
#include "testsuite/unit/ref_loans.h"
#include "testsuite/unit/seed.h"
#include "testsuite/unit/short_memory.h"

#define NODES 12
#define JOBS 24

struct one {
	struct sched_job job;
	int64_t arrives, left; /* node seconds */
	int64_t more;	       /* so many less than its limit means */
	int64_t since;
	int64_t ends; /* then, whatever it has; 0: when its work is done */
	int64_t began;
	struct nodeset *has;  /* NULL: it does not run */
	struct nodeset *keep; /* it was called in, and is to keep these; NULL: it was not */
	int64_t back_at;      /* then it gives the others back */
	bool promised, gone;
	uint32_t first; /* the lowest that it was started on */
	int64_t due;	/* while it is called in: it was asked to give these back by then */
	bool untold;	/* it has ended, or given nodes back, and that is told next */
	int patience;	/* 0: it gives nodes back at once; 1: some time later; 2: never by itself */
};

struct world {
	struct sched *s;
	struct sched
		*twin; /* that of before it began anew from what was saved; NULL: there is none */
	int restarts;  /* one in so many steps; 0: none */
	struct sched_config c;
	struct one v[JOBS + 1]; /* by id */
	uint64_t jobs;		/* so many of these */
	bool together;		/* nothing is decided between those that come at one time */
	int64_t now, wake;
	uint64_t seed;
	const char *name;
	uint64_t lent, called, promises, wide, saved, told;
};

static void complain(const struct world *w, uint64_t id, const char *what)
{
	fail_msg("PACT_SEED=%" PRIu64 " PACT_ROUNDS=1: %s: time %" PRId64 ": job %" PRIu64 ": %s",
		 w->seed, w->name, w->now, id, what);
}

/* ---- the jobs ---- */

static uint64_t draws;	/* of this world */
static uint64_t chosen; /* nodes, by the engine and the reference */

static int64_t below(int64_t n)
{
	return (int64_t)(seed_next(&draws) % (uint64_t)n);
}

static int32_t width_of(const struct one *x)
{
	return (int32_t)nodeset_count(x->has);
}

static void advance(struct world *w, struct one *x)
{
	x->left -= (w->now - x->since) * width_of(x);
	x->since = w->now;
}

static int64_t end_of(const struct one *x)
{
	int32_t n = width_of(x);

	if (x->ends)
		return x->ends;
	return x->since + (x->left + n - 1) / n;
}

static void make_job(struct world *w, uint64_t id, int64_t *at)
{
	struct one *x = &w->v[id];
	int64_t limit = 20 + below(400);

	*at += below(3) ? below(60) : 0;
	x->arrives = *at;
	x->job = (struct sched_job){ .id = id,
				     .submit = *at,
				     .limit = limit,
				     .planned = -1,
				     .width = 1 + (int32_t)below(5) };
	if (below(3))
		x->job.most = x->job.width + 1 + (int32_t)below(NODES);
	if (!below(4))
		x->job.grace = 1 + below(40);
	if (!below(5))
		x->job.begin = *at + below(500);
	if (below(2))
		x->job.deadline = *at + limit + w->c.guard + below(600);
	/* its width does not do */
	if (x->job.deadline && x->job.most && !below(3))
		x->job.deadline = *at + w->c.guard + limit / 2 + below(limit);
	x->job.value = below(1000);
	x->left = (1 + below(limit)) * x->job.width;
	x->more = limit * x->job.width - x->left;
	x->patience = (int)below(3);
}

static void make_machine(struct world *w, uint64_t seed)
{
	static const char *const names[] = { "qops", "qops", "dynp",	 "conservative",
					     "msb",  "mrt",  "qops-best" };

	memset(w, 0, sizeof(*w));
	w->seed = seed;
	draws = seed ? seed : 1;
	for (int i = 0; i < 8; i++)
		below(2);
	w->name = names[below(sizeof(names) / sizeof(names[0]))];
	w->wake = PACT_FOREVER;
	sched_config_init(&w->c);
	w->c.mode = !strcmp(w->name, "qops") && below(2) ? SCHED_MODE_SLURM : SCHED_MODE_PAPER;
	w->c.loans = below(2) ? LOANS_UNIFORM : LOANS_PROFIT;
	w->c.resize_grace = below(3) ? 10 * below(7) : 0;
	w->c.loan_time = below(100);
	w->c.resize_interval = below(2) ? below(60) : 0;
	w->c.lateness = below(2) ? below(10) : 0;
	w->c.guard = w->c.lateness + below(10);
}

static void make(struct world *w, uint64_t seed)
{
	int64_t at = 0;

	make_machine(w, seed);
	w->jobs = JOBS;
	for (uint64_t id = 1; id <= w->jobs; id++)
		make_job(w, id, &at);
	w->s = sched_create(w->name, NODES, &w->c, NULL, 0);
	assert_non_null(w->s);
}

/* ---- the driver ---- */

static bool is_free(const struct world *w, uint32_t node)
{
	for (uint64_t id = 1; id <= w->jobs; id++)
		if (w->v[id].has && nodeset_test(w->v[id].has, node))
			return false;
	return true;
}

/* Both are told. */
static void feed(struct world *w, const struct sched_event *ev)
{
	if (sched_event(w->s, ev) != PACT_OK)
		complain(w, ev->id, sched_error(w->s));
	if (w->twin && sched_event(w->twin, ev) != PACT_OK)
		complain(w, ev->id, sched_error(w->twin));
}

static void tell(struct world *w, enum sched_event_type type, uint64_t id)
{
	struct sched_event ev = { .type = type, .now = w->now, .id = id, .nodes = w->v[id].has };

	if (type == EV_STARTED)
		ev.start = w->now;
	feed(w, &ev);
}

static void start(struct world *w, const struct sched_action *a)
{
	struct one *x = &w->v[a->id];
	struct nodeset *nodes = nodeset_create(NODES);
	uint32_t from = (uint32_t)below(NODES);
	int32_t left = a->width;

	for (uint32_t i = 0; i < NODES && left; i++) {
		uint32_t n = (from + i) % NODES;

		if ((a->allowed && !nodeset_test(a->allowed, n)) || !is_free(w, n))
			continue;
		nodeset_set(nodes, n);
		left--;
	}
	if (left || x->has || x->gone || x->job.begin > w->now || a->width < x->job.width ||
	    (a->width > x->job.width && (!x->promised || a->width > x->job.most)))
		complain(w, a->id, "started where it cannot be, or again, or too soon");
	x->has = nodes;
	x->first = nodeset_next(nodes, 0);
	x->since = x->began = w->now;
	tell(w, EV_STARTED, a->id);
}

static void grow(struct world *w, const struct sched_action *a)
{
	struct one *x = &w->v[a->id];

	for (uint32_t n = 0; n < NODES; n++)
		if (nodeset_test(a->allowed, n) && !nodeset_test(x->has, n) && !is_free(w, n))
			complain(w, a->id, "is lent a node that another one has");
	if (a->width > x->job.most || !nodeset_subset(x->has, a->allowed))
		complain(w, a->id, "is lent more than it can use, or loses by it");
	if (!below(8)) {
		tell(w, EV_REFUSED, a->id);
		return;
	}
	advance(w, x);
	nodeset_copy(x->has, a->allowed);
	w->lent++;
	tell(w, EV_RESIZED, a->id);
}

static void call(struct world *w, const struct sched_action *a)
{
	struct one *x = &w->v[a->id];
	int64_t grace = x->job.grace ? x->job.grace : w->c.resize_grace;

	w->called++;
	if (a->end < w->now + grace || a->end <= w->now)
		complain(w, a->id, "has less than its notice");
	if (!nodeset_subset(a->allowed, x->has) || a->width < x->job.width)
		complain(w, a->id, "is to give back what is its own");
	advance(w, x);
	if (x->promised && w->now + (x->left + x->more + a->width - 1) / a->width > x->job.deadline)
		complain(w, a->id, "is to give back what its promise takes");
	w->wide += x->promised && a->width > x->job.width;
	if (x->patience == 0) {
		advance(w, x);
		nodeset_copy(x->has, a->allowed);
		tell(w, EV_RESIZED, a->id);
		return;
	}
	/* what was asked for before is due no later */
	if (!x->keep)
		x->back_at = x->patience == 2 ? a->end : w->now + below(a->end - w->now + 1);
	else if (x->back_at > a->end)
		x->back_at = a->end;
	x->due = x->keep && x->due < a->end ? x->due : a->end;
	nodeset_destroy(x->keep);
	x->keep = nodeset_dup(a->allowed);
	tell(w, EV_LEAVING, a->id);
}

static void handle(struct world *w, const struct sched_action *a)
{
	struct one *x = &w->v[a->id <= JOBS ? a->id : 0];

	switch (a->type) {
	case ACT_ACCEPT:
		x->promised = true;
		w->promises++;
		break;
	case ACT_REFUSE:
		x->gone = true;
		break;
	case ACT_START:
		start(w, a);
		break;
	case ACT_RESIZE:
		if (x->untold)
			tell(w, EV_REFUSED, a->id);
		else if (!x->has || a->width != (int32_t)nodeset_count(a->allowed))
			complain(w, a->id,
				 x->has ? "is resized to other nodes than that many"
					: "is resized, but does not run");
		else if (a->end)
			call(w, a);
		else
			grow(w, a);
		break;
	case ACT_BROKEN:
		complain(w, a->id, "its promise is broken");
		break;
	case ACT_WAKE:
		/* no later than it may be, and not in the past */
		w->wake = a->end + (w->c.lateness ? below(w->c.lateness + 1) : 0);
		w->wake = w->wake > w->now ? w->wake : w->now;
		break;
	default:
		break;
	}
}

/* The twin says the same. */
static bool next_action(struct world *w, struct sched_action *a)
{
	bool any = sched_next(w->s, a), same;
	struct sched_action b;

	if (!w->twin)
		return any;
	same = sched_next(w->twin, &b) == any;
	if (any && same)
		same = a->type == b.type && a->id == b.id && a->width == b.width &&
		       a->end == b.end && !a->allowed == !b.allowed &&
		       (!a->allowed || nodeset_equal(a->allowed, b.allowed));
	if (!same)
		complain(w, any ? a->id : 0, "the scheduler that was saved says something else");
	return any;
}

static void drain(struct world *w)
{
	struct sched_action a;

	w->wake = PACT_FOREVER;
	while (next_action(w, &a))
		handle(w, &a);
	if (*sched_error(w->s))
		complain(w, 0, sched_error(w->s));
}

static int64_t next_time(const struct world *w)
{
	int64_t at = w->wake;

	for (uint64_t id = 1; id <= w->jobs; id++) {
		const struct one *x = &w->v[id];
		int64_t t = x->has ? end_of(x) : x->arrives >= w->now && !x->gone ? x->arrives : at;

		if (x->has && x->keep && x->back_at < t)
			t = x->back_at;
		at = t < at ? t : at;
	}
	return at;
}

/* What ends or is given back now is so before the first of it is told. */
static void settle(struct world *w)
{
	enum { NOTHING, ENDED, BACK } what[JOBS + 1] = { NOTHING };

	for (uint64_t id = 1; id <= w->jobs; id++) {
		struct one *x = &w->v[id];

		if (!x->has)
			continue;
		advance(w, x);
		if (x->ends ? x->ends <= w->now : x->left <= 0) {
			what[id] = ENDED;
			x->gone = true;
			if (x->promised && w->now > x->job.deadline)
				complain(w, id, "ends after its deadline");
		} else if (x->keep && x->back_at <= w->now) {
			what[id] = BACK;
			nodeset_copy(x->has, x->keep);
		}
		if (what[id] == ENDED) {
			nodeset_destroy(x->has);
			x->has = NULL;
		}
		if (what[id] != NOTHING) {
			x->untold = true;
			nodeset_destroy(x->keep);
			x->keep = NULL;
		}
	}
	for (uint64_t id = 1; id <= w->jobs; id++) {
		if (what[id] == NOTHING)
			continue;
		w->v[id].untold = false;
		tell(w, what[id] == ENDED ? EV_FINISH : EV_RESIZED, id);
		drain(w);
	}
}

static void arrive(struct world *w, uint64_t id)
{
	struct sched_event ev = { .type = EV_SUBMIT, .now = w->now, .njobs = 1 };

	ev.jobs = &w->v[id].job;
	if (!strcmp(w->name, "conservative"))
		w->v[id].job.deadline = 0;
	feed(w, &ev);
	if (!w->together || id == w->jobs || w->v[id + 1].arrives > w->now)
		drain(w);
}

/* ---- a scheduler that begins anew ---- */

static struct sched *make_sched(const struct world *w)
{
	struct sched *s = sched_create(w->name, NODES, &w->c, NULL, 0);

	assert_non_null(s);
	return s;
}

static void recall(void *arg, const struct record_form *form, const void *record)
{
	const struct record_form *same = sched_recall_form(arg, form->name);

	assert_ptr_equal(same, form);
	assert_int_equal(sched_recall(arg, form, record), PACT_OK);
}

/* With what was saved. It is none while a pass is on, or what was lent has just been told. */
static void restart_saved(struct world *w)
{
	struct sched *s = make_sched(w);

	if (sched_retell(w->s, recall, s) != PACT_OK) {
		sched_destroy(s);
		return;
	}
	assert_int_equal(sched_recall_done(s), PACT_OK);
	sched_destroy(w->twin);
	w->twin = w->s;
	w->s = s;
	w->saved++;
}

static void say(struct world *w, struct sched_event ev)
{
	ev.now = w->now;
	feed(w, &ev);
}

/* So many of what it is to keep: the one that it was started on, and the lowest. */
static struct nodeset *own_of(const struct one *x, int32_t n)
{
	const struct nodeset *from = x->keep ? x->keep : x->has;
	struct nodeset *own = nodeset_create(NODES);

	nodeset_set(own, x->first);
	for (uint32_t i = nodeset_next(from, 0); i < NODES && (int32_t)nodeset_count(own) < n;
	     i = nodeset_next(from, i + 1))
		nodeset_set(own, i);
	return own;
}

/* Its floor is in its promise. */
static void submit_again(struct world *w, const struct one *x, int64_t planned, int32_t own)
{
	struct sched_job job = x->job;

	job.own = x->promised && job.most ? own : 0;
	job.planned = x->promised ? planned : -1;
	job.flags = x->promised ? JOB_PROMISED : 0;
	say(w, (struct sched_event){ .type = EV_SUBMIT, .jobs = &job, .njobs = 1 });
}

/* A job that runs, as the bridge tells it (slurm/sync/sync_running.c, sync_resized.c). */
static void run_again(struct world *w, uint64_t id, const struct sched_view *v)
{
	struct one *x = &w->v[id];
	struct sched_event ev = { .type = EV_STARTED, .id = id, .start = x->began, .end = v->end };
	int32_t n = v->width - v->lent;
	struct nodeset *own;

	if (!x->job.most) {
		ev.nodes = x->has;
		say(w, ev);
		return;
	}
	own = own_of(x, n);
	submit_again(w, x, -1, n);
	ev.nodes = own;
	ev.width = n;
	ev.left = v->left;
	say(w, ev);
	say(w, (struct sched_event){
		       .type = EV_RESIZED, .id = id, .nodes = x->has, .width = width_of(x) });
	if (x->keep)
		say(w, (struct sched_event){ .type = EV_LEAVING,
					     .id = id,
					     .nodes = x->keep,
					     .width = (int32_t)nodeset_count(x->keep),
					     .end = x->due });
	nodeset_destroy(own);
}

/* Those that wait: promised ones by their planned starts, then the others in their order. */
static void wait_again(struct world *w, const struct sched_view *v, const bool *waits)
{
	bool said[JOBS + 1] = { false };

	for (uint64_t k = 1; k <= w->jobs; k++) {
		uint64_t first = 0;

		for (uint64_t id = 1; id <= w->jobs; id++) {
			if (waits[id] && w->v[id].promised && !said[id] &&
			    (!first || v[id].start < v[first].start))
				first = id;
		}
		if (!first)
			break;
		said[first] = true;
		submit_again(w, &w->v[first], v[first].start, v[first].width);
	}
	for (uint64_t id = 1; id <= w->jobs; id++)
		if (waits[id] && !w->v[id].promised)
			submit_again(w, &w->v[id], -1, 0);
}

/* With what a driver knows that comes up: nothing of what was decided but what was said. */
static void restart_told(struct world *w)
{
	struct sched_view v[JOBS + 1];
	bool known[JOBS + 1] = { false };

	for (uint64_t id = 1; id <= w->jobs; id++)
		known[id] = sched_view(w->s, id, &v[id]) == PACT_OK;
	sched_destroy(w->s);
	sched_destroy(w->twin);
	w->twin = NULL;
	w->s = make_sched(w);
	for (uint64_t id = 1; id <= w->jobs; id++) {
		if (w->v[id].has)
			run_again(w, id, &v[id]);
		known[id] &= !w->v[id].has;
	}
	wait_again(w, v, known);
	w->told++;
	drain(w);
}

static void maybe_restart(struct world *w)
{
	if (!w->restarts || below(w->restarts))
		return;
	if (below(2))
		restart_saved(w);
	else
		restart_told(w);
}

static void run(struct world *w)
{
	uint64_t next = 1;

	for (int64_t at; (at = next_time(w)) != PACT_FOREVER;) {
		bool woken = at == w->wake;

		if (at > 1000000)
			complain(w, 0, "it comes to no end");
		w->now = at;
		settle(w);
		while (next <= w->jobs && w->v[next].arrives <= w->now)
			arrive(w, next++);
		if (woken) {
			struct sched_event ev = { .type = EV_TIME, .now = w->now };

			feed(w, &ev);
			drain(w);
		}
		maybe_restart(w);
		for (uint64_t id = 1; id <= w->jobs; id++)
			if (!w->v[id].has && w->v[id].arrives == w->now && id < next)
				w->v[id].arrives = -1;
	}
	for (uint64_t id = 1; id <= w->jobs; id++)
		if (!w->v[id].gone)
			complain(w, id, "never ran");
}

static void destroy(struct world *w)
{
	sched_destroy(w->s);
	sched_destroy(w->twin);
	for (uint64_t id = 1; id <= w->jobs; id++) {
		nodeset_destroy(w->v[id].has);
		nodeset_destroy(w->v[id].keep);
	}
}

static void test_worlds(void **state)
{
	uint64_t rounds = seed_rounds(1500), lent = 0, called = 0, promises = 0, wide = 0;

	(void)state;
	for (uint64_t round = 0; round < rounds; round++) {
		static struct world w;
		uint64_t seed = seed_of_round(round);

		make(&w, seed);
		short_memory_at(below(2) ? 1 + (uint64_t)below(3000) : 0);
		run(&w);
		short_memory_at(0);
		lent += w.lent;
		called += w.called;
		promises += w.promises;
		wide += w.wide;
		destroy(&w);
	}
	print_message("# lent %" PRIu64 " times, called in %" PRIu64 " (%" PRIu64
		      " from wide promises), promised %" PRIu64 "\n",
		      lent, called, wide, promises);
	assert_true(wide > rounds / 100);
	assert_true(lent > rounds && called > rounds / 4 && promises > rounds);
	assert_true(chosen > rounds);
}

static void test_restarts(void **state)
{
	uint64_t rounds = seed_rounds(1500), saved = 0, told = 0, called = 0;

	(void)state;
	for (uint64_t round = 0; round < rounds; round++) {
		static struct world w;

		make(&w, seed_of_round(round));
		w.restarts = 2 + (int)below(20);
		run(&w);
		saved += w.saved;
		told += w.told;
		called += w.called;
		destroy(&w);
	}
	print_message("# begun anew %" PRIu64 " times from what was saved, %" PRIu64
		      " times from what is told; called in %" PRIu64 "\n",
		      saved, told, called);
	assert_true(saved > rounds && told > rounds && called > rounds / 4);
}

/* 3600 node seconds that are promised by 1080 are told to wait, from then on, on so many nodes of their own. RET on how many they do */
static int32_t waits_on(int32_t own, int64_t planned, int64_t now)
{
	struct sched_job job = { .id = 1,
				 .submit = 1,
				 .limit = 1800,
				 .deadline = 1080,
				 .planned = planned,
				 .width = 2,
				 .most = 8,
				 .own = own,
				 .flags = JOB_PROMISED };
	struct sched_view v;
	struct world w;

	make_machine(&w, 1);
	w.c.guard = w.c.lateness = 0;
	w.name = "qops";
	w.s = make_sched(&w);
	w.now = now;
	feed(&w, &(struct sched_event){ .type = EV_SUBMIT, .now = now, .jobs = &job, .njobs = 1 });
	assert_int_equal(sched_view(w.s, 1, &v), PACT_OK);
	destroy(&w);
	return v.width;
}

/* As many as it was promised on, whatever would do; unless it began anew, as it was requeued, and they are too few by now. */
static void test_promised_on(void **state)
{
	(void)state;
	assert_int_equal(waits_on(0, -1, 100), 4);
	assert_int_equal(waits_on(6, -1, 100), 6);
	assert_int_equal(waits_on(6, 480, 100), 6);
	assert_int_equal(waits_on(4, -1, 300), 5);
	assert_int_equal(waits_on(4, 300, 100), 4);
	assert_int_equal(waits_on(9, -1, 100), 4);
}

/* ---- the reference ---- */

void __real_lend_plan(struct loans *s);
void __wrap_lend_plan(struct loans *s);

static void check_back(struct loans *s)
{
	uint32_t order[NODES], n = ref_loans_back(s, order);

	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(turn_node(s, NODES - n + i), order[i]);
	chosen += n;
}

/* In place of the engine's own, which is called. */
void __wrap_lend_plan(struct loans *s)
{
	int32_t to[NODES];

	check_back(s);
	ref_loans_lend(s, to);
	__real_lend_plan(s);
	for (size_t i = 0; i < s->running_n; i++) {
		for (uint32_t n = s->running[i]->got; n < NODES; n = s->after[n]) {
			assert_int_equal(to[n], i);
			to[n] = -1;
			chosen++;
		}
	}
	for (uint32_t n = 0; n < NODES; n++)
		assert_int_equal(to[n], -1);
}

/* ---- one job without a range ---- */

static void add_ranged(struct world *w, int32_t *left)
{
	struct one *x = &w->v[++w->jobs];

	make_job(w, w->jobs, &(int64_t){ 1 });
	x->job.width = x->job.width < *left ? x->job.width : *left;
	x->job.most = x->job.width + 1 + (int32_t)below(NODES);
	x->job.submit = x->arrives = 1;
	x->job.begin = x->job.deadline = x->job.grace = 0;
	x->ends = 2 + below(x->job.limit - 1);
	*left -= x->job.width;
}

/* Jobs with ranges that all run from the beginning on, and one without a range that comes later. */
static void make_one(struct world *w, uint64_t seed, bool lends)
{
	int32_t left = NODES;
	struct one *x;

	make_machine(w, seed);
	w->c.lateness = w->c.guard = 0;
	w->together = true;
	if (!lends)
		w->c.loans = LOANS_NONE;
	for (int64_t n = 1 + below(5); n > 0 && left > 0; n--)
		add_ranged(w, &left);
	x = &w->v[++w->jobs];
	make_job(w, w->jobs, &(int64_t){ 1 });
	x->job.submit = x->arrives = 2 + below(200);
	x->job.width = 1 + (int32_t)below(NODES);
	x->job.begin = x->job.deadline = x->job.grace = x->job.most = 0;
	x->left = x->job.width;
	x->ends = 1000;
	w->s = sched_create(w->name, NODES, &w->c, NULL, 0);
	assert_non_null(w->s);
}

static int64_t began(uint64_t seed, bool lends, int64_t *notice, uint64_t *lent)
{
	static struct world w;
	int64_t at;

	make_one(&w, seed, lends);
	run(&w);
	at = w.v[w.jobs].began;
	*notice = w.c.resize_grace > 0 ? w.c.resize_grace : 1;
	*lent += w.lent;
	destroy(&w);
	return at;
}

static void test_notice_later(void **state)
{
	uint64_t rounds = seed_rounds(1500), lent = 0, later = 0;

	(void)state;
	for (uint64_t round = 0; round < rounds; round++) {
		uint64_t seed = seed_of_round(round);
		int64_t notice, without, with;

		without = began(seed, false, &notice, &lent);
		with = began(seed, true, &notice, &lent);
		if (with < without || with > without + notice)
			fail_msg("PACT_SEED=%" PRIu64 " PACT_ROUNDS=1: starts at %" PRId64
				 ", without loans at %" PRId64 ", the notice is %" PRId64,
				 seed, with, without, notice);
		later += with > without;
	}
	print_message("# lent %" PRIu64 " times; %" PRIu64 " later\n", lent, later);
	assert_true(later > rounds / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worlds),
		cmocka_unit_test(test_restarts),
		cmocka_unit_test(test_promised_on),
		cmocka_unit_test(test_notice_later),
	};

	return seed_run("test_loans_random", tests);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_rate: jobs that share nodes, are suspended, migrate or change their width, in the simulator and
 * under the validator: by an engine that shares (pair.h), a wrong one, and one that follows a script.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/rng.h"
#include "core/base/nodeset.h"
#include "sim/report/metrics.h"
#include "sim/run/simulate.h"
#include "sim/check/validate.h"
#include "sim/workload/curve.h"
#include "tape/play.h"
#include "tape/tape.h"
#include "testsuite/unit/pair.h"
#include "testsuite/unit/seed.h"

#define MOST 40

struct run {
	struct sim_job job[MOST];
	struct sim_outcome out[MOST];
	struct workload w;
	struct sim_shares shares;
	struct sim_node *node;
	bool outlive;
	bool in_step;
	uint32_t nodes;
	char told[4096]; /* by the validator */
	char why[256];
};

static void keep(void *arg, const char *message)
{
	char *text = arg;

	strncat(text, message, 2000 - strlen(text));
	strncat(text, "\n", 2000 - strlen(text));
}

static void add(struct run *r, int64_t submit, int32_t width, int64_t runtime)
{
	r->job[r->w.count] = (struct sim_job){ .id = r->w.count + 1,
					       .submit = submit,
					       .width = width,
					       .estimate = runtime,
					       .runtime = runtime };
	r->w.job = r->job;
	r->w.count++;
}

static uint64_t judge(struct run *r)
{
	struct schedule schedule = { .w = &r->w,
				     .out = r->out,
				     .nodes = r->nodes,
				     .node = r->node,
				     .shares = &r->shares,
				     .outlive = r->outlive,
				     .in_step = r->in_step };

	r->told[0] = '\0';
	return validate(&schedule, keep, r->told);
}

static struct sim_setup setup_of(struct run *r, const struct scheduler *of, bool named)
{
	struct sim_setup setup = {
		.of = of, .nodes = r->nodes, .node = r->node, .shares = &r->shares, .named = named
	};

	sched_config_init(&setup.config);
	setup.config.parts = r->in_step ? PARTS_STEP : PARTS_INDEPENDENT;
	return setup;
}

/* 0 or what simulate() says. */
static int go(struct run *r, const struct scheduler *of, bool named)
{
	struct sim_setup setup = setup_of(r, of, named);

	return simulate(&setup, &r->w, r->out, NULL, r->why, sizeof(r->why));
}

static void release(struct run *r)
{
	sim_outcome_release(r->out, r->w.count);
	free(r->shares.v);
	r->shares = (struct sim_shares){ 0 };
}

/* ---- shares ---- */

static void test_halves(void **state)
{
	static struct run r;
	struct figures f;

	(void)state;
	r = (struct run){ .nodes = 1 };
	add(&r, 0, 1, 10); /* alone to 5, then half to 15 */
	add(&r, 5, 1, 10); /* half to 15, beside the third to 25 */
	add(&r, 6, 1, 9);  /* waits; half from 15; has 5 done at 25, then alone to 29 */
	assert_int_equal(go(&r, &pair_scheduler, false), PACT_OK);
	assert_int_equal(r.out[0].end, 15);
	assert_int_equal(r.out[1].end, 25);
	assert_int_equal(r.out[2].start, 15);
	assert_int_equal(r.out[2].end, 29);
	assert_int_equal(judge(&r), 0);
	/* the node was never idle, and what it did is the jobs' work: no more than it has */
	struct metrics m = { .w = &r.w, .out = r.out, .nodes = r.nodes, .shares = &r.shares };
	metrics_figures(&m, &f);
	assert_true(f.utilization == 1);
	assert_true(f.loss_of_capacity == 0);
	m.nodes = 2;
	metrics_figures(&m, &f);
	assert_true(f.utilization == 0.5);
	/* one job waits from 6 to 15, beside a node that no job has */
	assert_true(f.loss_of_capacity == 9 / 58.0);
	release(&r);
}

/* Each node's part goes on by itself: one job of two nodes, beside others on one of them. */
static void test_parts(void **state)
{
	static struct run r;

	(void)state;
	r = (struct run){ .nodes = 2 };
	add(&r, 0, 2, 11); /* node 1: alone, to 11; node 0: alone to 1, half to 7, alone to 14 */
	add(&r, 1, 1, 3);  /* node 0, half: to 7 */
	add(&r, 11, 1, 4); /* node 1, which was left at that instant: alone */
	assert_int_equal(go(&r, &pair_scheduler, false), PACT_OK);
	assert_int_equal(r.out[0].end, 14);
	assert_int_equal(r.out[1].end, 7);
	assert_int_equal(r.out[2].end, 15);
	assert_int_equal(judge(&r), 0);
	release(&r);
}

/*
 * All parts of a job as the slowest: the jobs of test_parts. The validator sees the one kind of run from the other, and
 * a part that leaves before the others do.
 */
static void test_in_step(void **state)
{
	static struct run r;

	(void)state;
	r = (struct run){ .nodes = 2, .in_step = true };
	add(&r, 0, 2, 11); /* 1 done at 1, half to 7, 4 more at 11; half from then, to 17 */
	add(&r, 1, 1, 3);  /* node 0, half: to 7 */
	add(&r, 11, 1, 4); /* node 0, half: 3 done at 17, alone to 18 */
	assert_int_equal(go(&r, &pair_scheduler, false), PACT_OK);
	assert_int_equal(r.out[0].end, 17);
	assert_int_equal(r.out[1].end, 7);
	assert_int_equal(r.out[2].end, 18);
	assert_int_equal(judge(&r), 0);
	r.in_step = false;
	assert_int_equal(judge(&r), 1);
	assert_non_null(strstr(r.told, "job 1 went on when its work was done"));
	release(&r);
	assert_int_equal(go(&r, &pair_scheduler, false), PACT_OK);
	assert_int_equal(r.out[0].end, 14);
	r.in_step = true;
	assert_true(judge(&r) > 0);
	assert_non_null(strstr(r.told, "though they go on in step"));
	release(&r);
}

static void random_jobs(struct run *r, uint64_t seed)
{
	struct rng g;
	int64_t clock = 0;
	size_t n;

	rng_seed(&g, seed, RNG_TEST + 2);
	*r = (struct run){ .nodes = (uint32_t)rng_range(&g, 1, 6) };
	n = (size_t)rng_range(&g, 1, MOST);
	for (size_t i = 0; i < n; i++) {
		clock += rng_below(&g, 3) ? rng_range(&g, 0, 12) : 0;
		add(r, clock, (int32_t)rng_range(&g, 1, r->nodes), rng_range(&g, 1, 50));
	}
}

static void test_pairs(void **state)
{
	static struct run r;
	uint64_t rounds = seed_rounds(300), shared = 0;

	(void)state;
	for (uint64_t round = 0; round < rounds; round++) {
		random_jobs(&r, seed_of_round(round));
		if (go(&r, &pair_scheduler, false) != PACT_OK)
			fail_msg("%s", r.why);
		if (judge(&r))
			fail_msg("%s", r.told);
		for (size_t i = 0; i < r.w.count; i++)
			shared += r.out[i].end - r.out[i].start > r.job[i].runtime;
		release(&r);
	}
	assert_true(shared > rounds);
}

/* Three halves of a node: the validator says when and where. */
static void test_crowd(void **state)
{
	static struct run r;

	(void)state;
	r = (struct run){ .nodes = 1 };
	add(&r, 0, 1, 10);
	add(&r, 2, 1, 10);
	add(&r, 4, 1, 10);
	assert_int_equal(go(&r, &crowd_scheduler, false), PACT_OK);
	assert_int_equal(judge(&r), 1);
	assert_non_null(
		strstr(r.told,
		       "time 4.000000: node 0: shares: 1081080000 in use of 720720000 with job 3"));
	release(&r);
}

/* ---- a script ---- */

struct line {
	int64_t at;
	struct sched_action a;
	const char *nodes; /* allowed, as digits; NULL: any */
};

/* Jobs start as they come, where there is room; then it does what its lines say. */
struct puppet {
	const struct line *line; /* the last one has no id */
	uint32_t nodes;
	uint64_t queue[MOST];
	int32_t width[MOST];
	size_t n;
	bool asked, woken;
	int64_t now;
	struct nodeset *allowed;
	enum sched_event_type answer[MOST];
	size_t answers;
};

static struct puppet puppet;

static void *puppet_create(const void *kind, uint32_t nodes, const struct sched_config *config,
			   char *why, size_t why_size)
{
	(void)config, (void)why, (void)why_size;
	puppet = (struct puppet){ .line = kind, .nodes = nodes, .allowed = nodeset_create(nodes) };
	return &puppet;
}

static void puppet_destroy(void *own)
{
	nodeset_destroy(((struct puppet *)own)->allowed);
}

static int puppet_event(void *own, const struct sched_event *ev)
{
	struct puppet *p = own;

	p->now = ev->now;
	p->woken = false;
	if (ev->type == EV_SUBMIT) {
		p->queue[p->n] = ev->jobs[0].id;
		p->width[p->n++] = ev->jobs[0].width;
	} else if (ev->type != EV_FINISH && ev->type != EV_TIME) {
		p->asked = false;
		if (ev->type != EV_STARTED)
			p->answer[p->answers++] = ev->type;
	}
	return PACT_OK;
}

static bool puppet_next(void *own, struct sched_action *a)
{
	struct puppet *p = own;

	*a = (struct sched_action){ .type = ACT_WAKE };
	if (p->asked || p->woken)
		return false;
	if (p->n) {
		p->asked = true;
		*a = (struct sched_action){ .type = ACT_START,
					    .id = p->queue[--p->n],
					    .width = p->width[p->n] };
		return true;
	}
	if (!p->line->a.id)
		return false;
	if (p->line->at > p->now) {
		a->end = p->line->at;
		p->woken = true;
		return true;
	}
	*a = p->line->a;
	nodeset_clear(p->allowed);
	for (const char *at = p->line->nodes; at && *at; at++)
		nodeset_set(p->allowed, (uint32_t)(*at - '0'));
	a->allowed = p->line->nodes ? p->allowed : NULL;
	p->asked = true;
	p->line++;
	return true;
}

static bool puppet_poll(void *own, struct sched_action *a)
{
	(void)own, (void)a;
	return false;
}

static const char *puppet_error(const void *own)
{
	(void)own;
	return "";
}

static const struct engine engine_puppet = {
	.name = "puppet",
	.create = puppet_create,
	.destroy = puppet_destroy,
	.event = puppet_event,
	.next = puppet_next,
	.poll = puppet_poll,
	.error = puppet_error,
};

static int follow(struct run *r, const struct line *lines, bool named)
{
	struct scheduler of = { "puppet", &engine_puppet, lines, lines, NULL };

	return go(r, &of, named);
}

#define DO(kind, job) .a = { .type = ACT_##kind, .id = (job) }

/* Gang: two rows on the same nodes; what a switch costs is done again. */
static void test_gang(void **state)
{
	static const struct line lines[] = {
		{ .at = 10, DO(SUSPEND, 1) },
		{ .at = 30, .a = { .type = ACT_RESUME, .id = 1, .lost = 2 } },
		{ .at = 35, .a = { .type = ACT_MIGRATE, .id = 1, .lost = 1 }, .nodes = "23" },
		{ 0 },
	};
	static struct run r;

	(void)state;
	for (int named = 0; named < 2; named++) {
		r = (struct run){ .nodes = 4 };
		add(&r, 0, 2, 40);
		assert_int_equal(follow(&r, lines, named), PACT_OK);
		/* 10 done, 20 s suspended, 30 and 3 to do */
		assert_int_equal(r.out[0].end, 63);
		assert_int_equal(judge(&r), 0);
		assert_int_equal(puppet.answers, 3);
		assert_int_equal(puppet.answer[0], EV_SUSPENDED);
		assert_int_equal(puppet.answer[1], EV_RESUMED);
		assert_int_equal(puppet.answer[2], EV_MIGRATED);
		if (named)
			assert_true(nodeset_test(r.out[0].history->span[3].nodes, 2));
		release(&r);
	}
}

/* Its nodes are free for another job while it is suspended, and not when it comes back too soon. */
static void test_turns(void **state)
{
	static const struct line good[] = {
		{ .at = 10, DO(SUSPEND, 1) },
		{ .at = 40, DO(SUSPEND, 2) },
		{ .at = 40, DO(RESUME, 1) },
		{ .at = 60, DO(RESUME, 2) },
		{ 0 },
	};
	static const struct line bad[] = {
		{ .at = 10, DO(SUSPEND, 1) },
		{ .at = 39, DO(RESUME, 1) },
		{ 0 },
	};
	static struct run r;

	(void)state;
	for (int named = 0; named < 2; named++) {
		r = (struct run){ .nodes = 2 };
		add(&r, 0, 2, 30);
		add(&r, 20, 2, 25); /* the script begins with the wake-up at 10 */
		assert_int_equal(follow(&r, good, named), PACT_OK);
		assert_int_equal(r.out[0].end, 60);
		assert_int_equal(r.out[1].end, 65);
		assert_int_equal(judge(&r), 0);
		release(&r);
		assert_int_equal(follow(&r, bad, named), PACT_EPROTO);
		assert_non_null(strstr(r.why, "nodes that are in use"));
	}
}

/* Malleable: n nodes do the work in width / n of the time; the end is the first second by which it is done. */
static void test_widths(void **state)
{
	static const struct line lines[] = {
		{ .at = 10, .a = { .type = ACT_RESIZE, .id = 1, .width = 3 } },
		{ .at = 20, .a = { .type = ACT_RESIZE, .id = 1, .width = 7 } },
		{ 0 },
	};
	static struct run r;

	(void)state;
	for (int named = 0; named < 2; named++) {
		r = (struct run){ .nodes = 8 };
		add(&r, 0, 4, 100); /* 40 + 30 of 400 done at 20; 330 / 7 = 47.1 */
		assert_int_equal(follow(&r, lines, named), PACT_OK);
		assert_int_equal(r.out[0].end, 68);
		assert_int_equal(judge(&r), 0);
		assert_int_equal(puppet.answer[0], EV_RESIZED);
		release(&r);
	}
}

/*
 * By Table 4.1: 3.4 on 4 nodes, 6.3 on 8, 3.4 + 2.9 x log2(5/4) = 4.33359 on 5. Of 340 there are 34 done at 10 and 160 at 30;
 * 180 / 4.33359 is 41.5. It had 40 + 160 + 210 node seconds.
 */
static void test_speedup(void **state)
{
	static const struct line lines[] = {
		{ .at = 10, .a = { .type = ACT_RESIZE, .id = 1, .width = 8 } },
		{ .at = 30, .a = { .type = ACT_RESIZE, .id = 1, .width = 5 } },
		{ 0 },
	};
	static struct run r;
	struct figures f;

	(void)state;
	for (int named = 0; named < 2; named++) {
		r = (struct run){ .nodes = 8 };
		add(&r, 0, 4, 100);
		r.job[0].most = 8;
		r.job[0].speedup = &curve_table41;
		assert_int_equal(follow(&r, lines, named), PACT_OK);
		assert_int_equal(r.out[0].end, 72);
		assert_int_equal(judge(&r), 0);
		struct metrics m = { .w = &r.w, .out = r.out, .nodes = r.nodes };
		metrics_figures(&m, &f);
		assert_true(f.utilization > 410.0 / 8 / 72 - 1e-9 &&
			    f.utilization < 410.0 / 8 / 72 + 1e-9);
		/* The validator goes by the speed-up, too, and knows the range. */
		r.job[0].speedup = NULL;
		assert_int_equal(judge(&r), 1);
		assert_string_equal(r.told, "job 1 went on when its work was done\n");
		r.job[0].speedup = &curve_table41;
		r.job[0].most = 7;
		assert_int_equal(judge(&r), 1);
		assert_string_equal(r.told, "job 1 had 8 nodes from 10 on, its range is 4 to 7\n");
		release(&r);
	}
}

/* What ended at this instant, and is not told yet, cannot be changed: refused, and no error. */
static void test_too_late(void **state)
{
	static const struct line lines[] = { { .at = 10, DO(SUSPEND, 2) }, { 0 } };
	static struct run r;

	(void)state;
	r = (struct run){ .nodes = 2 };
	add(&r, 0, 1, 10);
	add(&r, 0, 1, 10);
	assert_int_equal(follow(&r, lines, true), PACT_OK);
	assert_int_equal(puppet.answers, 1);
	assert_int_equal(puppet.answer[0], EV_REFUSED);
	assert_int_equal(r.out[1].end, 10);
	assert_int_equal(judge(&r), 0);
	release(&r);
}

static void test_nonsense(void **state)
{
	static const struct {
		struct line line[2];
		const char *why;
	} cases[] = {
		{ { { .at = 5, DO(SUSPEND, 2) } }, "does not run" },
		{ { { .at = 5, DO(RESUME, 1) } }, "is not suspended" },
		{ { { .at = 5, DO(SHARE, 1) } }, "has its nodes for itself, and no shares" },
		{ { { .at = 5, DO(RESIZE, 1) } }, "has no nodes" },
		{ { { .at = 5, .a = { .type = ACT_RESIZE, .id = 1, .width = 5 } } },
		  "more nodes than are free" },
		{ { { .at = 5, DO(MIGRATE, 1), .nodes = "1" } }, "too few allowed nodes" },
	};
	static struct run r;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		r = (struct run){ .nodes = 4 };
		add(&r, 0, 2, 10);
		assert_int_equal(follow(&r, cases[i].line, true), PACT_EPROTO);
		if (!strstr(r.why, cases[i].why))
			fail_msg("'%s' instead of '%s'", r.why, cases[i].why);
	}
}

/* ---- a history that is wrong ---- */

/* The end of job 2's part in the log; its start, and its first share are before. */
static struct sim_share *last_of(struct run *r)
{
	size_t i = r->shares.n;

	while (r->shares.v[i - 1].job != 1)
		i--;
	return &r->shares.v[i - 1];
}

static struct sim_share *first_of(struct run *r)
{
	size_t i = 0;

	while (r->shares.v[i].job != 1)
		i++;
	return &r->shares.v[i];
}

static void too_early(struct run *r)
{
	last_of(r)->at--;
}

static void too_late(struct run *r)
{
	last_of(r)->at++;
	r->out[1].end++;
}

static void told_late(struct run *r)
{
	r->out[1].end++;
}

static void told_early(struct run *r)
{
	r->out[1].start--;
}

/* The half that it gets at 5 becomes a little more. */
static void too_much(struct run *r)
{
	first_of(r)[1].share++;
	last_of(r)->was++;
}

static void gap(struct run *r)
{
	first_of(r)[1].was++;
}

static void heavy(struct run *r)
{
	r->job[0].memory = 60;
	r->job[1].memory = 50;
}

static void narrow(struct run *r)
{
	r->job[1].width = 2;
}

static void elsewhere(struct run *r)
{
	static struct nodeset *none;

	none = none ? none : nodeset_create(1);
	r->job[1].nodes = none;
}

static void forgotten(struct run *r)
{
	r->shares.n--;
}

static void nothing(struct run *r)
{
	r->shares.n = 0;
}

static void test_wrong(void **state)
{
	static const struct {
		void (*spoil)(struct run *r);
		const char *told;
	} cases[] = {
		{ too_early, "job 2 ended before its work was done" },
		{ too_late, "job 2 went on when its work was done" },
		{ told_late, "job 2 ended at 17, its last part at 16.000000" },
		{ told_early, "job 2: node 0: its part began at 5.000000, the job at 4" },
		{ too_much,
		  "time 5.000000: node 0: shares: 720720001 in use of 720720000 with job 2" },
		{ gap, "time 5.000000: node 0: job 2 cannot have had what is said" },
		{ heavy, "time 5.000000: node 0: memory: 110 in use of 100 with job 2" },
		{ narrow, "job 2 ran on 1 nodes, its width is 2" },
		{ elsewhere, "job 2 ran outside its nodes" },
		{ forgotten, "job 2: node 0: its part never left" },
		{ nothing, "job 2: node 0: its part never began" },
	};
	static struct run r;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct schedule schedule = {
			.w = &r.w, .out = r.out, .memory = 100, .shares = &r.shares
		};

		r = (struct run){ .nodes = 1 };
		schedule.nodes = 1;
		add(&r, 0, 1, 5 + 5); /* alone to 5, half to 15 */
		add(&r, 5, 1, 5 + 1); /* half to 15, alone to 16 */
		assert_int_equal(go(&r, &pair_scheduler, false), PACT_OK);
		assert_int_equal(validate(&schedule, keep, r.told), 0);
		cases[i].spoil(&r);
		r.told[0] = '\0';
		assert_true(validate(&schedule, keep, r.told) > 0);
		if (!strstr(r.told, cases[i].told))
			fail_msg("'%s' instead of '%s'", r.told, cases[i].told);
		release(&r);
	}
}

/*
 * A node half as fast again: a part is over in a microsecond of its own, what it leaves is given out then, and
 * ends are told in the second after.
 */
static void test_fine(void **state)
{
	struct sim_node fast = { .rating = 1500 };
	static struct run r;

	(void)state;
	r = (struct run){ .nodes = 1, .node = &fast };
	add(&r, 0, 1, 3); /* 1.5 done at 1, half: to 3 */
	add(&r, 1, 1, 4); /* half from 1; 1.5 done at 3, half: to 6.333334 */
	add(&r, 2, 1,
	    5); /* waits; half from 3, alone from 6.333334, a third of a microsecond later than at
			   * 19/3: to 8.000001 */
	assert_int_equal(go(&r, &pair_scheduler, false), PACT_OK);
	assert_int_equal(r.out[0].end, 3);
	assert_int_equal(r.out[1].end, 7);
	assert_int_equal(r.out[2].start, 3);
	assert_int_equal(r.out[2].end, 9);
	assert_int_equal(judge(&r), 0);
	assert_int_equal(last_of(&r)->at, 6333334);
	assert_int_equal(r.shares.v[r.shares.n - 1].at, 8000001);
	/* judged as if it were an ordinary node, it did too little, and on a faster one too much */
	r.node = NULL;
	assert_true(judge(&r) > 0);
	assert_non_null(strstr(r.told, "job 3 ended before its work was done"));
	fast.rating = 1600;
	r.node = &fast;
	assert_true(judge(&r) > 0);
	assert_non_null(strstr(r.told, "job 3 went on when its work was done"));
	release(&r);
}

/* A suspended job holds its memory, and no processor. */
static void test_memory(void **state)
{
	static const struct line lines[] = { { .at = 10, DO(SUSPEND, 1) },
					     { .at = 40, DO(RESUME, 1) },
					     { 0 } };
	static struct run r;
	struct schedule schedule = { .w = &r.w, .out = r.out, .nodes = 1, .memory = 100 };

	(void)state;
	r = (struct run){ .nodes = 1 };
	add(&r, 0, 1, 20);
	add(&r, 20, 1, 20);
	assert_int_equal(follow(&r, lines, true), PACT_OK);
	schedule.shares = &r.shares;
	r.job[0].memory = r.job[1].memory = 50;
	assert_int_equal(validate(&schedule, keep, r.told), 0);
	r.job[0].memory = 51;
	assert_int_equal(validate(&schedule, keep, r.told), 1);
	assert_non_null(strstr(r.told, "memory: 101 in use of 100"));
	release(&r);
}

/* ---- recorded and played ---- */

struct reel {
	char *line[4000];
	size_t n;
	struct tape *tape;
	uint32_t nodes;
	struct sched_config config;
};

static void keep_line(void *arg, const char *text, size_t length)
{
	struct reel *r = arg;

	assert_true(r->n < sizeof(r->line) / sizeof(r->line[0]));
	r->line[r->n++] = strndup(text, length);
}

static void begin(void *arg, struct sched *s)
{
	struct reel *r = arg;

	r->tape = tape_create(keep_line, r);
	assert_int_equal(tape_start(r->tape, s, r->nodes, &r->config, NULL), PACT_OK);
}

static void end(void *arg, struct sched *s)
{
	struct reel *r = arg;

	(void)s;
	tape_destroy(r->tape);
}

/* How many lines have this text. */
static size_t lines_with(const struct reel *r, const char *text)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		n += strstr(r->line[i], text) != NULL;
	return n;
}

static void test_recorded(void **state)
{
	static struct run r;
	static struct reel reel;
	struct play *p = play_create();

	(void)state;
	random_jobs(&r, seed_of_round(1));
	if (r.w.count > MOST - 2) /* room for the two below */
		r.w.count = MOST - 2;
	r.nodes += 2;
	add(&r, r.job[r.w.count - 1].submit, (int32_t)r.nodes, 20);
	add(&r, r.job[r.w.count - 1].submit + 3, 1, 4);
	struct sim_setup setup = setup_of(&r, &pair_scheduler, false);

	reel.nodes = r.nodes;
	reel.config = setup.config;
	setup.created = begin;
	setup.finished = end;
	setup.sched_arg = &reel;
	assert_int_equal(simulate(&setup, &r.w, r.out, NULL, r.why, sizeof(r.why)), PACT_OK);
	assert_true(lines_with(&reel, "\"type\":\"share\"") > 0);
	assert_true(lines_with(&reel, "\"type\":\"shared\"") > 0);
	assert_true(lines_with(&reel, "\"type\":\"left\"") > 0);
	assert_true(lines_with(&reel, "\"shares\":[360360000") > 0);
	play_know(p, &pair_scheduler);
	for (size_t i = 0; i < reel.n; i++) {
		if (play_line(p, reel.line[i], strlen(reel.line[i])) != PLAY_OK)
			fail_msg("line %zu: %s", i + 1, play_said(p));
	}
	assert_true(play_counts(p)->starts == r.w.count);
	play_destroy(p);
	for (size_t i = 0; i < reel.n; i++)
		free(reel.line[i]);
	release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_halves),	 cmocka_unit_test(test_parts),
		cmocka_unit_test(test_pairs),	 cmocka_unit_test(test_crowd),
		cmocka_unit_test(test_gang),	 cmocka_unit_test(test_turns),
		cmocka_unit_test(test_widths),	 cmocka_unit_test(test_speedup),
		cmocka_unit_test(test_too_late), cmocka_unit_test(test_nonsense),
		cmocka_unit_test(test_wrong),	 cmocka_unit_test(test_fine),
		cmocka_unit_test(test_memory),	 cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_in_step),
	};

	return seed_run("test_rate", tests);
}

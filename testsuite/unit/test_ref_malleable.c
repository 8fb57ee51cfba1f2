/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_ref_malleable: the plain strategies of ref_malleable, to which the core's are compared: scenarios that were computed
 * by hand from malleable, section 3.2, and what must hold of every workload. The paper's tables are in
 * testsuite/sim/malleable.t.
 *
 * Work is in processor ticks: all jobs are n times as fast on n processors, unless a scenario says otherwise.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "testsuite/unit/ref_malleable.h"
#include "testsuite/unit/seed.h"

#define DOLLAR INT64_C(1000000)
#define MOST_TEXT 4000
#define MOST_JOBS 30
#define MOST_NODES 8

static int64_t linear[REF_MALLEABLE_NODES + 1];

/* A job that uniform runs: no deadline. */
#define JOB(s, lo, hi, w) \
	{ \
		.submit = (s), .least = (lo), .most = (hi), .work = (w), .rate = linear \
	}

/* One with a deadline and a value in dollars. */
#define WORTH(s, lo, hi, w, d, v) \
	{ \
		.submit = (s), .least = (lo), .most = (hi), .work = (w), .rate = linear, \
		.deadline = (d), .value = (v)*DOLLAR \
	}

/* Each change of a width: "TIME:JOB=WIDTH ", jobs from a. */
struct story {
	char text[MOST_TEXT];
	size_t length;
};

static void write_width(void *arg, int64_t now, size_t job, int width)
{
	struct story *s = arg;

	s->length += (size_t)snprintf(s->text + s->length, MOST_TEXT - s->length,
				      "%" PRId64 ":%c=%d ", now, 'a' + (int)job, width);
	assert_true(s->length < MOST_TEXT);
}

static void run(enum ref_malleable_strategy strategy, int nodes, struct ref_malleable_job *job,
		size_t n, const char *story)
{
	struct story seen = { .text = "" };
	struct ref_malleable_setup c = {
		.strategy = strategy, .nodes = nodes, .resized = write_width, .arg = &seen
	};

	assert_int_equal(ref_malleable_run(&c, job, n), 0);
	assert_string_equal(seen.text, story);
}

#define RUN(strategy, nodes, job, story) \
	run(strategy, nodes, job, sizeof(job) / sizeof((job)[0]), story)

/* ---- uniform ---- */

/*
 * Section 3.2.2: 43, 43 and 42 processors. 12,800 processor ticks are 298 ticks on 43; after them the third has
 * 12,800 - 298 x 42 = 284 left, which is 3 ticks on 128.
 */
static void test_equal_parts(void **state)
{
	struct ref_malleable_job job[] = { JOB(0, 32, 128, 12800), JOB(0, 32, 128, 12800),
					   JOB(0, 32, 128, 12800) };

	(void)state;
	RUN(REF_UNIFORM, 128, job,
	    "0:a=128 0:a=64 0:b=64 0:a=43 0:b=43 0:c=42 298:a=0 298:b=0 298:c=128 301:c=0 ");
	assert_int_equal(job[0].end, 298);
	assert_int_equal(job[1].end, 298);
	assert_int_equal(job[2].end, 301);
	assert_int_equal(job[2].area, 298 * 42 + 3 * 128);
}

/* Of 10, least 1, 1 and 2: 6 are left, 2 for each; a has room for 1, so that 1 is left; b is older than c. */
static void test_cut_parts(void **state)
{
	struct ref_malleable_job job[] = { JOB(0, 1, 2, 20), JOB(0, 1, 10, 40), JOB(0, 2, 10, 40) };

	(void)state;
	RUN(REF_UNIFORM, 10, job, "0:a=2 0:b=8 0:b=4 0:c=4 10:a=0 10:b=0 10:c=0 ");
}

/*
 * b does not fit beside a and waits; c comes later and is tried alone. d does not fit when a has ended, as b, which is
 * tried first, takes what there is.
 */
static void test_first_fit(void **state)
{
	struct ref_malleable_job job[] = { JOB(0, 3, 3, 30), JOB(1, 3, 4, 12), JOB(2, 1, 1, 20),
					   JOB(3, 2, 2, 2) };

	(void)state;
	RUN(REF_UNIFORM, 4, job, "0:a=3 2:c=1 10:a=0 10:b=3 14:b=0 14:d=2 15:d=0 22:c=0 ");
	assert_int_equal(job[1].end, 14);
	assert_int_equal(job[2].end, 22);
	assert_int_equal(job[3].end, 15);
}

/* ---- profit ---- */

static void test_payoff(void **state)
{
	const struct ref_malleable_job j = WORTH(10, 1, 1, 1, 110, 1000);
	const struct ref_malleable_job odd = WORTH(0, 1, 1, 1, 7, 1);

	(void)state;
	assert_int_equal(ref_malleable_payoff(&j, 10), 1000 * DOLLAR);
	assert_int_equal(ref_malleable_payoff(&j, 60), 1000 * DOLLAR);
	assert_int_equal(ref_malleable_payoff(&j, 61), 980 * DOLLAR);
	assert_int_equal(ref_malleable_payoff(&j, 109), 20 * DOLLAR);
	assert_int_equal(ref_malleable_payoff(&j, 110), 0);
	assert_int_equal(ref_malleable_payoff(&j, 1000), 0);
	assert_int_equal(ref_malleable_payoff(&odd, 3), DOLLAR);
	assert_int_equal(ref_malleable_payoff(&odd, 4), 857142); /* 6/7 */
}

/* Job b takes two nodes of job a, which costs a nothing; a has 20 left at 10, and gets them back. Job c, as wide as all, has no room. */
static void test_accepted(void **state)
{
	struct ref_malleable_job job[] = { WORTH(0, 1, 4, 40, 100, 5), WORTH(0, 2, 2, 20, 100, 1),
					   WORTH(1, 4, 4, 4, 100, 1000) };

	(void)state;
	RUN(REF_PROFIT, 4, job, "0:a=4 0:a=2 0:b=2 10:b=0 10:a=4 15:a=0 ");
	assert_int_equal(job[0].end, 15);
	assert_int_equal(job[1].payoff, DOLLAR);
	assert_int_equal(job[2].state, REF_REFUSED);
	assert_int_equal(job[2].start, -1);
}

/* a ends at 10 on four, worth 1000, and at 14 on three, worth 600: what costs it one must bring 400. */
static void test_loss(void **state)
{
	struct ref_malleable_job poor[] = { WORTH(0, 1, 4, 40, 20, 1000),
					    WORTH(0, 1, 1, 5, 20, 399) };
	struct ref_malleable_job rich[] = { WORTH(0, 1, 4, 40, 20, 1000),
					    WORTH(0, 1, 1, 5, 20, 400) };

	(void)state;
	RUN(REF_PROFIT, 4, poor, "0:a=4 10:a=0 ");
	assert_int_equal(poor[1].state, REF_REFUSED);
	/* At 5 a has 40 - 15 left: 7 ticks on four. */
	RUN(REF_PROFIT, 4, rich, "0:a=4 0:a=3 0:b=1 5:b=0 5:a=4 12:a=0 ");
	assert_int_equal(rich[0].end, 12);
	assert_int_equal(rich[0].payoff, 800 * DOLLAR);
}

/* b's first processor brings it in at its deadline, worth nothing; the second is worth 12, the third nothing more. */
static void test_more(void **state)
{
	struct ref_malleable_job job[] = { WORTH(0, 1, 4, 40, 1000, 5),
					   WORTH(0, 1, 4, 12, 12, 12) };

	(void)state;
	RUN(REF_PROFIT, 4, job, "0:a=4 0:a=2 0:b=2 6:b=0 6:a=4 13:a=0 ");
	assert_int_equal(job[1].payoff, 12 * DOLLAR);
	assert_int_equal(job[0].end, 13);
}

/* Nothing less than three can end it by 10; nothing at all can end the other. */
static void test_floor(void **state)
{
	struct ref_malleable_job job[] = { WORTH(0, 1, 4, 30, 10, 1), WORTH(0, 1, 4, 8, 10, 1000),
					   WORTH(0, 1, 1, 11, 10, 1000) };

	(void)state;
	/* b's one processor; at 8 a has 30 - 24 left, 2 ticks on 3 or 4. */
	RUN(REF_PROFIT, 4, job, "0:a=4 0:a=3 0:b=1 8:b=0 8:a=4 10:a=0 ");
	assert_int_equal(job[0].end, 10);
	assert_int_equal(job[2].state, REF_REFUSED);
}

/* ---- lazy ---- */

/* b waits for a, the lookahead, and starts when that ends early; c would be in b's way at 15, where its place is. */
static void test_deferred(void **state)
{
	struct ref_malleable_job job[] = { WORTH(0, 2, 2, 20, 15, 1), WORTH(1, 2, 2, 10, 30, 1),
					   WORTH(2, 1, 1, 5, 40, 1000) };

	(void)state;
	RUN(REF_LAZY, 2, job, "0:a=2 10:a=0 10:b=2 15:b=0 ");
	assert_true(job[1].deferred && !job[1].forced);
	assert_int_equal(job[1].end, 15);
	assert_int_equal(job[2].state, REF_REFUSED);
}

/*
 * At 10 there is no room for c. a's deadline is the lookahead: then a's processor and one of b's would do, which b can do
 * without (120 left on two are 60 ticks). At 60 that costs b more than c brings; but c was accepted, and it is its
 * latest start.
 */
static void test_forced(void **state)
{
	struct ref_malleable_job job[] = { WORTH(0, 1, 1, 60, 60, 1),
					   WORTH(0, 1, 3, 300, 200, 1000),
					   WORTH(10, 2, 2, 20, 210, 1) };

	(void)state;
	RUN(REF_LAZY, 4, job, "0:a=1 0:b=3 60:a=0 60:b=2 60:c=2 70:c=0 70:b=3 104:b=0 ");
	assert_true(job[2].deferred && job[2].forced);
	assert_int_equal(job[2].start, 60);
	assert_int_equal(job[2].end, 70);
	assert_int_equal(job[1].end, 104); /* 100 left at 70 */
	assert_int_equal(job[1].payoff, 960 * DOLLAR);
}

/* The lookahead is kept until its job has ended, though one with a nearer deadline has come. */
static void test_lookahead_kept(void **state)
{
	struct ref_malleable_job job[] = { WORTH(0, 1, 1, 50, 50, 1), WORTH(1, 1, 1, 19, 20, 1),
					   WORTH(2, 1, 1, 10, 55, 1), WORTH(3, 1, 1, 5, 55, 1) };

	(void)state;
	/* c cannot be done from 50 on, and is refused; d can, and starts when b has ended. */
	RUN(REF_LAZY, 2, job, "0:a=1 1:b=1 20:b=0 20:d=1 25:d=0 50:a=0 ");
	assert_int_equal(job[2].state, REF_REFUSED);
	assert_int_equal(job[3].latest, 50);
}

/* ---- whatever the jobs ---- */

struct watched {
	const struct ref_malleable_job *job;
	size_t n;
	int nodes, width[MOST_JOBS];
	int64_t now, since[MOST_JOBS];
	ref_work done[MOST_JOBS], last[MOST_JOBS]; /* last: in the last tick before it ended */
	const char *wrong;
};

/* At the end of an instant: no more nodes than there are. */
static void look_at_nodes(struct watched *w)
{
	int sum = 0;

	for (size_t i = 0; i < w->n; i++)
		sum += w->width[i];
	if (sum > w->nodes)
		w->wrong = "more nodes than there are";
}

static void watch_width(void *arg, int64_t now, size_t i, int width)
{
	struct watched *w = arg;
	const struct ref_malleable_job *j = &w->job[i];

	if (now > w->now)
		look_at_nodes(w);
	w->now = now;
	w->last[i] = j->rate[w->width[i]];
	w->done[i] += w->last[i] * (now - w->since[i]);
	w->since[i] = now;
	if (width && (width < j->least || width > j->most))
		w->wrong = "fewer than its least, or more than its most";
	w->width[i] = width;
}

static int64_t from_to(uint64_t *seed, int64_t lo, int64_t hi)
{
	return lo + (int64_t)(seed_next(seed) % (uint64_t)(hi - lo + 1));
}

/* Small numbers: ties, exact fits and several events at one instant are common. */
static size_t make_jobs(uint64_t *seed, int nodes, const int64_t *rate,
			struct ref_malleable_job *job)
{
	size_t n = (size_t)from_to(seed, 1, MOST_JOBS);
	int64_t at = 0;

	memset(job, 0, n * sizeof(*job));
	for (size_t i = 0; i < n; i++) {
		struct ref_malleable_job *j = &job[i];

		j->submit = at += from_to(seed, 0, 8);
		j->least = (int)from_to(seed, 1, nodes);
		j->most = (int)from_to(seed, j->least, nodes);
		j->rate = rate;
		j->work = from_to(seed, 1, 40) * rate[from_to(seed, 1, j->least)];
		j->deadline = at + from_to(seed, 1, 60);
		j->value = from_to(seed, 0, 5) * DOLLAR;
	}
	return n;
}

/* The end is the first tick by which its work is done; no accepted job ends past its deadline. */
static const char *wrong_with(const struct watched *w, size_t i,
			      enum ref_malleable_strategy strategy)
{
	const struct ref_malleable_job *j = &w->job[i];

	if (j->state != REF_ENDED)
		return strategy == REF_UNIFORM || j->state != REF_REFUSED || j->start != -1
			       ? "has not ended"
			       : NULL;
	if (w->done[i] < j->work || w->done[i] - w->last[i] >= j->work)
		return "has not done its work when it ends";
	if (strategy != REF_UNIFORM && j->end > j->deadline)
		return "ends past its deadline";
	return j->start < j->submit ? "starts before it is submitted" : NULL;
}

static void check_strategy(enum ref_malleable_strategy strategy, struct ref_malleable_job *job,
			   size_t n, int nodes, uint64_t seed, uint64_t *deferred)
{
	struct watched w = { .job = job, .n = n, .nodes = nodes };
	const struct ref_malleable_setup c = {
		.strategy = strategy, .nodes = nodes, .resized = watch_width, .arg = &w
	};

	assert_int_equal(ref_malleable_run(&c, job, n), 0);
	look_at_nodes(&w);
	for (size_t i = 0; i < n && !w.wrong; i++) {
		w.wrong = wrong_with(&w, i, strategy);
		*deferred += job[i].state == REF_ENDED && job[i].deferred;
	}
	if (w.wrong)
		fail_msg("PACT_SEED=%" PRIu64 " PACT_ROUNDS=1: strategy %d: %s", seed,
			 (int)strategy, w.wrong);
}

static void test_worlds(void **state)
{
	static struct ref_malleable_job job[MOST_JOBS];
	uint64_t rounds = seed_rounds(20000), deferred = 0;

	(void)state;
	for (uint64_t round = 0; round < rounds; round++) {
		uint64_t first = seed_of_round(round), seed = first;
		int nodes = (int)from_to(&seed, 1, MOST_NODES);
		int64_t rate[MOST_NODES + 1] = { 0 };
		size_t n;

		for (int i = 1; i <= nodes; i++)
			rate[i] = rate[i - 1] + from_to(&seed, i == 1, 10);
		n = make_jobs(&seed, nodes, rate, job);
		for (int s = REF_UNIFORM; s <= REF_LAZY; s++)
			check_strategy((enum ref_malleable_strategy)s, job, n, nodes, first,
				       &deferred);
	}
	assert_true(deferred > rounds / 4 || rounds < 100);
}

static void test_bad(void **state)
{
	struct ref_malleable_job wide[] = { JOB(0, 1, 5, 1) }, none[] = { JOB(0, 1, 1, 0) };
	struct ref_malleable_job turned[] = { JOB(1, 1, 1, 1), JOB(0, 1, 1, 1) };
	struct ref_malleable_setup c = { .strategy = REF_UNIFORM, .nodes = 4 };

	(void)state;
	assert_int_equal(ref_malleable_run(&c, wide, 1), -1);
	assert_int_equal(ref_malleable_run(&c, none, 1), -1);
	assert_int_equal(ref_malleable_run(&c, turned, 2), -1);
	c.nodes = REF_MALLEABLE_NODES + 1;
	assert_int_equal(ref_malleable_run(&c, turned, 1), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal_parts),
		cmocka_unit_test(test_cut_parts),
		cmocka_unit_test(test_first_fit),
		cmocka_unit_test(test_payoff),
		cmocka_unit_test(test_accepted),
		cmocka_unit_test(test_loss),
		cmocka_unit_test(test_more),
		cmocka_unit_test(test_floor),
		cmocka_unit_test(test_deferred),
		cmocka_unit_test(test_forced),
		cmocka_unit_test(test_lookahead_kept),
		cmocka_unit_test(test_worlds),
		cmocka_unit_test(test_bad),
	};

	for (int i = 0; i <= REF_MALLEABLE_NODES; i++)
		linear[i] = i;
	return seed_run("test_ref_malleable", tests);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_dynp_admit: the order in which dynP tries the positions in QoPS, Figure 3: its answers are
 * the paper's in every state, and one with room behind all others is promised it at the price of that alone.
 */
#include <inttypes.h>

#include "core/promise/admission.h"
#include "testsuite/unit/feed.h"
#include "testsuite/unit/inside.h"
#include "testsuite/unit/seed.h"

#define NODES 8

/* The answer of one arrangement to jobs that are in no list yet; nothing changes. */
static int try_arrange(struct planner *s, int (*arrange)(struct search *), struct job **v, size_t n,
		       size_t *position)
{
	struct search q;

	search_init(&q, s, v, n, NULL);
	for (size_t i = 0; i < n; i++) {
		v[i]->due = v[i]->deadline;
		v[i]->promised = true;
	}
	int rc = arrange(&q);

	assert_in_range(rc, 0, 1);
	*position = rc ? q.won.ts : 0;
	if (rc)
		attempt_drop(&q.won);
	for (size_t i = 0; i < q.n; i++)
		assert_false(s->trial.touched[q.order[i]->slot]);
	return rc;
}

static struct sched_job some_job(uint64_t id, bool hurry, int64_t now)
{
	struct sched_job d = feed_job(id, (int32_t)(1 + seed_below(NODES)), 1 + seed_below(60));

	d.submit = now;
	if (hurry)
		d.deadline = now + d.limit + 1 + seed_below(300);
	return d;
}

struct counts {
	uint64_t yes, no, at_last;
};

/* One question to the paper's order and to dynP's, in the state as it is. */
static void compare(struct feed *f, uint64_t id, struct counts *c)
{
	struct planner *s = inside(f->s);
	size_t n = 1 + (size_t)seed_below(3), at[2];
	struct sched_job d[3];
	int code;

	for (size_t i = 0; i < n; i++)
		d[i] = some_job(id + i, true, f->now);
	struct job **v = jobs_build(s, d, n, &code);

	assert_non_null(v);
	assert_int_equal(planner_scratch(s, s->queue.n + n), 0);
	assert_int_equal(repair_for_decision(s, true), 0);
	int paper = try_arrange(s, figure3_forwards, v, n, &at[0]);
	int ours = try_arrange(s, s->policy->arrange, v, n, &at[1]);

	assert_int_equal(paper, ours);
	c->yes += paper;
	c->no += !paper;
	c->at_last += paper && at[1] > at[0];
	jobs_destroy(s, v, n);
}

static void world(uint64_t seed, struct counts *c)
{
	struct sched_config config;
	struct feed f = { 0 };

	sched_config_init(&config);
	config.kfactor = (int32_t)(seed % 6);
	config.order = seed & 8 ? ORDER_LLF : ORDER_EDF;
	config.min_artificial = 60;
	config.relax_milli = 3000;
	feed_open(&f, "dynp", NODES, &config);
	for (uint64_t id = 1; id <= 40; id++) {
		struct sched_job d = some_job(id, seed_below(2), f.now);

		assert_int_equal(feed_submit(&f, d), PACT_OK);
		if (seed_below(4))
			feed_drain(&f);
		compare(&f, 1000 + 10 * id, c);
		f.now += seed_below(20);
		for (uint64_t k = 1; k <= id; k++) {
			struct sched_view view;

			if (sched_view(f.s, k, &view) == PACT_OK && view.running &&
			    (view.end <= f.now || !seed_below(6)))
				feed_finish(&f, k);
		}
		feed_drain(&f); /* starts are as late as time jumps here: promises may break */
	}
	feed_close(&f);
}

static void test_answers_are_the_papers(void **state)
{
	struct counts c = { 0, 0, 0 };
	uint64_t rounds = seed_rounds(200);

	(void)state;
	for (uint64_t round = 0; round < rounds; round++)
		world((uint64_t)seed_draw(), &c);
	print_message("# %" PRIu64 " yes, %" PRIu64
		      " of them further behind than the paper's, %" PRIu64 " no\n",
		      c.yes, c.at_last, c.no);
	if (rounds >= 50)
		assert_true(c.yes > rounds && c.no > rounds && c.at_last > rounds / 4);
}

/* A budget of one question. */
static bool second_question(void *arg)
{
	return ++*(int *)arg > 1;
}

/*
 * Position 0 would ask for the budget once every 64 placements of the 300 jobs that wait; behind them all it
 * is asked once. No job has another place for it.
 */
static void test_behind_all_others(void **state)
{
	struct sched_config c;
	struct feed f = { 0 };
	int64_t before[300];
	int asked = 0;

	(void)state;
	sched_config_init(&c);
	c.expired = second_question;
	c.expired_arg = &asked;
	feed_open(&f, "dynp", NODES, &c);
	feed_submit(&f, feed_job(1, NODES, 600));
	feed_drain(&f);
	for (uint64_t id = 2; id < 300; id++)
		feed_submit(&f, feed_job(id, 1 + (int32_t)(id % NODES), 60));
	feed_drain(&f);
	assert_int_equal(f.started, 1);
	for (uint64_t id = 2; id < 300; id++)
		before[id] = feed_starts(&f, id);
	asked = 0;
	feed_submit(&f, feed_deadline(1000, 2, 60, 1000000));
	assert_int_equal(asked, 1);
	for (uint64_t id = 2; id < 300; id++)
		assert_int_equal(feed_starts(&f, id), before[id]);
	feed_drain(&f);
	assert_int_equal(f.accepted, 1);
	assert_int_equal(f.decision.attempts, 1);
	feed_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answers_are_the_papers),
		cmocka_unit_test(test_behind_all_others),
	};

	return seed_run("test_dynp_admit", tests);
}

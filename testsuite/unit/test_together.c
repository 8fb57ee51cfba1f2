/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_together: long queues through dynp in a driver that does a round's tasks one after the other, last
 * first, and in one with threads. Schedules, promises and what dynp tells of itself are those of a driver
 * that offers nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/run/simulate.h"
#include "sim/run/team.h"
#include "testsuite/unit/seed.h"

#define JOBS 500

struct result {
	struct sim_outcome out[JOBS];
	struct sim_totals totals;
};

static uint64_t rounds_seen;

static void last_first(void *arg, void (*task)(void *ctx, size_t i), void *ctx, size_t n)
{
	(void)arg;
	rounds_seen++;
	while (n-- > 0)
		task(ctx, n);
}

/* A burst that has to wait, then jobs now and then. */
static void make_jobs(struct workload *w, int32_t nodes)
{
	int64_t submit = 0, slow = 1 + seed_below(400);
	uint64_t burst = 50 + (uint64_t)seed_below(JOBS - 50);
	bool promises = seed_below(2);

	workload_init(w);
	for (uint64_t i = 0; i < JOBS; i++) {
		int64_t estimate = 1 + seed_below(seed_below(4) ? 600 : 20000);
		int64_t longest = seed_below(3) ? estimate : 1 + estimate / 5;

		submit += seed_below(i < burst ? 3 : slow);
		assert_int_equal(
			workload_add(
				w,
				&(struct sim_job){ .id = i + 1,
						   .submit = submit,
						   .estimate = estimate,
						   .runtime = 1 + seed_below(longest),
						   .deadline = promises && !seed_below(5)
								       ? submit + estimate +
										 seed_below(40000)
								       : 0,
						   .priority = seed_below(3),
						   .width = 1 + (int32_t)seed_below(nodes) }),
			0);
	}
}

static void draw_config(struct sched_config *c)
{
	static const enum dynp_decider decider[] = { DYNP_SIMPLE, DYNP_ADVANCED, DYNP_PREFERRED };

	sched_config_init(c);
	c->dynp.npolicies = 2 + (uint32_t)seed_below(DYNP_ORDERS - 1);
	for (int i = 0; i < DYNP_ORDERS; i++)
		c->dynp.policy[i] = (enum dynp_order)i;
	c->dynp.decider = decider[seed_below(3)];
	c->dynp.weight[seed_below(DYNP_METRICS)] += 1 + (int32_t)seed_below(5);
	c->dynp.future_starts = seed_below(8) ? 0 : 1 + seed_below(100);
	c->dynp.job_priority = (enum dynp_priority)seed_below(3);
}

static void run(struct result *r, const struct workload *w, struct sim_setup setup)
{
	char why[256] = "";

	memset(r, 0, sizeof(*r));
	if (simulate(&setup, w, r->out, &r->totals, why, sizeof(why)))
		fail_msg("PACT_SEED=%llu: %s", (unsigned long long)seed_first(), why);
}

static void expect_same(const struct result *a, const struct result *b)
{
	const struct dynp_view *x = &a->totals.dynp, *y = &b->totals.dynp;

	for (size_t i = 0; i < JOBS; i++) {
		assert_int_equal(a->out[i].start, b->out[i].start);
		assert_int_equal(a->out[i].end, b->out[i].end);
		assert_int_equal(a->out[i].state, b->out[i].state);
		assert_int_equal(a->out[i].promised, b->out[i].promised);
		assert_int_equal(a->out[i].broken, b->out[i].broken);
	}
	assert_int_equal(a->totals.events, b->totals.events);
	assert_int_equal(x->steps, y->steps);
	assert_int_equal(x->kept, y->kept);
	assert_int_equal(x->blocked, y->blocked);
	assert_int_equal(x->running, y->running);
	assert_memory_equal(x->switches, y->switches, sizeof(x->switches));
	assert_memory_equal(x->cases, y->cases, sizeof(x->cases));
	assert_memory_equal(x->eligible, y->eligible, sizeof(x->eligible));
	assert_memory_equal(x->quality, y->quality, sizeof(x->quality));
}

static void decides_the_same(void **state)
{
	static struct result alone, reversed, team;
	uint64_t rounds = seed_rounds(12), switches = 0;

	(void)state;
	rounds_seen = 0;
	for (uint64_t round = 0; round < rounds; round++) {
		struct sim_setup setup = { .scheduler = "dynp", .nodes = 64 };
		struct workload w;

		make_jobs(&w, (int32_t)setup.nodes);
		draw_config(&setup.config);
		run(&alone, &w, setup);
		setup.config.together = last_first;
		run(&reversed, &w, setup);
		setup.config.together = team_together;
		setup.config.together_arg = team_create(2 + (unsigned)seed_below(3));
		assert_non_null(setup.config.together_arg);
		run(&team, &w, setup);
		team_destroy(setup.config.together_arg);
		expect_same(&alone, &reversed);
		expect_same(&alone, &team);
		switches += alone.totals.dynp.steps - alone.totals.dynp.kept;
		workload_release(&w);
	}
	print_message("# %llu rounds of tasks, %llu switches\n", (unsigned long long)rounds_seen,
		      (unsigned long long)switches);
	assert_true(rounds < 10 || (rounds_seen > 100 && switches > 10));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(decides_the_same) };

	return seed_run("test_together", tests);
}

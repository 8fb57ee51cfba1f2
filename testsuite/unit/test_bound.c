/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_bound: the upper bound of what any method can promise. On small random workloads it is compared
 * with the least cut of the network, found by trying all of them, and with the best that rigid jobs can
 * do when every choice and every start is tried; and no scheduler admits more.
 */
#include <stdbool.h>
#include <string.h>

#include "core/sched.h"
#include "sim/report/bound.h"
#include "common/rng.h"
#include "sim/run/simulate.h"
#include "testsuite/unit/seed.h"

#define JOBS 5
#define SPAN 9
#define MANY 60

static int64_t min64(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static void make(struct workload *w, size_t n, int64_t span, uint32_t nodes)
{
	workload_init(w);
	for (size_t i = 0; i < n; i++) {
		struct sim_job j = { .id = i + 1, .submit = seed_below(span - 1) };

		j.runtime = j.estimate = 1 + seed_below(span / 2);
		j.width = 1 + (int32_t)seed_below(nodes);
		j.deadline = j.submit + j.runtime + seed_below(span / 2);
		if (seed_below(10) == 0)
			j.deadline = 0;
		assert_int_equal(workload_add(w, &j), PACT_OK);
	}
	workload_sort(w);
}

static int64_t area(const struct sim_job *j)
{
	return j->width * j->runtime;
}

/* Seconds are the parts, and each side of the cut is tried for each of them. */
static int64_t least_cut(const struct workload *w, uint32_t nodes)
{
	int64_t best = INT64_MAX;

	for (uint32_t side = 0; side < 1U << (2 * SPAN); side++) {
		int64_t sum = 0;

		for (int t = 0; t < 2 * SPAN; t++)
			sum += side >> t & 1 ? nodes : 0;
		for (size_t i = 0; i < w->count && sum < best; i++) {
			const struct sim_job *j = &w->job[i];
			int64_t through = 0;

			for (int64_t t = j->submit; t < j->deadline; t++)
				through += side >> t & 1 ? 0 : j->width;
			sum += j->deadline ? min64(area(j), through) : 0;
		}
		best = min64(best, sum);
	}
	return best;
}

static void test_least_cut(void **state)
{
	(void)state;
	for (uint64_t round = 0; round < seed_rounds(3); round++) {
		uint32_t nodes = 1 + (uint32_t)seed_below(6);
		struct workload w;
		struct bound b;

		make(&w, JOBS, SPAN, nodes);
		assert_int_equal(bound_find(&w, nodes, 1000, &b), PACT_OK);
		assert_int_equal(b.most, least_cut(&w, nodes));
		workload_release(&w);
	}
}

/* The most that jobs i and up can do as they are, beside those that use[] has already. */
static int64_t try_all(const struct workload *w, size_t i, uint32_t nodes, int64_t *use)
{
	if (i == w->count)
		return 0;
	const struct sim_job *j = &w->job[i];
	int64_t best = try_all(w, i + 1, nodes, use);

	for (int64_t s = j->submit; j->deadline && s + j->runtime <= j->deadline; s++) {
		bool fits = true;

		for (int64_t t = s; t < s + j->runtime; t++)
			fits &= use[t] + j->width <= nodes;
		if (!fits)
			continue;
		for (int64_t t = s; t < s + j->runtime; t++)
			use[t] += j->width;
		int64_t got = area(j) + try_all(w, i + 1, nodes, use);

		best = got > best ? got : best;
		for (int64_t t = s; t < s + j->runtime; t++)
			use[t] -= j->width;
	}
	return best;
}

static void test_rigid(void **state)
{
	uint64_t equal = 0, rounds = seed_rounds(500);

	(void)state;
	for (uint64_t round = 0; round < rounds; round++) {
		uint32_t nodes = 1 + (uint32_t)seed_below(6);
		int64_t use[2 * SPAN] = { 0 };
		struct workload w;
		struct bound b;

		make(&w, JOBS, SPAN, nodes);
		assert_int_equal(bound_find(&w, nodes, 1000, &b), PACT_OK);
		int64_t rigid = try_all(&w, 0, nodes, use);

		assert_true(b.most >= rigid);
		assert_true(b.most <= b.asked);
		equal += b.most == rigid;
		workload_release(&w);
	}
	assert_true(rounds < 100 || equal > rounds / 10); /* it says something */
}

/* Fewer parts may only loosen it. */
static void test_parts(void **state)
{
	(void)state;
	for (uint64_t round = 0; round < seed_rounds(200); round++) {
		uint32_t nodes = 1 + (uint32_t)seed_below(40);
		struct workload w;
		struct bound exact, b;

		make(&w, MANY, 200, nodes);
		assert_int_equal(bound_find(&w, nodes, 1000, &exact), PACT_OK);
		for (size_t parts = 1; parts <= exact.parts; parts += 1 + parts / 2) {
			assert_int_equal(bound_find(&w, nodes, parts, &b), PACT_OK);
			assert_int_equal(b.parts, parts);
			assert_true(b.most >= exact.most);
			assert_int_equal(b.asked, exact.asked);
		}
		workload_release(&w);
	}
}

static int64_t admitted(const char *scheduler, const struct workload *w, uint32_t nodes)
{
	struct sim_setup setup = { .scheduler = scheduler, .nodes = nodes };
	struct sim_outcome out[MANY];
	char why[256];
	int64_t sum = 0;

	sched_config_init(&setup.config);
	assert_int_equal(simulate(&setup, w, out, NULL, why, sizeof(why)), PACT_OK);
	for (size_t i = 0; i < w->count; i++)
		sum += out[i].promised ? area(&w->job[i]) : 0;
	return sum;
}

static void test_schedulers(void **state)
{
	(void)state;
	for (uint64_t round = 0; round < seed_rounds(100); round++) {
		uint32_t nodes = 1 + (uint32_t)seed_below(20);
		struct workload w;
		struct bound b;

		make(&w, MANY, 300, nodes);
		assert_int_equal(bound_find(&w, nodes, 1000, &b), PACT_OK);
		assert_true(admitted("qops", &w, nodes) <= b.most);
		assert_true(admitted("qops-best", &w, nodes) <= b.most);
		workload_release(&w);
	}
}

static void test_edges(void **state)
{
	struct sim_job late = { .id = 1, .runtime = 10, .estimate = 10, .width = 2, .deadline = 9 };
	struct sim_job free = { .id = 2, .runtime = 10, .estimate = 10, .width = 2 };
	struct sim_job vast = { .id = 3,
				.runtime = WORKLOAD_MAX_TIME,
				.estimate = WORKLOAD_MAX_TIME,
				.width = INT32_MAX,
				.deadline = 2 * WORKLOAD_MAX_TIME };
	struct workload w;
	struct bound b;

	(void)state;
	workload_init(&w);
	assert_int_equal(bound_find(&w, 4, 10, &b), PACT_OK);
	assert_int_equal(b.asked, 0);
	assert_true(bound_least_pct(&b) == 0);
	workload_add(&w, &late);
	workload_add(&w, &free);
	assert_int_equal(bound_find(&w, 4, 10, &b), PACT_OK);
	assert_int_equal(b.jobs, 1);
	assert_int_equal(b.asked, 20);
	assert_int_equal(b.most, 0);
	assert_true(bound_least_pct(&b) == 100);
	assert_int_equal(bound_find(&w, 4, 0, &b), PACT_EINVAL);
	workload_add(&w, &vast);
	assert_int_equal(bound_find(&w, UINT32_MAX, 10, &b), PACT_EINVAL);
	workload_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_least_cut), cmocka_unit_test(test_rigid),
		cmocka_unit_test(test_parts),	  cmocka_unit_test(test_schedulers),
		cmocka_unit_test(test_edges),
	};

	return seed_run("test_bound", tests);
}

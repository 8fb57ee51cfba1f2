/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_sharing_short: memory is short once, at every allocation in turn that the core makes in small random
 * worlds of shared nodes (sharing_world.h). The driver is told, does the same again, and every job is accepted
 * and ends as in the world in which nothing failed.
 */
#include "testsuite/unit/seed.h"
#include "testsuite/unit/sharing_world.h"
#include "testsuite/unit/short_memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 4
/* Of the allocations that one world makes, so many fail in a quick run, spread over all of them. */
#define TRIED 100

/* Of the worlds that are run. */
static int32_t risk_limit;
static bool in_step;

/* ---- worlds ---- */

static void run(struct world *w, const struct ref_sharing *c, struct ref_sharer *job, size_t n,
		uint64_t fail)
{
	short_memory_at(fail);
	w->risk_limit = risk_limit;
	w->asks =
		!risk_limit; /* a later deadline may be refused where an earlier one is let in by its chance */
	sharing_world_run(w, c, job, n);
}

static void compare(const struct world *w, const struct world *quiet, uint64_t fail)
{
	for (size_t i = 0; i < w->n; i++) {
		if (w->accepted[i] != quiet->accepted[i] || w->broken[i] != quiet->broken[i] ||
		    w->end[i] != quiet->end[i])
			fail_msg("kind %d, allocation %" PRIu64 ": job %zu %d %d ends at %" PRId64
				 ", else %d %d at %" PRId64,
				 (int)w->c->kind, fail, i + 1, w->accepted[i], w->broken[i],
				 w->end[i], quiet->accepted[i], quiet->broken[i], quiet->end[i]);
	}
	if (w->learned != quiet->learned || w->needed != quiet->needed)
		fail_msg("kind %d, allocation %" PRIu64 ": learned from %" PRIu64 ", %" PRId64
			 ", else from %" PRIu64 ", %" PRId64,
			 (int)w->c->kind, fail, w->learned, w->needed, quiet->learned,
			 quiet->needed);
}

static void worlds(enum ref_sharing_kind kind)
{
	static struct ref_sharer job[REF_JOBS];
	static struct world w, quiet;
	uint64_t rounds = seed_rounds(ROUNDS), failed = 0;

	memory.told = 0;
	for (uint64_t round = 0; round < rounds; round++) {
		struct ref_sharing c = { .kind = kind, .in_step = in_step };
		size_t n;
		uint64_t all, every;

		sharing_world_nodes(&c, round % 2);
		n = sharing_world_jobs(&c, job, (enum runtimes)(round % 3));
		run(&quiet, &c, job, n, 0);
		assert_true((quiet.learned > 0) == (risk_limit > 0));
		all = memory.asked;
		every = all / TRIED + 1;
		for (uint64_t fail = 1 + round % every; fail <= all; fail += every, failed++) {
			run(&w, &c, job, n, fail);
			assert_true(memory.shaken);
			compare(&w, &quiet, fail);
		}
	}
	print_message("%" PRIu64 " allocations failed, the driver was told of %" PRIu64 "\n",
		      failed, memory.told);
	assert_true(memory.told > 0);
}

static void test_libra(void **state)
{
	(void)state;
	worlds(REF_LIBRA);
}

static void test_librarisk(void **state)
{
	(void)state;
	worlds(REF_LIBRARISK);
}

static void test_demand(void **state)
{
	(void)state;
	worlds(REF_DEMAND);
}

static void test_edf(void **state)
{
	(void)state;
	worlds(REF_EDF);
}

/* Shares of the whole machine: they are room for all parts, or nothing is accepted. */
static void test_in_step(void **state)
{
	(void)state;
	in_step = true;
	worlds(REF_LIBRA);
	worlds(REF_LIBRARISK);
	in_step = false;
}

/* What is learned is learned once, and told once. */
static void test_risk_limit(void **state)
{
	(void)state;
	risk_limit = 500000;
	worlds(REF_LIBRA);
	worlds(REF_LIBRARISK);
	worlds(REF_DEMAND);
	risk_limit = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_libra),	   cmocka_unit_test(test_librarisk),
		cmocka_unit_test(test_demand),	   cmocka_unit_test(test_edf),
		cmocka_unit_test(test_risk_limit), cmocka_unit_test(test_in_step),
	};

	return seed_run("test_sharing_short", tests);
}

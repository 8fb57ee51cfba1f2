/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_promise: random worlds (world.h) over the event/action interface of the core, all events, both
 * modes, with and without losses, for every scheduler that makes promises. PACT_ROUNDS is the number of worlds; a
 * failure names the seed of its world, which as PACT_SEED makes it the first.
 */
#include "testsuite/unit/seed.h"
#include "testsuite/unit/world.h"

#include <inttypes.h>

#define STEPS 120

#define ROUNDS 250

static void add(struct world *sum, const struct world *w)
{
	sum->accepted += w->accepted;
	sum->refused += w->refused;
	sum->offers += w->offers;
	sum->started += w->started;
	sum->opaque_started += w->opaque_started;
	sum->shortened += w->shortened;
	sum->broken += w->broken;
	sum->mended += w->mended;
	sum->kept += w->kept;
}

static void run(struct world *w, const char *scheduler, uint64_t seed, enum sched_mode mode,
		bool lossless)
{
	world_create(w, scheduler, seed, mode, lossless);
	while (w->step < STEPS)
		world_step(w);
	world_destroy(w);
}

static void worlds(const char *scheduler, enum sched_mode mode, bool lossless)
{
	static struct world w, sum;
	uint64_t rounds = seed_rounds(ROUNDS);

	sum = (struct world){ 0 };
	for (uint64_t round = 0; round < rounds; round++) {
		run(&w, scheduler, seed_of_round(round), mode, lossless);
		add(&sum, &w);
	}
	print_message("# %" PRIu64 " accepted, %" PRIu64 " refused, %" PRIu64
		      " offers taken up, %" PRIu64 " started (%" PRIu64 " opaque, %" PRIu64
		      " shortened), %" PRIu64 " kept, %" PRIu64 " broken, %" PRIu64 " mended\n",
		      sum.accepted, sum.refused, sum.offers, sum.started, sum.opaque_started,
		      sum.shortened, sum.kept, sum.broken, sum.mended);
	if (rounds < 50)
		return; /* one world again, after a failure */
	/* the worlds are worth the name */
	assert_true(sum.accepted > rounds && sum.refused > rounds && sum.kept > rounds);
	assert_true(sum.offers > rounds / 2 && sum.opaque_started > rounds);
	assert_true(lossless ? !sum.broken : sum.broken > 0);
	assert_true(mode != SCHED_MODE_SLURM || sum.shortened > rounds / 10);
}

static void test_paper_lossless(void **state)
{
	(void)state;
	worlds("qops", SCHED_MODE_PAPER, true);
}

static void test_slurm_lossless(void **state)
{
	(void)state;
	worlds("qops", SCHED_MODE_SLURM, true);
}

static void test_paper_losses(void **state)
{
	(void)state;
	worlds("qops", SCHED_MODE_PAPER, false);
}

static void test_slurm_losses(void **state)
{
	(void)state;
	worlds("qops", SCHED_MODE_SLURM, false);
}

static void test_msb(void **state)
{
	(void)state;
	worlds("msb", SCHED_MODE_PAPER, true);
	worlds("msb", SCHED_MODE_PAPER, false);
}

static void test_mrt(void **state)
{
	(void)state;
	worlds("mrt", SCHED_MODE_PAPER, true);
	worlds("mrt", SCHED_MODE_PAPER, false);
}

static void test_best(void **state)
{
	(void)state;
	worlds("qops-best", SCHED_MODE_PAPER, true);
	worlds("qops-best", SCHED_MODE_PAPER, false);
}

/* The same events twice give the same actions. */
static void test_repeatable(void **state)
{
	static struct world a, b;
	uint64_t rounds = seed_rounds(ROUNDS);

	(void)state;
	for (uint64_t round = 0; round <= rounds / 10; round++) {
		uint64_t seed = seed_of_round(round);

		run(&a, "qops", seed, round % 2, round % 4 < 2);
		run(&b, "qops", seed, round % 2, round % 4 < 2);
		assert_int_equal(a.hash, b.hash);
		assert_int_equal(a.seed, b.seed);
	}
}

/* A world that failed once: a refused submission brought a job's planned start to now, and none tried it. */
static void test_failed_once(void **state)
{
	static struct world w;

	(void)state;
	run(&w, "qops", UINT64_C(2746349301566682279), SCHED_MODE_SLURM, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paper_lossless),
		cmocka_unit_test(test_slurm_lossless),
		cmocka_unit_test(test_paper_losses),
		cmocka_unit_test(test_slurm_losses),
		cmocka_unit_test(test_msb),
		cmocka_unit_test(test_mrt),
		cmocka_unit_test(test_best),
		cmocka_unit_test(test_repeatable),
		cmocka_unit_test(test_failed_once),
	};

	return seed_run("test_promise", tests);
}

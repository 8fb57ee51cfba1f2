/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_short: memory is short once, at every allocation in turn that the core makes in small random worlds
 * (world.h). The driver is told, or notices nothing; it does the same again, and the world goes on as if
 * nothing had happened: the plan is whole, nothing collides, no promise is broken that need not be.
 */
#include "core/policies/dynp/dynp.h"
#include "testsuite/unit/feed.h"
#include "testsuite/unit/seed.h"
#include "testsuite/unit/short_memory.h"
#include "testsuite/unit/world.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define STEPS 60
#define ROUNDS 4
/* Of the allocations that one world makes, so many fail in a quick run, spread over all of them. */
#define TRIED 150

struct sched *__real_sched_create(const char *name, uint32_t nodes, const struct sched_config *c,
				  char *why, size_t size);
int __real_sched_configure(struct sched *s, const struct sched_config *c, char *why, size_t size);
struct sched *__wrap_sched_create(const char *name, uint32_t nodes, const struct sched_config *c,
				  char *why, size_t size);
int __wrap_sched_configure(struct sched *s, const struct sched_config *c, char *why, size_t size);

/* Some worlds have processors to spare: their tasks are done one after the other, the last first. */
static bool spare;

static void backwards(void *arg, void (*task)(void *ctx, size_t i), void *ctx, size_t n)
{
	(void)arg;
	while (n-- > 0)
		task(ctx, n);
}

struct sched *__wrap_sched_create(const char *name, uint32_t nodes, const struct sched_config *c,
				  char *why, size_t size)
{
	struct sched_config given = *c;

	given.together = spare ? backwards : NULL;
	return __real_sched_create(name, nodes, &given, why, size);
}

int __wrap_sched_configure(struct sched *s, const struct sched_config *c, char *why, size_t size)
{
	struct sched_config given = *c;

	given.together = spare ? backwards : NULL;
	memory.inside = true;
	int rc = __real_sched_configure(s, &given, why, size);

	return short_memory_again(rc) ? __real_sched_configure(s, &given, why, size) : rc;
}

/* ---- worlds ---- */

static void run(const char *scheduler, uint64_t seed, enum sched_mode mode, bool lossless,
		uint64_t fail)
{
	static struct world w;

	short_memory_at(fail);
	if (!strcmp(scheduler, "dynp"))
		world_create_tuning(&w, seed, lossless, false);
	else
		world_create(&w, scheduler, seed, mode, lossless);
	w.shaken = &memory.shaken;
	while (w.step < STEPS) {
		memory.shaken = false;
		world_step(&w);
	}
	world_destroy(&w);
}

static void worlds(const char *scheduler, enum sched_mode mode, bool promises)
{
	uint64_t rounds = seed_rounds(ROUNDS), failed = 0;

	memory.told = 0;
	for (uint64_t round = 0; round < rounds; round++) {
		/* the same worlds every time, unless others are asked for */
		uint64_t seed = getenv("PACT_SEED") ? seed_of_round(round) : round + 1, all, every;

		spare = round % 4 > 1;
		run(scheduler, seed, mode, promises && round % 2, 0);
		all = memory.asked;
		every = all / TRIED + 1;
		for (uint64_t n = 1 + round % every; n <= all; n += every, failed++)
			run(scheduler, seed, mode, promises && round % 2, n);
	}
	print_message("# %s: %" PRIu64 " allocations failed, %" PRIu64 " of them were told\n",
		      scheduler, failed, memory.told);
	assert_true(failed > rounds && memory.told > 0);
}

static void test_qops_paper(void **state)
{
	(void)state;
	worlds("qops", SCHED_MODE_PAPER, true);
}

static void test_qops_slurm(void **state)
{
	(void)state;
	worlds("qops", SCHED_MODE_SLURM, true);
}

/* A world with each of its allocations failing once. */
static void one_world(uint64_t seed, bool lossless)
{
	uint64_t all;

	spare = false;
	run("qops", seed, SCHED_MODE_SLURM, lossless, 0);
	all = memory.asked;
	for (uint64_t n = 1; n <= all; n++)
		run("qops", seed, SCHED_MODE_SLURM, lossless, n);
}

/*
 * Worlds in which a start is heard of only at the second time, in a pass that has not given all jobs their places:
 * what the pass had left was lost with the plan, and nobody could be told that the job runs.
 */
static void test_started_again(void **state)
{
	(void)state;
	one_world(UINT64_C(7437880333782737320), false);
	one_world(UINT64_C(15241701653036975288), true);
}

/*
 * A world in which memory is short for a decision while an opaque job's start is out: the layout before the decision
 * gave away what was set aside for that, and then it was put back.
 */
static void test_laid_out(void **state)
{
	(void)state;
	one_world(UINT64_C(7681369315911528438), false);
}

static void test_searches(void **state)
{
	(void)state;
	worlds("msb", SCHED_MODE_PAPER, true);
	worlds("mrt", SCHED_MODE_PAPER, true);
	worlds("qops-best", SCHED_MODE_PAPER, true);
}

static void test_others(void **state)
{
	(void)state;
	worlds("fcfs", SCHED_MODE_PAPER, false);
	worlds("easy", SCHED_MODE_PAPER, false);
	worlds("easy", SCHED_MODE_SLURM, false);
	worlds("conservative", SCHED_MODE_PAPER, false);
}

static void test_dynp(void **state)
{
	(void)state;
	worlds("dynp", SCHED_MODE_PAPER, true);
}

/* ---- a step of dynp: counted once and told once, wherever memory was short in it ---- */

#define STEP_NODES 64
#define STEP_JOBS 60

/* The machine is full; long jobs wait before short ones, so the pass that follows goes over to SJF. */
static struct sched *step_ahead(void)
{
	struct nodeset *all = nodeset_create(STEP_NODES);
	struct sched_config c;
	struct sched *s;

	sched_config_init(&c);
	s = sched_create("dynp", STEP_NODES, &c, NULL, 0);
	assert_non_null(all);
	assert_non_null(s);
	for (uint32_t i = 0; i < STEP_NODES; i++)
		nodeset_set(all, i);
	assert_int_equal(__real_sched_event(s, &(struct sched_event){ .type = EV_STARTED,
								      .id = 1,
								      .nodes = all,
								      .end = 500 }),
			 PACT_OK);
	for (int i = 0; i < STEP_JOBS; i++) {
		struct sched_job j = { .id = (uint64_t)i + 2,
				       .limit = i < STEP_JOBS / 2 ? 9000 - i : 100 + 7 * i,
				       .planned = -1,
				       .width = 1 + i * 11 % STEP_NODES };

		assert_int_equal(__real_sched_event(s, &(struct sched_event){ .type = EV_SUBMIT,
									      .jobs = &j,
									      .njobs = 1 }),
				 PACT_OK);
	}
	nodeset_destroy(all);
	return s;
}

/* The pass, with one allocation that fails: what the step counts, and how often a switch was told. */
static int take_pass(uint64_t fail, struct dynp_view *v)
{
	struct sched *s = step_ahead();
	struct sched_action a;
	int switches = 0;

	short_memory_at(fail);
	while (sched_next(s, &a) && a.type != ACT_WAKE)
		switches += a.type == ACT_POLICY;
	assert_int_equal(sched_dynp_view(s, v), PACT_OK);
	sched_destroy(s);
	return switches;
}

static void test_dynp_step(void **state)
{
	struct dynp_view once, v;
	uint64_t all;

	(void)state;
	assert_int_equal(take_pass(0, &once), 1);
	assert_int_equal(once.steps, 1);
	assert_int_equal(once.switches[DYNP_SJF], 1);
	all = memory.asked;
	assert_true(all > 10);
	for (uint64_t n = 1; n <= all; n++) {
		assert_int_equal(take_pass(n, &v), 1);
		assert_true(memory.shaken);
		assert_int_equal(v.steps, once.steps);
		assert_int_equal(v.kept, once.kept);
		assert_memory_equal(v.switches, once.switches, sizeof(v.switches));
		assert_memory_equal(v.cases, once.cases, sizeof(v.cases));
	}
}

/* ---- memory is short while a start is out ---- */

static struct sched_job on(uint64_t id, const struct nodeset *nodes, int64_t begin)
{
	struct sched_job j = feed_job(id, 1, 500);

	j.nalt = 1;
	j.alt[0] = nodes;
	j.begin = begin;
	return j;
}

/* A promised job is to start; jobs that name nodes come while it does, an allocation fails, and so does its start. */
static void fail_start(const struct nodeset *const *one, uint64_t fail)
{
	struct feed f;

	feed_open(&f, "qops", 2, NULL);
	f.hold_starts = true;
	assert_int_equal(feed_submit(&f, feed_deadline(1, 1, 100, 300)), PACT_OK);
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(f.start.id, 1);
	short_memory_at(fail);
	for (uint64_t i = 0; i < 2; i++)
		assert_int_equal(feed_submit(&f, on(2 + i, one[i], 0)), PACT_OK);
	f.hold_starts = false;
	f.name_nodes = true;
	assert_int_equal(feed_event(&f, (struct sched_event){ .type = EV_START_FAILED,
							      .id = 1,
							      .reserve = true }),
			 PACT_OK);
	feed_drain(&f);
	feed_at(&f, 1);
	/* it came first: it is tried again before they have all nodes */
	assert_int_equal(f.broken, 0);
	assert_in_range(feed_ends(&f, 1), 100, 300);
	feed_close(&f);
}

/* A job of unknown needs is to start on any node; then there are fewer classes, and an allocation fails. */
static void lose_classes(const struct nodeset *const *one, uint64_t fail)
{
	struct sched_job opaque = feed_job(1, 1, 100);
	struct sched_config c;
	struct feed f;

	sched_config_init(&c);
	feed_open(&f, "easy", 4, &c);
	f.hold_starts = true;
	for (uint64_t i = 0; i < 3; i++)
		assert_int_equal(feed_submit(&f, on(2 + i, one[i], 1000)), PACT_OK);
	opaque.flags = JOB_OPAQUE;
	assert_int_equal(feed_submit(&f, opaque), PACT_OK);
	assert_int_equal(feed_drain(&f), 1);
	for (uint64_t i = 0; i < 3; i++)
		assert_int_equal(
			feed_event(&f, (struct sched_event){ .type = EV_WITHDRAW, .id = 2 + i }),
			PACT_OK);
	c.mode = SCHED_MODE_SLURM; /* the pass is over: classes may be merged */
	assert_int_equal(sched_configure(f.s, &c, NULL, 0), PACT_OK);
	short_memory_at(fail);
	assert_int_equal(feed_submit(&f, on(5, one[3], 1000)), PACT_OK);
	assert_int_equal(feed_start(&f, 1, one[2]), PACT_OK);
	feed_drain(&f);
	assert_int_equal(feed_ends(&f, 1), 100);
	feed_close(&f);
}

/* What was set aside for the start, or planned, counts no more, and is not counted with: not twice, and not nowhere. */
static void test_start_out(void **state)
{
	struct nodeset *one[2][4];
	uint64_t all;

	(void)state;
	spare = false;
	for (uint32_t i = 0; i < 2; i++) {
		for (uint32_t n = 0; n < 4; n++)
			one[i][n] = feed_nodes(i ? 4 : 2, UINT64_C(1) << (i ? n : n % 2));
	}
	fail_start((const struct nodeset *const *)one[0], 0);
	all = memory.asked;
	for (uint64_t n = 1; n <= all; n++)
		fail_start((const struct nodeset *const *)one[0], n);
	lose_classes((const struct nodeset *const *)one[1], 0);
	all = memory.asked;
	for (uint64_t n = 1; n <= all; n++)
		lose_classes((const struct nodeset *const *)one[1], n);
	for (uint32_t i = 0; i < 8; i++)
		nodeset_destroy(one[i / 4][i % 4]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_qops_paper),    cmocka_unit_test(test_qops_slurm),
		cmocka_unit_test(test_searches),      cmocka_unit_test(test_dynp),
		cmocka_unit_test(test_others),	      cmocka_unit_test(test_dynp_step),
		cmocka_unit_test(test_started_again), cmocka_unit_test(test_start_out),
		cmocka_unit_test(test_laid_out),
	};

	return seed_run("test_short", tests);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_sim_random: every scheduler over thousands of small random workloads on machines with named,
 * overlapping node sets, with cancellations, lost and reserved nodes, begin times, priorities, both
 * modes, guards. There is no textbook to compare with; the validator has to be content: capacity and
 * node sets are obeyed, no job is forgotten, no promise is broken but for lost nodes, and never
 * silently.
 *
 * A failure names the PACT_SEED that makes its workload the first; PACT_ROUNDS is their number.
 */
#include <string.h>
#include "core/base/nodeset.h"
#include "common/rng.h"
#include "sim/run/simulate.h"
#include "sim/check/validate.h"
#include "testsuite/unit/seed.h"

#define MAX_JOBS 40
#define MAX_SETS 4
#define MAX_EVENTS 8

struct example {
	uint32_t nodes;
	struct nodeset *set[MAX_SETS];
	struct sim_job job[MAX_JOBS];
	struct sim_outcome out[MAX_JOBS];
	struct workload w;
	struct nodeset *lost[MAX_EVENTS];
	struct sim_event event[2 * MAX_EVENTS];
	size_t nevents;
	struct sched_config config;
};

/* At least one node. */
static struct nodeset *random_set(struct rng *r, uint32_t nodes)
{
	struct nodeset *set = nodeset_create(nodes);
	uint32_t lo = (uint32_t)rng_below(r, nodes);
	uint32_t hi = lo + (uint32_t)rng_below(r, nodes - lo);

	assert_non_null(set);
	for (uint32_t n = lo; n <= hi; n++)
		nodeset_set(set, n);
	return set;
}

static void make_jobs(struct example *x, struct rng *r)
{
	size_t sets = rng_below(r, MAX_SETS + 1);
	int64_t clock = 1000;

	x->w = (struct workload){ .job = x->job, .count = (size_t)rng_range(r, 2, MAX_JOBS) };
	for (size_t i = 0; i < sets; i++)
		x->set[i] = random_set(r, x->nodes);
	for (size_t i = 0; i < x->w.count; i++) {
		struct sim_job *j = &x->job[i];
		size_t set = rng_below(r, 2 * sets + 1);

		clock += rng_below(r, 3) ? rng_range(r, 0, 20) : 0;
		j->id = i + 1;
		j->submit = clock;
		j->nodes = set < sets ? x->set[set] : NULL;
		j->width = (int32_t)rng_range(r, 1, j->nodes ? nodeset_count(j->nodes) : x->nodes);
		j->estimate = rng_range(r, 1, 60);
		j->runtime = rng_below(r, 2) ? j->estimate : rng_range(r, 1, j->estimate);
		j->begin = rng_below(r, 6) ? 0 : clock + rng_range(r, -5, 100);
		j->priority = rng_range(r, 0, 3);
		if (rng_below(r, 2))
			j->deadline = clock + j->estimate + rng_range(r, 0, 300);
	}
}

/* Scripted events in order of time; each loss is followed by a return. */
static void add_event(struct example *x, struct sim_event e)
{
	size_t k = x->nevents++;

	for (; k > 0 && x->event[k - 1].at > e.at; k--)
		x->event[k] = x->event[k - 1];
	x->event[k] = e;
}

static void make_events(struct example *x, struct rng *r)
{
	size_t blocks = rng_below(r, 4) ? 0 : rng_below(r, MAX_EVENTS / 2);

	for (size_t i = 0; i < blocks; i++) {
		int64_t at = rng_range(r, 1000, 1200);
		int64_t from = at + (rng_below(r, 2) ? 0 : rng_range(r, 1, 100)), until;

		x->lost[i] = random_set(r, x->nodes);
		until = from + rng_range(r, 1, 150);
		add_event(x, (struct sim_event){ at, SIM_BLOCK, 0, x->lost[i], from, until });
		add_event(x, (struct sim_event){ until, SIM_UNBLOCK, 0, x->lost[i], 0, 0 });
	}
	for (size_t i = rng_below(r, 3); i > 0; i--)
		add_event(x, (struct sim_event){ .at = rng_range(r, 1000, 1300),
						 .type = SIM_CANCEL,
						 .index = rng_below(r, x->w.count) });
	/* which block an end belongs to is told by the node set, when all stand in their places */
	for (size_t i = 0; i < x->nevents; i++)
		for (size_t k = 0; x->event[i].type == SIM_UNBLOCK && k < i; k++)
			if (x->event[k].type == SIM_BLOCK && x->event[k].nodes == x->event[i].nodes)
				x->event[i].index = k;
}

/* Slices are as short as the jobs, so that many of these are suspended. */
static void draw_slices(struct sched_config *c, struct rng *r)
{
	c->rows = (int32_t)rng_range(r, 1, 4);
	c->slice = rng_range(r, 1, 30);
	c->switch_cost = rng_below(r, 2) ? 0 : (int32_t)rng_range(r, 0, 4000);
	c->migration_cost = rng_below(r, 2) ? 0 : rng_range(r, 1, 9);
	c->migration_quota = rng_below(r, 2) ? c->migration_quota : rng_range(r, 0, 12);
	c->cut = rng_below(r, 3) ? CUT_KEEP : CUT_NEXT;
	c->discrete = !rng_below(r, 4);
	c->queue_order = (enum gang_queue)rng_below(r, 4);
}

static void make(struct example *x, uint64_t seed, bool paper)
{
	struct rng r;

	memset(x, 0, sizeof(*x));
	rng_seed(&r, seed, RNG_TEST + 1);
	x->nodes = (uint32_t)rng_range(&r, 1, 10);
	make_jobs(x, &r);
	make_events(x, &r);
	sched_config_init(&x->config);
	x->config.mode = rng_below(&r, 2) ? SCHED_MODE_SLURM : SCHED_MODE_PAPER;
	if (paper)
		x->config.mode = SCHED_MODE_PAPER;
	x->config.order = rng_below(&r, 2) ? ORDER_LLF : ORDER_EDF;
	x->config.kfactor = (int32_t)rng_below(&r, 6);
	x->config.compress = rng_below(&r, 2) ? COMPRESS_START : COMPRESS_ARRIVAL;
	x->config.min_artificial = rng_range(&r, 0, 500);
	x->config.guard = rng_below(&r, 2) ? rng_range(&r, 0, 20) : 0;
	x->config.lateness = rng_range(&r, 0, x->config.guard);
	x->config.dynp.decider = (enum dynp_decider)rng_below(&r, 3);
	x->config.dynp.lower_bound = rng_range(&r, 0, 40);
	x->config.dynp.upper_bound = x->config.dynp.lower_bound + rng_range(&r, 0, 40);
	x->config.dynp.job_priority = (enum dynp_priority)rng_below(&r, 3);
	draw_slices(&x->config, &r);
}

static void release(struct example *x)
{
	sim_outcome_release(x->out, x->w.count);
	for (size_t i = 0; i < MAX_SETS; i++)
		nodeset_destroy(x->set[i]);
	for (size_t i = 0; i < MAX_EVENTS; i++)
		nodeset_destroy(x->lost[i]);
}

static void complain(void *arg, const char *message)
{
	(void)arg;
	print_message("# validator: %s\n", message);
}

static void check(const char *name, uint64_t seed, uint64_t *promises)
{
	struct example x;
	char why[256] = "";
	struct sim_setup setup = { .scheduler = name, .named = true, .unpromised = true };
	struct schedule schedule = { 0 };
	struct sim_slices slices;
	int err;

	make(&x, seed, !strcmp(name, "msb") || !strcmp(name, "mrt") || !strcmp(name, "qops-best"));
	setup.nodes = x.nodes;
	setup.config = x.config;
	if (sim_slices_of(name, &x.config, &slices))
		schedule.slices = &slices;
	setup.event = x.event;
	setup.nevents = x.nevents;
	err = simulate(&setup, &x.w, x.out, NULL, why, sizeof(why));
	schedule.w = &x.w;
	schedule.out = x.out;
	schedule.nodes = x.nodes;
	schedule.event = x.event;
	schedule.nevents = x.nevents;
	if (err || validate(&schedule, complain, NULL))
		fail_msg("%s: PACT_SEED=%llu PACT_ROUNDS=1: error %d %s", name,
			 (unsigned long long)seed, err, why);
	for (size_t i = 0; i < x.w.count; i++)
		*promises += x.out[i].promised;
	release(&x);
}

static void check_many(const char *name, bool promises)
{
	uint64_t rounds = seed_rounds(2000);
	uint64_t made = 0;

	for (uint64_t i = 0; i < rounds; i++)
		check(name, seed_of_round(i), &made);
	assert_true(promises ? rounds < 50 || made > rounds : made == 0);
}

static void test_fcfs(void **state)
{
	(void)state;
	check_many("fcfs", false);
}

static void test_easy(void **state)
{
	(void)state;
	check_many("easy", false);
}

static void test_conservative(void **state)
{
	(void)state;
	check_many("conservative", false);
}

static void test_qops(void **state)
{
	(void)state;
	check_many("qops", true);
}

static void test_msb(void **state)
{
	(void)state;
	check_many("msb", true);
}

static void test_best(void **state)
{
	(void)state;
	check_many("qops-best", true);
}

static void test_mrt(void **state)
{
	(void)state;
	check_many("mrt", true);
}

static void test_dynp(void **state)
{
	(void)state;
	check_many("dynp", true);
}

static void test_gs(void **state)
{
	(void)state;
	check_many("gs", false);
}

static void test_bgs(void **state)
{
	(void)state;
	check_many("bgs", true);
}

static void test_mgs(void **state)
{
	(void)state;
	check_many("mgs", false);
}

static void test_mbgs(void **state)
{
	(void)state;
	check_many("mbgs", true);
}

static void test_bf(void **state)
{
	(void)state;
	check_many("bf", false);
}

/* A refused deadline had the plan name other nodes, and what takes turns was told of it at a later slice's end. */
static void test_asked(void **state)
{
	uint64_t made = 0;

	(void)state;
	check("mbgs", UINT64_C(8961579264662862873), &made);
	assert_true(made > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fcfs),	     cmocka_unit_test(test_easy),
		cmocka_unit_test(test_conservative), cmocka_unit_test(test_qops),
		cmocka_unit_test(test_msb),	     cmocka_unit_test(test_mrt),
		cmocka_unit_test(test_best),	     cmocka_unit_test(test_dynp),
		cmocka_unit_test(test_gs),	     cmocka_unit_test(test_bgs),
		cmocka_unit_test(test_mgs),	     cmocka_unit_test(test_mbgs),
		cmocka_unit_test(test_bf),	     cmocka_unit_test(test_asked),
	};

	return seed_run("test_sim_random", tests);
}

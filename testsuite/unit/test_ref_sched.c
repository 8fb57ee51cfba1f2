/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_ref_sched: the core's FCFS, EASY, conservative, QoPS, MSB and MRT through the simulator against the
 * textbook's of ref_sched, on thousands of small random workloads: every start equal to the second,
 * every decision the same, and the validator content.
 *
 * A failure names the PACT_SEED that makes its workload the first; PACT_ROUNDS is their number.
 */
#include <string.h>
#include "common/rng.h"
#include "sim/run/simulate.h"
#include "sim/check/validate.h"
#include "testsuite/unit/ref_sched.h"
#include "testsuite/unit/seed.h"

#define MAX_JOBS 30
#define MAX_CROWD 90

struct example {
	struct ref_config config;
	struct ref_job ref[MAX_CROWD];
	struct sim_job job[MAX_CROWD];
	struct workload w;
	struct sim_outcome out[MAX_CROWD];
	size_t n;
	int64_t priorities; /* so many different ones, in slurm mode; 0: paper mode */
};

/* Few distinct times and widths, so that ties and exact fits are common. */
static void make(struct example *x, uint64_t seed, bool deadlines)
{
	struct rng r;
	int64_t clock = 100000, grain, gap, longest;

	memset(x, 0, sizeof(*x));
	rng_seed(&r, seed, RNG_TEST);
	x->n = (size_t)rng_range(&r, 2, MAX_JOBS);
	x->config.nodes = (int)rng_range(&r, 1, 12);
	x->config.kfactor = (int)rng_range(&r, 0, 6);
	x->config.llf = rng_below(&r, 2);
	x->config.cost = (int)rng_below(&r, 3);
	x->config.slots_order = rng_below(&r, 2);
	x->config.by_start = rng_below(&r, 2);
	x->config.backtracks = (int)rng_below(&r, 2) * (int)rng_range(&r, 1, 20);
	x->config.effort = rng_below(&r, 2) ? 1000000 : (int)rng_range(&r, 0, 60);
	x->config.relax_milli = rng_range(&r, 1, 4) * 1000;
	x->config.min_artificial = rng_range(&r, 1, 200);
	grain = rng_below(&r, 2) ? 1 : 10;
	gap = rng_range(&r, 0, 15);
	longest = rng_range(&r, 1, 60);
	x->priorities = !deadlines && rng_below(&r, 2) ? rng_range(&r, 1, 4) : 0;
	for (size_t i = 0; i < x->n; i++) {
		struct ref_job *j = &x->ref[i];

		clock += rng_below(&r, 3) ? rng_range(&r, 0, gap) * grain : 0;
		j->submit = clock;
		j->width = (int)rng_range(&r, 1, x->config.nodes);
		j->estimate = rng_range(&r, 1, longest) * grain;
		j->runtime = rng_below(&r, 2) ? j->estimate : rng_range(&r, 1, j->estimate);
		if (deadlines && rng_below(&r, 3))
			j->deadline =
				j->submit + j->estimate +
				rng_range(&r, -1, 4 * longest) * grain * (int64_t)rng_below(&r, 3);
		if (x->priorities)
			j->priority = rng_range(&r, 1, x->priorities);
		x->job[i] = (struct sim_job){
			.id = i + 1,
			.submit = j->submit,
			.width = j->width,
			.estimate = j->estimate,
			.runtime = j->runtime,
			.deadline = j->deadline,
			.priority = j->priority,
		};
	}
	x->w = (struct workload){ .job = x->job, .count = x->n, .room = MAX_JOBS };
}

/*
 * A long queue before a machine with hundreds of nodes: narrow and very wide jobs, nearly all of which end
 * early, many by a second or at the same time, so that jobs move past each other in crowds.
 */
static void make_crowd(struct example *x, uint64_t seed)
{
	struct rng r;
	int64_t clock = 1000, grain;

	memset(x, 0, sizeof(*x));
	rng_seed(&r, seed, RNG_TEST);
	x->n = (size_t)rng_range(&r, 40, MAX_CROWD);
	x->config.nodes = (int)rng_range(&r, 2, 400);
	x->config.by_start = rng_below(&r, 2);
	grain = rng_below(&r, 2) ? 1 : 60;
	for (size_t i = 0; i < x->n; i++) {
		struct ref_job *j = &x->ref[i];
		int widest = rng_below(&r, 3) ? (x->config.nodes + 7) / 8 : x->config.nodes;

		clock += rng_below(&r, 3) ? 0 : rng_range(&r, 0, 5) * grain;
		j->submit = clock;
		j->width = (int)rng_range(&r, 1, widest);
		j->estimate = rng_range(&r, 1, rng_below(&r, 2) ? 5 : 60) * grain;
		j->runtime = rng_range(&r, 1, j->estimate);
		if (!rng_below(&r, 3))
			j->runtime = j->estimate - (j->estimate > 1);
		x->job[i] = (struct sim_job){
			.id = i + 1,
			.submit = j->submit,
			.width = j->width,
			.estimate = j->estimate,
			.runtime = j->runtime,
		};
	}
	x->w = (struct workload){ .job = x->job, .count = x->n, .room = MAX_CROWD };
}

static void complain(void *arg, const char *message)
{
	(void)arg;
	print_message("# validator: %s\n", message);
}

static void dump(const struct example *x)
{
	print_message(
		"# nodes %d kfactor %d %s cost %d slots %d backtracks %d effort %d by start %d "
		"R %lld min %lld\n",
		x->config.nodes, x->config.kfactor, x->config.llf ? "llf" : "edf", x->config.cost,
		x->config.slots_order, x->config.backtracks, x->config.effort, x->config.by_start,
		(long long)x->config.relax_milli, (long long)x->config.min_artificial);
	for (size_t i = 0; i < x->n; i++) {
		const struct ref_job *j = &x->ref[i];
		const struct sim_outcome *o = &x->out[i];

		print_message(
			"# job %zu submit %lld width %d estimate %lld runtime %lld deadline %lld: "
			"start %lld %s, textbook %lld %s\n",
			i + 1, (long long)j->submit, j->width, (long long)j->estimate,
			(long long)j->runtime, (long long)j->deadline, (long long)o->start,
			sim_state_name(o->state), (long long)j->start, j->refused ? "refused" : "");
	}
}

static bool same(const struct example *x)
{
	for (size_t i = 0; i < x->n; i++)
		if (x->out[i].start != x->ref[i].start ||
		    (x->out[i].state == SIM_REFUSED) != x->ref[i].refused ||
		    x->out[i].promised != x->ref[i].promised)
			return false;
	return true;
}

static void compare(enum ref_kind kind, const char *name, uint64_t seed, bool crowd)
{
	struct example x;
	struct sim_setup setup = { .scheduler = name };
	struct schedule schedule = { .w = &x.w, .out = x.out };
	char why[256] = "";
	int err;

	if (crowd)
		make_crowd(&x, seed);
	else
		make(&x, seed, kind >= REF_QOPS);
	sched_config_init(&setup.config);
	setup.nodes = schedule.nodes = (uint32_t)x.config.nodes;
	setup.config.mode = x.priorities ? SCHED_MODE_SLURM : SCHED_MODE_PAPER;
	setup.config.kfactor = x.config.kfactor;
	setup.config.order = x.config.llf ? ORDER_LLF : ORDER_EDF;
	setup.config.cost = (enum sched_cost)x.config.cost;
	setup.config.slots = x.config.slots_order ? SLOTS_ORDER : SLOTS_START;
	setup.config.compress = x.config.by_start ? COMPRESS_START : COMPRESS_ARRIVAL;
	setup.config.backtracks = x.config.backtracks;
	setup.config.effort = x.config.effort;
	setup.config.relax_milli = x.config.relax_milli;
	setup.config.min_artificial = x.config.min_artificial;
	ref_run(kind, &x.config, x.ref, x.n);
	err = simulate(&setup, &x.w, x.out, NULL, why, sizeof(why));
	if (err || !same(&x) || validate(&schedule, complain, NULL)) {
		dump(&x);
		fail_msg("%s: PACT_SEED=%llu PACT_ROUNDS=1: error %d %s", name,
			 (unsigned long long)seed, err, why);
	}
}

static void compare_many(enum ref_kind kind, const char *name)
{
	uint64_t rounds = seed_rounds(4000);

	for (uint64_t i = 0; i < rounds; i++)
		compare(kind, name, seed_of_round(i), false);
}

static void test_fcfs(void **state)
{
	(void)state;
	compare_many(REF_FCFS, "fcfs");
}

static void test_easy(void **state)
{
	(void)state;
	compare_many(REF_EASY, "easy");
}

/*
 * With a job that may not begin for ages, EASY walks over the queue instead of along its line. That
 * job is in no other's way: the schedule stays the same.
 */
static void test_easy_walk(void **state)
{
	uint64_t rounds = seed_rounds(4000);

	(void)state;
	for (uint64_t i = 0; i < rounds; i++) {
		struct example x;
		struct sim_job job[MAX_JOBS + 1] = {
			{ .id = 1, .begin = 100000000, .width = 1, .estimate = 1, .runtime = 1 }
		};
		struct sim_outcome out[MAX_JOBS + 1];
		struct sim_setup setup = { .scheduler = "easy" };
		struct workload w = { .job = job, .room = MAX_JOBS + 1 };
		char why[256] = "";

		make(&x, seed_of_round(i), false);
		memcpy(job + 1, x.job, x.n * sizeof(*job));
		w.count = x.n + 1;
		sched_config_init(&setup.config);
		setup.nodes = (uint32_t)x.config.nodes;
		setup.config.mode = x.priorities ? SCHED_MODE_SLURM : SCHED_MODE_PAPER;
		ref_run(REF_EASY, &x.config, x.ref, x.n);
		assert_int_equal(simulate(&setup, &w, out, NULL, why, sizeof(why)), 0);
		memcpy(x.out, out + 1, x.n * sizeof(*out));
		if (!same(&x)) {
			dump(&x);
			fail_msg("PACT_SEED=%llu PACT_ROUNDS=1",
				 (unsigned long long)seed_of_round(i));
		}
	}
}

static void test_conservative(void **state)
{
	(void)state;
	compare_many(REF_CONSERVATIVE, "conservative");
}

static void test_crowds(void **state)
{
	uint64_t rounds = seed_rounds(600);

	(void)state;
	for (uint64_t i = 0; i < rounds; i++) {
		compare(REF_CONSERVATIVE, "conservative", seed_of_round(i), true);
		compare(REF_EASY, "easy", seed_of_round(i), true);
	}
}

static void test_qops(void **state)
{
	(void)state;
	compare_many(REF_QOPS, "qops");
}

static void test_msb(void **state)
{
	(void)state;
	compare_many(REF_MSB, "msb");
}

static void test_mrt(void **state)
{
	(void)state;
	compare_many(REF_MRT, "mrt");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fcfs),	  cmocka_unit_test(test_easy),
		cmocka_unit_test(test_easy_walk), cmocka_unit_test(test_conservative),
		cmocka_unit_test(test_qops),	  cmocka_unit_test(test_msb),
		cmocka_unit_test(test_mrt),	  cmocka_unit_test(test_crowds),
	};

	return seed_run("test_ref_sched", tests);
}

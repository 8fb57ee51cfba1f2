/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_ref_dynp: dynp through the simulator against ref_dynp, which rebuilds everything at each step, on
 * thousands of small random workloads with random settings: every start equal to the second, every step,
 * switch and counter the same, and the validator content.
 *
 * A failure names the PACT_SEED that makes its workload the first; PACT_ROUNDS is their number.
 */
#include <string.h>

#include "common/rng.h"
#include "sim/run/simulate.h"
#include "sim/check/validate.h"
#include "testsuite/unit/ref_dynp.h"
#include "testsuite/unit/seed.h"

#define MAX_JOBS 30

struct example {
	struct ref_config machine;
	struct dynp_config c;
	struct ref_job ref[MAX_JOBS];
	struct sim_job job[MAX_JOBS];
	struct sim_outcome out[MAX_JOBS];
	struct workload w;
	struct dynp_view seen;
	size_t n;
};

static void make_config(struct dynp_config *c, struct rng *r)
{
	uint32_t first = (uint32_t)rng_below(r, DYNP_ORDERS);
	struct sched_config set;

	sched_config_init(&set);
	*c = set.dynp;
	c->decider = (enum dynp_decider)rng_below(r, DYNP_PREFERRED + 1);
	if (c->decider != DYNP_BASIC && rng_below(r, 2)) {
		c->npolicies = (uint32_t)rng_range(r, 1, DYNP_ORDERS);
		for (uint32_t i = 0; i < c->npolicies; i++)
			c->policy[i] = (enum dynp_order)((first + i) % DYNP_ORDERS);
	}
	memset(c->weight, 0, sizeof(c->weight));
	c->weight[rng_below(r, DYNP_METRICS)] = 1;
	c->slackness_ppm = rng_below(r, 3) ? 0 : (int32_t)rng_range(r, 1, 200000);
	c->future_starts = rng_below(r, 3) ? 0 : rng_range(r, 1, 5);
	c->future_seconds = rng_below(r, 3) ? 0 : rng_range(r, 1, 200);
	c->lower_bound = rng_range(r, 0, 200);
	c->upper_bound = c->lower_bound + rng_range(r, 0, 200);
	c->threshold = rng_range(r, 0, 5);
	c->spread = rng_below(r, 3) ? 0 : 150;
}

/* Few distinct times and widths, so that ties and exact fits are common. */
static void make(struct example *x, uint64_t seed)
{
	struct rng r;
	int64_t clock = 100000, grain, gap, longest;

	memset(x, 0, sizeof(*x));
	rng_seed(&r, seed, RNG_TEST + 2);
	make_config(&x->c, &r);
	x->n = (size_t)rng_range(&r, 2, MAX_JOBS);
	x->machine.nodes = (int)rng_range(&r, 1, 12);
	grain = rng_below(&r, 2) ? 1 : 10;
	gap = rng_range(&r, 0, 15);
	longest = rng_range(&r, 1, 60);
	for (size_t i = 0; i < x->n; i++) {
		struct ref_job *j = &x->ref[i];

		clock += rng_below(&r, 3) ? rng_range(&r, 0, gap) * grain : 0;
		j->submit = clock;
		j->width = (int)rng_range(&r, 1, x->machine.nodes);
		j->estimate = rng_range(&r, 1, longest) * grain;
		j->runtime = rng_below(&r, 2) ? j->estimate : rng_range(&r, 1, j->estimate);
		x->job[i] = (struct sim_job){
			.id = i + 1,
			.submit = j->submit,
			.width = j->width,
			.estimate = j->estimate,
			.runtime = j->runtime,
		};
	}
	x->w = (struct workload){ .job = x->job, .count = x->n, .room = MAX_JOBS };
}

static void complain(void *arg, const char *message)
{
	(void)arg;
	print_message("# validator: %s\n", message);
}

static bool same(const struct example *x, const struct dynp_view *v)
{
	for (size_t i = 0; i < x->n; i++) {
		if (x->out[i].start != x->ref[i].start)
			return false;
	}
	for (int i = 0; i < DYNP_ORDERS; i++) {
		if (v->switches[i] != x->seen.switches[i] || v->started[i] != x->seen.started[i])
			return false;
	}
	return v->steps == x->seen.steps && v->many == x->seen.many && v->kept == x->seen.kept &&
	       v->backlog == x->seen.backlog && v->running == x->seen.running && !v->blocked;
}

static void dump(const struct example *x, const struct dynp_view *v)
{
	print_message("# nodes %d, decider %d, %u policies, steps %llu, plain %llu\n",
		      x->machine.nodes, x->c.decider, x->c.npolicies, (unsigned long long)v->steps,
		      (unsigned long long)x->seen.steps);
	for (int i = 0; i < DYNP_ORDERS; i++)
		print_message(
			"# %s: switches %llu, plain %llu, started %llu, plain %llu\n",
			dynp_order_name((enum dynp_order)i), (unsigned long long)v->switches[i],
			(unsigned long long)x->seen.switches[i], (unsigned long long)v->started[i],
			(unsigned long long)x->seen.started[i]);
	for (size_t i = 0; i < x->n; i++) {
		const struct ref_job *j = &x->ref[i];

		print_message(
			"# job %zu submit %lld width %d estimate %lld runtime %lld: start %lld, "
			"plain %lld\n",
			i + 1, (long long)j->submit, j->width, (long long)j->estimate,
			(long long)j->runtime, (long long)x->out[i].start, (long long)j->start);
	}
}

static uint64_t compare(uint64_t seed)
{
	struct example x;
	struct sim_setup setup = { .scheduler = "dynp" };
	struct schedule schedule = { .w = &x.w, .out = x.out };
	struct sim_totals totals;
	char why[256] = "";
	int err;

	make(&x, seed);
	sched_config_init(&setup.config);
	setup.config.dynp = x.c;
	setup.nodes = schedule.nodes = (uint32_t)x.machine.nodes;
	ref_dynp_run(&x.machine, &x.c, x.ref, x.n, &x.seen);
	err = simulate(&setup, &x.w, x.out, &totals, why, sizeof(why));
	if (err || !same(&x, &totals.dynp) || validate(&schedule, complain, NULL)) {
		dump(&x, &totals.dynp);
		fail_msg("PACT_SEED=%llu PACT_ROUNDS=1: error %d %s", (unsigned long long)seed, err,
			 why);
	}
	return x.seen.steps - x.seen.kept;
}

static void test_reference(void **state)
{
	uint64_t rounds = seed_rounds(6000), switches = 0;

	(void)state;
	for (uint64_t i = 0; i < rounds; i++)
		switches += compare(seed_of_round(i));
	assert_true(rounds < 50 || switches > rounds / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_reference) };

	return seed_run("test_ref_dynp", tests);
}

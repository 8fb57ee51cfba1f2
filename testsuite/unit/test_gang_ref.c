/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_gang_ref: the core's gs, bgs, mgs, mbgs, bf and ambgs through the simulator against the plain ones of ref_gang, on
 * thousands of small random workloads with all settings drawn: the start and the end of every job equal to the
 * second; and by the validator, which knows neither.
 *
 * A failure names the PACT_SEED that makes its workload the first; PACT_ROUNDS is their number.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/settings/settings.h"
#include "sim/run/simulate.h"
#include "sim/run/slices.h"
#include "sim/check/validate.h"
#include "testsuite/unit/gang_world.h"
#include "testsuite/unit/seed.h"

static void set(struct sched_config *config, const char *key, const char *value)
{
	char why[256] = "";

	if (!settings_apply(config, key, value, why, sizeof(why)))
		fail_msg("%s=%s: %s", key, value, why);
}

static void set_number(struct sched_config *config, const char *key, int64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRId64, value);
	set(config, key, text);
}

/* A fraction, from ten thousandths. */
static void set_fraction(struct sched_config *config, const char *key, int64_t myriad)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRId64 ".%04d", myriad / 10000, (int)(myriad % 10000));
	set(config, key, text);
}

/* Only where they are not the scheduler's own. */
static void set_phases(struct sched_config *config, const struct ref_gang_setup *c)
{
	char text[128] = "";

	for (size_t k = 0; k < c->phases; k++) {
		size_t length = strlen(text);

		snprintf(text + length, sizeof(text) - length, "%s%s", k > 0 ? "," : "",
			 gang_world_phase(c->phase[k]));
	}
	if (c->phase)
		set(config, "Phases", text);
}

static void configure(struct sched_config *config, const struct gang_world *x)
{
	const struct ref_gang_setup *c = &x->c;

	sched_config_init(config);
	/* the lateness is a part of the guard */
	set_number(config, "Guard", c->lateness);
	set_number(config, "Lateness", c->lateness);
	set_number(config, "Rows", c->rows);
	set_number(config, "Slice", c->slice);
	set_fraction(config, "Switch", x->switch_myriad);
	set_fraction(config, "SwitchLoss", c->loss);
	set_number(config, "MigrationCost", c->cost);
	set_number(config, "MigrationQuota", c->quota);
	set(config, "Cut", c->next ? "next" : "keep");
	set(config, "Discrete", c->discrete ? "yes" : "no");
	set(config, "Columns", c->aligned ? "aligned" : "lowest");
	set_number(config, "ShortRows", c->short_rows);
	set_number(config, "ShortTime", c->short_time);
	set_number(config, "LaunchTime", c->launch_time);
	set(config, "QueueOrder", gang_world_order(c->order));
	set_phases(config, c);
}

/* RET the first job that differs; n: none */
static size_t first_difference(const struct gang_world *x, const struct sim_outcome *out)
{
	size_t i = 0;

	while (i < x->n && out[i].start == x->job[i].start && out[i].end == x->job[i].end)
		i++;
	return i;
}

static void complain(void *arg, const char *message)
{
	(void)arg;
	print_message("# validator: %s\n", message);
}

/* The validator has to be content, too. */
static void judge(const struct sim_setup *setup, const struct workload *w,
		  const struct sim_outcome *out, uint64_t seed)
{
	struct sim_slices slices;
	struct schedule s = { .w = w, .out = out, .nodes = setup->nodes, .slices = &slices };

	assert_true(sim_slices_of(setup->scheduler, &setup->config, &slices));
	if (validate(&s, complain, NULL) > 0)
		fail_msg("%s: PACT_SEED=%" PRIu64 " PACT_ROUNDS=1: not valid", setup->scheduler,
			 seed);
}

/* RET the tasks that migrated by the reference; -1: it did not come to an end */
static int64_t compare(enum ref_gang_kind kind, uint64_t seed)
{
	struct sim_job job[GANG_WORLD_JOBS];
	struct sim_outcome out[GANG_WORLD_JOBS];
	struct sim_setup setup = { .scheduler = gang_world_kind(kind), .named = true };
	struct workload w = { .job = job, .room = GANG_WORLD_JOBS };
	struct gang_world x;
	char why[256] = "";
	int64_t tasks = 0;
	size_t i;
	int err;

	gang_world_make(&x, kind, seed);
	configure(&setup.config, &x);
	setup.nodes = (uint32_t)x.c.nodes;
	w.count = x.n;
	for (i = 0; i < x.n; i++)
		job[i] = (struct sim_job){ .id = i + 1,
					   .submit = x.job[i].submit,
					   .width = x.job[i].width,
					   .runtime = x.job[i].runtime,
					   .estimate = x.job[i].estimate,
					   .migration = x.job[i].cost,
					   .user = -1 };
	err = ref_gang_run(&x.c, x.job, x.n);
	assert_int_not_equal(err, REF_GANG_BAD);
	if (err)
		return -1;
	err = simulate(&setup, &w, out, NULL, why, sizeof(why));
	i = err ? 0 : first_difference(&x, out);
	if (err || i < x.n) {
		gang_world_print(&x);
		fail_msg("PACT_SEED=%" PRIu64 " PACT_ROUNDS=1: error %d %s; job %c: from %" PRId64
			 " to %" PRId64 ", by the reference from %" PRId64 " to %" PRId64,
			 seed, err, why, (char)('A' + i), err ? -1 : out[i].start,
			 err ? -1 : out[i].end, x.job[i].start, x.job[i].end);
	}
	judge(&setup, &w, out, seed);
	for (i = 0; i < x.n; i++)
		tasks += x.job[i].migrated;
	sim_outcome_release(out, x.n);
	return tasks;
}

static void compare_many(enum ref_gang_kind kind)
{
	uint64_t rounds = seed_rounds(4000), compared = 0;
	bool migrates = kind == REF_MGS || kind == REF_MBGS || kind == REF_AMBGS;
	int64_t tasks = 0;

	for (uint64_t i = 0; i < rounds; i++) {
		int64_t migrated = compare(kind, seed_of_round(i));

		compared += migrated >= 0;
		tasks += migrated > 0 ? migrated : 0;
	}
	assert_true(compared * 10 >= rounds * 9);
	assert_true(migrates ? rounds < 50 || tasks > 0 : tasks == 0);
}

static void test_gs(void **state)
{
	(void)state;
	compare_many(REF_GS);
}

static void test_bgs(void **state)
{
	(void)state;
	compare_many(REF_BGS);
}

static void test_mgs(void **state)
{
	(void)state;
	compare_many(REF_MGS);
}

static void test_mbgs(void **state)
{
	(void)state;
	compare_many(REF_MBGS);
}

static void test_bf(void **state)
{
	(void)state;
	compare_many(REF_BF);
}

static void test_ambgs(void **state)
{
	(void)state;
	compare_many(REF_AMBGS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gs),  cmocka_unit_test(test_bgs),
		cmocka_unit_test(test_mgs), cmocka_unit_test(test_mbgs),
		cmocka_unit_test(test_bf),  cmocka_unit_test(test_ambgs),
	};

	return seed_run("gang_ref", tests);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_settings: the table of settings, and that what settings_used() says is so. A setting that a scheduler is
 * said not to look at changes no schedule; at least half of them change one, so that this can fail.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sim/run/simulate.h"
#include "testsuite/unit/seed.h"

#define JOBS 40
#define NODES 16

static struct sim_job job[JOBS];
static struct workload w = { .job = job, .count = JOBS };

/* Crowded; half of the jobs have deadlines, all have priorities. */
static void make_workload(void)
{
	int64_t clock = 1000;

	for (size_t i = 0; i < JOBS; i++) {
		struct sim_job *j = &job[i];

		clock += seed_below(300);
		*j = (struct sim_job){ .id = i + 1,
				       .submit = clock,
				       .width = (int32_t)(1 + seed_below(NODES)),
				       .runtime = 1 + seed_below(1500),
				       .priority = seed_below(5),
				       .user = -1 };
		j->estimate = j->runtime + (seed_below(3) ? 0 : seed_below(2000));
		if (seed_below(2))
			j->deadline = j->submit + j->estimate + 400 + seed_below(8000);
	}
}

/* False: such a scheduler cannot be. */
static bool run(const char *scheduler, const struct sched_config *c, struct sim_outcome *out)
{
	const struct sim_setup setup = {
		.scheduler = scheduler, .nodes = NODES, .config = *c, .unpromised = true
	};
	struct sched *s = sched_create(scheduler, NODES, c, NULL, 0);
	char why[256];

	sched_destroy(s);
	memset(out, 0, JOBS * sizeof(*out));
	if (!s || simulate(&setup, &w, out, NULL, why, sizeof(why)) != PACT_OK)
		return false;
	sim_outcome_release(out, JOBS); /* which nodes is no matter here, and they are pointers */
	return true;
}

static const struct {
	const char *key, *value;

} settings[] = {
	{ "Mode", "slurm" },	    { "Order", "llf" },
	{ "Admission", "none" },    { "KFactor", "0" },
	{ "Cost", "wait" },	    { "Slots", "order" },
	{ "MaxBacktracks", "0" },   { "Effort", "0" },
	{ "Relaxation", "9" },	    { "MinArtificialDeadline", "60" },
	{ "Guard", "500" },	    { "Policies", "ljf,sjf,fcfs" },
	{ "Decider", "simple" },    { "Quality", "ms" },
	{ "Slackness", "40" },	    { "FutureStarts", "1" },
	{ "FutureTime", "300" },    { "LowerBound", "100" },
	{ "UpperBound", "100000" }, { "Threshold", "30" },
	{ "JobPriority", "first" }, { "Spread", "100000" },
	{ "Gain", "1000" },
};

#define SETTINGS (sizeof(settings) / sizeof(settings[0]))

/* What a setting may hang on. */
static const char *const bases[][2] = {
	{ "Mode", "paper" },
	{ "Mode", "slurm" },
	{ "Decider", "basic" },
	{ "Decider", "simple" },
	{ "Decider", "preferred" },
	{ "Slots", "order" },
	{ "MinArtificialDeadline", "60" },
};

static void apply(struct sched_config *c, const char *key, const char *value)
{
	char why[256];

	if (!settings_apply(c, key, value, why, sizeof(why)))
		fail_msg("%s", why);
}

/* Whether the setting changes the schedule `before`, which is that of the base. */
static bool changes(const char *scheduler, const struct sched_config *base,
		    const struct sim_outcome *before, size_t i)
{
	static struct sim_outcome after[JOBS];
	struct sched_config c = *base;
	char why[256];

	apply(&c, settings[i].key, settings[i].value);
	if (!run(scheduler, &c, after) || !memcmp(before, after, sizeof(after)))
		return false;
	if (!settings_used(&c, scheduler, settings[i].key, why, sizeof(why)))
		fail_msg("%s=%s changes what %s decides; '%s'", settings[i].key, settings[i].value,
			 scheduler, why);
	return true;
}

/* All schedulers over one workload. */
static void try_all(const char *const base[2], bool seen[SETTINGS])
{
	static struct sim_outcome before[JOBS];
	struct sched_config c;

	sched_config_init(&c);
	apply(&c, base[0], base[1]);
	if (!strcmp(base[1], "preferred"))
		apply(&c, "Spread", "10");
	for (const char *const *name = sched_names(); *name; name++) {
		if (!run(*name, &c, before))
			continue;
		for (size_t i = 0; i < SETTINGS; i++)
			seen[i] |= changes(*name, &c, before, i);
	}
}

/* ---- the table ---- */

/* Every default is well formed, and what is written of it is read as the same. */
static void test_table(void **state)
{
	static const enum setting_by by[] = { SETTING_BY_SET, SETTING_BY_CONF };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct sched_config c = { .guard = 0 }, again;
		char text[256], why[256];

		setting_begin(sched_settings, &c, by[i]);
		if (!settings_valid(&c, why, sizeof(why)))
			fail_msg("%s", why);
		for (const struct setting *s = sched_settings; s->key; s++) {
			const char *initial = setting_initial(s, by[i]);

			assert_ptr_equal(setting_find(sched_settings, s->key), s);
			setting_format(s, &c, text, sizeof(text));
			if (strcmp(s->key, "Quality") != 0)
				assert_string_equal(text, initial);
			again = c;
			if (!strcmp(s->key, "Cost")) /* its default is no choice */
				assert_false(setting_set(s, &again, by[i], text, why, sizeof(why)));
			else if (!setting_set(s, &again, by[i], text, why, sizeof(why)))
				fail_msg("%s", why);
			assert_memory_equal(&again, &c, sizeof(c));
		}
	}
}

/* The bounds of a row are those of the text and of the struct, narrower ones are pact.conf's. */
static void test_bounds(void **state)
{
	const struct setting *relaxation = setting_find(sched_settings, "relaxation");
	struct sched_config c;
	char why[256];

	(void)state;
	sched_config_init(&c);
	assert_true(setting_set(relaxation, &c, SETTING_BY_SET, "0.5", why, sizeof(why)));
	assert_int_equal(c.relax_milli, 500);
	assert_false(setting_set(relaxation, &c, SETTING_BY_CONF, "0.5", why, sizeof(why)));
	assert_string_equal(
		why, "Relaxation=0.5: must be a number from 1 to 1000000, with at most 3 decimals");
	assert_false(setting_set(relaxation, &c, SETTING_BY_SET, "1000000.001", why, sizeof(why)));
	assert_false(setting_set(relaxation, &c, SETTING_BY_SET, "1.0001", why, sizeof(why)));
	assert_int_equal(c.relax_milli, 500);
	for (const struct setting *s = sched_settings; s->key; s++) {
		int64_t *wide = (int64_t *)((char *)&c + s->offset);

		if (s->type != SETTING_I64)
			continue;
		sched_config_init(&c);
		*wide = s->most + 1;
		assert_false(settings_valid(&c, why, sizeof(why)));
		*wide = s->least - 1;
		assert_false(settings_valid(&c, why, sizeof(why)));
		if (!strstr(why, s->key))
			fail_msg("%s: '%s'", s->key, why);
	}
	assert_false(settings_apply(&c, "OfferProbes", "1", why, sizeof(why)));
	assert_non_null(strstr(why, "OfferProbes=1: unknown setting (Mode, Order, "));
}

static void test_used(void **state)
{
	bool seen[SETTINGS] = { false };
	size_t count = 0;

	(void)state;
	for (uint64_t round = 0; round < seed_rounds(2); round++) {
		make_workload();
		for (size_t b = 0; b < sizeof(bases) / sizeof(bases[0]); b++)
			try_all(bases[b], seen);
	}
	for (size_t i = 0; i < SETTINGS; i++)
		count += seen[i];
	if (count < SETTINGS / 2)
		fail_msg("only %zu of %zu settings changed anything", count, SETTINGS);
}

int main(void)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(test_table),
						   cmocka_unit_test(test_bounds),
						   cmocka_unit_test(test_used) };

	return seed_run("test_settings", tests);
}

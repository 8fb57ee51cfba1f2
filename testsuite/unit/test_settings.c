/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_settings: what settings_used() says is so. A setting that a scheduler is said not to look at changes no
 * schedule; at least half of them change one, so that this can fail.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sim/run/settings.h"
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
	return s && simulate(&setup, &w, out, NULL, why, sizeof(why)) == PACT_OK;
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

	if (settings_apply(c, key, value, why, sizeof(why)))
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
	static const struct CMUnitTest tests[] = { cmocka_unit_test(test_used) };

	return seed_run("test_settings", tests);
}

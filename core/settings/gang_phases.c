/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gang_phases: see gang_phases.h. */
#include "core/settings/gang_phases.h"

#include <stdio.h>
#include <string.h>

#include "core/settings/config.h"

static const char *const names[PHASES] = { "clean",	"compact", "schedule", "collapse2",
					   "schedule2", "fill",	   "fill2" };

/* -1: no such name. */
static int find(const char *text, size_t n)
{
	for (int i = 0; i < PHASES; i++) {
		if (setting_is_name(text, n, names[i]))
			return i;
	}
	return -1;
}

/* Jobs get into the matrix, and are moved while they are in their home rows alone. */
static bool goes_together(int32_t phases)
{
	int32_t moving = 1 << PHASE_COMPACT | 1 << PHASE_COLLAPSE_2 | 1 << PHASE_FILL_2;

	return phases & 1 << PHASE_SCHEDULE && (phases & 1 << PHASE_CLEAN || !(phases & moving));
}

static bool parse(void *config, const char *value)
{
	struct sched_config *c = config;
	int32_t phases = 0;

	if (setting_is_name(value, strlen(value), "own")) {
		c->phases = 0;
		return true;
	}
	for (const char *at = value;; at++) {
		size_t n = strcspn(at, ",");
		int phase = find(at, n);

		/* each comes once, behind those before it */
		if (phase < 0 || phases >> phase)
			return false;
		phases |= 1 << phase;
		at += n;
		if (!*at)
			break;
	}
	if (goes_together(phases))
		c->phases = phases;
	return goes_together(phases);
}

static void format(const void *config, char *out, size_t size)
{
	const struct sched_config *c = config;
	size_t used = (size_t)snprintf(out, size, "%s", c->phases ? "" : "own");

	for (int i = 0; i < PHASES && used < size; i++) {
		if (c->phases >> i & 1)
			used += (size_t)snprintf(out + used, size - used, "%s%s", used ? "," : "",
						 names[i]);
	}
}

static bool valid(const void *config)
{
	const struct sched_config *c = config;

	return !c->phases || (c->phases > 0 && c->phases < 1 << PHASES && goes_together(c->phases));
}

const struct setting_own phases_setting = {
	.what = "own, or a list of some of clean, compact, schedule, collapse2, schedule2, fill, "
		"fill2 in "
		"this order, schedule among them; compact, collapse2 and fill2 only with clean",
	.parse = parse,
	.format = format,
	.valid = valid,
};

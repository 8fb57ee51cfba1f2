/* SPDX-License-Identifier: GPL-2.0-or-later */
/* settings: see settings.h. */
#include "sim/run/settings.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/number.h"
#include "common/why.h"
#include "sim/workload/workload.h"

static int wanted(char *why, size_t size, const char *key, const char *value, const char *what)
{
	return why_set(why, size, PACT_EINVAL, "%s=%s: %s wanted", key, value, what);
}

static int set_seconds(int64_t *out, const char *key, const char *value, char *why, size_t size)
{
	int64_t v;

	if (!number_int(value, &v) || v < 0 || v > WORKLOAD_MAX_TIME)
		return wanted(why, size, key, value, "whole seconds >= 0");
	*out = v;
	return PACT_OK;
}

static int set_mode(struct sched_config *c, const char *key, const char *value, char *why,
		    size_t size)
{
	if (!strcasecmp(value, "paper"))
		c->mode = SCHED_MODE_PAPER;
	else if (!strcasecmp(value, "slurm"))
		c->mode = SCHED_MODE_SLURM;
	else
		return wanted(why, size, key, value, "paper or slurm");
	return PACT_OK;
}

static int set_order(struct sched_config *c, const char *key, const char *value, char *why,
		     size_t size)
{
	if (!strcasecmp(value, "edf"))
		c->order = ORDER_EDF;
	else if (!strcasecmp(value, "llf"))
		c->order = ORDER_LLF;
	else
		return wanted(why, size, key, value, "edf or llf");
	return PACT_OK;
}

static int set_cost(struct sched_config *c, const char *key, const char *value, char *why,
		    size_t size)
{
	if (!strcasecmp(value, "slack"))
		c->cost = COST_SLACK;
	else if (!strcasecmp(value, "wait"))
		c->cost = COST_WAIT;
	else if (!strcasecmp(value, "area"))
		c->cost = COST_AREA;
	else if (!strcasecmp(value, "work"))
		c->cost = COST_WORK;
	else
		return wanted(why, size, key, value, "slack, wait, area or work");
	return PACT_OK;
}

static int set_slots(struct sched_config *c, const char *key, const char *value, char *why,
		     size_t size)
{
	if (!strcasecmp(value, "start"))
		c->slots = SLOTS_START;
	else if (!strcasecmp(value, "order"))
		c->slots = SLOTS_ORDER;
	else
		return wanted(why, size, key, value, "start or order");
	return PACT_OK;
}

static int set_compress(struct sched_config *c, const char *key, const char *value, char *why,
			size_t size)
{
	if (!strcasecmp(value, "arrival"))
		c->compress = COMPRESS_ARRIVAL;
	else if (!strcasecmp(value, "start"))
		c->compress = COMPRESS_START;
	else
		return wanted(why, size, key, value, "arrival or start");
	return PACT_OK;
}

static int set_admission(struct sched_config *c, const char *key, const char *value, char *why,
			 size_t size)
{
	if (!strcasecmp(value, "qops"))
		c->admission = true;
	else if (!strcasecmp(value, "none"))
		c->admission = false;
	else
		return wanted(why, size, key, value, "qops or none");
	return PACT_OK;
}

static int set_count(int32_t *out, const char *key, const char *value, char *why, size_t size)
{
	int64_t v;

	if (!number_int(value, &v) || v < 0 || v > 1000000)
		return wanted(why, size, key, value, "whole number from 0 to 1000000");
	*out = (int32_t)v;
	return PACT_OK;
}

static int set_relaxation(struct sched_config *c, const char *key, const char *value, char *why,
			  size_t size)
{
	int64_t v;

	if (!number_micro(value, &v) || v % 1000 || v > INT64_C(1000000000000))
		return wanted(why, size, key, value,
			      "number from 0 to 1000000, at most 3 decimals");
	c->relax_milli = v / 1000;
	return PACT_OK;
}

static int set_kfactor(struct sched_config *c, const char *key, const char *value, char *why,
		       size_t size)
{
	return set_count(&c->kfactor, key, value, why, size);
}

static int set_backtracks(struct sched_config *c, const char *key, const char *value, char *why,
			  size_t size)
{
	return set_count(&c->backtracks, key, value, why, size);
}

static int set_effort(struct sched_config *c, const char *key, const char *value, char *why,
		      size_t size)
{
	return set_count(&c->effort, key, value, why, size);
}

static int set_min_artificial(struct sched_config *c, const char *key, const char *value, char *why,
			      size_t size)
{
	return set_seconds(&c->min_artificial, key, value, why, size);
}

static int set_guard(struct sched_config *c, const char *key, const char *value, char *why,
		     size_t size)
{
	return set_seconds(&c->guard, key, value, why, size);
}

static int set_lateness(struct sched_config *c, const char *key, const char *value, char *why,
			size_t size)
{
	return set_seconds(&c->lateness, key, value, why, size);
}

#define PROMISING "qops, msb, mrt, qops-best, dynp"

/* Which schedulers look at it, as a list for people. */
static const struct setting {
	const char *key;
	int (*set)(struct sched_config *c, const char *key, const char *value, char *why,
		   size_t size);
	const char *users;
} settings[] = {
	{ "Mode", set_mode, "fcfs, easy, conservative, " PROMISING },
	{ "Order", set_order, PROMISING },
	{ "Admission", set_admission, PROMISING },
	{ "KFactor", set_kfactor, "qops, qops-best, dynp" },
	{ "Cost", set_cost, "msb, qops-best" },
	{ "Slots", set_slots, "msb" },
	{ "Compress", set_compress, "conservative" },
	{ "MaxBacktracks", set_backtracks, "mrt" },
	{ "Effort", set_effort, "mrt, qops-best" },
	{ "Relaxation", set_relaxation, PROMISING },
	{ "MinArtificialDeadline", set_min_artificial, PROMISING },
	{ "Guard", set_guard, "easy, conservative, " PROMISING },
	{ "Lateness", set_lateness, "conservative, " PROMISING },
};

#define SETTINGS (sizeof(settings) / sizeof(settings[0]))

static const struct setting *find(const char *key)
{
	for (size_t i = 0; i < SETTINGS; i++)
		if (!strcasecmp(settings[i].key, key))
			return &settings[i];
	return NULL;
}

/* All that there are. */
static void list_keys(char *text, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < SETTINGS && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "",
					 settings[i].key);
	for (size_t i = 0; dynp_config_keys[i] && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "; for dynp ",
					 dynp_config_keys[i]);
}

int settings_apply(struct sched_config *c, const char *key, const char *value, char *why,
		   size_t size)
{
	const struct setting *s = find(key);
	char keys[512];

	if (s)
		return s->set(c, key, value, why, size);
	switch (dynp_config_set(&c->dynp, key, value, why, size)) {
	case 1:
		return PACT_OK;
	case -1:
		return PACT_EINVAL;
	}
	list_keys(keys, sizeof(keys));
	return why_set(why, size, PACT_EINVAL, "%s=%s: unknown setting (%s)", key, value, keys);
}

/* Is the name one of a list's, "a, b, c"? */
static bool is_listed(const char *name, const char *list)
{
	size_t length = strlen(name);

	for (;;) {
		size_t n = strcspn(list, ",");

		if (n == length && !strncmp(list, name, n))
			return true;
		if (!list[n])
			return false;
		list += n + 2;
	}
}

/* Whether dynp looks at the key as it is configured; if not, why. Keys that are not here always count. */
static bool dynp_uses(const struct dynp_config *c, const char *key, char *why, size_t size)
{
	static const struct {
		const char *key, *deciders;
	} own[] = {
		{ "Quality", "simple, advanced, preferred" },
		{ "Slackness", "simple, advanced, preferred" },
		{ "FutureStarts", "simple, advanced, preferred" },
		{ "FutureTime", "simple, advanced, preferred" },
		{ "LowerBound", "basic" },
		{ "UpperBound", "basic" },
		{ "Threshold", "basic" },
		{ "Spread", "preferred" },
		{ "Gain", "preferred" },
	};

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (!strcasecmp(own[i].key, key) &&
		    !is_listed(dynp_decider_name(c->decider), own[i].deciders)) {
			why_set(why, size, 0, "dynp does not use it with Decider=%s (only with %s)",
				dynp_decider_name(c->decider), own[i].deciders);
			return false;
		}
	if (strcasecmp(key, "Gain") != 0 || c->spread)
		return true;
	why_set(why, size, 0, "dynp does not use it without Spread");
	return false;
}

bool settings_used(const struct sched_config *c, const char *scheduler, const char *key, char *why,
		   size_t size)
{
	const struct setting *s = find(key);
	const char *users = s ? s->users : "dynp";

	if (!is_listed(scheduler, users)) {
		why_set(why, size, 0, "scheduler %s does not use it (only %s)", scheduler, users);
		return false;
	}
	if (!s)
		return dynp_uses(&c->dynp, key, why, size);
	if (strcasecmp(key, "Order") != 0 || strcmp(scheduler, "msb") != 0 ||
	    c->slots == SLOTS_ORDER)
		return true;
	why_set(why, size, 0, "scheduler msb does not use it without Slots=order");
	return false;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* settings: see settings.h. */
#include "sim/settings.h"

#include <string.h>
#include <strings.h>

#include "sim/number.h"
#include "sim/why.h"
#include "sim/workload.h"

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

int settings_apply(struct sched_config *c, const char *key, const char *value, char *why,
		   size_t size)
{
	if (!strcasecmp(key, "Mode"))
		return set_mode(c, key, value, why, size);
	if (!strcasecmp(key, "Order"))
		return set_order(c, key, value, why, size);
	if (!strcasecmp(key, "Admission"))
		return set_admission(c, key, value, why, size);
	if (!strcasecmp(key, "KFactor"))
		return set_count(&c->kfactor, key, value, why, size);
	if (!strcasecmp(key, "Cost"))
		return set_cost(c, key, value, why, size);
	if (!strcasecmp(key, "Slots"))
		return set_slots(c, key, value, why, size);
	if (!strcasecmp(key, "MaxBacktracks"))
		return set_count(&c->backtracks, key, value, why, size);
	if (!strcasecmp(key, "Effort"))
		return set_count(&c->effort, key, value, why, size);
	if (!strcasecmp(key, "Relaxation"))
		return set_relaxation(c, key, value, why, size);
	if (!strcasecmp(key, "MinArtificialDeadline"))
		return set_seconds(&c->min_artificial, key, value, why, size);
	if (!strcasecmp(key, "Guard"))
		return set_seconds(&c->guard, key, value, why, size);
	if (!strcasecmp(key, "Lateness"))
		return set_seconds(&c->lateness, key, value, why, size);
	switch (dynp_config_set(&c->dynp, key, value, why, size)) {
	case 1:
		return PACT_OK;
	case -1:
		return PACT_EINVAL;
	}
	return why_set(why, size, PACT_EINVAL,
		       "%s=%s: unknown setting (Mode, Order, Admission, KFactor, Cost, Slots, "
		       "MaxBacktracks, Effort, Relaxation, MinArtificialDeadline, Guard, "
		       "Lateness; for dynp Policies, Decider, Quality, Slackness, FutureStarts, "
		       "FutureTime, Spread, Gain, LowerBound, UpperBound, Threshold, JobPriority)",
		       key, value);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* settings: see settings.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/settings/dynp_lists.h"
#include "core/settings/gang_phases.h"
#include "core/settings/settings.h"

/* The schedulers that make promises. */
#define PROMISING "qops, msb, mrt, qops-best, dynp, bgs, mbgs"
/* Those that share nodes by deadline. */
#define SHARING "libra, librarisk, demand"
/* Those that let jobs take turns on an Ousterhout matrix. */
#define GANG "gs, bgs, mgs, mbgs, ambgs"
#define MIGRATING "mgs, mbgs, ambgs"
/* Those whose plan is looked at for nodes that can be lent. */
#define LENDING "conservative, qops, msb, mrt, qops-best, dynp"
/* Those of jobs with a range of nodes that promise. */
#define MALLEABLE "profit, lazy"
#define MOST_SECONDS INT64_C(100000000000)
#define DYNP_MOST (INT64_C(1) << 40)
/* All deciders but the basic one. */
#define PLANS_ARE_COMPARED \
	{ \
		NULL, "Decider", "simple, advanced, preferred" \
	}

/* In the order of the enums. */
static const char *const mode_words[] = { "paper", "slurm", NULL };
static const char *const order_words[] = { "fcfs", "sjf", "ljf", "edf", "llf", "priority", NULL };
static const char *const cost_words[] = { "slack", "wait", "area", "work", "own", NULL };
static const char *const slots_words[] = { "start", "order", NULL };
static const char *const compress_words[] = { "arrival", "start", NULL };
static const char *const spare_words[] = { "share", "idle", NULL };
static const char *const parts_words[] = { "independent", "step", NULL };
static const char *const node_choice_words[] = { "order", "best", NULL };
static const char *const cut_words[] = { "keep", "next", NULL };
static const char *const columns_words[] = { "lowest", "aligned", NULL };
static const char *const queue_words[] = { "fcfs", "sjf", "bfit", "wfit", NULL };
static const char *const loans_words[] = { "none", "uniform", "profit", NULL };
static const char *const no_yes_words[] = { "no", "yes", NULL };
static const char *const admission_words[] = { "none", "qops", NULL };
static const char *const decider_words[] = { "simple", "advanced", "basic", "preferred", NULL };
static const char *const priority_words[] = { "none", "ties", "first", NULL };

/* A job of any length has a row. */
static bool short_rows_leave_one(const void *config, char *why, size_t size)
{
	const struct sched_config *c = config;

	if (c->short_rows < c->rows || !c->short_rows)
		return true;
	if (why)
		snprintf(why, size, "ShortRows=%d: must be below Rows=%d", c->short_rows, c->rows);
	return false;
}

/* In each of its slices a job does something, or it would never end. */
static bool switch_leaves_time(const void *config, char *why, size_t size)
{
	const struct sched_config *c = config;
	char part[32];

	/* four decimals, and half a second up, as the engine counts it */
	if ((c->slice * c->switch_cost + 5000) / 10000 < c->slice)
		return true;
	setting_format(setting_find(sched_settings, "Switch"), config, part, sizeof(part));
	if (why)
		snprintf(why, size,
			 "Switch=%s: must leave a second, of whole ones, of Slice=%" PRId64, part,
			 c->slice);
	return false;
}

const struct setting sched_settings[] = {
#define SETTING_LIST(name, ...) { .key = #name, .type = SETTING_OWN, __VA_ARGS__ },
#define SETTING(name, at, ctype, ...) \
	{ .key = #name, \
	  .member = #at, \
	  .offset = offsetof(struct sched_config, at), \
	  .type = SETTING_TYPE(sched_config, at), \
	  __VA_ARGS__ },
#include "core/settings/plain.def"
#undef SETTING
#define SETTING(name, at, ctype, ...) \
	{ .key = #name, \
	  .member = #at, \
	  .offset = offsetof(struct sched_config, dynp.at), \
	  .type = SETTING_TYPE(sched_config, dynp.at), \
	  __VA_ARGS__ },
#include "core/settings/dynp.def"
	{ .key = NULL },
};

const char *dynp_decider_name(enum dynp_decider decider)
{
	return decider_words[decider];
}

void sched_config_init(struct sched_config *c)
{
	memset(c, 0, sizeof(*c));
	setting_begin(sched_settings, c, SETTING_BY_SET);
}

void settings_unsaid(struct sched_config *c)
{
	memset(c, 0, sizeof(*c));
	for (const struct setting *s = sched_settings; s->key; s++) {
		bool number = s->type == SETTING_I32 || s->type == SETTING_I64;

		if (number && s->least > 0 && s->initial)
			setting_set(s, c, 0, s->initial, NULL, 0);
	}
}

bool settings_valid(const struct sched_config *c, char *why, size_t size)
{
	return setting_valid(sched_settings, c, why, size);
}

/* All that --set takes. */
static void list_keys(char *text, size_t size)
{
	size_t used = 0;

	for (const struct setting *s = sched_settings; s->key && used < size; s++) {
		if (s->by & SETTING_BY_SET)
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
						 s->key);
	}
}

static const struct setting *find(const char *key)
{
	const struct setting *s = setting_find(sched_settings, key);

	return s && s->by & SETTING_BY_SET ? s : NULL;
}

bool settings_apply(struct sched_config *c, const char *key, const char *value, char *why,
		    size_t size)
{
	const struct setting *s = find(key);
	char keys[512];

	if (s)
		return setting_set(s, c, SETTING_BY_SET, value, why, size);
	list_keys(keys, sizeof(keys));
	if (why)
		snprintf(why, size, "%s=%s: unknown setting (%s)", key, value, keys);
	return false;
}

/* Whether a condition holds; if not, why. */
static bool meets(const struct setting_need *need, const struct sched_config *c,
		  const char *scheduler, char *why, size_t size)
{
	const struct setting *other = setting_find(sched_settings, need->key);
	char value[128];

	setting_format(other, c, value, sizeof(value));
	if (need->values ? setting_listed(value, need->values) : strcmp(value, "0") != 0)
		return true;
	if (need->values)
		snprintf(why, size, "scheduler %s does not use it with %s=%s (only with %s)",
			 scheduler, need->key, value, need->values);
	else
		snprintf(why, size, "scheduler %s does not use it without %s", scheduler,
			 need->key);
	return false;
}

bool settings_used(const struct sched_config *c, const char *scheduler, const char *key, char *why,
		   size_t size)
{
	const struct setting *s = find(key);

	if (!setting_listed(scheduler, s->users)) {
		snprintf(why, size, "scheduler %s does not use it (only %s)", scheduler, s->users);
		return false;
	}
	for (size_t i = 0; i < sizeof(s->needs) / sizeof(s->needs[0]); i++) {
		const struct setting_need *need = &s->needs[i];

		if (need->key && (!need->scheduler || !strcmp(need->scheduler, scheduler)) &&
		    !meets(need, c, scheduler, why, size))
			return false;
	}
	return true;
}

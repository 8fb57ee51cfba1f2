/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sweep: see sweep.h. */
#include "sim/commands/sweep.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/sched.h"
#include "common/number.h"
#include "common/why.h"

#define MAX_SEEDS 100000

void sweep_init(struct sweep *s)
{
	memset(s, 0, sizeof(*s));
	run_options_init(&s->base);
	s->count = 1;
}

void sweep_release(struct sweep *s)
{
	for (size_t a = 0; a < s->naxes; a++) {
		struct sweep_axis *axis = &s->axis[a];

		for (size_t i = 0; i < axis->count; i++) {
			free(axis->value[i]);
			if (axis->setting)
				free(axis->setting[i]);
		}
		free(axis->value);
		free(axis->setting);
		free(axis->key);
	}
	memset(s, 0, sizeof(*s));
}

static int no_memory(char *why, size_t size)
{
	return why_set(why, size, PACT_ENOMEM, "out of memory");
}

static int axis_open(struct sweep *s, const char *key, size_t length, char *why, size_t size)
{
	struct sweep_axis *axis = &s->axis[s->naxes];

	if (s->naxes == SWEEP_MAX_AXES)
		return why_set(why, size, PACT_EINVAL, "--sweep %.*s: more than %d keys",
			       (int)length, key, SWEEP_MAX_AXES);
	for (size_t a = 0; a < s->naxes; a++)
		if (strlen(s->axis[a].key) == length && !strncasecmp(s->axis[a].key, key, length))
			return why_set(why, size, PACT_EINVAL, "--sweep %s: given twice",
				       s->axis[a].key);
	axis->key = strndup(key, length);
	if (!axis->key)
		return no_memory(why, size);
	s->naxes++;
	if (run_options_given(&s->base, axis->key))
		return why_set(why, size, PACT_EINVAL,
			       "--sweep %s: it is given as an option, too, as --%s %s", axis->key,
			       run_options_given(&s->base, axis->key)->option,
			       run_options_given(&s->base, axis->key)->value);
	return PACT_OK;
}

/* Set the axis' value i in *o. */
static int apply(const struct sweep_axis *axis, size_t i, struct run_options *o, char *why,
		 size_t size)
{
	return axis->setting ? run_options_set(o, "set", axis->setting[i], why, size)
			     : run_options_set(o, axis->key, axis->value[i], why, size);
}

/* "KEY=VALUE", for --set. */
static char *make_setting(const char *key, const char *value)
{
	size_t size = strlen(key) + strlen(value) + 2;
	char *text = malloc(size);

	if (text)
		snprintf(text, size, "%s=%s", key, value);
	return text;
}

/* Room for one more text: the list doubles whenever its length is a power of two. */
static bool make_room(char ***list, size_t count)
{
	char **grown;

	if (count & (count - 1))
		return true;
	grown = realloc(*list, (count ? 2 * count : 1) * sizeof(*grown));
	if (grown)
		*list = grown;
	return grown != NULL;
}

static int axis_grow(struct sweep_axis *axis, const char *value, size_t length, bool setting)
{
	size_t i = axis->count;

	if (!make_room(&axis->value, i) || (setting && !make_room(&axis->setting, i)))
		return PACT_ENOMEM;
	axis->value[i] = strndup(value, length);
	if (!axis->value[i])
		return PACT_ENOMEM;
	if (setting)
		axis->setting[i] = make_setting(axis->key, axis->value[i]);
	axis->count++;
	return setting && !axis->setting[i] ? PACT_ENOMEM : PACT_OK;
}

static int axis_add(struct sweep *s, struct sweep_axis *axis, const char *value, size_t length,
		    bool setting, char *why, size_t size)
{
	struct run_options o = s->base;

	if (axis_grow(axis, value, length, setting) != PACT_OK)
		return no_memory(why, size);
	return apply(axis, axis->count - 1, &o, why, size);
}

/* Whether the last value of the axis was there before. */
static bool repeated(const struct sweep_axis *axis)
{
	for (size_t i = 0; i + 1 < axis->count; i++)
		if (!strcmp(axis->value[i], axis->value[axis->count - 1]))
			return true;
	return false;
}

/* Whether it is an option of a run; else it must be a setting. */
static bool is_option(const char *key)
{
	struct run_options o;

	run_options_init(&o);
	return strcmp(key, "set") != 0 && run_options_set(&o, key, "", NULL, 0) != PACT_ENOENT;
}

static int axis_close(struct sweep *s, char *why, size_t size)
{
	s->count *= s->axis[s->naxes - 1].count;
	if (s->count > SWEEP_MAX_RUNS)
		return why_set(why, size, PACT_EINVAL, "these are more than %d runs",
			       SWEEP_MAX_RUNS);
	return PACT_OK;
}

int sweep_add(struct sweep *s, const char *text, char *why, size_t size)
{
	const char *equals = strchr(text, '='), *p;
	const char *between;
	bool setting;
	int err;

	if (!equals || equals == text)
		return why_set(why, size, PACT_EINVAL, "--sweep %s: not KEY=VALUE,...", text);
	if (!strncmp(text, "set=", 4))
		return why_set(why, size, PACT_EINVAL,
			       "--sweep %s: a setting is swept by its own key, as in KFactor=0,5",
			       text);
	err = axis_open(s, text, (size_t)(equals - text), why, size);
	if (err)
		return err;
	setting = !is_option(s->axis[s->naxes - 1].key);
	between = strchr(equals, ';') ? ";" : ",";
	for (p = equals + 1;; p++) {
		size_t length = strcspn(p, between);

		if (!length)
			return why_set(why, size, PACT_EINVAL, "--sweep %s: a value is missing",
				       text);
		err = axis_add(s, &s->axis[s->naxes - 1], p, length, setting, why, size);
		if (err)
			return err;
		if (repeated(&s->axis[s->naxes - 1]))
			return why_set(why, size, PACT_EINVAL, "--sweep %s: %.*s is given twice",
				       text, (int)length, p);
		p += length;
		if (!*p)
			return axis_close(s, why, size);
	}
}

static int add_range(struct sweep *s, const char *text, uint64_t from, uint64_t to, char *why,
		     size_t size)
{
	int err = PACT_OK;

	if (from > to || to - from >= MAX_SEEDS)
		return why_set(why, size, PACT_EINVAL, "--seeds %s: not 1 to %d seeds", text,
			       MAX_SEEDS);
	for (uint64_t i = 0; i <= to - from && !err; i++) {
		char value[24];

		snprintf(value, sizeof(value), "%" PRIu64, from + i);
		err = axis_add(s, &s->axis[s->naxes - 1], value, strlen(value), false, why, size);
	}
	return err ? err : axis_close(s, why, size);
}

int sweep_add_seeds(struct sweep *s, const char *text, char *why, size_t size)
{
	const char *colon = strchr(text, ':');
	uint64_t from, to;
	char first[24];
	char list[4096];
	int err;

	if (!colon) {
		if ((size_t)snprintf(list, sizeof(list), "seed=%s", text) >= sizeof(list))
			return why_set(why, size, PACT_EINVAL, "--seeds: the list is too long");
		return sweep_add(s, list, why, size);
	}
	snprintf(first, sizeof(first), "%.*s", (int)(colon - text), text);
	if ((size_t)(colon - text) >= sizeof(first) || !number_unsigned(first, &from) ||
	    !number_unsigned(colon + 1, &to))
		return why_set(why, size, PACT_EINVAL, "--seeds %s: FIRST:LAST or a list wanted",
			       text);
	err = axis_open(s, "seed", 4, why, size);
	return err ? err : add_range(s, text, from, to, why, size);
}

/* Where the run stands on the axis. */
static size_t place(const struct sweep *s, size_t run, size_t axis)
{
	for (size_t a = s->naxes - 1; a > axis; a--)
		run /= s->axis[a].count;
	return run % s->axis[axis].count;
}

const char *sweep_value(const struct sweep *s, size_t run, size_t axis)
{
	return s->axis[axis].value[place(s, run, axis)];
}

int sweep_options(const struct sweep *s, size_t run, struct run_options *o, char *why, size_t size)
{
	int err = PACT_OK;

	*o = s->base;
	for (size_t a = 0; a < s->naxes && !err; a++)
		err = apply(&s->axis[a], place(s, run, a), o, why, size);
	return err ? err : run_options_check(o, why, size);
}

/* The run whose options say why what is given there has no part in it comes first. */
int sweep_check(const struct sweep *s, char *why, size_t size)
{
	size_t things = s->base.ngiven + s->naxes;
	bool used[RUN_MAX_GIVEN] = { false };
	struct run_options o;
	char reason[512];
	int err = PACT_OK;

	for (size_t run = 0; run < s->count && !err; run++) {
		err = sweep_options(s, run, &o, why, size);
		for (size_t i = 0; i < things && !err; i++)
			used[i] = used[i] || run_options_uses(&o, i, NULL, 0);
	}
	for (size_t i = 0; i < things && !err; i++) {
		if (used[i])
			continue;
		err = sweep_options(s, 0, &o, why, size);
		run_options_uses(&o, i, reason, sizeof(reason));
		err = err ? err
			  : why_set(why, size, PACT_EINVAL, "%s; so it is in all runs", reason);
	}
	return err;
}

void sweep_describe(const struct sweep *s, size_t run, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t a = 0; a < s->naxes && used < size; a++)
		used += (size_t)snprintf(text + used, size - used, "%s%s=%s", a ? " " : "",
					 s->axis[a].key, sweep_value(s, run, a));
}

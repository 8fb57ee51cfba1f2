/* SPDX-License-Identifier: GPL-2.0-or-later */
/* answers: see answers.h. */
#include "sim/run/answers.h"

#include <stdio.h>
#include <string.h>

#include "common/number.h"
#include "common/rng.h"
#include "common/why.h"
#include "core/sched.h"
#include "sim/workload/workload.h"

#define MICRO INT64_C(1000000)

void answers_init(struct answers *a)
{
	*a = (struct answers){ .on = false };
}

static bool take_seconds(const char *text, int64_t *seconds)
{
	return number_int(text, seconds) && *seconds >= 0 && *seconds <= WORKLOAD_MAX_TIME;
}

/* SECONDS or LOW-HIGH. */
static bool take_time(struct answers *a, char *text)
{
	char *high = strchr(text, '-');

	if (high)
		*high++ = '\0';
	return take_seconds(text, &a->low) && take_seconds(high ? high : text, &a->high) &&
	       a->low <= a->high;
}

static bool take_refuse(struct answers *a, const char *text)
{
	return number_micro(text, &a->refuse_micro) && a->refuse_micro <= MICRO;
}

/* One "key:value" of the list; seen[] tells the keys that came before. */
static int parse_item(char *item, struct answers *a, bool seen[2], char *why, size_t size)
{
	char *value = strchr(item, ':'), copy[64];
	bool time = value && !strncmp(item, "time:", 5);

	if (!value)
		return why_set(why, size, PACT_EINVAL, "'%s' is not key:value", item);
	*value++ = '\0';
	if (!time && strcmp(item, "refuse") != 0)
		return why_set(why, size, PACT_EINVAL, "unknown key '%s' (time, refuse)", item);
	if (seen[time])
		return why_set(why, size, PACT_EINVAL, "%s:%s: %s is given twice", item, value,
			       item);
	seen[time] = true;
	snprintf(copy, sizeof(copy), "%s", value);
	if (strlen(value) < sizeof(copy) && (time ? take_time(a, copy) : take_refuse(a, value)))
		return PACT_OK;
	return why_set(why, size, PACT_EINVAL, "%s:%s is not %s", item, value,
		       time ? "SECONDS or LOW-HIGH, in whole seconds" : "a number from 0 to 1");
}

int answers_parse(const char *text, struct answers *a, char *why, size_t size)
{
	char copy[256], *next, *item;
	bool seen[2] = { false };
	int err = PACT_OK;

	answers_init(a);
	if (strlen(text) >= sizeof(copy))
		return why_set(why, size, PACT_EINVAL, "text is too long");
	snprintf(copy, sizeof(copy), "%s", text);
	item = strtok_r(copy, ",", &next);
	if (!item)
		return why_set(why, size, PACT_EINVAL, "a list of key:value wanted");
	for (; item && !err; item = strtok_r(NULL, ",", &next))
		err = parse_item(item, a, seen, why, size);
	if (err)
		answers_init(a);
	a->on = !err;
	return err;
}

int64_t answers_draw(const struct answers *a, struct rng *rng)
{
	bool refuses = (int64_t)rng_below(rng, MICRO) < a->refuse_micro;
	int64_t time = rng_range(rng, a->low, a->high);

	return refuses ? ANSWER_NEVER : time;
}

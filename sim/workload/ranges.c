/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ranges: see ranges.h. */
#include "sim/workload/ranges.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/number.h"
#include "common/rng.h"
#include "common/why.h"
#include "core/sched.h"
#include "sim/workload/curve.h"

#define MICRO INT64_C(1000000)

__extension__ typedef unsigned __int128 uint128;

void ranges_init(struct ranges *r)
{
	*r = (struct ranges){
		.fraction_micro = MICRO,
		.least_micro = MICRO / 2,
		.most_micro = 2 * MICRO,
		.speedup = &curve_linear,
	};
}

static int take_speedup(struct ranges *r, const char *value)
{
	const struct list64 *curve = curve_by_name(value);

	r->speedup = curve ? curve : r->speedup;
	return curve ? PACT_OK : PACT_EINVAL;
}

/* The keys whose value is a number, in millionths. */
static const struct {
	const char *name;
	size_t offset;
	int64_t lo, hi;
	const char *wanted;
} numbers[] = {
	{ "fraction", offsetof(struct ranges, fraction_micro), 0, MICRO, "a number from 0 to 1" },
	{ "least", offsetof(struct ranges, least_micro), 1, MICRO, "a factor above 0, up to 1" },
	{ "most", offsetof(struct ranges, most_micro), MICRO, 1000 * MICRO,
	  "a factor from 1 to 1000" },
	{ "value", offsetof(struct ranges, value_micro), 0, MICRO *MICRO,
	  "a number from 0 to 1000000" },
};

#define NUMBERS (sizeof(numbers) / sizeof(numbers[0]))
#define SPEEDUP NUMBERS /* behind them */
#define KEYS (NUMBERS + 1)

static size_t find_key(const char *name)
{
	size_t k = 0;

	while (k < NUMBERS && strcmp(numbers[k].name, name) != 0)
		k++;
	return k < NUMBERS || !strcmp(name, "speedup") ? k : KEYS;
}

static int take_number(struct ranges *r, size_t k, const char *value)
{
	int64_t v;

	if (!number_micro(value, &v) || v < numbers[k].lo || v > numbers[k].hi)
		return PACT_EINVAL;
	*(int64_t *)(void *)((char *)r + numbers[k].offset) = v;
	return PACT_OK;
}

/* One "key:value" of the list; seen[] tells the keys that came before. */
static int parse_item(char *item, struct ranges *r, bool seen[KEYS], char *why, size_t size)
{
	char *value = strchr(item, ':');
	size_t k;

	if (!value)
		return why_set(why, size, PACT_EINVAL, "'%s' is not key:value", item);
	*value++ = '\0';
	k = find_key(item);
	if (k == KEYS)
		return why_set(why, size, PACT_EINVAL,
			       "unknown key '%s' (fraction, least, most, speedup, value)", item);
	if (seen[k])
		return why_set(why, size, PACT_EINVAL, "%s:%s: %s is given twice", item, value,
			       item);
	seen[k] = true;
	if (k == SPEEDUP ? take_speedup(r, value) : take_number(r, k, value))
		return why_set(why, size, PACT_EINVAL, "%s:%s is not %s", item, value,
			       k == SPEEDUP ? "linear or table" : numbers[k].wanted);
	return PACT_OK;
}

int ranges_parse(const char *text, struct ranges *r, char *why, size_t size)
{
	char copy[256], *next, *item;
	bool seen[KEYS] = { false };
	int err = PACT_OK;

	ranges_init(r);
	if (!strcmp(text, "none"))
		return PACT_OK;
	if (strlen(text) >= sizeof(copy))
		return why_set(why, size, PACT_EINVAL, "text is too long");
	snprintf(copy, sizeof(copy), "%s", text);
	item = strtok_r(copy, ",", &next);
	if (!item)
		return why_set(why, size, PACT_EINVAL, "none or a list of key:value wanted");
	for (; item && !err; item = strtok_r(NULL, ",", &next))
		err = parse_item(item, r, seen, why, size);
	if (err)
		ranges_init(r);
	r->on = !err;
	return err;
}

/* It has this range from now on; runtime and estimate are those on its least. */
static int stretch(struct sim_job *j, const struct ranges *r, int32_t least, int32_t most,
		   char *why, size_t size)
{
	int64_t estimate = curve_time(r->speedup, j->estimate, j->width, least);

	if (estimate > WORKLOAD_MAX_TIME)
		return why_set(why, size, PACT_EINVAL,
			       "malleable: job %" PRIu64 ": its estimate on %" PRId32
			       " nodes is beyond %" PRId64 " seconds",
			       j->id, least, WORKLOAD_MAX_TIME);
	j->estimate = estimate;
	j->runtime = curve_time(r->speedup, j->runtime, j->width, least);
	j->width = least;
	j->most = most;
	j->speedup = r->speedup;
	return PACT_OK;
}

static int make_range(struct sim_job *j, const struct ranges *r, uint32_t nodes, char *why,
		      size_t size)
{
	int64_t least = (j->width * r->least_micro + MICRO - 1) / MICRO;
	int64_t most = j->width * r->most_micro / MICRO;

	if (most > nodes)
		most = nodes;
	if (j->most || least >= most)
		return PACT_OK;
	return stretch(j, r, (int32_t)least, (int32_t)most, why, size);
}

int ranges_apply(const struct ranges *r, struct workload *w, uint32_t nodes, uint64_t seed,
		 char *why, size_t size)
{
	struct rng rng;
	int err = PACT_OK;

	if (!r->on)
		return PACT_OK;
	rng_seed(&rng, seed, RNG_RANGES);
	for (size_t i = 0; i < w->count && !err; i++) {
		struct sim_job *j = &w->job[i];
		bool chosen = (int64_t)rng_below(&rng, MICRO) < r->fraction_micro;
		uint64_t value = rng_exponential_q32(&rng);

		if (!chosen)
			continue;
		err = make_range(j, r, nodes, why, size);
		if (j->most && r->value_micro)
			j->value = (int64_t)(((uint128)r->value_micro * value) >> 32);
	}
	return err;
}

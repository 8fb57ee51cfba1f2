/* SPDX-License-Identifier: GPL-2.0-or-later */
/* deadlines: see deadlines.h. */
#include "sim/run/deadlines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/sched.h"
#include "common/number.h"
#include "common/rng.h"
#include "sim/run/simulate.h"
#include "common/why.h"

#define MICRO INT64_C(1000000)
#define MAX_RELAX INT64_C(1000000) /* as of the setting Relaxation */

static void set_none(struct deadlines *d)
{
	d->on = false;
	d->file = NULL;
	d->stringency_micro = 0;
	d->fraction_micro = MICRO;
	d->relax_micro = -1;
	d->slack = -1;
}

static const char *const keys[] = { "stringency", "fraction", "relax", "slack" };

#define KEYS (sizeof(keys) / sizeof(keys[0]))

static size_t find_key(const char *name)
{
	size_t k = 0;

	while (k < KEYS && strcmp(keys[k], name) != 0)
		k++;
	return k;
}

bool deadlines_has_key(const char *key)
{
	return find_key(key) < KEYS;
}

int deadlines_set(struct deadlines *d, const char *key, const char *value, char *why, size_t size)
{
	size_t k = find_key(key);
	int64_t v;

	if (k == KEYS)
		return why_set(why, size, PACT_ENOENT,
			       "deadlines: unknown key '%s' (stringency, fraction, relax, slack)",
			       key);
	if (!number_micro(value, &v))
		return why_set(why, size, PACT_EINVAL, "deadlines: %s:%s is not a number >= 0", key,
			       value);
	if (!strcmp(key, "slack")) {
		if (v % MICRO || v / MICRO > WORKLOAD_MAX_TIME)
			return why_set(why, size, PACT_EINVAL,
				       "deadlines: slack:%s is not a number of whole seconds up to "
				       "%" PRId64,
				       value, WORKLOAD_MAX_TIME);
		d->slack = v / MICRO;
	} else if (!strcmp(key, "relax")) {
		if (v % 1000 || v > MAX_RELAX * MICRO)
			return why_set(why, size, PACT_EINVAL,
				       "deadlines: relax:%s is not a number from 0 to %" PRId64
				       " with at most 3 decimals",
				       value, MAX_RELAX);
		d->relax_micro = v;
	} else if (v > MICRO) {
		return why_set(why, size, PACT_EINVAL, "deadlines: %s:%s is more than 1", key,
			       value);
	} else if (!strcmp(key, "stringency")) {
		d->stringency_micro = v;
	} else {
		d->fraction_micro = v;
	}
	d->on = true;
	return PACT_OK;
}

/* One "key:value" of the list; seen[] tells the keys that came before. */
static int parse_item(char *item, struct deadlines *d, bool seen[KEYS], char *why, size_t size)
{
	char *value = strchr(item, ':');
	size_t k;
	int err;

	if (!value)
		return why_set(why, size, PACT_EINVAL, "deadlines: '%s' is not key:value", item);
	*value++ = '\0';
	k = find_key(item);
	if (k < KEYS && seen[k])
		return why_set(why, size, PACT_EINVAL, "deadlines: %s:%s: %s is given twice", item,
			       value, item);
	err = deadlines_set(d, item, value, why, size);
	if (!err)
		seen[k] = true;
	return err ? PACT_EINVAL : PACT_OK;
}

int deadlines_parse(const char *text, struct deadlines *d, char *why, size_t size)
{
	char copy[256], *next, *item;
	bool seen[KEYS] = { false };
	int err = PACT_OK;

	set_none(d);
	if (!strcmp(text, "none"))
		return PACT_OK;
	if (!strncmp(text, "file:", 5)) {
		if (!text[5])
			return why_set(why, size, PACT_EINVAL,
				       "deadlines: '%s' names no file, as in file:deadlines.csv",
				       text);
		d->on = true;
		d->file = text + 5;
		return PACT_OK;
	}
	if (strlen(text) >= sizeof(copy))
		return why_set(why, size, PACT_EINVAL, "deadlines: text is too long");
	strcpy(copy, text);
	for (item = strtok_r(copy, ",", &next); item && !err; item = strtok_r(NULL, ",", &next))
		err = parse_item(item, d, seen, why, size);
	if (!err && !seen[0])
		err = why_set(why, size, PACT_EINVAL, "deadlines: '%s' lacks stringency:S", text);
	if (err)
		set_none(d);
	return err;
}

/* One job's deadline from its response time under EASY. */
static int64_t deadline_of(const struct deadlines *d, const struct sim_job *job, int64_t response,
			   int64_t guard)
{
	int64_t share =
		(int64_t)((__extension__(__int128) response * (MICRO - d->stringency_micro)) /
			  MICRO);
	int64_t least = job->estimate + guard;

	return job->submit + (share > least ? share : least) + (d->slack > 0 ? d->slack : 0);
}

/* They are there already, as seconds after the submission. */
static void count_from_submission(const struct deadlines *d, struct workload *w)
{
	for (size_t i = 0; i < w->count; i++) {
		struct sim_job *job = &w->job[i];

		if (job->deadline)
			job->deadline += job->submit + (d->slack > 0 ? d->slack : 0);
	}
}

int deadlines_assign(const struct deadlines *d, struct workload *w, uint32_t nodes, int64_t guard,
		     uint64_t seed, char *why, size_t size)
{
	struct sim_setup setup = { .scheduler = "easy", .nodes = nodes };
	struct sim_outcome *out;
	struct rng rng;
	int err;

	if (d->file) {
		count_from_submission(d, w);
		return PACT_OK;
	}
	for (size_t i = 0; i < w->count; i++)
		w->job[i].deadline = 0;
	if (!d->on || !w->count)
		return PACT_OK;
	out = calloc(w->count, sizeof(*out));
	if (!out)
		return why_set(why, size, PACT_ENOMEM, "deadlines: out of memory");
	sched_config_init(&setup.config);
	err = simulate(&setup, w, out, NULL, why,
		       size); /* whole nodes without names: nothing to release */
	rng_seed(&rng, seed, RNG_DEADLINES);
	for (size_t i = 0; i < w->count && !err; i++) {
		struct sim_job *job = &w->job[i];

		if ((int64_t)rng_below(&rng, MICRO) < d->fraction_micro)
			job->deadline = deadline_of(d, job, out[i].end - job->submit, guard);
	}
	free(out);
	return err;
}

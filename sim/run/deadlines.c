/* SPDX-License-Identifier: GPL-2.0-or-later */
/* deadlines: see deadlines.h. */
#include "sim/run/deadlines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sched.h"
#include "common/number.h"
#include "common/rng.h"
#include "sim/run/simulate.h"
#include "sim/workload/job_lines.h"
#include "common/why.h"

#define MICRO INT64_C(1000000)
#define MAX_RELAX INT64_C(1000000) /* as of the setting Relaxation */

#define MAX_FACTOR INT64_C(1000)

static void set_none(struct deadlines *d)
{
	*d = (struct deadlines){
		.fraction_micro = MICRO,
		.urgency_micro = MICRO / 5,
		.mean_micro = 4 * MICRO,
		.ratio_micro = 4 * MICRO,
		.relax_micro = -1,
		.slack = -1,
	};
}

/* ---- the keys ---- */

static int wrong(const char *key, const char *value, const char *what, char *why, size_t size)
{
	return why_set(why, size, PACT_EINVAL, "deadlines: %s:%s %s", key, value, what);
}

static int take_share(const char *key, const char *value, int64_t *micro, char *why, size_t size)
{
	int64_t v;

	if (!number_micro(value, &v))
		return wrong(key, value, "is not a number >= 0", why, size);
	if (v > MICRO)
		return wrong(key, value, "is more than 1", why, size);
	*micro = v;
	return PACT_OK;
}

static int take_stringency(struct deadlines *d, const char *value, char *why, size_t size)
{
	return take_share("stringency", value, &d->stringency_micro, why, size);
}

static int take_urgency(struct deadlines *d, const char *value, char *why, size_t size)
{
	return take_share("urgency", value, &d->urgency_micro, why, size);
}

static int take_fraction(struct deadlines *d, const char *value, char *why, size_t size)
{
	return take_share("fraction", value, &d->fraction_micro, why, size);
}

static int take_factor(const char *key, const char *value, int64_t *micro, char *why, size_t size)
{
	int64_t v;

	if (!number_micro(value, &v) || v < 1 || v > MAX_FACTOR * MICRO)
		return wrong(key, value, "is not a number above 0, up to 1000", why, size);
	*micro = v;
	return PACT_OK;
}

static int take_mean(struct deadlines *d, const char *value, char *why, size_t size)
{
	return take_factor("mean", value, &d->mean_micro, why, size);
}

static int take_ratio(struct deadlines *d, const char *value, char *why, size_t size)
{
	return take_factor("ratio", value, &d->ratio_micro, why, size);
}

static int take_estimate(struct deadlines *d, const char *value, char *why, size_t size)
{
	char copy[64], *high;
	int64_t from, to;

	snprintf(copy, sizeof(copy), "%s", value);
	high = strchr(copy, '-');
	if (high)
		*high++ = '\0';
	if (strlen(value) >= sizeof(copy) || !high || !number_micro(copy, &from) ||
	    !number_micro(high, &to) || to > MAX_FACTOR * MICRO)
		return wrong("estimate", value,
			     "is not LOW-HIGH, two factors from 0 to 1000, as in 0.1-2", why, size);
	if (from > to || !to)
		return wrong("estimate", value,
			     to ? "has a LOW above its HIGH" : "leaves no time at all", why, size);
	d->low_micro = from;
	d->high_micro = to;
	return PACT_OK;
}

static int take_relax(struct deadlines *d, const char *value, char *why, size_t size)
{
	int64_t v;

	if (!number_micro(value, &v))
		return wrong("relax", value, "is not a number >= 0", why, size);
	if (v % 1000 || v > MAX_RELAX * MICRO)
		return why_set(why, size, PACT_EINVAL,
			       "deadlines: relax:%s is not a number from 0 to %" PRId64
			       " with at most 3 decimals",
			       value, MAX_RELAX);
	d->relax_micro = v;
	return PACT_OK;
}

static int take_slack(struct deadlines *d, const char *value, char *why, size_t size)
{
	int64_t v;

	if (!number_micro(value, &v))
		return wrong("slack", value, "is not a number >= 0", why, size);
	if (v % MICRO || v / MICRO > WORKLOAD_MAX_TIME)
		return why_set(why, size, PACT_EINVAL,
			       "deadlines: slack:%s is not a number of whole seconds up to "
			       "%" PRId64,
			       value, WORKLOAD_MAX_TIME);
	d->slack = v / MICRO;
	return PACT_OK;
}

/* The keys, and by what the deadlines are made that have it; needed: which says so itself. */
static const struct key {
	const char *name;
	enum deadlines_by by;
	bool needed;
	int (*take)(struct deadlines *d, const char *value, char *why, size_t size);
} keys[] = {
	{ "stringency", DEADLINES_EASY, true, take_stringency },
	{ "urgency", DEADLINES_URGENCY, true, take_urgency },
	{ "mean", DEADLINES_URGENCY, false, take_mean },
	{ "ratio", DEADLINES_URGENCY, false, take_ratio },
	{ "estimate", DEADLINES_ESTIMATE, true, take_estimate },
	{ "fraction", DEADLINES_NOT_SAID, false, take_fraction },
	{ "relax", DEADLINES_NOT_SAID, false, take_relax },
	{ "slack", DEADLINES_NOT_SAID, false, take_slack },
};

#define KEYS (sizeof(keys) / sizeof(keys[0]))

const char *const *deadlines_keys(void)
{
	static const char *names[KEYS + 1];

	for (size_t k = 0; k < KEYS; k++)
		names[k] = keys[k].name;
	return names;
}

static size_t find_key(const char *name)
{
	size_t k = 0;

	while (k < KEYS && strcmp(keys[k].name, name) != 0)
		k++;
	return k;
}

bool deadlines_has_key(const char *key)
{
	return find_key(key) < KEYS;
}

static const char *said(enum deadlines_by by)
{
	size_t k = 0;

	while (keys[k].by != by || !keys[k].needed)
		k++;
	return keys[k].name;
}

static int unknown(const char *key, char *why, size_t size)
{
	char names[128] = "";

	for (size_t k = 0; k < KEYS; k++) {
		size_t used = strlen(names);

		snprintf(names + used, sizeof(names) - used, "%s%s", k ? ", " : "", keys[k].name);
	}
	return why_set(why, size, PACT_ENOENT, "deadlines: unknown key '%s' (%s)", key, names);
}

int deadlines_set(struct deadlines *d, const char *key, const char *value, char *why, size_t size)
{
	size_t k = find_key(key);
	char other[96];
	int err;

	if (k == KEYS)
		return unknown(key, why, size);
	if (keys[k].by && d->by && keys[k].by != d->by) {
		snprintf(other, sizeof(other), "does not go together with %s", said(d->by));
		return wrong(key, value, other, why, size);
	}
	err = keys[k].take(d, value, why, size);
	if (err)
		return err;
	if (keys[k].by)
		d->by = keys[k].by;
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

static bool has_needed(const bool seen[KEYS])
{
	for (size_t k = 0; k < KEYS; k++)
		if (seen[k] && keys[k].needed)
			return true;
	return false;
}

bool deadlines_is_list(const char *text)
{
	return strcmp(text, "none") != 0 && strncmp(text, "file:", 5) != 0;
}

bool deadlines_use_guard(const struct deadlines *d)
{
	return d->on && !d->file && d->by <= DEADLINES_EASY;
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
	if (!err && !has_needed(seen))
		err = why_set(why, size, PACT_EINVAL,
			      "deadlines: '%s' lacks stringency:S, urgency:F or estimate:LOW-HIGH",
			      text);
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

/* The jobs' ends under EASY, in out[]: whole nodes without names, so that there is nothing to release. */
static int run_easy(struct workload *w, uint32_t nodes, struct sim_outcome *out, char *why,
		    size_t size)
{
	struct sim_setup setup = { .scheduler = "easy", .nodes = nodes };

	sched_config_init(&setup.config);
	return simulate(&setup, w, out, NULL, why, size);
}

int deadlines_assign(const struct deadlines *d, struct workload *w, uint32_t nodes, int64_t guard,
		     uint64_t seed, char *why, size_t size)
{
	bool by_easy = d->by <= DEADLINES_EASY;
	struct sim_outcome *out = NULL;
	struct rng rng;
	int err = PACT_OK;

	if (d->file || !d->on) {
		count_from_submission(d, w);
		return PACT_OK;
	}
	for (size_t i = 0; i < w->count; i++)
		w->job[i].deadline = 0;
	if (!w->count)
		return PACT_OK;
	if (by_easy) {
		out = calloc(w->count, sizeof(*out));
		if (!out)
			return why_set(why, size, PACT_ENOMEM, "deadlines: out of memory");
		err = run_easy(w, nodes, out, why, size);
	}
	rng_seed(&rng, seed, RNG_DEADLINES);
	for (size_t i = 0; i < w->count && !err; i++) {
		struct sim_job *job = &w->job[i];
		bool has = (int64_t)rng_below(&rng, MICRO) < d->fraction_micro;
		int64_t after = by_easy ? 0 : deadlines_draw(d, job, &rng);

		if (has)
			job->deadline =
				by_easy ? deadline_of(d, job, out[i].end - job->submit, guard)
					: job->submit + after + (d->slack > 0 ? d->slack : 0);
	}
	free(out);
	return err;
}

/* SECONDS or -. */
static bool take_deadline(struct sim_job *job, char *value)
{
	int64_t seconds = 0;

	if (strcmp(value, "-") != 0 &&
	    (!number_int(value, &seconds) || seconds < 1 || seconds > WORKLOAD_MAX_TIME))
		return false;
	job->deadline = seconds;
	return true;
}

int deadlines_read(const struct deadlines *d, struct workload *w, char *why, size_t size)
{
	static const struct job_lines lines = {
		.shape = "not JOB,SECONDS or JOB,-",
		.wrong = "the deadline is not a number of seconds from 1 to 10^11, nor -",
		.take = take_deadline,
	};

	if (!d->file)
		return PACT_OK;
	for (size_t i = 0; i < w->count; i++)
		w->job[i].deadline = 0;
	return job_lines_read(&lines, d->file, w, why, size);
}

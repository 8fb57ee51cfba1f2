/* SPDX-License-Identifier: GPL-2.0-or-later */
/* deadlines: see deadlines.h. */
#include "sim/deadlines.h"

#include <stdlib.h>
#include <string.h>

#include "core/sched.h"
#include "sim/number.h"
#include "sim/rng.h"
#include "sim/simulate.h"
#include "sim/why.h"

#define MICRO INT64_C(1000000)

static void set_none(struct deadlines *d)
{
	d->on = false;
	d->stringency_micro = 0;
	d->fraction_micro = MICRO;
	d->relax_micro = -1;
	d->slack = -1;
}

/* One "key:value" of the list. */
static int parse_item(char *item, struct deadlines *d, bool *stringency, char *why, size_t size)
{
	char *value = strchr(item, ':');
	int64_t v;

	if (!value)
		return why_set(why, size, PACT_EINVAL, "deadlines: '%s' is not key:value", item);
	*value++ = '\0';
	if (!number_micro(value, &v))
		return why_set(why, size, PACT_EINVAL, "deadlines: %s:%s is not a number >= 0",
			       item, value);
	if (!strcmp(item, "relax")) {
		d->relax_micro = v;
		return PACT_OK;
	}
	if (!strcmp(item, "slack")) {
		if (v % MICRO)
			return why_set(why, size, PACT_EINVAL,
				       "deadlines: slack:%s is not a number of whole seconds",
				       value);
		d->slack = v / MICRO;
		return PACT_OK;
	}
	if (v > MICRO)
		return why_set(why, size, PACT_EINVAL, "deadlines: %s:%s is more than 1", item,
			       value);
	if (!strcmp(item, "stringency")) {
		d->stringency_micro = v;
		*stringency = true;
	} else if (!strcmp(item, "fraction")) {
		d->fraction_micro = v;
	} else {
		return why_set(why, size, PACT_EINVAL,
			       "deadlines: unknown key '%s' (stringency, fraction, relax, slack)",
			       item);
	}
	return PACT_OK;
}

int deadlines_parse(const char *text, struct deadlines *d, char *why, size_t size)
{
	char copy[256], *next, *item;
	bool stringency = false;
	int err = PACT_OK;

	set_none(d);
	if (!strcmp(text, "none"))
		return PACT_OK;
	if (strlen(text) >= sizeof(copy))
		return why_set(why, size, PACT_EINVAL, "deadlines: text is too long");
	strcpy(copy, text);
	for (item = strtok_r(copy, ",", &next); item && !err; item = strtok_r(NULL, ",", &next))
		err = parse_item(item, d, &stringency, why, size);
	if (!err && !stringency)
		err = why_set(why, size, PACT_EINVAL, "deadlines: '%s' lacks stringency:S", text);
	if (err)
		set_none(d);
	else
		d->on = true;
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

int deadlines_assign(const struct deadlines *d, struct workload *w, uint32_t nodes, int64_t guard,
		     uint64_t seed, char *why, size_t size)
{
	struct sim_setup setup = { .scheduler = "easy", .nodes = nodes };
	struct sim_outcome *out;
	struct rng rng;
	int err;

	for (size_t i = 0; i < w->count; i++)
		w->job[i].deadline = 0;
	if (!d->on || !w->count)
		return PACT_OK;
	out = calloc(w->count, sizeof(*out));
	if (!out)
		return why_set(why, size, PACT_ENOMEM, "deadlines: out of memory");
	sched_config_init(&setup.config);
	err = simulate(&setup, w, out, NULL, why, size);
	rng_seed(&rng, seed, RNG_DEADLINES);
	for (size_t i = 0; i < w->count && !err; i++) {
		struct sim_job *job = &w->job[i];

		if ((int64_t)rng_below(&rng, MICRO) < d->fraction_micro)
			job->deadline = deadline_of(d, job, out[i].end - job->submit, guard);
	}
	free(out);
	return err;
}

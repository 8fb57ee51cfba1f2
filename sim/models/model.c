/* SPDX-License-Identifier: GPL-2.0-or-later */
/* model: see model.h; the models themselves are model_*.c. */
#include "sim/models/model.h"

#include <stdlib.h>
#include <string.h>

#include "core/sched.h"
#include "sim/models/model_kind.h"
#include "common/number.h"
#include "common/why.h"

static const struct model_kind *const kinds[] = {
	&model_poisson,	  &model_exponential, &model_weibull,
	&model_histogram, &model_hypererlang, &model_malleable,
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

const char *const *model_names(void)
{
	static const char *names[KINDS + 1];

	for (size_t i = 0; i < KINDS; i++)
		names[i] = kinds[i]->name;
	return names;
}

static const struct model_kind *find_kind(const char *name)
{
	for (size_t i = 0; i < KINDS; i++)
		if (!strcmp(kinds[i]->name, name))
			return kinds[i];
	return NULL;
}

static void tell_names(const char *name, char *why, size_t size)
{
	char list[128] = "";

	for (size_t i = 0; i < KINDS; i++) {
		strncat(list, i ? ", " : "", sizeof(list) - strlen(list) - 1);
		strncat(list, kinds[i]->name, sizeof(list) - strlen(list) - 1);
	}
	why_set(why, size, 0, "unknown model '%s' (there are: %s)", name, list);
}

struct model *model_create(const char *name, uint32_t nodes, uint64_t seed, char *why, size_t size)
{
	const struct model_kind *kind = find_kind(name);
	struct model *m;

	if (!kind) {
		tell_names(name, why, size);
		return NULL;
	}
	if (nodes < 1 || nodes > INT32_MAX) {
		why_set(why, size, 0, "model '%s' on %u node%s: 1 to %d wanted", name, nodes,
			nodes == 1 ? "" : "s", INT32_MAX);
		return NULL;
	}
	m = calloc(1, kind->size);
	if (!m) {
		why_set(why, size, 0, "out of memory");
		return NULL;
	}
	m->kind = kind;
	rng_seed(&m->rng, seed, RNG_MODEL);
	m->nodes = nodes;
	m->next_id = 1;
	kind->init(m);
	return m;
}

void model_destroy(struct model *m)
{
	if (m && m->kind->release)
		m->kind->release(m);
	free(m);
}

int model_set_count(const char *key, const char *value, int64_t lo, int64_t hi, int64_t *out,
		    char *why, size_t size)
{
	int64_t v;

	if (!number_int(value, &v) || v < lo || v > hi)
		return why_set(why, size, PACT_EINVAL,
			       "%s=%s: whole number from %lld to %lld wanted", key, value,
			       (long long)lo, (long long)hi);
	*out = v;
	return PACT_OK;
}

int model_set_fraction(const char *key, const char *value, int64_t lo, int64_t hi, int64_t *out,
		       char *why, size_t size)
{
	int64_t v;

	if (!number_micro(value, &v) || v < lo || v > hi)
		return why_set(why, size, PACT_EINVAL, "%s=%s: number from %g to %g wanted", key,
			       value, (double)lo / 1e6, (double)hi / 1e6);
	*out = v;
	return PACT_OK;
}

int model_set(struct model *m, const char *key, const char *value, char *why, size_t size)
{
	int err = m->kind->set(m, key, value, why, size);

	if (err != MODEL_UNKNOWN_KEY)
		return err;
	return why_set(why, size, PACT_EINVAL, "unknown setting '%s' of model %s (%s)", key,
		       m->kind->name, m->kind->settings);
}

int model_begin(struct model *m, char *why, size_t size)
{
	return m->kind->begin(m, why, size);
}

int model_next(struct model *m, struct sim_job *job)
{
	const uint64_t end = (uint64_t)WORKLOAD_MAX_TIME << 16;
	uint64_t gap;
	bool beyond;

	memset(job, 0, sizeof(*job));
	gap = m->kind->next(m, job);
	beyond = gap > end - m->clock_q16;
	m->clock_q16 = beyond ? end : m->clock_q16 + gap;
	job->id = m->next_id++;
	job->submit = (int64_t)(m->clock_q16 >> 16);
	job->user = -1;
	return beyond ? PACT_EINVAL : PACT_OK;
}

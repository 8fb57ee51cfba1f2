/* SPDX-License-Identifier: GPL-2.0-or-later */
/* model: see model.h. All arithmetic is on integers, for the sake of repeatability. */
#include "sim/model.h"

#include <stdlib.h>
#include <string.h>

#include "core/sched.h"
#include "sim/number.h"
#include "sim/rng.h"
#include "sim/why.h"

__extension__ typedef unsigned __int128 uint128;

/* ln 2 in Q32. */
#define LN2_Q32 UINT64_C(2977044472)

struct model {
	struct rng rng;
	uint32_t nodes;
	uint64_t next_id;
	uint64_t clock_q16; /* of the last submission */
	uint64_t gap_q16;   /* mean interarrival time; 0: not computed yet */
	int64_t load_micro;
	int64_t interarrival;
	int64_t min_width, max_width;
	int64_t min_runtime, max_runtime;
	int64_t overestimate_micro;
};

static const char *const names[] = { "poisson", NULL };

const char *const *model_names(void)
{
	return names;
}

struct model *model_create(const char *name, uint32_t nodes, uint64_t seed, char *why, size_t size)
{
	struct model *m;

	if (strcmp(name, names[0]) != 0) {
		why_set(why, size, 0, "unknown model '%s' (there is: %s)", name, names[0]);
		return NULL;
	}
	if (nodes < 1 || nodes > INT32_MAX) {
		why_set(why, size, 0, "model '%s' on %u nodes: 1 to %d wanted", name, nodes,
			INT32_MAX);
		return NULL;
	}
	m = calloc(1, sizeof(*m));
	if (!m) {
		why_set(why, size, 0, "out of memory");
		return NULL;
	}
	rng_seed(&m->rng, seed, RNG_MODEL);
	m->nodes = nodes;
	m->next_id = 1;
	m->load_micro = 800000;
	m->min_width = 1;
	m->max_width = nodes >= 2 ? nodes / 2 : 1;
	m->min_runtime = 30;
	m->max_runtime = 21600;
	m->overestimate_micro = 5000000;
	return m;
}

void model_destroy(struct model *m)
{
	free(m);
}

static int set_count(const char *key, const char *value, int64_t lo, int64_t hi, int64_t *out,
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

static int set_fraction(const char *key, const char *value, int64_t lo, int64_t hi, int64_t *out,
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
	if (!strcmp(key, "load"))
		return set_fraction(key, value, 1000, 100000000, &m->load_micro, why, size);
	if (!strcmp(key, "interarrival"))
		return set_count(key, value, 0, 31536000, &m->interarrival, why, size);
	if (!strcmp(key, "min_width"))
		return set_count(key, value, 1, m->max_width, &m->min_width, why, size);
	if (!strcmp(key, "max_width")) {
		if (!strcmp(value, "0"))
			m->max_width = m->nodes >= 2 ? m->nodes / 2 : 1;
		else
			return set_count(key, value, m->min_width, m->nodes, &m->max_width, why,
					 size);
		return PACT_OK;
	}
	if (!strcmp(key, "min_runtime"))
		return set_count(key, value, 1, m->max_runtime, &m->min_runtime, why, size);
	if (!strcmp(key, "max_runtime"))
		return set_count(key, value, m->min_runtime, 31536000, &m->max_runtime, why, size);
	if (!strcmp(key, "overestimate"))
		return set_fraction(key, value, 1000000, 1000000000, &m->overestimate_micro, why,
				    size);
	return why_set(why, size, PACT_EINVAL,
		       "unknown model setting '%s' (load, interarrival, min_width, max_width, "
		       "min_runtime, max_runtime, overestimate)",
		       key);
}

/*
 * The mean of rng_log_uniform(lo, hi) in Q16: of the real (hi + 1 - lo) / ln((hi + 1) / lo), less
 * the half that rounding down takes.
 */
static uint64_t mean_q16(int64_t lo, int64_t hi)
{
	uint64_t log2 = rng_log2_q32((uint64_t)hi + 1) - rng_log2_q32((uint64_t)lo);
	uint128 mean = ((uint128)(hi + 1 - lo) << 80) / ((uint128)log2 * LN2_Q32);
	uint64_t half = UINT64_C(1) << 15;

	return mean > ((uint128)lo << 16) + half ? (uint64_t)mean - half : (uint64_t)lo << 16;
}

/* Mean interarrival time for the load, see the definition in model.h. */
static uint64_t gap_q16(const struct model *m)
{
	uint128 area_q32, gap;

	if (m->interarrival)
		return (uint64_t)m->interarrival << 16;
	area_q32 = (uint128)mean_q16(m->min_width, m->max_width) *
		   mean_q16(m->min_runtime, m->max_runtime);
	gap = (area_q32 >> 16) * 1000000 / ((uint128)m->nodes * (uint64_t)m->load_micro);
	return gap ? (uint64_t)gap : 1;
}

void model_next(struct model *m, struct sim_job *job)
{
	uint64_t factor_micro;

	if (!m->gap_q16)
		m->gap_q16 = gap_q16(m);
	m->clock_q16 += (uint64_t)(((uint128)m->gap_q16 * rng_exponential_q32(&m->rng)) >> 32);
	memset(job, 0, sizeof(*job));
	job->id = m->next_id++;
	job->submit = (int64_t)(m->clock_q16 >> 16);
	job->width = (int32_t)rng_log_uniform(&m->rng, m->min_width, m->max_width);
	job->runtime = rng_log_uniform(&m->rng, m->min_runtime, m->max_runtime);
	factor_micro = (uint64_t)rng_log_uniform(&m->rng, 1000000, m->overestimate_micro);
	job->estimate = (int64_t)(((uint64_t)job->runtime * factor_micro + 999999) / 1000000);
	job->estimate = (job->estimate + 59) / 60 * 60;
	job->user = -1;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_poisson: the model "poisson", with its settings and their defaults:
 *
 *   load=0.8          offered load: mean width x mean runtime / (nodes x mean interarrival time)
 *   interarrival=0    mean seconds between submissions; 0: as the load requires
 *   min_width=1       least and greatest width, in nodes; a max_width of 0 stands for half the
 *   max_width=0       machine (at least 1)
 *   min_runtime=30    least and greatest runtime, in seconds
 *   max_runtime=21600
 *   overestimate=5    estimates are runtime x f, f log-uniform between 1 and this
 *
 *   Submissions are a Poisson process from time 0. Width and runtime are drawn independently, each
 *   log-uniform between its bounds. The estimate is runtime x f rounded up to a whole minute, as
 *   Slurm's limits are. Per job the draws are: interarrival, width, runtime, f, in this order.
 *   No job outlives its estimate. The values are ours, chosen to be easy to reason about; no machine
 *   is behind them.
 *
 * All arithmetic is on integers, for the sake of repeatability.
 */
#include <string.h>

#include "core/sched.h"
#include "sim/models/model_kind.h"

__extension__ typedef unsigned __int128 uint128;

/* ln 2 in Q32. */
#define LN2_Q32 UINT64_C(2977044472)

struct poisson {
	struct model head;
	uint64_t gap_q16; /* mean interarrival time */
	int64_t load_micro;
	int64_t interarrival;
	int64_t min_width, max_width;
	int64_t min_runtime, max_runtime;
	int64_t overestimate_micro;
};

static void poisson_init(struct model *head)
{
	struct poisson *m = (struct poisson *)head;

	m->load_micro = 800000;
	m->min_width = 1;
	m->max_width = head->nodes >= 2 ? head->nodes / 2 : 1;
	m->min_runtime = 30;
	m->max_runtime = 21600;
	m->overestimate_micro = 5000000;
}

static int poisson_set(struct model *head, const char *key, const char *value, char *why,
		       size_t size)
{
	struct poisson *m = (struct poisson *)head;

	if (!strcmp(key, "load"))
		return model_set_fraction(key, value, 1000, 100000000, &m->load_micro, why, size);
	if (!strcmp(key, "interarrival"))
		return model_set_count(key, value, 0, 31536000, &m->interarrival, why, size);
	if (!strcmp(key, "min_width"))
		return model_set_count(key, value, 1, m->max_width, &m->min_width, why, size);
	if (!strcmp(key, "max_width")) {
		if (!strcmp(value, "0"))
			m->max_width = head->nodes >= 2 ? head->nodes / 2 : 1;
		else
			return model_set_count(key, value, m->min_width, head->nodes, &m->max_width,
					       why, size);
		return PACT_OK;
	}
	if (!strcmp(key, "min_runtime"))
		return model_set_count(key, value, 1, m->max_runtime, &m->min_runtime, why, size);
	if (!strcmp(key, "max_runtime"))
		return model_set_count(key, value, m->min_runtime, 31536000, &m->max_runtime, why,
				       size);
	if (!strcmp(key, "overestimate"))
		return model_set_fraction(key, value, 1000000, 1000000000, &m->overestimate_micro,
					  why, size);
	return MODEL_UNKNOWN_KEY;
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

/* Mean interarrival time for the load, see the definition above. */
static int poisson_begin(struct model *head, char *why, size_t size)
{
	struct poisson *m = (struct poisson *)head;
	uint128 area_q32, gap;

	(void)why, (void)size;
	m->gap_q16 = (uint64_t)m->interarrival << 16;
	if (m->interarrival)
		return PACT_OK;
	area_q32 = (uint128)mean_q16(m->min_width, m->max_width) *
		   mean_q16(m->min_runtime, m->max_runtime);
	gap = (area_q32 >> 16) * 1000000 / ((uint128)head->nodes * (uint64_t)m->load_micro);
	m->gap_q16 = gap ? (uint64_t)gap : 1;
	return PACT_OK;
}

static uint64_t poisson_next(struct model *head, struct sim_job *job)
{
	struct poisson *m = (struct poisson *)head;
	struct rng *r = &head->rng;
	uint64_t gap = (uint64_t)(((uint128)m->gap_q16 * rng_exponential_q32(r)) >> 32);
	uint64_t factor_micro;

	job->width = (int32_t)rng_log_uniform(r, m->min_width, m->max_width);
	job->runtime = rng_log_uniform(r, m->min_runtime, m->max_runtime);
	factor_micro = (uint64_t)rng_log_uniform(r, 1000000, m->overestimate_micro);
	job->estimate = (int64_t)(((uint64_t)job->runtime * factor_micro + 999999) / 1000000);
	job->estimate = (job->estimate + 59) / 60 * 60;
	return gap;
}

const struct model_kind model_poisson = {
	.name = "poisson",
	.settings = "load, interarrival, min_width, max_width, min_runtime, max_runtime, "
		    "overestimate",
	.size = sizeof(struct poisson),
	.init = poisson_init,
	.set = poisson_set,
	.begin = poisson_begin,
	.next = poisson_next,
};

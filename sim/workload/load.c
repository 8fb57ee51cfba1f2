/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load: see load.h. */
#include "sim/workload/load.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/sched.h"
#include "common/rng.h"
#include "common/why.h"

#define MICRO INT64_C(1000000)

__extension__ typedef __int128 int128;

static int64_t scaled(int64_t time, int64_t factor_micro, int64_t round)
{
	return (int64_t)(((int128)time * factor_micro + round) / MICRO);
}

static int64_t runtime_scaled(int64_t time, int64_t factor_micro)
{
	int64_t t = scaled(time, factor_micro, MICRO / 2);

	return t < 1 ? 1 : t;
}

static int too_large(char *why, size_t size, const char *what, uint64_t id)
{
	return why_set(why, size, PACT_EINVAL,
		       "job %" PRIu64 ": its %s grows beyond %" PRId64 " seconds", id, what,
		       WORKLOAD_MAX_TIME);
}

static int stretch(struct workload *w, int64_t factor_micro, int64_t round, char *why, size_t size)
{
	int64_t first = w->count ? w->job[0].submit : 0;
	struct sim_job *last = w->count ? &w->job[w->count - 1] : NULL;

	if (last && first + scaled(last->submit - first, factor_micro, round) > WORKLOAD_MAX_TIME)
		return too_large(why, size, "submit time", last->id);
	for (size_t i = 0; i < w->count; i++)
		w->job[i].submit = first + scaled(w->job[i].submit - first, factor_micro, round);
	/* Jobs that now share an instant are in the order of their ids there. */
	workload_sort(w);
	return PACT_OK;
}

int load_shrink(struct workload *w, int64_t factor_micro, char *why, size_t size)
{
	return stretch(w, factor_micro, 0, why, size);
}

int load_delay(struct workload *w, int64_t factor_micro, char *why, size_t size)
{
	return stretch(w, factor_micro, MICRO / 2, why, size);
}

int load_expand(struct workload *w, int64_t load_micro, char *why, size_t size)
{
	for (size_t i = 0; i < w->count; i++)
		if (runtime_scaled(w->job[i].estimate, load_micro) > WORKLOAD_MAX_TIME)
			return too_large(why, size, "estimate", w->job[i].id);
	for (size_t i = 0; i < w->count; i++) {
		struct sim_job *j = &w->job[i];

		j->runtime = runtime_scaled(j->runtime, load_micro);
		j->estimate = runtime_scaled(j->estimate, load_micro);
	}
	return PACT_OK;
}

static uint64_t greatest_id(const struct workload *w)
{
	uint64_t id = 0;

	for (size_t i = 0; i < w->count; i++)
		id = w->job[i].id > id ? w->job[i].id : id;
	return id;
}

int load_duplicate(struct workload *w, int64_t load_micro, uint64_t seed, char *why, size_t size)
{
	size_t n = w->count, more;
	uint64_t id = greatest_id(w);
	int64_t first, last;
	size_t *pick;
	struct rng rng;

	if (load_micro < MICRO)
		return why_set(why, size, PACT_EINVAL,
			       "duplicates cannot make the load less "
			       "than 1");
	if (!n || load_micro == MICRO)
		return PACT_OK;
	more = (size_t)((int128)(load_micro - MICRO) * (int64_t)n / MICRO);
	first = w->job[0].submit;
	last = w->job[n - 1].submit;
	pick = calloc(n, sizeof(*pick));
	if (!pick)
		return why_set(why, size, PACT_ENOMEM, "out of memory");
	for (size_t i = 0; i < n; i++)
		pick[i] = i;
	rng_seed(&rng, seed, RNG_LOAD);
	for (size_t k = 0; k < more; k++) {
		/* Fisher and Yates, one step per duplicate: no job again before all were picked. */
		size_t at = k % n, other = at + (size_t)rng_below(&rng, n - at);
		size_t chosen = pick[other];
		struct sim_job job = w->job[chosen];

		pick[other] = pick[at];
		pick[at] = chosen;
		job.submit = rng_range(&rng, first, last);
		job.id = id + 1 + k;
		if (workload_add(w, &job) != PACT_OK) {
			w->count = n;
			free(pick);
			return why_set(why, size, PACT_ENOMEM, "out of memory");
		}
	}
	free(pick);
	workload_sort(w);
	return PACT_OK;
}

double load_offered(const struct workload *w, uint32_t nodes)
{
	double area = 0, period = 0;

	for (size_t i = 0; i < w->count; i++)
		area += (double)w->job[i].width * (double)w->job[i].runtime;
	if (w->count)
		period = (double)(w->job[w->count - 1].submit - w->job[0].submit);
	return period > 0 && nodes ? area / (period * nodes) : 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* deadlines_draw: deadlines by urgency (LibraRisk, section 4) and by the estimate. See deadlines.h. */
#include "common/rng.h"
#include "sim/run/deadlines.h"

#define MICRO INT64_C(1000000)
/* Of z, in units of 2^-32. */
#define MOST (INT64_C(3) << 32)
/* A standard deviation is a quarter of the mean: 1 + z / 4, in units of 2^-34. */
#define ONE (INT64_C(1) << 34)

__extension__ typedef __int128 int128;

static int64_t at_most(int128 seconds)
{
	if (seconds < 1)
		return 1;
	return seconds > WORKLOAD_MAX_TIME ? WORKLOAD_MAX_TIME : (int64_t)seconds;
}

static int64_t by_urgency(const struct deadlines *d, const struct sim_job *job, struct rng *rng)
{
	bool high = (int64_t)rng_below(rng, MICRO) < d->urgency_micro;
	int64_t mean = d->mean_micro;
	const int128 unit = (int128)MICRO * ONE;
	int64_t z;

	if (!high)
		mean = (int64_t)((int128)mean * d->ratio_micro / MICRO);
	do
		z = rng_normal_q32(rng);
	while (z > MOST || z < -MOST);
	return at_most(((int128)job->runtime * mean * (ONE + z) + unit - 1) / unit);
}

static int64_t by_estimate(const struct deadlines *d, const struct sim_job *job, struct rng *rng)
{
	int64_t factor = rng_range(rng, d->low_micro, d->high_micro);

	return at_most(((int128)job->estimate * factor + MICRO - 1) / MICRO);
}

int64_t deadlines_draw(const struct deadlines *d, const struct sim_job *job, struct rng *rng)
{
	return d->by == DEADLINES_URGENCY ? by_urgency(d, job, rng) : by_estimate(d, job, rng);
}

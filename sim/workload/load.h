/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load: more or less work out of one workload, for experiments. All in integers, the same on every
 * machine; factors are in millionths. A workload stays in its order (see workload.h).
 */
#ifndef PACT_SIM_LOAD_H
#define PACT_SIM_LOAD_H

#include <stddef.h>
#include <stdint.h>

#include "sim/workload/workload.h"

/* The greatest factor of all: a thousand. */
#define LOAD_MAX_MICRO INT64_C(1000000000)

/*
 * dynP, section 5, the shrinking factor: interarrival times are multiplied by it, so that less
 * than 1 submits the same jobs in a shorter time. The first submission stays; the others are rounded
 * down to whole seconds. 0 < factor <= LOAD_MAX_MICRO. 0 or PACT_EINVAL (a time grows too large; no
 * effect then).
 */
int load_shrink(struct workload *w, int64_t factor_micro, char *why, size_t size);

/*
 * LibraRisk, section 4, the arrival delay factor: as load_shrink(), but times are rounded to the nearest
 * second, a half up, and with 0 all jobs come at once. 0 <= factor <= LOAD_MAX_MICRO.
 */
int load_delay(struct workload *w, int64_t factor_micro, char *why, size_t size);

/*
 * QoPS, section 4.2, load by duplication: at load 1.2, 20 % of the jobs are picked and introduced
 * once more at random points in time. Jobs are picked without replacement (each once before any is
 * picked again); the time is uniform between the first and the last submission. The k-th duplicate
 * depends on the seed and k alone, so a higher load has all jobs of a lower one, at the same times
 * (section 5). Its id is the greatest id + k, so at one instant originals come first.
 * 10^6 <= load <= LOAD_MAX_MICRO. 0, PACT_EINVAL (a load below 1) or PACT_ENOMEM; no effect then.
 */
int load_duplicate(struct workload *w, int64_t load_micro, uint64_t seed, char *why, size_t size);

/*
 * QoPS, Figures 10 to 12, load by "job expansion": the paper names it and does not define it. Ours:
 * every runtime and every estimate is multiplied by the load and rounded to the nearest second, at
 * least 1; arrivals stay. 0 or PACT_EINVAL (a time grows too large); no effect then.
 */
int load_expand(struct workload *w, int64_t load_micro, char *why, size_t size);

/*
 * Offered load: sum of width x runtime over nodes x (last less first submission); 0 when all jobs are
 * submitted at once.
 */
double load_offered(const struct workload *w, uint32_t nodes);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model: workloads without a log. A model is an endless stream of jobs in the order of their
 * submission, the same for the same name, nodes, settings and seed on every machine (see rng.h).
 *
 *	struct model *m = model_create("poisson", 128, seed, why, sizeof(why));
 *	model_set(m, "load", "0.9", why, sizeof(why));
 *	for (i = 0; i < 300; i++)
 *		model_next(m, &job);
 *	model_destroy(m);
 *
 * The model "poisson", the only one so far, with its settings and their defaults:
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
 *   No job outlives its estimate.
 */
#ifndef PACT_SIM_MODEL_H
#define PACT_SIM_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "sim/workload.h"

struct model;

/*
 * A model by name over a machine of `nodes` nodes. NULL, with the reason in why: no such name, no
 * nodes, or memory short. The caller owns it.
 */
struct model *model_create(const char *name, uint32_t nodes, uint64_t seed, char *why, size_t size);
void model_destroy(struct model *m);

/* NULL-terminated list of names. */
const char *const *model_names(void);

/*
 * Change a setting before the first job. 0 or PACT_EINVAL (unknown key, malformed or impossible
 * value; no effect then, and `why` names key and value).
 */
int model_set(struct model *m, const char *key, const char *value, char *why, size_t size);

/* The next job; ids count from 1. Whatever is no concern of the model's is zero or "none". */
void model_next(struct model *m, struct sim_job *job);

#endif

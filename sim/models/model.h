/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model: workloads without a log. A model is an endless stream of jobs in the order of their
 * submission, the same for the same name, nodes, settings and seed on every machine (see rng.h).
 *
 *	struct model *m = model_create("poisson", 128, seed, why, sizeof(why));
 *	model_set(m, "load", "0.9", why, sizeof(why));
 *	model_begin(m, why, sizeof(why));
 *	for (i = 0; i < 300; i++)
 *		model_next(m, &job);
 *	model_destroy(m);
 *
 * The models; each is described, with its settings, their defaults and their source, at the head of
 * its file:
 *
 *   poisson      model_poisson.c      Poisson arrivals, log-uniform widths and runtimes
 *   exponential  model_exponential.c  malleable, section 4.1
 *   malleable    model_malleable.c    malleable, chapter 4: jobs that grow and shrink, and traditional ones
 *   weibull      model_weibull.c      dynP, section 4, over a built-in histogram
 *   histogram    model_weibull.c      the same over a histogram of one's own
 *   hypererlang  model_hypererlang.c  gang, section 2, over the built-in set or one of one's own
 */
#ifndef PACT_SIM_MODEL_H
#define PACT_SIM_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "sim/workload/workload.h"

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
 * Change a setting before model_begin(). 0, PACT_EINVAL (unknown key, malformed or impossible
 * value; no effect then, and `why` names key and value) or PACT_ENOMEM.
 */
int model_set(struct model *m, const char *key, const char *value, char *why, size_t size);

/*
 * The settings are complete; reads the files that they name. To be called once, before the first
 * job. 0, PACT_EINVAL (a file that cannot be read or is malformed; settings that do not go
 * together) or PACT_ENOMEM; why says what, and there are no jobs then.
 */
int model_begin(struct model *m, char *why, size_t size);

/*
 * The next job; ids count from 1. Whatever is no concern of the model's is zero or "none". PACT_OK;
 * PACT_EINVAL: it would be submitted after WORKLOAD_MAX_TIME, as would all that follow; it stands at
 * that time then.
 */
int model_next(struct model *m, struct sim_job *job);

#endif

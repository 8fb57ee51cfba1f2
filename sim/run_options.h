/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_options: what is to be run, from the words of a command line. `pact-sim run` has one of these,
 * `pact-sim sweep` one for each of its runs.
 *
 *	run_options_init(&o);
 *	run_options_set(&o, "trace", "log.swf", why, sizeof(why));
 *	run_options_set(&o, "set", "KFactor=10", why, sizeof(why));
 *	run_options_check(&o, why, sizeof(why));
 *
 * Texts are borrowed: they must live as long as the options.
 */
#ifndef PACT_SIM_RUN_OPTIONS_H
#define PACT_SIM_RUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/sched.h"
#include "sim/deadlines.h"
#include "sim/estimates.h"

#define RUN_MAX_SETTINGS 64
#define RUN_MODEL_JOBS 1000
#define RUN_MODEL_MAX_JOBS 100000000
#define RUN_MAX_NODES 100000000 /* a machine takes 12 bytes per node */

struct run_options {
	const char *trace, *model; /* one of them */
	const char *scheduler;
	const char *setting[RUN_MAX_SETTINGS]; /* KEY=VALUE, of the model */
	size_t nsettings;
	int64_t nodes;	      /* 0: not given */
	size_t first, count;  /* count 0: all */
	int64_t shrink_micro; /* factor on interarrival times; 10^6: none */
	int64_t load_micro;   /* 10^6: none */
	bool expand;	      /* load by expansion, else by duplication */
	struct estimates estimates;
	struct deadlines deadlines;
	uint64_t seed;
	struct sched_config config;
};

/* QoPS, seed 1, everything else as the source has it. */
void run_options_init(struct run_options *o);

/*
 * One option by its long name without dashes: trace, model, nodes, jobs, shrink, load, load-by,
 * estimates, deadlines, seed, scheduler, mode, guard, set (KEY=VALUE); and the keys of deadlines, one
 * by one: stringency, fraction, relax, slack. 0; PACT_ENOENT: no such option; PACT_EINVAL with the
 * reason, which names option and value. No effect then.
 */
int run_options_set(struct run_options *o, const char *name, const char *value, char *why,
		    size_t size);

/* The names above up to `set`, NULL-terminated: what a command line may have. */
const char *const *run_options_names(void);

/* Whether they can be run together: 0, or PACT_EINVAL with the reason. A model's and
 * a scheduler's settings are tried. */
int run_options_check(const struct run_options *o, char *why, size_t size);

struct model;

/* The model that they ask for, with its settings. NULL with the reason. The caller owns it. */
struct model *run_options_model(const struct run_options *o, char *why, size_t size);

#endif

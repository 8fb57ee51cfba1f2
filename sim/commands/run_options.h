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
#include "sim/run/answers.h"
#include "sim/workload/launches.h"
#include "sim/run/deadlines.h"
#include "sim/workload/estimates.h"
#include "sim/workload/ranges.h"

#define RUN_MAX_SETTINGS 64
#define RUN_MAX_GIVEN 128
#define RUN_MODEL_JOBS 1000
#define RUN_MODEL_MAX_JOBS 100000000
#define RUN_MAX_NODES 100000000 /* a machine takes 12 bytes per node */

/* One thing that was given: the option's name, for settings "set", and its value. */
struct run_given {
	const char *option, *value;
};

struct run_options {
	struct run_given given[RUN_MAX_GIVEN]; /* in its order */
	size_t ngiven;
	const char *trace, *model;	       /* one of them */
	const char *scheduler;		       /* NULL: not given, see run_options_scheduler() */
	const char *setting[RUN_MAX_SETTINGS]; /* KEY=VALUE, of the model */
	size_t nsettings;
	int64_t nodes;	      /* 0: not given */
	size_t first, count;  /* count 0: all */
	int64_t shrink_micro; /* factor on interarrival times; 10^6: none */
	int64_t delay_micro;  /* the same, rounded otherwise; 10^6: none */
	int64_t load_micro;   /* 10^6: none */
	bool expand;	      /* load by expansion, else by duplication */
	struct estimates estimates;
	struct deadlines deadlines;
	struct ranges ranges;
	struct answers answers;
	struct launches launches;
	uint64_t seed;
	struct sched_config config;
};

/* Seed 1, everything else as the source has it. */
void run_options_init(struct run_options *o);

/*
 * One option by its long name without dashes: trace, model, nodes, jobs, shrink, arrival-delay, load, load-by,
 * estimates, deadlines, malleable, answers, launch, seed, scheduler, mode, guard, set (KEY=VALUE); and the keys of deadlines, one
 * by one (deadlines_keys()). 0; PACT_ENOENT: no such option; PACT_EINVAL with the
 * reason, which names option and value: malformed, or given before, under whatever name (`guard` and the
 * setting Guard are one thing, as are `relax` and Relaxation, and a key in `deadlines` and by itself). No
 * effect then.
 */
int run_options_set(struct run_options *o, const char *name, const char *value, char *why,
		    size_t size);

/* The names above up to `set`, NULL-terminated: what a command line may have. */
const char *const *run_options_names(void);

/* The value of what was given under this name, whatever its case: an option, or a setting's key. NULL: none. */
const struct run_given *run_options_given(const struct run_options *o, const char *name);

/* Forget that the option was given; its value stays. It may then be given again. */
void run_options_reopen(struct run_options *o, const char *option);

/* The scheduler: the one given, else qops where jobs have deadlines, else easy. */
const char *run_options_scheduler(const struct run_options *o);

/* Whether they can be run together: 0, or PACT_EINVAL with the reason. A model's and
 * a scheduler's settings are tried. */
int run_options_check(const struct run_options *o, char *why, size_t size);

/* Whether the i-th thing given has a part in the run; if not, why names it and says what would use it. */
bool run_options_uses(const struct run_options *o, size_t i, char *why, size_t size);

/* Whether all that was given has a part in the run: 0, or PACT_EINVAL with the reason. */
int run_options_check_used(const struct run_options *o, char *why, size_t size);

/* The same for a workload of which nothing is scheduled. */
int run_options_check_workload(const struct run_options *o, char *why, size_t size);

struct model;

/* The model that they ask for, with its settings. NULL with the reason. The caller owns it. */
struct model *run_options_model(const struct run_options *o, char *why, size_t size);

#endif

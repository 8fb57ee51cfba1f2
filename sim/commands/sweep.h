/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sweep: the runs that lists of values make: every value of every axis with every value of the others.
 *
 * An axis has a key, an option of run_options_set() or the key of a setting (KFactor, model.load), and
 * its values as text. Runs are numbered from 0: the last axis, the seeds, changes fastest.
 */
#ifndef PACT_SIM_SWEEP_H
#define PACT_SIM_SWEEP_H

#include <stddef.h>

#include "sim/commands/run_options.h"

#define SWEEP_MAX_AXES 16
#define SWEEP_MAX_RUNS 1000000

struct sweep_axis {
	char *key;
	char **value;
	char **setting; /* KEY=VALUE for --set; NULL: the key is an option */
	size_t count;
};

struct sweep {
	struct run_options base; /* what all runs have in common */
	struct sweep_axis axis[SWEEP_MAX_AXES];
	size_t naxes;
	size_t count; /* of runs */
};

void sweep_init(struct sweep *s);
void sweep_release(struct sweep *s);

/*
 * One more axis, "KEY=V1,V2,...", or "KEY=V1;V2" where the values have commas. Its values are tried on
 * the base, which should be complete by then. 0; PACT_EINVAL with the reason, which names key and
 * value; PACT_ENOMEM. After an error the sweep is good for nothing but its release.
 */
int sweep_add(struct sweep *s, const char *text, char *why, size_t size);

/* The axis of seeds: "1:5" is 1 to 5; or "1,2,7". Errors as above. */
int sweep_add_seeds(struct sweep *s, const char *text, char *why, size_t size);

/* The options of one run, checked. 0 or PACT_EINVAL with the reason. They borrow from the sweep. */
int sweep_options(const struct sweep *s, size_t run, struct run_options *o, char *why, size_t size);

/*
 * Whether all runs can be made, and each thing given has a part in at least one of them. Errors as above.
 */
int sweep_check(const struct sweep *s, char *why, size_t size);

/* The value that a run has on an axis. */
const char *sweep_value(const struct sweep *s, size_t run, size_t axis);

/* "load=1.2 scheduler=easy seed=3". */
void sweep_describe(const struct sweep *s, size_t run, char *text, size_t size);

#endif

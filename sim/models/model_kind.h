/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_kind: what a workload model has to provide, and what models share. For model.c and the
 * model_*.c only; a new model is a file with a struct model_kind, and a line in model.c's table.
 */
#ifndef PACT_SIM_MODEL_KIND_H
#define PACT_SIM_MODEL_KIND_H

#include <stddef.h>
#include <stdint.h>

#include "sim/models/model.h"
#include "common/rng.h"

/* The head of each model's own struct. */
struct model {
	const struct model_kind *kind;
	struct rng rng; /* all of a model's draws come from here */
	uint32_t nodes; /* >= 1 */
	uint64_t next_id;
	uint64_t clock_q16; /* of the last submission */
};

struct model_kind {
	const char *name;
	const char *settings; /* their keys, for the message about an unknown one */
	size_t size;	      /* of the model's struct, which comes zeroed but for its head */

	/* The defaults. */
	void (*init)(struct model *m);

	/* As model_set(); a key that is not the model's is answered by MODEL_UNKNOWN_KEY. */
	int (*set)(struct model *m, const char *key, const char *value, char *why, size_t size);

	/* As model_begin(). */
	int (*begin)(struct model *m, char *why, size_t size);

	/*
	 * Draw a job: fill in width, runtime, estimate and killed of the zeroed job. Returns the
	 * time since the last submission, in seconds x 2^16.
	 */
	uint64_t (*next)(struct model *m, struct sim_job *job);

	/* Free what the model holds, but for its struct. NULL: nothing. */
	void (*release)(struct model *m);
};

#define MODEL_UNKNOWN_KEY (-1)

extern const struct model_kind model_poisson, model_exponential, model_weibull, model_histogram,
	model_hypererlang, model_malleable;

/* A whole number from lo to hi into *out; 0 or PACT_EINVAL, without effect. */
int model_set_count(const char *key, const char *value, int64_t lo, int64_t hi, int64_t *out,
		    char *why, size_t size);

/* The same for a decimal fraction; value, lo and hi in millionths. */
int model_set_fraction(const char *key, const char *value, int64_t lo, int64_t hi, int64_t *out,
		       char *why, size_t size);

#endif

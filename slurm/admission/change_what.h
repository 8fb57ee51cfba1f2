/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * change_what.h - what a request asks to change
 */
#ifndef PACT_SLURM_CHANGE_WHAT_H
#define PACT_SLURM_CHANGE_WHAT_H

#include "slurm/admission/admission.h"

/* A request to change a waiting job, and what that job is to us. */
struct change {
	job_desc_msg_t *desc;
	job_record_t *job;
	uint32_t uid;
	char **message; /* for the user, as admit_change()'s */
	struct token token, old;
	bool had;   /* it has a token */
	bool bound; /* the plan keeps a place for it */
	/* A promised job waits for it (reliance.h): until when it has to end; else PACT_FOREVER. */
	int64_t by;
	uint32_t waiter; /* that job; 0: it has no record yet */
};

/* Is there a promise that it concerns? */
bool change_wants_promise(const struct change *c);

/* Which job waits for it, for a message. */
const char *change_waiter(const struct change *c, char text[64]);

/* What the plan knows how to decide. */
bool change_of_terms(const job_desc_msg_t *desc);

/* How its tasks lie on nodes. */
bool change_of_tasks(const job_desc_msg_t *desc);

/* What it does not, by name: what it needs besides whole nodes, or may wait for; else NULL. */
const char *change_of_unseen(const job_desc_msg_t *desc);

/*
 * With a deadline for a job that has no promise: its QOS and account are looked at as they
 * will be.
 */
const char *change_unseen_beside(const job_desc_msg_t *desc);

/* Nothing but a shorter limit, which takes no other job's place. */
bool change_only_shortens(const struct change *c);

/* Nothing but its nodes or how many they are: nothing else of it can be refused. */
bool change_of_size_alone(const job_desc_msg_t *desc);

/* Does it ask for a number of nodes? */
bool change_counts_nodes(const job_desc_msg_t *desc);

/* It has no time limit, and this change gives it none. */
bool change_endless(const struct change *c);

/* Of a job without a promise, which one waits for. */
const char *change_needed_unseen(const struct change *c);

/* Slurm refuses a stranger, after this; its own check looks at no lock either. */
bool change_allowed(const struct change *c);

/*
 * Is there anything in it for the plan?
 * IN needs - promised jobs that wait for others (reliance.h)
 */
bool change_concerns_us(const struct change *c, size_t needs);

/* More nodes than its most. */
bool change_too_wide(const job_desc_msg_t *desc, const job_details_t *det);

#endif /* PACT_SLURM_CHANGE_WHAT_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admission.h - what the decisions about submissions and changes share
 *
 * The checks that come before the plan is asked, and what is said when they
 * fail.  All but admission_lock() with the mutex, and slurmctld's locks as
 * admit.h says.
 */
#ifndef PACT_SLURM_ADMISSION_H
#define PACT_SLURM_ADMISSION_H

#include "slurm/eligibility/eligibility.h"
#include "slurm/state/bridge.h"
#include "slurm/promise/depend.h"
#include "slurm/eligibility/describe.h"
#include "slurm/base/message.h"

struct access;
struct ledger_decision;

/* The plugin was added by a reconfiguration, or the scheduler is stopping. */
#define ADMISSION_NOT_ATTACHED \
	"the scheduler does not work with this plugin now; slurmctld has to be restarted"
#define ADMISSION_BUSY "cannot be promised now: the plan is busy; try again"

/* A submission on its way through the checks. */
struct admission {
	struct bridge *b;
	uint32_t uid; /* whose job it is */
	struct regions *regions;
	struct description what;  /* its limit is cut to what account and QOS allow */
	struct description asked; /* as asked: its limit is not cut */
	uint32_t tasks;
	int64_t now;
	int64_t begin;
	struct depend_set waits_for;
	struct sched_decision decision;
	int64_t limit;	    /* granted, seconds */
	enum tally_why why; /* why it was refused, if it was */
	int code;	    /* the error of Slurm's own that refuses it; 0: none */
	char text[MESSAGE_MAX];
	/*
	 * A question, of which nothing is held: called when everything but the plan is decided.
	 * RET false: it is refused, and a->text says why
	 */
	bool (*decided)(struct admission *a);
	bool brief;		     /* a question to which yes or no is all that is wanted */
	const struct access *access; /* of the user who asks, submits or changes */
	char no_entry[256]; /* why Slurm would not take it into its partitions; "": it would */
	char not_taken
		[256]; /* of a question: by which limit Slurm would not take it; "": it would */
	bool unlocked; /* a question: slurmctld's locks have been given up already */
};

/* The mutex, and AdmissionTime as the core's budget.  RET false: not to be had in that time */
bool admission_lock(struct bridge *b);
void admission_unlock(struct bridge *b);

/* The terms as the core takes them; borrows the description's node sets. */
void admission_job(const struct admission *a, uint64_t id, int64_t limit, struct sched_job *job);

/* What was asked for, in words; borrows from *a. */
struct message_ask admission_asked(const struct admission *a, int64_t limit);

/* The decision; a->text says it.  RET true: promised */
bool admission_decide(struct admission *a, job_desc_msg_t *desc);

bool admission_has_deadline(const job_desc_msg_t *desc);

/* No submission can bring a promise along. */
void admission_strip_token(job_desc_msg_t *desc);

#endif /* PACT_SLURM_ADMISSION_H */

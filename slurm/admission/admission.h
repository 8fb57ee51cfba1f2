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
	struct regions *regions;
	struct description what;  /* its limit is cut to what account and QOS allow, */
	struct description asked; /* this one's is not */
	uint32_t tasks;
	int64_t now;
	int64_t begin;
	struct depend_set waits_for;
	struct sched_decision decision;
	int64_t limit;	    /* granted, seconds */
	enum tally_why why; /* if it was refused, */
	int code;	    /* and by which of Slurm's own errors; 0: none of them */
	char text[MESSAGE_MAX];
	/*
	 * A question, of which nothing is held: called when everything but the plan is decided.
	 * RET false: it is refused, and a->text says why
	 */
	bool (*decided)(struct admission *a);
	bool brief;		     /* and yes or no is all that is wanted */
	const struct access *access; /* of whoever asks, submits or changes */
	char no_entry[256]; /* why Slurm would not take it into its partitions; "": it would */
	char not_taken
		[256]; /* of a question: by which limit Slurm would not take it; "": it would */
	bool unlocked; /* and slurmctld's locks have been given up already */
};

/* The mutex, and AdmissionTime as the core's budget.  RET false: not to be had in that time */
bool admission_lock(struct bridge *b);
void admission_unlock(struct bridge *b);

/* A refusal, in whole or by what cannot be planned.  RET false */
bool admission_plain(struct admission *a, const char *why);
bool admission_unplannable(struct admission *a, const char *what);

/*
 * Nothing keeps such a job waiting, or over a limit; one that may be trimmed is, to what
 * its account and QOS allow.  RET false: a->text says what does
 */
bool admission_no_obstacle(struct admission *a, const struct eligibility_job *job);

/* The same, and who asks may: partition, account, QOS, groups, what it uses. */
bool admission_permitted(struct admission *a, const struct eligibility_job *job);

/* Would Slurm refuse it whatever is decided?  Into a->no_entry and a->code; before admission_waits(). */
void admission_entry(struct admission *a, const job_desc_msg_t *desc, uint32_t submitter);

/*
 * May it go where it wants to, with its label, and do its account's limits let it?  Into a->no_entry,
 * a->code and a->not_taken.  Groups and names are looked up: not with the mutex.
 * RET false: its partition does not let it in
 */
bool admission_enters(struct admission *a, const job_desc_msg_t *desc, uint32_t submitter);

/* The terms as the core takes them; borrows the description's node sets. */
void admission_job(const struct admission *a, uint64_t id, int64_t limit, struct sched_job *job);

/*
 * What uid may see, of what desc is to wait for: that must not tell him of jobs that are hidden
 * from him.  Into *access, which a->access is from now on; access_close() it.  RET false: no
 * memory.  Asks for groups, so before the mutex is taken.
 */
bool admission_access(struct admission *a, struct access *access, const job_desc_msg_t *desc,
		      uint32_t uid);

/* What was asked for, in words; borrows from *a. */
struct message_ask admission_asked(const struct admission *a, int64_t limit);

/* The decision; a->text says it.  RET true: promised */
bool admission_decide(struct admission *a, job_desc_msg_t *desc);

/*
 * Will Slurm keep it waiting?  Then nothing is promised until that has gone.  What can
 * never be promised is not waited for.
 */
bool admission_waits(const struct admission *a, const job_desc_msg_t *desc);

/* a->text says why. */
void admission_say_waits(struct admission *a, const job_desc_msg_t *desc);

/* What pact explain tells of a decision. */
void admission_ledger(struct admission *a, const job_desc_msg_t *desc, bool promised,
		      struct ledger_decision *out);

bool admission_has_deadline(const job_desc_msg_t *desc);

/* Nobody can bring a promise along. */
void admission_strip_token(job_desc_msg_t *desc);

#endif /* PACT_SLURM_ADMISSION_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admit.h - is this deadline promised?
 *
 * Called by slurmctld through the job_submit plugin, with its locks held (read
 * locks for a submission, write locks for a change).  It takes none of slurmctld's
 * locks, and the bridge's mutex for at most AdmissionTime: then the answer is
 * "cannot be promised now".
 */
#ifndef PACT_SLURM_ADMIT_H
#define PACT_SLURM_ADMIT_H

#include "slurm/state/bridge.h"
#include "slurm/history/ledger.h"

/*
 * A submission.
 * IN/OUT desc - AdminComment gets the promise's token
 * OUT message - the line for the user, xmalloc()ed, or NULL; on success too
 * RET SLURM_SUCCESS, or ESLURM_INVALID_TIME_LIMIT for a refused deadline (what
 * Slurm itself returns for a deadline that cannot be met)
 */
int admit_submission(job_desc_msg_t *desc, uint32_t uid, char **message);

/*
 * A change of a waiting job.  What could break a promise is decided here; it takes
 * effect in the plan when the record shows it, for Slurm may refuse it yet
 * (pending.h).  What the plan cannot see (licences, tasks, a QOS, a whole
 * array's terms) is refused while the job is promised: hold it first.  A
 * deadline for a job that is held, or not yet planned, is decided later.
 * OUT message - the line for the user, xmalloc()ed, where a change is refused; left
 * alone otherwise.  NULL where Slurm cannot tell it (22.05): the log has the line
 * RET as above; ESLURM_NOT_SUPPORTED for what cannot be seen, EBUSY when the
 * plan is busy or does not know the job yet
 */
int admit_change(job_desc_msg_t *desc, job_record_t *job, uint32_t uid, char **message);

/*
 * A submission or change where slurmctld is another than Pact was built for (builds.h): what wants a
 * deadline is refused, all else is left as it is, and nothing but the description is looked at.
 * OUT message - the line for the user, xmalloc()ed, where it is refused; may be NULL
 * RET SLURM_SUCCESS, or ESLURM_INVALID_TIME_LIMIT
 */
int admit_unfit(job_desc_msg_t *desc, char **message);

struct access;

/* What a submission would be told. */
struct admit_answer {
	bool decided;	/* else it was not asked: the text tells why */
	bool promised;	/* could be */
	bool waits;	/* Slurm would keep it waiting, and the decision would wait with it */
	bool busy;	/* no answer in time */
	bool may_enter; /* Slurm would let the user submit to its partitions */
	/* Not promised: what is worth asking for instead, sched_decision's bounds. */
	int64_t most_limit;
	int32_t most_width;
	struct ledger_decision decision;
	char after[160]; /* which job it waits for longest, and what would help; or "" */
};

/*
 * The decision of admit_submission() for a job with a deadline, by the same
 * code; nothing is held, counted or logged.  It takes slurmctld's read locks and
 * the mutex, and gives up the former before the plan is asked: no lock may be
 * held.  It gives up the mutex, too, when a thread waits for it that has slurmctld's
 * locks, and tries again up to 7 times.  Cost of a try: as a submission, at
 * most twice AdmissionTime.
 * IN desc - user_id set; as job_submit() would get it
 * IN brief - whether it could be promised is all that is wanted: no reason, no offer
 * IN access - of the user who asks, who learns nothing of jobs and partitions that are hidden
 */
void admit_ask(job_desc_msg_t *desc, const struct access *access, bool brief,
	       struct admit_answer *out);

#endif /* PACT_SLURM_ADMIT_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limits.h - what the enforced limits of accounts and QOS mean for one job
 *
 * Some look at the job alone: its run time, its size.  A job within them is
 * never stopped by them.  Others depend on what other jobs use: they may keep
 * any job waiting, for a time that is not known.
 *
 * Read as slurmctld's acct_policy.c does when it starts a job: the partition's
 * QOS before the job's (or the other way round, OverPartQOS), both before the
 * association; the first that sets a limit decides; limits of a group hold in
 * every account above, the others have been handed down to the association.
 *
 * Under assoc_mgr's read locks for associations, QOS and TRES, and slurmctld's
 * for jobs, nodes and partitions.
 */
#ifndef PACT_SLURM_LIMITS_H
#define PACT_SLURM_LIMITS_H

#include "slurm/base/compat.h"
#include "slurm/eligibility/account.h"
#include "slurm/eligibility/describe.h"

/* Borrowed pointers. */
struct limits_job {
	const slurmdb_assoc_rec_t *assoc; /* or NULL */
	const slurmdb_qos_rec_t *qos;	  /* the job's, or NULL */
	const part_record_t *part;
	const acct_policy_limit_set_t *lifted; /* by an operator; NULL: none */
	const struct description *what;
	int64_t least; /* seconds it must be allowed to run at least */
};

/* A job under such an account in a partition. */
static inline struct limits_job limits_job_in(const struct eligibility_job *job,
					      const struct account *account,
					      const part_record_t *part)
{
	return (struct limits_job){
		.assoc = account->assoc,
		.qos = account->qos,
		.part = part,
		.lifted = job->record ? &job->record->limit_set : NULL,
		.what = job->what,
		.least = job->least,
	};
}

enum limits_answer {
	LIMITS_NONE,   /* none stops it */
	LIMITS_OVER,   /* the job itself is over one: it never runs */
	LIMITS_SHARED, /* one depends on other jobs: it may wait for ever */
};

/*
 * Look at all limits; cost: their number.
 * IN/OUT longest - lowered to the longest run time in seconds that they allow
 * OUT why - names the first limit found, its value and where it comes from
 */
enum limits_answer limits_check(const struct limits_job *job, int64_t *longest, char *why,
				size_t why_size);

/*
 * Of a range's nodes, from its width to most: so many that no limit on a job's size, nor one that it shares with others, keeps
 * it from having when it is alone, whichever nodes it gets: each is taken to be the largest of them. Cost: their number, times the
 * logarithm of the range.
 * RET most, too, where its width alone is over one on whichever nodes: that is limits_check()'s to say
 */
int32_t limits_most(const struct limits_job *job, int32_t most);

#endif /* PACT_SLURM_LIMITS_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eligibility.h - what could stop a promised job that no plan of nodes can see
 *
 * Never promise what something else could stop: a job that could be preempted,
 * or that an enforced limit of its association, its QOS or its partition's QOS
 * could keep waiting (limits.h).  And who may use deadlines, by pact.conf.
 *
 * Called under slurmctld's read locks; takes assoc_mgr's read locks.
 */
#ifndef PACT_SLURM_ELIGIBILITY_H
#define PACT_SLURM_ELIGIBILITY_H

#include "slurm/base/compat.h"
#include "slurm/config/conf.h"
#include "slurm/eligibility/describe.h"
#include "slurm/base/names.h"

/* Who submits, and what; or a record, as it is or as it is to be. */
struct eligibility_job {
	uid_t uid;
	const char *account;	    /* NULL: the user's default; of a record: stays */
	const char *qos;	    /* NULL: the default; of a record: stays, "" for the default */
	bool moves;		    /* a record: to other partitions */
	const job_record_t *record; /* NULL: a submission */
	const struct description *what;
	int64_t least; /* seconds it must be allowed to run at least */
};

enum obstacle {
	OBSTACLE_NONE,
	OBSTACLE_OVER,	/* the job is over a limit: it never runs as it is */
	OBSTACLE_WAITS, /* something else may keep it waiting, or stop it */
};

/*
 * What stands against it?
 * OUT longest - the longest run time that the limits allow, seconds; or PACT_FOREVER
 * OUT why - names the obstacle; OBSTACLE_WAITS: for "cannot be planned: ..."
 */
enum obstacle eligibility_obstacle(const struct eligibility_job *job, int64_t *longest, char *why,
				   size_t why_size);

/*
 * Is there an obstacle to a waiting job as it is, with a promise or without?  A promise may rest on its end.
 * True, too, when memory is short.
 */
bool eligibility_record(struct regions *regions, const job_record_t *job);

/*
 * May this user have promises, by AllowAccounts, AllowQOS and AllowGroups?
 * Root and SlurmUser always may.
 * OUT why - names the key
 */
bool eligibility_allows(const struct conf *conf, const struct eligibility_job *job, char *why,
			size_t why_size);

#endif /* PACT_SLURM_ELIGIBILITY_H */

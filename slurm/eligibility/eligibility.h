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
 * Is there one for a waiting job as it is, whoever's it is?  Another's promise may rest on its end.
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

/*
 * Would Slurm let such a submission by `submitter` into all its partitions?  State, AllowGroups,
 * AllowAccounts, AllowQOS and their opposites, AllocNodes, RootOnly, DisableRootJobs, ReqResv:
 * job_submit() is asked before Slurm looks at them, and the accounts and QOS of a partition may
 * only keep the job waiting, for ever.  Looks groups up, which may take its time: without the
 * mutex.
 * OUT why - names the partition
 */
bool eligibility_enters(const job_desc_msg_t *desc, uint32_t submitter, char *why, size_t why_size);

/*
 * Would Slurm find the account and QOS of a submission, and let the one use the other?
 * IN parts - its partitions (request_parts)
 * OUT qos_flags - of its QOS (QOS_FLAG_PART_...); 0: none
 * OUT why - names what it does not find
 * RET Slurm's error code, or SLURM_SUCCESS
 */
int eligibility_finds(const job_desc_msg_t *desc, list_t *parts, uint32_t *qos_flags, char *why,
		      size_t why_size);

/*
 * Would Slurm take such a submission by the limits of its account and QOS?  Some count jobs that are
 * submitted already; under DenyOnLimit the others are compared with what the job asks for, which may
 * be less than it gets.  Slurm's own check, which follows on job_submit(): for a question, that no
 * submission follows.  Not with assoc_mgr's locks.
 * OUT why - names the limit
 */
bool eligibility_submits(const job_desc_msg_t *desc, char *why, size_t why_size);

/*
 * Would Slurm start such a job in all of its partitions?  By AllowAccounts and AllowQOS and their
 * opposites: without EnforcePartLimits Slurm does not ask for them before the job could start,
 * which then waits for ever.  All else it asks itself.  eligibility_obstacle() asks for this, too.
 * OUT why - names the partition
 */
bool eligibility_moves(const struct eligibility_job *job, char *why, size_t why_size);

/*
 * The account that Slurm gives a submission: the one named, in small letters, or the user's default where
 * none is named, or one that accounting does not know and need not know; "": there is none.
 * Takes assoc_mgr's locks.
 * IN part - the first partition; NULL: any
 */
void eligibility_account(uid_t uid, const char *part, const char *name, char *out, size_t size);

/*
 * A user in a message, by the name that accounting knows: others would have to be looked up, which may
 * take its time.  Takes assoc_mgr's locks.
 */
void eligibility_user(uid_t uid, char out[NAMES_USER]);

/*
 * Does accounting know the submission's wckey, or a default one of its user, where
 * AccountingStorageEnforce has wckeys?  Takes assoc_mgr's locks.
 * OUT why - names the wckey, if Slurm would refuse it
 * RET Slurm's error code, or SLURM_SUCCESS
 */
int eligibility_wckey(const job_desc_msg_t *desc, char *why, size_t why_size);

#endif /* PACT_SLURM_ELIGIBILITY_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_submit_deadline.c - job_submit/deadline: promises completion times
 *
 * JobSubmitPlugins=deadline, last in the list, with SchedulerType=sched/qops or
 * sched/dynp.
 * Decides about every submission with --deadline while sbatch waits, and about
 * changes of promised jobs.  Configuration: pact.conf beside slurm.conf, see
 * pact.conf(5).  Owns the plan and stays resident (slurm/agent/shared.h).
 *
 * Entry points only: the work is in slurm/admission/ and slurm/agent/agent.c.
 */
#include "slurm/base/compat.h"

#include "slurm/resizing/resize.h"
#include "slurm/admission/admit.h"
#include "slurm/admission/change_what.h"
#include "slurm/config/builds.h"
#include "slurm/eligibility/entry.h"
#include "slurm/config/safety.h"
#include "slurm/agent/shared.h"
#include "slurm/promise/unconfirmed.h"
#include "slurm/state/resize_log.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT const char plugin_name[] = "Promised completion times (deadline)";
EXPORT const char plugin_type[] = "job_submit/deadline";
EXPORT const uint32_t plugin_version = SLURM_VERSION_NUMBER;

/* What the scheduler looks for: SHARED_SYMBOL. */
EXPORT struct shared pact_shared_2;

EXPORT int init(void)
{
	const char *list = slurm_conf.job_submit_plugins;
	char err[256];

	/* It stays loaded, or slurmctld would not start; and is not found by the scheduler. */
	if (!builds_start(plugin_type, true))
		return SLURM_SUCCESS;
	if (!safety_promises(err, sizeof(err))) {
		error("%s: %s", plugin_type, err);
		return SLURM_ERROR;
	}
	if (list && strlen(list) >= 8 && strcmp(list + strlen(list) - 8, "deadline"))
		info("warning: %s: JobSubmitPlugins=%s: put deadline last, what later plugins "
		     "change is "
		     "not what was promised",
		     plugin_type, list);
	entry_seen(NULL);
	if (!SLURM_TESTED)
		info("warning: %s: built for Slurm %s, with which Pact is not tested", plugin_type,
		     SLURM_VERSION_STRING);
	pact_shared_2 = *shared_own();
	verbose("%s loaded", plugin_name);
	return SLURM_SUCCESS;
}

EXPORT int fini(void)
{
	return SLURM_SUCCESS;
}

/* Other nodes of a running job: for the history, whichever way that is done, here or by Slurm. */
static void note_size(const job_desc_msg_t *desc, const job_record_t *job, uint32_t uid)
{
	if (IS_JOB_RUNNING(job) && (desc->req_nodes || desc->min_nodes != NO_VAL))
		resize_log_by_hand(job->job_id, uid != job->user_id, time(NULL));
}

/* The thread serves a submission, or a change of job_ptr unless that is NULL, until this returns. */
static int decide(job_desc_msg_t *job_desc, job_record_t *job_ptr, uint32_t submit_uid,
		  char **err_msg)
{
	int rc;

	if (!builds_records())
		return admit_unfit(job_desc, err_msg);
	if (job_ptr && resize_is_own())
		return SLURM_SUCCESS;
	unconfirmed_serve(true);
	rc = job_ptr ? admit_change(job_desc, job_ptr, submit_uid, err_msg)
		     : admit_submission(job_desc, submit_uid, err_msg);
	unconfirmed_serve(false);
	if (job_ptr && rc == SLURM_SUCCESS) {
		note_size(job_desc, job_ptr, submit_uid);
		/* what Slurm refuses behind us is to take no nodes: of more than that it does all */
		if (change_of_size_alone(job_desc))
			resize_requested(job_desc, job_ptr, submit_uid);
	}
	return rc;
}

EXPORT int job_submit(job_desc_msg_t *job_desc, uint32_t submit_uid, char **err_msg)
{
	return decide(job_desc, NULL, submit_uid, err_msg);
}

EXPORT int JOB_MODIFY(job_desc_msg_t *job_desc, job_record_t *job_ptr, uint32_t submit_uid,
		      char **err_msg)
{
	return decide(job_desc, job_ptr, submit_uid, JOB_MODIFY_MESSAGE(err_msg));
}

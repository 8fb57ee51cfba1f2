/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * turn.c - one job has its turn on its nodes, or another one has
 *
 * By Slurm's own suspension as its gang scheduler uses it, not the indefinite one of scontrol: the job keeps its
 * priority, memory and nodes.
 */
#include "slurm/acting/turn.h"

#include "slurm/base/scheduler.h"
#include "slurm/records/by_hand.h"
#include "slurm/records/job_nodes.h"
#include "slurm/records/warning.h"

const slurmctld_lock_t turn_locks = { READ_LOCK, WRITE_LOCK, WRITE_LOCK, READ_LOCK, READ_LOCK };

/*
 * Slurm looks for jobs over their limits twice a minute, and only at those that run just then: with short slices that may
 * never be one's turn. So it is asked to look before such a job is suspended. It may give up the locks meanwhile.
 */
static job_record_t *end_by_limit(job_record_t *job)
{
	uint32_t job_id = job->job_id;
	uint16_t over = job->part_ptr && job->part_ptr->over_time_limit != NO_VAL16
				? job->part_ptr->over_time_limit
				: slurm_conf.over_time_limit;

	if (over != INFINITE16 && job->time_limit != INFINITE && job->end_time &&
	    job->end_time + (time_t)over * 60 <= time(NULL)) {
		job_time_limit();
		return find_job_record(job_id);
	}
	return job;
}

/*
 * So it is with what clients are told in a job's last minute: salloc goes by that when it says why its job has ended. They
 * expect it more than once.
 */
static void tell_clients(job_record_t *job)
{
	if (job->end_time <= time(NULL) + 2 * PERIODIC_TIMEOUT)
		srun_timeout(job);
}

bool turn_warn(uint32_t job_id, int64_t after)
{
	job_record_t *job = find_job_record(job_id);
	int64_t now = time(NULL), warning = job ? warning_of(job) : 0;

	if (!warning || !IS_JOB_RUNNING(job) || IS_JOB_COMPLETING(job) || IS_JOB_CONFIGURING(job) ||
	    now < (job->suspend_time ? job->suspend_time : job->start_time) + after ||
	    now < job->end_time - warning - TURN_WARNS)
		return false;
	info("%s: JobId=%u: it is warned of its end by signal %u", scheduler_type(), job_id,
	     job->warn_signal);
	send_job_warn_signal(job, true);
	/* a slurmctld that dies before that is written sends it again */
	schedule_job_save();
	return true;
}

/* Slurm leaves it as it was until the job goes on, and counts it anew then, but not of these. */
void turn_show_end(uint32_t job_id, int64_t end)
{
	job_record_t *job = find_job_record(job_id);

	if (job && IS_JOB_SUSPENDED(job) && job->time_limit != INFINITE && !job->preempt_time &&
	    end > time(NULL) && end < PACT_FOREVER)
		job->end_time = end;
}

/* Slurm takes one that has no priority for suspended by hand, and gives it one. */
static int resume(job_record_t *job, suspend_msg_t *what)
{
	bool held = !job->priority;
	int rc = job_suspend_turn(what);

	if (held && rc == SLURM_SUCCESS)
		job->priority = 0;
	return rc;
}

/*
 * A job that runs without a priority is held, but Slurm forgets that when its prologs have ended, and once it is stopped that would
 * be a suspension with scontrol (suspended_by_hand()). The reason is what Slurm itself falls back to.
 */
static void recall_hold(job_record_t *job)
{
	if (job->priority || job->state_reason == WAIT_HELD || job->state_reason == WAIT_HELD_USER)
		return;
	job->state_reason = WAIT_HELD;
	xfree(job->state_desc);
}

bool turn_take(uint32_t job_id, bool suspend, int64_t end)
{
	job_record_t *job = find_job_record(job_id);
	suspend_msg_t what = { .op = suspend ? SUSPEND_JOB : RESUME_JOB, .job_id = job_id };
	time_t active;
	int rc;

	if (!job || IS_JOB_COMPLETING(job) || !(IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)))
		return false;
	if (IS_JOB_SUSPENDED(job) == suspend)
		return true;
	/* a suspension takes that state away, and what waits for its end would never launch the job */
	if (suspend && IS_JOB_CONFIGURING(job))
		return false;
	if (suspend && (!(job = end_by_limit(job)) || !IS_JOB_RUNNING(job)))
		return false;
	if (!suspend && suspended_by_hand(job))
		return false;
	if (suspend)
		tell_clients(job);
	if (suspend)
		recall_hold(job);
	active = job->time_last_active;
	rc = suspend ? job_suspend_turn(&what) : resume(job, &what);
	/*
	 * Slurm takes a turn for a sign of life, and would never miss a batch job that its node has not any more. Another
	 * one's client is asked for such signs only while it runs, and without them would be missed by InactiveLimit.
	 */
	if (job->batch_flag)
		job->time_last_active = active;
	if (rc != SLURM_SUCCESS)
		info("%s: JobId=%u: %s: %s", scheduler_type(), job_id,
		     suspend ? "it is not suspended" : "it is not resumed", slurm_strerror(rc));
	else if (suspend)
		turn_show_end(job_id, end);
	return rc == SLURM_SUCCESS;
}

bool turn_repeat(uint32_t job_id)
{
	const job_record_t *job = find_job_record(job_id);

	if (!job || IS_JOB_COMPLETING(job) || !job->node_bitmap || !suspension_repeats() ||
	    !(IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)))
		return false;
	job_nodes_tell(job_nodes_message(REQUEST_SUSPEND_INT, job->node_bitmap),
		       suspension_message(job, IS_JOB_SUSPENDED(job) ? SUSPEND_JOB : RESUME_JOB));
	return true;
}

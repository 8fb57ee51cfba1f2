/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * migrate.c - a job is asked to leave its nodes
 *
 * What it is asked is written into its record before the signal goes out. A controller that dies within the seconds until
 * Slurm has saved that finds a job that was requeued as by itself: it waits for two minutes, and has its whole limit.
 */
#include "slurm/acting/migrate.h"

#include "slurm/base/scheduler.h"
#include "slurm/records/move.h"

/* What stands against asking it; MIGRATE_ASKED: nothing. */
static enum migrate_rc obstacle(const job_record_t *job, const struct move *before)
{
	if (!move_signal(job) || before->state == MOVE_STAYS || !job->details)
		return MIGRATE_NEVER;
	if (IS_JOB_SUSPENDED(job) || IS_JOB_CONFIGURING(job))
		return MIGRATE_LATER;
	if (IS_JOB_RUNNING(job) && !IS_JOB_COMPLETING(job))
		return MIGRATE_ASKED;
	/* it may be leaving just now */
	return before->state == MOVE_ASKED ? MIGRATE_LATER : MIGRATE_NEVER;
}

enum migrate_rc migrate_ask(uint32_t job_id)
{
	job_record_t *job = find_job_record(job_id);
	struct move before;
	enum migrate_rc rc;
	int failed;

	if (!job)
		return MIGRATE_NEVER;
	move_of(job, &before);
	rc = obstacle(job, &before);
	if (rc != MIGRATE_ASKED)
		return rc;
	move_ask(job, time(NULL));
	failed = job_signal(job, move_signal(job), KILL_JOB_BATCH, 0, false);
	if (failed) {
		move_give_up(job);
		info("%s: JobId=%u: signal %u is not sent: %s", scheduler_type(), job_id,
		     move_signal(job), slurm_strerror(failed));
		return MIGRATE_NEVER;
	}
	info("%s: JobId=%u: it is asked%s to leave %s by signal %u", scheduler_type(), job_id,
	     before.state == MOVE_ASKED ? " once more" : "", job->nodes, move_signal(job));
	schedule_job_save();
	return MIGRATE_ASKED;
}

/* As Slurm's _require_node_reg() does it, but the node stays in use meanwhile. */
bool migrate_find(uint32_t job_id)
{
	job_record_t *job = find_job_record(job_id);
	node_record_t *node;

	if (!job || !job->batch_host || !IS_JOB_RUNNING(job) || IS_JOB_COMPLETING(job) ||
	    IS_JOB_CONFIGURING(job))
		return false;
	node = find_node_record(job->batch_host);
	if (!node)
		return false;
	/* a new slurmctld takes its own start for a sign of life of every job, and misses none for some time */
	job->time_last_active = job->start_time;
	node->boot_time = 0;
	ping_nodes_now = true;
	return true;
}

void migrate_give_up(uint32_t job_id)
{
	job_record_t *job = find_job_record(job_id);

	if (!job)
		return;
	move_give_up(job);
	info("%s: JobId=%u: it has not left %s in time, and stays there", scheduler_type(), job_id,
	     job->nodes);
	schedule_job_save();
}

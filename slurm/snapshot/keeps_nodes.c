/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keeps_nodes.c - which jobs have nodes, by their records
 */
#include "slurm/snapshot/keeps_nodes.h"

#include "slurm/records/by_hand.h"

bool part_may_turn(const part_record_t *part)
{
	return part && part->max_share & SHARED_FORCE &&
	       !xstrcmp(slurm_conf.select_type, "select/gang");
}

/*
 * Does select/gang leave one that is suspended without a priority its place? Where jobs take turns it does; in a partition of one
 * row, FORCE:1, Slurm gives the nodes of what was suspended by hand to others. One that was held, and then stopped for another's
 * turn when there were more rows, is to go on, and has its place.
 */
static bool keeps_place(const job_record_t *job)
{
	return part_may_turn(job->part_ptr) &&
	       ((job->part_ptr->max_share & ~SHARED_FORCE) > 1 || !suspended_by_hand(job));
}

/*
 * Slurm gives the nodes of a job that was suspended by hand (its priority is 0
 * then) to others, and on them to itself again when it is resumed.  Where
 * promises are made its nodes stay its own: no other job is promised a place on them.
 */
bool job_keeps_nodes(const job_record_t *job)
{
	if (IS_JOB_SUSPENDED(job))
		return job->priority || keeps_place(job) ||
		       xstrstr(slurm_conf.job_submit_plugins, "deadline");
	return IS_JOB_RUNNING(job) || IS_JOB_COMPLETING(job);
}

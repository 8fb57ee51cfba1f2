/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keeps_nodes.c - which jobs have nodes, by their records
 */
#include "slurm/snapshot/keeps_nodes.h"

bool part_may_turn(const part_record_t *part)
{
	return part && part->max_share & SHARED_FORCE &&
	       !xstrcmp(slurm_conf.select_type, "select/gang");
}

/*
 * Slurm gives the nodes of a job that was suspended by hand (its priority is 0
 * then) to others, and on them to itself again when it is resumed.  Where
 * promises are made its nodes stay its own: no other job is promised a place on them.
 * Where jobs take turns select/gang leaves it its place, and one that was held and then
 * stopped for another's turn has no priority either: it is to go on.
 */
bool job_keeps_nodes(const job_record_t *job)
{
	if (IS_JOB_SUSPENDED(job))
		return job->priority || part_may_turn(job->part_ptr) ||
		       xstrstr(slurm_conf.job_submit_plugins, "deadline");
	return IS_JOB_RUNNING(job) || IS_JOB_COMPLETING(job);
}

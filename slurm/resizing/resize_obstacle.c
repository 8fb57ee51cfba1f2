/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resize_obstacle.c - what of a job stands against a resize */
#include "slurm/resizing/resize_obstacle.h"

#include "slurm/config/realms.h"
#include "slurm/records/job_nodes.h"

static bool asks_for_gres(const job_record_t *job)
{
	return job->gres_list_req || job->gres_list_alloc;
}

const char *resize_obstacle(const job_record_t *job)
{
	const job_details_t *details = job->details;

	if (!details || !job->part_ptr)
		return "it has no partition";
	if (job->array_job_id || job->array_recs)
		return "it is a task of an array";
	if (job->het_job_id)
		return "it is part of a heterogeneous job";
	if (job->fed_details)
		return "it is a job of a federation";
	if (asks_for_gres(job))
		return "it has generic resources (--gres, --gpus)";
	if (job->burst_buffer)
		return "it has a burst buffer";
	if (job_manages_steps(job))
		return "it manages its steps itself (--stepmgr)";
	/* in 24.11 these are flags, to which a start adds WHOLE_NODE_REQUIRED */
	if ((details->whole_node && details->whole_node != WHOLE_NODE_REQUIRED) ||
	    job->part_ptr->flags & PART_FLAG_EXCLUSIVE_USER)
		return "its nodes are its user's alone (--exclusive=user, mcs or topo, "
		       "ExclusiveUser)";
	if (details->contiguous)
		return "its nodes have to be contiguous (--contiguous)";
	if (realms_share(job->part_ptr->name))
		return "its partition shares nodes";
	if (realms_slice(job->part_ptr->name))
		return "its partition is sliced";
	if (IS_JOB_RUNNING(job) && job_nodes_partly(job))
		return "it has less than whole nodes (--exclusive would give it these)";
	return NULL;
}

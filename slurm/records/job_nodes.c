/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_nodes.c - nodes of a job in Slurm's tables, see job_nodes.h */
#include "slurm/records/job_nodes.h"

bool job_nodes_partly(const job_record_t *job)
{
	const job_resources_t *has = job->job_resrcs;
	uint64_t all = 0;

	if (!has || !job->node_bitmap || job->details->whole_node == WHOLE_NODE_REQUIRED)
		return false;
	for (bitoff_t i = bit_ffs(job->node_bitmap), last = bit_fls(job->node_bitmap);
	     i >= 0 && i <= last; i++)
		if (bit_test(job->node_bitmap, i) && node_record_table_ptr[i])
			all += node_record_table_ptr[i]->config_ptr->cpus;
	return has->ncpus < all;
}

/* As _suspend_job() in slurmctld's job_mgr.c, and deallocate_nodes() in its node_scheduler.c. */
agent_arg_t *job_nodes_message(slurm_msg_type_t type, const bitstr_t *nodes)
{
	agent_arg_t *message = xmalloc(sizeof(*message));
	bitstr_t *set = (bitstr_t *)nodes;

	message->msg_type = type;
	message->hostlist = hostlist_create(NULL);
	message->protocol_version = SLURM_PROTOCOL_VERSION;
	for (bitoff_t i = bit_ffs(set), last = bit_fls(set); i >= 0 && i <= last; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (!bit_test(set, i) || !node)
			continue;
		if (message->protocol_version > node->protocol_version)
			message->protocol_version = node->protocol_version;
		agent_reaches(message, node);
		hostlist_push_host(message->hostlist, node->name);
		message->node_count++;
	}
	return message;
}

void job_nodes_tell(agent_arg_t *message, void *what)
{
	message->msg_args = what;
	set_agent_arg_r_uid(message, SLURM_AUTH_UID_ANY);
	agent_queue_request(message);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submit_limits.c - Slurm's own check of limits when a job is submitted
 */
#include "slurm/base/compat.h"

#include <ctype.h>

#include "slurm/eligibility/submit_limits.h"
#include "slurm/base/array.h"
#include "slurm/eligibility/account.h"
#include "slurm/eligibility/eligibility.h"
#include "slurm/eligibility/request.h"

/* What Slurm compares with limits then: what the job asks for at least (_job_create). */
static void count_asked(job_desc_msg_t *desc, part_record_t *part)
{
	bool given = desc->pn_min_memory != NO_VAL64;
	uint64_t memory = desc->pn_min_memory, *tres = desc->tres_req_cnt;

	if (!given)
		memory = part->def_mem_per_cpu ? part->def_mem_per_cpu : slurm_conf.def_mem_per_cpu;
	if (memory == MEM_PER_CPU)
		memory = 0;
	tres[TRES_ARRAY_NODE] = desc->min_nodes;
	tres[TRES_ARRAY_CPU] = desc->min_cpus;
	tres[TRES_ARRAY_MEM] =
		job_get_tres_mem(NULL, memory, desc->min_cpus, desc->min_nodes, part, NULL, given,
				 desc->sockets_per_node, desc->num_tasks);
	tres[TRES_ARRAY_BILLING] = assoc_mgr_tres_weighted(tres, part->billing_weights,
							   slurm_conf.priority_flags, false);
}

/*
 * The records of its account are not freed between the two locks: Slurm waits for the jobs' write
 * lock before it does that. Slurm's check adds the user to the lists of who uses its QOS, if he is not in
 * them yet; these have locks of their own, and Slurm, which holds the jobs' write lock there, waits for us.
 */
static bool limits_take(job_desc_msg_t *desc, struct request *req, uint32_t *reason)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK, .user = READ_LOCK };
	const struct eligibility_job job = {
		.uid = desc->user_id,
		.account = desc->account,
		.qos = desc->qos,
	};
	acct_policy_limit_set_t lifted = { 0 };
	struct account account;
	list_t *parts = NULL;
	bool takes = true;

	assoc_mgr_lock(&locks);
	account = account_find(&job, req->first->name);
	assoc_mgr_unlock(&locks);
	/* Without an account it is refused for that. */
	if (!account.assoc)
		return true;
	lifted.tres = xcalloc(slurmctld_tres_cnt, sizeof(*lifted.tres));
	if (req->nparts > 1)
		parts = list_create(NULL);
	for (uint32_t i = 0; parts && i < req->nparts; i++)
		list_append(parts, req->part[i]);
	takes = acct_policy_validate(desc, req->first, parts, account.assoc, account.qos, reason,
				     &lifted, false);
	FREE_NULL_LIST(parts);
	xfree(lifted.tres);
	return takes;
}

bool eligibility_submits(const job_desc_msg_t *desc, char *why, size_t why_size)
{
	uint32_t tasks = desc->array_inx ? array_count(desc->array_inx, DESCRIBE_TASKS) : 0;
	job_desc_msg_t ask = *desc; /* Slurm fills in limits */
	uint32_t reason = WAIT_NO_REASON;
	struct request req;
	bool takes = true;

	if (!(accounting_enforce & ACCOUNTING_ENFORCE_LIMITS))
		return true;
	if (request_submission(&req, desc)) {
		ask.min_nodes = req.record_nodes;
		if (req.own_required && (uint32_t)bit_set_count(req.own_required) > ask.min_cpus)
			ask.min_cpus = bit_set_count(req.own_required);
		ask.array_bitmap = tasks ? bit_alloc(tasks) : NULL;
		if (tasks)
			bit_set_all(ask.array_bitmap);
		ask.tres_req_cnt = xcalloc(slurmctld_tres_cnt, sizeof(*ask.tres_req_cnt));
		count_asked(&ask, req.first);
		takes = limits_take(&ask, &req, &reason);
		FREE_NULL_BITMAP(ask.array_bitmap);
		xfree(ask.tres_req_cnt);
	}
	request_release(&req);
	if (!takes)
		snprintf(why, why_size,
			 "Slurm would not take it by a limit of its account or QOS: %s",
			 job_state_reason_string(reason));
	return takes;
}

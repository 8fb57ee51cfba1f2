/* SPDX-License-Identifier: GPL-2.0-or-later */
/* selection.c - select_nodes() with what was planned, see selection.h */
#include "slurm/acting/selection.h"

#include "slurm/acting/grant.h"
#include "slurm/acting/reason.h"
#include "slurm/base/scheduler.h"
#include "slurm/config/realms.h"
#include "slurm/records/malleable.h"
#include "slurm/records/run_limit.h"

/* Minutes that a job gets which has a deadline without a promise. */
static uint32_t trimmed_limit(const job_record_t *job)
{
	uint32_t left, limit = job->time_limit;

	if (!job->deadline || job->deadline == (time_t)NO_VAL)
		return limit;
	/* As stock: a deadline that is upon us cuts nothing. */
	if (job->deadline < time(NULL) + 60)
		return limit;
	left = (uint32_t)((job->deadline - time(NULL)) / 60);
	if (limit == NO_VAL || limit == INFINITE) {
		limit = job->part_ptr->default_time;
		if (limit == NO_VAL || limit == INFINITE)
			limit = job->part_ptr->max_time;
	}
	return limit == NO_VAL || limit == INFINITE || limit > left ? left : limit;
}

/*
 * A job inside a reservation takes no turns: where others do it gets nodes that no job has, or it would be started on top of one.
 * Slurm counts each start, so the next one of the same pass sees it.
 */
static void keep_free(bitstr_t *nodes)
{
	const node_record_t *node;

	for (int i = 0; (node = next_node(&i)); i++)
		if (node->run_job_cnt || node->sus_job_cnt)
			bit_clear(nodes, i);
}

bitstr_t *selection_forbidden(const struct launch *launch, const job_record_t *job)
{
	bitstr_t *nodes;

	if (launch->inside) {
		if (!job->resv_ptr || !job->resv_ptr->node_bitmap)
			return bit_copy(avail_node_bitmap);
		nodes = bit_copy(job->resv_ptr->node_bitmap);
		if (job->part_ptr && realms_slice(job->part_ptr->name))
			keep_free(nodes);
	} else if (launch->allowed) {
		nodes = region_to_bitmap(launch->allowed);
	} else {
		return NULL;
	}
	bit_not(nodes);
	if (bit_ffs(nodes) < 0)
		FREE_NULL_BITMAP(nodes);
	return nodes;
}

/* Features that are counted, or of which any one must be common to all nodes. */
static int intricate(void *entry, void *arg)
{
	const job_feature_t *feature = entry;

	(void)arg;
	return feature->count || feature->paren || feature->op_code == FEATURE_OP_MOR ||
	       feature->op_code == FEATURE_OP_XAND;
}

/* Have these nodes, empty, processors for all of its tasks? */
static bool enough_cpus(const job_details_t *details, bitstr_t *nodes)
{
	bool per_task = details->cpus_per_task && details->cpus_per_task != NO_VAL16 &&
			details->num_tasks != NO_VAL;
	uint64_t cpus = 0, tasks = 0;
	const node_record_t *node;

	if (details->overcommit)
		return true;
	for (int i = 0; (node = next_node(&i)); i++)
		if (bit_test(nodes, i)) {
			cpus += node->cpus;
			tasks += per_task ? node->cpus / details->cpus_per_task : 0;
		}
	return cpus >= details->min_cpus && (!per_task || tasks >= details->num_tasks);
}

/*
 * Could these nodes ever be enough, were they empty?  As sched/backfill asks before it asks for
 * a place: select_nodes() writes a line to the log for each job that is "never runnable", which
 * is said of the few nodes that are not kept from it just now.
 */
static bool could_be_enough(job_record_t *job, bitstr_t *forbid)
{
	job_details_t *details = job->details;
	uint32_t least = details->min_nodes > job->part_ptr->min_nodes ? details->min_nodes
								       : job->part_ptr->min_nodes;
	bitstr_t *nodes;
	bool enough;

	if (!job->part_ptr->node_bitmap)
		return true;
	if (details->feature_list_use &&
	    list_find_first(details->feature_list_use, intricate, NULL))
		return true;
	nodes = bit_copy(job->part_ptr->node_bitmap);
	if (forbid)
		bit_and_not(nodes, forbid);
	if (details->exc_node_bitmap)
		bit_and_not(nodes, details->exc_node_bitmap);
	enough = !job_req_node_filter(job, nodes, true) &&
		 (!details->req_node_bitmap || bit_super_set(details->req_node_bitmap, nodes)) &&
		 (uint32_t)bit_set_count(nodes) >= least && enough_cpus(details, nodes);
	FREE_NULL_BITMAP(nodes);
	return enough;
}

static int select_now(job_record_t *job, bool test_only)
{
	job_node_select_t what = { .job_ptr = job };

	return select_nodes(&what, test_only, false, SLURMDB_JOB_FLAG_BACKFILL);
}

static int select_granted(job_record_t *job, const bitstr_t *forbid, bool alone)
{
	int rc;

	grant_begin(job, forbid, alone);
	rc = select_now(job, false);
	grant_end();
	return rc;
}

/* As sched/backfill: exclude around the call, restore on job and array head. */
static int select_within(job_record_t *job, bitstr_t *forbid, bool alone)
{
	bitstr_t *saved = job->details->exc_node_bitmap;
	bool head = job->array_recs;
	job_record_t *base;
	int rc;

	if (!forbid)
		return select_granted(job, NULL, alone);
	job->details->exc_node_bitmap = bit_copy(forbid);
	if (saved)
		bit_or(job->details->exc_node_bitmap, saved);
	rc = select_granted(job, forbid, alone);
	base = head ? find_job_record(job->array_job_id) : NULL;
	if (base && base != job && base->array_recs && base->details) {
		FREE_NULL_BITMAP(base->details->exc_node_bitmap);
		base->details->exc_node_bitmap = saved ? bit_copy(saved) : NULL;
	}
	if (job->details) {
		FREE_NULL_BITMAP(job->details->exc_node_bitmap);
		job->details->exc_node_bitmap = saved;
	} else {
		FREE_NULL_BITMAP(saved);
	}
	return rc;
}

bool selection_never(job_record_t *job, int rc, bool restricted)
{
	switch (rc) {
	case ESLURM_NODES_BUSY:
	case ESLURM_BURST_BUFFER_WAIT:
	case ESLURM_RESERVATION_BUSY:
	case ESLURM_RESERVATION_NOT_USABLE:
	case ESLURM_FED_JOB_LOCK:
	case ESLURM_ACCOUNTING_POLICY:
	case ESLURM_REQUESTED_PART_CONFIG_UNAVAILABLE:
	case ESLURM_NODE_NOT_AVAIL:
	case ESLURM_INVALID_BURST_BUFFER_REQUEST:
	case ESLURM_PARTITION_DOWN:
	case ESLURM_QOS_THRES:
	case ESLURM_JOB_HELD:
		return false;
	case ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE:
		if (job->part_ptr_list)
			return false;
	}
	if (!restricted)
		return true;
	rc = select_now(job, true);
	return rc != SLURM_SUCCESS && selection_never(job, rc, false);
}

/* A task was split from its array while it had one start's terms: the rest gets its own back, and none of its shares. */
static void restore_head(const job_record_t *job, uint32_t limit, uint32_t max_nodes, uint16_t set)
{
	job_record_t *head = find_job_record(job->array_job_id);

	if (!head || head == job || !head->array_recs || !head->details || !IS_JOB_PENDING(head))
		return;
	head->time_limit = limit;
	head->limit_set.time = set;
	head->details->max_nodes = max_nodes;
	share_terms_put(head, &(struct share_terms){ 0 });
}

/* In minutes, as Slurm's own line has it; a job may have had no limit at all. */
static void tell_trimmed(const job_record_t *job, uint32_t limit, uint32_t use)
{
	if (limit == NO_VAL || limit == INFINITE)
		info("%s: %pJ time limit is %u minute%s; it had none", scheduler_type(), job, use,
		     use == 1 ? "" : "s");
	else
		info("%s: %pJ time limit changed from %u to %u minute%s", scheduler_type(), job,
		     limit, use, use == 1 ? "" : "s");
}

/*
 * No more nodes than planned, and what is spare beside.  A limit of its account may leave room for the planned ones
 * alone: then these.
 */
static int select_width(const struct launch *launch, job_record_t *job, bitstr_t *forbid)
{
	uint32_t had = job->details->max_nodes, most = (uint32_t)(launch->width + launch->spare);
	int rc;

	if (launch->width && (!had || had > most))
		job->details->max_nodes = most;
	rc = select_within(job, forbid, launch->promised);
	if (rc != SLURM_SUCCESS && launch->width && launch->spare && job->details) {
		job->details->max_nodes = (uint32_t)launch->width;
		rc = select_within(job, forbid, launch->promised);
	}
	if (job->details)
		job->details->max_nodes = had;
	return rc;
}

/* select_nodes() with the time limit and node count that were planned. */
static int select_planned(struct launch *launch, job_record_t *job, bitstr_t *forbid)
{
	uint32_t limit = job->time_limit, max_nodes = job->details->max_nodes;
	uint32_t use = launch->limit ? (uint32_t)((launch->limit + 59) / 60) : trimmed_limit(job);
	bool trimmed = use != limit, head = job->array_recs;
	uint16_t set = job->limit_set.time;
	int rc;

	if (trimmed)
		job->time_limit = use;
	/* What limits of sites are meant for is its estimate, and that was looked at; not the time until it is due. */
	if (launch->terms.estimate)
		job->limit_set.time = ADMIN_SET_LIMIT;
	rc = select_width(launch, job, forbid);
	job->limit_set.time = set;
	if (head && rc == SLURM_SUCCESS)
		restore_head(job, limit, max_nodes, set);
	if (rc != SLURM_SUCCESS && trimmed)
		job->time_limit = limit;
	else if (trimmed)
		acct_policy_alter_job(job, use);
	if (rc == SLURM_SUCCESS && trimmed)
		tell_trimmed(job, limit, use);
	if (rc == SLURM_SUCCESS && launch->until && !launch->terms.estimate)
		run_limit_put(job, limit, launch->until);
	if (rc == SLURM_SUCCESS)
		malleable_begin(job);
	return rc;
}

int selection_try(struct launch *launch, job_record_t *job, bitstr_t *forbid)
{
	uint32_t reason = job->state_reason;
	char *desc;
	int rc;

	if (forbid && !could_be_enough(job, forbid) && could_be_enough(job, NULL)) {
		if (reason != WAIT_RESOURCES && reason != WAIT_PRIORITY)
			reason_set(job, WAIT_RESOURCES);
		return ESLURM_NODES_BUSY;
	}
	desc = xstrdup(job->state_desc);
	launch->asked = true;
	rc = select_planned(launch, job, forbid);

	if (rc == ESLURM_NODES_BUSY && job->state_reason == WAIT_RESOURCES &&
	    (reason == WAIT_RESOURCES || reason == WAIT_PRIORITY)) {
		job->state_reason = reason;
		xfree(job->state_desc);
		job->state_desc = desc;
		desc = NULL;
	}
	xfree(desc);
	return rc;
}

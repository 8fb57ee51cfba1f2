/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * launch.c - start one waiting job now, by Slurm's own rules
 *
 * Follows _schedule() in slurmctld's job_scheduler.c and _start_job() in
 * sched/backfill, check by check and in their order.
 */
#include "slurm/acting/launch.h"
#include "slurm/base/scheduler.h"
#include "slurm/records/token.h"

const slurmctld_lock_t launch_locks = { READ_LOCK, WRITE_LOCK, WRITE_LOCK, READ_LOCK, READ_LOCK };

static void set_reason(job_record_t *job, uint32_t reason)
{
	if (job->state_reason == reason && !job->state_desc)
		return;
	xfree(job->state_desc);
	job->state_reason = reason;
	last_job_update = time(NULL);
}

/* The record to start, unchanged since it was planned, or NULL. */
static job_record_t *find_job(const struct launch *launch)
{
	job_record_t *job = find_job_record(launch->job_id);

	if (!job || !IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job) || job->priority == 0 ||
	    !job->details ||
	    (job->array_job_id ? job->array_job_id : job->job_id) != launch->base_id)
		return NULL;
	return snapshot_print(job) == launch->print ? job : NULL;
}

static bool qos_ok(job_record_t *job)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK };
	bool bad;

	if (!job->qos_id)
		return true;
	assoc_mgr_lock(&locks);
	bad = job->assoc_ptr && (accounting_enforce & ACCOUNTING_ENFORCE_QOS) &&
	      (job->qos_id >= g_qos_count || !job->assoc_ptr->usage ||
	       !job->assoc_ptr->usage->valid_qos ||
	       !bit_test(job->assoc_ptr->usage->valid_qos, job->qos_id)) &&
	      !job->limit_set.qos;
	assoc_mgr_unlock(&locks);
	if (bad) {
		job_fail_qos(job, __func__, false);
		last_job_update = time(NULL);
	} else if (job->state_reason == FAIL_QOS) {
		set_reason(job, WAIT_NO_REASON);
	}
	return !bad;
}

/* What may hinder a job whatever nodes are free: nothing is kept for it then. */
static bool limits_ok(job_record_t **job_pptr)
{
	job_record_t *job = *job_pptr;

	if ((job->array_task_id != NO_VAL || job->array_recs) && !job_array_start_test(job))
		return false;
	if (job_limits_check(job_pptr, true) != WAIT_NO_REASON)
		return false;
	if (!job_independent(job) || !qos_ok(job))
		return false;
	if (job_state_reason_check(job->state_reason, JSR_QOS_ASSOC) &&
	    !acct_policy_job_runnable_pre_select(job, false))
		return false;
	if (license_job_test(job, time(NULL), true) != SLURM_SUCCESS) {
		set_reason(job, WAIT_LICENSES);
		return false;
	}
	if (assoc_mgr_validate_assoc_id(acct_db_conn, job->assoc_id, accounting_enforce)) {
		set_reason(job, FAIL_ACCOUNT);
		return false;
	}
	return true;
}

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

static slurmctld_resv_t *resv_by_id(uint32_t id)
{
	list_itr_t *iter = list_iterator_create(resv_list);
	slurmctld_resv_t *resv;

	while ((resv = list_next(iter)))
		if (resv->resv_id == id)
			break;
	list_iterator_destroy(iter);
	return resv;
}

/* The reservation of an entry becomes the job's for this test. */
static void use_entry(job_record_t *job, const struct entry *entry, part_record_t *part)
{
	job_queue_rec_t rec = { .job_id = job->job_id, .job_ptr = job, .part_ptr = part };

	if (entry->prefer) {
		job->details->features_use = job->details->prefer;
		job->details->feature_list_use = job->details->prefer_list;
	} else {
		job->details->features_use = job->details->features;
		job->details->feature_list_use = job->details->feature_list;
	}
	if (entry->resv_id)
		rec.resv_ptr = resv_by_id(entry->resv_id);
	if (rec.resv_ptr && job->resv_list)
		job_queue_rec_resv_list(&rec);
	else if (rec.resv_ptr && !job->resv_name)
		job_queue_rec_magnetic_resv(&rec);
	job->part_ptr = part;
	/* one per partition; else the record's own, which an operator may have changed meanwhile */
	if (job_part_priorities(job))
		job->priority = entry->priority;
	job->last_sched_eval = time(NULL);
}

/* The nodes that are off limits; NULL: none. */
static bitstr_t *forbidden(const struct launch *launch, const job_record_t *job)
{
	bitstr_t *nodes;

	if (launch->inside) {
		if (!job->resv_ptr || !job->resv_ptr->node_bitmap)
			return bit_copy(avail_node_bitmap);
		nodes = bit_copy(job->resv_ptr->node_bitmap);
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

/* As sched/backfill: exclude around the call, restore on job and array head. */
static int select_within(job_record_t *job, bitstr_t *forbid)
{
	bitstr_t *saved = job->details->exc_node_bitmap;
	bool head = job->array_recs;
	job_record_t *base;
	int rc;

	if (!forbid)
		return select_now(job, false);
	job->details->exc_node_bitmap = bit_copy(forbid);
	if (saved)
		bit_or(job->details->exc_node_bitmap, saved);
	rc = select_now(job, false);
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

/* Could it ever run, were it not for the nodes kept from it? */
static bool never_runs(job_record_t *job, int rc, bool restricted)
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
	return rc != SLURM_SUCCESS && never_runs(job, rc, false);
}

/* Slurm's own answer to a job that no node can ever run. */
static void hold_bad(job_record_t *job, int rc)
{
	info("%s: %pJ non-runnable: %s", scheduler_type(), job, slurm_strerror(rc));
	job_state_set(job, JOB_PENDING);
	set_reason(job, FAIL_BAD_CONSTRAINTS);
	job->start_time = job->end_time = time(NULL);
	job->priority = 0;
}

/* It runs: what both schedulers of Slurm do then. */
static void launch_job_now(job_record_t *job)
{
	last_job_update = time(NULL);
	info("%s: Allocate %pJ NodeList=%s #CPUs=%u Partition=%s", scheduler_type(), job,
	     job->nodes, job->total_cpus, job->part_ptr->name);
	job_power_start(job);
	if (job->batch_flag == 0)
		srun_allocate(job);
	else if (!IS_JOB_CONFIGURING(job))
		launch_job(job);
	rebuild_job_part_list(job);
}

static void tell(struct launch *launch, const job_record_t *job)
{
	launch->started = true;
	launch->refused = false;
	launch->started_id = job->job_id;
	launch->started_task = job->array_task_id;
	launch->start = job->start_time;
	launch->end = job->end_time;
	launch->nodes = region_from_bitmap(job->node_bitmap);
}

/* A task was split from its array while it had one start's terms: the rest gets its own back. */
static void restore_head(const job_record_t *job, uint32_t limit, uint32_t max_nodes)
{
	job_record_t *head = find_job_record(job->array_job_id);

	if (!head || head == job || !head->array_recs || !head->details || !IS_JOB_PENDING(head))
		return;
	head->time_limit = limit;
	head->details->max_nodes = max_nodes;
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

/* select_nodes() with the time limit and node count that were planned. */
static int select_planned(struct launch *launch, job_record_t *job, bitstr_t *forbid)
{
	uint32_t limit = job->time_limit, max_nodes = job->details->max_nodes;
	uint32_t use = launch->limit ? (uint32_t)((launch->limit + 59) / 60) : trimmed_limit(job);
	bool trimmed = use != limit, head = job->array_recs;
	int rc;

	if (trimmed)
		job->time_limit = use;
	if (launch->width && (!max_nodes || max_nodes > (uint32_t)launch->width))
		job->details->max_nodes = launch->width;
	rc = select_within(job, forbid);
	if (job->details)
		job->details->max_nodes = max_nodes;
	if (head && rc == SLURM_SUCCESS)
		restore_head(job, limit, max_nodes);
	if (rc != SLURM_SUCCESS && trimmed)
		job->time_limit = limit;
	else if (trimmed)
		acct_policy_alter_job(job, use);
	if (rc == SLURM_SUCCESS && trimmed)
		tell_trimmed(job, limit, use);
	return rc;
}

/*
 * Slurm gives a job whose nodes are busy another reason than the plan did a moment ago.
 * Each would be written over the other in every pass, and each such pass cause another.
 */
static int select_quietly(struct launch *launch, job_record_t *job, bitstr_t *forbid)
{
	uint32_t reason = job->state_reason;
	char *desc;
	int rc;

	if (forbid && !could_be_enough(job, forbid) && could_be_enough(job, NULL)) {
		if (reason != WAIT_RESOURCES && reason != WAIT_PRIORITY)
			set_reason(job, WAIT_RESOURCES);
		return ESLURM_NODES_BUSY;
	}
	desc = xstrdup(job->state_desc);
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

/* One entry of Slurm's queue.  RET true when there is no point in another. */
static bool try_entry(struct launch *launch, job_record_t *job, const struct entry *entry)
{
	part_record_t *part = find_part_record((char *)entry->part);
	bitstr_t *forbid;
	int rc;

	if (!part || !(part->state_up & PARTITION_SCHED))
		return false;
	use_entry(job, entry, part);
	if (!limits_ok(&job)) {
		job_resv_clear_magnetic_flag(job);
		return false;
	}
	if (launch_expire(job->job_id)) {
		job_resv_clear_magnetic_flag(job);
		return true;
	}
	if (fed_mgr_job_lock(job)) {
		set_reason(job, WAIT_FED_JOB_LOCK);
		return true;
	}
	forbid = forbidden(launch, job);
	rc = select_quietly(launch, job, forbid);
	if (rc == SLURM_SUCCESS) {
		fed_mgr_job_start(job, job->start_time);
		launch_job_now(job);
		tell(launch, job);
	} else {
		fed_mgr_job_unlock(job);
		debug2("%s: %pJ not started in %s: %s", scheduler_type(), job, part->name,
		       slurm_strerror(rc));
		launch->reserve |= rc == ESLURM_NODES_BUSY || rc == ESLURM_NODE_NOT_AVAIL ||
				   (forbid && rc == ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE);
		if (!launch->promised && never_runs(job, rc, forbid))
			hold_bad(job, rc);
		else if (forbid && (rc == ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE ||
				    rc == ESLURM_NODE_NOT_AVAIL))
			set_reason(job, WAIT_RESOURCES);
	}
	job_resv_clear_magnetic_flag(job);
	FREE_NULL_BITMAP(forbid);
	return rc == SLURM_SUCCESS || job->priority == 0;
}

/*
 * Slurm saves a start up to 5 s later.  A controller that died in between comes up
 * with a job waiting that a node runs already; started again, the copy is refused,
 * the node drained and the job held.  When the node has registered, the stale copy
 * is killed: so jobs from before wait for the registrations (3 s after the start),
 * and for the killing.
 */
#define STALE_KILL 5  /* seconds from the last registration */
#define STALE_MOST 60 /* seconds in all */

static struct {
	time_t since;	   /* of this life as the controller in charge */
	time_t registered; /* every node that may be alive had; 0: not yet */
	time_t put_off;	   /* a start was, then; 0: none since */
	bool over;
} fresh;

void launch_new_life(void)
{
	memset(&fresh, 0, sizeof(fresh));
	fresh.since = time(NULL);
}

bool launch_put_off(void)
{
	if (!fresh.put_off || time(NULL) == fresh.put_off)
		return false;
	fresh.put_off = 0; /* the pass that follows puts off anew, or starts */
	return true;
}

/* A node that has not answered yet is not in avail_node_bitmap, and counts all the same. */
static bool all_registered(void)
{
	node_record_t *node;

	for (int i = 0; (node = next_node(&i)); i++)
		if (!node->slurmd_start_time && !IS_NODE_DOWN(node) && !IS_NODE_FUTURE(node) &&
		    !IS_NODE_POWERED_DOWN(node) && !IS_NODE_POWERING_UP(node) &&
		    !IS_NODE_POWERING_DOWN(node))
			return false;
	return true;
}

/* Is the start of this life over? */
static bool settled(time_t now)
{
	if (fresh.over)
		return true;
	if (!fresh.registered && all_registered())
		fresh.registered = now;
	fresh.over = now < fresh.since || now >= fresh.since + STALE_MOST ||
		     (fresh.registered && now >= fresh.registered + STALE_KILL);
	return fresh.over;
}

/* May a node still run this waiting job? */
static bool maybe_stale(const job_record_t *job)
{
	time_t now = time(NULL);

	if (job->details->submit_time >= fresh.since || settled(now))
		return false;
	fresh.put_off = now;
	return true;
}

/* Is any of these nodes being cleaned up after another job, or about to be powered down? */
static bool any_leaving(bitstr_t *nodes)
{
	const node_record_t *node;

	if (bit_overlap_any(nodes, cg_node_bitmap))
		return true;
	for (int i = 0; (node = next_node(&i)); i++)
		if (IS_NODE_POWERING_DOWN(node) && bit_test(nodes, i))
			return true;
	return false;
}

/* Will any node that it could have be its own in a moment? */
static bool leaving(const struct launch *launch, const job_record_t *job)
{
	bitstr_t *nodes;
	bool any;

	if (!launch->allowed)
		return job->part_ptr && job->part_ptr->node_bitmap &&
		       any_leaving(job->part_ptr->node_bitmap);
	nodes = region_to_bitmap(launch->allowed);
	any = any_leaving(nodes);
	FREE_NULL_BITMAP(nodes);
	return any;
}

/* What Slurm says against a start counts, but not before its nodes have spoken, or been cleaned up. */
static void note_refusal(struct launch *launch, const job_record_t *job)
{
	time_t now = time(NULL);

	if (!settled(now))
		fresh.put_off = now;
	launch->refused = fresh.over && !job->preempt_in_progress && !leaving(launch, job);
	launch->reason = job->state_reason;
}

void launch_try(struct launch *launch)
{
	job_record_t *job = find_job(launch);

	launch->started = launch->reserve = launch->refused = false;
	launch->nodes = NULL;
	if (!job || job->preempt_in_progress)
		return;
	if (maybe_stale(job)) {
		launch->reserve = true;
		return;
	}
	for (uint32_t i = 0; i < launch->nentries; i++) {
		if (launch->entries[i].inside != launch->inside)
			continue;
		if (launch->part && strcmp(launch->part, launch->entries[i].part))
			continue;
		if (try_entry(launch, job, &launch->entries[i]))
			return;
		job = find_job(launch);
		if (!job)
			return;
		note_refusal(launch, job);
	}
}

/* A promised job runs whatever becomes of its promise. */
static bool has_promise(const job_record_t *job)
{
	struct token token;
	enum token_rc rc = token_parse(job->admin_comment, &token);

	return rc == TOKEN_NEWER || token_binds(&token);
}

bool launch_expire(uint32_t job_id)
{
	job_record_t *job = find_job_record(job_id);

	if (!job || !IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job) || job->priority == 0 ||
	    !job->deadline || job->deadline == (time_t)NO_VAL || has_promise(job))
		return false;
	return !deadline_ok(job, "qops");
}

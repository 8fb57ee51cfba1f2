/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * launch.c - start one waiting job now, by Slurm's own rules
 *
 * Follows _schedule() in slurmctld's job_scheduler.c and _start_job() in
 * sched/backfill, check by check and in their order.
 */
#include "slurm/acting/launch.h"
#include "slurm/records/give_back.h"
#include "slurm/records/late_limit.h"
#include "slurm/acting/life.h"
#include "slurm/acting/reason.h"
#include "slurm/acting/recount.h"
#include "slurm/acting/selection.h"
#include "slurm/base/scheduler.h"
#include "slurm/records/token.h"

const slurmctld_lock_t launch_locks = { READ_LOCK, WRITE_LOCK, WRITE_LOCK, READ_LOCK, READ_LOCK };

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
	/* Of several, the record's id is the first one's until it runs. */
	uint32_t id = job_qos_list(job) && job->qos_ptr ? job->qos_ptr->id : job->qos_id;
	bool bad;

	if (!id)
		return true;
	assoc_mgr_lock(&locks);
	bad = job->assoc_ptr && (accounting_enforce & ACCOUNTING_ENFORCE_QOS) &&
	      (id >= g_qos_count || !job->assoc_ptr->usage || !job->assoc_ptr->usage->valid_qos ||
	       !bit_test(job->assoc_ptr->usage->valid_qos, id)) &&
	      !job->limit_set.qos;
	assoc_mgr_unlock(&locks);
	if (bad) {
		job_fail_qos(job, __func__, false);
		last_job_update = time(NULL);
	} else if (job->state_reason == FAIL_QOS) {
		reason_set(job, WAIT_NO_REASON);
	}
	return !bad;
}

/* What may hinder a job whatever nodes are free: nothing is kept for it then. */
static bool limits_ok(job_record_t **job_pptr)
{
	job_record_t *job = *job_pptr;

	if ((job->array_task_id != NO_VAL || job->array_recs) && !job_array_start_test(job))
		return false;
	if (job_limits_check(job_pptr, !late_limit_is_ours(job)) != WAIT_NO_REASON)
		return false;
	if (!job_independent(job) || !qos_ok(job))
		return false;
	if (job_state_reason_check(job->state_reason, JSR_QOS_ASSOC) &&
	    !acct_policy_job_runnable_pre_select(job, false))
		return false;
	if (license_job_test(job, time(NULL), true) != SLURM_SUCCESS) {
		reason_set(job, WAIT_LICENSES);
		return false;
	}
	if (assoc_mgr_validate_assoc_id(acct_db_conn, job->assoc_id, accounting_enforce)) {
		reason_set(job, FAIL_ACCOUNT);
		return false;
	}
	return true;
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

/* Of several QOS, the entry's is the job's for this test. */
static void use_qos(job_record_t *job, uint32_t id)
{
	list_t *all = job_qos_list(job);
	slurmdb_qos_rec_t *qos;
	list_itr_t *iter;

	if (!all || !id)
		return;
	iter = list_iterator_create(all);
	while ((qos = list_next(iter)))
		if (qos->id == id)
			job->qos_ptr = qos;
	list_iterator_destroy(iter);
}

/* Not started: it has again what it is known by (runnable.c). */
static void leave_qos(uint32_t job_id)
{
	job_record_t *job = find_job_record(job_id);

	if (job && job_qos_list(job) && IS_JOB_PENDING(job))
		job->qos_ptr = list_peek(job_qos_list(job));
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
	use_qos(job, entry->qos_id);
	/* one per way; else the record's own, which an operator may have changed meanwhile */
	if (job_priorities(job))
		job->priority = entry->priority;
	job->last_sched_eval = time(NULL);
}

/* Slurm's own answer to a job that no node can ever run. */
static void hold_bad(job_record_t *job, int rc)
{
	info("%s: %pJ non-runnable: %s", scheduler_type(), job, slurm_strerror(rc));
	job_state_set(job, JOB_PENDING);
	reason_set(job, FAIL_BAD_CONSTRAINTS);
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

/* Limits are whole minutes, but what Slurm looks at is the end. */
static void end_when_due(job_record_t *job, int64_t until)
{
	if (until < PACT_FOREVER && job->end_time > until)
		job->end_time = until;
}

/* A promised job runs whatever becomes of its promise, and one that a realm let in though it is late does. */
static bool was_let_in(const job_record_t *job)
{
	struct token token;
	enum token_rc rc = token_parse(job->admin_comment, &token);

	return rc == TOKEN_NEWER || token_binds(&token) || token_expects(&token);
}

/* Of now, not of before the locks: by it the end is known again when Slurm has counted the limit anew (share_terms.h). */
static void limit_when_due(struct launch *launch, const job_record_t *job)
{
	int64_t now = time(NULL), left;

	if (!launch->until)
		return;
	/* Its deadline is not promised: it ends at that, as stock, if that is not upon us. */
	if (launch->terms.estimate && job->deadline && job->deadline != (time_t)NO_VAL &&
	    job->deadline > now + 60 && job->deadline < launch->until && !was_let_in(job))
		launch->until = job->deadline;
	left = launch->until - now;
	if (!launch->terms.estimate && (left <= 0 || left >= launch->limit))
		launch->until = 0; /* its limit is short enough, or it is too late for any */
	else if (launch->until < PACT_FOREVER)
		launch->limit = left > 60 ? left : 60;
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

static int allocate(struct launch *launch, job_record_t *job, bitstr_t *forbid)
{
	bitstr_t *nodes;
	int rc;

	launch->asked = false;
	rc = selection_try(launch, job, forbid);
	if (rc != ESLURM_NODES_BUSY || !launch->asked || !launch->recount || !launch->allowed ||
	    job->preempt_in_progress)
		return rc;
	nodes = region_to_bitmap(launch->allowed);
	if (recount_nodes(job, nodes))
		rc = selection_try(launch, job, forbid);
	FREE_NULL_BITMAP(nodes);
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
		reason_set(job, WAIT_FED_JOB_LOCK);
		return true;
	}
	forbid = selection_forbidden(launch, job);
	limit_when_due(launch, job);
	/* The prolog is launched from within. */
	share_terms_put(job, &launch->terms);
	rc = allocate(launch, job, forbid);
	if (rc == SLURM_SUCCESS) {
		fed_mgr_job_start(job, job->start_time);
		if (launch->until)
			end_when_due(job, launch->until);
		launch_job_now(job);
		tell(launch, job);
	} else {
		share_terms_put(job, &(struct share_terms){ 0 });
		fed_mgr_job_unlock(job);
		debug2("%s: %pJ not started in %s: %s", scheduler_type(), job, part->name,
		       slurm_strerror(rc));
		launch->reserve |= rc == ESLURM_NODES_BUSY || rc == ESLURM_NODE_NOT_AVAIL ||
				   (forbid && rc == ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE);
		if (!launch->promised && selection_never(job, rc, forbid))
			hold_bad(job, rc);
		else if (forbid && (rc == ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE ||
				    rc == ESLURM_NODE_NOT_AVAIL))
			reason_set(job, WAIT_RESOURCES);
	}
	job_resv_clear_magnetic_flag(job);
	FREE_NULL_BITMAP(forbid);
	return rc == SLURM_SUCCESS || job->priority == 0;
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
	launch->refused = life_settled() && !job->preempt_in_progress && !leaving(launch, job);
	launch->reason = job->state_reason;
}

void launch_try(struct launch *launch)
{
	job_record_t *job = find_job(launch);

	give_back_settle();
	launch->started = launch->reserve = launch->refused = false;
	launch->nodes = NULL;
	if (!job || job->preempt_in_progress)
		return;
	if (life_may_run(job) || (launch->clean && leaving(launch, job))) {
		launch->reserve = true;
		return;
	}
	for (uint32_t i = 0; i < launch->nentries; i++) {
		bool over;

		if (launch->entries[i].inside != launch->inside)
			continue;
		if (launch->part && strcmp(launch->part, launch->entries[i].part))
			continue;
		over = try_entry(launch, job, &launch->entries[i]);
		leave_qos(launch->job_id);
		if (over)
			return;
		job = find_job(launch);
		if (!job)
			return;
		note_refusal(launch, job);
	}
}

bool launch_expire(uint32_t job_id)
{
	job_record_t *job = find_job_record(job_id);

	if (!job || !IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job) || job->priority == 0 ||
	    !job->deadline || job->deadline == (time_t)NO_VAL || was_let_in(job))
		return false;
	return !deadline_ok(job, "qops");
}

void launch_reject(job_record_t *job, const char *why)
{
	info("%s: %pJ ends in state DEADLINE: %s", scheduler_type(), job, why);
	last_job_update = time(NULL);
	job_state_set(job, JOB_DEADLINE);
	job->exit_code = 1;
	job->state_reason = FAIL_DEADLINE;
	xfree(job->state_desc);
	job->state_desc = xstrdup(why);
	job->start_time = job->end_time = time(NULL);
	srun_allocate_abort(job);
	job_completion_logger(job, false);
}

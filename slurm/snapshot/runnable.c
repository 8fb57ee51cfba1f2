/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runnable.c - may this record run now, and how?
 */
#include "slurm/snapshot/runnable.h"

#include "slurm/config/realms.h"
#include "slurm/records/late_limit.h"
#include "slurm/records/move.h"
#include "slurm/records/malleable.h"
#include "slurm/records/run_limit.h"
#include "slurm/records/token.h"

/* One record at work, and where its entries go. */
struct asked {
	job_record_t *job;
	part_record_t *part;
	uint32_t priority; /* in that partition */
	list_t *queue;
};

static void say(job_record_t *job, uint32_t reason)
{
	if (job->state_reason == reason && !job->state_desc)
		return;
	job->state_reason = reason;
	xfree(job->state_desc);
	last_job_update = time(NULL);
}

/* A reason that the accounting storage has not been told. */
static bool unheard(const job_record_t *job)
{
	return job->state_reason != WAIT_NO_REASON && job->state_reason != WAIT_PRIORITY &&
	       job->state_reason != WAIT_RESOURCES &&
	       job->state_reason != job->state_reason_prev_db;
}

/* What an earlier pass has left in the record goes. */
static void refresh(job_record_t *job)
{
	if (run_limit_requeued(job) || run_limit_hold_end(job) || move_renew(job, time(NULL)))
		last_job_update = time(NULL);
	malleable_requeued(job);
	if (IS_JOB_PENDING(job)) {
		job->bit_flags &= ~BACKFILL_SCHED;
		set_job_failed_assoc_qos_ptr(job);
		acct_policy_handle_accrue_time(job, false);
		if (move_age(job))
			last_job_update = time(NULL);
		if (unheard(job)) {
			job->state_reason_prev_db = job->state_reason;
			last_job_update = time(NULL);
		}
	}
	job->preempt_in_progress = false;
	if (job->array_recs)
		job->array_recs->pend_run_tasks = 0;
	if (job->resv_list)
		job->resv_ptr = NULL;
}

/* It was requeued, and its earlier run is not over everywhere. */
static bool cleaning(const job_record_t *job)
{
	return job_select_cleaning(job) || job->details->prolog_running ||
	       (job->step_list && list_count(job->step_list));
}

/* Does the reason say already why its priority is 0? */
static bool says_held(const job_record_t *job)
{
	switch (job->state_reason) {
	case FAIL_BAD_CONSTRAINTS:
	case FAIL_BURST_BUFFER_OP:
	case WAIT_HELD:
	case WAIT_HELD_USER:
	case WAIT_MAX_REQUEUE:
	case WAIT_RESV_DELETED:
		return true;
	default:
		return false;
	}
}

/* Does nothing stand in its way but partitions and nodes? */
static bool free_to_run(job_record_t *job)
{
	bool independent;

	if (!IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job) || IS_JOB_REVOKED(job) || !job->details)
		return false;
	if (cleaning(job)) {
		say(job, WAIT_CLEANING);
		return false;
	}
	independent = job_independent(job);
	if (!job->priority) {
		if (!says_held(job))
			say(job, WAIT_HELD);
		return false;
	}
	/* Released, and still waiting for another job. */
	if (!independent && (job->state_reason == WAIT_HELD || job->state_reason == WAIT_HELD_USER))
		say(job, WAIT_DEPENDENCY);
	return independent;
}

/* What of its partition of the moment, or its QOS, does not let it run; WAIT_NO_REASON: nothing */
static uint32_t limits_reason(job_record_t *job)
{
	return (uint32_t)job_limits_check(&job, !late_limit_is_ours(job));
}

static void say_limits(job_record_t *job, uint32_t reason)
{
	/* That there is none now takes back a partition's reason, and no other. */
	if (reason != job->state_reason &&
	    (reason != WAIT_NO_REASON || job_state_reason_check(job->state_reason, JSR_PART)))
		say(job, reason);
}

static void append(const struct asked *asked, part_record_t *part, slurmctld_resv_t *resv)
{
	job_queue_req_t req = { .job_ptr = asked->job,
				.job_queue = asked->queue,
				.part_ptr = part,
				.prio = asked->priority,
				.resv_ptr = resv };

	job_queue_append_internal(&req);
}

/* Of several reservations that it named, each is a way of its own; where it left the partition
 * to Slurm, in the reservation's. */
static int append_resv(void *entry, void *arg)
{
	struct asked *asked = arg;
	slurmctld_resv_t *resv = entry;
	bool theirs = asked->job->bit_flags & JOB_PART_ASSIGNED && resv->part_ptr;

	if (theirs)
		asked->part = resv->part_ptr;
	append(asked, asked->part, resv);
	return 0;
}

/* The ways in which it may run in a partition. */
static void append_ways(struct asked *asked)
{
	job_record_t *job = asked->job;
	job_queue_req_t req = { .job_ptr = job,
				.job_queue = asked->queue,
				.part_ptr = asked->part,
				.prio = asked->priority };

	if (job->resv_list) {
		list_for_each(job->resv_list, append_resv, asked);
		return;
	}
	append(asked, asked->part, NULL);
	/* A reservation may draw jobs that have not named one. */
	if (!job->resv_name && !job->het_job_id)
		job_resv_append_magnetic(&req);
}

/* What was found of all the partitions and QOS of a job. */
struct found {
	size_t ways; /* that were asked */
	uint32_t reason;
	bool taken;
};

static uint32_t priority_of(const job_record_t *job, size_t way)
{
	uint32_t *priorities = job_priorities(job);

	if (!priorities || (!job->part_ptr_list && !job_qos_list(job)))
		return job->priority;
	/* A task that was split from an array of several QOS gets fewer places than there are ways. */
	if (job_qos_list(job) && way >= (size_t)xsize(priorities) / sizeof(*priorities))
		return job->priority;
	return priorities[way];
}

/* As it is taken in, if it runs (snapshot_jobs.c). */
static bool takes_turns(const job_record_t *job)
{
	struct token token;

	return job->part_ptr && realms_slice(job->part_ptr->name) &&
	       (token_parse(job->admin_comment, &token) != TOKEN_OK || !token_binds(&token));
}

/*
 * Where jobs take turns a place in the matrix is one that no other job gets, and what runs there instead is stopped for the start.
 * What Slurm would not start then, as its user or account has as many jobs as it may, has none until there is room for it.
 */
static bool is_over_limit(job_record_t *job)
{
	uint32_t reason = job->state_reason;

	if (!takes_turns(job))
		return false;
	if (acct_policy_job_runnable_pre_select(job, false)) {
		/* one that depends on its nodes stands until it is tried again */
		if (job_state_reason_check(reason, JSR_QOS_ASSOC))
			job->state_reason = reason;
		return false;
	}
	if (job->state_reason != reason)
		last_job_update = time(NULL);
	return true;
}

/* With the partition and QOS that the record has now. */
static void ask_way(job_record_t *job, list_t *queue, struct found *found)
{
	struct asked asked = {
		.job = job,
		.part = job->part_ptr,
		.priority = priority_of(job, found->ways++),
		.queue = queue,
	};

	found->reason = limits_reason(job);
	if (found->reason != WAIT_NO_REASON || is_over_limit(job))
		return;
	found->taken = true;
	append_ways(&asked);
}

/* Several QOS are tried in their order, the one of the highest priority first. */
static void ask_part(job_record_t *job, list_t *queue, struct found *found)
{
	list_t *all = job_qos_list(job);
	list_itr_t *iter;
	slurmdb_qos_rec_t *qos;

	if (!all) {
		ask_way(job, queue, found);
		return;
	}
	iter = list_iterator_create(all);
	while ((qos = list_next(iter))) {
		job->qos_ptr = qos;
		ask_way(job, queue, found);
	}
	list_iterator_destroy(iter);
	/* Slurm takes the id from here, and by that we know the record again. */
	job->qos_ptr = list_peek(all);
}

/*
 * What each says is not a reason of its own: one partition's would be written over
 * another's, and the plan's over both, in every pass, and each such pass cause another.
 */
static void ask_parts(job_record_t *job, list_t *queue)
{
	list_itr_t *iter = list_iterator_create(job->part_ptr_list);
	struct found found = { .reason = WAIT_NO_REASON };
	part_record_t *part;

	while ((part = list_next(iter))) {
		job->part_ptr = part;
		ask_part(job, queue, &found);
	}
	list_iterator_destroy(iter);
	say_limits(job, found.taken ? WAIT_NO_REASON : found.reason);
}

/* A record without its partition gets it back by its name. */
static bool has_part(job_record_t *job)
{
	if (job->part_ptr)
		return true;
	job->part_ptr = find_part_record(job->partition);
	if (!job->part_ptr) {
		error("%pJ: there is no partition %s", job, job->partition);
		return false;
	}
	job->bit_flags |= JOB_PART_ASSIGNED;
	return true;
}

void runnable_ask(job_record_t *job, list_t *queue)
{
	struct found found = { .reason = WAIT_NO_REASON };

	refresh(job);
	if (!free_to_run(job))
		return;
	if (job->part_ptr_list) {
		ask_parts(job, queue);
	} else if (has_part(job)) {
		ask_part(job, queue, &found);
		say_limits(job, found.taken ? WAIT_NO_REASON : found.reason);
	}
}

static int corresponds(void *entry, void *arg)
{
	const depend_spec_t *depend = entry;

	(void)arg;
	return depend->depend_type == SLURM_DEPEND_AFTER_CORRESPOND;
}

bool runnable_wants_split(const job_record_t *job)
{
	if (!IS_JOB_PENDING(job) || job->array_task_id != NO_VAL || !job->array_recs ||
	    !job->array_recs->task_id_bitmap)
		return false;
	return job->burst_buffer || (job->details && job->details->depend_list &&
				     list_find_first(job->details->depend_list, corresponds, NULL));
}

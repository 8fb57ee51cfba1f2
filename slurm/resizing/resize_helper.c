/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resize_helper.c - the job that gets the nodes with which another one grows
 *
 * Slurm's only way to give a running job nodes: a second job that "expands" it (--dependency=expand:JOBID)
 * is given them, and then is told to have none (update_job() with NumNodes=0). It never waits: no scheduler
 * sees it.
 */
#include "slurm/resizing/resize_helper.h"

#include "slurm/base/scheduler.h"

static _Thread_local bool merging;

bool helper_at_work(void)
{
	return merging;
}

/* By then Slurm has no job end that has nodes of it: before nodes that are booted for it anew have to be. One that floats is ever as far. */
static time_t begins(const slurmctld_resv_t *resv, time_t now)
{
	time_t start = resv->start_time - (time_t)resv->boot_time;

	return resv->flags & RESERVE_FLAG_TIME_FLOAT ? start + now : start;
}

/* Until the first reservation of others begins that has any of these nodes: so many whole minutes, INFINITE: there is none. */
static uint32_t minutes_free(const job_record_t *job, bitstr_t *nodes)
{
	list_itr_t *iter = list_iterator_create(resv_list);
	const slurmctld_resv_t *resv;
	time_t now = time(NULL), first = 0, start;

	while ((resv = list_next(iter))) {
		start = begins(resv, now);
		if (resv->node_bitmap && start > now && (!first || start < first) &&
		    xstrcmp(resv->name, job->resv_name) != 0 &&
		    bit_overlap_any(resv->node_bitmap, nodes))
			first = start;
	}
	list_iterator_destroy(iter);
	return first ? (uint32_t)((first - now) / 60) : INFINITE;
}

/* As long as the other one still may run, which counts for the limits of its account. */
static uint32_t minutes_left(const job_record_t *job)
{
	time_t now = time(NULL);

	if (job->time_limit == INFINITE || job->time_limit == NO_VAL)
		return job->time_limit;
	return job->end_time > now ? (uint32_t)((job->end_time - now + 59) / 60) : 1;
}

/* As copy_job_record_to_job_desc() has it. */
static uint16_t shared(const job_details_t *details)
{
	if (details->share_res == 1)
		return JOB_SHARED_OK;
	return details->whole_node == WHOLE_NODE_REQUIRED ? JOB_SHARED_NONE : NO_VAL16;
}

/* What single nodes must have is as in the other one's request. Freed by free_desc(). */
static job_desc_msg_t *describe(const job_record_t *target, bitstr_t *nodes)
{
	job_desc_msg_t *desc = xmalloc(sizeof(*desc));
	const job_details_t *details = target->details;

	slurm_init_job_desc_msg(desc);
	desc->name = xstrdup("pact-resize");
	desc->comment = xstrdup_printf("nodes for JobId=%u, which grows", target->job_id);
	desc->dependency = xstrdup_printf("expand:%u", target->job_id);
	desc->user_id = target->user_id;
	desc->group_id = target->group_id;
	desc->account = xstrdup(target->account);
	desc->partition = xstrdup(target->part_ptr->name);
	desc->qos = target->qos_ptr ? xstrdup(target->qos_ptr->name) : NULL;
	desc->reservation = xstrdup(target->resv_name);
	desc->wckey = xstrdup(target->wckey);
	desc->mcs_label = xstrdup(target->mcs_label);
	desc->alloc_node = xstrdup(target->alloc_node);
	desc->work_dir = xstrdup("/");
	desc->features = xstrdup(details->features);
	desc->pn_min_cpus = details->pn_min_cpus;
	desc->pn_min_memory = details->pn_min_memory;
	desc->pn_min_tmp_disk = details->pn_min_tmp_disk;
	desc->core_spec = details->core_spec;
	desc->shared = shared(details);
	desc->req_nodes = bitmap2node_name(nodes);
	desc->min_nodes = desc->max_nodes = (uint32_t)bit_set_count(nodes);
	desc->min_cpus = desc->min_nodes;
	desc->time_limit = minutes_left(target);
	desc->requeue = 0;
	return desc;
}

/* None is left behind: one that never ran is no job. */
static void undo(job_record_t *helper)
{
	time_t now = time(NULL);

	if (IS_JOB_RUNNING(helper) || IS_JOB_SUSPENDED(helper)) {
		job_signal(helper, SIGKILL, 0, 0, false);
		return;
	}
	if (!IS_JOB_FINISHED(helper)) {
		job_state_set(helper, JOB_FAILED);
		helper->exit_code = 1;
		helper->state_reason = FAIL_BAD_CONSTRAINTS;
		helper->start_time = helper->end_time = now;
		job_completion_logger(helper, false);
	}
	purge_job_record(helper->job_id);
	last_job_update = now;
}

/*
 * Under SchedulerParameters=defer job_allocate() starts nothing. Slurm has given it what is left of the other one's limit, and its
 * refusal of a node that is reserved before that is over would count for all that are asked for. Whether the other one may have
 * it until then is the core's to say, which knows of the reservation: so the helper's limit ends before.
 */
static int select_now(job_record_t *helper)
{
	job_node_select_t what = { .job_ptr = helper };
	uint32_t unreserved;

	if (!IS_JOB_PENDING(helper))
		return SLURM_SUCCESS;
	unreserved = minutes_free(helper, helper->details->req_node_bitmap);
	if (unreserved && unreserved < helper->time_limit)
		helper->time_limit = unreserved;
	return select_nodes(&what, false, false, SLURMDB_JOB_FLAG_BACKFILL);
}

/* A partition's MinNodes is for jobs that start there: what the helper gets joins what one has that did. */
static int allocate(const job_record_t *target, job_desc_msg_t *desc, job_record_t **helper)
{
	part_record_t *part = target->part_ptr;
	uint32_t least = part->min_nodes, told = part->min_nodes_orig;
	char *said = NULL;
	int rc;

	part->min_nodes = part->min_nodes_orig = 1;
	rc = job_allocate(desc, 0, 0, NULL, 1, 0, false, helper, &said, SLURM_PROTOCOL_VERSION);
	/* with the longer limit a reservation may have been in its way, and it waits */
	if (*helper && (!rc || rc == ESLURM_NODE_NOT_AVAIL || rc == ESLURM_RESERVATION_MAINT))
		rc = select_now(*helper);
	part->min_nodes = least;
	part->min_nodes_orig = told;
	xfree(said);
	return rc;
}

job_record_t *helper_start(const job_record_t *target, bitstr_t *nodes, int *rc)
{
	job_desc_msg_t *desc = describe(target, nodes);
	job_record_t *helper = NULL;

	*rc = allocate(target, desc, &helper);
	slurm_free_job_desc_msg(desc);
	if (!helper) {
		*rc = *rc ? *rc : ESLURM_DEPENDENCY;
		return NULL;
	}
	if (!*rc && !IS_JOB_RUNNING(helper))
		*rc = ESLURM_NODES_BUSY;
	if (!*rc && !bit_equal(helper->node_bitmap, nodes))
		*rc = ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE;
	if (*rc) {
		undo(helper);
		return NULL;
	}
	return helper;
}

/*
 * Before a merge it leaves the books of limits, and is marked as one that has: what is merged Slurm takes out as a job that is
 * resized, and under priority/basic once more as one that gives its nodes up.
 */
static void count_out(job_record_t *helper)
{
	uint32_t state = helper->job_state;

	/* of one that is neither resized nor over priority/multifactor leaves what it had still to run */
	job_state_set(helper, state | JOB_RESIZING);
	acct_policy_job_fini(helper, false);
	job_state_set(helper, state);
	helper->end_time_exp = (time_t)NO_VAL;
}

/*
 * After it Slurm has counted it in again, as a job that was submitted and runs, on no nodes, and has begun a record of that in
 * slurmdbd. Nothing else ends that, and the record here is kept as if it ran to its limit.
 */
static void end(job_record_t *helper)
{
	helper->end_time = time(NULL);
	acct_policy_remove_job_submit(helper, false);
	acct_policy_job_fini(helper, false);
	helper->end_time_exp = (time_t)NO_VAL;
	jobacct_storage_g_job_complete(acct_db_conn, helper);
}

/*
 * A PrologSlurmctld was begun for it, and goes on by itself. Slurm would take it for a job that was cancelled before its nodes
 * knew of it, and count what it leaves there as another one's that runs: such a node would be cleaned up for ever.
 */
static void configured(job_record_t *helper)
{
	if (!IS_JOB_CONFIGURING(helper))
		return;
	helper->details->prolog_running = 0;
	job_state_set(helper, helper->job_state & ~JOB_CONFIGURING);
}

int helper_merge(job_record_t *helper)
{
	job_desc_msg_t desc;
	slurm_msg_t message;
	int rc;

	/* under PrologFlags=Contain it has one, which stands in the way; its slurmd ends it with the job */
	delete_step_records(helper);
	slurm_init_job_desc_msg(&desc);
	desc.job_id = helper->job_id;
	desc.min_nodes = 0;
	slurm_msg_t_init(&message);
	message.data = &desc;
	configured(helper);
	count_out(helper);
	merging = true;
	rc = update_job(&message, 0, false);
	merging = false;
	if (rc) {
		info("%s: %pJ: it is not merged: %s", scheduler_type(), helper, slurm_strerror(rc));
		undo(helper);
	} else {
		end(helper);
	}
	return rc;
}

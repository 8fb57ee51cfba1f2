/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot_jobs.c - of a snapshot, the jobs: what waits, what holds nodes, what is over
 */
#include "slurm/snapshot/snapshot_own.h"
#include "slurm/snapshot/keeps_nodes.h"

#include "slurm/base/scheduler.h"
#include "slurm/config/realms.h"
#include "slurm/eligibility/eligibility.h"
#include "slurm/records/by_hand.h"
#include "slurm/records/cleaned.h"
#include "slurm/records/give_back.h"
#include "slurm/records/job_nodes.h"
#include "slurm/records/malleable.h"
#include "slurm/records/merged.h"
#include "slurm/records/run_limit.h"
#include "slurm/records/warning.h"
#include "slurm/records/wish_of.h"

/* No more unsplit tasks of one array are planned than this, or twice the nodes. */
#define ARRAY_MIN 256

static bool take_tasks(struct snap_job *out, const job_record_t *job, uint32_t cap)
{
	bitstr_t *bits = job->array_recs->task_id_bitmap;
	bitoff_t last = bits ? bit_fls(bits) : -1;
	uint32_t n = bits ? (uint32_t)bit_set_count(bits) : 0;
	struct token token;

	/* An accepted array is promised whole: then every task is planned. */
	if ((token_parse(job->admin_comment, &token) != TOKEN_OK || n > DESCRIBE_TASKS) && n > cap)
		n = cap;
	out->tasks = calloc(n ? n : 1, sizeof(*out->tasks));
	if (!out->tasks)
		return false;
	for (bitoff_t i = 0; i <= last && out->ntasks < n; i++)
		if (bit_test(bits, i))
			out->tasks[out->ntasks++] = (uint32_t)i;
	return true;
}

/* The jobs that a job waits for, when it waits for nothing but ends. */
static bool take_depends(struct snap_job *out, const job_record_t *job)
{
	list_t *list = job->details->depend_list;
	depend_spec_t *dep;
	list_itr_t *iter;

	if (!list || !list_count(list))
		return true;
	out->dependent = true;
	out->never = job->state_reason == WAIT_DEP_INVALID;
	if (out->token_rc != TOKEN_OK)
		return true;
	out->depends = calloc(list_count(list), sizeof(*out->depends));
	if (!out->depends)
		return false;
	iter = list_iterator_create(list);
	while ((dep = list_next(iter)))
		if (dependency_take(dep, &out->depends[out->ndepends]))
			out->ndepends++;
	list_iterator_destroy(iter);
	return true;
}

/*
 * Limits set after the promise: one that the job is over makes it void; the
 * others may yet let it start in time.  A promise that was withdrawn is not made
 * again while there is any.
 */
static bool take_obstacle(struct snap_job *out, const job_record_t *job)
{
	bool again = out->token.state == TOKEN_WITHDRAWN;
	struct eligibility_job who = {
		.uid = job->user_id,
		.record = job,
		.what = &out->what,
		.least = again || !out->token.limit ? out->what.least : out->token.limit,
	};
	char why[256];
	int64_t longest;
	enum obstacle obstacle;

	if (out->token_rc != TOKEN_OK || !out->what.deadline)
		return true;
	obstacle = eligibility_obstacle(&who, &longest, why, sizeof(why));
	out->over = obstacle == OBSTACLE_OVER;
	if (again && longest < out->what.limit)
		out->what.limit = longest;
	if (!out->over && !(again && obstacle))
		return true;
	out->obstacle = strdup(why);
	return out->obstacle;
}

static bool take_pending(struct snapshot *snap, struct snap_job *out, const job_record_t *job)
{
	const struct run *run = queue_find(snap->queue, job->job_id, out->print);
	uint32_t cap = 2 * snap->nodes > ARRAY_MIN ? 2 * snap->nodes : ARRAY_MIN;

	out->state = SNAP_PENDING;
	out->held = job->priority == 0;
	out->start = job->start_time;
	out->reason = job->state_reason;
	out->said = snapshot_said(job->state_desc);
	out->eligible = job->details->begin_time;
	out->priority = job->priority;
	if (run) {
		out->entries = run->entries;
		out->nentries = run->nentries;
		out->priority = run->priority;
	}
	for (uint32_t i = 0; i < out->nentries; i++) {
		out->runnable |= !out->entries[i].inside;
		out->inside |= out->entries[i].inside;
	}
	if (!describe_record(snap->regions, job, &out->what)) {
		out->what.opaque = "no partition";
		out->runnable = false;
	}
	if (!take_depends(out, job) || !take_obstacle(out, job))
		return false;
	return !job->array_recs || job->array_task_id != NO_VAL || take_tasks(out, job, cap);
}

/*
 * A suspended job's end moves on as long as that lasts; when it is resumed it
 * gets the rest of its limit (job_suspend).  In whole minutes, or every pass
 * would give another plan.
 */
static int64_t suspended_end(const job_record_t *job, int64_t now)
{
	int64_t rest = (int64_t)job->time_limit * 60 - job->pre_sus_time;
	int64_t end = (now + rest) / 60 * 60;

	if (job->time_limit == INFINITE || job->time_limit == NO_VAL)
		return job->end_time;
	return end > job->end_time ? end : job->end_time;
}

/* The most that it has of any of its nodes. */
static int64_t memory_of(const job_record_t *job)
{
	const job_resources_t *has = job->job_resrcs;
	uint64_t most = 0;

	if (!(slurm_conf.select_type_param & CR_MEMORY))
		return 0;
	for (uint32_t i = 0; has && has->memory_allocated && i < has->nhosts; i++)
		if (has->memory_allocated[i] > most)
			most = has->memory_allocated[i];
	return most < PACT_END_OF_TIME ? (int64_t)most : 0;
}

/* As Slurm counts it against the limit: pre_sus_time is of before the last suspension or resumption. */
static int64_t runtime(const job_record_t *job, int64_t now)
{
	int64_t last = job->suspend_time ? job->suspend_time : job->start_time;

	if (IS_JOB_SUSPENDED(job) || now < last)
		return job->pre_sus_time;
	return job->pre_sus_time + (now - last);
}

/* Seconds of its limit that a job has not run yet: Slurm stops its clock while it is suspended. */
static int64_t left_of(int64_t limit, int64_t ran)
{
	if (limit >= PACT_FOREVER)
		return PACT_FOREVER;
	return limit > ran ? limit - ran : 1;
}

static int64_t launched(const job_record_t *job)
{
	int64_t last = job->start_time;
	const step_record_t *step;
	list_itr_t *iter;

	if (!job->step_list)
		return last;
	if (list_count(job->step_list) > LAUNCHES)
		return 0;
	iter = list_iterator_create(job->step_list);
	while ((step = list_next(iter)))
		if (step->start_time > last)
			last = step->start_time;
	list_iterator_destroy(iter);
	return last;
}

/* What it asked for, for a planner that does not know it: it is placed again where it is. */
static void take_sliced(struct snapshot *snap, struct snap_job *out, const job_record_t *job)
{
	/* as it was described when it waited: what the planner could not see then has its nodes for itself */
	if (!describe_record(snap->regions, job, &out->what))
		out->what.whole = true;
	out->what.limit = describe_limit(job->time_limit, job->part_ptr);
	out->runtime = runtime(job, snap->now);
	out->left = left_of(out->what.limit, out->runtime);
	out->priority = job->priority;
	out->switched = job->suspend_time;
	out->launched = launched(job);
	out->warning = warning_of(job);
}

/* The same of one that is resized. */
static void take_resized(struct snapshot *snap, struct snap_job *out, const job_record_t *job)
{
	struct malleable_option option;

	if (!malleable_of(job, &option) || out->slices || out->terms.estimate)
		return;
	out->resizes = describe_record(snap->regions, job, &out->what) && out->what.malleable;
	if (!out->resizes)
		return;
	out->what.limit = describe_limit(run_limit_own(job), job->part_ptr);
	out->priority = job->priority;
	out->runtime = runtime(job, snap->now);
}

/*
 * Nodes of a job that is over become free one by one, as each is clean, and a scheduler without a plan would give the first of them
 * to what is narrow, past a wider job that waits for all. So there it has them all until the last is clean, or
 * Slurm's CompleteWait is over.
 */
static bool completes_whole(const job_record_t *job, time_t now)
{
	return scheduler_is_malleable() && now < job->end_time + slurm_conf.complete_wait;
}

/* Nodes that a job still occupies. */
static bool take_running(struct snapshot *snap, struct snap_job *out, const job_record_t *job)
{
	bool promised = out->token_rc == TOKEN_OK && token_binds(&out->token);
	bool ending = IS_JOB_COMPLETING(job);
	const bitstr_t *nodes = ending && job->node_bitmap_cg && !completes_whole(job, snap->now)
					? job->node_bitmap_cg
					: job->node_bitmap;

	out->state = SNAP_RUNNING;
	out->said = snapshot_said(job->state_desc);
	out->start = job->start_time;
	out->ending = ending;
	out->partly = job_nodes_partly(job);
	out->waking = IS_JOB_CONFIGURING(job);
	out->suspended = IS_JOB_SUSPENDED(job) && !ending;
	out->end = out->suspended ? suspended_end(job, snap->now) : job->end_time;
	if (!ending && (job->time_limit == INFINITE || job->time_limit == NO_VAL) &&
	    job->part_ptr && job->part_ptr->max_time == INFINITE)
		out->end = PACT_FOREVER;
	if (job->part_ptr && realms_share(job->part_ptr->name))
		share_terms_of(job, &out->terms);
	out->slices = !promised && job->part_ptr && realms_slice(job->part_ptr->name);
	if (out->terms.estimate || out->slices)
		out->memory = memory_of(job);
	/* What Slurm's own gang scheduler does is nothing of ours, either. */
	out->by_hand = out->suspended &&
		       (suspended_by_hand(job) || slurm_conf.preempt_mode & PREEMPT_MODE_GANG);
	out->unclear = out->suspended && !out->by_hand && !job->priority;
	out->turned = !out->by_hand && (job->suspend_time || part_may_turn(job->part_ptr));
	out->gone = part_may_turn(job->part_ptr) && cleaned_after(job);
	if (out->slices && !ending)
		take_sliced(snap, out, job);
	if (!ending && scheduler_resizes())
		take_resized(snap, out, job);
	out->gone |= out->resizes && cleaned_after(job) && cleaned_whole(job);
	out->nodes = region_from_bitmap(nodes);
	out->asked = out->nodes && !ending && !out->resizes && wish_open(job, out->nodes);
	if (!out->nodes || (out->resizes && !snapshot_take_loans(out, job)))
		return false;
	out->cleaning = give_back_add(out->job_id, out->nodes);
	return true;
}

static bool wanted(const job_record_t *job)
{
	if (!job->details || IS_JOB_REVOKED(job) || merged_into_other(job))
		return false;
	if (IS_JOB_PENDING(job) && !IS_JOB_COMPLETING(job))
		return true;
	return job_keeps_nodes(job) && job->node_bitmap;
}

/* Lost through no fault of its own, and not to be repeated: only its promise matters. */
static bool lost_job(const job_record_t *job)
{
	return job->details && !IS_JOB_PENDING(job) && !IS_JOB_REVOKED(job) &&
	       (IS_JOB_NODE_FAILED(job) || (job->job_state & JOB_STATE_BASE) == JOB_BOOT_FAIL);
}

/* Of those that are over only promises matter that are not in the books yet: were they kept? */
static bool over_job(const job_record_t *job)
{
	struct token token;

	return job->details && (IS_JOB_FINISHED(job) || lost_job(job)) && !IS_JOB_REVOKED(job) &&
	       token_parse(job->admin_comment, &token) == TOKEN_OK && !token.ended;
}

/* job_allocate() found no nodes that could ever be enough, after we were asked. */
static bool refused_job(const job_record_t *job)
{
	return IS_JOB_FAILED(job) && job->state_reason == FAIL_BAD_CONSTRAINTS;
}

/* An array that was cancelled whole: the tasks that had not left it. */
static bool take_ended(struct snap_job *out, const job_record_t *job)
{
	uint32_t base = job->job_state & JOB_STATE_BASE;

	out->state = lost_job(job) ? SNAP_LOST : SNAP_ENDED;
	out->start = job->start_time;
	out->end = job->end_time;
	out->ran = job->nodes && job->nodes[0];
	out->how = base == JOB_TIMEOUT		   ? SNAP_TIMEOUT
		   : base == JOB_CANCELLED	   ? SNAP_CANCELLED
		   : refused_job(job) && !out->ran ? SNAP_REFUSED
						   : SNAP_DONE;
	out->width = out->ran ? job->total_nodes : job->details->min_nodes;
	(void)malleable_run_of(job, &out->run);
	if (job->time_limit != INFINITE && job->time_limit != NO_VAL)
		out->limit = (int64_t)job->time_limit * 60;
	return !job->array_recs || job->array_task_id != NO_VAL ||
	       take_tasks(out, job, DESCRIBE_TASKS);
}

static bool take_job(struct snapshot *snap, const job_record_t *job)
{
	struct snap_job *out = &snap->jobs[snap->njobs];

	if (!wanted(job) && !over_job(job))
		return true;
	memset(out, 0, sizeof(*out));
	out->job_id = job->job_id;
	out->base_id = job->array_job_id ? job->array_job_id : job->job_id;
	out->task = job->array_task_id;
	out->uid = job->user_id;
	out->submit = job->details->submit_time;
	out->taken = snap->now;
	out->print = snapshot_print(job);
	out->token_rc = token_parse(job->admin_comment, &out->token);
	out->leaves = move_signal(job);
	if (out->leaves)
		move_of(job, &out->move);
	snap->njobs++;
	if (!snapshot_text(snap, &out->account, job->account) ||
	    !snapshot_text(snap, &out->partition, job->partition))
		return false;
	if (!wanted(job))
		return take_ended(out, job);
	if (IS_JOB_PENDING(job) && !IS_JOB_COMPLETING(job))
		return take_pending(snap, out, job);
	return take_running(snap, out, job);
}

/* Not by itself: it would have gone on. */
static bool was_cut(const job_record_t *job)
{
	uint32_t base = job->job_state & JOB_STATE_BASE;

	return base > JOB_SUSPENDED && base != JOB_COMPLETE && base != JOB_FAILED &&
	       job->part_ptr && realms_share(job->part_ptr->name);
}

bool snapshot_take_jobs(struct snapshot *snap)
{
	size_t room = (size_t)list_count(job_list) + 1;
	bool ok, share = realms_any();
	list_itr_t *iter;
	job_record_t *job;

	snap->jobs = calloc(room, sizeof(*snap->jobs));
	snap->cut = calloc(share ? room : 1, sizeof(*snap->cut));
	ok = snap->jobs && snap->cut;
	if (!ok)
		return false;
	iter = list_iterator_create(job_list);
	while (ok && (job = list_next(iter))) {
		ok = take_job(snap, job);
		if (share && was_cut(job))
			snap->cut[snap->ncut++] = job->job_id;
	}
	list_iterator_destroy(iter);
	return ok;
}

static int by_submission(const void *a, const void *b)
{
	const struct snap_job *x = a, *y = b;

	if (x->submit != y->submit)
		return x->submit < y->submit ? -1 : 1;
	if (x->base_id != y->base_id)
		return x->base_id < y->base_id ? -1 : 1;
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	return 0;
}

/* Records stand in this order but for split tasks and what was requeued. */
void snapshot_sort_jobs(struct snapshot *snap)
{
	snapshot_sort_cut(snap);
	for (size_t i = 1; i < snap->njobs; i++)
		if (by_submission(&snap->jobs[i - 1], &snap->jobs[i]) > 0) {
			qsort(snap->jobs, snap->njobs, sizeof(*snap->jobs), by_submission);
			return;
		}
}

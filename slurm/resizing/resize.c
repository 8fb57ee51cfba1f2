/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resize.c - a running job gets nodes, or gives some back, see resize.h */
#include "slurm/resizing/resize.h"

#include "slurm/config/builds.h"
#include "slurm/records/asleep.h"
#include "slurm/records/give_back.h"
#include "slurm/records/refused_nodes.h"
#include "slurm/records/resize_books.h"
#include "slurm/records/resize_usage.h"
#include "slurm/resizing/resize_batch.h"
#include "slurm/resizing/resize_helper.h"
#include "slurm/resizing/resize_lost.h"
#include "slurm/resizing/resize_obstacle.h"
#include "slurm/resizing/resize_prolog.h"
#include "slurm/base/metered.h"
#include "slurm/base/scheduler.h"
#include "slurm/records/region.h"
#include "slurm/records/wish_of.h"

const slurmctld_lock_t resize_locks = { READ_LOCK, WRITE_LOCK, WRITE_LOCK, WRITE_LOCK, READ_LOCK };

/* Seconds between two signs of life: Slurm gives a script without one up after at least BatchStartTimeout and MessageTimeout. */
#define SIGN_EVERY 3

static time_t signs; /* 0: none yet in this life */

void resize_begin(void)
{
	resize_prolog_begin();
	give_back_begin();
	resize_usage_begin();
	signs = 0;
}

void resize_end(void)
{
	give_back_write();
}

void resize_keep(void)
{
	static const slurmctld_lock_t look = { .job = READ_LOCK,
					       .node = READ_LOCK,
					       .part = READ_LOCK },
				      change = { .job = WRITE_LOCK, .node = READ_LOCK };
	time_t now = time(NULL);
	struct metered metered;
	bool any, loaded;

	if (now - signs < SIGN_EVERY && now >= signs)
		return;
	metered_take(&metered, &look);
	loaded = job_list && list_count(job_list) && builds_records();
	any = loaded && resize_batch_any();
	metered_give(&metered);
	if (loaded)
		signs = now;
	if (!any)
		return;
	metered_take(&metered, &change);
	resize_batch_keep();
	metered_give(&metered);
}

void resize_tend(void)
{
	static const slurmctld_lock_t look = { .job = READ_LOCK,
					       .node = READ_LOCK,
					       .part = READ_LOCK };
	struct metered metered;
	bool fits, any;

	metered_take(&metered, &look);
	/* there may be a first job now, and whether its record is what it is taken for was not known */
	fits = builds_records();
	if (fits)
		resize_usage_tend();
	any = fits && (give_back_any() || resize_lost_behind() || resize_books_behind() ||
		       resize_prolog_behind());
	metered_give(&metered);
	if (fits)
		give_back_ask();
	if (!any)
		return;
	metered_take(&metered, &resize_locks);
	give_back_settle();
	resize_lost_tend();
	resize_books_heal();
	resize_prolog_tend();
	metered_give(&metered);
}

/* ---- what stands against it ---- */

/* "" when there is nothing against it just now. */
static enum resize_rc may_resize(const job_record_t *job, char *why, size_t size)
{
	const char *obstacle;

	if (!job || !job->details || !job->node_bitmap || !job->job_resrcs ||
	    IS_JOB_COMPLETING(job) || !(IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job))) {
		snprintf(why, size, "it does not run");
		return RESIZE_NEVER;
	}
	obstacle = resize_obstacle(job);
	if (obstacle) {
		snprintf(why, size, "%s", obstacle);
		return RESIZE_NEVER;
	}
	if (IS_JOB_SUSPENDED(job) || IS_JOB_CONFIGURING(job)) {
		snprintf(why, size, "it is %s", IS_JOB_SUSPENDED(job) ? "suspended" : "starting");
		return RESIZE_LATER;
	}
	snprintf(why, size, "%s", "");
	return RESIZE_DONE;
}

/* Idle, and in its partition. */
static bool all_free(const job_record_t *job, bitstr_t *nodes, char *why, size_t size)
{
	for (bitoff_t i = bit_ffs(nodes), last = bit_fls(nodes); i >= 0 && i <= last; i++) {
		const node_record_t *node = node_record_table_ptr[i];
		const char *what = NULL;

		if (!bit_test(nodes, i))
			continue;
		if (!node || !job->part_ptr->node_bitmap ||
		    !bit_test(job->part_ptr->node_bitmap, i))
			what = "is not in its partition";
		else if (!bit_test(idle_node_bitmap, i) || !bit_test(avail_node_bitmap, i))
			what = "is not free";
		if (!what)
			continue;
		snprintf(why, size, "node %s %s", node ? node->name : "?", what);
		return false;
	}
	return true;
}

/* ---- nodes for a running job ---- */

/* They were given, and could not be made the job's: no error of Slurm's own. */
#define NOT_MERGED (-2)

static int grow_by(job_record_t *job, bitstr_t *nodes)
{
	int rc;
	job_record_t *helper = helper_start(job, nodes, &rc);

	if (helper)
		resize_books_begin(job);
	if (helper && helper_merge(helper))
		rc = NOT_MERGED;
	resize_books_resized(job, nodes);
	if (rc)
		return rc;
	resize_usage_resized(job);
	resize_prolog_launch(job, nodes);
	return 0;
}

/*
 * So many tries in one hold of slurmctld's locks; what is not given by then is left to the next one. They are enough to come down
 * to a single node, so that each hold gives some or finds one that is not given.
 */
#define TRIES 8

static int tries_for(bitstr_t *nodes)
{
	int tries = TRIES;

	for (int n = bit_set_count(nodes) >> TRIES; n; n >>= 1)
		tries++;
	return tries;
}

static bool may_try(int *tries)
{
	return (*tries)-- > 0 && !resize_books_away();
}

static void refuse(int node)
{
	refused_nodes_add(node, time(NULL));
	info("%s: node %s looks free, and Slurm does not give it: no running job is given it for a "
	     "while",
	     scheduler_type(), node_record_table_ptr[node]->name);
}

/* It may be for some of them only that Slurm did not give all. */
static bool of_some(int rc)
{
	return rc == ESLURM_NODES_BUSY || rc == ESLURM_NODE_NOT_AVAIL ||
	       rc == ESLURM_RESERVATION_BUSY || rc == ESLURM_RESERVATION_MAINT;
}

/*
 * These were not given together: one that Slurm does not give, though it looks free, is in the way of no other one.
 * RET some were
 */
static bool grow_by_halves(job_record_t *job, bitstr_t *nodes, int *tries)
{
	int count = bit_set_count(nodes);
	bitstr_t *half[2];
	bool any = false;

	if (count == 1) {
		refuse((int)bit_ffs(nodes));
		return false;
	}
	half[0] = bit_pick_cnt(nodes, (uint32_t)count / 2);
	half[1] = bit_copy(nodes);
	bit_and_not(half[1], half[0]);
	for (int i = 0; i < 2; i++) {
		int rc = may_try(tries) ? grow_by(job, half[i]) : ESLURM_NOT_SUPPORTED;

		if (!rc)
			any = true;
		else if (of_some(rc))
			any |= grow_by_halves(job, half[i], tries);
		FREE_NULL_BITMAP(half[i]);
	}
	return any;
}

/*
 * A limit is in the way of so many, and may not be of fewer. Of what are too many one half is tried: what is left of them when
 * it was given are too many still, else that half is.
 * RET some were given
 */
static bool grow_to_limit(job_record_t *job, bitstr_t *nodes, int *tries)
{
	bitstr_t *many = bit_copy(nodes);
	int count, rc = ESLURM_ACCOUNTING_POLICY;
	bool any = false;

	while ((!rc || rc == ESLURM_ACCOUNTING_POLICY) && (count = bit_set_count(many)) > 1 &&
	       may_try(tries)) {
		bitstr_t *half = bit_pick_cnt(many, (uint32_t)count / 2);

		rc = grow_by(job, half);
		any |= !rc;
		if (of_some(rc))
			any |= grow_by_halves(job, half, tries);
		if (rc)
			bit_and(many, half);
		else
			bit_and_not(many, half);
		FREE_NULL_BITMAP(half);
	}
	FREE_NULL_BITMAP(many);
	return any;
}

static bool grow_by_fewer(job_record_t *job, bitstr_t *nodes, int rc)
{
	int tries = tries_for(nodes);

	if (of_some(rc))
		return grow_by_halves(job, nodes, &tries);
	return rc == ESLURM_ACCOUNTING_POLICY && grow_to_limit(job, nodes, &tries);
}

/*
 * Is it for these nodes, or for this moment, that Slurm gives none? Else a limit is in the way of all others, too,
 * and each try costs a job id and a row in each book.
 */
static bool of_these(int rc)
{
	return of_some(rc) || rc == NOT_MERGED;
}

/* A job that runs could use none of these at once: power saving has to wake them for one that starts. */
static void leave_out_asleep(bitstr_t *nodes)
{
	for (bitoff_t i = bit_ffs(nodes), last = bit_fls(nodes); i >= 0 && i <= last; i++)
		if (bit_test(nodes, i) && node_record_table_ptr[i] &&
		    node_is_asleep(node_record_table_ptr[i]))
			bit_clear(nodes, i);
}

static enum resize_rc grow(job_record_t *job, bitstr_t *nodes, char *why, size_t size)
{
	int rc;

	if (!permit_job_expansion()) {
		snprintf(why, size, "SchedulerParameters has no permit_job_expansion");
		return RESIZE_NEVER;
	}
	if (resize_books_away()) {
		snprintf(why, size, "slurmdbd is away");
		return RESIZE_AWAY;
	}
	give_back_settle(); /* a slurmd may have registered, or answered */
	if (give_back_asked_now(job->job_id)) {
		snprintf(why, size, "it has given nodes back just now");
		return RESIZE_BUSY;
	}
	bit_and_not(nodes, cg_node_bitmap);
	if (bit_ffs(nodes) < 0) {
		snprintf(why, size, "the nodes are being cleaned up");
		return RESIZE_BUSY;
	}
	refused_nodes_leave_out(nodes, time(NULL));
	if (bit_ffs(nodes) < 0) {
		snprintf(why, size, "the nodes were refused just now");
		return RESIZE_BUSY;
	}
	leave_out_asleep(nodes);
	if (bit_ffs(nodes) < 0) {
		snprintf(why, size, "the nodes are asleep");
		return RESIZE_BUSY;
	}
	if (!all_free(job, nodes, why, size))
		return RESIZE_LATER;
	rc = grow_by(job, nodes);
	if (grow_by_fewer(job, nodes, rc))
		rc = SLURM_SUCCESS;
	if (rc) {
		snprintf(why, size, "%s",
			 rc == NOT_MERGED ? "they could not be merged into it"
					  : slurm_strerror(rc));
		return of_these(rc) ? RESIZE_LATER : RESIZE_DENIED;
	}
	info("%s: %pJ: it has grown to %s", scheduler_type(), job, job->nodes);
	schedule_job_save();
	schedule_node_save();
	return RESIZE_DONE;
}

bool resize_is_own(void)
{
	return helper_at_work();
}

/* ---- nodes from a running job ---- */

/* The first node, where the batch script runs. Under --no-kill a job can have lost that, and goes on without. */
static int own_node(const job_record_t *job)
{
	int batch = job->batch_host ? node_name_get_inx(job->batch_host) : -1;

	return batch >= 0 && bit_test(job->node_bitmap, batch) ? batch
							       : (int)bit_ffs(job->node_bitmap);
}

static enum resize_rc may_shrink(job_record_t *job, bitstr_t *keep, char *why, size_t size)
{
	if (!permit_job_shrink()) {
		snprintf(why, size, "SchedulerParameters has disable_job_shrink");
		return RESIZE_NEVER;
	}
	if (!bit_test(keep, own_node(job))) {
		snprintf(why, size, "its first node, %s, has to stay",
			 node_record_table_ptr[own_node(job)]->name);
		return RESIZE_NEVER;
	}
	return RESIZE_DONE;
}

static enum resize_rc shrink(job_record_t *job, bitstr_t *keep, char *why, size_t size)
{
	enum resize_rc rc = may_shrink(job, keep, why, size);
	bitstr_t *leaves;

	if (rc != RESIZE_DONE)
		return rc;
	leaves = bit_copy(job->node_bitmap);
	bit_and_not(leaves, keep);
	if (bit_ffs(leaves) >= 0) {
		give_back(job, leaves);
		info("%s: %pJ: it has shrunk to %s", scheduler_type(), job, job->nodes);
	}
	FREE_NULL_BITMAP(leaves);
	return RESIZE_DONE;
}

/* ---- both ---- */

typedef enum resize_rc change_fn(job_record_t *job, bitstr_t *nodes, char *why, size_t size);

static enum resize_rc change(change_fn *by, uint32_t job_id, const struct nodeset *set, char *why,
			     size_t size)
{
	char own[RESIZE_WHY];
	job_record_t *job = find_job_record(job_id);
	bitstr_t *nodes;
	enum resize_rc rc;

	if (!why) {
		why = own;
		size = sizeof(own);
	}
	rc = may_resize(job, why, size);
	if (rc != RESIZE_DONE)
		return rc;
	nodes = region_to_bitmap(set);
	rc = by(job, nodes, why, size);
	FREE_NULL_BITMAP(nodes);
	return rc;
}

enum resize_rc resize_grow(uint32_t job_id, const struct nodeset *add, char *why, size_t size)
{
	return change(grow, job_id, add, why, size);
}

enum resize_rc resize_shrink(uint32_t job_id, const struct nodeset *keep, char *why, size_t size)
{
	return change(shrink, job_id, keep, why, size);
}

enum resize_rc resize_may_shrink(uint32_t job_id, const struct nodeset *keep, char *why,
				 size_t size)
{
	return change(may_shrink, job_id, keep, why, size);
}

/* ---- as its user asks ---- */

static bool may_ask(const job_record_t *job, uint32_t uid)
{
	return uid == job->user_id || validate_operator(uid) ||
	       assoc_mgr_is_user_acct_coord(acct_db_conn, uid, job->account, false);
}

/* The batch host and the first of the others, as Slurm has it. */
static bitstr_t *first_nodes(const job_record_t *job, uint32_t n)
{
	bitstr_t *keep = bit_alloc(node_record_count);
	uint32_t kept = 1;

	bit_set(keep, own_node(job));
	for (bitoff_t i = bit_ffs(job->node_bitmap), last = bit_fls(job->node_bitmap);
	     i >= 0 && i <= last && kept < n; i++) {
		if (!bit_test(job->node_bitmap, i) || bit_test(keep, i))
			continue;
		bit_set(keep, i);
		kept++;
	}
	return keep;
}

/* NULL: nothing of this kind, or not right. */
static bitstr_t *wanted(const job_desc_msg_t *desc, const job_record_t *job)
{
	bitstr_t *keep = NULL;

	if (!desc->req_nodes) {
		if (desc->min_nodes == NO_VAL || !desc->min_nodes ||
		    desc->min_nodes >= job->node_cnt || desc_node_counts(desc) ||
		    (desc->max_nodes != NO_VAL && desc->max_nodes != desc->min_nodes))
			return NULL;
		return first_nodes(job, desc->min_nodes);
	}
	if (desc->min_nodes != NO_VAL || desc->max_nodes != NO_VAL || !desc->req_nodes[0])
		return NULL;
	if (node_name2bitmap(desc->req_nodes, false, &keep, NULL) ||
	    !bit_super_set(keep, job->node_bitmap) || !bit_test(keep, own_node(job)))
		FREE_NULL_BITMAP(keep);
	return keep;
}

bool resize_requested(job_desc_msg_t *desc, job_record_t *job, uint32_t uid)
{
	char why[RESIZE_WHY];
	bitstr_t *keep;
	bool done;

	if (may_resize(job, why, sizeof(why)) != RESIZE_DONE || !permit_job_shrink() ||
	    !may_ask(job, uid))
		return false;
	keep = wanted(desc, job);
	done = keep && shrink(job, keep, why, sizeof(why)) == RESIZE_DONE;
	FREE_NULL_BITMAP(keep);
	if (done) {
		xfree(desc->req_nodes);
		desc->min_nodes = desc->max_nodes = NO_VAL;
		wish_met(job);
	}
	return done;
}

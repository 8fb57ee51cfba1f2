/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * change_describe.c - a job as a request would have it
 */
#include "slurm/base/compat.h"

#include "slurm/admission/change_describe.h"
#include "slurm/admission/admission.h"
#include "slurm/admission/change_range.h"
#include "slurm/admission/change_what.h"
#include "slurm/admission/checks.h"
#include "slurm/eligibility/account.h"
#include "slurm/eligibility/eligibility.h"
#include "slurm/promise/depend.h"
#include "slurm/eligibility/request.h"
#include "slurm/snapshot/access.h"
#include "slurm/eligibility/partition.h"
#include "slurm/records/parts.h"

/* The record under the changed terms; what it owns besides. */
struct changed {
	job_record_t *job;
	job_details_t *det;
	bitstr_t *required, *exclude;
	list_t *parts;
};

/* Processors, and tasks, of which Slurm gives it more for more nodes (_update_job). */
static void change_cpus(const job_desc_msg_t *desc, struct changed *as)
{
	bool given = desc->min_cpus != NO_VAL && desc->min_cpus;
	const uint64_t *asked = as->job->tres_req_cnt;
	job_details_t *det = as->det;
	uint64_t cpus = asked ? asked[TRES_ARRAY_CPU] : det->min_cpus;
	uint64_t tasks = det->num_tasks, needs = 0;

	if (given)
		cpus = desc->min_cpus;
	if (change_counts_nodes(desc)) {
		if (tasks && tasks < desc->min_nodes)
			det->num_tasks = desc->min_nodes;
		if (tasks < desc->min_nodes)
			tasks = desc->min_nodes;
		needs = (uint64_t)det->pn_min_cpus * desc->min_nodes;
		if (tasks * det->cpus_per_task > needs)
			needs = tasks * det->cpus_per_task;
	}
	if (!given && needs <= cpus)
		return;
	cpus = request_countable(needs > cpus ? needs : cpus);
	if (det->min_cpus != cpus)
		det->orig_min_cpus = (uint32_t)cpus;
	det->min_cpus = (uint32_t)cpus;
}

static bool change_nodes(const job_desc_msg_t *desc, struct changed *as)
{
	job_details_t *det = as->det;

	change_cpus(desc, as);
	if (change_counts_nodes(desc))
		det->min_nodes = desc->min_nodes;
	if (desc->max_nodes != NO_VAL)
		det->max_nodes = desc->max_nodes; /* 0: no most any more */
	if (desc->req_nodes) {
		if (node_name2bitmap(desc->req_nodes, false, &as->required, NULL))
			return false;
		det->req_node_bitmap = as->required;
		det->req_nodes = desc->req_nodes;
		if (!NODES_TO_CHOOSE && bit_set_count(as->required) > (int)det->min_nodes)
			det->min_nodes = bit_set_count(as->required);
	}
	if (desc->exc_nodes) {
		if (node_name2bitmap(desc->exc_nodes, false, &as->exclude, NULL))
			return false;
		det->exc_node_bitmap = as->exclude;
		det->exc_nodes = desc->exc_nodes;
	}
	if (request_chooses(det->req_node_bitmap, det->min_nodes)) {
		bitstr_t *others = request_others(det->req_node_bitmap, det->exc_node_bitmap);

		FREE_NULL_BITMAP(as->exclude);
		det->exc_node_bitmap = as->exclude = others;
		det->req_node_bitmap = NULL;
	}
	return true;
}

static bool change_parts(const job_desc_msg_t *desc, struct changed *as)
{
	if (!desc->partition)
		return true;
	as->parts = parts_named(desc->partition);
	if (!as->parts)
		return false;
	as->job->part_ptr = list_peek(as->parts);
	as->job->part_ptr_list = as->parts;
	return true;
}

static void change_times(const job_desc_msg_t *desc, struct changed *as)
{
	if (desc->time_limit != NO_VAL)
		as->job->time_limit = desc->time_limit;
	if (desc->time_min != NO_VAL)
		as->job->time_min = desc->time_min;
	if (admission_has_deadline(desc))
		as->job->deadline = desc->deadline;
	if (desc->begin_time && desc->begin_time != (time_t)NO_VAL)
		as->det->begin_time = desc->begin_time;
}

/* By these its range ends. They stay there as long as slurmctld's locks are held (submit_limits.c). */
static void change_account(const struct change *c, struct changed *as)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK, .user = READ_LOCK };
	const struct eligibility_job who = {
		.account = c->desc->account,
		.qos = c->desc->qos,
		.moves = c->desc->partition,
		.record = c->job,
	};
	struct account found;

	if (!as->job->part_ptr)
		return;
	assoc_mgr_lock(&locks);
	found = account_find(&who, as->job->part_ptr->name);
	assoc_mgr_unlock(&locks);
	as->job->assoc_ptr = found.assoc;
	as->job->qos_ptr = found.qos;
}

bool change_describe_record(struct admission *a, const struct change *c)
{
	struct changed as = { .job = xmalloc(sizeof(*as.job)), .det = xmalloc(sizeof(*as.det)) };
	bool ok;

	memcpy(as.job, c->job, sizeof(*as.job));
	memcpy(as.det, c->job->details, sizeof(*as.det));
	as.job->details = as.det;
	change_times(c->desc, &as);
	if (c->desc->features)
		as.det->features = c->desc->features;
	ok = change_nodes(c->desc, &as) && change_parts(c->desc, &as);
	if (ok && (c->desc->account || c->desc->qos || c->desc->partition))
		change_account(c, &as);
	ok = ok && describe_record(a->regions, as.job, &a->what);
	FREE_NULL_BITMAP(as.required);
	FREE_NULL_BITMAP(as.exclude);
	FREE_NULL_LIST(as.parts);
	xfree(as.det);
	xfree(as.job);
	return ok;
}

bool change_describe(struct admission *a, const struct change *c)
{
	job_desc_msg_t *desc = c->desc;
	bool ok = change_describe_record(a, c);

	if (!ok || (a->what.most <= a->what.width && !a->what.bounded) ||
	    !change_counts_nodes(desc) || desc->max_nodes != NO_VAL ||
	    c->job->details->max_nodes > c->job->details->min_nodes)
		return ok;
	desc->max_nodes = desc->min_nodes;
	return change_describe_record(a, c);
}

bool change_begin(struct admission *a, const struct change *c)
{
	list_t *waits_for = c->job->details->depend_list;
	depend_spec_t *dep;
	list_itr_t *iter;
	char why[160];

	a->begin = 0;
	if (c->desc->dependency) {
		if (!depend_begin(a->b, c->desc->dependency, a->access, &a->begin, &a->waits_for,
				  why, sizeof(why)))
			return why[0] ? admission_unplannable(a, why)
				      : admission_plain(a, ADMISSION_BUSY);
	} else if (waits_for) {
		iter = list_iterator_create(waits_for);
		while ((dep = list_next(iter))) {
			struct snap_depend on;
			int64_t end = dependency_take(dep, &on) ? depend_known(a->b, &on) : 0;

			if (end > a->begin && end < PACT_FOREVER)
				a->begin = end;
		}
		list_iterator_destroy(iter);
	}
	if (a->what.begin > a->begin)
		a->begin = a->what.begin;
	if (a->begin <= a->now)
		a->begin = 0;
	return true;
}

bool change_permitted(struct admission *a, const struct change *c)
{
	struct eligibility_job who = {
		.uid = c->job->user_id,
		.account = c->desc->account,
		.qos = c->desc->qos,
		.moves = c->desc->partition,
		.record = c->job,
		.what = &a->what,
		.least = a->what.least,
	};
	char why[256];

	if (a->what.opaque)
		return admission_unplannable(a, a->what.opaque);
	if (a->what.waits) {
		describe_waits(&a->what, why, sizeof(why));
		if (describe_in_vain(&a->what))
			a->code = ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE;
		return admission_unplannable(a, why);
	}
	if (!change_range(c, &a->what, why, sizeof(why))) {
		a->code = ESLURM_NOT_SUPPORTED;
		return admission_plain(a, why);
	}
	if (c->desc->partition && !eligibility_moves(&who, why, sizeof(why)))
		return admission_plain(a, why);
	if (!change_wants_promise(c))
		return true;
	if (!c->bound || c->desc->partition)
		return admission_permitted(a, &who);
	/* For an operator, Slurm lifts the limits of what he changes. */
	return validate_operator(c->uid) || change_only_shortens(c) ||
	       admission_no_obstacle(a, &who);
}

int64_t change_limit(const struct admission *a, const struct change *c)
{
	int64_t limit = c->bound && c->token.limit ? c->token.limit : a->what.least;

	if (!change_wants_promise(c) || a->what.least >= a->what.limit)
		return a->what.limit;
	return limit < a->what.limit ? limit : a->what.limit;
}

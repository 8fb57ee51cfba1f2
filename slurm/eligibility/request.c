/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request.c - what a submission or a record asks for, in one form
 */
#include "slurm/config/realms.h"
#include "slurm/records/late_limit.h"
#include "slurm/eligibility/request.h"
#include "slurm/records/parts.h"
#include "slurm/records/run_limit.h"

#define COUNTS "a list of node counts (--nodes=2,4); give one"
#define SEGMENT "nodes together in a block (--segment)"
#define PORTS "ports of its nodes (--resv-ports)"
#define EXTRA "conditions on its nodes (--extra)"

uint32_t request_countable(uint64_t n)
{
	return n > INT32_MAX ? INT32_MAX : (uint32_t)n;
}

bool request_linear(void)
{
	return !xstrcmp(slurm_conf.select_type, "select/linear") ||
	       !xstrcmp(slurm_conf.select_type, "select/gang");
}

uint32_t request_nodes_for(uint32_t cpus, uint32_t per_node)
{
	if (!cpus || !per_node)
		return 1;
	return (uint32_t)(((uint64_t)cpus + per_node - 1) / per_node);
}

bool request_chooses(const bitstr_t *named, uint32_t least)
{
	return NODES_TO_CHOOSE && named && least != NO_VAL &&
	       (uint32_t)bit_set_count((bitstr_t *)named) > least;
}

bitstr_t *request_others(const bitstr_t *named, const bitstr_t *excluded)
{
	bitstr_t *others = bit_copy((bitstr_t *)named);

	bit_not(others);
	if (excluded)
		bit_or(others, (bitstr_t *)excluded);
	return others;
}

static void opaque_if(struct request *req, bool is, const char *what)
{
	if (is && !req->opaque)
		req->opaque = what;
}

/* Slurm itself writes into a record that has been tried there that it shares nodes, as FORCE has it. */
static bool in_realms(const struct request *req)
{
	bool all = req->nparts;

	for (uint32_t i = 0; all && i < req->nparts; i++)
		all = realms_share(req->part[i]->name) || realms_slice(req->part[i]->name);
	return all;
}

/* The same of one that has been tried there and names others, too, in which no nodes are shared, whatever a job asks for. */
static bool shares_by_force(const struct request *req)
{
	bool any = false, all = true;

	for (uint32_t i = 0; i < req->nparts; i++) {
		const part_record_t *part = req->part[i];
		bool is = realms_share(part->name) || realms_slice(part->name);

		any |= is;
		all &= is || (part->max_share & ~SHARED_FORCE) <= 1;
	}
	return any && all;
}

static bool given(const char *text)
{
	return text && text[0];
}

/* An alternate may be there twice. */
static void add_part(struct request *req, part_record_t *part)
{
	for (uint32_t i = 0; i < req->nparts; i++)
		if (req->part[i] == part)
			return;
	if (req->nparts < SCHED_MAX_ALT)
		req->part[req->nparts++] = part;
	else
		req->opaque = "more partitions than can be planned";
}

/*
 * The highest PriorityTier first, else as they were named: Slurm sorts the list of a record so, but
 * only when it looks for nodes or computes a priority, which is after we were asked.
 */
static void sort_parts(struct request *req)
{
	for (uint32_t i = 1; i < req->nparts; i++) {
		part_record_t *part = req->part[i];
		uint32_t at = i;

		for (; at && req->part[at - 1]->priority_tier < part->priority_tier; at--)
			req->part[at] = req->part[at - 1];
		req->part[at] = part;
	}
}

static void take_parts(struct request *req, list_t *parts)
{
	list_itr_t *iter = list_iterator_create(parts);
	part_record_t *part;

	while ((part = list_next(iter)))
		add_part(req, part);
	list_iterator_destroy(iter);
	req->first = req->part[0];
	sort_parts(req);
}

static uint32_t value_or(uint32_t value, uint32_t none, uint32_t otherwise)
{
	return value == none ? otherwise : value;
}

/* Does it ask for more for each task than processors, which --cpus-per-task writes there too, from 23.11 on? */
static bool given_beside_cpus(const char *tres_per_task)
{
	const char *item = tres_per_task;

	while (given(item) && !xstrncasecmp(item, "cpu", 3) && (item[3] == '=' || item[3] == ':')) {
		item += strcspn(item, ",");
		item += *item == ',';
	}
	return given(item);
}

/*
 * Options that name resources which the planner does not count.  25.05's alternatives of licenses (a|b) and
 * its hierarchical resources are asked for by --licenses, too: they are refused with it, of a submission and of a
 * record, by the text that was asked for.  No test can ask for them, as that release is only compiled.
 */
static void opaque_resources(struct request *req, const job_desc_msg_t *desc)
{
	opaque_if(req,
		  given(desc->tres_per_job) || given(desc->tres_per_node) ||
			  given(desc->tres_per_socket) || given_beside_cpus(desc->tres_per_task),
		  "generic resources (--gres, --gpus)");
	opaque_if(req, given(desc->cpus_per_tres) || given(desc->mem_per_tres),
		  "processors or memory per generic resource");
	opaque_if(req, given(desc->licenses), "licenses (--licenses)");
	opaque_if(req, given(desc->burst_buffer), "a burst buffer");
	opaque_if(req, given(desc->reservation), "a reservation (--reservation)");
	opaque_if(req, given(desc->batch_features), "features of the batch host (--batch)");
	opaque_if(req, given(desc->prefer), "preferred features (--prefer)");
	opaque_if(req, given(desc->network), "network resources (--network)");
	opaque_if(req,
		  desc->pn_min_memory != NO_VAL64 && (desc->pn_min_memory & MEM_PER_CPU) &&
			  !in_realms(req),
		  "memory per processor (--mem-per-cpu); give --mem");
}

/* A 16-bit count that was set. */
static bool asked(uint16_t value)
{
	return value && value != NO_VAL16 && value != INFINITE16;
}

/* Options that say how nodes or tasks have to lie. */
static void opaque_layout(struct request *req, const job_desc_msg_t *desc)
{
	opaque_if(req, desc->contiguous == 1, "contiguous nodes (--contiguous)");
	opaque_if(req, desc->core_spec != NO_VAL16, "specialized cores (--core-spec)");
	opaque_if(req, desc->req_switch && desc->req_switch != NO_VAL, "switches (--switches)");
	opaque_if(req,
		  asked(desc->sockets_per_node) || asked(desc->cores_per_socket) ||
			  asked(desc->threads_per_core),
		  "sockets, cores or threads (--sockets-per-node and the like)");
	opaque_if(req, asked(desc->ntasks_per_socket), "tasks per socket");
	opaque_if(req, asked(desc->ntasks_per_core), "tasks per core");
	opaque_if(req, desc->bitflags & (SPREAD_JOB | USE_MIN_NODES), "a spread of nodes");
	opaque_if(req, desc_whole_topo(desc),
		  "everything of the nodes' topology (--exclusive=topo); give --exclusive");
	opaque_if(req, desc->shared != NO_VAL16 && desc->shared > JOB_SHARED_OK,
		  "nodes shared with one's own jobs (--exclusive=user)");
	opaque_if(req, desc->shared == 1 && !in_realms(req), "shared nodes (--oversubscribe)");
	opaque_if(req, desc_node_counts(desc), COUNTS);
	opaque_if(req, desc_segment(desc), SEGMENT);
	opaque_if(req, desc_ports(desc), PORTS);
	opaque_if(req, desc_extra(desc), EXTRA);
}

/* Kinds of jobs that the planner cannot promise anything. */
static void opaque_kind(struct request *req, const job_desc_msg_t *desc)
{
	opaque_if(req, desc->het_job_offset != NO_VAL, "a heterogeneous job");
	opaque_if(req, desc->immediate == 1, "immediate allocation (--immediate)");
	opaque_if(req, given(desc->clusters) || given(desc->cluster_features), "several clusters");
	opaque_if(req, desc->bitflags & CRON_JOB, "a crontab entry");
	opaque_if(req, desc->reboot && desc->reboot != NO_VAL16, "a reboot (--reboot)");
}

/*
 * Tasks as slurmctld counts them (_figure_out_num_tasks); NO_VAL: it does not.  Older commands say themselves what
 * --ntasks-per-node comes to.
 */
static uint32_t submission_tasks(const job_desc_msg_t *desc)
{
	uint32_t nodes = value_or(desc->min_nodes, NO_VAL, TASKS_OF_NO_NODES ? 1 : 0);

	if (desc->num_tasks != NO_VAL || !nodes || !asked(desc->ntasks_per_node))
		return desc->num_tasks;
	return request_countable((uint64_t)nodes * desc->ntasks_per_node);
}

static uint32_t submission_cpus(const job_desc_msg_t *desc)
{
	uint32_t tasks = value_or(submission_tasks(desc), NO_VAL, 0);
	uint32_t each = value_or(desc->cpus_per_task, NO_VAL16, 1);
	uint32_t cpus = value_or(desc->min_cpus, NO_VAL, 0);

	if (desc->overcommit == 1)
		return 0;
	if ((uint64_t)tasks * (each ? each : 1) > cpus)
		cpus = request_countable((uint64_t)tasks * (each ? each : 1));
	return cpus;
}

/* Nodes and the tasks on each of them, of a submission and of a record. */
static void request_nodes(struct request *req, uint32_t tasks, uint32_t per_node, bool overcommit)
{
	req->min_nodes = request_countable(req->min_nodes);
	req->record_nodes = req->min_nodes;
	req->max_nodes = request_countable(req->max_nodes);
	req->node_tasks = asked((uint16_t)per_node) ? per_node : 0;
	if (tasks == NO_VAL || !req->node_tasks)
		return;
	tasks = request_countable(request_nodes_for(tasks, per_node));
	/* select/linear counts processors only. */
	if (req->max_nodes && tasks > req->max_nodes && !overcommit && !request_linear())
		req->crowded = tasks;
	if (tasks > req->min_nodes)
		req->min_nodes = tasks;
}

/*
 * The nodes that Slurm gives a submission that has not said, or leaves room for more: at least the
 * least MinNodes of its partitions (_valid_job_part).
 */
static uint32_t least_nodes(const struct request *req, const job_desc_msg_t *desc)
{
	uint32_t least = INFINITE;

	for (uint32_t i = 0; i < req->nparts; i++)
		if (req->part[i]->min_nodes_orig < least)
			least = req->part[i]->min_nodes_orig;
	if (desc->min_nodes == NO_VAL)
		return least ? least : 1;
	if (desc->min_nodes < least && (desc->max_nodes == NO_VAL || desc->max_nodes >= least))
		return least;
	return desc->min_nodes;
}

/*
 * Processors that the tasks of a node need (_copy_job_desc_to_job_record).  Of a single task
 * --ntasks-per-node is a most there; but select/cons_* takes no node without processors for as many
 * (_allocate_sc).
 */
static uint32_t task_cpus(const job_desc_msg_t *desc)
{
	uint64_t each = value_or(desc->cpus_per_task, NO_VAL16, 1), tasks = desc->ntasks_per_node;

	if (tasks == NO_VAL16 || tasks == INFINITE16 || desc->overcommit == 1 ||
	    (request_linear() && value_or(submission_tasks(desc), NO_VAL, 0) <= 1))
		tasks = 1;
	return request_countable(each * (tasks ? tasks : 1));
}

static void submission_nodes(struct request *req, const job_desc_msg_t *desc)
{
	req->min_nodes = least_nodes(req, desc);
	req->max_nodes = value_or(desc->max_nodes, NO_VAL, 0);
	request_nodes(req, submission_tasks(desc), desc->ntasks_per_node, desc->overcommit == 1);
	req->need.cpus = value_or(desc->pn_min_cpus, NO_VAL16, 0);
	if (task_cpus(desc) > req->need.cpus)
		req->need.cpus = task_cpus(desc);
	req->memory_given = desc->pn_min_memory != NO_VAL64;
	if (req->memory_given)
		req->memory = desc->pn_min_memory;
	req->need.tmp_disk = value_or(desc->pn_min_tmp_disk, NO_VAL, 0);
}

/*
 * The nodes that it names are its least, though a change may leave a record less.  More of them than its
 * most: Slurm refuses such a submission, but neither such a change nor, ever again, to try the job.
 */
static void count_required(struct request *req)
{
	uint32_t required = req->required ? (uint32_t)bit_set_count((bitstr_t *)req->required) : 0;

	req->unmet = req->max_nodes && required > req->max_nodes ? required : 0;
	if (required > req->min_nodes)
		req->min_nodes = required;
	if (req->max_nodes && req->max_nodes < req->min_nodes)
		req->max_nodes = req->min_nodes;
}

/* The text of what is excluded is what its nodes are known by (describe.c). */
static void among(struct request *req, const char *names)
{
	req->among = names;
	req->own_key = xstrdup_printf("%s!%s", req->exclude_key ? req->exclude_key : "", names);
	req->exclude_key = req->own_key;
}

static void choose(struct request *req, const char *names)
{
	bitstr_t *others = request_others(req->own_required, req->own_exclude);

	FREE_NULL_BITMAP(req->own_exclude);
	FREE_NULL_BITMAP(req->own_required);
	req->own_exclude = others;
	among(req, names);
}

bool request_submission(struct request *req, const job_desc_msg_t *desc)
{
	list_t *parts = parts_named(desc->partition);

	memset(req, 0, sizeof(*req));
	if (!parts)
		return false;
	take_parts(req, parts);
	FREE_NULL_LIST(parts);
	opaque_kind(req, desc);
	opaque_resources(req, desc);
	opaque_layout(req, desc);
	submission_nodes(req, desc);
	req->malleable = malleable_asked(desc, &req->option);
	req->steps = desc_manages_steps(desc);
	req->federated = fed_mgr_fed_rec != NULL;
	req->submitted = true;
	req->value = malleable_asked_value(desc);
	req->cpus = submission_cpus(desc);
	req->features = desc->features;
	req->exclusive = desc->shared == 0;
	/* Of the partition named first, whichever it gets (_valid_job_part). */
	req->time_limit = value_or(desc->time_limit, NO_VAL, req->first->default_time);
	req->time_min = desc->time_min;
	req->begin = desc->begin_time == (time_t)NO_VAL ? 0 : desc->begin_time;
	req->deadline = desc->deadline;
	if (given(desc->exc_nodes) &&
	    node_name2bitmap(desc->exc_nodes, false, &req->own_exclude, NULL))
		req->opaque = "excluded nodes that do not exist";
	if (given(desc->req_nodes) &&
	    node_name2bitmap(desc->req_nodes, false, &req->own_required, NULL))
		req->opaque = "required nodes that do not exist";
	req->exclude_key = desc->exc_nodes;
	if (request_chooses(req->own_required, desc->min_nodes))
		choose(req, desc->req_nodes);
	req->exclude = req->own_exclude;
	req->required = req->own_required;
	count_required(req);
	if (req->required && bit_set_count(req->own_required) > (int)req->record_nodes)
		req->record_nodes = bit_set_count(req->own_required);
	return true;
}

/* Of one that has begun the others that it named say nothing any more. */
static void record_parts(struct request *req, const job_record_t *job)
{
	if (job->part_ptr_list && (IS_JOB_PENDING(job) || !job->part_ptr)) {
		take_parts(req, job->part_ptr_list);
	} else if (job->part_ptr) {
		add_part(req, job->part_ptr);
		req->first = job->part_ptr;
	}
}

static void record_opaque(struct request *req, const job_record_t *job)
{
	const job_details_t *det = job->details;
	const multi_core_data_t *mc = det->mc_ptr;

	opaque_if(req, job->het_job_id, "a heterogeneous job");
	opaque_if(req, job->gres_list_req, "generic resources (--gres, --gpus)");
	opaque_if(req, job->license_list || given(job->licenses), "licenses (--licenses)");
	opaque_if(req, job->burst_buffer, "a burst buffer");
	opaque_if(req, job->resv_name || job->resv_list, "a reservation (--reservation)");
	opaque_if(req, job->batch_features, "features of the batch host (--batch)");
	opaque_if(req, given(job->network), "network resources (--network)");
	opaque_if(req, det->prefer, "preferred features (--prefer)");
	opaque_if(req,
		  det->pn_min_memory & MEM_PER_CPU && !request_linear() && !req->exclusive &&
			  !in_realms(req),
		  "memory per processor (--mem-per-cpu); give --mem");
	opaque_if(req, det->contiguous, "contiguous nodes (--contiguous)");
	opaque_if(req, det->core_spec != NO_VAL16, "specialized cores (--core-spec)");
	opaque_if(req, job->req_switch, "switches (--switches)");
	opaque_if(req, det->expanding_jobid, "another job's expansion");
	opaque_if(req, job->bit_flags & (SPREAD_JOB | USE_MIN_NODES), "a spread of nodes");
	opaque_if(req, job->reboot, "a reboot (--reboot)");
	opaque_if(req, job_whole_topo(job), "everything of the nodes' topology (--exclusive=topo)");
	opaque_if(req, det->whole_node && det->whole_node != WHOLE_NODE_REQUIRED,
		  "nodes shared with one's own jobs (--exclusive=user)");
	opaque_if(req, det->share_res == 1 && !shares_by_force(req),
		  "shared nodes (--oversubscribe)");
	opaque_if(req, job_node_counts(job), COUNTS);
	opaque_if(req, job_segment(job), SEGMENT);
	opaque_if(req, job_ports(job), PORTS);
	opaque_if(req, job_extra(job), EXTRA);
	opaque_if(req,
		  mc && (asked(mc->sockets_per_node) || asked(mc->cores_per_socket) ||
			 asked(mc->threads_per_core)),
		  "sockets, cores or threads (--sockets-per-node and the like)");
}

/* Is there a partition whose running jobs have to make way for this one's? */
static bool tier_preempts(const part_record_t *part)
{
	list_itr_t *iter = list_iterator_create(part_list);
	const part_record_t *other;
	bool found = false;

	while (!found && (other = list_next(iter)))
		found = other->priority_tier < part->priority_tier &&
			other->preempt_mode != PREEMPT_MODE_OFF && other->node_bitmap &&
			part->node_bitmap && bit_overlap_any(other->node_bitmap, part->node_bitmap);
	list_iterator_destroy(iter);
	return found;
}

/* Such a job cannot wait for free nodes only: Slurm decides what it may take. */
static bool may_preempt(const struct request *req, const job_record_t *job)
{
	bool found = false;

	if (!slurm_preemption_enabled())
		return false;
	if (!xstrcmp(slurm_conf.preempt_type, "preempt/qos"))
		return job->qos_ptr && job->qos_ptr->preempt_bitstr &&
		       bit_ffs(job->qos_ptr->preempt_bitstr) >= 0;
	for (uint32_t i = 0; !found && i < req->nparts; i++)
		found = tier_preempts(req->part[i]);
	return found;
}

bool request_record(struct request *req, const job_record_t *job)
{
	const job_details_t *det = job->details;
	uint64_t cpus;

	memset(req, 0, sizeof(*req));
	if (!det)
		return false;
	record_parts(req, job);
	req->exclusive = det->whole_node == WHOLE_NODE_REQUIRED;
	record_opaque(req, job);
	req->malleable = malleable_of(job, &req->option);
	req->steps = job_manages_steps(job);
	req->value = malleable_value(job);
	req->features = det->features;
	req->exclude = det->exc_node_bitmap;
	req->exclude_key = det->exc_nodes;
	req->required = det->req_node_bitmap;
	if (NODES_TO_CHOOSE && given(det->req_nodes) && !det->req_node_bitmap &&
	    det->exc_node_bitmap)
		among(req, det->req_nodes);
	req->min_nodes = det->min_nodes;
	req->max_nodes = det->max_nodes;
	request_nodes(req, det->num_tasks, det->ntasks_per_node, det->overcommit);
	count_required(req);
	/* As it was asked for; what it has become in the partition tried last is another matter. */
	req->cpus = det->overcommit || det->orig_min_cpus == NO_VAL ? 0 : det->orig_min_cpus;
	req->need.cpus = det->orig_pn_min_cpus;
	cpus = (uint64_t)req->node_tasks * value_or(det->orig_cpus_per_task, NO_VAL16, 1);
	if (!request_linear() && !det->overcommit && cpus > req->need.cpus)
		req->need.cpus = request_countable(cpus);
	req->need.tmp_disk = det->pn_min_tmp_disk;
	req->memory_given = job->bit_flags & JOB_MEM_SET;
	if (req->memory_given)
		req->memory = det->orig_pn_min_memory;
	req->time_limit = run_limit_own(job);
	req->time_min = late_limit_least(job);
	req->begin = det->begin_time;
	req->deadline = late_limit_deadline(job);
	req->preempts = may_preempt(req, job);
	return req->nparts;
}

void request_release(struct request *req)
{
	FREE_NULL_BITMAP(req->own_exclude);
	FREE_NULL_BITMAP(req->own_required);
	xfree(req->own_key);
}

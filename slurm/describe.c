/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * describe.c - a job as the planner sees it, or the name of what it cannot see
 *
 * Submission and record are brought into one form (struct request) and
 * described from there.
 */
#include "slurm/describe.h"

#define PLACE_BUCKETS 256
#define MANY_PARTS "more partitions than can be planned"

/* One node set, found again by what it was made from. */
struct place {
	struct place *next;
	char *part;		  /* the partition's name; a set of required nodes: NULL */
	char *features, *exclude; /* "": none; a set of required nodes: NULL, and their numbers */
	struct place_need need;
	struct nodeset *set;
	const char *why; /* set is NULL: what cannot be planned */
	struct place_size size;
};

struct places {
	struct place *bucket[PLACE_BUCKETS];
};

/* What submissions and records have in common.  Borrowed pointers. */
struct request {
	const char *opaque;
	part_record_t *part[SCHED_MAX_ALT];
	uint32_t nparts;
	const char *features, *exclude_key;
	const bitstr_t *exclude, *required;
	struct place_need need; /* but memory, which a partition may have a default for */
	uint64_t memory;	/* MiB, of each processor with MEM_PER_CPU */
	bool memory_given;
	uint32_t min_nodes, max_nodes; /* max 0: not said */
	uint32_t record_nodes;	       /* min_nodes as Slurm's record has it */
	uint32_t cpus;		       /* in all, 0: not said */
	uint32_t node_tasks;	       /* of each node, 0: not said */
	bool exclusive;
	uint32_t time_limit, time_min; /* minutes, NO_VAL, 0 */
	time_t begin, deadline;
};

struct places *places_create(void)
{
	return calloc(1, sizeof(struct places));
}

static void place_free(struct place *place)
{
	nodeset_destroy(place->set);
	free(place->part);
	free(place->features);
	free(place->exclude);
	free(place);
}

void places_destroy(struct places *places)
{
	if (!places)
		return;
	for (int i = 0; i < PLACE_BUCKETS; i++) {
		struct place *place, *next;

		for (place = places->bucket[i]; place; place = next) {
			next = place->next;
			place_free(place);
		}
	}
	free(places);
}

static const char *text_or_none(const char *text)
{
	return text ? text : "";
}

static uint32_t hash_text(uint32_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619u;
	return (hash ^ '|') * 16777619u;
}

static uint32_t hash_need(uint32_t hash, const struct place_need *need)
{
	hash = (hash ^ (uint32_t)need->memory ^ (uint32_t)(need->memory >> 32)) * 16777619u;
	hash = (hash ^ (uint32_t)need->cpu_memory) * 16777619u;
	hash = (hash ^ need->cpus ^ (uint32_t)need->whole << 31) * 16777619u;
	hash = (hash ^ need->most_cpus) * 16777619u;
	return (hash ^ need->tmp_disk) * 16777619u;
}

static bool same_need(const struct place_need *a, const struct place_need *b)
{
	return a->memory == b->memory && a->cpu_memory == b->cpu_memory && a->cpus == b->cpus &&
	       a->most_cpus == b->most_cpus && a->tmp_disk == b->tmp_disk && a->whole == b->whole;
}

static bool place_is(const struct place *place, const char *part, const char *features,
		     const char *exclude, const struct place_need *need)
{
	return place->part && !strcmp(place->part, part) && !strcmp(place->features, features) &&
	       !strcmp(place->exclude, exclude) && same_need(&place->need, need);
}

/* Whoever talks to slurmctld may name any number; the planner's widths have a sign. */
static uint32_t countable(uint64_t n)
{
	return n > INT32_MAX ? INT32_MAX : (uint32_t)n;
}

static bool select_linear(void)
{
	return !xstrcmp(slurm_conf.select_type, "select/linear");
}

/* MiB, of each processor with MEM_PER_CPU */
static uint64_t memory_in(const struct request *req, const part_record_t *part)
{
	if (req->memory_given)
		return req->memory;
	return part->def_mem_per_cpu ? part->def_mem_per_cpu : slurm_conf.def_mem_per_cpu;
}

/*
 * Processors of a node, when each of its tasks has to have as many (_valid_pn_min_mem); only
 * select/cons_tres (_can_job_run_on_node) looks for all of them.
 */
static uint32_t for_tasks(const struct request *req, uint32_t cpus)
{
	uint32_t tasks = req->node_tasks;

	if (!tasks || xstrcmp(slurm_conf.select_type, "select/cons_tres"))
		return cpus;
	return (cpus + tasks - 1) / tasks * tasks;
}

/*
 * What it needs of each node in a partition.  Slurm puts the partition's DefMemPerNode or
 * DefMemPerCPU into its record whenever it is tried there, and as many processors as its memory
 * needs under MaxMemPerCPU, or less memory for each of more (job_limits_check); it gives no whole
 * node of more processors than MaxCPUsPerNode (select/cons_tres).
 */
static struct place_need need_in(const struct request *req, const part_record_t *part)
{
	struct place_need need = req->need;
	uint64_t memory = memory_in(req, part), ratio = describe_memory_ratio(part, memory);
	uint32_t cpus;

	if (memory & MEM_PER_CPU)
		need.cpu_memory = countable(((memory & ~MEM_PER_CPU) + ratio - 1) / ratio);
	else
		need.memory = memory;
	cpus = describe_memory_cpus(part, &need);
	if (cpus > need.cpus)
		need.cpus = for_tasks(req, cpus);
	need.whole = select_linear() || req->exclusive || !part->max_share;
	if (need.whole && !select_linear() && part->max_cpus_per_node != INFINITE)
		need.most_cpus = part->max_cpus_per_node;
	return need;
}

/*
 * The place of a request in its i-th partition; NULL: no memory.  Asked for each
 * job of a snapshot under slurmctld's locks: finding one allocates nothing.
 */
static struct place *places_get(struct places *places, const struct request *req, uint32_t i)
{
	const char *part = req->part[i]->name, *features = text_or_none(req->features),
		   *exclude = text_or_none(req->exclude_key);
	uint32_t hash = hash_text(hash_text(hash_text(2166136261u, part), features), exclude);
	struct place_need need = need_in(req, req->part[i]);
	struct place **slot, *place;

	slot = &places->bucket[hash_need(hash, &need) % PLACE_BUCKETS];
	for (; *slot; slot = &(*slot)->next)
		if (place_is(*slot, part, features, exclude, &need))
			return *slot;
	place = calloc(1, sizeof(*place));
	if (!place)
		return NULL;
	place->part = strdup(part);
	place->features = strdup(features);
	place->exclude = strdup(exclude);
	place->need = need;
	if (!place->part || !place->features || !place->exclude) {
		place_free(place);
		return NULL;
	}
	place->set = place_make(req->part[i], req->features, req->exclude, &need, &place->why);
	if (place->set) {
		place->why = NULL;
		place_measure(place->set, &place->size);
	}
	return *slot = place;
}

/* A set of required nodes, owned by the table. */
static const struct nodeset *places_required(struct places *places, const bitstr_t *bitmap)
{
	char *numbers = bit_fmt_full((bitstr_t *)bitmap);
	uint32_t hash = hash_text(2166136261u, text_or_none(numbers));
	struct place **slot = &places->bucket[hash % PLACE_BUCKETS], *place;

	while (*slot && ((*slot)->part || strcmp((*slot)->exclude, text_or_none(numbers))))
		slot = &(*slot)->next;
	place = *slot ? NULL : calloc(1, sizeof(*place));
	if (place && !(place->exclude = strdup(text_or_none(numbers)))) {
		free(place);
		place = NULL;
	}
	xfree(numbers);
	if (place) {
		place->set = place_from_bitmap(bitmap);
		*slot = place;
	}
	return *slot ? (*slot)->set : NULL;
}

int64_t describe_limit(uint32_t minutes, const part_record_t *part)
{
	if (minutes == NO_VAL)
		minutes = part->default_time != NO_VAL ? part->default_time : part->max_time;
	if (minutes == INFINITE && part->max_time != INFINITE)
		minutes = part->max_time;
	if (minutes == INFINITE)
		return PACT_FOREVER;
	return minutes ? (int64_t)minutes * 60 : 1;
}

/* Does the job have its nodes for itself in this partition? */
static const char *shares(const struct request *req, const part_record_t *part, uint32_t most)
{
	bool force = part->max_share & SHARED_FORCE;
	uint16_t jobs = part->max_share & ~SHARED_FORCE;

	if (part->max_share == 0 || (req->exclusive && !(force && jobs > 1)))
		return NULL;
	if (force && jobs > 1)
		return "a partition with OverSubscribe=FORCE";
	if (select_linear() || most <= 1)
		return NULL;
	return "part of a node (add --exclusive)";
}

/* Nodes that so many processors need at least. */
static uint32_t nodes_for(uint32_t cpus, uint32_t per_node)
{
	if (!cpus || !per_node)
		return 1;
	return (uint32_t)(((uint64_t)cpus + per_node - 1) / per_node);
}

/* Everything about time: Slurm's own semantics of --deadline (slurm.md). */
static void describe_time(const struct request *req, struct description *out)
{
	out->limit = describe_limit(req->time_limit, req->part[0]);
	for (uint32_t i = 1; i < req->nparts; i++) {
		int64_t limit = describe_limit(req->time_limit, req->part[i]);

		if (limit > out->limit)
			out->limit = limit;
	}
	out->begin = req->begin;
	out->deadline = req->deadline == (time_t)NO_VAL ? 0 : req->deadline;
	out->least = out->limit;
	if (req->time_min && req->time_min != NO_VAL && req->time_min != INFINITE)
		out->least = (int64_t)req->time_min * 60;
	else if (out->deadline && req->time_limit == NO_VAL)
		out->least = 60;
	if (out->least > out->limit)
		out->least = out->limit;
}

/* Nodes that a job takes in a place, and what about it cannot be planned. */
static void describe_width(const struct request *req, const part_record_t *part,
			   const struct place *place, struct description *out)
{
	const struct place_size *size = &place->size;
	int32_t width = req->min_nodes ? (int32_t)req->min_nodes : 1;
	int32_t need = (int32_t)countable(nodes_for(req->cpus, size->least_cpus));

	if (size->least_cpus != size->most_cpus && req->cpus > (uint64_t)width * size->least_cpus &&
	    !out->opaque)
		out->opaque = "a number of tasks on nodes of several sizes (give --nodes)";
	if (need > width)
		width = need;
	if (req->max_nodes && width > (int32_t)req->max_nodes)
		width = (int32_t)req->max_nodes;
	if ((int32_t)req->max_nodes > width && !out->opaque)
		out->opaque = "a range of node counts";
	if (describe_memory_ratio(part, memory_in(req, part)) > 1 && !out->opaque)
		out->opaque = "more memory for a processor than MaxMemPerCPU";
	if (width > out->width)
		out->width = width;
}

/* Whichever partition it gets. */
static void describe_size(const struct place_size *size, struct place_size *out)
{
	if (!out->least_cpus || size->least_cpus < out->least_cpus)
		out->least_cpus = size->least_cpus;
	if (size->most_cpus > out->most_cpus)
		out->most_cpus = size->most_cpus;
	if (size->most_memory > out->most_memory)
		out->most_memory = size->most_memory;
	out->gres |= size->gres;
}

/* What Slurm counts of each node, whichever partition it gets; all of one only with CR_MEMORY. */
static void describe_memory(const struct place *place, struct description *out)
{
	const struct place_need *need = &place->need;
	uint64_t most = need->memory;

	if (need->cpu_memory)
		most = need->cpu_memory * place->size.most_cpus;
	else if (!most && slurm_conf.select_type_param & CR_MEMORY)
		most = place->size.most_memory;
	if (need->memory < out->least_memory)
		out->least_memory = need->memory;
	if (most > out->most_memory)
		out->most_memory = most;
}

/* Only the partitions in which it does not have to wait, if there are any. */
static void drop_waiting(const struct request *req, struct place *const *place,
			 struct description *out)
{
	enum describe_wait why[SCHED_MAX_ALT] = { DESCRIBE_RUNS };
	uint32_t kept = 0;

	for (uint32_t i = 0; i < out->nalt; i++) {
		why[i] = describe_part_wait(out, req->part[i], req->record_nodes,
					    req->time_limit != NO_VAL);
		if (!why[i])
			why[i] =
				describe_memory_wait(req->part[i], &place[i]->need, req->need.cpus);
		kept += !why[i];
	}
	if (!kept) {
		out->waits = why[0];
		out->waits_at = describe_part_at(req->part[0], why[0]);
		out->waits_in = out->part[0];
		return;
	}
	kept = 0;
	for (uint32_t i = 0; i < out->nalt; i++) {
		if (why[i])
			continue;
		out->part[kept] = out->part[i];
		out->alt[kept++] = out->alt[i];
	}
	out->nalt = kept;
}

static bool describe(struct places *places, const struct request *req, struct description *out)
{
	struct place *tried[SCHED_MAX_ALT];

	if (!req->nparts)
		return false;
	out->opaque = req->opaque;
	out->least_memory = UINT64_MAX;
	out->limit_given = req->time_limit != NO_VAL || req->part[0]->default_time != NO_VAL;
	describe_time(req, out);
	for (uint32_t i = 0; i < req->nparts; i++) {
		struct place *place = tried[i] = places_get(places, req, i);
		const char *why;

		if (!place)
			return false;
		why = place->why ? place->why : shares(req, req->part[i], place->size.most_cpus);
		if (!why && place->need.most_cpus && !place->size.most_cpus)
			why = "whole nodes of more processors than MaxCPUsPerNode";
		if (!place->set)
			place->set = place_from_bitmap(req->part[i]->node_bitmap);
		if (!place->set)
			return false;
		if (why && !out->opaque)
			out->opaque = why;
		describe_width(req, req->part[i], place, out);
		describe_size(&place->size, &out->size);
		describe_memory(place, out);
		out->part[out->nalt] = place->part;
		out->alt[out->nalt++] = place->set;
	}
	drop_waiting(req, tried, out);
	if (req->required && bit_ffs((bitstr_t *)req->required) >= 0)
		out->required = places_required(places, req->required);
	return true;
}

static void opaque_if(struct request *req, bool is, const char *what)
{
	if (is && !req->opaque)
		req->opaque = what;
}

static bool given(const char *text)
{
	return text && text[0];
}

/* The partitions of a comma list, or the default one. */
static bool parts_by_name(struct request *req, const char *names)
{
	char *copy, *rest = NULL;

	if (!given(names)) {
		req->part[0] = default_part_loc;
		req->nparts = default_part_loc ? 1 : 0;
		return default_part_loc;
	}
	copy = xstrdup(names);
	for (char *name = strtok_r(copy, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
		part_record_t *part = find_part_record(name);

		if (!part) {
			xfree(copy);
			return false;
		}
		if (req->nparts < SCHED_MAX_ALT)
			req->part[req->nparts++] = part;
		else
			req->opaque = MANY_PARTS;
	}
	xfree(copy);
	return req->nparts;
}

static uint32_t value_or(uint32_t value, uint32_t none, uint32_t otherwise)
{
	return value == none ? otherwise : value;
}

/* Options that name resources which the planner does not count. */
static void opaque_resources(struct request *req, const job_desc_msg_t *desc)
{
	opaque_if(req,
		  given(desc->tres_per_job) || given(desc->tres_per_node) ||
			  given(desc->tres_per_socket) || given(desc->tres_per_task),
		  "generic resources (--gres, --gpus)");
	opaque_if(req, given(desc->cpus_per_tres) || given(desc->mem_per_tres),
		  "processors or memory per generic resource");
	opaque_if(req, given(desc->licenses), "licenses (--licenses)");
	opaque_if(req, given(desc->burst_buffer), "a burst buffer");
	opaque_if(req, given(desc->reservation), "a reservation (--reservation)");
	opaque_if(req, given(desc->batch_features), "features of the batch host (--batch)");
	opaque_if(req, given(desc->prefer), "preferred features (--prefer)");
	opaque_if(req, given(desc->network), "network resources (--network)");
	opaque_if(req, desc->pn_min_memory != NO_VAL64 && (desc->pn_min_memory & MEM_PER_CPU),
		  "memory per processor (--mem-per-cpu); give --mem");
}

/* A 16-bit count that somebody has set. */
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
	opaque_if(req, desc->shared == 2 || desc->shared == 3,
		  "nodes shared with one's own jobs (--exclusive=user)");
	opaque_if(req, desc->shared == 1, "shared nodes (--oversubscribe)");
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

static uint32_t submission_cpus(const job_desc_msg_t *desc)
{
	uint32_t tasks = value_or(desc->num_tasks, NO_VAL, 0);
	uint32_t each = value_or(desc->cpus_per_task, NO_VAL16, 1);
	uint32_t cpus = value_or(desc->min_cpus, NO_VAL, 0);

	if (desc->overcommit == 1)
		return 0;
	if ((uint64_t)tasks * (each ? each : 1) > cpus)
		cpus = countable((uint64_t)tasks * (each ? each : 1));
	return cpus;
}

/* Nodes and the tasks on each of them, of a submission and of a record. */
static void request_nodes(struct request *req, uint32_t tasks, uint32_t per_node)
{
	req->min_nodes = countable(req->min_nodes);
	req->record_nodes = req->min_nodes;
	req->max_nodes = countable(req->max_nodes);
	req->node_tasks = asked((uint16_t)per_node) ? per_node : 0;
	if (tasks != NO_VAL && req->node_tasks && nodes_for(tasks, per_node) > req->min_nodes)
		req->min_nodes = countable(nodes_for(tasks, per_node));
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

/* Processors that the tasks of a node need (_copy_job_desc_to_job_record). */
static uint32_t task_cpus(const job_desc_msg_t *desc)
{
	uint64_t each = value_or(desc->cpus_per_task, NO_VAL16, 1), tasks = desc->ntasks_per_node;

	if (tasks == NO_VAL16 || tasks == INFINITE16 || desc->overcommit == 1)
		tasks = 1;
	return countable(each * (tasks ? tasks : 1));
}

static void submission_nodes(struct request *req, const job_desc_msg_t *desc)
{
	req->min_nodes = least_nodes(req, desc);
	req->max_nodes = value_or(desc->max_nodes, NO_VAL, 0);
	request_nodes(req, desc->num_tasks, desc->ntasks_per_node);
	req->need.cpus = value_or(desc->pn_min_cpus, NO_VAL16, 0);
	if (task_cpus(desc) > req->need.cpus)
		req->need.cpus = task_cpus(desc);
	req->memory_given = desc->pn_min_memory != NO_VAL64;
	if (req->memory_given)
		req->memory = desc->pn_min_memory;
	req->need.tmp_disk = value_or(desc->pn_min_tmp_disk, NO_VAL, 0);
}

bool describe_submission(struct places *places, const job_desc_msg_t *desc, struct description *out)
{
	struct request req = { 0 };
	bitstr_t *exclude = NULL, *required = NULL;
	bool ok;

	memset(out, 0, sizeof(*out));
	if (!parts_by_name(&req, desc->partition))
		return false;
	opaque_kind(&req, desc);
	opaque_resources(&req, desc);
	opaque_layout(&req, desc);
	submission_nodes(&req, desc);
	req.cpus = submission_cpus(desc);
	req.features = desc->features;
	req.exclusive = desc->shared == 0;
	req.time_limit = desc->time_limit;
	req.time_min = desc->time_min;
	req.begin = desc->begin_time == (time_t)NO_VAL ? 0 : desc->begin_time;
	req.deadline = desc->deadline;
	if (given(desc->exc_nodes) && node_name2bitmap(desc->exc_nodes, false, &exclude))
		req.opaque = "excluded nodes that do not exist";
	if (given(desc->req_nodes) && node_name2bitmap(desc->req_nodes, false, &required))
		req.opaque = "required nodes that do not exist";
	req.exclude = exclude;
	req.exclude_key = desc->exc_nodes;
	req.required = required;
	if (required && bit_set_count(required) > (int)req.min_nodes)
		req.min_nodes = bit_set_count(required);
	if (required && bit_set_count(required) > (int)req.record_nodes)
		req.record_nodes = bit_set_count(required);
	if (req.max_nodes && req.max_nodes < req.min_nodes)
		req.max_nodes = req.min_nodes;
	ok = describe(places, &req, out);
	FREE_NULL_BITMAP(exclude);
	FREE_NULL_BITMAP(required);
	return ok;
}

static void record_parts(struct request *req, const job_record_t *job)
{
	ListIterator iter;
	part_record_t *part;

	if (!job->part_ptr_list) {
		req->part[0] = job->part_ptr;
		req->nparts = job->part_ptr ? 1 : 0;
		return;
	}
	iter = list_iterator_create(job->part_ptr_list);
	while ((part = list_next(iter))) {
		if (req->nparts < SCHED_MAX_ALT)
			req->part[req->nparts++] = part;
		else
			req->opaque = MANY_PARTS;
	}
	list_iterator_destroy(iter);
}

static void record_opaque(struct request *req, const job_record_t *job)
{
	const struct job_details *det = job->details;
	const multi_core_data_t *mc = det->mc_ptr;

	opaque_if(req, job->het_job_id, "a heterogeneous job");
	opaque_if(req, job->gres_list_req, "generic resources (--gres, --gpus)");
	opaque_if(req, job->license_list, "licenses (--licenses)");
	opaque_if(req, job->burst_buffer, "a burst buffer");
	opaque_if(req, job->resv_name || job->resv_list, "a reservation (--reservation)");
	opaque_if(req, job->batch_features, "features of the batch host (--batch)");
	opaque_if(req, given(job->network), "network resources (--network)");
	opaque_if(req, det->prefer, "preferred features (--prefer)");
	opaque_if(req, det->pn_min_memory & MEM_PER_CPU && !select_linear() && !req->exclusive,
		  "memory per processor (--mem-per-cpu); give --mem");
	opaque_if(req, det->contiguous, "contiguous nodes (--contiguous)");
	opaque_if(req, det->core_spec != NO_VAL16, "specialized cores (--core-spec)");
	opaque_if(req, job->req_switch, "switches (--switches)");
	opaque_if(req, det->expanding_jobid, "another job's expansion");
	opaque_if(req, job->bit_flags & (SPREAD_JOB | USE_MIN_NODES), "a spread of nodes");
	opaque_if(req, job->reboot, "a reboot (--reboot)");
	opaque_if(req, det->whole_node == WHOLE_NODE_USER || det->whole_node == WHOLE_NODE_MCS,
		  "nodes shared with one's own jobs (--exclusive=user)");
	opaque_if(req, det->share_res == 1, "shared nodes (--oversubscribe)");
	opaque_if(req,
		  mc && (asked(mc->sockets_per_node) || asked(mc->cores_per_socket) ||
			 asked(mc->threads_per_core)),
		  "sockets, cores or threads (--sockets-per-node and the like)");
}

/* Is there a partition whose running jobs have to make way for this one's? */
static bool tier_preempts(const part_record_t *part)
{
	ListIterator iter = list_iterator_create(part_list);
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

bool describe_record(struct places *places, const job_record_t *job, struct description *out)
{
	const struct job_details *det = job->details;
	struct request req = { 0 };

	memset(out, 0, sizeof(*out));
	if (!det)
		return false;
	record_parts(&req, job);
	req.exclusive = det->whole_node == WHOLE_NODE_REQUIRED;
	record_opaque(&req, job);
	req.features = det->features;
	req.exclude = det->exc_node_bitmap;
	req.exclude_key = det->exc_nodes;
	req.required = det->req_node_bitmap;
	req.min_nodes = det->min_nodes;
	req.max_nodes = det->max_nodes;
	request_nodes(&req, det->num_tasks, det->ntasks_per_node);
	/* As it was asked for; what it has become in the partition tried last is another matter. */
	req.cpus = det->overcommit || det->orig_min_cpus == NO_VAL ? 0 : det->orig_min_cpus;
	req.need.cpus = det->orig_pn_min_cpus;
	req.need.tmp_disk = det->pn_min_tmp_disk;
	req.memory_given = job->bit_flags & JOB_MEM_SET;
	if (req.memory_given)
		req.memory = det->orig_pn_min_memory;
	req.time_limit = job->time_limit;
	req.time_min = job->time_min;
	req.begin = det->begin_time;
	req.deadline = job->deadline;
	if (req.max_nodes && req.max_nodes < req.min_nodes)
		req.max_nodes = req.min_nodes;
	out->preempts = may_preempt(&req, job);
	return describe(places, &req, out);
}

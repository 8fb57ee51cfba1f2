/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * describe.c - a job as the planner sees it, or the name of what it cannot see
 *
 * Submission and record are brought into one form (request.h) and described
 * from there.
 */
#include "slurm/config/realms.h"
#include "slurm/eligibility/describe.h"
#include "slurm/eligibility/request.h"
#include "slurm/eligibility/scarce.h"
#include "slurm/eligibility/widest.h"

#define REGION_BUCKETS 256

/* One node set, found again by what it was made from. */
struct known_region {
	struct known_region *next;
	char *part;		  /* the partition's name; a set of required nodes: NULL */
	char *features, *exclude; /* "": none; a set of required nodes: NULL, and their numbers */
	struct node_need need;
	struct nodeset *set;
	const char *why; /* set is NULL: what cannot be planned */
	struct region_size size;
};

/* What malleable jobs say of their speed, each once. */
struct known_speedup {
	struct known_speedup *next;
	uint32_t n;
	int64_t v[];
};

struct regions {
	struct known_region *bucket[REGION_BUCKETS];
	struct known_speedup *speedups;
	char scarce[256]; /* of the submission described last */
};

struct regions *regions_create(void)
{
	return calloc(1, sizeof(struct regions));
}

static void region_free(struct known_region *region)
{
	nodeset_destroy(region->set);
	free(region->part);
	free(region->features);
	free(region->exclude);
	free(region);
}

void regions_destroy(struct regions *regions)
{
	if (!regions)
		return;
	for (int i = 0; i < REGION_BUCKETS; i++) {
		struct known_region *region, *next;

		for (region = regions->bucket[i]; region; region = next) {
			next = region->next;
			region_free(region);
		}
	}
	while (regions->speedups) {
		struct known_speedup *next = regions->speedups->next;

		free(regions->speedups);
		regions->speedups = next;
	}
	free(regions);
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

static uint32_t hash_need(uint32_t hash, const struct node_need *need)
{
	hash = (hash ^ (uint32_t)need->memory ^ (uint32_t)(need->memory >> 32)) * 16777619u;
	hash = (hash ^ (uint32_t)need->cpu_memory) * 16777619u;
	hash = (hash ^ need->cpus ^ (uint32_t)need->whole << 31) * 16777619u;
	hash = (hash ^ need->most_cpus) * 16777619u;
	return (hash ^ need->tmp_disk) * 16777619u;
}

static bool same_need(const struct node_need *a, const struct node_need *b)
{
	return a->memory == b->memory && a->cpu_memory == b->cpu_memory && a->cpus == b->cpus &&
	       a->most_cpus == b->most_cpus && a->tmp_disk == b->tmp_disk && a->whole == b->whole;
}

static bool region_is(const struct known_region *region, const char *part, const char *features,
		      const char *exclude, const struct node_need *need)
{
	return region->part && !strcmp(region->part, part) && !strcmp(region->features, features) &&
	       !strcmp(region->exclude, exclude) && same_need(&region->need, need);
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
static struct node_need need_in(const struct request *req, const part_record_t *part)
{
	struct node_need need = req->need;
	uint64_t memory = memory_in(req, part), ratio = describe_memory_ratio(part, memory);
	uint32_t cpus;

	if (memory & MEM_PER_CPU)
		need.cpu_memory = request_countable(((memory & ~MEM_PER_CPU) + ratio - 1) / ratio);
	else
		need.memory = memory;
	cpus = describe_memory_cpus(part, &need);
	if (cpus > need.cpus)
		need.cpus = for_tasks(req, cpus);
	need.whole = request_linear() || req->exclusive || !part->max_share;
	if (need.whole && !request_linear() && part->max_cpus_per_node != INFINITE)
		need.most_cpus = part->max_cpus_per_node;
	return need;
}

/*
 * The region of a request in its i-th partition; NULL: no memory.  Asked for each
 * job of a snapshot under slurmctld's locks: finding one allocates nothing.
 */
static struct known_region *regions_get(struct regions *regions, const struct request *req,
					uint32_t i)
{
	const char *part = req->part[i]->name, *features = text_or_none(req->features),
		   *exclude = text_or_none(req->exclude_key);
	uint32_t hash = hash_text(hash_text(hash_text(2166136261u, part), features), exclude);
	struct node_need need = need_in(req, req->part[i]);
	struct known_region **slot, *region;

	slot = &regions->bucket[hash_need(hash, &need) % REGION_BUCKETS];
	for (; *slot; slot = &(*slot)->next)
		if (region_is(*slot, part, features, exclude, &need))
			return *slot;
	region = calloc(1, sizeof(*region));
	if (!region)
		return NULL;
	region->part = strdup(part);
	region->features = strdup(features);
	region->exclude = strdup(exclude);
	region->need = need;
	if (!region->part || !region->features || !region->exclude) {
		region_free(region);
		return NULL;
	}
	region->set = region_make(req->part[i], req->features, req->exclude, &need, &region->why);
	if (region->set) {
		region->why = NULL;
		region_measure(region->set, &region->size);
	}
	return *slot = region;
}

/* A set of required nodes, owned by the table. */
static const struct nodeset *regions_required(struct regions *regions, const bitstr_t *bitmap)
{
	char *numbers = bit_fmt_full((bitstr_t *)bitmap);
	uint32_t hash = hash_text(2166136261u, text_or_none(numbers));
	struct known_region **slot = &regions->bucket[hash % REGION_BUCKETS], *region;

	while (*slot && ((*slot)->part || strcmp((*slot)->exclude, text_or_none(numbers))))
		slot = &(*slot)->next;
	region = *slot ? NULL : calloc(1, sizeof(*region));
	if (region && !(region->exclude = strdup(text_or_none(numbers)))) {
		free(region);
		region = NULL;
	}
	xfree(numbers);
	if (region) {
		region->set = region_from_bitmap(bitmap);
		*slot = region;
	}
	return *slot ? (*slot)->set : NULL;
}

int64_t describe_limit(uint32_t minutes, const part_record_t *part)
{
	if (minutes == NO_VAL)
		minutes = part->default_time != NO_VAL ? part->default_time : part->max_time;
	if (minutes == INFINITE)
		return PACT_FOREVER;
	return minutes ? (int64_t)minutes * 60 : 1;
}

/* Does the job have its nodes for itself in this partition? */
static const char *shares(const struct request *req, const part_record_t *part, uint32_t most)
{
	bool force = part->max_share & SHARED_FORCE;
	uint16_t jobs = part->max_share & ~SHARED_FORCE;

	if (part_whole_topo(part))
		return "a partition with ExclusiveTopo=YES; name another";
	if (realms_share(part->name))
		return force && jobs > 1
			       ? NULL
			       : "a realm without OverSubscribe=FORCE; name another partition";
	if (realms_slice(part->name))
		return force && jobs > 1
			       ? NULL
			       : "turns without OverSubscribe=FORCE; name another partition";
	if (part->max_share == 0 || (req->exclusive && !(force && jobs > 1)))
		return NULL;
	if (force && jobs > 1)
		return "a partition with OverSubscribe=FORCE; name another";
	if (request_linear() || most <= 1)
		return NULL;
	return DESCRIBE_PART_OF_NODE;
}

/*
 * Does Slurm keep jobs of other users, or with another MCS label, from its nodes, whatever the job asks for? Which of these take
 * turns with it the planner does not know.
 */
static bool is_kept_apart(const struct request *req)
{
	static job_record_t any;
	bool apart = xstrcmp(slurm_conf.mcs_plugin, "mcs/none") && slurm_mcs_get_select(&any);

	for (uint32_t i = 0; !apart && i < req->nparts; i++)
		apart = req->part[i]->flags & PART_FLAG_EXCLUSIVE_USER;
	return apart;
}

/* Everything about time: Slurm's own semantics of --deadline (doc/slurm.md). */
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
	if (out->least > out->limit)
		out->least = out->limit;
}

/*
 * Nodes that a job takes in a region, and what about it cannot be planned.
 * RET DESCRIBE_RUNS, or DESCRIBE_CPUS
 */
static enum describe_wait describe_width(const struct request *req, const part_record_t *part,
					 const struct known_region *region, struct description *out)
{
	const struct region_size *size = &region->size;
	int32_t width = req->min_nodes ? (int32_t)req->min_nodes : 1;
	int32_t need = (int32_t)request_countable(request_nodes_for(req->cpus, size->least_cpus));

	if (size->least_cpus != size->most_cpus && req->cpus > (uint64_t)width * size->least_cpus &&
	    !out->opaque)
		out->opaque = req->max_nodes ? "a number of tasks on nodes of several sizes; give "
					       "--mincpus for the larger ones"
					     : "a number of tasks on nodes of several sizes; give "
					       "--nodes";
	bool few = req->max_nodes && request_nodes_for(req->cpus, size->most_cpus) > req->max_nodes;

	if (need > width)
		width = need;
	if (req->max_nodes && width > (int32_t)req->max_nodes)
		width = (int32_t)req->max_nodes;
	if (describe_memory_ratio(part, memory_in(req, part)) > 1 && !out->opaque)
		out->opaque = "more memory for a processor than MaxMemPerCPU; ask for less";
	if (width > out->width)
		out->width = width;
	out->most = (int32_t)req->max_nodes > out->width ? (int32_t)req->max_nodes : 0;
	return few ? DESCRIBE_CPUS : DESCRIBE_RUNS;
}

/* The table's own copy; NULL: no memory. */
static const int64_t *regions_speedup(struct regions *regions, const struct malleable_option *o)
{
	size_t size = o->n * sizeof(o->speedup[0]);
	struct known_speedup *known = regions->speedups;

	while (known && (known->n != o->n || memcmp(known->v, o->speedup, size)))
		known = known->next;
	if (known)
		return known->v;
	known = malloc(sizeof(*known) + size);
	if (!known)
		return NULL;
	known->n = o->n;
	memcpy(known->v, o->speedup, size);
	known->next = regions->speedups;
	regions->speedups = known;
	return known->v;
}

/*
 * What can be planned and not resized (resize_obstacle.h), whichever partition it gets. It is for submissions: what has a promise
 * has it as a job that is resized, and keeps its terms when its partition changes.
 */
static const char *stays(const struct request *req)
{
	if (!req->submitted)
		return NULL;
	if (req->steps)
		return "steps that it manages itself (--stepmgr)";
	if (req->federated)
		return "the other clusters of a federation to run on";
	for (uint32_t i = 0; i < req->nparts; i++)
		if (req->part[i]->flags & PART_FLAG_EXCLUSIVE_USER)
			return "a partition with ExclusiveUser=YES; name another";
	return NULL;
}

/*
 * What it does with its range.  One that the planner does not see whole, or that has not all of its nodes, is not
 * resized.  RET false: no memory
 */
static bool describe_malleable(struct regions *regions, const struct request *req,
			       struct description *out)
{
	out->value = req->value;
	out->stays = stays(req);
	out->malleable = req->malleable && out->most && !out->opaque && !out->stays &&
			 !out->shares && !out->slices;
	if (!out->malleable)
		return true;
	out->grace = req->option.grace;
	out->nspeedup = req->option.n;
	out->speedup = out->nspeedup ? regions_speedup(regions, &req->option) : NULL;
	return out->speedup || !out->nspeedup;
}

/* Whichever partition it gets. */
static void describe_size(const struct region_size *size, struct region_size *out)
{
	bool first = !out->least_cpus;

	if (first || size->least_cpus < out->least_cpus)
		out->least_cpus = size->least_cpus;
	if (size->most_cpus > out->most_cpus)
		out->most_cpus = size->most_cpus;
	if (first || size->least_memory < out->least_memory)
		out->least_memory = size->least_memory;
	if (size->most_memory > out->most_memory)
		out->most_memory = size->most_memory;
	out->gres |= size->gres;
}

/*
 * What Slurm counts of each node, whichever partition it gets: what it asks for, or so much for all
 * processors that it gets (at least for one), or, with CR_MEMORY, all of the node (select_nodes(),
 * when the nodes have been chosen).
 */
static void describe_memory(const struct known_region *region, struct description *out)
{
	const struct node_need *need = &region->need;
	const struct region_size *size = &region->size;
	uint64_t least = need->memory, most = need->memory;

	if (need->cpu_memory) {
		least = need->cpu_memory * (need->whole && size->least_cpus ? size->least_cpus : 1);
		most = need->cpu_memory * size->most_cpus;
	} else if (!most && slurm_conf.select_type_param & CR_MEMORY) {
		least = size->least_memory;
		most = size->most_memory;
	}
	if (least < out->least_memory)
		out->least_memory = least;
	if (most > out->most_memory)
		out->most_memory = most;
}

/*
 * What it takes of each of its nodes where jobs share them: with select/linear all processors, as Slurm gives them;
 * else those that its tasks are given.  Memory for each processor is that for all of the largest node, as Slurm may give
 * all of one to some of its tasks: so none is given twice.
 */
static void describe_share(const struct request *req, struct description *out)
{
	uint32_t each = request_nodes_for(req->cpus, (uint32_t)out->width);

	/* What Slurm does not count is not counted here: its record of a job that runs would say otherwise. */
	if (slurm_conf.select_type_param & CR_MEMORY && out->most_memory < PACT_END_OF_TIME)
		out->memory = (int64_t)out->most_memory;
	out->processors = 0;
	if (request_linear())
		return;
	each = each > req->need.cpus ? each : req->need.cpus;
	out->processors = (int32_t)(each ? (each < UINT16_MAX ? each : UINT16_MAX) : 1);
}

/* Only the partitions in which it does not have to wait, if there are any. */
static void drop_waiting(const struct request *req, struct known_region *const *region,
			 enum describe_wait *why, struct description *out)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < out->nalt; i++) {
		if (req->unmet)
			why[i] = DESCRIBE_REQUIRED;
		else if (req->crowded)
			why[i] = DESCRIBE_CROWDED;
		if (!why[i])
			why[i] = describe_part_wait(out, req->part[i], req->record_nodes,
						    req->time_limit != NO_VAL);
		if (!why[i])
			why[i] = describe_memory_wait(req->part[i], &region[i]->need,
						      req->need.cpus);
		out->memory_waits |= why[i] == DESCRIBE_MAX_MEMORY || why[i] == DESCRIBE_CPU_MEMORY;
		kept += !why[i];
	}
	if (!kept) {
		out->waits = why[0];
		out->waits_at = why[0] == DESCRIBE_REQUIRED ? req->unmet
				: why[0] == DESCRIBE_CROWDED
					? req->crowded
					: describe_part_at(req->part[0], why[0]);
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

/* Of its range it is planned with what it may have. What the planner does not see whole is started by its own range. */
static void describe_bound(const struct eligibility_job *who, struct description *out)
{
	int32_t most;

	if (!out->most || out->opaque || out->shares || out->slices)
		return;
	most = eligibility_widest(who);
	out->bounded = most < out->most;
	out->most = most > out->width ? most : 0;
}

/* The description that is made is also that of `who`, by which its limits are found. */
static bool describe(struct regions *regions, const struct request *req,
		     const struct eligibility_job *who, struct description *out)
{
	enum describe_wait waits[SCHED_MAX_ALT];
	struct known_region *tried[SCHED_MAX_ALT];
	uint32_t ordered = 0;

	if (!req->nparts)
		return false;
	out->opaque = req->opaque;
	out->least_memory = UINT64_MAX;
	out->limit_given = req->time_limit != NO_VAL || req->first->default_time != NO_VAL;
	describe_time(req, out);
	for (uint32_t i = 0; i < req->nparts; i++) {
		struct known_region *region = tried[i] = regions_get(regions, req, i);
		const char *why;

		if (!region)
			return false;
		why = region->why ? region->why : shares(req, req->part[i], region->size.most_cpus);
		if (!why && region->need.most_cpus && !region->size.most_cpus)
			why = "whole nodes of more processors than the partition's MaxCPUsPerNode; "
			      "name another";
		if (!region->set)
			region->set = region_from_bitmap(req->part[i]->node_bitmap);
		if (!region->set)
			return false;
		if (why && !out->opaque)
			out->opaque = why;
		waits[i] = describe_width(req, req->part[i], region, out);
		describe_size(&region->size, &out->size);
		describe_memory(region, out);
		out->shares |= realms_share(req->part[i]->name);
		out->slices |= realms_slice(req->part[i]->name);
		ordered += realms_order(req->part[i]->name);
		out->part[out->nalt] = region->part;
		out->alt[out->nalt++] = region->set;
	}
	out->ordered = ordered == req->nparts;
	/* a step manager starts its job's steps at any time, in other jobs' turns, too */
	out->whole =
		out->slices && (req->exclusive || out->opaque || req->steps || is_kept_apart(req));
	if (out->shares || out->slices)
		describe_share(req, out);
	drop_waiting(req, tried, waits, out);
	describe_bound(who, out);
	if (!describe_malleable(regions, req, out))
		return false;
	if (req->required && bit_ffs((bitstr_t *)req->required) >= 0)
		out->required = regions_required(regions, req->required);
	return true;
}

/* Such a job never runs: of the partition with the most nodes for it, why. */
static void describe_scarce(struct regions *regions, const struct request *req,
			    struct description *out)
{
	uint32_t best = 0, most = 0;

	for (uint32_t i = 0; i < out->nalt; i++) {
		uint32_t n = nodeset_count(out->alt[i]);

		if (n >= (uint32_t)out->width &&
		    (!out->required || nodeset_subset(out->required, out->alt[i])))
			return;
		best = n > most ? i : best;
		most = n > most ? n : most;
	}
	for (uint32_t i = 0; i < req->nparts; i++) {
		struct scarce ask = { .part = req->part[i],
				      .req = req,
				      .need = need_in(req, req->part[i]),
				      .fits = out->alt[best],
				      .width = out->width };

		if (strcmp(req->part[i]->name, out->part[best]))
			continue;
		scarce_tell(&ask, regions->scarce, sizeof(regions->scarce));
		out->scarce = regions->scarce;
	}
}

bool describe_submission(struct regions *regions, const job_desc_msg_t *desc,
			 struct description *out)
{
	const struct eligibility_job who = {
		.uid = desc->user_id,
		.account = desc->account,
		.qos = desc->qos,
		.what = out,
	};
	struct request req;
	bool ok;

	memset(out, 0, sizeof(*out));
	ok = request_submission(&req, desc) && describe(regions, &req, &who, out);
	if (ok && !out->opaque)
		describe_scarce(regions, &req, out);
	request_release(&req);
	return ok;
}

bool describe_record(struct regions *regions, const job_record_t *job, struct description *out)
{
	const struct eligibility_job who = { .uid = job->user_id, .record = job, .what = out };
	struct request req;
	bool ok;

	memset(out, 0, sizeof(*out));
	ok = request_record(&req, job) && describe(regions, &req, &who, out);
	out->preempts = req.preempts;
	request_release(&req);
	return ok;
}

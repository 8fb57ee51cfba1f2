/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * describe.c - a job as the planner sees it, or the name of what it cannot see
 *
 * Submission and record are brought into one form (request.h) and described
 * from there.
 */
#include "slurm/eligibility/describe.h"
#include "slurm/records/request.h"
#include "slurm/eligibility/scarce.h"

#define PLACE_BUCKETS 256

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
	char scarce[256]; /* of the submission described last */
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
		return "a partition with OverSubscribe=FORCE; name another";
	if (request_linear() || most <= 1)
		return NULL;
	return DESCRIBE_PART_OF_NODE;
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
 * Nodes that a job takes in a place, and what about it cannot be planned.
 * RET DESCRIBE_RUNS, or DESCRIBE_CPUS
 */
static enum describe_wait describe_width(const struct request *req, const part_record_t *part,
					 const struct place *place, struct description *out)
{
	const struct place_size *size = &place->size;
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
	if ((int32_t)req->max_nodes > width && !out->opaque)
		out->opaque = "a range of node counts (--nodes=MIN-MAX); give one";
	if (describe_memory_ratio(part, memory_in(req, part)) > 1 && !out->opaque)
		out->opaque = "more memory for a processor than MaxMemPerCPU; ask for less";
	if (width > out->width)
		out->width = width;
	return few ? DESCRIBE_CPUS : DESCRIBE_RUNS;
}

/* Whichever partition it gets. */
static void describe_size(const struct place_size *size, struct place_size *out)
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
static void describe_memory(const struct place *place, struct description *out)
{
	const struct place_need *need = &place->need;
	const struct place_size *size = &place->size;
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

/* Only the partitions in which it does not have to wait, if there are any. */
static void drop_waiting(const struct request *req, struct place *const *place,
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
			why[i] =
				describe_memory_wait(req->part[i], &place[i]->need, req->need.cpus);
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

static bool describe(struct places *places, const struct request *req, struct description *out)
{
	enum describe_wait waits[SCHED_MAX_ALT];
	struct place *tried[SCHED_MAX_ALT];

	if (!req->nparts)
		return false;
	out->opaque = req->opaque;
	out->least_memory = UINT64_MAX;
	out->limit_given = req->time_limit != NO_VAL || req->first->default_time != NO_VAL;
	describe_time(req, out);
	for (uint32_t i = 0; i < req->nparts; i++) {
		struct place *place = tried[i] = places_get(places, req, i);
		const char *why;

		if (!place)
			return false;
		why = place->why ? place->why : shares(req, req->part[i], place->size.most_cpus);
		if (!why && place->need.most_cpus && !place->size.most_cpus)
			why = "whole nodes of more processors than the partition's MaxCPUsPerNode; "
			      "name another";
		if (!place->set)
			place->set = place_from_bitmap(req->part[i]->node_bitmap);
		if (!place->set)
			return false;
		if (why && !out->opaque)
			out->opaque = why;
		waits[i] = describe_width(req, req->part[i], place, out);
		describe_size(&place->size, &out->size);
		describe_memory(place, out);
		out->part[out->nalt] = place->part;
		out->alt[out->nalt++] = place->set;
	}
	drop_waiting(req, tried, waits, out);
	if (req->required && bit_ffs((bitstr_t *)req->required) >= 0)
		out->required = places_required(places, req->required);
	return true;
}

/* Such a job never runs: of the partition with the most nodes for it, why. */
static void describe_scarce(struct places *places, const struct request *req,
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
		scarce_tell(&ask, places->scarce, sizeof(places->scarce));
		out->scarce = places->scarce;
	}
}

bool describe_submission(struct places *places, const job_desc_msg_t *desc, struct description *out)
{
	struct request req;
	bool ok;

	memset(out, 0, sizeof(*out));
	ok = request_submission(&req, desc) && describe(places, &req, out);
	if (ok && !out->opaque)
		describe_scarce(places, &req, out);
	request_release(&req);
	return ok;
}

bool describe_record(struct places *places, const job_record_t *job, struct description *out)
{
	struct request req;
	bool ok;

	memset(out, 0, sizeof(*out));
	ok = request_record(&req, job) && describe(places, &req, out);
	out->preempts = req.preempts;
	request_release(&req);
	return ok;
}

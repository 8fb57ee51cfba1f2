/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * begin.c - when a job would begin that is submitted now, where jobs take turns
 */
#include "slurm/acting/begin.h"

#include "slurm/eligibility/describe.h"
#include "slurm/state/core.h"

/* ---- what Slurm adds ---- */

static bool is_before(const job_record_t *other, const job_record_t *job)
{
	return IS_JOB_PENDING(other) && other->details && other->part_ptr == job->part_ptr &&
	       other->priority >= job->priority && other->job_id != job->job_id &&
	       !IS_JOB_REVOKED(other);
}

/* Processors times minutes. */
static uint64_t area_of(const job_record_t *job, uint32_t cpus_per_node)
{
	uint32_t nodes = job->details->min_nodes, cpus = job->details->min_cpus;
	uint32_t minutes = job->time_limit;

	nodes = nodes == NO_VAL ? 1 : nodes;
	cpus = cpus == NO_VAL ? 1 : cpus;
	if (minutes == NO_VAL)
		minutes = job->part_ptr->max_time;
	cpus = MAX(cpus, nodes * cpus_per_node);
	return cpus * minutes; /* of 32 bits, as in _delayed_job_start_time() */
}

uint64_t begin_added(const job_record_t *job)
{
	const part_record_t *part = job->part_ptr;
	uint32_t each = 1;
	uint64_t area = 0;
	list_itr_t *iter;
	job_record_t *other;

	if (!part || !part->total_cpus || !part->total_nodes)
		return 0;
	if (part->total_cpus > part->total_nodes)
		each = part->total_cpus / part->total_nodes;
	iter = list_iterator_create(job_list);
	while ((other = list_next(iter))) {
		if (is_before(other, job))
			area += area_of(other, each);
	}
	list_iterator_destroy(iter);
	return area / part->total_cpus * 60;
}

/* ---- what is planned ---- */

/* Those of its partition that it may have, and of `nodes`; NULL: it takes no turns there, or no memory. */
static struct nodeset *choose(const job_record_t *job, const struct description *what,
			      const bitstr_t *nodes)
{
	struct nodeset *set = region_from_bitmap(nodes);

	for (uint32_t i = 0; set && i < what->nalt; i++) {
		if (strcmp(what->part[i], job->part_ptr->name))
			continue;
		if (nodeset_size(what->alt[i]) == nodeset_size(set))
			nodeset_and(set, what->alt[i]);
		if ((int64_t)nodeset_count(set) >= what->width)
			return set;
	}
	nodeset_destroy(set);
	return NULL;
}

/* As sync_fill() tells a record that waits. */
static struct sched_job terms_of(const job_record_t *job, const struct description *what,
				 const struct nodeset *nodes, int64_t now)
{
	return (struct sched_job){
		.submit = now,
		.begin = what->begin > now ? what->begin : 0,
		.limit = what->limit > 0 ? what->limit : 1,
		.priority = job->priority,
		.planned = -1,
		.width = what->width,
		.flags = JOB_FIXED | (what->whole ? (uint32_t)JOB_WHOLE : 0),
		.nalt = 1,
		.alt = { nodes },
		.required = what->required,
		.processors = what->processors,
		.memory = what->memory,
	};
}

/* RET PACT_FOREVER: it is not known. */
static int64_t ask_plan(struct sched_job *job, int64_t now)
{
	struct bridge *b = bridge_get();
	struct sched_decision d;
	int64_t start = PACT_FOREVER;
	bool have;

	b->urgent++;
	have = bridge_lock_soon(b);
	b->urgent--;
	if (!have)
		return start;
	job->id = b->next_core + 1;
	if (b->core && b->ready && b->nodes == nodeset_size(job->alt[0]) && bridge_same_nodes(b) &&
	    !sched_ask(b->core, now > b->latest ? now : b->latest, job, 1, &d) && d.accepted)
		start = d.start;
	pthread_mutex_unlock(&b->lock);
	return start;
}

/* The same, of a job that is described. */
static int64_t planned(const job_record_t *job, const struct description *what,
		       const bitstr_t *nodes)
{
	struct nodeset *may = NULL;
	int64_t now = time(NULL), at = PACT_FOREVER;
	struct sched_job terms;

	if (what->slices && !what->deadline)
		may = choose(job, what, nodes);
	if (may) {
		terms = terms_of(job, what, may, now);
		at = ask_plan(&terms, now);
	}
	nodeset_destroy(may);
	return at;
}

bool begin_planned(const job_record_t *job, const bitstr_t *nodes, time_t *start)
{
	struct regions *regions;
	struct description what;
	int64_t at = PACT_FOREVER;

	/* without a number it is what a reservation is tried by */
	if (!job->job_id || !job->details || !job->part_ptr)
		return false;
	regions = regions_create();
	if (regions && describe_record(regions, job, &what))
		at = planned(job, &what, nodes);
	regions_destroy(regions);
	if (at >= PACT_FOREVER)
		return false;
	*start = (time_t)(at - (int64_t)begin_added(job));
	return true;
}

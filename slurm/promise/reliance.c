/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reliance.c - what promises rely on in the jobs that they wait for
 */
#include "slurm/base/compat.h"

#include "slurm/promise/reliance.h"
#include "slurm/state/track.h"

/* Promised jobs of one record or submission, and what each of them waits for. */
struct reliance {
	struct reliance *next;
	uint64_t *core;
	size_t ncore;
	uint32_t job_id; /* 0: no record yet */
	int64_t start;	 /* planned, as the record says; for jobs that the core does not know yet */
	uint32_t n;
	struct snap_depend on[];
};

/* A predecessor's bound; in the table under its spread key. */
struct bound {
	uint64_t key;
	int64_t by;
};

static void free_reliance(struct bridge *b, struct reliance **at)
{
	struct reliance *reliance = *at;

	*at = reliance->next;
	free(reliance->core);
	free(reliance);
	b->nreliances--;
}

static void forget_bounds(struct bridge *b)
{
	struct bound *bound;
	size_t i = 0;

	while (b->bounds && (bound = table_next(b->bounds, &i)))
		free(bound);
	table_destroy(b->bounds);
	b->bounds = NULL;
}

void reliance_forget(struct bridge *b)
{
	while (b->reliances)
		free_reliance(b, &b->reliances);
	forget_bounds(b);
}

/* It takes over core, also on failure. */
static struct reliance *add(struct bridge *b, uint64_t *core, size_t ncore,
			    const struct snap_depend *on, uint32_t n)
{
	struct reliance *reliance = core ? calloc(1, sizeof(*reliance) + n * sizeof(*on)) : NULL;

	if (!reliance) {
		free(core);
		return NULL;
	}
	reliance->core = core;
	reliance->ncore = ncore;
	reliance->n = n;
	for (uint32_t i = 0; i < n; i++)
		reliance->on[i] = on[i];
	reliance->next = b->reliances;
	b->reliances = reliance;
	b->nreliances++;
	return reliance;
}

bool reliance_note(struct bridge *b, const uint64_t *core, size_t ncore,
		   const struct depend_set *on)
{
	struct reliance **at = &b->reliances;
	uint64_t *copy;

	while (*at && !((*at)->ncore && (*at)->core[0] == core[0]))
		at = &(*at)->next;
	if (*at)
		free_reliance(b, at);
	if (!on->n)
		return true;
	copy = malloc(ncore * sizeof(*copy));
	if (copy)
		memcpy(copy, core, ncore * sizeof(*copy));
	return add(b, copy, ncore, on->on, on->n);
}

/*
 * When the first of them is planned to start; PACT_FOREVER: no job's promise is at
 * stake: they run, or what was promised cannot be kept anyway.
 */
static int64_t first_start(struct bridge *b, const struct reliance *reliance)
{
	int64_t first = PACT_FOREVER;
	struct sched_view view;

	if (!reliance->ncore)
		return reliance->start;
	for (size_t i = 0; i < reliance->ncore; i++)
		if (!sched_view(b->core, reliance->core[i], &view) && !view.running &&
		    view.promised && !view.broken && view.start < first)
			first = view.start;
	return first;
}

static void put_bound(struct bridge *b, uint64_t key, int64_t by)
{
	struct bound *bound = table_find(b->bounds, track_spread(key));

	if (bound) {
		bound->by = by < bound->by ? by : bound->by;
		return;
	}
	bound = malloc(sizeof(*bound));
	if (!bound)
		return;
	*bound = (struct bound){ .key = key, .by = by };
	if (table_insert(b->bounds, track_spread(key), bound))
		free(bound);
}

static void make_bounds(struct bridge *b)
{
	forget_bounds(b);
	b->bounds = b->reliances ? table_create() : NULL;
	for (const struct reliance *reliance = b->reliances; b->bounds && reliance;
	     reliance = reliance->next) {
		int64_t start = first_start(b, reliance);

		for (uint32_t i = 0; start < PACT_FOREVER && i < reliance->n; i++)
			if (!reliance->on[i].at)
				put_bound(b,
					  track_key(reliance->on[i].base_id, reliance->on[i].task),
					  start - reliance->on[i].delay);
	}
}

/* A submission whose record has not been seen yet. */
static bool unconfirmed(struct bridge *b, const struct reliance *reliance)
{
	struct sched_view view;

	return reliance->ncore && !track_by_core(b, reliance->core[0]) &&
	       !sched_view(b->core, reliance->core[0], &view);
}

/* The tasks of a record that wait, and that the plan looks after. */
static uint64_t *waiting_cores(struct bridge *b, const struct snap_job *j, size_t *n)
{
	uint32_t tasks = j->tasks ? j->ntasks : 1;
	uint64_t *core = malloc((tasks ? tasks : 1) * sizeof(*core));

	*n = 0;
	for (uint32_t i = 0; core && i < tasks; i++) {
		struct track *track =
			track_find(b, track_key(j->base_id, j->tasks ? j->tasks[i] : j->task));

		if (track && !track->running && track->promised)
			core[(*n)++] = track->core;
	}
	return core;
}

void reliance_collect(struct bridge *b, const struct snapshot *snap)
{
	struct reliance **at = &b->reliances, *reliance;
	size_t n;

	while (*at)
		if (unconfirmed(b, *at))
			at = &(*at)->next;
		else
			free_reliance(b, at);
	for (size_t i = 0; i < snap->njobs; i++) {
		const struct snap_job *j = &snap->jobs[i];
		uint64_t *core;

		if (j->state != SNAP_PENDING || !j->ndepends || j->held || j->never ||
		    !token_binds(&j->token))
			continue;
		core = waiting_cores(b, j, &n);
		reliance = add(b, core, n, j->depends, j->ndepends);
		if (!reliance)
			continue;
		reliance->job_id = j->job_id;
		reliance->start =
			j->start > 0 && j->token.state == TOKEN_PROMISED ? j->start : PACT_FOREVER;
	}
	make_bounds(b);
}

/* A job waits for another: to be found by the other's number. */
struct wait {
	const struct snap_depend *on;
	struct snap_job *job;
};

static int by_base(const void *a, const void *b)
{
	uint32_t x = ((const struct wait *)a)->on->base_id,
		 y = ((const struct wait *)b)->on->base_id;

	return (x > y) - (x < y);
}

static struct wait *collect_waits(const struct snapshot *snap, size_t *n)
{
	struct wait *waits;
	size_t room = 0;

	*n = 0;
	for (size_t i = 0; i < snap->njobs; i++)
		room += snap->jobs[i].ndepends;
	waits = room ? malloc(room * sizeof(*waits)) : NULL;
	for (size_t i = 0; waits && i < snap->njobs; i++)
		for (uint32_t d = 0; d < snap->jobs[i].ndepends; d++)
			waits[(*n)++] = (struct wait){ .on = &snap->jobs[i].depends[d],
						       .job = &snap->jobs[i] };
	if (*n)
		qsort(waits, *n, sizeof(*waits), by_base);
	return waits;
}

/* Is the job, or one of the tasks that share its record, what is waited for? */
static bool is_meant(const struct snap_job *j, const struct snap_depend *on)
{
	bool meant = on->task == NO_VAL || (!j->tasks && on->task == j->task);

	for (uint32_t i = 0; j->tasks && !meant && i < j->ntasks; i++)
		meant = on->task == j->tasks[i];
	return meant && !on->at;
}

/* The first of those that wait for that number, or n. */
static size_t first_wait(const struct wait *waits, size_t n, uint32_t base_id)
{
	size_t from = 0, to = n;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (waits[middle].on->base_id < base_id)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

void reliance_in_vain(const struct snapshot *snap)
{
	struct snap_job **todo = malloc((snap->njobs + 1) * sizeof(struct snap_job *));
	size_t nwaits, ntodo = 0;
	struct wait *waits = collect_waits(snap, &nwaits);

	for (size_t i = 0; todo && i < snap->njobs; i++)
		if (snap->jobs[i].state == SNAP_PENDING && snap->jobs[i].never)
			todo[ntodo++] = &snap->jobs[i];
	/* Each job gets in once at most: when it is marked. */
	while (waits && ntodo) {
		const struct snap_job *j = todo[--ntodo];
		size_t i = first_wait(waits, nwaits, j->base_id);

		for (; i < nwaits && waits[i].on->base_id == j->base_id; i++) {
			struct snap_job *waiting = waits[i].job;

			if (waiting->never || waiting->state != SNAP_PENDING ||
			    !is_meant(j, waits[i].on))
				continue;
			waiting->never = true;
			todo[ntodo++] = waiting;
		}
	}
	free(todo);
	free(waits);
}

int64_t reliance_bound(const struct bridge *b, uint64_t key)
{
	uint64_t whole = track_key((uint32_t)(key >> 32), NO_VAL);
	const struct bound *one, *all;
	int64_t by = PACT_FOREVER;

	if (!b->bounds)
		return by;
	one = table_find(b->bounds, track_spread(key));
	all = key == whole ? NULL : table_find(b->bounds, track_spread(whole));
	if (one)
		by = one->by;
	return all && all->by < by ? all->by : by;
}

int64_t reliance_ask(struct bridge *b, uint32_t base_id, uint32_t task, uint32_t *job_id)
{
	int64_t by = PACT_FOREVER;

	*job_id = 0;
	for (const struct reliance *reliance = b->reliances; reliance; reliance = reliance->next)
		for (uint32_t i = 0; i < reliance->n; i++) {
			const struct snap_depend *on = &reliance->on[i];
			int64_t start;

			if (on->base_id != base_id || on->at ||
			    (on->task != task && on->task != NO_VAL && task != NO_VAL))
				continue;
			start = first_start(b, reliance);
			if (start == PACT_FOREVER || start - on->delay >= by)
				continue;
			by = start - on->delay;
			*job_id = reliance->job_id;
		}
	return by;
}

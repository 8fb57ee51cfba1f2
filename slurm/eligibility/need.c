/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * need.c - what promises need of the jobs that they wait for
 */
#include "slurm/base/compat.h"

#include "slurm/eligibility/need.h"

/* Promised jobs of one record or submission, and what each of them waits for. */
struct need {
	struct need *next;
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

static void free_need(struct bridge *b, struct need **at)
{
	struct need *need = *at;

	*at = need->next;
	free(need->core);
	free(need);
	b->nneeds--;
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

void need_forget(struct bridge *b)
{
	while (b->needs)
		free_need(b, &b->needs);
	forget_bounds(b);
}

/* Takes over core, also on failure. */
static struct need *add(struct bridge *b, uint64_t *core, size_t ncore,
			const struct snap_depend *on, uint32_t n)
{
	struct need *need = core ? calloc(1, sizeof(*need) + n * sizeof(*on)) : NULL;

	if (!need) {
		free(core);
		return NULL;
	}
	need->core = core;
	need->ncore = ncore;
	need->n = n;
	for (uint32_t i = 0; i < n; i++)
		need->on[i] = on[i];
	need->next = b->needs;
	b->needs = need;
	b->nneeds++;
	return need;
}

bool need_note(struct bridge *b, const uint64_t *core, size_t ncore, const struct depend_set *on)
{
	struct need **at = &b->needs;
	uint64_t *copy;

	while (*at && !((*at)->ncore && (*at)->core[0] == core[0]))
		at = &(*at)->next;
	if (*at)
		free_need(b, at);
	if (!on->n)
		return true;
	copy = malloc(ncore * sizeof(*copy));
	if (copy)
		memcpy(copy, core, ncore * sizeof(*copy));
	return add(b, copy, ncore, on->on, on->n);
}

/*
 * When the first of them is planned to start; PACT_FOREVER: nobody's promise is at
 * stake: they run, or what was promised cannot be kept anyway.
 */
static int64_t first_start(struct bridge *b, const struct need *need)
{
	int64_t first = PACT_FOREVER;
	struct sched_view view;

	if (!need->ncore)
		return need->start;
	for (size_t i = 0; i < need->ncore; i++)
		if (!sched_view(b->core, need->core[i], &view) && !view.running && view.promised &&
		    !view.broken && view.start < first)
			first = view.start;
	return first;
}

static void put_bound(struct bridge *b, uint64_t key, int64_t by)
{
	struct bound *bound = table_find(b->bounds, bridge_spread(key));

	if (bound) {
		bound->by = by < bound->by ? by : bound->by;
		return;
	}
	bound = malloc(sizeof(*bound));
	if (!bound)
		return;
	*bound = (struct bound){ .key = key, .by = by };
	if (table_insert(b->bounds, bridge_spread(key), bound))
		free(bound);
}

static void make_bounds(struct bridge *b)
{
	forget_bounds(b);
	b->bounds = b->needs ? table_create() : NULL;
	for (const struct need *need = b->needs; b->bounds && need; need = need->next) {
		int64_t start = first_start(b, need);

		for (uint32_t i = 0; start < PACT_FOREVER && i < need->n; i++)
			if (!need->on[i].at)
				put_bound(b, track_key(need->on[i].base_id, need->on[i].task),
					  start - need->on[i].delay);
	}
}

/* A submission whose record has not been seen yet. */
static bool provisional(struct bridge *b, const struct need *need)
{
	struct sched_view view;

	return need->ncore && !track_by_core(b, need->core[0]) &&
	       !sched_view(b->core, need->core[0], &view);
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

void need_collect(struct bridge *b, const struct snapshot *snap)
{
	struct need **at = &b->needs, *need;
	size_t n;

	while (*at)
		if (provisional(b, *at))
			at = &(*at)->next;
		else
			free_need(b, at);
	for (size_t i = 0; i < snap->njobs; i++) {
		const struct snap_job *j = &snap->jobs[i];
		uint64_t *core;

		if (j->state != SNAP_PENDING || !j->ndepends || j->held || !token_binds(&j->token))
			continue;
		core = waiting_cores(b, j, &n);
		need = add(b, core, n, j->depends, j->ndepends);
		if (!need)
			continue;
		need->job_id = j->job_id;
		need->start =
			j->start > 0 && j->token.state == TOKEN_PROMISED ? j->start : PACT_FOREVER;
	}
	make_bounds(b);
}

int64_t need_bound(const struct bridge *b, uint64_t key)
{
	uint64_t whole = track_key((uint32_t)(key >> 32), NO_VAL);
	const struct bound *one, *all;
	int64_t by = PACT_FOREVER;

	if (!b->bounds)
		return by;
	one = table_find(b->bounds, bridge_spread(key));
	all = key == whole ? NULL : table_find(b->bounds, bridge_spread(whole));
	if (one)
		by = one->by;
	return all && all->by < by ? all->by : by;
}

int64_t need_ask(struct bridge *b, uint32_t base_id, uint32_t task, uint32_t *job_id)
{
	int64_t by = PACT_FOREVER;

	*job_id = 0;
	for (const struct need *need = b->needs; need; need = need->next)
		for (uint32_t i = 0; i < need->n; i++) {
			const struct snap_depend *on = &need->on[i];
			int64_t start;

			if (on->base_id != base_id || on->at ||
			    (on->task != task && on->task != NO_VAL && task != NO_VAL))
				continue;
			start = first_start(b, need);
			if (start == PACT_FOREVER || start - on->delay >= by)
				continue;
			by = start - on->delay;
			*job_id = need->job_id;
		}
	return by;
}

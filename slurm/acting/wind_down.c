/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wind_down.c - jobs that were stopped for another one's turn, where jobs take no turns any more
 */
#include "slurm/base/compat.h"

#include "slurm/acting/turn.h"
#include "slurm/acting/wind_down.h"
#include "slurm/base/metered.h"
#include "slurm/base/scheduler.h"

/*
 * When the first of them was seen; 0: there is none. What begins after that is none of those that took turns, and none
 * waits for it: else new jobs could keep one stopped for ever.
 */
static int64_t since;

void wind_down_begin(void)
{
	since = 0;
}

static bool is_stopped(const struct snap_job *j)
{
	return j->state == SNAP_RUNNING && j->suspended && !j->by_hand && !j->ending &&
	       (!j->slices || j->outside);
}

static int by_start(const void *a, const void *b)
{
	const struct snap_job *x = *(struct snap_job *const *)a, *y = *(struct snap_job *const *)b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->job_id > y->job_id) - (x->job_id < y->job_id);
}

/* Those that are stopped, in the order in which they go on.  NULL: none, or no memory. */
static struct snap_job **list_stopped(struct snapshot *snap, size_t *n)
{
	struct snap_job **list;

	*n = 0;
	for (size_t i = 0; i < snap->njobs; i++)
		*n += is_stopped(&snap->jobs[i]);
	list = *n ? calloc(*n, sizeof(*list)) : NULL;
	if (!list)
		return NULL;
	*n = 0;
	for (size_t i = 0; i < snap->njobs; i++)
		if (is_stopped(&snap->jobs[i]))
			list[(*n)++] = &snap->jobs[i];
	qsort(list, *n, sizeof(*list), by_start);
	return list;
}

/* Until when nodes are taken. */
static void take_until(int64_t *until, const struct nodeset *nodes, int64_t end)
{
	uint32_t size = nodeset_size(nodes);

	for (uint32_t n = nodeset_next(nodes, 0); n < size; n = nodeset_next(nodes, n + 1))
		if (until[n] < end)
			until[n] = end;
}

static int64_t free_from(const int64_t *until, const struct nodeset *nodes)
{
	uint32_t size = nodeset_size(nodes);
	int64_t from = 0;

	for (uint32_t n = nodeset_next(nodes, 0); n < size; n = nodeset_next(nodes, n + 1))
		if (until[n] > from)
			from = until[n];
	return from;
}

static void resume(const struct snap_job *j)
{
	struct metered metered;
	bool done;

	metered_take(&metered, &turn_locks);
	done = turn_take(j->job_id, false, PACT_FOREVER);
	metered_give(&metered);
	if (done)
		info("%s: JobId=%u goes on: it has no turns any more, and its nodes are free",
		     scheduler_type(), j->job_id);
}

/* Does it keep others from its nodes? What takes turns beside them runs there again, whenever it began. */
static bool is_in_the_way(const struct snap_job *j)
{
	return j->state == SNAP_RUNNING && (!j->suspended || j->has_row) &&
	       (j->slices || j->start <= since);
}

/* One after the other: each has its nodes until it has had the rest of its limit. */
static void go_on(struct snapshot *snap, struct snap_job **stopped, size_t n, int64_t *until)
{
	for (size_t i = 0; i < snap->njobs; i++) {
		const struct snap_job *j = &snap->jobs[i];
		int64_t end = j->end > snap->now ? j->end : snap->now + 1;

		if (is_in_the_way(j))
			take_until(until, j->nodes, end);
	}
	for (size_t i = 0; i < n; i++) {
		struct snap_job *j = stopped[i];
		int64_t from = free_from(until, j->nodes);

		if (!from)
			resume(j);
		else if (j->end < PACT_FOREVER && from < PACT_FOREVER)
			j->end += from - snap->now;
		else
			j->end = PACT_FOREVER;
		take_until(until, j->nodes, j->end);
	}
}

void wind_down(struct snapshot *snap)
{
	size_t n;
	struct snap_job **stopped = list_stopped(snap, &n);
	int64_t *until = stopped ? calloc((size_t)snap->nodes + 1, sizeof(*until)) : NULL;

	if (!n)
		since = 0;
	else if (!since)
		since = snap->now;
	if (until)
		go_on(snap, stopped, n, until);
	free(until);
	free(stopped);
}

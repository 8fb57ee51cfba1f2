/* SPDX-License-Identifier: GPL-2.0-or-later */
/* held: see held.h. */
#include "core/kernel/held.h"

#include <stdlib.h>

#include "core/base/nodeset.h"

void held_free(struct held *x)
{
	if (x)
		nodeset_destroy(x->nodes);
	free(x);
}

int held_add(struct call *c, const struct table *jobs, struct table *all, struct walk *order,
	     const struct sched_event *ev, uint32_t nodes, int64_t latest, struct held **x)
{
	int rc = call_nodes(c, ev, nodes);

	*x = NULL;
	if (rc == PACT_OK && (ev->start < 0 || ev->start > latest))
		rc = call_fail(c, PACT_EINVAL, "time is none", ev->id);
	if (rc == PACT_OK)
		rc = held_is_new(c, jobs, all, ev->id);
	if (rc != PACT_OK)
		return rc;
	*x = calloc(1, sizeof(**x));
	if (*x)
		**x = (struct held){ .id = ev->id,
				     .start = ev->start,
				     .end = ev->end,
				     .nodes = nodeset_dup(ev->nodes),
				     .block = ev->type == EV_BLOCK,
				     .spares = ev->type == EV_BLOCK && ev->reserve };
	if (*x && (*x)->nodes && walk_fit(order, table_count(all) + 1) == 0 &&
	    table_insert(all, ev->id, *x) == 0)
		return PACT_OK;
	held_free(*x);
	*x = NULL;
	return call_fail(c, PACT_ENOMEM, "out of memory", ev->id);
}

void held_remove(struct table *all, struct held *x)
{
	table_remove(all, x->id);
	held_free(x);
}

void held_destroy(struct table *all)
{
	struct held *x;

	for (size_t i = 0; all && (x = table_next(all, &i));)
		held_free(x);
	table_destroy(all);
}

int held_view(const struct table *all, uint64_t id, struct sched_view *v)
{
	const struct held *x = table_find(all, id);

	if (!x || x->block)
		return PACT_ENOENT;
	*v = (struct sched_view){ .id = id,
				  .start = x->start,
				  .end = x->end,
				  .width = (int32_t)nodeset_count(x->nodes),
				  .running = true };
	return PACT_OK;
}

/* ---- ids ---- */

int held_is_new(struct call *c, const struct table *jobs, const struct table *all, uint64_t id)
{
	if (table_find(jobs, id) || (all && table_find(all, id)))
		return call_fail(c, PACT_EEXIST, "id already known", id);
	return PACT_OK;
}

/* It is known by that id, which has to be new; what fails is told as of `told`. */
static int let_in(struct call *c, struct table *jobs, const struct table *all, uint64_t id,
		  uint64_t told, void *job)
{
	int rc = held_is_new(c, jobs, all, id);

	if (rc == PACT_OK && table_insert(jobs, id, job) < 0)
		rc = call_fail(c, PACT_ENOMEM, "out of memory", told);
	return rc;
}

int held_let_in(struct call *c, struct table *jobs, const struct table *all,
		const struct sched_job *from, void *const *job, size_t n)
{
	int rc = PACT_OK;
	size_t i = 0;

	for (; rc == PACT_OK && i < n; i++)
		rc = let_in(c, jobs, all, from[i].id, from[i].id, job[i]);
	if (rc == PACT_OK)
		return rc;
	/* those that came before the one that failed */
	for (i--; i > 0; i--)
		table_remove(jobs, from[i - 1].id);
	return rc;
}

int held_rename(struct call *c, struct table *jobs, const struct table *all,
		const struct sched_event *ev, void *job)
{
	if (ev->new_id == ev->id)
		return PACT_OK;
	return let_in(c, jobs, all, ev->new_id, ev->id, job);
}

void held_renamed(struct table *jobs, const struct sched_event *ev, bool done)
{
	if (ev->new_id != ev->id)
		table_remove(jobs, done ? ev->id : ev->new_id);
}

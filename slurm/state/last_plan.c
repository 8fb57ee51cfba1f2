/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * last_plan.c - the plan as it was at the end of the last pass, for queries
 */
#include "slurm/base/compat.h"

#include "core/base/table.h"
#include "core/kernel/watch.h"
#include "slurm/state/last_plan.h"
#include "slurm/config/builds.h"
#include "slurm/base/metered.h"
#include "slurm/state/track.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct last_plan *up;
/* Of the thread that plans. */
static uint64_t passes;

static void names_free(char **names, uint32_t n)
{
	for (uint32_t i = 0; names && i < n; i++)
		free(names[i]);
	free(names);
}

static void last_plan_destroy(struct last_plan *last)
{
	if (!last)
		return;
	names_free(last->names, last->snap ? last->snap->nodes : 0);
	snapshot_destroy(last->snap);
	partitions_drop(last->own, last->nown);
	nodeset_destroy(last->silent);
	free(last->rows);
	free(last->node);
	free(last->part);
	for (size_t i = 0; i < last->nmatrices; i++)
		nodeset_destroy((struct nodeset *)last->matrix[i].nodes);
	free(last->matrix);
	free(last->range);
	free(last);
}

/* Without memory it has none. */
static void add_ranges(struct last_plan *last, struct last_plan_row *row)
{
	const struct nodeset *nodes = row->view.turns.nodes;
	uint32_t n = nodes ? nodeset_size(nodes) : 0, end;

	row->first = last->nranges;
	for (uint32_t i = n ? nodeset_next(nodes, 0) : n; i < n; i = nodeset_next(nodes, end)) {
		for (end = i + 1; end < n && nodeset_test(nodes, end);)
			end++;
		if (last->nranges == last->range_room) {
			size_t room = 2 * last->range_room + 64;
			void *more = realloc(last->range, room * sizeof(*last->range));

			if (!more)
				break;
			last->range = more;
			last->range_room = room;
		}
		last->range[last->nranges++] = (struct last_plan_range){ i, end - 1 };
		row->ranges++;
	}
	row->view.turns.nodes = NULL;
}

static void add_row(struct bridge *b, struct last_plan *last, const struct snap_job *j,
		    uint32_t task)
{
	struct last_plan_row *row = &last->rows[last->nrows++];
	struct track *track = track_find(b, track_key(j->base_id, task));

	row->job = j;
	row->task = task;
	if (!track || sched_view(b->core, track->core, &row->view))
		return;
	row->planned = true;
	row->wait = sched_why(b->core, track->core);
	row->domain = sched_domain(b->core, track->core, &row->scheduler);
	row->account = track->account;
	if (track->running && track->suspended)
		row->stopped = j->suspended && j->switched ? j->switched : j->taken;
	add_ranges(last, row);
	row->promised = track->promised || (track->running && track->token.id &&
					    track->token.state != TOKEN_WITHDRAWN);
}

/* ---- nodes that are shared ---- */

/* Room for the parts of all of them. */
static size_t count_parts(const struct bridge *b, size_t *nodes)
{
	struct sched_node_view v;
	size_t n = 0;

	*nodes = 0;
	for (uint32_t i = nodeset_next(b->realm, 0); i < nodeset_size(b->realm);
	     i = nodeset_next(b->realm, i + 1)) {
		if (sched_node(b->core, i, NULL, 0, &v) || !v.parts)
			continue;
		*nodes += 1;
		n += v.parts;
	}
	return n;
}

/* The rows by the core's numbers. NULL: no memory. */
static struct table *rows_by_id(const struct last_plan *last)
{
	struct table *rows = table_create();
	bool ok = rows;

	for (size_t i = 0; ok && i < last->nrows; i++)
		if (last->rows[i].planned)
			ok = !table_insert(rows, last->rows[i].view.id, &last->rows[i]);
	if (ok)
		return rows;
	table_destroy(rows);
	return NULL;
}

static void add_node(struct bridge *b, struct last_plan *last, const struct table *rows, uint32_t i,
		     struct sched_part *part, size_t *parts)
{
	struct sched_node_view v;

	if (sched_node(b->core, i, NULL, 0, &v) || !v.parts ||
	    sched_node(b->core, i, part, v.parts, &v))
		return;
	last->node[last->nnodes++] = (struct last_plan_node){
		.node = i, .spare = v.spare, .first = *parts, .n = v.parts
	};
	for (uint32_t k = 0; k < v.parts; k++)
		last->part[(*parts)++] =
			(struct last_plan_part){ .row = table_find(rows, part[k].id),
						 .share = part[k].share,
						 .end = part[k].end };
}

/* Without memory none is shown. */
static void add_nodes(struct bridge *b, struct last_plan *last)
{
	struct sched_part *part;
	struct table *rows;
	size_t nodes, parts;

	if (!b->realm || !(parts = count_parts(b, &nodes)))
		return;
	rows = rows_by_id(last);
	part = calloc(parts, sizeof(*part));
	last->node = calloc(nodes, sizeof(*last->node));
	last->part = calloc(parts, sizeof(*last->part));
	parts = 0;
	if (rows && part && last->node && last->part)
		for (uint32_t i = nodeset_next(b->realm, 0); i < nodeset_size(b->realm);
		     i = nodeset_next(b->realm, i + 1))
			add_node(b, last, rows, i, part, &parts);
	table_destroy(rows);
	free(part);
}

/* ---- jobs that take turns ---- */

/* Without memory there are none. */
static void add_matrices(struct bridge *b, struct last_plan *last)
{
	const char *name = sched_name(b->core);
	struct sched_matrix m;
	char part[16];
	uint32_t n = 0;

	while (b->slices && sched_name_part(name, n, part, sizeof(part)))
		n++;
	last->matrix = n ? calloc(n, sizeof(*last->matrix)) : NULL;
	for (uint32_t i = 0; last->matrix && i < n; i++) {
		struct last_plan_matrix *to = &last->matrix[last->nmatrices];
		struct nodeset *nodes;

		if (sched_matrix(b->core, i, &m))
			continue;
		nodes = m.nodes ? nodeset_dup(m.nodes) : nodeset_create(b->nodes);
		if (!nodes)
			return;
		if (!m.nodes)
			nodeset_fill(nodes);
		*to = (struct last_plan_matrix){ .domain = m.nodes ? (int)i : -1,
						 .rows = m.rows,
						 .short_rows = m.short_rows,
						 .row = m.row,
						 .slice = m.slice,
						 .slice_end = m.slice_end,
						 .nodes = nodes };
		sched_name_part(name, i, to->scheduler, sizeof(to->scheduler));
		last->nmatrices++;
	}
}

static size_t count_rows(const struct snapshot *snap)
{
	size_t n = 0;

	for (size_t i = 0; i < snap->njobs; i++)
		n += snap->jobs[i].tasks ? snap->jobs[i].ntasks : 1;
	return n;
}

struct last_plan *last_plan_make(struct bridge *b, struct snapshot *snap)
{
	struct last_plan *last = calloc(1, sizeof(*last));

	if (last)
		last->rows = calloc(count_rows(snap) + 1, sizeof(*last->rows));
	if (!last || !last->rows) {
		free(last);
		return NULL;
	}
	for (size_t i = 0; i < snap->njobs; i++) {
		const struct snap_job *j = &snap->jobs[i];

		if (j->state != SNAP_PENDING && j->state != SNAP_RUNNING)
			continue;
		if (!j->tasks)
			add_row(b, last, j, j->task);
		for (uint32_t t = 0; j->tasks && t < j->ntasks; t++)
			add_row(b, last, j, j->tasks[t]);
	}
	add_nodes(b, last);
	add_matrices(b, last);
	last->slice = b->conf->sched.slice;
	last->slicing = b->slicing;
	last->refs = 1;
	last->passes = ++passes;
	last->own = partitions_copy(b->conf->own, b->conf->nown, &last->nown);
	last->silent = b->silent ? nodeset_dup(b->silent) : NULL;
	last->guard = b->conf->sched.guard;
	last->lateness = b->conf->sched.lateness;
	last->learns = conf_learns(b->conf);
	last->risk_limit = b->conf->sched.risk_limit;
	last->learned = b->nlessons + b->nlearned;
	last->mode = b->conf->sched.mode;
	last->observe = b->conf->observe;
	last->safe = !bridge_unsafe(b);
	snprintf(last->unsafe, sizeof(last->unsafe), "%s", last->safe ? "" : bridge_unsafe(b));
	last->tally = b->tally;
	tally_open(b, &last->open, &last->risk);
	running_policy_look(b, &last->policy);
	return last;
}

/* The names of the nodes of this snapshot's table. */
static char **take_names(const struct snapshot *snap)
{
	static const slurmctld_lock_t read_nodes = { .node = READ_LOCK };
	char **names = calloc(snap->nodes + 1, sizeof(*names));
	struct metered metered;
	bool ok = names;

	if (!ok)
		return NULL;
	metered_take(&metered, &read_nodes);
	ok = (uint32_t)node_record_count == snap->nodes;
	for (uint32_t i = 0; ok && i < snap->nodes; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		names[i] = strdup(node && node->name ? node->name : "");
		ok = names[i];
	}
	metered_give(&metered);
	if (ok)
		return names;
	names_free(names, snap->nodes);
	return NULL;
}

/* As long as the table stays the same, so do the names. */
static char **copy_names(const struct last_plan *from)
{
	char **names = calloc(from->snap->nodes + 1, sizeof(*names));
	bool ok = names;

	for (uint32_t i = 0; ok && i < from->snap->nodes; i++) {
		names[i] = strdup(from->names[i]);
		ok = names[i];
	}
	if (ok)
		return names;
	names_free(names, from->snap->nodes);
	return NULL;
}

void last_plan_show(struct last_plan *last, struct snapshot *snap)
{
	struct last_plan *old;

	if (!last) {
		snapshot_destroy(snap);
		return;
	}
	last->snap = snap;
	/* Only this thread puts one up: it cannot go meanwhile. */
	if (up && up->names && up->snap->names == snap->names && up->snap->nodes == snap->nodes)
		last->names = copy_names(up);
	else
		last->names = take_names(snap);
	pthread_mutex_lock(&lock);
	old = up;
	up = last;
	pthread_mutex_unlock(&lock);
	last_plan_put(old);
}

struct last_plan *last_plan_get(void)
{
	struct last_plan *last;

	pthread_mutex_lock(&lock);
	last = up;
	if (last)
		last->refs++;
	pthread_mutex_unlock(&lock);
	return last;
}

void last_plan_put(struct last_plan *last)
{
	if (last && --last->refs == 0)
		last_plan_destroy(last);
}

void last_plan_clear(void)
{
	struct last_plan *old;

	pthread_mutex_lock(&lock);
	old = up;
	up = NULL;
	pthread_mutex_unlock(&lock);
	last_plan_put(old);
}

const char *last_plan_none(void)
{
	if (builds_unfit())
		return builds_unfit();
	return safety_scheduling() ? "there is no plan yet"
				   : "there is no plan: " SAFETY_SWITCHED_OFF;
}

char *last_plan_nodes(const struct last_plan *last, const struct nodeset *nodes)
{
	char *text, *copy = NULL;
	hostlist_t *list;

	if (!last->names || !nodes || nodeset_size(nodes) != last->snap->nodes)
		return NULL;
	list = hostlist_create(NULL);
	if (!list)
		return NULL;
	for (uint32_t i = nodeset_next(nodes, 0); i < last->snap->nodes;
	     i = nodeset_next(nodes, i + 1))
		hostlist_push_host(list, last->names[i]);
	text = hostlist_ranged_string_xmalloc(list);
	if (text)
		copy = strdup(text);
	xfree(text);
	hostlist_destroy(list);
	return copy;
}

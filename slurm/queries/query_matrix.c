/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query_matrix.c - the matrix of jobs that take turns: which job has which nodes in which row
 */
#include "slurm/base/compat.h"

#include "slurm/queries/query_row.h"
#include "slurm/snapshot/access.h"

struct showing {
	struct query *q;
	struct last_plan *last;
	struct access access;
	struct partitions parts;
	const char *only; /* the partition that is asked for; NULL: all */
	size_t shown;
};

/* ---- partitions ---- */

static bool may_see(const struct access *access, const char *partition)
{
	bool sees = access->all;

	for (size_t i = 0; !sees && access->parts && access->parts[i]; i++)
		sees = !strcmp(access->parts[i], partition);
	return sees;
}

/* Do its jobs take turns in this matrix? */
static bool is_of(const struct showing *s, const struct partition *part,
		  const struct last_plan_matrix *m)
{
	const struct own_scheduler *own = partitions_own(s->last->own, s->last->nown, part->name);

	return own && partitions_slices(own) && may_see(&s->access, part->name) &&
	       nodeset_size(part->nodes) == nodeset_size(m->nodes) &&
	       nodeset_overlap(part->nodes, m->nodes);
}

/* The partitions that the user may see, those whose nodes are its. RET is it asked for? */
static bool name_partitions(const struct showing *s, const struct last_plan_matrix *m,
			    json_object *list)
{
	bool asked = false;

	for (size_t i = 0; i < s->parts.n; i++) {
		const struct partition *part = &s->parts.v[i];

		if (!is_of(s, part, m))
			continue;
		json_object_array_add(list, json_object_new_string(part->name));
		asked |= !s->only || !strcmp(s->only, part->name);
	}
	return asked;
}

/* ---- jobs ---- */

static json_object *ranges_of(const struct last_plan *last, const struct last_plan_row *row)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < row->ranges; i++) {
		const struct last_plan_range *r = &last->range[row->first + i];
		json_object *pair = json_object_new_array();

		json_object_array_add(pair, json_object_new_int64(r->first));
		json_object_array_add(pair, json_object_new_int64(r->last));
		json_object_array_add(list, pair);
	}
	return list;
}

static void add_job(const struct showing *s, json_object *list, const struct last_plan_row *row)
{
	json_object *job = query_row(s->last, &s->access, row, NULL);

	if (row->job->state != SNAP_RUNNING)
		wire_add(job, "ranges", ranges_of(s->last, row));
	else if (row->view.turns.leaves)
		wire_add(job, "next_ranges", ranges_of(s->last, row));
	json_object_array_add(list, job);
}

/* Of a job that the user may not see its nodes count all the same. */
static void take_nodes(const struct last_plan *last, const struct last_plan_row *row,
		       struct nodeset *of_row)
{
	if (row->job->state == SNAP_RUNNING) {
		nodeset_or(of_row, row->job->nodes);
		return;
	}
	for (size_t i = 0; i < row->ranges; i++)
		for (uint32_t n = last->range[row->first + i].first;
		     n <= last->range[row->first + i].last; n++)
			nodeset_set(of_row, n);
}

/* Row by row, what jobs have that the user may not see, as one. */
static json_object *others(const struct showing *s, const struct last_plan_matrix *m)
{
	json_object *list = json_object_new_array();
	struct nodeset *nodes = nodeset_create(s->last->snap->nodes);

	for (uint32_t r = 0; nodes && r < m->rows; r++) {
		json_object *one;

		nodeset_clear(nodes);
		for (size_t i = 0; i < s->last->nrows; i++) {
			const struct last_plan_row *row = &s->last->rows[i];

			if (query_in_matrix(row, m) && (row->view.turns.in >> r & 1) &&
			    !access_job(&s->access, row->job))
				take_nodes(s->last, row, nodes);
		}
		if (nodeset_empty(nodes))
			continue;
		one = json_object_new_object();
		wire_add_number(one, "row", r);
		wire_add(one, "ranges", query_ranges(nodes));
		json_object_array_add(list, one);
	}
	nodeset_destroy(nodes);
	return list;
}

static void add_jobs(const struct showing *s, json_object *to, const struct last_plan_matrix *m)
{
	json_object *list = json_object_new_array();
	size_t hidden = 0;

	for (size_t i = 0; i < s->last->nrows; i++) {
		const struct last_plan_row *row = &s->last->rows[i];

		if (!query_in_matrix(row, m))
			continue;
		if (access_job(&s->access, row->job))
			add_job(s, list, row);
		else
			hidden++;
	}
	wire_add(to, "jobs", list);
	wire_add_number(to, "hidden", (int64_t)hidden);
	if (hidden)
		wire_add(to, "others", others(s, m));
}

/* ---- matrices ---- */

static void add_names(const struct showing *s, json_object *to, const struct last_plan_matrix *m)
{
	json_object *list = json_object_new_array();
	uint32_t n = nodeset_size(m->nodes);

	for (uint32_t i = nodeset_next(m->nodes, 0); i < n; i = nodeset_next(m->nodes, i + 1))
		json_object_array_add(list, json_object_new_string(s->last->names[i]));
	wire_add(to, "names", list);
}

static void add_matrix(struct showing *s, json_object *to, const struct last_plan_matrix *m,
		       json_object *partitions)
{
	wire_add(to, "partitions", partitions);
	wire_add_text(to, "scheduler", m->scheduler);
	wire_add_number(to, "nodes", nodeset_count(m->nodes));
	wire_add(to, "ranges", query_ranges(m->nodes));
	if (s->last->names && !s->access.nodes_private)
		add_names(s, to, m);
	if (m->short_rows)
		wire_add_number(to, "short_rows", m->short_rows);
	if (m->row >= 0) {
		wire_add_number(to, "row", m->row);
		wire_add_number(to, "slice", m->slice);
	}
	if (m->row >= 0 && m->slice_end < PACT_FOREVER)
		wire_add_number(to, "slice_end", m->slice_end);
	query_matrix_counts(to, s->last, m);
	add_jobs(s, to, m);
}

static const char *show(struct showing *s)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < s->last->nmatrices; i++) {
		json_object *partitions = json_object_new_array(), *one;

		if (!name_partitions(s, &s->last->matrix[i], partitions)) {
			json_object_put(partitions);
			continue;
		}
		one = json_object_new_object();
		add_matrix(s, one, &s->last->matrix[i], partitions);
		json_object_array_add(list, one);
		s->shown++;
	}
	wire_add_number(s->q->answer, "now", time(NULL));
	wire_add_number(s->q->answer, "at", s->last->snap->now);
	wire_add_number(s->q->answer, "slice_length", s->last->slice);
	wire_add(s->q->answer, "matrices", list);
	if (s->shown)
		return NULL;
	if (s->only)
		snprintf(s->q->why, sizeof(s->q->why),
			 "partition %.64s: its jobs take no turns, or it is not for you to see",
			 s->only);
	else
		snprintf(s->q->why, sizeof(s->q->why),
			 "in no partition jobs take turns (Gang= in pact.conf(5))");
	return WIRE_NOT_FOUND;
}

const char *query_matrix(struct query *q)
{
	static const slurmctld_lock_t read = { READ_LOCK, NO_LOCK, READ_LOCK, READ_LOCK, NO_LOCK };
	static const char *const keys[] = { "partition", NULL };
	struct showing s = { .q = q };
	const char *code = WIRE_BUSY;

	if (!wire_args_known(q->args, keys, q->why) ||
	    !wire_arg_text(q->args, "partition", 1024, &s.only, q->why))
		return WIRE_ARGUMENT;
	s.last = last_plan_get();
	if (!s.last) {
		snprintf(q->why, sizeof(q->why), "%s", last_plan_none());
		return WIRE_BUSY;
	}
	lock_slurmctld(read);
	partitions_look(&s.parts);
	unlock_slurmctld(read);
	if (s.parts.known && access_open(&s.access, q->uid))
		code = show(&s);
	else
		snprintf(q->why, sizeof(q->why), "out of memory");
	access_close(&s.access);
	partitions_free(&s.parts);
	last_plan_put(s.last);
	return code;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gang: the engine of jobs that take turns; see gang.h. Its life. */
#include "core/gang/gang.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/gang/state.h"

const struct gang_kind gang_gs = { .name = "gs" };
const struct gang_kind gang_bgs = { .name = "bgs", .backfills = true, .keeps = true };
const struct gang_kind gang_mgs = { .name = "mgs", .migrates = true };
const struct gang_kind gang_mbgs = {
	.name = "mbgs", .backfills = true, .migrates = true, .keeps = true
};
const struct gang_kind gang_ambgs = {
	.name = "ambgs", .backfills = true, .migrates = true, .stays = true
};
const struct gang_kind gang_bf = { .name = "bf", .backfills = true, .one_row = true };

static void capacity_destroy(struct profile **capacity, uint32_t rows)
{
	for (uint32_t r = 0; capacity && r < rows; r++)
		profile_destroy(capacity[r]);
	free(capacity);
}

static void gang_destroy(void *own)
{
	struct gang *s = own;
	struct job *j;

	if (!s)
		return;
	for (size_t i = 0; s->jobs && (j = table_next(s->jobs, &i));)
		gang_job_destroy(j);
	table_destroy(s->jobs);
	held_destroy(s->holds);
	walk_release(&s->walk);
	fares_destroy(s->fares);
	capacity_destroy(s->capacity,
			 s->matrix ? matrix_rows(s->matrix) : rows_of(s->kind, &s->config));
	profile_destroy(s->empty);
	matrix_destroy(s->matrix);
	nodeset_destroy(s->busy);
	nodeset_destroy(s->twice);
	nodeset_destroy(s->leaving);
	nodeset_destroy(s->to_leave);
	nodeset_destroy(s->closed);
	nodeset_destroy(s->columns);
	nodeset_destroy(s->promised);
	free(s->queue);
	free(s->list);
	free(s->rank);
	free(s->turn);
	decided_release(&s->decided);
	free(s->order);
	free(s->held);
	free(s->edge);
	free(s->change);
	free(s->change_scratch);
	free(s);
}

/* Of that many rows; NULL: no memory, or none is needed (`backfills` false). */
static struct profile **capacity_create(uint32_t nodes, uint32_t rows, bool backfills)
{
	struct profile **capacity = backfills ? calloc(rows, sizeof(*capacity)) : NULL;

	for (uint32_t r = 0; capacity && r < rows; r++) {
		capacity[r] = profile_create(0, (int32_t)nodes);
		if (!capacity[r]) {
			capacity_destroy(capacity, rows);
			return NULL;
		}
	}
	return capacity;
}

static bool make_parts(struct gang *s)
{
	uint32_t rows = rows_of(s->kind, &s->config);

	s->matrix = matrix_create(s->nodes, rows);
	s->capacity = capacity_create(s->nodes, rows, s->kind->backfills);
	s->empty = profile_create(0, (int32_t)s->nodes);
	s->jobs = table_create();
	s->holds = table_create();
	s->fares = fares_create();
	s->busy = nodeset_create(s->nodes);
	s->twice = nodeset_create(s->nodes);
	s->leaving = nodeset_create(s->nodes);
	s->to_leave = nodeset_create(s->nodes);
	s->closed = nodeset_create(s->nodes);
	s->columns = nodeset_create(s->nodes);
	s->promised = nodeset_create(s->nodes);
	s->order = calloc(MATRIX_ROWS, sizeof(*s->order));
	s->held = calloc(s->nodes, sizeof(*s->held));
	return s->matrix && (s->capacity || !s->kind->backfills) && s->empty && s->jobs &&
	       s->holds && s->fares && s->busy && s->twice && s->leaving && s->to_leave &&
	       s->closed && s->columns && s->promised && s->order && s->held &&
	       gang_room(s, 8) == 0;
}

static void *gang_create(const void *kind, uint32_t nodes, const struct sched_config *config,
			 char *why, size_t why_size)
{
	struct gang *s = calloc(1, sizeof(*s));

	if (s) {
		s->kind = kind;
		s->config = *config;
		s->nodes = nodes;
		s->slice = s->passed_at = s->settled_at = -1;
		s->told = true;
	}
	if (s && make_parts(s))
		return s;
	if (why)
		snprintf(why, why_size, "out of memory");
	gang_destroy(s);
	return NULL;
}

/* ---- other settings ---- */

/* All jobs leave the matrix; those that have started wait aside for a row, the others in the queue. */
static void empty_matrix(struct gang *s)
{
	while (matrix_jobs(s->matrix)) {
		struct job *j = job_of(matrix_job(s->matrix, 0));

		matrix_remove(s->matrix, &j->in);
		j->in.rows = 0;
		job_refund(s, j);
		j->in.moved = false;
		if (j->start < 0) {
			gang_enqueue(s, j);
			continue;
		}
		job_set_aside(s, j, true);
	}
	for (size_t i = 0; i < s->queue_n; i++)
		s->queue[i]->reserved_row = -1;
}

/* Another matrix, with nothing in it. 0 or -1: no memory, and it is the old one. */
static int change_rows(struct gang *s, uint32_t rows)
{
	struct matrix *m = matrix_create(s->nodes, rows);
	size_t n;
	struct profile **capacity = capacity_create(s->nodes, rows, s->kind->backfills);

	if (!m || (!capacity && s->kind->backfills) ||
	    matrix_reserve(m, table_count(s->jobs) + 1) < 0) {
		matrix_destroy(m);
		capacity_destroy(capacity, rows);
		return -1;
	}
	matrix_copy_nodes(m, s->matrix);
	empty_matrix(s);
	capacity_destroy(s->capacity, matrix_rows(s->matrix));
	matrix_destroy(s->matrix);
	s->matrix = m;
	n = list_aside(s);
	for (size_t i = 0; i < n; i++)
		matrix_bear(m, &s->list[i]->in, s->list[i]->at, 1);
	s->capacity = capacity;
	s->slicing = false;
	return 0;
}

static void count_left(struct gang *s)
{
	for (size_t i = 0; i < matrix_jobs(s->matrix); i++)
		job_count_left(s, job_of(matrix_job(s->matrix, i)));
}

/* By other slices a job has another bound, counted from now. */
static void bind_anew(struct gang *s)
{
	size_t n = list_aside(s);

	for (size_t i = 0; i < n; i++)
		job_bind(s, s->list[i]);
	for (size_t i = 0; i < matrix_jobs(s->matrix); i++)
		job_bind(s, job_of(matrix_job(s->matrix, i)));
}

/* The slice under way is not longer than others are now. */
static void shorten_slice(struct gang *s)
{
	int64_t end = s->slice_start + s->config.slice;

	end = end > s->now ? end : s->now;
	if (s->slicing && s->slice_end > end)
		s->slice_end = end;
}

/* Another Q counts in the slice under way, less what is used up of it. */
static void change_quota(struct gang *s, int64_t quota)
{
	int64_t used = s->config.migration_quota - s->quota;

	s->quota = quota > used ? quota - used : 0;
}

static int gang_configure(void *own, const void *kind, const struct sched_config *config, char *why,
			  size_t why_size)
{
	struct gang *s = own;
	bool same = kind == s->kind, moves = same && moves_bounds(s, config);

	if (moves)
		count_left(s);
	if (same && rows_of(kind, config) != matrix_rows(s->matrix) &&
	    change_rows(s, rows_of(kind, config)) < 0) {
		if (why)
			snprintf(why, why_size, "out of memory");
		return PACT_ENOMEM;
	}
	if (!same) {
		if (why)
			snprintf(why, why_size, "another scheduler");
		return PACT_EINVAL;
	}
	change_quota(s, config->migration_quota);
	s->config = *config;
	if (moves)
		bind_anew(s);
	shorten_slice(s);
	/* by priority, or not any more: each place is not behind where it was read */
	for (size_t i = 0, n = s->queue_n; i < n; i++) {
		s->queue_n = i;
		gang_enqueue(s, s->queue[i]);
	}
	s->due = true;
	s->told = s->settling = s->over = false;
	return PACT_OK;
}

static const char *gang_error(const void *own)
{
	return ((const struct gang *)own)->call.error;
}

/* No answer depends on the budget. */
static int64_t gang_spent(const void *own)
{
	(void)own;
	return 0;
}

static size_t gang_bytes(const void *own)
{
	const struct gang *s = own;
	size_t set = s->nodes / 8 + 16;
	size_t bytes = sizeof(*s) + table_bytes(s->jobs) + table_bytes(s->holds) +
		       walk_bytes(&s->walk) + fares_bytes(s->fares) + matrix_bytes(s->matrix) +
		       7 * set + s->nodes * sizeof(*s->held) + s->edge_room * sizeof(*s->edge) +
		       profile_bytes(s->empty);

	bytes += table_count(s->jobs) * (sizeof(struct job) + 2 * set);
	bytes += table_count(s->holds) * (sizeof(struct held) + set);
	for (uint32_t r = 0; s->capacity && r < matrix_rows(s->matrix); r++)
		bytes += profile_bytes(s->capacity[r]);
	bytes += (s->queue_room + s->list_room) * sizeof(*s->queue) +
		 s->list_room * sizeof(*s->rank) + s->turn_room * sizeof(*s->turn) +
		 decided_bytes(&s->decided) + 2 * s->change_room * sizeof(*s->change) +
		 MATRIX_ROWS * sizeof(*s->order);
	return bytes;
}

const struct engine engine_gang = {
	.name = "gang",
	.by_number = true,
	.turns = true,
	.create = gang_create,
	.destroy = gang_destroy,
	.configure = gang_configure,
	.event = gang_event,
	.next = gang_next,
	.poll = gang_poll,
	.ask = gang_ask,
	.ask_change = gang_ask_change,
	.view = gang_view,
	.why = gang_why,
	.waiting = gang_waiting,
	.view_waiting = gang_view_waiting,
	.claims = gang_claims,
	.claim = gang_claim,
	.matrix = gang_matrix,
	.matrix_place = gang_matrix_place,
	.lack = gang_lack,
	.save = gang_save,
	.form = gang_form,
	.load = gang_load,
	.error = gang_error,
	.spent = gang_spent,
	.bytes = gang_bytes,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view: what the two engines show of their jobs, as one. */
#include <stdlib.h>

#include "core/base/array.h"
#include "core/beside/state.h"

static uint64_t all_rows(uint32_t rows)
{
	return rows < 64 ? (UINT64_C(1) << rows) - 1 : UINT64_MAX;
}

/* The plan's job has its nodes in every row as long as it runs, and is in none before. */
static void view_whole(const struct beside *s, struct sched_view *v)
{
	const struct side *x = &s->side[TURNS];
	struct sched_matrix m;

	if (!x->engine->matrix || x->engine->matrix(x->own, &m) != PACT_OK)
		return;
	v->turns = (struct sched_turns){ .rows = m.rows,
					 .whole = true,
					 .in = v->running ? all_rows(m.rows) : 0,
					 .next = v->running ? s->now : PACT_FOREVER };
}

/* One that is to start where others are set aside. */
static int view_apart(const struct beside *s, const struct member *m, struct sched_view *v)
{
	*v = (struct sched_view){
		.id = m->id,
		.submit = m->terms->job.submit,
		.start = m->from,
		.end = m->to,
		.deadline = m->terms->job.deadline,
		.width = m->terms->job.width,
		.promised = true,
		.unconfirmed = m->terms->job.flags & JOB_UNCONFIRMED,
	};
	view_whole(s, v);
	return PACT_OK;
}

/* By when what takes turns is to end, wherever others are set before it. */
static void show_due(const struct beside *s, const struct member *m, struct sched_view *v)
{
	if (s->config.aside)
		v->artificial = m->due;
}

int beside_view(const void *own, uint64_t id, struct sched_view *v)
{
	const struct beside *s = own;
	const struct member *m = beside_find(s, id);
	const struct side *x = m ? &s->side[member_side(m)] : NULL;
	int rc = x ? x->engine->view(x->own, id, v) : PACT_ENOENT;

	if (m && m->terms)
		return view_apart(s, m, v);
	/* one that ran before the driver came up is no turns' job, either: it has its nodes in every row */
	if (rc == PACT_OK && m->in != BIT(TURNS))
		view_whole(s, v);
	if (rc == PACT_OK && m->in == BIT(TURNS))
		show_due(s, m, v);
	return rc;
}

enum sched_wait beside_why(const void *own, uint64_t id)
{
	const struct beside *s = own;
	const struct member *m = beside_find(s, id);
	const struct side *x = m ? &s->side[member_side(m)] : NULL;

	if (m && m->terms)
		return m->failed ? WAIT_FAILED : WAIT_NONE;
	return x ? x->engine->why(x->own, id) : WAIT_NONE;
}

enum sched_lack beside_lack(void *own, uint64_t id)
{
	const struct beside *s = own;
	const struct member *m = beside_find(s, id);
	const struct side *x = m ? &s->side[member_side(m)] : NULL;

	return x && x->engine->lack ? x->engine->lack(x->own, id) : LACK_NONE;
}

/* By planned start, then submission, then id: as either has its own ones. */
static int compare(const void *a, const void *b)
{
	const struct waiting_at *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->submit != y->submit)
		return x->submit < y->submit ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static bool list_side(struct beside *s, int side, size_t n)
{
	const struct side *x = &s->side[side];
	struct sched_view v;

	if (n && array_grow(&s->waiting, s->waiting_n + n, sizeof(*s->waiting)) < 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (x->engine->view_waiting(x->own, i, &v) == PACT_OK)
			s->waiting[s->waiting_n++] =
				(struct waiting_at){ v.start, v.submit, v.id, side, i };
	}
	return true;
}

static bool list_aparts(struct beside *s)
{
	const struct member *m;

	if (s->apart_n &&
	    array_grow(&s->waiting, s->waiting_n + s->apart_n, sizeof(*s->waiting)) < 0)
		return false;
	for (size_t i = 0; s->apart_n && (m = table_next(s->members, &i));) {
		if (m->terms)
			s->waiting[s->waiting_n++] =
				(struct waiting_at){ m->from, m->terms->job.submit, m->id, SIDES,
						     0 };
	}
	return true;
}

size_t beside_waiting(void *own)
{
	struct beside *s = own;
	size_t planned = s->promised ? s->side[PLAN].engine->waiting(s->side[PLAN].own) : 0;

	s->waiting_n = 0;
	if (list_side(s, TURNS, s->side[TURNS].engine->waiting(s->side[TURNS].own)) &&
	    list_side(s, PLAN, planned) && list_aparts(s) && (planned || s->apart_n))
		qsort(s->waiting, s->waiting_n, sizeof(*s->waiting), compare);
	return s->waiting_n;
}

int beside_view_waiting(const void *own, size_t i, struct sched_view *v)
{
	const struct beside *s = own;
	const struct side *x;

	if (i >= s->waiting_n)
		return PACT_ENOENT;
	if (s->waiting[i].side == SIDES || (s->waiting[i].side == TURNS && s->config.aside))
		return beside_view(s, s->waiting[i].id, v);
	x = &s->side[s->waiting[i].side];
	return x->engine->view_waiting(x->own, s->waiting[i].at, v);
}

/* ---- the matrix ---- */

/* Does it run there, and takes no turns? NULL: it does not, or it is no job (lost nodes, say). */
static const struct nodeset *whole_nodes(const struct beside *s, const struct member *m)
{
	const struct side *x = &s->side[TURNS];
	struct sched_view v;

	if (m->in == BIT(PLAN))
		return m->waiting ? NULL : m->told;
	if (m->in == BIT(TURNS) || !m->at || x->engine->view(x->own, m->id, &v) != PACT_OK)
		return NULL;
	return m->at;
}

/*
 * The i-th job that runs in every row, though the turns know a hold only: a promised one, or one that ran before the driver
 * came up. NULL: there are not so many.
 */
static const struct member *whole_running(const struct beside *s, size_t i)
{
	const struct member *m;

	for (size_t k = 0; (m = table_next(s->members, &k));) {
		if (whole_nodes(s, m) && i-- == 0)
			return m;
	}
	return NULL;
}

int beside_matrix(const void *own, struct sched_matrix *m)
{
	const struct beside *s = own;
	const struct side *x = &s->side[TURNS];
	const struct member *j;
	int rc = x->engine->matrix ? x->engine->matrix(x->own, m) : PACT_ENOENT;

	for (size_t i = 0; rc == PACT_OK && (j = table_next(s->members, &i));)
		m->jobs += whole_nodes(s, j) != NULL;
	return rc;
}

int beside_matrix_place(const void *own, size_t i, struct sched_place *p)
{
	const struct beside *s = own;
	const struct side *x = &s->side[TURNS];
	const struct member *j;
	struct sched_matrix m;

	if (!x->engine->matrix || x->engine->matrix(x->own, &m) != PACT_OK)
		return PACT_ENOENT;
	if (i < m.jobs)
		return x->engine->matrix_place(x->own, i, p);
	j = whole_running(s, i - m.jobs);
	if (!j)
		return PACT_ENOENT;
	*p = (struct sched_place){ .id = j->id,
				   .rows = all_rows(m.rows),
				   .whole = true,
				   .started = true,
				   .nodes = whole_nodes(s, j) };
	return PACT_OK;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * save: the state told in records (kernel/retell.h), and taken in again: `gang`, then nodes that are not as they were
 * at first, holds, the jobs in the matrix in order of placement, those outside it, which pay for migrations that are to come,
 * and the order in each row.
 */
#include <stdlib.h>

#include "core/gang/state.h"

struct told_gang {
	int64_t now, slice, slice_start, slice_end, quota, passed_at, settled_at;
	bool slicing, due, later, advanced, cut, unsettled, told;
};

struct told_node {
	uint32_t node, height;
	int64_t memory;
};

struct told_hold {
	uint64_t id;
	int64_t start, end;
	const struct nodeset *nodes;
	bool block;
};

struct told_job {
	struct sched_job terms;
	int64_t start, until, bound, left, ran_until, last, owed, delay, charged, delayed;
	uint64_t rows; /* 0: not in the matrix */
	const struct nodeset *columns, *at;
	uint32_t home, chosen;
	int32_t reserved_row;
	int64_t reserved_from;
	int64_t yields_until, rest, foreseen; /* the first: 0, it does not yield */
	int64_t done, runs_since, retry;
	uint32_t fails;
	bool runs, stopped, aside, failed, promised, broken, moved, leaving;
};

struct told_fare {
	uint64_t payer, mover, group;
	int64_t cost;
	bool leaves, left; /* it has, and is not known any more */
};

struct told_row {
	uint32_t row;
	struct list64 jobs;
};

#define F(type, member, kind) RECORD_FIELD(type, member, FIELD_##kind)

static const struct field gang_fields[] = {
	F(told_gang, now, I64),	       F(told_gang, slice, I64),     F(told_gang, slice_start, I64),
	F(told_gang, slice_end, I64),  F(told_gang, quota, I64),     F(told_gang, passed_at, I64),
	F(told_gang, settled_at, I64), F(told_gang, slicing, BOOL),  F(told_gang, due, BOOL),
	F(told_gang, later, BOOL),     F(told_gang, advanced, BOOL), F(told_gang, cut, BOOL),
	F(told_gang, unsettled, BOOL), F(told_gang, told, BOOL),     RECORD_END,
};

static const struct field node_fields[] = {
	F(told_node, node, U32),
	F(told_node, height, U32),
	F(told_node, memory, I64),
	RECORD_END,
};

static const struct field hold_fields[] = {
	F(told_hold, id, ID),	    F(told_hold, start, I64),  F(told_hold, end, I64),
	F(told_hold, nodes, NODES), F(told_hold, block, BOOL), RECORD_END,
};

static const struct field job_fields[] = {
	{ "terms", offsetof(struct told_job, terms), FIELD_OBJECT, NULL, record_job, 0 },
	F(told_job, start, I64),
	F(told_job, until, I64),
	F(told_job, bound, I64),
	F(told_job, left, I64),
	F(told_job, ran_until, I64),
	F(told_job, last, I64),
	F(told_job, owed, I64),
	F(told_job, delay, I64),
	F(told_job, charged, I64),
	F(told_job, delayed, I64),
	F(told_job, rows, ID),
	F(told_job, columns, NODES),
	F(told_job, at, NODES),
	F(told_job, home, U32),
	F(told_job, chosen, U32),
	F(told_job, reserved_row, I32),
	F(told_job, reserved_from, I64),
	F(told_job, yields_until, I64),
	F(told_job, rest, I64),
	F(told_job, foreseen, I64),
	F(told_job, done, I64),
	F(told_job, runs_since, I64),
	F(told_job, retry, I64),
	F(told_job, fails, U32),
	F(told_job, runs, BOOL),
	F(told_job, stopped, BOOL),
	F(told_job, aside, BOOL),
	F(told_job, failed, BOOL),
	F(told_job, promised, BOOL),
	F(told_job, broken, BOOL),
	F(told_job, moved, BOOL),
	F(told_job, leaving, BOOL),
	RECORD_END,
};

static const struct field fare_fields[] = {
	F(told_fare, payer, ID),
	F(told_fare, mover, ID),
	F(told_fare, group, ID),
	F(told_fare, cost, I64),
	F(told_fare, leaves, BOOL),
	F(told_fare, left, BOOL),
	RECORD_END,
};

static const struct field row_fields[] = {
	F(told_row, row, U32),
	F(told_row, jobs, LIST64),
	RECORD_END,
};

static const struct record_form form_gang = { "gang", sizeof(struct told_gang), gang_fields,
					      false };
static const struct record_form form_node = { "gang_node", sizeof(struct told_node), node_fields,
					      false };
static const struct record_form form_hold = { "gang_hold", sizeof(struct told_hold), hold_fields,
					      false };
static const struct record_form form_job = { "gang_job", sizeof(struct told_job), job_fields,
					     false };
static const struct record_form form_fare = { "gang_fare", sizeof(struct told_fare), fare_fields,
					      false };
static const struct record_form form_row = { "gang_row", sizeof(struct told_row), row_fields,
					     false };

/* ---- telling ---- */

static void tell_job(const struct job *j, retell_fn *tell, void *arg)
{
	struct told_job t = { .terms = { .id = j->in.id,
					 .submit = j->in.submit,
					 .begin = j->begin,
					 .limit = j->limit,
					 .deadline = j->deadline,
					 .priority = j->priority,
					 .planned = -1,
					 .width = j->in.width,
					 .memory = j->in.memory,
					 .migration = j->in.cost,
					 .nalt = j->nalt,
					 .required = j->required },
			      .start = j->start,
			      .until = j->until,
			      .bound = j->bound,
			      .left = j->left,
			      .ran_until = j->ran_until,
			      .last = j->in.last,
			      .owed = j->in.owed,
			      .delay = j->in.delay,
			      .charged = j->charged,
			      .delayed = j->delayed,
			      .rows = j->in.placed ? j->in.rows : 0,
			      .columns = j->in.placed ? j->in.columns : NULL,
			      .at = j->start >= 0 ? j->at : NULL,
			      .home = j->in.home,
			      .chosen = j->chosen,
			      .reserved_row = j->reserved_row,
			      .reserved_from = j->reserved_from,
			      .yields_until = j->in.yields ? j->yields_until : 0,
			      .rest = j->in.placed ? j->rest : 0,
			      .foreseen = j->in.yields ? j->foreseen : 0,
			      .done = j->done,
			      .runs_since = j->runs ? j->runs_since : 0,
			      .retry = j->failed ? j->retry : 0,
			      .fails = j->fails,
			      .runs = j->runs,
			      .stopped = j->stopped,
			      .aside = j->aside,
			      .failed = j->failed,
			      .promised = j->promised,
			      .broken = j->broken,
			      .moved = j->in.moved,
			      .leaving = j->leaving };

	t.terms.flags = (j->flags & ~(uint32_t)(JOB_UNCONFIRMED | JOB_FIXED)) |
			(j->unconfirmed ? JOB_UNCONFIRMED : 0) | (j->in.fixed ? JOB_FIXED : 0);
	for (uint32_t i = 0; i < j->nalt; i++)
		t.terms.alt[i] = j->alt[i];
	tell(arg, &form_job, &t);
}

/* The order in a row; there is room for its jobs. */
static void tell_row(const struct gang *s, uint32_t row, int64_t *id, retell_fn *tell, void *arg)
{
	size_t n = matrix_at_home(s->matrix, row);
	struct told_row t = { row, { id, (uint32_t)n } };

	for (size_t i = 0; i < n; i++)
		id[i] = (int64_t)matrix_home_job(s->matrix, row, i)->id;
	if (n > 1)
		tell(arg, &form_row, &t);
}

static void tell_holds(const struct gang *s, retell_fn *tell, void *arg)
{
	const struct held *x;

	for (size_t i = 0; (x = table_next(s->holds, &i));)
		tell(arg, &form_hold,
		     &(struct told_hold){ x->id, x->start, x->end, x->nodes, x->block });
}

static void tell_nodes(const struct gang *s, retell_fn *tell, void *arg)
{
	for (uint32_t i = 0; i < s->nodes; i++) {
		struct told_node t = { .node = i };

		matrix_node_is(s->matrix, i, &t.height, &t.memory);
		if (t.height || t.memory)
			tell(arg, &form_node, &t);
	}
}

static void tell_fares(const struct gang *s, retell_fn *tell, void *arg)
{
	for (size_t i = 0; i < fares_count(s->fares); i++) {
		const struct fare *x = fares_at(s->fares, i);

		tell(arg, &form_fare,
		     &(struct told_fare){ .payer = x->payer->id,
					  .mover = x->mover ? x->mover->id : 0,
					  .group = x->group,
					  .cost = x->cost,
					  .leaves = x->leaves,
					  .left = !x->mover });
	}
}

int gang_save(void *own, retell_fn *tell, void *arg)
{
	struct gang *s = own;
	const struct job *j;
	int64_t *id;

	if (s->asked || s->settling || s->over || !decided_none(&s->decided))
		return PACT_EPROTO;
	if (!tell)
		return PACT_OK;
	id = malloc((matrix_jobs(s->matrix) + 1) * sizeof(*id));
	if (!id)
		return PACT_ENOMEM;
	tell(arg, &form_gang,
	     &(struct told_gang){ s->now, s->slice, s->slice_start, s->slice_end, s->quota,
				  s->passed_at, s->settled_at, s->slicing, s->due, s->later,
				  s->advanced, s->cut, s->unsettled, s->told });
	tell_nodes(s, tell, arg);
	tell_holds(s, tell, arg);
	for (size_t i = 0; i < matrix_jobs(s->matrix); i++)
		tell_job(job_of(matrix_job(s->matrix, i)), tell, arg);
	for (size_t i = 0; (j = table_next(s->jobs, &i));) {
		if (!j->in.placed)
			tell_job(j, tell, arg);
	}
	tell_fares(s, tell, arg);
	for (uint32_t r = 0; r < matrix_rows(s->matrix); r++)
		tell_row(s, r, id, tell, arg);
	free(id);
	return PACT_OK;
}

/* ---- taking in ---- */

static bool is_time(int64_t t)
{
	return t >= -1 && t <= PACT_END_OF_TIME;
}

static int load_gang(struct gang *s, const struct told_gang *t)
{
	if (!is_time(t->now) || t->now < 0 || t->slice < -1 || t->slice > PACT_END_OF_TIME ||
	    !is_time(t->slice_start) || t->slice_end < 0 || t->slice_end > 2 * PACT_END_OF_TIME ||
	    t->quota < 0 || !is_time(t->passed_at) || !is_time(t->settled_at) ||
	    (t->slicing && t->slice < 0))
		return call_retold(&s->call, PACT_EINVAL, "time is none", 0);
	s->now = t->now;
	s->slice = t->slice;
	s->slice_start = t->slice_start;
	s->slice_end = t->slice_end;
	s->quota = t->quota < s->config.migration_quota ? t->quota : s->config.migration_quota;
	s->passed_at = t->passed_at;
	s->settled_at = t->settled_at;
	s->slicing = t->slicing;
	s->due = t->due;
	s->later = t->later;
	s->advanced = t->advanced;
	s->cut = t->cut;
	s->unsettled = t->unsettled;
	s->told = t->told;
	return PACT_OK;
}

static int load_node(struct gang *s, const struct told_node *t)
{
	if (t->node >= s->nodes || t->memory < 0 || t->memory > PACT_END_OF_TIME)
		return call_retold(&s->call, PACT_EINVAL, "no node is like that", t->node);
	matrix_node(s->matrix, t->node, t->height, t->memory);
	return PACT_OK;
}

static int load_hold(struct gang *s, const struct told_hold *t)
{
	struct sched_event ev = { .type = t->block ? EV_BLOCK : EV_STARTED,
				  .id = t->id,
				  .start = t->start,
				  .end = t->end,
				  .nodes = t->nodes };
	int rc = gang_hold(s, &ev);

	return rc == PACT_OK ? rc : call_retold(&s->call, rc, "hold", t->id);
}

static bool is_set(const struct gang *s, const struct nodeset *set, int32_t width)
{
	return set && nodeset_size(set) == s->nodes && nodeset_count(set) == (uint32_t)width;
}

static bool is_sane(const struct gang *s, const struct told_job *t)
{
	uint32_t rows = matrix_rows(s->matrix);
	uint64_t all = rows < 64 ? (UINT64_C(1) << rows) - 1 : UINT64_MAX;
	bool placed = t->rows != 0, started = t->start >= 0;

	if (!gang_job_is_sane(s, &t->terms) || !is_time(t->start) || t->until < 0 || t->bound < 0 ||
	    t->left < 0 || t->charged < 0 || t->delay < 0 || t->delay > PACT_END_OF_TIME ||
	    t->charged > t->owed || t->delayed < 0 || t->delayed > t->delay ||
	    !is_time(t->ran_until) || t->last < -1 - (int64_t)MATRIX_ROWS ||
	    t->last > PACT_END_OF_TIME || t->owed < 0 || t->owed > PACT_END_OF_TIME ||
	    t->reserved_row < -1 || t->reserved_row >= (int32_t)rows || !is_time(t->reserved_from))
		return false;
	if (t->done > PACT_END_OF_TIME || t->done < -PACT_END_OF_TIME || !is_time(t->runs_since) ||
	    t->runs_since > s->now || t->retry < 0 || t->retry > 2 * PACT_END_OF_TIME ||
	    t->fails > PUT_OFF_MOST)
		return false;
	if (t->yields_until < 0 || t->rest < 0 || t->foreseen < 0 || (t->yields_until && !placed))
		return false;
	if (t->chosen >= (t->terms.nalt ? t->terms.nalt : 1) || (t->runs && !started) ||
	    (t->leaving && !(started && t->terms.flags & JOB_LEAVES)) ||
	    (started && !is_set(s, t->at, t->terms.width)))
		return false;
	if (!placed)
		return t->aside == started && !t->moved;
	return t->home < rows && !(t->terms.flags & JOB_UNCONFIRMED) && !(t->rows & ~all) &&
	       t->rows >> t->home & 1 && !t->aside && is_set(s, t->columns, t->terms.width) &&
	       (!(t->terms.flags & JOB_WHOLE) || t->rows == all);
}

static struct job *make_job(struct gang *s, const struct told_job *t)
{
	struct job *j = gang_job_make(s, &t->terms);

	if (!j)
		return NULL;
	j->start = t->start;
	j->until = t->until;
	j->bound = t->bound;
	j->left = t->left;
	j->charged = t->charged;
	j->delayed = t->delayed;
	j->ran_until = t->ran_until;
	j->chosen = t->chosen;
	j->in.eligible = j->nalt ? j->alt[t->chosen] : NULL;
	j->in.owed = t->owed;
	j->in.delay = t->delay;
	j->in.home = t->home;
	j->stopped = t->stopped;
	j->failed = t->failed;
	j->retry = t->retry;
	j->fails = t->fails;
	j->promised = t->promised;
	j->broken = t->broken;
	j->leaving = t->leaving;
	j->reserved_row = t->reserved_row;
	j->reserved_from = t->reserved_from;
	j->yields_until = t->yields_until;
	j->rest = t->rest;
	j->foreseen = t->foreseen;
	j->done = t->done;
	if (t->at)
		nodeset_copy(j->at, t->at);
	return j;
}

/* Its columns in all rows that it is in. False: they are not free. */
static bool put_back(struct gang *s, struct job *j, const struct told_job *t)
{
	if (!matrix_open(s->matrix, &j->in, t->home, t->columns))
		return false;
	matrix_place(s->matrix, &j->in, t->home, t->columns, t->last);
	j->in.moved = t->moved;
	for (uint32_t r = 0; r < matrix_rows(s->matrix); r++) {
		if (matrix_has(&j->in, r) || !(t->rows >> r & 1))
			continue;
		if (nodeset_overlap(matrix_taken(s->matrix, r), t->columns))
			return false;
		matrix_replicate(s->matrix, &j->in, r);
	}
	if (t->yields_until)
		matrix_yield(s->matrix, &j->in);
	return true;
}

static int load_job(struct gang *s, const struct told_job *t)
{
	struct job *j;

	if (!is_sane(s, t))
		return call_retold(&s->call, PACT_EINVAL, "malformed job", t->terms.id);
	if (table_find(s->jobs, t->terms.id) || table_find(s->holds, t->terms.id))
		return call_retold(&s->call, PACT_EEXIST, "id is known already", t->terms.id);
	j = gang_room(s, 1) == 0 ? make_job(s, t) : NULL;
	if (!j || table_insert(s->jobs, j->in.id, j) < 0) {
		gang_job_destroy(j);
		return call_retold(&s->call, PACT_ENOMEM, "job: out of memory", t->terms.id);
	}
	if (t->rows && !put_back(s, j, t))
		return call_retold(&s->call, PACT_EINVAL, "job is where another one is",
				   t->terms.id);
	job_set_aside(s, j, t->aside);
	if (!t->rows && j->start < 0)
		gang_enqueue(s, j);
	job_set_runs(s, j, t->runs);
	j->runs_since = t->runs_since;
	return PACT_OK;
}

/* Those that pay are told with what they owe. */
static int load_fare(struct gang *s, const struct told_fare *t)
{
	struct job *payer = table_find(s->jobs, t->payer);
	struct job *mover = t->left ? NULL : table_find(s->jobs, t->mover);
	struct fare fare = { payer ? &payer->in : NULL, mover ? &mover->in : NULL, t->cost,
			     t->group, t->leaves };

	if (!payer || (!mover && !t->left) || t->cost < 1 || t->cost > MIGRATION_MOST ||
	    t->cost > (t->leaves ? payer->in.owed + payer->in.delay : payer->in.owed))
		return call_retold(&s->call, PACT_EINVAL, "fare that no job pays", t->payer);
	if (!fares_put_back(s->fares, &fare))
		return PACT_OK;
	return call_retold(&s->call, PACT_EINVAL, "fare: out of memory, or out of order", t->payer);
}

/* In their order they become the last ones of the row. */
static int load_row(struct gang *s, const struct told_row *t)
{
	for (uint32_t i = 0; i < t->jobs.n; i++) {
		struct job *j = table_find(s->jobs, (uint64_t)t->jobs.v[i]);

		if (!j || !j->in.placed || j->in.whole || j->in.home != t->row)
			return call_retold(&s->call, PACT_EINVAL, "row of jobs that are not in it",
					   t->row);
		matrix_become_last(s->matrix, &j->in);
	}
	return PACT_OK;
}

const struct record_form *gang_form(const void *own, const char *name)
{
	static const struct record_form *const forms[] = { &form_gang, &form_node, &form_hold,
							   &form_job,  &form_fare, &form_row };
	(void)own;
	return record_form_of(forms, sizeof(forms) / sizeof(forms[0]), name);
}

int gang_load(void *own, const struct record_form *form, const void *record)
{
	struct gang *s = own;

	call_begin(&s->call);
	if (!form) {
		leavers_mark(s);
		return PACT_OK;
	}
	if (form == &form_gang)
		return load_gang(s, record);
	if (form == &form_node)
		return load_node(s, record);
	if (form == &form_hold)
		return load_hold(s, record);
	if (form == &form_job)
		return load_job(s, record);
	if (form == &form_fare)
		return load_fare(s, record);
	return load_row(s, record);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query_turns.c - what one job has of the matrix of jobs that take turns
 */
#include "slurm/base/compat.h"

#include "slurm/queries/query_row.h"

static json_object *rows_of(uint64_t in)
{
	json_object *list = json_object_new_array();

	for (int i = 0; i < 64; i++)
		if (in >> i & 1)
			json_object_array_add(list, json_object_new_int(i));
	return list;
}

/* What it got and was due; nothing before there is any time of both. */
static void add_account(json_object *to, const struct slices_account *a)
{
	if (!a->since || a->until <= a->since)
		return;
	wire_add_number(to, "since", a->since);
	wire_add_number(to, "got", slices_got(a));
	wire_add_number(to, "due", slices_due(a));
}

/* For a promised job, or because no row has its nodes free. */
static bool set_aside(const struct last_plan_row *row)
{
	return row->view.aside || row->view.turns.aside;
}

json_object *query_turns(const struct last_plan_row *row)
{
	const struct sched_turns *turns = &row->view.turns;
	const struct snap_job *j = row->job;
	bool runs = j->state == SNAP_RUNNING;
	uint32_t n = slices_rows(turns->in);
	json_object *to;

	if (!row->planned || !turns->rows)
		return NULL;
	to = json_object_new_object();
	wire_add_number(to, "of", turns->rows);
	wire_add(to, "rows", rows_of(turns->in));
	if (n && !turns->whole)
		wire_add_number(to, "home", turns->home);
	if (turns->whole)
		wire_add_bool(to, "whole", true);
	if (set_aside(row))
		wire_add_bool(to, "aside", true);
	if (row->view.aside && row->view.aside < PACT_FOREVER)
		wire_add_number(to, "aside_until", row->view.aside);
	if (turns->leaves)
		wire_add_bool(to, "leaves", true);
	wire_add_number(to, "share", (int64_t)n * 1000000 / turns->rows);
	if (n && turns->next < PACT_FOREVER && !j->by_hand)
		wire_add_number(to, "next", turns->next);
	if (runs && j->slices)
		add_account(to, &row->account);
	if (row->stopped)
		wire_add_number(to, "stopped", row->stopped);
	if (runs && j->by_hand)
		wire_add_bool(to, "by_hand", true);
	return to;
}

bool query_in_matrix(const struct last_plan_row *row, const struct last_plan_matrix *m)
{
	const struct sched_turns *turns = &row->view.turns;

	return row->planned && row->domain == m->domain && turns->rows &&
	       (turns->in || set_aside(row));
}

void query_matrix_counts(json_object *to, const struct last_plan *last,
			 const struct last_plan_matrix *m)
{
	size_t in = 0, aside = 0, waiting = 0;
	uint64_t used = 0;

	for (size_t i = 0; i < last->nrows; i++) {
		const struct last_plan_row *row = &last->rows[i];

		if (query_in_matrix(row, m)) {
			used |= row->view.turns.in;
			in += row->view.turns.in != 0;
			aside += set_aside(row);
		} else if (row->planned && row->domain == m->domain && row->view.turns.rows &&
			   row->job->state != SNAP_RUNNING) {
			waiting++;
		}
	}
	wire_add_number(to, "rows", m->rows);
	wire_add_number(to, "used", slices_rows(used));
	wire_add_number(to, "placed", (int64_t)in);
	wire_add_number(to, "aside", (int64_t)aside);
	wire_add_number(to, "waiting", (int64_t)waiting);
}

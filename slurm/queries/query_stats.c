/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query_stats.c - what was decided, what became of it, and what it cost
 */
#include "slurm/base/compat.h"

#include "slurm/state/last_plan.h"
#include "slurm/base/meter.h"
#include "slurm/base/scheduler.h"
#include "slurm/state/resizings.h"
#include "slurm/queries/query_policy.h"
#include "slurm/queries/query_row.h"

static json_object *meter_json(enum meter meter)
{
	json_object *to = json_object_new_object(), *buckets = json_object_new_array();
	struct meter_reading r;
	uint64_t sum = 0;

	meter_read(meter, &r);
	wire_add_number(to, "count", r.n);
	wire_add_number(to, "sum_us", (uint64_t)r.sum);
	wire_add_number(to, "worst_us", (uint64_t)r.worst);
	for (int i = 0; i < METER_BOUNDS; i++) {
		json_object *pair = json_object_new_array();

		sum += r.count[i];
		json_object_array_add(pair, json_object_new_int64(meter_bound(i)));
		json_object_array_add(pair, json_object_new_int64((int64_t)sum));
		json_object_array_add(buckets, pair);
	}
	wire_add(to, "buckets", buckets);
	return to;
}

static void add_tally(json_object *to, const struct tally *t, uint64_t open, uint64_t risk)
{
	json_object *why = json_object_new_object(), *left_out = json_object_new_object();

	wire_add_number(to, "accepted", t->accepted);
	wire_add_number(to, "expected", t->expected);
	wire_add_number(to, "refused", t->refused);
	wire_add_number(to, "observed", t->observed);
	for (int i = 0; i < TALLY_WHYS; i++)
		wire_add_number(why, tally_why_name((enum tally_why)i), t->why[i]);
	wire_add(to, "reasons", why);
	wire_add_number(to, "kept", t->kept);
	wire_add_number(to, "at_limit", t->at_limit);
	wire_add_number(to, "broken", t->broken);
	wire_add_number(to, "cancelled", t->cancelled);
	wire_add_number(to, "withdrawn", t->withdrawn);
	wire_add_number(to, "unknown", t->unknown);
	wire_add_number(to, "open", open);
	wire_add_number(to, "at_risk", risk);
	wire_add_number(to, "compared", t->compared);
	wire_add_number(to, "differing", t->differing);
	for (int i = 0; i < TALLY_LEFTS; i++)
		wire_add_number(left_out, tally_left_name((enum tally_left)i), t->left_out[i]);
	wire_add(to, "not_compared", left_out);
}

/* What became of jobs that were wished elsewhere. */
static json_object *migrations_json(const struct slices *s)
{
	json_object *to = json_object_new_object();

	wire_add_number(to, "asked", s->asked);
	wire_add_number(to, "moved", s->moved);
	wire_add_number(to, "late", s->late);
	wire_add_number(to, "not_asked", s->unasked);
	wire_add_number(to, "cost_sum", s->cost);
	wire_add_number(to, "cost_latest", s->latest);
	return to;
}

/* What switches and migrations came to, and each matrix as the last pass left it. */
static json_object *slices_json(const struct last_plan *last)
{
	const struct slices *s = &last->slicing;
	json_object *to = json_object_new_object(), *list = json_object_new_array();

	wire_add_number(to, "switches", s->switches);
	wire_add_number(to, "suspended", s->suspended);
	wire_add_number(to, "resumed", s->resumed);
	wire_add_number(to, "refused", s->refused);
	wire_add_number(to, "repeated", s->repeated);
	wire_add(to, "migrations", migrations_json(s));
	for (size_t i = 0; i < last->nmatrices; i++) {
		json_object *one = json_object_new_object();

		wire_add_text(one, "scheduler", last->matrix[i].scheduler);
		query_matrix_counts(one, last, &last->matrix[i]);
		json_object_array_add(list, one);
	}
	wire_add(to, "matrices", list);
	return to;
}

/* How often running jobs' nodes were changed or asked for, and how many nodes that was. */
static json_object *resizes_json(void)
{
	json_object *to = json_object_new_object();

	for (int i = 0; i < RESIZINGS; i++) {
		json_object *one = json_object_new_object();
		uint64_t times, nodes;

		resizings_read((enum resizing)i, &times, &nodes);
		wire_add_number(one, "times", times);
		if (i < RESIZING_REFUSED)
			wire_add_number(one, "nodes", nodes);
		wire_add(to, resizings_name((enum resizing)i), one);
	}
	return to;
}

const char *query_stats(struct query *q)
{
	static const char *const keys[] = { NULL };
	json_object *times;
	struct tally tally = { 0 };
	uint64_t open = 0, risk = 0;
	struct last_plan *last;

	if (!wire_args_known(q->args, keys, q->why))
		return WIRE_ARGUMENT;
	last = last_plan_get();
	wire_add_number(q->answer, "now", time(NULL));
	/* As they are now, or else as the last pass left them. */
	if (!tally_copy(bridge_get(), &tally, &open, &risk) && last) {
		tally = last->tally;
		open = last->open;
		risk = last->risk;
	}
	add_tally(q->answer, &tally, open, risk);
	wire_add_number(q->answer, "passes", last ? last->passes : 0);
	if (last && last->policy.there)
		wire_add(q->answer, "dynp", query_policy(&last->policy));
	if (last && last->nmatrices)
		wire_add(q->answer, "slices", slices_json(last));
	if (scheduler_resizes())
		wire_add(q->answer, "resizes", resizes_json());
	times = json_object_new_object();
	for (int i = 0; i < METERS; i++)
		wire_add(times, meter_name((enum meter)i), meter_json((enum meter)i));
	wire_add(q->answer, "times", times);
	last_plan_put(last);
	return NULL;
}

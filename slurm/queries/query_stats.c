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

static void add_number(json_object *to, const char *key, uint64_t value)
{
	json_object_object_add(to, key, json_object_new_int64((int64_t)value));
}

static json_object *meter_json(enum meter meter)
{
	json_object *to = json_object_new_object(), *buckets = json_object_new_array();
	struct meter_reading r;
	uint64_t sum = 0;

	meter_read(meter, &r);
	add_number(to, "count", r.n);
	add_number(to, "sum_us", (uint64_t)r.sum);
	add_number(to, "worst_us", (uint64_t)r.worst);
	for (int i = 0; i < METER_BOUNDS; i++) {
		json_object *pair = json_object_new_array();

		sum += r.count[i];
		json_object_array_add(pair, json_object_new_int64(meter_bound(i)));
		json_object_array_add(pair, json_object_new_int64((int64_t)sum));
		json_object_array_add(buckets, pair);
	}
	json_object_object_add(to, "buckets", buckets);
	return to;
}

static void add_tally(json_object *to, const struct tally *t, uint64_t open, uint64_t risk)
{
	json_object *why = json_object_new_object(), *left_out = json_object_new_object();

	add_number(to, "accepted", t->accepted);
	add_number(to, "expected", t->expected);
	add_number(to, "refused", t->refused);
	add_number(to, "observed", t->observed);
	for (int i = 0; i < TALLY_WHYS; i++)
		add_number(why, tally_why_name((enum tally_why)i), t->why[i]);
	json_object_object_add(to, "reasons", why);
	add_number(to, "kept", t->kept);
	add_number(to, "at_limit", t->at_limit);
	add_number(to, "broken", t->broken);
	add_number(to, "cancelled", t->cancelled);
	add_number(to, "withdrawn", t->withdrawn);
	add_number(to, "unknown", t->unknown);
	add_number(to, "open", open);
	add_number(to, "at_risk", risk);
	add_number(to, "compared", t->compared);
	add_number(to, "differing", t->differing);
	for (int i = 0; i < TALLY_LEFTS; i++)
		add_number(left_out, tally_left_name((enum tally_left)i), t->left_out[i]);
	json_object_object_add(to, "not_compared", left_out);
}

/* What became of jobs that were wished elsewhere. */
static json_object *migrations_json(const struct slices *s)
{
	json_object *to = json_object_new_object();

	add_number(to, "asked", s->asked);
	add_number(to, "moved", s->moved);
	add_number(to, "late", s->late);
	add_number(to, "not_asked", s->unasked);
	add_number(to, "cost_sum", s->cost);
	add_number(to, "cost_latest", s->latest);
	return to;
}

/* What switches and migrations came to, and each matrix as the last pass left it. */
static json_object *slices_json(const struct last_plan *last)
{
	const struct slices *s = &last->slicing;
	json_object *to = json_object_new_object(), *list = json_object_new_array();

	add_number(to, "switches", s->switches);
	add_number(to, "suspended", s->suspended);
	add_number(to, "resumed", s->resumed);
	add_number(to, "refused", s->refused);
	add_number(to, "repeated", s->repeated);
	json_object_object_add(to, "migrations", migrations_json(s));
	for (size_t i = 0; i < last->nmatrices; i++) {
		json_object *one = json_object_new_object();

		json_object_object_add(one, "scheduler",
				       json_object_new_string(last->matrix[i].scheduler));
		query_matrix_counts(one, last, &last->matrix[i]);
		json_object_array_add(list, one);
	}
	json_object_object_add(to, "matrices", list);
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
		add_number(one, "times", times);
		if (i < RESIZING_REFUSED)
			add_number(one, "nodes", nodes);
		json_object_object_add(to, resizings_name((enum resizing)i), one);
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
	json_object_object_add(q->answer, "now", json_object_new_int64(time(NULL)));
	/* As they are now, or else as the last pass left them. */
	if (!tally_copy(bridge_get(), &tally, &open, &risk) && last) {
		tally = last->tally;
		open = last->open;
		risk = last->risk;
	}
	add_tally(q->answer, &tally, open, risk);
	add_number(q->answer, "passes", last ? last->passes : 0);
	if (last && last->policy.there)
		json_object_object_add(q->answer, "dynp", query_policy(&last->policy));
	if (last && last->nmatrices)
		json_object_object_add(q->answer, "slices", slices_json(last));
	if (scheduler_resizes())
		json_object_object_add(q->answer, "resizes", resizes_json());
	times = json_object_new_object();
	for (int i = 0; i < METERS; i++)
		json_object_object_add(times, meter_name((enum meter)i), meter_json((enum meter)i));
	json_object_object_add(q->answer, "times", times);
	last_plan_put(last);
	return NULL;
}

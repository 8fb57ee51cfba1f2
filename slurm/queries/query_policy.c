/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query_policy.c - sched/dynp's policies: which one runs, how good the others' plans were
 */
#include "slurm/base/compat.h"

#include <math.h>

#include "slurm/queries/query_policy.h"

/* One policy of Policies=. */
static json_object *one(const struct dynp_view *v, enum dynp_order order)
{
	json_object *to = json_object_new_object();

	wire_add_text(to, "name", dynp_order_name(order));
	wire_add_number(to, "switches", v->switches[order]);
	wire_add_number(to, "started", v->started[order]);
	if (!v->compared[order])
		return to;
	wire_add_bool(to, "keeps_promises", v->eligible[order]);
	if (isfinite(v->quality[order]))
		wire_add(to, "quality", json_object_new_double(v->quality[order]));
	return to;
}

json_object *query_policy(const struct running_policy_view *view)
{
	json_object *to = json_object_new_object(), *list = json_object_new_array();
	json_object *cases = json_object_new_object();
	const struct dynp_config *c = &view->config;
	const struct dynp_view *v = &view->now;
	char measure[96];

	running_policy_measure(c, measure, sizeof(measure));
	wire_add_text(to, "running", dynp_order_name(v->running));
	wire_add_text(to, "decider", dynp_decider_name(c->decider));
	wire_add_text(to, "measure", measure);
	for (uint32_t i = 0; i < c->npolicies; i++)
		json_object_array_add(list, one(v, c->policy[i]));
	wire_add(to, "policies", list);
	wire_add_number(to, "steps", v->steps);
	wire_add_number(to, "many", v->many);
	wire_add_number(to, "kept", v->kept);
	wire_add_number(to, "blocked", v->blocked);
	wire_add_number(to, "differed", v->differed);
	for (int i = 0; i < DYNP_CASES; i++)
		wire_add_number(cases, dynp_case_name(i), v->cases[i]);
	wire_add(to, "cases", cases);
	return to;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query_policy.c - sched/dynp's policies: which one runs, how good the others' plans were
 */
#include "slurm/base/compat.h"

#include <math.h>

#include "slurm/queries/query_policy.h"

static void add(json_object *to, const char *key, json_object *value)
{
	json_object_object_add(to, key, value);
}

static void add_number(json_object *to, const char *key, uint64_t value)
{
	add(to, key, json_object_new_int64((int64_t)value));
}

/* One policy of Policies=. */
static json_object *one(const struct dynp_view *v, enum dynp_order order)
{
	json_object *to = json_object_new_object();

	add(to, "name", json_object_new_string(dynp_order_name(order)));
	add_number(to, "switches", v->switches[order]);
	add_number(to, "started", v->started[order]);
	if (!v->compared[order])
		return to;
	add(to, "keeps_promises", json_object_new_boolean(v->eligible[order]));
	if (isfinite(v->quality[order]))
		add(to, "quality", json_object_new_double(v->quality[order]));
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
	add(to, "running", json_object_new_string(dynp_order_name(v->running)));
	add(to, "decider", json_object_new_string(dynp_decider_name(c->decider)));
	add(to, "measure", json_object_new_string(measure));
	for (uint32_t i = 0; i < c->npolicies; i++)
		json_object_array_add(list, one(v, c->policy[i]));
	add(to, "policies", list);
	add_number(to, "steps", v->steps);
	add_number(to, "many", v->many);
	add_number(to, "kept", v->kept);
	add_number(to, "blocked", v->blocked);
	add_number(to, "differed", v->differed);
	for (int i = 0; i < DYNP_CASES; i++)
		add_number(cases, dynp_case_name(i), v->cases[i]);
	add(to, "cases", cases);
	return to;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query_status.c - is there a plan, and can anything be promised?
 */
#include "slurm/base/compat.h"

#include "slurm/config/builds.h"
#include "slurm/state/last_plan.h"
#include "slurm/config/faults.h"
#include "slurm/history/history.h"
#include "slurm/queries/query.h"
#include "slurm/base/scheduler.h"

/* Where decisions and outcomes are kept, and whether they are. */
static void add_history(json_object *to)
{
	json_object *history;
	struct history_status now;

	history_look(&now);
	if (!now.on)
		return;
	history = json_object_new_object();
	wire_add_text(history, "file", now.file);
	wire_add_number(history, "bytes", now.bytes);
	wire_add_number(history, "written", (int64_t)now.written);
	wire_add_number(history, "lost", (int64_t)now.lost);
	if (now.trouble[0])
		wire_add_text(history, "trouble", now.trouble);
	wire_add(to, "history", history);
}

static void add_unknown(json_object *to, const struct faults *faults)
{
	json_object *unknown = json_object_new_array();

	for (size_t i = 0; i < faults->nunknown; i++) {
		json_object *one = json_object_new_object();

		wire_add_text(one, "key", faults->unknown[i].key);
		wire_add_text(one, "name", faults->unknown[i].name);
		wire_add_text(one, "why", faults->unknown[i].why);
		json_object_array_add(unknown, one);
	}
	wire_add(to, "unknown", unknown);
}

/* What pact.conf says is not everybody's to know. */
static void add_conf(json_object *to, uid_t uid)
{
	static const slurmctld_lock_t read = { NO_LOCK, NO_LOCK, NO_LOCK, READ_LOCK, NO_LOCK };
	bool all = validate_operator(uid);
	json_object *conf = json_object_new_object();
	struct faults faults;

	if (all && !builds_unfit()) {
		lock_slurmctld(read);
		faults_find(&faults);
		unlock_slurmctld(read);
	} else {
		faults_look(&faults);
	}
	wire_add_number(conf, "taken", faults.taken);
	if (faults.refused) {
		wire_add_number(conf, "refused", faults.refused);
		if (all)
			wire_add_text(conf, "why", faults.why);
	}
	if (faults.nunknown)
		add_unknown(conf, &faults);
	faults_free(&faults);
	wire_add(to, "conf", conf);
}

/* Partitions with schedulers of their own. */
static void add_schedulers(json_object *to, const struct last_plan *last)
{
	json_object *list = json_object_new_object();

	for (size_t i = 0; i < last->nown; i++)
		wire_add_text(list, last->own[i].partition, last->own[i].scheduler);
	if (last->nown)
		wire_add(to, "schedulers", list);
	else
		json_object_put(list);
}

/* RiskLimit of all, of partitions with another one, and what that has to go by. */
static void add_risk(json_object *to, const struct last_plan *last, bool all)
{
	json_object *list = json_object_new_object();

	if (last->learns || last->risk_limit) {
		wire_add(to, "risk_limit", wire_millionths(last->risk_limit));
		wire_add_number(to, "learned", (int64_t)last->learned);
	}
	for (size_t i = 0; all && i < last->nown; i++)
		if (*last->own[i].settings && last->own[i].risk_limit != last->risk_limit)
			wire_add(list, last->own[i].partition,
				 wire_millionths(last->own[i].risk_limit));
	if (json_object_object_length(list))
		wire_add(to, "risk_limits", list);
	else
		json_object_put(list);
}

/* Nodes of realms that get no job. */
static void add_silent(json_object *to, const struct last_plan *last)
{
	json_object *list;

	if (!last->silent || !last->names)
		return;
	list = json_object_new_array();
	for (uint32_t i = nodeset_next(last->silent, 0); i < last->snap->nodes;
	     i = nodeset_next(last->silent, i + 1))
		json_object_array_add(list, json_object_new_string(last->names[i]));
	wire_add(to, "silent", list);
}

const char *query_status(struct query *q)
{
	static const char *const keys[] = { NULL };
	uint64_t waiting = 0, running = 0;
	struct last_plan *last;

	if (!wire_args_known(q->args, keys, q->why))
		return WIRE_ARGUMENT;
	last = last_plan_get();
	wire_add_text(q->answer, "version", PACT_VERSION);
	wire_add_text(q->answer, "slurm", SLURM_VERSION_STRING);
	wire_add_bool(q->answer, "tested", SLURM_TESTED);
	wire_add_text(q->answer, "scheduler", scheduler_type());
	wire_add_number(q->answer, "now", time(NULL));
	if (last && validate_operator(q->uid))
		add_schedulers(q->answer, last);
	add_conf(q->answer, q->uid);
	add_history(q->answer);
	wire_add_bool(q->answer, "planned", last != NULL);
	if (!last) {
		wire_add_text(q->answer, "no_plan", last_plan_none());
		return NULL;
	}
	for (size_t i = 0; i < last->nrows; i++) {
		waiting += last->rows[i].job->state == SNAP_PENDING;
		running += last->rows[i].job->state == SNAP_RUNNING;
	}
	wire_add_number(q->answer, "at", last->snap->now);
	wire_add_number(q->answer, "passes", (int64_t)last->passes);
	wire_add_number(q->answer, "nodes", last->snap->nodes);
	add_silent(q->answer, last);
	wire_add_number(q->answer, "waiting", (int64_t)waiting);
	wire_add_number(q->answer, "running", (int64_t)running);
	wire_add_number(q->answer, "open", (int64_t)last->open);
	wire_add_number(q->answer, "at_risk", (int64_t)last->risk);
	wire_add_number(q->answer, "guard", last->guard);
	add_risk(q->answer, last, validate_operator(q->uid));
	if (last->policy.there)
		wire_add_text(q->answer, "policy", dynp_order_name(last->policy.now.running));
	else
		wire_add_text(q->answer, "mode",
			      last->mode == SCHED_MODE_PAPER ? "paper" : "slurm");
	wire_add_bool(q->answer, "observe", last->observe);
	wire_add_bool(q->answer, "safe", last->safe);
	if (!last->safe)
		wire_add_text(q->answer, "unsafe", last->unsafe);
	last_plan_put(last);
	return NULL;
}

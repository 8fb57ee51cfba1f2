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

static void add(json_object *to, const char *key, json_object *value)
{
	json_object_object_add(to, key, value);
}

/* Where decisions and outcomes are kept, and whether they are. */
static void add_history(json_object *to)
{
	json_object *history;
	struct history_status now;

	history_look(&now);
	if (!now.on)
		return;
	history = json_object_new_object();
	add(history, "file", json_object_new_string(now.file));
	add(history, "bytes", json_object_new_int64(now.bytes));
	add(history, "written", json_object_new_int64((int64_t)now.written));
	add(history, "lost", json_object_new_int64((int64_t)now.lost));
	if (now.trouble[0])
		add(history, "trouble", json_object_new_string(now.trouble));
	add(to, "history", history);
}

static void add_unknown(json_object *to, const struct faults *faults)
{
	json_object *unknown = json_object_new_array();

	for (size_t i = 0; i < faults->nunknown; i++) {
		json_object *one = json_object_new_object();

		add(one, "key", json_object_new_string(faults->unknown[i].key));
		add(one, "name", json_object_new_string(faults->unknown[i].name));
		add(one, "why", json_object_new_string(faults->unknown[i].why));
		json_object_array_add(unknown, one);
	}
	add(to, "unknown", unknown);
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
	add(conf, "taken", json_object_new_int64(faults.taken));
	if (faults.refused) {
		add(conf, "refused", json_object_new_int64(faults.refused));
		if (all)
			add(conf, "why", json_object_new_string(faults.why));
	}
	if (faults.nunknown)
		add_unknown(conf, &faults);
	faults_free(&faults);
	add(to, "conf", conf);
}

/* Partitions with schedulers of their own. */
static void add_schedulers(json_object *to, const struct last_plan *last)
{
	json_object *list = json_object_new_object();

	for (size_t i = 0; i < last->nown; i++)
		add(list, last->own[i].partition, json_object_new_string(last->own[i].scheduler));
	if (last->nown)
		add(to, "schedulers", list);
	else
		json_object_put(list);
}

/* RiskLimit of all, of partitions with another one, and what that has to go by. */
static void add_risk(json_object *to, const struct last_plan *last, bool all)
{
	json_object *list = json_object_new_object();

	if (last->learns || last->risk_limit) {
		add(to, "risk_limit", wire_millionths(last->risk_limit));
		add(to, "learned", json_object_new_int64((int64_t)last->learned));
	}
	for (size_t i = 0; all && i < last->nown; i++)
		if (*last->own[i].settings && last->own[i].risk_limit != last->risk_limit)
			add(list, last->own[i].partition, wire_millionths(last->own[i].risk_limit));
	if (json_object_object_length(list))
		add(to, "risk_limits", list);
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
	add(to, "silent", list);
}

const char *query_status(struct query *q)
{
	static const char *const keys[] = { NULL };
	uint64_t waiting = 0, running = 0;
	struct last_plan *last;

	if (!wire_args_known(q->args, keys, q->why))
		return WIRE_ARGUMENT;
	last = last_plan_get();
	add(q->answer, "version", json_object_new_string(PACT_VERSION));
	add(q->answer, "slurm", json_object_new_string(SLURM_VERSION_STRING));
	add(q->answer, "tested", json_object_new_boolean(SLURM_TESTED));
	add(q->answer, "scheduler", json_object_new_string(scheduler_type()));
	add(q->answer, "now", json_object_new_int64(time(NULL)));
	if (last && validate_operator(q->uid))
		add_schedulers(q->answer, last);
	add_conf(q->answer, q->uid);
	add_history(q->answer);
	add(q->answer, "planned", json_object_new_boolean(last != NULL));
	if (!last) {
		add(q->answer, "no_plan", json_object_new_string(last_plan_none()));
		return NULL;
	}
	for (size_t i = 0; i < last->nrows; i++) {
		waiting += last->rows[i].job->state == SNAP_PENDING;
		running += last->rows[i].job->state == SNAP_RUNNING;
	}
	add(q->answer, "at", json_object_new_int64(last->snap->now));
	add(q->answer, "passes", json_object_new_int64((int64_t)last->passes));
	add(q->answer, "nodes", json_object_new_int64(last->snap->nodes));
	add_silent(q->answer, last);
	add(q->answer, "waiting", json_object_new_int64((int64_t)waiting));
	add(q->answer, "running", json_object_new_int64((int64_t)running));
	add(q->answer, "open", json_object_new_int64((int64_t)last->open));
	add(q->answer, "at_risk", json_object_new_int64((int64_t)last->risk));
	add(q->answer, "guard", json_object_new_int64(last->guard));
	add_risk(q->answer, last, validate_operator(q->uid));
	if (last->policy.there)
		add(q->answer, "policy",
		    json_object_new_string(dynp_order_name(last->policy.now.running)));
	else
		add(q->answer, "mode",
		    json_object_new_string(last->mode == SCHED_MODE_PAPER ? "paper" : "slurm"));
	add(q->answer, "observe", json_object_new_boolean(last->observe));
	add(q->answer, "safe", json_object_new_boolean(last->safe));
	if (!last->safe)
		add(q->answer, "unsafe", json_object_new_string(last->unsafe));
	last_plan_put(last);
	return NULL;
}

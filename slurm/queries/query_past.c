/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query_past.c - what was decided, and what became of promises
 *
 * The ledger has the latest in memory, the history the others, and those from
 * before slurmctld was started.
 */
#include "slurm/base/compat.h"

#include "slurm/snapshot/access.h"
#include "slurm/base/array.h"
#include "slurm/history/history.h"
#include "slurm/history/ledger.h"
#include "slurm/queries/query_row.h"

/* How long the history may be read, in ms; and what that costs the user, in simple requests. */
#define MOST_MS 500
#define COST 8

/* What the ledger knows of a job, to be judged like a record. */
bool query_sees_owned(const struct access *access, uint32_t uid, const char *account,
		      const char *partition)
{
	struct snap_job job = {
		.uid = uid,
		.account = (char *)account,
		.partition = (char *)partition,
	};

	return access_job(access, &job);
}

const struct snap_job *query_job(const struct last_plan *last, uint32_t job_id)
{
	for (size_t i = 0; last && i < last->nrows; i++)
		if (last->rows[i].job->job_id == job_id)
			return last->rows[i].job;
	return NULL;
}

bool query_sees(const struct last_plan *last, const struct access *access, uint32_t job_id)
{
	const struct snap_job *job = access->all ? NULL : query_job(last, job_id);

	return access->all || (job && access_job(access, job));
}

/* ---- how a job ended ---- */

struct past {
	struct query *q;
	const struct access *access;
	int64_t task; /* -1: any */
	bool found;
};

/* Numbers of a start and an end are 0 where it never ran, or that is not known. */
static void tell_outcome(json_object *to, const struct history_entry *e)
{
	wire_add_text(to, "kind", "ended");
	wire_add_number(to, "job", e->job);
	if (e->task != NO_VAL) {
		wire_add_number(to, "array", e->base);
		wire_add_number(to, "task", e->task);
	}
	wire_add_number(to, "user", e->uid);
	wire_add_number(to, "deadline", e->deadline);
	wire_add_text(to, "outcome", e->what);
	if (e->reason[0])
		wire_add_text(to, "reason", e->reason);
	if (e->tasks > 1) {
		wire_add_number(to, "tasks", e->tasks);
		wire_add_text(to, "list", e->text);
	}
	if (e->start)
		wire_add_number(to, "start", e->start);
	if (e->end) {
		wire_add_number(to, "end", e->end);
		wire_add_number(to, "slack", e->deadline - e->end);
	}
}

static bool recent_job(struct past *p, uint32_t id)
{
	struct history_entry same;
	struct ledger_outcome o;

	if (!(p->task >= 0 ? ledger_find_task(id, (uint32_t)p->task, &o)
			   : ledger_find_outcome(id, &o)) ||
	    !query_sees_owned(p->access, o.job.uid, o.job.account, o.job.partition))
		return false;
	same = history_entry_of_end(&o, 0);
	tell_outcome(p->q->answer, &same);
	return true;
}

/* The first that fits is the latest of that number. */
static bool visit_job(void *arg, const struct history_entry *e)
{
	struct past *p = arg;

	if (!history_outcome(e->what) || (p->task >= 0 && (uint32_t)p->task != e->task &&
					  !(e->tasks > 1 && array_has(e->text, (uint32_t)p->task))))
		return true;
	if (query_sees_owned(p->access, e->uid, e->account, e->partition)) {
		tell_outcome(p->q->answer, e);
		p->found = true;
	}
	return false;
}

/* RET true: the visitor has found something */
static bool look_back(struct past *p, const struct history_filter *filter, history_visit *visit)
{
	struct history_status now;
	char why[HISTORY_WHY];
	bool complete;

	history_look(&now);
	if (!now.on)
		return false;
	p->q->cost = COST;
	return history_find(filter, MOST_MS, visit, p, &complete, why) && p->found;
}

bool query_past_job(struct query *q, const struct access *access, uint32_t id, int64_t task)
{
	const struct history_filter filter = { .uid = -1, .job = id };
	struct past p = { .q = q, .access = access, .task = task };

	return recent_job(&p, id) || look_back(&p, &filter, visit_job);
}

/* ---- decisions ---- */

static void tell_critical(struct query *q, const struct access *access,
			  const struct last_plan *last, const struct ledger_decision *d)
{
	json_object *to;

	if (d->promised || !d->critical_late)
		return;
	to = json_object_new_object();
	wire_add_bool(to, "itself", d->itself);
	if (d->critical_late < PACT_FOREVER)
		wire_add_number(to, "late", d->critical_late);
	if (d->critical.job_id && query_sees(last, access, d->critical.job_id))
		wire_add_number(to, "job", d->critical.job_id);
	wire_add(q->answer, "critical", to);
}

/* By a word of history_word(), whether a job came of it or not. */
static bool was_accepted(const char *what)
{
	return !strcmp(what, "accepted") || !strcmp(what, "void");
}

/* What both the ledger and the history know. */
static void tell_decision(json_object *to, const struct history_entry *e)
{
	wire_add_text(to, "kind", "decision");
	if (e->reference[0])
		wire_add_text(to, "reference", e->reference);
	wire_add_number(to, "when", e->when);
	wire_add_number(to, "user", e->uid);
	wire_add_text(to, "account", e->account);
	wire_add_text(to, "partition", e->partition);
	wire_add_bool(to, "promised", was_accepted(e->what));
	wire_add_bool(to, "observed", !strcmp(e->what, "observed"));
	wire_add_text(to, "reason", e->reason);
	wire_add_text(to, "text", e->text);
	wire_add_number(to, "deadline", e->deadline);
	if (e->limit < PACT_FOREVER)
		wire_add_number(to, "limit", e->limit);
	wire_add_number(to, "nodes", e->nodes);
	wire_add_number(to, "tasks", e->tasks);
	if (e->end)
		wire_add_number(to, "earliest", e->end);
}

/* Outcomes of promises are none. */
static bool visit_decision(void *arg, const struct history_entry *e)
{
	struct past *p = arg;

	if (history_outcome(e->what))
		return true;
	if (query_sees_owned(p->access, e->uid, e->account, e->partition)) {
		tell_decision(p->q->answer, e);
		p->found = true;
	}
	return false;
}

static bool tell_recent(struct query *q, const struct access *access, const struct last_plan *last,
			const struct ledger_decision *d)
{
	struct history_entry same;

	if (!query_sees_owned(access, d->uid, d->account, d->partition))
		return false;
	same = history_entry_of(d);
	tell_decision(q->answer, &same);
	if (d->chance)
		wire_add(q->answer, "chance", wire_millionths(d->chance));
	wire_add_number(q->answer, "attempts", d->attempts);
	wire_add_number(q->answer, "violations", d->violations);
	wire_add_number(q->answer, "waiting", d->waiting);
	tell_critical(q, access, last, d);
	return true;
}

bool query_past_decision(struct query *q, const struct access *access, const struct last_plan *last,
			 const char *reference)
{
	const struct history_filter filter = { .uid = -1, .reference = reference };
	struct past p = { .q = q, .access = access };
	struct ledger_decision d;

	return ledger_find_decision(reference, &d) ? tell_recent(q, access, last, &d)
						   : look_back(&p, &filter, visit_decision);
}

bool query_past_last(struct query *q, const struct access *access, const struct last_plan *last,
		     uint32_t uid)
{
	const struct history_filter filter = { .uid = uid };
	struct past p = { .q = q, .access = access };
	struct ledger_decision d;

	return ledger_last_decision(uid, &d) ? tell_recent(q, access, last, &d)
					     : look_back(&p, &filter, visit_decision);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query_explain.c - why does this job wait?  What is past: query_past.c
 */
#include "slurm/base/compat.h"

#include "slurm/snapshot/access.h"
#include "slurm/history/ledger.h"
#include "slurm/queries/query_row.h"
#include "slurm/state/track.h"

/* Jobs named as being in the way; the rest is counted. */
#define NAMED 32
/* Of Slurm's texts, in bytes. */
#define TEXT_MAX 1024

/* A job that is in the way of another. */
struct blocker {
	const struct last_plan_row *row;
	int64_t until;
	const struct nodeset *nodes; /* of a running one */
};

struct explanation {
	struct query *q;
	struct last_plan *last;
	struct access access;
	struct blocker *blockers;
	size_t n;
	size_t others;		  /* in the way as well, and not for the user to see */
	size_t running, promised; /* blockers that the user may see, by kind */
	struct causes *causes;
	struct cause cause; /* why it waits */
};

/* ---- jobs that wait ---- */

static bool shares_nodes(const struct description *what, const struct nodeset *where)
{
	for (uint32_t i = 0; i < what->nalt; i++)
		if (nodeset_size(what->alt[i]) == nodeset_size(where) &&
		    nodeset_overlap(what->alt[i], where))
			return true;
	return false;
}

/*
 * A running job is in the way when it has to end first; a waiting one when it is
 * planned to start first.  Where nodes are idle but planned for others, those are,
 * and no others: the jobs that are to have them before the job that asks would have
 * ended, and of these the promised ones only, where they alone are enough.
 */
static bool in_the_way(const struct last_plan_row *other, const struct last_plan_row *row,
		       const struct last_plan *last, const struct nodeset *where)
{
	int64_t now = last->snap->now, start = row->view.start;
	int64_t limit = row->job->what.limit;

	bool early = row->wait == WAIT_PLANNED || row->wait == WAIT_PROMISES;

	if (other == row || !other->planned)
		return false;
	if (other->job->state != SNAP_RUNNING && other->domain != row->domain)
		return false; /* it waits for nodes of another scheduler's */
	if (other->job->state == SNAP_RUNNING && early)
		return false;
	if (other->job->state == SNAP_RUNNING)
		return other->view.end <= start && nodeset_overlap(other->job->nodes, where);
	if (!shares_nodes(&other->job->what, where) || other->view.start >= PACT_FOREVER)
		return false;
	if (row->wait == WAIT_PROMISES && !other->promised)
		return false;
	if (early)
		return limit >= PACT_FOREVER || other->view.start < now + limit + last->guard;
	return other->view.start < start;
}

static int by_until(const void *a, const void *b)
{
	const struct blocker *x = a, *y = b;

	if (x->until != y->until)
		return x->until < y->until ? -1 : 1;
	return x->row->job->job_id < y->row->job->job_id
		       ? -1
		       : x->row->job->job_id > y->row->job->job_id;
}

/* Those that run first. */
static int by_end(const void *a, const void *b)
{
	const struct blocker *x = a, *y = b;
	bool x_runs = x->nodes, y_runs = y->nodes;

	if (x_runs != y_runs)
		return x_runs ? -1 : 1;
	return by_until(a, b);
}

/* The job's nodes of a set, counted and named. */
static void add_nodes(struct explanation *x, json_object *to, const struct nodeset *of,
		      const struct nodeset *where)
{
	struct nodeset *common = nodeset_dup(of);
	char *names = NULL;

	if (!common)
		return;
	nodeset_and(common, where);
	wire_add_number(to, "width", nodeset_count(common));
	if (!x->access.nodes_private)
		names = last_plan_nodes(x->last, common);
	if (names)
		wire_add_text(to, "nodes", names);
	free(names);
	nodeset_destroy(common);
}

static json_object *blocker_json(struct explanation *x, const struct blocker *b,
				 const struct nodeset *where)
{
	json_object *to = json_object_new_object();

	wire_add_number(to, "job", b->row->job->job_id);
	if (b->row->task != NO_VAL) {
		wire_add_number(to, "array", b->row->job->base_id);
		wire_add_number(to, "task", b->row->task);
	}
	wire_add_number(to, "user", b->row->job->uid);
	wire_add_bool(to, "running", b->nodes != NULL);
	if (b->nodes && b->row->job->partly)
		wire_add_bool(to, "partly", true);
	wire_add_bool(to, "promised", b->row->promised);
	wire_add_number(to, "width", b->row->view.width);
	if (!b->nodes)
		wire_add_number(to, "start", b->row->view.start);
	if (b->until < PACT_FOREVER)
		wire_add_number(to, "until", b->until);
	if (b->nodes)
		add_nodes(x, to, b->nodes, where);
	return to;
}

/* Those that end last decide when the job starts: they are named. */
static void name_blockers(struct explanation *x, const struct nodeset *where)
{
	json_object *list = json_object_new_array(), *in_way = json_object_new_object();
	size_t first = 0;

	wire_add_number(in_way, "running", (int64_t)x->running);
	wire_add_number(in_way, "planned", (int64_t)(x->n - x->running));
	wire_add_number(in_way, "promised", (int64_t)x->promised);
	wire_add(x->q->answer, "in_way", in_way);
	if (x->n > NAMED) {
		qsort(x->blockers, x->n, sizeof(*x->blockers), by_until);
		first = x->n - NAMED;
	}
	if (x->n)
		qsort(x->blockers + first, x->n - first, sizeof(*x->blockers), by_end);
	for (size_t i = first; i < x->n; i++)
		json_object_array_add(list, blocker_json(x, &x->blockers[i], where));
	wire_add(x->q->answer, "blockers", list);
	wire_add_number(x->q->answer, "more", (int64_t)first);
	wire_add_number(x->q->answer, "others", (int64_t)x->others);
}

static void name_reservations(struct explanation *x, const struct snap_job *j,
			      const struct nodeset *where)
{
	json_object *list = json_object_new_array();
	size_t n = 0;

	for (size_t i = 0; i < x->last->snap->nresvs && n < NAMED; i++) {
		const struct snap_resv *resv = &x->last->snap->resvs[i];
		json_object *one;

		if (!causes_in_way(x->causes, j, resv))
			continue;
		one = json_object_new_object();
		wire_add_text(one, "name", resv->name);
		wire_add_number(one, "start", resv->start);
		if (resv->end < PACT_FOREVER)
			wire_add_number(one, "until", resv->end);
		add_nodes(x, one, resv->nodes, where);
		json_object_array_add(list, one);
		n++;
	}
	wire_add(x->q->answer, "reservations", list);
}

/* What its nodes do now. */
static void add_cause(struct explanation *x, const struct last_plan_row *row,
		      const struct nodeset *where)
{
	json_object *to = x->q->answer, *down;

	wire_add_number(to, "usable", x->cause.usable);
	wire_add_number(to, "idle", x->cause.idle);
	wire_add_number(to, "busy", x->cause.busy);
	wire_add_number(to, "partly", x->cause.partly);
	wire_add_number(to, "reserved", x->cause.reserved);
	down = json_object_new_object();
	add_nodes(x, down, x->last->snap->down, where);
	wire_add(to, "down", down);
	if (x->cause.reserved && !x->access.resvs_private)
		name_reservations(x, row->job, where);
}

/* Are other jobs what it waits for? */
static bool jobs_in_way(const struct explanation *x, const struct last_plan_row *row)
{
	return row->planned && row->wait != WAIT_NONE &&
	       (x->cause.why == CAUSE_PLAN || x->cause.why == CAUSE_PARTS);
}

static void find_blockers(struct explanation *x, const struct last_plan_row *row,
			  const struct nodeset *where)
{
	x->blockers = calloc(x->last->nrows + 1, sizeof(*x->blockers));
	for (size_t i = 0; x->blockers && i < x->last->nrows; i++) {
		const struct last_plan_row *other = &x->last->rows[i];

		if (!in_the_way(other, row, x->last, where))
			continue;
		if (!access_job(&x->access, other->job)) {
			x->others++;
			continue;
		}
		x->running += other->job->state == SNAP_RUNNING;
		x->promised += other->job->state != SNAP_RUNNING && other->promised;
		x->blockers[x->n++] = (struct blocker){
			.row = other,
			.until = other->view.end,
			.nodes = other->job->state == SNAP_RUNNING ? other->job->nodes : NULL,
		};
	}
}

/*
 * What Slurm says of it now: its reason, and what it depends on.  squeue shows as much to every
 * user who may see the job.
 */
static void add_record(struct explanation *x, const struct snap_job *of)
{
	slurmctld_lock_t read = { NO_LOCK, READ_LOCK, NO_LOCK, NO_LOCK, NO_LOCK };
	char *reason = NULL, *dependency = NULL;
	const job_record_t *job;

	lock_slurmctld(read);
	job = find_job_record(of->job_id);
	if (job && job->details && job->details->submit_time == of->submit) {
		reason = strndup(job->state_desc ? job->state_desc
						 : job_state_reason_string(job->state_reason),
				 TEXT_MAX);
		dependency = job->details->dependency ? strndup(job->details->dependency, TEXT_MAX)
						      : NULL;
	}
	unlock_slurmctld(read);
	if (reason)
		wire_add_text(x->q->answer, "reason", reason);
	if (dependency && dependency[0])
		wire_add_text(x->q->answer, "dependency", dependency);
	free(reason);
	free(dependency);
}

/* Where jobs take turns, what one that waits for a place lacks; while an admission is at work nothing is said. */
static void add_lack(const struct last_plan_row *row, json_object *plan)
{
	static const char *const words[] = { [LACK_NONE] = "order",
					     [LACK_ROW] = "row",
					     [LACK_SHORT] = "short",
					     [LACK_MEMORY] = "memory",
					     [LACK_HELD] = "held" };
	const struct sched_turns *turns = &row->view.turns;
	enum sched_lack lack;
	json_object *to;

	if (!row->planned || !turns->rows || turns->in || row->promised ||
	    (row->wait != SCHED_WAIT_RESOURCES && row->wait != WAIT_PLANNED) ||
	    !slices_lack(bridge_get(), track_key(row->job->base_id, row->task), &lack))
		return;
	if (json_object_object_get_ex(plan, "turns", &to))
		wire_add_text(to, "lacks", words[lack]);
}

static void explain_waiting(struct explanation *x, const struct last_plan_row *row)
{
	struct nodeset *where = cause_region(x->last->snap, row->job);
	json_object *to = x->q->answer;

	if (where && jobs_in_way(x, row))
		find_blockers(x, row, where);
	name_blockers(x, where);
	add_record(x, row->job);
	if (where)
		add_cause(x, row, where);
	if (row->job->what.opaque)
		wire_add_text(to, "not_planned", row->job->what.opaque);
	if (row->job->obstacle)
		wire_add_text(to, "barrier", row->job->obstacle);
	nodeset_destroy(where);
	free(x->blockers);
}

/* RET false: no memory */
static bool explain_cause(struct explanation *x, const struct last_plan_row *row)
{
	x->causes = causes_open(x->last->snap, x->last->guard);
	if (x->causes)
		return query_cause(x->causes, row, &x->cause);
	snprintf(x->q->why, sizeof(x->q->why), "out of memory");
	return false;
}

/* ---- jobs ---- */

static const struct last_plan_row *find_row(const struct last_plan *last, uint32_t id, int64_t task)
{
	for (size_t i = 0; i < last->nrows; i++) {
		const struct last_plan_row *row = &last->rows[i];

		if (task >= 0 ? row->job->base_id == id && row->task == (uint32_t)task
			      : row->job->job_id == id || row->job->base_id == id)
			return row;
	}
	return NULL;
}

static const char *explain_job(struct explanation *x, uint32_t id, int64_t task)
{
	const struct last_plan_row *row = x->last ? find_row(x->last, id, task) : NULL;
	bool waits = row && row->job->state != SNAP_RUNNING;
	json_object *plan;
	char name[32];

	if (!row || !access_job(&x->access, row->job)) {
		if (!row && query_past_job(x->q, &x->access, id, task))
			return NULL;
		if (!x->last) {
			snprintf(x->q->why, sizeof(x->q->why), "%s", last_plan_none());
			return WIRE_BUSY;
		}
		snprintf(name, sizeof(name), task >= 0 ? "%u_%" PRId64 : "%u", id, task);
		snprintf(x->q->why, sizeof(x->q->why),
			 "job %s: not in the plan, not among those that ended with a promise, "
			 "or not for you to see",
			 name);
		return WIRE_NOT_FOUND;
	}
	wire_add_text(x->q->answer, "kind", waits ? "waiting" : "running");
	wire_add_number(x->q->answer, "at", x->last->snap->now);
	wire_add_number(x->q->answer, "guard", x->last->guard);
	if (waits && !explain_cause(x, row))
		return WIRE_BUSY;
	plan = query_row(x->last, &x->access, row, waits ? &x->cause : NULL);
	wire_add(x->q->answer, "plan", plan);
	if (waits)
		add_lack(row, plan);
	if (waits)
		explain_waiting(x, row);
	return NULL;
}

static const char *explain_decision(struct explanation *x, const char *ref)
{
	if (query_past_decision(x->q, &x->access, x->last, ref))
		return NULL;
	snprintf(x->q->why, sizeof(x->q->why),
		 "%.20s: no such decision is known any more, or not for you to see", ref);
	return WIRE_NOT_FOUND;
}

/* The latest decision about the user who asks; about another only for one who may see everything. */
static const char *explain_last(struct explanation *x, int64_t user)
{
	uint32_t uid = user < 0 ? x->q->uid : (uint32_t)user;

	if (uid != x->q->uid && !x->access.all) {
		snprintf(x->q->why, sizeof(x->q->why),
			 "what was decided for another user: for Slurm's operators only");
		return WIRE_DENIED;
	}
	if (query_past_last(x->q, &x->access, x->last, uid))
		return NULL;
	snprintf(x->q->why, sizeof(x->q->why),
		 "no decision about a submission of user %u with a deadline is known", uid);
	return WIRE_NOT_FOUND;
}

/* What is asked about: one of these. */
struct asked {
	int64_t job, task, user; /* task, user: -1: none */
	const char *ref;
	bool last;
};

/* RET NULL, or an error's code */
static const char *read_asked(struct query *q, struct asked *out)
{
	static const char *const keys[] = { "job", "task", "reference", "last", "user", NULL };

	*out = (struct asked){ .task = -1, .user = -1 };
	if (!wire_args_known(q->args, keys, q->why) ||
	    !wire_arg_number(q->args, "job", 1, UINT32_MAX, &out->job, q->why) ||
	    !wire_arg_number(q->args, "task", 0, UINT32_MAX - 2, &out->task, q->why) ||
	    !wire_arg_text(q->args, "reference", LEDGER_REF, &out->ref, q->why) ||
	    !wire_arg_bool(q->args, "last", &out->last, q->why) ||
	    !wire_arg_number(q->args, "user", 0, UINT32_MAX, &out->user, q->why))
		return WIRE_ARGUMENT;
	if (!!out->job + !!out->ref + out->last == 1 && (out->job || out->task < 0) &&
	    (out->last || out->user < 0))
		return NULL;
	snprintf(q->why, sizeof(q->why),
		 "either job, with or without task, or reference, or last, with or without user");
	return WIRE_ARGUMENT;
}

const char *query_explain(struct query *q)
{
	struct explanation x = { .q = q };
	struct asked asked;
	const char *code = read_asked(q, &asked);

	if (code)
		return code;
	if (!access_open(&x.access, q->uid)) {
		access_close(&x.access);
		snprintf(q->why, sizeof(q->why), "out of memory");
		return WIRE_BUSY;
	}
	x.last = last_plan_get();
	if (asked.last)
		code = explain_last(&x, asked.user);
	else
		code = asked.ref ? explain_decision(&x, asked.ref)
				 : explain_job(&x, (uint32_t)asked.job, asked.task);
	causes_close(x.causes);
	last_plan_put(x.last);
	access_close(&x.access);
	return code;
}

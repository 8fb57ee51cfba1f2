/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query_plan.c - who runs when and where
 */
#include "slurm/base/compat.h"

#include "slurm/snapshot/access.h"
#include "slurm/base/message.h"
#include "slurm/base/scheduler.h"
#include "slurm/records/wish_of.h"
#include "slurm/queries/query_row.h"

static const char *const wait_words[] = {
	[WAIT_NONE] = "due",	      [SCHED_WAIT_RESOURCES] = "resources",
	[WAIT_BEGIN] = "begin",	      [WAIT_PLANNED] = "planned",
	[WAIT_PROMISES] = "promises", [WAIT_FAILED] = "not_started",
	[WAIT_NEVER] = "never",
};

static const char *wait_word(const struct last_plan_row *row, enum cause_why why)
{
	const struct snap_job *j = row->job;

	if (j->held)
		return "held";
	if (j->never)
		return "dependency_never";
	if (j->dependent)
		return "dependency";
	if (j->eligible > j->taken)
		return wait_words[WAIT_BEGIN];
	if (why == CAUSE_PARTITION)
		return "partition";
	if (!row->planned)
		return j->over || !j->runnable ? "slurm" : "not_planned";
	if (why == CAUSE_RESERVED)
		return "reserved";
	if (why == CAUSE_PARTS)
		return "parts";
	if (row->wait == WAIT_FAILED && j->what.opaque)
		return "unseen";
	return why == CAUSE_DOWN ? "down" : wait_words[row->wait];
}

bool query_cause(struct causes *causes, const struct last_plan_row *row, struct cause *out)
{
	if (row->job->state == SNAP_RUNNING)
		return false;
	causes_find(causes, row->job, row->planned, row->wait, out);
	return true;
}

/* The word, and what more is known of it in a few. */
static void add_wait(json_object *to, const struct access *access, const struct last_plan_row *row,
		     const struct cause *cause)
{
	const char *word = wait_word(row, cause->why);
	char why[256] = "", until[32];

	wire_add_text(to, "waits", word);
	if (!strcmp(word, "partition"))
		describe_waits(&row->job->what, why, sizeof(why));
	else if (!strcmp(word, "reserved") && !access->resvs_private &&
		 cause->resv->end < PACT_FOREVER)
		snprintf(why, sizeof(why), "reservation %.100s until %s", cause->resv->name,
			 (message_time(until, cause->resv->end), until));
	else if (!strcmp(word, "reserved") && !access->resvs_private)
		snprintf(why, sizeof(why), "reservation %.100s", cause->resv->name);
	if (why[0])
		wire_add_text(to, "because", why);
}

json_object *query_ranges(const struct nodeset *nodes)
{
	json_object *list = json_object_new_array();
	uint32_t n = nodeset_size(nodes), last;

	for (uint32_t i = nodeset_next(nodes, 0); i < n; i = nodeset_next(nodes, last + 1)) {
		json_object *pair = json_object_new_array();

		for (last = i; last + 1 < n && nodeset_test(nodes, last + 1);)
			last++;
		json_object_array_add(pair, json_object_new_int64(i));
		json_object_array_add(pair, json_object_new_int64(last));
		json_object_array_add(list, pair);
	}
	return list;
}

/* Ends of the record and of the plan: the latter has the guard in it. */
static void add_times(json_object *to, const struct last_plan_row *row)
{
	const struct snap_job *j = row->job;
	bool runs = j->state == SNAP_RUNNING;

	if (runs)
		wire_add_number(to, "start", j->start);
	else if (row->planned && row->view.start < PACT_FOREVER)
		wire_add_number(to, "start", row->view.start);
	if (runs && j->end < PACT_FOREVER)
		wire_add_number(to, "limit_end", j->end);
	if (row->planned && row->view.end < PACT_FOREVER)
		wire_add_number(to, "end", row->view.end);
	if (!runs && j->what.limit < PACT_FOREVER)
		wire_add_number(to, "limit", j->what.limit);
	if (!runs && j->eligible > j->taken)
		wire_add_number(to, "begin", j->eligible);
}

static void add_promise(json_object *to, const struct last_plan_row *row)
{
	const struct snap_job *j = row->job;
	int64_t deadline = j->token_rc == TOKEN_OK ? j->token.deadline : 0;

	wire_add_bool(to, "promised", row->promised);
	if (!deadline)
		return;
	wire_add_number(to, "deadline", deadline);
	wire_add_text(to, "promise", token_state_name(j->token.state));
	if (row->promised && row->planned && row->view.end < PACT_FOREVER)
		wire_add_number(to, "slack", deadline - row->view.end);
}

static void add_row_name(json_object *to, const struct last_plan_row *row)
{
	wire_add_number(to, "job", row->job->job_id);
	if (row->task == NO_VAL)
		return;
	wire_add_number(to, "array", row->job->base_id);
	wire_add_number(to, "task", row->task);
}

/* Of what it was asked to give back, what is due later than the first: [{by, leaves}]. */
static void add_later(json_object *to, const struct last_plan *last, const struct wish_calls *calls)
{
	json_object *list = json_object_new_array();

	for (size_t i = 1; i < calls->n; i++) {
		json_object *one = json_object_new_object();
		char *text = last_plan_nodes(last, calls->call[i].nodes);

		wire_add_number(one, "by", calls->call[i].by);
		wire_add_text(one, "leaves", text ? text : "");
		json_object_array_add(list, one);
		free(text);
	}
	wire_add(to, "later", list);
}

/*
 * Of a job with a range: how far that goes, which of its nodes are on loan, and which of these it was asked to give back.
 * NULL: it has none.
 */
static json_object *range_of(const struct last_plan *last, const struct last_plan_row *row)
{
	const struct snap_job *j = row->job;
	int32_t floor = row->planned ? row->view.width - row->view.lent : j->what.width;
	int32_t has = j->resizes ? (int32_t)nodeset_count(j->nodes) : 0;
	struct nodeset *leaves = j->keeps ? nodeset_dup(j->nodes) : NULL;
	json_object *to;
	char *text;

	if (!j->what.most || (j->state == SNAP_RUNNING && !j->resizes))
		return NULL;
	to = json_object_new_object();
	wire_add_number(to, "least", j->what.width);
	wire_add_number(to, "most", j->what.most);
	wire_add_bool(to, "resized", j->what.malleable && scheduler_resizes());
	if (has) {
		wire_add_number(to, "floor", floor);
		wire_add_number(to, "lent", has > floor ? has - floor : 0);
		wire_add_number(to, "lost", row->planned ? row->view.lost : 0);
	}
	if (has && row->planned && row->view.work_end > 0 && row->view.work_end < PACT_FOREVER)
		wire_add_number(to, "done", row->view.work_end);
	if (leaves) {
		nodeset_and_not(leaves, j->keeps);
		text = last_plan_nodes(last, leaves);
		wire_add_number(to, "asked", (int64_t)nodeset_count(leaves));
		wire_add_number(to, "by", j->notice);
		wire_add_text(to, "leaves", text ? text : "");
		wire_add(to, "leaves_ranges", query_ranges(leaves));
		if (j->calls && j->calls->n > 1)
			add_later(to, last, j->calls);
		free(text);
	}
	nodeset_destroy(leaves);
	return to;
}

json_object *query_row(const struct last_plan *last, const struct access *access,
		       const struct last_plan_row *row, const struct cause *cause)
{
	json_object *to = json_object_new_object(), *more;
	const struct snap_job *j = row->job;
	char *nodes;

	if (!to)
		return NULL;
	add_row_name(to, row);
	wire_add_number(to, "user", j->uid);
	wire_add_text(to, "account", j->account ? j->account : "");
	wire_add_text(to, "partition", j->partition ? j->partition : "");
	wire_add_text(to, "state",
		      j->state == SNAP_RUNNING ? j->ending ? "ending" : "running" : "waiting");
	wire_add_number(to, "width",
			j->state == SNAP_RUNNING ? (int64_t)nodeset_count(j->nodes)
						 : j->what.width);
	if (row->scheduler)
		wire_add_text(to, "scheduler", row->scheduler);
	add_times(to, row);
	add_promise(to, row);
	if (cause)
		add_wait(to, access, row, cause);
	nodes = j->state == SNAP_RUNNING ? last_plan_nodes(last, j->nodes) : NULL;
	if (nodes)
		wire_add_text(to, "nodes", nodes);
	if (j->state == SNAP_RUNNING)
		wire_add(to, "ranges", query_ranges(j->nodes));
	free(nodes);
	if ((more = range_of(last, row)))
		wire_add(to, "range", more);
	if ((more = query_turns(row)))
		wire_add(to, "turns", more);
	return to;
}

static int64_t start_of(const struct last_plan_row *row)
{
	if (row->job->state == SNAP_RUNNING)
		return row->job->start;
	return row->planned ? row->view.start : PACT_FOREVER;
}

/* Those that run first; then by start, submission and task. */
int query_row_order(const void *a, const void *b)
{
	const struct last_plan_row *x = *(const struct last_plan_row *const *)a;
	const struct last_plan_row *y = *(const struct last_plan_row *const *)b;
	bool x_runs = x->job->state == SNAP_RUNNING, y_runs = y->job->state == SNAP_RUNNING;

	if (x_runs != y_runs)
		return x_runs ? -1 : 1;
	if (start_of(x) != start_of(y))
		return start_of(x) < start_of(y) ? -1 : 1;
	if (x->job->job_id != y->job->job_id)
		return x->job->job_id < y->job->job_id ? -1 : 1;
	return x->task < y->task ? -1 : x->task > y->task;
}

/* The rows that the user may see, in order.  OUT n */
static const struct last_plan_row **visible(const struct last_plan *last,
					    const struct access *access, size_t *n)
{
	const struct last_plan_row **rows = calloc(last->nrows + 1, sizeof(*rows));

	*n = 0;
	for (size_t i = 0; rows && i < last->nrows; i++)
		if (access_job(access, last->rows[i].job))
			rows[(*n)++] = &last->rows[i];
	if (*n)
		qsort(rows, *n, sizeof(*rows), query_row_order);
	return rows;
}

static void add_machine(struct query *q, const struct last_plan *last, const struct access *access)
{
	json_object *list;
	char *text;

	if (!access->nodes_private) {
		text = last_plan_nodes(last, last->snap->down);
		wire_add_text(q->answer, "down", text ? text : "");
		wire_add(q->answer, "down_ranges", query_ranges(last->snap->down));
		free(text);
		list = json_object_new_array();
		for (uint32_t i = 0; last->names && i < last->snap->nodes; i++)
			json_object_array_add(list, json_object_new_string(last->names[i]));
		wire_add(q->answer, "names", list);
	}
	if (access->resvs_private)
		return;
	list = json_object_new_array();
	for (size_t i = 0; i < last->snap->nresvs; i++) {
		const struct snap_resv *resv = &last->snap->resvs[i];
		json_object *one = json_object_new_object();

		wire_add_number(one, "start", resv->start);
		if (resv->end < PACT_FOREVER)
			wire_add_number(one, "end", resv->end);
		text = last_plan_nodes(last, resv->nodes);
		wire_add_text(one, "nodes", text ? text : "");
		wire_add(one, "ranges", query_ranges(resv->nodes));
		free(text);
		json_object_array_add(list, one);
	}
	wire_add(q->answer, "reservations", list);
}

/* Millionths of a node. */
static int64_t millionths(uint64_t share)
{
	return (int64_t)(share * 1000000 / SHARE_WHOLE);
}

/* What jobs that the user may not see have there is a sum. */
static json_object *shared_node(const struct last_plan *last, const struct access *access,
				const struct last_plan_node *node)
{
	json_object *to = json_object_new_object(), *list = json_object_new_array();
	uint64_t others = 0;

	wire_add_number(to, "node", node->node);
	wire_add_number(to, "spare", millionths(node->spare));
	for (size_t i = 0; i < node->n; i++) {
		const struct last_plan_part *part = &last->part[node->first + i];
		json_object *one;

		if (!part->row || !access_job(access, part->row->job)) {
			others += part->share;
			continue;
		}
		one = json_object_new_object();
		add_row_name(one, part->row);
		wire_add_number(one, "share", millionths(part->share));
		if (part->end < PACT_FOREVER)
			wire_add_number(one, "end", part->end);
		json_object_array_add(list, one);
	}
	wire_add(to, "jobs", list);
	if (others)
		wire_add_number(to, "others", millionths(others));
	return to;
}

static void add_shares(struct query *q, const struct last_plan *last, const struct access *access)
{
	json_object *list;

	if (access->nodes_private || !last->nnodes)
		return;
	list = json_object_new_array();
	for (size_t i = 0; i < last->nnodes; i++)
		json_object_array_add(list, shared_node(last, access, &last->node[i]));
	wire_add(q->answer, "shares", list);
}

static void add_plan(struct query *q, const struct last_plan *last, const struct access *access)
{
	json_object *list = json_object_new_array();
	struct causes *causes = causes_open(last->snap, last->guard);
	const struct last_plan_row **rows;
	struct cause cause;
	size_t n;

	rows = visible(last, access, &n);
	wire_add_number(q->answer, "now", time(NULL));
	wire_add_number(q->answer, "at", last->snap->now);
	wire_add_number(q->answer, "nodes", last->snap->nodes);
	wire_add_number(q->answer, "guard", last->guard);
	if (last->policy.there)
		wire_add_text(q->answer, "policy", dynp_order_name(last->policy.now.running));
	for (size_t i = 0; causes && i < n; i++) {
		bool waits = query_cause(causes, rows[i], &cause);

		json_object_array_add(list,
				      query_row(last, access, rows[i], waits ? &cause : NULL));
	}
	causes_close(causes);
	wire_add(q->answer, "jobs", list);
	wire_add_number(q->answer, "hidden", (int64_t)(last->nrows - n));
	add_machine(q, last, access);
	add_shares(q, last, access);
	free(rows);
}

const char *query_plan(struct query *q)
{
	static const char *const keys[] = { NULL };
	struct access access;
	struct last_plan *last;
	const char *code = NULL;

	if (!wire_args_known(q->args, keys, q->why))
		return WIRE_ARGUMENT;
	last = last_plan_get();
	if (!last) {
		snprintf(q->why, sizeof(q->why), "%s", last_plan_none());
		return WIRE_BUSY;
	}
	if (access_open(&access, q->uid)) {
		add_plan(q, last, &access);
	} else {
		snprintf(q->why, sizeof(q->why), "out of memory");
		code = WIRE_BUSY;
	}
	access_close(&access);
	last_plan_put(last);
	return code;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judge.c - a promise is over, or is made again: the books are told, once
 */
#include "slurm/base/compat.h"

#include "slurm/base/array.h"
#include "slurm/promise/confirm.h"
#include "slurm/history/history.h"
#include "slurm/base/message.h"
#include "slurm/promise/unconfirmed.h"
#include "slurm/base/scheduler.h"
#include "slurm/promise/judge.h"
#include "slurm/state/track.h"
#include "slurm/state/updates.h"

static const char lost_nodes[] = "its nodes failed";
static const char few_nodes[] = "nodes were taken from it that its work took";

static void copy(char out[LEDGER_NAME], const char *text)
{
	snprintf(out, LEDGER_NAME, "%s", text ? text : "");
}

static uint32_t tasks_of(const struct snap_job *j)
{
	return j->tasks ? j->ntasks : 1;
}

void judge_books(const struct snap_job *j, bool all, struct ledger_outcome *out)
{
	bool over = j->state == SNAP_ENDED || j->state == SNAP_LOST;
	int64_t limit = over ? j->limit : j->token.limit;

	*out = (struct ledger_outcome){
		.job = { .job_id = j->job_id, .uid = j->uid },
		.base_id = j->base_id,
		.task = j->task,
		.tasks = tasks_of(j),
		.promise = j->token.id,
		.deadline = j->token.deadline,
		.limit = limit < PACT_FOREVER ? limit : 0,
	};
	if (over)
		out->nodes = j->width;
	else if (j->nodes)
		out->nodes = nodeset_count(j->nodes);
	else
		out->nodes = (uint32_t)j->what.width;
	copy(out->job.account, j->account);
	copy(out->job.partition, j->partition);
	if (j->tasks && all)
		array_write(j->tasks, j->ntasks, out->list, sizeof(out->list));
}

/* ---- into the books ---- */

static void log_end(const struct ledger_outcome *o)
{
	char by[32], end[32];

	message_time(by, o->deadline);
	message_time(end, o->end);
	if (!strcmp(o->how, "broken") && o->why == lost_nodes)
		error("%s: JobId=%u: its nodes failed and it is not requeued: the promised "
		      "completion by %s is lost",
		      scheduler_type(), o->job.job_id, by);
	else if (!strcmp(o->how, "broken") && o->why == few_nodes)
		error("%s: JobId=%u: ended by its limit at %s, with fewer nodes than its work "
		      "took: the "
		      "promised completion by %s is lost",
		      scheduler_type(), o->job.job_id, end, by);
	else if (!strcmp(o->how, "broken"))
		error("%s: JobId=%u: ended at %s: the promised completion by %s was not kept",
		      scheduler_type(), o->job.job_id, end, by);
	else if (!strcmp(o->how, "at_limit"))
		info("%s: JobId=%u: ended by its own limit before %s: the promise counts as kept",
		     scheduler_type(), o->job.job_id, by);
	else if (!strcmp(o->how, "unknown"))
		error("%s: JobId=%u: its record was gone before its end was seen: whether the "
		      "promised completion by %s was kept is not known",
		      scheduler_type(), o->job.job_id, by);
	else if (!strcmp(o->how, "withdrawn"))
		info("%s: JobId=%u %s: its promise is withdrawn", scheduler_type(), o->job.job_id,
		     o->why);
}

/* Promised again after a release, or by a change. */
static void accept_again(const struct ledger_outcome *o)
{
	struct ledger_decision d = {
		.promise = o->promise,
		.when = time(NULL),
		.uid = o->job.uid,
		.promised = true,
		.deadline = o->deadline,
		.limit = o->limit,
		.width = (int32_t)o->nodes,
		.tasks = o->tasks,
		.start = o->start,
	};

	copy(d.account, o->job.account);
	copy(d.partition, o->job.partition);
	snprintf(d.text, sizeof(d.text), "deadline: accepted: %s", o->why);
	history_decided(&d);
	history_bound(o->promise, &o->job, o->base_id, o->task);
}

static void enter(struct bridge *b, const struct ledger_outcome *o)
{
	uint32_t n = o->tasks ? o->tasks : 1;

	tally_add(b, o->how, n);
	if (!strcmp(o->how, "accepted")) {
		accept_again(o);
		return;
	}
	log_end(o);
	ledger_ended(o);
	history_ended(o, time(NULL));
}

void judge_updates(struct bridge *b, const struct record_update *updates, size_t n)
{
	bridge_lock_urgent(b);
	for (size_t i = 0; i < n; i++) {
		struct ledger_outcome o = updates[i].books;

		if (!o.how)
			continue;
		if (!strcmp(o.how, "withdrawn"))
			o.why = updates[i].text;
		enter(b, &o);
		if (strcmp(o.how, "accepted"))
			b->loose -= o.tasks < b->loose ? o.tasks : b->loose;
	}
	pthread_mutex_unlock(&b->lock);
}

/* ---- records ---- */

/* How it ended, by its record. */
static void judge_end(const struct snap_job *j, struct ledger_outcome *out)
{
	bool late = j->end > j->token.deadline;

	out->start = j->ran ? j->start : 0;
	out->end = j->end;
	if (j->state == SNAP_LOST)
		out->why = lost_nodes;
	else if (j->how == SNAP_TIMEOUT && j->run.lost && j->token.state == TOKEN_BROKEN)
		out->why = few_nodes; /* it was not its user's limit that was too short */
	else if (!late && !j->ran && j->how != SNAP_CANCELLED)
		out->why = "it never ran";
	out->how = out->why || late	      ? "broken"
		   : j->how == SNAP_TIMEOUT   ? "at_limit"
		   : j->how == SNAP_CANCELLED ? "cancelled"
					      : "kept";
}

bool judge_refused(struct bridge *b, const struct snap_job *j, int64_t now)
{
	struct record_update update = { .job_id = j->job_id, .seen = j->token, .token = j->token };
	struct unconfirmed **at;

	if (j->how != SNAP_REFUSED || j->token_rc != TOKEN_OK || !token_binds(&j->token))
		return false;
	at = unconfirmed_find(b, j->token.id);
	if (*at)
		unconfirmed_drop(b, at, now);
	else
		history_void(j->token.id);
	update.token.ended = token_ended("void");
	updates_add(b, &update);
	return true;
}

void judge_record(struct bridge *b, const struct snap_job *j)
{
	struct record_update update = { .job_id = j->job_id, .seen = j->token, .token = j->token };

	if (j->token_rc != TOKEN_OK || !token_binds(&j->token))
		return;
	judge_books(j, true, &update.books);
	judge_end(j, &update.books);
	update.token.ended = token_ended(update.books.how);
	if (!strcmp(update.books.how, "broken"))
		update.token.state = TOKEN_BROKEN;
	/* Its tasks were cancelled one by one, and are in the books: this is the empty record. */
	if (!update.books.tasks)
		update.books.how = NULL;
	updates_add(b, &update);
}

/* ---- without records ---- */

static int by_key(const void *a, const void *b)
{
	const struct track *x = *(struct track *const *)a, *y = *(struct track *const *)b;

	return x->key < y->key ? -1 : x->key > y->key;
}

/* Tasks of one array that share what is to be said of them. */
static bool alike(const struct track *a, const struct track *b)
{
	return a->key >> 32 == b->key >> 32 && a->token.id == b->token.id && !a->running &&
	       !b->running;
}

/* What waited was cancelled; what ran was purged before a snapshot was taken. */
static void tell_gone(struct bridge *b, struct track **gone, size_t n, int64_t now)
{
	const struct track *track = gone[0];
	struct ledger_outcome o = { .job.job_id = track->job_id };
	uint32_t *tasks = calloc(n, sizeof(*tasks));

	if (track->books)
		o = *track->books;
	o.base_id = (uint32_t)(track->key >> 32);
	o.task = n > 1 ? NO_VAL : (uint32_t)track->key;
	o.tasks = (uint32_t)n;
	o.promise = track->token.id;
	o.deadline = track->token.deadline;
	o.list[0] = '\0';
	for (size_t i = 0; tasks && i < n; i++)
		tasks[i] = (uint32_t)gone[i]->key;
	if (tasks && n > 1)
		array_write(tasks, n, o.list, sizeof(o.list));
	free(tasks);
	o.end = track->running ? 0 : now;
	o.how = track->running ? "unknown" : now > o.deadline ? "broken" : "cancelled";
	enter(b, &o);
}

void judge_gone(struct bridge *b, struct track **gone, size_t n, int64_t now)
{
	size_t kept = 0, end;

	for (size_t i = 0; i < n; i++)
		if (!gone[i]->snap && !gone[i]->released && token_binds(&gone[i]->token)) {
			struct track *first = gone[kept];

			gone[kept++] = gone[i];
			gone[i] = first;
		}
	if (kept)
		qsort(gone, kept, sizeof(*gone), by_key);
	for (size_t i = 0; i < kept; i = end) {
		for (end = i + 1; end < kept && alike(gone[i], gone[end]);)
			end++;
		tell_gone(b, gone + i, end - i, now);
	}
}

void judge_missing(struct bridge *b, const struct snap_job *j, uint32_t n, int64_t now)
{
	struct ledger_outcome o;

	judge_books(j, false, &o);
	o.task = NO_VAL;
	o.tasks = n;
	o.start = 0;
	o.end = now;
	o.how = "cancelled";
	enter(b, &o);
}

/* ---- while slurmctld's locks are held ---- */

static struct ledger_outcome of_record(const job_record_t *job, const struct token *token)
{
	struct ledger_outcome o = {
		.job = { .job_id = job->job_id, .uid = job->user_id },
		.base_id = job->array_job_id ? job->array_job_id : job->job_id,
		.task = job->array_task_id,
		.tasks = 1,
		.promise = token->id,
		.deadline = token->deadline,
		.limit = token->limit,
		.nodes = job->details ? job->details->min_nodes : 0,
	};

	copy(o.job.account, job->account);
	copy(o.job.partition, job->partition);
	return o;
}

void judge_held(struct bridge *b, const job_record_t *job, const struct token *token, uint32_t n)
{
	struct ledger_outcome o = of_record(job, token);

	o.tasks = n;
	o.how = "withdrawn";
	o.why = "held";
	enter(b, &o);
}

void judge_promised(struct bridge *b, const job_record_t *job, const struct token *token,
		    int64_t start)
{
	struct ledger_outcome o = of_record(job, token);

	o.how = "accepted";
	o.why = "by a change";
	o.start = start;
	enter(b, &o);
}

/* ---- all of them ---- */

static void check(const struct snapshot *snap)
{
	struct history_live *live = calloc(snap->njobs + 1, sizeof(*live));
	size_t n = 0;

	for (size_t i = 0; live && i < snap->njobs; i++) {
		const struct snap_job *j = &snap->jobs[i];

		if (j->token_rc == TOKEN_OK && token_binds(&j->token))
			live[n++] = (struct history_live){ j->token.id, tasks_of(j) };
	}
	if (live)
		history_check(live, n);
	free(live);
}

void judge_survey(struct bridge *b, const struct snapshot *snap)
{
	if (!b->checked)
		check(snap);
	b->checked = true;
	history_open();
	b->loose = b->loose_risk = 0;
	for (size_t i = 0; i < snap->njobs; i++) {
		const struct snap_job *j = &snap->jobs[i];
		uint64_t n = 0;

		if (j->token_rc != TOKEN_OK || !token_binds(&j->token))
			continue;
		for (uint32_t t = 0; t < tasks_of(j); t++)
			n += !track_find(b,
					 track_key(j->base_id, j->tasks ? j->tasks[t] : j->task));
		b->loose += n;
		b->loose_risk += j->state == SNAP_PENDING && j->token.state == TOKEN_BROKEN ? n : 0;
	}
}

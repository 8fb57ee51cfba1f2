/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_readmit.c - promises withdrawn by what the record shows, and made again
 */
#include "slurm/base/compat.h"

#include "slurm/sync/sync_readmit.h"
#include "slurm/sync/sync_job.h"
#include "slurm/sync/sync_terms.h"
#include "slurm/base/scheduler.h"
#include "slurm/history/history.h"
#include "slurm/promise/judge.h"
#include "slurm/promise/reliance.h"
#include "slurm/state/core.h"
#include "slurm/state/track.h"
#include "slurm/state/updates.h"

/* What a new admission asks for: a limit that may be trimmed is, as at submission. */
static int64_t readmit_limit(const struct sync *s, const struct snap_job *j)
{
	int64_t fits = (j->what.deadline - s->snap->now - s->b->conf->sched.guard) / 60 * 60;

	if (fits >= j->what.limit || j->what.least >= j->what.limit)
		return j->what.limit;
	return fits > j->what.least ? fits : j->what.least;
}

const char *sync_unpromising(const struct sync *s, const struct snap_job *j)
{
	const struct own_scheduler *own = NULL;

	for (uint32_t i = 0; i < j->what.nalt; i++) {
		own = conf_unpromising(s->b->conf, j->what.part[i]);
		if (!own)
			return NULL;
	}
	return own ? own->scheduler : NULL;
}

bool sync_may_readmit(const struct sync *s, const struct snap_job *j)
{
	if (j->token_rc != TOKEN_OK || j->token.state != TOKEN_WITHDRAWN || !j->what.deadline ||
	    j->what.opaque || !j->what.limit_given || j->what.waits || j->obstacle ||
	    bridge_unsafe(s->b))
		return false;
	for (uint32_t i = 0; i < j->what.nalt; i++)
		if (!conf_promises(s->b->conf, j->what.part[i]))
			return false;
	return !sync_unpromising(s, j);
}

/* For the books, when the record says so. */
static void promised_again(const struct snap_job *j, const struct track *track, size_t n,
			   struct ledger_outcome *books)
{
	judge_books(j, true, books);
	books->tasks = (uint32_t)n;
	books->deadline = track->token.deadline;
	books->limit = track->token.limit;
	books->how = "accepted";
	books->why = "released";
}

static void refused_again(struct sync *s, const struct snap_job *j, const struct sched_decision *d,
			  size_t n)
{
	enum tally_why why = tally_reason(d->reason);
	struct ledger_outcome books;

	tally_refusal(s->b, why, false);
	judge_books(j, false, &books);
	books.tasks = (uint32_t)n;
	books.promise = 0;
	books.deadline = j->what.deadline;
	books.limit = j->what.limit < PACT_FOREVER ? j->what.limit : 0;
	books.how = "refused";
	books.why = tally_why_name(why);
	history_ended(&books, s->snap->now);
}

bool sync_readmit(struct sync *s, const struct snap_job *j, struct track **tracks,
		  struct sched_job *jobs, size_t n)
{
	struct record_update update = { .job_id = j->job_id, .print = j->print, .seen = j->token };
	struct sched_decision d = { 0 };
	bool accepted;

	for (size_t i = 0; i < n; i++) {
		if (!(jobs[i].flags & JOB_NEEDED) || jobs[i].deadline > j->what.deadline)
			jobs[i].deadline = j->what.deadline;
		jobs[i].flags = 0;
		jobs[i].limit = readmit_limit(s, j);
	}
	accepted = sync_submit(s, jobs, n, &d);
	for (size_t i = 0; accepted && i < n; i++) {
		tracks[i]->token.deadline = j->what.deadline;
		tracks[i]->token.limit = jobs[i].limit;
		tracks[i]->token.state = d.expected ? TOKEN_EXPECTED : TOKEN_PROMISED;
		tracks[i]->token.own = d.own;
		tracks[i]->promised = !d.expected;
		tracks[i]->shape = bridge_shape(&jobs[i]);
	}
	update.token = tracks[0]->token;
	update.terms = accepted;
	if (accepted && !d.expected)
		promised_again(j, tracks[0], n, &update.books);
	if (!accepted)
		snprintf(update.text, sizeof(update.text), "Deadline not promised after release");
	updates_add(s->b, &update);
	info("%s: JobId=%u released: its deadline is %s", scheduler_type(), j->job_id,
	     accepted && d.expected ? "expected, not promised"
	     : accepted		    ? "promised again"
				    : "refused, it waits like a job without one");
	if (!accepted)
		refused_again(s, j, &d, n);
	return accepted;
}

void sync_withdraw(struct sync *s, const struct snap_job *j)
{
	struct record_update update = {
		.job_id = j->job_id,
		/* Held is held, whatever else has changed. */
		.print = j->over && !j->held ? j->print : 0,
		.seen = j->token,
		.token = j->token,
	};

	if (!token_binds(&j->token) && !token_expects(&j->token))
		return;
	if (token_binds(&j->token)) {
		judge_books(j, true, &update.books);
		update.books.how = "withdrawn";
	}
	update.token.state = TOKEN_WITHDRAWN;
	if (!j->held && !j->never && !j->over)
		snprintf(update.text, sizeof(update.text), "its partition is scheduled by %s now",
			 sync_unpromising(s, j));
	else
		snprintf(update.text, sizeof(update.text), "%s",
			 j->held    ? "held"
			 : j->never ? "waits for a job in vain"
				    : j->obstacle);
	updates_add(s->b, &update);
}

void sync_reopen(struct sync *s, const struct snap_job *j)
{
	struct record_update update = { .job_id = j->job_id, .seen = j->token, .token = j->token };

	update.token.state = TOKEN_WITHDRAWN;
	update.token.ended = NULL;
	updates_add(s->b, &update);
}

/* Released, and each of its tasks has a place that was kept, in time for what it asks. */
static bool kept_in_time(const struct sync *s, const struct snap_job *j)
{
	const struct track *track;
	struct sched_view view;

	for (uint32_t t = 0; t < sync_tasks(j); t++) {
		track = track_find(s->b, sync_key(j, t));
		if (!track || track->running || !(track->held || track->released) ||
		    sched_view(s->b->core, track->core, &view) || view.start >= PACT_FOREVER ||
		    view.start + j->what.limit + s->b->conf->sched.guard > j->what.deadline)
			return false;
	}
	return reliance_bound(s->b, sync_key(j, 0)) < PACT_FOREVER;
}

/* The place that was kept has so many nodes. */
static int32_t own_in_place(const struct sync *s, const struct snap_job *j,
			    const struct track *track)
{
	struct sched_view view;

	return j->what.malleable && !sched_view(s->b->core, track->core, &view) ? view.width : 0;
}

bool sync_readmit_in_place(struct sync *s, const struct snap_job *j)
{
	struct record_update update = { .job_id = j->job_id, .print = j->print, .seen = j->token };
	struct track *track;
	struct sched_job job;

	if (j->held || j->what.shares || !sync_may_readmit(s, j) ||
	    readmit_limit(s, j) != j->what.limit || !kept_in_time(s, j))
		return false;
	for (uint32_t t = 0; t < sync_tasks(j); t++) {
		track = track_find(s->b, sync_key(j, t));
		sync_note(s, j, track);
		track->released = false;
		sync_fill(s, j, track, &job);
		if (!(job.flags & JOB_NEEDED) || job.deadline > j->what.deadline)
			job.deadline = j->what.deadline;
		job.flags = JOB_PROMISED;
		job.own = own_in_place(s, j, track);
		job.planned = -1;
		if (sync_event(s,
			       &(struct sched_event){ .type = EV_CHANGE, .jobs = &job, .njobs = 1 },
			       "a job is promised again"))
			track->shape = bridge_shape(&job);
		track->token.deadline = j->what.deadline;
		track->token.limit = j->what.limit;
		track->token.own = job.own;
		track->token.state = TOKEN_PROMISED;
		track->promised = true;
		update.token = track->token;
	}
	update.terms = true;
	promised_again(j, track_find(s->b, sync_key(j, 0)), sync_tasks(j), &update.books);
	updates_add(s->b, &update);
	info("%s: JobId=%u released: its deadline is promised again", scheduler_type(), j->job_id);
	return true;
}

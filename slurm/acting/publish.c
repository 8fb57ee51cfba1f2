/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * publish.c - what the plan says of slurmctld's records
 */
#include "slurm/acting/cause.h"
#include "slurm/acting/publish_own.h"
#include "slurm/records/late_limit.h"
#include "slurm/state/core.h"
#include "slurm/state/track.h"
#include "slurm/state/updates.h"

/* Seconds of its limit that a job may have done more or less than its record tells. */
#define LEFT_APART 60

/* From when on a deadline without a promise is impossible (deadline_ok); 0: never. */
static int64_t expiry(const struct snap_job *j)
{
	/* what a malleable one can do on more nodes is not known, and its record says as much */
	int64_t least = j->what.malleable && j->token_rc == TOKEN_OK ? LATE_LIMIT_LEAST * 60
								     : j->what.least;

	if (!j->runnable || !j->what.deadline || j->token_rc == TOKEN_NEWER ||
	    token_binds(&j->token) || token_expects(&j->token))
		return 0;
	return j->what.deadline - least + 1;
}

/* RET whether it has expired; else the next pass is not later than that. */
static bool expires(struct bridge *b, const struct snapshot *snap, const struct snap_job *j)
{
	int64_t at = expiry(j);

	if (at > snap->now && (!b->wake || at < b->wake))
		b->wake = at;
	return at && at <= snap->now;
}

/* Its own deadline: the core's may be a bound (reliance.h), the snapshot's older than a change. */
static int64_t deadline_of(const struct bridge *b, const struct snap_job *j,
			   const struct track *track)
{
	if (track->decided >= b->epoch)
		return track->token.deadline;
	return j->what.deadline ? j->what.deadline : j->token.deadline;
}

/* What keeps it from starting. */
static void collect_cause(const struct publication *pub, const struct snap_job *j,
			  struct line *line)
{
	struct cause cause;

	if (!pub->causes || line->wait != SCHED_WAIT_RESOURCES)
		return;
	causes_find(pub->causes, j, true, line->wait, &cause);
	if (cause.why != CAUSE_RESERVED)
		return;
	line->reserved = true;
	line->resv_end = cause.resv->end;
	if (!(slurm_conf.private_data & PRIVATE_DATA_RESERVATIONS))
		line->resv = strdup(cause.resv->name);
}

/*
 * The plan for one record: an array's is its first task's.  Its tasks share one
 * token, which is broken as soon as one of them is late.
 */
static void collect_line(struct bridge *b, const struct publication *pub,
			 const struct snapshot *snap, const struct snap_job *j, struct line *line)
{
	int64_t start = PACT_FOREVER, end = 0;
	struct track *told = NULL;

	*line = (struct line){ .job_id = j->job_id,
			       .submit = j->submit,
			       .print = j->print,
			       .tried = j->tried,
			       .seen_start = j->start,
			       .seen_reason = j->reason,
			       .seen_said = j->said,
			       .priority = j->priority,
			       .part = j->what.nalt ? j->what.part[0] : "",
			       .unpromised = j->what.deadline && j->token_rc == TOKEN_OK &&
					     j->token.state == TOKEN_WITHDRAWN,
			       .obstacle = j->obstacle ? strdup(j->obstacle) : NULL,
			       .held = j->held,
			       .expires = expires(b, snap, j) };
	for (uint32_t i = 0; i < (j->tasks ? j->ntasks : 1); i++) {
		struct track *track =
			track_find(b, track_key(j->base_id, j->tasks ? j->tasks[i] : j->task));
		struct sched_view view;

		line->tried |= track && track->tried == b->epoch;
		line->rejected |= track && track->rejected;
		if (!track || track->running || sched_view(b->core, track->core, &view))
			continue;
		if (view.start < start) {
			start = view.start;
			line->wait = sched_why(b->core, track->core);
		}
		if (track->promised) {
			line->deadline = deadline_of(b, j, track);
			line->broken |= view.end > line->deadline;
			line->refused |= track->refused && view.start <= snap->now;
			end = view.end > end ? view.end : end;
			told = track;
		}
	}
	if (told)
		updates_promise(b, told, line->broken, end);
	if (!told && j->token_rc == TOKEN_OK && j->token.state == TOKEN_BROKEN) {
		line->broken = true; /* and its place is given up */
		line->deadline = j->token.deadline;
	}
	collect_cause(pub, j, line);
	line->start = !j->held && start < PACT_FOREVER && start > 0 ? start : 0;
}

/*
 * A promised job that runs may end too late yet: it was suspended, its limit was
 * raised, or it does not end.  Its limit and what Slurm takes to enforce it count; and, where nodes of its own were taken
 * from it, what it can do with those that it has.
 */
static void watch(struct bridge *b, const struct snapshot *snap, const struct snap_job *j)
{
	struct track *track = track_find(b, track_key(j->base_id, j->task));
	int64_t end = j->end;
	struct sched_view view;

	if (j->ending || !track || !track->running || !token_binds(&track->token))
		return;
	if (end < PACT_FOREVER)
		end += b->conf->sched.guard - b->conf->sched.lateness -
		       (j->waking ? 0 : b->conf->waking);
	if (end < snap->now)
		end = snap->now;
	if (j->resizes && !sched_view(b->core, track->core, &view) && view.work_end > end)
		end = view.work_end;
	updates_promise(b, track, end > track->token.deadline, end);
}

/* Since the snapshot the core has gone on, and the job with it. */
static int64_t ran_by_now(const struct bridge *b, const struct snapshot *snap,
			  const struct snap_job *j)
{
	int64_t since = j->suspended ? 0 : b->latest - snap->now;

	return j->runtime + (since > 0 ? since : 0);
}

/* Would a restart take about as much to be left as there is? Its limit may have changed, or its time begun anew. */
static bool is_known(const struct snap_job *j, int64_t left)
{
	int64_t known = bridge_run_left(j);

	return left > known ? left - known <= LEFT_APART : known - left <= LEFT_APART;
}

/* Of its own so many that it has given back, and that are not clean yet. */
static uint32_t left_own(const struct track *track, const struct snapshot *snap,
			 const struct sched_view *view)
{
	uint32_t n = 0;

	if (!track->cleaning || !view->own || !snap->unclean)
		return 0;
	for (uint32_t i = nodeset_next(view->own, 0); i < snap->nodes;
	     i = nodeset_next(view->own, i + 1))
		n += nodeset_test(snap->unclean, i);
	return n < track->cleaning ? n : track->cleaning;
}

/* What is decided may be more than it has yet. What it has given back, of its own, too, it has no more, clean or not. */
static void run_of(const struct track *track, const struct snapshot *snap,
		   const struct sched_view *view, struct malleable_run *run)
{
	uint32_t own = (uint32_t)(view->width - view->lent), left = left_own(track, snap, view);

	own = own < track->width ? own : track->width;
	run->has = track->width - track->cleaning;
	run->own = own > left ? own - left : 0;
	run->own = run->own < run->has ? run->own : run->has;
	run->lost = (uint32_t)view->lost + own - run->own;
}

/* What has changed of a job's nodes has to be known after a restart, too, and what was done until then. */
static void watch_run(struct bridge *b, const struct snapshot *snap, const struct snap_job *j)
{
	struct track *track = track_find(b, track_key(j->base_id, j->task));
	struct record_update update = { .job_id = j->job_id, .submit = j->submit };
	int64_t limit = bridge_run_limit(j);
	struct malleable_run *run = &update.run;
	struct sched_view view;

	if (j->ending || !track || !track->running || !track->resizes || !track->width ||
	    sched_view(b->core, track->core, &view) || !view.work_end || view.width <= view.lent)
		return;
	run_of(track, snap, &view, run);
	if (run->own == j->run.own && run->lost == j->run.lost && run->has == j->run.has &&
	    is_known(j, view.left))
		return;
	run->ran = ran_by_now(b, snap, j);
	run->done = limit < PACT_END_OF_TIME && view.left < PACT_FOREVER ? limit - view.left : 0;
	update.seen = update.token = track->token;
	updates_add(b, &update);
}

/*
 * One that shares nodes: what it is given decides, and not its limit, which only cuts off what outlives its estimate.
 * The core says that a promise is broken when one part is late by the guard.
 */
static void watch_sharing(struct bridge *b, const struct snap_job *j)
{
	struct track *track = track_find(b, track_key(j->base_id, j->task));
	struct sched_view view;

	if (j->ending || !track || !track->running || !token_binds(&track->token) ||
	    sched_view(b->core, track->core, &view))
		return;
	updates_promise(b, track,
			(view.broken || !view.promised) && view.end > track->token.deadline,
			view.end);
}

static int by_part(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int parts = strcmp(x->part, y->part);

	if (parts)
		return parts;
	if (x->priority != y->priority)
		return x->priority > y->priority ? -1 : 1;
	return x->job_id < y->job_id ? -1 : x->job_id > y->job_id;
}

struct publication *publish_collect(struct bridge *b, const struct snapshot *snap)
{
	struct publication *pub = calloc(1, sizeof(*pub));

	if (!pub)
		return NULL;
	pub->lines = calloc(snap->njobs ? snap->njobs : 1, sizeof(*pub->lines));
	pub->asides = calloc(snap->njobs ? snap->njobs : 1, sizeof(*pub->asides));
	pub->causes = snap->nresvs ? causes_open(snap, b->conf->sched.guard) : NULL;
	for (size_t i = 0; pub->lines && i < snap->njobs; i++) {
		const struct snap_job *j = &snap->jobs[i];

		if (j->state == SNAP_RUNNING && pub->asides)
			aside_collect(b, pub, snap, j);
		if (j->state == SNAP_RUNNING && j->resizes)
			watch_run(b, snap, j);
		if (j->state == SNAP_RUNNING && j->terms.estimate)
			watch_sharing(b, j);
		else if (j->state == SNAP_RUNNING)
			watch(b, snap, j);
		else if (j->state == SNAP_PENDING &&
			 (j->held ? j->start != 0 : j->runnable || j->token_rc == TOKEN_OK))
			collect_line(b, pub, snap, j, &pub->lines[pub->nlines++]);
	}
	causes_close(pub->causes);
	pub->causes = NULL;
	pub->updates = b->updates;
	pub->nupdates = b->nupdates;
	b->updates = NULL;
	b->nupdates = b->updates_room = 0;
	if (pub->nlines)
		qsort(pub->lines, pub->nlines, sizeof(*pub->lines), by_part);
	for (size_t i = 0; i < pub->nlines; i++)
		pub->lines[i].first = !i || strcmp(pub->lines[i].part, pub->lines[i - 1].part);
	return pub;
}

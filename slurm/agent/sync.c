/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync.c - from slurmctld's records to the core's events
 */
#include "slurm/base/compat.h"

#include "slurm/promise/confirm.h"
#include "slurm/history/history.h"
#include "slurm/promise/reliance.h"
#include "slurm/promise/unconfirmed.h"
#include "slurm/acting/refusal.h"
#include "slurm/state/recorder.h"
#include "slurm/base/scheduler.h"
#include "slurm/promise/judge.h"
#include "slurm/agent/sync.h"
#include "slurm/state/terms.h"
#include "slurm/state/track.h"
#include "slurm/state/core.h"
#include "slurm/state/updates.h"
#include "slurm/agent/reset.h"

/* Seconds by which the clock may go back without harm: it is made up for by waiting. */
#define CLOCK_BACK 60

/* One synchronisation at work. */
struct sync {
	struct bridge *b;
	const struct snapshot *snap;
	/* What the tasks of one record have in common. */
	const struct snap_job *depends_of;
	int64_t depends_begin;
};

static uint32_t task_count(const struct snap_job *j)
{
	return j->tasks ? j->ntasks : 1;
}

static uint64_t task_key(const struct snap_job *j, uint32_t i)
{
	return track_key(j->base_id, j->tasks ? j->tasks[i] : j->task);
}

/*
 * Its promise is broken already, and Slurm would not start it now (its partition
 * is down, it was refused again and again): to keep its place any longer would
 * help nobody.
 */
static bool given_up(const struct snap_job *j)
{
	return j->token.state == TOKEN_BROKEN && (!j->runnable || j->given_up) && !j->dependent &&
	       j->what.begin <= j->taken;
}

static bool promised(const struct snap_job *j)
{
	return j->token_rc == TOKEN_OK && !j->held && !j->never && !j->over && j->what.nalt &&
	       !given_up(j) && token_binds(&j->token);
}

static bool event(struct sync *s, struct sched_event *ev, const char *what)
{
	ev->now = s->snap->now;
	return bridge_event(s->b, ev, what);
}

static bool simple(struct sync *s, enum sched_event_type type, uint64_t id, const char *what)
{
	return event(s, &(struct sched_event){ .type = type, .id = id }, what);
}

/* ---- blocks: lost nodes and reservations ---- */

static uint64_t block(struct sync *s, const struct nodeset *nodes, int64_t start, int64_t end,
		      const char *what)
{
	uint64_t id = ++s->b->next_core;

	return event(s,
		     &(struct sched_event){ .type = EV_BLOCK,
					    .id = id,
					    .nodes = nodes,
					    .start = start,
					    .end = end },
		     what)
		       ? id
		       : 0;
}

static void sync_down(struct sync *s)
{
	struct bridge *b = s->b;

	if (b->down && nodeset_equal(b->down, s->snap->down))
		return;
	if (b->down_core)
		simple(s, EV_FINISH, b->down_core, "nodes are back");
	b->down_core = 0;
	if (!nodeset_empty(s->snap->down))
		b->down_core =
			block(s, s->snap->down, s->snap->now, PACT_FOREVER, "nodes are lost");
	nodeset_destroy(b->down);
	b->down = nodeset_dup(s->snap->down);
}

/* A reservation's number says nothing: a repeated one gets another each time. */
static bool same_resv(const struct snap_resv *r, const struct block *have)
{
	return r->start == have->start && r->end == have->end &&
	       nodeset_equal(r->nodes, have->nodes);
}

static bool find_resv(const struct snapshot *snap, const struct block *have)
{
	for (size_t i = 0; i < snap->nresvs; i++)
		if (same_resv(&snap->resvs[i], have))
			return true;
	return false;
}

static bool have_resv(const struct bridge *b, const struct snap_resv *r)
{
	for (size_t i = 0; i < b->nblocks; i++)
		if (same_resv(r, &b->blocks[i]))
			return true;
	return false;
}

static void sync_resvs(struct sync *s)
{
	struct bridge *b = s->b;
	size_t kept = 0;

	for (size_t i = 0; i < b->nblocks; i++) {
		if (find_resv(s->snap, &b->blocks[i])) {
			b->blocks[kept++] = b->blocks[i];
			continue;
		}
		if (b->blocks[i].core)
			simple(s, EV_FINISH, b->blocks[i].core, "a reservation ended");
		nodeset_destroy(b->blocks[i].nodes);
	}
	b->nblocks = kept;
	for (size_t i = 0; i < s->snap->nresvs; i++) {
		const struct snap_resv *r = &s->snap->resvs[i];
		struct block *more;

		if (have_resv(b, r))
			continue;
		more = realloc(b->blocks, (b->nblocks + 1) * sizeof(*more));
		if (!more)
			return;
		b->blocks = more;
		more[b->nblocks++] = (struct block){
			.start = r->start,
			.end = r->end,
			.nodes = nodeset_dup(r->nodes),
			.core = block(s, r->nodes, r->start, r->end, "a reservation"),
		};
	}
}

/* ---- ends ---- */

static bool over(const struct snap_job *j)
{
	return j->state == SNAP_LOST || j->state == SNAP_ENDED;
}

static void mark_seen(struct sync *s)
{
	for (size_t i = 0; i < s->snap->njobs; i++) {
		struct snap_job *j = &s->snap->jobs[i];

		for (uint32_t t = 0; t < task_count(j); t++) {
			struct track *track = track_find(s->b, task_key(j, t));

			if (!track)
				continue;
			track->snap = j;
			if (over(j))
				continue;
			track->seen = s->b->epoch;
			track->job_id = j->job_id;
			if (j->state == SNAP_PENDING)
				j->given_up |= refusal_review(s->b, track, j);
		}
	}
}

/* The core forgets a job, and so do we. */
static void drop(struct sync *s, struct track *track)
{
	if (track->running)
		simple(s, EV_FINISH, track->core, "a job ended");
	else
		simple(s, EV_WITHDRAW, track->core, "a job left the queue");
	track_remove(s->b, track);
}

static void drop_unseen(struct sync *s)
{
	size_t i = 0, n = 0, room = table_count(s->b->by_key);
	struct track **gone = calloc(room ? room : 1, sizeof(*gone)), *track;

	if (!gone)
		return;
	while ((track = table_next(s->b->by_key, &i)))
		if (track->seen != s->b->epoch)
			gone[n++] = track;
	judge_gone(s->b, gone, n, s->snap->now);
	for (i = 0; i < n; i++)
		drop(s, gone[i]);
	free(gone);
}

/* ---- running jobs ---- */

/*
 * A promised job that was started late has used up a part of its guard: up to its
 * deadline the rest has to do, or what is planned behind it would be late.
 */
static int64_t hold_end(const struct sync *s, const struct snap_job *j, int64_t by)
{
	const struct conf *conf = s->b->conf;
	int64_t end, least;

	if (by >= PACT_FOREVER)
		return PACT_FOREVER;
	end = by + conf->sched.guard;
	if (!j->waking)
		end -= conf->waking;
	least = end - conf->sched.lateness;
	if (j->token_rc != TOKEN_OK || j->token.state != TOKEN_PROMISED || end <= j->token.deadline)
		return end;
	return least > j->token.deadline ? least : j->token.deadline;
}

static void started(struct sync *s, struct track *track, const struct snap_job *j, int64_t end)
{
	if (!event(s,
		   &(struct sched_event){ .type = EV_STARTED,
					  .id = track->core,
					  .nodes = j->nodes,
					  .start = j->start,
					  .end = hold_end(s, j, end) },
		   "a job runs")) {
		track_remove(s->b, track);
		return;
	}
	track->running = true;
	track->end = end;
	track->width = nodeset_count(j->nodes);
}

/*
 * A task of an array that was promised again, and started in the same pass: it left the array's
 * record before that was told, and has the old state.
 */
static bool left_early(const struct snap_job *j, const struct track *track)
{
	return track && track->promised && !track->released && j->token_rc == TOKEN_OK &&
	       j->token.state == TOKEN_WITHDRAWN && track->token.id == j->token.id &&
	       track->token.state == TOKEN_PROMISED;
}

/*
 * When a job ends by its record.  One that Slurm ended after its limit has used up a part of its
 * guard, which does not begin anew: what is planned tightly behind it would have to move, and one
 * without a promise would not fit before the next promise any more.  What cleans up for longer
 * than the guard is overdue, and the core prolongs it.
 */
static int64_t record_end(const struct track *track, const struct snap_job *j)
{
	return track && track->running && j->ending && j->end > track->end ? track->end : j->end;
}

/* Its record may be gone before anybody sees how it ended. */
static void remember(struct track *track, const struct snap_job *j)
{
	if (track->books || !token_binds(&track->token))
		return;
	track->books = calloc(1, sizeof(*track->books));
	if (track->books)
		judge_books(j, false, track->books);
}

static void sync_running(struct sync *s, const struct snap_job *j)
{
	struct track *track = track_find(s->b, task_key(j, 0));
	int64_t end = record_end(track, j);

	if (nodeset_empty(j->nodes)) {
		if (track)
			drop(s, track);
		return;
	}
	if (left_early(j, track))
		bridge_update_record(s->b, &(struct record_update){ .job_id = j->job_id,
								    .seen = j->token,
								    .token = track->token,
								    .terms = true });
	else if (track && j->token_rc == TOKEN_OK)
		track->token = j->token;
	if (track && track->running && track->width != nodeset_count(j->nodes)) {
		simple(s, EV_FINISH, track->core, "a job shrank");
		track->running = false;
		started(s, track, j, end);
		return;
	}
	if (track && track->running) {
		if (track->end != end)
			event(s,
			      &(struct sched_event){ .type = EV_END_CHANGED,
						     .id = track->core,
						     .end = hold_end(s, j, end) },
			      "a limit changed");
		track->end = end;
		return;
	}
	if (!track) {
		track = track_add(s->b, task_key(j, 0), 0);
		if (!track)
			return;
		recorder_note_user(track->core, j->uid);
		track->seen = s->b->epoch;
		track->snap = j;
		track->job_id = j->job_id;
		track->submit = j->submit;
		track->token = j->token;
		track->promised = j->token_rc == TOKEN_OK && token_binds(&j->token) &&
				  j->token.state == TOKEN_PROMISED;
		remember(track, j);
	}
	started(s, track, j, end);
}

/* ---- waiting jobs ---- */

/* Nobody knows when its predecessor ends (it is held, say): it stays where it is until then. */
static int64_t planned_start(const struct sync *s, const struct snap_job *j)
{
	struct track *track = track_find(s->b, task_key(j, 0));
	struct sched_view view;

	if (!track || sched_view(s->b->core, track->core, &view) || view.start >= PACT_FOREVER ||
	    view.start <= s->snap->now)
		return 0;
	return view.start;
}

/* When the jobs that a promised one waits for will have ended; see depend.h. */
static int64_t depends_begin(struct sync *s, const struct snap_job *j)
{
	if (s->depends_of == j)
		return s->depends_begin;
	s->depends_of = j;
	s->depends_begin = 0;
	for (uint32_t i = 0; i < j->ndepends; i++) {
		int64_t end = depend_known(s->b, &j->depends[i]);

		if (end >= PACT_FOREVER)
			end = planned_start(s, j);
		if (end > s->depends_begin)
			s->depends_begin = end;
	}
	return s->depends_begin;
}

static int64_t begin_of(struct sync *s, const struct snap_job *j)
{
	int64_t begin = j->what.begin > s->snap->now ? j->what.begin : 0;
	/* One that is held may keep its place without a promise. */
	int64_t after = promised(j) || j->held ? depends_begin(s, j) : 0;

	return after > begin ? after : begin;
}

/* Until when it has to have ended for those that wait for it; see reliance.h. */
static int64_t bound_of(const struct sync *s, const struct snap_job *j, const struct track *track)
{
	bool blind = j->what.opaque || (track->refused && !promised(j));

	return blind ? PACT_FOREVER : reliance_bound(s->b, track->key);
}

/* The bound is a deadline too; who has no promise is planned like one that has. */
static void set_bound(struct sched_job *job, int64_t bound)
{
	if (bound >= PACT_FOREVER || (job->deadline && job->deadline <= bound))
		return;
	job->flags = job->deadline ? JOB_PROMISED : JOB_PROMISED | JOB_NEEDED;
	job->deadline = bound;
	job->least = 0;
}

static void fill(struct sync *s, const struct snap_job *j, const struct track *track,
		 struct sched_job *out)
{
	bool keep = promised(j);

	*out = (struct sched_job){
		.id = track->core,
		.submit = j->submit,
		.eligible = j->eligible,
		.begin = begin_of(s, j),
		.limit = keep ? j->token.limit : j->what.limit,
		.least = keep || j->what.deadline || j->what.least >= j->what.limit ? 0
										    : j->what.least,
		.deadline = keep ? (j->what.deadline ? j->what.deadline : j->token.deadline) : 0,
		.priority = j->priority,
		.planned = keep && j->start > 0 ? j->start : -1,
		.width = j->what.width,
		.flags = keep				      ? JOB_PROMISED
			 : j->what.opaque || j->what.preempts ? JOB_OPAQUE
							      : 0,
		.nalt = j->what.nalt,
		.required = j->what.required,
	};
	/* Shortened by an operator: the promise needs no more than that. */
	if (keep && j->what.limit < out->limit)
		out->limit = j->what.limit;
	if (out->limit < 1)
		out->limit = 1;
	for (uint32_t i = 0; i < j->what.nalt; i++)
		out->alt[i] = j->what.alt[i];
	set_bound(out, bound_of(s, j, track));
}

static void note(const struct sync *s, const struct snap_job *j, struct track *track)
{
	track->seen = s->b->epoch;
	track->snap = j;
	track->job_id = j->job_id;
	track->submit = j->submit;
	track->print = j->print;
	track->priority = j->priority;
	track->promised = promised(j);
	track->barred = j->obstacle;
	track->blind = j->what.opaque;
	track->held = j->held;
	track->token = j->token;
	remember(track, j);
}

/* The unconfirmed submission of a record, which this snapshot shows the first time; NULL: there is none. */
static struct unconfirmed *shown(struct sync *s, const struct snap_job *j)
{
	struct unconfirmed *p = *unconfirmed_find(s->b, j->token.id);

	/* Of an array rather the record that its tasks share. */
	if (p && (!p->shown || j->tasks))
		p->shown = j;
	return p;
}

/*
 * The record of an accepted submission is over, or held, before any snapshot has shown it: its tasks
 * give up the places held for them.
 */
static void forgo(struct sync *s, const struct snap_job *j)
{
	struct unconfirmed *p = token_binds(&j->token) ? shown(s, j) : NULL;

	for (uint32_t t = 0; p && t < task_count(j) && p->used < p->ncore; t++)
		if (!track_find(s->b, task_key(j, t)))
			simple(s, EV_WITHDRAW, p->core[p->used++], "an accepted job");
}

/*
 * The record of an accepted submission has shown up: its tasks take the places held for them.  Those
 * of an array may have several records by now, of which each takes its own.
 */
static void confirm(struct sync *s, const struct snap_job *j)
{
	struct unconfirmed *p = shown(s, j);
	struct track *track;

	if (!p)
		return;
	for (uint32_t t = 0; t < task_count(j) && p->used < p->ncore; t++) {
		struct confirm_task task = { .key = task_key(j, t),
					     .uid = j->uid,
					     .priority = j->priority };

		if (track_find(s->b, task.key))
			continue;
		track = confirm_place(s->b, p, p->used++, &task, s->snap->now);
		if (track)
			note(s, j, track);
	}
	if (!p->asked)
		return;
	/* An array that has lost tasks since is not what was asked for. */
	if (task_count(j) != p->ncore) {
		terms_leave(s->b, &p->asked, TALLY_SPLIT);
	} else if ((track = track_find(s->b, task_key(j, 0)))) {
		terms_expect(s->b, track, p->asked);
		p->asked = NULL;
	}
}

/* Whose job it is that was accepted.  Tasks that no record has any more were cancelled before this. */
static void bind_job(struct sync *s, const struct unconfirmed *p)
{
	const struct snap_job *j = p->shown;
	struct ledger_outcome books;

	judge_books(j, false, &books);
	history_bound(j->token.id, &books.job, j->base_id, j->tasks ? NO_VAL : j->task);
	if (p->used < p->ncore)
		judge_missing(s->b, j, (uint32_t)(p->ncore - p->used), s->snap->now);
}

/* All records have taken what they have. */
static void end_shown(struct sync *s)
{
	struct unconfirmed **at = &s->b->unconfirmed;

	while (*at)
		if ((*at)->shown) {
			bind_job(s, *at);
			confirm_end(s->b, at, (*at)->used, s->snap->now);
		} else {
			at = &(*at)->next;
		}
}

/*
 * An accepted submission whose RPC ended before this snapshot was begun, or long ago, and no
 * record.
 */
static void drop_unconfirmed(struct sync *s)
{
	struct unconfirmed **at = &s->b->unconfirmed;

	while (*at) {
		struct unconfirmed *p = *at;

		if (!unconfirmed_lapsed(s->b, p)) {
			at = &p->next;
			continue;
		}
		unconfirmed_drop(s->b, at, s->snap->now);
	}
}

/* Submit jobs whose tracks are new; all or none with a decision. */
static bool submit(struct sync *s, struct sched_job *jobs, size_t n, struct sched_decision *d)
{
	bool decides = jobs[0].deadline && !(jobs[0].flags & JOB_PROMISED);

	if (!event(s, &(struct sched_event){ .type = EV_SUBMIT, .jobs = jobs, .njobs = n },
		   "a submission"))
		return false;
	return !decides || bridge_answer(s->b, jobs[0].id, d);
}

/* What a new admission asks for: a limit that may be trimmed is, as at submission. */
static int64_t readmit_limit(const struct sync *s, const struct snap_job *j)
{
	int64_t fits = (j->what.deadline - s->snap->now - s->b->conf->sched.guard) / 60 * 60;

	if (fits >= j->what.limit || j->what.least >= j->what.limit)
		return j->what.limit;
	return fits > j->what.least ? fits : j->what.least;
}

/* Does no scheduler of its partitions make promises?  The one of the last, or NULL. */
static const char *unpromising(const struct sync *s, const struct snap_job *j)
{
	const char *own = NULL;

	for (uint32_t i = 0; i < j->what.nalt; i++) {
		own = conf_unpromising(s->b->conf, j->what.part[i]);
		if (!own)
			return NULL;
	}
	return own;
}

static bool may_readmit(const struct sync *s, const struct snap_job *j)
{
	if (j->token_rc != TOKEN_OK || j->token.state != TOKEN_WITHDRAWN || !j->what.deadline ||
	    j->what.opaque || !j->what.limit_given || j->what.waits || j->obstacle ||
	    bridge_unsafe(s->b))
		return false;
	for (uint32_t i = 0; i < j->what.nalt; i++)
		if (!conf_promises(s->b->conf, j->what.part[i]))
			return false;
	return !unpromising(s, j);
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

/*
 * A job that was held, and was promised before that, is released: a new
 * admission.  RET true: accepted; its tracks wait.
 */
static bool readmit(struct sync *s, const struct snap_job *j, struct track **tracks,
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
	accepted = submit(s, jobs, n, &d);
	for (size_t i = 0; accepted && i < n; i++) {
		tracks[i]->token.deadline = j->what.deadline;
		tracks[i]->token.limit = jobs[i].limit;
		tracks[i]->token.state = TOKEN_PROMISED;
		tracks[i]->promised = true;
		tracks[i]->shape = bridge_shape(&jobs[i]);
	}
	update.token = tracks[0]->token;
	update.terms = accepted;
	if (accepted)
		promised_again(j, tracks[0], n, &update.books);
	if (!accepted)
		snprintf(update.text, sizeof(update.text), "Deadline not promised after release");
	bridge_update_record(s->b, &update);
	info("%s: JobId=%u released: its deadline is %s", scheduler_type(), j->job_id,
	     accepted ? "promised again" : "refused, it waits like a job without one");
	if (!accepted)
		refused_again(s, j, &d, n);
	return accepted;
}

/* A waiting record's tasks that the core does not know yet. */
static void submit_new(struct sync *s, const struct snap_job *j, struct track **tracks,
		       struct sched_job *jobs, size_t n)
{
	struct sched_decision d;

	for (size_t i = 0; i < n; i++) {
		fill(s, j, tracks[i], &jobs[i]);
		tracks[i]->shape = bridge_shape(&jobs[i]);
	}
	if (may_readmit(s, j)) {
		if (readmit(s, j, tracks, jobs, n))
			return;
		for (size_t i = 0; i < n; i++) {
			fill(s, j, tracks[i], &jobs[i]);
			tracks[i]->shape = bridge_shape(&jobs[i]);
		}
	}
	if (submit(s, jobs, n, &d))
		return;
	for (size_t i = 0; i < n; i++)
		track_remove(s->b, tracks[i]);
}

static void sync_new(struct sync *s, const struct snap_job *j)
{
	uint32_t room = task_count(j);
	struct sched_job *jobs = calloc(room ? room : 1, sizeof(*jobs));
	struct track **tracks = calloc(room ? room : 1, sizeof(*tracks));
	size_t n = 0;

	for (uint32_t t = 0; jobs && tracks && t < room; t++) {
		if (track_find(s->b, task_key(j, t)))
			continue;
		tracks[n] = track_add(s->b, task_key(j, t), 0);
		if (!tracks[n])
			break;
		recorder_note_user(tracks[n]->core, j->uid);
		note(s, j, tracks[n]);
		n++;
	}
	if (n)
		submit_new(s, j, tracks, jobs, n);
	free(jobs);
	free(tracks);
}

/* Terms or order of a waiting job may have changed. */
static void sync_known(struct sync *s, const struct snap_job *j, struct track *track)
{
	uint64_t shape;
	struct sched_job job;

	/* This snapshot may have been taken before a change that the plan has seen. */
	if (track->decided >= s->b->epoch)
		return;
	if (track->priority != j->priority)
		event(s,
		      &(struct sched_event){
			      .type = EV_PRIORITY, .id = track->core, .priority = j->priority },
		      "a priority changed");
	note(s, j, track);
	terms_check(s->b, track, j, s->snap->site);
	fill(s, j, track, &job);
	shape = bridge_shape(&job);
	if (shape == track->shape)
		return;
	job.planned = -1;
	if (event(s, &(struct sched_event){ .type = EV_CHANGE, .jobs = &job, .njobs = 1 },
		  "a job changed"))
		track->shape = shape;
}

/*
 * A promised job that was held, waits for what never comes, is over a limit now, or
 * got a scheduler that makes no promises: the promise is withdrawn; told and counted where the record shows it (publish.c).
 */
static void withdraw(struct sync *s, const struct snap_job *j)
{
	struct record_update update = {
		.job_id = j->job_id,
		/* Held is held, whatever else has changed. */
		.print = j->over && !j->held ? j->print : 0,
		.seen = j->token,
		.token = j->token,
	};

	if (!token_binds(&j->token))
		return;
	judge_books(j, true, &update.books);
	update.books.how = "withdrawn";
	update.token.state = TOKEN_WITHDRAWN;
	if (!j->held && !j->never && !j->over)
		snprintf(update.text, sizeof(update.text), "its partition is scheduled by %s now",
			 unpromising(s, j));
	else
		snprintf(update.text, sizeof(update.text), "%s",
			 j->held    ? "held"
			 : j->never ? "waits for a job in vain"
				    : j->obstacle);
	bridge_update_record(s->b, &update);
}

/*
 * Requeued by hand when it was over: what was promised is in the books.  It is admitted anew, as if
 * released.
 */
static void reopen(struct sync *s, const struct snap_job *j)
{
	struct record_update update = { .job_id = j->job_id, .seen = j->token, .token = j->token };

	update.token.state = TOKEN_WITHDRAWN;
	update.token.ended = NULL;
	bridge_update_record(s->b, &update);
}

/*
 * Not in Slurm's queue at the moment (it was requeued, it begins later, it is held), and a promise
 * waits for it.
 */
static bool needed(const struct sync *s, const struct snap_job *j)
{
	bool known = !j->dependent || (j->held && j->ndepends && !j->never), any = false;

	for (uint32_t t = 0; !j->what.opaque && known && !any && t < task_count(j); t++)
		any = reliance_bound(s->b, task_key(j, t)) < PACT_FOREVER;
	return any;
}

/*
 * Promised, and its record does not say so: it was changed before it could show a new promise, or
 * the promise was withdrawn with a change.
 */
static bool unmade(const struct sync *s, const struct snap_job *j, const struct track *track)
{
	return track->promised && !track->running && !track->released &&
	       track->decided < s->b->epoch && j->token_rc == TOKEN_OK &&
	       j->token.state == TOKEN_WITHDRAWN;
}

/* Released, and each of its tasks has a place that was kept, in time for what it asks. */
static bool kept_in_time(const struct sync *s, const struct snap_job *j)
{
	const struct track *track;
	struct sched_view view;

	for (uint32_t t = 0; t < task_count(j); t++) {
		track = track_find(s->b, task_key(j, t));
		if (!track || track->running || !(track->held || track->released) ||
		    sched_view(s->b->core, track->core, &view) || view.start >= PACT_FOREVER ||
		    view.start + j->what.limit + s->b->conf->sched.guard > j->what.deadline)
			return false;
	}
	return reliance_bound(s->b, task_key(j, 0)) < PACT_FOREVER;
}

/*
 * A job that was held, whose place was kept since a promise waits for it: it is promised again where
 * it is.  To withdraw it and to admit it anew would let others into its place meanwhile.
 * RET false: it is for readmit() to decide
 */
static bool readmit_in_place(struct sync *s, const struct snap_job *j)
{
	struct record_update update = { .job_id = j->job_id, .print = j->print, .seen = j->token };
	struct track *track;
	struct sched_job job;

	if (j->held || !may_readmit(s, j) || readmit_limit(s, j) != j->what.limit ||
	    !kept_in_time(s, j))
		return false;
	for (uint32_t t = 0; t < task_count(j); t++) {
		track = track_find(s->b, task_key(j, t));
		note(s, j, track);
		track->released = false;
		fill(s, j, track, &job);
		if (!(job.flags & JOB_NEEDED) || job.deadline > j->what.deadline)
			job.deadline = j->what.deadline;
		job.flags = JOB_PROMISED;
		job.planned = -1;
		if (event(s, &(struct sched_event){ .type = EV_CHANGE, .jobs = &job, .njobs = 1 },
			  "a job is promised again"))
			track->shape = bridge_shape(&job);
		track->token.deadline = j->what.deadline;
		track->token.limit = j->what.limit;
		track->token.state = TOKEN_PROMISED;
		track->promised = true;
		update.token = track->token;
	}
	update.terms = true;
	promised_again(j, track_find(s->b, task_key(j, 0)), task_count(j), &update.books);
	bridge_update_record(s->b, &update);
	info("%s: JobId=%u released: its deadline is promised again", scheduler_type(), j->job_id);
	return true;
}

static void sync_pending(struct sync *s, const struct snap_job *j)
{
	bool planned = j->what.nalt && ((!j->held && (j->runnable || promised(j))) || needed(s, j));

	if (planned && readmit_in_place(s, j))
		return;
	for (uint32_t t = 0; t < task_count(j); t++) {
		struct track *track = track_find(s->b, task_key(j, t));

		if (track && unmade(s, j, track)) {
			drop(s, track);
			continue;
		}
		/* What forbade a promise has gone: it is admitted anew. */
		if (track && (track->running || !planned || (track->barred && !j->obstacle) ||
			      (track->released && j->token.state == TOKEN_WITHDRAWN)))
			drop(s, track);
	}
	if (j->held || j->never || j->over || unpromising(s, j))
		withdraw(s, j);
	if (j->token_rc == TOKEN_OK && j->token.ended)
		reopen(s, j);
	if (!planned && j->token_rc == TOKEN_OK)
		forgo(s, j);
	if (!planned)
		return;
	if (j->token_rc == TOKEN_OK)
		confirm(s, j);
	for (uint32_t t = 0; t < task_count(j); t++) {
		struct track *track = track_find(s->b, task_key(j, t));

		if (track)
			sync_known(s, j, track);
	}
	sync_new(s, j);
}

/* The core's time never goes back: after a step of the clock it would stay ahead of it. */
static bool clock_back(const struct bridge *b, const struct snapshot *snap)
{
	if (snap->now + CLOCK_BACK >= b->latest)
		return false;
	error("%s: the clock went back by %" PRId64 " s: everything is planned anew",
	      scheduler_type(), b->latest - snap->now);
	return true;
}

/* Is there an accepted submission, without a record, that bridge_reset() took the place from? */
static bool homeless(const struct bridge *b)
{
	const struct unconfirmed *p = b->unconfirmed;

	while (p && p->ncore)
		p = p->next;
	return p;
}

bool sync_apply(struct bridge *b, const struct snapshot *snap)
{
	struct sync s = { .b = b, .snap = snap };

	if (!b->core || b->recompose || clock_back(b, snap) || b->nodes != snap->nodes ||
	    b->names != snap->names)
		if (!snap->nodes || !bridge_reset(b, snap->nodes, snap->names))
			return false;
	reliance_in_vain(snap);
	reliance_collect(b, snap);
	mark_seen(&s);
	drop_unseen(&s);
	sync_down(&s);
	sync_resvs(&s);
	for (size_t i = 0; i < snap->njobs; i++)
		if (snap->jobs[i].state == SNAP_RUNNING)
			sync_running(&s, &snap->jobs[i]);
	for (size_t i = 0; i < snap->njobs; i++)
		if (snap->jobs[i].state == SNAP_PENDING)
			sync_pending(&s, &snap->jobs[i]);
	for (size_t i = 0; i < snap->njobs; i++)
		if (over(&snap->jobs[i]) && !judge_refused(b, &snap->jobs[i], snap->now)) {
			forgo(&s, &snap->jobs[i]);
			judge_record(b, &snap->jobs[i]);
		}
	end_shown(&s);
	drop_unconfirmed(&s);
	judge_survey(b, snap);
	b->ready = !homeless(b);
	return true;
}

void sync_forget(struct bridge *b)
{
	struct track *track;
	size_t i = 0;

	while (b->by_key && (track = table_next(b->by_key, &i)))
		track->snap = NULL;
}

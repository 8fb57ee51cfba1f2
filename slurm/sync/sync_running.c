/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_running.c - jobs that run, told to the core
 */
#include "slurm/base/compat.h"

#include "slurm/sync/sync_running.h"
#include "slurm/sync/sync_job.h"
#include "slurm/sync/sync_moves.h"
#include "slurm/sync/sync_resized.h"
#include "slurm/base/scheduler.h"
#include "slurm/history/history.h"
#include "slurm/promise/reliance.h"
#include "slurm/state/aliases.h"
#include "slurm/state/core.h"
#include "slurm/state/recorder.h"
#include "slurm/state/track.h"
#include "slurm/state/updates.h"

/* Seconds of a job's time beyond which what it has done is not guessed: products stay within 63 bits. */
#define CREDITED (INT64_C(1) << 31)

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

/* ---- jobs that share nodes ---- */

/* Its own deadline: it may be due earlier by now (renew_terms()), and until this again. 0: it has none. */
static int64_t own_deadline(const struct sync *s, const struct snap_job *j)
{
	int64_t due = sync_with_guard(s, j->terms.due);

	if (j->token_rc != TOKEN_OK || !(token_binds(&j->token) || token_expects(&j->token)) ||
	    due >= PACT_FOREVER)
		return 0;
	return j->token.deadline > due ? j->token.deadline : due;
}

/* A job of a realm that the core does not know: by what terms it runs. */
static bool restore(struct sync *s, const struct track *track, const struct snap_job *j)
{
	int64_t deadline = own_deadline(s, j);
	struct sched_job job = {
		.id = track->core,
		.submit = j->submit,
		.limit = j->terms.estimate,
		.deadline = deadline,
		.planned = -1,
		.width = (int32_t)nodeset_count(j->nodes),
		.processors = (int32_t)j->terms.processors,
		.memory = j->memory,
		.flags = track->promised || !deadline ? JOB_PROMISED : JOB_PROMISED | JOB_EXPECTED,
		.nalt = 1,
		.alt = { j->nodes },
		.user = alias_in_realm(s->b, j->uid),
	};

	return sync_event(s, &(struct sched_event){ .type = EV_SUBMIT, .jobs = &job, .njobs = 1 },
			  "a job that shares nodes");
}

/* Is where it is one of the places that it may have, by what it asked for? */
static bool is_within(const struct snap_job *j)
{
	for (uint32_t i = 0; i < j->what.nalt; i++)
		if (!j->what.alt[i] || nodeset_subset(j->nodes, j->what.alt[i]))
			return true;
	return false;
}

/* A job that takes turns and that the core does not know: it is placed where it is. One that may leave may have others. */
static bool place_again(struct sync *s, const struct track *track, const struct snap_job *j)
{
	bool leaves = sync_may_leave(j);
	struct sched_job job = {
		.id = track->core,
		.submit = sync_submitted(j),
		.limit = j->what.limit,
		.planned = -1,
		.width = (int32_t)nodeset_count(j->nodes),
		.memory = j->memory,
		.migration = sync_migration(j),
		.priority = j->priority,
		.flags = (j->what.whole ? (uint32_t)JOB_WHOLE : 0) |
			 (leaves ? JOB_LEAVES : JOB_FIXED),
		.nalt = 1,
		.alt = { j->nodes },
	};

	if (leaves && is_within(j)) {
		job.required = j->what.required;
		job.nalt = j->what.nalt;
		memcpy(job.alt, j->what.alt, sizeof(job.alt));
	}
	return sync_event(s, &(struct sched_event){ .type = EV_SUBMIT, .jobs = &job, .njobs = 1 },
			  "a job that takes turns");
}

/*
 * It has done at least what it claimed, of its estimate as much as of its time, until its nodes tell what it
 * really did: else what was promised would not fit any more.  Where the nearest deadline runs first that is not known.
 */
static void credit(struct sync *s, const struct track *track, const struct snap_job *j)
{
	int64_t time = j->terms.due - j->start, passed = s->snap->now - j->start;

	if (!track->promised || !strcmp(j->terms.rule, "nearest") || time < 1 || passed < 0 ||
	    time > CREDITED || j->terms.estimate > time)
		return;
	sync_event(s,
		   &(struct sched_event){ .type = EV_PROGRESS,
					  .id = track->core,
					  .nodes = j->nodes,
					  .work = j->terms.estimate *
						  (passed < time ? passed : time) / time *
						  1000000 },
		   "what a job has done at least");
}

/* What a promised job waits for has its nodes for itself, too, in a partition where others take turns. */
static bool takes_turns(const struct sync *s, const struct track *track)
{
	struct sched_view view;

	return !sched_view(s->b->core, track->core, &view) && view.bound;
}

void sync_outside(struct bridge *b, struct snapshot *snap)
{
	pthread_mutex_lock(&b->lock);
	for (size_t i = 0; b->ready && b->slices && i < snap->njobs; i++) {
		struct snap_job *j = &snap->jobs[i];
		const struct track *track = NULL;
		struct sched_view view;

		if (j->state == SNAP_RUNNING && j->slices)
			track = track_find(b, sync_key(j, 0));
		if (!track || !track->running || sched_view(b->core, track->core, &view))
			continue;
		j->outside = !view.bound;
		j->has_row = view.turns.in;
	}
	pthread_mutex_unlock(&b->lock);
}

/*
 * Suspended, or going on, where the core asks: on shared nodes, and where jobs take turns. Whose turn it is the core has
 * said itself; what was done by hand, and what it does not know of when it has just come up, is told. What has left its nodes as it
 * was asked to does not run there while they clean up.
 */
static void tell_suspended(struct sync *s, struct track *track, const struct snap_job *j,
			   bool slices, bool by_hand)
{
	bool suspended = j->suspended || j->ending;

	if ((!j->terms.estimate && !slices) || (j->ending && (!slices || track->suspended)) ||
	    (suspended == track->suspended && by_hand == track->by_hand))
		return;
	track->suspended = suspended;
	track->by_hand = by_hand;
	sync_event(s,
		   &(struct sched_event){ .type = suspended ? EV_SUSPENDED : EV_RESUMED,
					  .id = track->core,
					  .reserve = slices && suspended && !by_hand },
		   "a job is suspended or resumed");
}

/* One that is held is suspended by hand if it is not for another one's turn, which we know of. */
static bool is_by_hand(const struct track *track, const struct snap_job *j)
{
	return j->by_hand || (j->unclear && (track->by_hand || !track->suspended));
}

/* Of one that takes turns its limit counts, of which it uses up nothing while it is suspended; its record's end moves on. */
static void tell_limit(struct sync *s, struct track *track, const struct snap_job *j)
{
	if (j->ending || track->limit == j->what.limit)
		return;
	if (sync_event(s,
		       &(struct sched_event){ .type = EV_END_CHANGED,
					      .id = track->core,
					      .end = j->left < PACT_FOREVER ? s->snap->now + j->left
									    : PACT_FOREVER },
		       "what is left of a job's limit"))
		track->limit = j->what.limit;
}

/*
 * Its record ends at another time: the job is due then, as far as the core finds. As long as it is suspended, or its
 * nodes wake, that end moves on by itself.
 */
static void tell_due(struct sync *s, struct track *track, const struct snap_job *j, int64_t end)
{
	if (j->ending || j->suspended || j->waking || track->end == end)
		return;
	track->end = end;
	sync_event(s,
		   &(struct sched_event){ .type = EV_END_CHANGED,
					  .id = track->core,
					  .end = sync_with_guard(s, end) },
		   "a job is to end at another time");
}

/* What the core goes by now is what its nodes are to be told (reports.h), and what is known after a restart. */
static void renew_terms(struct sync *s, const struct track *track, const struct snap_job *j)
{
	struct record_update update = {
		.job_id = j->job_id, .seen = track->token, .token = track->token, .shares = j->terms
	};
	struct sched_view view;

	if (j->ending || sched_view(s->b->core, track->core, &view) || !view.rule ||
	    (view.due == j->terms.due && !strcmp(view.rule, j->terms.rule)))
		return;
	update.shares.due = view.due;
	update.shares.rule = view.rule;
	info("%s: JobId=%u: new terms for its nodes: it is due %" PRId64
	     " s %s than it was, rule %s",
	     scheduler_type(), j->job_id,
	     view.due < j->terms.due ? j->terms.due - view.due : view.due - j->terms.due,
	     view.due < j->terms.due ? "earlier" : "later", view.rule);
	updates_add(s->b, &update);
}

/*
 * A promised job waits for its end, and it has had its nodes for itself since it began, as if it was promised one: what was
 * planned behind it leaves it no turns (reliance.h). One that began by turns before that was promised has others beside it, or
 * was stopped for them.
 */
static bool is_relied_on(const struct sync *s, const struct snap_job *j)
{
	if (j->switched || reliance_bound(s->b, sync_key(j, 0)) >= PACT_FOREVER)
		return false;
	for (size_t i = 0; i < s->snap->njobs; i++) {
		const struct snap_job *other = &s->snap->jobs[i];

		if (other != j && other->state == SNAP_RUNNING && other->slices &&
		    nodeset_overlap(other->nodes, j->nodes))
			return false;
	}
	return true;
}

/*
 * known: the core knows the job, and of one that shares nodes its terms.
 *
 * What took turns and is over comes to it as nodes that no new job gets before they are clean, as Slurm itself starts none there.
 * What has begun there has its turns: it does not wait for that, nor is it set aside as for a promised job.
 */
static void started(struct sync *s, struct track *track, const struct snap_job *j, int64_t end,
		    bool known)
{
	bool tell_terms = j->terms.estimate && !known;
	bool place = j->slices && !j->ending && !known && !is_relied_on(s, j);
	bool resizes = j->resizes && !known;
	bool cleans = j->slices && j->ending && !known;
	int64_t until = j->terms.estimate ? sync_with_guard(s, j->terms.due) : hold_end(s, j, end);
	struct sched_event ev = { .type = EV_STARTED,
				  .id = track->core,
				  .nodes = resizes ? j->own : j->nodes,
				  .start = j->start,
				  .end = until,
				  .stays = resizes ? (int32_t)j->before : 0 };
	bool slices;

	if (cleans) {
		ev.type = EV_BLOCK;
		ev.end = end; /* at any time */
		ev.start = MIN(j->start, end - 1);
	}
	if (j->resizes) {
		ev.width = (int32_t)(j->run.own + j->run.lost);
		ev.left = bridge_run_left(j);
	}
	if ((tell_terms && !restore(s, track, j)) || (place && !place_again(s, track, j)) ||
	    (resizes && !sync_resized_again(s, track, j))) {
		track_remove(s->b, track);
		return;
	}
	if (!sync_event(s, &ev, "a job runs")) {
		if (tell_terms || place || resizes)
			sync_simple(s, EV_WITHDRAW, track->core, "a job that was not started");
		track_remove(s->b, track);
		return;
	}
	track->running = true;
	track->suspended = track->by_hand = false;
	track->end = end;
	track->limit = 0; /* some of it may be used up */
	track->width = nodeset_count(ev.nodes);
	track->cleaning = j->cleaning;
	slices = takes_turns(s, track);
	tell_suspended(s, track, j, slices, j->by_hand);
	if (slices)
		tell_limit(s, track, j);
	sync_leaving(s, track, j);
	if (tell_terms)
		credit(s, track, j);
	if (resizes)
		sync_resized_restored(s, track, j);
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

/*
 * Does it have other nodes than the core knows, or no turns any more, as it is over? One that was asked to leave has a place still
 * where it is to go, and what is resized has its nodes until it is over.
 */
static bool is_cut_short(const struct track *track, const struct snap_job *j, bool slices)
{
	if (j->ending && (track->leaving || track->resizes))
		return false;
	return track->width != nodeset_count(j->nodes) || (j->ending && slices);
}

/* Its promise, as its record has it by now, or is to have it. track NULL: we do not know it. */
static void take_token(struct sync *s, struct track *track, const struct snap_job *j)
{
	if (left_early(j, track))
		updates_add(s->b, &(struct record_update){ .job_id = j->job_id,
							   .seen = j->token,
							   .token = track->token,
							   .terms = true });
	else if (track && j->token_rc == TOKEN_OK)
		track->token = j->token;
}

/* To the core it is another one from now on, or just nodes. */
static void begin_again(struct sync *s, struct track *track, const struct snap_job *j, int64_t end)
{
	sync_event(s, &(struct sched_event){ .type = EV_FINISH, .id = track->core, .cut = true },
		   "a job shrank, or cleans up");
	track->running = false;
	/* the core was not told yet what was asked of the one that it has now */
	track->leaving = track->to_ask = false;
	started(s, track, j, end, false);
}

/* One that the core knows to run, where it is. */
static void runs_on(struct sync *s, struct track *track, const struct snap_job *j, int64_t end,
		    bool slices)
{
	tell_suspended(s, track, j, slices, is_by_hand(track, j));
	sync_leaving(s, track, j);
	if (j->terms.estimate) {
		tell_due(s, track, j, end);
		renew_terms(s, track, j);
		return;
	}
	if (slices)
		tell_limit(s, track, j);
	else if (track->end != end)
		sync_event(s,
			   &(struct sched_event){ .type = EV_END_CHANGED,
						  .id = track->core,
						  .end = hold_end(s, j, end) },
			   "a limit changed");
	track->end = end;
}

/* One that neither we nor the core know. NULL: no memory */
static struct track *find_out(struct sync *s, const struct snap_job *j)
{
	struct track *track = track_add(s->b, sync_key(j, 0), 0);

	if (!track)
		return NULL;
	recorder_note_user(track->core, j->uid);
	track->seen = s->b->epoch;
	track->snap = j;
	track->job_id = j->job_id;
	track->submit = j->submit;
	track->token = j->token;
	track->promised = j->token_rc == TOKEN_OK && token_binds(&j->token) &&
			  j->token.state == TOKEN_PROMISED;
	sync_remember(track, j);
	return track;
}

static void sync_running(struct sync *s, const struct snap_job *j)
{
	struct track *track = track_find(s->b, sync_key(j, 0));
	int64_t end = record_end(track, j);
	bool known = track, running = track && track->running;
	bool slices = running && takes_turns(s, track);

	if (nodeset_empty(j->nodes)) {
		if (track)
			sync_drop(s, track);
		return;
	}
	take_token(s, track, j);
	if (running && j->resizes)
		sync_resized(s, track, j);
	else if (running && is_cut_short(track, j, slices))
		begin_again(s, track, j, end);
	else if (running)
		runs_on(s, track, j, end, slices);
	else if (known || (track = find_out(s, j)))
		started(s, track, j, end, known);
}

/* ---- whose turn it is ---- */

/* One that takes turns, and when its last turn was over; 0: it is not. */
struct found {
	const struct snap_job *j;
	int64_t stopped;
};

static int64_t stopped(const struct sync *s, const struct snap_job *j)
{
	int64_t since = j->switched ? j->switched : j->start;
	int64_t end = since + s->b->conf->sched.slice;

	if (j->suspended)
		return since;
	/* its record may be older than what ran last */
	return end <= s->snap->now ? end : 0;
}

static int by_turn(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if (x->stopped != y->stopped)
		return x->stopped < y->stopped ? -1 : 1;
	return (x->j > y->j) - (x->j < y->j);
}

void sync_all_running(struct sync *s)
{
	size_t n = 0;
	struct found *found = calloc(s->snap->njobs + 1, sizeof(*found));

	for (size_t i = 0; i < s->snap->njobs; i++) {
		const struct snap_job *j = &s->snap->jobs[i];

		if (j->state != SNAP_RUNNING)
			continue;
		if (found && j->slices && !track_find(s->b, sync_key(j, 0)))
			found[n++] = (struct found){ j, stopped(s, j) };
		else
			sync_running(s, j);
	}
	if (n)
		qsort(found, n, sizeof(*found), by_turn);
	for (size_t i = 0; i < n; i++)
		sync_running(s, found[i].j);
	free(found);
}

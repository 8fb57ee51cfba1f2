/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_running.c - jobs that run, told to the core
 */
#include "slurm/base/compat.h"

#include "slurm/agent/sync_running.h"
#include "slurm/agent/sync_job.h"
#include "slurm/history/history.h"
#include "slurm/state/aliases.h"
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

/* A job of a realm that the core does not know: by what terms it runs. */
static bool restore(struct sync *s, const struct track *track, const struct snap_job *j)
{
	int64_t guard = s->b->conf->sched.guard;
	struct sched_job job = {
		.id = track->core,
		.submit = j->submit,
		.limit = j->terms.estimate,
		.deadline = j->terms.due < PACT_FOREVER ? j->terms.due + guard : 0,
		.planned = -1,
		.width = (int32_t)nodeset_count(j->nodes),
		.processors = (int32_t)j->terms.processors,
		.flags = track->promised ? JOB_PROMISED : JOB_PROMISED | JOB_EXPECTED,
		.nalt = 1,
		.alt = { j->nodes },
		.user = alias_in_realm(s->b, j->uid),
	};

	return sync_event(s, &(struct sched_event){ .type = EV_SUBMIT, .jobs = &job, .njobs = 1 },
			  "a job that shares nodes");
}

/* A job that takes turns and that the core does not know: it is placed where it is. */
static bool place_again(struct sync *s, const struct track *track, const struct snap_job *j)
{
	struct sched_job job = {
		.id = track->core,
		.submit = j->submit,
		.limit = j->what.limit,
		.planned = -1,
		.width = (int32_t)nodeset_count(j->nodes),
		.memory = j->what.memory,
		.priority = j->priority,
		.flags = (j->what.whole ? (uint32_t)JOB_WHOLE : 0) | JOB_FIXED,
		.nalt = 1,
		.alt = { j->nodes },
	};

	return sync_event(s, &(struct sched_event){ .type = EV_SUBMIT, .jobs = &job, .njobs = 1 },
			  "a job that takes turns");
}

/* Whose turn it is decides the core; what was done by hand, and what the record says that it does not know, is told. */
static void tell_turn(struct sync *s, struct track *track, const struct snap_job *j)
{
	bool was = track->suspended;

	if (!j->slices || j->ending)
		return;
	track->suspended = j->suspended;
	if (track->by_hand == j->by_hand && was == j->suspended)
		return;
	track->by_hand = j->by_hand;
	if (j->suspended)
		sync_event(s,
			   &(struct sched_event){ .type = EV_SUSPENDED,
						  .id = track->core,
						  .reserve = !j->by_hand },
			   j->by_hand ? "a job was suspended" : "a job is suspended");
	else
		sync_simple(s, EV_RESUMED, track->core, "a job was resumed");
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

/* known: the core knows the job, and of one that shares nodes its terms. */
static void started(struct sync *s, struct track *track, const struct snap_job *j, int64_t end,
		    bool known)
{
	bool tell_terms = j->terms.estimate && !known, place = j->slices && !j->ending && !known;

	if ((tell_terms && !restore(s, track, j)) || (place && !place_again(s, track, j)) ||
	    !sync_event(s,
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
	if (tell_terms)
		credit(s, track, j);
	track->suspended = track->by_hand = false;
	tell_turn(s, track, j);
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

void sync_running(struct sync *s, const struct snap_job *j)
{
	struct track *track = track_find(s->b, sync_key(j, 0));
	int64_t end = record_end(track, j);
	bool known = track;

	if (nodeset_empty(j->nodes)) {
		if (track)
			sync_drop(s, track);
		return;
	}
	if (left_early(j, track))
		updates_add(s->b, &(struct record_update){ .job_id = j->job_id,
							   .seen = j->token,
							   .token = track->token,
							   .terms = true });
	else if (track && j->token_rc == TOKEN_OK)
		track->token = j->token;
	if (track && track->running && track->width != nodeset_count(j->nodes)) {
		sync_event(
			s,
			&(struct sched_event){ .type = EV_FINISH, .id = track->core, .cut = true },
			"a job shrank");
		track->running = false;
		started(s, track, j, end, false);
		return;
	}
	if (track && track->running) {
		tell_turn(s, track, j);
		/* of one that takes turns it moves on with each */
		if (track->end != end && !j->slices)
			sync_event(s,
				   &(struct sched_event){ .type = EV_END_CHANGED,
							  .id = track->core,
							  .end = hold_end(s, j, end) },
				   "a limit changed");
		track->end = end;
		return;
	}
	if (!track) {
		track = track_add(s->b, sync_key(j, 0), 0);
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
		sync_remember(track, j);
	}
	started(s, track, j, end, known);
}

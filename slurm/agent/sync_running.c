/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_running.c - jobs that run, told to the core
 */
#include "slurm/base/compat.h"

#include "slurm/agent/sync_running.h"
#include "slurm/agent/sync_job.h"
#include "slurm/history/history.h"
#include "slurm/state/recorder.h"
#include "slurm/state/track.h"
#include "slurm/state/updates.h"

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
	if (!sync_event(s,
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

void sync_running(struct sync *s, const struct snap_job *j)
{
	struct track *track = track_find(s->b, sync_key(j, 0));
	int64_t end = record_end(track, j);

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
		sync_simple(s, EV_FINISH, track->core, "a job shrank");
		track->running = false;
		started(s, track, j, end);
		return;
	}
	if (track && track->running) {
		if (track->end != end)
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
	started(s, track, j, end);
}

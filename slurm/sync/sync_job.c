/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_job.c - what the parts of one synchronisation share
 */
#include "slurm/base/compat.h"

#include "slurm/sync/sync_job.h"
#include "slurm/history/history.h"
#include "slurm/promise/judge.h"
#include "slurm/state/core.h"
#include "slurm/state/track.h"

uint32_t sync_tasks(const struct snap_job *j)
{
	return j->tasks ? j->ntasks : 1;
}

uint64_t sync_key(const struct snap_job *j, uint32_t i)
{
	return track_key(j->base_id, j->tasks ? j->tasks[i] : j->task);
}

/*
 * Its promise is broken already, and Slurm would not start it now (its partition
 * is down, it was refused again and again): to keep its place any longer would
 * help no user.
 */
static bool given_up(const struct snap_job *j)
{
	return j->token.state == TOKEN_BROKEN && (!j->runnable || j->given_up) && !j->dependent &&
	       j->what.begin <= j->taken;
}

bool sync_promised(const struct snap_job *j)
{
	return j->token_rc == TOKEN_OK && !j->held && !j->never && !j->over && j->what.nalt &&
	       !given_up(j) && token_binds(&j->token);
}

bool sync_expected(const struct snap_job *j)
{
	return j->token_rc == TOKEN_OK && token_expects(&j->token) && !j->held && !j->never &&
	       !j->over && j->what.nalt;
}

bool sync_may_leave(const struct snap_job *j)
{
	return j->leaves && j->move.state != MOVE_STAYS;
}

int64_t sync_migration(const struct snap_job *j)
{
	int64_t half = sync_may_leave(j) ? j->move.cost : 0;

	return half < MIGRATION_MOST / 2 ? 2 * half : MIGRATION_MOST;
}

int64_t sync_submitted(const struct snap_job *j)
{
	return j->move.state != MOVE_NONE ? j->move.submit : j->submit;
}

int64_t sync_with_guard(const struct sync *s, int64_t end)
{
	return end < PACT_FOREVER ? end + s->b->conf->sched.guard : PACT_FOREVER;
}

bool sync_event(struct sync *s, struct sched_event *ev, const char *what)
{
	ev->now = s->snap->now;
	return bridge_event(s->b, ev, what);
}

bool sync_simple(struct sync *s, enum sched_event_type type, uint64_t id, const char *what)
{
	return sync_event(s, &(struct sched_event){ .type = type, .id = id }, what);
}

/* Was it ended before it was done?  One that waits again was, too. */
static bool is_cut(const struct sync *s, const struct track *track)
{
	return (track->snap && track->snap->state == SNAP_PENDING) ||
	       snapshot_was_cut(s->snap, track->job_id);
}

void sync_drop(struct sync *s, struct track *track)
{
	if (track->rejected)
		; /* the core does not know it any more */
	else if (track->running)
		sync_event(s,
			   &(struct sched_event){
				   .type = EV_FINISH, .id = track->core, .cut = is_cut(s, track) },
			   "a job ended");
	else
		sync_simple(s, EV_WITHDRAW, track->core, "a job left the queue");
	track_remove(s->b, track);
}

void sync_remember(struct track *track, const struct snap_job *j)
{
	if (track->books || !token_binds(&track->token))
		return;
	track->books = calloc(1, sizeof(*track->books));
	if (track->books)
		judge_books(j, false, track->books);
}

void sync_note(const struct sync *s, const struct snap_job *j, struct track *track)
{
	track->seen = s->b->epoch;
	track->snap = j;
	track->job_id = j->job_id;
	track->submit = j->submit;
	track->print = j->print;
	track->priority = j->priority;
	track->promised = sync_promised(j);
	track->barred = j->obstacle;
	track->blind = j->what.opaque;
	track->held = j->held;
	track->token = j->token;
	sync_remember(track, j);
}

bool sync_submit(struct sync *s, struct sched_job *jobs, size_t n, struct sched_decision *d)
{
	if (!sync_event(s, &(struct sched_event){ .type = EV_SUBMIT, .jobs = jobs, .njobs = n },
			"a submission"))
		return false;
	return !d || bridge_answer(s->b, jobs[0].id, d);
}

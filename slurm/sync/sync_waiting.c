/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_waiting.c - jobs that wait, told to the core
 */
#include "slurm/base/compat.h"

#include "slurm/sync/sync_waiting.h"
#include "slurm/sync/sync_confirm.h"
#include "slurm/sync/sync_job.h"
#include "slurm/sync/sync_moves.h"
#include "slurm/sync/sync_readmit.h"
#include "slurm/sync/sync_terms.h"
#include "slurm/history/history.h"
#include "slurm/promise/reliance.h"
#include "slurm/state/core.h"
#include "slurm/state/recorder.h"
#include "slurm/state/terms.h"
#include "slurm/state/track.h"

/* A waiting record's tasks that the core does not know yet. */
static void submit_new(struct sync *s, const struct snap_job *j, struct track **tracks,
		       struct sched_job *jobs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		sync_fill(s, j, tracks[i], &jobs[i]);
		tracks[i]->shape = bridge_shape(&jobs[i]);
	}
	if (sync_may_readmit(s, j)) {
		if (sync_readmit(s, j, tracks, jobs, n))
			return;
		for (size_t i = 0; i < n; i++) {
			sync_fill(s, j, tracks[i], &jobs[i]);
			tracks[i]->shape = bridge_shape(&jobs[i]);
		}
	}
	if (sync_submit(s, jobs, n, NULL))
		return;
	for (size_t i = 0; i < n; i++)
		track_remove(s->b, tracks[i]);
}

static void sync_new(struct sync *s, const struct snap_job *j)
{
	uint32_t room = sync_tasks(j);
	struct sched_job *jobs = calloc(room ? room : 1, sizeof(*jobs));
	struct track **tracks = calloc(room ? room : 1, sizeof(*tracks));
	size_t n = 0;

	for (uint32_t t = 0; jobs && tracks && t < room; t++) {
		if (track_find(s->b, sync_key(j, t)))
			continue;
		tracks[n] = track_add(s->b, sync_key(j, t), 0);
		if (!tracks[n])
			break;
		recorder_note_user(tracks[n]->core, j->uid);
		sync_note(s, j, tracks[n]);
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
		sync_event(s,
			   &(struct sched_event){ .type = EV_PRIORITY,
						  .id = track->core,
						  .priority = j->priority },
			   "a priority changed");
	sync_note(s, j, track);
	terms_check(s->b, track, j, s->snap->site);
	sync_fill(s, j, track, &job);
	shape = bridge_shape(&job);
	if (shape == track->shape)
		return;
	job.planned = -1;
	if (sync_event(s, &(struct sched_event){ .type = EV_CHANGE, .jobs = &job, .njobs = 1 },
		       "a job changed"))
		track->shape = shape;
}

/*
 * Not in Slurm's queue at the moment (it was requeued, it begins later, it is held), and a promise
 * waits for it.
 */
static bool needed(const struct sync *s, const struct snap_job *j)
{
	bool known = !j->dependent || (j->held && j->ndepends && !j->never), any = false;

	for (uint32_t t = 0; !j->what.opaque && known && !any && t < sync_tasks(j); t++)
		any = reliance_bound(s->b, sync_key(j, t)) < PACT_FOREVER;
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

void sync_waiting(struct sync *s, const struct snap_job *j)
{
	bool planned =
		j->what.nalt && ((!j->held && (j->runnable || sync_promised(j))) || needed(s, j));

	if ((planned && sync_readmit_in_place(s, j)) || sync_moved(s, j, planned))
		return;
	for (uint32_t t = 0; t < sync_tasks(j); t++) {
		struct track *track = track_find(s->b, sync_key(j, t));

		if (track && unmade(s, j, track)) {
			sync_drop(s, track);
			continue;
		}
		/* What forbade a promise has gone: it is admitted anew. */
		if (track && (track->running || track->rejected || !planned ||
			      (track->barred && !j->obstacle) ||
			      (track->released && j->token.state == TOKEN_WITHDRAWN)))
			sync_drop(s, track);
	}
	if (j->held || j->never || j->over || sync_unpromising(s, j))
		sync_withdraw(s, j);
	if (j->token_rc == TOKEN_OK && j->token.ended)
		sync_reopen(s, j);
	if (!planned && j->token_rc == TOKEN_OK)
		sync_forgo(s, j);
	if (!planned)
		return;
	if (j->token_rc == TOKEN_OK)
		sync_confirm(s, j);
	for (uint32_t t = 0; t < sync_tasks(j); t++) {
		struct track *track = track_find(s->b, sync_key(j, t));

		if (track)
			sync_known(s, j, track);
	}
	sync_new(s, j);
}

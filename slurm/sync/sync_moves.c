/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_moves.c - jobs that are asked to leave their nodes, and have left them, told to the core
 */
#include "slurm/base/compat.h"

#include "slurm/sync/sync_moves.h"
#include "slurm/sync/sync_job.h"
#include "slurm/sync/sync_terms.h"
#include "slurm/base/scheduler.h"
#include "slurm/state/core.h"
#include "slurm/state/track.h"

/* Seconds until a job may start that has just been requeued (move_renew()). */
#define SOON 2

void sync_leaving(struct sync *s, struct track *track, const struct snap_job *j)
{
	bool asked = j->move.state == MOVE_ASKED;
	/* by the core, and it is not done, and may be */
	bool wished = track->to_ask && sync_may_leave(j);

	if (!j->slices || j->ending || wished || asked == track->leaving)
		return;
	if (sync_simple(s, asked ? EV_LEAVING : EV_REFUSED, track->core,
			asked ? "a job was asked to leave its nodes"
			      : "a job stays on its nodes")) {
		track->leaving = asked;
		s->b->slicing.late += j->move.state == MOVE_STAYS;
	}
	track->to_ask = false;
}

/* It waits to be started where it was to go, with what is left of its limit; so much its migration has cost. */
static bool tell_moved(struct sync *s, const struct track *track, const struct snap_job *j)
{
	int64_t limit = j->what.limit, cost = sync_migration(j);

	if (!sync_event(s,
			&(struct sched_event){ .type = EV_MIGRATED,
					       .id = track->core,
					       .migration = cost,
					       .end = limit < PACT_FOREVER ? s->snap->now + limit
									   : PACT_FOREVER },
			"a job has left its nodes"))
		return false;
	slices_moved(s->b, cost);
	return true;
}

bool sync_moved(struct sync *s, const struct snap_job *j, bool planned)
{
	struct track *track = j->tasks ? NULL : track_find(s->b, sync_key(j, 0));
	struct sched_job job;

	if (!track || !track->running || !track->leaving || j->held)
		return false;
	/* it was requeued while the snapshot was taken: the next one has that in order */
	if (j->move.state == MOVE_ASKED)
		return true;
	if (j->move.state != MOVE_MOVED)
		return false;
	if (j->what.begin > s->snap->now && j->what.begin <= s->snap->now + SOON)
		return true;
	if (!planned || !tell_moved(s, track, j))
		return false;
	info("%s: JobId=%u: it has left its nodes, %" PRId64 " s after it was asked to",
	     scheduler_type(), j->job_id, j->move.cost);
	track->running = track->suspended = track->by_hand = false;
	track->leaving = track->to_ask = false;
	sync_note(s, j, track);
	sync_fill(s, j, track, &job);
	/* that its limit is less now is no reason to look for another place */
	track->shape = bridge_shape(&job);
	return true;
}

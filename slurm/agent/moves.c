/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * moves.c - jobs are asked to leave their nodes, or left alone
 */
#include "slurm/base/compat.h"

#include "slurm/agent/moves.h"
#include "slurm/acting/migrate.h"
#include "slurm/acting/turn.h"
#include "slurm/records/cleaned.h"
#include "slurm/sync/sync_job.h"
#include "slurm/base/metered.h"
#include "slurm/config/conf.h"
#include "slurm/state/core.h"
#include "slurm/state/track.h"

/* Seconds in which a node that was asked to has registered, and Slurm has ended what it does not have. */
#define FINDING 10

static bool tell(struct bridge *b, enum sched_event_type type, uint64_t core)
{
	return bridge_event(b, &(struct sched_event){ .type = type, .now = time(NULL), .id = core },
			    "a migration");
}

void moves_note(struct bridge *b, uint64_t core)
{
	struct track *track = track_by_core(b, core);
	bool may = track && track->snap && sync_may_leave(track->snap);

	if (tell(b, may ? EV_LEAVING : EV_REFUSED, core) && may)
		track->leaving = track->to_ask = true;
	b->slicing.unasked += !may;
}

/* Of a running job of the snapshot; NULL: it is not to be asked. */
static struct track *to_ask(struct bridge *b, const struct snap_job *j)
{
	struct track *track = j->state == SNAP_RUNNING && j->leaves
				      ? track_find(b, track_key(j->base_id, j->task))
				      : NULL;

	return track && track->to_ask && track->running && !track->suspended ? track : NULL;
}

/* When it may be asked, in this turn: it may be one that the controller before has begun. */
static int64_t from(const struct track *track, const struct snap_job *j)
{
	int64_t begun = j->switched > j->start ? j->switched : j->start;

	return (begun > track->resumed ? begun : track->resumed) + CONF_TURN_BEGINNING;
}

/* again: it was asked before, by its record, and has not left yet. */
static void ask_one(struct bridge *b, struct track *track, bool again)
{
	uint32_t job_id = track->job_id;
	uint64_t core = track->core;
	struct metered metered;
	enum migrate_rc rc;

	pthread_mutex_unlock(&b->lock);
	metered_take(&metered, &turn_locks);
	rc = migrate_ask(job_id);
	bridge_lock_urgent(b);
	metered_give(&metered);
	b->slicing.asked += rc == MIGRATE_ASKED && !again;
	b->slicing.unasked += rc == MIGRATE_NEVER;
	track = track_by_core(b, core);
	if (!track)
		return;
	track->to_ask = rc == MIGRATE_LATER;
	if (rc == MIGRATE_NEVER && tell(b, EV_REFUSED, core))
		track->leaving = false;
}

void moves_ask(struct bridge *b, struct snapshot *snap)
{
	for (size_t i = 0; i < snap->njobs; i++) {
		struct track *track = to_ask(b, &snap->jobs[i]);

		if (track && time(NULL) >= from(track, &snap->jobs[i]))
			ask_one(b, track, snap->jobs[i].move.state == MOVE_ASKED);
	}
}

bool moves_gone(const struct snapshot *snap)
{
	bool any = false;

	for (size_t i = 0; i < snap->njobs; i++) {
		struct metered metered;

		if (!snap->jobs[i].gone)
			continue;
		metered_take(&metered, &turn_locks);
		any |= cleaned_end(snap->jobs[i].job_id);
		metered_give(&metered);
	}
	return any;
}

/* Until a job is as old as this Slurm takes it for one whose batch script may not have begun yet. */
static int64_t youth(void)
{
	return slurm_conf.batch_start_timeout + MIN(DEFAULT_MSG_TIMEOUT, slurm_conf.msg_timeout);
}

/* Of a running job of the snapshot; NULL: its node is not to be asked for it. */
static struct track *to_find(struct bridge *b, const struct snap_job *j, int64_t now)
{
	struct track *track =
		j->state == SNAP_RUNNING && j->leaves && !j->ending && now > j->start + youth()
			? track_find(b, track_key(j->base_id, j->task))
			: NULL;

	return track && track->running && !track->suspended && !track->found ? track : NULL;
}

void moves_find(struct bridge *b, const struct snapshot *snap)
{
	for (size_t i = 0; i < snap->njobs; i++) {
		struct track *track = to_find(b, &snap->jobs[i], time(NULL));
		struct metered metered;
		uint64_t core;
		bool found;

		if (!track)
			continue;
		core = track->core;
		pthread_mutex_unlock(&b->lock);
		metered_take(&metered, &turn_locks);
		found = migrate_find(snap->jobs[i].job_id);
		bridge_lock_urgent(b);
		metered_give(&metered);
		track = track_by_core(b, core);
		if (track && found)
			track->found = time(NULL);
	}
}

/* Is it there, as far as can be known? What an earlier life knew does not count. */
static bool is_found(struct bridge *b, const struct snap_job *j)
{
	const struct track *track;
	bool found;

	pthread_mutex_lock(&b->lock);
	track = track_find(b, track_key(j->base_id, j->task));
	found = b->nodes && track && track->found && time(NULL) >= track->found + FINDING;
	pthread_mutex_unlock(&b->lock);
	return found;
}

/* Seconds of its turns that it still has for its checkpoint. */
static int64_t left(const struct bridge *b, const struct snap_job *j)
{
	return j->move.asked + b->conf->migrate_grace - j->move.ran;
}

void moves_give_up(struct bridge *b, struct snapshot *snap)
{
	for (size_t i = 0; i < snap->njobs; i++) {
		struct snap_job *j = &snap->jobs[i];
		struct metered metered;

		if (j->state != SNAP_RUNNING || j->ending || j->move.state != MOVE_ASKED ||
		    left(b, j) > 0 || !is_found(b, j))
			continue;
		metered_take(&metered, &turn_locks);
		migrate_give_up(j->job_id);
		metered_give(&metered);
		j->move.state = MOVE_STAYS;
	}
}

/* What could not be done though it is due is tried again in a second: passes in a row would help none. */
static void wake(struct bridge *b, const struct snapshot *snap, int64_t at)
{
	if (at <= snap->now)
		at = snap->now + 1;
	if (!b->wake || at < b->wake)
		b->wake = at;
}

void moves_wake(struct bridge *b, const struct snapshot *snap)
{
	for (size_t i = 0; i < snap->njobs; i++) {
		const struct snap_job *j = &snap->jobs[i];
		const struct track *track = to_ask(b, j);

		if (track)
			wake(b, snap, from(track, j));
		/* when it has left that is in no record any more: what it had had in the last pass counts */
		if (j->state == SNAP_RUNNING && j->move.state == MOVE_ASKED && !j->suspended)
			wake(b, snap, snap->now + 1);
		if (j->state == SNAP_PENDING && j->move.state == MOVE_MOVED &&
		    j->what.begin > snap->now)
			wake(b, snap, j->what.begin);
	}
}

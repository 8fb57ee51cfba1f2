/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rows.c - see rows.h */
#include "slurm/base/compat.h"

#include "slurm/agent/rows.h"
#include "slurm/acting/gap.h"
#include "slurm/acting/turn.h"
#include "slurm/agent/repeats.h"
#include "slurm/base/clock.h"
#include "slurm/base/metered.h"
#include "slurm/state/core.h"
#include "slurm/state/track.h"

void rows_let_stop(struct pass *p)
{
	if (repeats_stop(p->b, p->snap))
		gap_stopped(p->b->conf->switch_gap);
	gap_wait(p->stopping);
}

/* Turns are taken under slurmctld's locks, for so many microseconds at a time. */
#define TURNS_US 10000

static bool is_turn(const struct sched_action *action)
{
	return action->type == ACT_SUSPEND || action->type == ACT_RESUME;
}

/* One job's. With slurmctld's locks and the mutex, which is given up while Slurm does it. RET whether it did. */
static bool switch_one(struct pass *p, const struct sched_action *action)
{
	struct bridge *b = p->b;
	struct track *track = track_by_core(b, action->id);
	bool suspend = action->type == ACT_SUSPEND, done;
	uint32_t job_id = track ? track->job_id : 0;
	struct sched_view view;
	int64_t end = PACT_FOREVER;

	/* only what is suspended shows it, and slurmctld waits for us */
	if (suspend && sched_view(b->core, action->id, &view) == PACT_OK)
		end = view.end;
	pthread_mutex_unlock(&b->lock);
	done = job_id && turn_take(job_id, suspend, end);
	bridge_lock_urgent(b);
	bridge_event(b,
		     &(struct sched_event){ .type = !done     ? EV_REFUSED
						    : suspend ? EV_SUSPENDED
							      : EV_RESUMED,
					    .now = time(NULL),
					    .id = action->id },
		     "a turn");
	if (done && suspend)
		gap_stopped(b->conf->switch_gap);
	track = track_by_core(b, action->id);
	if (track && done) {
		track->suspended = suspend;
		repeats_told(track, suspend);
	}
	slices_turn(b, suspend, done);
	p->turned |= done;
	if (track && done && !suspend) {
		track->resumed = time(NULL);
		track->to_ask |=
			track->leaving; /* the signal may not have reached it in its last turn */
	}
	return done;
}

bool rows_switch(struct pass *p, struct sched_action *action)
{
	struct bridge *b = p->b;
	struct metered metered;
	int64_t began;
	bool more = true, follows = true;

	pthread_mutex_unlock(&b->lock);
	if (action->type == ACT_RESUME)
		rows_let_stop(p);
	if (p->more_turns)
		metered_nap();
	metered_take(&metered, &turn_locks);
	bridge_lock_urgent(b);
	began = clock_us();
	while (more && is_turn(action) && !(action->type == ACT_RESUME && gap_left()) &&
	       clock_us() - began < TURNS_US) {
		follows = action->follows;
		/* the core computes nothing under locks: not after a refusal, nor after the last turn */
		more = switch_one(p, action) && follows && sched_next(b->core, action);
	}
	metered_give(&metered);
	p->more_turns = more && is_turn(action);
	if (!p->more_turns)
		slices_switched(b);
	return more;
}

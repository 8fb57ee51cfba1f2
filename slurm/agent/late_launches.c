/* SPDX-License-Identifier: GPL-2.0-or-later */
/* late_launches.c - jobs that are launched after they were stopped, see late_launches.h */
#include "slurm/base/compat.h"

#include "slurm/agent/late_launches.h"
#include "slurm/acting/turn.h"
#include "slurm/base/metered.h"
#include "slurm/state/core.h"
#include "slurm/state/track.h"

/* Seconds for which slurmd waits for a launch, by a clock of whole ones. */
#define SLURMD_WAITS 10

/* Seconds from one time to the next: of a job that is suspended already, slurmd takes one to see that. */
#define EVERY 2

/* Seconds before its next turn in which it is left alone: slurmd works on a job's messages in no order. */
#define CLEAR 4

/* Seconds after a job's start in which it may be launched, where Slurm sets prologs no limit. */
#define LONGEST 300

static int64_t told;

void late_launches_begin(void)
{
	told = 0;
}

int64_t late_launches_due(const struct late_launch *launch, int64_t now)
{
	/* it waits the first time only; a suspension takes whole seconds to be one */
	bool waits = launch->stopped - launch->start <= launch->ran + 1;
	int64_t due = MAX(launch->stopped + (waits ? SLURMD_WAITS : EVERY), launch->told + EVERY);
	int64_t then = MAX(due, now);

	return then < launch->start + launch->longest && then < launch->next - CLEAR ? due : 0;
}

/* 0: none is */
static int64_t longest(void)
{
	bool waited_for = slurm_conf.prolog_flags & PROLOG_FLAG_ALLOC;
	uint16_t limit = slurm_conf.prolog_epilog_timeout;

	if (waited_for || !slurm_conf.prolog || !slurm_conf.prolog[0])
		return 0;
	return limit && limit < INFINITE16 - 1 ? limit + SLURMD_WAITS : LONGEST;
}

/* When nodes of a job of the snapshot are to be told; 0: they are not.  With the mutex. */
static int64_t due(struct bridge *b, const struct snap_job *j, int64_t now)
{
	const struct track *track =
		j->state == SNAP_RUNNING && j->turned && j->suspended && !j->by_hand && !j->ending
			? track_find(b, track_key(j->base_id, j->task))
			: NULL;
	struct late_launch launch = {
		.start = j->start, .longest = longest(), .ran = j->runtime, .told = told
	};
	struct sched_view view;

	if (!track || !track->suspended || sched_view(b->core, track->core, &view) != PACT_OK ||
	    !view.turns.rows)
		return 0;
	launch.stopped = j->switched;
	launch.next = view.turns.next;
	return late_launches_due(&launch, now);
}

static void stop(struct bridge *b, uint32_t job_id)
{
	struct metered metered;
	bool sent;

	pthread_mutex_unlock(&b->lock);
	metered_take(&metered, &turn_locks);
	sent = turn_repeat(job_id);
	bridge_lock_urgent(b);
	metered_give(&metered);
	slices_repeated(b, sent);
}

void late_launches_stop(struct bridge *b, const struct snapshot *snap)
{
	int64_t now = time(NULL), next = 0;
	bool any = false;

	if (!b->slices || !longest())
		return;
	for (size_t i = 0; i < snap->njobs; i++) {
		int64_t when = due(b, &snap->jobs[i], now);

		if (!when)
			continue;
		if (when <= now) {
			stop(b, snap->jobs[i].job_id);
			any = true;
			when = now + EVERY;
		}
		if (!next || when < next)
			next = when;
	}
	if (any)
		told = now;
	if (next && (!b->wake || next < b->wake))
		b->wake = next;
}

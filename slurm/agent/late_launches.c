/* SPDX-License-Identifier: GPL-2.0-or-later */
/* late_launches.c - jobs that run although they were stopped, see late_launches.h */
#include "slurm/base/compat.h"

#include "slurm/agent/late_launches.h"
#include "slurm/agent/repeats.h"
#include "slurm/config/conf.h"
#include "slurm/state/core.h"
#include "slurm/state/track.h"

/* Seconds for which slurmd waits for a launch, by a clock of whole ones. */
#define SLURMD_WAITS 10

/* Seconds from one time to the next: slurmd takes one to see that a job's steps are suspended already. */
#define EVERY 4
#define LEAST 2

/* Seconds that a launch may take on a busy node, beside its prolog. */
#define LAUNCH 20

/* Seconds before its next turn in which it is left alone. */
#define CLEAR 4

/* Seconds after the stop: enough for slurmd, and before another turn where slices are short. */
#define OVER 3

/* It was stopped so soon after it was resumed that nodes may have done so the other way round. */
static int64_t brief_due(const struct late_launch *launch, int64_t now)
{
	int64_t ran = launch->stopped - launch->hasty, due = MAX(launch->stopped + OVER, now);
	bool brief = launch->hasty && ran >= 0 && ran <= SLURMD_AT_IT;

	return brief && launch->told < launch->stopped && due < launch->next - CLEAR ? due : 0;
}

static int64_t launch_due(const struct late_launch *launch, int64_t now)
{
	/* it waits the first time only; clocks are of whole seconds */
	bool waits = launch->stopped - launch->start <= launch->ran + 1;
	int64_t first = launch->stopped + (waits ? SLURMD_WAITS : EVERY);
	int64_t due = MAX(first, launch->told + EVERY), last = launch->next - CLEAR - 1;

	/* what comes after the last time runs until its turn: that is not to be long */
	if (due > last && last >= MAX(first, launch->told + LEAST))
		due = last;
	return launch->launched && MAX(due, now) <= last &&
			       MAX(due, now) < launch->launched + launch->longest + LAUNCH
		       ? due
		       : 0;
}

int64_t late_launches_due(const struct late_launch *launch, int64_t now)
{
	int64_t brief = brief_due(launch, now), late = launch_due(launch, now);

	return brief && (!late || brief < late) ? brief : late;
}

/* When nodes of a job of the snapshot are to be told; 0: they are not.  If now, that is noted.  With the mutex. */
static int64_t due(struct bridge *b, const struct snap_job *j, int64_t now)
{
	struct track *track =
		j->state == SNAP_RUNNING && j->turned && j->suspended && !j->by_hand && !j->ending
			? track_find(b, track_key(j->base_id, j->task))
			: NULL;
	struct late_launch launch = {
		.start = j->start,
		.launched = j->launched,
		.longest = b->conf->prolog,
		.ran = j->runtime,
		.stopped = j->switched,
	};
	struct sched_view view;
	int64_t when;

	if (!track || !track->suspended || sched_view(b->core, track->core, &view) != PACT_OK ||
	    !view.turns.rows)
		return 0;
	launch.told = track->stopped_again;
	launch.hasty = track->hasty;
	launch.next = MAX(view.turns.next, view.aside);
	when = late_launches_due(&launch, now);
	if (when && when <= now) {
		track->stopped_again = now;
		repeats_told(track, true);
	}
	return when;
}

/* Of those that are due now the ids, NULL: none is, or memory is short. The next pass is to come when the next one is. With the mutex. */
static uint32_t *list_due(struct bridge *b, const struct snapshot *snap, int64_t now, size_t *n)
{
	uint32_t *id = NULL;
	int64_t next = 0;

	*n = 0;
	for (size_t i = 0; i < snap->njobs; i++) {
		int64_t when = due(b, &snap->jobs[i], now);

		if (!when)
			continue;
		if (when <= now) {
			if (!id)
				id = malloc(snap->njobs * sizeof(*id));
			if (id)
				id[(*n)++] = snap->jobs[i].job_id;
			when = due(b, &snap->jobs[i], now);
		}
		if (when && (!next || when < next))
			next = when;
	}
	if (next && (!b->wake || next < b->wake))
		b->wake = next;
	return id;
}

void late_launches_stop(struct bridge *b, const struct snapshot *snap)
{
	uint32_t *id;
	size_t n;

	if (!b->slices || !suspension_repeats() || !(id = list_due(b, snap, time(NULL), &n)))
		return;
	pthread_mutex_unlock(&b->lock);
	(void)repeats_send(b, id, n);
	bridge_lock_urgent(b);
	free(id);
}

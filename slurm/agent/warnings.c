/* SPDX-License-Identifier: GPL-2.0-or-later */
/* warnings.c - jobs that take turns are warned of their ends, see warnings.h */
#include "slurm/base/compat.h"

#include "slurm/agent/warnings.h"
#include "slurm/acting/turn.h"
#include "slurm/base/metered.h"
#include "slurm/config/conf.h"
#include "slurm/state/core.h"
#include "slurm/state/track.h"

/* Seconds, by a clock of whole ones, from a resumption, and to a suspension; in slices that have no room for both: their middle. */
#define CLEAR 4

static int64_t began; /* when this controller did */

void warnings_begin(void)
{
	began = time(NULL);
}

int64_t warnings_after(int64_t slice)
{
	return MIN(CLEAR, (slice + 1) / 2);
}

int64_t warnings_before(int64_t slice)
{
	return MIN(CLEAR, slice - warnings_after(slice));
}

int64_t warnings_due(const struct warnings_turn *turn, int64_t now)
{
	int64_t first = turn->since + warnings_after(turn->slice);
	int64_t due = MAX(first, turn->end - turn->warning - TURN_WARNS);

	if (!turn->next || MAX(due, now) <= turn->next - warnings_before(turn->slice))
		return due;
	/* it has another turn before Slurm may send it at any time, or else this is as good as any */
	return MAX(first, turn->end - turn->warning - TURN_SLURM_WARNS);
}

/* Of a running job of the snapshot that wants a warning and has its turn; NULL: it does not. */
static const struct track *to_warn(struct bridge *b, const struct snap_job *j)
{
	const struct track *track =
		j->state == SNAP_RUNNING && j->slices && j->warning && !j->ending && !j->waking
			? track_find(b, track_key(j->base_id, j->task))
			: NULL;

	return track && track->running && !track->suspended ? track : NULL;
}

/* It may have been resumed in this pass. */
static int64_t since(const struct track *track, const struct snap_job *j)
{
	int64_t by_record = j->switched ? j->switched : j->start;

	return MAX(MAX(by_record, track->resumed), began);
}

/* Of a slice so many seconds are left of it between a job's going on and its next stop. */
static int64_t turn_time(const struct conf *conf)
{
	return conf->sched.slice - conf_gap(conf);
}

static void warn(struct bridge *b, uint32_t job_id)
{
	int64_t after = warnings_after(turn_time(b->conf));
	struct metered metered;

	pthread_mutex_unlock(&b->lock);
	metered_take(&metered, &turn_locks);
	(void)turn_warn(job_id, after);
	bridge_lock_urgent(b);
	metered_give(&metered);
}

void warnings_send(struct bridge *b, struct snapshot *snap, int64_t next)
{
	for (size_t i = 0; b->slices && i < snap->njobs; i++) {
		struct snap_job *j = &snap->jobs[i];
		const struct track *track = to_warn(b, j);
		struct warnings_turn turn;
		int64_t now = time(NULL), due;

		if (!track)
			continue;
		turn = (struct warnings_turn){ .slice = turn_time(b->conf),
					       .since = since(track, j),
					       .end = j->end,
					       .warning = j->warning,
					       .next = next };
		due = warnings_due(&turn, now);
		if (due <= now)
			warn(b, j->job_id);
		else if (!b->wake || due < b->wake)
			b->wake = due;
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync.c - from slurmctld's records to the core's events
 */
#include "slurm/base/compat.h"

#include "slurm/sync/sync.h"
#include "slurm/acting/refusal.h"
#include "slurm/sync/reset.h"
#include "slurm/sync/sync_blocks.h"
#include "slurm/sync/sync_confirm.h"
#include "slurm/sync/sync_job.h"
#include "slurm/sync/sync_reports.h"
#include "slurm/sync/sync_running.h"
#include "slurm/sync/sync_waiting.h"
#include "slurm/base/scheduler.h"
#include "slurm/history/history.h"
#include "slurm/promise/judge.h"
#include "slurm/promise/reliance.h"
#include "slurm/state/learned.h"
#include "slurm/state/track.h"

/* Seconds by which the clock may go back without harm: it is made up for by waiting. */
#define CLOCK_BACK 60

static bool over(const struct snap_job *j)
{
	return j->state == SNAP_LOST || j->state == SNAP_ENDED;
}

static void mark_seen(struct sync *s)
{
	for (size_t i = 0; i < s->snap->njobs; i++) {
		struct snap_job *j = &s->snap->jobs[i];

		for (uint32_t t = 0; t < sync_tasks(j); t++) {
			struct track *track = track_find(s->b, sync_key(j, t));

			if (!track)
				continue;
			track->snap = j;
			if (over(j))
				continue;
			track->seen = s->b->epoch;
			track->job_id = j->job_id;
			if (j->state == SNAP_PENDING)
				j->given_up |= refusal_review(s->b, track, j);
		}
	}
}

static void drop_unseen(struct sync *s)
{
	size_t i = 0, n = 0, room = table_count(s->b->by_key);
	struct track **gone = calloc(room ? room : 1, sizeof(*gone)), *track;

	if (!gone)
		return;
	while ((track = table_next(s->b->by_key, &i)))
		if (track->seen != s->b->epoch)
			gone[n++] = track;
	judge_gone(s->b, gone, n, s->snap->now);
	for (i = 0; i < n; i++)
		sync_drop(s, gone[i]);
	free(gone);
}

/* ---- waiting jobs ---- */

/* The core's time never goes back: after a step of the clock it would stay ahead of it. */
static bool clock_back(const struct bridge *b, const struct snapshot *snap)
{
	if (snap->now + CLOCK_BACK >= b->latest)
		return false;
	error("%s: the clock went back by %" PRId64 " s: everything is planned anew",
	      scheduler_type(), b->latest - snap->now);
	return true;
}

/* Is there an accepted submission, without a record, that reset_core() took the place from? */
static bool homeless(const struct bridge *b)
{
	const struct unconfirmed *p = b->unconfirmed;

	while (p && p->ncore)
		p = p->next;
	return p;
}

bool sync_apply(struct bridge *b, const struct snapshot *snap)
{
	struct sync s = { .b = b, .snap = snap };

	if (!b->core || b->recompose || clock_back(b, snap) || b->nodes != snap->nodes ||
	    b->names != snap->names)
		if (!snap->nodes || !reset_core(b, snap->nodes, snap->names))
			return false;
	b->table = snap->table;
	learned_teach(b);
	reliance_in_vain(snap);
	reliance_collect(b, snap);
	mark_seen(&s);
	drop_unseen(&s);
	sync_nodes(&s);
	sync_down(&s);
	sync_resvs(&s);
	sync_all_running(&s);
	sync_reports_anew(&s);
	for (size_t i = 0; i < snap->njobs; i++)
		if (snap->jobs[i].state == SNAP_PENDING)
			sync_waiting(&s, &snap->jobs[i]);
	for (size_t i = 0; i < snap->njobs; i++)
		if (over(&snap->jobs[i]) && !judge_refused(b, &snap->jobs[i], snap->now)) {
			sync_forgo(&s, &snap->jobs[i]);
			judge_record(b, &snap->jobs[i]);
		}
	sync_end_confirmed(&s);
	sync_drop_unconfirmed(&s);
	judge_survey(b, snap);
	b->ready = !homeless(b);
	return true;
}

void sync_forget(struct bridge *b)
{
	struct track *track;
	size_t i = 0;

	while (b->by_key && (track = table_next(b->by_key, &i)))
		track->snap = NULL;
}

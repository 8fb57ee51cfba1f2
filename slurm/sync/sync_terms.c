/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_terms.c - a waiting record in the core's terms
 */
#include "slurm/base/compat.h"

#include "slurm/sync/sync_terms.h"
#include "slurm/sync/sync_job.h"
#include "slurm/history/history.h"
#include "slurm/promise/reliance.h"
#include "slurm/state/aliases.h"
#include "slurm/state/core.h"
#include "slurm/state/track.h"

/* It is not known when its predecessor ends (it is held, say): it stays where it is until then. */
static int64_t planned_start(const struct sync *s, const struct snap_job *j)
{
	struct track *track = track_find(s->b, sync_key(j, 0));
	struct sched_view view;

	if (!track || sched_view(s->b->core, track->core, &view) || view.start >= PACT_FOREVER ||
	    view.start <= s->snap->now)
		return 0;
	return view.start;
}

/* When the jobs that a promised one waits for will have ended; see depend.h. */
static int64_t depends_begin(struct sync *s, const struct snap_job *j)
{
	if (s->depends_of == j)
		return s->depends_begin;
	s->depends_of = j;
	s->depends_begin = 0;
	for (uint32_t i = 0; i < j->ndepends; i++) {
		int64_t end = depend_known(s->b, &j->depends[i]);

		if (end >= PACT_FOREVER)
			end = planned_start(s, j);
		if (end > s->depends_begin)
			s->depends_begin = end;
	}
	return s->depends_begin;
}

static int64_t begin_of(struct sync *s, const struct snap_job *j)
{
	int64_t begin = j->what.begin > s->snap->now ? j->what.begin : 0;
	/* One that is held may keep its place without a promise. */
	int64_t after = sync_promised(j) || j->held ? depends_begin(s, j) : 0;

	return after > begin ? after : begin;
}

/* Until when it has to have ended for those that wait for it; see reliance.h. */
static int64_t bound_of(const struct sync *s, const struct snap_job *j, const struct track *track)
{
	bool blind = j->what.opaque || (track->refused && !sync_promised(j));

	return blind ? PACT_FOREVER : reliance_bound(s->b, track->key);
}

/* The bound is a deadline too; a job that has no promise is planned like one that has. */
static void set_bound(struct sched_job *job, int64_t bound)
{
	if (bound >= PACT_FOREVER || (job->deadline && job->deadline <= bound))
		return;
	job->flags = job->deadline ? JOB_PROMISED : JOB_PROMISED | JOB_NEEDED;
	job->deadline = bound;
	job->least = 0;
}

void sync_fill(struct sync *s, const struct snap_job *j, const struct track *track,
	       struct sched_job *out)
{
	bool promised = sync_promised(j), keep = promised || sync_expected(j);

	*out = (struct sched_job){
		.id = track->core,
		.submit = sync_submitted(j),
		.eligible = j->eligible,
		.begin = begin_of(s, j),
		.limit = keep ? j->token.limit : j->what.limit,
		.least = keep || j->what.deadline || j->what.least >= j->what.limit ? 0
										    : j->what.least,
		.deadline = keep ? (j->what.deadline ? j->what.deadline : j->token.deadline)
			    : j->what.ordered ? j->what.deadline
					      : 0,
		.priority = j->priority,
		.planned = keep && j->start > 0 ? j->start : -1,
		.width = j->what.width,
		.own = keep ? (int32_t)j->token.own : 0,
		.flags = promised			      ? JOB_PROMISED
			 : keep				      ? JOB_PROMISED | JOB_EXPECTED
			 : j->what.opaque || j->what.preempts ? JOB_OPAQUE
							      : 0,
		.nalt = j->what.nalt,
		.required = j->what.required,
		.processors = j->what.processors,
		.memory = j->what.memory,
		.user = alias_in_realm(s->b, j->uid),
	};
	bridge_range(&j->what, out);
	if (j->what.whole)
		out->flags = (out->flags & ~(uint32_t)JOB_OPAQUE) | JOB_WHOLE;
	if (j->what.slices)
		out->flags |= sync_may_leave(j) ? JOB_LEAVES : JOB_FIXED;
	if (j->what.slices)
		out->migration = sync_migration(j);
	/* Shortened by an operator: the promise needs no more than that. */
	if (keep && j->what.limit < out->limit)
		out->limit = j->what.limit;
	if (out->limit < 1)
		out->limit = 1;
	for (uint32_t i = 0; i < j->what.nalt; i++)
		out->alt[i] = j->what.alt[i];
	set_bound(out, bound_of(s, j, track));
}

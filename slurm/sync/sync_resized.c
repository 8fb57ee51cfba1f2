/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_resized.c - running jobs that are resized, told to the core
 */
#include "slurm/base/compat.h"

#include "slurm/sync/sync_resized.h"
#include "slurm/sync/sync_job.h"
#include "slurm/base/scheduler.h"
#include "slurm/records/wish_of.h"
#include "slurm/state/core.h"
#include "slurm/state/resize_log.h"
#include "slurm/state/resizings.h"
#include "slurm/state/track.h"

/* still: so much later as it stood still. */
static void tell_end(struct sync *s, const struct track *track, int64_t end, bool still)
{
	sync_event(
		s,
		&(struct sched_event){
			.type = EV_END_CHANGED, .id = track->core, .end = end, .reserve = still },
		"what is left of a job that is resized");
}

/*
 * again: the core has just heard of it, and of its own nodes. Where it has lost some of these, all that it has besides is on
 * loan; else what it has tells how many are its own. On what it has given back it does nothing, which is no other job's for all that
 * until it is clean.
 */
static void tell_width(struct sync *s, struct track *track, const struct snap_job *j, bool again)
{
	uint32_t had = track->width, width = nodeset_count(j->nodes);

	if (had == width && track->cleaning == j->cleaning && !again)
		return;
	track->width = width;
	track->cleaning = j->cleaning;
	if (track->running && width < had)
		resizings_note(RESIZING_SHRUNK, had - width);
	if (sync_event(s,
		       &(struct sched_event){ .type = EV_RESIZED,
					      .id = track->core,
					      .nodes = j->nodes,
					      .reserve = again && j->run.lost,
					      .width = (int32_t)width,
					      .cleans = (int32_t)j->cleaning },
		       "a job was resized") &&
	    had != width)
		info("%s: JobId=%u: it has %u nodes, and had %u", scheduler_type(), j->job_id,
		     width, had);
}

/*
 * A new limit, by an operator or by us, is more or less to be done on its own nodes: what loans have done of it is done. While a
 * job is suspended its end moves on by itself. With no limit before there is nothing that the new one could be compared with.
 */
static void tell_limit(struct sync *s, struct track *track, const struct snap_job *j)
{
	int64_t more = j->end - track->end;
	struct sched_view view;

	if (track->end == j->end)
		return;
	if (j->end >= PACT_FOREVER)
		tell_end(s, track, PACT_FOREVER, false);
	else if (track->end >= PACT_FOREVER)
		tell_end(s, track,
			 sync_with_guard(s, j->end > s->snap->now ? j->end : s->snap->now), false);
	else if (!sched_view(s->b->core, track->core, &view) && view.own_end < PACT_FOREVER)
		tell_end(s, track, view.own_end + more, j->suspended);
	track->end = j->end;
}

/* For the history, what its record shows: what it has given back it has no more, though that may not be clean yet. */
static void log_width(const struct sync *s, const struct track *track, const struct snap_job *j)
{
	const struct resize_change change = {
		.job = j->job_id,
		.uid = j->uid,
		.account = j->account,
		.partition = j->partition,
		.was = track->width - track->cleaning,
		.has = nodeset_count(j->nodes) - j->cleaning,
		.now = s->snap->now,
	};

	if (track->running && change.was != change.has)
		resize_log_shown(&change);
}

/* What it was to get was being cleaned up: when some of that is clean it need not wait for the core's next try. */
static void tell_clean(struct sync *s, struct track *track)
{
	if (!track->lacks || !s->snap->unclean || nodeset_subset(track->lacks, s->snap->unclean))
		return;
	nodeset_destroy(track->lacks);
	track->lacks = NULL;
	sync_simple(s, EV_TIME, track->core, "nodes for a job are clean");
}

/*
 * The core waits for nodes that the job is not asked for any more, as they could not be taken, or the word in its record is
 * lost. What was given back before that was told.
 */
static void tell_kept(struct sync *s, const struct track *track, const struct snap_job *j)
{
	struct sched_view view;

	if (!j->keeps && !j->cleaning && !sched_view(s->b->core, track->core, &view) && view.called)
		sync_simple(s, EV_REFUSED, track->core, "a job keeps its nodes");
}

void sync_resized(struct sync *s, struct track *track, const struct snap_job *j)
{
	track->resizes = true;
	log_width(s, track, j);
	tell_width(s, track, j, false);
	tell_kept(s, track, j);
	tell_limit(s, track, j);
	tell_clean(s, track);
}

bool sync_resized_again(struct sync *s, const struct track *track, const struct snap_job *j)
{
	/* also of a promise that is broken: what was taken from the job was its own by that */
	int64_t deadline =
		j->token_rc == TOKEN_OK && token_binds(&j->token) ? j->token.deadline : 0;
	struct sched_job job = {
		.id = track->core,
		.submit = j->submit,
		.limit = bridge_run_limit(j),
		.deadline = deadline,
		.priority = j->priority,
		.planned = -1,
		.width = j->what.width,
		.own = (int32_t)(j->run.own + j->run.lost),
		.flags = deadline ? JOB_PROMISED : 0,
		.nalt = j->what.nalt,
		.required = j->what.required,
	};

	memcpy(job.alt, j->what.alt, sizeof(job.alt));
	bridge_range(&j->what, &job);
	return sync_event(s, &(struct sched_event){ .type = EV_SUBMIT, .jobs = &job, .njobs = 1 },
			  "a job that is resized");
}

/* What an earlier controller has asked it for, each by its time. */
static void tell_calls(struct sync *s, const struct track *track, const struct snap_job *j)
{
	struct nodeset *keeps = nodeset_dup(j->nodes);

	for (size_t i = 0; keeps && i < j->calls->n; i++) {
		nodeset_and_not(keeps, j->calls->call[i].nodes);
		sync_event(s,
			   &(struct sched_event){ .type = EV_LEAVING,
						  .id = track->core,
						  .nodes = keeps,
						  .width = (int32_t)nodeset_count(keeps),
						  .end = j->calls->call[i].by },
			   "a job that is to give nodes back");
	}
	nodeset_destroy(keeps);
}

void sync_resized_restored(struct sync *s, struct track *track, const struct snap_job *j)
{
	track->resizes = true;
	tell_width(s, track, j, true);
	if (j->calls)
		tell_calls(s, track, j);
}

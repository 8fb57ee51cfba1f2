/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start.c - see start.h */
#include "slurm/base/compat.h"

#include "slurm/agent/start.h"
#include "slurm/acting/gap.h"
#include "slurm/acting/launch.h"
#include "slurm/acting/refusal.h"
#include "slurm/agent/rows.h"
#include "slurm/base/metered.h"
#include "slurm/base/scheduler.h"
#include "slurm/state/core.h"
#include "slurm/state/track.h"

/*
 * Searches for nodes that failed in one pass, after which jobs that the plan is
 * blind to are not tried any more: as deep as sched/backfill looks by default
 * (bf_max_job_test).  What waits for a limit or a license costs no search, and
 * may be as many: it must not keep those behind it from being tried.
 */
#define FAILED_STARTS 500

static struct entry *copy_entries(const struct snap_job *j)
{
	struct entry *entries = calloc(j->nentries ? j->nentries : 1, sizeof(*entries));

	for (uint32_t i = 0; entries && i < j->nentries; i++)
		entries[i] = j->entries[i];
	return entries;
}

/* The core knows a task by another number than Slurm, which takes the lowest first. */
static void swap_tasks(struct bridge *b, struct track *asked, uint64_t key)
{
	struct track *other = track_find(b, key);
	uint64_t mine = asked->key;

	if (key == mine)
		return;
	table_remove(b->by_key, track_spread(mine));
	if (other) {
		table_remove(b->by_key, track_spread(key));
		other->key = mine;
		table_insert(b->by_key, track_spread(mine), other);
	}
	asked->key = key;
	table_insert(b->by_key, track_spread(key), asked);
}

/* Tell the core what became of a start. */
static void answer(struct bridge *b, uint64_t core, const struct launch *launch)
{
	struct track *track = track_by_core(b, core);
	struct sched_event ev = { .now = time(NULL), .id = core };

	if (!launch->started) {
		ev.type = EV_START_FAILED;
		ev.reserve = launch->reserve;
		bridge_event(b, &ev, "a start failed");
		return;
	}
	ev.type = EV_STARTED;
	ev.nodes = launch->nodes;
	ev.start = launch->start;
	/* unheard, it is told again when the next snapshot has it running */
	if (!bridge_event(b, &ev, "a job started") || !track)
		return;
	track->running = true;
	track->found = launch->start;
	track->end = launch->end;
	track->limit = track->snap ? track->snap->what.limit : 0;
	track->width = launch->nodes ? nodeset_count(launch->nodes) : 0;
	track->cleaning = 0;
	track->resizes = track->snap && track->snap->what.malleable && scheduler_resizes();
	track->job_id = launch->started_id;
	if (launch->started_task != NO_VAL)
		swap_tasks(b, track, track_key(launch->base_id, launch->started_task));
}

/* Seconds of run time promised, or less where its limit has been shortened since. */
static int64_t granted(const struct track *track, const struct snap_job *j)
{
	return j->what.limit < track->token.limit ? j->what.limit : track->token.limit;
}

/* Is there a point in trying?  As in Slurm, one task of an array speaks for the others. */
static bool worth_trying(const struct pass *p, const struct track *track, const struct snap_job *j,
			 bool exact, const struct snap_job *array)
{
	if (!j || !j->runnable)
		return false;
	return track->promised || ((exact || p->failed_starts < FAILED_STARTS) && j != array);
}

/*
 * Start a job, without the mutex.  RET false: an admission has recalled the start
 * and told the core, while this thread waited for slurmctld's locks.
 * IN turn - it has its turn: not before those that ran until now have stopped, nor if this thread is to end before that
 */
static bool launch_now(struct pass *p, uint64_t core, struct launch *launch, bool turn)
{
	struct bridge *b = p->b;
	struct metered metered;
	bool wanted;

	b->starting = core;
	pthread_mutex_unlock(&b->lock);
	if (turn)
		rows_let_stop(p);
	metered_take(&metered, &launch_locks);
	wanted = atomic_exchange(&b->starting, 0);
	if (wanted && !(turn && gap_left()) && bridge_same_nodes(b))
		launch_try(launch);
	/* Before the locks are given up: no admission ever sees a start half made. */
	bridge_lock_urgent(b);
	metered_give(&metered);
	return wanted;
}

/*
 * The terms of a job that shares its nodes.  It may run until it is due; one that is late by its own limit, and promised
 * nothing, until it is expected to have done that.
 */
static void fill_terms(const struct bridge *b, const struct sched_action *action,
		       const struct snap_job *j, struct launch *launch)
{
	int64_t until = action->end;
	struct sched_view view;

	if (!launch->promised && !sched_view(b->core, action->id, &view) && view.end > until)
		until = view.end;

	launch->terms = (struct share_terms){
		.submit = j->submit,
		.estimate = action->limit,
		.due = action->end,
		.processors = (uint32_t)j->what.processors,
		.rule = action->rule,
	};
	launch->until = until;
}

/* What the core wants started, and how.  Pointers are borrowed. */
static void fill_launch(const struct bridge *b, const struct sched_action *action,
			const struct track *track, const struct snap_job *j, struct launch *launch)
{
	launch->job_id = j->job_id;
	launch->base_id = j->base_id;
	launch->print = j->print;
	launch->nentries = j->nentries;
	launch->promised = track->promised;
	launch->recount = track->refused;
	launch->limit = track->promised ? granted(track, j) : 0;
	if (!action->exact)
		return;
	launch->width = action->width;
	launch->spare = action->spare;
	if (track->promised && j->what.malleable)
		launch->until = action->end;
	if (action->nshares)
		fill_terms(b, action, j, launch);
	if (j->what.nalt > 1 && action->alt < j->what.nalt)
		launch->part = j->what.part[action->alt];
}

/* With the mutex. RET NULL when memory is short */
static struct nodeset *find_promised(const struct pass *p)
{
	struct nodeset *nodes = nodeset_create(p->snap->nodes);

	for (size_t i = 0; nodes && i < p->snap->njobs; i++) {
		const struct snap_job *j = &p->snap->jobs[i];
		const struct track *track =
			j->state == SNAP_RUNNING && j->nodes
				? track_find(p->b, track_key(j->base_id, j->task))
				: NULL;

		if (track && track->promised)
			nodeset_or(nodes, j->nodes);
	}
	return nodes;
}

/*
 * What the planner is blind to may share the nodes of others, where OverSubscribe=FORCE says so, but not those of a promised job. (Where
 * jobs took turns there can be one: Gang=off.)  RET false: memory is short
 */
static bool leave_out_promised(struct pass *p, struct nodeset *allowed)
{
	if (!p->promised)
		p->promised = find_promised(p);
	if (p->promised)
		nodeset_and_not(allowed, p->promised);
	return p->promised;
}

/* The snapshot does not have it yet. */
static void note_promised(struct pass *p, const struct launch *launch)
{
	if (!launch->started || !launch->promised || !launch->nodes)
		return;
	if (!p->promised)
		p->promised = find_promised(p);
	if (p->promised)
		nodeset_or(p->promised, launch->nodes);
}

void start_one(struct pass *p, const struct sched_action *action)
{
	struct bridge *b = p->b;
	struct track *track = track_by_core(b, action->id);
	const struct snap_job *j = track ? track->snap : NULL;
	struct launch launch = { 0 };
	struct nodeset *allowed = action->allowed ? nodeset_dup(action->allowed) : NULL;
	struct entry *entries = j ? copy_entries(j) : NULL;
	uint64_t core = action->id;
	bool exact = action->exact, waits = track && refusal_waits(b, track);
	bool less = j && !track->promised && action->limit < j->what.limit;

	launch.reserve = track && (track->promised ||
				   (j && j == p->failed[less].array && p->failed[less].reserve));
	if (!waits && worth_trying(p, track, j, exact, p->failed[less].array) && entries &&
	    (allowed || !action->allowed) &&
	    (exact || !allowed || leave_out_promised(p, allowed))) {
		fill_launch(b, action, track, j, &launch);
		track->tried = b->epoch;
		if (less && !launch.terms.estimate)
			launch.limit = action->limit;
		launch.entries = entries;
		launch.allowed = allowed;
		launch.clean = exact && j->what.slices;
		if (!launch_now(p, core, &launch, j->what.slices)) {
			p->recalled = true;
			if ((track = track_by_core(b, core)))
				refusal_recalled(b, track);
			goto out;
		}
		p->failed_starts += !launch.started && launch.reserve && !exact;
	} else if (!waits && track && track->promised && j) {
		launch.refused = !j->runnable && !j->dependent;
	}
	p->refused |= refusal_note(b, track_by_core(b, core), exact, &launch);
	if ((launch.job_id || waits) && !launch.started && j && j->tasks) {
		p->failed[less].array = j;
		p->failed[less].reserve = launch.reserve && !waits;
	}
	note_promised(p, &launch);
	answer(b, core, &launch);
out:
	nodeset_destroy(launch.nodes);
	nodeset_destroy(allowed);
	free(entries);
}

bool start_inside(struct pass *p)
{
	bool any = false;

	for (size_t i = 0; i < p->snap->njobs && !*p->stopping; i++) {
		struct snap_job *j = &p->snap->jobs[i];
		struct launch launch = {
			.job_id = j->job_id,
			.base_id = j->base_id,
			.print = j->print,
			.entries = j->entries,
			.nentries = j->nentries,
			.inside = true,
		};
		struct metered metered;

		if (j->state != SNAP_PENDING || !j->inside || j->held)
			continue;
		j->tried = true;
		do {
			nodeset_destroy(launch.nodes);
			metered_take(&metered, &launch_locks);
			launch_try(&launch);
			metered_give(&metered);
			any |= launch.started;
		} while (launch.started && j->tasks);
		nodeset_destroy(launch.nodes);
	}
	return any;
}

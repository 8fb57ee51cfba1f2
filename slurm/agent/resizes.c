/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resizes.c - running jobs are given nodes, asked for some, and these are taken
 */
#include "slurm/base/compat.h"

#include "slurm/agent/resizes.h"
#include "slurm/resizing/wishes.h"
#include "slurm/base/metered.h"
#include "slurm/base/clock.h"
#include "slurm/base/meter.h"
#include "slurm/state/core.h"
#include "slurm/state/resizings.h"
#include "slurm/state/track.h"

/* With the locks that it was done under, which were taken at `began`. */
static void note(enum wishes_rc rc, uint32_t had, const struct nodeset *to, int64_t by,
		 int64_t began)
{
	uint32_t width = nodeset_count(to);

	meter_add(METER_RESIZE, clock_us() - began);
	if (rc == WISHES_REFUSED)
		resizings_note(RESIZING_REFUSED, 0);
	else if (rc == WISHES_LEAVING)
		resizings_note(by > time(NULL) ? RESIZING_CALLED : RESIZING_TAKEN,
			       had > width ? had - width : 0);
	else if (width > had)
		resizings_note(RESIZING_GROWN, width - had);
}

static void answer(struct bridge *b, uint64_t core, enum wishes_rc rc, const struct nodeset *has)
{
	struct track *track = track_by_core(b, core);
	struct sched_event ev = { .type = EV_REFUSED, .now = time(NULL), .id = core };

	if (rc == WISHES_LEAVING)
		ev.type = EV_LEAVING;
	if (rc == WISHES_RESIZED && has) {
		ev.type = EV_RESIZED;
		ev.nodes = has;
		ev.width = (int32_t)nodeset_count(has);
		if (track)
			track->width = (uint32_t)ev.width;
	}
	bridge_event(b, &ev, "a job that is to be resized");
}

void resizes_do(struct bridge *b, const struct sched_action *action)
{
	const struct track *track = track_by_core(b, action->id);
	struct nodeset *to = action->allowed ? nodeset_dup(action->allowed) : NULL, *has = NULL;
	uint32_t job_id = track && track->resizes ? track->job_id : 0;
	enum wishes_rc rc = WISHES_REFUSED;
	uint32_t had = track ? track->width : 0;
	uint64_t core = action->id;
	int64_t by = action->end, began;
	struct metered metered;

	if (!to || !job_id) {
		answer(b, core, rc, NULL);
		nodeset_destroy(to);
		return;
	}
	pthread_mutex_unlock(&b->lock);
	metered_take(&metered, &resize_locks);
	began = clock_us();
	rc = wishes_ask(job_id, to, by, &has);
	note(rc, had, to, by, began);
	/* before the locks are given up: no admission ever sees it half made */
	bridge_lock_urgent(b);
	metered_give(&metered);
	answer(b, core, rc, has);
	nodeset_destroy(has);
	nodeset_destroy(to);
}

bool resizes_take(const struct snapshot *snap)
{
	bool any = false;

	for (size_t i = 0; i < snap->njobs; i++) {
		const struct snap_job *j = &snap->jobs[i];
		struct metered metered;
		int64_t began;

		if (!j->keeps || j->notice > snap->now)
			continue;
		metered_take(&metered, &resize_locks);
		began = clock_us();
		if (wishes_take(j->job_id)) {
			note(WISHES_LEAVING, nodeset_count(j->nodes), j->keeps, 0, began);
			any = true;
		}
		metered_give(&metered);
	}
	return any;
}

void resizes_wake(struct bridge *b, const struct snapshot *snap)
{
	for (size_t i = 0; i < snap->njobs; i++) {
		const struct snap_job *j = &snap->jobs[i];

		if (j->keeps && (!b->wake || j->notice < b->wake))
			b->wake = j->notice > snap->now ? j->notice : snap->now + 1;
	}
}

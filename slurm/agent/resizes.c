/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resizes.c - running jobs are given nodes, asked for some, and these are taken
 */
#include "slurm/base/compat.h"

#include "slurm/agent/resizes.h"
#include "slurm/records/region.h"
#include "slurm/records/wish_of.h"
#include "slurm/resizing/wishes.h"
#include "slurm/base/metered.h"
#include "slurm/base/clock.h"
#include "slurm/state/core.h"
#include "slurm/state/resize_log.h"
#include "slurm/state/resizings.h"
#include "slurm/state/track.h"

/* What a job has by its record, and what of that it is asked for. */
struct shape {
	uint32_t width, leaving;
	struct resize_call call[RESIZE_CALLS];
	size_t calls;
};

/* What a job was asked for, or what was done to it. */
struct asked {
	uint32_t job_id, for_job; /* for_job: 0: none */
	uint32_t had, width;
	struct shape before; /* as it was when the locks were taken */
};

static struct resize_change change_of(const struct asked *a, uint32_t has)
{
	const job_record_t *job = find_job_record(a->job_id);

	return (struct resize_change){
		.job = a->job_id,
		.uid = job ? job->user_id : NO_VAL,
		.account = job ? job->account : NULL,
		.partition = job && job->part_ptr ? job->part_ptr->name : NULL,
		.was = a->had,
		.has = has,
		.now = time(NULL),
	};
}

/* IN width - of one without a record.  With slurmctld's locks */
static struct shape shape_of(uint32_t job_id, uint32_t width)
{
	const job_record_t *job = find_job_record(job_id);
	struct nodeset *has = job && job->node_bitmap ? region_from_bitmap(job->node_bitmap) : NULL;
	struct shape s = { .width = has ? nodeset_count(has) : width };
	struct wish_calls calls = { 0 };

	_Static_assert(sizeof(calls.call) / sizeof(calls.call[0]) == RESIZE_CALLS, "all of them");
	if (has && wish_calls_of(job, has, &calls))
		for (size_t i = 0; i < calls.n; i++) {
			s.leaving += nodeset_count(calls.call[i].nodes);
			s.call[s.calls++] = (struct resize_call){ .by = calls.call[i].by,
								  .wanted = s.width - s.leaving };
		}
	wish_calls_clear(&calls);
	nodeset_destroy(has);
	return s;
}

static bool is_refusal(enum wishes_rc rc)
{
	return rc == WISHES_REFUSED || rc == WISHES_DENIED || rc == WISHES_NEVER;
}

/* What it is to give back, or had taken: that alone, whatever else it was asked for before.  For the history, and counted. */
static void note_leaving(const struct asked *a, int64_t now, int64_t held)
{
	struct shape is = shape_of(a->job_id, a->before.width);
	uint32_t taken = a->before.width > is.width ? a->before.width - is.width : 0;

	if (taken) {
		resize_log_taken(a->job_id, is.width, now, a->for_job, held);
		resizings_note(RESIZING_TAKEN, taken);
	} else if (is.leaving > a->before.leaving) {
		resizings_note(RESIZING_CALLED, is.leaving - a->before.leaving);
	}
	resize_log_called(a->job_id, is.call, is.calls, now, a->for_job, taken ? 0 : held);
}

/* With the locks that it was done under. That nodes are not clean yet is nothing to be told: it may be so in many passes. */
static void note(const struct asked *a, enum wishes_rc rc, const struct metered *metered)
{
	int64_t now = time(NULL), held = clock_us() - metered->since;
	struct resize_change c;

	if (rc == WISHES_BUSY || rc == WISHES_AWAY)
		return;
	if (rc == WISHES_LEAVING) {
		note_leaving(a, now, held);
	} else if (is_refusal(rc)) {
		c = change_of(a, a->had);
		resize_log_refused(&c, a->width, held);
		resizings_note(RESIZING_REFUSED, 0);
	} else {
		c = change_of(a, a->width);
		resize_log_given(&c, held);
		if (a->width > a->had)
			resizings_note(RESIZING_GROWN, a->width - a->had);
	}
}

/* Of what it was to have, what it did not get as it was not clean: the core hears of it when it is (sync_resized.h). */
static void note_lacks(struct track *track, struct nodeset *to, const struct nodeset *has)
{
	nodeset_and_not(to, has);
	nodeset_destroy(track->lacks);
	track->lacks = nodeset_empty(to) ? NULL : nodeset_dup(to);
}

static void answer(struct bridge *b, uint64_t core, enum wishes_rc rc, const struct nodeset *has,
		   uint32_t cleans)
{
	struct track *track = track_by_core(b, core);
	struct sched_event ev = { .type = EV_REFUSED, .now = time(NULL), .id = core };

	if (rc == WISHES_LEAVING)
		ev.type = EV_LEAVING;
	if (rc == WISHES_RESIZED && has) {
		ev.type = EV_RESIZED;
		ev.nodes = has;
		ev.width = (int32_t)nodeset_count(has);
		ev.cleans = (int32_t)cleans;
		if (track) {
			track->width = (uint32_t)ev.width;
			track->cleaning = cleans;
		}
	}
	bridge_event(b, &ev, "a job that is to be resized");
}

void resizes_do(struct bridge *b, const struct sched_action *action)
{
	const struct track *track = track_by_core(b, action->id);
	const struct track *other = action->cause ? track_by_core(b, action->cause) : NULL;
	struct nodeset *to = action->allowed ? nodeset_dup(action->allowed) : NULL, *has = NULL;
	struct asked asked = {
		.job_id = track && track->resizes ? track->job_id : 0,
		.for_job = other ? other->job_id : 0,
		.had = track ? track->width - track->cleaning : 0,
		.width = to ? nodeset_count(to) : 0,
	};
	uint32_t cleans = 0;
	int64_t by = action->end;
	enum wishes_rc rc = WISHES_REFUSED;
	uint64_t core = action->id;
	struct metered metered;
	struct track *given;

	if (!to || !asked.job_id || track_ruled_out(track, to, time(NULL))) {
		answer(b, core, rc, NULL, 0);
		nodeset_destroy(to);
		return;
	}
	pthread_mutex_unlock(&b->lock);
	metered_take(&metered, &resize_locks);
	asked.before = shape_of(asked.job_id, asked.had);
	if (bridge_same_nodes(b))
		rc = wishes_ask(asked.job_id, to, by, &has, &cleans);
	if (rc == WISHES_RESIZED && has)
		asked.width = nodeset_count(has) - cleans;
	note(&asked, rc, &metered);
	/* before the locks are given up: no admission ever sees it half made */
	bridge_lock_urgent(b);
	metered_give_resized(&metered);
	answer(b, core, rc, has, cleans);
	given = track_by_core(b, core);
	if (given && has)
		note_lacks(given, to, has);
	if (given && rc == WISHES_NEVER)
		track_rule_out(given, to, time(NULL));
	/* what is against a growth for ever is against any: a job that is not resized, or no permit_job_expansion */
	if (given && (rc == WISHES_DENIED || (rc == WISHES_NEVER && asked.width > asked.had)))
		track_rule_out_more(given, time(NULL));
	nodeset_destroy(has);
	nodeset_destroy(to);
}

/* RET false: what it is asked for is not to be dropped */
static bool drop(const struct snap_job *j)
{
	struct metered metered;

	if (!j->asked && !j->begun)
		return false;
	metered_take(&metered, &resize_locks);
	if (j->begun)
		wishes_begun(j->job_id, &j->run);
	else
		wishes_drop(j->job_id);
	resize_log_forget(j->job_id);
	metered_give(&metered);
	return true;
}

bool resizes_take(const struct snapshot *snap)
{
	bool any = false;

	for (size_t i = 0; i < snap->njobs; i++) {
		const struct snap_job *j = &snap->jobs[i];
		struct asked asked = { .job_id = j->job_id };
		struct metered metered;
		enum wishes_rc rc;

		any |= drop(j);
		if (!j->keeps || j->notice > snap->now)
			continue;
		metered_take(&metered, &resize_locks);
		asked.had = nodeset_count(j->nodes);
		asked.width = nodeset_count(j->keeps);
		asked.before = shape_of(j->job_id, asked.had);
		rc = wishes_take(j->job_id);
		if (rc == WISHES_RESIZED || rc == WISHES_BUSY) {
			metered_give(&metered);
			continue;
		}
		if (rc == WISHES_NEVER)
			resize_log_forget(j->job_id);
		note(&asked, rc, &metered);
		metered_give_resized(&metered);
		any = true;
	}
	return any;
}

void resizes_wake(struct bridge *b, const struct snapshot *snap)
{
	for (size_t i = 0; i < snap->njobs; i++) {
		const struct snap_job *j = &snap->jobs[i];

		/* of one that is suspended nothing can be taken: when it goes on that is seen */
		if (j->keeps && !j->suspended && (!b->wake || j->notice < b->wake))
			b->wake = j->notice > snap->now ? j->notice : snap->now + 1;
	}
}

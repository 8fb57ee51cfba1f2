/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * floor: own nodes beyond a job's width. The promise of a job whose work takes too long on its width is as many nodes as that
 * needs to be done in time, the fewest that the engine inside promises: to that it is a job of so many nodes with a limit
 * to match.
 *
 * By when its work is to be done is what the plan was told at its start. What loans have done of it till then the own nodes need
 * not do, so that fewer are enough, and the others are on loan. That harms nothing as long as the plan has these nodes for the
 * job until they could be called in. (To be done by the deadline itself, where that is later, it would have to hold them longer.)
 */
#include "core/loans/state.h"

struct sched_job floor_terms(const struct sched_job *job, int32_t floor)
{
	struct sched_job terms = *job;

	if (floor == job->width)
		return terms;
	terms.width = floor;
	terms.limit =
		progress_end(progress_work(job->limit, speedup_rate(&job->speedup, job->width)),
			     speedup_rate(&job->speedup, floor), 0);
	return terms;
}

/* ---- how many it takes ---- */

/* Would it be promised on so many? */
static bool ask(struct loans *s, const struct sched_job *job, bool change, int32_t floor,
		struct sched_decision *d)
{
	const struct engine *inside = s->kind->engine;
	struct sched_job terms = floor_terms(job, floor);
	int rc;

	terms.flags &= ~(uint32_t)JOB_PROMISED;
	if (change) {
		rc = inside->ask_change(s->own, s->now, &terms, d);
	} else {
		terms.flags |= JOB_PROBE;
		rc = inside->ask(s->own, s->now, &terms, 1, d);
	}
	return rc == PACT_OK && d->accepted;
}

/* The fewest that could do it if nothing else ran; most + 1: not even all. */
static int32_t least_floor(const struct loans *s, const struct sched_job *job, int32_t most)
{
	int64_t from = job->begin > s->now ? job->begin : s->now;
	int64_t work = progress_work(job->limit, speedup_rate(&job->speedup, job->width));

	if (most <= job->width || from >= job->deadline)
		return most + 1;
	return progress_floor(work, &job->speedup, job->width + 1, most,
			      job->deadline - s->config.guard - from);
}

static bool is_for_want_of_room(enum refuse_reason reason)
{
	return reason == REFUSE_FULL || reason == REFUSE_TOO_LATE || reason == REFUSE_BLOCKED ||
	       reason == REFUSE_STARVES;
}

/* More nodes in ever longer strides, then the fewest between the last two tried: a question each. */
int32_t floor_find(struct loans *s, const struct sched_job *job, bool change,
		   struct sched_decision *d)
{
	int32_t most = (uint32_t)job->most < s->nodes ? job->most : (int32_t)s->nodes;
	int32_t low = least_floor(s, job, most), found = 0;
	struct sched_decision at = { .accepted = false };

	if (!is_for_want_of_room(d->reason))
		return 0;
	for (int32_t n = low, stride = 1; n <= most && !found; stride *= 2) {
		if (ask(s, job, change, n, &at))
			found = n;
		else if (at.reason == REFUSE_BUDGET || n == most)
			return 0;
		else
			low = n + 1;
		n = n < most - stride ? n + stride : most;
	}
	if (!found)
		return 0;
	*d = at;
	for (int32_t n; low < found;) {
		n = low + (found - low) / 2;
		if (!ask(s, job, change, n, &at)) {
			low = n + 1;
			continue;
		}
		found = n;
		*d = at;
	}
	return found;
}

int32_t floor_restore(struct loans *s, const struct sched_job *job, bool change)
{
	struct sched_decision d = { .accepted = false };
	int32_t floor;

	if (!job->deadline || job->limit >= PACT_END_OF_TIME || !(job->flags & JOB_PROMISED) ||
	    ask(s, job, change, job->width, &d))
		return job->width;
	floor = floor_find(s, job, change, &d);
	return floor ? floor : job->width;
}

/* ---- running jobs ---- */

/*
 * One that runs already, by what it has to do and its deadline: as many as were enough from its start on, if it never had
 * more. RET by when they are to have done it; 0: its width is enough
 */
static int64_t begin_again(const struct loans *s, struct borrower *b, int64_t start)
{
	int64_t work = progress_work(b->limit, speedup_rate(&b->speedup, b->width));
	int32_t floor = b->deadline ? progress_floor(work, &b->speedup, b->width, b->most,
						     b->deadline - s->config.guard - start)
				    : b->width;

	if (floor <= b->width || floor > b->most)
		return 0;
	b->floor = floor;
	b->done = (struct progress){ .left = work,
				     .since = start,
				     .rate = speedup_rate(&b->speedup, floor) };
	progress_advance(&b->done, s->now);
	return b->deadline - s->config.guard;
}

int64_t floor_begin(const struct loans *s, struct borrower *b, const struct sched_event *ev)
{
	int64_t start = ev->start > 0 && ev->start < s->now ? ev->start : s->now;
	int64_t rate = speedup_rate(&b->speedup, b->width), left, due;

	if (!b->starting) {
		b->floor = b->width;
		/* which of its nodes it can give back an earlier driver knew (Slurm's batch script has one): all stay its own */
		b->due = 0;
		due = begin_again(s, b, start);
		if (due)
			return due;
	}
	b->done = (struct progress){ .left = progress_work(b->granted, rate), .since = start };
	if (b->floor > b->width) {
		b->due = progress_end(b->done.left, speedup_rate(&b->speedup, b->floor), start);
	} else if (ev->end > 0 && ev->end < PACT_END_OF_TIME) {
		/* its end says what is left on its own nodes */
		left = ev->end - s->config.guard - s->now;
		b->done.left = left > 0 ? progress_work(left, rate) : 0;
		b->done.since = s->now;
	}
	return b->due;
}

int floors_fall(struct loans *s)
{
	int rc = PACT_OK;

	for (size_t i = 0; rc == PACT_OK && i < s->running_n; i++) {
		struct borrower *b = s->running[i];
		int32_t floor;

		if (b->floor <= b->width || b->due < s->now + borrower_lead(s, b))
			continue;
		progress_advance(&b->done, s->now);
		floor = progress_floor(b->done.left, &b->speedup, b->width, b->floor,
				       b->due - s->now);
		if (floor < b->floor)
			rc = tell_floor(s, b, floor);
	}
	return rc;
}

int floors_make_good(struct loans *s)
{
	struct nodeset *spare = NULL;
	int rc = PACT_OK;

	for (size_t i = 0; rc == PACT_OK && i < s->running_n; i++) {
		struct borrower *b = s->running[i];
		struct sched_view v;

		if (!b->lacks)
			continue;
		b->lacks = false;
		if (!b->lent || s->kind->engine->view(s->own, b->id, &v) != PACT_OK)
			continue;
		if (!spare)
			spare = nodeset_create(s->nodes);
		if (!spare)
			rc = loans_fail(s, PACT_ENOMEM, "out of memory", b->id);
		else if (survey_spare(s, v.end, v.promised, spare) < 0)
			rc = PACT_ENOMEM;
		else
			rc = tell_made_good(s, b, spare);
	}
	nodeset_destroy(spare);
	return rc;
}

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
	d->own = found;
	return found;
}

/* Is it told on how many nodes it was promised? */
static bool knows_own(const struct loans *s, const struct sched_job *job)
{
	return job->own >= job->width && job->own <= job->most && (uint32_t)job->own <= s->nodes;
}

/* Could so many do its work in time? If it begins anew, as it was requeued, they may not. */
static bool is_enough(const struct loans *s, const struct sched_job *job)
{
	int64_t from = job->planned > s->now ? job->planned : s->now;

	return knows_own(s, job) && from < job->deadline &&
	       floor_terms(job, job->own).limit <= job->deadline - s->config.guard - from;
}

int32_t floor_restore(struct loans *s, const struct sched_job *job, bool change)
{
	struct sched_decision d = { .accepted = false };
	int32_t floor;

	if (job->flags & JOB_PROMISED && is_enough(s, job) && ask(s, job, change, job->own, &d))
		return job->own;
	if (!job->deadline || job->limit >= PACT_END_OF_TIME || !(job->flags & JOB_PROMISED) ||
	    ask(s, job, change, job->width, &d))
		return job->width;
	floor = floor_find(s, job, change, &d);
	if (floor)
		return floor;
	/* a start may be late by a part of the guard, which a new promise has whole: the old one is kept as it was */
	return knows_own(s, job) ? job->own : job->width;
}

/* ---- offers ---- */

/* So many widths are asked about, and, where there are more, a few beside the best of these. */
#define WIDTHS 16
#define ASKED (WIDTHS + 2 * 32)

/* What is on offer on some widths. */
struct offers {
	struct loans *s;
	const struct sched_job *job;
	bool change;
	int32_t most;
	bool spent; /* there is no time for more questions */
	size_t n;
	struct sched_decision at[ASKED]; /* own: the width */
};

/* The one that ends first, on the fewest nodes; NULL: there is none. */
static struct sched_decision *first_offer(struct offers *o)
{
	struct sched_decision *best = NULL;

	for (size_t i = 0; i < o->n; i++) {
		struct sched_decision *at = &o->at[i];

		if (at->offer_end >= PACT_FOREVER)
			continue;
		if (!best || at->offer_end < best->offer_end ||
		    (at->offer_end == best->offer_end && at->own < best->own))
			best = at;
	}
	return best;
}

static bool was_asked(const struct offers *o, int32_t n)
{
	for (size_t i = 0; i < o->n; i++) {
		if (o->at[i].own == n)
			return true;
	}
	return false;
}

/* What could be promised to a job of so many nodes, unless that cannot be earlier than what is known. */
static void ask_offer(struct offers *o, int32_t n)
{
	const struct engine *inside = o->s->kind->engine;
	struct sched_job terms = floor_terms(o->job, n);
	int64_t from = terms.begin > o->s->now ? terms.begin : o->s->now;
	const struct sched_decision *best = first_offer(o);
	struct sched_decision *at = &o->at[o->n];
	int rc;

	if (n <= o->job->width || n > o->most || o->spent || o->n == ASKED || was_asked(o, n) ||
	    (best && from > best->offer_end - terms.limit - o->s->config.guard))
		return;
	terms.flags &= ~(uint32_t)(JOB_PROMISED | JOB_PROBE);
	rc = o->change ? inside->ask_change(o->s->own, o->s->now, &terms, at)
		       : inside->ask(o->s->own, o->s->now, &terms, 1, at);
	o->spent = rc != PACT_OK || at->reason == REFUSE_BUDGET;
	if (o->spent)
		return;
	if (at->accepted) {
		at->offer_start = at->start;
		at->offer_end = at->end;
	}
	at->own = n;
	o->n++;
}

/* All of them, or some between the most and the width, and those beside the best. */
static void ask_offers(struct offers *o)
{
	int32_t step = (o->most - o->job->width + WIDTHS - 1) / WIDTHS;

	for (int32_t n = o->most; n > o->job->width; n -= step)
		ask_offer(o, n);
	while (step > 1) {
		const struct sched_decision *best = first_offer(o);
		int32_t n = best ? best->own : o->most;

		step = (step + 1) / 2;
		ask_offer(o, n - step);
		ask_offer(o, n + step);
	}
}

/* Asked for that, would it be promised? Then on how many, and from when on, is the offer's. */
static bool would_hold(const struct offers *o, struct sched_decision *offer)
{
	struct sched_job later = *o->job;
	struct sched_decision at;

	later.deadline = offer->offer_end;
	if (ask(o->s, &later, o->change, later.width, &at))
		at.own = later.width;
	else if (!floor_find(o->s, &later, o->change, &at))
		return false;
	offer->own = at.own;
	offer->offer_start = at.start;
	return true;
}

void floor_offer(struct loans *s, const struct sched_job *job, bool change,
		 struct sched_decision *d)
{
	struct offers o = { .s = s,
			    .job = job,
			    .change = change,
			    .most = (uint32_t)job->most < s->nodes ? job->most
								   : (int32_t)s->nodes };
	struct sched_decision *best;

	d->own = d->offer_end < PACT_FOREVER ? job->width : 0;
	if (!is_for_want_of_room(d->reason))
		return;
	o.at[o.n] = *d;
	o.at[o.n++].own = job->width;
	for (;;) {
		/* what was passed over for one that does not hold is asked about after all */
		ask_offers(&o);
		best = first_offer(&o);
		if (!best || best->offer_end >= d->offer_end)
			return;
		if (would_hold(&o, best)) {
			d->own = best->own;
			d->offer_start = best->offer_start;
			d->offer_end = best->offer_end;
			return;
		}
		best->offer_end = PACT_FOREVER;
	}
}

/* ---- running jobs ---- */

/*
 * One that runs already, as its driver knows it: its floor is what it was, and falls from there.
 * RET by when they are to have done its work; 0: its width is enough
 */
static int64_t begin_again(const struct loans *s, struct borrower *b, const struct sched_event *ev)
{
	int64_t rate = speedup_rate(&b->speedup, b->width);

	b->floor = ev->width < b->most ? ev->width : b->most;
	b->floor = b->deadline && b->floor > b->width ? b->floor : b->width;
	/* as the plan has it, by what the record says */
	b->due = ev->end > 0 && ev->end < b->deadline ? ev->end : b->deadline;
	b->due = b->floor > b->width ? b->due - s->config.guard : 0;
	b->done = (struct progress){ .left = progress_work(b->granted, rate), .since = s->now };
	if (ev->left > 0)
		b->done.left = progress_work(ev->left, rate);
	else if (ev->end > 0)
		b->done.left = progress_left(ev->end, s->config.guard, rate, s->now);
	return b->due;
}

int64_t floor_begin(const struct loans *s, struct borrower *b, const struct sched_event *ev)
{
	int64_t rate = speedup_rate(&b->speedup, b->width);

	if (!b->starting)
		return begin_again(s, b, ev);
	b->done = (struct progress){
		.left = progress_work(b->granted, rate),
		.since = ev->start > 0 && ev->start < s->now ? ev->start : s->now,
	};
	if (b->floor > b->width) {
		b->due = progress_end(b->done.left, speedup_rate(&b->speedup, b->floor),
				      b->done.since);
	} else if (ev->end > 0 && ev->end < PACT_END_OF_TIME) {
		/* its end says what is left on its own nodes */
		b->done.left = progress_left(ev->end, s->config.guard, rate, s->now);
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
			rc = call_fail(&s->call, PACT_ENOMEM, "out of memory", b->id);
		else if (survey_spare(s, v.end, v.promised, spare) < 0)
			rc = PACT_ENOMEM;
		else
			rc = tell_made_good(s, b, spare);
	}
	nodeset_destroy(spare);
	return rc;
}

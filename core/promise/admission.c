/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admission: see admission.h. Also the artificial deadlines of the other jobs, QoPS, section 4.2.
 */
#include "core/promise/admission.h"

#include <string.h>

#include "core/planning/arrange/arrange.h"

/* QoPS, section 4.2: max(24 hours, R x runtime), counted from the job's eligibility. */
void admission_artificial(struct planner *s, struct job *j)
{
	j->artificial = plan_end(j->eligible > j->req.not_before ? j->eligible : j->req.not_before,
				 artificial_span(&s->config, j->limit));
}

int complete_plan(struct planner *s)
{
	if (s->in_pass)
		agenda_spoil(s);
	for (size_t i = 0; s->in_pass && i < s->list_n; i++) {
		struct job *j = s->list[i];

		if (!j || j->starting || j->unreserved || !placement_none(&j->place))
			continue;
		s->news.places++; /* its turn comes when those behind it have their places */
		if (plan_earliest(s->plan, &j->req, s->now, PACT_FOREVER, &j->place) < 0 ||
		    plan_put(s->plan, &j->place) < 0)
			return -1;
		if (j->broken) /* it may have found one that keeps its promise */
			report_job(s, j);
	}
	return 0;
}

static int64_t fresh_end(const struct search *q)
{
	int64_t end = 0;

	for (size_t i = 0; i < q->fresh_n; i++) {
		const struct placement *at = trial_at(q->won.trial, q->fresh[i]);

		end = at->end > end ? at->end : end;
	}
	return end;
}

static int64_t fresh_start(const struct search *q)
{
	int64_t start = PACT_FOREVER;

	for (size_t i = 0; i < q->fresh_n; i++) {
		const struct placement *at = trial_at(q->won.trial, q->fresh[i]);

		start = at->start < start ? at->start : start;
	}
	return start;
}

static void set_fresh_due(struct search *q, int64_t due)
{
	for (size_t i = 0; i < q->fresh_n; i++)
		q->fresh[i]->due = due;
}

static void take_offer(struct search *q, struct sched_decision *d)
{
	d->offer_start = fresh_start(q);
	d->offer_end = fresh_end(q);
	attempt_drop(&q->won);
}

/* Behind the present plan, which moves no job. 1; 0: there is no place, ever; -1: no memory. */
static int offer_behind(struct search *q, struct sched_decision *d)
{
	set_fresh_due(q, PACT_FOREVER);
	struct attempt a = { .s = q->s,
			     .trial = &q->s->trial,
			     .prefix = q->order,
			     .ts = q->n,
			     .fresh = search_fresh(q),
			     .fresh_n = q->fresh_n,
			     .fresh_first = true,
			     .unbounded = true };
	int rc = attempt_run(&a);

	if (rc < 1)
		return rc;
	q->won = a;
	take_offer(q, d);
	return d->offer_end != PACT_FOREVER;
}

/* A policy that may not find that place itself: is it, or a later one, promised? 0 or -1. */
#define LATER_OFFERS 4

static int verify_offer(struct search *q, struct sched_decision *d)
{
	int64_t end = d->offer_end;

	d->offer_start = d->offer_end = PACT_FOREVER;
	for (int i = 0; i < LATER_OFFERS && end != PACT_FOREVER && !q->best.expired; i++) {
		set_fresh_due(q, end);
		int rc = q->s->policy->arrange(q);

		if (rc < 0)
			return -1;
		if (rc) {
			take_offer(q, d);
			d->offer_end = end;
			return 0;
		}
		end = plan_end(end, end - q->s->now);
	}
	return 0;
}

/* Between two distances in time: half of the doublings that lead from one to the other. */
static int64_t halfway(int64_t low, int64_t high)
{
	int doublings = 0;

	for (int64_t x = low > 0 ? low : 1; x <= high / 2; x *= 2)
		doublings++;
	return doublings > 1 && low > 0 ? low << (doublings / 2) : low + (high - low) / 2;
}

/*
 * Earlier, if the configuration allows, each candidate a full search: first the bound itself, which is
 * often free, then by bisection of the distance from now, as a day counts for little in a month and for
 * much in an hour. Not before `from`, which was refused already. 0 or -1.
 */
static int bring_forward(struct search *q, int64_t from, struct sched_decision *d)
{
	struct planner *s = q->s;
	int64_t lo = q->bound > from ? q->bound - 1 : from;

	for (int32_t i = 0; i < s->config.offer_probes && d->offer_end - lo > 60; i++) {
		int64_t mid = i == 0 && q->bound > lo
				      ? q->bound
				      : s->now + halfway(lo - s->now, d->offer_end - s->now);

		set_fresh_due(q, mid);
		int rc = s->policy->arrange(q);

		if (rc < 0)
			return -1;
		if (rc) {
			/* a tighter deadline than mid would be sorted elsewhere: mid is what is sure */
			take_offer(q, d);
			d->offer_end = mid;
		} else if (q->best.expired) {
			break;
		} else {
			lo = mid;
		}
	}
	return 0;
}

/* The least of the new jobs' deadlines: before it all of them have been refused. */
static int64_t first_deadline(const struct search *q)
{
	int64_t first = PACT_FOREVER;

	for (size_t i = 0; i < q->fresh_n; i++) {
		if (q->fresh[i]->deadline < first)
			first = q->fresh[i]->deadline;
	}
	return first;
}

/* The completion that could be promised instead. 1; 0: there is no place, ever; -1: no memory. */
static int make_offer(struct search *q, struct sched_decision *d)
{
	struct search o = { .s = q->s,
			    .order = q->order,
			    .n = q->n,
			    .fresh = q->fresh,
			    .fresh_n = q->fresh_n,
			    .ranked = q->ranked,
			    .bound = q->bound };
	int rc = offer_behind(&o, d);

	if (rc < 1)
		return rc;
	if (!q->s->policy->appends && verify_offer(&o, d) < 0)
		return -1;
	if (d->offer_end != PACT_FOREVER &&
	    bring_forward(&o, q->attempts ? first_deadline(q) : 0, d) < 0)
		return -1;
	return 1;
}

/* The job that the arrangement in the trial hurts most, and by how much; NULL: it hurts none. */
static const struct job *worst_off(const struct search *q, const struct trial *d, int64_t *late)
{
	const struct job *worst = NULL;

	*late = 0;
	for (size_t i = 0; i < q->n; i++) {
		struct job *j = q->order[i];
		int64_t end = trial_where(d, j)->end;

		search_due(j);
		if (end > j->due && end - j->due > *late) {
			*late = end - j->due;
			worst = j;
		}
	}
	return worst;
}

/* The heuristic's order, after due times have changed. */
static void sort_anew(struct search *q)
{
	struct planner *s = q->s;

	if (!q->ranked || !q->n)
		return;
	memcpy(s->sorted, q->order, q->n * sizeof(*s->sorted));
	order_sort(s->sorted, q->n, s->config.order, s->now, s->trial.items);
	attempt_number(s, q->order, q->n);
}

/*
 * It was refused: could it be promised if the jobs without a deadline might be pushed as far as one
 * likes? The attempts that failed do not tell: the last to miss may be any job. 0 or -1.
 */
static int starves(struct search *q, struct sched_decision *d)
{
	struct search o = *q;
	bool any = false;

	for (size_t i = 0; i < q->n; i++) {
		if (q->order[i]->promised)
			continue;
		any |= q->order[i]->due != PACT_FOREVER;
		q->order[i]->due = PACT_FOREVER;
	}
	if (!any)
		return 0;
	sort_anew(&o);
	int rc = q->s->policy->arrange(&o);
	/* it found nothing: no job is touched */
	const struct trial *trial = rc == 1 ? o.won.trial : &q->s->trial;
	const struct job *victim = worst_off(q, trial, &d->critical_late);

	if (rc == 1)
		attempt_drop(&o.won);
	if (victim) {
		d->reason = REFUSE_STARVES;
		d->critical = victim->id;
	}
	sort_anew(q);
	return rc < 0 ? -1 : 0;
}

/* Why it was refused; `deep`: whether for the sake of a job without a deadline. 0 or -1. */
static int explain(struct search *q, bool deep, struct sched_decision *d)
{
	d->attempts = q->attempts;
	d->violations = q->violations;
	d->reason = q->best.expired ? REFUSE_BUDGET : REFUSE_FULL;
	/* what waits has no part in it if what runs is enough */
	if (deep && !q->shut && !q->best.expired && starves(q, d) < 0)
		return -1;
	if (d->reason != REFUSE_STARVES && q->best.critical) {
		d->critical = q->best.critical->id;
		d->critical_late = q->best.late;
	}
	if (deep && d->reason == REFUSE_FULL)
		room_taken(q, d);
	return 0;
}

/* Refusals that need no plan. */
static enum refuse_reason hopeless(const struct planner *s, const struct job *j)
{
	int64_t from = j->req.not_before > s->now ? j->req.not_before : s->now;
	bool fits = false;

	for (uint32_t i = 0; i < j->req.nalt; i++) {
		const struct region *r = j->req.alt[i];

		fits |= r->count >= (uint32_t)j->req.width &&
			(!j->req.required || nodeset_subset(j->req.required->nodes, r->nodes));
	}
	if (!fits)
		return REFUSE_NEVER_FITS;
	if (j->limit == PACT_FOREVER)
		return REFUSE_NO_LIMIT;
	if (plan_end(from, j->req.duration) > j->deadline)
		return REFUSE_TOO_LATE;
	return REFUSE_NONE;
}

/* With the new jobs' due times set: arrange, and say what came of it. 1: accepted; 0; -1: no memory. */
static int admit_or_explain(struct search *q, enum admit how, struct sched_decision *d)
{
	int rc = room_bound(q);

	if (rc > 0)
		rc = q->s->policy->arrange(q);
	if (rc == 0)
		return explain(q, how != ADMIT_PROBE, d);
	if (rc < 0)
		return -1;
	d->accepted = true;
	d->attempts = q->attempts + 1;
	d->violations = q->won.report.violations;
	d->start = fresh_start(q);
	d->end = fresh_end(q);
	if (how == ADMIT_TAKE)
		attempt_commit(&q->won);
	else
		attempt_drop(&q->won);
	return 1;
}

int admission_admit(struct planner *s, struct job **jobs, size_t n, enum admit how,
		    struct sched_decision *d)
{
	struct search q;

	search_init(&q, s, jobs, n, NULL);
	d->waiting = (int32_t)q.n;
	for (size_t i = 0; i < n; i++) {
		jobs[i]->due = jobs[i]->deadline;
		/* slurm mode lays out the others around them */
		jobs[i]->promised = s->promised = true;
		if (d->reason == REFUSE_NONE)
			d->reason = hopeless(s, jobs[i]);
	}
	if (d->reason == REFUSE_NONE) {
		int rc = admit_or_explain(&q, how, d);

		if (rc)
			return rc < 0 ? -1 : 0;
	} else if (room_bound(&q) < 0) {
		return -1;
	}
	if (how != ADMIT_TAKE && d->reason != REFUSE_NO_LIMIT && room_left(s, jobs[0], d) < 0)
		return -1;
	if (how == ADMIT_PROBE || d->reason == REFUSE_NEVER_FITS || d->reason == REFUSE_NO_LIMIT)
		return 0;
	int rc = make_offer(&q, d);

	if (rc == 0 && d->reason == REFUSE_FULL) {
		bool alone = q.shut && q.best.late == PACT_FOREVER;

		d->reason = REFUSE_BLOCKED;
		d->room_at = 0;
		d->running = alone ? d->running : 0;
		d->blocked &= alone;
	}
	return rc < 0 ? -1 : 0;
}

int admission_append(struct planner *s, struct job *j)
{
	int rc = plan_earliest(s->plan, &j->req, s->now, PACT_FOREVER, &j->place);

	agenda_move(s, j);
	if (rc < 0 || plan_put(s->plan, &j->place) < 0)
		return -1;
	if (j->place.end > j->artificial)
		j->artificial = j->place.end;
	return 0;
}

int admission_arrive(struct planner *s, struct job *j)
{
	struct search q;
	int rc;

	/* in the middle of a pass: behind those of it that have no place yet */
	if (complete_plan(s) < 0)
		return -1;
	admission_artificial(s, j);
	search_init(&q, s, &j, 1, j); /* it is in the queue already */
	j->due = j->artificial;
	rc = s->policy->arrange(&q);
	if (rc == 1)
		attempt_commit(&q.won);
	if (rc)
		return rc < 0 ? -1 : 0;
	return admission_append(s, j);
}

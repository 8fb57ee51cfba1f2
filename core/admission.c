/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admission: see admission.h. Also the artificial deadlines of the other jobs, paper 000, section 4.2.
 */
#include "admission.h"

#include <string.h>

/* Paper 000, section 4.2: max(24 hours, R x runtime), counted from the job's eligibility. */
void admission_artificial(struct sched *s, struct job *j)
{
	int64_t relaxed, span = s->config.min_artificial;

	j->artificial = PACT_FOREVER;
	if (j->limit == PACT_FOREVER ||
	    __builtin_mul_overflow(j->limit, s->config.relax_milli, &relaxed))
		return;
	if (relaxed / 1000 > span)
		span = relaxed / 1000;
	j->artificial =
		plan_end(j->eligible > j->req.not_before ? j->eligible : j->req.not_before, span);
}

/* What the new promise must not break. A job that is late already must not become later by it. */
static void set_due(struct job *j)
{
	int64_t promised = j->promised ? j->deadline : j->artificial;

	j->due = j->place.end > promised ? j->place.end : promised;
}

int complete_plan(struct sched *s)
{
	if (s->in_pass)
		agenda_spoil(s);
	for (size_t i = 0; s->in_pass && i < s->list_n; i++) {
		struct job *j = s->list[i];

		if (!j || j->starting || j->unreserved || !placement_none(&j->place))
			continue;
		if (plan_earliest(s->plan, &j->req, s->now, PACT_FOREVER, &j->place) < 0 ||
		    plan_put(s->plan, &j->place) < 0)
			return -1;
		if (j->broken) /* it may have found one that keeps its promise */
			report_job(s, j);
	}
	return 0;
}

void search_failed(struct search *q, const struct attempt_report *r)
{
	q->attempts++;
	q->violations = r->violations;
	q->best.expired |= r->expired;
	if (r->critical && (!q->best.critical || r->late < q->best.late)) {
		bool expired = q->best.expired;

		q->best = *r;
		q->best.expired = expired;
	}
}

static int64_t fresh_end(const struct search *q)
{
	int64_t end = 0;

	for (size_t i = 0; i < q->fresh_n; i++) {
		if (q->fresh[i]->trial.end > end)
			end = q->fresh[i]->trial.end;
	}
	return end;
}

static int64_t fresh_start(const struct search *q)
{
	int64_t start = PACT_FOREVER;

	for (size_t i = 0; i < q->fresh_n; i++) {
		if (q->fresh[i]->trial.start < start)
			start = q->fresh[i]->trial.start;
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

/* Behind the present plan, which moves nobody. 1; 0: there is no place, ever; -1: no memory. */
static int offer_behind(struct search *q, struct sched_decision *d)
{
	struct attempt a = { .s = q->s,
			     .prefix = q->order,
			     .ts = q->n,
			     .fresh = q->fresh,
			     .fresh_n = q->fresh_n,
			     .fresh_first = true,
			     .unbounded = true };

	set_fresh_due(q, PACT_FOREVER);
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

/* Earlier by bisection, if the configuration allows, each candidate a full search. 0 or -1. */
static int bring_forward(struct search *q, struct sched_decision *d)
{
	struct sched *s = q->s;
	int64_t lo = 0;

	for (size_t i = 0; i < q->fresh_n; i++) {
		const struct request *r = &q->fresh[i]->req;
		int64_t from = r->not_before > s->now ? r->not_before : s->now;

		if (plan_end(from, r->duration) > lo)
			lo = plan_end(from, r->duration) - 1;
	}
	for (int32_t i = 0; i < s->config.offer_probes && d->offer_end - lo > 60; i++) {
		int64_t mid = lo + (d->offer_end - lo) / 2;

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

/* The completion that could be promised instead. 1; 0: there is no place, ever; -1: no memory. */
static int make_offer(struct search *q, struct sched_decision *d)
{
	struct search o = {
		.s = q->s, .order = q->order, .n = q->n, .fresh = q->fresh, .fresh_n = q->fresh_n
	};
	int rc = offer_behind(&o, d);

	if (rc < 1)
		return rc;
	if (!q->s->policy->appends && verify_offer(&o, d) < 0)
		return -1;
	if (d->offer_end != PACT_FOREVER && bring_forward(&o, d) < 0)
		return -1;
	return 1;
}

/* Whom the arrangement found hurts most, and by how much; NULL: nobody. */
static const struct job *worst_off(const struct search *q, int64_t *late)
{
	const struct job *worst = NULL;

	*late = 0;
	for (size_t i = 0; i < q->n; i++) {
		struct job *j = q->order[i];
		int64_t end = j->touched ? j->trial.end : j->place.end;

		set_due(j);
		if (end > j->due && end - j->due > *late) {
			*late = end - j->due;
			worst = j;
		}
	}
	return worst;
}

static void sort_anew(struct search *q)
{
	struct sched *s = q->s;

	memcpy(s->sorted, q->order, q->n * sizeof(*s->sorted));
	order_sort(s->sorted, q->n, s->config.order, s->now, s->items);
}

/*
 * It was refused: could it be promised if the jobs without a deadline might be pushed as far as one
 * likes? The attempts that failed do not tell: the last to miss may be anybody. 0 or -1.
 */
static int starves(struct search *q, struct sched_decision *d)
{
	struct search o = *q;
	bool any = false;
	int rc = 0;

	for (size_t i = 0; i < q->n; i++) {
		if (q->order[i]->promised)
			continue;
		any |= q->order[i]->due != PACT_FOREVER;
		q->order[i]->due = PACT_FOREVER;
	}
	if (any) {
		sort_anew(&o);
		rc = q->s->policy->arrange(&o);
	}
	const struct job *victim = worst_off(q, &d->critical_late);

	if (rc == 1)
		attempt_drop(&o.won);
	if (victim) {
		d->reason = REFUSE_STARVES;
		d->critical = victim->id;
	}
	sort_anew(q);
	return rc < 0 ? -1 : 0;
}

/* Why it was refused. 0 or -1. */
static int explain(struct search *q, struct sched_decision *d)
{
	d->attempts = q->attempts;
	d->violations = q->violations;
	d->reason = q->best.expired ? REFUSE_BUDGET : REFUSE_FULL;
	if (!q->best.expired && starves(q, d) < 0)
		return -1;
	if (d->reason != REFUSE_STARVES && q->best.critical) {
		d->critical = q->best.critical->id;
		d->critical_late = q->best.late;
	}
	return 0;
}

void search_init(struct search *q, struct sched *s, struct job **jobs, size_t n,
		 const struct job *except)
{
	*q = (struct search){ .s = s, .order = s->order, .fresh = jobs, .fresh_n = n };
	for (size_t i = 0; i < s->queue.n; i++) {
		struct job *j = s->queue.v[i];

		if (!j || j == except || j->starting || j->unreserved)
			continue;
		set_due(j);
		q->order[q->n++] = j;
	}
	order_by_start(q->order, q->n, s->items);
	for (size_t i = 0; i < q->n; i++) {
		q->order[i]->rank = i;
		s->sorted[i] = q->order[i];
	}
	order_sort(s->sorted, q->n, s->config.order, s->now, s->items);
}

/* Refusals that need no plan. */
static enum refuse_reason hopeless(const struct sched *s, const struct job *j)
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

int admission_admit(struct sched *s, struct job **jobs, size_t n, bool dry,
		    struct sched_decision *d)
{
	struct search q;

	search_init(&q, s, jobs, n, NULL);
	d->waiting = (int32_t)q.n;
	for (size_t i = 0; i < n && d->reason == REFUSE_NONE; i++) {
		jobs[i]->due = jobs[i]->deadline;
		d->reason = hopeless(s, jobs[i]);
	}
	if (d->reason == REFUSE_NONE) {
		for (size_t i = 0; i < n; i++)
			jobs[i]->promised = true; /* slurm mode lays out the others around them */
		int rc = s->policy->arrange(&q);

		if (rc < 0)
			return -1;
		if (rc) {
			d->accepted = true;
			d->attempts = q.attempts + 1;
			d->violations = q.won.report.violations;
			d->start = fresh_start(&q);
			d->end = fresh_end(&q);
			if (dry)
				attempt_drop(&q.won);
			else
				attempt_commit(&q.won);
			return 0;
		}
		if (explain(&q, d) < 0)
			return -1;
	}
	if (d->reason == REFUSE_NEVER_FITS || d->reason == REFUSE_NO_LIMIT)
		return 0;
	for (size_t i = 0; i < n; i++)
		jobs[i]->promised = true;
	int rc = make_offer(&q, d);

	if (rc == 0 && d->reason == REFUSE_FULL)
		d->reason = REFUSE_BLOCKED;
	return rc < 0 ? -1 : 0;
}

int admission_append(struct sched *s, struct job *j)
{
	int rc = plan_earliest(s->plan, &j->req, s->now, PACT_FOREVER, &j->place);

	agenda_move(s, j);
	if (rc < 0 || plan_put(s->plan, &j->place) < 0)
		return -1;
	if (j->place.end > j->artificial)
		j->artificial = j->place.end;
	return 0;
}

int admission_arrive(struct sched *s, struct job *j)
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * qops: the QoPS scheduler, paper 000, section 3, Figure 3, as rulings.md reads it; artificial deadlines
 * for the other jobs as in section 4.2.
 *
 * What differs between the modes is who runs when, and so what Figure 3 arranges:
 *   paper  all jobs; every one keeps the place that it was given, and early ends compress the plan.
 *   slurm  the promised jobs, which keep their places (and move only earlier); the others are placed
 *          anew at each pass, in priority order, around them. An admission lays out the others that way
 *          too and refuses when one of them would end after its due time because of the new promise;
 *          it tries the position that disturbs nobody first.
 */
#include <string.h>

#include "state.h"

static bool slurm_mode(const struct sched *s)
{
	return s->config.mode == SCHED_MODE_SLURM;
}

/* ---- admission ---- */

/* Paper 000, section 4.2: max(24 hours, R x runtime), counted from the job's eligibility. */
static int64_t artificial_deadline(const struct sched *s, const struct job *j)
{
	int64_t relaxed, span = s->config.min_artificial;

	if (j->limit == PACT_FOREVER ||
	    __builtin_mul_overflow(j->limit, s->config.relax_milli, &relaxed))
		return PACT_FOREVER;
	if (relaxed / 1000 > span)
		span = relaxed / 1000;
	return plan_end(j->eligible > j->req.not_before ? j->eligible : j->req.not_before, span);
}

/* What the new promise must not break. A job that is late already must not become later by it. */
static void set_due(struct job *j)
{
	int64_t promised = j->promised ? j->deadline : j->artificial;

	j->due = j->place.end > promised ? j->place.end : promised;
}

/* In the middle of a pass of slurm mode some jobs have no place yet: give them one. 0 or -1. */
static int complete_plan(struct sched *s)
{
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

/* The list in priority order, and the promised jobs alone in the plan. 0 or -1. */
static int promised_places(struct sched *s)
{
	size_t n = 0;

	if (list_fill(s, ORDER_PRIORITY, false) < 0)
		return -1;
	for (size_t i = 0; i < s->list_n; i++) {
		struct job *j = s->list[i];

		if (j->promised)
			s->places[n++] = &j->place;
		else
			placement_clear(&j->place);
	}
	return plan_build(s->plan, holds_base(s->holds), s->places, n, -1);
}

/*
 * Slurm mode: what came since the last pass stands behind all others, whatever its priority. Before
 * anything is decided by the plan it becomes what the next pass would make. 0 or -1.
 */
static int order_plan(struct sched *s)
{
	if (s->in_pass || !slurm_mode(s) || s->ordered)
		return complete_plan(s);
	if (promised_places(s) < 0)
		return -1;
	for (size_t i = 0; i < s->list_n; i++) {
		struct job *j = s->list[i];

		if (j->promised ? compress_one(s, j) < 0
				: !j->unreserved && (plan_earliest(s->plan, &j->req, s->now,
								   PACT_FOREVER, &j->place) < 0 ||
						     plan_put(s->plan, &j->place) < 0))
			return -1;
	}
	s->ordered = true;
	return 0;
}

/* The arrangement's promised jobs alone in s->trial; the others into v, how many: *count. 0 or -1. */
static int promised_alone(struct attempt *a, struct job **order, size_t n, struct job **v,
			  size_t *count)
{
	struct sched *s = a->s;
	size_t m = 0;

	*count = 0;
	for (size_t i = 0; i < n + a->fresh_n; i++) {
		struct job *j = i < n ? order[i] : a->fresh[i - n];

		if (j->promised)
			s->places[m++] = j->touched ? &j->trial : &j->place;
		else
			v[(*count)++] = j;
	}
	if (plan_build(s->trial, holds_base(s->holds), s->places, m, -1) < 0)
		return -1;
	return start_apply(s, s->trial, -1);
}

/*
 * Slurm mode: lay out the jobs without a promise in priority order around the promised ones of the
 * arrangement, as the next pass will. 1: none of them ends after its due time; 0: one does, or the
 * budget is used up; -1: no memory.
 */
static int lay_out_others(struct attempt *a, struct job **order, size_t n)
{
	struct sched *s = a->s;
	struct job **others = s->todo;
	size_t count;

	if (promised_alone(a, order, n, others, &count) < 0)
		return -1;
	order_sort(others, count, ORDER_PRIORITY, s->now, s->items);
	for (size_t i = 0; i < count; i++) {
		struct job *j = others[i];

		if (i % BUDGET_EVERY == 0 && attempt_expired(a))
			return 0;
		j->touched = true;
		if (plan_earliest(s->trial, &j->req, s->now, PACT_FOREVER, &j->trial) < 0 ||
		    plan_put(s->trial, &j->trial) < 0)
			return -1;
		if (j->trial.end > j->due) {
			a->report.critical = j;
			a->report.late = j->trial.end - j->due;
			return 0;
		}
	}
	return 1;
}

/* A question to Figure 3: the waiting jobs in planned start order, and the new ones. */
struct search {
	struct sched *s;
	struct job **order;
	size_t n;
	struct job **fresh;
	size_t fresh_n;
	struct attempt won; /* the feasible attempt, to be committed or dropped */
	struct attempt_report best;
	int32_t attempts, violations;
	bool unbounded;
};

static void note_failure(struct search *q, const struct attempt *a)
{
	q->attempts++;
	q->violations = a->report.violations;
	q->best.expired |= a->report.expired;
	if (a->report.critical && (!q->best.critical || a->report.late < q->best.late)) {
		bool expired = q->best.expired;

		q->best = a->report;
		q->best.expired = expired;
	}
}

/* One position. 1: feasible (q->won holds it), 0: not, -1: no memory. */
static int try_position(struct search *q, size_t ts)
{
	struct attempt a = {
		.s = q->s,
		.prefix = q->order,
		.ts = ts,
		.list = q->order + ts,
		.list_n = q->n - ts,
		.sorted = q->s->sorted,
		.fresh = q->fresh,
		.fresh_n = q->fresh_n,
		.fresh_first = ts > 0 || q->n == 0,
		.k = q->s->config.kfactor,
		.promised_only = slurm_mode(q->s),
		.unbounded = q->unbounded,
	};
	int rc = attempt_run(&a);

	/* who found a hole behind all the others has moved none of them */
	if (rc == 1 && slurm_mode(q->s) && (ts < q->n || a.report.violations)) {
		rc = lay_out_others(&a, q->order, q->n);
		if (rc != 1)
			attempt_drop(&a);
	}
	if (rc == 1)
		q->won = a;
	else if (rc == 0)
		note_failure(q, &a);
	return rc;
}

/*
 * Position k of Figure 3 as rulings.md reads it: floor(N - N/2^k) for k = 0, 1, 2, ..., until that is
 * N - 1, and then N itself. They are distinct.
 */
static size_t position(size_t n, unsigned k)
{
	size_t step = (size_t)1 << k;

	return step < 2 * n ? n - (n + step - 1) / step : n;
}

/*
 * The positions in the paper's order, 0 first and N last; in slurm mode the other way round, as a new
 * promise is to disturb Slurm's order as little as it can. The first feasible one wins.
 * 1: feasible; 0: refused; -1: no memory.
 */
static int figure3(struct search *q)
{
	unsigned last = 0;

	while (position(q->n, last) < q->n)
		last++;
	for (unsigned i = 0; i <= last; i++) {
		unsigned k = slurm_mode(q->s) ? last - i : i;
		int rc = try_position(q, position(q->n, k));

		if (rc || q->best.expired)
			return rc;
	}
	return 0;
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

/*
 * The completion that could be promised instead: behind the present plan, which moves nobody; then, if
 * the configuration allows, earlier by bisection, each candidate a full search. 0 or -1.
 */
static int make_offer(struct search *q, struct sched_decision *d)
{
	struct sched *s = q->s;
	struct search o = { .s = s,
			    .order = q->order,
			    .n = q->n,
			    .fresh = q->fresh,
			    .fresh_n = q->fresh_n,
			    .unbounded = true };
	int64_t lo = 0;

	set_fresh_due(&o, PACT_FOREVER);
	int rc = try_position(&o, o.n);

	if (rc < 1)
		return rc;
	take_offer(&o, d);
	for (size_t i = 0; i < o.fresh_n; i++) {
		const struct request *r = &o.fresh[i]->req;
		int64_t from = r->not_before > s->now ? r->not_before : s->now;

		if (plan_end(from, r->duration) > lo)
			lo = plan_end(from, r->duration) - 1;
	}
	o.unbounded = false;
	for (int32_t i = 0; i < s->config.offer_probes && d->offer_end - lo > 60; i++) {
		int64_t mid = lo + (d->offer_end - lo) / 2;

		set_fresh_due(&o, mid);
		rc = figure3(&o);
		if (rc < 0)
			return -1;
		if (rc) {
			/* a tighter deadline than mid would be sorted elsewhere: mid is what is sure */
			take_offer(&o, d);
			d->offer_end = mid;
		} else if (o.best.expired) {
			break;
		} else {
			lo = mid;
		}
	}
	return 0;
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
		rc = figure3(&o);
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

/* The waiting jobs but `except` (NULL: all) in planned start order and in the heuristic's. */
static void search_init(struct search *q, struct sched *s, struct job **jobs, size_t n,
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

static int qops_admit(struct sched *s, struct job **jobs, size_t n, bool dry,
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
			jobs[i]->promised =
				true; /* lay_out_others() must leave them where they are */
		int rc = figure3(&q);

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
	if (make_offer(&q, d) < 0)
		return -1;
	if (d->offer_end == PACT_FOREVER && d->reason == REFUSE_FULL)
		d->reason = REFUSE_BLOCKED;
	return 0;
}

/* ---- jobs without a deadline ---- */

static int qops_arrive(struct sched *s, struct job *j)
{
	int rc;

	/* in the middle of a pass: behind those of it that have no place yet */
	if (complete_plan(s) < 0)
		return -1;
	j->artificial = artificial_deadline(s, j);
	if (!slurm_mode(s)) {
		struct search q;

		search_init(&q, s, &j, 1, j); /* it is in the queue already */
		j->due = j->artificial;
		rc = figure3(&q);
		if (rc == 1)
			attempt_commit(&q.won);
		if (rc)
			return rc < 0 ? -1 : 0;
	}
	rc = plan_earliest(s->plan, &j->req, s->now, PACT_FOREVER, &j->place);
	if (rc < 0 || plan_put(s->plan, &j->place) < 0)
		return -1;
	if (j->place.end > j->artificial)
		j->artificial = j->place.end;
	return 0;
}

/* ---- passes ---- */

/* Slurm mode: only promised jobs have a place when the pass begins. */
static int slurm_begin(struct sched *s)
{
	if (promised_places(s) < 0)
		return -1;
	for (size_t i = 0; i < s->list_n; i++)
		s->list[i]->unreserved = s->list[i]->retried = false;
	return 0;
}

static int slurm_place(struct sched *s, struct job *j)
{
	if (j->promised)
		return compress_one(s, j);
	/* it may have a place already, from an admission in the middle of the pass */
	if (plan_take(s->plan, &j->place) < 0)
		return -1;
	placement_clear(&j->place);
	if (j->opaque && j->req.not_before <= s->now) {
		shorten_retried(s, j);
		return 0; /* tried first; placed when that fails */
	}
	int rc = plan_earliest(s->plan, &j->req, s->now, PACT_FOREVER, &j->place);

	if (rc < 0 || plan_put(s->plan, &j->place) < 0)
		return -1;
	return j->provisional ? 0 : shorten_fit(s, j);
}

static struct job *slurm_step(struct sched *s)
{
	while (s->cursor < s->list_n) {
		struct job *j = s->list[s->cursor++];

		if (!j || j->starting || slurm_place(s, j) < 0 || j->provisional)
			continue;
		if (j->opaque ? j->req.not_before <= s->now : j->place.start <= s->now)
			return j;
	}
	s->loosened = false;
	s->ordered = !s->dirty;
	return NULL;
}

static int qops_begin(struct sched *s)
{
	return slurm_mode(s) ? slurm_begin(s) : due_begin(s);
}

static struct job *qops_step(struct sched *s)
{
	return slurm_mode(s) ? slurm_step(s) : due_step(s);
}

static int qops_failed(struct sched *s, struct job *j, bool reserve)
{
	j->unreserved = !reserve;
	if (slurm_mode(s) && shorten_retry(s, j, reserve))
		return 0;
	return place_later(s, j, reserve);
}

const struct policy policy_qops = {
	.name = "qops",
	.promises = true,
	.keeps = true,
	.ready = order_plan,
	.admit = qops_admit,
	.arrive = qops_arrive,
	.begin = qops_begin,
	.step = qops_step,
	.failed = qops_failed,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* quality: see quality.h. One walk over the assignments gives all sums. */
#include "core/policies/dynp/quality.h"

#include <math.h>

#include "core/planning/state/job.h"

#define NEVER (INT64_C(1) << 35) /* seconds: a thousand years */
#define MILLION 1000000
#define BOUND 60 /* dynP, section 5.1 */
/*
 * A slowdown's unit, 10!: limits that divide it, as the bound does and whole minutes and hours mostly do up
 * to a week, leave no rest, so that schedules that are equally good are seen to be.
 */
#define UNIT INT64_C(3628800)

/* The sums over the jobs that count, and which of them are wanted. */
struct sums {
	int128 artww, sldww, art, wait, sld;
	int64_t width, jobs;
	int64_t last; /* end */
	int64_t now;
	size_t unplaced;
	uint32_t schedules; /* see quality_measure() */
	bool slow, more;
};

/* What counts of a job. */
struct counted {
	int64_t start, submit, limit, width;
};

/* In UNITths, rounded down; the runtime is the estimate. */
static int128 slowdown(int64_t response, int64_t runtime)
{
	response = response > BOUND ? response : BOUND;
	runtime = runtime > BOUND ? runtime : BOUND;
	if (response < INT64_MAX / UNIT) /* much faster */
		return response * UNIT / runtime;
	return (int128)response * UNIT / runtime;
}

static int64_t since(int64_t then, int64_t t)
{
	return t > then ? t - then : 0;
}

static int64_t start_of(const struct sums *t, int64_t start)
{
	return start < t->now + NEVER ? start : t->now + NEVER;
}

static int64_t end_of(int64_t start, int64_t limit)
{
	return limit < NEVER ? start + limit : start;
}

static inline void add(struct sums *t, struct counted x)
{
	int64_t start = start_of(t, x.start);
	int64_t end = end_of(start, x.limit);
	int64_t response = since(x.submit, end);

	t->jobs++;
	t->width += x.width;
	t->artww += (int128)x.width * response;
	if (t->more) {
		t->art += response;
		t->wait += since(x.submit, start);
		if (end > t->last)
			t->last = end;
	}
	if (t->slow) {
		int128 sld = slowdown(response, x.limit);

		t->sld += sld;
		t->sldww += x.width * sld;
	}
}

/* Is it one that no schedule has a place for? */
static bool left_out(const struct sums *t, const struct assignment *x)
{
	return t->schedules && x->at.start == PACT_FOREVER && x->job->marked == t->schedules;
}

/* All assignments; the usual quality by itself, as it is taken at every step. */
static void add_all(struct sums *t, const struct assignment *v, size_t n)
{
	int128 artww = 0;
	int64_t width = 0;
	size_t unplaced = 0;

	if (t->more || t->slow || t->schedules) {
		for (size_t i = 0; i < n; i++) {
			t->unplaced += v[i].at.start == PACT_FOREVER;
			if (!left_out(t, &v[i]))
				add(t, (struct counted){ v[i].at.start, v[i].submit, v[i].limit,
							 v[i].width });
		}
		return;
	}
	for (size_t i = 0; i < n; i++) {
		unplaced += v[i].at.start == PACT_FOREVER;
		int64_t end = end_of(start_of(t, v[i].at.start), v[i].limit);

		width += v[i].width;
		artww += (int128)v[i].width * since(v[i].submit, end);
	}
	t->jobs = (int64_t)n;
	t->width = width;
	t->artww = artww;
	t->unplaced = unplaced;
}

/* Reduced future (section 6): of the schedule only the first starts count. */
static void add_first(struct sums *t, const struct dynp_config *c, const struct assignment *v,
		      size_t n, struct order_item *scratch)
{
	int64_t until = c->future_seconds ? t->now + c->future_seconds : PACT_FOREVER;
	size_t count = 0, first = n;

	for (size_t i = 0; i < n; i++) {
		const struct job *j = v[i].job;

		t->unplaced += v[i].at.start == PACT_FOREVER;
		if (v[i].at.start <= until && !left_out(t, &v[i]))
			scratch[count++] =
				(struct order_item){ v[i].at.start, j->submit, j->id, v[i].job };
	}
	if (c->future_starts && (uint64_t)c->future_starts < count) {
		first = (size_t)c->future_starts;
		order_select(scratch, count, first);
	}
	for (size_t i = 0; i < count && i < first; i++)
		add(t, (struct counted){ scratch[i].key, scratch[i].submit, scratch[i].job->limit,
					 scratch[i].job->req.width });
}

void quality_measure(struct quality *q, const struct dynp_config *c, const struct assignment *v,
		     size_t n, int64_t now, uint32_t schedules, struct order_item *scratch)
{
	struct sums t = {
		.now = now,
		.schedules = schedules,
		.slow = c->weight[DYNP_SLD] || c->weight[DYNP_SLDWW],
		.more = c->weight[DYNP_ART] || c->weight[DYNP_MS] || c->weight[DYNP_WAIT],
	};

	if (c->future_starts || c->future_seconds)
		add_first(&t, c, v, n, scratch);
	else
		add_all(&t, v, n);
	q->unplaced = t.unplaced;
	q->part[DYNP_ARTWW] = (struct fraction){ t.artww, t.width };
	q->part[DYNP_ART] = (struct fraction){ t.art, t.jobs };
	q->part[DYNP_MS] = (struct fraction){ t.last, t.jobs > 0 };
	q->part[DYNP_SLD] = (struct fraction){ t.sld, (int128)t.jobs * UNIT };
	q->part[DYNP_SLDWW] = (struct fraction){ t.sldww, (int128)t.width * UNIT };
	q->part[DYNP_WAIT] = (struct fraction){ t.wait, t.jobs };
}

/*
 * Cross products may be longer than 128 bits; so compare as continued fractions: whole parts first, then
 * the rests upside down.
 */
int fraction_compare(const struct fraction *x, const struct fraction *y)
{
	struct fraction a = *x, b = *y;
	int sign = 1;

	for (;;) {
		if (!a.den || !b.den)
			return sign * (!a.den - !b.den);
		int128 qa = a.num / a.den, qb = b.num / b.den;

		if (qa != qb)
			return qa < qb ? -sign : sign;
		a = (struct fraction){ a.den, a.num % a.den };
		b = (struct fraction){ b.den, b.num % b.den };
		sign = -sign;
	}
}

bool fraction_below(const struct fraction *a, const struct fraction *b, int32_t ppm)
{
	struct fraction less = { b->num * (MILLION - ppm), b->den * MILLION };

	return b->den ? fraction_compare(a, &less) <= 0 : a->den != 0;
}

double fraction_value(const struct fraction *a)
{
	return a->den ? (double)a->num / (double)a->den : INFINITY;
}

/* A part in millionths of the worst one that there is. */
static int128 share_of_worst(const struct fraction *part, const struct fraction *worst)
{
	double whole = fraction_value(worst);

	if (!worst->num || !isfinite(whole))
		return MILLION;
	/* beyond any real queue the products would leave the range: doubles will do there */
	if (part->num < ((int128)1 << 55) && worst->num < ((int128)1 << 55) &&
	    part->den < ((int128)1 << 50) && worst->den < ((int128)1 << 50))
		return part->num * worst->den * MILLION / (worst->num * part->den);
	return (int128)(fraction_value(part) / whole * MILLION);
}

void quality_combine(const struct dynp_config *c, const struct quality *q, const bool *use,
		     size_t n, struct fraction *out)
{
	int parts = 0, only = 0;

	for (int m = 0; m < DYNP_METRICS; m++) {
		parts += c->weight[m] > 0;
		only = c->weight[m] ? m : only;
	}
	for (size_t i = 0; i < n; i++)
		out[i] = use[i] ? parts == 1 ? q[i].part[only] : (struct fraction){ 0, MILLION }
				: (struct fraction){ 1, 0 };
	for (int m = 0; m < DYNP_METRICS && parts > 1; m++) {
		struct fraction worst = { 0, 1 };

		if (!c->weight[m])
			continue;
		for (size_t i = 0; i < n; i++) {
			if (use[i] && q[i].part[m].den &&
			    fraction_compare(&q[i].part[m], &worst) > 0)
				worst = q[i].part[m];
		}
		for (size_t i = 0; i < n; i++) {
			if (!use[i] || !out[i].den)
				continue;
			if (q[i].part[m].den)
				out[i].num += c->weight[m] * share_of_worst(&q[i].part[m], &worst);
			else
				out[i] = (struct fraction){ 1, 0 };
		}
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ref_dynp: see ref_dynp.h. Plain on purpose. */
#include "testsuite/unit/ref_dynp.h"

#include <string.h>

struct tuning {
	struct ref *r;
	const struct dynp_config *c;
	int running;
	struct dynp_view *seen;
	int64_t turn[REF_DYNP_JOBS], next_turn; /* DYNP_QUEUE: where each job stands */
};

static bool waits(const struct ref_job *j)
{
	return j->submitted && !j->running && !j->done;
}

static int64_t key(const struct tuning *t, enum dynp_order order, const struct ref_job *j)
{
	switch (order) {
	case DYNP_SJF:
		return j->estimate;
	case DYNP_LJF:
		return -j->estimate;
	case DYNP_FFIA:
		return j->estimate * j->width;
	case DYNP_FFDA:
		return -j->estimate * j->width;
	case DYNP_QUEUE:
		return t->turn[j - t->r->job];
	default:
		return j->submit;
	}
}

/* Jobs are in the order of submission: one that is as good as another comes behind it. */
static size_t in_order(const struct tuning *t, enum dynp_order order, size_t *list)
{
	const struct ref *r = t->r;
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		size_t k = n;

		if (!waits(&r->job[i]))
			continue;
		for (; k > 0 && key(t, order, &r->job[list[k - 1]]) > key(t, order, &r->job[i]);
		     k--)
			list[k] = list[k - 1];
		list[k] = i;
		n++;
	}
	return n;
}

static void generate(const struct tuning *t, enum dynp_order order)
{
	struct ref *r = t->r;
	size_t list[r->n], n = in_order(t, order, list);

	for (size_t i = 0; i < n; i++)
		r->job[list[i]].planned = -1;
	for (size_t i = 0; i < n; i++)
		r->job[list[i]].planned = ref_earliest(r, &r->job[list[i]]);
}

struct ratio {
	int64_t num, den;
};

static int64_t slowdown(const struct ref_job *j)
{
	int64_t response = j->planned + j->estimate - j->submit, run = j->estimate;

	return (response < 60 ? 60 : response) * 3628800 / (run < 60 ? 60 : run);
}

static struct ratio quality(const struct ref *r, const struct dynp_config *c)
{
	size_t list[r->n], n = ref_by_planned(r, list);
	struct ratio q = { 0, 0 };

	for (size_t i = 0; i < n; i++) {
		const struct ref_job *j = &r->job[list[i]];
		int64_t response = j->planned + j->estimate - j->submit;

		if ((c->future_starts && i >= (size_t)c->future_starts) ||
		    (c->future_seconds && j->planned > r->now + c->future_seconds))
			break;
		if (c->weight[DYNP_ARTWW]) {
			q.num += j->width * response;
			q.den += j->width;
		} else if (c->weight[DYNP_ART]) {
			q.num += response;
			q.den++;
		} else if (c->weight[DYNP_MS]) {
			q.num = j->planned + j->estimate > q.num ? j->planned + j->estimate : q.num;
			q.den = 1;
		} else if (c->weight[DYNP_SLD]) {
			q.num += slowdown(j);
			q.den++;
		} else if (c->weight[DYNP_SLDWW]) {
			q.num += j->width * slowdown(j);
			q.den += j->width;
		} else {
			q.num += j->planned - j->submit;
			q.den++;
		}
	}
	return q;
}

static int compare(struct ratio a, struct ratio b)
{
	if (!a.den || !b.den)
		return !a.den - !b.den;
	return a.num * b.den < b.num * a.den ? -1 : a.num * b.den > b.num * a.den;
}

/* Section 3.2, to the letter. */
static int simple_decider(const struct ratio *q)
{
	const struct ratio f = q[0], s = q[1], l = q[2];

	if (compare(s, l) <= 0)
		return compare(f, s) <= 0 ? 0 : 1;
	return compare(f, l) <= 0 ? 0 : 2;
}

/* The first that no other beats; one that stays, stays if no other beats it. */
static int best(const struct ratio *q, int n, int current, bool stay)
{
	for (int k = stay ? -1 : 0; k < n; k++) {
		int i = k < 0 ? current : k;
		bool beaten = false;

		for (int o = 0; o < n; o++)
			beaten |= compare(q[o], q[i]) < 0;
		if (!beaten)
			return i;
	}
	return -1;
}

static int decide(const struct tuning *t, const struct ratio *q)
{
	const struct dynp_config *c = t->c;
	bool papers = c->npolicies == 3 && c->policy[0] == DYNP_FCFS && c->policy[1] == DYNP_SJF &&
		      c->policy[2] == DYNP_LJF;
	/* what it takes slackness to leave */
	int stays = c->decider == DYNP_PREFERRED ? 0 : t->running, chosen;

	/* so few jobs do not say how widely limits spread */
	if (c->decider == DYNP_PREFERRED && c->spread)
		return 0;
	if (c->decider == DYNP_SIMPLE && papers)
		chosen = simple_decider(q);
	else
		chosen = best(q, (int)c->npolicies, t->running, c->decider != DYNP_SIMPLE);
	if (c->decider == DYNP_PREFERRED && compare(q[0], q[chosen]) == 0)
		chosen = 0;
	struct ratio now = q[stays];

	if (chosen != stays && c->slackness_ppm) {
		now.num *= 1000000 - c->slackness_ppm;
		now.den *= 1000000;
		if (compare(q[chosen], now) > 0 || (!now.den && !q[chosen].den))
			chosen = stays;
	}
	return chosen;
}

/* Section 3.1, to the letter. */
static int basic(const struct tuning *t)
{
	size_t list[t->r->n], n = in_order(t, DYNP_FCFS, list);
	int64_t sum = 0;
	enum dynp_order order;

	if (n < (size_t)t->c->threshold)
		return t->running;
	for (size_t i = 0; i < n; i++)
		sum += t->r->job[list[i]].estimate;
	if (sum <= t->c->lower_bound * (int64_t)n)
		order = DYNP_SJF;
	else if (sum <= t->c->upper_bound * (int64_t)n)
		order = DYNP_FCFS;
	else
		order = DYNP_LJF;
	for (int i = 0;; i++)
		if (t->c->policy[i] == order)
			return i;
}

static void step(struct tuning *t, bool submission)
{
	struct ratio q[DYNP_ORDERS];
	size_t list[t->r->n], n = in_order(t, DYNP_FCFS, list);
	int chosen = t->running;

	if (!n)
		return;
	if (t->c->decider == DYNP_BASIC) {
		if (submission)
			chosen = basic(t);
	} else {
		for (uint32_t i = 0; i < t->c->npolicies; i++) {
			generate(t, t->c->policy[i]);
			q[i] = quality(t->r, t->c);
		}
		chosen = decide(t, q);
	}
	t->seen->steps++;
	t->seen->many += n > 1;
	t->seen->backlog += n;
	generate(t, t->c->policy[chosen]);
	if (chosen == t->running)
		t->seen->kept++;
	else
		t->seen->switches[t->c->policy[chosen]]++;
	if (t->c->policy[chosen] != DYNP_QUEUE)
		n = in_order(t, t->c->policy[chosen], list);
	else if (chosen == t->running)
		n = in_order(t, DYNP_QUEUE, list);
	for (size_t i = 0; i < n; i++)
		t->turn[list[i]] = t->next_turn++;
	t->running = chosen;
	t->seen->running = t->c->policy[chosen];
}

static void start_due(struct tuning *t)
{
	struct ref *r = t->r;

	for (size_t i = 0; i < r->n; i++) {
		struct ref_job *j = &r->job[i];

		if (!waits(j) || j->planned < 0 || j->planned > r->now)
			continue;
		j->running = true;
		j->planned = -1;
		j->start = r->now;
		j->end = r->now + j->runtime;
		t->seen->started[t->c->policy[t->running]]++;
	}
}

/* The next end, submission or planned start, ends first, then submissions; false: nothing is left. */
static bool next(struct tuning *t)
{
	struct ref *r = t->r;
	struct ref_job *ends = NULL, *comes = NULL;
	int64_t due = INT64_MAX;

	for (size_t i = 0; i < r->n; i++) {
		struct ref_job *j = &r->job[i];

		if (j->running && (!ends || j->end < ends->end))
			ends = j;
		if (!j->submitted && (!comes || j->submit < comes->submit))
			comes = j;
		if (waits(j) && j->planned >= 0 && j->planned < due)
			due = j->planned;
	}
	if (ends && ends->end <= due && (!comes || ends->end <= comes->submit)) {
		r->now = ends->end;
		ends->running = false;
		ends->done = true;
		step(t, false);
	} else if (comes && comes->submit <= due) {
		r->now = comes->submit;
		comes->submitted = true;
		comes->planned = -1;
		t->turn[comes - r->job] = t->next_turn++;
		step(t, true);
	} else if (due < INT64_MAX) {
		r->now = due;
	} else {
		return false;
	}
	start_due(t);
	return true;
}

void ref_dynp_run(const struct ref_config *machine, const struct dynp_config *c,
		  struct ref_job *job, size_t n, struct dynp_view *seen)
{
	struct ref r = { .c = machine, .job = job, .n = n };
	struct tuning t = { .r = &r, .c = c, .seen = seen };

	memset(seen, 0, sizeof(*seen));
	seen->running = c->policy[0];
	for (size_t i = 0; i < n; i++) {
		job[i].start = job[i].end = job[i].planned = -1;
		job[i].submitted = job[i].running = job[i].done = false;
	}
	while (next(&t))
		;
}

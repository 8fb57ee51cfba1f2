/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ref_qops: QoPS, Figure 3, transcribed step by step as doc/papers.md reads it. The letters in
 * the comments are the figure's.
 */
#include "testsuite/unit/ref_sched.h"

/* What the heuristic sorts by: due, or due - now - estimate (the same order at any time). */
static int64_t key(const struct ref *r, size_t i)
{
	const struct ref_job *j = &r->job[i];

	return r->c->llf ? j->due - j->estimate : j->due;
}

/* Jobs are numbered in the order of submission, so a stable sort breaks ties by it. */
void ref_sort(const struct ref *r, size_t *list, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		size_t x = list[i], k = i;

		for (; k > 0; k--) {
			int64_t a = key(r, list[k - 1]), b = key(r, x);

			if (a < b || (a == b && list[k - 1] < x))
				break;
			list[k] = list[k - 1];
		}
		list[k] = x;
	}
}

static void push_front(size_t *list, size_t *n, size_t x)
{
	for (size_t i = (*n)++; i > 0; i--)
		list[i] = list[i - 1];
	list[0] = x;
}

static size_t pop_front(size_t *list, size_t *n)
{
	size_t x = list[0];

	(*n)--;
	for (size_t i = 0; i < *n; i++)
		list[i] = list[i + 1];
	return x;
}

/* A4 ii c to e. False: mid = T. */
static bool push_back(struct ref *r, size_t ts, size_t failed, size_t *list, size_t *n)
{
	size_t order[r->n];
	size_t count = ref_by_planned(r, order); /* the failed job is among them */
	size_t position = 0, mid;

	while (order[position] != failed)
		position++;
	mid = (ts + position) / 2;
	r->job[failed].planned = -1;
	if (mid >= position)
		return false;
	for (size_t i = mid; i < position && i < count; i++) {
		r->job[order[i]].planned = -1;
		list[(*n)++] = order[i];
	}
	ref_sort(r, list, *n);
	push_front(list, n, failed);
	return true;
}

/* A for one ts. True: feasible, and the plan is made. */
static bool attempt(struct ref *r, size_t ts, size_t fresh, const size_t *waiting, size_t count)
{
	size_t list[r->n + 1];
	size_t n = 0;
	int violations = 0;

	for (size_t i = ts; i < count; i++) { /* 1 */
		r->job[waiting[i]].planned = -1;
		list[n++] = waiting[i];
	}
	if (ts == 0)
		list[n++] = fresh;
	ref_sort(r, list, n); /* 2 */
	if (ts > 0)
		push_front(list, &n, fresh);
	while (n > 0) { /* 4 */
		size_t c = pop_front(list, &n);
		struct ref_job *j = &r->job[c];

		j->planned = ref_earliest(r, j); /* i */
		if (j->planned + j->estimate <= j->due)
			continue;
		if (++violations > r->c->kfactor) /* ii a, b */
			return false;
		if (!push_back(r, ts, c, list, &n)) /* ii c, d, e */
			return false;
	}
	return true;
}

bool ref_figure3(struct ref *r, size_t fresh)
{
	size_t waiting[r->n];
	size_t n = ref_by_planned(r, waiting);
	int64_t before[r->n];
	size_t ts = 0;

	for (size_t i = 0; i < r->n; i++)
		before[i] = r->job[i].planned;
	for (size_t power = 1;; power *= 2) {
		if (attempt(r, ts, fresh, waiting, n))
			return true;
		for (size_t i = 0; i < r->n; i++)
			r->job[i].planned = before[i];
		/* the next floor(N - N / 2^k) that is another; after the last of them N itself */
		while (ts + 1 < n && n - (n + 2 * power - 1) / (2 * power) == ts)
			power *= 2;
		if (ts == n)
			return false;
		ts = ts + 1 < n ? n - (n + 2 * power - 1) / (2 * power) : n;
	}
}

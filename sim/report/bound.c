/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bound: see bound.h. The network is source, jobs, parts, sink. Its arcs are not stored: a job's parts
 * follow one another, and what an arc can carry follows from the two times; only the flow from a job to a
 * part is kept, and for each part which jobs overlap it.
 */
#include "sim/report/bound.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/sched.h"

#define UNREACHED INT32_MAX
/* Work may be added up and multiplied by 2 within 63 bits. */
#define MOST_WORK (INT64_MAX / 4)

struct item {
	int64_t release, deadline, width;
	int64_t left;	    /* work that has found no part yet */
	size_t first, last; /* its parts: [first, last) */
	size_t flow;	    /* where its flows begin */
	int32_t level;
	size_t arc; /* the part to be looked at next */
};

struct part {
	int64_t start, end;
	int64_t left;	    /* processor-seconds that no job has taken yet */
	size_t first, last; /* what overlaps it: member[first .. last) */
	int32_t level;
	size_t arc; /* the member to be looked at next */
};

struct net {
	struct item *item;
	size_t items;
	struct part *part;
	size_t parts;
	int64_t *flow;
	uint32_t *member;
	uint32_t *queue; /* items first, then parts, by their number */
};

static int by_time(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static int64_t release_of(const struct sim_job *j)
{
	return j->begin > j->submit ? j->begin : j->submit;
}

static bool in_time(const struct sim_job *j)
{
	return j->deadline > 0 && j->deadline - release_of(j) >= j->runtime;
}

/* Processor-seconds of a job; false: too many. */
static bool add_work(const struct sim_job *j, int64_t *sum)
{
	int64_t work;

	return !__builtin_mul_overflow(j->runtime, j->width, &work) &&
	       !__builtin_add_overflow(*sum, work, sum) && *sum <= MOST_WORK;
}

/* What the jobs ask for; how many could be in time: *possible. 0 or PACT_EINVAL. */
static int add_up(const struct workload *w, struct bound *b, size_t *possible)
{
	*possible = 0;
	for (size_t i = 0; i < w->count; i++) {
		const struct sim_job *j = &w->job[i];

		if (j->deadline <= 0)
			continue;
		if (!add_work(j, &b->asked))
			return PACT_EINVAL;
		b->jobs++;
		*possible += in_time(j);
	}
	return *possible < UINT32_MAX / 2 ? PACT_OK : PACT_EINVAL;
}

/* The n times sorted, each once; how many are left. */
static size_t distinct(int64_t *time, size_t n)
{
	size_t m = 0;

	qsort(time, n, sizeof(*time), by_time);
	for (size_t i = 0; i < n; i++) {
		if (!m || time[m - 1] != time[i])
			time[m++] = time[i];
	}
	return m;
}

/* Cut the time. 0, PACT_ENOMEM or PACT_EINVAL. */
static int cut(struct net *t, uint32_t nodes, size_t parts)
{
	size_t n = 0, times;
	int64_t *time = malloc(2 * t->items * sizeof(*time)), room;

	if (!time)
		return PACT_ENOMEM;
	for (size_t i = 0; i < t->items; i++) {
		time[n++] = t->item[i].release;
		time[n++] = t->item[i].deadline;
	}
	times = distinct(time, n);
	if (__builtin_mul_overflow(time[times - 1] - time[0], (int64_t)nodes, &room) ||
	    room > MOST_WORK) {
		free(time);
		return PACT_EINVAL;
	}
	t->parts = times - 1 < parts ? times - 1 : parts;
	t->part = calloc(t->parts, sizeof(*t->part));
	for (size_t k = 0; t->part && k < t->parts; k++) {
		struct part *p = &t->part[k];

		p->start = time[k * (times - 1) / t->parts];
		p->end = time[(k + 1) * (times - 1) / t->parts];
		p->left = (p->end - p->start) * nodes;
	}
	free(time);
	return t->part ? PACT_OK : PACT_ENOMEM;
}

/* The first part that ends after t. */
static size_t part_after(const struct net *t, int64_t time)
{
	size_t lo = 0, hi = t->parts;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (t->part[mid].end > time)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* Which jobs overlap which parts. 0 or PACT_ENOMEM. */
static int join(struct net *t)
{
	size_t arcs = 0;

	for (size_t i = 0; i < t->items; i++) {
		struct item *x = &t->item[i];

		x->first = part_after(t, x->release);
		x->last = part_after(t, x->deadline - 1) + 1;
		x->flow = arcs;
		arcs += x->last - x->first;
		for (size_t k = x->first; k < x->last; k++)
			t->part[k].last++;
	}
	t->flow = calloc(arcs, sizeof(*t->flow));
	t->member = malloc(arcs * sizeof(*t->member));
	t->queue = malloc((t->items + t->parts) * sizeof(*t->queue));
	if (!t->flow || !t->member || !t->queue)
		return PACT_ENOMEM;
	for (size_t k = 0, at = 0; k < t->parts; k++) {
		size_t count = t->part[k].last;

		t->part[k].first = t->part[k].last = at;
		at += count;
	}
	for (size_t i = 0; i < t->items; i++) {
		for (size_t k = t->item[i].first; k < t->item[i].last; k++)
			t->member[t->part[k].last++] = (uint32_t)i;
	}
	return PACT_OK;
}

static int build(struct net *t, const struct workload *w, uint32_t nodes, size_t parts)
{
	t->item = malloc(t->items * sizeof(*t->item));
	if (!t->item)
		return PACT_ENOMEM;
	t->items = 0;
	for (size_t i = 0; i < w->count; i++) {
		const struct sim_job *j = &w->job[i];

		if (!in_time(j))
			continue;
		t->item[t->items++] = (struct item){
			.release = release_of(j),
			.deadline = j->deadline,
			.width = j->width,
			.left = j->width * j->runtime,
		};
	}
	int err = cut(t, nodes, parts);

	return err ? err : join(t);
}

static int64_t *flow_of(const struct net *t, const struct item *x, size_t k)
{
	return &t->flow[x->flow + (k - x->first)];
}

/* What part k can still take of x, whatever else is there. */
static int64_t spare(const struct net *t, const struct item *x, size_t k)
{
	const struct part *p = &t->part[k];
	int64_t from = x->release > p->start ? x->release : p->start;
	int64_t until = x->deadline < p->end ? x->deadline : p->end;

	return (until - from) * x->width - *flow_of(t, x, k);
}

/*
 * Levels, breadth first from the items that have work left, up to the first level of parts that have
 * room left. Is there any?
 */
static bool make_levels(struct net *t)
{
	size_t head = 0, tail = 0;
	int32_t enough = UNREACHED;

	for (size_t i = 0; i < t->items; i++) {
		struct item *x = &t->item[i];

		x->level = x->left ? 0 : UNREACHED;
		x->arc = x->first;
		if (x->left)
			t->queue[tail++] = (uint32_t)i;
	}
	for (size_t k = 0; k < t->parts; k++) {
		t->part[k].level = UNREACHED;
		t->part[k].arc = t->part[k].first;
	}
	while (head < tail) {
		uint32_t n = t->queue[head++];

		if (n < t->items) {
			struct item *x = &t->item[n];

			for (size_t k = x->first; k < x->last && x->level < enough; k++) {
				struct part *p = &t->part[k];

				if (p->level != UNREACHED || !spare(t, x, k))
					continue;
				p->level = x->level + 1;
				enough = p->left ? p->level : enough;
				t->queue[tail++] = (uint32_t)(t->items + k);
			}
			continue;
		}
		size_t k = n - t->items;
		struct part *p = &t->part[k];

		for (size_t m = p->first; m < p->last && p->level < enough; m++) {
			struct item *x = &t->item[t->member[m]];

			if (x->level != UNREACHED || !*flow_of(t, x, k))
				continue;
			x->level = p->level + 1;
			t->queue[tail++] = t->member[m];
		}
	}
	return enough != UNREACHED;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t push_part(struct net *t, size_t k, int64_t want);

/* Move up to `want` of x's work down the levels; how much. They are no more than twice the parts. */
static int64_t push_item(struct net *t, struct item *x, int64_t want)
{
	int64_t moved = 0;

	for (; x->arc < x->last; x->arc++) {
		size_t k = x->arc;

		if (t->part[k].level != x->level + 1)
			continue;
		int64_t got = push_part(t, k, least(want - moved, spare(t, x, k)));

		*flow_of(t, x, k) += got;
		moved += got;
		if (moved == want) /* this arc may have more */
			break;
	}
	return moved;
}

/* Part k takes up to `want`, from its room or by sending others' work elsewhere; how much. */
static int64_t push_part(struct net *t, size_t k, int64_t want)
{
	struct part *p = &t->part[k];
	int64_t moved = least(want, p->left);

	p->left -= moved;
	for (; p->arc < p->last && moved < want; p->arc++) {
		struct item *x = &t->item[t->member[p->arc]];

		if (x->level != p->level + 1)
			continue;
		int64_t got = push_item(t, x, least(want - moved, *flow_of(t, x, k)));

		*flow_of(t, x, k) -= got;
		moved += got;
		if (moved == want)
			break;
	}
	return moved;
}

/* The greatest flow. */
static int64_t transport(struct net *t)
{
	int64_t sum = 0;

	while (make_levels(t)) {
		for (size_t i = 0; i < t->items; i++) {
			struct item *x = &t->item[i];
			int64_t moved = x->left ? push_item(t, x, x->left) : 0;

			x->left -= moved;
			sum += moved;
		}
	}
	return sum;
}

int bound_find(const struct workload *w, uint32_t nodes, size_t parts, struct bound *b)
{
	struct net t = { .items = 0 };
	int err;

	memset(b, 0, sizeof(*b));
	if (!parts || parts > UINT32_MAX / 2)
		return PACT_EINVAL;
	err = add_up(w, b, &t.items);
	if (err || !t.items)
		return err;
	err = build(&t, w, nodes, parts);
	if (!err) {
		b->parts = t.parts;
		b->most = transport(&t);
	}
	free(t.item);
	free(t.part);
	free(t.flow);
	free(t.member);
	free(t.queue);
	return err;
}

double bound_least_pct(const struct bound *b)
{
	return b->asked ? 100.0 * (double)(b->asked - b->most) / (double)b->asked : 0;
}

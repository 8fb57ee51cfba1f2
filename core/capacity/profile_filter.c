/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profile_filter: what a profile's inner nodes know of the time that is free below them. Bounds may
 * be too high, never too low (by more than SLACK).
 */
#include <math.h>
#include <string.h>

#include "core/capacity/profile_tree.h"

/* Levels from 1 up, in about the smallest ratio that gets near a capacity. */
void profile_filter_levels(struct profile *p, int32_t free)
{
	float top = free > 256 ? (float)free : 256.0f;

	for (float ratio = 1.25f;; ratio *= 1.03125f) {
		float exact = 1.0f, floor = 0.0f;

		for (int k = 0; k < LEVELS; k++) {
			float whole = (float)(int64_t)exact;

			floor = whole > floor ? whole : floor + 1.0f;
			p->floor[k] = floor;
			exact = exact * ratio > floor ? exact * ratio : floor + 1.0f;
		}
		if (exact >= top)
			return;
	}
}

static float length(int64_t start, int64_t end)
{
	return end == PACT_FOREVER ? INFINITY : (float)(end - start);
}

/*
 * Four levels at once. Written with the compiler's vectors, as the loops run at each change of the
 * profile; any target has them.
 */
#define FOUR 4
#define FOURS (LEVELS / FOUR)

typedef float four __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t mask __attribute__((vector_size(16)));

static four load(const float *from)
{
	return *(const four *)from;
}

static void store(float *to, four x)
{
	*(four *)to = x;
}

static four all(float x)
{
	return (four){ x, x, x, x };
}

static four longer(four a, four b)
{
#ifdef __SSE__
	return (four)__builtin_ia32_maxps(a, b); /* the same in one instruction */
#else
	mask which = a > b;

	return (four)((which & (mask)a) | (~which & (mask)b));
#endif
}

/* How long each level is free from the leaf's beginning; `least` is the leaf's least value. */
static void find_heads(const struct profile *p, const struct leaf *leaf, float least, float *head)
{
	int k = LEVELS - 1;

	/* What the first steps end, from the highest level down. */
	for (uint32_t i = 0; k >= 0 && p->floor[k] > least; i++) {
		float free = (float)leaf->free[i];
		float len = (float)(leaf->time[i] - leaf->time[0]);

		for (; k >= 0 && p->floor[k] > free; k--)
			head[k] = len;
	}
	for (; k >= 0; k--)
		head[k] = INFINITY;
}

static void learn_leaf(const struct profile *p, const struct leaf *leaf, int64_t end,
		       struct summary *sum)
{
	four floor[FOURS], run[FOURS], best[FOURS];
	uint32_t last = leaf->count - 1;
	int32_t least = INT32_MAX;

	for (int q = 0; q < FOURS; q++) {
		floor[q] = load(&p->floor[q * FOUR]);
		run[q] = best[q] = all(0.0f);
	}
	for (uint32_t i = 0; i <= last; i++) {
		four len = all(i < last ? (float)(leaf->time[i + 1] - leaf->time[i])
					: length(leaf->time[last], end));
		four free = all((float)leaf->free[i]);

		for (int q = 0; q < FOURS; q++) {
			run[q] = (four)((floor[q] <= free) & (mask)(run[q] + len));
			best[q] = longer(run[q], best[q]);
		}
		least = leaf->free[i] < least ? leaf->free[i] : least;
	}
	for (int q = 0; q < FOURS; q++) {
		store(&sum->tail[q * FOUR], run[q]);
		store(&sum->best[q * FOUR], best[q]);
	}
	for (int k = 0; k < LEVELS && p->floor[k] <= (float)least; k++)
		sum->tail[k] = INFINITY;
	find_heads(p, leaf, (float)least, sum->head);
}

static void learn_inner(const struct inner *in, struct summary *sum)
{
	const struct summary *last = &in->sum[in->count - 1];
	four best[FOURS];

	for (int q = 0; q < FOURS; q++)
		best[q] = load(&last->best[q * FOUR]);
	for (const struct summary *here = in->sum; here < last; here++) {
		for (int q = 0; q < FOURS; q++) {
			four cross = load(&here->tail[q * FOUR]) + load(&here[1].head[q * FOUR]);

			best[q] = longer(longer(cross, load(&here->best[q * FOUR])), best[q]);
		}
	}
	for (int q = 0; q < FOURS; q++)
		store(&sum->best[q * FOUR], best[q]);
	memcpy(sum->head, in->sum[0].head, sizeof(sum->head));
	memcpy(sum->tail, last->tail, sizeof(sum->tail));
}

void profile_filter_learn(const struct profile *p, unsigned level, struct inner *in, uint32_t c,
			  int64_t end)
{
	uint32_t id;

	if (!is_stale(in, c))
		return;
	id = profile_enter(p, level, in, c);
	if (level == 1) {
		learn_leaf(p, leaf_at(p, id), end, &in->sum[c]);
	} else {
		const struct inner *child = inner_at(p, id);

		if (child->stale << (32 - child->count))
			return;
		learn_inner(child, &in->sum[c]);
	}
	in->stale &= ~(UINT32_C(1) << c);
	if (c > 0)
		profile_filter_bound(in, c - 1);
	profile_filter_bound(in, c);
}

void profile_filter_bound(struct inner *in, uint32_t c)
{
	const struct summary *here = &in->sum[c];

	if (is_stale(in, c) || (c + 1 < in->count && is_stale(in, c + 1)))
		return; /* it will be set when they are learnt */
	if (c + 1 == in->count) {
		for (int k = 0; k < LEVELS; k++)
			in->bound[k][c] = here->best[k];
		return;
	}
	for (int k = 0; k < LEVELS; k++) {
		float cross = here->tail[k] + in->sum[c + 1].head[k];

		in->bound[k][c] = cross > here->best[k] ? cross : here->best[k];
	}
}

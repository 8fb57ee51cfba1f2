/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profile_build: a profile from another one and many changes, in one sweep. An admission takes half of
 * the waiting jobs out of the plan, then a quarter, and so on; one by one that is a walk down the tree
 * and a repair of its filter for each of their ends. Here the steps of the old profile and the changes,
 * both in order of time, are merged into new leaves that are filled to three quarters, and the levels
 * above are put on top.
 */
#include <string.h>

#include "core/capacity/profile_tree.h"

#define FILL_STEPS (PROFILE_STEPS - PROFILE_STEPS / 4)
#define FILL_CHILDREN (PROFILE_CHILDREN - PROFILE_CHILDREN / 4)

struct builder {
	struct profile *dst;
	const struct profile_change *change;
	size_t n, next;
	int32_t base; /* the old profile's value here */
	int32_t sum;  /* the changes' so far */
	int32_t last; /* the value of the last step pushed */
	struct leaf *leaf;
};

static void push(struct builder *b, int64_t t, int32_t value)
{
	if (b->dst->steps && value == b->last)
		return;
	if (b->dst->flat) {
		b->dst->time[b->dst->steps] = t;
		b->dst->free[b->dst->steps++] = b->last = value;
		return;
	}
	if (!b->leaf || b->leaf->count == FILL_STEPS) {
		b->leaf = leaf_at(b->dst, b->dst->leaves.used++);
		b->leaf->count = 0;
	}
	b->leaf->time[b->leaf->count] = t;
	b->leaf->free[b->leaf->count++] = value;
	b->last = value;
	b->dst->steps++;
}

/* The changes before t, each time once. */
static void push_changes(struct builder *b, int64_t t)
{
	while (b->next < b->n && b->change[b->next].time < t) {
		int64_t here = b->change[b->next].time;

		while (b->next < b->n && b->change[b->next].time == here)
			b->sum += b->change[b->next++].delta;
		push(b, here, b->base + b->sum);
	}
}

static void push_step(struct builder *b, int64_t t, int32_t value)
{
	push_changes(b, t);
	while (b->next < b->n && b->change[b->next].time == t)
		b->sum += b->change[b->next++].delta;
	b->base = value;
	push(b, t, value + b->sum);
}

/* `add`: what is still to be added to all below. It stays where it is: src is only read. */
static void walk(struct builder *b, const struct profile *src, unsigned level, uint32_t id,
		 int32_t add)
{
	if (level == 0) {
		const struct leaf *leaf = leaf_at(src, id);

		for (uint32_t i = 0; i < leaf->count; i++)
			push_step(b, leaf->time[i], leaf->free[i] + add);
		return;
	}
	const struct inner *in = inner_at(src, id);

	for (uint32_t c = 0; c < in->count; c++)
		walk(b, src, level - 1, in->child[c], add + in->add[c]);
}

static int64_t first_time(const struct profile *p, unsigned level, uint32_t id)
{
	return level ? inner_at(p, id)->key[0] : leaf_at(p, id)->time[0];
}

/* Put one level on top of nodes first .. first + count - 1 of level - 1. Returns how many it has. */
static uint32_t raise_level(struct profile *p, unsigned level, uint32_t first, uint32_t count)
{
	uint32_t made = 0, done = 0;

	while (done < count) {
		struct inner *in = inner_at(p, p->inners.used++);
		uint32_t left = count - done, take = left < FILL_CHILDREN ? left : FILL_CHILDREN;

		/* a lone node at the end is better off with its neighbours */
		if (left - take == 1)
			take++;
		for (uint32_t c = 0; c < take; c++) {
			in->child[c] = first + done + c;
			in->key[c] = first_time(p, level - 1, in->child[c]);
			in->add[c] = 0;
		}
		in->count = take;
		done += take;
		made++;
		profile_refresh(p, level, in, 0, take - 1);
	}
	return made;
}

/* Nodes that the levels above `leaves` leaves need at most. */
static uint32_t inners_for(uint32_t leaves)
{
	uint32_t n = 0;

	while (leaves > 1) {
		leaves = leaves / FILL_CHILDREN + 1;
		n += leaves;
	}
	return n;
}

/* The levels above the leaves. */
static void raise_all(struct profile *p)
{
	uint32_t first = 0, count = p->leaves.used;

	while (count > 1) {
		uint32_t next = p->inners.used;

		count = raise_level(p, ++p->height, first, count);
		first = next;
	}
	p->root = first;
}

int profile_unfold(struct profile *p)
{
	size_t steps = p->steps;
	uint32_t leaves = (uint32_t)(steps / FILL_STEPS + 1);
	struct builder b = { .dst = p };

	if (profile_empty(p, leaves, inners_for(leaves)))
		return -1;
	for (size_t i = 0; i < steps; i++)
		push(&b, p->time[i], p->free[i]);
	profile_flat_forget(p);
	raise_all(p);
	return 0;
}

/* An empty profile that will have so many steps at most. 0 or -1. */
static int make_empty(struct profile *p, size_t steps)
{
	uint32_t leaves = (uint32_t)(steps / FILL_STEPS + 1);

	if (steps > PROFILE_FLAT) {
		if (profile_empty(p, leaves, inners_for(leaves)))
			return -1;
		profile_flat_forget(p);
		return 0;
	}
	if (profile_flat_room(p, steps))
		return -1;
	p->flat = true;
	p->steps = 0;
	return 0;
}

/* ---- the changes ---- */

/*
 * One change for each time, and none that come to nothing: where a job ends the next one begins, so of the
 * many that leave or enter a plan together most do. A hash table in `table`, four bytes a slot and no more
 * than four slots a change, says where in `change` a time stands. Returns how many are left.
 */
static size_t sum_changes(struct profile_change *change, size_t n, uint32_t *table)
{
	unsigned bits = 1;
	size_t times = 0, left = 0;

	while ((size_t)1 << bits < 2 * n)
		bits++;
	memset(table, 0, ((size_t)1 << bits) * sizeof(*table));
	for (size_t i = 0; i < n; i++) {
		struct profile_change c = change[i];
		/* Fibonacci hashing: the upper bits of a product with 2^64 / the golden ratio */
		size_t slot = (uint64_t)c.time * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits);
		uint32_t seen;

		/*
		 * It cannot be foreseen whether it is the first of its time, so no branch depends on it: only a
		 * slot that another time has is seldom. The mask is 0 where no time has it.
		 */
		for (;; slot = (slot + 1) & (((size_t)1 << bits) - 1)) {
			seen = table[slot];
			uint64_t mask = -(uint64_t)(seen != 0);

			if (!((uint64_t)(change[seen - (seen != 0)].time ^ c.time) & mask))
				break;
		}
		bool first = !seen;
		size_t at = first ? times : seen - 1;

		change[at].time = c.time;
		change[at].delta = (first ? 0 : change[at].delta) + c.delta;
		table[slot] = (uint32_t)at + 1;
		times += first;
	}
	for (size_t i = 0; i < times; i++) {
		change[left] = change[i];
		left += change[i].delta != 0 && change[i].time != PACT_FOREVER;
	}
	return left;
}

static size_t run_end(const struct profile_change *v, size_t i, size_t n)
{
	for (i++; i < n && v[i].time >= v[i - 1].time; i++)
		;
	return i;
}

/* Merge neighbouring runs of v into out. */
static void merge_runs(const struct profile_change *v, size_t n, struct profile_change *out)
{
	for (size_t i = 0; i < n;) {
		size_t mid = run_end(v, i, n), end = mid < n ? run_end(v, mid, n) : n;
		size_t a = i, b = mid;

		while (a < mid && b < end)
			*out++ = v[b].time < v[a].time ? v[b++] : v[a++];
		while (a < mid)
			*out++ = v[a++];
		while (b < end)
			*out++ = v[b++];
		i = end;
	}
}

/* Sorted by time. Returns where they are in the end: at v or at `other`. */
static const struct profile_change *sort_changes(struct profile_change *v, size_t n,
						 struct profile_change *other)
{
	while (n && run_end(v, 0, n) < n) {
		struct profile_change *t = v;

		merge_runs(v, n, other);
		v = other;
		other = t;
	}
	return v;
}

/* ---- flat ---- */

/*
 * What leaves a plan began and ended where the profile has steps, if it comes to anything. So each change
 * is looked for among them and noted there: nothing needs to be sorted but the others, which move to the
 * front of `change`; how many. *first: the first step that a change lies at, or behind.
 */
static size_t note_changes(const struct profile *src, struct profile_change *change, size_t n,
			   int32_t *at_step, size_t *first)
{
	size_t others = 0;

	*first = src->steps;
	for (size_t i = 0; i < n; i++) {
		uint32_t step = find(src->time, (uint32_t)src->steps, change[i].time);

		*first = step < *first ? step : *first;
		if (change[i].time <= src->time[step])
			at_step[step] += change[i].delta;
		else
			change[others++] = change[i];
	}
	return others;
}

/* dst has room for the steps of src and n more. */
static void build_flat(struct profile *dst, const struct profile *src,
		       struct profile_change *change, size_t n, void *scratch)
{
	int64_t *time = dst->time;
	int32_t *free = dst->free;
	/* so far behind that the new steps never reach what is still to be read */
	int32_t *at_step = free + n;
	size_t i, k;
	int32_t sum = 0;

	memset(at_step, 0, src->steps * sizeof(*at_step));
	size_t others = note_changes(src, change, n, at_step, &i);
	const struct profile_change *next = sort_changes(change, others, scratch);
	const struct profile_change *end = next + others;

	/* what lies before all changes stays */
	memcpy(time, src->time, i * sizeof(*time));
	memcpy(free, src->free, i * sizeof(*free));
	k = i;

	for (;; next++) {
		int64_t t = next < end ? next->time : PACT_FOREVER;

		for (; i < src->steps && src->time[i] < t; i++) {
			sum += at_step[i];
			time[k] = src->time[i];
			free[k] = src->free[i] + sum;
			k += k == 0 || free[k] != free[k - 1];
		}
		if (next == end)
			break;
		sum += next->delta;
		time[k] = t;
		free[k++] = src->free[i - 1] + sum;
	}
	dst->steps = k;
}

int profile_build(struct profile *dst, const struct profile *src, struct profile_change *change,
		  size_t n, void *scratch)
{
	int64_t origin = origin_of(src);
	struct builder b = { .dst = dst };

	if (make_empty(dst, src->steps + n))
		return -1;
	memcpy(dst->floor, src->floor, sizeof(dst->floor));
	n = sum_changes(change, n, scratch);
	if (dst->flat && src->flat) {
		build_flat(dst, src, change, n, scratch);
		return 0;
	}
	b.change = sort_changes(change, n, scratch);
	b.n = n;
	while (b.next < n && b.change[b.next].time < origin)
		b.sum += b.change[b.next++].delta;
	for (size_t i = 0; src->flat && i < src->steps; i++)
		push_step(&b, src->time[i], src->free[i]);
	if (!src->flat)
		walk(&b, src, src->height, src->root, 0);
	push_changes(&b, PACT_FOREVER);
	if (!dst->flat)
		raise_all(dst);
	return 0;
}

int profile_set(struct profile *dst, const struct profile *like, const struct profile_step *step,
		size_t n)
{
	struct builder b = { .dst = dst };

	if (make_empty(dst, n))
		return -1;
	if (dst != like)
		memcpy(dst->floor, like->floor, sizeof(dst->floor));
	for (size_t i = 0; i < n; i++)
		push(&b, step[i].time, step[i].free);
	if (!dst->flat)
		raise_all(dst);
	return 0;
}

static size_t list_under(const struct profile *p, unsigned level, uint32_t id,
			 struct profile_step *step)
{
	size_t n = 0;

	if (level == 0) {
		const struct leaf *leaf = leaf_at(p, id);

		for (; n < leaf->count; n++)
			step[n] = (struct profile_step){ leaf->time[n], leaf->free[n] };
		return n;
	}
	struct inner *in = inner_at(p, id);

	for (uint32_t c = 0; c < in->count; c++)
		n += list_under(p, level - 1, profile_enter(p, level, in, c), step + n);
	return n;
}

void profile_list(const struct profile *p, struct profile_step *step)
{
	if (!p->flat)
		list_under(p, p->height, p->root, step);
	for (size_t i = 0; p->flat && i < p->steps; i++)
		step[i] = (struct profile_step){ p->time[i], p->free[i] };
}

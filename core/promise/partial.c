/* SPDX-License-Identifier: GPL-2.0-or-later */
/* partial: see partial.h. The order of starts is needed only after a violation, so it is made only then. */
#include "core/promise/partial.h"

#include <string.h>

/* The profile of position ts: without the jobs of the list. */
static int open_position(struct attempt *a)
{
	struct planner *s = a->s;
	struct trial *d = a->trial;

	if (a->ts && a->list_n) {
		for (size_t i = 0; i < a->list_n; i++)
			d->places[i] = &a->list[i]->place;
		return plan_build(d->plan, s->plan, d->places, a->list_n, +1);
	}
	return a->ts ? plan_copy(d->plan, s->plan) : attempt_empty(s, d);
}

/* Take the jobs of the list from all waiting ones in the heuristic's order: no sorting per position. */
static size_t pick_sorted(const struct attempt *a, struct job **out)
{
	const uint32_t *rank = a->s->rank;
	size_t n = 0;

	for (size_t i = 0; i < a->ts + a->list_n; i++) {
		out[n] = a->sorted[i];
		n += rank[i] >= a->ts && (!a->promised_only || out[n]->promised);
	}
	return n;
}

/* The list in the order of step A2; later positions put the new jobs first (doc/papers.md). */
static size_t fill_list(struct attempt *a, struct job **todo)
{
	struct planner *s = a->s;
	size_t n = a->fresh_n + a->list_n;

	if (a->fresh_n) /* a repair has none */
		memcpy(todo, a->fresh, a->fresh_n * sizeof(*todo));
	if (a->sorted)
		n = a->fresh_n + pick_sorted(a, todo + a->fresh_n);
	else if (a->list_n)
		memcpy(todo + a->fresh_n, a->list, a->list_n * sizeof(*todo));
	for (size_t i = a->fresh_n; !a->fresh_first && i-- > 0;)
		order_sink(todo + i, n - i, s->config.order, s->now);
	return n;
}

/* A job of the list, or one that has left the schedule, is to be placed. */
static void join(const struct attempt *a, struct partial *w, const struct job *j)
{
	size_t i = a->s->urgency[j->slot];

	if (i == 0) {
		w->new_left[j->rank / 64] |= UINT64_C(1) << j->rank % 64;
		w->new_n++;
		return;
	}
	i--;
	w->left[i / 64] |= UINT64_C(1) << i % 64;
	if (i / 64 < w->word)
		w->word = i / 64;
}

/* The number of the first bit at or behind `word`, which is moved there; there is one, or `words` are over. */
static size_t first_left(const uint64_t *bits, size_t words, size_t *word)
{
	while (*word < words && !bits[*word])
		++*word;
	return *word < words ? *word * 64 + (size_t)__builtin_ctzll(bits[*word]) : SIZE_MAX;
}

/* The first of what is left in the heuristic's order; there is one. */
static struct job *leave(struct attempt *a, struct partial *w)
{
	size_t i = first_left(w->left, w->words, &w->word);

	if (w->new_n) {
		size_t word = 0, k = first_left(w->new_left, (a->fresh_n + 63) / 64, &word);

		if (i == SIZE_MAX ||
		    order_precedes(a->fresh[k], a->sorted[i], a->s->config.order, a->s->now)) {
			w->new_left[k / 64] &= ~(UINT64_C(1) << k % 64);
			w->new_n--;
			return a->fresh[k];
		}
	}
	w->left[i / 64] &= ~(UINT64_C(1) << i % 64);
	if (w->left[i / 64])
		__builtin_prefetch(
			a->sorted[i / 64 * 64 + (size_t)__builtin_ctzll(w->left[i / 64])]);
	return a->sorted[i];
}

struct job *partial_next(struct attempt *a, struct partial *w)
{
	struct job *j = w->critical;

	w->critical = NULL;
	if (!w->sorted) {
		if (w->head + 1 < w->n)
			__builtin_prefetch(w->todo[w->head + 1]);
		return w->todo[w->head++];
	}
	w->head++;
	return j ? j : leave(a, w);
}

/* The first violation: from now on as told above. */
static void sort_work(struct attempt *a, struct partial *w)
{
	size_t words = (a->ts + a->list_n + 63) / 64;

	w->sorted = true;
	w->left = a->trial->left;
	w->words = w->word = words;
	w->new_left = w->left + words;
	memset(w->left, 0, (words + (a->fresh_n + 63) / 64) * sizeof(*w->left));
	for (size_t i = w->head; i < w->n; i++)
		join(a, w, w->todo[i]);
	w->prefix = w->todo;
	w->prefix_n = a->ts;
	if (a->ts)
		memcpy(w->prefix, a->prefix, a->ts * sizeof(*w->prefix));
	w->slot = a->trial->items;
	w->slot_n = 0;
}

/* What was placed since the last violation goes to the slots. */
static void fill_slots(const struct trial *d, struct partial *w)
{
	struct order_item *new = w->slot + w->slot_n;

	for (size_t i = 0; i < w->placed_n; i++) {
		struct job *j = w->placed[i];

		new[i] = (struct order_item){ trial_at(d, j)->start, j->submit, j->id, j };
	}
	order_merge(w->slot, w->slot_n, w->placed_n);
	w->slot_n += w->placed_n;
	w->placed_n = 0;
}

/* How many of the prefix, which is in order, start before k. */
static size_t rank_in_prefix(const struct partial *w, const struct order_item *k)
{
	size_t low = 0, high = w->prefix_n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct job *j = w->prefix[mid];

		if (order_item_before(
			    &(struct order_item){ j->place.start, j->submit, j->id, NULL }, k))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* And how many of the slots. */
static size_t rank_in_slots(const struct partial *w, const struct order_item *k)
{
	size_t low = 0, high = w->slot_n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (order_item_before(&w->slot[mid], k))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/*
 * The last `n` of the schedule's first in_prefix and in_slots jobs leave it for v, in order of start.
 * The prefix and the slots are without them then.
 */
static void take_last(struct partial *w, size_t in_prefix, size_t in_slots, size_t n,
		      struct job **v)
{
	size_t p = in_prefix, q = in_slots;

	while (n > 0) {
		const struct job *j = p ? w->prefix[p - 1] : NULL;

		if (j && (!q || order_item_before(&w->slot[q - 1],
						  &(struct order_item){ j->place.start, j->submit,
									j->id, NULL })))
			v[--n] = w->prefix[--p];
		else
			v[--n] = w->slot[--q].job;
	}
	memmove(w->prefix + p, w->prefix + in_prefix,
		(w->prefix_n - in_prefix) * sizeof(*w->prefix));
	memmove(w->slot + q, w->slot + in_slots, (w->slot_n - in_slots) * sizeof(*w->slot));
	w->prefix_n -= in_prefix - p;
	w->slot_n -= in_slots - q;
}

/* More than so many leave in one sweep over the plan. */
#define SWEEP 16

/* Jobs leave the partial schedule and will be placed again. */
static int pull_out(struct attempt *a, struct partial *w, struct job **v, size_t n)
{
	struct trial *d = a->trial;

	if (n > SWEEP) {
		struct plan *from = d->plan;

		for (size_t i = 0; i < n; i++)
			d->places[i] = trial_where(d, v[i]);
		if (plan_build(d->spare, from, d->places, n, +1) < 0)
			return -1;
		d->plan = d->spare;
		d->spare = from;
	}
	for (size_t i = 0; i < n; i++) {
		if (n <= SWEEP && plan_take(d->plan, trial_where(d, v[i])) < 0)
			return -1;
		placement_clear(trial_at(d, v[i]));
		trial_touch(d, v[i]);
		join(a, w, v[i]);
	}
	return 0;
}

int partial_push_back(struct attempt *a, struct partial *w, struct job *critical)
{
	struct placement *at = trial_at(a->trial, critical);
	struct order_item k = { at->start, critical->submit, critical->id, critical };
	size_t left = w->n - w->head;

	placement_clear(at);
	if (!w->sorted)
		sort_work(a, w);
	fill_slots(a->trial, w);
	size_t in_prefix = rank_in_prefix(w, &k), in_slots = rank_in_slots(w, &k);
	size_t t = in_prefix + in_slots, mid = (a->ts + t) / 2;

	/* nothing is left between: it is the first, or it stands in a gap before the attempt's jobs */
	if (mid >= t)
		return 0;
	take_last(w, in_prefix, in_slots, t - mid, w->placed);
	if (pull_out(a, w, w->placed, t - mid) < 0)
		return -1;
	w->critical = critical;
	w->head = 0;
	w->n = 1 + (t - mid) + left;
	return 1;
}

int partial_open(struct attempt *a, struct partial *w)
{
	*w = (struct partial){ .todo = a->trial->todo, .placed = a->trial->placed };
	if (open_position(a) < 0)
		return -1;
	w->n = fill_list(a, w->todo);
	return 0;
}

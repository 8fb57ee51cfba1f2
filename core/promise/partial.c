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

/* The list of step A2; later positions put the new jobs first (doc/papers.md). */
static void fill_list(struct attempt *a, struct partial *w)
{
	struct listed *l = &w->old;

	l->row = a->sorted ? a->sorted : a->list;
	l->n = a->sorted ? a->ts + a->list_n : a->list_n;
	l->on = a->trial->listed;
	for (size_t i = 0; i < l->n; i++) {
		l->on[i] = !a->sorted ||
			   (l->row[i]->rank >= a->ts && (!a->promised_only || l->row[i]->promised));
		w->left += l->on[i];
	}
	w->fresh = (struct listed){ .row = a->fresh, .on = l->on + l->n, .n = a->fresh_n };
	for (size_t i = 0; i < a->fresh_n; i++)
		w->fresh.on[i] = true;
	w->left += a->fresh_n;
	w->fresh_first = a->fresh_first;
}

/* Is any of the row on the list? Then row[first] is. */
static bool seek(struct listed *l)
{
	while (l->first < l->n && !l->on[l->first])
		l->first++;
	return l->first < l->n;
}

/* It is on the list again. New jobs have no urgency, but ranks. */
static void rejoin(struct partial *w, const struct job *j)
{
	struct listed *l = j->urgency ? &w->old : &w->fresh;
	size_t i = j->urgency ? j->urgency - 1 : j->rank;

	l->on[i] = true;
	l->first = i < l->first ? i : l->first;
	w->left++;
}

/* Both rows have jobs on the list: does the first of the new ones come before the first of the others? */
static bool new_is_next(const struct attempt *a, const struct partial *w)
{
	return w->fresh_first ||
	       order_precedes(w->fresh.row[w->fresh.first], w->old.row[w->old.first],
			      a->s->config.order, a->s->now);
}

struct job *partial_next(struct attempt *a, struct partial *w)
{
	struct job *j = w->critical;

	w->critical = NULL;
	w->left--;
	w->taken++;
	if (j)
		return j;
	bool old = seek(&w->old), fresh = seek(&w->fresh);
	struct listed *l = fresh && (!old || new_is_next(a, w)) ? &w->fresh : &w->old;

	l->on[l->first] = false;
	return l->row[l->first++];
}

/* The first violation: from now on the schedule is kept in order of start. */
static void order_schedule(const struct attempt *a, struct partial *w)
{
	w->ordered = true;
	w->prefix = a->trial->todo;
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

/* How many of the slots start before k. */
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

/* Jobs leave the partial schedule and will be placed again. */
static int pull_out(struct attempt *a, struct partial *w, struct job *const *v, size_t n)
{
	struct trial *d = a->trial;

	for (size_t i = 0; i < n; i++) {
		if (plan_take(d->plan, trial_where(d, v[i])) < 0)
			return -1;
		placement_clear(trial_at(d, v[i]));
		trial_touch(d, v[i]);
		rejoin(w, v[i]);
	}
	return 0;
}

int partial_push_back(struct attempt *a, struct partial *w, struct job *critical)
{
	struct placement *at = trial_at(a->trial, critical);
	struct order_item k = { at->start, critical->submit, critical->id, critical };

	placement_clear(at);
	if (!w->ordered)
		order_schedule(a, w);
	fill_slots(a->trial, w);
	size_t in_prefix = rank_in_prefix(w, &k), in_slots = rank_in_slots(w, &k);
	size_t t = in_prefix + in_slots, mid = (a->ts + t) / 2;

	/* nothing is left between: it is the first, or it stands in a gap before the attempt's jobs */
	if (mid >= t)
		return 0;
	take_last(w, in_prefix, in_slots, t - mid, w->placed);
	if (pull_out(a, w, w->placed, t - mid) < 0)
		return -1;
	w->fresh_first = false;
	w->critical = critical;
	w->left++;
	w->taken = 0;
	return 1;
}

int partial_open(struct attempt *a, struct partial *w)
{
	*w = (struct partial){ .placed = a->trial->placed };
	fill_list(a, w);
	return open_position(a);
}

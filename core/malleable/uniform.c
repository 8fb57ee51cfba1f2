/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uniform: the performance driven strategy (section 3.2.2). Jobs are started first fit, if all have their fewest nodes
 * then. What is left is given out in equal parts: each has as much beyond its fewest as any other, cut at its most, and
 * what cannot be divided goes to the oldest, one each.
 */
#include "core/malleable/allot.h"

/* ---- first fit ---- */

/* So many nodes could be had if all had as few as they can; less than 0: some lack some of their fewest. */
static int64_t find_spare(const struct malleable *s)
{
	int64_t spare = s->idle_n;

	for (size_t i = 0; i < s->running_n; i++) {
		const struct job *j = s->running[i];

		spare += j->stuck ? 0 : allot_surplus(s, j);
	}
	return spare;
}

/* Nodes that it may have, idle or beyond what others need. */
static int64_t find_room(const struct malleable *s, const struct job *j)
{
	int64_t room = allot_can(s, j);

	for (size_t i = 0; i < s->running_n; i++) {
		if (s->running[i] != j)
			room += allot_spare(s, s->running[i], j);
	}
	return room;
}

/* The one that has most beyond what it needs, of nodes that j may have; ties the oldest. NULL: none. */
static struct job *find_richest(const struct malleable *s, const struct job *j)
{
	struct job *best = NULL;
	int32_t most = 0;

	for (size_t i = 0; i < s->running_n; i++) {
		struct job *k = s->running[i];
		int32_t spare = k == j || k->n - k->floor <= most ? 0 : allot_spare(s, k, j);

		if (spare > most) {
			best = k;
			most = spare;
		}
	}
	return best;
}

/* Not just any node will do. */
static bool is_picky(const struct malleable *s, const struct job *j)
{
	return j->picky || s->closings;
}

/* Such nodes are taken at once. False: there are not enough, and none is taken. */
static bool choose(struct malleable *s, struct job *j)
{
	struct job *from;

	for (j->chosen = 0; find_room(s, j) < j->least || !allot_required(s, j, false);
	     j->chosen++) {
		if (j->chosen + 1 >= j->nalt) {
			j->chosen = 0;
			return false;
		}
	}
	allot_required(s, j, true);
	allot_take(s, j, j->least - j->n);
	while (j->n < j->least && (from = find_richest(s, j)))
		allot_pass(s, from, j, 1);
	return true;
}

/* It is to be started, if it fits. `spare` is what is left for that, `ready` when what it has to wait for is there. */
static bool try(struct malleable *s, struct job *j, int64_t ready, int64_t *spare)
{
	if (!job_ready(s, j) || j->least > *spare)
		return false;
	if (is_picky(s, j) && !choose(s, j))
		return false;
	*spare -= j->least;
	job_wait_no_more(s, j);
	running_add(s, j);
	j->floor = j->n;
	j->ready = ready;
	return true;
}

static void first_fit(struct malleable *s, struct job *fresh, bool ended)
{
	int64_t spare = find_spare(s), ready = s->now + notice_longest(s);

	if (!ended) {
		if (fresh && fresh->waits)
			try(s, fresh, ready, &spare);
		return;
	}
	for (size_t i = 0;; i++) {
		i = fit_queue_find(&s->queue, i,
				   spare < INT32_MAX ? (int32_t)spare : INT32_MAX - 1);
		if (i >= s->queue.n)
			return;
		try(s, s->queue.v[i].job, ready, &spare);
	}
}

/* ---- equal parts ---- */

/* It cannot have fewer: its fewest, or more where no other job could have what it would give back. */
static int32_t base_of(const struct malleable *s, const struct job *j)
{
	return j->n - allot_surplus(s, j);
}

/* What it can use beyond that; -1: it is not resized now. */
static int32_t room_of(const struct malleable *s, const struct job *j)
{
	int32_t room = j->most - base_of(s, j);

	if (j->stuck)
		return -1;
	return room > 0 ? room : 0;
}

/* What all get together if each gets at most so much. */
static int64_t sum_at(const struct malleable *s, int32_t level)
{
	int64_t sum = 0;

	for (size_t i = 0; i < s->running_n; i++) {
		int32_t room = room_of(s, s->running[i]);

		sum += room < 0 ? 0 : room < level ? room : level;
	}
	return sum;
}

/* Of what there is beyond that, so much each; *left gets what cannot be divided. */
static int32_t find_level(const struct malleable *s, int64_t *left)
{
	int64_t all = s->idle_n;
	int32_t low = 0, high = 0;

	for (size_t i = 0; i < s->running_n; i++) {
		const struct job *j = s->running[i];

		if (room_of(s, j) < 0)
			continue;
		all += allot_surplus(s, j);
		high = room_of(s, j) > high ? room_of(s, j) : high;
	}
	/* the highest level that there is enough for */
	while (low < high) {
		int32_t mid = high - (high - low) / 2;

		if (sum_at(s, mid) <= all)
			low = mid;
		else
			high = mid - 1;
	}
	*left = all - sum_at(s, low);
	return low;
}

/* How many each is to have. What those that are content with any nodes want and is not idle, in all. */
static int64_t set_targets(struct malleable *s)
{
	int64_t left, wanted = -s->idle_n;
	int32_t level = find_level(s, &left);

	for (size_t i = 0; i < s->running_n; i++) {
		const struct job *j = s->running[i];
		int32_t room = room_of(s, j), target = j->n;

		if (room >= 0)
			target = base_of(s, j) + (room < level ? room : level);
		if (room > level && left > 0) {
			target++;
			left--;
		}
		s->target[i] = target;
		wanted += target > j->n && !is_picky(s, j) ? target - j->n : 0;
	}
	return wanted;
}

/* Nodes that some may not have are for the others, the oldest first. */
static void give_rest(struct malleable *s)
{
	for (size_t i = 0; i < s->running_n && s->idle_n; i++) {
		struct job *j = s->running[i];

		if (room_of(s, j) > 0 && j->n >= j->least)
			allot_take(s, j, j->most - j->n);
	}
}

/* Of those that have more than they are to have, the youngest first, as much as is wanted. */
static void shrink(struct malleable *s, int64_t wanted)
{
	for (size_t i = s->running_n; i-- > 0 && wanted > 0;) {
		struct job *j = s->running[i];
		int32_t over = j->n - s->target[i];

		if (over <= 0)
			continue;
		over = over < wanted ? over : (int32_t)wanted;
		allot_give(s, j, over);
		wanted -= over;
	}
}

/* What is idle; and what others have too much of, if it may not have just any. */
static void grow(struct malleable *s, struct job *j, int32_t target)
{
	allot_take(s, j, target - j->n);
	for (size_t i = s->running_n; is_picky(s, j) && j->n < target && i-- > 0;) {
		struct job *k = s->running[i];
		int32_t n = k->n - s->target[i], want = target - j->n;

		if (k == j || n <= 0)
			continue;
		n = n < want ? n : want;
		want = allot_spare(s, k, j);
		allot_pass(s, k, j, n < want ? n : want);
	}
}

/* Those that are content with any nodes first: so many as they want are idle by now, which others must not take. */
static void grow_all(struct malleable *s, bool picky)
{
	for (size_t i = 0; i < s->running_n; i++) {
		struct job *j = s->running[i];

		if (s->target[i] > j->n && is_picky(s, j) == picky)
			grow(s, j, s->target[i]);
	}
}

static void even_out(struct malleable *s)
{
	shrink(s, set_targets(s));
	grow_all(s, false);
	grow_all(s, true);
	give_rest(s);
}

static void decide(struct malleable *s, struct job *fresh, bool ended)
{
	set_floors(s);
	first_fit(s, fresh, ended);
	even_out(s);
}

const struct malleable_kind malleable_uniform = { .decide = decide };

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pass: the steps of a pass that policies share: its list, starts at once, and starts of kept places. */
#include "core/planning/arrange/arrange.h"

/* ---- starts at once ---- */

bool start_now(struct planner *s, struct job *j)
{
	if (plan_earliest(s->plan, &j->req, s->now, s->now, &j->place) != 0)
		return false;
	if (plan_put(s->plan, &j->place) == 0)
		return true;
	placement_clear(&j->place);
	return false;
}

/* ---- the list ---- */

/* The list becomes the pass's. */
static void list_open(struct planner *s, size_t n)
{
	s->list_n = n;
	s->cursor = 0;
	for (size_t i = 0; i < n; i++)
		s->list[i]->at = i;
}

int list_fill(struct planner *s, enum order_kind kind)
{
	bool sorted = kind == ORDER_FCFS;

	queue_pack(&s->queue);
	if (planner_scratch(s, s->queue.n) < 0)
		return -1;
	for (size_t i = 0; i < s->queue.n; i++) {
		s->list[i] = s->queue.v[i];
		sorted = sorted && (!i || job_arrived_before(s->list[i - 1], s->list[i]));
	}
	if (!sorted)
		order_sort(s->list, s->queue.n, kind, s->now, s->trial.items);
	list_open(s, s->queue.n);
	return 0;
}

/* So few are taken out one by one. */
#define FEW 8

/* 0 or -1: no memory, and the plan is stale or as it was. */
static int take_places(struct planner *s, size_t n)
{
	if (n <= FEW) {
		for (size_t i = 0; i < n; i++) {
			if (plan_take(s->plan, s->trial.places[i]) < 0)
				return -1;
		}
		return 0;
	}
	if (plan_build(s->trial.plan, s->plan, s->trial.places, n, +1) < 0)
		return -1;
	struct plan *p = s->plan;

	s->plan = s->trial.plan;
	s->trial.plan = p;
	holds_mirror(s->holds, s->plan);
	return 0;
}

int list_loosen(struct planner *s, size_t first)
{
	size_t n = 0;

	for (size_t i = first; i < s->list_n; i++) {
		struct job *j = s->list[i];

		if (j && !j->promised && !j->starting && !placement_none(&j->place))
			s->trial.places[n++] = &j->place;
	}
	if (take_places(s, n) < 0)
		return -1;
	for (size_t i = first; i < s->list_n; i++) {
		struct job *j = s->list[i];

		if (j && !j->promised && !j->starting)
			placement_clear(&j->place);
	}
	return 0;
}

/* Is it to be tried in a pass that goes by planned starts? */
static bool is_due(const struct planner *s, const struct job *j)
{
	return !j->unconfirmed && !j->starting && j->req.not_before <= s->now &&
	       (j->place.start <= s->now || j->opaque);
}

/* Opaque jobs are due at any time: if there are some, the whole queue is looked at. */
static int find_due(struct planner *s, size_t *n)
{
	int64_t next;

	if (agenda_rules(s) && !s->queue.opaques)
		return agenda_until(s, s->now, s->list, n, &next);
	*n = 0;
	for (size_t i = 0; i < s->queue.n; i++) {
		if (s->queue.v[i])
			s->list[(*n)++] = s->queue.v[i];
	}
	return 0;
}

int due_begin(struct planner *s)
{
	size_t found, n = 0;

	if (s->loosened && compress(s) < 0)
		return -1;
	if (planner_scratch(s, s->queue.n) < 0 || find_due(s, &found) < 0)
		return -1;
	for (size_t i = 0; i < found; i++) {
		if (is_due(s, s->list[i]))
			s->list[n++] = s->list[i];
	}
	order_by_start(s->list, n, s->trial.items);
	list_open(s, n);
	return 0;
}

/* Opaque jobs are tried at each pass: what their plan says about whole nodes is only the worst case. */
struct job *due_step(struct planner *s)
{
	while (s->cursor < s->list_n) {
		struct job *j = s->list[s->cursor++];

		if (j && is_due(s, j))
			return j;
	}
	return NULL;
}

static int find_later(struct planner *s, struct job *j, bool reserve)
{
	if (!reserve) {
		s->loosened = true; /* it gets a place at the next compression */
		return 0;
	}
	int rc = plan_earliest(s->plan, &j->req, s->now + 1, PACT_FOREVER, &j->place);

	/*
	 * It was refused what is free: it needs something that the plan does not know, and only the end
	 * of a job can bring it. To keep what is free for it would starve those behind it.
	 */
	if (rc == 0 && j->opaque && j->place.start == s->now + 1) {
		int64_t next = holds_next_end(s->holds);

		placement_clear(&j->place);
		j->unreserved = next == PACT_FOREVER;
		if (j->unreserved) {
			s->loosened = true;
			return 0;
		}
		rc = plan_earliest(s->plan, &j->req, next > s->now ? next : s->now + 1,
				   PACT_FOREVER, &j->place);
	}
	return rc < 0 ? -1 : plan_put(s->plan, &j->place);
}

int place_later(struct planner *s, struct job *j, bool reserve)
{
	int rc = find_later(s, j, reserve);

	agenda_move(s, j);
	return rc;
}

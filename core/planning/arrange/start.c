/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * start: where a job that is due may go, and what is set aside until the driver has answered.
 *
 * A job that the planner models takes exactly its planned shares: any nodes of those classes that no
 * hold covers while it runs are as good as any others, so all of them are allowed when it needs one
 * class, and just as many as planned when it needs several. One that has a range may take more of them
 * (`spare`), as many as nothing else is planned on.
 *
 * An opaque job may end up on any of the allowed nodes, in any number. So a node is allowed only if
 * every part of [now, its end) that no hold covers on that node is still free in the plan, which knows
 * the promised jobs and those before this one in order; each such part is set aside at once, so that
 * all allowed nodes together are safe.
 */
#include <stdlib.h>

#include "core/planning/arrange/arrange.h"

#define GAPS 8

static int aside_push(struct planner *s, uint32_t cls, int64_t start, int64_t end)
{
	if (s->start_reserve_n == s->start_reserve_room) {
		size_t room = s->start_reserve_room ? s->start_reserve_room * 2 : 32;
		struct start_reserve *a = realloc(s->start_reserve, room * sizeof(*a));

		if (!a)
			return -1;
		s->start_reserve = a;
		s->start_reserve_room = room;
	}
	s->start_reserve[s->start_reserve_n++] = (struct start_reserve){ cls, start, end };
	return 0;
}

/* Try to set aside the uncovered parts of [now, end) on one node. */
static bool take_node(struct planner *s, uint32_t n, int64_t end)
{
	int64_t gap[GAPS][2];
	uint32_t cls = machine_class_of(s->machine, n);
	struct profile *p = plan_profile(s->plan, cls);
	int gaps = holds_node_gaps(s->holds, n, s->now, end, gap, GAPS);

	if (gaps > GAPS)
		return false;
	for (int i = 0; i < gaps; i++) {
		if (profile_min(p, gap[i][0], gap[i][1]) < 1)
			return false;
	}
	for (int i = 0; i < gaps; i++) {
		if (aside_push(s, cls, gap[i][0], gap[i][1]) < 0)
			return false;
		if (plan_add(s->plan, cls, gap[i][0], gap[i][1], -1) < 0) {
			s->start_reserve_n--;
			return false;
		}
	}
	return true;
}

/*
 * Until when an opaque job needs its nodes. One that is late by no more than its guard allows keeps its
 * planned end, as others do: its place is no longer than that.
 */
static int64_t job_end(const struct planner *s, const struct job *j)
{
	int64_t end = plan_end(s->now, j->req.duration), planned = j->place.end;
	bool late = j->place.start <= s->now && planned > s->now && planned < end;

	return late && end - planned <= s->config.lateness ? planned : end;
}

/*
 * Nodes that are busy now with jobs that may share them come first: they cost the plan least. Then idle
 * ones. Returns how many were allowed.
 */
static uint32_t allow_opaque(struct planner *s, const struct job *j, int64_t end,
			     struct nodeset *allowed)
{
	uint32_t count = 0;

	for (int idle = 0; idle <= 1; idle++) {
		for (uint32_t a = 0; a < j->req.nalt; a++) {
			const struct nodeset *set = j->req.alt[a]->nodes;

			for (uint32_t n = nodeset_next(set, 0); n < nodeset_size(set);
			     n = nodeset_next(set, n + 1)) {
				bool is_idle = holds_node_free(s->holds, n, s->now, s->now + 1);

				if (is_idle != idle || nodeset_test(allowed, n))
					continue;
				if (take_node(s, n, end)) {
					nodeset_set(allowed, n);
					count++;
				}
			}
		}
	}
	return count;
}

/* Nodes of the planned classes that stay uncovered while the job runs. */
static uint32_t allow_planned(struct planner *s, const struct job *j, struct nodeset *allowed)
{
	const struct share *share = placement_shares(&j->place);
	uint32_t count = 0;

	for (uint32_t i = 0; i < j->place.nshare; i++) {
		int32_t left = j->place.nshare == 1 ? INT32_MAX : share[i].n;

		for (uint32_t n = 0; n < machine_nodes(s->machine) && left > 0; n++) {
			if (machine_class_of(s->machine, n) != share[i].cls ||
			    !holds_node_free(s->holds, n, s->now, j->place.end))
				continue;
			nodeset_set(allowed, n);
			count++;
			left--;
		}
	}
	return count;
}

/*
 * Nodes beside its own that a job with a range may have until its end, of those allowed: as many as the plan leaves,
 * which knows the promised jobs and those before this one in order. With nodes of several classes none: those allowed
 * are just its own.
 */
static int32_t spare(const struct planner *s, const struct job *j)
{
	const struct share *share = placement_shares(&j->place);
	int32_t more = j->most - j->req.width, left;

	if (j->opaque || more <= 0 || j->place.nshare != 1)
		return 0;
	left = profile_min(plan_profile(s->plan, share->cls), s->now, j->place.end);
	if (left < 0)
		return 0;
	return left < more ? left : more;
}

bool start_open(struct planner *s, struct job *j, struct sched_action *out)
{
	bool named = holds_named(s->holds) || machine_classes(s->machine) > 1;

	*out = (struct sched_action){ .type = ACT_START,
				      .id = j->id,
				      .alt = j->place.alt,
				      .width = j->req.width,
				      .spare = spare(s, j),
				      .exact = !j->opaque,
				      .limit = j->granted ? j->granted : j->limit,
				      .end = j->opaque ? job_end(s, j) : j->place.end };
	if (j->opaque) {
		/* its own place must not be in its way; the answer gives it another */
		plan_take(s->plan, &j->place);
		placement_clear(&j->place);
		agenda_move(s, j);
	}
	if (s->allowing)
		nodeset_clear(s->allowed);
	s->allowing = named || j->opaque;
	if (s->allowing) {
		uint32_t count = j->opaque ? allow_opaque(s, j, out->end, s->allowed)
					   : allow_planned(s, j, s->allowed);

		if (count < (j->opaque ? 1 : (uint32_t)j->req.width)) {
			start_close(s);
			return false;
		}
		out->allowed = s->allowed;
	}
	j->failed = false;
	j->starting = true;
	s->starting = j;
	s->start_end = out->end;
	return true;
}

int start_apply(struct planner *s, struct plan *p, int sign)
{
	int rc = 0;

	if (s->starting && !s->starting->opaque)
		return plan_apply(p, &s->starting->place, sign);
	for (size_t i = 0; i < s->start_reserve_n; i++) {
		struct start_reserve *a = &s->start_reserve[i];

		rc |= plan_add(p, a->cls, a->start, a->end, sign);
	}
	return rc;
}

void start_close(struct planner *s)
{
	for (size_t i = 0; i < s->start_reserve_n; i++) {
		struct start_reserve *a = &s->start_reserve[i];

		plan_add(s->plan, a->cls, a->start, a->end, +1);
	}
	s->start_reserve_n = 0;
	if (s->starting)
		s->starting->starting = false;
	s->starting = NULL;
}

int start_reopen(struct planner *s)
{
	const struct job *j = s->starting;

	s->start_reserve_n = 0;
	if (!j || !j->opaque)
		return 0;
	int64_t end = s->start_end;

	for (uint32_t n = nodeset_next(s->allowed, 0); n < nodeset_size(s->allowed);
	     n = nodeset_next(s->allowed, n + 1)) {
		int64_t gap[GAPS][2];
		uint32_t cls = machine_class_of(s->machine, n);
		int gaps = holds_node_gaps(s->holds, n, s->now, end, gap, GAPS);

		for (int i = 0; i < gaps && i < GAPS; i++) {
			if (aside_push(s, cls, gap[i][0], gap[i][1]) < 0)
				return -1;
			if (plan_add(s->plan, cls, gap[i][0], gap[i][1], -1) < 0)
				return -1;
		}
	}
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * running: what holds nodes, from its start to its end: jobs that were asked for or started by hand, and blocks; see
 * event.h.
 */
#include "core/planning/event.h"

#include "core/planning/arrange/arrange.h"

/* A change of what is held may leave less than nothing for the plan. */
static void check_room(struct planner *s, int64_t end)
{
	for (uint32_t c = 0; s->policy->keeps && c < plan_classes(s->plan); c++) {
		if (profile_min(plan_profile(s->plan, c), s->now, end) < 0)
			s->tightened = true;
	}
}

static bool fits_machine(const struct planner *s, const struct nodeset *nodes)
{
	return !nodes || nodeset_size(nodes) == machine_nodes(s->machine);
}

/* ---- starts ---- */

/* Until when a job that has just been started holds its nodes in the plan. */
static int64_t hold_end(const struct planner *s, const struct job *j, int64_t start)
{
	int64_t end = plan_end(start, j->req.duration);
	int64_t least = end == PACT_FOREVER ? end : end - s->config.lateness;
	int64_t planned = s->starting == j ? s->start_end : j->place.end;

	if (!s->policy->keeps || planned >= end)
		return end;
	return planned > least ? planned : least; /* the guard absorbs a late start */
}

/* The driver of a job with unknown needs gave no names: the first of the allowed nodes. */
static struct nodeset *first_allowed(struct planner *s, const struct job *j)
{
	struct nodeset *set = nodeset_create(machine_nodes(s->machine));
	int32_t left = j->req.width;

	for (uint32_t n = nodeset_next(s->allowed, 0); set && n < nodeset_size(set) && left > 0;
	     n = nodeset_next(s->allowed, n + 1)) {
		nodeset_set(set, n);
		left--;
	}
	return set;
}

/* Is the job started where the plan has it? Only the time may be another. */
static bool as_planned(const struct planner *s, const struct job *j, const struct sched_event *ev)
{
	if (s->starting != j || j->opaque)
		return false;
	return !ev->nodes || (nodeset_subset(ev->nodes, s->allowed) &&
			      nodeset_count(ev->nodes) == (uint32_t)j->req.width);
}

/* A hold of what the plan has in this place already. NULL: no memory. */
static struct hold *add_planned(struct planner *s, uint64_t id, const struct placement *place)
{
	struct hold *x;

	if (!s->policy->keeps)
		return holds_take_over(s->holds, id, place);
	/* the base plan is another, and has it not */
	holds_mirror(s->holds, NULL);
	x = holds_add(s->holds, id, NULL, place, place->start, place->end, false);
	holds_mirror(s->holds, s->plan);
	return x;
}

/* There was no memory to hear that j runs: it waits where it was planned. */
static void start_unheard(struct planner *s, struct job *j, struct placement *at)
{
	placement_move(&j->place, at);
	s->stale = true;
}

/* A waiting job runs. */
static int job_started(struct planner *s, struct job *j, const struct sched_event *ev)
{
	int64_t start = ev->start && ev->start < s->now ? ev->start : s->now;
	int64_t end = ev->end ? ev->end : hold_end(s, j, start);
	bool asked = s->starting == j, planned = as_planned(s, j, ev);
	struct nodeset *own = NULL;
	struct placement counts;
	bool stays;

	/* the rest of the pass may count on nothing but what it has planned itself */
	if ((!planned || end != j->place.end) && interrupt_pass(s) < 0)
		return PACT_ENOMEM;
	if (!ev->nodes && asked && j->opaque) {
		own = first_allowed(s, j);
		if (!own)
			return PACT_ENOMEM;
	}
	if (!ev->nodes && !own && !j->place.nshare)
		return planner_fail(s, PACT_EINVAL, "started without nodes and without a place",
				    j->id);
	placement_init(&counts);
	if (asked)
		start_close(s);
	/* the hold is what the plan has already: its place becomes the hold's */
	stays = !ev->nodes && !own && !holds_named(s->holds) && j->place.start == start &&
		j->place.end == end && machine_classes(s->machine) == 1 &&
		s->generation == machine_generation(s->machine);
	if (!stays) {
		plan_take(s->plan, &j->place);
		compress_forget(s);
	}
	placement_move(&counts, &j->place);
	struct hold *x = stays ? add_planned(s, j->id, &counts)
			       : holds_add(s->holds, j->id, ev->nodes ? ev->nodes : own, &counts,
					   start, end, false);

	nodeset_destroy(own);
	if (!x) {
		start_unheard(s, j, &counts);
		return PACT_ENOMEM;
	}
	x->submit = j->submit;
	x->deadline = j->deadline;
	x->promised = j->promised;
	x->broken = j->broken;
	counts.end = x->end;
	if (!planned)
		news_room(&s->news, s->now, x->end, -1);
	waiting_forget(s, j, planned ? &counts : NULL);
	placement_clear(&counts);
	job_destroy(s, j);
	report_hold(s, x);
	if (!asked || ev->nodes || ev->end || s->config.guard)
		check_room(s, end);
	return PACT_OK;
}

int running_started(struct planner *s, const struct sched_event *ev)
{
	bool asked = s->starting && s->starting->id == ev->id;
	struct job *j = asked ? s->starting : table_find(s->jobs, ev->id);

	if (ev->start < 0 || !fits_machine(s, ev->nodes))
		return planner_fail(s, PACT_EINVAL, "a start before all time or on unknown nodes",
				    ev->id);
	if (j)
		return job_started(s, j, ev);
	if (holds_find(s->holds, ev->id))
		return planner_fail(s, PACT_EEXIST, "already running", ev->id);
	if (!ev->nodes)
		return planner_fail(s, PACT_EINVAL, "a running job without nodes", ev->id);
	if (interrupt_pass(s) < 0)
		return PACT_ENOMEM;
	if (!holds_add(s->holds, ev->id, ev->nodes, NULL, ev->start < s->now ? ev->start : s->now,
		       ev->end ? ev->end : PACT_FOREVER, false))
		return PACT_ENOMEM;
	news_room(&s->news, s->now, PACT_FOREVER, -1);
	check_room(s, ev->end ? ev->end : PACT_FOREVER);
	s->dirty = true;
	return PACT_OK;
}

void start_failed(struct planner *s, struct job *j, bool reserve)
{
	if (s->starting == j)
		start_close(s);
	shorten_undo(j);
	compress_forget(s);
	j->failed = true;
	if (j->promised) {
		/* it keeps its place and is tried again; if that lost its nodes meanwhile (remap.c), it gets another */
		s->tightened |= !j->place.nshare;
		return;
	}
	plan_take(s->plan, &j->place);
	placement_clear(&j->place);
	agenda_move(s, j);
	if (s->policy->failed && s->policy->failed(s, j, reserve) < 0)
		s->stale = true;
}

int running_start_failed(struct planner *s, const struct sched_event *ev)
{
	struct job *j = table_find(s->jobs, ev->id);

	if (!j)
		return planner_fail(s, PACT_ENOENT, "no such waiting job", ev->id);
	if (s->starting != j)
		return planner_fail(s, PACT_EPROTO, "a failed start that was not asked for",
				    ev->id);
	start_failed(s, j, ev->reserve);
	return PACT_OK;
}

/* ---- ends and blocks ---- */

int running_end_changed(struct planner *s, const struct sched_event *ev)
{
	struct hold *x = holds_find(s->holds, ev->id);

	if (!x)
		return planner_fail(s, PACT_ENOENT, "nothing held", ev->id);
	if (ev->end < x->end)
		s->loosened = true;
	x->prolonged = 0;
	news_room(&s->news, s->now, ev->end > x->end ? ev->end : x->end, ev->end > x->end ? -1 : 1);
	holds_set_end(s->holds, x, ev->end);
	report_hold(s, x);
	check_room(s, ev->end);
	s->dirty = true;
	return PACT_OK;
}

/* It holds other nodes from now on, as long as before. */
int running_resized(struct planner *s, const struct sched_event *ev)
{
	struct hold *x = holds_find(s->holds, ev->id);

	if (!x || x->region)
		return planner_fail(s, PACT_ENOENT, "no such job runs, nor is it lost from now on",
				    ev->id);
	if (!ev->nodes || !fits_machine(s, ev->nodes) || nodeset_empty(ev->nodes))
		return planner_fail(s, PACT_EINVAL, "resized to no known nodes", ev->id);
	if (holds_set_nodes(s->holds, x, ev->nodes) < 0)
		return PACT_ENOMEM;
	news_room(&s->news, s->now, x->end, 0);
	check_room(s, x->end);
	s->loosened = s->dirty = true;
	return PACT_OK;
}

int running_finish(struct planner *s, const struct sched_event *ev)
{
	struct hold *x = holds_find(s->holds, ev->id);
	struct region *region;

	if (!x)
		return planner_fail(s, PACT_ENOENT, "nothing held", ev->id);
	compress_ended(s, x->end);
	news_room(&s->news, s->now, x->end, 1);
	region = x->region;
	holds_remove(s->holds, x);
	region_put(s->machine, region);
	s->dirty = true;
	return PACT_OK;
}

int running_block(struct planner *s, const struct sched_event *ev)
{
	struct region *region = NULL;

	if (holds_find(s->holds, ev->id) || table_find(s->jobs, ev->id))
		return planner_fail(s, PACT_EEXIST, "id already known", ev->id);
	if (!ev->nodes || ev->end <= ev->start || !fits_machine(s, ev->nodes))
		return planner_fail(s, PACT_EINVAL, "a block without known nodes or without length",
				    ev->id);
	/*
	 * What is taken from now on leaves the other nodes of a class alike. What is taken only later
	 * does not: a job that runs into it must not sit on just these nodes.
	 */
	if (ev->start > s->now) {
		region = machine_region(s->machine, ev->nodes);
		if (!region)
			return PACT_ENOMEM;
		if (repair(s) < 0) {
			region_put(s->machine, region);
			return PACT_ENOMEM;
		}
	}
	struct hold *x = holds_add(s->holds, ev->id, ev->nodes, NULL, ev->start, ev->end, true);

	if (!x) {
		region_put(s->machine, region);
		return PACT_ENOMEM;
	}
	x->region = region;
	news_room(&s->news, ev->start, ev->end, -1);
	check_room(s, ev->end);
	s->dirty = true;
	return PACT_OK;
}

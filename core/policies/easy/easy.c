/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * easy: EASY backfilling (doc/papers.md, "EASY and conservative"). From the head of the queue jobs
 * start while they fit. The first that does not gets the only reservation of the pass: its shadow
 * time is its earliest start by the running jobs' estimates. A job behind it may start now if that
 * does not move the reservation: it ends by the shadow time, or it fits into the extra nodes, which
 * it then uses up. In terms of a profile that holds the reservation: it fits now for its whole
 * duration.
 *
 * Where all nodes are alike and nothing is known that takes nodes later, free nodes never become fewer as
 * time goes on, and the rule is what it says: three numbers decide, the nodes free now, the shadow time
 * and the extra nodes. A backfill index (backfill_index.h) then finds the next job that passes in
 * O(log n), and what it starts is what the walk over the whole queue would: the first way is for speed
 * alone.
 */
#include "core/policies/policies.h"
#include "core/policies/easy/backfill_index.h"
#include "core/planning/planner.h"

/* ---- along the index ---- */

/* Wants any nodes, of those that all are, as soon as there are enough. */
static bool is_plain(const struct planner *s, const struct job *j)
{
	return j->req.nalt == 1 && j->req.alt[0]->count == machine_nodes(s->machine) &&
	       !j->req.required && !j->req.not_before && !j->opaque;
}

static bool all_alike(const struct planner *s)
{
	return !s->odd && plan_classes(s->plan) == 1 && holds_only_end(s->holds, s->now) &&
	       s->generation == machine_generation(s->machine);
}

/*
 * The head's shadow time, for ever if it can never start, and the extra nodes. It stays as long as the pass
 * and the head do; they become fewer by those that start and end later.
 */
static void find_shadow(struct planner *s)
{
	const struct request *r = &s->head->req;

	s->shadow =
		r->width > machine_class_size(s->machine, 0)
			? PACT_FOREVER
			: profile_earliest(plan_profile(s->plan, 0), s->now, r->duration, r->width);
	s->shadowed = s->head;
	s->extra = s->shadow == PACT_FOREVER
			   ? 0
			   : profile_at(plan_profile(s->plan, 0), s->shadow) - r->width;
}

/* What may start now without moving the head's reservation; the head is the first if there is none. */
static struct backfill_gap gap_now(struct planner *s, int32_t free)
{
	struct backfill_gap gap = { .width = free, .span = PACT_FOREVER };

	if (!s->head)
		return gap;
	if (s->shadowed != s->head || s->shadow < s->now)
		find_shadow(s);
	if (s->shadow == PACT_FOREVER)
		return gap;
	gap.span = s->shadow - s->now;
	gap.extra = s->extra;
	return gap;
}

static bool place_now(struct planner *s, struct job *j)
{
	j->place = (struct placement){ .start = s->now,
				       .end = plan_end(s->now, j->req.duration),
				       .nshare = 1,
				       .u.one = { .cls = 0, .n = j->req.width } };
	if (plan_put(s->plan, &j->place) == 0)
		return true;
	placement_init(&j->place);
	return false;
}

static struct job *index_step(struct planner *s)
{
	int32_t free = profile_at(plan_profile(s->plan, 0), s->now);
	struct backfill_gap gap = { .width = free, .span = PACT_FOREVER };
	struct job *j;

	while (free > 0) {
		/* no shadow is looked for before there is one narrow enough to be asked */
		bool known = s->head && s->shadowed == s->head;

		if (known)
			gap = gap_now(s, free);
		j = s->head ? backfill_next(s->backfill, &s->cursor, &gap)
			    : backfill_any(s->backfill, &s->cursor);
		if (j && s->head && !known) {
			gap = gap_now(s, free);
			j = backfill_next(s->backfill, &s->cursor, &gap);
		}
		if (!j)
			break;
		s->cursor++;
		if (j->req.width > free)
			s->head = j; /* only the first is asked without regard to its width */
		else if (place_now(s, j))
			return j;
	}
	s->only_new = !s->dirty && !s->missed; /* who was kept from starting is tried again */
	s->stood = backfill_length(s->backfill);
	s->tested = SIZE_MAX; /* none of the queue, for a pass that walks that */
	return NULL;
}

static int easy_joined(struct planner *s, struct job *j)
{
	if (backfill_join(s->backfill, j) < 0)
		return -1;
	s->odd += !is_plain(s, j);
	return 0;
}

static int easy_failed(struct planner *s, struct job *j, bool reserve)
{
	(void)j;
	(void)reserve;
	s->missed = true;
	return 0;
}

/* Something else gave or took nodes: shadow time and extra nodes have to be looked for again. */
static void easy_room(struct planner *s, int64_t from, int64_t until, int sign)
{
	(void)from;
	(void)until;
	(void)sign;
	s->shadowed = NULL;
}

static void easy_left(struct planner *s, struct job *j, const struct placement *as)
{
	backfill_leave(s->backfill, j);
	if (s->shadowed == j || !as)
		s->shadowed = NULL;
	else if (s->shadowed && as->end > s->shadow)
		s->extra -= j->req.width;
	s->odd -= !is_plain(s, j);
}

/* Its place among those of its second may be another. */
static void easy_rekeyed(struct planner *s)
{
	backfill_unsort(s->backfill);
	s->only_new = false;
}

/* ---- over the queue ---- */

/* Take the reservation out of the plan again: it is remade at each pass. */
static void forget_shadow(struct planner *s)
{
	if (s->reserved) {
		plan_take(s->plan, &s->reserved->place);
		placement_clear(&s->reserved->place);
	}
	s->reserved = NULL;
}

/*
 * Since the last pass there came nothing but submissions: the jobs that it could not start cannot start
 * now either. Nothing was freed, the head's shadow time is what it was, and they would end later.
 */
static bool only_new_jobs(const struct planner *s)
{
	return s->only_new && !s->queue.holes && !s->queue.begins && s->tested <= s->queue.n &&
	       s->config.mode != SCHED_MODE_SLURM;
}

/*
 * The same for a pass along the index, which goes on behind those that stood there when the last one was
 * over, with its head and shadow time. Time alone frees nothing before a hold's end has come.
 */
static bool only_new_in_index(const struct planner *s, bool rearranged)
{
	return s->only_new && s->indexed && !rearranged && all_alike(s) &&
	       holds_next_end(s->holds) > s->now;
}

static int easy_begin(struct planner *s)
{
	int rc;

	backfill_rank(s->backfill, s->config.mode == SCHED_MODE_SLURM);
	rc = backfill_arrange(s->backfill);
	forget_shadow(s);
	/* Also when the pass walks the queue: the gaps of those that left would grow for ever. */
	if (rc < 0)
		return -1;
	if (only_new_in_index(s, rc > 0)) {
		s->cursor = s->stood;
		return 0;
	}
	s->shadowed = NULL;
	s->indexed = all_alike(s);
	if (s->indexed) {
		s->head = NULL;
		s->only_new = s->missed = false;
		s->cursor = s->list_n = 0;
		return 0;
	}
	if (only_new_jobs(s))
		return list_tail(s, s->tested);
	s->head = NULL;
	return list_fill(s, s->config.mode == SCHED_MODE_SLURM ? ORDER_PRIORITY : ORDER_FCFS);
}

/* The first job that cannot start: its shadow time and nodes are kept free from now on. */
static void make_shadow(struct planner *s, struct job *j)
{
	if (plan_earliest(s->plan, &j->req, s->now, PACT_FOREVER, &j->place) != 0)
		return;
	if (plan_put(s->plan, &j->place) == 0)
		s->reserved = j;
	else
		placement_clear(&j->place);
}

/* Nodes that are free now, in all classes; a wider job cannot start. */
static int64_t free_now(const struct planner *s)
{
	int64_t free = 0;

	for (uint32_t c = 0; c < plan_classes(s->plan); c++) {
		int32_t n = profile_at(plan_profile(s->plan, c), s->now);

		free += n > 0 ? n : 0;
	}
	return free;
}

/*
 * s->head is the first that could not start. Its shadow is made when there is a job behind it that is
 * narrow enough to be asked whether it moves that.
 */
static struct job *queue_step(struct planner *s)
{
	int64_t free = free_now(s);

	for (; free > 0 && s->cursor < s->list_n; s->cursor++) {
		struct job *j = s->list[s->cursor];

		/* a job whose begin time has not come is in nobody's way */
		if (!j || j->req.not_before > s->now)
			continue;
		if (j->req.width <= free) {
			if (s->head && !s->reserved)
				make_shadow(s, s->head);
			if (start_now(s, j)) {
				s->cursor++;
				return j;
			}
		}
		if (!s->head)
			s->head = j;
	}
	return NULL;
}

static struct job *easy_step(struct planner *s)
{
	struct job *j;

	if (s->indexed && all_alike(s))
		return index_step(s);
	if (s->indexed) {
		s->dirty = true; /* it no longer is, in the middle of the pass: begin another */
		return NULL;
	}
	j = queue_step(s);
	if (j)
		return j;
	forget_shadow(s);
	queue_pack(&s->queue);
	s->tested = s->queue.n;
	s->only_new = !s->dirty;
	return NULL;
}

const struct plan_policy policy_easy = {
	.name = "easy",
	.create = fcfs_create,
	.destroy = fcfs_destroy,
	.joined = easy_joined,
	.left = easy_left,
	.room = easy_room,
	.rekeyed = easy_rekeyed,
	.begin = easy_begin,
	.step = easy_step,
	.failed = easy_failed,
};

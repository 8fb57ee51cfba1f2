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
#include "core/planning/arrange/arrange.h"
#include "core/planning/state/backfill_index.h"
#include "core/policies/policies.h"

/* What is kept from pass to pass. */
struct easy {
	struct backfill_index *index;
	size_t odd;		    /* so many waiting jobs are not for the index */
	bool indexed;		    /* this pass goes along the index */
	int64_t shadow;		    /* the shadow time of that pass */
	int32_t extra;		    /* the extra nodes at the shadow time */
	const struct job *shadowed; /* the head whose shadow time it is; NULL: none is known yet */
	struct job *head;	    /* the first that this pass could not start */
	struct job *reserved;	    /* the same, once it has this pass's reservation */
	uint64_t rooms, keys;	    /* the news that the members above know */
};

static int easy_create(struct planner *s)
{
	struct easy *e = calloc(1, sizeof(*e));

	s->own = e;
	if (e)
		e->index = backfill_create();
	return e && e->index ? 0 : -1;
}

static void easy_destroy(void *own)
{
	struct easy *e = own;

	if (e)
		backfill_destroy(e->index);
	free(e);
}

/* Something else gave or took nodes: shadow time and extra nodes have to be looked for again. */
static void hear_rooms(struct planner *s)
{
	struct easy *e = s->own;

	if (e->rooms != s->news.rooms)
		e->shadowed = NULL;
	e->rooms = s->news.rooms;
}

/* ---- along the index ---- */

/* It wants any nodes, of those that all are, as soon as there are enough. */
static bool is_plain(const struct planner *s, const struct job *j)
{
	return j->req.nalt == 1 && j->req.alt[0]->count == machine_nodes(s->machine) &&
	       !j->req.required && !j->req.not_before && !j->opaque;
}

static bool all_alike(const struct planner *s)
{
	const struct easy *e = s->own;
	return !e->odd && plan_classes(s->plan) == 1 && holds_only_end(s->holds, s->now) &&
	       s->generation == machine_generation(s->machine);
}

/*
 * The head's shadow time, for ever if it can never start, and the extra nodes. It stays as long as the pass
 * and the head do; they become fewer by those that start and end later.
 */
static void find_shadow(struct planner *s)
{
	struct easy *e = s->own;
	const struct request *r = &e->head->req;

	e->shadow =
		r->width > machine_class_size(s->machine, 0)
			? PACT_FOREVER
			: profile_earliest(plan_profile(s->plan, 0), s->now, r->duration, r->width);
	e->shadowed = e->head;
	e->extra = e->shadow == PACT_FOREVER
			   ? 0
			   : profile_at(plan_profile(s->plan, 0), e->shadow) - r->width;
}

/* What may start now without moving the head's reservation; the head is the first if there is none. */
static struct backfill_gap gap_now(struct planner *s, int32_t free)
{
	struct easy *e = s->own;
	struct backfill_gap gap = { .width = free, .span = PACT_FOREVER };

	if (!e->head)
		return gap;
	if (e->shadowed != e->head || e->shadow < s->now)
		find_shadow(s);
	if (e->shadow == PACT_FOREVER)
		return gap;
	gap.span = e->shadow - s->now;
	gap.extra = e->extra;
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
	struct easy *e = s->own;
	int32_t free = profile_at(plan_profile(s->plan, 0), s->now);
	struct backfill_gap gap = { .width = free, .span = PACT_FOREVER };
	struct job *j;

	hear_rooms(s);
	while (free > 0) {
		/* no shadow is looked for before there is one narrow enough to be asked */
		bool known = e->head && e->shadowed == e->head;

		if (known)
			gap = gap_now(s, free);
		j = e->head ? backfill_next(e->index, &s->cursor, &gap)
			    : backfill_any(e->index, &s->cursor);
		if (j && e->head && !known) {
			gap = gap_now(s, free);
			j = backfill_next(e->index, &s->cursor, &gap);
		}
		if (!j)
			break;
		s->cursor++;
		if (j->req.width > free)
			e->head = j; /* only the first is asked without regard to its width */
		else if (place_now(s, j))
			return j;
	}
	return NULL;
}

static int easy_joined(struct planner *s, struct job *j)
{
	struct easy *e = s->own;
	if (backfill_join(e->index, j) < 0)
		return -1;
	e->odd += !is_plain(s, j);
	s->own_bytes = backfill_bytes(e->index);
	return 0;
}

static void easy_left(struct planner *s, struct job *j, const struct placement *as)
{
	struct easy *e = s->own;
	hear_rooms(s);
	if (e->reserved == j)
		e->reserved = NULL;
	if (e->head == j)
		e->head = NULL;
	backfill_leave(e->index, j);
	if (e->shadowed == j || !as)
		e->shadowed = NULL;
	else if (e->shadowed && as->end > e->shadow)
		e->extra -= j->req.width;
	e->odd -= !is_plain(s, j);
}

/* ---- over the queue ---- */

/* Take the reservation out of the plan again: it is remade at each pass. */
static void forget_shadow(struct planner *s)
{
	struct easy *e = s->own;
	if (e->reserved) {
		plan_take(s->plan, &e->reserved->place);
		placement_clear(&e->reserved->place);
	}
	e->reserved = NULL;
}

static int easy_begin(struct planner *s)
{
	struct easy *e = s->own;

	hear_rooms(s);
	if (e->keys != s->news.keys)
		backfill_unsort(e->index);
	e->keys = s->news.keys;
	backfill_rank(e->index, s->config.mode == SCHED_MODE_SLURM);
	forget_shadow(s);
	/* Also when the pass walks the queue: the gaps of those that left would grow for ever. */
	if (backfill_arrange(e->index) < 0)
		return -1;
	e->head = NULL;
	e->shadowed = NULL;
	e->indexed = all_alike(s);
	if (e->indexed) {
		s->cursor = s->list_n = 0;
		return 0;
	}
	return list_fill(s, s->config.mode == SCHED_MODE_SLURM ? ORDER_PRIORITY : ORDER_FCFS);
}

/* The first job that cannot start: its shadow time and nodes are kept free from now on. */
static void make_shadow(struct planner *s, struct job *j)
{
	struct easy *e = s->own;
	if (plan_earliest(s->plan, &j->req, s->now, PACT_FOREVER, &j->place) != 0)
		return;
	if (plan_put(s->plan, &j->place) == 0)
		e->reserved = j;
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
 * e->head is the first that could not start. Its shadow is made when there is a job behind it that is
 * narrow enough to be asked whether it moves that.
 */
static struct job *queue_step(struct planner *s)
{
	struct easy *e = s->own;
	int64_t free = free_now(s);

	for (; free > 0 && s->cursor < s->list_n; s->cursor++) {
		struct job *j = s->list[s->cursor];

		/* a job whose begin time has not come is in no other's way */
		if (!j || j->req.not_before > s->now)
			continue;
		if (j->req.width <= free) {
			if (e->head && !e->reserved)
				make_shadow(s, e->head);
			if (start_now(s, j)) {
				s->cursor++;
				return j;
			}
		}
		if (!e->head)
			e->head = j;
	}
	return NULL;
}

static struct job *easy_step(struct planner *s)
{
	struct easy *e = s->own;
	struct job *j;

	if (e->indexed && all_alike(s))
		return index_step(s);
	if (e->indexed) {
		s->dirty = true; /* it no longer is, in the middle of the pass: begin another */
		return NULL;
	}
	j = queue_step(s);
	if (j)
		return j;
	forget_shadow(s);
	return NULL;
}

/* ---- told again ---- */

/* Is there the reservation of a pass that was broken off, and whose is it? */
static int easy_save(const struct planner *s, int64_t *v)
{
	const struct easy *e = s->own;

	v[0] = e->reserved != NULL;
	v[1] = e->reserved ? (int64_t)e->reserved->id : 0;
	return 2;
}

/* Older recordings have four numbers, of which the last is that job's or -1; what the others say is of no use now. */
static int easy_load(struct planner *s, const int64_t *v, uint32_t n)
{
	struct easy *e = s->own;
	bool reserved;

	if (n != 2 && n != 4)
		return 1;
	reserved = n == 4 ? v[3] != -1 : v[0] == 1;
	if (n == 2 && !reserved && (v[0] || v[1]))
		return 1;
	e->keys = s->news.keys;
	e->reserved = reserved ? table_find(s->jobs, (uint64_t)v[n - 1]) : NULL;
	return reserved && !e->reserved;
}

const struct plan_policy policy_easy = {
	.name = "easy",
	.create = easy_create,
	.destroy = easy_destroy,
	.save = easy_save,
	.load = easy_load,
	.joined = easy_joined,
	.left = easy_left,
	.begin = easy_begin,
	.step = easy_step,
};

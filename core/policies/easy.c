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
	bool only_new;		    /* only submissions came since the last pass */
	size_t tested;		    /* so many of the queue the last pass went through */
	size_t stood;		    /* so many places it went through, along the index */
	bool missed;		    /* a job that it tried along the index did not start */
	struct job *head;	    /* the first that this pass could not start */
	struct job *reserved;	    /* the same, once it has this pass's reservation */
	uint64_t rooms, others, keys; /* the news that the members above know */
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

static bool is_only_new(const struct planner *s)
{
	const struct easy *e = s->own;

	return e->only_new && e->others == s->news.others && e->keys == s->news.keys;
}

static void set_only_new(struct planner *s, bool only_new)
{
	struct easy *e = s->own;

	e->only_new = only_new;
	e->others = s->news.others;
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
	set_only_new(s, !s->dirty && !e->missed); /* what was kept from starting is tried again */
	e->stood = backfill_length(e->index);
	e->tested = SIZE_MAX; /* none of the queue, for a pass that walks that */
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

static int easy_failed(struct planner *s, struct job *j, bool reserve)
{
	struct easy *e = s->own;
	(void)j;
	(void)reserve;
	e->missed = true;
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

/*
 * Since the last pass there came nothing but submissions: the jobs that it could not start cannot start
 * now either. Nothing was freed, the head's shadow time is what it was, and they would end later.
 */
static bool only_new_jobs(const struct planner *s)
{
	const struct easy *e = s->own;
	return is_only_new(s) && !s->queue.holes && !s->queue.begins && e->tested <= s->queue.n &&
	       s->config.mode != SCHED_MODE_SLURM;
}

/*
 * The same for a pass along the index, which goes on behind those that stood there when the last one was
 * over, with its head and shadow time. Time alone frees nothing before a hold's end has come.
 */
static bool only_new_in_index(const struct planner *s, bool rearranged)
{
	const struct easy *e = s->own;
	return is_only_new(s) && e->indexed && !rearranged && all_alike(s) &&
	       holds_next_end(s->holds) > s->now;
}

static int easy_begin(struct planner *s)
{
	struct easy *e = s->own;
	bool only_new = is_only_new(s);
	int rc;

	hear_rooms(s);
	if (e->keys != s->news.keys)
		backfill_unsort(e->index);
	e->keys = s->news.keys;
	set_only_new(s, only_new);
	backfill_rank(e->index, s->config.mode == SCHED_MODE_SLURM);
	rc = backfill_arrange(e->index);
	forget_shadow(s);
	/* Also when the pass walks the queue: the gaps of those that left would grow for ever. */
	if (rc < 0)
		return -1;
	if (only_new_in_index(s, rc > 0)) {
		s->cursor = e->stood;
		return 0;
	}
	e->shadowed = NULL;
	e->indexed = all_alike(s);
	if (e->indexed) {
		e->head = NULL;
		e->only_new = e->missed = false;
		s->cursor = s->list_n = 0;
		return 0;
	}
	if (only_new_jobs(s))
		return list_tail(s, e->tested);
	e->head = NULL;
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
	queue_pack(&s->queue);
	e->tested = s->queue.n;
	set_only_new(s, !s->dirty);
	return NULL;
}

/* ---- told again ---- */

#define NO_JOB INT64_C(-1)

/* A job's id, or NO_JOB. */
static int64_t id_of(const struct job *j)
{
	return j ? (int64_t)j->id : NO_JOB;
}

/*
 * The one job that has NO_JOB's number cannot be told. The next pass is then a full one, which needs neither head nor
 * reservation.
 */
static bool can_tell(const struct job *j)
{
	return !j || id_of(j) != NO_JOB;
}

static struct job *find_told(const struct planner *s, int64_t id)
{
	return id == NO_JOB ? NULL : table_find(s->jobs, (uint64_t)id);
}

static int easy_save(const struct planner *s, int64_t *v)
{
	const struct easy *e = s->own;

	v[0] = is_only_new(s) && can_tell(e->head) && can_tell(e->reserved);
	v[1] = (uint32_t)e->tested;
	v[2] = id_of(e->head);
	v[3] = id_of(e->reserved);
	return 4;
}

/* Along the index the first pass is a full one: `indexed` is false. */
static int easy_load(struct planner *s, const int64_t *v, uint32_t n)
{
	struct easy *e = s->own;

	if (n != 4 || v[0] < 0 || v[0] > 1 || v[1] < 0)
		return 1;
	e->head = find_told(s, v[2]);
	e->reserved = find_told(s, v[3]);
	if ((v[2] != NO_JOB && !e->head) || (v[3] != NO_JOB && !e->reserved))
		return 1;
	e->tested = (size_t)v[1];
	e->keys = s->news.keys;
	set_only_new(s, v[0]);
	return 0;
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
	.failed = easy_failed,
};

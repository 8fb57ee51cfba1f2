/* SPDX-License-Identifier: GPL-2.0-or-later */
/* simulate_change: see simulate_change.h. */
#include "sim/run/simulate_change.h"

#include "core/base/nodeset.h"

static int suspend(struct simulation *s, struct work *w, const struct sched_action *a)
{
	if (w->suspended)
		return sim_fail(s, PACT_EPROTO, "suspended, but is already", a->id);
	sim_vacate(s, w);
	w->suspended = true;
	return PACT_OK;
}

static int resume(struct simulation *s, struct work *w, const struct sched_action *a)
{
	if (!w->suspended)
		return sim_fail(s, PACT_EPROTO, "resumed, but is not suspended", a->id);
	if (s->busy ? nodeset_overlap(s->busy, w->nodes) : w->width > s->free)
		return sim_fail(s, PACT_EPROTO, "resumed on nodes that are in use", a->id);
	w->suspended = false;
	sim_occupy(s, w);
	return PACT_OK;
}

/* To other nodes, or another number of them: what it keeps of its own comes first when it is resized. */
static int move(struct simulation *s, struct work *w, const struct sched_action *a, int32_t width,
		const struct nodeset *keep)
{
	struct nodeset *to;

	if (width < 1)
		return sim_fail(s, PACT_EPROTO, "moved, but has no nodes", a->id);
	sim_vacate(s, w);
	if (occupies(w) && width > s->free)
		return sim_fail(s, PACT_EPROTO, "moved to more nodes than are free", a->id);
	if (s->busy) {
		to = sim_choose_nodes(s, &s->w->job[a->id - 1], width, a->allowed, keep,
				      !occupies(w));
		if (!to)
			return sim_fail(s, PACT_EPROTO, "moved, but too few allowed nodes are free",
					a->id);
		nodeset_destroy(w->nodes);
		w->nodes = to;
	}
	w->width = width;
	w->moved = true;
	sim_occupy(s, w);
	return PACT_OK;
}

/* Shares are all that can be changed of one that shares its nodes, and that of no other. */
static int change_shared(struct simulation *s, const struct sched_action *a)
{
	struct sched_event ev = { .type = EV_SHARED, .id = a->id };
	bool shared = s->out[a->id - 1].shared;
	struct nodeset *nodes;
	int err;

	if (!shared || a->type != ACT_SHARE)
		return sim_fail(s, PACT_EPROTO,
				shared ? "shares its nodes, and cannot be moved or suspended"
				       : "has its nodes for itself, and no shares",
				a->id);
	nodes = timeshare_nodes(s->shared, (uint32_t)a->id - 1);
	if (!nodes)
		return sim_fail(s, PACT_ENOMEM, "out of memory", a->id);
	err = sim_set_shares(s, a, nodes);
	nodeset_destroy(nodes);
	return err ? err : sim_feed(s, &ev);
}

/* ---- with notice ---- */

/* What it does about that, and when it leaves; it is told of no other's. */
static int64_t answer_of(struct simulation *s, size_t job)
{
	int64_t after = answers_draw(&s->setup->answers, &s->answers);

	if (s->setup->answer)
		after = s->setup->answer[job];
	return after == ANSWER_NEVER ? PACT_FOREVER : s->now + after;
}

int sim_give_back(struct simulation *s, size_t job)
{
	struct work *w = s->work[job];

	work_advance(w, s->now);
	sim_vacate(s, w);
	notices_leave(w->notices, s->now, w->nodes);
	w->width = (int32_t)nodeset_count(w->nodes);
	w->moved = true;
	sim_occupy(s, w);
	return sim_work_changed(s, job, 0);
}

/* It is asked for these, and has them until it gives them back or the notice is over. */
static int add_notice(struct simulation *s, const struct sched_action *a, struct nodeset *nodes)
{
	struct work *w = s->work[a->id - 1];
	struct sim_notice notice = { .told = s->now,
				     .due = a->end,
				     .gives = answer_of(s, a->id - 1),
				     .left = -1,
				     .nodes = nodes };
	struct sim_notices *added = notices_add(w->notices, &notice);
	int64_t at = notice.gives < notice.due ? notice.gives : notice.due;

	if (!added)
		return sim_fail(s, PACT_ENOMEM, "out of memory", a->id);
	w->notices = added;
	if (at > s->now)
		return ends_add(&s->leaves, (struct end){ at, a->id - 1 })
			       ? sim_fail(s, PACT_ENOMEM, "out of memory", a->id)
			       : PACT_OK;
	return sim_give_back(s, a->id - 1);
}

/* ev becomes the answer. */
static int ask_back(struct simulation *s, struct work *w, const struct sched_action *a,
		    struct sched_event *ev)
{
	struct nodeset *goes = s->kept;
	int32_t had = w->width;
	int err = PACT_OK;

	if (!s->busy || !a->allowed || !nodeset_subset(a->allowed, w->nodes) ||
	    nodeset_count(a->allowed) != (uint32_t)a->width || a->width < 1)
		return sim_fail(s, PACT_EPROTO, "asked with notice for what it has not", a->id);
	notices_keep(w->notices, a->allowed);
	nodeset_copy(goes, w->nodes);
	nodeset_and_not(goes, a->allowed);
	notices_skip(w->notices, goes);
	if (!nodeset_empty(goes))
		err = add_notice(s, a, goes);
	ev->type = EV_LEAVING;
	if (w->width == had && w->width != a->width)
		return err;
	ev->type = EV_RESIZED;
	ev->nodes = w->nodes;
	ev->width = w->width;
	return err;
}

/* What it has of what it was asked for stays its, or was taken at once. */
static void withdraw_notices(struct simulation *s, struct work *w)
{
	if (!w->notices)
		return;
	nodeset_fill(s->kept);
	notices_keep(w->notices, s->kept);
}

int sim_change_job(struct simulation *s, const struct sched_action *a)
{
	struct sched_event ev = { .type = EV_REFUSED, .id = a->id };
	struct work *w;
	int err = PACT_OK;

	if (a->id < 1 || a->id > s->next_submit || s->out[a->id - 1].start < 0)
		return sim_fail(s, PACT_EPROTO, "to be changed, but does not run", a->id);
	if (sim_untold(s, a->id - 1))
		return sim_feed(s, &ev);
	if (s->out[a->id - 1].state != SIM_RUNNING)
		return sim_fail(s, PACT_EPROTO, "to be changed, but has ended", a->id);
	if (s->out[a->id - 1].shared || a->type == ACT_SHARE)
		return change_shared(s, a);
	w = sim_work_of(s, a->id - 1);
	if (!w)
		return sim_fail(s, PACT_ENOMEM, "out of memory", a->id);
	work_advance(w, s->now);
	switch (a->type) {
	case ACT_SUSPEND:
		ev.type = EV_SUSPENDED;
		err = suspend(s, w, a);
		break;
	case ACT_RESUME:
		ev.type = EV_RESUMED;
		err = resume(s, w, a);
		break;
	case ACT_MIGRATE:
		ev.type = EV_MIGRATED;
		err = move(s, w, a, w->width, NULL);
		break;
	default:
		if (a->end > s->now) {
			err = ask_back(s, w, a, &ev);
			return err ? err : sim_feed(s, &ev);
		}
		ev.type = EV_RESIZED;
		err = move(s, w, a, a->width, w->nodes);
		withdraw_notices(s, w);
		break;
	}
	if (!err)
		err = sim_work_changed(s, a->id - 1, a->lost);
	ev.nodes = w->nodes;
	ev.width = w->width;
	return err ? err : sim_feed(s, &ev);
}

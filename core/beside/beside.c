/* SPDX-License-Identifier: GPL-2.0-or-later */
/* beside: two engines as one; see beside.h. Its life, its events and its actions. */
#include "core/beside/beside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/beside/state.h"
#include "core/kernel/held.h"

/* ---- life ---- */

static const void *kind_of(const struct beside_kind *kind, int side)
{
	return side == PLAN ? kind->plan_kind : kind->turns_kind;
}

static void beside_destroy(void *own)
{
	struct beside *s = own;
	struct member *m;

	if (!s)
		return;
	for (int i = 0; i < SIDES; i++) {
		if (s->side[i].own)
			s->side[i].engine->destroy(s->side[i].own);
	}
	for (size_t i = 0; s->members && (m = table_next(s->members, &i));) {
		member_forget_terms(s, m);
		nodeset_destroy(m->told);
		nodeset_destroy(m->at);
		free(m);
	}
	table_destroy(s->members);
	walk_release(&s->walk);
	nodeset_destroy(s->allowed);
	free(s->memory);
	decided_release(&s->decided);
	free(s->waiting);
	nodeset_destroy(s->aside.nodes);
	free(s->aside.node);
	free(s->aside.job);
	free(s->aside.list);
	free(s);
}

static bool make_aside(struct beside *s)
{
	struct aside *a = &s->aside;

	a->node = calloc(s->nodes, sizeof(*a->node));
	a->list = calloc(s->nodes, sizeof(*a->list));
	a->nodes = nodeset_create(s->nodes);
	return a->node && a->list && a->nodes;
}

static bool make_side(struct beside *s, int side, const struct beside_kind *kind, char *why,
		      size_t size)
{
	struct sched_config config = call_config(&s->call, &s->config);
	struct side *x = &s->side[side];

	x->engine = side == PLAN ? kind->plan : kind->turns;
	x->wake = PACT_FOREVER;
	x->own = x->engine->create(kind_of(kind, side), s->nodes, &config, why, size);
	return x->own;
}

static void *beside_create(const void *kind, uint32_t nodes, const struct sched_config *config,
			   char *why, size_t size)
{
	struct beside *s = calloc(1, sizeof(*s));
	bool good = s;

	if (why && size)
		why[0] = '\0';
	if (s) {
		s->config = *config;
		s->call.config = &s->config;
		s->nodes = nodes;
		s->told = true;
		s->turn = SIDES;
		s->members = table_create();
		s->allowed = nodeset_create(nodes);
		s->memory = calloc(nodes, sizeof(*s->memory));
		good = s->members && s->allowed && s->memory && make_aside(s);
	}
	for (int i = 0; good && i < SIDES; i++)
		good = make_side(s, i, kind, why, size);
	if (good)
		return s;
	if (why && size && !why[0])
		snprintf(why, size, "out of memory");
	beside_destroy(s);
	return NULL;
}

static int configure_side(struct beside *s, int side, const struct beside_kind *kind,
			  const struct sched_config *config, char *why, size_t size)
{
	struct sched_config c = call_config(&s->call, config);
	struct side *x = &s->side[side];

	x->touched = true;
	x->wake = PACT_FOREVER;
	s->stale[side] = true;
	return x->engine->configure(x->own, kind_of(kind, side), &c, why, size);
}

/* The turns first: what they refuse, they refuse without an effect. */
static int beside_configure(void *own, const void *kind, const struct sched_config *config,
			    char *why, size_t size)
{
	struct beside *s = own;
	struct sched_config old = s->config;
	int rc;

	s->config = *config;
	s->told = false;
	rc = configure_side(s, TURNS, kind, config, why, size);
	if (rc == PACT_OK)
		rc = configure_side(s, PLAN, kind, config, why, size);
	else
		s->config = old;
	if (rc == PACT_OK || s->config.mode != config->mode)
		return rc;
	s->config = old;
	configure_side(s, TURNS, kind, &old, NULL, 0);
	return rc;
}

/* ---- events ---- */

/* Nodes that are lost, reserved, or with a job that was never submitted: for neither engine to have. */
static int on_hold(struct beside *s, const struct sched_event *ev)
{
	struct sched_event undo = { .type = EV_FINISH, .now = ev->now, .id = ev->id };
	bool lasts = ev->type == EV_STARTED || ev->end > ev->start;
	struct member *m = beside_add(s, ev->id, BIT(TURNS) | (lasts ? BIT(PLAN) : 0));
	char why[sizeof(s->call.error)];
	int rc;

	if (!m)
		return call_fail(&s->call, PACT_ENOMEM, "out of memory", ev->id);
	m->waiting = false;
	m->from = ev->start;
	m->to = ev->end > 0 ? ev->end : PACT_FOREVER;
	m->at = ev->nodes ? nodeset_dup(ev->nodes) : NULL;
	rc = side_event(s, TURNS, ev);
	if (rc == PACT_OK && lasts) {
		rc = side_event(s, PLAN, ev);
		memcpy(why, s->call.error, sizeof(why));
		if (rc != PACT_OK)
			side_event(s, TURNS, &undo);
		memcpy(s->call.error, why, sizeof(why));
	}
	if (rc == PACT_OK)
		aparts_block(s, ev->nodes, m->from, m->to);
	else
		beside_remove(s, m);
	return rc;
}

static int on_started(struct beside *s, const struct sched_event *ev)
{
	struct member *m = beside_find(s, ev->id);
	struct sched_event started = *ev;
	int rc;

	if (!m)
		return on_hold(s, ev);
	/* it was told which ones it has */
	if (!ev->nodes && m->in == BIT(PLAN) && s->starting && s->starting_id == ev->id)
		started.nodes = s->allowed;
	rc = m->terms ? apart_started(s, m, ev) : side_event(s, member_side(m), &started);
	if (rc == PACT_OK) {
		m->waiting = false;
		m->runs = true;
	}
	return rc;
}

static int on_block(struct beside *s, const struct sched_event *ev)
{
	if (beside_find(s, ev->id))
		return call_fail(&s->call, PACT_EEXIST, "id already known", ev->id);
	return on_hold(s, ev);
}

static int on_confirm(struct beside *s, const struct sched_event *ev)
{
	struct member *m = beside_find(s, ev->id);
	int rc;

	if (!m || !m->waiting)
		return call_fail(&s->call, PACT_ENOENT, "no such job to confirm", ev->id);
	rc = held_rename(&s->call, s->members, NULL, ev, m);
	if (rc != PACT_OK)
		return rc;
	rc = beside_untell(s, m);
	if (rc == PACT_OK)
		rc = m->terms ? apart_confirm(s, m, ev->new_id) : side_event(s, member_side(m), ev);
	held_renamed(s->members, ev, rc == PACT_OK);
	if (rc != PACT_OK)
		return rc;
	m->id = ev->new_id;
	return rc;
}

/* It is known no more. */
static int on_end(struct beside *s, const struct sched_event *ev)
{
	struct member *m = beside_find(s, ev->id);
	bool both = m && m->in == (BIT(PLAN) | BIT(TURNS));
	struct sched_event end = *ev;
	int rc;

	if (!m)
		return call_fail(&s->call, PACT_ENOENT, "no such job or hold", ev->id);
	if (m->terms) /* to the plan it runs */
		end.type = EV_FINISH;
	rc = beside_untell(s, m);
	if (rc == PACT_OK)
		rc = side_event(s, member_side(m), &end);
	if (rc == PACT_OK && both)
		rc = side_event(s, PLAN, ev);
	if (rc == PACT_OK)
		beside_remove(s, m);
	return rc;
}

/* What is known of it here. */
static void note(struct member *m, const struct sched_event *ev)
{
	if (ev->type == EV_SUSPENDED || ev->type == EV_RESUMED)
		m->runs = ev->type == EV_RESUMED;
	if (ev->type == EV_END_CHANGED && m->at)
		m->to = ev->end > 0 ? ev->end : PACT_FOREVER;
}

/* To the engine, or to both, that knows the id. */
static int on_member(struct beside *s, const struct sched_event *ev)
{
	struct member *m = beside_find(s, ev->id);
	int rc;

	if (!m)
		return call_fail(&s->call, PACT_ENOENT, "no such job or hold", ev->id);
	if (apart_answer(s, ev, &rc))
		return rc;
	if (m->terms)
		return apart_event(s, m, ev);
	rc = side_event(s, member_side(m), ev);
	/* it has left its nodes */
	m->waiting |= rc == PACT_OK && ev->type == EV_MIGRATED && !ev->nodes;
	if (rc == PACT_OK && ev->type == EV_END_CHANGED && m->in == (BIT(PLAN) | BIT(TURNS)))
		rc = side_event(s, PLAN, ev);
	if (rc == PACT_OK)
		note(m, ev);
	return rc;
}

/* What is promised comes before what takes turns; if nothing is, time is nothing to the plan. */
static int on_time(struct beside *s, const struct sched_event *ev)
{
	int rc = s->promised ? side_event(s, PLAN, ev) : PACT_OK;

	return rc == PACT_OK ? side_event(s, TURNS, ev) : rc;
}

/* The plan knows no memory: a job with a deadline gets only nodes that have enough (submit.c). */
static int on_nodes(struct beside *s, const struct sched_event *ev)
{
	int rc = side_event(s, TURNS, ev);

	if (rc != PACT_OK)
		return rc;
	for (uint32_t n = nodeset_next(ev->nodes, 0); n < s->nodes;
	     n = nodeset_next(ev->nodes, n + 1))
		s->memory[n] = ev->memory;
	s->limited |= ev->memory > 0;
	return rc;
}

static int dispatch(struct beside *s, const struct sched_event *ev)
{
	switch (ev->type) {
	case EV_SUBMIT:
		return beside_submit(s, ev);
	case EV_CHANGE:
		return beside_change(s, ev);
	case EV_CONFIRM:
		return on_confirm(s, ev);
	case EV_STARTED:
		return on_started(s, ev);
	case EV_BLOCK:
		return on_block(s, ev);
	case EV_FINISH:
	case EV_WITHDRAW:
		return on_end(s, ev);
	case EV_NODES:
		return on_nodes(s, ev);
	case EV_TIME:
		return on_time(s, ev);
	case EV_POLICY:
	case EV_PAST:
		return side_event(s, TURNS, ev);
	default:
		return on_member(s, ev);
	}
}

static int beside_event(void *own, const struct sched_event *ev)
{
	struct beside *s = own;
	int rc;

	if (!beside_called(s, ev->now))
		return PACT_EINVAL;
	rc = dispatch(s, ev);
	if (s->starting && s->starting_id == ev->id &&
	    (ev->type == EV_STARTED || ev->type == EV_START_FAILED || ev->type == EV_WITHDRAW))
		s->starting = false;
	return rc;
}

/* ---- actions ---- */

/* One engine's action, as the driver is to hear it. False: it is none for it, and s->call.error says why. */
static bool translate(struct beside *s, int side, struct sched_action *a)
{
	struct side *x = &s->side[side];
	struct member *m =
		a->type == ACT_REFUSE || a->type == ACT_START ? beside_find(s, a->id) : NULL;
	struct sched_view v;

	/* an answer that came late, for lack of memory: it is known nowhere */
	if (a->type == ACT_REFUSE && m && m->in == BIT(side) &&
	    x->engine->view(x->own, a->id, &v) != PACT_OK)
		beside_remove(s, m);
	if (a->type != ACT_START)
		return true;
	if (side == PLAN && sync_start(s, a) != PACT_OK)
		return false;
	s->starting = true;
	s->starting_id = a->id;
	/* what starts in the call that made it known has its artificial deadline by then */
	if (side == TURNS && m && !m->due)
		member_predict(s, m);
	return true;
}

/* The next action of one engine; false: it has none, or s->call.error says why not. */
static bool next_of(struct beside *s, int side, struct sched_action *a)
{
	struct side *x = &s->side[side];

	while (x->engine->next(x->own, a)) {
		s->stale[side] = true;
		if (a->type != ACT_WAKE) {
			s->turn = side;
			return translate(s, side, a);
		}
		x->wake = a->end;
	}
	s->stale[side] = true;
	if (*x->engine->error(x->own))
		side_failed(s, side, PACT_ENOMEM);
	else
		x->touched = false;
	return false;
}

/* What the turns have of the nodes is told to the plan, and it has its say about that, and about the time that it is. */
static bool next_promised(struct beside *s, struct sched_action *a)
{
	struct side *x = &s->side[PLAN];
	bool late = x->touched && x->now < s->now;

	if (s->promised && sync_claims(s, TURNS) != PACT_OK)
		return false;
	if (late &&
	    side_event(s, PLAN, &(struct sched_event){ .type = EV_TIME, .now = s->now }) != PACT_OK)
		return false;
	return x->touched && next_of(s, PLAN, a);
}

/* What is promised is told to the turns, before anything is placed. */
static bool next_in_turn(struct beside *s, struct sched_action *a)
{
	if (s->used && sync_claims(s, PLAN) != PACT_OK)
		return false;
	return s->side[TURNS].touched && next_of(s, TURNS, a);
}

static bool next_wake(struct beside *s, struct sched_action *a)
{
	int64_t at = PACT_FOREVER;

	if (s->told)
		return false;
	s->told = true;
	for (int i = 0; i < SIDES; i++) {
		if (i == TURNS || s->promised)
			at = s->side[i].wake < at ? s->side[i].wake : at;
	}
	at = aparts_wake(s) < at ? aparts_wake(s) : at;
	*a = (struct sched_action){ .type = ACT_WAKE, .end = at };
	return at != PACT_FOREVER;
}

/* Is there anything that one of them has not heard yet of the other? */
static bool goes_on(const struct beside *s)
{
	return s->side[PLAN].touched || s->side[TURNS].touched || (s->promised && s->stale[TURNS]);
}

/*
 * The plan has its say first, then the turns, and again, as long as what one of them has changed makes the other go
 * on: that comes to an end, as the plan moves what is promised only to earlier times for it.
 */
static bool beside_next(void *own, struct sched_action *a)
{
	struct beside *s = own;

	call_begin(&s->call);
	if (decided_take(&s->decided, a))
		return true;
	/* the one whose action was the last comes first: it may not be answered */
	if (s->turn == TURNS && next_in_turn(s, a))
		return true;
	if (apart_next(s, a))
		return true;
	while (!s->call.error[0] && goes_on(s)) {
		if (next_promised(s, a))
			return true;
		if (!s->call.error[0] && next_in_turn(s, a))
			return true;
	}
	if (s->call.error[0])
		return false;
	s->turn = SIDES;
	members_predict(s);
	return next_wake(s, a);
}

static bool beside_poll(void *own, struct sched_action *a)
{
	struct beside *s = own;

	if (decided_take(&s->decided, a))
		return true;
	for (int i = 0; i < SIDES; i++) {
		if (s->side[i].touched && s->side[i].engine->poll(s->side[i].own, a))
			return true;
	}
	return false;
}

/* ---- the rest ---- */

static const char *beside_error(const void *own)
{
	return ((const struct beside *)own)->call.error;
}

static int64_t beside_spent(const void *own)
{
	return ((const struct beside *)own)->call.spent;
}

static size_t beside_bytes(const void *own)
{
	const struct beside *s = own;
	size_t set = s->nodes / 8 + 16;
	size_t bytes =
		sizeof(*s) + table_bytes(s->members) + walk_bytes(&s->walk) + 2 * set +
		s->nodes * (sizeof(*s->memory) + sizeof(*s->aside.node) + sizeof(*s->aside.list));

	bytes += table_count(s->members) * (sizeof(struct member) + 2 * set) +
		 s->apart_n * sizeof(struct terms) + s->aside.room * sizeof(*s->aside.job);
	bytes += decided_bytes(&s->decided) + s->waiting_n * sizeof(*s->waiting);
	for (int i = 0; i < SIDES; i++)
		bytes += s->side[i].engine->bytes(s->side[i].own);
	return bytes;
}

const struct engine engine_beside = {
	.name = "beside",
	.by_number = true,
	.turns = true,
	.create = beside_create,
	.destroy = beside_destroy,
	.configure = beside_configure,
	.event = beside_event,
	.next = beside_next,
	.poll = beside_poll,
	.ask = beside_ask,
	.ask_change = beside_ask_change,
	.view = beside_view,
	.why = beside_why,
	.waiting = beside_waiting,
	.view_waiting = beside_view_waiting,
	.matrix = beside_matrix,
	.matrix_place = beside_matrix_place,
	.lack = beside_lack,
	.save = beside_save,
	.form = beside_form,
	.load = beside_load,
	.error = beside_error,
	.spent = beside_spent,
	.bytes = beside_bytes,
};

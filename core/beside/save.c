/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * save: the state told in records, and taken in again. First `beside`, which is left out when nothing has ever been
 * said, then a `beside_member` for each id, a `beside_apart` for each that is to start where others are set aside, then the records of the two engines, the plan's if it was ever used.
 */
#include <stdlib.h>

#include "core/beside/state.h"

struct told_beside {
	int64_t now, plan_now, plan_wake, turns_now, turns_wake;
	bool told, used, plan_touched, turns_touched, plan_stale, turns_stale;
	struct list64 memory; /* of each node; none: of no node it is counted */
};

struct told_member {
	uint64_t id;
	bool planned, in_turn, waiting;
	int64_t due_least, due;
	const struct nodeset *told;
	int64_t told_start, told_end;
	int64_t memory;
	bool runs;
	const struct nodeset *at;
	int64_t from, to;
};

struct told_apart {
	struct sched_job terms;
	bool failed;
	int64_t failed_at;
};

#define F(type, member, kind) RECORD_FIELD(type, member, FIELD_##kind)

static const struct field beside_fields[] = {
	F(told_beside, now, I64),
	F(told_beside, plan_now, I64),
	F(told_beside, plan_wake, I64),
	F(told_beside, turns_now, I64),
	F(told_beside, turns_wake, I64),
	F(told_beside, told, BOOL),
	F(told_beside, used, BOOL),
	F(told_beside, plan_touched, BOOL),
	F(told_beside, turns_touched, BOOL),
	F(told_beside, plan_stale, BOOL),
	F(told_beside, turns_stale, BOOL),
	F(told_beside, memory, LIST64),
	RECORD_END,
};

static const struct field member_fields[] = {
	F(told_member, id, ID),
	F(told_member, planned, BOOL),
	F(told_member, in_turn, BOOL),
	F(told_member, waiting, BOOL),
	F(told_member, due_least, I64),
	F(told_member, due, I64),
	F(told_member, told, NODES),
	F(told_member, told_start, I64),
	F(told_member, told_end, I64),
	F(told_member, memory, I64),
	F(told_member, runs, BOOL),
	F(told_member, at, NODES),
	F(told_member, from, I64),
	F(told_member, to, I64),
	RECORD_END,
};

static const struct field apart_fields[] = {
	{ "terms", offsetof(struct told_apart, terms), FIELD_OBJECT, NULL, record_job, 0 },
	F(told_apart, failed, BOOL),
	F(told_apart, failed_at, I64),
	RECORD_END,
};

static const struct record_form form_beside = { "beside", sizeof(struct told_beside), beside_fields,
						false };
static const struct record_form form_member = { "beside_member", sizeof(struct told_member),
						member_fields, false };
static const struct record_form form_apart = { "beside_apart", sizeof(struct told_apart),
					       apart_fields, false };

/* ---- telling ---- */

/* Has it just been made? */
static bool is_blank(const struct beside *s)
{
	return !s->now && !s->used && !s->limited && !table_count(s->members) &&
	       !s->side[TURNS].touched;
}

static int save_side(struct beside *s, int side, retell_fn *tell, void *arg)
{
	const struct side *x = &s->side[side];

	if (side == PLAN && !s->used)
		return PACT_OK;
	return x->engine->save(x->own, tell, arg);
}

static void tell_own(const struct beside *s, retell_fn *tell, void *arg)
{
	const struct side *plan = &s->side[PLAN], *turns = &s->side[TURNS];
	const struct member *m;

	tell(arg, &form_beside,
	     &(struct told_beside){ s->now,
				    plan->now,
				    plan->wake,
				    turns->now,
				    turns->wake,
				    s->told,
				    s->used,
				    plan->touched,
				    turns->touched,
				    s->stale[PLAN],
				    s->stale[TURNS],
				    { s->memory, s->limited ? s->nodes : 0 } });
	for (size_t i = 0; (m = table_next(s->members, &i));)
		tell(arg, &form_member,
		     &(struct told_member){ m->id, m->in & BIT(PLAN), m->in & BIT(TURNS),
					    m->waiting, m->due_least, m->due, m->told,
					    m->told_start, m->told_end, m->memory, m->runs, m->at,
					    m->from, m->to });
	for (size_t i = 0; s->apart_n && (m = table_next(s->members, &i));) {
		if (m->terms)
			tell(arg, &form_apart,
			     &(struct told_apart){ m->terms->job, m->failed, m->failed_at });
	}
}

int beside_save(void *own, retell_fn *tell, void *arg)
{
	struct beside *s = own;
	int rc = PACT_OK;

	if (s->starting || s->turn != SIDES || !decided_none(&s->decided))
		return PACT_EPROTO;
	for (int i = 0; rc == PACT_OK && i < SIDES; i++)
		rc = save_side(s, i, NULL, NULL);
	if (rc != PACT_OK || !tell)
		return rc;
	if (!is_blank(s))
		tell_own(s, tell, arg);
	for (int i = 0; rc == PACT_OK && i < SIDES; i++)
		rc = save_side(s, i, tell, arg);
	return rc;
}

/* ---- taking in ---- */

static bool is_time(int64_t t)
{
	return t >= 0 && (t <= PACT_END_OF_TIME || t == PACT_FOREVER);
}

static int load_own(struct beside *s, const struct told_beside *t)
{
	if (!is_time(t->now) || !is_time(t->plan_now) || !is_time(t->turns_now) ||
	    t->plan_wake < 0 || t->turns_wake < 0 || (t->memory.n && t->memory.n != s->nodes))
		return call_retold(&s->call, PACT_EINVAL, "time is none, or memory of other nodes",
				   0);
	s->now = t->now;
	s->told = t->told;
	s->used = t->used;
	s->stale[PLAN] = t->plan_stale;
	s->stale[TURNS] = t->turns_stale;
	s->side[PLAN].touched = t->plan_touched;
	s->side[PLAN].now = t->plan_now;
	s->side[PLAN].wake = t->plan_wake;
	s->side[TURNS].touched = t->turns_touched;
	s->side[TURNS].now = t->turns_now;
	s->side[TURNS].wake = t->turns_wake;
	s->limited = t->memory.n > 0;
	for (uint32_t i = 0; i < t->memory.n; i++)
		s->memory[i] = t->memory.v[i];
	return PACT_OK;
}

static int load_member(struct beside *s, const struct told_member *t)
{
	unsigned in = (t->planned ? BIT(PLAN) : 0) | (t->in_turn ? BIT(TURNS) : 0);
	struct member *m;

	if (!in || (t->told && nodeset_size(t->told) != s->nodes) ||
	    (t->at && nodeset_size(t->at) != s->nodes) || t->due < 0 || t->due_least < 0 ||
	    t->memory < 0 || t->from < 0 || t->to < 0)
		return call_retold(&s->call, PACT_EINVAL, "id in no engine, or malformed", t->id);
	if (beside_find(s, t->id))
		return call_retold(&s->call, PACT_EEXIST, "id is known already", t->id);
	m = beside_add(s, t->id, in);
	if (!m)
		return call_fail(&s->call, PACT_ENOMEM, "out of memory", t->id);
	m->waiting = t->waiting;
	m->due_least = t->due_least;
	m->due = t->due;
	if (!m->due)
		member_unforeseen(s, m);
	m->told_start = t->told_start;
	m->told_end = t->told_end;
	m->memory = t->memory;
	m->runs = t->runs;
	m->from = t->from;
	m->to = t->to;
	m->told = t->told ? nodeset_dup(t->told) : NULL;
	m->at = t->at ? nodeset_dup(t->at) : NULL;
	return (!t->told || m->told) && (!t->at || m->at)
		       ? PACT_OK
		       : call_fail(&s->call, PACT_ENOMEM, "out of memory", t->id);
}

static bool are_sets(const struct beside *s, const struct sched_job *job)
{
	bool good = job->nalt <= SCHED_MAX_ALT &&
		    (!job->required || nodeset_size(job->required) == s->nodes);

	for (uint32_t i = 0; good && i < job->nalt; i++)
		good = !job->alt[i] || nodeset_size(job->alt[i]) == s->nodes;
	return good;
}

static int load_apart(struct beside *s, const struct told_apart *t)
{
	struct member *m = beside_find(s, t->terms.id);

	if (!m || m->in != BIT(PLAN) || !m->waiting || !m->at || m->terms ||
	    !are_sets(s, &t->terms))
		return call_retold(&s->call, PACT_EINVAL, "job that has no nodes apart",
				   t->terms.id);
	m->failed = t->failed;
	m->failed_at = t->failed_at;
	return apart_keep(s, m, &t->terms, NULL, m->from, m->to);
}

const struct record_form *beside_form(const void *own, const char *name)
{
	static const struct record_form *const forms[] = { &form_beside, &form_member,
							   &form_apart };
	const struct beside *s = own;
	const struct record_form *form =
		record_form_of(forms, sizeof(forms) / sizeof(forms[0]), name);

	for (int i = 0; !form && i < SIDES; i++)
		form = s->side[i].engine->form(s->side[i].own, name);
	return form;
}

static int load_side(struct beside *s, int side, const struct record_form *form, const void *record)
{
	const struct side *x = &s->side[side];
	int rc = x->engine->load(x->own, form, record);

	return rc == PACT_OK ? rc : side_failed(s, side, rc);
}

int beside_load(void *own, const struct record_form *form, const void *record)
{
	struct beside *s = own;
	const struct side *x = &s->side[PLAN];
	int rc = PACT_OK;

	call_begin(&s->call);
	if (form == &form_beside)
		return load_own(s, record);
	if (form == &form_member)
		return load_member(s, record);
	if (form == &form_apart)
		return load_apart(s, record);
	if (form)
		return load_side(s, x->engine->form(x->own, form->name) == form ? PLAN : TURNS,
				 form, record);
	if (s->used)
		rc = load_side(s, PLAN, NULL, NULL);
	return rc == PACT_OK ? load_side(s, TURNS, NULL, NULL) : rc;
}

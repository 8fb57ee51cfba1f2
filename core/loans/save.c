/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * save: the state told in records, and taken in again: `loans`, which is left out while nothing was ever said, a `borrower`
 * for each job that is one and a `loan_call` for each thing that it was called in for, the first due first, then the records
 * of the engine inside.
 */
#include <stdlib.h>

#include "core/loans/state.h"

struct told_loans {
	int64_t now, inner_wake, wake;
	uint64_t next_hold;
	bool touched, stale, told;
};

struct told_borrower {
	struct sched_job terms;
	uint32_t chosen, stays;
	int32_t floor, cleans;
	int64_t granted, due, start, left, since, changed, again, more_at, first;
	bool firm, lacks, starting;
	const struct nodeset *at, *own, *lent;
	uint64_t hold;
	int64_t hold_end;
};

struct told_call {
	uint64_t id, hold;
	int64_t end;
	const struct nodeset *nodes;
};

#define F(type, member, kind) RECORD_FIELD(type, member, FIELD_##kind)

static const struct field loans_fields[] = {
	F(told_loans, now, I64),      F(told_loans, inner_wake, I64),
	F(told_loans, wake, I64),     F(told_loans, next_hold, ID),
	F(told_loans, touched, BOOL), F(told_loans, stale, BOOL),
	F(told_loans, told, BOOL),    RECORD_END,
};

static const struct field borrower_fields[] = {
	{ "terms", offsetof(struct told_borrower, terms), FIELD_OBJECT, NULL, record_job, 0 },
	F(told_borrower, chosen, U32),
	F(told_borrower, stays, U32),
	F(told_borrower, floor, I32),
	F(told_borrower, cleans, I32),
	F(told_borrower, granted, I64),
	F(told_borrower, due, I64),
	F(told_borrower, start, I64),
	F(told_borrower, left, I64),
	F(told_borrower, since, I64),
	F(told_borrower, changed, I64),
	F(told_borrower, again, I64),
	F(told_borrower, more_at, I64),
	F(told_borrower, first, I64),
	F(told_borrower, firm, BOOL),
	F(told_borrower, lacks, BOOL),
	F(told_borrower, starting, BOOL),
	F(told_borrower, at, NODES),
	F(told_borrower, own, NODES),
	F(told_borrower, lent, NODES),
	F(told_borrower, hold, ID),
	F(told_borrower, hold_end, I64),
	RECORD_END,
};

static const struct field call_fields[] = {
	F(told_call, id, ID),
	F(told_call, hold, ID),
	F(told_call, end, I64),
	F(told_call, nodes, NODES),
	RECORD_END,
};

static const struct record_form form_loans = { "loans", sizeof(struct told_loans), loans_fields,
					       false };
static const struct record_form form_borrower = { "borrower", sizeof(struct told_borrower),
						  borrower_fields, false };
static const struct record_form form_call = { "loan_call", sizeof(struct told_call), call_fields,
					      false };

/* ---- telling ---- */

/* Has it just been made? */
static bool is_blank(const struct loans *s)
{
	return !s->now && !s->touched && !table_count(s->members) && s->next_hold == UINT64_MAX;
}

static void tell_borrower(const struct loans *s, const struct borrower *b, retell_fn *tell,
			  void *arg)
{
	tell(arg, &form_borrower,
	     &(struct told_borrower){ .terms = borrower_terms(b),
				      .chosen = b->chosen,
				      .stays = b->stays,
				      .floor = b->floor,
				      .cleans = b->cleans,
				      .granted = b->granted,
				      .due = b->due,
				      .start = b->start,
				      .left = b->done.left,
				      .since = b->done.since,
				      .changed = b->changed,
				      .again = b->again,
				      .more_at = b->more_at,
				      .first = b->first,
				      .firm = b->firm,
				      .lacks = b->lacks,
				      .starting = b->starting,
				      .at = b->at,
				      .own = b->own,
				      .lent = b->lent,
				      .hold = b->pool,
				      .hold_end = pool_end(s, b) });
	for (size_t i = 0; i < b->calls; i++)
		tell(arg, &form_call,
		     &(struct told_call){ b->id, b->call[i].id, b->call[i].end, b->call[i].nodes });
}

int loans_save(void *own, retell_fn *tell, void *arg)
{
	struct loans *s = own;
	const struct borrower *b;
	int rc;

	if (s->asked || s->planned || !decided_none(&s->decided))
		return PACT_EPROTO;
	for (size_t i = 0; i < s->pool_n; i++) {
		if (s->pool[i].loose)
			return PACT_EPROTO; /* until the next event */
	}
	rc = s->kind->engine->save(s->own, NULL, NULL);
	if (rc != PACT_OK || !tell)
		return rc;
	if (!is_blank(s))
		tell(arg, &form_loans,
		     &(struct told_loans){ s->now, s->inner_wake, s->wake, s->next_hold, s->touched,
					   s->stale, s->told });
	for (size_t i = 0; (b = table_next(s->members, &i));)
		tell_borrower(s, b, tell, arg);
	return s->kind->engine->save(s->own, tell, arg);
}

/* ---- taking in ---- */

static bool is_time(int64_t t)
{
	return t >= 0 && (t <= PACT_END_OF_TIME || t == PACT_FOREVER);
}

static int load_own(struct loans *s, const struct told_loans *t)
{
	if (!is_time(t->now) || t->inner_wake < 0 || t->wake < 0)
		return call_retold(&s->call, PACT_EINVAL, "time is none", 0);
	s->now = t->now;
	s->inner_wake = t->inner_wake;
	s->wake = t->wake;
	s->next_hold = t->next_hold;
	s->touched = t->touched;
	s->stale = t->stale;
	s->told = t->told;
	return PACT_OK;
}

static bool is_set(const struct loans *s, const struct nodeset *set)
{
	return !set || nodeset_size(set) == s->nodes;
}

static bool is_sane(const struct loans *s, const struct told_borrower *t)
{
	const struct sched_job *job = &t->terms;
	bool good = job->width >= 1 && job->limit >= 1 && job->nalt <= SCHED_MAX_ALT &&
		    speedup_valid(&job->speedup) && job->value >= 0 && job->value <= PAYOFF_MOST &&
		    is_time(job->submit) && is_time(job->deadline) && is_time(job->grace) &&
		    t->left >= 0 && is_time(t->since) && is_set(s, t->at) && is_set(s, t->own) &&
		    is_set(s, t->lent) && !t->at == !t->own && (t->start < 0 || t->at) &&
		    !t->lent == !t->hold && (!t->lent || t->at) &&
		    (!t->at || !nodeset_empty(t->at)) && (t->chosen < job->nalt || !t->chosen) &&
		    is_time(t->hold_end) && is_time(t->due) && t->floor >= job->width &&
		    t->floor <= job->most && t->stays < s->nodes &&
		    (!t->cleans ||
		     (t->at && t->cleans > 0 && (uint32_t)t->cleans < nodeset_count(t->at)));

	for (uint32_t i = 0; good && i < job->nalt; i++)
		good = is_set(s, job->alt[i]);
	return good;
}

static bool copy_set(struct nodeset **to, const struct nodeset *from)
{
	*to = from ? nodeset_dup(from) : NULL;
	return !from || *to;
}

/* Its block has what it has on loan. */
static bool join(struct loans *s, const struct borrower *b, int64_t end)
{
	struct nodeset *set;

	s->crossed = true; /* who has what is found when it is asked for */
	for (size_t i = 0; i < s->pool_n; i++) {
		if (s->pool[i].id != b->pool)
			continue;
		nodeset_or(s->pool[i].nodes, b->lent);
		return true;
	}
	set = nodeset_dup(b->lent);
	if (set && pool_add(s, b->pool, end, set) == 0)
		return true;
	nodeset_destroy(set);
	return false;
}

static bool fill(struct loans *s, struct borrower *b, const struct told_borrower *t)
{
	b->chosen = t->chosen;
	b->stays = t->stays;
	b->floor = t->floor;
	b->cleans = t->cleans;
	b->granted = t->granted;
	b->due = t->due;
	b->changed = t->changed;
	b->again = t->again;
	b->more_at = t->more_at;
	b->first = t->first;
	b->firm = t->firm;
	b->lacks = t->lacks;
	b->starting = t->starting;
	if (!copy_set(&b->at, t->at) || !copy_set(&b->own, t->own) || !copy_set(&b->lent, t->lent))
		return false;
	b->has = b->at ? (int32_t)nodeset_count(b->at) : 0;
	b->pool = t->hold;
	b->start = t->start;
	b->done = (struct progress){ .left = t->left, .since = t->since };
	if (b->start >= 0)
		b->done.rate = borrower_rate(b);
	return (!b->lent || join(s, b, t->hold_end)) && (b->start < 0 || borrower_runs(s, b) == 0);
}

static int load_borrower(struct loans *s, const struct told_borrower *t)
{
	struct borrower *b;

	if (!is_sane(s, t))
		return call_retold(&s->call, PACT_EINVAL, "borrower is malformed", t->terms.id);
	if (borrower_find(s, t->terms.id) || (t->hold && table_find(s->holds, t->hold)))
		return call_retold(&s->call, PACT_EEXIST, "id is known already", t->terms.id);
	b = borrower_make(s, &t->terms);
	if (b && table_insert(s->members, b->id, b) == 0)
		return fill(s, b, t) ? PACT_OK
				     : call_fail(&s->call, PACT_ENOMEM, "out of memory", b->id);
	borrower_destroy(b);
	return call_fail(&s->call, PACT_ENOMEM, "out of memory", t->terms.id);
}

static int load_call(struct loans *s, const struct told_call *t)
{
	struct borrower *b = borrower_find(s, t->id);
	struct hold x = { t->hold, t->end, NULL };

	if (!b || !b->at || !t->hold || !t->nodes || !is_set(s, t->nodes) || !is_time(t->end) ||
	    table_find(s->holds, t->hold))
		return call_retold(&s->call, PACT_EINVAL, "call of no loan", t->id);
	if (borrower_call_room(b) < 0 || !copy_set(&x.nodes, t->nodes) ||
	    table_insert(s->holds, x.id, b) < 0) {
		nodeset_destroy(x.nodes);
		return call_fail(&s->call, PACT_ENOMEM, "out of memory", t->id);
	}
	b->call[b->calls++] = x;
	return PACT_OK;
}

const struct record_form *loans_form(const void *own, const char *name)
{
	static const struct record_form *const forms[] = { &form_loans, &form_borrower,
							   &form_call };
	const struct loans *s = own;
	const struct record_form *form =
		record_form_of(forms, sizeof(forms) / sizeof(forms[0]), name);

	return form ? form : s->kind->engine->form(s->own, name);
}

int loans_load(void *own, const struct record_form *form, const void *record)
{
	struct loans *s = own;
	int rc;

	call_begin(&s->call);
	if (form == &form_loans)
		return load_own(s, record);
	if (form == &form_borrower)
		return load_borrower(s, record);
	if (form == &form_call)
		return load_call(s, record);
	rc = s->kind->engine->load(s->own, form, record);
	return rc == PACT_OK ? rc : inner_failed(s, rc);
}

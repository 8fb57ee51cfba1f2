/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * save: the state told in records (kernel/retell.h), and taken in again: `malleable`, then holds, then jobs, each with
 * the nodes that it has and those that it is to have.
 */
#include <stdlib.h>

#include "core/malleable/allot.h"

struct told_malleable {
	int64_t now, wake, begins_by;
	bool told, odd, held_up;
	bool has_ahead; /* the lookahead of lazy */
	uint64_t ahead_id;
	int64_t ahead;
};

struct told_hold {
	uint64_t id;
	int64_t start, end;
	const struct nodeset *nodes;
	bool block, begun;
};

struct told_job {
	struct sched_job terms;
	int64_t start, left, since, latest, ready;
	const struct nodeset *at, *goes;
	struct list64 due; /* of `goes` */
	struct list32 nodes;
	uint32_t chosen;
	int32_t floor, cleans;
	bool waits, owed, listed, changed, stuck, failed, kept, promised, broken;
};

#define F(type, member, kind) RECORD_FIELD(type, member, FIELD_##kind)

static const struct field malleable_fields[] = {
	F(told_malleable, now, I64),	    F(told_malleable, wake, I64),
	F(told_malleable, begins_by, I64),  F(told_malleable, told, BOOL),
	F(told_malleable, odd, BOOL),	    F(told_malleable, held_up, BOOL),
	F(told_malleable, has_ahead, BOOL), F(told_malleable, ahead_id, ID),
	F(told_malleable, ahead, I64),	    RECORD_END,
};

static const struct field hold_fields[] = {
	F(told_hold, id, ID),
	F(told_hold, start, I64),
	F(told_hold, end, I64),
	F(told_hold, nodes, NODES),
	F(told_hold, block, BOOL),
	F(told_hold, begun, BOOL),
	RECORD_END,
};

static const struct field job_fields[] = {
	{ "terms", offsetof(struct told_job, terms), FIELD_OBJECT, NULL, record_job, 0 },
	F(told_job, start, I64),
	F(told_job, left, I64),
	F(told_job, since, I64),
	F(told_job, latest, I64),
	F(told_job, ready, I64),
	F(told_job, at, NODES),
	F(told_job, goes, NODES),
	F(told_job, due, LIST64),
	F(told_job, nodes, LIST32),
	F(told_job, chosen, U32),
	F(told_job, floor, I32),
	F(told_job, cleans, I32),
	F(told_job, waits, BOOL),
	F(told_job, owed, BOOL),
	F(told_job, listed, BOOL),
	F(told_job, changed, BOOL),
	F(told_job, stuck, BOOL),
	F(told_job, failed, BOOL),
	F(told_job, kept, BOOL),
	F(told_job, promised, BOOL),
	F(told_job, broken, BOOL),
	RECORD_END,
};

static const struct record_form form_malleable = { "malleable", sizeof(struct told_malleable),
						   malleable_fields, false };
static const struct record_form form_hold = { "malleable_hold", sizeof(struct told_hold),
					      hold_fields, false };
static const struct record_form form_job = { "malleable_job", sizeof(struct told_job), job_fields,
					     false };

/* ---- telling ---- */

static struct sched_job terms_of(const struct job *j)
{
	int32_t most = j->widest > j->most ? j->widest : j->most;
	struct sched_job t = { .id = j->id,
			       .submit = j->submit,
			       .eligible = j->eligible,
			       .begin = j->begin,
			       .limit = j->limit,
			       .deadline = j->deadline,
			       .priority = j->priority,
			       .grace = j->grace,
			       .planned = -1,
			       .width = j->least,
			       .most = most > j->least ? most : 0,
			       .value = j->payoff.value,
			       .speedup = j->speedup,
			       .flags = j->flags & ~(uint32_t)JOB_UNCONFIRMED,
			       .nalt = j->nalt,
			       .required = j->required };

	t.flags |= j->unconfirmed ? JOB_UNCONFIRMED : 0;
	for (uint32_t i = 0; i < j->nalt; i++)
		t.alt[i] = j->alt[i];
	return t;
}

/* Room for all nodes. */
struct lists {
	uint32_t *nodes;
	int64_t *due;
};

static void lists_free(struct lists *l)
{
	free(l->nodes);
	free(l->due);
}

static struct list64 list_due(const struct malleable *s, const struct job *j, int64_t *due)
{
	uint32_t n = 0;

	for (uint32_t i = j->leaving ? nodeset_next(j->goes, 0) : s->nodes; i < s->nodes;
	     i = nodeset_next(j->goes, i + 1))
		due[n++] = s->due[i];
	return (struct list64){ due, n };
}

static void tell_job(const struct malleable *s, const struct job *j, const struct lists *lists,
		     retell_fn *tell, void *arg)
{
	struct told_job t = { .terms = terms_of(j),
			      .start = j->start,
			      .left = j->done.left,
			      .since = j->done.since,
			      .latest = j->latest,
			      .ready = j->start < 0 && j->listed ? j->ready : 0,
			      .at = j->has ? j->at : NULL,
			      .goes = j->leaving ? j->goes : NULL,
			      .due = list_due(s, j, lists->due),
			      .nodes = { lists->nodes, (uint32_t)j->n },
			      .chosen = j->chosen,
			      .floor = j->listed ? j->floor : 0,
			      .cleans = j->cleans,
			      .waits = j->waits,
			      .owed = j->owed,
			      .listed = j->listed,
			      .changed = j->listed && j->changed,
			      .stuck = j->stuck,
			      .failed = j->failed,
			      .kept = j->kept,
			      .promised = j->promised,
			      .broken = j->broken };
	uint32_t n = 0;

	for (uint32_t i = j->first; i != NO_NODE; i = s->next[i])
		lists->nodes[n++] = i;
	tell(arg, &form_job, &t);
}

/*
 * Nothing is left to be carried out until something happens. What is changed all the same, and waits, say for nodes, has been
 * looked at: to look at it once more, later, need not come to the same.
 */
static bool is_carried_out(const struct malleable *s)
{
	return !s->running_n || (s->todo_fresh && s->step == STEP_DONE);
}

int malleable_save(void *own, retell_fn *tell, void *arg)
{
	struct malleable *s = own;
	const struct held *x;
	const struct job *j;
	struct lists lists;

	if (s->asked || !decided_none(&s->decided) || s->dirty || s->news || !is_carried_out(s))
		return PACT_EPROTO;
	if (!tell)
		return PACT_OK;
	lists.nodes = malloc(s->nodes * sizeof(*lists.nodes));
	lists.due = malloc(s->nodes * sizeof(*lists.due));
	if (!lists.nodes || !lists.due) {
		lists_free(&lists);
		return PACT_ENOMEM;
	}
	tell(arg, &form_malleable,
	     &(struct told_malleable){ .now = s->now,
				       .wake = s->wake,
				       .begins_by = s->begins_by,
				       .told = s->told,
				       .odd = s->odd,
				       .held_up = s->held_up,
				       .has_ahead = s->has_ahead,
				       .ahead_id = s->ahead_id,
				       .ahead = s->ahead });
	for (size_t i = 0; (x = table_next(s->holds, &i));)
		tell(arg, &form_hold,
		     &(struct told_hold){ x->id, x->start, x->end, x->nodes, x->block, x->begun });
	for (size_t i = 0; (j = table_next(s->jobs, &i));)
		tell_job(s, j, &lists, tell, arg);
	lists_free(&lists);
	return PACT_OK;
}

/* ---- taking in ---- */

static int load_malleable(struct malleable *s, const struct told_malleable *t)
{
	if (!malleable_is_time(t->now) || !malleable_is_time(t->begins_by))
		return call_retold(&s->call, PACT_EINVAL, "time is none", 0);
	s->now = t->now;
	s->wake = t->wake;
	s->begins_by = t->begins_by;
	s->told = t->told;
	s->odd = t->odd;
	s->held_up = t->held_up;
	s->has_ahead = t->has_ahead;
	s->ahead_id = t->ahead_id;
	s->ahead = t->ahead;
	return PACT_OK;
}

static int load_hold(struct malleable *s, const struct told_hold *t)
{
	struct sched_event ev = { .type = t->block ? EV_BLOCK : EV_STARTED,
				  .id = t->id,
				  .start = t->start,
				  .end = t->end,
				  .nodes = t->nodes };
	int rc = malleable_hold(s, &ev, t->begun);

	s->dirty = false;
	return rc == PACT_OK ? rc : call_retold(&s->call, rc, "hold", t->id);
}

/* Its nodes are this machine's, and no other job's; its lists are such as can be. */
static bool is_sane(const struct malleable *s, const struct told_job *t)
{
	bool sane =
		malleable_job_is_sane(s, &t->terms) && t->nodes.n <= s->nodes && t->start >= -1 &&
		(t->start < 0 || malleable_is_time(t->start)) && malleable_is_time(t->since) &&
		t->left >= 0 && (!t->at || nodeset_size(t->at) == s->nodes) &&
		t->waits + t->owed + t->listed == 1 && (t->start < 0 || t->listed) &&
		(t->start < 0 || (t->at && !nodeset_empty(t->at))) &&
		(!t->terms.nalt || t->chosen < t->terms.nalt) && (t->listed || !t->nodes.n) &&
		t->ready >= 0 && t->ready <= PACT_END_OF_TIME / 2 && malleable_is_time(t->latest) &&
		t->floor >= 0 &&
		(!t->cleans ||
		 (t->at && t->cleans > 0 && (uint32_t)t->cleans < nodeset_count(t->at))) &&
		(!t->goes ||
		 (t->at && nodeset_size(t->goes) == s->nodes && nodeset_subset(t->goes, t->at)));

	for (uint32_t i = 0; sane && i < t->nodes.n; i++)
		sane = t->nodes.v[i] < s->nodes;
	sane = sane && t->due.n == (t->goes ? nodeset_count(t->goes) : 0);
	for (uint32_t i = 0; sane && i < t->due.n; i++)
		sane = malleable_is_time(t->due.v[i]);
	return sane;
}

static void load_goes(struct malleable *s, struct job *j, const struct told_job *t)
{
	uint32_t n = 0;

	if (t->goes)
		nodeset_copy(j->goes, t->goes);
	nodeset_or(s->called, j->goes);
	j->leaving = (int32_t)nodeset_count(j->goes);
	for (uint32_t i = nodeset_next(j->goes, 0); i < s->nodes; i = nodeset_next(j->goes, i + 1))
		s->due[i] = t->due.v[n++];
}

static void fill_job(struct malleable *s, struct job *j, const struct told_job *t)
{
	j->start = t->start;
	j->chosen = t->chosen;
	j->stuck = t->stuck;
	j->failed = t->failed;
	j->kept = t->kept;
	j->promised = t->promised;
	j->broken = t->broken;
	j->ready = t->ready;
	j->done.since = t->since;
	j->cleans = t->cleans;
	if (t->start >= 0)
		job_set_at(s, j, t->at, t->since);
	load_goes(s, j, t);
	j->done.left = t->left;
	if (t->waits)
		job_wait(s, j);
	if (t->owed)
		accepted_add(s, j, t->latest);
	if (t->listed)
		running_add(s, j);
}

static int load_job(struct malleable *s, const struct told_job *t)
{
	struct job *j;

	if (!is_sane(s, t))
		return call_retold(&s->call, PACT_EINVAL, "malformed job", t->terms.id);
	if (table_find(s->jobs, t->terms.id) || table_find(s->holds, t->terms.id))
		return call_retold(&s->call, PACT_EEXIST, "id is known already", t->terms.id);
	j = malleable_job_make(s, &t->terms);
	if (!j || malleable_reserve(s, 1) < 0 || table_insert(s->jobs, t->terms.id, j) < 0) {
		malleable_job_destroy(j);
		return call_retold(&s->call, PACT_ENOMEM, "job: out of memory", t->terms.id);
	}
	fill_job(s, j, t);
	if (!allot_these(s, j, t->nodes.v, t->nodes.n))
		return call_retold(&s->call, PACT_EINVAL, "node is another job's", t->terms.id);
	j->floor = t->floor;
	j->changed = t->changed;
	return PACT_OK;
}

const struct record_form *malleable_form(const void *own, const char *name)
{
	static const struct record_form *const forms[] = { &form_malleable, &form_hold, &form_job };

	(void)own;
	return record_form_of(forms, sizeof(forms) / sizeof(forms[0]), name);
}

int malleable_load(void *own, const struct record_form *form, const void *record)
{
	struct malleable *s = own;

	call_begin(&s->call);
	if (!form) {
		/* it was told when nothing was left to be said, or to be carried out */
		s->dirty = s->news = false;
		s->todo_n = s->todo_next = 0;
		s->step = STEP_DONE;
		s->todo_fresh = true;
		return PACT_OK;
	}
	if (form == &form_malleable)
		return load_malleable(s, record);
	if (form == &form_hold)
		return load_hold(s, record);
	return load_job(s, record);
}

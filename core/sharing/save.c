/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * save: the state told in records (kernel/retell.h), and taken in again: `sharing`, then the nodes that are not as
 * they were at first, holds, jobs, the parts of each node in their order, and what has been learned (chance.h).
 */
#include <stdlib.h>
#include <string.h>

#include "core/sharing/state.h"

struct told_sharing {
	int64_t now; /* microseconds */
	bool dirty, told;
	uint64_t first; /* the job that nodes are kept for; 0 and no nodes: none */
	const struct nodeset *kept;
};

struct told_node {
	uint32_t node;
	int32_t rating, processors;
	int64_t memory, until;
	uint32_t most;
	bool touched;
};

struct told_hold {
	uint64_t id;
	int64_t start, end;
	const struct nodeset *nodes;
	bool block, begun, spares;
};

struct told_job {
	struct sched_job terms;
	int64_t start;
	struct list32 nodes;
	uint32_t chosen;
	bool promised, expected, broken, suspended, failed, due, given_up;
};

struct told_part {
	uint32_t node;
	uint64_t id;
	int64_t left, left_over; /* whole microseconds, and parts of SHARE_WHOLE of one */
	int64_t deadline, claim;
	uint32_t share;
	int32_t processors;
	bool suspended, idle, late, capped;
};

#define F(type, member, kind) RECORD_FIELD(type, member, FIELD_##kind)

static const struct field sharing_fields[] = {
	F(told_sharing, now, I64),  F(told_sharing, dirty, BOOL), F(told_sharing, told, BOOL),
	F(told_sharing, first, ID), F(told_sharing, kept, NODES), RECORD_END,
};

static const struct field node_fields[] = {
	F(told_node, node, U32),       F(told_node, rating, I32),
	F(told_node, processors, I32), F(told_node, memory, I64),
	F(told_node, until, I64),      F(told_node, most, U32),
	F(told_node, touched, BOOL),   RECORD_END,
};

static const struct field hold_fields[] = {
	F(told_hold, id, ID),	    F(told_hold, start, I64),
	F(told_hold, end, I64),	    F(told_hold, nodes, NODES),
	F(told_hold, block, BOOL),  F(told_hold, begun, BOOL),
	F(told_hold, spares, BOOL), RECORD_END,
};

static const struct field job_fields[] = {
	{ "terms", offsetof(struct told_job, terms), FIELD_OBJECT, NULL, record_job, 0 },
	F(told_job, start, I64),
	F(told_job, nodes, LIST32),
	F(told_job, chosen, U32),
	F(told_job, promised, BOOL),
	F(told_job, expected, BOOL),
	F(told_job, broken, BOOL),
	F(told_job, suspended, BOOL),
	F(told_job, failed, BOOL),
	F(told_job, due, BOOL),
	F(told_job, given_up, BOOL),
	RECORD_END,
};

static const struct field part_fields[] = {
	F(told_part, node, U32),
	F(told_part, id, ID),
	F(told_part, left, I64),
	F(told_part, left_over, I64),
	F(told_part, deadline, I64),
	F(told_part, claim, I64),
	F(told_part, share, U32),
	F(told_part, processors, I32),
	F(told_part, suspended, BOOL),
	F(told_part, idle, BOOL),
	F(told_part, late, BOOL),
	F(told_part, capped, BOOL),
	RECORD_END,
};

static const struct record_form form_sharing = { "sharing", sizeof(struct told_sharing),
						 sharing_fields, false };
static const struct record_form form_node = { "shared_node", sizeof(struct told_node), node_fields,
					      false };
static const struct record_form form_hold = { "shared_hold", sizeof(struct told_hold), hold_fields,
					      false };
static const struct record_form form_job = { "sharer", sizeof(struct told_job), job_fields, false };
static const struct record_form form_part = { "part", sizeof(struct told_part), part_fields,
					      false };

/* ---- telling ---- */

static bool is_due(const struct sharing *s, const struct job *j)
{
	for (size_t i = 0; i < s->due_n; i++) {
		if (s->due[i] == j)
			return true;
	}
	return false;
}

static void tell_job(const struct sharing *s, const struct job *j, retell_fn *tell, void *arg)
{
	struct told_job t = { .terms = { .id = j->id,
					 .submit = j->submit,
					 .limit = j->limit,
					 .deadline = j->deadline,
					 .width = j->width,
					 .processors = j->processors,
					 .memory = j->memory,
					 .user = j->user,
					 .flags = j->unconfirmed ? JOB_UNCONFIRMED : 0,
					 .planned = -1 },
			      .start = j->start,
			      .nodes = { j->node, j->n },
			      .promised = j->promised,
			      .expected = j->expected,
			      .broken = j->broken,
			      .suspended = j->suspended,
			      .due = is_due(s, j),
			      .given_up = j->given_up };

	if (j->terms) {
		t.terms.eligible = j->terms->eligible;
		t.terms.begin = j->terms->begin;
		t.terms.priority = j->terms->priority;
		t.terms.flags |= j->terms->flags & ~(uint32_t)JOB_UNCONFIRMED;
		t.terms.nalt = j->terms->nalt;
		for (uint32_t i = 0; i < j->terms->nalt; i++)
			t.terms.alt[i] = j->terms->alt[i];
		t.terms.required = j->terms->required;
		t.chosen = j->terms->chosen;
		t.failed = j->terms->failed;
	}
	tell(arg, &form_job, &t);
}

static void tell_node(const struct sharing *s, uint32_t i, retell_fn *tell, void *arg)
{
	const struct node *x = &s->node[i];

	if (x->rating == RATING_WHOLE && x->processors == 1 && !x->memory && !x->most && !x->n &&
	    !x->touched)
		return;
	tell(arg, &form_node,
	     &(struct told_node){ i, x->rating, x->processors, x->memory, s->until[i], x->most,
				  x->touched });
}

static void tell_parts(const struct sharing *s, uint32_t i, retell_fn *tell, void *arg)
{
	for (uint32_t k = 0; k < s->node[i].n; k++) {
		const struct share_part *p = &s->node[i].part[k];

		tell(arg, &form_part,
		     &(struct told_part){
			     .node = i,
			     .id = ((const struct job *)p->of)->id,
			     .left = (int64_t)(p->left / SHARE_WHOLE),
			     .left_over = (int64_t)(p->left % SHARE_WHOLE),
			     .deadline = p->deadline,
			     .claim = (int64_t)(p->claim < INT64_MAX ? p->claim : INT64_MAX),
			     .share = p->share,
			     .processors = p->processors,
			     .suspended = p->suspended,
			     .idle = p->idle,
			     .late = p->late,
			     .capped = p->capped });
	}
}

int sharing_save(void *own, retell_fn *tell, void *arg)
{
	struct sharing *s = own;
	const struct held *x;
	const struct job *j;

	if (s->starting || !decided_none(&s->decided) || !decided_none(&s->learned) || s->news ||
	    s->due_n || s->touched_n)
		return PACT_EPROTO;
	if (!tell)
		return PACT_OK;
	for (uint32_t i = 0; i < s->nodes; i++)
		node_advance(s, i);
	tell(arg, &form_sharing,
	     &(struct told_sharing){ s->now, s->dirty, s->told, s->first ? s->first->id : 0,
				     s->first ? s->kept : NULL });
	for (uint32_t i = 0; i < s->nodes; i++)
		tell_node(s, i, tell, arg);
	for (size_t i = 0; (x = table_next(s->holds, &i));)
		tell(arg, &form_hold,
		     &(struct told_hold){ x->id, x->start, x->end, x->nodes, x->block, x->begun,
					  x->spares });
	for (size_t i = 0; i < s->due_n; i++)
		tell_job(s, s->due[i], tell, arg);
	for (size_t i = 0; (j = table_next(s->jobs, &i));) {
		if (!is_due(s, j))
			tell_job(s, j, tell, arg);
	}
	for (uint32_t i = 0; i < s->nodes; i++)
		tell_parts(s, i, tell, arg);
	chance_tell(s->past, tell, arg);
	return PACT_OK;
}

/* ---- taking in ---- */

static int load_sharing(struct sharing *s, const struct told_sharing *t)
{
	if (t->now < 0 || t->now > PACT_END_OF_TIME / 4 ||
	    (t->kept && nodeset_size(t->kept) != s->nodes))
		return call_retold(&s->call, PACT_EINVAL,
				   "time is none, or nodes of another machine", 0);
	s->now = t->now;
	s->dirty = t->dirty;
	s->told = t->told;
	s->first_id = t->first;
	if (t->kept)
		nodeset_copy(s->kept, t->kept);
	s->recall_first = t->kept != NULL;
	for (uint32_t i = 0; i < s->nodes; i++)
		s->node[i].since = s->now;
	return PACT_OK;
}

static int load_node(struct sharing *s, const struct told_node *t)
{
	struct node *x;

	if (t->node >= s->nodes || t->rating < 1 || t->rating > 1000 * RATING_WHOLE ||
	    t->processors < 1 || t->processors > UINT16_MAX || t->memory < 0)
		return call_retold(&s->call, PACT_EINVAL, "no node is like that", t->node);
	x = &s->node[t->node];
	x->rating = t->rating;
	x->processors = (uint16_t)t->processors;
	x->memory = t->memory;
	x->most = t->most;
	s->until[t->node] = t->until;
	if (t->touched && !x->touched) {
		x->touched = true;
		s->touched[s->touched_n++] = t->node;
	}
	return PACT_OK;
}

static int load_hold(struct sharing *s, const struct told_hold *t)
{
	struct sched_event ev = { .type = t->block ? EV_BLOCK : EV_STARTED,
				  .id = t->id,
				  .start = t->start,
				  .end = t->end,
				  .nodes = t->nodes,
				  .reserve = t->spares };
	int rc;

	if (t->start < 0 || t->start > PACT_END_OF_TIME / SHARE_SECOND / 4)
		return call_retold(&s->call, PACT_EINVAL, "hold's time is none", t->id);
	rc = sharing_hold(s, &ev, t->begun);
	return rc == PACT_OK ? rc : call_retold(&s->call, rc, "hold", t->id);
}

static bool is_sane(const struct sharing *s, const struct told_job *t)
{
	bool sane = sharer_is_sane(s, &t->terms) && t->nodes.n <= s->nodes &&
		    (t->start >= 0 || t->nodes.n == 0 || (int64_t)t->nodes.n == t->terms.width) &&
		    t->start >= -1 && t->start <= PACT_END_OF_TIME / SHARE_SECOND / 4 &&
		    !(t->due && !t->nodes.n);

	for (uint32_t i = 0; sane && i < t->nodes.n; i++)
		sane = t->nodes.v[i] < s->nodes && (!i || t->nodes.v[i] > t->nodes.v[i - 1]);
	return sane;
}

/* Without parts it has no list of them: sharing_place() makes one. */
static struct job *make_job(struct sharing *s, const struct told_job *t)
{
	struct job *j = sharer_make(&t->terms);

	if (!j)
		return NULL;
	j->start = t->start;
	j->promised = t->promised;
	j->expected = t->expected;
	j->broken = t->broken;
	j->suspended = t->suspended;
	j->late = j->given_up = t->given_up;
	j->terms->chosen = t->chosen;
	j->terms->failed = t->failed;
	j->n = t->nodes.n;
	if (j->n && !(j->node = malloc(j->n * sizeof(*j->node)))) {
		sharer_destroy(s, j);
		return NULL;
	}
	if (j->n)
		memcpy(j->node, t->nodes.v, j->n * sizeof(*j->node));
	if (j->start >= 0)
		sharer_started(j);
	return j;
}

static int load_job(struct sharing *s, const struct told_job *t)
{
	struct job *j;

	if (!is_sane(s, t))
		return call_retold(&s->call, PACT_EINVAL, "malformed job", t->terms.id);
	if (table_find(s->jobs, t->terms.id) || table_find(s->holds, t->terms.id))
		return call_retold(&s->call, PACT_EEXIST, "id is known already", t->terms.id);
	j = make_job(s, t);
	if (!j || waiting_reserve(s, 1) < 0 || sharing_due_reserve(s, 1) < 0 ||
	    table_insert(s->jobs, j->id, j) < 0) {
		sharer_destroy(s, j);
		return call_retold(&s->call, PACT_ENOMEM, "job: out of memory", t->terms.id);
	}
	if (t->due)
		s->due[s->due_n++] = j;
	else if (j->start < 0 && !j->n)
		waiting_add(s, j);
	return PACT_OK;
}

static bool is_on(const struct job *j, uint32_t node)
{
	for (uint32_t i = 0; i < j->n; i++) {
		if (j->node[i] == node)
			return true;
	}
	return false;
}

static bool is_part(const struct sharing *s, const struct told_part *t)
{
	return t->node < s->nodes && t->left >= 0 && t->left < PACT_END_OF_TIME &&
	       t->left_over >= 0 && t->left_over < (int64_t)SHARE_WHOLE && t->claim >= 0 &&
	       t->share <= SHARE_WHOLE && t->processors >= 1 &&
	       t->processors <= s->node[t->node].processors;
}

static int load_part(struct sharing *s, const struct told_part *t)
{
	struct job *j = table_find(s->jobs, t->id);
	struct node *x;

	if (!j || !is_part(s, t) || !is_on(j, t->node) || node_part(&s->node[t->node], j))
		return call_retold(&s->call, PACT_EINVAL, "part of no job, or malformed", t->id);
	x = &s->node[t->node];
	if (x->n && x->part[x->n - 1].deadline > t->deadline)
		return call_retold(&s->call, PACT_EINVAL, "parts are not by deadline", t->id);
	if (node_reserve(x) < 0 || sharing_scratch(s, x->n + (size_t)2) < 0 ||
	    in_step_reserve(s, 1) < 0)
		return call_retold(&s->call, PACT_ENOMEM, "part: out of memory", t->id);
	x->part[x->n++] = (struct share_part){
		.left = (share_work)t->left * SHARE_WHOLE + (share_work)t->left_over,
		.deadline = t->deadline,
		.of = j,
		.claim = (uint64_t)t->claim,
		.share = t->share,
		.processors = (uint16_t)t->processors,
		.suspended = t->suspended,
		.idle = t->idle,
		.late = t->late,
		.capped = t->capped,
	};
	s->parts++;
	x->used += j->memory;
	j->late += t->late;
	return PACT_OK;
}

static int load_past(struct sharing *s, const struct record_form *form, const void *record)
{
	int rc = chance_load(s->past, form, record);

	if (rc == -2)
		return call_retold(&s->call, PACT_EINVAL, "past that is malformed", 0);
	return rc < 0 ? call_retold(&s->call, PACT_ENOMEM, "past: out of memory", 0) : PACT_OK;
}

/* Has each job all the parts that it says? */
static int load_end(struct sharing *s)
{
	const struct job *j;

	for (size_t i = 0; (j = table_next(s->jobs, &i));) {
		for (uint32_t k = 0; k < j->n; k++) {
			if (!node_part(&s->node[j->node[k]], j))
				return call_retold(&s->call, PACT_EINVAL, "job without a part",
						   j->id);
		}
	}
	if (s->recall_first) {
		s->first = table_find(s->jobs, s->first_id);
		if (!s->first || s->first->start >= 0)
			return call_retold(&s->call, PACT_EINVAL, "nodes are kept for no job",
					   s->first_id);
	}
	s->recall_first = false;
	in_step_recall(s);
	find_uniform(s);
	return PACT_OK;
}

const struct record_form *sharing_form(const void *own, const char *name)
{
	static const struct record_form *const forms[] = { &form_sharing, &form_node, &form_hold,
							   &form_job, &form_part };

	const struct record_form *form =
		record_form_of(forms, sizeof(forms) / sizeof(forms[0]), name);

	(void)own;
	return form ? form : chance_form(name);
}

int sharing_load(void *own, const struct record_form *form, const void *record)
{
	struct sharing *s = own;

	call_begin(&s->call);
	if (!form)
		return load_end(s);
	if (form == &form_sharing)
		return load_sharing(s, record);
	if (form == &form_node)
		return load_node(s, record);
	if (form == &form_hold)
		return load_hold(s, record);
	if (form == &form_job)
		return load_job(s, record);
	if (form == &form_part)
		return load_part(s, record);
	return load_past(s, form, record);
}

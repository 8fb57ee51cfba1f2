/* SPDX-License-Identifier: GPL-2.0-or-later */
/* member: the ids that are known, whose they are, and how long those that wait for turns are to wait at most. */
#include <stdlib.h>

#include "core/beside/state.h"

struct member *beside_find(const struct beside *s, uint64_t id)
{
	return table_find(s->members, id);
}

int member_side(const struct member *m)
{
	return m->in & BIT(TURNS) ? TURNS : PLAN;
}

struct member *beside_add(struct beside *s, uint64_t id, unsigned in)
{
	struct member *m = calloc(1, sizeof(*m));

	if (!m || walk_fit(&s->walk, table_count(s->members) + 1) < 0 ||
	    table_insert(s->members, id, m) < 0) {
		free(m);
		return NULL;
	}
	*m = (struct member){ .id = id, .in = in, .waiting = true };
	s->promised += in == BIT(PLAN);
	return m;
}

int beside_untell(struct beside *s, struct member *m)
{
	int side = member_side(m) == PLAN ? TURNS : PLAN, rc;

	if (!m->told)
		return PACT_OK;
	rc = side_event(s, side,
			&(struct sched_event){ .type = EV_FINISH, .now = s->now, .id = m->id });
	if (rc != PACT_OK)
		return rc;
	nodeset_destroy(m->told);
	m->told = NULL;
	s->stale[member_side(m)] = true;
	return PACT_OK;
}

void beside_move(struct beside *s, struct member *m, unsigned in)
{
	s->promised -= m->in == BIT(PLAN);
	m->in = in;
	s->promised += m->in == BIT(PLAN);
}

/* ---- terms of one that is to start where others are set aside ---- */

void terms_destroy(struct terms *t)
{
	for (int i = 0; t && i <= SCHED_MAX_ALT; i++)
		nodeset_destroy(t->set[i]);
	free(t);
}

struct terms *terms_make(const struct sched_job *job)
{
	struct terms *t = calloc(1, sizeof(*t));
	bool good = t;

	for (uint32_t i = 0; good && i <= job->nalt; i++) {
		const struct nodeset *from = i < job->nalt ? job->alt[i] : job->required;

		t->set[i] = from ? nodeset_dup(from) : NULL;
		good = !from || t->set[i];
	}
	if (!good) {
		terms_destroy(t);
		return NULL;
	}
	t->job = *job;
	t->job.most = 0; /* neither engine here resizes */
	t->job.speedup = (struct list64){ NULL, 0 };
	for (uint32_t i = 0; i < job->nalt; i++)
		t->job.alt[i] = t->set[i];
	t->job.required = t->set[job->nalt];
	return t;
}

void member_forget_terms(struct beside *s, struct member *m)
{
	if (!m->terms)
		return;
	terms_destroy(m->terms);
	nodeset_destroy(m->at);
	m->terms = NULL;
	m->at = NULL;
	s->apart_n--;
}

void beside_remove(struct beside *s, struct member *m)
{
	s->promised -= m->in == BIT(PLAN);
	table_remove(s->members, m->id);
	member_forget_terms(s, m);
	nodeset_destroy(m->told);
	nodeset_destroy(m->at);
	free(m);
}

/* ---- artificial deadlines ---- */

void member_unforeseen(struct beside *s, const struct member *m)
{
	s->unforeseen++;
	s->newest = m->id;
}

void member_patience(struct beside *s, struct member *m, const struct sched_job *job)
{
	int64_t from = job->eligible ? job->eligible : job->submit;
	int64_t span = artificial_span(&s->config, job->limit);

	from = job->begin > from ? job->begin : from;
	from = from > 0 ? from : 0;
	m->due_least = span > PACT_END_OF_TIME - from ? PACT_FOREVER : from + span;
	m->due = 0;
	member_unforeseen(s, m);
}

/* Its end as it is predicted now; PACT_FOREVER: nothing is. */
static int64_t predicted_end(const struct beside *s, const struct member *m)
{
	const struct side *x = &s->side[TURNS];
	struct sched_view v;

	if (x->engine->view(x->own, m->id, &v) != PACT_OK || v.start == PACT_FOREVER)
		return PACT_FOREVER;
	return v.end;
}

void member_predict(const struct beside *s, struct member *m)
{
	int64_t end = predicted_end(s, m);

	if (end != PACT_FOREVER)
		m->due = end > m->due_least ? end : m->due_least;
}

/* One that ran already when it became known may be set aside, too. RET is it still unforeseen? */
static bool foresee(const struct beside *s, struct member *m)
{
	if (!m || m->in != BIT(TURNS) || m->due)
		return false;
	member_predict(s, m);
	return !m->due;
}

void members_predict(struct beside *s)
{
	struct member *m;
	size_t left = 0;

	/* jobs come one by one */
	if (s->unforeseen == 1)
		left = foresee(s, beside_find(s, s->newest));
	for (size_t i = 0; s->unforeseen > 1 && (m = table_next(s->members, &i));) {
		if (!foresee(s, m))
			continue;
		s->newest = m->id;
		left++;
	}
	s->unforeseen = left;
}

const struct member *members_starving(struct beside *s, int64_t *late)
{
	const struct member *worst = NULL;
	struct member *m;

	*late = 0;
	for (size_t i = 0; (m = table_next(s->members, &i));) {
		int64_t end;

		if (m->in != BIT(TURNS) || !m->waiting || m->told)
			continue;
		/* what could not be foreseen when it came is what is foreseen first */
		if (!m->due)
			member_predict(s, m);
		end = m->due ? predicted_end(s, m) : PACT_FOREVER;
		if (end == PACT_FOREVER || end <= m->due)
			continue;
		if (!worst || end - m->due > *late ||
		    (end - m->due == *late && m->id < worst->id)) {
			worst = m;
			*late = end - m->due;
		}
	}
	return worst;
}

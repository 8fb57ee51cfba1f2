/* SPDX-License-Identifier: GPL-2.0-or-later */
/* agenda: see agenda.h. */
#include "core/planning/state/agenda.h"

#include <stdlib.h>

#include "core/planning/state/planner.h"

bool agenda_rules(const struct planner *s)
{
	return s->policy->keeps && !s->policy->anew && !s->policy->lays_out;
}

static void set_item(struct agenda *a, size_t i, struct agenda_item x)
{
	a->v[i] = x;
	x.job->entry = i;
}

static void sink(struct agenda *a, size_t i)
{
	struct agenda_item x = a->v[i];

	for (;;) {
		size_t c = 2 * i + 1;

		if (c + 1 < a->n && a->v[c + 1].start < a->v[c].start)
			c++;
		if (c >= a->n || a->v[c].start >= x.start)
			break;
		set_item(a, i, a->v[c]);
		i = c;
	}
	set_item(a, i, x);
}

/* Item i has changed: up or down with it. */
static void fix(struct agenda *a, size_t i)
{
	struct agenda_item x = a->v[i];

	for (; i && a->v[(i - 1) / 2].start > x.start; i = (i - 1) / 2)
		set_item(a, i, a->v[(i - 1) / 2]);
	a->v[i] = x;
	sink(a, i);
}

static int make_room(struct agenda *a, size_t n)
{
	size_t room = a->room ? a->room : 64;
	struct agenda_item *v;

	if (n <= a->room)
		return 0;
	while (room < n)
		room *= 2;
	v = realloc(a->v, room * sizeof(*v));
	if (!v)
		return -1;
	a->v = v;
	a->room = room;
	return 0;
}

void agenda_join(struct planner *s, struct job *j)
{
	struct agenda *a = &s->agenda;

	if (!a->fresh)
		return;
	if (make_room(a, a->n + 1) < 0) {
		agenda_spoil(s);
		return;
	}
	a->v[a->n] = (struct agenda_item){ j->place.start, j };
	fix(a, a->n++);
}

void agenda_leave(struct planner *s, struct job *j)
{
	struct agenda *a = &s->agenda;

	if (!a->fresh)
		return;
	size_t i = j->entry;

	if (i != --a->n) {
		a->v[i] = a->v[a->n];
		fix(a, i);
	}
}

void agenda_move(struct planner *s, struct job *j)
{
	struct agenda *a = &s->agenda;

	if (!a->fresh)
		return;
	a->v[j->entry].start = j->place.start;
	fix(a, j->entry);
}

void agenda_spoil(struct planner *s)
{
	s->agenda.fresh = false;
}

static int refresh(struct planner *s)
{
	struct agenda *a = &s->agenda;

	if (a->fresh)
		return 0;
	if (make_room(a, s->queue.n) < 0)
		return -1;
	a->n = 0;
	for (size_t i = 0; i < s->queue.n; i++) {
		struct job *j = s->queue.v[i];

		if (j)
			set_item(a, a->n++, (struct agenda_item){ j->place.start, j });
	}
	for (size_t i = a->n / 2; i-- > 0;)
		sink(a, i);
	a->fresh = true;
	return 0;
}

/* Those below item i, too. */
static void visit(const struct agenda *a, size_t i, int64_t t, struct job **out, size_t *n,
		  int64_t *next)
{
	if (i >= a->n)
		return;
	if (a->v[i].start > t) {
		*next = a->v[i].start < *next ? a->v[i].start : *next;
		return;
	}
	out[(*n)++] = a->v[i].job;
	visit(a, 2 * i + 1, t, out, n, next);
	visit(a, 2 * i + 2, t, out, n, next);
}

int agenda_until(struct planner *s, int64_t t, struct job **out, size_t *n, int64_t *next)
{
	struct agenda *a = &s->agenda;

	*n = 0;
	*next = PACT_FOREVER;
	if (refresh(s) < 0)
		return -1;
	visit(a, 0, t, out, n, next);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state: see state.h. */
#include "core/domains/state.h"

#include <stdlib.h>

int domains_fail(struct domains *s, int code, const char *what, uint64_t id)
{
	return id ? call_fail(&s->call, code, what, id) : call_fail_as(&s->call, code, what);
}

/* ---- members ---- */

static void count_demand(struct domains *s, const struct member *m, int64_t width)
{
	for (uint32_t i = 0; i < s->n; i++) {
		if (m->in >> i & 1)
			s->v[i].demand += width;
	}
}

struct member *member_find(const struct domains *s, uint64_t id)
{
	return table_find(s->members, id);
}

struct member *member_add(struct domains *s, uint64_t id, uint64_t in, int32_t width)
{
	struct member *m = calloc(1, sizeof(*m));

	if (!m || table_insert(s->members, id, m) < 0) {
		free(m);
		return NULL;
	}
	*m = (struct member){ .id = id, .in = in, .width = width > 0 ? width : 0 };
	count_demand(s, m, m->width);
	return m;
}

void member_remove(struct domains *s, struct member *m)
{
	count_demand(s, m, -m->width);
	table_remove(s->members, m->id);
	free(m);
}

void member_move(struct domains *s, struct member *m, uint64_t in, int32_t width)
{
	count_demand(s, m, -m->width);
	m->in = in;
	m->width = width;
	count_demand(s, m, m->width);
}

struct domain *member_domain(struct domains *s, const struct member *m)
{
	uint32_t i = 0;

	while (!(m->in >> i & 1))
		i++;
	return &s->v[i];
}

/* ---- what is said to domains ---- */

/*
 * A call begins; false: its time is none. Whatever it does, what is waited for is told again at the next
 * drain, as an event asks it of any scheduler.
 */
bool domains_called(struct domains *s, int64_t now)
{
	call_begin(&s->call);
	if (now > PACT_END_OF_TIME) {
		domains_fail(s, PACT_EINVAL, "now: no time", 0);
		return false;
	}
	s->now = now > s->now ? now : s->now;
	s->told = false;
	return true;
}

void domain_touch(struct domains *s, struct domain *d)
{
	d->touched = true;
	d->now = s->now;
	d->wake = PACT_FOREVER;
}

int domain_event(struct domains *s, struct domain *d, const struct sched_event *ev)
{
	int rc;

	domain_touch(s, d);
	rc = d->of->engine->event(d->own, ev);
	if (rc != PACT_OK)
		domains_fail(s, rc, d->of->engine->error(d->own), 0);
	return rc;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state: see state.h. */
#include "core/beside/state.h"

/* ---- what is said to the engines ---- */

bool beside_called(struct beside *s, int64_t now)
{
	if (!call_begin_at(&s->call, now, &s->now))
		return false;
	s->told = false;
	return true;
}

int side_failed(struct beside *s, int side, int code)
{
	const struct side *x = &s->side[side];

	return call_fail_as(&s->call, code, x->engine->error(x->own));
}

int side_event(struct beside *s, int side, const struct sched_event *ev)
{
	struct side *x = &s->side[side];
	int rc;

	x->touched = true;
	x->now = s->now;
	x->wake = PACT_FOREVER;
	s->stale[side] = true;
	s->used |= side == PLAN;
	rc = x->engine->event(x->own, ev);
	return rc == PACT_OK ? rc : side_failed(s, side, rc);
}

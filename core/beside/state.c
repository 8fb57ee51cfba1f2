/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state: see state.h. */
#include "core/beside/state.h"

#include <stdio.h>

/* ---- what is said to the engines ---- */

int beside_fail(struct beside *s, int code, const char *what, uint64_t id)
{
	snprintf(s->error, sizeof(s->error), "%s (id %llu)", what, (unsigned long long)id);
	return code;
}

bool beside_called(struct beside *s, int64_t now)
{
	s->asked = s->spent = 0;
	s->error[0] = '\0';
	if (now < 0 || now > PACT_END_OF_TIME) {
		beside_fail(s, PACT_EINVAL, "time is none", 0);
		return false;
	}
	s->now = now > s->now ? now : s->now;
	s->told = false;
	return true;
}

int side_failed(struct beside *s, int side, int code)
{
	const struct side *x = &s->side[side];

	snprintf(s->error, sizeof(s->error), "%s", x->engine->error(x->own));
	return code;
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

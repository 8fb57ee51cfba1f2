/* SPDX-License-Identifier: GPL-2.0-or-later */
/* planner: see planner.h: room for as many jobs as wait, and for the actions that are decided. */
#include "core/planning/state/planner.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/array.h"

int planner_scratch_grow(struct planner *s, size_t n)
{
	size_t room = s->scratch_room ? s->scratch_room : 64;

	if (trial_fit(&s->trial, s->machine, n) < 0)
		return -1;
	while (room < n)
		room *= 2;
	if (array_grow(&s->order, room, sizeof(*s->order)) < 0 ||
	    array_grow(&s->sorted, room, sizeof(*s->sorted)) < 0 ||
	    array_grow(&s->fresh, room, sizeof(*s->fresh)) < 0 ||
	    array_grow(&s->list, room, sizeof(*s->list)) < 0)
		return -1;
	s->scratch_room = room;
	return 0;
}

int planner_fail(struct planner *s, int code, const char *what, uint64_t id)
{
	snprintf(s->call.error, sizeof(s->call.error), "%s (job %llu)", what,
		 (unsigned long long)id);
	return code;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trial: see trial.h. */
#include "core/planning/state/trial.h"

#include <stdlib.h>

#include "core/base/array.h"

#define ROOM_LEAST 64

static int make_plan(struct trial *d, const struct machine *m)
{
	if (!d->plan)
		d->plan = plan_create(m, 0);
	return d->plan ? 0 : -1;
}

int trial_fit(struct trial *d, const struct machine *m, size_t n)
{
	size_t room = d->room ? d->room : ROOM_LEAST;

	if (n <= d->room)
		return 0;
	while (room < n)
		room *= 2;
	if (make_plan(d, m) < 0 || array_grow(&d->at, room, sizeof(*d->at)) < 0 ||
	    array_grow(&d->touched, room, sizeof(*d->touched)) < 0 ||
	    array_grow(&d->items, room * 2, sizeof(*d->items)) < 0 ||
	    array_grow(&d->todo, room, sizeof(*d->todo)) < 0 ||
	    array_grow(&d->placed, room, sizeof(*d->placed)) < 0 ||
	    array_grow(&d->places, room, sizeof(*d->places)) < 0 ||
	    array_grow(&d->listed, room, sizeof(*d->listed)) < 0)
		return -1;
	for (size_t i = d->room; i < room; i++) {
		placement_init(&d->at[i]);
		d->touched[i] = false;
	}
	d->room = room;
	return 0;
}

void trial_release(struct trial *d)
{
	plan_destroy(d->plan);
	free(d->at);
	free(d->touched);
	free(d->items);
	free(d->todo);
	free(d->placed);
	free(d->places);
	free(d->listed);
}

size_t trial_bytes(const struct trial *d)
{
	size_t each = sizeof(*d->at) + sizeof(*d->touched) + 2 * sizeof(*d->items) +
		      3 * sizeof(struct job *) + sizeof(*d->listed);

	return d->room * each + (d->plan ? plan_bytes(d->plan) : 0);
}

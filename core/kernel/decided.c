/* SPDX-License-Identifier: GPL-2.0-or-later */
/* decided: see decided.h. A driver takes all there is before long: room at the front is used again once it is empty. */
#include "core/kernel/decided.h"

#include <stdlib.h>

#include "core/base/array.h"

void decided_release(struct decided *d)
{
	free(d->v);
}

size_t decided_bytes(const struct decided *d)
{
	return d->room * sizeof(*d->v);
}

int decided_grow(struct decided *d, size_t more)
{
	size_t room = 2 * d->n + more;

	if (array_grow(&d->v, room, sizeof(*d->v)) < 0)
		return -1;
	d->room = room;
	return 0;
}

void decided_add(struct decided *d, const struct sched_action *a)
{
	d->v[d->n++] = *a;
}

int decided_push(struct decided *d, const struct sched_action *a)
{
	if (decided_reserve(d, 1) < 0)
		return -1;
	decided_add(d, a);
	return 0;
}

bool decided_join(struct decided *d, const struct engine *inside, void *own, uint64_t id)
{
	struct sched_action a;

	while (decided_reserve(d, 1) == 0 && inside->poll(own, &a)) {
		decided_add(d, &a);
		if (a.id == id && (a.type == ACT_ACCEPT || a.type == ACT_REFUSE))
			return a.type == ACT_REFUSE;
	}
	return false;
}

struct sched_action *decided_last(struct decided *d)
{
	return decided_none(d) ? NULL : &d->v[d->n - 1];
}

void decided_undo(struct decided *d)
{
	d->n--;
}

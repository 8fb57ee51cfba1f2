/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ends: see ends.h. */
#include "sim/run/ends.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/sched.h"

static bool before(const struct end *a, const struct end *b)
{
	return a->at != b->at ? a->at < b->at : a->job < b->job;
}

int ends_add(struct ends *h, struct end e)
{
	size_t i = h->n;

	if (i == h->room) {
		size_t room = i ? 2 * i : 256;
		struct end *grown = realloc(h->v, room * sizeof(*grown));

		if (!grown)
			return PACT_ENOMEM;
		h->v = grown;
		h->room = room;
	}
	h->n++;
	for (; i > 0 && before(&e, &h->v[(i - 1) / 2]); i = (i - 1) / 2)
		h->v[i] = h->v[(i - 1) / 2];
	h->v[i] = e;
	return PACT_OK;
}

void ends_take(struct ends *h)
{
	struct end e = h->v[--h->n];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < h->n) {
		if (child + 1 < h->n && before(&h->v[child + 1], &h->v[child]))
			child++;
		if (!before(&h->v[child], &e))
			break;
		h->v[i] = h->v[child];
		i = child;
	}
	h->v[i] = e;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hull: the least span of time that covers several. */
#ifndef PACT_CORE_HULL_H
#define PACT_CORE_HULL_H

#include <stdbool.h>
#include <stdint.h>

/* Times [from, until); none when from >= until. */
struct hull {
	int64_t from, until;
};

static inline bool hull_none(const struct hull *h)
{
	return h->from >= h->until;
}

/* It covers [from, until), too, from now on; nothing changes when that is empty. */
static inline void hull_add(struct hull *h, int64_t from, int64_t until)
{
	bool first = hull_none(h);

	if (from >= until)
		return;
	h->from = first || from < h->from ? from : h->from;
	h->until = first || until > h->until ? until : h->until;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * news: what has happened to the jobs and the room for them, for a policy that keeps more than the plan. What
 * makes it happen notes it here and knows no policy; a policy looks when it needs to know, and compares
 * with what it saw last. All counts only grow. Internal to core.
 */
#ifndef PACT_CORE_NEWS_H
#define PACT_CORE_NEWS_H

#include <stdint.h>

#include "core/base/hull.h"

struct news {
	uint64_t rooms;		/* holds gave or took room, maybe for no time at all */
	uint64_t spans;		/* of these, for some time: */
	struct hull more, less; /* within these times, since news_room_seen() */
	uint64_t places; /* waiting jobs got places, but not in the turn that a pass gives them */
	uint64_t order;	 /* a job stands where its turn would not put it */
	uint64_t keys;	 /* a waiting job has another id or priority */
};

/* Holds gave room in [from, until) (sign 1), or took some (-1), or both (0). */
static inline void news_room(struct news *n, int64_t from, int64_t until, int sign)
{
	n->rooms++;
	n->spans += from < until;
	if (sign >= 0)
		hull_add(&n->more, from, until);
	if (sign <= 0)
		hull_add(&n->less, from, until);
}

/* The spans of time told so far are known. */
static inline void news_room_seen(struct news *n)
{
	n->more = n->less = (struct hull){ 0, 0 };
}

#endif

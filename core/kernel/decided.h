/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decided: the actions that an engine has decided, in the order in which it did, until its driver has taken them by
 * next() or poll() (engine.h). Zeroed: there are none, and no memory. Internal to core.
 */
#ifndef PACT_CORE_DECIDED_H
#define PACT_CORE_DECIDED_H

#include <stdbool.h>
#include <stddef.h>

#include "core/kernel/engine.h"
#include "core/kernel/protocol.h"

struct decided {
	struct sched_action *v; /* v[first .. n) are not taken yet */
	size_t first, n, room;
};

void decided_release(struct decided *d);
size_t decided_bytes(const struct decided *d);

/* Is none left to be taken? */
static inline bool decided_none(const struct decided *d)
{
	return d->first == d->n;
}

/* The first that was not taken yet, which now is; false: there is none. What it points to is borrowed as ever. */
static inline bool decided_take(struct decided *d, struct sched_action *a)
{
	if (decided_none(d))
		return false;
	*a = d->v[d->first++];
	return true;
}

/* Of decided_reserve() what is rare. */
int decided_grow(struct decided *d, size_t more);
/* Room for so many more than there are. 0 or -1: no memory, no effect. */
static inline int decided_reserve(struct decided *d, size_t more)
{
	if (decided_none(d))
		d->first = d->n = 0;
	return d->n + more <= d->room ? 0 : decided_grow(d, more);
}

/* One more, a copy, for which there is room. */
void decided_add(struct decided *d, const struct sched_action *a);
/* The two in one. 0 or -1: no memory, no effect. */
int decided_push(struct decided *d, const struct sched_action *a);

/* The answer to a submission or a change of that id. */
static inline struct sched_action decided_answer(uint64_t id, const struct sched_decision *d)
{
	return (struct sched_action){ .type = d->accepted ? ACT_ACCEPT : ACT_REFUSE,
				      .id = id,
				      .end = d->end,
				      .decision = *d };
}

/*
 * What an engine inside this one has decided joins these, up to its answer about that id. True: that is a refusal, the
 * last of these. False: it accepts, has no answer, or there is no memory for more now.
 */
bool decided_join(struct decided *d, const struct engine *inside, void *own, uint64_t id);

/* The latest of those that are not taken yet; NULL: there is none. Good until the next one is added. */
struct sched_action *decided_last(struct decided *d);
/* That one, of which there is one, was not decided after all. */
void decided_undo(struct decided *d);

#endif

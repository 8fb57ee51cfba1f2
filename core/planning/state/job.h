/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job: a waiting job as the schedulers see it. Internal to core: drivers know struct sched_job and
 * struct sched_view only.
 */
#ifndef PACT_CORE_JOB_H
#define PACT_CORE_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/capacity/plan.h"

/*
 * A member that is added here and counts for decisions has to be told by save.c.
 *
 * What an attempt of an admission reads of each job stands first, in one cache line; next what it reads of
 * some; and what every admission writes stands last.
 */
struct job {
	/*
	 * What admission must not break: the deadline of a promised job; else the artificial deadline,
	 * or the planned end if that is already later (doc/design.md, promise 4: such a job moves).
	 */
	int64_t due;
	size_t slot; /* its index in the queue; new in a search: behind it; SIZE_MAX: in neither */
	uint64_t id;
	struct request req; /* not_before is the begin time; duration is limit + guard */
	int64_t submit;
	struct placement place;
	int64_t deadline;   /* asked for; 0: none */
	int64_t artificial; /* QoPS, section 4.2, for a job without a promise; 0: not yet set */
	bool promised;
	bool starting;	 /* an ACT_START is out */
	bool failed;	 /* could not be started in this pass */
	bool unreserved; /* it has no place: nothing is kept free for it */
	bool broken;	 /* promised, and at present not to be kept */
	bool unconfirmed;
	bool opaque;
	bool retried;	/* opaque: tried with its least, too */
	bool needed;	/* its deadline is that of a promised job which waits for it */
	bool came;	/* it has just been submitted, and no policy has taken note of that */
	uint8_t marked; /* the policy's, within a step */
	int32_t most; /* at its start: nodes that it can use, above its width; 0: it has no range */

	int64_t limit;
	int64_t eligible;
	int64_t least;	 /* it may be started with as little; 0: with its limit only */
	int64_t whole;	 /* duration with its limit and guard */
	int64_t granted; /* what it is being started with instead; 0: its limit */
	int64_t priority;
	union {
		int64_t n;
		size_t at;
	} own;	       /* the policy's: what it is, the policy alone knows */
	size_t at;     /* its index in the pass's list, if it is in it */
	size_t entry;  /* its index in the agenda, while that is fresh */
	uint32_t rank; /* in planned start order, while an admission runs; see mrt.c, too */
	uint32_t
		urgency; /* in the heuristic's order at the last admission, from 1; 0: it had none */
};

/* By submission, then id. */
static inline bool job_arrived_before(const struct job *a, const struct job *b)
{
	return a->submit != b->submit ? a->submit < b->submit : a->id < b->id;
}

/* By planned start, then as above. */
static inline bool job_starts_before(const struct job *a, const struct job *b)
{
	if (a->place.start != b->place.start)
		return a->place.start < b->place.start;
	return job_arrived_before(a, b);
}

/* By priority, the highest first, then as above. */
static inline bool job_ranks_before(const struct job *a, const struct job *b)
{
	return a->priority != b->priority ? a->priority > b->priority : job_arrived_before(a, b);
}

#endif

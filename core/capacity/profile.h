/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profile: the free capacity of one class of interchangeable nodes over time.
 *
 * A profile is a step function free(t) over [origin, forever), in whole nodes and whole seconds.
 * Invariants: breakpoints are strictly increasing in time; neighbouring steps differ in value
 * (equal ones are merged at once, so that undoing an operation restores the very same function
 * and size).
 *
 * That counts suffice, and no node names are needed, follows from interval graphs: whole-node
 * jobs given nodes in start order always find enough free ones wherever free(t) was never
 * exceeded.
 *
 * Values may go negative through profile_add(): nodes that are lost under planned jobs. A
 * negative step is a step on which nothing fits.
 *
 * Times lie within 2^61 of 0 (differences of two must not overflow), or are PACT_FOREVER.
 *
 * All operations are O(log breakpoints) or better, but for profile_copy(), which is two memcpy().
 * profile_earliest() may enter parts of the profile in vain; a filter keeps them few (about 4 among
 * 30,000 in the benchmark).
 *
 * Questions do not change the function, but what the profile knows about itself: one thread at a time. But
 * several may copy from one, or build from it, at once.
 */
#ifndef PACT_CORE_PROFILE_H
#define PACT_CORE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/time.h"

struct profile;

/*
 * A profile with `free` nodes at every time from `origin` on.
 * Returns NULL when memory is short. The caller owns it.
 */
struct profile *profile_create(int64_t origin, int32_t free);
void profile_destroy(struct profile *p);

/* Make dst equal to src. 0, or -1 when memory is short (dst is then unchanged). */
int profile_copy(struct profile *dst, const struct profile *src);

/* From `time` on, `delta` more nodes are free. */
struct profile_change {
	int64_t time;
	int32_t delta;
};

/*
 * Make dst equal to src with n changes in any order (several may share a time; those before the origin
 * count from it). `change` is lost, and `scratch`, with room for n + 1 changes. dst is another profile than
 * src. O(steps of src + n log n), much less per change than profile_add(), least where changes annul each
 * other, lie at steps of src or are in order of time. 0, or -1 when memory is short (dst is then unchanged).
 */
int profile_build(struct profile *dst, const struct profile *src, struct profile_change *change,
		  size_t n, void *scratch);

/* From `time` on, until the next step, so many nodes are free. */
struct profile_step {
	int64_t time;
	int32_t free;
};

/* All steps in order, profile_steps() of them. */
void profile_list(const struct profile *p, struct profile_step *step);

/*
 * Make dst have these n >= 1 steps, in order of time; neighbours may be equal. It is over the same machine
 * as `like`, which may be dst. 0, or -1 when memory is short (dst is then unchanged).
 */
int profile_set(struct profile *dst, const struct profile *like, const struct profile_step *step,
		size_t n);

/*
 * Add `delta` (may be negative) to every step in [start, end); end may be PACT_FOREVER. Times
 * before the origin are cut off. An empty interval is no error. No check of capacity. 0, or -1
 * when memory is short (no effect then).
 */
int profile_add(struct profile *p, int64_t start, int64_t end, int32_t delta);

/* The least number free anywhere in [start, end). INT32_MAX for an empty interval. */
int32_t profile_min(const struct profile *p, int64_t start, int64_t end);

/* free(t). */
int32_t profile_at(const struct profile *p, int64_t t);

/*
 * The earliest time t >= from such that at least `n` nodes are free during all of [t, t +
 * duration). duration may be PACT_FOREVER ("until the end of time"); a duration of 0 counts as 1.
 * PACT_FOREVER when there is none.
 */
int64_t profile_earliest(const struct profile *p, int64_t from, int64_t duration, int32_t n);
/* The same, but PACT_FOREVER when it is later than `latest`, behind which nothing is looked at. */
int64_t profile_earliest_by(const struct profile *p, int64_t from, int64_t latest, int64_t duration,
			    int32_t n);

/*
 * profile_earliest() into *start, and n less are free from there on for `duration` if that is over by `by`.
 * 0; 1: it is not, or there is no such time, and nothing is changed; -1: no memory, no effect.
 */
int profile_place(struct profile *p, int64_t from, int64_t duration, int32_t n, int64_t by,
		  int64_t *start);

/*
 * The end of the last step that overlaps [start, end) and has at most `n` nodes free, or `start`
 * when there is none. PACT_FOREVER when that step never ends. A search over several classes jumps
 * by it: no window that begins before that end has more than n free throughout.
 */
int64_t profile_last_at_most(const struct profile *p, int64_t start, int64_t end, int32_t n);

/*
 * The steps from the one that holds t on (t before the origin: from the first), where they lie: they stand
 * until the profile changes. Returns how many, at least 1, and may stop short; *behind: where the next one
 * begins, PACT_FOREVER: there is none.
 */
size_t profile_look(const struct profile *p, int64_t t, const int64_t **time, const int32_t **free,
		    int64_t *behind);

/* The first breakpoint later than t, or PACT_FOREVER. */
int64_t profile_next_change(const struct profile *p, int64_t t);

/*
 * Forget everything before t; the origin becomes t. No effect when t is not later than the
 * origin.
 */
void profile_advance(struct profile *p, int64_t t);

/* Number of breakpoints (steps), and bytes held; for tests, benchmarks and bounds. */
size_t profile_steps(const struct profile *p);
size_t profile_bytes(const struct profile *p);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wishes.h - what the planner wants of a running job's nodes, done or asked for
 *
 * Nodes are given at once, and taken at once or with notice.  What was done or is wanted stands as a word in the job's
 * AdminComment (client/wish.h), which the job reads and slurmctld saves.  All under resize_locks, without the bridge's mutex.
 */
#ifndef PACT_SLURM_WISHES_H
#define PACT_SLURM_WISHES_H

#include "slurm/records/malleable.h"
#include "slurm/resizing/resize.h"

enum wishes_rc {
	WISHES_RESIZED, /* it has what it was to have, but for nodes that are being cleaned up after others */
	WISHES_LEAVING, /* it was told, or its nodes are being cleaned up: it has them until its record says otherwise */
	WISHES_REFUSED, /* nothing was done, */
	WISHES_DENIED,	/* nor is any other growth for a while (resize.h, RESIZE_DENIED), */
	WISHES_NEVER,	/* nor would it be another time (resize.h, RESIZE_NEVER) */
	WISHES_BUSY,	/* nor was now: all that it was to get are being cleaned up */
	WISHES_AWAY,	/* nor is any growth, as long as slurmdbd is away */
};

/*
 * IN to - nodes that it is to have, by their number in Slurm's table: some of its own, or its own and others
 * IN by - seconds since the epoch; what it is to give back it has until then. Not later than now: it is taken. What it was
 *	asked for before is due when it was, unless it is in `to` now
 * OUT has - RESIZED, BUSY: its nodes, those too that it has given back and that are not clean yet; the caller's, NULL for want of
 *	memory; else NULL
 * OUT cleans - of these, how many are not clean yet
 */
enum wishes_rc wishes_ask(uint32_t job_id, const struct nodeset *to, int64_t by,
			  struct nodeset **has, uint32_t *cleans);

/*
 * Its notice is over: what it has not given back is taken, as far as that is due.
 * RET WISHES_LEAVING; WISHES_BUSY: not just now, it is to be tried again; WISHES_NEVER: it is asked for them no more, as
 * they cannot be taken; WISHES_RESIZED: there is nothing to be taken, or not yet
 */
enum wishes_rc wishes_take(uint32_t job_id);

/*
 * It was begun by another than us (malleable_begin()), and has this: what an earlier run was asked for is not wanted of it.
 */
void wishes_begun(uint32_t job_id, const struct malleable_run *run);

/* It is resized no more, and asked for nothing: when it is again, nothing is taken by a notice of long ago. */
void wishes_drop(uint32_t job_id);

#endif /* PACT_SLURM_WISHES_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wind_down.h - jobs that were stopped for another one's turn, where jobs take no turns any more
 *
 * After Gang=off, a partition's OverSubscribe without FORCE, or select/linear again, nothing resumes them as before; nor those of
 * a partition that lost nodes while they were there (sync_running.h).  What runs goes on to its end, and each of the others goes
 * on, in the order in which they began, when none that was there before it has any of its nodes.  So no two of them run on a
 * node at once, and none stays stopped.
 */
#ifndef PACT_SLURM_WIND_DOWN_H
#define PACT_SLURM_WIND_DOWN_H

#include "slurm/snapshot/snapshot.h"

/*
 * Resume those whose nodes are free by now; in the snapshot the end of each that waits becomes when it will have had the
 * rest of its limit.  It takes slurmctld's locks, a job at a time: none may be held.
 */
void wind_down(struct snapshot *snap);

/* A new controller has seen none yet. */
void wind_down_begin(void);

#endif /* PACT_SLURM_WIND_DOWN_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_readmit.h - promises withdrawn by what the record shows, and made again
 */
#ifndef PACT_SLURM_SYNC_READMIT_H
#define PACT_SLURM_SYNC_READMIT_H

#include "slurm/sync/sync_job.h"

/* Does no scheduler of its partitions make promises?  The one of the last, or NULL. */
const char *sync_unpromising(const struct sync *s, const struct snap_job *j);

/* Is it a job whose promise was withdrawn, and nothing stands against another one? */
bool sync_may_readmit(const struct sync *s, const struct snap_job *j);

/*
 * A job that was held, and was promised before that, is released: a new
 * admission.  RET true: accepted; its tracks wait.
 */
bool sync_readmit(struct sync *s, const struct snap_job *j, struct track **tracks,
		  struct sched_job *jobs, size_t n);

/*
 * A promised job that was held, waits for what never comes, is over a limit now, or
 * got a scheduler that makes no promises: the promise is withdrawn; told and counted where the record shows it (publish.c).
 */
void sync_withdraw(struct sync *s, const struct snap_job *j);

/*
 * Requeued by hand when it was over: what was promised is in the books.  It is admitted anew, as if
 * released.
 */
void sync_reopen(struct sync *s, const struct snap_job *j);

/*
 * A job that was held, whose place was kept since a promise waits for it: it is promised again where
 * it is.  To withdraw it and to admit it anew would let others into its place meanwhile.
 * RET false: it is for sync_readmit() to decide
 */
bool sync_readmit_in_place(struct sync *s, const struct snap_job *j);

#endif /* PACT_SLURM_SYNC_READMIT_H */

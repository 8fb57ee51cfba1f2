/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_confirm.h - accepted submissions meet their records
 */
#ifndef PACT_SLURM_SYNC_CONFIRM_H
#define PACT_SLURM_SYNC_CONFIRM_H

#include "slurm/sync/sync_job.h"

/*
 * The record of an accepted submission is over, or held, before any snapshot has shown it: its tasks
 * give up the places held for them.
 */
void sync_forgo(struct sync *s, const struct snap_job *j);

/*
 * The record of an accepted submission has shown up: its tasks take the places held for them.  Those
 * of an array may have several records by now, of which each takes its own.
 */
void sync_confirm(struct sync *s, const struct snap_job *j);

/* All records have taken what they have. */
void sync_end_confirmed(struct sync *s);

/*
 * An accepted submission whose RPC ended before this snapshot was begun, or long ago, and no
 * record.
 */
void sync_drop_unconfirmed(struct sync *s);

#endif /* PACT_SLURM_SYNC_CONFIRM_H */

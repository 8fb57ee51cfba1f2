/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * updates.h - what a pass wants written into slurmctld's records when it is over
 *
 * All with the mutex.
 */
#ifndef PACT_SLURM_UPDATES_H
#define PACT_SLURM_UPDATES_H

#include "slurm/state/bridge.h"

/*
 * A promise cannot be kept any more (lost), or can after all: noted in the
 * token, logged, counted, once.
 * IN end - planned completion, or PACT_FOREVER
 */
void updates_promise(struct bridge *b, struct track *track, bool lost, int64_t end);

/*
 * Have a token's state, and a text, written into a record; copied.  Memory that is short
 * drops it.
 */
void updates_add(struct bridge *b, const struct record_update *update);

#endif /* PACT_SLURM_UPDATES_H */

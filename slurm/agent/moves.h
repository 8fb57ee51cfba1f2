/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * moves.h - jobs are asked to leave their nodes, or left alone
 *
 * The core's wish (ACT_MIGRATE) is noted, and the job asked as soon as that is sure to reach it. What comes of it is seen
 * in its record (records/move.h) and told to the core by sync_moves.h. A controller that dies between two of these knows from
 * the record what it had asked; what it had only noted the core wishes again.
 */
#ifndef PACT_SLURM_MOVES_H
#define PACT_SLURM_MOVES_H

#include "slurm/state/bridge.h"

/* The core wants it elsewhere, and is answered. With the mutex. */
void moves_note(struct bridge *b, uint64_t core);

/*
 * Those that are over already, and run by their records: Slurm ends them. It takes slurmctld's locks: neither these nor the
 * mutex may be held.
 * RET whether there was any: the snapshot is stale
 */
bool moves_gone(const struct snapshot *snap);

/*
 * Of those that ran when this controller came up: are they there still? One that has left its nodes when the one before died
 * has a record that may not say so. With the mutex, which is given up between.
 */
void moves_find(struct bridge *b, const struct snapshot *snap);

/* Those that were noted, are in the snapshot, and have their turn. With the mutex, which is given up between. */
void moves_ask(struct bridge *b, struct snapshot *snap);

/*
 * Those that have had their time and are there still stay; the snapshot says so, too. Of none it is said before it is known to
 * be there (moves_find()). It takes slurmctld's locks: neither these nor the mutex may be held.
 */
void moves_give_up(struct bridge *b, struct snapshot *snap);

/* The next pass comes no later than something of this is due. With the mutex. */
void moves_wake(struct bridge *b, const struct snapshot *snap);

#endif /* PACT_SLURM_MOVES_H */

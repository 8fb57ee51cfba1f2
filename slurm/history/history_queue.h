/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_queue.h - entries on their way into the database
 *
 * The queue's lock is held for a few instructions at a time, by the thread that
 * writes too: a decision never waits for a disk.  Its settings, its status and its
 * end are in history.h.  Internal to slurm/history.
 */
#ifndef PACT_SLURM_HISTORY_QUEUE_H
#define PACT_SLURM_HISTORY_QUEUE_H

#include "slurm/history/history.h"

/* An entry and the texts that it points to. */
struct history_item {
	struct history_item *next;
	struct history_entry entry;
	struct ledger_decision decision;
	struct ledger_outcome outcome;
	struct history_live *live; /* malloc()ed, or NULL */
	struct history_past past;
	struct history_resize resize;
	struct ledger_job owner; /* of that: its texts */
};

/* Off, an entry need not even be copied. */
bool history_is_on(void);

/*
 * Taken over, malloc()ed; NULL, as there was no memory for it, counts as lost.  Blocks on nothing.
 * The thread and the database are begun with the first entry, so only by the controller in charge.
 */
void history_push(struct history_item *item);

#endif /* PACT_SLURM_HISTORY_QUEUE_H */

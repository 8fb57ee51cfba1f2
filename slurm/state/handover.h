/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * handover.h - what a slurmctld hands to the one that a reconfiguration starts in its place
 *
 * From Slurm 23.11 on `scontrol reconfigure` and SIGHUP start a new process.  Promises, dynP's policy and
 * the history are in files or in slurmctld's records; what is in memory alone goes through one more
 * file of StateSaveLocation, HANDOVER_FILE (doc/formats.md): the counters (tally.h, running_policy.h) and
 * what `pact record` asked for (recorder.h).
 *
 * The old process writes it when its scheduler is stopped, and lives until the new one has
 * begun, or is the new one itself (slurmctld -D).  So a file whose writer has ended is an older
 * life's, and is left alone: after a restart counting begins with 0.  If the new process fails, the old one goes on
 * with what it has in memory.
 */
#ifndef PACT_SLURM_HANDOVER_H
#define PACT_SLURM_HANDOVER_H

#include <stddef.h>

#include "slurm/state/bridge.h"

#define HANDOVER_FILE "pact_handover"
/* Bytes that its text takes at most. */
#define HANDOVER_SIZE 8192

/* What this process would hand over, as the file's text.  With the mutex. */
void handover_tell(struct bridge *b, char text[HANDOVER_SIZE]);

/* Write that.  No lock held: the disk may take its time. */
void handover_write(const char text[HANDOVER_SIZE]);

/*
 * Add what the process before has handed over, once in the life of this one, and remove the file.  Called in
 * the scheduler's init(), before anybody can ask for the counters.  Takes the mutex.
 */
void handover_take(struct bridge *b);

#endif /* PACT_SLURM_HANDOVER_H */

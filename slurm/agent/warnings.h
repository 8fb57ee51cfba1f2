/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * warnings.h - jobs that take turns are warned of their ends, if they want that (sbatch --signal)
 *
 * Slurm looks twice a minute at what runs just then, and where slices divide half a minute that may never be one row's turn; and
 * slurmstepd drops a signal that meets a suspension, or a resumption that is not done yet. So the bridge sends it in the job's own turn,
 * away from its ends, and before Slurm would: up to a minute early, as sbatch(1) says of it.
 */
#ifndef PACT_SLURM_WARNINGS_H
#define PACT_SLURM_WARNINGS_H

#include "slurm/state/bridge.h"

/* What counts for a warning. Seconds, or times. */
struct warnings_turn {
	int64_t slice;
	int64_t since;	 /* the job runs since then */
	int64_t end;	 /* by its record, if it is not stopped */
	int64_t warning; /* so long before its end it wants it */
	int64_t next;	 /* turns are taken next; 0: not known */
};

/* How long a job runs, in a slice of so many seconds (without SwitchGap), before a signal is sure to reach it; and how long it is to run on. */
int64_t warnings_after(int64_t slice);
int64_t warnings_before(int64_t slice);

/* When it is sent; in a later turn, if that is not before `next`. */
int64_t warnings_due(const struct warnings_turn *turn, int64_t now);

/* A new controller: what runs by its records nodes may have stopped, and are told so first. */
void warnings_begin(void);

/*
 * Those that are due; the next pass comes no later than another one is. With the mutex, which is given up between.
 * IN next - when turns are taken next; 0: not known
 */
void warnings_send(struct bridge *b, struct snapshot *snap, int64_t next);

#endif /* PACT_SLURM_WARNINGS_H */

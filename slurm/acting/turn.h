/* SPDX-License-Identifier: GPL-2.0-or-later */
/* turn.h - one job has its turn on its nodes, or another one has */
#ifndef PACT_SLURM_TURN_H
#define PACT_SLURM_TURN_H

#include <stdbool.h>
#include <stdint.h>

#include "slurm/base/compat.h"

/* Under which it is done: jobs and nodes, to write. */
extern const slurmctld_lock_t turn_locks;

/*
 * Suspend a running job of another job's turn, or resume it for its own; a job that is so already stays so.
 * IN end - when it is expected to end, which a suspended one shows; PACT_FOREVER: not known
 * RET false: nothing was done (it is over, is only beginning, or was suspended by hand)
 */
bool turn_take(uint32_t job_id, bool suspend, int64_t end);

/*
 * How early Slurm may send the signal that a job wants some time before its end, seconds; and how much earlier than that it is sent to
 * one that takes turns.
 */
#define TURN_SLURM_WARNS PERIODIC_TIMEOUT
#define TURN_WARNS (TURN_SLURM_WARNS + 15)

/*
 * Send that signal to one that runs and is to have it by now: once, as Slurm marks it. Nothing is waited for.
 * IN after - not if it has been running for fewer seconds since it was resumed, or started
 * RET whether it was sent
 */
bool turn_warn(uint32_t job_id, int64_t after);

/*
 * As long as it is suspended its record ends then: Slurm counts that anew when it goes on.  Job write lock.
 * IN end - as above
 */
void turn_show_end(uint32_t job_id, int64_t end);

/*
 * Tell the job's nodes once more whether it runs: Slurm tells each only once, and its saved records may be older than
 * what nodes were told last.
 * RET whether a message was sent
 */
bool turn_repeat(uint32_t job_id);

#endif /* PACT_SLURM_TURN_H */

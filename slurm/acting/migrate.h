/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * migrate.h - a job is asked to leave its nodes, so that it can be started on others
 *
 * By its signal to the batch step. What becomes of it is seen in its record (move.h). All under turn_locks.
 */
#ifndef PACT_SLURM_MIGRATE_H
#define PACT_SLURM_MIGRATE_H

#include <stdbool.h>
#include <stdint.h>

enum migrate_rc {
	MIGRATE_ASKED, /* the signal is on its way: Slurm sends it when it finds the time to */
	MIGRATE_LATER, /* it does not run just now, or is leaving */
	MIGRATE_NEVER, /* it is over, or not one that may be asked */
};

/* Nothing is waited for. One that was asked before is asked once more; its time counts from the first one. */
enum migrate_rc migrate_ask(uint32_t job_id);

/*
 * Is it there still? Its end may have been lost with the slurmctld before this one, and Slurm looks for jobs that are missing
 * only when their nodes register, half an hour later. So the one that its batch script runs on is asked to, soon: if that does
 * not have the job Slurm requeues it.
 * RET false: it does not run just now
 */
bool migrate_find(uint32_t job_id);

/* It has not left its nodes in time, and is left alone from now on. */
void migrate_give_up(uint32_t job_id);

#endif /* PACT_SLURM_MIGRATE_H */

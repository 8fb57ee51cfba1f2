/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * give_back.h - nodes that a running job has given back, until its processes and its epilog there have ended
 *
 * Slurm calls such a node idle at once, and starts another job there while the epilog of the first still
 * runs. Here it is COMPLETING, which keeps it from any job, and shows to users as what it is. Its slurmd is
 * asked to end the job there as at a job's end, and Slurm makes the node idle by itself when that slurmd
 * says that the epilog has ended: no time is guessed, but where the job waits again or is forgotten, so that
 * Slurm drops the answer. (What Slurm sends by itself, REQUEST_ABORT_JOB, has no such answer.)
 *
 * slurmd is asked only after Slurm has saved that the node is no longer the job's: to a controller that had
 * died in between and does not know it, the answer would take the node from a job that has it. A slurmd
 * that does not answer is asked again; and so is one that registers meanwhile, or that Slurm took for down
 * and has back while the job still runs, as Slurm takes the node for clean by that. Which nodes these are
 * stands in the job's record (malleable.h), and in a file of StateSaveLocation, GIVE_BACK_FILE
 * (doc/formats.md), as the job may be forgotten before they are clean: after a restart of slurmctld they are
 * asked anew.
 *
 * Everything under slurmctld's job lock, but give_back_ask(), give_back_begin() and give_back_write().
 */
#ifndef PACT_SLURM_GIVE_BACK_H
#define PACT_SLURM_GIVE_BACK_H

#include <stdbool.h>
#include <stdint.h>

#include "slurm/base/compat.h"

struct nodeset;

#define GIVE_BACK_FILE "pact_leaving"
#define GIVE_BACK_FORM "pact leaving 1\n" /* its first line */

/* This process has come to be in charge: what it knows is out of date, and the file is read by the next give_back_ask(). */
void give_back_begin(void);

/* What the file does not have yet is written: before Slurm saves that these nodes are no longer the job's. Without locks. */
void give_back_write(void);

/*
 * Take the nodes from the job, which keeps others. resize_locks.
 * IN nodes - its own
 */
void give_back(job_record_t *job, bitstr_t *nodes);

/*
 * Find out what has been cleaned up by now. To be called before jobs are started, in the same hold:
 * resize_locks. It costs nothing when nothing was given back.
 */
void give_back_settle(void);

/*
 * Ask the slurmds of what was given back since the last call, after saving the jobs; and those that have
 * not answered in a minute again. It takes slurmctld's locks: none may be held, nor the bridge's mutex. At
 * once after resize_shrink(), and in each pass before anything is started.
 */
void give_back_ask(void);

/* Is there something to be asked? Any lock, or none. */
bool give_back_asks(void);

/* Has give_back_settle() something to look for: nodes that are not clean yet, or were not a moment ago, or that are down no more? Read locks for jobs and nodes. */
bool give_back_any(void);

/*
 * Were slurmds asked within this second to end the job on nodes that it has left? To them messages of the same
 * second are the old job's: what it is sent there now would be taken for what they have ended. Where they were asked
 * twice, or before slurmctld was started, too: have they been, or have they answered, within some seconds? A second
 * answer would take a node from it that it has again. Job read lock.
 */
bool give_back_asked_now(uint32_t job_id);

/*
 * The nodes that this job has given back and that are not clean yet: to a planner they are still the job's. None that is down.
 * RET the caller's to free; NULL: there are none
 */
bitstr_t *give_back_of(uint32_t job_id);

/* Put those into `nodes`, of which the caller knows that the job has them. RET how many it did not have. Job read lock. */
uint32_t give_back_add(uint32_t job_id, struct nodeset *nodes);

#endif /* PACT_SLURM_GIVE_BACK_H */

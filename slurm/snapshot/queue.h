/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue.h - what may run now, in Slurm's words
 *
 * That needs the write lock, because it also updates reasons and accrue times;
 * so nothing else is done under it but copying what is said.  Records are asked
 * one by one (runnable.h), and the locks given up every few milliseconds: what
 * is said of one record does not depend on when the others are asked, and a caller that
 * uses it asks the record again when it comes to a start.  What was said of a record
 * that is changed meanwhile, to another partition say, no longer counts.
 *
 * Which records there are is noted first, by job id.  One that has gone when its
 * turn comes is passed over; one that came after that is for the next pass, which
 * its coming causes.  Only arrays that are to be split for a burst buffer, or to
 * depend on another array task by task, are left to build_job_queue(), in one piece;
 * but not in every pass while it splits none, for having split enough for now.
 */
#ifndef PACT_SLURM_QUEUE_H
#define PACT_SLURM_QUEUE_H

#include "slurm/base/compat.h"
#include "slurm/base/texts.h"

/* How a job may be started: one entry of Slurm's queue. */
struct entry {
	const char *part; /* of the texts given to queue_take() */
	uint32_t priority;
	uint32_t resv_id; /* 0: none */
	uint32_t qos_id;  /* 0: the job's only one, or none */
	bool inside;	  /* on the nodes of a reservation, outside the plan */
	bool prefer;
};

/* One job's entries, in Slurm's order. */
struct run {
	uint32_t job_id; /* of the record */
	uint32_t nentries;
	uint64_t print; /* snapshot_print() of the record when it was asked */
	const struct entry *entries;
	int64_t priority; /* the best of them: reservation, tier, priority */
};

struct queue;

/*
 * For the planning thread.  It takes and releases slurmctld's locks, several times:
 * none may be held.  RET NULL: no memory
 */
struct queue *queue_take(struct texts *texts);
void queue_destroy(struct queue *queue);

/*
 * A record's part, or NULL: it may not run, or was changed after it was asked.
 * print - its snapshot_print() now.  O(log n)
 */
const struct run *queue_find(const struct queue *queue, uint32_t job_id, uint64_t print);

#endif /* PACT_SLURM_QUEUE_H */

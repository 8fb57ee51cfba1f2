/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resize_log.h - what became of running jobs' nodes, for the history: by which request, with which notice, for which job
 *
 * A change of a job's nodes shows in its record long after it was asked for, and the record does not say by whom. So requests
 * are noted here until the change shows: the latest RESIZE_LOG of them, none older than a day. What is not known of one (it
 * was before slurmctld was started) is left out of the history, the change itself is not.
 *
 * With a lock of its own, held for a few instructions: from any thread.
 */
#ifndef PACT_SLURM_RESIZE_LOG_H
#define PACT_SLURM_RESIZE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RESIZE_LOG 1024

/* A job, its nodes before and now; the texts may be NULL. */
struct resize_change {
	uint32_t job, uid;
	const char *account, *partition;
	uint32_t was, has;
	int64_t now; /* seconds */
};

/* Nodes that a job is asked for by several times, as its record has them (wish.h). */
#define RESIZE_CALLS 9

struct resize_call {
	int64_t by;	 /* due then */
	uint32_t wanted; /* so many nodes it is to have by then */
};

/*
 * This is what it is asked for now, n calls, the first due first, and until each is due it has what it has. Of those that
 * are noted it was asked before: the others it was asked for now, and what is not among them it may keep.
 * IN for_job - these others are for that one; 0: not for one
 * IN held - microseconds of slurmctld's locks
 */
void resize_log_called(uint32_t job, const struct resize_call *calls, size_t n, int64_t now,
		       uint32_t for_job, int64_t held);

/* Nodes were taken from it, which then had so many: at once, for that job, or as the notice of some was over. */
void resize_log_taken(uint32_t job, uint32_t wanted, int64_t now, uint32_t for_job, int64_t held);

/* It is asked for nothing any more. */
void resize_log_forget(uint32_t job);

/* To what it was asked for it has answered "not now". */
void resize_log_not_now(uint32_t job);

/* Its size is being changed by scontrol or alike: by its user, itself included, or by an operator. */
void resize_log_by_hand(uint32_t job, bool by_operator, int64_t now);

/* Its record shows other nodes. That is put into the history, with what was noted about it. */
void resize_log_shown(const struct resize_change *change);

/* It was given nodes by Pact, may keep what it was asked for (was == has), or Slurm refused either (wanted: nodes). */
void resize_log_given(const struct resize_change *change, int64_t held);
void resize_log_refused(const struct resize_change *change, uint32_t wanted, int64_t held);

#endif /* PACT_SLURM_RESIZE_LOG_H */

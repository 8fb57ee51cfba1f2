/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * confirm.h - the record of an accepted submission takes the places that are held for it
 *
 * Usually in the first snapshot that has it (sync.c); before that when the job is changed at
 * once (change.c), which cannot be decided without its place in the plan.
 *
 * All with the mutex.
 */
#ifndef PACT_SLURM_CONFIRM_H
#define PACT_SLURM_CONFIRM_H

#include "slurm/state/bridge.h"

/* One task of a record. */
struct confirm_task {
	uint64_t key; /* has no track yet */
	uint32_t uid;
	int64_t priority;
};

/*
 * It takes the i-th place of an unconfirmed submission, which no other may take again.
 * IN now - of the core's event
 * RET its track, of which the caller fills in what it knows of the record; NULL: the place is lost
 */
struct track *confirm_place(struct bridge *b, const struct unconfirmed *p, size_t i,
			    const struct confirm_task *task, int64_t now);

/* An unconfirmed submission has no places any more: those from the i-th on were too many.  It is freed. */
void confirm_end(struct bridge *b, struct unconfirmed **at, size_t i, int64_t now);

/*
 * A waiting record that no snapshot has shown yet takes its place; for a task of an array, one of
 * the array's.  The plan has it from now on: the next snapshot begins with the record there.
 * With the job write lock, too.
 * RET its track; NULL: nothing is held for it
 */
struct track *confirm_now(struct bridge *b, const job_record_t *job, const struct token *token,
			  int64_t now);

#endif /* PACT_SLURM_CONFIRM_H */

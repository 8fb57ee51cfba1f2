/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fares: which jobs pay for which migrations, as long as these are to come: the job that is migrated, and those that its
 * migration makes wait. What is called back is paid by none of them.
 *
 * What a job pays is in its `owed` or, where only jobs that leave by themselves are migrated, in its `delay` (matrix.h). Only
 * the functions here change these.
 */
#ifndef PACT_CORE_GANG_FARES_H
#define PACT_CORE_GANG_FARES_H

#include "core/gang/matrix.h"

struct fares;

/* What `payer` pays as `mover` is migrated: `cost` seconds. */
struct fare {
	struct matrix_job *payer;
	const struct matrix_job *mover; /* NULL: it has left */
	int64_t cost;
	uint64_t group; /* of those that the payer waits for together it pays only the dearest */
	bool leaves;	/* the mover does, by itself */
};

/* NULL: no memory. */
struct fares *fares_create(void);
void fares_destroy(struct fares *f);
size_t fares_bytes(const struct fares *f);

/* A number for a group that has not been used. */
uint64_t fares_group(struct fares *f);
/* One more. Without memory it cannot be taken back: the payer loses the time in any case. Of cost 0 nothing happens. */
void fares_charge(struct fares *f, struct matrix_job *payer, const struct matrix_job *mover,
		  int64_t cost, uint64_t group);
/* It is not migrated after all: neither it nor another job pays for that. */
void fares_refund(struct fares *f, const struct matrix_job *mover);
/*
 * It has been migrated, which cannot be called back any more. What its leaving has delayed others by is over; its own delay
 * lasts until it runs again.
 */
void fares_settle(struct fares *f, const struct matrix_job *mover);
/* Its own delay by leaving, of a migration that is settled, is over, or was none as it stays after all. */
void fares_waive(struct fares *f, struct matrix_job *payer);
/* It has begun to run, and lost what it owed; if it had left its nodes, its own delay is over. What is to leave still delays it. */
void fares_pay(struct fares *f, struct matrix_job *payer);
/* It has ended, or has no place any more: it is neither migrated, nor does it pay; `again`: it is to start again, with its own delay. */
void fares_drop(struct fares *f, struct matrix_job *j, bool again);

/*
 * How many are known; the i-th. They are put back in this order, when the jobs have what they owe already: 0, or -1, as there
 * is no memory or it was not in order.
 */
size_t fares_count(const struct fares *f);
const struct fare *fares_at(const struct fares *f, size_t i);
int fares_put_back(struct fares *f, const struct fare *fare);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wish_of.h - the wish (client/wish.h) in a job's record, in nodes of Slurm's table */
#ifndef PACT_SLURM_WISH_OF_H
#define PACT_SLURM_WISH_OF_H

#include "client/wish.h"
#include "core/base/nodeset.h"
#include "slurm/base/compat.h"

/* What a job is to give back, by when it is due: the first due first, no node twice, no time twice.  Zeroed: nothing. */
struct wish_calls {
	size_t n;
	struct wish_call {
		int64_t by;
		struct nodeset *nodes;
	} call[1 + WISH_LATER_MOST];
};

/*
 * What it was asked to give back, and has still.  Job and node read locks.
 * IN has - of these
 * OUT calls - to be released by wish_calls_clear(), also when memory is short
 * RET false: memory is short
 */
bool wish_calls_of(const job_record_t *job, const struct nodeset *has, struct wish_calls *calls);

/*
 * More of its nodes, of which none is there yet.  Where there is no room for another time they are due with those before, or
 * bring the first ones forward: none is kept longer than it was to be.
 * RET false: memory is short
 */
bool wish_calls_add(struct wish_calls *calls, int64_t by, const struct nodeset *nodes);

/* All of them are taken out of the set. */
void wish_calls_drop(const struct wish_calls *calls, struct nodeset *from);
void wish_calls_clear(struct wish_calls *calls);

/*
 * The next wish to the job.  Job write lock, node read lock.
 * IN leave - what it is to give back, or has given; NULL: nothing, it grew or keeps what it has
 * RET false: out of memory
 */
bool wish_put_in(job_record_t *job, uint32_t width, int64_t by, const struct nodeset *leave);

/*
 * Likewise, of a job that has so many nodes, for what is to be given back by its times; nothing: as by NULL.
 * RET false: out of memory
 */
bool wish_put_calls(job_record_t *job, uint32_t has, const struct wish_calls *calls);

/*
 * Nothing is wanted of it any more: what it was asked for is done, or was an earlier run's.  Where a wish names nodes the next
 * one follows, for none; else nothing changes.  Job write lock, node read lock.
 */
void wish_over(job_record_t *job, uint32_t width);

/*
 * It has given nodes back: with the last of those that it was asked for the wish is over, so that it may be given the same ones
 * again.  Job write lock, node read lock.
 */
void wish_met(job_record_t *job);

/*
 * Was it asked to give back any of these by a time to come or just over?  Job and node read locks.
 * RET false, too, when memory is short
 */
bool wish_open(const job_record_t *job, const struct nodeset *has);

/*
 * Is a change of this comment the job's "not now"?  It is taken out of the request then, so that the job's comment stays.
 * Job read lock.
 * OUT rc - whether that is the user's to say
 */
bool wish_not_now(job_desc_msg_t *desc, const job_record_t *job, uint32_t uid, int *rc);

#endif /* PACT_SLURM_WISH_OF_H */

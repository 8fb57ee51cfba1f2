/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * malleable.h - a job that is resized while it runs, and what its end is worth: sbatch's --malleable and --value
 *
 * Both are options of spank_pact, and stand in the record as Slurm brings them (job_env.h).
 */
#ifndef PACT_SLURM_MALLEABLE_H
#define PACT_SLURM_MALLEABLE_H

#include "common/malleable_option.h"
#include "core/base/nodeset.h"
#include "slurm/base/compat.h"

/*
 * Is it malleable?  What its option says, which has been looked at when it was submitted: of one that cannot be read
 * (another version's), false.  Job read lock.
 */
bool malleable_of(const job_record_t *job, struct malleable_option *out);
/* What its end is worth at best, in millionths; 0: nothing.  Job read lock. */
int64_t malleable_value(const job_record_t *job);

/*
 * Of the nodes that a running one has or keeps, those that are its own if `width` are: the batch script's, others that it was
 * started on, and others, of each the lowest first.  Job and node read locks.
 * RET the caller's; NULL: out of memory
 */
struct nodeset *malleable_own(const job_record_t *job, const struct nodeset *has, int32_t width);
/*
 * Of these nodes so many come before the batch script's, which has to stay; 0: that is the first, or none of them.  Job and node
 * read locks.
 */
uint32_t malleable_before_batch(const job_record_t *job, const struct nodeset *own);

/*
 * What a running one had when its nodes changed last, and how much of its limit was done by then. In Slurm's list of nodes is not
 * to be seen which are on loan, and in no limit what they have done: so it stands beside its options (job_env.h, doc/formats.md).
 */
struct malleable_run {
	uint32_t own; /* so many of its nodes are its own, */
	uint32_t
		lost; /* and so many more were to be, which it has lost, or had taken by hand, and got none for */
	uint32_t has; /* in all, with what is on loan */
	int64_t ran;  /* when it had run so many seconds, as Slurm counts them, */
	int64_t done; /* it had done so much of its limit: seconds on the nodes that this is for; below 0: it was given more */
};

/*
 * RET false: none stands there, or an earlier run's, which ended and began anew while no plugin of ours was there to see it;
 * *out is all 0.  Job read lock.
 */
bool malleable_run_of(const job_record_t *job, struct malleable_run *out);
/*
 * It is being started, and has its nodes, all its own: what an earlier run was asked for is not wanted of this one.  Of any
 * other job nothing changes.  Job write lock, node read lock.
 */
void malleable_begin(job_record_t *job);
/* Job write lock. */
void malleable_run_put(job_record_t *job, const struct malleable_run *run);

/* One that waits has all before it: what an earlier run had is out of its record.  Job write lock. */
void malleable_requeued(job_record_t *job);

/*
 * The nodes that it has left while it ran, or an earlier run did, and that are not clean yet, by their names; NULL: there are none.
 * They are saved with it, so that a slurmctld that is started anew knows of them by what tells it that they are not the job's.
 * Borrowed.  Job read lock; to put them, write lock.
 */
const char *malleable_left(const job_record_t *job);
void malleable_left_put(job_record_t *job, const char *names);

/* A submission brings none along. */
void malleable_strip(job_desc_msg_t *desc);

/* The same of a submission. */
bool malleable_asked(const job_desc_msg_t *desc, struct malleable_option *out);
int64_t malleable_asked_value(const job_desc_msg_t *desc);

/* A submission that is only asked about gets these options; NULL: it is without. */
void malleable_pretend(job_desc_msg_t *desc, const char *malleable, const char *value);

/*
 * A submission: are the options right, and of a job that can be resized, as far as itself says?
 * RET false: out names option and value, or what stands against it
 */
bool malleable_check(const job_desc_msg_t *desc, char *out, size_t size);

#endif /* PACT_SLURM_MALLEABLE_H */

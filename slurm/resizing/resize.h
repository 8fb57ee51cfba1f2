/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resize.h - a running job gets nodes, or gives some back, inside slurmctld
 *
 * Both are all done, or not at all, within one hold of slurmctld's locks (resize_locks): no user, scheduler
 * or crash sees half of it, and Slurm's own counters are right when it is over. The bridge's mutex may not
 * be held: Slurm asks job_modify meanwhile, which knows the change for our own (resize_is_own()).
 *
 * What Slurm has not saved (5 s) when it dies has not been: after a growth the job has its old nodes again,
 * and what runs on the others is ended when these register; after a giving back it has its nodes back,
 * without the tasks that were ended there.
 */
#ifndef PACT_SLURM_RESIZE_H
#define PACT_SLURM_RESIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slurm/base/compat.h"

#include "core/base/nodeset.h"

/* Under which it is done: those of update_job(), and a partition's MinNodes is changed for a moment. */
extern const slurmctld_lock_t resize_locks;

enum resize_rc {
	RESIZE_DONE,
	RESIZE_BUSY, /* all nodes that it was to get are being cleaned up after others, were refused just now or are asleep, or it
		      * has given nodes back in this second: they can be had when that is over */
	RESIZE_AWAY, /* none is given anything, as slurmdbd is away (before 24.11) */
	RESIZE_LATER, /* not just now: it is suspended or starting, a node is taken */
	RESIZE_DENIED, /* no others either, nor fewer: a limit of its account, QOS or partition is in the way */
	RESIZE_NEVER, /* this job, or this Slurm, does not do it; or the job is over */
};

/* Room that any of the texts needs. */
#define RESIZE_WHY 256

/* A new life as the controller in charge begins: what an earlier one may have left half done is looked for. */
void resize_begin(void);
/* It ends: what the next one has to know is written. Without slurmctld's locks. */
void resize_end(void);

/*
 * Slurm does not lose the batch scripts of jobs that have grown (resize_batch.h). At once in a new life, and a few times a
 * minute and more: what is not due costs nothing. It takes slurmctld's locks: none may be held, nor the bridge's mutex.
 */
void resize_keep(void);

/*
 * What has become of earlier resizes, by Pact or by hand: slurmds are asked (give_back_ask()), nodes settled,
 * counters healed, and prologs seen to. In each pass; it takes slurmctld's locks: none may be held, nor the
 * bridge's mutex. It costs a look at each job when any has changed.
 */
void resize_tend(void);

/*
 * Add idle nodes to a running job; those that are being cleaned up after others, or asleep, are left out. It costs a job
 * id: a helper job gets the nodes and is merged into it, and leaves a COMPLETED record called "pact-resize"
 * with a comment that names the job. If Slurm refuses, no helper is left behind.
 * If Slurm refuses some as busy that look free, it is given the others, in some such jobs; and if they are too many for a limit,
 * as many as that lets it have, or some of these.
 * IN add - of these all others, or none; their number in Slurm's table. At least one
 * OUT why - why not; "" with RESIZE_DONE. May be NULL
 * RET RESIZE_DONE: job->nodes has them; steps can start there at once. They show COMPLETING until the
 * helper's epilog has ended.
 */
enum resize_rc resize_grow(uint32_t job_id, const struct nodeset *add, char *why, size_t size);

/*
 * Take nodes from a running job, with what runs there. They are COMPLETING, and no job's, until their
 * slurmds say that processes and epilog have ended (give_back.h). The batch host, or the first node, has to
 * stay.
 * IN keep - the nodes that it is to have; others of these than its own do not count
 */
enum resize_rc resize_shrink(uint32_t job_id, const struct nodeset *keep, char *why, size_t size);

/* Nothing is done: could it be taken nodes from in this way, now or (RESIZE_LATER) later? Job and node read locks. */
enum resize_rc resize_may_shrink(uint32_t job_id, const struct nodeset *keep, char *why,
				 size_t size);

/*
 * Slurm is about to change this job, by job_modify: if that takes nodes from it, and Slurm would do it,
 * then it is done here, as by resize_shrink(), and the request is emptied of it. Else it is left to Slurm:
 * what is wrong with it, Slurm says. Of a request that asks for nothing else, as Slurm has not looked at that
 * yet and may refuse it. The locks are those of update_job(), which suffice to take nodes.
 * RET true: it was done
 */
bool resize_requested(job_desc_msg_t *desc, job_record_t *job, uint32_t uid);

/* Is the change that job_modify is asked about, on this thread, the last step of a growth of ours?  Then it is right. */
bool resize_is_own(void);

#endif /* PACT_SLURM_RESIZE_H */

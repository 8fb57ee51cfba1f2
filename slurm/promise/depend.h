/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * depend.h - when the jobs that a job waits for will have ended, for sure
 *
 * A promise that rests on other jobs must not rest on planned ends that may
 * still move: a running job is counted with the end of its hold, a promised one
 * with its deadline, any other with the later of its planned end and its
 * artificial deadline.  What keeps it to that is reliance.h.  One that the planner is blind to
 * has no planned end until it runs.  "after:ID+MINUTES" counts from the start of a job that
 * runs, and from the end of one that waits, which is later.
 */
#ifndef PACT_SLURM_DEPEND_H
#define PACT_SLURM_DEPEND_H

#include "slurm/state/bridge.h"
#include "slurm/base/message.h"

struct access;
struct access_about;

/* Jobs that a job with a deadline may wait for: every one is looked up in every pass. */
#define DEPEND_MOST 64

/* Jobs that keep another one waiting. */
struct depend_set {
	/* Of all in the text the one that ends last: when, and why then; nothing to tell if none has to. */
	char last[24];
	int64_t last_end;
	enum message_after last_how;
	uint32_t n;
	struct snap_depend on[DEPEND_MOST];
};

/*
 * When such a dependency is met at the latest.  Cost: the tasks of the array, if it is one.
 * With the mutex.  RET PACT_FOREVER: not known
 */
int64_t depend_known(struct bridge *b, const struct snap_depend *dep);

/*
 * What depend_begin() will ask about others' jobs in a text, on behalf of a user.  With
 * slurmctld's job read lock, under which `about` is good.
 */
void depend_about(const char *text, uid_t uid, struct access_about *about);

/*
 * When everything in a --dependency text is met.
 * IN access - of the user who asks or submits: what that one may not see has no end, nor has what
 *	is not there, if it could be that
 * OUT set - the jobs that keep it waiting, and do not run; and which of all ends last
 * OUT why - what cannot be planned, when false is returned; empty: no time is left
 * With the mutex and slurmctld's job read lock.
 */
bool depend_begin(struct bridge *b, const char *text, const struct access *access, int64_t *begin,
		  struct depend_set *set, char *why, size_t why_size);

#endif /* PACT_SLURM_DEPEND_H */

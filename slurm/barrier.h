/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * barrier.h - what could stop a promised job that no plan of nodes can see
 *
 * Never promise what something else could stop: a job that could be preempted,
 * or that an enforced limit of its association, its QOS or its partition's QOS
 * could keep waiting.  And who may use deadlines, by pact.conf.
 *
 * Called under slurmctld's read locks; takes assoc_mgr's read locks.
 */
#ifndef PACT_SLURM_BARRIER_H
#define PACT_SLURM_BARRIER_H

#include "slurm/compat.h"
#include "slurm/conf.h"
#include "slurm/describe.h"

/* Who submits, and what. */
struct barrier_job {
	uid_t uid;
	const char *account; /* NULL: the user's default */
	const char *qos;     /* NULL: the default */
	const struct description *what;
};

/*
 * Is there a barrier?
 * OUT why - names it, for a sentence that begins "cannot be planned: "
 */
bool barrier_stands(const struct barrier_job *job, char *why, size_t why_size);

/*
 * May this user have promises, by AllowAccounts, AllowQOS and AllowGroups?
 * Root and SlurmUser always may.
 * OUT why - names the key
 */
bool barrier_allows(const struct conf *conf, const struct barrier_job *job, char *why,
		    size_t why_size);

#endif /* PACT_SLURM_BARRIER_H */

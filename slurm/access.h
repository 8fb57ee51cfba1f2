/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * access.h - what of the plan a user may see: what Slurm would show him
 *
 * PrivateData and the partitions are read from slurmctld's own records at each
 * query, so that no older state of pact.conf or slurm.conf counts.
 */
#ifndef PACT_SLURM_ACCESS_H
#define PACT_SLURM_ACCESS_H

#include "slurm/snapshot.h"

struct access {
	uid_t uid;
	bool all;	    /* operator, administrator, SlurmUser, root */
	bool jobs_private;  /* PrivateData=jobs */
	bool nodes_private; /* PrivateData=nodes */
	bool resvs_private; /* PrivateData=reservations */
	bool labels;	    /* MCS labels decide about others' jobs */
	char **parts;	    /* that he may see, NULL-terminated; NULL with all */
};

/*
 * Takes slurmctld's read locks of configuration and partitions for a moment: no
 * lock may be held.  RET false: no memory; access_close() it in any case
 */
bool access_open(struct access *a, uid_t uid);
/* The partitions alone, of an operator too: those that his groups may use and that are not hidden. */
bool access_parts(struct access *a, uid_t uid);
void access_close(struct access *a);

/* May he see a job?  Asks the association manager about coordinators. */
bool access_job(const struct access *a, const struct snap_job *job);
bool access_owned(const struct access *a, uint32_t uid, const char *account);

#endif /* PACT_SLURM_ACCESS_H */

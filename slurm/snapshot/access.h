/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * access.h - what of the plan a user may see: what Slurm would show him
 *
 * PrivateData and the partitions are read from slurmctld's own records at each
 * query, so that no older state of pact.conf or slurm.conf counts.
 */
#ifndef PACT_SLURM_ACCESS_H
#define PACT_SLURM_ACCESS_H

#include "slurm/snapshot/snapshot.h"

struct access {
	uid_t uid;
	bool all;	    /* operator, administrator, SlurmUser, root */
	bool jobs_private;  /* PrivateData=jobs */
	bool nodes_private; /* PrivateData=nodes */
	bool resvs_private; /* PrivateData=reservations */
	bool labels;	    /* MCS labels decide about others' jobs */
	char **parts;	    /* partitions that the user may see, NULL-terminated; NULL with all */
	bool some_parts;    /* there are partitions that the user may not see */
};

/* Most partitions, or lists of them, in struct access_about. */
#define ACCESS_ABOUT 64

/*
 * What will be asked: about jobs in these partitions (comma lists, borrowed), and whether what is
 * not there could be hidden.  Slurm's own look at a group may ask a directory, and writes into the
 * partition under a lock to read: the fewer of these the better.
 */
struct access_about {
	const char *part[ACCESS_ABOUT];
	uint32_t nparts;
	bool absent;
};

/*
 * It takes slurmctld's read locks of configuration and partitions for a moment: no
 * lock may be held.  RET false: no memory; access_close() it in any case
 */
bool access_open(struct access *a, uid_t uid);
/*
 * The same by a caller that has these locks; asks for groups, so not with the bridge's mutex.
 * IN about - nothing else will be asked; NULL: anything
 */
bool access_read(struct access *a, uid_t uid, const struct access_about *about);
void access_close(struct access *a);

/*
 * All partitions that are not hidden, also those that the user may not use: no group is asked for.  Takes
 * slurmctld's read lock of partitions for a moment.
 * RET NULL-terminated, to be freed by the other; NULL: no memory
 */
char **access_part_names(void);
void access_names_free(char **names);

/* May the user see a job?  It asks the association manager about coordinators. */
bool access_job(const struct access *a, const struct snap_job *job);
/* A record; with slurmctld's job read lock. */
bool access_record(const struct access *a, const job_record_t *job);
bool access_owned(const struct access *a, uint32_t uid, const char *account);

/* Are there jobs that the user may not see?  Then what is not there must look as they do. */
bool access_hides_jobs(const struct access *a);

/*
 * Does a comma list name a partition that the user is not to know of (Hidden=YES)?  With
 * slurmctld's read lock of partitions.
 */
bool access_hides_part(const struct access *a, const char *names);

#endif /* PACT_SLURM_ACCESS_H */

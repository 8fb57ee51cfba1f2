/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * faults.h - what is wrong with pact.conf: it was refused, or names what is not there
 *
 * A refused pact.conf leaves the one before in force, and says so until one is
 * taken.  A name of a partition, an account, a QOS or a group that nothing has
 * is no reason to refuse it, because that may come later: it is told.  One
 * mutex of its own guards all that, and no other lock is taken under it.
 */
#ifndef PACT_SLURM_FAULTS_H
#define PACT_SLURM_FAULTS_H

#include <stdint.h>

#include "slurm/config/conf.h"

#define FAULTS_WHY 512

/* A name that nothing has. */
struct fault {
	const char *key; /* of pact.conf */
	char *name;	 /* malloc()ed */
	const char *why;
};

struct faults {
	int64_t taken;	      /* when the one in force was read; 0: none yet */
	int64_t refused;      /* when a later one was refused; 0: none was */
	char why[FAULTS_WHY]; /* it names key and value */
	struct fault *unknown;
	size_t nunknown;
};

/* pact.conf was refused at that time, or taken: its names are copied.  Any lock may be held. */
void faults_refused(const char *why, int64_t now);
void faults_taken(const struct conf *conf, int64_t now);

/*
 * All that is wrong now.  With slurmctld's read lock of partitions, or faults_look(); takes
 * assoc_mgr's read locks.  Accounts and QOS are known only where slurmdbd is asked; groups are
 * those that were there when pact.conf was read.
 * OUT out - faults_free() it
 */
void faults_find(struct faults *out);
/* The same without names: no lock is needed. */
void faults_look(struct faults *out);
void faults_free(struct faults *faults);

/*
 * Is there a configuration whose unknown names were not written into the log yet?  Then
 * faults_tell() writes a line for each, once.
 */
bool faults_untold(void);
void faults_tell(const struct faults *faults);

#endif /* PACT_SLURM_FAULTS_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * change_describe.h - a job as a request would have it
 *
 * With the mutex, and slurmctld's locks as job_modify() has them.
 */
#ifndef PACT_SLURM_CHANGE_DESCRIBE_H
#define PACT_SLURM_CHANGE_DESCRIBE_H

#include "slurm/admission/change_what.h"

/* The job as it will be.  RET false: Slurm will not take the change. */
bool change_describe_record(struct admission *a, const struct change *c);

/*
 * NumNodes=N leaves the most as it was, which makes a range of a number, unless its tasks or the nodes that it
 * names take as many all the same; it is N then.  That of a job with a range stays.  More than the most are
 * refused before this.
 */
bool change_describe(struct admission *a, const struct change *c);

/* When the jobs that it waits for, or will wait for, have ended. */
bool change_begin(struct admission *a, const struct change *c);

/* What could keep it waiting elsewhere, or may be asked for the first time; its range (change_range.h). */
bool change_permitted(struct admission *a, const struct change *c);

/* The limit that is promised under the new terms. */
int64_t change_limit(const struct admission *a, const struct change *c);

#endif /* PACT_SLURM_CHANGE_DESCRIBE_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_terms.h - a waiting record in the core's terms
 */
#ifndef PACT_SLURM_SYNC_TERMS_H
#define PACT_SLURM_SYNC_TERMS_H

#include "slurm/sync/sync_job.h"

/* One task of a record, as it is submitted or changed. */
void sync_fill(struct sync *s, const struct snap_job *j, const struct track *track,
	       struct sched_job *out);

#endif /* PACT_SLURM_SYNC_TERMS_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot_own.h - the parts of a snapshot as it is taken; internal to snapshot.h
 */
#ifndef PACT_SLURM_SNAPSHOT_OWN_H
#define PACT_SLURM_SNAPSHOT_OWN_H

#include "slurm/snapshot/snapshot.h"

/* Under the locks of snapshot_take().  RET false: no memory */
bool snapshot_take_jobs(struct snapshot *snap);
bool snapshot_take_resvs(struct snapshot *snap);

/*
 * Of a running job that is resized, whose `nodes` and `what` are there: which of its nodes are its own, and which it is to give
 * back. What its record says of an earlier run counts for nothing (begun).  Job and node read locks.  RET false: no memory
 */
bool snapshot_take_loans(struct snap_job *out, const job_record_t *job);

/* By submission, record and task. */
void snapshot_sort_jobs(struct snapshot *snap);

/* For snapshot_was_cut(). */
void snapshot_sort_cut(struct snapshot *snap);

/* The snapshot's own copy of a text, which may be NULL.  RET false: no memory */
static inline bool snapshot_text(struct snapshot *snap, const char **out, const char *text)
{
	*out = text ? texts_keep(snap->texts, text) : NULL;
	return *out || !text;
}

#endif /* PACT_SLURM_SNAPSHOT_OWN_H */

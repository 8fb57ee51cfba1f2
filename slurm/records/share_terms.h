/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * share_terms.h - what a job of a realm is to its nodes
 *
 * A job that shares nodes has the terms of its shares in its record, in the
 * environment that Slurm gives to SPANK's prologs on each of its nodes: there the
 * node's daemon finds them (doc/formats.md).  slurmctld saves that with the job, so
 * after a restart the controller finds them, too.
 *
 * A user may set any name of that environment (spank_job_control_setenv): ours is
 * taken out of every submission, and is written whenever a start is tried, or its
 * terms change while it runs. A start that fails takes it out again, so a job that
 * waits has terms only if it was requeued: its limit is that of its earlier run then (run_limit.h).
 */
#ifndef PACT_SLURM_SHARE_TERMS_H
#define PACT_SLURM_SHARE_TERMS_H

#include "slurm/base/compat.h"

struct share_terms {
	int64_t submit;	  /* seconds since the epoch */
	int64_t estimate; /* seconds at full speed of a node of rating 1000; 0: there are no terms */
	int64_t due;	  /* seconds since the epoch */
	uint32_t processors; /* of each node; 0: all */
	const char *rule;    /* how its nodes give out what they have: share, idle or nearest */
};

/* Those of a record that runs; estimate 0: it has none.  Job read lock. */
void share_terms_of(const job_record_t *job, struct share_terms *out);

/* As the nodes are told them. */
#define SHARE_TERMS_TEXT 128
void share_terms_text(const struct share_terms *terms, char text[SHARE_TERMS_TEXT]);

/* Write them into a record that is about to be launched, or runs; estimate 0: take ours out.  Job write lock. */
void share_terms_put(job_record_t *job, const struct share_terms *terms);

/* A submission brings none along. */
void share_terms_strip(job_desc_msg_t *desc);

#endif /* PACT_SLURM_SHARE_TERMS_H */

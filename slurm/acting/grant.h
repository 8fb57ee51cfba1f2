/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * grant.h - in a partition whose jobs take turns nothing is allocated but what the plan starts just now
 *
 * Whoever asks: slurmctld's own scheduler, a submission that may start at once, a job that grows.  select/gang asks
 * before it gives a job nodes, and is told whether this thread has granted it that.  The plugin exports a struct gang_gate,
 * into which the bridge puts what it is asked by; as long as there is none it gives nodes as select/linear does.
 */
#ifndef PACT_SLURM_GRANT_H
#define PACT_SLURM_GRANT_H

#include <stdbool.h>
#include <stdint.h>

#include "slurm/base/compat.h"

#define GANG_VERSION 5
/* The exported name, of another version another one; the plugin's file. */
#define GANG_SYMBOL "pact_gang_5"
#define GANG_FILE "select_gang.so"

/* What select/gang asks and tells, with slurmctld's locks for jobs and nodes held. */
struct gang_asks {
	/*
	 * Is the job to be given nodes now?  Of a partition without turns each one is.
	 * IN/OUT nodes - those that it may be given; fewer, if it is granted fewer
	 */
	bool (*granted)(const job_record_t *job, bitstr_t *nodes);
	/*
	 * Of one that is granted nodes and may come there beside all jobs, as these are set aside: how many may be on a node then, those
	 * of OverSubscribe=FORCE:N or, since a greater N, more. 0: no more than N.
	 */
	uint32_t (*beyond)(const job_record_t *job, bitstr_t *nodes);
	/* When could it begin on these nodes?  As begin_planned() (begin.h). */
	bool (*begins)(const job_record_t *job, const bitstr_t *nodes, time_t *start);
	/* A job has begun, ended, was suspended, resumed or resized: the planning thread need not find it by itself. */
	void (*changed)(void);
};

struct gang_gate {
	uint32_t version;		      /* GANG_VERSION */
	const struct gang_asks *_Atomic asks; /* NULL: no bridge is at work */
};

/*
 * A bridge is at work: configuration, to read; or no more: any lock may be held. Without select/gang there is nothing to do. One of
 * another build, which would give nodes as select/linear does, is an error that is logged.
 */
void grant_attach(void);
void grant_detach(void);

/* What it attaches. */
const struct gang_asks *grant_asks(void);

/*
 * From grant_begin() to grant_end() this thread may have Slurm give that job nodes; under slurmctld's write locks.
 * IN forbid - none of these; NULL: any that Slurm gives it.  It is borrowed.
 * IN alone - it has its nodes for itself: whatever Slurm counts there is set aside, suspended
 */
void grant_begin(const job_record_t *job, const bitstr_t *forbid, bool alone);
void grant_end(void);

#endif /* PACT_SLURM_GRANT_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * launches: how long a node that a job gets does nothing for it yet, as --launch says: the launch of its processes there.
 */
#ifndef PACT_SIM_LAUNCHES_H
#define PACT_SIM_LAUNCHES_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/workload/workload.h"

struct launches {
	bool on;	   /* some job may have one */
	struct launch all; /* each job's, or */
	const char *file;  /* those from there; not owned */
};

/*
 * "SECONDS" or "SECONDS,LATER" for all jobs, LATER for nodes that a job gets while it runs (default: as many); or "file:PATH", a file
 * with lines "JOB,SECONDS" or "JOB,SECONDS,LATER", where jobs that are not in it have none. From 0. The text is kept. 0 or PACT_EINVAL with the
 * reason; *l is then as it was.
 */
int launches_parse(const char *text, struct launches *l, char *why, size_t size);

/* Give them to the jobs of a whole workload. 0, PACT_ENOMEM, or PACT_EINVAL with the reason. */
int launches_apply(const struct launches *l, struct workload *w, char *why, size_t size);

#endif

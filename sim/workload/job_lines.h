/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_lines: something about jobs from a file, a line per job: "JOB,VALUE", JOB its number in the workload. Blank
 * lines, lines that begin with # and a first line that begins with "job," are skipped. A job stands in one line at most.
 */
#ifndef PACT_SIM_JOB_LINES_H
#define PACT_SIM_JOB_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/workload/workload.h"

struct job_lines {
	const char *shape; /* "not JOB,SECONDS": of a line that is none */
	const char *wrong; /* of a value that is none */
	bool (*take)(struct sim_job *job,
		     char *value); /* which may be changed; false: it is none */
};

/* 0, PACT_ENOMEM, or PACT_EINVAL with the reason, which names file and line. */
int job_lines_read(const struct job_lines *of, const char *path, struct workload *w, char *why,
		   size_t size);

#endif

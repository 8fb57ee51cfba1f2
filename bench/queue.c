/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue COUNT NODES: submit so many batch jobs of so many nodes each, one after the other over one library's start, as
 * sbatch for each would take minutes. Exit code 1 when Slurm refuses one; what it says is told.
 */
#include "slurm/base/compat.h"

#include <errno.h>

static int submit(uint32_t nodes)
{
	char *environment[] = { (char *)"PATH=/bin:/usr/bin", NULL };
	submit_response_msg_t *answer = NULL;
	job_desc_msg_t job;
	int rc;

	slurm_init_job_desc_msg(&job);
	job.name = (char *)"waiting";
	job.time_limit = 60;
	job.min_nodes = nodes;
	job.user_id = getuid();
	job.group_id = getgid();
	job.work_dir = (char *)"/";
	job.std_out = (char *)"/dev/null";
	job.script = (char *)"#!/bin/sh\nexec sleep 3600\n";
	job.environment = environment;
	job.env_size = 1;
	rc = slurm_submit_batch_job(&job, &answer);
	slurm_free_submit_response_response_msg(answer);
	return rc;
}

int main(int argc, char **argv)
{
	long count, nodes;

	if (argc != 3 || (count = strtol(argv[1], NULL, 10)) < 0 ||
	    (nodes = strtol(argv[2], NULL, 10)) < 1) {
		fprintf(stderr, "usage: queue COUNT NODES\n");
		return 2;
	}
	slurm_init(NULL);
	for (long i = 0; i < count; i++) {
		if (submit((uint32_t)nodes) == SLURM_SUCCESS)
			continue;
		fprintf(stderr, "queue: job %ld: %s\n", i + 1, slurm_strerror(errno));
		return 1;
	}
	return 0;
}

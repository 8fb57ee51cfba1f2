/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submit_id JOBID MINUTES: submit a batch job of one node, with a deadline in so many minutes, under a number
 * of its own, which sbatch has no option for. Exit code 1 when Slurm refuses it; what it says is told.
 */
#include "slurm/base/compat.h"

#include <errno.h>

int main(int argc, char **argv)
{
	char *environment[] = { (char *)"PATH=/bin:/usr/bin", NULL };
	submit_response_msg_t *answer = NULL;
	job_desc_msg_t job;
	int rc;

	if (argc != 3) {
		fprintf(stderr, "usage: submit_id JOBID MINUTES\n");
		return 2;
	}
	slurm_init(NULL);
	slurm_init_job_desc_msg(&job);
	job.job_id = (uint32_t)strtoul(argv[1], NULL, 10);
	job.deadline = time(NULL) + strtol(argv[2], NULL, 10) * 60;
	job.time_limit = 10;
	job.min_nodes = 1;
	job.user_id = getuid();
	job.group_id = getgid();
	job.work_dir = (char *)"/";
	job.std_out = (char *)"/dev/null";
	job.script = (char *)"#!/bin/sh\nexec sleep 3600\n";
	job.environment = environment;
	job.env_size = 1;
	rc = slurm_submit_batch_job(&job, &answer);
	if (answer && answer->job_submit_user_msg)
		printf("%s\n", answer->job_submit_user_msg);
	printf("%s\n", rc == SLURM_SUCCESS ? "taken" : slurm_strerror(errno));
	return rc != SLURM_SUCCESS;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * update_nodes JOBID MIN MAX: change a job's numbers of nodes by Slurm's API, which takes what scontrol does
 * not send: MAX 0, no most any more. Exit code 1 when Slurm refuses, which is told.
 */
#include "slurm/base/compat.h"

#include <errno.h>

int main(int argc, char **argv)
{
	job_desc_msg_t change;

	if (argc != 4) {
		fprintf(stderr, "usage: update_nodes JOBID MIN MAX\n");
		return 2;
	}
	slurm_init(NULL);
	slurm_init_job_desc_msg(&change);
	change.job_id = (uint32_t)strtoul(argv[1], NULL, 10);
	change.min_nodes = (uint32_t)strtoul(argv[2], NULL, 10);
	change.max_nodes = (uint32_t)strtoul(argv[3], NULL, 10);
	if (slurm_update_job(&change) == SLURM_SUCCESS)
		return 0;
	fprintf(stderr, "%s\n", slurm_strerror(errno));
	return 1;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terms_of: a SPANK plugin of the tests: a job has the terms that TERMS_OF in the environment of sbatch or srun has, as
 * job_submit/deadline would set them.
 */
#include <slurm/spank.h>
#include <stdlib.h>

SPANK_PLUGIN(terms_of, 1)

int slurm_spank_init_post_opt(spank_t sp, int ac, char **av)
{
	const char *terms = getenv("TERMS_OF");

	(void)ac;
	(void)av;
	if (!terms || spank_remote(sp))
		return ESPANK_SUCCESS;
	return spank_job_control_setenv(sp, "PACT_TERMS", terms, 1);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_malleable.c - sched/malleable: the cluster's scheduler that resizes running jobs
 *
 * SchedulerType=sched/malleable with SchedulerParameters=sched_interval=-1,defer,permit_job_expansion.
 * A job with a range of nodes (sbatch --nodes=MIN-MAX --malleable) has MIN of them until it ends; Strategy= of
 * pact.conf decides which jobs get the other nodes.  Without job_submit/deadline it promises nothing and schedules all the same.
 * Configuration: pact.conf beside slurm.conf, see pact.conf(5).
 *
 * Entry points only: the work is in slurm/agent/agent.c.
 */
#include "slurm/base/compat.h"

#include "slurm/agent/shared.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT const char plugin_name[] = "Scheduler that resizes running jobs (malleable)";
EXPORT const char plugin_type[] = "sched/malleable";
EXPORT const uint32_t plugin_version = SLURM_VERSION_NUMBER;

static const struct shared *plan;

EXPORT int init(void)
{
	plan = shared_start(plugin_type);
	return plan ? SLURM_SUCCESS : SLURM_ERROR;
}

EXPORT void fini(void)
{
	if (plan)
		plan->stop();
	plan = NULL;
}

EXPORT int sched_p_reconfig(void)
{
	if (plan)
		plan->reconfigure();
	return SLURM_SUCCESS;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_qops.c - sched/qops: the cluster's scheduler that keeps promises
 *
 * SchedulerType=sched/qops with SchedulerParameters=sched_interval=-1,defer.
 * It starts jobs in Slurm's priority order wherever no promise is touched, and
 * promised jobs by their plan.  Without job_submit/deadline it promises nothing
 * and schedules all the same.  Configuration: pact.conf beside slurm.conf, see
 * pact.conf(5).
 *
 * Entry points only: the work is in slurm/agent/agent.c.
 */
#include "slurm/base/compat.h"

#include "slurm/agent/shared.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT const char plugin_name[] = "Scheduler with promised completion times (qops)";
EXPORT const char plugin_type[] = "sched/qops";
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

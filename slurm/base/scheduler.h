/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scheduler.h - which of the core's schedulers plans in this process
 *
 * SchedulerType=sched/qops and sched/dynp are two shells of one bridge.  The shell
 * that is loaded says which it is; until then it is the first.
 */
#ifndef PACT_SLURM_SCHEDULER_H
#define PACT_SLURM_SCHEDULER_H

#include <stdbool.h>

/* Its name in the core, "qops", and for Slurm and its log, "sched/qops".  Any thread. */
const char *scheduler_name(void);
const char *scheduler_type(void);

/* Is it dynP's, which tunes itself? */
bool scheduler_is_dynp(void);

/*
 * The shell of this type is loaded.  Before the bridge's thread is started.
 * RET false: the bridge does not know it
 */
bool scheduler_use(const char *type);

/* Is SchedulerType= one of ours?  NULL is not. */
bool scheduler_known(const char *type);

#endif /* PACT_SLURM_SCHEDULER_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scheduler.h - which of the core's schedulers plans in this process
 *
 * SchedulerType=sched/qops, sched/dynp and sched/malleable are shells of one bridge.  The shell
 * that is loaded says which it is; until then it is the first.
 */
#ifndef PACT_SLURM_SCHEDULER_H
#define PACT_SLURM_SCHEDULER_H

#include <stdbool.h>

/* By which sched/malleable resizes jobs. */
enum scheduler_strategy { STRATEGY_UNIFORM, STRATEGY_PROFIT, STRATEGY_LAZY };

/* Its name in the core, "qops", which sched/malleable has from its strategy, and for Slurm and its log, "sched/qops".  Any thread. */
const char *scheduler_name(void);
const char *scheduler_type(void);

/* Is it dynP's, which tunes itself? */
bool scheduler_is_dynp(void);

/* Is it sched/malleable, of which resizing running jobs is all there is? */
bool scheduler_is_malleable(void);

/* Does it resize running jobs: is it that one, or does it lend what its plan leaves idle? */
bool scheduler_resizes(void);

/* Its strategy from now on. RET whether that changes the scheduler */
bool scheduler_pursue(enum scheduler_strategy by);

/* Whether it lends from now on. RET whether that changes the scheduler */
bool scheduler_lend(bool lends);

/*
 * The shell of this type is loaded.  Before the bridge's thread is started.
 * RET false: the bridge does not know it
 */
bool scheduler_use(const char *type);

/* Is SchedulerType= one of ours?  NULL is not. */
bool scheduler_known(const char *type);

#endif /* PACT_SLURM_SCHEDULER_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat.h - the only file that knows Slurm's versions apart
 *
 * Everything in slurm/ and plugins/ includes this instead of Slurm's own
 * headers.  What differs between versions is named here once, each branch with
 * the version that forced it.  Slurm's internal headers need the config.h of
 * Slurm's own source tree; ours is never included together with it.
 */
#ifndef PACT_SLURM_COMPAT_H
#define PACT_SLURM_COMPAT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "config.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The core has a function of this name, and nobody here logs with Slurm's. */
#define sched_error slurm_log_sched_error

#include "slurm/slurm.h"
#include "slurm/slurm_errno.h"

#include "src/common/assoc_mgr.h"
#include "src/common/bitstring.h"
#include "src/common/hostlist.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/macros.h"
#include "src/common/node_conf.h"
#include "src/common/parse_config.h"
#include "src/common/parse_time.h"
#include "src/common/plugin.h"
#include "src/common/power.h"
#include "src/common/read_config.h"
#include "src/common/select.h"
#include "src/common/slurm_accounting_storage.h"
#include "src/common/slurm_protocol_api.h"
#include "src/common/uid.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

#include "src/slurmctld/acct_policy.h"
#include "src/slurmctld/burst_buffer.h"
#include "src/slurmctld/fed_mgr.h"
#include "src/slurmctld/front_end.h"
#include "src/slurmctld/groups.h"
#include "src/slurmctld/job_scheduler.h"
#include "src/slurmctld/licenses.h"
#include "src/slurmctld/locks.h"
#include "src/slurmctld/node_scheduler.h"
#include "src/slurmctld/preempt.h"
#include "src/slurmctld/proc_req.h"
#include "src/slurmctld/reservation.h"
#include "src/slurmctld/slurmctld.h"
#include "src/slurmctld/srun_comm.h"
#include "src/slurmctld/state_save.h"

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(22, 5, 0) || \
	SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
/* 23.02 moves interface headers and gives job_modify() an err_msg. */
#error "this Slurm version is not supported: 22.05 is"
#endif

#undef sched_error

/* slurm.h has a job state reason of this name; both are wanted in the bridge. */
#define WAIT_RESOURCES SCHED_WAIT_RESOURCES
#include "core/sched.h"
#undef WAIT_RESOURCES

#endif /* PACT_SLURM_COMPAT_H */

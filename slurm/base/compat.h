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

#include "slurm/slurm_version.h"

/* The releases of Slurm, by the numbers that they are known by: SLURM_FROM(23, 2) is 23.02 and later. */
#define SLURM_FROM(major, minor) (SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(major, minor, 0))

#if !SLURM_FROM(22, 5) || SLURM_FROM(25, 6)
#error "this Slurm release is not known to Pact: 22.05 to 25.05 are"
#endif

/* Built for a release that the tests do not run on (--enable-untested-slurm): log and `pact status` say so. */
#ifdef PACT_SLURM_UNTESTED
#define SLURM_TESTED false
#else
#define SLURM_TESTED true
#endif

/* The core has a function of this name, and nothing here logs with Slurm's. */
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
#include "src/common/read_config.h"
#include "src/common/run_in_daemon.h"
#include "src/common/slurm_protocol_api.h"
#include "src/common/uid.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

#if SLURM_FROM(23, 2)
#include "src/common/job_features.h"
#include "src/interfaces/accounting_storage.h"
#include "src/interfaces/acct_gather.h"
#include "src/interfaces/burst_buffer.h"
#include "src/interfaces/mcs.h"
#include "src/interfaces/preempt.h"
#include "src/interfaces/priority.h"
#include "src/interfaces/select.h"
#else
#include "src/common/select.h"
#include "src/common/slurm_accounting_storage.h"
#include "src/common/slurm_acct_gather.h"
#include "src/common/slurm_mcs.h"
#include "src/common/slurm_priority.h"
#include "src/slurmctld/burst_buffer.h"
#include "src/slurmctld/preempt.h"
#endif

#include "src/slurmctld/acct_policy.h"
#include "src/slurmctld/agent.h"
#include "src/slurmctld/fed_mgr.h"
#include "src/slurmctld/gang.h"
#include "src/slurmctld/groups.h"
#include "src/slurmctld/job_scheduler.h"
#include "src/slurmctld/licenses.h"
#include "src/slurmctld/locks.h"
#include "src/slurmctld/node_scheduler.h"
#include "src/slurmctld/proc_req.h"
#include "src/slurmctld/reservation.h"
#include "src/slurmctld/slurmctld.h"
#include "src/slurmctld/state_save.h"

/* 24.05 does without power management of the whole cluster, and sends srun's messages elsewhere. */
#if SLURM_FROM(24, 5)
#include "src/common/job_state_reason.h"
#include "src/stepmgr/srun_comm.h"
#include "src/stepmgr/stepmgr.h"
#else
#include "src/slurmctld/srun_comm.h"
#if SLURM_FROM(23, 2)
#include "src/interfaces/power.h"
#else
#include "src/common/power.h"
#endif
#endif

/* 23.02 moves the interfaces of plugins. */
#if SLURM_FROM(23, 2)
#include "src/interfaces/node_features.h"
#else
#include "src/common/node_features.h"
#endif

/* What tells node features apart was with the step manager (above) for one release. */
#if SLURM_FROM(24, 11)
#include "src/common/node_features.h"
#endif

/* 25.05 has no front ends any more. */
#if !SLURM_FROM(25, 5)
#include "src/slurmctld/front_end.h"
#endif

#include "slurm/base/compat_pins.h"

/*
 * What is taken the address of has to be there when Slurm opens the plugin, or slurmctld does not start.
 * As weak symbols they may be missing: then builds.h says so.  testsuite/emulated/57-builds.t finds what
 * is not in this list.
 */
#pragma weak accounting_enforce
#pragma weak acct_db_conn
#pragma weak active_feature_list
#pragma weak assoc_mgr_assoc_list
#pragma weak assoc_mgr_qos_list
#pragma weak assoc_mgr_tres_array
#pragma weak assoc_mgr_tres_name_array
#pragma weak assoc_mgr_user_list
#pragma weak assoc_mgr_wckey_list
#pragma weak avail_node_bitmap
#pragma weak cg_node_bitmap
#pragma weak cloud_dns
#pragma weak default_part_loc
#pragma weak fed_mgr_fed_rec
#pragma weak g_qos_count
#pragma weak idle_node_bitmap
#pragma weak job_list
#pragma weak last_job_update
#pragma weak last_node_update
#pragma weak last_part_update
#pragma weak last_resv_update
#pragma weak list_find_feature
#pragma weak node_record_count
#pragma weak node_record_table_ptr
#pragma weak part_list
#pragma weak ping_nodes_now
#pragma weak resv_list
#pragma weak share_node_bitmap
#pragma weak slurm_conf
#pragma weak slurmctld_config
#pragma weak slurmctld_diag_stats
#pragma weak slurmctld_tres_cnt
#pragma weak xfree_ptr

/*
 * What older releases call otherwise, under its newest name.
 */

/* 23.02 */
#if !SLURM_FROM(23, 2)
typedef struct xlist list_t;
typedef struct listIterator list_itr_t;
typedef struct job_details job_details_t;
#define RESERVE_REOCCURRING RESERVE_REOCCURING
#define FEATURE_OP_MOR FEATURE_OP_XOR
#define get_groups_members(names, count) ((void)(count), get_groups_members(names))
#endif

/*
 * 23.02: a job_submit plugin's job_modify() may tell the user why.  Slurm finds it by its name and passes
 * what it passes: before, there is no such argument.
 */
#if SLURM_FROM(23, 2)
#define JOB_MODIFY(desc, job, uid, message) job_modify(desc, job, uid, message)
#define JOB_MODIFY_MESSAGE(message) message
#else
#define JOB_MODIFY(desc, job, uid, message) job_modify(desc, job, uid)
#define JOB_MODIFY_MESSAGE(message) NULL
#endif

/* 23.02: a job that has not said how many nodes it wants has the tasks of one, by --ntasks-per-node. */
#define TASKS_OF_NO_NODES SLURM_FROM(23, 2)

/* 23.02: of more nodes by name than it has to have, a job gets any; before, it was refused. */
#define NODES_TO_CHOOSE SLURM_FROM(23, 2)

/* 23.02: a job that is still being cleaned up is one whose steps or prolog have not ended, and no more. */
static inline bool job_select_cleaning(const job_record_t *job)
{
#if SLURM_FROM(23, 2)
	(void)job;
	return false;
#else
	uint16_t busy = 0;

	select_g_select_jobinfo_get(job->select_jobinfo, SELECT_JOBDATA_CLEANING, &busy);
	return busy;
#endif
}

/* 23.02: one argument more, which 23.11 makes one of flags. */
static inline int parse_config_file(s_p_hashtbl_t *keys, const char *path)
{
#if SLURM_FROM(23, 11)
	return s_p_parse_file(keys, NULL, (char *)path, 0, NULL);
#elif SLURM_FROM(23, 2)
	return s_p_parse_file(keys, NULL, (char *)path, false, NULL, false);
#else
	return s_p_parse_file(keys, NULL, (char *)path, false, NULL);
#endif
}

/* 23.11: a waiting job whose limit, or least one, does not fit before its deadline is ended (late_limit.h). */
#define LATE_LIMITS_END SLURM_FROM(23, 11)

/* 23.11: a reconfiguration starts a new process, which knows only what it was handed (slurm/state/handover.h). */
#define RECONFIGURE_RESPAWNS SLURM_FROM(23, 11)

/* 23.11: no longer a pointer by its type; whether the caller has locked the accounts */
#if !SLURM_FROM(23, 11)
#define hostlist_t struct hostlist
#define assoc_mgr_is_user_acct_coord(db, uid, account, locked) \
	((void)(locked), assoc_mgr_is_user_acct_coord(db, uid, account))
#define acct_policy_job_fini(job, locked) ((void)(locked), acct_policy_job_fini(job))
#define acct_policy_remove_job_submit(job, locked) \
	((void)(locked), acct_policy_remove_job_submit(job))
#endif

/* 23.11: limits of a QOS may be percents of what the cluster, or its partition, has; Slurm keeps them counted out. */
#if !SLURM_FROM(23, 11)
#define QOS_FLAG_RELATIVE 0
#define QOS_FLAG_RELATIVE_SET 0
#define QOS_FLAG_PART_QOS 0
#endif

/* 23.11.5 keeps an index of states: all changes go through this. */
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 5)
#define job_state_set(job, state) ((void)((job)->job_state = (state)))
#endif

/* Of a record that is none of Slurm's, a copy for one: the index is to know nothing of it. */
static inline void own_record_state(job_record_t *record, uint32_t state)
{
	record->job_state = state;
}

/* Before 24.11 slurmdbd numbers a job anew when it is resized, and Slurm waits for that number. */
static inline bool resizes_are_numbered(void)
{
	return !SLURM_FROM(24, 11);
}

/*
 * The one of AllowAccounts and DenyAccounts by which the partition takes no job of this association (NULL: none is
 * known), with its value; NULL: it takes them.  23.02 knows associations there, older releases names.  Locks:
 * assoc_mgr's associations, to read.
 */
const char *part_refuses_account(const part_record_t *part, const slurmdb_assoc_rec_t *assoc,
				 const char **value);

/* 24.05 enforces MaxTRESRunMins of a QOS, for each account and each user; before, it may be set and does nothing. */
#define QOS_RUN_MINUTES SLURM_FROM(24, 5)

/* 24.05: SlurmctldParameters has a most of nodes that are powered up at a time; INFINITE: it has none. */
static inline uint32_t powered_nodes_most(void)
{
#if SLURM_FROM(24, 5)
	const char *key = "max_powered_nodes=", *at = xstrcasestr(slurm_conf.slurmctld_params, key);

	return at ? (uint32_t)strtol(at + strlen(key), NULL, 10) : INFINITE;
#else
	return INFINITE;
#endif
}

/* 24.05 asks for kinds of reasons, not whether a job could run but for those. */
#if !SLURM_FROM(24, 5)
#define job_state_reason_string job_reason_string
#define CONF_FLAG_WCKEY CTL_CONF_WCKEY
#define JSR_QOS_ASSOC (1 << 1)
#define JSR_PART (1 << 3)
static inline bool job_state_reason_check(enum job_state_reason reason, uint32_t flags)
{
	job_record_t asked = { .state_reason = reason };

	return ((flags & JSR_QOS_ASSOC) && !acct_policy_job_runnable_state(&asked)) ||
	       ((flags & JSR_PART) && !part_policy_job_runnable_state(&asked));
}
#endif

/* 24.05 has no power cap to reckon with. */
static inline void job_power_start(job_record_t *job)
{
#if SLURM_FROM(24, 5)
	(void)job;
#else
	power_g_job_start(job);
#endif
}

/* 24.11: a job may name several QOS, each of which it is tried with.  NULL: it has one, or none. */
static inline list_t *job_qos_list(const job_record_t *job)
{
#if SLURM_FROM(24, 11)
	return job->qos_list;
#else
	(void)job;
	return NULL;
#endif
}

static inline bool names_several_qos(const char *qos)
{
	return SLURM_FROM(24, 11) && xstrchr(qos, ',');
}

/* The id of the QOS that an entry of Slurm's queue is for; 0: the job's only one, or none. */
static inline uint32_t queue_rec_qos(const job_queue_rec_t *rec)
{
#if SLURM_FROM(24, 11)
	return rec->job_ptr->qos_list && rec->qos_ptr ? rec->qos_ptr->id : 0;
#else
	(void)rec;
	return 0;
#endif
}

/*
 * The job's priorities in each of its partitions, in their order, and there with each of its QOS; NULL: the
 * same in all.  24.05 has them in a record of their own, which 24.11.7 and 25.05.1 rename.
 */
static inline uint32_t *job_priorities(const job_record_t *job)
{
#if SLURM_FROM(25, 5) || \
	(SLURM_FROM(24, 11) && SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 7))
	return job->prio_mult ? job->prio_mult->priority_array : NULL;
#elif SLURM_FROM(24, 5)
	return job->part_prio ? job->part_prio->priority_array : NULL;
#else
	return job->priority_array;
#endif
}

/* 24.11: more is asked and told by each of these; compat_*.c adapt what there was before. */
#if !SLURM_FROM(24, 11)
typedef struct {
	char **err_msg;
	job_record_t *job_ptr;
} job_node_select_t;

#define select_nodes compat_select_nodes
#define node_name2bitmap compat_node_name2bitmap
#define get_part_list compat_get_part_list
int select_nodes(job_node_select_t *what, bool test_only, bool submission, uint32_t scheduler);
int node_name2bitmap(char *names, bool best_effort, bitstr_t **nodes, hostlist_t **unknown);
void get_part_list(char *names, list_t **parts, part_record_t **first, char **unknown);
#endif

/*
 * 24.11 serves RPCs by a pool of threads: the end of a thread does not tell the end of an RPC any more.
 * How many are being served does.
 */
#define RPC_THREADS_LIVE_ON SLURM_FROM(24, 11)
static inline int rpcs_served(void)
{
	int n;

	slurm_mutex_lock(&slurmctld_config.thread_count_lock);
	n = slurmctld_config.server_thread_count;
	slurm_mutex_unlock(&slurmctld_config.thread_count_lock);
	return n;
}

/* Suspension or resumption for another job's turn, by root. 24.11 takes the request instead of its connection. */
static inline int job_suspend_turn(suspend_msg_t *what)
{
#if SLURM_FROM(24, 11)
	return job_suspend(NULL, what, 0, false, NO_VAL16);
#else
	return job_suspend(what, 0, -1, false, NO_VAL16);
#endif
}

/* Before 23.11 a message of suspension has what only the switch's plugin knows: it can be sent again where there is none. */
static inline bool suspension_repeats(void)
{
	return SLURM_FROM(23, 11) || !slurm_conf.switch_type ||
	       !xstrcmp(slurm_conf.switch_type, "switch/none");
}

/* What a node is told. The message's owner frees it. */
static inline suspend_int_msg_t *suspension_message(const job_record_t *job, uint16_t op)
{
	suspend_int_msg_t *what = xmalloc(sizeof(*what));

	what->job_id = job->job_id;
	what->op = op;
#if !SLURM_FROM(23, 11)
	what->job_core_spec = job->details->core_spec;
#endif
	return what;
}

/* 23.11: how a node of no fixed address is reached behind another one. */
static inline void agent_reaches(agent_arg_t *message, const node_record_t *node)
{
#if SLURM_FROM(23, 11)
	if (PACK_FANOUT_ADDRS(node))
		message->msg_flags |= SLURM_PACK_ADDRS;
#else
	(void)message;
	(void)node;
#endif
}

/* 24.11: if one of several partitions passes its jobs on, or takes none, the highest PriorityTier comes first. */
#define ALTERNATES_BY_TIER SLURM_FROM(24, 11)

/* Seconds that an epilog may take; NO_VAL16: no end is set. 25.05 has two limits for what was one. */
static inline uint16_t epilog_limit(void)
{
#if SLURM_FROM(25, 5)
	return slurm_conf.epilog_timeout;
#else
	return slurm_conf.prolog_epilog_timeout;
#endif
}

/* Likewise a prolog, on nodes or in slurmctld. */
static inline uint16_t prolog_limit(void)
{
#if SLURM_FROM(25, 5)
	return slurm_conf.prolog_timeout;
#else
	return slurm_conf.prolog_epilog_timeout;
#endif
}

/* 23.11.5 fits the steps of a job that gives nodes back to what it has left. */
static inline void steps_resized(job_record_t *job, bitstr_t *before)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 5)
	rebuild_step_bitmaps(job, before);
#else
	(void)job;
	(void)before;
#endif
}

#include "slurm/base/compat_newer.h"

#undef sched_error

/* slurm.h has a job state reason of this name; both are wanted in the bridge. */
#define WAIT_RESOURCES SCHED_WAIT_RESOURCES
#include "core/sched.h"
#undef WAIT_RESOURCES

#endif /* PACT_SLURM_COMPAT_H */

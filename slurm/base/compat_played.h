/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat_played.h - what differs between versions in what the unit tests play of slurmctld; for them only
 */
#ifndef PACT_SLURM_COMPAT_PLAYED_H
#define PACT_SLURM_COMPAT_PLAYED_H

#include "slurm/base/compat.h"

/* 23.02: the head of get_groups_members(), which also tells how many there are. */
#if SLURM_FROM(23, 2)
#define PLAYED_GROUPS_MEMBERS(names) \
	uid_t *get_groups_members(char *names, __attribute__((unused)) int *count)
#else
#define PLAYED_GROUPS_MEMBERS(names) uid_t *(get_groups_members)(char *names)
#endif

/* 23.02 asks select plugins no more whether they are cleaning up after a job. */
#define SELECT_CLEANS !SLURM_FROM(23, 2)

/* The thread that takes calls is there.  24.11 does not keep it where others see it. */
static inline void play_rpc_thread(void)
{
#if !SLURM_FROM(24, 11)
	slurmctld_config.thread_id_rpc = pthread_self();
#endif
}

/* What a select plugin is passed where nothing is excluded.  24.11 has one argument more (compat_select_plugin.h). */
#if SLURM_FROM(24, 11)
#define PLAYED_NO_EXCLUSION NULL, NULL
#else
#define PLAYED_NO_EXCLUSION NULL
#endif

/* What job_priorities() reads.  They are the caller's, and those of one job at a time. */
static inline void play_part_priorities(job_record_t *job, uint32_t *priorities)
{
#if SLURM_FROM(25, 5) || \
	(SLURM_FROM(24, 11) && SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 7))
	static __typeof__(*job->prio_mult) played;

	played.priority_array = priorities;
	job->prio_mult = &played;
#elif SLURM_FROM(24, 5)
	static __typeof__(*job->part_prio) played;

	played.priority_array = priorities;
	job->part_prio = &played;
#else
	job->priority_array = priorities;
#endif
}

/* The head of job_suspend(), of which `what` tells which job it is.  24.11 takes the request instead of its connection. */
#if SLURM_FROM(24, 11)
#define PLAYED_JOB_SUSPEND(what) \
	int job_suspend(__attribute__((unused)) slurm_msg_t *msg, suspend_msg_t *what, \
			__attribute__((unused)) uid_t uid, __attribute__((unused)) bool indf, \
			__attribute__((unused)) uint16_t version)
#else
#define PLAYED_JOB_SUSPEND(what) \
	int job_suspend(suspend_msg_t *what, __attribute__((unused)) uid_t uid, \
			__attribute__((unused)) int fd, __attribute__((unused)) bool indf, \
			__attribute__((unused)) uint16_t version)
#endif

/* The heads of what takes a job out of the books of limits: that runs, that was submitted.  23.11 has one argument more. */
#if SLURM_FROM(23, 11)
#define PLAYED_JOB_FINI(job) \
	void acct_policy_job_fini(job_record_t *job, __attribute__((unused)) bool locked)
#define PLAYED_REMOVE_JOB_SUBMIT(job) \
	void acct_policy_remove_job_submit(job_record_t *job, __attribute__((unused)) bool locked)
#else
#define PLAYED_JOB_FINI(job) void(acct_policy_job_fini)(job_record_t * job)
#define PLAYED_REMOVE_JOB_SUBMIT(job) void(acct_policy_remove_job_submit)(job_record_t * job)
#endif

/* A prolog on nodes, or none, which may take so long. There is one, or some, by the release: only whether there is any counts. */
static inline void play_prolog(bool any, uint16_t limit)
{
	static char scripts[2 * sizeof(char *)] = "/bin/sleep";

	slurm_conf.prolog = any ? (void *)scripts : NULL;
#if SLURM_FROM(25, 5)
	slurm_conf.prolog_timeout = limit;
#else
	slurm_conf.prolog_epilog_timeout = limit;
#endif
}

/* The partition takes only accounts that no job has.  23.02 keeps associations, not names. */
static inline void play_strange_accounts(part_record_t *part, char **names)
{
	part->allow_accounts = names[0];
	part->allow_account_array = names;
#if SLURM_FROM(23, 2)
	part->allow_accts_list = list_create(NULL);
#endif
}

/* What the one before has made goes. */
static inline void play_all_accounts(part_record_t *part)
{
	part->allow_accounts = NULL;
	part->allow_account_array = NULL;
#if SLURM_FROM(23, 2)
	FREE_NULL_LIST(part->allow_accts_list);
#endif
}

#endif /* PACT_SLURM_COMPAT_PLAYED_H */

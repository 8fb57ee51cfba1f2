/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partition.h - does a partition take a job, by its own keys?
 */
#ifndef PACT_SLURM_PARTITION_H
#define PACT_SLURM_PARTITION_H

#include "slurm/eligibility/account.h"
#include "slurm/eligibility/eligibility.h"

/*
 * Would Slurm start a job in this partition, by its AllowAccounts, DenyAccounts, AllowQos and
 * DenyQos?  As part_policy_valid_acct() and part_policy_valid_qos() say when a start is tried,
 * but those write a line into the log each time.  By the association's name: without accounting a
 * job has no account.
 */
bool partition_takes(const part_record_t *part, const struct account *account, char *why,
		     size_t why_size);

/*
 * Would Slurm let such a submission by `submitter` into all its partitions?  State, AllowGroups,
 * AllowAccounts, AllowQOS and their opposites, AllocNodes, RootOnly, DisableRootJobs, ReqResv:
 * job_submit() is asked before Slurm looks at them, and the accounts and QOS of a partition may
 * only keep the job waiting, for ever.  It looks groups up, which may take its time: without the
 * mutex.
 * OUT why - names the partition
 */
bool eligibility_enters(const job_desc_msg_t *desc, uint32_t submitter, char *why, size_t why_size);

/*
 * Would Slurm start such a job in all of its partitions?  By AllowAccounts and AllowQOS and their
 * opposites: without EnforcePartLimits Slurm does not ask for them before the job could start,
 * which then waits for ever.  All else it asks itself.  eligibility_obstacle() asks for this, too.
 * OUT why - names the partition
 */
bool eligibility_moves(const struct eligibility_job *job, char *why, size_t why_size);

#endif /* PACT_SLURM_PARTITION_H */

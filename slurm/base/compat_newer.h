/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat_newer.h - what a job may ask for that older releases do not have: there it never does
 *
 * Of a submission and of a record.  slurm/eligibility/request.c refuses each by its name.
 *
 * Included by compat.h only.
 */
#ifndef PACT_SLURM_COMPAT_NEWER_H
#define PACT_SLURM_COMPAT_NEWER_H

#if SLURM_FROM(24, 5)
static inline bool newer_asked(uint16_t value)
{
	return value && value != NO_VAL16 && value != INFINITE16;
}
#endif

/* 23.02: a list of node counts (--nodes=2,4), of which it gets any. */
static inline bool desc_node_counts(const job_desc_msg_t *desc)
{
#if SLURM_FROM(23, 2)
	return desc->job_size_str && desc->job_size_str[0];
#else
	(void)desc;
	return false;
#endif
}

static inline bool job_node_counts(const job_record_t *job)
{
#if SLURM_FROM(23, 2)
	return job->details->job_size_bitmap;
#else
	(void)job;
	return false;
#endif
}

/* 23.11: conditions on its nodes (--extra), under SchedulerParameters=extra_constraints; else it is a text. */
static inline bool desc_extra(const job_desc_msg_t *desc)
{
#if SLURM_FROM(23, 11)
	return desc->extra && desc->extra[0] && extra_constraints_enabled();
#else
	(void)desc;
	return false;
#endif
}

static inline bool job_extra(const job_record_t *job)
{
#if SLURM_FROM(23, 11)
	return job->extra_constraints;
#else
	(void)job;
	return false;
#endif
}

/* 24.05: so many nodes together in a block (--segment). */
static inline bool desc_segment(const job_desc_msg_t *desc)
{
#if SLURM_FROM(24, 5)
	return newer_asked(desc->segment_size);
#else
	(void)desc;
	return false;
#endif
}

static inline bool job_segment(const job_record_t *job)
{
#if SLURM_FROM(24, 5)
	return newer_asked(job->details->segment_size);
#else
	(void)job;
	return false;
#endif
}

/* 24.05: ports of its nodes for itself (--resv-ports). */
static inline bool desc_ports(const job_desc_msg_t *desc)
{
#if SLURM_FROM(24, 5)
	return newer_asked(desc->resv_port_cnt);
#else
	(void)desc;
	return false;
#endif
}

static inline bool job_ports(const job_record_t *job)
{
#if SLURM_FROM(24, 5)
	return newer_asked(job->resv_port_cnt);
#else
	(void)job;
	return false;
#endif
}

/* 24.05: everything of the topology that its nodes are in (--exclusive=topo). */
static inline bool desc_whole_topo(const job_desc_msg_t *desc)
{
#if SLURM_FROM(24, 5)
	return desc->shared == JOB_SHARED_TOPO;
#else
	(void)desc;
	return false;
#endif
}

static inline bool job_whole_topo(const job_record_t *job)
{
#if SLURM_FROM(24, 5)
	return job->details->whole_node & WHOLE_TOPO;
#else
	(void)job;
	return false;
#endif
}

/* 24.05: a step manager in the job itself (--stepmgr), which also a site may want for all jobs (_enable_stepmgr). */
static inline bool desc_manages_steps(const job_desc_msg_t *desc)
{
#if SLURM_FROM(24, 5)
	return slurm_conf.prolog_flags & PROLOG_FLAG_CONTAIN &&
	       (desc->bitflags & STEPMGR_ENABLED ||
		xstrstr(slurm_conf.slurmctld_params, "enable_stepmgr"));
#else
	(void)desc;
	return false;
#endif
}

/* slurmctld does not know its steps. */
static inline bool job_manages_steps(const job_record_t *job)
{
#if SLURM_FROM(24, 5)
	return job->bit_flags & STEPMGR_ENABLED;
#else
	(void)job;
	return false;
#endif
}

/*
 * Of a partition: 24.05 may give each job there everything of the topology that its nodes are in
 * (ExclusiveTopo); from 23.02 on it may leave processors of each socket unused (MaxCPUsPerSocket).
 */
static inline bool part_whole_topo(const part_record_t *part)
{
#if SLURM_FROM(24, 5)
	return part->flags & PART_FLAG_EXCLUSIVE_TOPO;
#else
	(void)part;
	return false;
#endif
}

static inline bool part_limits_sockets(const part_record_t *part)
{
#if SLURM_FROM(23, 2)
	return part->max_cpus_per_socket != INFINITE;
#else
	(void)part;
	return false;
#endif
}

#endif /* PACT_SLURM_COMPAT_NEWER_H */

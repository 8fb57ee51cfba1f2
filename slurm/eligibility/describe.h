/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * describe.h - a job as the planner sees it, or the name of what it cannot see
 *
 * One description serves a submission (job_desc_msg_t, before Slurm's own
 * checks) and a record, so that what was promised is what is planned.  A job
 * that uses anything the planner does not model is opaque: never promised, and
 * planned only through ACT_START's allowed nodes (core/sched.h, JOB_OPAQUE).
 *
 * Descriptions of one snapshot share their node sets through a table of regions,
 * which owns them; a description is valid as long as its table is.
 *
 * Everything here reads slurmctld's records: read locks on configuration, jobs,
 * nodes and partitions.
 */
#ifndef PACT_SLURM_DESCRIBE_H
#define PACT_SLURM_DESCRIBE_H

#include "slurm/records/region.h"

struct regions;

/* Tasks of an array that may have a promise. */
#define DESCRIBE_TASKS 10000
#define DESCRIBE_PART_OF_NODE "part of a node (add --exclusive)"
#define DESCRIBE_THROTTLE "a limit on running array tasks (%)"

struct regions *regions_create(void);
void regions_destroy(struct regions *regions);

/* What of a partition makes Slurm keep a job waiting. */
enum describe_wait {
	DESCRIBE_RUNS = 0,
	DESCRIBE_STATE, /* DOWN or INACTIVE */
	DESCRIBE_MAX_TIME,
	DESCRIBE_MAX_NODES,
	DESCRIBE_MIN_NODES,
	DESCRIBE_MAX_MEMORY, /* more memory than MaxMemPerNode */
	DESCRIBE_CPU_MEMORY, /* more memory than MaxMemPerCPU times the processors of a node */
	/* For ever: a submission is refused, and a record that was changed so never started. */
	DESCRIBE_CPUS,	   /* more than its nodes have */
	DESCRIBE_REQUIRED, /* more nodes than it is to have */
	DESCRIBE_CROWDED,  /* fewer nodes than its tasks on each of them need */
};

struct description {
	const char *opaque;	  /* what cannot be planned, static text; NULL: nothing */
	bool preempts;		  /* may take nodes from running jobs: a record's only */
	enum describe_wait waits; /* why Slurm itself keeps it waiting */
	uint32_t waits_at;	  /* the limit that keeps it waiting */
	bool memory_waits; /* its memory would keep it waiting in one of its partitions at least */
	const char *waits_in; /* the first partition in which it waits; the table's memory */
	int32_t width;	      /* nodes; an opaque job: at most, as far as known */
	int32_t most; /* so many it can use, with a range (--nodes=MIN-MAX), and have (widest.h); 0: it has none */
	bool bounded; /* that is less than it asks for, by a limit */
	bool malleable; /* between them it is resized while it runs; limit is its time on width of them */
	const char *
		stays; /* what keeps it from that, though it can be planned, static text; NULL: nothing */
	int64_t grace; /* with so many seconds' notice; 0: it does not say */
	const int64_t *
		speedup; /* how fast it is, nspeedup numbers as core/kernel/speedup.h has them; the table's */
	uint32_t nspeedup;
	int64_t value; /* what its end is worth at best, in millionths; 0: nothing */
	int64_t limit; /* seconds, or PACT_FOREVER */
	/*
	 * By the job or its partition's DefaultTime; else it is MaxTime, which an account's may replace,
	 * and nobody has chosen it: nothing is promised.
	 */
	bool limit_given;
	int64_t least;	  /* seconds it may be trimmed to for its deadline; <= limit */
	int64_t begin;	  /* 0: none */
	int64_t deadline; /* 0: none */
	uint64_t least_memory, most_memory; /* MiB that Slurm may count of each node */
	bool ordered;	    /* in all of its partitions jobs run in the order of their deadlines */
	bool shares;	    /* in one of its partitions jobs share nodes, */
	bool slices;	    /* or take turns on them: */
	bool whole;	    /* there it gives its nodes to no other job's turn */
	int32_t processors; /* so many of each node; 0: all */
	int64_t memory;	    /* MiB of each node */
	struct region_size size; /* what single nodes have, whichever it gets */
	uint32_t nalt;
	const struct nodeset *alt[SCHED_MAX_ALT]; /* one per partition */
	const struct nodeset *required;		  /* or NULL */
	const char *part[SCHED_MAX_ALT];	  /* their names, the table's memory */
	const char
		*scarce; /* why none of them ever has so many nodes, the table's memory; or NULL */
};

/*
 * What a submission asks for; of one that never fits, why.
 * IN desc - as job_submit() gets it: partition may be NULL, counts NO_VAL
 * RET false when a partition does not exist (Slurm will say so) or no memory
 */
bool describe_submission(struct regions *regions, const job_desc_msg_t *desc,
			 struct description *out);

/*
 * What a pending record asks for.
 * RET false when it has no usable partition
 */
bool describe_record(struct regions *regions, const job_record_t *job, struct description *out);

/*
 * What makes Slurm keep a job waiting in a partition (job_limits_check), and how much that is.
 * IN job - its width and times
 * IN nodes - least node count, as Slurm's record has it: MinNodes is compared with that,
 *	whatever the job's tasks need
 * IN limited - it has a time limit of its own
 */
enum describe_wait describe_part_wait(const struct description *job, const part_record_t *part,
				      uint32_t nodes, bool limited);
/*
 * The same of its memory (_valid_pn_min_mem).
 * IN need - memory, or cpu_memory; neither: all of a node; and whether that is the job's
 * IN cpus - that the job itself asks for on each node; 0: it does not say
 */
enum describe_wait describe_memory_wait(const part_record_t *part, const struct node_need *need,
					uint32_t cpus);
/* Processors of a node that Slurm asks for instead, to give them so much memory; 0: any. */
uint32_t describe_memory_cpus(const part_record_t *part, const struct node_need *need);
/*
 * Slurm gives a job with more memory for a processor than MaxMemPerCPU so many times the processors,
 * and that part of its memory for each; 1: any other.
 * IN memory - MiB; of each processor with MEM_PER_CPU
 */
uint32_t describe_memory_ratio(const part_record_t *part, uint64_t memory);
uint32_t describe_part_at(const part_record_t *part, enum describe_wait why);

/* Does it wait for what never comes, as long as it is not changed? */
bool describe_in_vain(const struct description *what);

/* Slurm refuses a submission to the partitions that it waits for: they take no jobs now. */
bool describe_closed(const struct description *what);

/* In words: "partition NAME: KEY=VALUE ..."; nothing for one that runs. */
void describe_waits(const struct description *what, char *out, size_t size);

/* In words: what keeps one that asks for --malleable from being resized. */
void describe_rigid(const struct description *what, char *out, size_t size);

/* Seconds of run time for a job's limit in minutes, in a partition. */
int64_t describe_limit(uint32_t minutes, const part_record_t *part);

#endif /* PACT_SLURM_DESCRIBE_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request.h - what a submission or a record asks for, in one form
 *
 * Counts are as the job asks for them; what they come to in a partition, and
 * where the job may run, is described from here (describe.h).  What the planner
 * cannot see is named in `opaque`, the first that is found.
 *
 * Everything here reads slurmctld's records: read locks on configuration, jobs,
 * nodes and partitions.
 */
#ifndef PACT_SLURM_REQUEST_H
#define PACT_SLURM_REQUEST_H

#include "slurm/records/malleable.h"
#include "slurm/records/region.h"

/* Pointers are borrowed from the submission or record, but for its own bitmaps. */
struct request {
	const char *opaque;
	part_record_t *part[SCHED_MAX_ALT]; /* the highest PriorityTier first */
	uint32_t nparts;
	part_record_t *first; /* as it was named; of a record as Slurm has sorted them */
	const char *features, *exclude_key;
	const char *
		among; /* the nodes by name that it gets any of, the others are excluded; or NULL */
	const bitstr_t *exclude, *required;
	struct node_need need; /* but memory, which a partition may have a default for */
	uint64_t memory;       /* MiB, of each processor with MEM_PER_CPU */
	bool memory_given;
	uint32_t min_nodes, max_nodes; /* max 0: not said */
	uint32_t record_nodes;	       /* min_nodes as Slurm's record has it */
	uint32_t cpus;		       /* in all, 0: not said */
	uint32_t node_tasks;	       /* of each node, 0: not said */
	bool malleable; /* it is resized while it runs, and that is what it says about it: */
	struct malleable_option option;
	bool submitted; /* just now; else it is a record's */
	bool steps;	/* it manages its steps itself */
	bool federated; /* submitted: other clusters may run it, too */
	int64_t value;	/* what its end is worth at best, in millionths; 0: nothing */
	bool exclusive;
	uint32_t time_limit, time_min; /* minutes, NO_VAL, 0 */
	time_t begin, deadline;
	uint32_t unmet;	  /* required nodes, if more than its most nodes; else 0 */
	uint32_t crowded; /* nodes for its tasks on each, if more than its most nodes; else 0 */
	bool preempts;	  /* may take nodes from running jobs: a record's only */
	bitstr_t *own_exclude, *own_required;
	char *own_key;
};

/*
 * OUT req - overwritten; request_release() it whatever is returned
 * RET false: a partition does not exist, or there is none
 */
bool request_submission(struct request *req, const job_desc_msg_t *desc);
/* The same of a record; false too for one without details. */
bool request_record(struct request *req, const job_record_t *job);
void request_release(struct request *req);

/* A client of slurmctld may name any number; the planner's widths have a sign. */
uint32_t request_countable(uint64_t n);

/* Nodes that so many processors, or tasks, need at least. */
uint32_t request_nodes_for(uint32_t cpus, uint32_t per_node);

/*
 * Names a job more nodes than it has to have?  From 23.02 on it then gets any of them: to Slurm all others
 * are excluded, and none is required.
 * IN least - its nodes; NO_VAL: as many as it names
 */
bool request_chooses(const bitstr_t *named, uint32_t least);
/* From the nodes that it names to those that it excludes beside excluded (or NULL). RET: the caller's */
bitstr_t *request_others(const bitstr_t *named, const bitstr_t *excluded);

/* Is it select/linear, or select/gang, which stands on it: they give whole nodes only? */
bool request_linear(void);

#endif /* PACT_SLURM_REQUEST_H */

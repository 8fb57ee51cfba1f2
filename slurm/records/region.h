/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * region.h - where a job may run: Slurm's bitmaps and features as the core's node sets
 *
 * A region is the nodes of one partition that have the features, memory, disk
 * and processors asked for and are not excluded.  Whether they are up, or
 * reserved, is not part of it: that changes, and the plan learns it by blocks.
 * A node's number is its index in Slurm's node table.
 *
 * All functions read slurmctld's node and partition records: read locks.
 */
#ifndef PACT_SLURM_REGION_H
#define PACT_SLURM_REGION_H

#include "slurm/base/compat.h"

#include "core/base/nodeset.h"

/* What every single node must have; 0: anything will do. */
struct node_need {
	uint64_t memory;     /* MiB */
	uint64_t cpu_memory; /* MiB of each of its processors that the job gets */
	uint32_t cpus;
	uint32_t most_cpus; /* a whole node must not have more */
	uint32_t tmp_disk;  /* MiB */
	bool whole;	    /* all its processors are the job's */
};

/*
 * The nodes of a partition that a job may use.
 * IN features - Slurm's -C text, one feature or several joined by &; NULL: none
 * IN exclude - nodes not to use, or NULL
 * OUT why - static text naming what cannot be planned, when NULL is returned
 * RET a set that the caller owns; NULL: not to be planned, or no memory
 */
struct nodeset *region_make(const part_record_t *part, const char *features,
			    const bitstr_t *exclude, const struct node_need *need,
			    const char **why);

/* What single nodes of a set have. */
struct region_size {
	uint32_t least_cpus, most_cpus; /* 0: the set is empty */
	uint64_t most_memory;		/* MiB */
	uint64_t least_memory;		/* MiB, of those that jobs get */
	bool gres;			/* some have generic resources */
};

/* OUT size - lowered and raised by the nodes of the set: begin with { 0 } */
void region_measure(const struct nodeset *set, struct region_size *size);

/* MiB of a node that jobs get, all of them together: without what is set aside for the system. */
uint64_t region_memory(const node_record_t *node);

/* Bitmap to set and back; the caller owns the result.  NULL: no memory. */
struct nodeset *region_from_bitmap(const bitstr_t *bitmap);
bitstr_t *region_to_bitmap(const struct nodeset *set);

#endif /* PACT_SLURM_REGION_H */

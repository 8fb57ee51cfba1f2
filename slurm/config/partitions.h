/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partitions.h - which scheduler has which nodes, where partitions have their own
 *
 * A line "PartitionName=gpu Scheduler=easy" of pact.conf gives the nodes of a
 * partition an engine of their own; all other nodes are SchedulerType's.  No node
 * is of two.  "PartitionName=gpu Admission=libra" makes it a realm: its jobs share
 * nodes by their deadlines (or, where nothing is promised at submission, have them
 * in the order of deadlines), and "PartitionName=slice Gang=mbgs" lets them take turns; what Slurm says of the
 * partition has to suit that.
 */
#ifndef PACT_SLURM_PARTITIONS_H
#define PACT_SLURM_PARTITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/nodeset.h"

/* By which key pact.conf gives a partition a scheduler of its own. */
enum own_key {
	OWN_SCHEDULER, /* Scheduler=: jobs have their nodes for themselves */
	OWN_ADMISSION, /* Admission=: a realm */
	OWN_GANG,      /* Gang=: jobs take turns */
};

/* A partition's own scheduler, as pact.conf has it. */
struct own_scheduler {
	char *partition, *scheduler;
	char *settings;	    /* its own, as core/sched.h has them in a name: each after a colon */
	int32_t risk_limit; /* in millionths: its RiskLimit; 0: chances count for nothing there */
	bool promises;	    /* does it make any? */
	enum own_key key;
};

/* Slurm's partitions at one moment. */
struct partitions {
	struct partition {
		char *name;
		struct nodeset *nodes;
		bool forced;   /* OverSubscribe=FORCE: its jobs share nodes whatever they ask for */
		uint16_t jobs; /* to a node; 0: EXCLUSIVE */
		bool modest;   /* a job that names no memory does not get all of a node's */
	} * v;
	size_t n;
	uint32_t nodes; /* in Slurm's table */
	bool known;	/* false: they are not there yet, or memory was short */
	bool memory;	/* Slurm counts the memory of jobs */
	bool prolog;	/* prologs run on all nodes of a job before it begins (PrologFlags=Alloc) */
	bool gang;	/* SelectType=select/gang */
	bool own_gang;	/* Slurm's own gang scheduler is on (PreemptMode=GANG) */
};

/* It reads part_list: its and the nodes' read locks, or a plugin's init().  partitions_free() it. */
void partitions_look(struct partitions *out);
void partitions_free(struct partitions *p);

/* A number for which of them may have turns, and how many; 0 without select/gang. */
uint64_t partitions_shape(const struct partitions *p);

/* The one of that partition: of several lines the last.  NULL: it has none of its own. */
const struct own_scheduler *partitions_own(const struct own_scheduler *own, size_t n,
					   const char *partition);

/* Copies; *out_n is 0 where memory is short. */
struct own_scheduler *partitions_copy(const struct own_scheduler *own, size_t n, size_t *out_n);
void partitions_drop(struct own_scheduler *own, size_t n);

/*
 * The name of all schedulers together, for sched_create(); `standard` alone where no partition has nodes and
 * another one.  malloc()ed.
 * OUT err - says why not, naming key and partition
 * RET NULL: a node would be of two, or memory is short
 */
char *partitions_scheduler(const struct partitions *p, const struct own_scheduler *own, size_t n,
			   const char *standard, char *err, size_t err_size);

/* The key of pact.conf that names it. */
const char *partitions_key(const struct own_scheduler *own);

/*
 * Does Slurm treat its jobs as the scheduler needs it?  false: err names key and partition.
 * IN unchecked - jobs may take turns though nothing counts their memory
 */
bool partitions_fit(const struct partitions *p, const struct own_scheduler *own, bool unchecked,
		    char *err, size_t err_size);

/*
 * The i-th whose jobs take turns and which Slurm gives all memory of their nodes, where they name none: then no other job
 * takes turns with them.  NULL: there are no more.
 */
const char *partitions_immodest(const struct partitions *p, const struct own_scheduler *own,
				size_t n, size_t i);

/*
 * Under select/gang: the i-th with FORCE whose jobs have a scheduler of their own, and so take no turns: its line, and *name, the
 * partition. NULL: there are no more.
 */
const struct own_scheduler *partitions_unsliced(const struct partitions *p,
						const struct own_scheduler *own, size_t n, size_t i,
						const char **name);

/* Do jobs of this one take turns? */
bool partitions_slices(const struct own_scheduler *own);

/* So many rows has the matrix of partitions whose jobs take turns, the one with most; 0: there are none. */
uint16_t partitions_rows(const struct partitions *p, const struct own_scheduler *own, size_t n);

/*
 * And so many that of this one: the most of what it and those that share nodes with it have, directly or through others.
 * RET 0: memory is short
 */
uint16_t partitions_rows_at(const struct partitions *p, const struct own_scheduler *own, size_t n,
			    const struct partition *at);

/*
 * All nodes of realms and of partitions whose jobs take turns, or, with `sharing`, of realms whose jobs share nodes;
 * NULL: there are none, or memory is short.
 */
struct nodeset *partitions_realm_nodes(const struct partitions *p, const struct own_scheduler *own,
				       size_t n, bool sharing);

/*
 * Those that are realms whose jobs share nodes.  partitions_free() it.
 * RET false: memory is short, and it has none
 */
bool partitions_sharing(const struct partitions *p, const struct own_scheduler *own, size_t n,
			struct partitions *out);

/*
 * How many jobs Slurm lets share each node at a time (OverSubscribe=FORCE:N), by all realms and partitions with turns
 * that it is of; 0: it is of none. malloc()ed, of p->nodes; NULL: memory is short.
 */
uint16_t *partitions_realm_jobs(const struct partitions *p, const struct own_scheduler *own,
				size_t n);

#endif /* PACT_SLURM_PARTITIONS_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * last_plan.h - the plan as it was at the end of the last pass, for queries
 *
 * Each pass leaves its snapshot here, with the plan's view of every job, instead
 * of freeing it.  Readers take neither slurmctld's locks nor the mutex.  A plan
 * never changes; the next pass puts up another one, and the old one goes when
 * its last reader does.
 */
#ifndef PACT_SLURM_LAST_PLAN_H
#define PACT_SLURM_LAST_PLAN_H

#include "slurm/state/bridge.h"
#include "slurm/state/running_policy.h"

/* One job of the plan: a waiting one, a task of an array, or a running one. */
struct last_plan_row {
	const struct snap_job *job;
	uint32_t task; /* NO_VAL: no array task */
	bool planned;  /* the plan knows it: view is set */
	bool promised; /* the plan looks after its deadline */
	struct sched_view view;
	enum sched_wait wait;
	const char *scheduler; /* where partitions have their own: which has it; else NULL */
	int domain;	       /* the domain that has it */
	/* where jobs take turns (view.turns, whose nodes are not kept) */
	struct slices_account account; /* running */
	int64_t stopped; /* since when it is suspended, as the pass left it; 0: it runs */
	size_t first,
		ranges; /* nodes of one that has its place and waits for its turn: of last_plan.range */
};

/* Nodes first .. last. */
struct last_plan_range {
	uint32_t first, last;
};

/* The matrix of jobs that take turns, of one scheduler. */
struct last_plan_matrix {
	int domain; /* as of its rows */
	char scheduler[16];
	uint32_t rows, short_rows;   /* the last ones are kept for short jobs */
	int32_t row;		     /* whose turn it is; -1: there is no job */
	int64_t slice, slice_end;    /* its number, and when it is over; PACT_FOREVER: never */
	const struct nodeset *nodes; /* a copy */
};

/* What a job has of a node that is shared. */
struct last_plan_part {
	const struct last_plan_row *row; /* NULL: its record is not there yet */
	uint32_t share;			 /* of the node, in parts of SHARE_WHOLE */
	int64_t end;			 /* predicted there; PACT_FOREVER: not known */
};

/* A node that is shared, with jobs on it: its parts are `n` of last_plan.part from `first` on. */
struct last_plan_node {
	uint32_t node, spare; /* spare: of the node, in parts of SHARE_WHOLE */
	size_t first, n;
};

/* What a pass cost, in microseconds. */
struct pass_cost {
	int64_t total;	  /* all of it */
	int64_t work;	  /* processor time of the thread in it */
	int64_t reading;  /* under slurmctld's locks to read only */
	int64_t planning; /* with the mutex, and with none of those; starts included */
	int64_t writing;  /* under slurmctld's locks to write: its queue, starts, the plan */
};

struct last_plan {
	_Atomic int refs;
	struct snapshot *snap;
	struct last_plan_row *rows;
	size_t nrows;
	uint64_t passes; /* since slurmctld started */
	int64_t guard, lateness;
	enum sched_mode mode;
	bool observe, safe;
	char unsafe[256];
	struct tally tally;
	struct running_policy_view policy; /* at the end of the pass */
	bool learns;			   /* has a realm a RiskLimit? */
	int32_t risk_limit;	   /* that of realms without one of their own, in millionths */
	uint64_t learned;	   /* jobs that chances come from */
	uint64_t open, risk;	   /* promises to be kept yet; those that cannot be */
	struct own_scheduler *own; /* of partitions */
	size_t nown;
	struct nodeset *
		silent; /* nodes whose daemons are silent or lack something; NULL: none are asked */
	struct last_plan_node *node; /* by number */
	struct last_plan_part *part;
	size_t nnodes;
	struct last_plan_matrix *matrix;
	size_t nmatrices;
	struct last_plan_range *range;
	size_t nranges, range_room;
	int64_t slice;	       /* seconds */
	struct slices slicing; /* what switches came to */
	char **names;	       /* of snap->nodes nodes; NULL: not known */
};

/*
 * A pass's result.  With the mutex, nothing drained after it.
 * IN snap - stays the caller's until last_plan_show()
 * RET NULL: no memory
 */
struct last_plan *last_plan_make(struct bridge *b, struct snapshot *snap);

/*
 * Put it up; it owns the snapshot from now on (NULL: the snapshot is freed).
 * It takes slurmctld's node lock for a moment when the node table has changed:
 * no lock may be held.
 */
void last_plan_show(struct last_plan *last, struct snapshot *snap);

/* The one that is up, or NULL; last_plan_put() it.  Any thread. */
struct last_plan *last_plan_get(void);
void last_plan_put(struct last_plan *last);
/* Take it down: there is no plan any more. */
void last_plan_clear(void);
/* Why none is up: static text. */
const char *last_plan_none(void);

/* Nodes by name, as Slurm writes them: "n[1-4,7]".  malloc()ed; NULL: not known. */
char *last_plan_nodes(const struct last_plan *last, const struct nodeset *nodes);

#endif /* PACT_SLURM_LAST_PLAN_H */

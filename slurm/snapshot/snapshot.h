/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot.h - what slurmctld's records say at one moment
 *
 * Taken in two steps.  First what may run now (queue.h), under the write lock.  Then, under read locks, a few fields of
 * every job that waits or holds nodes, the nodes that cannot be used, and the
 * reservations.  Nothing in a snapshot points into slurmctld's memory.
 *
 * Invariants: jobs are sorted by submission, then job id, then array task, so
 * that numbering them in this order breaks ties as Slurm does.  A node
 * set has node_record_count nodes; `names` changes when the node table does.
 */
#ifndef PACT_SLURM_SNAPSHOT_H
#define PACT_SLURM_SNAPSHOT_H

#include "slurm/eligibility/describe.h"
#include "slurm/snapshot/dependency.h"
#include "slurm/snapshot/queue.h"
#include "slurm/records/malleable.h"
#include "slurm/records/move.h"
#include "slurm/records/share_terms.h"
#include "slurm/records/token.h"

/*
 * SNAP_LOST: its nodes failed, and it will not run again.  SNAP_ENDED: otherwise over.  Both only
 * with a token, and until that says what became of the promise.
 */
enum snap_state { SNAP_PENDING, SNAP_RUNNING, SNAP_LOST, SNAP_ENDED };

/* How it ended: by itself, killed at its limit, or cancelled. */
/* Refused: Slurm itself turned the submission down, and has left a record of it that failed. */
enum snap_how { SNAP_DONE, SNAP_TIMEOUT, SNAP_CANCELLED, SNAP_REFUSED };

struct wish_calls;

/* More steps than these are not looked at: of so many slurmd suspends all at once. */
#define LAUNCHES 8

struct snap_job {
	uint32_t job_id;  /* of the record */
	uint32_t base_id; /* array_job_id, or job_id */
	uint32_t task;	  /* NO_VAL: no array task, or many (tasks) */
	uint32_t uid;
	const char *account, *partition; /* texts of the record; or NULL */
	uint32_t *tasks; /* an array's unsplit tasks, the first of them; ended, too */
	uint32_t ntasks;
	struct snap_depend *depends; /* of a job with a promise */
	uint32_t ndepends;
	enum snap_state state;
	enum snap_how how; /* of a job that has ended: how */
	bool ran;	   /* ended: it had nodes */
	uint32_t width;	   /* ended: so many nodes it had, or asked for */
	int64_t limit;	   /* ended: its limit in seconds, or 0 */
	bool held;
	bool dependent;	  /* has an unmet dependency */
	bool never;	  /* its dependency, or that of a job it waits for, can never be met */
	bool runnable;	  /* in Slurm's queue, and not only inside a reservation */
	bool inside;	  /* may start inside a reservation */
	bool ending;	  /* running: it only cleans up */
	bool partly;	  /* running: it leaves something of its nodes to others */
	bool slices;	  /* running: it takes turns on its nodes, as nothing is promised to it */
	bool outside;	  /* and yet it takes none (sync_running.h); */
	bool has_row;	  /* or it has a place in the matrix, and will run there */
	bool suspended;	  /* running: not just now, */
	bool by_hand;	  /* and not because it is another job's turn, */
	bool unclear;	  /* as far as its record says: it is held, too */
	bool turned;	  /* but may have been, at some time */
	int64_t runtime;  /* running, by turns or resized: seconds in which it was not suspended */
	int64_t switched; /* likewise: since when it is suspended, or runs again; 0: it never was */
	int64_t launched; /* running, by turns: when Slurm has begun to launch it, or its youngest step; 0: it has many steps (LAUNCHES) */
	int64_t warning; /* running, by turns: it wants a signal so long before its end, and had none (warning.h); or 0 */
	uint16_t leaves;  /* by this signal it may be asked to leave its nodes; 0: it may not */
	struct move move; /* what has come of that */
	bool gone;	  /* running, by its record: it is over (cleaned.h) */
	bool resizes;	  /* running: it is resized, and `what` says what it asked for */
	bool waking;	  /* running: its nodes wake first, and its end moves on until they have */
	bool given_up;	  /* its broken promise keeps no place any more (refusal.h) */
	bool tried;	  /* pending: a start inside a reservation was tried since */
	bool over;	  /* over a limit of its account or QOS: it never runs as it is */
	char *obstacle;	  /* what forbids a promise now, for one that was withdrawn too; or NULL */
	const struct entry *entries;
	uint32_t nentries;
	int64_t taken; /* when the snapshot was */
	int64_t submit, eligible;
	int64_t start, end; /* running, ended: as Slurm has it; pending: start is the plan shown */
	uint32_t reason;    /* pending: enum job_state_reason */
	uint64_t said;	    /* pending, running: snapshot_said() of the text beside the reason */
	int64_t priority;   /* Slurm's order as one number: higher first */
	uint64_t print;	    /* changes whenever the terms of the job do */
	enum token_rc token_rc;
	struct token token;
	struct nodeset *nodes; /* running */
	int64_t left; /* running, by turns: seconds of its limit that it has not run yet; or PACT_FOREVER */
	int64_t memory; /* running, in a realm or by turns: of each node, MiB; 0: none is counted */
	struct share_terms terms; /* running, in a realm; estimate 0: it has none */
	struct nodeset *
		keeps; /* running: it was asked to give back all others by `notice`, and has not; or NULL */
	int64_t notice; /* of the first of them */
	struct wish_calls
		*calls; /* those others by when they are due (wish_of.h); NULL as keeps is */
	bool asked;	/* running, not resized any more: it is asked for nodes still */
	bool begun; /* running, resized: by another than us, of which its record has to be told; it may have a wish to an earlier run */
	uint32_t cleaning; /* of `nodes` so many are given back, and not clean yet */
	struct nodeset
		*own; /* running, resized: of its nodes those that are not on loan; or NULL */
	uint32_t
		before; /* of these so many come before the batch script's, which stays; 0: that is the first */
	struct malleable_run
		run; /* running, ended, resized: by what its record says it goes on after a restart; own 0, ended: it has none */
	struct description what; /* pending; running, if it takes turns or is resized */
};

/* What a node has for jobs. */
struct snap_node {
	const char *name;     /* the snapshot's */
	int32_t rating, most; /* 0 here: a node's daemon tells the one, its partitions the other */
	int32_t processors;
	int64_t memory; /* MiB */
};

/* One occurrence of a reservation. */
struct snap_resv {
	const char *name;
	int64_t start, end;
	struct nodeset *nodes;
};

struct snapshot {
	int64_t since; /* what has changed from then on it may not show */
	int64_t now;
	int64_t site;	   /* when a partition or slurm.conf has changed last */
	uint32_t nodes;	   /* in Slurm's table */
	uint64_t names;	   /* hash of their names */
	const void *table; /* that table: to be compared, not to be looked at */
	struct snap_job *jobs;
	size_t njobs;
	uint32_t *
		cut; /* records that are over and were ended before their jobs were done, where these share nodes */
	size_t ncut;
	struct snap_resv *resvs;
	size_t nresvs;
	struct nodeset *down; /* lost, drained, or not yet there */
	struct nodeset *
		unclean; /* being cleaned up after jobs, refused (refused_nodes.h) or asleep, where jobs are resized; NULL: not known */
	struct snap_node *has; /* what each node has, of so many */
	struct regions *regions;
	struct queue *queue; /* owns the jobs' entries */
	struct texts *texts;
};

/*
 * Take one.  It takes and releases slurmctld's locks: none may be held.
 * RET NULL when memory is short; snapshot_destroy() it
 */
struct snapshot *snapshot_take(void);
void snapshot_destroy(struct snapshot *snap);

/* Is the record one of those in `cut`? */
bool snapshot_was_cut(const struct snapshot *snap, uint32_t job_id);

/* The hash of nodes' names as they are numbered now.  Node read lock; O(nodes). */
uint64_t snapshot_names(void);

/* A record's fingerprint, as in snap_job.print.  Job read lock. */
uint64_t snapshot_print(const job_record_t *job);

/* A text as snap_job.said has it; NULL: none.  Equal texts have equal numbers. */
uint64_t snapshot_said(const char *text);

#endif /* PACT_SLURM_SNAPSHOT_H */

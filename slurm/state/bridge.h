/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bridge.h - between slurmctld and the core: the state both plugins share
 *
 * One bridge lives in a process.  It owns the core's scheduler, which is rebuilt
 * from slurmctld's records whenever the two differ; the records are the truth.
 *
 * Locks.  The bridge's mutex guards everything in struct bridge.  Order: first
 * slurmctld's locks, then the mutex; no thread waits for a lock of slurmctld while
 * holding the mutex.  The thread that plans holds the mutex and none of
 * slurmctld's; the thread that starts a job holds slurmctld's and not the mutex,
 * which it takes back before it gives those up.
 * job_submit() and job_modify(), called with slurmctld's locks held, take the
 * mutex for at most AdmissionTime.  A question computes with the mutex alone, and
 * gives way as soon as a thread waits for it that has a lock of slurmctld's.
 *
 * Invariants:
 * - every waiting job and hold of the core is a track, an unconfirmed submission (accepted,
 *   no record yet), or a block (lost nodes, a reservation);
 * - a track's core id never changes while the job waits or runs;
 * - no pointer into slurmctld's memory outlives a lock.
 */
#ifndef PACT_SLURM_BRIDGE_H
#define PACT_SLURM_BRIDGE_H

#include <stdatomic.h>

#include "core/base/table.h"
#include "slurm/config/safety.h"
#include "slurm/history/ledger.h"
#include "slurm/records/share_terms.h"
#include "slurm/snapshot/snapshot.h"
#include "slurm/state/slices.h"
#include "slurm/state/tally.h"

/* What Slurm would not do with a job is so until then, by slurm.conf as it was read at that time, while it has so many nodes. */
struct track_rule {
	int64_t until, conf; /* until 0: there is none */
	uint32_t width;
};

/* A job that both slurmctld and the core know. */
struct track {
	uint64_t key;	 /* slurmctld's name for it: track_key() */
	uint64_t core;	 /* the core's */
	uint32_t job_id; /* record at the last snapshot */
	int64_t submit;
	uint64_t print;
	uint64_t shape; /* of the terms the core was told: bridge_shape() */
	int64_t priority;
	int64_t end;		     /* running: the record's end, without its lateness */
	int64_t limit;		     /* running, by turns: the limit that the core goes by */
	uint32_t width;		     /* running: nodes held, */
	uint32_t cleaning;	     /* and so many of them given back, and not clean yet */
	uint64_t seen;		     /* epoch of the last snapshot that had it */
	uint64_t tried;		     /* epoch of the last pass that tried to start it */
	uint64_t decided;	     /* epoch at its last change: older snapshots do not show it */
	const struct snap_job *snap; /* during a pass only */
	struct terms *asked;	     /* decided, and no snapshot has shown it (terms.h); or NULL */
	struct track *next_task, *prev_task; /* of its array; track_first_task() */
	struct token token;		     /* id 0: none */
	bool running;
	bool suspended; /* running, on shared nodes or by turns: the core was told so, */
	bool by_hand;	/* and that it was done by hand */
	struct slices_account account; /* running, by turns */
	int64_t resumed;	       /* when it had its turn again last; 0: never */
	int64_t told_stops; /* when its nodes were told last that it is stopped; 0: never */
	int64_t hasty; /* and that it has its turn, so soon after a stop that slurmd may be at that still; 0: never */
	int64_t stopped_again; /* when its nodes were told once more that it is stopped (late_launches.h); 0: never */
	bool leaving; /* the core was told that it is asked to leave its nodes, */
	bool to_ask;  /* which is still to be done */
	int64_t found; /* when it was started, or its node was asked whether it has it (moves_find()); 0: not yet */
	bool resizes;	       /* running: the core knows that it is resized */
	struct nodeset *lacks; /* it was to get these, which were being cleaned up then; or NULL */
	struct nodeset
		*ruled_out; /* Slurm would never have it have these (track_rule_out()); or NULL, */
	struct track_rule never,
		no_more;	/* as long as that holds; and that it is given no more at all */
	bool promised;		/* the core looks after its deadline */
	bool refused;		/* Slurm has refused to start it for some time; see refusal.h */
	int64_t refused_since;	/* time of the first refusal in a row; 0: there is none */
	uint64_t refused_epoch; /* epoch when it was last due */
	int64_t refused_at;	/* time of the last one */
	int64_t refused_wait;	/* seconds until the next try */
	bool rejected;		/* the core let it go: it would be late if it started now */
	bool given_up;		/* broken and refused: it keeps no place any more */
	bool held;		/* at the last snapshot: its place is kept for what waits for it */
	bool released;		/* a holding of it that no snapshot has shown (release.h) */
	bool blind;		/* the planner cannot see all that it needs */
	bool barred;		/* something forbade a promise at the last snapshot */
	struct ledger_outcome
		*books; /* of a promise: what the books need when its record has gone */
};

#define RECORD_UPDATE_TEXT 192

/*
 * Something to be written into a record at the end of the pass.  By then the record may have been
 * given another token, or a waiting job other terms, that the plan has said yes to: the update is
 * dropped then, and the next pass, which sees that, decides anew.
 */
struct record_update {
	uint32_t job_id;
	uint64_t print;	    /* snapshot_print() of a waiting job that it is about; 0: of any */
	struct token seen;  /* the token it must still have: id, deadline, state */
	struct token token; /* into AdminComment */
	bool terms; /* all of it; else its state alone, and a limit changed meanwhile stays */
	struct share_terms
		shares; /* what its nodes are told, it runs; whatever its token; estimate 0: as before */
	struct malleable_run
		run; /* what it has and has done; own 0: as before; it runs, and was submitted at */
	int64_t submit;
	/*
	 * What the books say when it is done (judge.h): so many promises are accepted, withdrawn,
	 * or over as how says; NULL: nothing.
	 */
	struct ledger_outcome books;
	char text[RECORD_UPDATE_TEXT]; /* into squeue's reason, why it is withdrawn; "": nothing */
};

/* Accepted, and no record seen yet: the job holds its place under a token. */
struct unconfirmed {
	struct unconfirmed *next;
	uint64_t token;
	uint64_t shape;	     /* of the terms decided */
	struct terms *asked; /* the terms decided (terms.h); or NULL */
	uint64_t *core;	     /* ids, one per array task */
	size_t ncore;
	size_t used;		      /* of `core`; during a pass only */
	const struct snap_job *shown; /* a record of it; during a pass only */
	int64_t since;		      /* clock_us() */
	bool expected;		      /* nothing was promised */
	bool over;		      /* its RPC has ended */
	uint64_t over_epoch;	      /* epoch when that RPC ended */
	bool recorded; /* its record was seen when the RPC ended: the next snapshot has it */
};

/* One occurrence of a reservation as the core was told. */
struct block {
	uint64_t core;
	int64_t start, end;
	struct nodeset *nodes;
};

struct pending;
struct reports_node;
struct reliance;
struct terms;

struct bridge {
	pthread_mutex_t lock;
	struct conf *conf;
	_Atomic int waiting; /* admissions that want the mutex; see bridge_yield() */
	_Atomic int urgent;  /* such admissions that hold slurmctld's locks; bridge_lock_urgent() */
	_Atomic int64_t admission_us; /* AdmissionTime; read without the mutex too */
	/*
	 * The core's id of a start whose thread waits for slurmctld's locks; see
	 * bridge_recall().
	 */
	_Atomic uint64_t starting;
	_Atomic bool observe; /* AdmissionMode=observe; likewise */
	bool alone;	  /* no job_submit/deadline when the scheduler came: nothing is promised */
	bool named;	  /* job_submit/deadline is named in slurm.conf now */
	bool safe;	  /* slurm.conf allows promises */
	char unsafe[256]; /* else why not */
	bool attached;	  /* a scheduler thread works with this bridge */
	bool ready;	  /* the core has seen slurmctld's records */
	struct sched *core;
	char *schedulers; /* what it is to be made by: sched_create(); NULL: SchedulerType's alone */
	bool recompose;	  /* that is another one since it was made */
	char apart
		[256]; /* why partitions cannot have the schedulers that pact.conf gives them; "": they can */
	uint32_t nodes;
	uint64_t names;
	const void *table; /* Slurm's, as the last pass has seen it (core.h, bridge_same_nodes()) */
	bool slices;	   /* in some partition jobs take turns */
	struct nodeset *realm;	   /* the nodes of realms; NULL: none */
	struct nodeset *daemons;   /* of these, where jobs share nodes and a daemon sees to it */
	struct partitions realms;  /* whose jobs share nodes; all of each's nodes */
	uint16_t *places;	   /* jobs to each of so many nodes as `realm` has; or NULL */
	struct snap_node *told;	   /* what the core knows of these; NULL: nothing yet */
	struct reports_node *said; /* what their daemons said last, of each; NULL: nothing yet */
	struct nodeset *silent;	   /* those that get no new job, as the core was told */
	uint64_t silent_core;
	struct nodeset *lacking; /* of these, those whose daemons said that they lack something */
	struct table *by_key, *by_core; /* struct track; by_key under track_spread() */
	struct table *by_array;		/* the first of an array's tracks, by its base id */
	struct table *by_uid;		/* aliases.h: numbers by uid, and */
	uint32_t *alias;		/* uids by number, from 1 on */
	size_t naliases;
	int64_t life;		     /* of the core, as no other has it (learned.h) */
	bool taught;		     /* it has been told what was learned before it, */
	uint64_t nlessons, nlearned; /* of so many jobs; and has learned from others itself */
	struct unconfirmed *unconfirmed;
	struct reliance *reliances; /* what promised jobs wait for; see reliance.h */
	struct table *bounds;	    /* until when that must have ended; or NULL */
	_Atomic size_t nreliances;  /* read without the mutex too */
	struct pending *pending;    /* a decided change, until its record shows it; or NULL */
	struct nodeset *down;
	uint64_t down_core;
	struct block *blocks;
	size_t nblocks;
	struct record_update *updates;
	size_t nupdates, updates_room;
	/* Promises that no track has: of records without a place, or over and not yet in the books. */
	uint64_t loose, loose_risk;
	bool checked; /* the history knows which promises there were at the beginning */
	uint64_t next_core;
	uint64_t next_token;
	uint64_t epoch;
	int64_t latest;	    /* time of the core's latest event */
	int64_t wake;	    /* when the core wants EV_TIME, or a deadline expires; 0: not */
	int64_t budget_end; /* of the admission at work, monotonic microseconds; 0: none */
	bool question; /* the admission at work is a question: it gives way to what is urgent */
	bool gave_way; /* that question has given way */
	struct tally tally;
	struct slices slicing;
	int64_t reported; /* when, monotonic seconds, and what: the last line of tally_report() */
	char reported_line[512];
};

/* The one bridge of this plugin's copy of the code.  Never NULL. */
struct bridge *bridge_get(void);

/* Why job_submit/deadline decides nothing here; NULL: it does.  With the mutex. */
const char *bridge_absent(const struct bridge *b);

/* Why nothing can be promised here; NULL: it can.  With the mutex. */
const char *bridge_unsafe(const struct bridge *b);

/*
 * The same as an answer to a submission with a deadline, or to the change of a promised job.  With the mutex.
 * RET false: nothing stands against it, and out is ""
 */
bool bridge_refuses(const struct bridge *b, char *out, size_t size);

/*
 * Slurm has switched scheduling off: the plan is not kept up any more, and no answer is made by it.
 * The next pass makes it good again.  It takes the mutex.
 */
void bridge_stale(struct bridge *b);

/*
 * Is this slurmctld in charge, and all of it there?  Records are read before their
 * dependencies, priorities and accounting are: what is planned then is wrong.  Any lock may be held.
 */
bool bridge_in_charge(void);

/*
 * Let waiting admissions have the mutex for a moment: users wait for them, and
 * for nothing else here.  With the mutex, which is given up and taken again.
 */
void bridge_yield(struct bridge *b);

/*
 * The mutex, with a lock of slurmctld's or where it should be had soon: while it is waited for, all of slurmctld
 * may be waiting, so a question that has it stops (admit_ask).
 */
void bridge_lock_urgent(struct bridge *b);

/*
 * The mutex, for a query: waits for AdmissionTime at most.  RET false: not had
 */
bool bridge_lock_soon(struct bridge *b);

#endif /* PACT_SLURM_BRIDGE_H */

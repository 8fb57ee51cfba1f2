/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ref_gang: gang scheduling as Zhang, Franke, Moreira and Sivasubramaniam print it (sections 5 and 6): GS, BGS,
 * MGS, MBGS, and BF, which is BGS with one row; and AMBGS, which is ours. A matrix of characters, linear loops, nothing shared with the
 * core. The core must give the same starts and ends to the second.
 *
 * Rows, slices. R rows always exist; slice k runs row k mod R, for T seconds. With no job in the matrix there
 * is no slice; the pass that puts the next job in begins the next one. A pass of the phases follows every end and
 * every arrival (discrete: the end of each slice; and an event that finds the matrix empty). At one instant there
 * come the ends by job order, the arrivals by job order, then the slice's end. What runs is settled after that.
 *
 * Where the paper leaves something open, the comments in ref_gang.c say how it is read.
 */
#ifndef PACT_TEST_REF_GANG_H
#define PACT_TEST_REF_GANG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REF_GANG_ROWS 8
#define REF_GANG_NODES 64
#define REF_GANG_JOBS 26 /* job i is the letter 'A' + i in the matrix */

/* REF_AMBGS is ours: MBGS, whose rows keep their turn while jobs wait. */
enum ref_gang_kind { REF_GS, REF_BGS, REF_MGS, REF_MBGS, REF_BF, REF_AMBGS };

enum ref_gang_order { REF_GANG_FCFS, REF_GANG_SJF, REF_GANG_BFIT, REF_GANG_WFIT };

enum ref_gang_phase {
	REF_CLEAN,     /* CleanMatrix */
	REF_COMPACT,   /* CompactMatrix */
	REF_SCHEDULE,  /* Schedule */
	REF_COLLAPSE2, /* CollapseMatrix-2 */
	REF_SCHEDULE2, /* Schedule-2 */
	REF_FILL,      /* FillMatrix */
	REF_FILL2,     /* FillMatrix-2 */
	REF_SETTLED,   /* only told to watch: the instant is over */
};

/* What the matrix is like after a phase, or when an instant is over. */
struct ref_gang_view {
	int64_t now;
	enum ref_gang_phase phase;
	int rows, nodes;
	const char (*cell)[REF_GANG_NODES + 1]; /* of each row a string; '.': free */
	int64_t slice;				/* the number of the present one; -1: none */
	int64_t used;				/* tasks migrated in it */
	bool begun;				/* it began at this very instant */
};

struct ref_gang_setup {
	enum ref_gang_kind kind;
	int nodes;
	int rows;      /* 1 with REF_BF, whatever is said */
	int64_t slice; /* T, seconds */
	/* Seconds that a job loses that did not run just before; 0 with REF_BF. Less than T. */
	int64_t switching;
	int64_t loss; /* of REF_AMBGS: that part of its time a row may lose by a switch while many jobs wait; ten thousandths */
	/* If it stops before these are over: true, it loses what it ran of them; false, all of them. */
	bool remit;
	int64_t cost;  /* C, seconds for a job that migrates and has none of its own */
	int64_t quota; /* Q, tasks that may migrate in a slice; 0: no phase that migrates */
	bool next;     /* a pass ends the slice under way and begins the next one */
	bool discrete;
	bool aligned; /* ours: columns as put_aligned() says, not the lowest */
	/* Ours: jobs longer than short_time have no home in the last row, those longer than twice that none in the one before it, ... */
	int short_rows; /* less than rows; of REF_BGS and REF_MBGS alone */
	int64_t short_time;
	/* Ours: none begins with less left of its row's turn than that, or half a slice, unless it goes on in the next row's. */
	int64_t launch_time;
	enum ref_gang_order order; /* of REF_BF; the others are FCFS */
	int64_t lateness; /* a prediction that is not later than now counts as now + lateness */
	const enum ref_gang_phase *phase; /* those of a pass, in order; NULL: the kind's own */
	size_t phases;
	void (*watch)(void *arg, const struct ref_gang_view *v); /* may be NULL */
	void *arg;
};

struct ref_gang_job {
	/* given; jobs are in the order of submission, ties by place */
	int64_t submit, runtime, estimate;
	int width;
	int64_t cost; /* its own C; 0: the setup's */
	/* found */
	int64_t placed, start, end; /* -1: never */
	int64_t switches;	    /* times that it began to run without having run just before */
	/* of these: into what was left of a slice, or into a slice that it did not have to its end */
	int64_t strays;
	int64_t cut; /* slices that began with it and were to go on when it was taken out of the row */
	int64_t migrated;	/* tasks: its width for each time that its columns changed */
	int64_t ran;		/* seconds on its nodes, the lost ones included */
	int64_t lost;		/* seconds lost by switches and migrations */
	int64_t lost_migrating; /* that by migrations alone */
	/* working state */
	bool submitted, done, running, ending, migrating;
	bool fresh; /* it was switched to when the present slice began */
	int home;   /* row; -1: not in the matrix */
	bool column[REF_GANG_NODES];
	int64_t due;	     /* runtime + lost */
	int64_t since;	     /* what it had run when it was switched to */
	int64_t predicted;   /* end */
	int64_t last;	     /* slice that it ran from its beginning */
	int64_t entered;     /* the order of placement */
	int64_t seat;	     /* the order in its home row */
	int reserved;	     /* row; -1: none */
	int64_t from, until; /* of the reservation */
};

#define REF_GANG_BAD -1	    /* the setup or a job cannot be */
#define REF_GANG_ENDLESS -2 /* a million instants were not enough */

/*
 * Run the jobs to the end of the last. RET 0, REF_GANG_BAD or REF_GANG_ENDLESS (were jobs migrated at the end of
 * every slice, they could lose all that they run). Cost: for small workloads.
 */
int ref_gang_run(const struct ref_gang_setup *setup, struct ref_gang_job *job, size_t n);

#endif

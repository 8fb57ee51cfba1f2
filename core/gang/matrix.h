/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * matrix: the Ousterhout matrix (section 5 of the gang scheduling paper, Figure 9): rows, which are time slices, by
 * nodes, its columns. A job has the same columns in every row that it is in; one of these is its home row, in the
 * others are its replicas. A whole job has its columns in every row, and keeps them.
 *
 * A node may bear only so many jobs, whatever the rows (its height), and has memory that all its jobs need at once.
 *
 * The phases that a scheduler is made of are functions of the paper's names. Nothing here knows queues, time or
 * predicted ends: it is asked for them (struct matrix_pass).
 */
#ifndef PACT_CORE_GANG_MATRIX_H
#define PACT_CORE_GANG_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/nodeset.h"

/* The most rows: a job's are a bit each. */
#define MATRIX_ROWS 64

/* A job as the matrix knows it, a part of a struct of the caller's. */
struct matrix_job {
	/* set by the caller, before it is placed */
	uint64_t id;
	int64_t submit;
	int64_t memory;
	struct nodeset *columns;	/* room for them; owned by the caller */
	const struct nodeset *eligible; /* it may have no others; NULL: all */
	int32_t width;
	bool whole;
	bool fixed; /* its columns stay what they are */
	bool leaves; /* its migration takes its time by itself: what it costs is told to no job as lost */
	int64_t cost; /* its own C, seconds; 0: that of the pass, or if it leaves, the pass's leave_time */
	/* kept by the matrix; 0 at first */
	uint64_t rows;	   /* that it is in, a bit each */
	uint64_t placed;   /* order of placement, from 1 on; 0: not in the matrix */
	uint64_t migrated; /* the pass in which its columns changed last; 0: never */
	uint32_t home;
	uint64_t seated; /* order in the home row */
	uint32_t back;	 /* the row where it may have its old columns back, from 1 on; 0: none */
	bool moved;	 /* its columns changed since the caller set it to false */
	bool yields;	 /* it is in no row: what it has of its home row is only kept for it */
	int64_t last; /* the last slice that it ran from its beginning; when placed, the one before the pass's first */
	uint32_t block; /* scratch, */
	uint64_t kept;	/* and likewise */
	uint64_t chain; /* the last one that it was looked at for (matrix_make_room()) */
	uint64_t late;	/* the rows among whose late ones it is, a bit each */
	int64_t owed;	/* seconds of its next running time that migrations cost it, */
	int64_t delay;	/* and by which those of jobs that leave delay it: fares.h */
};

struct matrix;
struct fares;

/* What the phases of one pass go by. */
struct matrix_pass {
	uint64_t number;     /* from 1 on, another one for each pass */
	int64_t first;	     /* the first slice that will be whole */
	int64_t quota;	     /* tasks that may still migrate: Q, counted down */
	int64_t cost;	     /* C of a job that has none of its own, seconds */
	int64_t leave_time;  /* seconds that one of those that leave may need; 0: its C says that */
	struct fares *fares; /* where it is noted which job pays; of use with phases that migrate */
	/* May it be in that row instead of its home row (reservations)? NULL: it may. */
	bool (*may_move)(void *arg, const struct matrix_job *j, uint32_t row);
	/* It has another home row. NULL: that is of no interest. */
	void (*moved)(void *arg, const struct matrix_job *j, uint32_t from);
	void *arg;
	const struct nodeset *closed; /* columns that no job is migrated to; NULL: none */
	/* where no job is charged for a migration that costs something, as it would end later; NULL: nowhere */
	const struct nodeset *promised;
	uint64_t collapsed; /* so many jobs CollapseMatrix-2 has moved, counted up */
};

/* NULL: no memory. rows from 1 to MATRIX_ROWS. */
struct matrix *matrix_create(uint32_t nodes, uint32_t rows);
void matrix_destroy(struct matrix *m);
/* Room for `n` jobs in all, so that none of what follows can fail. 0 or -1. */
int matrix_reserve(struct matrix *m, size_t n);
/* Would the node bear it if it had no other job? */
bool matrix_could(const struct matrix *m, const struct matrix_job *j, uint32_t node);
/*
 * Its tasks are on these nodes, though it is not in the matrix: they have its memory and bear it (by = 1), or do no
 * more (-1).
 */
void matrix_bear(struct matrix *m, const struct matrix_job *j, const struct nodeset *nodes, int by);
/* What a node is: 0 of either is no bound. Jobs that are there stay. */
void matrix_node(struct matrix *m, uint32_t node, uint32_t height, int64_t memory);

uint32_t matrix_rows(const struct matrix *m);
/* Columns taken in the row, replicas included. */
uint32_t matrix_population(const struct matrix *m, uint32_t row);
/* Jobs in the matrix; the i-th of them in order of placement. */
size_t matrix_jobs(const struct matrix *m);
struct matrix_job *matrix_job(const struct matrix *m, size_t i);
/* Is it in that row? */
static inline bool matrix_has(const struct matrix_job *j, uint32_t row)
{
	return j->rows >> row & 1;
}
/* By which job the row's column is taken; NULL: it is free. */
const struct matrix_job *matrix_at(const struct matrix *m, uint32_t row, uint32_t column);
/* Columns taken. Valid until the matrix changes. */
const struct nodeset *matrix_taken(const struct matrix *m, uint32_t row);
size_t matrix_bytes(const struct matrix *m);

/* Rows by population, ascending or descending, ties by number; `out` has room for all. */
void matrix_order(const struct matrix *m, bool descending, uint32_t *out);

/*
 * The lowest columns that the job can have in the row, into `out`; a whole job: in all rows. False: there are too
 * few. closed: as in struct matrix_pass. aligned: not the lowest ones, but those with which it is in the way of few jobs of the
 * other rows, so that it is easier to replicate, and they are. The job is not in the matrix.
 */
bool matrix_find(struct matrix *m, const struct matrix_job *j, uint32_t row, bool aligned,
		 const struct nodeset *closed, struct nodeset *out);
/* Are these columns free in the row (a whole job: in all)? */
bool matrix_open(const struct matrix *m, const struct matrix_job *j, uint32_t row,
		 const struct nodeset *columns);
/* And do their nodes bear it, too? */
bool matrix_fits(const struct matrix *m, const struct matrix_job *j, uint32_t row,
		 const struct nodeset *columns);
/* It is in the matrix from now on; a whole one in every row. */
void matrix_place(struct matrix *m, struct matrix_job *j, uint32_t row,
		  const struct nodeset *columns, int64_t last);
/* It is in the matrix no more; its columns stay what they were. */
void matrix_remove(struct matrix *m, struct matrix_job *j);

/*
 * It is set aside: it has no replica, is not moved, and no other job gets its columns in its home row (a whole one: in
 * any). Or it is not any more: it is there as if it had just been placed, with that last slice.
 */
void matrix_yield(struct matrix *m, struct matrix_job *j);
void matrix_come_back(struct matrix_job *j, int64_t last);

/*
 * A job still has these columns in the turns of its home row, until it has left its nodes by itself. As it may stay, it is to have
 * them back in that row, or if others have them there in another one: but for replicas no other one gets them in these two, or comes
 * there with them, than those that the phases charge for that; in none if there is no such row. It counts there with its memory. matrix_forget_left(): there are none any more.
 */
void matrix_leave(struct matrix *m, struct matrix_job *j, const struct nodeset *columns);
void matrix_forget_left(struct matrix *m);
/* Are there such? */
bool matrix_is_left(const struct matrix *m);
/* Those of the row. Valid until the matrix changes. */
const struct nodeset *matrix_left(const struct matrix *m, uint32_t row);

/* Which jobs may be at home in which rows; the first slice that will be whole. */
struct matrix_change {
	int64_t first;
	bool (*may)(void *arg, const struct matrix_job *j, uint32_t row);
	void *arg;
};

/*
 * A job that runs there has to have these columns in some row, and in each they are taken: jobs change their rows so that they are
 * free in one, each with those that are then in its way (Kempe chains, as of a graph that is coloured), and each still runs in
 * every cycle. No job has a replica. False: that way it is not to be had, and all are in the rows where they were, some
 * as the latest there; not each way is tried.
 */
bool matrix_make_room(struct matrix *m, const struct nodeset *columns,
		      const struct matrix_change *change);

/* ---- telling and taking in ---- */

/* What matrix_node() was told. */
void matrix_node_is(const struct matrix *m, uint32_t node, uint32_t *height, int64_t *memory);
/* All nodes are as those of the other one, of as many nodes. */
void matrix_copy_nodes(struct matrix *m, const struct matrix *from);
/* The jobs at home in the row, whole ones excepted; the i-th in the order that they were put there. Whole ones, in all rows. */
size_t matrix_at_home(const struct matrix *m, uint32_t row);
const struct matrix_job *matrix_home_job(const struct matrix *m, uint32_t row, size_t i);
size_t matrix_whole(const struct matrix *m);
/*
 * Every job is in its home row alone, as after clean_matrix(), to look at that; matrix_show_replicas() before anything else
 * changes the matrix, and all is as it was.
 */
void matrix_hide_replicas(struct matrix *m);
void matrix_show_replicas(struct matrix *m);
/* It is the last one of its home row. */
void matrix_become_last(struct matrix *m, struct matrix_job *j);
/* Figure 10: if the first slice that is whole is that one, would a job in the row still run in every cycle? */
bool matrix_clock(const struct matrix *m, const struct matrix_job *j, uint32_t row, int64_t first);
/* Its home is that row, where its columns are free, or it is already; it leaves the one that it had. */
void matrix_rehome(struct matrix *m, struct matrix_job *j, uint32_t row);
/* It is in that row, too, where its columns are free. */
void matrix_replicate(struct matrix *m, struct matrix_job *j, uint32_t row);

/* ---- phases ---- */

/* Section 6.1: every job leaves the rows that are not its home. */
void clean_matrix(struct matrix *m);
/* Section 6.1: from the emptier rows to the fuller ones, as far as the clock (Figure 10) allows. */
void compact_matrix(struct matrix *m, const struct matrix_pass *p);
/* Section 6.1: jobs are replicated wherever their columns are free, in order of placement. */
void fill_matrix(struct matrix *m);
/* Section 6.4, CollapseMatrix-2: as compact_matrix(), the narrowest first, and columns may change. */
void collapse_matrix_2(struct matrix *m, struct matrix_pass *p);
/* Section 6.4, FillMatrix-2: jobs are replicated where others can be migrated out of their way (option 1). */
void fill_matrix_2(struct matrix *m, struct matrix_pass *p);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* matrix_own: what the files of the matrix share. Internal to them. */
#ifndef PACT_CORE_GANG_MATRIX_OWN_H
#define PACT_CORE_GANG_MATRIX_OWN_H

#include "core/gang/matrix.h"

struct row {
	struct nodeset *taken;
	struct matrix_job **at; /* of each column that is taken: by which, as row_look() left it */
	struct matrix_job **late; /* they have joined the row since, and may have left it again */
	size_t nlate;
	struct nodeset *closed; /* FillMatrix-2: what cannot be made free */
	struct nodeset *
		left; /* what jobs have here until they have left it, or may have back: matrix_leave() */
	uint32_t population;
	struct matrix_job *
		*home; /* whose home it is, in the order they were put here; no whole ones */
	size_t n;
};

/* Columns of a row that a job may have, and of which job they are. */
struct matrix_block {
	const struct matrix_job *job; /* NULL: they are free */
	uint32_t first, columns;
	bool chosen;
};

struct matrix {
	uint32_t nodes, rows;
	struct row *row;
	struct matrix_job **job; /* in order of placement */
	size_t n, room;
	size_t whole; /* so many of them are */
	uint64_t sequence;
	bool leaving;	  /* there is such in some row */
	uint32_t bounded; /* nodes that have a height or memory */
	bool counted;	  /* one had, so that the jobs of the matrix are among the following */
	uint32_t *height, *jobs; /* of each node; 0: any number, and how many it bears */
	int64_t *memory, *used;	 /* likewise */
	uint32_t *
		left_jobs; /* of each node: how many have it until they have left it, and count on others already */
	int64_t *left_used; /* and their memory; both are 0 unless `leaving` */
	/* scratch */
	struct nodeset *free, *other;
	struct nodeset *noted;		     /* the old columns of the one that is migrated */
	struct matrix_job **list, **blocker; /* room for all jobs, each */
	uint32_t *order;		     /* room for all rows, twice */
	uint32_t *column;		     /* and for all columns */
	struct matrix_block *block;	     /* room for all columns */
};

/* A row is left, or joined, with the columns that it has; the home row is set by the caller. */
void row_leave(struct matrix *m, struct matrix_job *j, uint32_t row);
void row_join(struct matrix *m, struct matrix_job *j, uint32_t row);
/* Its home is another row, and it is in the old one no more. */
void home_move(struct matrix *m, struct matrix_job *j, uint32_t row);
/* `at` of the row is brought up to date here alone: most joins are of replicas, which are gone before `at` is read. */
void row_look(const struct matrix *m, uint32_t row);
/* Are columns of these about to be left in the row by a job that has them in its turns until then? */
static inline bool row_is_left(const struct matrix *m, uint32_t row, const struct nodeset *columns)
{
	return m->leaving && nodeset_overlap(m->row[row].left, columns);
}
/* The rows, a bit each, in which none but these two (a: or NULL) is at home with such columns, and none may have them back. */
uint64_t rows_but_for(const struct matrix *m, const struct matrix_job *j,
		      const struct matrix_job *a, const struct nodeset *columns);
/* On its nodes it counts as one job more, or less. */
void columns_count(struct matrix *m, const struct matrix_job *j, int by);
/* m->free: the columns of the row that the job could have beside those it has. How many. */
uint32_t columns_free(struct matrix *m, const struct matrix_job *j, uint32_t row,
		      const struct nodeset *closed);
/* The lowest `width` of m->free into out. False: they are too few. */
bool columns_lowest(const struct matrix *m, int32_t width, struct nodeset *out);
/* m->order: the rows, the emptiest first; row_look() was called for each. m->free is narrowed, not below its width, to columns with which a new job is easier to replicate: matrix_align.c. */
void columns_align(struct matrix *m, const struct matrix_job *j, uint32_t row);
/* Figure 10: would a job that moves to the row still run in every cycle? */
bool clock_allows(const struct matrix *m, const struct matrix_pass *p, const struct matrix_job *j,
		  uint32_t row);
/* May its home be that row, but for its columns? */
bool may_move(const struct matrix *m, const struct matrix_pass *p, const struct matrix_job *j,
	      uint32_t row);
/* Is there room for it in the row, by number? A row that jobs move to, or are replicated in, only becomes fuller. */
static inline bool has_room(const struct matrix *m, const struct matrix_job *j, uint32_t row)
{
	return m->row[row].population + (uint32_t)j->width <= m->nodes;
}
/* The jobs that any row may have room for, by placement, into m->list; how many. */
size_t list_replicable(struct matrix *m);
/* The rows that are or may become sources of a compaction, in order; how many. What is empty never becomes a target. */
uint32_t list_sources(const struct matrix *m, uint32_t *out);
/* The target rows of a source whose turn has come, without those that have room for none of its jobs. */
uint32_t list_targets(const struct matrix *m, uint32_t source, uint32_t *out);

#endif

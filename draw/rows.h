/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows: which nodes a job is drawn on, when its record has only their number.
 *
 * Any choice that gives no node to two jobs at once is a true picture of such a schedule; this one
 * keeps a job's nodes together where that is possible, for the eye.
 */
#ifndef PACT_DRAW_ROWS_H
#define PACT_DRAW_ROWS_H

#include <stddef.h>
#include <stdint.h>

/* Nodes first .. last, counted from 0. */
struct rows_range {
	uint32_t first, last;
};

struct rows_job {
	int64_t start, end;
	uint32_t width; /* 1 to the number of nodes */
	/* Given back: this many ranges in ascending order, from this place of the list on. */
	size_t place, ranges;
};

struct rows {
	struct rows_range *range; /* the list; owned, see rows_release() */
	size_t count, room;
	size_t shared; /* jobs for which the machine was too small: they share nodes with others */
};

/*
 * Give nodes to every job. They are taken in the order of their starts, ties in the order given; each
 * gets the smallest gap that holds it, else the lowest free nodes, else also those that are free
 * soonest. Cost: jobs x nodes. 0, or ENOMEM (then *rows is empty).
 */
int rows_assign(struct rows *rows, uint32_t nodes, struct rows_job *job, size_t count);

/* Append a range that is known to a list that began empty (all zero). 0 or ENOMEM. */
int rows_add(struct rows *rows, uint32_t first, uint32_t last);

void rows_release(struct rows *rows);

#endif

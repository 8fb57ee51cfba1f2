/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * matrix: the matrix of jobs that take turns as a picture, rows by nodes, as text and in SVG (Figure 9 of the paper
 * on gang scheduling). Nodes stand side by side, by their names or counted from 0. Neighbours that have the same jobs in all
 * rows are drawn as one column; what is wider than a page goes on below. A table of words may follow, such as the shares
 * of all jobs.
 *
 * It knows nothing but the C library.
 */
#ifndef PACT_DRAW_MATRIX_H
#define PACT_DRAW_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "draw/rows.h"

/* A job in it. */
struct matrix_place {
	uint64_t id;
	const char *name; /* stands for it; NULL: its number does. Not owned, as all that follows */
	bool other;	  /* not for the reader to know: neither name nor number is shown */
	uint64_t rows;	  /* a bit each */
	uint32_t home;	  /* one of them; in the others it is a replica */
	bool whole;	  /* it is at home in all of them */
	bool started;
	bool leaves; /* it is to leave these nodes: of another job that has them in the row, too, nothing is shown there */
	const struct rows_range *range; /* its nodes, ascending */
	size_t ranges;
};

struct matrix_chart {
	const char *title;	      /* NULL: none */
	const char *subtitle;	      /* NULL: none */
	uint32_t nodes;		      /* at least 1 */
	const char *const *node_name; /* of each; NULL: they are counted from 0 */
	uint32_t rows;		      /* 1 to 64 */
	int32_t row;		      /* whose turn it is; -1: none */
	const struct matrix_place *place;
	size_t places;
	const char *const
		*word; /* of a table below, in SVG alone: line by line, and first its heads */
	size_t lines, columns; /* 0: none */
	uint64_t right;	       /* a bit for each column whose words end below each other */
};

/* 0, or an errno: ENOMEM, EINVAL for a chart without nodes or with no number of rows, or one of writing. */
int matrix_text(const struct matrix_chart *chart, FILE *out);
int matrix_svg(const struct matrix_chart *chart, FILE *out);

#endif

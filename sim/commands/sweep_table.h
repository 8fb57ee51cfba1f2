/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sweep_table: what the rows of a sweep say, for people: the means over the seeds of chosen figures, with
 * their confidence intervals (student.h), a line for each combination of the other values.
 */
#ifndef PACT_SIM_SWEEP_TABLE_H
#define PACT_SIM_SWEEP_TABLE_H

#include <stddef.h>
#include <stdio.h>

#include "sim/report/results.h"
#include "sim/commands/sweep.h"

#define SWEEP_TABLE_COLUMNS 32

struct sweep_table {
	const struct sweep *sweep; /* its last axis is the seeds; borrowed */
	char *text;		   /* the names, cut apart */
	const char *name[SWEEP_TABLE_COLUMNS];
	size_t place[SWEEP_TABLE_COLUMNS]; /* of each in a row of the file */
	size_t count;
};

/*
 * Which figures: names of the header's columns with commas between. 0; PACT_EINVAL: no such column, no
 * number, one that is swept, or one given twice; PACT_ENOMEM; with the reason. sweep_table_release() is due
 * in any case.
 */
int sweep_table_choose(struct sweep_table *t, const struct sweep *sweep, const char *header,
		       const char *names, char *why, size_t size);

/* Print it, from the rows that are there. 0 or PACT_ENOMEM. */
int sweep_table_print(const struct sweep_table *t, const struct results *r, FILE *out);

void sweep_table_release(struct sweep_table *t);

#endif

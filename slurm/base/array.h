/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * array.h - the tasks of an array as a text
 *
 * A --array text is a user's, and has not been checked yet.  Plain C, no Slurm header.
 */
#ifndef PACT_SLURM_ARRAY_H
#define PACT_SLURM_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Tasks of "0-9:2,15".  Those named twice count twice.
 * IN most - below 2^31
 * RET 0: none, not understood, or more than `most`.  Time grows with the text alone
 */
uint32_t array_count(const char *text, uint32_t most);

/*
 * Tasks as "0-9,12"; where there is no room for all of them it ends in ",...".
 * IN tasks - in ascending order
 * IN size - of out, at least 32
 */
void array_write(const uint32_t *tasks, size_t n, char *out, size_t size);

/* Is a task on array_write()'s list?  On one that does not have all it may be: true. */
bool array_has(const char *list, uint32_t task);

/* The highest task named in a text that array_count() takes, whatever step leads to it. */
unsigned long array_highest(const char *text);

/* The widest step named in a text that array_count() takes; 0: none is named. */
unsigned long array_widest(const char *text);

#endif /* PACT_SLURM_ARRAY_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * results: the CSV file (RFC 4180, one line per row) in which a sweep keeps what its runs found, and
 * from which it goes on after it was stopped.
 *
 * A row is appended with one write as its run ends. A row that was written by half, or has another
 * number of fields than the header, is dropped when the file is opened, and so done again. When all are
 * there the file is put into the order of the runs. Every rewriting goes into a new file that then takes
 * the name: whatever happens, the file is there with all its rows. A lock keeps a second sweep off.
 */
#ifndef PACT_SIM_RESULTS_H
#define PACT_SIM_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

#define RESULTS_MAX_COLUMNS 144

struct results {
	const char *path; /* borrowed, as is the header */
	const char *header;
	int fd;
	size_t columns;
	size_t count;	/* of runs */
	char **row;	/* one for each run, with its line end; NULL: not there */
	size_t present; /* rows that are there */
	char **other;	/* rows of other runs with the same options, kept */
	size_t nother;
	size_t damaged; /* rows dropped when it was opened */
};

/* What a row is: a run's number, or one of these. */
#define RESULTS_OTHER ((size_t)-1)   /* keep it */
#define RESULTS_FOREIGN ((size_t)-2) /* of a sweep with other options: refuse the file */

typedef size_t (*results_which)(void *arg, char *const *field, size_t count);

/*
 * Open or make it, for `count` runs. header: the names of the columns as a line, without its end.
 * 0; PACT_EINVAL: the file is of another sweep, or is being written by one; PACT_EPROTO: it cannot be
 * read or written; PACT_ENOMEM; with the reason. results_close() is due in any case.
 */
int results_open(struct results *r, const char *path, const char *header, size_t count,
		 results_which which, void *arg, char *why, size_t size);

/* Which runs are there already, for results_close() alone: no file is made, mended or locked. As above. */
int results_look(struct results *r, const char *path, const char *header, size_t count,
		 results_which which, void *arg, char *why, size_t size);

/* Append a run's row (fields as a line, without its end). 0, PACT_EPROTO or PACT_ENOMEM with the reason. */
int results_add(struct results *r, size_t run, const char *line, char *why, size_t size);

/* Put the file into order, if all runs are there. Errors as above. */
int results_finish(struct results *r, char *why, size_t size);
void results_close(struct results *r);

/* Cut a line without its end into its fields, in place, quotes removed. How many, or 0: it is not well formed. */
size_t results_split(char *line, char *field[RESULTS_MAX_COLUMNS]);

/* Write text as a field at *to, at most up to `end`, quoted where it must be. False: no room. */
bool results_field(char **to, const char *end, const char *text);

#endif

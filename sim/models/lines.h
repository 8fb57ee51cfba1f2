/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines: the text files of the models (histograms, hypererlang sets): a first line `pact-KIND 1`, then a
 * keyword and its values per line; # begins a comment line. Errors name the file and the line.
 *
 * Functions that return int give 0, PACT_EINVAL with the reason in r->why, or PACT_ENOMEM.
 */
#ifndef PACT_SIM_LINES_H
#define PACT_SIM_LINES_H

#include <stddef.h>
#include <stdint.h>

/* A longer word is cut; none that long is right. */
#define LINES_MAX_WORD 32

struct lines {
	/* To be set: */
	const char *kind;     /* "histogram" */
	const char *name;     /* of the file, for messages */
	const char *at, *end; /* the text */
	char *why;
	size_t size;
	/* The reader's own: */
	const char *line_end;
	uint64_t line;
	char word[LINES_MAX_WORD + 1]; /* the last one read */
};

/* What to do with a line; its keyword has been read. Values that it leaves are an error. */
typedef int (*lines_take)(struct lines *r, const char *key, void *arg);

/* Go through the text; the first error ends it. No line at all is one. */
int lines_each(struct lines *r, lines_take take, void *arg);

/* PACT_EINVAL, with the reason: file, line, and this. */
int lines_wrong(struct lines *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The next word of the line; "": there is none. It stays in r->word until the next one is read. */
const char *lines_word(struct lines *r);

/* The next word as a whole number from lo to hi; what: its name in the message. */
int lines_int(struct lines *r, const char *what, int64_t lo, int64_t hi, int64_t *out);

/* As a decimal fraction, all in millionths. */
int lines_decimal(struct lines *r, const char *what, int64_t lo_micro, int64_t hi_micro,
		  int64_t *out);

/* As a number above 0, at most 1e99, with any digits and a decimal exponent. */
int lines_real(struct lines *r, const char *what, double *out);

/* The rest of the line instead of *out, which is freed. The caller owns it. */
int lines_rest(struct lines *r, char **out);

/*
 * A whole file of at most 64 MiB into memory; a pipe will do. what: "a histogram", for the message. *text
 * is the caller's to free, also after an error.
 */
int lines_slurp(const char *path, const char *what, char **text, size_t *length, char *why,
		size_t size);

#endif

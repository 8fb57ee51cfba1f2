/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clean.h - texts that others chose (names of jobs and accounts, reasons), made harmless for a terminal
 * (common/utf8.h says what that is)
 */
#ifndef PACT_CONTRIB_PACT_CLEAN_H
#define PACT_CONTRIB_PACT_CLEAN_H

#include <stdio.h>

#include <json-c/json.h>

/* All texts in an answer, in place, by utf8_harmless().  RET 0 or ENOMEM */
int clean_answer(json_object *answer);

/* JSON as it came, with such characters as \uNNNN (the same to a reader), stray bytes as U+FFFD. */
void clean_json(const char *json, FILE *out);

/*
 * A text in a column of so many characters: cut, or filled up with blanks.  It is clean already.
 */
void clean_column(const char *text, int width, FILE *out);

/* Its characters. */
int clean_length(const char *text);

#endif /* PACT_CONTRIB_PACT_CLEAN_H */

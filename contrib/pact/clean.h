/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clean.h - texts that others chose (names of jobs and accounts, reasons), made harmless for a terminal
 *
 * What a terminal could take for a command, or what makes a line read otherwise than it is written: the
 * control characters of ASCII and of ISO 8859 (C0, DEL, C1; ESC and CSI are among them), bytes that are
 * no UTF-8, and Unicode's marks that are not seen but change the order of others, or the line.
 */
#ifndef PACT_CONTRIB_PACT_CLEAN_H
#define PACT_CONTRIB_PACT_CLEAN_H

#include <stdio.h>

#include <json-c/json.h>

/* A copy: control characters and stray bytes stand there as \xNN, the marks as U+FFFD.  NULL: no memory */
char *clean_text(const char *text);

/* All texts in an answer, in place.  RET 0 or ENOMEM */
int clean_answer(json_object *answer);

/* JSON as it came, with such characters as \uNNNN (the same to a reader), stray bytes as U+FFFD. */
void clean_json(const char *json, FILE *out);

/*
 * A text in a column of so many characters: cut, or filled up with blanks.  It is clean already.
 */
void clean_column(const char *text, int width, FILE *out);

#endif /* PACT_CONTRIB_PACT_CLEAN_H */

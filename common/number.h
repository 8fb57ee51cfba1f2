/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * number: numbers out of text, strictly: the whole text must be the number. No locale.
 */
#ifndef PACT_SIM_NUMBER_H
#define PACT_SIM_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* A decimal integer, sign allowed. False: not one, or beyond 64 bits; *out is 0 then. */
bool number_int(const char *text, int64_t *out);

/* An unsigned one (seeds). */
bool number_unsigned(const char *text, uint64_t *out);

/* A decimal fraction like 0.25 or 2, at most 6 digits after the point, >= 0, in millionths. */
bool number_micro(const char *text, int64_t *out);

#endif

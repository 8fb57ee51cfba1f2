/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * why: the human reason of an error, written into a buffer of the caller's.
 */
#ifndef PACT_SIM_WHY_H
#define PACT_SIM_WHY_H

#include <stddef.h>

/*
 * Format a reason into why[0 .. size), cut to fit; why may be NULL. Returns `err`, so that a
 * function can say `return why_set(why, size, PACT_EINVAL, "...")`.
 */
int why_set(char *why, size_t size, int err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * once: options of a command line that count only once. A second value would silently replace the first:
 * it is an error instead. It knows nothing but the C library, so that any program may have it.
 */
#ifndef PACT_SIM_ONCE_H
#define PACT_SIM_ONCE_H

#include <stdbool.h>
#include <stddef.h>

#define ONCE_MAX 64

/* Zeroed: nothing was given yet. Names and values are borrowed. */
struct once {
	struct {
		const char *name, *value;
	} given[ONCE_MAX];
	size_t n;
};

/*
 * Note an option's value. False: it was given before, and `why` names it with both values; or there are
 * more than ONCE_MAX. value NULL: an option without one, which may be repeated and is not noted.
 */
bool once_add(struct once *o, const char *name, const char *value, char *why, size_t size);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* array: more room for an array. Internal to core. */
#ifndef PACT_CORE_ARRAY_H
#define PACT_CORE_ARRAY_H

#include <stdlib.h>

/* `array` points to a pointer to n elements from now on. 0, or -1: no memory, it is as it was. */
static inline int array_grow(void *array, size_t n, size_t size)
{
	void **at = array;
	void *p = realloc(*at, n * size);

	if (!p)
		return -1;
	*at = p;
	return 0;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * heap: entries in an array, of which the first is the one that comes first.
 *
 * HEAP_FUNCTIONS(name, type, comes_first), with bool comes_first(const type *a, const type *b), makes for one file
 *	name_make(v, n): n entries in any order become a heap;
 *	name_again(v, n, more): the first one has another key, or (more false) is out. How many there are. O(log n)
 */
#ifndef PACT_CORE_HEAP_H
#define PACT_CORE_HEAP_H

#include <stdbool.h>
#include <stddef.h>

#define HEAP_FUNCTIONS(name, type, comes_first) \
	static void name##_sift(type *v, size_t n, size_t at) \
	{ \
		type e = v[at]; \
\
		for (size_t child; (child = 2 * at + 1) < n; at = child) { \
			if (child + 1 < n && comes_first(&v[child + 1], &v[child])) \
				child++; \
			if (!comes_first(&v[child], &e)) \
				break; \
			v[at] = v[child]; \
		} \
		v[at] = e; \
	} \
\
	static void name##_make(type *v, size_t n) \
	{ \
		for (size_t i = n / 2; i-- > 0;) \
			name##_sift(v, n, i); \
	} \
\
	static size_t name##_again(type *v, size_t n, bool more) \
	{ \
		if (!more) \
			v[0] = v[--n]; \
		if (n) \
			name##_sift(v, n, 0); \
		return n; \
	}

#endif

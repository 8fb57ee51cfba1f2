/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spare: a few pieces of memory of one size that were given back and will be wanted again soon, at a
 * fraction of what malloc() costs. Zeroed: there are none. Internal to core.
 */
#ifndef PACT_CORE_SPARE_H
#define PACT_CORE_SPARE_H

#include <stdlib.h>

#define SPARE_MOST 64

/* The address sanitizer, gcc's or clang's, is to see any use of what was given back. */
#if defined(__SANITIZE_ADDRESS__)
#define SPARE_NONE 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SPARE_NONE 1
#endif
#endif

struct spare {
	size_t n;
	void *v[SPARE_MOST];
};

/* Of the processors that we know. */
#define CACHE_LINE ((size_t)64)

/* It begins with a cache line. NULL: no memory. What is in it is not defined. */
static inline void *spare_take(struct spare *s, size_t size)
{
	size_t lines = (size + CACHE_LINE - 1) / CACHE_LINE;

	return s->n ? s->v[--s->n] : aligned_alloc(CACHE_LINE, lines * CACHE_LINE);
}

static inline void spare_give(struct spare *s, void *p)
{
#ifdef SPARE_NONE
	(void)s;
#else
	if (p && s->n < SPARE_MOST) {
		s->v[s->n++] = p;
		return;
	}
#endif
	free(p);
}

static inline void spare_release(struct spare *s)
{
	while (s->n)
		free(s->v[--s->n]);
}

#endif

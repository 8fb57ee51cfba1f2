/* SPDX-License-Identifier: GPL-2.0-or-later */
/* change: see change.h. A radix sort by time since the first, from the lowest digit up. */
#include "sim/run/change.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Years in seconds take two digits; most changes are nearly in order, so that many heaps cost little. */
#define DIGIT_BITS 13
#define DIGITS (1 << DIGIT_BITS)

struct change *change_list(size_t n)
{
	return n > UINT32_MAX ? NULL : malloc((2 * n + 1) * sizeof(struct change));
}

static uint64_t since(const struct change *c, int64_t first)
{
	return (uint64_t)c->at - (uint64_t)first;
}

static void sort_digit(const struct change *from, struct change *to, size_t n, int64_t first,
		       int shift)
{
	uint32_t count[DIGITS] = { 0 }, sum = 0;

	for (size_t i = 0; i < n; i++)
		count[since(&from[i], first) >> shift & (DIGITS - 1)]++;
	for (size_t d = 0; d < DIGITS; d++) {
		uint32_t here = count[d];

		count[d] = sum;
		sum += here;
	}
	for (size_t i = 0; i < n; i++)
		to[count[since(&from[i], first) >> shift & (DIGITS - 1)]++] = from[i];
}

void change_sort(struct change *v, size_t n, size_t room)
{
	struct change *from = v, *to = v + room;
	int64_t first = INT64_MAX;
	uint64_t range = 0;

	for (size_t i = 0; i < n; i++)
		first = v[i].at < first ? v[i].at : first;
	for (size_t i = 0; i < n; i++)
		range |= since(&v[i], first);
	for (int shift = 0; shift < 64 && range >> shift; shift += DIGIT_BITS) {
		struct change *t = from;

		sort_digit(from, to, n, first, shift);
		from = to;
		to = t;
	}
	if (from != v && n)
		memcpy(v, from, n * sizeof(*v));
}

static bool ran(const struct sim_outcome *o)
{
	return o->start >= 0 && o->end >= 0;
}

/* Nodes that it had for itself. */
static int32_t used_in(const struct sim_span *x)
{
	return x->suspended ? 0 : x->width;
}

static struct change *add_ends(struct change *next, const struct workload *w,
			       const struct sim_outcome *out)
{
	for (size_t i = 0; i < w->count; i++) {
		const struct sim_history *h = out[i].history;

		if (!h && !out[i].shared && ran(&out[i]) && out[i].end > out[i].start)
			*next++ = (struct change){ .at = out[i].end,
						   .used = -w->job[i].width,
						   .mark = (uint32_t)i };
		for (size_t k = 0; h && k < h->n; k++)
			if (h->span[k].to > h->span[k].from)
				*next++ = (struct change){ .at = h->span[k].to,
							   .used = -used_in(&h->span[k]),
							   .mark = (uint32_t)i };
	}
	return next;
}

static struct change *add_starts(struct change *next, const struct workload *w,
				 const struct sim_outcome *out)
{
	for (size_t i = 0; i < w->count; i++) {
		const struct sim_history *h = out[i].history;

		if (!h && ran(&out[i]))
			*next++ =
				(struct change){ .at = out[i].start,
						 .used = out[i].end > out[i].start && !out[i].shared
								 ? w->job[i].width
								 : 0,
						 .mark = (uint32_t)i };
		for (size_t k = 0; h && k < h->n; k++)
			*next++ = (struct change){ .at = h->span[k].from,
						   .used = h->span[k].to > h->span[k].from
								   ? used_in(&h->span[k])
								   : 0,
						   .mark = (uint32_t)i };
	}
	return next;
}

struct change *change_schedule(const struct workload *w, const struct sim_outcome *out, size_t *n)
{
	size_t room = 2 * w->count;
	struct change *v;

	*n = 0;
	for (size_t i = 0; i < w->count; i++)
		room += out[i].history ? 2 * out[i].history->n : 0;
	v = change_list(room);
	if (!v)
		return NULL;
	*n = (size_t)(add_starts(add_ends(v, w, out), w, out) - v);
	change_sort(v, *n, room);
	return v;
}

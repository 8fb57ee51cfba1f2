/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fill_search: where in a fill the first window is, and what is learnt on the way; see fill_nodes.h. */
#include "core/capacity/fill_nodes.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Eight classes of widths for each power of two, or one for each width below 16. */
static int class_of(int32_t width)
{
	int log = 31 - __builtin_clz((uint32_t)width);
	int k = log < 3 ? width - 1 : 8 * log + (width >> (log - 3) & 7) - 17;

	return k < CLASSES ? k : CLASSES - 1;
}

enum { BLOCK, GROUP, RANGE, LEVELS };

/* What is asked for, and what is known on the way. */
struct search {
	struct fill *f;
	int64_t from, duration;
	int32_t width;
	int class;
	/* a window is open: it began here, and reaches to the end of the last block */
	bool open;
	int64_t begin;
	struct spot first;	 /* the step that holds the window's beginning */
	int64_t longest[LEVELS]; /* of the windows in this block, group, range */
	/* a block, group, range in which the open window began: what else is learnt of it */
	struct vain *late[LEVELS];
	int64_t late_longest[LEVELS];
};

/* Classes up to k are made. */
static void make_classes(struct fill *f, int k)
{
	const struct vain nothing = { 0, ENDLESS };

	for (; f->classes <= k; f->classes++) {
		struct vain *row = vain_row(f, f->classes);

		for (uint32_t g = 0; g < f->groups; g++) {
			struct group *group = group_at(f, g);

			for (uint32_t c = 0; c < group->count; c++)
				group->known[f->classes][c] = nothing;
			row[g] = nothing;
			f->range[g / SPAN].vain[f->classes] = nothing;
		}
	}
}

/* Not by an initializer: to clear all of it costs more than many a search. */
static void open_search(struct search *q, struct fill *f, int64_t from, int64_t duration,
			int32_t width)
{
	q->f = f;
	q->from = from;
	q->duration = duration;
	q->width = width;
	q->class = class_of(width);
	q->open = false;
	q->late[BLOCK] = q->late[GROUP] = q->late[RANGE] = NULL;
	q->longest[BLOCK] = q->longest[GROUP] = q->longest[RANGE] = 0;
	if (q->class >= f->classes)
		make_classes(f, q->class);
}

/* For the class that is asked for and the wider ones that know less of that block, group or range. */
static void learn(const struct search *q, int level, struct vain *v, int64_t longest)
{
	const size_t next[] = { BLOCKS, q->f->group_room, 1 }; /* the same in the next class */
	int32_t most = longest < ENDLESS ? (int32_t)longest : ENDLESS;
	int k = q->class;

	do {
		*v = (struct vain){ q->width, most };
		v += next[level];
	} while (++k < q->f->classes && v->longest > most);
}

/* Is it known that no window begins there? `level` is the next higher one. */
static bool in_vain(struct search *q, int level, int32_t most, const struct vain *v)
{
	if (most < q->width)
		return true;
	if (q->width < v->width || v->longest == ENDLESS || q->duration <= v->longest)
		return false;
	if (level < LEVELS)
		q->longest[level] = longer(q->longest[level], v->longest);
	return true;
}

/*
 * The whole of a block, group or range has been searched in vain. `entered`: in an open window. A search
 * that begins inside the first step saw its window cut short: that says nothing to an earlier one.
 */
static void leave(struct search *q, int level, struct vain *v, bool entered)
{
	if (!q->open) {
		learn(q, level, v, q->longest[level]);
	} else if (!entered || !q->late[level]) {
		/* what one window covers whole is not learnt of: that is seldom */
		q->late[level] = v;
		q->late_longest[level] = q->longest[level];
	}
}

/* The open window ended: what was to be learnt with it is known. */
static void close_window(struct search *q, int64_t end)
{
	int64_t length = end - q->begin;

	for (int level = 0; level < LEVELS; level++) {
		if (q->late[level])
			learn(q, level, q->late[level], longer(q->late_longest[level], length));
		q->late[level] = NULL;
		q->longest[level] = longer(q->longest[level], length);
	}
	q->open = false;
}

static bool lasts(const struct search *q, int64_t begin, int64_t until)
{
	return until == PACT_FOREVER || until - begin >= q->duration;
}

/*
 * The runs of wide enough steps in a block, one bit each, which ends at `end`. True: one is long enough, or
 * goes on for ever.
 */
static bool search_runs(struct search *q, const struct spot *at, const struct block *b,
			uint64_t bits, int64_t end)
{
	int64_t longest = 0, duration = q->duration;
	uint32_t stop, count = b->count;

	if (bits && q->open) {
		bits = cut_run(bits, &stop);
		if (stop >= count)
			return lasts(q, q->begin, end);
		if (lasts(q, q->begin, b->time[stop]))
			return true;
		longest = b->time[stop] - q->begin;
		close_window(q, b->time[stop]);
	}
	while (bits) {
		uint32_t i = (uint32_t)__builtin_ctzll(bits);
		int64_t begin = longer(b->time[i], q->from), length;

		bits = cut_run(bits, &stop);
		if (stop < count) {
			length = b->time[stop] - begin;
			longest = longer(longest, length);
			if (length < duration)
				continue;
		}
		q->begin = begin;
		q->first = (struct spot){ at->g, at->c, i };
		if (stop < count || lasts(q, begin, end))
			return true;
		q->open = true;
	}
	q->longest[BLOCK] = longest;
	return false;
}

static bool search_block(struct search *q, const struct spot *at)
{
	struct group *g = group_at(q->f, at->g);
	struct block *b = block_at(q->f, at);
	uint64_t bits = steps_enough(b->free, STEPS, q->width - b->add);
	bool entered = q->open, whole = at->i == 0 && b->time[0] >= q->from;

	q->longest[BLOCK] = 0;
	if (entered && !(bits & 1))
		close_window(q, b->time[0]);
	if (!bits && g->top[at->c] >= q->width)
		g->top[at->c] = q->width - 1;
	bits &= ~UINT64_C(0) << at->i;
	if (search_runs(q, at, b, bits, block_end(q->f, at)))
		return true;
	if (whole)
		leave(q, BLOCK, &g->known[q->class][at->c], entered);
	q->longest[GROUP] = longer(q->longest[GROUP], q->longest[BLOCK]);
	return false;
}

/*
 * skip_vain() for as many blocks from c on as can be told four at a time: the first behind them. *longest
 * grows as there.
 */
static uint32_t skip_fours(const struct group *g, const struct vain *v, uint32_t c, int32_t width,
			   int32_t duration, int32_t *longest)
{
#ifdef __SSE2__
	const __m128i wide = _mm_set1_epi32(width), lasts = _mm_set1_epi32(duration);
	__m128i most = _mm_set1_epi32(*longest);

	for (; c + 4 <= g->count; c += 4) {
		__m128 a = _mm_loadu_ps((const float *)&v[c]),
		       b = _mm_loadu_ps((const float *)&v[c + 2]);
		__m128i w = _mm_castps_si128(_mm_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0)));
		__m128i l = _mm_castps_si128(_mm_shuffle_ps(a, b, _MM_SHUFFLE(3, 1, 3, 1)));
		__m128i narrow =
			_mm_cmpgt_epi32(wide, _mm_loadu_si128((const __m128i *)&g->top[c]));
		__m128i vain =
			_mm_andnot_si128(_mm_cmpgt_epi32(w, wide), _mm_cmpgt_epi32(lasts, l));

		if (_mm_movemask_epi8(_mm_or_si128(narrow, vain)) != 0xffff)
			break;
		l = _mm_andnot_si128(narrow, l);

		__m128i more = _mm_cmpgt_epi32(l, most);

		most = _mm_or_si128(_mm_and_si128(more, l), _mm_andnot_si128(more, most));
	}
	int32_t each[4];

	_mm_storeu_si128((__m128i *)each, most);
	for (int i = 0; i < 4; i++)
		*longest = each[i] > *longest ? each[i] : *longest;
#else
	(void)g, (void)v, (void)width, (void)duration, (void)longest;
#endif
	return c;
}

/* The first block from c on in which a window may begin, or the group's end. */
static uint32_t skip_vain(struct search *q, const struct group *g, uint32_t c)
{
	const struct vain *v = g->known[q->class];
	/* what is not known is ENDLESS, and no duration is longer */
	int32_t width = q->width, longest = 0,
		duration = q->duration < ENDLESS ? (int32_t)q->duration : ENDLESS;

	c = skip_fours(g, v, c, width, duration, &longest);
	for (; c < g->count; c++) {
		bool narrow = g->top[c] < width;

		if (!narrow && (width < v[c].width || duration <= v[c].longest))
			break;
		longest = !narrow && v[c].longest > longest ? v[c].longest : longest;
	}
	q->longest[GROUP] = longer(q->longest[GROUP], longest);
	return c;
}

/* The blocks of a group from one of them on. */
static bool search_blocks(struct search *q, struct spot at)
{
	const struct group *g = group_at(q->f, at.g);

	q->longest[GROUP] = 0;
	for (; at.c < g->count; at.c++, at.i = 0) {
		if (!q->open) {
			uint32_t c = skip_vain(q, g, at.c);

			if (c == g->count)
				break;
			at.i = c == at.c ? at.i : 0;
			at.c = c;
		}
		if (search_block(q, &at))
			return true;
	}
	return false;
}

static int32_t most_of(const struct group *g)
{
	int32_t most = NOTHING;

	for (uint32_t c = 0; c < g->count; c++)
		most = g->top[c] > most ? g->top[c] : most;
	return most;
}

static bool search_group(struct search *q, struct spot at)
{
	struct group *g = group_at(q->f, at.g);
	bool entered = q->open, whole = at.c == 0 && at.i == 0;

	if (search_blocks(q, at))
		return true;
	if (whole)
		q->f->order[at.g].most = most_of(g);
	if (whole && g->first[0] >= q->from)
		leave(q, GROUP, vain_row(q->f, q->class) + at.g, entered);
	q->longest[RANGE] = longer(q->longest[RANGE], q->longest[GROUP]);
	return false;
}

static bool search_range(struct search *q, struct spot at)
{
	struct fill *f = q->f;
	struct range *r = &f->range[at.g / SPAN];
	bool entered = q->open, whole = at.g % SPAN == 0 && at.c == 0 && at.i == 0;
	uint32_t end = (at.g / SPAN + 1) * SPAN;
	int64_t first = f->order[at.g].first;
	const struct vain *v = vain_row(f, q->class);
	int32_t most = NOTHING;

	q->longest[RANGE] = 0;
	for (; at.g < end && at.g < f->groups; at.g++, at.c = at.i = 0) {
		const struct place *p = &f->order[at.g];

		if ((q->open || !in_vain(q, RANGE, p->most, &v[at.g])) && search_group(q, at))
			return true;
		most = p->most > most ? p->most : most;
	}
	if (whole)
		r->most = most;
	if (whole && first >= q->from)
		leave(q, RANGE, &r->vain[q->class], entered);
	return false;
}

/* True: q->begin and q->first are the answer. */
static bool search(struct search *q, struct spot at)
{
	/* nothing is learnt of an only group: what is known stays true */
	if (q->f->groups == 1)
		return search_blocks(q, at);
	while (at.g < q->f->groups) {
		struct range *r = &q->f->range[at.g / SPAN];

		if ((q->open || !in_vain(q, LEVELS, r->most, &r->vain[q->class])) &&
		    search_range(q, at))
			return true;
		at = (struct spot){ (at.g / SPAN + 1) * SPAN, 0, 0 };
	}
	return false;
}

bool fill_search(struct fill *f, int64_t from, int64_t duration, int32_t width, struct spot at,
		 int64_t *begin, struct spot *first)
{
	struct search q;

	open_search(&q, f, from, duration, width);
	if (!search(&q, at))
		return false;
	*begin = q.begin;
	*first = q.first;
	return true;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fill_search: where in a fill the first window is, and what is learnt on the way; see fill_nodes.h. */
#include "fill_nodes.h"

/* Two classes of widths for each power of two. */
static int class_of(int32_t width)
{
	int log = 31 - __builtin_clz((uint32_t)width);
	int k = 2 * log + (log > 0 && (width >> (log - 1) & 1));

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
}

static void learn(struct vain *v, int32_t width, int64_t longest)
{
	v->width = width;
	v->longest = longest < ENDLESS ? (int32_t)longest : ENDLESS;
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
		learn(v, q->width, q->longest[level]);
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
			learn(q->late[level], q->width, longer(q->late_longest[level], length));
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
	struct group *g = &q->f->group[at->g];
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

/* The first block from c on in which a window may begin, or the group's end. */
static uint32_t skip_vain(struct search *q, const struct group *g, uint32_t c)
{
	const struct vain *v = g->known[q->class];
	/* what is not known is ENDLESS, and no duration is longer */
	int32_t width = q->width, longest = 0,
		duration = q->duration < ENDLESS ? (int32_t)q->duration : ENDLESS;

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
	const struct group *g = &q->f->group[at.g];

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
	struct group *g = &q->f->group[at.g];
	bool entered = q->open, whole = at.c == 0 && at.i == 0;

	if (search_blocks(q, at))
		return true;
	if (whole)
		g->most = most_of(g);
	if (whole && g->first[0] >= q->from)
		leave(q, GROUP, &g->vain[q->class], entered);
	q->longest[RANGE] = longer(q->longest[RANGE], q->longest[GROUP]);
	return false;
}

static bool search_range(struct search *q, struct spot at)
{
	struct fill *f = q->f;
	struct range *r = &f->range[at.g / SPAN];
	bool entered = q->open, whole = at.g % SPAN == 0 && at.c == 0 && at.i == 0;
	uint32_t end = (at.g / SPAN + 1) * SPAN;
	int64_t first = f->group[at.g].first[0];
	int32_t most = NOTHING;

	q->longest[RANGE] = 0;
	for (; at.g < end && at.g < f->groups; at.g++, at.c = at.i = 0) {
		struct group *g = &f->group[at.g];

		if ((q->open || !in_vain(q, RANGE, g->most, &g->vain[q->class])) &&
		    search_group(q, at))
			return true;
		most = g->most > most ? g->most : most;
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* work: see work.h. */
#include "sim/run/work.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/nodeset.h"

/* ---- what it has held ---- */

static void span_clear(struct sim_span *x)
{
	free(x->shares);
	nodeset_destroy(x->nodes);
}

void sim_history_destroy(struct sim_history *h)
{
	if (!h)
		return;
	for (size_t i = 0; i < h->n; i++)
		span_clear(&h->span[i]);
	free(h->span);
	free(h);
}

static bool span_make(const struct work *w, struct sim_span *x)
{
	*x = (struct sim_span){ .from = w->since,
				.to = w->since,
				.width = w->width,
				.suspended = w->suspended,
				.share = w->in_parts || !w->n ? 0 : w->part[0].share };
	if (w->in_parts) {
		x->shares = calloc(w->n ? w->n : 1, sizeof(*x->shares));
		for (uint32_t i = 0; x->shares && i < w->n; i++)
			x->shares[i] = w->part[i].share;
	}
	if (w->nodes)
		x->nodes = nodeset_dup(w->nodes);
	return (!w->in_parts || x->shares) && (!w->nodes || x->nodes);
}

/* The last span ends and another begins; one without length is none. */
static int turn_page(struct work *w, int64_t lost)
{
	struct sim_history *h = w->history;
	struct sim_span next, *last = h->n ? &h->span[h->n - 1] : NULL;

	if (h->n == h->room) {
		size_t room = h->room ? 2 * h->room : 4;
		struct sim_span *grown = realloc(h->span, room * sizeof(*grown));

		if (!grown)
			return PACT_ENOMEM;
		h->span = grown;
		h->room = room;
		last = h->n ? &h->span[h->n - 1] : NULL;
	}
	if (!span_make(w, &next)) {
		span_clear(&next);
		return PACT_ENOMEM;
	}
	next.lost = lost;
	if (last)
		last->to = w->since;
	if (last && last->from == w->since) {
		next.lost += last->lost;
		span_clear(last);
		h->n--;
	}
	h->span[h->n++] = next;
	return PACT_OK;
}

/* ---- the work ---- */

struct work *work_create(int32_t width, int64_t runtime, int64_t start, const struct nodeset *nodes)
{
	struct work *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	*w = (struct work){ .since = start, .base = width, .width = width, .whole = true, .n = 1 };
	w->part = calloc(1, sizeof(*w->part));
	w->history = calloc(1, sizeof(*w->history));
	w->nodes = nodes ? nodeset_dup(nodes) : NULL;
	if (w->part && w->history && (!nodes || w->nodes)) {
		w->part[0].share = SHARE_WHOLE;
		work_lose(w, runtime);
		if (work_note(w, 0) == PACT_OK)
			return w;
	}
	work_destroy(w);
	return NULL;
}

void work_destroy(struct work *w)
{
	if (!w)
		return;
	sim_history_destroy(w->history);
	nodeset_destroy(w->nodes);
	free(w->part);
	free(w);
}

/* Units per second. */
static work_units rate(const struct work *w, uint32_t i)
{
	if (w->suspended)
		return 0;
	return (work_units)w->part[i].share * (uint32_t)(w->in_parts ? w->base : w->width);
}

void work_advance(struct work *w, int64_t now)
{
	for (uint32_t i = 0; i < w->n; i++) {
		work_units done = rate(w, i) * (uint64_t)(now - w->since);

		w->part[i].left -= done < w->part[i].left ? done : w->part[i].left;
	}
	w->since = now;
}

/* From one part for all nodes to one for each. */
static int split(struct work *w)
{
	struct work_part *part;

	if (w->in_parts)
		return PACT_OK;
	part = malloc((size_t)w->width * sizeof(*part));
	if (!part)
		return PACT_ENOMEM;
	for (int32_t i = 0; i < w->width; i++)
		part[i] = w->part[0];
	free(w->part);
	w->part = part;
	w->n = (uint32_t)w->width;
	w->in_parts = true;
	return PACT_OK;
}

int work_share(struct work *w, uint32_t share, const uint32_t *shares, uint32_t n)
{
	if (n && (n != (uint32_t)w->width || w->width != w->base) && !w->in_parts)
		return PACT_EINVAL;
	if (n && w->in_parts && n != w->n)
		return PACT_EINVAL;
	if (n && split(w) != PACT_OK)
		return PACT_ENOMEM;
	w->whole = false;
	for (uint32_t i = 0; i < w->n; i++)
		w->part[i].share = n ? shares[i] : share;
	return PACT_OK;
}

void work_lose(struct work *w, int64_t seconds)
{
	for (uint32_t i = 0; i < w->n; i++)
		w->part[i].left += (work_units)SHARE_WHOLE * (uint32_t)w->base * (uint64_t)seconds;
}

int work_reap(struct work *w, struct nodeset **left)
{
	uint32_t kept = 0, node = w->nodes ? nodeset_next(w->nodes, 0) : 0;

	*left = w->nodes ? nodeset_create(nodeset_size(w->nodes)) : NULL;
	if (w->nodes && !*left)
		return PACT_ENOMEM;
	for (uint32_t i = 0; i < w->n; i++) {
		if (w->part[i].left)
			w->part[kept++] = w->part[i];
		else if (w->nodes && w->in_parts)
			nodeset_set(*left, node);
		node = w->nodes ? nodeset_next(w->nodes, node + 1) : 0;
	}
	w->n = kept;
	if (w->in_parts)
		w->width = (int32_t)kept;
	if (w->in_parts && w->nodes)
		nodeset_and_not(w->nodes, *left);
	return PACT_OK;
}

int work_note(struct work *w, int64_t lost)
{
	w->next = PACT_FOREVER;
	for (uint32_t i = 0; i < w->n; i++) {
		work_units r = rate(w, i), seconds;

		if (!r)
			continue;
		seconds = (w->part[i].left + r - 1) / r;
		if (seconds < (work_units)(w->next - w->since))
			w->next = w->since + (int64_t)seconds;
	}
	return turn_page(w, lost);
}

void work_end(struct work *w)
{
	w->history->span[w->history->n - 1].to = w->since;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* work: see work.h. */
#include "sim/run/work.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/nodeset.h"

/* ---- what it has held ---- */

/* Spans in a row that have the same nodes have one set; it goes with the first. */
static void span_clear(struct sim_history *h, size_t k)
{
	if (!k || h->span[k].nodes != h->span[k - 1].nodes)
		nodeset_destroy(h->span[k].nodes);
}

void sim_history_destroy(struct sim_history *h)
{
	if (!h)
		return;
	while (h->n)
		span_clear(h, --h->n);
	free(h->span);
	free(h);
}

/* last: the one before it; NULL: there is none. */
static bool span_make(const struct work *w, const struct sim_span *last, struct sim_span *x)
{
	*x = (struct sim_span){
		.from = w->since, .to = w->since, .width = w->width, .suspended = w->suspended
	};
	if (w->nodes && last && nodeset_equal(last->nodes, w->nodes))
		x->nodes = last->nodes;
	else if (w->nodes)
		x->nodes = nodeset_dup(w->nodes);
	return !w->nodes || x->nodes;
}

/* The last span ends and another begins; one without length is none. */
static int turn_page(struct work *w, int64_t lost)
{
	struct sim_history *h = w->history;
	struct sim_span next, *last;

	if (h->n == h->room) {
		size_t room = h->room ? 2 * h->room : 4;
		struct sim_span *grown = realloc(h->span, room * sizeof(*grown));

		if (!grown)
			return PACT_ENOMEM;
		h->span = grown;
		h->room = room;
	}
	last = h->n ? &h->span[h->n - 1] : NULL;
	if (!span_make(w, last, &next))
		return PACT_ENOMEM;
	next.lost = lost;
	next.moved = w->moved;
	w->moved = false;
	if (last)
		last->to = w->since;
	if (last && last->from == w->since) {
		next.lost += last->lost;
		next.moved |= last->moved;
		if (last->nodes != next.nodes)
			span_clear(h, h->n - 1);
		h->n--;
	}
	h->span[h->n++] = next;
	return PACT_OK;
}

/* ---- the work ---- */

int64_t work_rate(const struct list64 *speedup, int32_t nodes)
{
	return speedup ? speedup_rate(speedup, nodes) : nodes * INT64_C(1) * SPEEDUP_WHOLE;
}

/* False: no memory. */
static bool create_launch(struct work *w, const struct launch *launch)
{
	if (!launch || !w->nodes || (!launch->start && !launch->grow))
		return true;
	w->launch = *launch;
	w->ready = malloc(nodeset_size(w->nodes) * sizeof(*w->ready));
	for (uint32_t i = 0; w->ready && i < nodeset_size(w->nodes); i++)
		w->ready[i] = -1;
	return w->ready;
}

struct work *work_create(int32_t width, const struct list64 *speedup, int64_t runtime,
			 int64_t start, const struct nodeset *nodes, const struct launch *launch)
{
	struct work *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	*w = (struct work){
		.since = start, .began = start, .base = width, .width = width, .speedup = speedup
	};
	w->history = calloc(1, sizeof(*w->history));
	w->nodes = nodes ? nodeset_dup(nodes) : NULL;
	if (w->history && w->nodes)
		w->history->first = nodeset_next(w->nodes, 0);
	if (w->history && (!nodes || w->nodes) && create_launch(w, launch)) {
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
	notices_destroy(w->notices);
	nodeset_destroy(w->nodes);
	free(w->ready);
	free(w);
}

/* Nodes that work for it then, and until when. */
static int32_t working(const struct work *w, int64_t at, int64_t *until)
{
	int32_t n = 0;

	*until = PACT_FOREVER;
	if (!w->ready)
		return w->width;
	for (uint32_t i = 0; i < nodeset_size(w->nodes); i++) {
		if (w->ready[i] < 0)
			continue;
		if (w->ready[i] <= at)
			n++;
		else if (w->ready[i] < *until)
			*until = w->ready[i];
	}
	return n;
}

/* Units per second then, and until when. */
static work_units rate(const struct work *w, int64_t at, int64_t *until)
{
	int32_t nodes = working(w, at, until);

	return w->suspended || !nodes ? 0 : (work_units)work_rate(w->speedup, nodes);
}

void work_advance(struct work *w, int64_t now)
{
	while (w->since < now) {
		int64_t until;
		work_units done = rate(w, w->since, &until);

		if (until > now)
			until = now;
		done *= (uint64_t)(until - w->since);
		w->left -= done < w->left ? done : w->left;
		w->since = until;
	}
}

void work_lose(struct work *w, int64_t seconds)
{
	w->left += (work_units)work_rate(w->speedup, w->base) * (uint64_t)seconds;
}

static void note_ready(struct work *w)
{
	int64_t ready = w->since + (w->since == w->began ? w->launch.start : w->launch.grow);

	for (uint32_t i = 0; w->ready && i < nodeset_size(w->nodes); i++) {
		if (!nodeset_test(w->nodes, i))
			w->ready[i] = -1;
		else if (w->ready[i] < 0)
			w->ready[i] = ready;
	}
}

/* When its work is done; PACT_FOREVER: as it is, never. */
static int64_t finish(const struct work *w)
{
	work_units left = w->left;

	for (int64_t at = w->since, until; at < PACT_FOREVER; at = until) {
		work_units r = rate(w, at, &until);

		if (r && (left + r - 1) / r < (work_units)(until - at))
			return at + (int64_t)((left + r - 1) / r);
		left -= r * (uint64_t)(until - at) < left ? r * (uint64_t)(until - at) : left;
	}
	return PACT_FOREVER;
}

int work_note(struct work *w, int64_t lost)
{
	note_ready(w);
	w->next = finish(w);
	return turn_page(w, lost);
}

void work_end(struct work *w)
{
	w->history->span[w->history->n - 1].to = w->since;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* choose: the nodes that a job gets; see state.h. */
#include <stdlib.h>

#include "core/kernel/protocol.h"
#include "core/sharing/state.h"

/* ---- the least few ---- */

/*
 * s->pick holds at most `width` nodes, by s->pick_left, as a heap with the greatest on top: of equal ones the
 * node with the greater number.
 */
static bool is_behind(const struct sharing *s, uint32_t a, uint32_t b)
{
	return s->pick_left[a] != s->pick_left[b] ? s->pick_left[a] > s->pick_left[b]
						  : s->pick[a] > s->pick[b];
}

static void swap(struct sharing *s, uint32_t a, uint32_t b)
{
	uint32_t node = s->pick[a];
	int64_t left = s->pick_left[a];

	s->pick[a] = s->pick[b];
	s->pick_left[a] = s->pick_left[b];
	s->pick[b] = node;
	s->pick_left[b] = left;
}

static void sift_down(struct sharing *s, uint32_t at, uint32_t n)
{
	for (uint32_t child; (child = 2 * at + 1) < n; at = child) {
		if (child + 1 < n && is_behind(s, child + 1, child))
			child++;
		if (!is_behind(s, child, at))
			break;
		swap(s, child, at);
	}
}

static void sift_up(struct sharing *s, uint32_t at)
{
	for (; at > 0 && is_behind(s, at, (at - 1) / 2); at = (at - 1) / 2)
		swap(s, at, (at - 1) / 2);
}

/* One more; of more than `width` the last one goes. They come by ascending number. */
static void pick_add(struct sharing *s, uint32_t *n, uint32_t width, uint32_t node, int64_t left)
{
	if (*n < width) {
		s->pick[*n] = node;
		s->pick_left[*n] = left;
		sift_up(s, (*n)++);
	} else if (left < s->pick_left[0]) {
		s->pick[0] = node;
		s->pick_left[0] = left;
		sift_down(s, 0, *n);
	}
}

/* ---- which nodes ---- */

/* One search among the nodes. */
struct search {
	struct sharing *s;
	const struct job *j;
	struct want want;
	const struct nodeset *among, *required; /* NULL: all; none */
	uint32_t width, n;
	bool best;
	bool late; /* one of the required ones fits late */
	int32_t suited;
	/* where all nodes are alike: */
	uint32_t there, processors; /* processors of a node, and of the job */
	uint64_t claim; /* what a node has to have left; over: its runtime does not fit */
	bool over;
};

static const struct nodeset *alternative(const struct job *j, uint32_t i)
{
	return j->terms && j->terms->nalt ? j->terms->alt[i] : NULL;
}

static uint32_t alternatives(const struct job *j)
{
	return j->terms && j->terms->nalt ? j->terms->nalt : 1;
}

/* Could it have the node, whatever runs there? */
static bool is_possible(const struct sharing *s, uint32_t node, const struct want *w)
{
	const struct node *x = &s->node[node];

	return w->processors <= x->processors && (!x->memory || w->memory <= x->memory);
}

/* It is not held by others, nor kept for another job, and has the memory and a place. */
static bool is_open(const struct sharing *s, uint32_t node, const struct want *w)
{
	const struct node *x = &s->node[node];
	int64_t until = w->due;

	if (s->kind->whole)
		until = s->now +
			(int64_t)(share_work_of(w->runtime, x->rating, RATING_WHOLE) / SHARE_WHOLE);
	return is_possible(s, node, w) && (!x->memory || w->memory <= x->memory - x->used) &&
	       (!x->most || x->n < x->most) && !x->holds &&
	       (x->closed == SHARE_NEVER || until <= x->closed) &&
	       (!s->first || s->first == w->job || !nodeset_test(s->kept, node));
}

/* What is known of a node is compared with these, where all are alike and what is known decides. */
struct bounds {
	int64_t now, due;
	uint64_t need; /* of the job */
	int64_t fuller; /* from so much left on a node is no better than those there are; INT64_MAX: none is */
};

static struct bounds bounds_of(const struct search *q)
{
	struct bounds b = { q->s->now, q->want.due, q->claim * q->processors, INT64_MAX };

	if (q->best && q->n == q->width && q->claim <= SHARE_WHOLE &&
	    q->s->pick_left[0] != SHARE_NEVER)
		b.fuller = (int64_t)b.need + (q->s->pick_left[0] > 0 ? q->s->pick_left[0] : 0);
	return b;
}

/* By what is known of the node it cannot suit, or not better than those there are. */
static inline bool rules_out(const struct room *r, const struct bounds *b)
{
	if (r->at == SHARE_NEVER || r->first <= b->now)
		return false;
	if (r->left >= b->fuller)
		return true;
	if (r->first == SHARE_NEVER || r->first == b->due)
		return false;
	return (share_work)(uint64_t)r->most * (uint64_t)(r->first - r->at) <
	       (share_work)b->need * (uint64_t)(r->first - b->now);
}

static bool is_known(const struct search *q)
{
	return q->s->kind->lasts && q->s->uniform;
}

/* The first node from i on that is not ruled out, where that can be seen at a glance. */
static uint32_t skip_ruled_out(const struct search *q, uint32_t i)
{
	struct bounds b = bounds_of(q);

	while (is_known(q) && q->claim <= SHARE_WHOLE && i < q->s->nodes &&
	       rules_out(&q->s->room[i], &b))
		i++;
	return i;
}

static bool is_ruled_out(const struct search *q, uint32_t node)
{
	const struct room *r = &q->s->room[node];
	struct bounds b = bounds_of(q);

	if (!is_known(q))
		return false;
	if (q->claim > SHARE_WHOLE) /* alone on it, or with others that are due then */
		return r->at != SHARE_NEVER && r->first > q->s->now && r->first != SHARE_NEVER &&
		       r->first != q->want.due && q->there == 1;
	return rules_out(r, &b);
}

/* By what is known, it suits, and no more needs to be known. */
static bool is_sure(const struct search *q, uint32_t node)
{
	const struct room *r = &q->s->room[node];

	return !q->best && is_known(q) && r->at != SHARE_NEVER && r->first > q->s->now &&
	       q->claim <= SHARE_WHOLE && (uint64_t)r->left >= q->claim * q->processors;
}

/* Look at one node; false: it does not suit. */
static bool look_at(struct search *q, uint32_t node)
{
	int64_t left = 0;
	enum fit fit;

	if (is_ruled_out(q, node) || !is_open(q->s, node, &q->want))
		return false;
	fit = !q->over && is_sure(q, node) ? FIT : q->s->kind->fit(q->s, node, &q->want, &left);
	if (fit == FIT_NOT)
		return false;
	q->suited++;
	/* those that can promise come first; in node order none comes behind the first ones */
	pick_add(q->s, &q->n, q->width, node, fit == FIT_LATE ? SHARE_NEVER : (q->best ? left : 0));
	return true;
}

/* Those that the job must have: they come first, whatever they have left. */
static bool take_required(struct search *q)
{
	const struct nodeset *r = q->required;

	for (uint32_t i = r ? nodeset_next(r, 0) : 0; r && i < q->s->nodes;
	     i = nodeset_next(r, i + 1)) {
		if ((q->among && !nodeset_test(q->among, i)) || q->n == q->width || !look_at(q, i))
			return false;
	}
	for (uint32_t i = 0; i < q->n; i++) {
		q->late |= q->s->pick_left[i] == SHARE_NEVER;
		q->s->pick_left[i] = INT64_MIN;
	}
	return true;
}

/* False: it cannot have the nodes that it must have. */
static bool search(struct search *q)
{
	if (!take_required(q))
		return false;
	for (uint32_t i = skip_ruled_out(q, 0); i < q->s->nodes && (q->best || q->n < q->width);
	     i = skip_ruled_out(q, i + 1)) {
		if ((q->among && !nodeset_test(q->among, i)) ||
		    (q->required && nodeset_test(q->required, i)))
			continue;
		look_at(q, i);
	}
	return true;
}

static struct search search_begin(struct sharing *s, const struct job *j, int64_t due, uint32_t alt)
{
	struct search q = {
		.s = s,
		.j = j,
		.want = want_of(s, j, due),
		.among = alternative(j, alt),
		.required = j->terms ? j->terms->required : NULL,
		.width = (uint32_t)j->width,
		.best = s->kind->best || s->config.node_choice == NODES_BEST,
		.there = s->node[0].processors,
	};

	q.want.likely = likely_of(s, j, &q.want);
	if (s->uniform) {
		q.claim = fit_claim(s, 0, &q.want, &q.processors);
		q.over = fit_is_over(s, 0, &q.want);
	}
	return q;
}

static bool is_late(const struct search *q)
{
	bool late = q->late;

	for (uint32_t i = 0; i < q->n; i++)
		late |= q->s->pick_left[i] == SHARE_NEVER;
	return late;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

int32_t choose(struct sharing *s, const struct job *j, int64_t due, uint32_t *alt, enum fit *fits)
{
	int32_t most = 0;

	for (*alt = 0; *alt < alternatives(j) && j->width <= (int32_t)s->nodes; ++*alt) {
		struct search q = search_begin(s, j, due, *alt);

		if (search(&q) && q.n == q.width) {
			*fits = is_late(&q) ? FIT_LATE : FIT;
			qsort(s->pick, q.n, sizeof(*s->pick), by_number);
			return j->width;
		}
		most = q.suited > most ? q.suited : most;
	}
	*fits = FIT_NOT;
	return most < j->width ? most : j->width - 1;
}

/* ---- the earliest deadline ---- */

/*
 * What a node has to have left at least, for the job to be due there earlier than on the last of the nodes that were
 * found, when there are enough of them; 0: that is not known.
 */
static uint64_t need_of_earlier(const struct search *q)
{
	const struct sharing *s = q->s;
	share_work work;

	if (!is_known(q) || q->n < q->width || s->pick_left[0] <= s->now)
		return 0;
	work = share_work_of(q->want.runtime, s->node[0].rating, RATING_WHOLE) * q->processors;
	return (uint64_t)(work / (uint64_t)(s->pick_left[0] - s->now));
}

/* Of one alternative. Most nodes are ruled out by what is known of them, as soon as there are enough. */
static int64_t earliest_of(struct sharing *s, const struct job *j, uint32_t alt)
{
	struct search q = search_begin(s, j, PACT_END_OF_TIME, alt);
	struct bounds earlier = { s->now, PACT_END_OF_TIME, 0, INT64_MAX };
	int64_t required = 0;

	for (uint32_t i = 0; i < s->nodes; i++) {
		int64_t at = SHARE_NEVER;
		bool must = q.required && nodeset_test(q.required, i);

		if (!must && rules_out(&s->room[i], &earlier))
			continue;
		if ((!q.among || nodeset_test(q.among, i)) && is_possible(s, i, &q.want)) {
			at = s->kind->least(s, i, &q.want);
			q.want.due = at;
			at = at != SHARE_NEVER && is_open(s, i, &q.want) ? at : SHARE_NEVER;
			q.want.due = PACT_END_OF_TIME;
		}
		if (must)
			required = at > required ? at : required;
		if (at == SHARE_NEVER)
			continue;
		pick_add(s, &q.n, q.width, i, must ? INT64_MIN : at);
		earlier.need = need_of_earlier(&q);
	}
	if (q.n < q.width || required == SHARE_NEVER)
		return SHARE_NEVER;
	return s->pick_left[0] > required ? s->pick_left[0] : required;
}

int64_t choose_earliest(struct sharing *s, const struct job *j)
{
	int64_t best = SHARE_NEVER;

	for (uint32_t i = 0; s->kind->least && i < alternatives(j); i++) {
		int64_t at = j->width <= (int32_t)s->nodes ? earliest_of(s, j, i) : SHARE_NEVER;

		best = at < best ? at : best;
	}
	return best;
}

/* The fastest of one alternative; SHARE_NEVER: there are too few. */
static int64_t fastest_of(struct sharing *s, const struct job *j, uint32_t alt)
{
	struct search q = search_begin(s, j, PACT_END_OF_TIME, alt);
	int32_t rating;

	if (s->uniform) {
		uint32_t among = q.among ? nodeset_count(q.among) : s->nodes;

		q.n = among < q.width ? among : q.width;
		rating = s->node[0].rating;
		q.n = is_possible(s, 0, &q.want) ? q.n : 0;
	} else {
		for (uint32_t i = 0; i < s->nodes; i++) {
			if ((!q.among || nodeset_test(q.among, i)) && is_possible(s, i, &q.want))
				pick_add(s, &q.n, q.width, i, -(int64_t)s->node[i].rating);
		}
		rating = q.n ? (int32_t)-s->pick_left[0] : RATING_WHOLE;
	}
	if (q.n < q.width)
		return SHARE_NEVER;
	return (int64_t)((share_work_of(q.want.runtime, rating, RATING_WHOLE) + SHARE_WHOLE - 1) /
			 SHARE_WHOLE);
}

bool choose_ever(struct sharing *s, const struct job *j, int64_t *runtime)
{
	*runtime = SHARE_NEVER;
	for (uint32_t i = 0; i < alternatives(j) && j->width <= (int32_t)s->nodes; i++) {
		int64_t time = fastest_of(s, j, i);

		*runtime = time < *runtime ? time : *runtime;
	}
	return *runtime != SHARE_NEVER;
}

void choose_kept(struct sharing *s, struct job *j)
{
	struct search q = search_begin(s, j, PACT_END_OF_TIME, 0);

	s->first = j;
	nodeset_clear(s->kept);
	for (uint32_t i = 0; i < s->nodes; i++) {
		share_work claimed;

		if ((q.among && !nodeset_test(q.among, i)) || !is_possible(s, i, &q.want) ||
		    s->node[i].closed != SHARE_NEVER)
			continue;
		node_advance(s, i);
		claimed = share_total(s->node[i].part, s->node[i].n, s->now);
		pick_add(s, &q.n, q.width, i,
			 claimed < PACT_FOREVER ? (int64_t)claimed : PACT_FOREVER);
	}
	for (uint32_t i = 0; i < q.n; i++)
		nodeset_set(s->kept, s->pick[i]);
}

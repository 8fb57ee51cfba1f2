/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan: see plan.h. The search over several classes works on windows: at a start t every class
 * contributes the least it has free during [t, t + duration). If the sum is short, no class can
 * contribute more before its last step at that least value has left the window
 * (profile_last_at_most); the nearest such time is the next candidate, and none is skipped.
 */
#include "core/capacity/plan.h"

#include <stdlib.h>
#include <string.h>

void placement_move(struct placement *dst, struct placement *src)
{
	if (dst->nshare > 1)
		free(dst->u.many);
	*dst = *src;
	placement_init(src);
}

int placement_copy(struct placement *dst, const struct placement *src)
{
	placement_clear(dst);
	if (src->nshare > 1) {
		struct share *many = malloc(src->nshare * sizeof(*many));

		if (!many)
			return -1;
		memcpy(many, src->u.many, src->nshare * sizeof(*many));
		*dst = *src;
		dst->u.many = many;
		return 0;
	}
	*dst = *src;
	return 0;
}

static void drop_classes(struct plan *p)
{
	for (uint32_t c = 0; c < p->classes; c++)
		profile_destroy(p->cls[c]);
	p->classes = 0;
}

static int make_room(struct plan *p, uint32_t classes)
{
	if (classes <= p->room)
		return 0;
	struct profile **cls = realloc(p->cls, classes * sizeof(*cls));

	if (!cls)
		return -1;
	p->cls = cls;
	p->room = classes;
	return 0;
}

int plan_reset(struct plan *p, int64_t origin)
{
	uint32_t classes = machine_classes(p->machine);

	drop_classes(p);
	p->stale = true;
	if (make_room(p, classes) < 0)
		return -1;
	for (uint32_t c = 0; c < classes; c++) {
		p->cls[c] = profile_create(origin, machine_class_size(p->machine, c));
		if (!p->cls[c])
			return -1;
		p->classes++;
	}
	p->stale = false;
	return 0;
}

struct plan *plan_create(const struct machine *m, int64_t origin)
{
	struct plan *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->machine = m;
	if (plan_reset(p, origin) < 0) {
		plan_destroy(p);
		return NULL;
	}
	return p;
}

void plan_destroy(struct plan *p)
{
	if (!p)
		return;
	drop_classes(p);
	free(p->cls);
	free(p->change);
	free(p->first);
	free(p);
}

/* As many classes as src has. */
static int same_classes(struct plan *dst, const struct plan *src)
{
	if (make_room(dst, src->classes) < 0)
		return -1;
	while (dst->classes > src->classes)
		profile_destroy(dst->cls[--dst->classes]);
	while (dst->classes < src->classes) {
		dst->cls[dst->classes] = profile_create(0, 0);
		if (!dst->cls[dst->classes])
			return -1;
		dst->classes++;
	}
	return 0;
}

int plan_copy(struct plan *dst, const struct plan *src)
{
	if (dst == src)
		return src->stale ? -1 : 0;
	dst->stale = true;
	if (same_classes(dst, src) < 0)
		return -1;
	for (uint32_t c = 0; c < src->classes; c++) {
		if (profile_copy(dst->cls[c], src->cls[c]) < 0)
			return -1;
	}
	dst->stale = src->stale;
	return 0;
}

void plan_make_stale(struct plan *p)
{
	p->stale = true;
}

int plan_add(struct plan *p, uint32_t cls, int64_t start, int64_t end, int32_t delta)
{
	if (!p->stale && profile_add(p->cls[cls], start, end, delta) < 0)
		p->stale = true;
	return p->stale ? -1 : 0;
}

void plan_advance(struct plan *p, int64_t t)
{
	for (uint32_t c = 0; c < p->classes; c++)
		profile_advance(p->cls[c], t);
}

/* What class c gives to the window; a required class must give all its nodes. */
struct window {
	const struct plan *plan;
	const struct request *req;
	const struct region *region;
	int64_t start, end;
};

static bool is_required(const struct request *r, uint32_t cls)
{
	for (uint32_t i = 0; r->required && i < r->required->classes; i++) {
		if (r->required->cls[i] == cls)
			return true;
	}
	return false;
}

/* Does the request fit into the window? If not, *next is the first later start worth trying. */
static bool window_fits(const struct window *w, int64_t *next)
{
	int64_t sum = 0;

	*next = PACT_FOREVER;
	for (uint32_t i = 0; w->req->required && i < w->req->required->classes; i++) {
		uint32_t c = w->req->required->cls[i];
		int32_t want = machine_class_size(w->plan->machine, c);
		struct profile *p = w->plan->cls[c];

		if (profile_min(p, w->start, w->end) < want) {
			*next = profile_last_at_most(p, w->start, w->end, want - 1);
			return false;
		}
	}
	for (uint32_t i = 0; i < w->region->classes && sum < w->req->width; i++) {
		struct profile *p = w->plan->cls[w->region->cls[i]];
		int32_t least = profile_min(p, w->start, w->end);

		sum += least > 0 ? least : 0;
	}
	if (sum >= w->req->width)
		return true;
	for (uint32_t i = 0; i < w->region->classes; i++) {
		struct profile *p = w->plan->cls[w->region->cls[i]];
		int32_t least = profile_min(p, w->start, w->end);
		int64_t t = profile_last_at_most(p, w->start, w->end, least > 0 ? least : 0);

		if (t < *next)
			*next = t;
	}
	return false;
}

static bool fits_at(const struct profile *p, const struct request *r, int64_t start)
{
	/* mostly there is no room even at its start, which is seen at once */
	return profile_at(p, start) >= r->width &&
	       profile_min(p, start, plan_end(start, r->duration)) >= r->width;
}

/* The earliest start in [from, latest] within one region, or PACT_FOREVER. */
static int64_t search(const struct plan *p, const struct request *r, const struct region *region,
		      int64_t from, int64_t latest)
{
	if (region->count < (uint32_t)r->width)
		return PACT_FOREVER;
	if (region->classes == 1 && !r->required) {
		const struct profile *only = p->cls[region->cls[0]];

		if (latest <= from) /* "does it fit now" needs no search */
			return fits_at(only, r, from) && latest == from ? from : PACT_FOREVER;
		return profile_earliest_by(only, from, latest, r->duration, r->width);
	}
	struct window w = { .plan = p, .req = r, .region = region, .start = from };

	while (w.start <= latest && w.start != PACT_FOREVER) {
		int64_t next;

		w.end = plan_end(w.start, r->duration);
		if (window_fits(&w, &next))
			return w.start;
		w.start = next;
	}
	return PACT_FOREVER;
}

/* Take the nodes for a window that fits: required classes whole, then the least wanted classes. */
static int choose(const struct plan *p, const struct request *r, const struct region *region,
		  struct placement *out)
{
	uint32_t n = 0;
	int32_t left = r->width;
	struct share *many;

	if (region->classes == 1) {
		out->nshare = 1;
		out->u.one = (struct share){ region->cls[0], r->width };
		return 0;
	}
	many = malloc(region->classes * sizeof(*many));
	if (!many)
		return -1;
	for (uint32_t i = 0; r->required && i < r->required->classes; i++) {
		uint32_t c = r->required->cls[i];

		many[n++] = (struct share){ c, machine_class_size(p->machine, c) };
		left -= many[n - 1].n;
	}
	for (uint32_t i = 0; i < region->classes && left > 0; i++) {
		uint32_t c = region->cls[i];

		if (is_required(r, c))
			continue;
		int32_t least = profile_min(p->cls[c], out->start, out->end);
		int32_t take = least < left ? least : left;

		if (take > 0) {
			many[n++] = (struct share){ c, take };
			left -= take;
		}
	}
	out->nshare = n;
	if (n > 1) {
		out->u.many = many;
	} else {
		out->u.one = many[0];
		free(many);
	}
	return 0;
}

int plan_earliest(const struct plan *p, const struct request *r, int64_t from, int64_t latest,
		  struct placement *out)
{
	int64_t best = PACT_FOREVER;
	uint32_t alt = 0;

	placement_clear(out);
	if (from < r->not_before)
		from = r->not_before;
	for (uint32_t i = 0; i < r->nalt && best > from; i++) {
		const struct region *region = r->alt[i];

		if (r->required && !nodeset_subset(r->required->nodes, region->nodes))
			continue;
		int64_t t = search(p, r, region, from, latest);

		if (t < best) {
			best = t;
			alt = i;
			latest = t;
		}
	}
	if (best == PACT_FOREVER)
		return 1;
	out->start = best;
	out->end = plan_end(best, r->duration);
	out->alt = alt;
	if (choose(p, r, r->alt[alt], out) < 0) {
		placement_init(out);
		return -1;
	}
	return 0;
}

bool plan_has_room(const struct plan *p, const struct placement *at, int64_t from)
{
	const struct share *s = placement_shares(at);
	int64_t start = at->start > from ? at->start : from;
	bool room = at->nshare && start < at->end;

	for (uint32_t i = 0; room && i < at->nshare; i++)
		room = profile_min(p->cls[s[i].cls], start, at->end) >= s[i].n;
	return room;
}

int plan_apply(struct plan *p, const struct placement *at, int sign)
{
	const struct share *s = placement_shares(at);

	if (placement_none(at))
		return 0;
	for (uint32_t i = 0; i < at->nshare; i++) {
		if (plan_add(p, s[i].cls, at->start, at->end, sign * s[i].n) < 0)
			return -1;
	}
	return 0;
}

int plan_place(struct plan *p, const struct request *r, int64_t from, int64_t by,
	       struct placement *out)
{
	const struct region *region = r->alt[0];
	int rc;

	if (r->nalt != 1 || r->required || region->classes != 1 || p->stale ||
	    region->count < (uint32_t)r->width) {
		rc = plan_earliest(p, r, from, PACT_FOREVER, out);
		return rc || out->end > by ? (rc < 0 ? -1 : 1) : plan_put(p, out);
	}
	/* the most frequent question of all: one class, one way there */
	placement_clear(out);
	rc = profile_place(p->cls[region->cls[0]], from < r->not_before ? r->not_before : from,
			   r->duration, r->width, by, &out->start);
	if (rc < 0) {
		p->stale = true;
		placement_init(out);
	} else if (!placement_none(out)) {
		out->end = plan_end(out->start, r->duration);
		out->nshare = 1;
		out->u.one = (struct share){ region->cls[0], r->width };
	}
	return rc;
}

/*
 * Room for all changes of n placements, and as much again as scratch. first[2 c] becomes where the starts
 * of class c begin, behind which its ends follow, and first[2 c + 1] where those do. 0 or -1.
 */
static int count_changes(struct plan *p, const struct placement *const *at, size_t n, size_t *total)
{
	size_t room = 2 * (size_t)p->classes + 1;

	if (p->first_room < room) {
		size_t *first = realloc(p->first, room * sizeof(*first));

		if (!first)
			return -1;
		p->first = first;
		p->first_room = room;
	}
	memset(p->first, 0, room * sizeof(*p->first));
	for (size_t i = 0; i < n; i++) {
		const struct share *s = placement_shares(at[i]);

		for (uint32_t k = 0; k < at[i]->nshare; k++)
			p->first[2 * s[k].cls + 2]++;
	}
	for (uint32_t c = 0; c < p->classes; c++) {
		size_t m = p->first[2 * c + 2];

		p->first[2 * c + 1] = p->first[2 * c] + m;
		p->first[2 * c + 2] = p->first[2 * c] + 2 * m;
	}
	*total = p->first[2 * p->classes];
	room = 2 * *total + 1;
	if (p->change_room < room) {
		struct profile_change *change = realloc(p->change, room * sizeof(*change));

		if (!change)
			return -1;
		p->change = change;
		p->change_room = room;
	}
	return 0;
}

int plan_build(struct plan *dst, const struct plan *src, const struct placement *const *at,
	       size_t n, int sign)
{
	struct profile_change *change;
	size_t total, from = 0;

	dst->stale = true;
	if (same_classes(dst, src) < 0 || count_changes(dst, at, n, &total) < 0)
		return -1;
	change = dst->change;
	for (size_t i = 0; i < n; i++) {
		const struct share *s = placement_shares(at[i]);

		for (uint32_t k = 0; k < at[i]->nshare; k++) {
			size_t *to = &dst->first[2 * s[k].cls];
			int32_t delta = sign * s[k].n;

			change[to[0]++] = (struct profile_change){ at[i]->start, delta };
			change[to[1]++] = (struct profile_change){ at[i]->end, -delta };
		}
	}
	for (uint32_t c = 0; c < src->classes; c++) {
		size_t end = dst->first[2 * c + 1];

		if (profile_build(dst->cls[c], src->cls[c], change + from, end - from,
				  change + total) < 0)
			return -1;
		from = end;
	}
	dst->stale = src->stale;
	return 0;
}

size_t plan_bytes(const struct plan *p)
{
	size_t bytes = sizeof(*p) + p->room * sizeof(*p->cls);

	bytes += p->change_room * sizeof(*p->change);

	for (uint32_t c = 0; c < p->classes; c++)
		bytes += profile_bytes(p->cls[c]);
	return bytes;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timeshare: see timeshare.h. A node has its parts in a plain list, for there are few of them, and stands in a heap
 * by the time at which the first of these is over. A part is brought up to a time only when its share changes.
 *
 * Shares change by the nodeful. So a node finds its place in the heap once all that change at an instant have: before
 * it is asked what comes next. In step it is the job that is brought up, and its pace is found then, too.
 */
#include "sim/run/timeshare.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/nodeset.h"

__extension__ typedef unsigned __int128 units;

struct part {
	units left;    /* as of `since` */
	int64_t since; /* its share is the same from then on, */
	int64_t done;  /* and it is over then; PACT_FOREVER: never */
	uint32_t job, share;
};

struct place {
	struct part *part;
	uint32_t n, room;
	uint32_t rating;
	size_t heap; /* its place there */
	int64_t next;
	bool changed; /* next is to be found anew */
};

/* A job that is there: the nodes of its parts, ascending. */
struct holder {
	uint32_t *node;
	uint32_t n;
	/* in step: */
	bool changed; /* its pace is to be found anew, from `since` on, when `left` is left */
	int64_t since;
	units left;
	uint64_t pace; /* the least of share x rating */
};

struct timeshare {
	struct place *place;
	uint32_t nodes;
	uint32_t *heap; /* of all nodes, the first to have an end at the root */
	struct holder *holder;
	size_t jobs; /* room for so many holders */
	bool in_step;
	uint32_t *moved; /* the nodes that have changed; there is room for all */
	size_t nmoved;
	uint32_t *changed; /* jobs, in step; there is room for all */
	size_t nchanged;
	struct sim_shares *log;
};

struct timeshare *timeshare_create(uint32_t nodes, const struct sim_node *node, bool in_step,
				   struct sim_shares *log)
{
	struct timeshare *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->log = log;
	s->in_step = in_step;
	s->place = calloc(nodes, sizeof(*s->place));
	s->heap = calloc(nodes, sizeof(*s->heap));
	s->moved = calloc(nodes, sizeof(*s->moved));
	if (!s->place || !s->heap || !s->moved) {
		timeshare_destroy(s);
		return NULL;
	}
	s->nodes = nodes;
	for (uint32_t i = 0; i < nodes; i++) {
		int32_t rating = node && node[i].rating ? node[i].rating : RATING_WHOLE;

		s->heap[i] = i;
		s->place[i] = (struct place){ .rating = (uint32_t)rating,
					      .heap = i,
					      .next = PACT_FOREVER };
	}
	return s;
}

void timeshare_destroy(struct timeshare *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->nodes; i++)
		free(s->place[i].part);
	for (size_t i = 0; i < s->jobs; i++)
		free(s->holder[i].node);
	free(s->place);
	free(s->heap);
	free(s->moved);
	free(s->holder);
	free(s->changed);
	free(s);
}

/* ---- which node is next ---- */

static void put(struct timeshare *s, size_t at, uint32_t node)
{
	s->heap[at] = node;
	s->place[node].heap = at;
}

static int64_t next_of(const struct timeshare *s, size_t at)
{
	return s->place[s->heap[at]].next;
}

/* The node's next end has changed. */
static void settle(struct timeshare *s, uint32_t node)
{
	int64_t next = s->place[node].next;
	size_t at = s->place[node].heap, child;

	for (; at > 0 && next_of(s, (at - 1) / 2) > next; at = (at - 1) / 2)
		put(s, at, s->heap[(at - 1) / 2]);
	while ((child = 2 * at + 1) < s->nodes) {
		if (child + 1 < s->nodes && next_of(s, child + 1) < next_of(s, child))
			child++;
		if (next_of(s, child) >= next)
			break;
		put(s, at, s->heap[child]);
		at = child;
	}
	put(s, at, node);
}

static void find_next(struct timeshare *s, uint32_t node)
{
	struct place *x = &s->place[node];
	int64_t next = PACT_FOREVER;

	for (uint32_t i = 0; i < x->n; i++)
		next = x->part[i].done < next ? x->part[i].done : next;
	x->changed = false;
	if (next == x->next)
		return;
	x->next = next;
	settle(s, node);
}

/* Parts of it are over at other times than before, or have left. */
static void change_place(struct timeshare *s, uint32_t node)
{
	if (!s->place[node].changed)
		s->moved[s->nmoved++] = node;
	s->place[node].changed = true;
}

/* ---- a part ---- */

static struct part *part_of(const struct timeshare *s, uint32_t job, uint32_t node)
{
	const struct place *x = &s->place[node];

	for (uint32_t i = 0; i < x->n; i++)
		if (x->part[i].job == job)
			return &x->part[i];
	return NULL;
}

/* Noted before it is done: there is room, or nothing happens. */
static int note(struct timeshare *s, int64_t at, uint32_t job, uint32_t node, uint32_t share,
		uint32_t was)
{
	struct sim_shares *log = s->log;

	if (log->n == log->room) {
		size_t room = log->room ? 2 * log->room : 1024;
		struct sim_share *grown = realloc(log->v, room * sizeof(*grown));

		if (!grown)
			return PACT_ENOMEM;
		log->v = grown;
		log->room = room;
	}
	log->v[log->n++] = (struct sim_share){ at, job, node, share, was };
	return PACT_OK;
}

static void advance(const struct place *x, struct part *p, int64_t at)
{
	units did = (units)p->share * x->rating * (uint64_t)(at - p->since);

	p->left -= did < p->left ? did : p->left;
	p->since = at;
}

/* When it is over, if its share stays as it is. */
static int64_t over(const struct place *x, const struct part *p)
{
	uint64_t rate = (uint64_t)p->share * x->rating;
	units rest;

	if (!rate)
		return p->left ? PACT_FOREVER : p->since;
	rest = (p->left + rate - 1) / rate;
	return rest < (units)(PACT_FOREVER - p->since) ? p->since + (int64_t)rest : PACT_FOREVER;
}

/* ---- in step ---- */

/* The job's shares change at that time, one by one. */
static void change_pace(struct timeshare *s, uint32_t job, int64_t at)
{
	struct holder *h = &s->holder[job];
	units did = (units)h->pace * (uint64_t)(at - h->since);

	h->left -= did < h->left ? did : h->left;
	h->since = at;
	if (!h->changed)
		s->changed[s->nchanged++] = job;
	h->changed = true;
}

static int64_t over_in_step(const struct holder *h)
{
	units rest;

	if (!h->pace)
		return h->left ? PACT_FOREVER : h->since;
	rest = (h->left + h->pace - 1) / h->pace;
	return rest < (units)(PACT_FOREVER - h->since) ? h->since + (int64_t)rest : PACT_FOREVER;
}

static void find_pace(struct timeshare *s, uint32_t job)
{
	struct holder *h = &s->holder[job];
	int64_t done;

	h->pace = h->n ? UINT64_MAX : 0;
	for (uint32_t i = 0; i < h->n; i++) {
		uint64_t here =
			(uint64_t)part_of(s, job, h->node[i])->share * s->place[h->node[i]].rating;

		h->pace = here < h->pace ? here : h->pace;
	}
	done = over_in_step(h);
	for (uint32_t i = 0; i < h->n; i++) {
		part_of(s, job, h->node[i])->done = done;
		change_place(s, h->node[i]);
	}
	h->changed = false;
}

/* An instant is over: the paces first, for they tell when parts are. */
static void settle_all(struct timeshare *s)
{
	for (size_t i = 0; i < s->nchanged; i++)
		find_pace(s, s->changed[i]);
	s->nchanged = 0;
	for (size_t i = 0; i < s->nmoved; i++)
		find_next(s, s->moved[i]);
	s->nmoved = 0;
}

int64_t timeshare_next(struct timeshare *s)
{
	settle_all(s);
	return next_of(s, 0);
}

/* ---- what is told ---- */

int timeshare_set(struct timeshare *s, uint32_t job, uint32_t node, uint32_t share, int64_t at)
{
	struct place *x = &s->place[node];
	struct part *p = part_of(s, job, node);

	if (!p)
		return PACT_ENOENT;
	if (p->share == share)
		return PACT_OK;
	if (note(s, at, job, node, share, p->share) != PACT_OK)
		return PACT_ENOMEM;
	if (s->in_step) {
		change_pace(s, job, at);
		p->share = share;
		return PACT_OK;
	}
	advance(x, p, at);
	p->share = share;
	p->done = over(x, p);
	change_place(s, node);
	return PACT_OK;
}

int timeshare_others(struct timeshare *s, uint32_t node, const uint64_t *job, uint32_t n,
		     int64_t at)
{
	const struct place *x = &s->place[node];
	int err = PACT_OK;

	if (x->n <= n) /* as always: all are named */
		return PACT_OK;
	for (uint32_t i = 0; i < x->n && !err; i++) {
		uint32_t k = 0;

		while (k < n && job[k] != (uint64_t)x->part[i].job + 1)
			k++;
		if (k == n)
			err = timeshare_set(s, x->part[i].job, node, 0, at);
	}
	return err;
}

/* ---- a job ---- */

bool timeshare_runs(const struct timeshare *s, uint32_t job)
{
	return job < s->jobs && s->holder[job].n;
}

struct nodeset *timeshare_nodes(const struct timeshare *s, uint32_t job)
{
	struct nodeset *nodes = nodeset_create(s->nodes);

	for (uint32_t i = 0; nodes && i < s->holder[job].n; i++)
		nodeset_set(nodes, s->holder[job].node[i]);
	return nodes;
}

static int make_room(struct timeshare *s, uint32_t job, const struct nodeset *nodes)
{
	if (job >= s->jobs) {
		size_t room = s->jobs ? 2 * s->jobs : 256;
		struct holder *grown;

		room = room > job ? room : (size_t)job + 1;
		grown = realloc(s->holder, room * sizeof(*grown));
		if (!grown)
			return PACT_ENOMEM;
		memset(grown + s->jobs, 0, (room - s->jobs) * sizeof(*grown));
		s->holder = grown;
		if (s->in_step) {
			uint32_t *changed = realloc(s->changed, room * sizeof(*changed));

			if (!changed)
				return PACT_ENOMEM; /* the holders stay as many as they were */
			s->changed = changed;
		}
		s->jobs = room;
	}
	for (uint32_t n = nodeset_next(nodes, 0); n < s->nodes; n = nodeset_next(nodes, n + 1)) {
		struct place *x = &s->place[n];
		uint32_t room = x->room ? 2 * x->room : 4;
		struct part *grown;

		if (x->n < x->room)
			continue;
		grown = realloc(x->part, room * sizeof(*grown));
		if (!grown)
			return PACT_ENOMEM;
		x->part = grown;
		x->room = room;
	}
	s->holder[job] = (struct holder){ .node = calloc(nodeset_count(nodes), sizeof(uint32_t)),
					  .changed = s->holder[job].changed };
	return s->holder[job].node ? PACT_OK : PACT_ENOMEM;
}

int timeshare_start(struct timeshare *s, uint32_t job, const struct sim_job *j,
		    const struct nodeset *nodes, int64_t at)
{
	units left = (units)SHARE_WHOLE * RATING_WHOLE * SIM_SECOND * (uint64_t)j->runtime;
	int err = make_room(s, job, nodes);

	if (!err) {
		s->holder[job].since = at;
		s->holder[job].left = left;
	}
	for (uint32_t n = nodeset_next(nodes, 0); n < s->nodes && !err;
	     n = nodeset_next(nodes, n + 1)) {
		struct place *x = &s->place[n];
		struct holder *h = &s->holder[job];

		err = note(s, at, job, n, 0, SIM_SHARE_NONE);
		if (err)
			break;
		x->part[x->n++] = (struct part){
			.left = left, .since = at, .done = PACT_FOREVER, .job = job
		};
		h->node[h->n++] = n;
	}
	if (err && job < s->jobs)
		timeshare_leave(s, job, at);
	return err;
}

/* The part leaves its node; the holder is the caller's to mend. */
static int leave(struct timeshare *s, uint32_t job, uint32_t node, int64_t at)
{
	struct place *x = &s->place[node];
	struct part *p = part_of(s, job, node);

	if (note(s, at, job, node, SIM_SHARE_NONE, p->share) != PACT_OK)
		return PACT_ENOMEM;
	*p = x->part[--x->n];
	change_place(s, node);
	return PACT_OK;
}

int timeshare_leave(struct timeshare *s, uint32_t job, int64_t at)
{
	struct holder *h = &s->holder[job];
	int err = PACT_OK;

	while (h->n && !err) {
		err = leave(s, job, h->node[h->n - 1], at);
		h->n -= !err;
	}
	if (err)
		return err;
	free(h->node);
	h->node = NULL;
	return PACT_OK;
}

/* A job with a part that is over now; false: there is none. */
static bool find_end(const struct timeshare *s, int64_t at, uint32_t *job)
{
	const struct place *x = &s->place[s->heap[0]];

	for (uint32_t i = 0; x->next <= at && i < x->n; i++) {
		if (x->part[i].done > at)
			continue;
		*job = x->part[i].job;
		return true;
	}
	return false;
}

int timeshare_end(struct timeshare *s, int64_t at, struct timeshare_end *end)
{
	struct holder *h;
	uint32_t kept = 0;
	int err = PACT_OK;

	settle_all(s);
	*end = (struct timeshare_end){ 0 };
	if (!find_end(s, at, &end->job))
		return PACT_OK;
	end->nodes = nodeset_create(s->nodes);
	if (!end->nodes)
		return PACT_ENOMEM;
	h = &s->holder[end->job];
	for (uint32_t i = 0; i < h->n; i++) {
		uint32_t node = h->node[i];
		bool done =
			!err && s->place[node].next <= at && part_of(s, end->job, node)->done <= at;

		if (done)
			err = leave(s, end->job, node, at);
		if (done && !err)
			nodeset_set(end->nodes, node);
		else
			h->node[kept++] = node;
	}
	h->n = kept;
	end->last = !kept;
	if (err) {
		nodeset_destroy(end->nodes);
		end->nodes = NULL;
	}
	if (kept || err)
		return err;
	free(h->node);
	h->node = NULL;
	return PACT_OK;
}

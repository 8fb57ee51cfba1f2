/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pool: what is on loan, as the engine inside is told of it: one block for all that is back by the same time, whichever jobs have
 * it. So time that goes on is one event for it, not one for each job.
 *
 * A job's nodes are in their new block before they leave the old one. What fails to leave for want of memory stays held until
 * the next event: the block is loose. Of each node its borrower is kept beside (s->lender).
 */
#include "core/loans/state.h"

#include "core/base/array.h"

int block_make(struct loans *s, const struct nodeset *nodes, int64_t end, uint64_t *id)
{
	struct sched_event ev = {
		.type = EV_BLOCK, .now = s->now, .start = s->now, .end = end, .nodes = nodes
	};
	int rc;

	do {
		ev.id = s->next_hold;
		s->next_hold = s->next_hold > UINT64_MAX / 2 ? s->next_hold - 1 : UINT64_MAX;
		rc = borrower_find(s, ev.id) ? PACT_EEXIST : inner_event(s, &ev);
	} while (rc == PACT_EEXIST);
	if (rc != PACT_OK)
		return rc;
	s->call.error[0] = '\0';
	*id = ev.id;
	return rc;
}

static struct pool *pool_by_id(struct loans *s, uint64_t id)
{
	for (size_t i = 0; i < s->pool_n; i++) {
		if (s->pool[i].id == id)
			return &s->pool[i];
	}
	return NULL;
}

static struct pool *pool_by_end(struct loans *s, int64_t end)
{
	for (size_t i = 0; i < s->pool_n; i++) {
		if (s->pool[i].end == end)
			return &s->pool[i];
	}
	return NULL;
}

bool pool_is(const struct loans *s, uint64_t id)
{
	for (size_t i = 0; i < s->pool_n; i++) {
		if (s->pool[i].id == id)
			return true;
	}
	return false;
}

int64_t pool_end(const struct loans *s, const struct borrower *b)
{
	for (size_t i = 0; i < s->pool_n; i++) {
		if (s->pool[i].id == b->pool)
			return s->pool[i].end;
	}
	return 0;
}

/* ---- one block ---- */

static void drop(struct loans *s, struct pool *p)
{
	nodeset_destroy(p->nodes);
	*p = s->pool[--s->pool_n];
}

/* It is just these from now on, which are its if that succeeds. */
static int set_nodes(struct loans *s, struct pool *p, struct nodeset *nodes)
{
	struct sched_event ev = { .type = EV_RESIZED, .now = s->now, .id = p->id, .nodes = nodes };
	int rc;

	if (nodeset_empty(nodes))
		ev = (struct sched_event){ .type = EV_FINISH, .now = s->now, .id = p->id };
	rc = inner_event(s, &ev);
	if (rc != PACT_OK)
		return rc;
	nodeset_destroy(p->nodes);
	p->nodes = nodes;
	p->loose = false;
	if (ev.type == EV_FINISH)
		drop(s, p);
	return rc;
}

int pool_add(struct loans *s, uint64_t id, int64_t end, struct nodeset *nodes)
{
	size_t room = 2 * s->pool_room + 2;

	if (s->pool_n == s->pool_room) {
		if (array_grow(&s->pool, room, sizeof(*s->pool)) < 0)
			return -1;
		s->pool_room = room;
	}
	s->pool[s->pool_n++] = (struct pool){ .id = id, .end = end, .nodes = nodes };
	return 0;
}

/* A new one, of a copy. *id: which it is. */
static int make(struct loans *s, const struct nodeset *nodes, int64_t end, uint64_t *id)
{
	struct nodeset *set = nodeset_dup(nodes);
	int rc = set ? block_make(s, set, end, id)
		     : call_fail(&s->call, PACT_ENOMEM, "out of memory", 0);

	if (rc == PACT_OK && pool_add(s, *id, end, set) == 0)
		return rc;
	if (rc == PACT_OK) {
		inner_event(s,
			    &(struct sched_event){ .type = EV_FINISH, .now = s->now, .id = *id });
		rc = call_fail(&s->call, PACT_ENOMEM, "out of memory", 0);
	}
	nodeset_destroy(set);
	return rc;
}

/* What its jobs have. NULL: no memory. */
static struct nodeset *sum(const struct loans *s, const struct pool *p)
{
	struct nodeset *set = nodeset_create(s->nodes);

	for (size_t i = 0; set && i < s->running_n; i++) {
		const struct borrower *b = s->running[i];

		if (b->lent && b->pool == p->id)
			nodeset_or(set, b->lent);
	}
	return set;
}

/* It is just what its jobs have; without memory it is loose. That is no error. */
static void settle(struct loans *s, struct pool *p)
{
	bool clean = !s->call.error[0];
	struct nodeset *set = sum(s, p);

	p->loose = true;
	if (!set || set_nodes(s, p, set) != PACT_OK)
		nodeset_destroy(set);
	if (clean)
		s->call.error[0] = '\0';
}

/* These join it, and those leave it, which no other job has; NULL: none. */
static int change(struct loans *s, struct pool *p, const struct nodeset *more,
		  const struct nodeset *less)
{
	struct nodeset *set = nodeset_dup(p->nodes);
	int rc;

	if (!set)
		return call_fail(&s->call, PACT_ENOMEM, "out of memory", 0);
	if (less)
		nodeset_and_not(set, less);
	if (more)
		nodeset_or(set, more);
	rc = set_nodes(s, p, set);
	if (rc != PACT_OK)
		nodeset_destroy(set);
	return rc;
}

/* ---- a job's nodes ---- */

static void note_lender(struct loans *s, struct borrower *b, const struct nodeset *from,
			const struct nodeset *to)
{
	for (uint32_t n = from ? nodeset_next(from, 0) : s->nodes; n < s->nodes;
	     n = nodeset_next(from, n + 1)) {
		if (s->lender[n] == b)
			s->lender[n] = NULL;
	}
	for (uint32_t n = to ? nodeset_next(to, 0) : s->nodes; n < s->nodes;
	     n = nodeset_next(to, n + 1)) {
		s->crossed |= s->lender[n] != NULL;
		s->lender[n] = b;
	}
	b->lends = to ? (int32_t)nodeset_count(to) : 0;
}

/* A job has left it with these. */
static void leave(struct loans *s, struct pool *p, const struct nodeset *had)
{
	bool clean = !s->call.error[0];

	if (s->crossed || p->loose || change(s, p, NULL, had) != PACT_OK)
		settle(s, p);
	if (clean)
		s->call.error[0] = '\0';
}

/* The job has that on loan; of what it had so far it leaves the block. */
static void take_over(struct loans *s, struct borrower *b, uint64_t id, struct nodeset *nodes)
{
	struct pool *old = b->lent ? pool_by_id(s, b->pool) : NULL;
	struct nodeset *had = b->lent;

	note_lender(s, b, had, nodes);
	b->lent = nodes;
	b->pool = nodes ? id : 0;
	if (old && old->id != b->pool)
		leave(s, old, had);
	nodeset_destroy(had);
}

/* Its block is the same, and gets what it has now for what it had. */
static int swap(struct loans *s, struct borrower *b, struct pool *p, struct nodeset *nodes)
{
	int rc = change(s, p, nodes, s->crossed ? NULL : b->lent);

	if (rc == PACT_OK)
		take_over(s, b, p->id, nodes);
	if (rc == PACT_OK && s->crossed)
		settle(s, p);
	return rc;
}

int pool_lend(struct loans *s, struct borrower *b, const struct nodeset *nodes, int64_t end)
{
	struct pool *p = pool_by_end(s, end);
	struct nodeset *set;
	uint64_t id = p ? p->id : 0;
	int rc;

	if (!nodes || nodeset_empty(nodes)) {
		take_over(s, b, 0, NULL);
		return PACT_OK;
	}
	if (b->lent && p && p->id == b->pool && nodeset_equal(b->lent, nodes))
		return PACT_OK;
	set = nodeset_dup(nodes);
	if (!set)
		return call_fail(&s->call, PACT_ENOMEM, "out of memory", b->id);
	if (p && b->lent && p->id == b->pool)
		rc = swap(s, b, p, set);
	else
		rc = p ? change(s, p, set, NULL) : make(s, set, end, &id);
	if (rc != PACT_OK)
		nodeset_destroy(set);
	else if (b->lent != set)
		take_over(s, b, id, set);
	return rc;
}

/* ---- time and names ---- */

static int set_end(struct loans *s, struct pool *p, int64_t end)
{
	struct sched_event ev = { .type = EV_END_CHANGED, .now = s->now, .id = p->id, .end = end };
	int rc = end != p->end ? inner_event(s, &ev) : PACT_OK;

	if (rc == PACT_OK)
		p->end = end;
	return rc;
}

/* Each gets the end of the first of its jobs. Are there others, which have to leave it? */
static bool find_ends(struct loans *s, pool_end_fn *end_of)
{
	bool others = false;

	for (size_t i = 0; i < s->pool_n; i++)
		s->pool[i].next_end = s->pool[i].end;
	for (size_t i = 0; i < s->pool_n; i++)
		s->pool[i].found = false;
	for (size_t i = 0; i < s->running_n; i++) {
		const struct borrower *b = s->running[i];
		struct pool *p = b->lent ? pool_by_id(s, b->pool) : NULL;
		int64_t end = p ? end_of(s, b) : 0;

		if (!p)
			continue;
		others |= p->found && p->next_end != end;
		p->next_end = p->found ? p->next_end : end;
		p->found = true;
	}
	return others;
}

int pools_time(struct loans *s, pool_end_fn *end_of)
{
	bool others = find_ends(s, end_of);
	int rc = PACT_OK;

	for (size_t i = 0; rc == PACT_OK && i < s->pool_n; i++)
		rc = set_end(s, &s->pool[i], s->pool[i].next_end);
	for (size_t i = 0; others && rc == PACT_OK && i < s->running_n; i++) {
		struct borrower *b = s->running[i];
		int64_t end = b->lent ? end_of(s, b) : 0;

		if (b->lent && end != pool_end(s, b))
			rc = pool_lend(s, b, b->lent, end);
	}
	for (size_t i = s->pool_n; rc == PACT_OK && i-- > 0;) {
		if (s->pool[i].loose)
			settle(s, &s->pool[i]);
	}
	return rc;
}

int pool_rename(struct loans *s, uint64_t id)
{
	struct pool *p = pool_by_id(s, id);
	uint64_t fresh;
	int rc;

	rc = make(s, p->nodes, loans_then(s, p->end), &fresh);
	if (rc != PACT_OK)
		return rc;
	p = pool_by_id(s, id); /* the list may have moved */
	rc = inner_event(s, &(struct sched_event){ .type = EV_FINISH, .now = s->now, .id = id });
	if (rc != PACT_OK) {
		pool_by_id(s, fresh)->loose = true;
		return rc;
	}
	for (size_t i = 0; i < s->running_n; i++) {
		if (s->running[i]->lent && s->running[i]->pool == id)
			s->running[i]->pool = fresh;
	}
	pool_by_id(s, fresh)->loose = p->loose;
	drop(s, p);
	return rc;
}

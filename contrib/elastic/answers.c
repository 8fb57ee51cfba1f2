/* SPDX-License-Identifier: GPL-2.0-or-later */
/* answers: see answers.h. */
#include "contrib/elastic/answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/elastic/elastic.h"

/* The answer to what of a wish is due at a time. */
struct pending {
	int64_t serial, by;
	enum answer answer;
};

struct answers {
	struct pending *pending;
	size_t count;
	/* Nodes that the program has left, and that were not given back: unless the way knows that itself. */
	char **left;
	size_t lefts;
};

struct answers *answers_create(void)
{
	return calloc(1, sizeof(struct answers));
}

void answers_destroy(struct answers *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < a->lefts; i++)
		free(a->left[i]);
	free(a->left);
	free(a->pending);
	free(a);
}

/* ---- nodes that were left ---- */

static bool has_left(const struct answers *a, const char *node)
{
	for (size_t i = 0; i < a->lefts; i++)
		if (!strcmp(a->left[i], node))
			return true;
	return false;
}

static void add_left(struct elastic *e, const char *const *nodes)
{
	struct answers *a = e->answers;

	for (; !e->way->tend && *nodes; nodes++) {
		char **more;

		if (has_left(a, *nodes))
			continue;
		more = realloc(a->left, (a->lefts + 1) * sizeof(*more));
		if (!more)
			return;
		a->left = more;
		more[a->lefts] = strdup(*nodes);
		a->lefts += more[a->lefts] != NULL;
	}
}

bool answers_back(struct elastic *e)
{
	const struct pact_malleable_wish *wish = pact_malleable_wanted(e->job);
	const char *const *nodes = pact_malleable_nodes(e->job);
	struct answers *a = e->answers;
	bool back = false;
	size_t n = 0;

	for (size_t i = 0; i < a->lefts; i++) {
		bool mine = elastic_has(nodes, a->left[i]);

		if (mine && wish && elastic_has(wish->leaves, a->left[i])) {
			a->left[n++] = a->left[i];
			continue;
		}
		back |= mine;
		free(a->left[i]);
	}
	a->lefts = n;
	/* They are used again: whatever is wanted then is asked anew. */
	if (back)
		a->count = 0;
	return back;
}

const char **answers_ours(const struct elastic *e, const char *const *nodes)
{
	const char **ours;
	size_t n = 0;

	while (nodes[n])
		n++;
	ours = calloc(n + 1, sizeof(*ours));
	if (!ours)
		return NULL;
	n = 0;
	for (; *nodes; nodes++)
		if (!has_left(e->answers, *nodes))
			ours[n++] = *nodes;
	return ours;
}

/* ---- telling Slurm ---- */

/* *gave: nodes are gone. RET whether it is told, and not to be told again */
static bool give(struct elastic *e, const struct pact_malleable_wish *wish, bool *gave)
{
	int rc = pact_malleable_give(e->job, wish->leave);

	*gave = rc == PACT_MALLEABLE_OK;
	if (!*gave)
		add_left(e, wish->leaves);
	switch (rc) {
	case PACT_MALLEABLE_OK:
		e->counts.given++;
		elastic_tell(e, "wish %lld: gave back %s", (long long)wish->serial, wish->leave);
		break;
	case PACT_MALLEABLE_AGAIN:
		elastic_tell(e, "wish %lld: not given back yet: %s", (long long)wish->serial,
			     pact_malleable_error(e->job));
		break;
	default:
		e->counts.failed++;
		elastic_error("wish %lld: %s not given back: %s", (long long)wish->serial,
			      wish->leave, pact_malleable_error(e->job));
	}
	return rc != PACT_MALLEABLE_AGAIN;
}

/* RET likewise */
static bool refuse(struct elastic *e, const struct pact_malleable_wish *wish)
{
	int rc = pact_malleable_refuse(e->job);

	if (rc == PACT_MALLEABLE_OK)
		elastic_tell(e, "wish %lld: not now", (long long)wish->serial);
	else
		elastic_error("wish %lld: not now, which Slurm did not take: %s",
			      (long long)wish->serial, pact_malleable_error(e->job));
	return rc != PACT_MALLEABLE_AGAIN;
}

/* ---- parts of a wish ---- */

/* What of a wish is due about the same time. */
struct part {
	struct pact_malleable_wish wish;
	const char **leaves;
	char *leave;
};

/*
 * What is due a whole notice later than the first of them has that for itself, and is for another time. A way that does not wait
 * has that notice also where the first ones are overdue, as they are when Slurm does not take them.
 */
static size_t dues_by_first(const struct elastic *e, const struct pact_malleable_wish *wish)
{
	int64_t notice = e->options->notice ? e->options->notice : NOTICE;
	int64_t from = wish->by, now = elastic_now();
	size_t n = 1;

	if (e->way->tend && now > from)
		from = now;
	while (n < wish->dues && wish->due[n].by < from + notice)
		n++;
	return n;
}

/*
 * The part of some dues, up to `end`.
 * RET false: out of memory
 */
static bool part_of(const struct pact_malleable_wish *wish, size_t begin, size_t end,
		    struct part *part)
{
	size_t before = 0, names = 0, size = 1;
	char *at;

	*part = (struct part){ .wish = *wish };
	for (size_t i = 0; i < begin; i++)
		before += wish->due[i].count;
	for (size_t i = begin; i < end; i++) {
		names += wish->due[i].count;
		size += strlen(wish->due[i].leave) + 1;
	}
	at = part->leave = malloc(size);
	part->leaves = calloc(names + 1, sizeof(*part->leaves));
	if (!at || !part->leaves)
		return false;
	for (size_t i = begin; i < end; i++)
		at += sprintf(at, "%s%s", i > begin ? "," : "", wish->due[i].leave);
	memcpy(part->leaves, wish->leaves + before, names * sizeof(*part->leaves));
	for (size_t i = end; i < wish->dues; i++)
		part->wish.width += (int64_t)wish->due[i].count;
	part->wish.by = wish->due[begin].by;
	part->wish.leave = part->leave;
	part->wish.leaves = part->leaves;
	part->wish.due = wish->due + begin;
	part->wish.dues = end - begin;
	return true;
}

static void part_free(struct part *part)
{
	free(part->leaves);
	free(part->leave);
}

/* ---- answers ---- */

/* The one to this wish; of others, that are over, none is kept. *fresh: it was not asked yet. NULL: out of memory */
static struct pending *find_pending(struct answers *a, const struct pact_malleable_wish *wish,
				    bool *fresh)
{
	struct pending *more;

	if (a->count && a->pending[0].serial != wish->serial)
		a->count = 0;
	*fresh = false;
	for (size_t i = 0; i < a->count; i++)
		if (a->pending[i].by == wish->by)
			return &a->pending[i];
	more = realloc(a->pending, (a->count + 1) * sizeof(*more));
	if (!more)
		return NULL;
	a->pending = more;
	*fresh = true;
	more[a->count] = (struct pending){ .serial = wish->serial, .by = wish->by };
	return &more[a->count++];
}

/* The node of the batch script, and of ours, cannot be given back. */
static bool has_batch(const struct elastic *e, const struct pact_malleable_wish *wish)
{
	const char *batch = pact_malleable_batch_node(e->job);

	return batch && elastic_has(wish->leaves, batch);
}

static void ask(struct elastic *e, const struct pact_malleable_wish *wish, struct pending *pending)
{
	pending->answer = has_batch(e, wish) ? ANSWER_NOT_NOW : e->way->leave(e, wish);
	if (pending->answer == ANSWER_WAIT || pending->answer == ANSWER_NONE)
		return;
	if (wish->by && elastic_now() > wish->by) {
		e->counts.late++;
		elastic_tell(e, "wish %lld: late", (long long)wish->serial);
	}
	e->counts.refused += pending->answer == ANSWER_NOT_NOW;
}

/* RET whether nodes were given back */
static bool meet_part(struct elastic *e, const struct pact_malleable_wish *wish, bool looked)
{
	bool gave = false, fresh;
	struct pending *pending = find_pending(e->answers, wish, &fresh);

	if (!pending)
		return false;
	if (fresh) {
		e->counts.wishes++;
		elastic_tell(e, "wish %lld: %lld nodes, without %s, in %lld s",
			     (long long)wish->serial, (long long)wish->width, wish->leave,
			     (long long)(wish->by ? wish->by - elastic_now() : 0));
	}
	if (fresh || pending->answer == ANSWER_WAIT)
		ask(e, wish, pending);
	else if (!looked)
		return false;
	if (pending->answer == ANSWER_GIVE ? give(e, wish, &gave)
					   : pending->answer == ANSWER_NOT_NOW && refuse(e, wish))
		pending->answer = ANSWER_NONE;
	return gave;
}

/* The batch script's node, which is refused for all that is wanted, is for when nothing before it waits for its answer. */
static bool meet(struct elastic *e, const struct pact_malleable_wish *wish, size_t begin,
		 size_t end, bool looked)
{
	struct part part;
	bool gave = false;

	if (part_of(wish, begin, end, &part) && (!begin || !has_batch(e, &part.wish)))
		gave = meet_part(e, &part.wish, looked);
	part_free(&part);
	return gave;
}

bool answers_give(struct elastic *e, bool looked)
{
	const struct pact_malleable_wish *wish = pact_malleable_wanted(e->job);
	bool gave = false;
	size_t dues;

	if (!wish)
		return false;
	dues = dues_by_first(e, wish);
	if (!e->way->tend)
		return meet(e, wish, 0, dues, looked);
	/* until there is another look: what was given back, or refused, is not wanted any more */
	for (size_t i = 0; i < dues && !gave && pact_malleable_wanted(e->job); i++)
		gave = meet(e, wish, i, i + 1, looked);
	return gave;
}

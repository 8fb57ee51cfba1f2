/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pair: see pair.h. */
#include "testsuite/unit/pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/nodeset.h"

#define MOST 256 /* jobs at a time */

/* How many jobs may be on a node; and whether all have half of it, however many there are. */
struct pair_kind {
	int per_node;
	bool always_half;
};

static const struct pair_kind two = { 2, false };
static const struct pair_kind three = { 3, true };

struct pair_job {
	uint64_t id;
	int32_t width;
	struct nodeset *nodes; /* NULL: it waits */
	bool stale;	       /* its shares are not what they should be */
};

struct pair {
	const struct pair_kind *kind;
	uint32_t nodes;
	struct pair_job job[MOST]; /* in the order of submission */
	size_t n;
	uint64_t asked; /* the job of the action that is not answered; 0: none */
	struct nodeset *to;
	uint32_t *share;
	char error[100];
};

static void pair_destroy(void *own)
{
	struct pair *p = own;

	for (size_t i = 0; i < p->n; i++)
		nodeset_destroy(p->job[i].nodes);
	nodeset_destroy(p->to);
	free(p->share);
	free(p);
}

static void *pair_create(const void *kind, uint32_t nodes, const struct sched_config *config,
			 char *why, size_t why_size)
{
	struct pair *p = calloc(1, sizeof(*p));

	(void)config, (void)why, (void)why_size;
	p->kind = kind;
	p->nodes = nodes;
	p->to = nodeset_create(nodes);
	p->share = calloc(nodes, sizeof(*p->share));
	return p;
}

static int pair_configure(void *own, const void *kind, const struct sched_config *config, char *why,
			  size_t why_size)
{
	(void)own, (void)kind, (void)config, (void)why, (void)why_size;
	return PACT_OK;
}

static int count_on(const struct pair *p, uint32_t node)
{
	int count = 0;

	for (size_t i = 0; i < p->n; i++)
		count += p->job[i].nodes && nodeset_test(p->job[i].nodes, node);
	return count;
}

/* Whatever shares one of these nodes has to be told anew. */
static void touched(struct pair *p, const struct nodeset *nodes)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->job[i].nodes && nodeset_overlap(p->job[i].nodes, nodes))
			p->job[i].stale = true;
}

static struct pair_job *find(struct pair *p, uint64_t id)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->job[i].id == id)
			return &p->job[i];
	return NULL;
}

static void forget(struct pair *p, struct pair_job *j)
{
	struct nodeset *nodes = j->nodes;

	p->n--;
	memmove(j, j + 1, (size_t)(p->job + p->n - j) * sizeof(*j));
	if (nodes)
		touched(p, nodes);
	nodeset_destroy(nodes);
}

static int pair_event(void *own, const struct sched_event *ev)
{
	struct pair *p = own;
	struct pair_job *j = find(p, ev->id);

	p->error[0] = '\0';
	switch (ev->type) {
	case EV_SUBMIT:
		if (p->n == MOST)
			return PACT_ENOMEM;
		p->job[p->n++] =
			(struct pair_job){ .id = ev->jobs[0].id, .width = ev->jobs[0].width };
		return PACT_OK;
	case EV_STARTED:
		j->nodes = nodeset_dup(ev->nodes);
		touched(p, ev->nodes);
		j->stale = true;
		break;
	case EV_SHARED:
	case EV_REFUSED:
		j->stale = false;
		break;
	case EV_LEFT:
		nodeset_and_not(j->nodes, ev->nodes);
		touched(p, ev->nodes);
		j->stale = true; /* it may have been refused its shares for that */
		return PACT_OK;
	case EV_NODES: /* its shares do not depend on them */
		return PACT_OK;
	case EV_FINISH:
	case EV_WITHDRAW:
		forget(p, j);
		return PACT_OK;
	default:
		snprintf(p->error, sizeof(p->error), "unknown event");
		return PACT_EINVAL;
	}
	p->asked = 0;
	return PACT_OK;
}

/* The shares of a job on its nodes `on`, were it one of `more` jobs more there. */
static uint32_t find_shares(struct pair *p, const struct nodeset *on, int more)
{
	uint32_t n = 0;

	for (uint32_t node = nodeset_next(on, 0); node < p->nodes;
	     node = nodeset_next(on, node + 1)) {
		int count = count_on(p, node) + more;

		if (p->kind->always_half)
			count = 2;
		p->share[n++] = SHARE_WHOLE / (uint32_t)count;
	}
	return n;
}

/* The least used nodes for the head of the queue, if it fits. */
static bool place(struct pair *p, const struct pair_job *j)
{
	int32_t missing = j->width;

	nodeset_clear(p->to);
	for (int level = 0; level < p->kind->per_node; level++)
		for (uint32_t node = 0; node < p->nodes && missing; node++)
			if (count_on(p, node) == level) {
				nodeset_set(p->to, node);
				missing--;
			}
	return !missing;
}

static bool pair_next(void *own, struct sched_action *a)
{
	struct pair *p = own;

	*a = (struct sched_action){ .exact = true };
	p->error[0] = '\0';
	if (p->asked) {
		snprintf(p->error, sizeof(p->error), "the last action was not answered");
		return false;
	}
	for (size_t i = 0; i < p->n && !p->asked; i++) {
		struct pair_job *j = &p->job[i];

		if (j->nodes && !j->stale)
			continue;
		if (!j->nodes && !place(p, j))
			return false;
		p->asked = a->id = j->id;
		a->type = j->nodes ? ACT_SHARE : ACT_START;
		a->width = j->width;
		a->allowed = j->nodes ? NULL : p->to;
		a->nshares = j->nodes ? find_shares(p, j->nodes, 0) : find_shares(p, p->to, 1);
		a->shares = p->share;
	}
	return p->asked != 0;
}

static bool pair_poll(void *own, struct sched_action *a)
{
	(void)own, (void)a;
	return false;
}

static const char *pair_error(const void *own)
{
	return ((const struct pair *)own)->error;
}

static int64_t pair_spent(const void *own)
{
	(void)own;
	return 0;
}

/* It tells nothing, and so only before its first job. */
static int pair_save(void *own, retell_fn *tell, void *arg)
{
	const struct pair *p = own;

	(void)tell, (void)arg;
	return p->n ? PACT_EPROTO : PACT_OK;
}

static const struct record_form *pair_form(const void *own, const char *name)
{
	(void)own, (void)name;
	return NULL;
}

static int pair_load(void *own, const struct record_form *form, const void *record)
{
	(void)own, (void)record;
	return form ? PACT_EINVAL : PACT_OK;
}

static const struct engine engine_pair = {
	.name = "pair",
	.by_number = true,
	.create = pair_create,
	.destroy = pair_destroy,
	.configure = pair_configure,
	.event = pair_event,
	.next = pair_next,
	.poll = pair_poll,
	.save = pair_save,
	.form = pair_form,
	.load = pair_load,
	.error = pair_error,
	.spent = pair_spent,
};

const struct scheduler pair_scheduler = { "pair", &engine_pair, &two, &two, NULL };
const struct scheduler crowd_scheduler = { "crowd", &engine_pair, &three, &three, NULL };

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loans: an engine around another one; see loans.h. Its life. */
#include "core/loans/loans.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/loans/state.h"

static void loans_destroy(void *own)
{
	struct loans *s = own;
	struct borrower *b;

	if (!s)
		return;
	if (s->own)
		s->kind->engine->destroy(s->own);
	for (size_t i = 0; s->members && (b = table_next(s->members, &i));)
		borrower_destroy(b);
	table_destroy(s->members);
	table_destroy(s->holds);
	for (size_t i = 0; i < s->pool_n; i++)
		nodeset_destroy(s->pool[i].nodes);
	free(s->pool);
	free(s->running);
	free(s->heap);
	decided_release(&s->decided);
	free(s->lender);
	free(s->wanted);
	free(s->wanted_by);
	free(s->order);
	free(s->after);
	nodeset_destroy(s->idle);
	nodeset_destroy(s->taken);
	nodeset_destroy(s->allowed);
	free(s);
}

static bool make_parts(struct loans *s)
{
	uint32_t n = s->nodes;

	s->members = table_create();
	s->holds = table_create();
	s->lender = calloc(n, sizeof(*s->lender));
	s->wanted = calloc(n, sizeof(*s->wanted));
	s->wanted_by = calloc(n, sizeof(*s->wanted_by));
	s->order = calloc(n, sizeof(*s->order));
	s->after = calloc(n, sizeof(*s->after));
	s->idle = nodeset_create(n);
	s->taken = nodeset_create(n);
	s->allowed = nodeset_create(n);
	return s->members && s->holds && s->lender && s->wanted && s->wanted_by && s->order &&
	       s->after && s->idle && s->taken && s->allowed;
}

static void *loans_create(const void *kind, uint32_t nodes, const struct sched_config *config,
			  char *why, size_t size)
{
	struct loans *s = calloc(1, sizeof(*s));
	struct sched_config c;

	if (why && size)
		why[0] = '\0';
	if (s) {
		s->kind = kind;
		s->config = *config;
		s->call.config = &s->config;
		s->nodes = nodes;
		s->told = true;
		s->inner_wake = s->wake = PACT_FOREVER;
		s->next_hold = UINT64_MAX;
	}
	if (s && make_parts(s)) {
		c = call_config(&s->call, config);
		s->own = s->kind->engine->create(s->kind->kind, nodes, &c, why, size);
		if (s->own)
			return s;
	}
	if (why && size && !why[0])
		snprintf(why, size, "out of memory");
	loans_destroy(s);
	return NULL;
}

static int loans_configure(void *own, const void *kind, const struct sched_config *config,
			   char *why, size_t size)
{
	struct loans *s = own;
	struct sched_config old = s->config, c;
	const struct loans_kind *to = kind;
	int rc;

	s->config = *config;
	c = call_config(&s->call, config);
	rc = s->kind->engine->configure(s->own, to->kind, &c, why, size);
	s->touched = s->stale = true;
	s->planned = s->told = false;
	s->inner_wake = PACT_FOREVER;
	if (rc == PACT_EINVAL)
		s->config = old;
	else
		s->kind = to;
	return rc;
}

const void *loans_inside(const void *own, const struct engine **engine)
{
	const struct loans *s = own;

	*engine = s->kind->engine;
	return s->own;
}

static const char *loans_error(const void *own)
{
	return ((const struct loans *)own)->call.error;
}

static int64_t loans_spent(const void *own)
{
	return ((const struct loans *)own)->call.spent;
}

static size_t loans_bytes(const void *own)
{
	const struct loans *s = own;
	const struct borrower *b;
	size_t set = s->nodes / 8 + 16, bytes = sizeof(*s) + 3 * set;

	bytes += table_bytes(s->members) + table_bytes(s->holds);
	bytes += s->nodes * (sizeof(*s->lender) + sizeof(*s->wanted) + sizeof(*s->wanted_by) +
			     sizeof(*s->order) + sizeof(*s->after));
	bytes += s->running_room * (sizeof(struct borrower *) + sizeof(*s->heap));
	bytes += decided_bytes(&s->decided) + s->pool_room * sizeof(*s->pool) + s->pool_n * set;
	for (size_t i = 0; (b = table_next(s->members, &i));)
		bytes += sizeof(*b) + (3 + b->nalt + b->calls) * set +
			 b->speedup.n * sizeof(*b->speedup.v) + b->call_room * sizeof(*b->call);
	return bytes + s->kind->engine->bytes(s->own);
}

const struct engine engine_loans = {
	.name = "loans",
	.by_number = true,
	.create = loans_create,
	.destroy = loans_destroy,
	.configure = loans_configure,
	.event = loans_event,
	.next = loans_next,
	.poll = loans_poll,
	.ask = loans_ask,
	.ask_change = loans_ask_change,
	.view = loans_view,
	.why = loans_why,
	.waiting = loans_waiting,
	.view_waiting = loans_view_waiting,
	.save = loans_save,
	.form = loans_form,
	.load = loans_load,
	.error = loans_error,
	.spent = loans_spent,
	.bytes = loans_bytes,
};

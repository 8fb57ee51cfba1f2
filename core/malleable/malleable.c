/* SPDX-License-Identifier: GPL-2.0-or-later */
/* malleable: the engine of jobs that have a range of nodes; see malleable.h. Its life. */
#include <stdio.h>
#include <stdlib.h>

#include "core/malleable/state.h"

static void malleable_destroy(void *own)
{
	struct malleable *s = own;
	struct job *j;

	if (!s)
		return;
	for (size_t i = 0; s->jobs && (j = table_next(s->jobs, &i));)
		malleable_job_destroy(j);
	table_destroy(s->jobs);
	held_destroy(s->holds);
	walk_release(&s->walk);
	fit_queue_release(&s->queue);
	free(s->running);
	free(s->accepted);
	free(s->margin.heap);
	free(s->margin.from);
	free(s->margin.cost);
	profile_destroy(s->plan);
	profile_destroy(s->flat);
	free(s->change);
	free(s->todo);
	free(s->target);
	free(s->owner);
	free(s->prev);
	free(s->next);
	free(s->held);
	free(s->closed);
	free(s->had);
	free(s->due);
	decided_release(&s->decided);
	nodeset_destroy(s->idle);
	nodeset_destroy(s->allowed);
	nodeset_destroy(s->called);
	free(s->stood);
	free(s);
}

static bool make_parts(struct malleable *s, const void *kind)
{
	uint32_t n = s->nodes;

	s->jobs = table_create();
	s->holds = table_create();
	s->owner = calloc(n, sizeof(*s->owner));
	s->prev = calloc(n, sizeof(*s->prev));
	s->next = calloc(n, sizeof(*s->next));
	s->held = calloc(n, sizeof(*s->held));
	s->closed = calloc(n, sizeof(*s->closed));
	s->had = calloc(n, sizeof(*s->had));
	s->due = calloc(n, sizeof(*s->due));
	s->margin.from = calloc(n, sizeof(*s->margin.from));
	s->margin.cost = calloc(n, sizeof(*s->margin.cost));
	s->idle = nodeset_create(n);
	s->allowed = nodeset_create(n);
	s->called = nodeset_create(n);
	s->stood = calloc(n, sizeof(*s->stood));
	if (!s->jobs || !s->holds || !s->owner || !s->prev || !s->next || !s->held || !s->closed ||
	    !s->had || !s->due || !s->margin.from || !s->margin.cost || !s->idle || !s->allowed ||
	    !s->called || !s->stood)
		return false;
	nodeset_fill(s->idle);
	s->idle_n = (int32_t)n;
	for (uint32_t i = 0; i < n; i++)
		s->closed[i] = PACT_FOREVER;
	if (kind == &malleable_lazy) {
		s->plan = profile_create(0, (int32_t)n);
		s->flat = profile_create(0, (int32_t)n);
	}
	return (kind != &malleable_lazy || (s->plan && s->flat)) && malleable_reserve(s, 1) == 0;
}

static void *malleable_create(const void *kind, uint32_t nodes, const struct sched_config *config,
			      char *why, size_t why_size)
{
	struct malleable *s = calloc(1, sizeof(*s));

	if (s) {
		s->kind = kind;
		s->config = *config;
		s->nodes = nodes;
		s->wake = PACT_FOREVER;
	}
	if (!s || !make_parts(s, kind)) {
		if (why)
			snprintf(why, why_size, "out of memory");
		malleable_destroy(s);
		return NULL;
	}
	return s;
}

/* Another mode may have another order. */
static int malleable_configure(void *own, const void *kind, const struct sched_config *config,
			       char *why, size_t why_size)
{
	struct malleable *s = own;

	if (kind != s->kind) {
		if (why)
			snprintf(why, why_size, "another scheduler");
		return PACT_EINVAL;
	}
	s->config = *config;
	malleable_sort(s);
	s->dirty = true;
	s->told = false;
	return PACT_OK;
}

static const char *malleable_error(const void *own)
{
	return ((const struct malleable *)own)->call.error;
}

/* No answer depends on the budget. */
static int64_t malleable_spent(const void *own)
{
	(void)own;
	return 0;
}

static size_t set_bytes(const struct malleable *s)
{
	return (s->nodes + 63) / 64 * 8;
}

static size_t malleable_bytes(const void *own)
{
	const struct malleable *s = own;
	const struct job *j;
	size_t bytes = sizeof(*s) + table_bytes(s->jobs) + table_bytes(s->holds) +
		       walk_bytes(&s->walk) + fit_queue_bytes(&s->queue) + 2 * set_bytes(s);

	bytes += s->nodes *
		 (sizeof(*s->owner) + sizeof(*s->prev) + sizeof(*s->next) + sizeof(*s->held) +
		  sizeof(*s->closed) + sizeof(*s->had) + sizeof(*s->due) + sizeof(*s->margin.from) +
		  sizeof(*s->margin.cost) + sizeof(*s->stood));
	bytes += s->running_room * sizeof(*s->margin.heap);
	bytes += (s->running_room + s->accepted_room) * sizeof(*s->running);
	bytes += s->change_room * sizeof(*s->change);
	if (s->plan)
		bytes += profile_bytes(s->plan) + profile_bytes(s->flat);
	bytes += s->todo_room * (sizeof(*s->todo) + sizeof(*s->target));
	bytes += decided_bytes(&s->decided);
	for (size_t i = 0; (j = table_next(s->jobs, &i));)
		bytes += sizeof(*j) + set_bytes(s) * (2 + j->nalt + !!j->required) +
			 j->speedup.n * sizeof(*j->speedup.v);
	return bytes + table_count(s->holds) * (sizeof(struct held) + set_bytes(s));
}

const struct engine engine_malleable = {
	.name = "malleable",
	.by_number = true,
	.create = malleable_create,
	.destroy = malleable_destroy,
	.configure = malleable_configure,
	.event = malleable_event,
	.next = malleable_next,
	.poll = malleable_poll,
	.ask = malleable_ask,
	.ask_change = malleable_ask_change,
	.view = malleable_view,
	.why = malleable_why,
	.waiting = malleable_waiting,
	.view_waiting = malleable_view_waiting,
	.save = malleable_save,
	.form = malleable_form,
	.load = malleable_load,
	.error = malleable_error,
	.spent = malleable_spent,
	.bytes = malleable_bytes,
};

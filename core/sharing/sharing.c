/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sharing: the engine of jobs that share nodes; see sharing.h. Its life. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sharing/state.h"

static enum share_rule rule_of(const struct sharing_kind *kind, const struct sched_config *config)
{
	if (kind == &sharing_demand)
		return SHARE_NEAREST;
	return config->spare == SPARE_IDLE ? SHARE_IDLE : SHARE_SPARE;
}

static bool goes_in_step(const struct sharing_kind *kind, const struct sched_config *config)
{
	return config->parts == PARTS_STEP && !kind->whole && kind != &sharing_demand;
}

static void sharing_destroy(void *own)
{
	struct sharing *s = own;
	struct job *j;

	if (!s)
		return;
	s->news = NULL;
	for (size_t i = 0; s->jobs && (j = table_next(s->jobs, &i));) {
		j->has_news = false;
		sharer_destroy(s, j);
	}
	for (uint32_t i = 0; s->node && i < s->nodes; i++)
		free(s->node[i].part);
	table_destroy(s->jobs);
	held_destroy(s->holds);
	walk_release(&s->walk);
	chance_destroy(s->past);
	nodeset_destroy(s->kept);
	nodeset_destroy(s->allowed);
	in_step_destroy(s);
	free(s->node);
	free(s->room);
	free(s->known);
	free(s->until);
	free(s->queue);
	free(s->due);
	decided_release(&s->decided);
	decided_release(&s->learned);
	free(s->touched);
	free(s->part);
	free(s->end);
	free(s->pick);
	free(s->pick_left);
	free(s->ids);
	free(s->shares);
	free(s);
}

static bool make_parts(struct sharing *s)
{
	uint32_t n = s->nodes;

	s->node = calloc(n, sizeof(*s->node));
	s->room = calloc(n, sizeof(*s->room));
	s->known = calloc(n, sizeof(*s->known));
	s->until = calloc(n, sizeof(*s->until));
	s->touched = calloc(n, sizeof(*s->touched));
	s->pick = calloc(n, sizeof(*s->pick));
	s->pick_left = calloc(n, sizeof(*s->pick_left));
	s->jobs = table_create();
	s->holds = table_create();
	s->past = chance_create();
	s->kept = nodeset_create(n);
	s->allowed = nodeset_create(n);
	return s->node && s->room && s->known && s->until && s->touched && s->pick &&
	       s->pick_left && s->jobs && s->holds && s->past && s->kept && s->allowed &&
	       sharing_scratch(s, 8) == 0;
}

static void *sharing_create(const void *kind, uint32_t nodes, const struct sched_config *config,
			    char *why, size_t why_size)
{
	struct sharing *s;

	if (kind == &sharing_demand && config->parts == PARTS_STEP) {
		if (why)
			snprintf(why, why_size, "Parts=step: demand knows no such jobs");
		return NULL;
	}
	s = calloc(1, sizeof(*s));
	if (s) {
		s->kind = kind;
		s->config = *config;
		s->rule = rule_of(kind, config);
		s->nodes = nodes;
		s->uniform = true;
		s->in_step = goes_in_step(kind, config);
		s->told = true;
	}
	if (!s || !make_parts(s)) {
		if (why)
			snprintf(why, why_size, "out of memory");
		sharing_destroy(s);
		return NULL;
	}
	for (uint32_t i = 0; i < nodes; i++) {
		s->node[i].rating = RATING_WHOLE;
		s->node[i].processors = 1;
		s->node[i].closed = SHARE_NEVER;
		s->room[i].at = SHARE_NEVER;
		s->until[i] = SHARE_NEVER;
	}
	return s;
}

/* The jobs that wait in their order again. */
static void sort_queue(struct sharing *s)
{
	size_t n = s->queue_n;

	s->queue_n = 0;
	for (size_t i = 0; i < n; i++)
		waiting_add(s, s->queue[i]); /* its place is not behind where it was read */
}

static int sharing_configure(void *own, const void *kind, const struct sched_config *config,
			     char *why, size_t why_size)
{
	struct sharing *s = own;

	if (kind != s->kind) {
		if (why)
			snprintf(why, why_size, "another scheduler");
		return PACT_EINVAL;
	}
	if (goes_in_step(kind, config) != s->in_step) {
		if (why)
			snprintf(why, why_size,
				 "Parts: not to be changed while the scheduler runs");
		return PACT_EINVAL;
	}
	s->config = *config;
	s->rule = rule_of(kind, config);
	sort_queue(s);
	for (uint32_t i = 0; i < s->nodes; i++)
		node_share(s, i);
	in_step_settle(s);
	s->dirty = true;
	s->told = false;
	return PACT_OK;
}

static const char *sharing_error(const void *own)
{
	return ((const struct sharing *)own)->call.error;
}

/* No answer depends on the budget. */
static int64_t sharing_spent(const void *own)
{
	(void)own;
	return 0;
}

static size_t sharing_bytes(const void *own)
{
	const struct sharing *s = own;
	const struct job *j;
	size_t bytes = sizeof(*s) + table_bytes(s->jobs) + table_bytes(s->holds) +
		       walk_bytes(&s->walk) + chance_bytes(s->past);

	bytes += s->nodes * (sizeof(*s->node) + 2 * sizeof(*s->room) + sizeof(*s->until) +
			     sizeof(*s->touched) + sizeof(*s->pick) + sizeof(*s->pick_left));
	for (uint32_t i = 0; i < s->nodes; i++)
		bytes += s->node[i].room * sizeof(*s->node[i].part);
	for (size_t i = 0; (j = table_next(s->jobs, &i));)
		bytes += sizeof(*j) + j->n * sizeof(*j->node) + (j->terms ? sizeof(*j->terms) : 0);
	bytes += (s->queue_room + s->due_room) * sizeof(*s->queue);
	bytes += decided_bytes(&s->decided) + decided_bytes(&s->learned);
	bytes +=
		s->step_room * (sizeof(*s->step.job) + sizeof(*s->step.part) + sizeof(*s->step.on));
	bytes += s->step.node ? s->nodes * sizeof(*s->step.node) : 0;
	bytes += s->part_room *
		 (2 * sizeof(*s->part) + sizeof(*s->end) + sizeof(*s->ids) + sizeof(*s->shares));
	return bytes;
}

const struct engine engine_sharing = {
	.name = "sharing",
	.by_number = true,
	.create = sharing_create,
	.destroy = sharing_destroy,
	.configure = sharing_configure,
	.event = sharing_event,
	.next = sharing_next,
	.poll = sharing_poll,
	.ask = sharing_ask,
	.ask_change = sharing_ask_change,
	.view = sharing_view,
	.why = sharing_why,
	.waiting = sharing_waiting,
	.view_waiting = sharing_view_waiting,
	.node = sharing_node,
	.save = sharing_save,
	.form = sharing_form,
	.load = sharing_load,
	.error = sharing_error,
	.spent = sharing_spent,
	.bytes = sharing_bytes,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* domains: several engines as one; see domains.h. Its life, its events and its actions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/domains/domains.h"
#include "core/domains/state.h"

/* ---- creation ---- */

static struct sched_config part_config(struct domains *s, uint32_t i,
				       const struct sched_config *config)
{
	struct sched_config c = call_config(&s->call, config);

	composition_configure(s->parts, i, &c);
	return c;
}

static const void *kind_of(const struct scheduler *of, enum sched_mode mode)
{
	return mode == SCHED_MODE_SLURM ? of->slurm_kind : of->kind;
}

/* Does each domain's scheduler know this mode? */
static bool knows_mode(const struct composition *c, enum sched_mode mode, char *why, size_t size)
{
	for (uint32_t i = 0; i < c->n; i++) {
		if (kind_of(c->part[i].of, mode))
			continue;
		if (why)
			snprintf(why, size, "mode: scheduler %s knows the paper mode only",
				 c->part[i].of->name);
		return false;
	}
	return true;
}

static bool make_part(struct domains *s, uint32_t i, char *why, size_t size)
{
	struct domain *d = &s->v[i];
	struct sched_config config = part_config(s, i, &s->config);
	uint32_t n = 0;

	d->of = scheduler_with(s->parts->part[i].of, &config);
	d->nodes = s->parts->part[i].nodes;
	d->wake = PACT_FOREVER;
	d->n = nodeset_count(d->nodes);
	d->node = malloc(d->n * sizeof(*d->node));
	if (!d->node)
		return false;
	for (uint32_t node = nodeset_next(d->nodes, 0); node < s->parts->nodes;
	     node = nodeset_next(d->nodes, node + 1))
		d->node[n++] = node;
	d->own = d->of->engine->create(kind_of(d->of, config.mode), d->n, &config, why, size);
	return d->own;
}

static void domains_destroy(void *own)
{
	struct domains *s = own;
	struct member *m;

	if (!s)
		return;
	for (uint32_t i = 0; i < s->n; i++) {
		if (s->v[i].own)
			s->v[i].of->engine->destroy(s->v[i].own);
		free(s->v[i].node);
	}
	for (size_t i = 0; s->members && (m = table_next(s->members, &i));)
		free(m);
	table_destroy(s->members);
	nodeset_destroy(s->allowed);
	nodeset_destroy(s->shown);
	decided_release(&s->decided);
	free(s->waiting);
	free(s);
}

static void *domains_create(const void *kind, uint32_t nodes, const struct sched_config *config,
			    char *why, size_t size)
{
	const struct composition *parts = kind;
	struct domains *s;
	bool good;

	if (!knows_mode(parts, config->mode, why, size))
		return NULL;
	if (why && size)
		why[0] = '\0';
	s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->parts = parts;
	s->config = *config;
	s->call.config = &s->config;
	s->loading = NO_DOMAIN;
	s->told = true;
	s->members = table_create();
	s->allowed = nodeset_create(nodes);
	s->shown = nodeset_create(nodes);
	good = s->members && s->allowed && s->shown;
	for (; good && s->n < parts->n; s->n++)
		good = make_part(s, s->n, why, size);
	if (good)
		return s;
	if (why && size && !why[0])
		snprintf(why, size, "out of memory");
	domains_destroy(s);
	return NULL;
}

static int configure_part(struct domains *s, uint32_t i, const struct sched_config *config,
			  char *why, size_t size)
{
	struct sched_config c = part_config(s, i, config);
	struct domain *d = &s->v[i];

	if (scheduler_with(s->parts->part[i].of, &c) != d->of) {
		if (why)
			snprintf(why, size,
				 "Loans: none cannot be changed, nor be chosen, while it runs");
		return PACT_EINVAL;
	}
	d->touched = true;
	d->wake = PACT_FOREVER;
	return d->of->engine->configure(d->own, kind_of(d->of, c.mode), &c, why, size);
}

static int domains_configure(void *own, const void *kind, const struct sched_config *config,
			     char *why, size_t size)
{
	struct domains *s = own;
	struct sched_config old = s->config;
	uint32_t done = 0;
	int rc = PACT_OK;

	(void)kind; /* the same composition in both modes */
	if (!knows_mode(s->parts, config->mode, why, size))
		return PACT_EINVAL;
	s->config = *config;
	s->told = false;
	while (rc == PACT_OK && done < s->n)
		rc = configure_part(s, done++, config, why, size);
	if (rc == PACT_OK)
		return rc;
	s->config = old;
	while (done-- > 0)
		configure_part(s, done, &old, NULL, 0);
	return rc;
}

/* ---- events ---- */

/* To a domain, of the event's nodes what is its own. */
static int event_part(struct domains *s, struct domain *d, const struct sched_event *ev)
{
	struct sched_event local = *ev;
	struct nodeset *nodes = ev->nodes ? to_local(d, ev->nodes) : NULL;
	int rc = PACT_ENOMEM;

	if (ev->nodes && !nodes)
		return domains_fail(s, rc, "out of memory", ev->id);
	local.nodes = nodes;
	rc = domain_event(s, d, &local);
	nodeset_destroy(nodes);
	return rc;
}

/* To each domain of a bit in `in`, until one will not have it. *done: those that took it. */
static int event_parts(struct domains *s, uint64_t in, const struct sched_event *ev, uint64_t *done)
{
	int rc = PACT_OK;

	*done = 0;
	for (uint32_t i = 0; rc == PACT_OK && i < s->n; i++) {
		if (!(in >> i & 1))
			continue;
		rc = event_part(s, &s->v[i], ev);
		if (rc == PACT_OK)
			*done |= UINT64_C(1) << i;
	}
	return rc;
}

/* Nodes of the machine that are held from now on by an id that is new. */
static int on_hold(struct domains *s, const struct sched_event *ev)
{
	bool job = ev->type == EV_STARTED;
	struct sched_event undo = { .type = EV_FINISH, .now = ev->now, .id = ev->id };
	struct member *m;
	uint64_t done, undone;
	int rc;

	if (!ev->nodes || nodeset_size(ev->nodes) != s->parts->nodes)
		return domains_fail(s, PACT_EINVAL, "held without known nodes", ev->id);
	m = member_add(s, ev->id, domains_of(s, ev->nodes),
		       job ? (int32_t)nodeset_count(ev->nodes) : 0);
	if (!m)
		return domains_fail(s, PACT_ENOMEM, "out of memory", ev->id);
	rc = event_parts(s, m->in, ev, &done);
	if (rc == PACT_OK)
		return rc;
	char why[sizeof(s->call.error)];

	memcpy(why, s->call.error, sizeof(why));
	event_parts(s, done, &undo, &undone);
	memcpy(s->call.error, why, sizeof(why));
	member_remove(s, m);
	return rc;
}

/* A job that waits in one domain was started on nodes of others, too: it is a hold there, or here, or both. */
static int started_elsewhere(struct domains *s, struct member *m, const struct sched_event *ev)
{
	struct domain *from = member_domain(s, m);
	struct member old = *m;
	int rc;

	member_remove(s, m);
	rc = domain_event(
		s, from,
		&(struct sched_event){ .type = EV_WITHDRAW, .now = ev->now, .id = ev->id });
	if (rc != PACT_OK) {
		m = member_add(s, old.id, old.in, old.width);
		if (m)
			m->waiting = true;
		return rc;
	}
	return on_hold(s, ev);
}

static int on_started(struct domains *s, const struct sched_event *ev)
{
	struct member *m = member_find(s, ev->id);
	uint64_t done;
	int rc;

	if (!m)
		return on_hold(s, ev);
	if (ev->nodes && nodeset_size(ev->nodes) != s->parts->nodes)
		return domains_fail(s, PACT_EINVAL, "a start on nodes of another machine", ev->id);
	if (m->waiting && ev->nodes && !nodeset_subset(ev->nodes, member_domain(s, m)->nodes))
		return started_elsewhere(s, m, ev);
	rc = event_parts(s, m->in, ev, &done);
	if (rc == PACT_OK)
		m->waiting = false;
	return rc;
}

static int on_block(struct domains *s, const struct sched_event *ev)
{
	if (member_find(s, ev->id))
		return domains_fail(s, PACT_EEXIST, "id already known", ev->id);
	return on_hold(s, ev);
}

/* To each domain that has some of them. */
static int on_nodes(struct domains *s, const struct sched_event *ev)
{
	uint64_t done;

	if (!ev->nodes || nodeset_size(ev->nodes) != s->parts->nodes)
		return domains_fail(s, PACT_EINVAL, "nodes of another machine", ev->id);
	return event_parts(s, domains_of(s, ev->nodes), ev, &done);
}

static int on_confirm(struct domains *s, const struct sched_event *ev)
{
	struct member *m = member_find(s, ev->id), *new = NULL;
	uint64_t done;
	int rc;

	if (!m || !m->waiting)
		return domains_fail(s, PACT_ENOENT, "no waiting job to confirm", ev->id);
	if (ev->new_id != ev->id) {
		if (member_find(s, ev->new_id))
			return domains_fail(s, PACT_EEXIST, "id already known", ev->new_id);
		new = member_add(s, ev->new_id, m->in, m->width);
		if (!new)
			return domains_fail(s, PACT_ENOMEM, "out of memory", ev->new_id);
		new->alts = m->alts;
		new->waiting = m->waiting;
	}
	rc = event_parts(s, m->in, ev, &done);
	if (new)
		member_remove(s, rc == PACT_OK ? m : new);
	return rc;
}

/* To where the id is known; it may be gone then. */
static int on_member(struct domains *s, const struct sched_event *ev)
{
	struct member *m = member_find(s, ev->id);
	uint64_t done;
	int rc;

	if (!m)
		return domains_fail(s, PACT_ENOENT, "no such job or hold", ev->id);
	if (ev->type != EV_LEFT && ev->nodes &&
	    (nodeset_size(ev->nodes) != s->parts->nodes || m->in != domains_of(s, ev->nodes)) &&
	    (ev->type == EV_RESUMED || ev->type == EV_MIGRATED || ev->type == EV_RESIZED))
		return domains_fail(s, PACT_EINVAL, "moved to nodes of another domain", ev->id);
	rc = event_parts(s, m->in, ev, &done);
	if (rc == PACT_OK && (ev->type == EV_FINISH || ev->type == EV_WITHDRAW))
		member_remove(s, m);
	else if (rc == PACT_OK && ev->type == EV_RESIZED)
		member_move(s, m, m->in, ev->width);
	/* it has left its nodes */
	else if (rc == PACT_OK && ev->type == EV_MIGRATED && !ev->nodes)
		m->waiting = true;
	return rc;
}

/* Time has come for each; a policy is of the first domain that knows it. */
static int on_all(struct domains *s, const struct sched_event *ev)
{
	int rc = PACT_OK, good = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		int one = domain_event(s, &s->v[i], ev);

		good += one == PACT_OK;
		rc = one == PACT_OK ? rc : one;
	}
	if (ev->type != EV_POLICY || !good)
		return rc;
	s->call.error[0] = '\0';
	return PACT_OK;
}

static int dispatch(struct domains *s, const struct sched_event *ev)
{
	switch (ev->type) {
	case EV_SUBMIT:
		return domains_submit(s, ev);
	case EV_CHANGE:
		return domains_change(s, ev);
	case EV_CONFIRM:
		return on_confirm(s, ev);
	case EV_STARTED:
		return on_started(s, ev);
	case EV_BLOCK:
		return on_block(s, ev);
	case EV_NODES:
	case EV_PAST:
		return on_nodes(s, ev);
	case EV_TIME:
	case EV_POLICY:
		return on_all(s, ev);
	default:
		return on_member(s, ev);
	}
}

static int domains_event(void *own, const struct sched_event *ev)
{
	struct domains *s = own;

	if (!domains_called(s, ev->now))
		return PACT_EINVAL;
	if (s->starting && s->starting_id == ev->id &&
	    (ev->type == EV_STARTED || ev->type == EV_START_FAILED || ev->type == EV_WITHDRAW))
		s->starting = false;
	return dispatch(s, ev);
}

/* ---- actions ---- */

/* The number in the job's own list of the k-th alternative that its domain knows. */
static uint32_t alternative(const struct member *m, uint32_t k)
{
	uint32_t alt = 0;

	for (uint32_t left = m->alts; left; left >>= 1, alt++) {
		if ((left & 1) && k-- == 0)
			return alt;
	}
	return 0;
}

/* A domain's action, as the driver is to hear it. */
static void translate(struct domains *s, const struct domain *d, struct sched_action *a)
{
	struct member *m = member_find(s, a->id);
	struct sched_view v;

	if (a->type == ACT_START || a->type == ACT_RESUME || a->type == ACT_MIGRATE ||
	    a->type == ACT_RESIZE) {
		to_machine(d, a->allowed, s->allowed);
		a->allowed = s->allowed;
	}
	if (a->type == ACT_SHARES || a->type == ACT_LEARNED)
		a->node = d->node[a->node];
	if (a->type == ACT_START) {
		s->starting = true;
		s->starting_id = a->id;
		a->alt = m ? alternative(m, a->alt) : 0;
	}
	/* an answer that came late, for lack of memory: it is known nowhere */
	if (a->type == ACT_REFUSE && m && d->of->engine->view(d->own, a->id, &v) != PACT_OK)
		member_remove(s, m);
}

/* The next action of one domain, which is touched; false: it has none, or s->call.error says why not. */
static bool next_of(struct domains *s, struct domain *d, struct sched_action *a)
{
	const char *why;

	/* time went on by what was said to others: it is to start nothing in the past */
	if (d->now < s->now &&
	    domain_event(s, d, &(struct sched_event){ .type = EV_TIME, .now = s->now }) != PACT_OK)
		return false;
	while (d->of->engine->next(d->own, a)) {
		if (a->type != ACT_WAKE) {
			translate(s, d, a);
			return true;
		}
		d->wake = a->end;
	}
	why = d->of->engine->error(d->own);
	if (*why)
		domains_fail(s, PACT_ENOMEM, why, 0);
	else
		d->touched = false;
	return false;
}

static bool next_wake(struct domains *s, struct sched_action *a)
{
	int64_t at = PACT_FOREVER;

	if (s->told)
		return false;
	s->told = true;
	for (uint32_t i = 0; i < s->n; i++)
		at = s->v[i].wake < at ? s->v[i].wake : at;
	*a = (struct sched_action){ .type = ACT_WAKE, .end = at };
	return at != PACT_FOREVER;
}

/* A domain has its say until it has no more; then the next one that something was said to. */
static bool domains_next(void *own, struct sched_action *a)
{
	struct domains *s = own;
	uint32_t first = s->turn;

	call_begin(&s->call);
	if (decided_take(&s->decided, a))
		return true;
	for (uint32_t i = 0; i < s->n; i++) {
		/* the one whose action was the last comes first: it may not be answered */
		uint32_t at = (first + i) % s->n;

		if (!s->v[at].touched)
			continue;
		s->turn = at;
		if (next_of(s, &s->v[at], a))
			return true;
		if (s->call.error[0])
			return false;
	}
	s->turn = 0;
	return next_wake(s, a);
}

static bool domains_poll(void *own, struct sched_action *a)
{
	struct domains *s = own;

	if (decided_take(&s->decided, a))
		return true;
	for (uint32_t i = 0; i < s->n; i++) {
		struct domain *d = &s->v[i];

		if (d->touched && d->of->engine->poll(d->own, a)) {
			translate(s, d, a);
			return true;
		}
	}
	return false;
}

/* ---- the rest ---- */

static const char *domains_error(const void *own)
{
	const struct domains *s = own;

	return s->call.error;
}

static int64_t domains_spent(const void *own)
{
	const struct domains *s = own;

	return s->call.spent;
}

static size_t domains_bytes(const void *own)
{
	const struct domains *s = own;
	size_t bytes = sizeof(*s) + table_bytes(s->members) + decided_bytes(&s->decided);

	bytes += table_count(s->members) * sizeof(struct member);
	bytes += s->waiting_n * sizeof(*s->waiting);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct domain *d = &s->v[i];

		bytes += d->n * sizeof(*d->node) + d->of->engine->bytes(d->own);
	}
	return bytes;
}

int domains_find(const void *own, uint64_t id, const char **name)
{
	const struct domains *s = own;
	const struct member *m = member_find(s, id);
	int i = 0;

	if (!m)
		return -1;
	while (!(m->in >> i & 1))
		i++;
	*name = s->v[i].of->name;
	return i;
}

void *domains_part(const void *own, uint32_t i, const struct engine **engine)
{
	const struct domains *s = own;

	if (i >= s->n)
		return NULL;
	*engine = s->v[i].of->engine;
	return s->v[i].own;
}

const struct nodeset *domains_nodes(const void *own, uint32_t i, const struct nodeset *local)
{
	const struct domains *s = own;

	if (!local)
		return s->v[i].nodes;
	to_machine(&s->v[i], local, s->shown);
	return s->shown;
}

const struct engine engine_domains = {
	.name = "domains",
	.by_number = true,
	.create = domains_create,
	.destroy = domains_destroy,
	.configure = domains_configure,
	.event = domains_event,
	.next = domains_next,
	.poll = domains_poll,
	.ask = domains_ask,
	.ask_change = domains_ask_change,
	.view = domains_view,
	.why = domains_why,
	.lack = domains_lack,
	.waiting = domains_waiting,
	.view_waiting = domains_view_waiting,
	.node = domains_node,
	.save = domains_save,
	.form = domains_form,
	.load = domains_load,
	.error = domains_error,
	.spent = domains_spent,
	.bytes = domains_bytes,
};

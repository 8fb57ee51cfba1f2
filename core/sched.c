/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sched: the way in, see sched.h. Whatever is asked goes to the engine, and is told to the watcher. */
#include "core/sched.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/domains/domains.h"
#include "core/kernel/watch.h"
#include "core/registry.h"
#include "core/settings/settings.h"

struct sched {
	const struct scheduler *scheduler;
	struct composed *composed; /* what that is, where it is several; NULL: it is one */
	const struct engine *engine;
	void *own;
	const struct watch *watch; /* NULL: there is none */
	void *watch_arg;
};

void *sched_own(const struct sched *s, const struct engine *engine)
{
	return s->engine == engine ? s->own : NULL;
}

/* Which kind it is to be in that mode; NULL: it does not know it, why (may be NULL) says so. */
static const void *kind_of(const struct scheduler *scheduler, enum sched_mode mode, char *why,
			   size_t size)
{
	const void *kind = mode == SCHED_MODE_SLURM ? scheduler->slurm_kind : scheduler->kind;

	if (!kind && why)
		snprintf(why, size, "mode: this scheduler knows the paper mode only");
	return kind;
}

bool sched_by_number(const struct sched *s)
{
	return s->engine->by_number;
}

/* Several schedulers by one name. */
struct composed {
	struct scheduler scheduler;
	struct composition *parts;
	char name[];
};

static void composed_destroy(struct composed *c)
{
	if (c)
		composition_destroy(c->parts);
	free(c);
}

static struct composed *composed_create(const char *name, uint32_t nodes, char *why, size_t size)
{
	struct composition *parts = composition_create(name, nodes, registry_find, why, size);
	struct composed *c = parts ? malloc(sizeof(*c) + strlen(name) + 1) : NULL;

	if (!c) {
		if (parts && why)
			snprintf(why, size, "out of memory");
		composition_destroy(parts);
		return NULL;
	}
	strcpy(c->name, name);
	c->parts = parts;
	c->scheduler = (struct scheduler){ c->name, &engine_domains, parts, parts, NULL };
	return c;
}

static bool is_plain(const struct composition *parts)
{
	return parts->n == 1 && !*parts->part[0].settings;
}

static struct sched *create_composed(const char *name, uint32_t nodes,
				     const struct sched_config *config, char *why, size_t size)
{
	struct composed *c = composed_create(name, nodes, why, size);
	struct sched *s = NULL;

	/* one domain is that scheduler itself, if it has no settings of its own */
	if (c && is_plain(c->parts))
		s = sched_create_of(c->parts->part[0].of, nodes, config, why, size);
	else if (c)
		s = sched_create_of(&c->scheduler, nodes, config, why, size);
	if (s && !is_plain(c->parts))
		s->composed = c;
	else
		composed_destroy(c);
	return s;
}

bool sched_name_valid(const char *name, char *why, size_t size)
{
	if (composition_is(name))
		return composition_valid(name, registry_find, why, size);
	if (registry_find(name))
		return true;
	if (why)
		snprintf(why, size, "no scheduler named '%s'", name);
	return false;
}

bool sched_name_fits(const char *name, uint32_t nodes, uint32_t *widest, char *why, size_t size)
{
	struct composition *parts;

	*widest = nodes;
	if (!composition_is(name))
		return sched_name_valid(name, why, size);
	parts = composition_create(name, nodes, registry_find, why, size);
	if (!parts)
		return false;
	*widest = composition_widest(parts);
	composition_destroy(parts);
	return true;
}

bool sched_name_by_number(const char *name)
{
	const struct scheduler *scheduler = registry_find(name);

	return composition_is(name) || (scheduler && scheduler->engine->by_number);
}

bool sched_name_turns(const char *name)
{
	const struct scheduler *scheduler = registry_find(name);

	return scheduler && scheduler->engine->turns;
}

bool sched_name_part(const char *name, uint32_t i, char *part, size_t size)
{
	return composition_part(name, i, part, size);
}

struct sched *sched_create(const char *name, uint32_t nodes, const struct sched_config *config,
			   char *why, size_t why_size)
{
	if (!sched_name_valid(name, why, why_size))
		return NULL;
	if (composition_is(name) && nodes)
		return create_composed(name, nodes, config, why, why_size);
	return sched_create_of(registry_find(name), nodes, config, why, why_size);
}

struct sched *sched_create_of(const struct scheduler *scheduler, uint32_t nodes,
			      const struct sched_config *config, char *why, size_t why_size)
{
	const void *kind;
	struct sched *s;

	if (!nodes) {
		if (why)
			snprintf(why, why_size, "no nodes");
		return NULL;
	}
	kind = kind_of(scheduler_with(scheduler, config), config->mode, why, why_size);
	if (!kind || !settings_valid(config, why, why_size))
		return NULL;
	s = calloc(1, sizeof(*s));
	if (!s) {
		if (why)
			snprintf(why, why_size, "out of memory");
		return NULL;
	}
	s->scheduler = scheduler;
	s->engine = scheduler_with(scheduler, config)->engine;
	s->own = s->engine->create(kind, nodes, config, why, why_size);
	if (s->own)
		return s;
	free(s);
	return NULL;
}

void sched_destroy(struct sched *s)
{
	if (!s)
		return;
	s->engine->destroy(s->own);
	composed_destroy(s->composed);
	free(s);
}

int sched_configure(struct sched *s, const struct sched_config *config, char *why, size_t why_size)
{
	const struct scheduler *to = scheduler_with(s->scheduler, config);
	const void *kind = kind_of(to, config->mode, why, why_size);
	int rc = PACT_EINVAL;

	if (to->engine != s->engine) {
		kind = NULL;
		if (why)
			snprintf(why, why_size,
				 "Loans: none cannot be changed, nor be chosen, while it runs");
	}
	if (kind && settings_valid(config, why, why_size))
		rc = s->engine->configure(s->own, kind, config, why, why_size);

	if (s->watch && rc != PACT_EINVAL)
		s->watch->configure(s->watch_arg, config, rc);
	return rc;
}

int sched_event(struct sched *s, const struct sched_event *ev)
{
	int rc = s->engine->event(s->own, ev);

	if (s->watch)
		s->watch->event(s->watch_arg, ev, rc);
	return rc;
}

const char *sched_error(const struct sched *s)
{
	return s->engine->error(s->own);
}

bool sched_next(struct sched *s, struct sched_action *action)
{
	bool more = s->engine->next(s->own, action);

	if (s->watch)
		s->watch->action(s->watch_arg, true, more ? action : NULL);
	return more;
}

bool sched_poll(struct sched *s, struct sched_action *action)
{
	if (!s->engine->poll(s->own, action))
		return false;
	if (s->watch)
		s->watch->action(s->watch_arg, false, action);
	return true;
}

int sched_ask(struct sched *s, int64_t now, const struct sched_job *jobs, size_t njobs,
	      struct sched_decision *d)
{
	int rc = s->engine->ask(s->own, now, jobs, njobs, d);

	if (s->watch)
		s->watch->ask(s->watch_arg, false, now, jobs, njobs, rc, d);
	return rc;
}

int sched_ask_change(struct sched *s, int64_t now, const struct sched_job *job,
		     struct sched_decision *d)
{
	int rc = s->engine->ask_change(s->own, now, job, d);

	if (s->watch)
		s->watch->ask(s->watch_arg, true, now, job, 1, rc, d);
	return rc;
}

/* ---- views ---- */

int sched_view(const struct sched *s, uint64_t id, struct sched_view *v)
{
	int rc = s->engine->view(s->own, id, v);

	if (rc == PACT_OK && !v->own_end)
		v->own_end = v->end;
	return rc;
}

int sched_domain(const struct sched *s, uint64_t id, const char **name)
{
	*name = NULL;
	return s->composed ? domains_find(s->own, id, name) : -1;
}

enum sched_wait sched_why(const struct sched *s, uint64_t id)
{
	return s->engine->why(s->own, id);
}

/* The engine of a part; NULL: there are not so many. */
static const struct engine *engine_of(const struct sched *s, uint32_t part, const void **own)
{
	const struct engine *engine = s->engine;

	*own = s->own;
	if (!s->composed)
		return part ? NULL : engine;
	*own = domains_part(s->own, part, &engine);
	return *own ? engine : NULL;
}

int sched_matrix(const struct sched *s, uint32_t part, struct sched_matrix *m)
{
	const void *own;
	const struct engine *engine = engine_of(s, part, &own);
	int rc = engine && engine->matrix ? engine->matrix(own, m) : PACT_ENOENT;

	if (rc == PACT_OK && s->composed)
		m->nodes = domains_nodes(s->own, part, NULL);
	return rc;
}

int sched_matrix_place(const struct sched *s, uint32_t part, size_t i, struct sched_place *p)
{
	const void *own;
	const struct engine *engine = engine_of(s, part, &own);
	int rc = engine && engine->matrix_place ? engine->matrix_place(own, i, p) : PACT_ENOENT;

	if (rc == PACT_OK && s->composed)
		p->nodes = domains_nodes(s->own, part, p->nodes);
	return rc;
}

enum sched_lack sched_lack(const struct sched *s, uint64_t id)
{
	return s->engine->lack ? s->engine->lack(s->own, id) : LACK_NONE;
}

int sched_node(const struct sched *s, uint32_t node, struct sched_part *part, uint32_t room,
	       struct sched_node_view *v)
{
	*v = (struct sched_node_view){ .parts = 0 };
	return s->engine->node ? s->engine->node(s->own, node, part, room, v) : PACT_ENOENT;
}

size_t sched_waiting(struct sched *s)
{
	return s->engine->waiting(s->own);
}

int sched_view_waiting(const struct sched *s, size_t i, struct sched_view *v)
{
	int rc = s->engine->view_waiting(s->own, i, v);

	if (rc == PACT_OK)
		v->own_end = v->end;
	return rc;
}

size_t sched_bytes(const struct sched *s)
{
	return sizeof(*s) + s->engine->bytes(s->own);
}

int sched_dynp_view(const struct sched *s, struct dynp_view *v)
{
	return registry_dynp_view(s->engine, s->own, v);
}

/* ---- the watcher, and the state told again ---- */

void sched_watch(struct sched *s, const struct watch *watch, void *arg)
{
	s->watch = watch;
	s->watch_arg = arg;
}

int64_t sched_spent(const struct sched *s)
{
	return s->engine->spent(s->own);
}

const char *sched_name(const struct sched *s)
{
	return s->scheduler->name;
}

int sched_retell(struct sched *s, retell_fn *tell, void *arg)
{
	return s->engine->save(s->own, tell, arg);
}

const struct record_form *sched_recall_form(const struct sched *s, const char *name)
{
	return s->engine->form(s->own, name);
}

int sched_recall(struct sched *s, const struct record_form *form, const void *record)
{
	return s->engine->load(s->own, form, record);
}

int sched_recall_done(struct sched *s)
{
	return s->engine->load(s->own, NULL, NULL);
}

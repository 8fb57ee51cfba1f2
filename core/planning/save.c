/* SPDX-License-Identifier: GPL-2.0-or-later */
/* save: the state told in records, and taken in again (told.h). What is checked here is what a stale or altered recording could break. */
#include "core/kernel/retell.h"

#include <stdlib.h>
#include <string.h>

#include "core/planning/arrange/arrange.h"
#include "core/planning/planning.h"
#include "core/planning/told.h"

/* ---- telling ---- */

static int tell_state(const struct planner *s, retell_fn *tell, void *arg)
{
	const struct machine *m = s->machine;
	uint32_t classes = machine_classes(m), nodes = machine_nodes(m);
	uint32_t *demand = calloc(classes, sizeof(*demand));
	size_t i = 0;

	if (!demand)
		return PACT_ENOMEM;
	for (uint32_t n = 0; n < nodes; n++)
		demand[machine_class_of(m, n)] = machine_demand(m, n);
	for (const struct region *r; (r = machine_region_next(m, &i));)
		tell(arg, &told_region, &(struct told_region){ r->nodes });
	tell(arg, &told_state,
	     &(struct told_state){ .now = s->now,
				   .pass_now = s->pass_now,
				   .dirty = s->dirty,
				   .loosened = s->loosened,
				   .tightened = s->tightened,
				   .told = s->told,
				   .named = holds_named(s->holds),
				   .all = machine_has_all(m),
				   .forgotten = machine_forgotten(m),
				   .classes = classes,
				   .class_of = { s->class_of, nodes },
				   .demand = { demand, classes } });
	free(demand);
	return PACT_OK;
}

static void tell_hold(const struct hold *x, retell_fn *tell, void *arg)
{
	tell(arg, &told_hold,
	     &(struct told_hold){ .id = x->id,
				  .start = x->start,
				  .end = x->end,
				  .nodes = x->nodes,
				  .count = x->count,
				  .block = x->block,
				  .region = x->region,
				  .promised = x->promised,
				  .broken = x->broken,
				  .submit = x->submit,
				  .deadline = x->deadline,
				  .prolonged = x->prolonged });
}

static uint32_t job_flags(const struct job *j)
{
	return (j->unconfirmed ? JOB_UNCONFIRMED : 0) | (j->opaque ? JOB_OPAQUE : 0) |
	       (j->needed ? JOB_NEEDED : 0);
}

/* Both are pairs of numbers. */
_Static_assert(sizeof(struct share) == 2 * sizeof(uint32_t), "a share is a class and a number");

static void tell_job(const struct job *j, retell_fn *tell, void *arg)
{
	const struct share *share = placement_shares(&j->place);
	struct told_job t = { .terms = { .id = j->id,
					 .submit = j->submit,
					 .eligible = j->eligible,
					 .begin = j->req.not_before,
					 .limit = j->limit,
					 .least = j->least,
					 .deadline = j->deadline,
					 .priority = j->priority,
					 .planned = -1,
					 .width = j->req.width,
					 .most = j->most,
					 .flags = job_flags(j),
					 .nalt = j->req.nalt },
			      .whole = j->whole,
			      .granted = j->granted,
			      .duration = j->req.duration,
			      .artificial = j->artificial,
			      .due = j->due,
			      .promised = j->promised,
			      .broken = j->broken,
			      .failed = j->failed,
			      .retried = j->retried,
			      .unreserved = j->unreserved,
			      .start = j->place.start,
			      .end = j->place.end,
			      .alt = j->place.alt,
			      .shares = { &share->cls, 2 * j->place.nshare } };

	for (uint32_t i = 0; i < j->req.nalt; i++)
		t.terms.alt[i] = j->req.alt[i]->nodes;
	if (j->req.required)
		t.terms.required = j->req.required->nodes;
	tell(arg, &told_job, &t);
}

static bool is_quiet(const struct planner *s)
{
	int64_t v[KEPT_MOST];

	return !s->starting && !s->in_pass && decided_none(&s->decided) &&
	       s->generation == machine_generation(s->machine) &&
	       (!s->policy->save || s->policy->save(s, v) >= 0);
}

int planner_save(void *own, retell_fn *tell, void *arg)
{
	struct planner *s = own;
	struct hold *x;
	int rc;

	if (!is_quiet(s))
		return PACT_EPROTO;
	if (!tell)
		return PACT_OK;
	rc = tell_state(s, tell, arg);
	if (rc != PACT_OK)
		return rc;
	for (size_t i = 0; (x = holds_next(s->holds, &i));)
		tell_hold(x, tell, arg);
	for (size_t i = 0; i < s->queue.n; i++) {
		if (s->queue.v[i])
			tell_job(s->queue.v[i], tell, arg);
	}
	if (s->policy->save) {
		int64_t v[KEPT_MOST];

		tell(arg, &told_kept,
		     &(struct told_kept){ { v, (uint32_t)s->policy->save(s, v) } });
	}
	return PACT_OK;
}

/* ---- taking in ---- */

static int load_region(struct planner *s, const struct nodeset *nodes)
{
	int rc;

	/* an empty one is a job's alternative without nodes */
	if (!nodes || nodeset_size(nodes) != machine_nodes(s->machine))
		return call_retold(&s->call, PACT_EINVAL, "set of nodes of another machine", 0);
	rc = machine_restore_region(s->machine, nodes);
	if (rc > 0)
		return call_retold(&s->call, PACT_EEXIST, "set of nodes is known already", 0);
	return rc < 0 ? PACT_ENOMEM : PACT_OK;
}

static int load_state(struct planner *s, const struct told_state *t)
{
	int rc;

	if (t->now < 0 || t->now > PACT_END_OF_TIME || t->pass_now < 0 || t->pass_now > t->now)
		return call_retold(&s->call, PACT_EINVAL, "time is none", 0);
	rc = t->class_of.n != machine_nodes(s->machine) || t->demand.n != t->classes ||
	     machine_restore(s->machine, t->classes, t->class_of.v, t->demand.v, t->all,
			     t->forgotten);
	if (rc)
		return rc < 0 ? PACT_ENOMEM
			      : call_retold(&s->call, PACT_EINVAL,
					    "classes do not fit the sets of nodes", 0);
	s->recalled = true;
	s->now = t->now;
	s->pass_now = t->pass_now;
	s->dirty = t->dirty;
	s->loosened = t->loosened;
	s->tightened = t->tightened;
	s->told = t->told;
	if (t->named)
		holds_set_named(s->holds);
	if (remap_note(s) < 0 || holds_rebuild(s->holds, s->now) < 0 ||
	    plan_copy(s->plan, holds_base(s->holds)) < 0)
		return PACT_ENOMEM;
	return PACT_OK;
}

static bool is_span(int64_t start, int64_t end)
{
	return start >= 0 && start <= end;
}

static bool is_known(const struct planner *s, uint64_t id)
{
	return table_find(s->jobs, id) || holds_find(s->holds, id);
}

static int load_hold(struct planner *s, const struct told_hold *t)
{
	const struct machine *m = s->machine;
	struct hold like = { .id = t->id,
			     .start = t->start,
			     .end = t->end,
			     .count = t->count,
			     .block = t->block,
			     .submit = t->submit,
			     .deadline = t->deadline,
			     .promised = t->promised,
			     .broken = t->broken,
			     .prolonged = t->prolonged };

	if (is_known(s, t->id))
		return call_retold(&s->call, PACT_EEXIST, "hold is known already", t->id);
	if (t->nodes ? nodeset_size(t->nodes) != machine_nodes(m)
		     : machine_classes(m) > 1 || t->count < 0 ||
			       t->count > (int32_t)machine_nodes(m))
		return call_retold(&s->call, PACT_EINVAL, "hold on nodes that are not there",
				   t->id);
	if (t->region && (!t->nodes || !machine_knows(m, t->nodes)))
		return call_retold(&s->call, PACT_EINVAL,
				   "hold on a set of nodes that was not told", t->id);
	if (t->nodes)
		like.count = (int32_t)nodeset_count(t->nodes);
	like.nodes = (struct nodeset *)t->nodes; /* copied */
	if (t->region) {
		like.region = machine_region(s->machine, t->nodes);
		if (!like.region)
			return PACT_ENOMEM;
	}
	if (holds_restore(s->holds, &like)) {
		news_room(&s->news, t->start, t->end, -1);
		return PACT_OK;
	}
	region_put(s->machine, like.region);
	return PACT_ENOMEM;
}

/* Sets that were told with the regions, each: naming another one now would tell nodes apart anew. */
static bool knows_sets(const struct planner *s, const struct sched_job *d)
{
	bool known = d->nalt >= 1;

	for (uint32_t i = 0; i < d->nalt; i++)
		known &= d->alt[i] && machine_knows(s->machine, d->alt[i]);
	return known && machine_knows(s->machine, d->required);
}

static bool has_place(const struct planner *s, const struct told_job *t)
{
	uint32_t classes = machine_classes(s->machine), n = t->shares.n;

	if (t->start == PACT_FOREVER)
		return !n && t->end == PACT_FOREVER;
	if (!is_span(t->start, t->end) || t->alt >= t->terms.nalt || n % 2 || n / 2 > classes)
		return false;
	for (uint32_t i = 0; i < n; i += 2) {
		uint32_t c = t->shares.v[i], width = t->shares.v[i + 1];

		if (c >= classes || width < 1 ||
		    width > (uint32_t)machine_class_size(s->machine, c))
			return false;
	}
	return true;
}

static int set_place(struct job *j, const struct told_job *t)
{
	struct placement *p = &j->place;
	uint32_t nshare = t->shares.n / 2;
	struct share *to = &p->u.one;

	p->start = t->start;
	p->end = t->end;
	p->alt = t->alt;
	if (nshare > 1) {
		to = p->u.many = malloc(nshare * sizeof(*to));
		if (!to)
			return -1;
	}
	for (uint32_t i = 0; i < nshare; i++)
		to[i] = (struct share){ t->shares.v[2 * i], (int32_t)t->shares.v[2 * i + 1] };
	p->nshare = nshare;
	return 0;
}

static void set_rest(struct job *j, const struct told_job *t)
{
	j->least = t->terms.least;
	j->eligible = t->terms.eligible;
	j->whole = t->whole;
	j->granted = t->granted;
	j->req.duration = t->duration;
	j->artificial = t->artificial;
	j->due = t->due;
	j->promised = t->promised;
	j->broken = t->broken;
	j->failed = t->failed;
	j->retried = t->retried;
	j->unreserved = t->unreserved;
}

static int load_job(struct planner *s, const struct told_job *t)
{
	bool loosened = s->loosened;
	struct job *j;

	if (is_known(s, t->terms.id))
		return call_retold(&s->call, PACT_EEXIST, "job is known already", t->terms.id);
	if (!job_valid(s, &t->terms))
		return PACT_EINVAL;
	if (!knows_sets(s, &t->terms))
		return call_retold(&s->call, PACT_EINVAL, "job names nodes that were not told",
				   t->terms.id);
	if (t->whole < 1 || t->duration < 1 || t->granted < 0 || t->artificial < 0 || t->due < 0)
		return call_retold(&s->call, PACT_EINVAL, "job has a time below 0", t->terms.id);
	if (!has_place(s, t))
		return call_retold(&s->call, PACT_EINVAL, "job has no place that can be",
				   t->terms.id);
	j = job_create(s, &t->terms);
	if (!j)
		return PACT_ENOMEM;
	set_rest(j, t);
	s->promised |= j->promised;
	if (set_place(j, t) < 0 || table_insert(s->jobs, j->id, j) < 0) {
		job_destroy(s, j);
		return PACT_ENOMEM;
	}
	if (queue_push(&s->queue, j) < 0) {
		table_remove(s->jobs, j->id);
		job_destroy(s, j);
		return PACT_ENOMEM;
	}
	agenda_spoil(s);
	if (s->policy->joined && s->policy->joined(s, j) < 0)
		return PACT_ENOMEM;
	s->loosened = loosened; /* it is not new */
	return plan_put(s->plan, &j->place) < 0 ? PACT_ENOMEM : PACT_OK;
}

static int load_kept(struct planner *s, const struct list64 *kept)
{
	if (!s->policy->load || s->policy->load(s, kept->v, kept->n))
		return call_retold(&s->call, PACT_EINVAL,
				   "numbers that this scheduler does not keep", kept->n);
	return PACT_OK;
}

const struct record_form *planner_form(const void *own, const char *name)
{
	(void)own;
	return told_find(name);
}

/* Regions before the state, and all else behind it. */
static bool is_in_place(const struct planner *s, const struct record_form *form)
{
	return s->recalled == (form != &told_region && form != &told_state);
}

int planner_load(void *own, const struct record_form *form, const void *record)
{
	struct planner *s = own;

	if (!is_in_place(s, form))
		return call_retold(&s->call, PACT_EINVAL,
				   "state is missing, told twice or too early", 0);
	if (form == &told_region)
		return load_region(s, ((const struct told_region *)record)->nodes);
	if (form == &told_state)
		return load_state(s, record);
	if (form == &told_hold)
		return load_hold(s, record);
	if (form == &told_job)
		return load_job(s, record);
	if (form == &told_kept)
		return load_kept(s, &((const struct told_kept *)record)->numbers);
	return form ? call_retold(&s->call, PACT_EINVAL, "record of no kind", 0) : PACT_OK;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sched: the state machine behind sched.h: creation, the queue, passes and actions. */
#include "core/sched.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/policies/easy/backfill_index.h"
#include "core/planning/state.h"

static const struct policy *const policies[] = {
	&policy_fcfs, &policy_easy, &policy_conservative, &policy_qops,
	&policy_msb,  &policy_mrt,  &policy_best,	  &policy_dynp,
};

#define POLICIES (sizeof(policies) / sizeof(policies[0]))

static const char *const names[POLICIES + 1] = {
	"fcfs", "easy", "conservative", "qops", "msb", "mrt", "qops-best", "dynp", NULL,
};

const char *const *sched_names(void)
{
	return names;
}

void sched_config_init(struct sched_config *c)
{
	*c = (struct sched_config){
		.mode = SCHED_MODE_PAPER,
		.order = ORDER_EDF,
		.cost = COST_OWN,
		.slots = SLOTS_START,
		.compress = COMPRESS_ARRIVAL,
		.backtracks = 5,
		.effort = 1000,
		.admission = true,
		.kfactor = 5,
		.relax_milli = 2000,
		.min_artificial = 24 * 3600,
	};
	dynp_config_init(&c->dynp);
}

/* ---- the queue ---- */

int queue_push(struct queue *q, struct job *j)
{
	if (q->n == q->room) {
		size_t room = q->room ? q->room * 2 : 64;
		struct job **v = realloc(q->v, room * sizeof(*v));

		if (!v && !q->holes)
			return -1;
		if (v) {
			q->v = v;
			q->room = room;
		} else {
			queue_pack(q);
		}
	}
	q->begins += j->req.not_before > 0;
	q->opaques += j->opaque;
	j->slot = q->n;
	q->v[q->n++] = j;
	return 0;
}

void queue_remove(struct queue *q, struct job *j)
{
	if (j->slot < q->n && q->v[j->slot] == j) {
		q->v[j->slot] = NULL;
		q->holes++;
		q->begins -= j->req.not_before > 0;
		q->opaques -= j->opaque;
	}
}

void queue_pack(struct queue *q)
{
	size_t n = 0;

	if (!q->holes)
		return;
	for (size_t i = 0; i < q->n; i++) {
		if (!q->v[i])
			continue;
		q->v[i]->slot = n;
		q->v[n++] = q->v[i];
	}
	q->n = n;
	q->holes = 0;
}

void queue_trim(struct queue *q)
{
	if (q->holes > q->n / 2)
		queue_pack(q);
}

/* ---- jobs ---- */

static bool known_nodes(const struct sched *s, const struct sched_job *d)
{
	uint32_t nodes = machine_nodes(s->machine);

	for (uint32_t i = 0; i < d->nalt; i++) {
		if (d->alt[i] && nodeset_size(d->alt[i]) != nodes)
			return false;
	}
	return !d->required || nodeset_size(d->required) == nodes;
}

bool job_valid(struct sched *s, const struct sched_job *d)
{
	const char *what = NULL;

	if (d->width < 1)
		what = "width below 1";
	else if (d->limit < 1)
		what = "limit below 1 second";
	else if (d->least < 0)
		what = "a negative limit";
	else if (d->deadline < 0 || d->begin < 0 || d->submit < 0 || d->eligible < 0)
		what = "a negative time";
	else if (d->nalt > SCHED_MAX_ALT)
		what = "too many alternatives";
	else if (!known_nodes(s, d))
		what = "nodes of another machine";
	else if ((d->flags & JOB_OPAQUE) && d->deadline)
		what = "a deadline for a job that the planner cannot see through";
	else
		return true;
	snprintf(s->error, sizeof(s->error), "job %llu: %s", (unsigned long long)d->id, what);
	return false;
}

static int name_nodes(struct sched *s, struct job *j, const struct sched_job *d)
{
	for (uint32_t i = 0; i < (d->nalt ? d->nalt : 1); i++) {
		j->req.alt[i] = machine_region(s->machine, d->nalt ? d->alt[i] : NULL);
		if (!j->req.alt[i])
			return -1;
		j->req.nalt++;
	}
	if (d->required) {
		j->req.required = machine_region(s->machine, d->required);
		if (!j->req.required)
			return -1;
		if (j->req.width < (int32_t)j->req.required->count)
			j->req.width = (int32_t)j->req.required->count;
	}
	return 0;
}

struct job *job_create(struct sched *s, const struct sched_job *d)
{
	struct job *j = spare_take(&s->spare_jobs, sizeof(*j));
	int64_t guard = s->config.guard;

	if (!j)
		return NULL;
	*j = (struct job){
		.id = d->id,
		.submit = d->submit,
		.limit = d->limit,
		.least = d->least < d->limit && !d->deadline ? d->least : 0,
		.deadline = d->deadline,
		.eligible = d->eligible ? d->eligible : d->submit,
		.priority = d->priority,
		.provisional = d->flags & JOB_PROVISIONAL,
		.opaque = d->flags & JOB_OPAQUE,
		.needed = d->flags & JOB_NEEDED,
		.slot = SIZE_MAX,
	};
	placement_init(&j->place);
	j->req.width = d->width;
	j->req.not_before = d->begin;
	j->req.duration = j->whole = plan_end(d->limit, guard);
	if (name_nodes(s, j, d) < 0) {
		job_destroy(s, j);
		return NULL;
	}
	return j;
}

void job_destroy(struct sched *s, struct job *j)
{
	if (!j)
		return;
	for (uint32_t i = 0; i < j->req.nalt; i++)
		region_put(s->machine, j->req.alt[i]);
	region_put(s->machine, j->req.required);
	placement_clear(&j->place);
	spare_give(&s->spare_jobs, j);
}

/* ---- creation ---- */

static bool valid_config(const struct policy *policy, const struct sched_config *c, char *why,
			 size_t size)
{
	const char *what = NULL;
	char text[128];

	if (c->mode != SCHED_MODE_PAPER && c->mode != SCHED_MODE_SLURM)
		what = "mode: neither paper nor slurm";
	else if (policy->paper_only && c->mode != SCHED_MODE_PAPER)
		what = "mode: this scheduler knows the paper mode only";
	else if (c->order != ORDER_EDF && c->order != ORDER_LLF)
		what = "order: neither edf nor llf";
	else if (c->cost != COST_SLACK && c->cost != COST_WAIT && c->cost != COST_AREA &&
		 c->cost != COST_WORK && c->cost != COST_OWN)
		what = "cost: neither slack nor wait nor area nor work";
	else if (c->slots != SLOTS_START && c->slots != SLOTS_ORDER)
		what = "slots: neither start nor order";
	else if (c->compress != COMPRESS_ARRIVAL && c->compress != COMPRESS_START)
		what = "compress: neither arrival nor start";
	else if (c->backtracks < 0)
		what = "backtracks: below 0";
	else if (c->effort < 0)
		what = "effort: below 0";
	else if (c->kfactor < 0)
		what = "kfactor: below 0";
	else if (c->relax_milli < 0)
		what = "relaxation: below 0";
	else if (c->min_artificial < 0)
		what = "minimum artificial deadline: below 0";
	else if (c->guard < 0)
		what = "guard: below 0";
	else if (c->lateness < 0 || c->lateness > c->guard) {
		snprintf(text, sizeof(text),
			 "lateness: %" PRId64 " is below 0 or more than the guard, %" PRId64,
			 c->lateness, c->guard);
		what = text;
	} else if (c->offer_probes < 0)
		what = "offer probes: below 0";
	else
		return dynp_config_valid(&c->dynp, why, size);
	if (why)
		snprintf(why, size, "%s", what);
	return false;
}

static const struct policy *find_policy(const char *name)
{
	for (size_t i = 0; i < POLICIES; i++) {
		if (!strcmp(policies[i]->name, name))
			return policies[i];
	}
	return NULL;
}

static bool make_parts(struct sched *s, uint32_t nodes)
{
	s->machine = machine_create(nodes);
	if (!s->machine)
		return false;
	s->holds = holds_create(s->machine, 0);
	s->jobs = table_create();
	s->allowed = nodeset_create(nodes);
	s->standing = standing_create();
	if (!s->holds || !s->jobs || !s->allowed || !s->standing ||
	    trial_fit(s->trial, s->machine, 1) < 0)
		return false;
	/* who keeps no places has nothing in the plan between passes but the holds */
	s->plan = s->policy->keeps ? plan_create(s->machine, 0) : holds_base(s->holds);
	if (!s->plan)
		return false;
	if (s->policy->keeps)
		holds_mirror(s->holds, s->plan);
	return remap_note(s) == 0;
}

struct sched *sched_create(const char *name, uint32_t nodes, const struct sched_config *config,
			   char *why, size_t why_size)
{
	const struct policy *policy = find_policy(name);
	struct sched *s;

	if (!policy || !nodes) {
		if (why)
			snprintf(why, why_size, policy ? "no nodes" : "no scheduler named '%s'",
				 name);
		return NULL;
	}
	if (!valid_config(policy, config, why, why_size))
		return NULL;
	s = calloc(1, sizeof(*s));
	if (s) {
		s->policy = policy;
		s->config = *config;
	}
	if (!s || !make_parts(s, nodes) || (policy->create && policy->create(s) < 0)) {
		if (why)
			snprintf(why, why_size, "out of memory");
		sched_destroy(s);
		return NULL;
	}
	return s;
}

void sched_destroy(struct sched *s)
{
	if (!s)
		return;
	if (s->policy->destroy)
		s->policy->destroy(s);
	for (size_t i = 0; i < s->queue.n; i++)
		job_destroy(s, s->queue.v[i]);
	spare_release(&s->spare_jobs);
	spare_release(&s->spare_lists);
	free(s->queue.v);
	free(s->agenda.v);
	free(s->list);
	free(s->order);
	free(s->sorted);
	free(s->rank);
	free(s->urgency);
	free(s->fresh);
	for (size_t i = 0; i < TRIALS; i++)
		trial_release(&s->trial[i]);
	free(s->start_reserve);
	free(s->act);
	free(s->class_of);
	standing_destroy(s->standing);
	nodeset_destroy(s->allowed);
	table_destroy(s->jobs);
	if (s->policy->keeps)
		plan_destroy(s->plan);
	holds_destroy(s->holds);
	machine_destroy(s->machine);
	free(s);
}

int sched_configure(struct sched *s, const struct sched_config *config, char *why, size_t why_size)
{
	if (!valid_config(s->policy, config, why, why_size))
		return PACT_EINVAL;
	/* the other mode has another order: begin the pass anew, and let every job have a place */
	s->in_pass = s->in_pass && s->config.mode == config->mode;
	s->config = *config;
	s->dirty = s->loosened = true;
	s->ordered = s->only_new = s->compressed = false;
	s->laid = 0;
	agenda_spoil(s);
	int rc = s->policy->configured && s->policy->configured(s) < 0 ? PACT_ENOMEM : PACT_OK;

	if (s->watch)
		s->watch->configure(s->watch_arg, config, rc);
	return rc;
}

void sched_watch(struct sched *s, const struct watch *watch, void *arg)
{
	s->watch = watch;
	s->watch_arg = arg;
}

int64_t sched_spent(const struct sched *s)
{
	return s->spent;
}

const char *sched_name(const struct sched *s)
{
	return s->policy->name;
}

int sched_scratch_grow(struct sched *s, size_t n)
{
	size_t room = s->scratch_room ? s->scratch_room : 64;

	if (trial_fit(&s->trial[0], s->machine, n) < 0)
		return -1;
	for (size_t i = 1; s->config.together && i < TRIALS; i++)
		trial_fit(&s->trial[i], s->machine, n); /* short of memory, one does */
	if (n <= s->scratch_room)
		return 0;
	while (room < n)
		room *= 2;
	if (grow_array(&s->order, room, sizeof(*s->order)) < 0 ||
	    grow_array(&s->sorted, room, sizeof(*s->sorted)) < 0 ||
	    grow_array(&s->rank, room, sizeof(*s->rank)) < 0 ||
	    grow_array(&s->urgency, room, sizeof(*s->urgency)) < 0 ||
	    grow_array(&s->fresh, room, sizeof(*s->fresh)) < 0 ||
	    grow_array(&s->list, room, sizeof(*s->list)) < 0)
		return -1;
	s->scratch_room = room;
	return 0;
}

/* ---- events and actions ---- */

/* Something may change from here on. */
static void sched_called(struct sched *s)
{
	s->asked = s->spent = 0;
	standing_forget(s->standing);
}

/* Beyond this a time is nonsense, and sums of times would leave the range. */
#define END_OF_TIME (PACT_FOREVER / 4)

static bool take_time(struct sched *s, int64_t now)
{
	s->error[0] = '\0';
	if (now > END_OF_TIME) {
		snprintf(s->error, sizeof(s->error), "now: %lld is no time", (long long)now);
		return false;
	}
	if (now > s->now)
		s->now = now;
	return true;
}

/* Naming nodes may have changed the classes even if the jobs were not to stay. */
static int count_anew(struct sched *s)
{
	return s->generation == machine_generation(s->machine) ? 0 : repair(s);
}

static int out_of_memory(struct sched *s)
{
	s->stale = true;
	snprintf(s->error, sizeof(s->error), "out of memory");
	return PACT_ENOMEM;
}

static int one_event(struct sched *s, const struct sched_event *ev)
{
	if (!take_time(s, ev->now))
		return PACT_EINVAL;
	s->told = false;
	int rc = event_apply(s, ev);

	/* that it took place stands, whatever becomes of the plan */
	if (count_anew(s) < 0)
		s->stale = true;
	return rc == PACT_ENOMEM ? out_of_memory(s) : rc;
}

int sched_event(struct sched *s, const struct sched_event *ev)
{
	sched_called(s);
	int rc = one_event(s, ev);

	if (s->watch)
		s->watch->event(s->watch_arg, ev, rc);
	return rc;
}

const char *sched_error(const struct sched *s)
{
	return s->error;
}

int sched_push_action(struct sched *s, const struct sched_action *a)
{
	if (s->act_first == s->act_n)
		s->act_first = s->act_n = 0;
	if (s->act_n == s->act_room) {
		size_t room = s->act_room ? s->act_room * 2 : 16;
		struct sched_action *act = realloc(s->act, room * sizeof(*act));

		if (!act)
			return -1;
		s->act = act;
		s->act_room = room;
	}
	s->act[s->act_n++] = *a;
	return 0;
}

/* The next one that is decided already. */
static bool take_action(struct sched *s, struct sched_action *action)
{
	if (s->act_first == s->act_n)
		return false;
	*action = s->act[s->act_first++];
	return true;
}

bool sched_poll(struct sched *s, struct sched_action *action)
{
	if (!take_action(s, action))
		return false;
	if (s->watch)
		s->watch->action(s->watch_arg, false, action);
	return true;
}

/* The first time after the pass began at which a job is planned, or may begin. */
static int64_t first_later(struct sched *s)
{
	int64_t at = PACT_FOREVER;
	bool any = s->policy->keeps || s->queue.begins;
	size_t n;

	if (agenda_rules(s) && sched_scratch(s, s->queue.n) == 0 &&
	    agenda_until(s, s->pass_now, s->trial->todo, &n, &at) == 0)
		return at;
	at = PACT_FOREVER;

	for (size_t i = 0; any && i < s->queue.n; i++) {
		const struct job *j = s->queue.v[i];

		if (!j)
			continue;
		int64_t t = s->policy->keeps ? j->place.start : j->req.not_before;

		/* what became due while the pass went on was not tried by it */
		if (t > s->pass_now && t < at)
			at = t;
	}
	return at;
}

/* Nothing is left to do now: when is there? */
static bool next_wake(struct sched *s, struct sched_action *action)
{
	int64_t at = first_later(s);

	s->told = true;
	if (at == PACT_FOREVER)
		return false;
	*action = (struct sched_action){ .type = ACT_WAKE, .end = at };
	return true;
}

/* Let the driver try to start j; false: it cannot go anywhere now. */
static bool try_start(struct sched *s, struct job *j, struct sched_action *action)
{
	/* the pass took so long that the place is lost: the next one gives it another */
	if (s->policy->keeps && !j->opaque && j->place.start < s->now - s->config.lateness) {
		s->dirty = true;
		return false;
	}
	if (start_open(s, j, action))
		return true;
	start_failed(s, j, true);
	return false;
}

static bool next_action(struct sched *s, struct sched_action *action)
{
	if (take_action(s, action))
		return true;
	if (s->starting) {
		snprintf(s->error, sizeof(s->error), "the start of job %llu was not answered",
			 (unsigned long long)s->starting->id);
		return false;
	}
	/* the plan lost room in the middle of a pass: repair before anything else is started */
	if ((s->in_pass && overdue(s)) || (s->tightened && s->policy->keeps) || stale(s)) {
		s->in_pass = false;
		s->dirty = true;
	}
	for (;;) {
		if (!s->in_pass) {
			if (!s->dirty)
				return !s->told && next_wake(s, action);
			s->dirty = s->told = false;
			s->pass_now = s->now;
			if (repair(s) < 0 || s->policy->begin(s) < 0) {
				out_of_memory(s);
				return false;
			}
			s->in_pass = true;
			if (take_action(s, action))
				return true;
		}
		struct job *j = s->policy->step(s);

		if (j && try_start(s, j, action))
			return true;
		if (!j) {
			s->in_pass = false;
			if (stale(s)) { /* not all had their turn */
				out_of_memory(s);
				return false;
			}
			if (take_action(s, action))
				return true;
		}
	}
}

bool sched_next(struct sched *s, struct sched_action *action)
{
	sched_called(s);
	s->error[0] = '\0';
	bool more = next_action(s, action);

	if (s->watch)
		s->watch->action(s->watch_arg, true, more ? action : NULL);
	return more;
}

static int ask(struct sched *s, int64_t now, const struct sched_job *jobs, size_t njobs,
	       struct sched_decision *d)
{
	refuse(REFUSE_DISABLED, d);
	if (!take_time(s, now) || !njobs)
		return PACT_EINVAL;
	int rc = jobs_check(s, jobs, njobs);

	if (rc != PACT_OK || !s->policy->promises || !s->config.admission)
		return rc;
	if (jobs_must_wait(s, jobs, njobs)) {
		refuse(REFUSE_BUDGET, d);
		return PACT_OK;
	}
	enum admit how = jobs[0].flags & JOB_PROBE ? ADMIT_PROBE : ADMIT_ASK;
	struct job **v = jobs_build(s, jobs, njobs, &rc);

	s->told = false; /* what was late may have moved */
	if (v) {
		d->reason = REFUSE_NONE;
		if (sched_scratch(s, s->queue.n + njobs) < 0 || repair_for_decision(s, true) < 0 ||
		    s->policy->admit(s, v, njobs, how, d) < 0)
			rc = PACT_ENOMEM;
		jobs_destroy(s, v, njobs);
	}
	return count_anew(s) < 0 || rc == PACT_ENOMEM ? out_of_memory(s) : rc;
}

static int ask_change(struct sched *s, int64_t now, const struct sched_job *job,
		      struct sched_decision *d)
{
	refuse(REFUSE_DISABLED, d);
	if (!take_time(s, now))
		return PACT_EINVAL;
	s->told = false;
	s->only_new =
		false; /* the job leaves the queue for a moment and forgets what was looked up for it */
	int rc = change_ask(s, job, d);

	return count_anew(s) < 0 || rc == PACT_ENOMEM ? out_of_memory(s) : rc;
}

int sched_ask(struct sched *s, int64_t now, const struct sched_job *jobs, size_t njobs,
	      struct sched_decision *d)
{
	sched_called(s);
	int rc = ask(s, now, jobs, njobs, d);

	if (s->watch)
		s->watch->ask(s->watch_arg, false, now, jobs, njobs, rc, d);
	return rc;
}

int sched_ask_change(struct sched *s, int64_t now, const struct sched_job *job,
		     struct sched_decision *d)
{
	sched_called(s);
	int rc = ask_change(s, now, job, d);

	if (s->watch)
		s->watch->ask(s->watch_arg, true, now, job, 1, rc, d);
	return rc;
}

size_t sched_bytes(const struct sched *s)
{
	size_t bytes = sizeof(*s) + holds_bytes(s->holds) + table_bytes(s->jobs);

	bytes += s->policy->keeps ? plan_bytes(s->plan) : 0;
	for (size_t i = 0; i < TRIALS; i++)
		bytes += trial_bytes(&s->trial[i]);
	bytes += s->agenda.room * sizeof(*s->agenda.v);
	bytes += s->backfill ? backfill_bytes(s->backfill) : 0;
	bytes += s->standing ? standing_bytes(s->standing) : 0;
	bytes += s->queue.room * sizeof(*s->queue.v) + s->act_room * sizeof(*s->act);
	bytes += s->scratch_room * (4 * sizeof(struct job *) + 2 * sizeof(uint32_t));
	return bytes + (table_count(s->jobs) + s->spare_jobs.n) * sizeof(struct job);
}

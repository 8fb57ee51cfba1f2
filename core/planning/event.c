/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event: what each event does to the state. Nothing is started here: events only note what they mean
 * for the plan (dirty, loosened, tightened), and the next pass acts on it. The exception are
 * submissions and changes with a deadline, which are decided at once.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/planning/arrange/arrange.h"
#include "core/planning/planning.h"
#include "core/promise/admission.h"

static int fail(struct planner *s, int code, const char *what, uint64_t id)
{
	snprintf(s->error, sizeof(s->error), "%s (job %llu)", what, (unsigned long long)id);
	return code;
}

/* A change of what is held may leave less than nothing for the plan. */
static void check_room(struct planner *s, int64_t end)
{
	for (uint32_t c = 0; s->policy->keeps && c < plan_classes(s->plan); c++) {
		if (profile_min(plan_profile(s->plan, c), s->now, end) < 0)
			s->tightened = true;
	}
}

/* ---- waiting jobs ---- */

/* It waits no longer; `as` as for policy->left. */
static void forget_job(struct planner *s, struct job *j, const struct placement *as)
{
	if (s->starting == j)
		start_close(s);
	plan_take(s->plan, &j->place);
	placement_clear(&j->place);
	if (s->in_pass && j->at < s->list_n && s->list[j->at] == j)
		s->list[j->at] = NULL;
	if (s->policy->left)
		s->policy->left(s, j, as);
	if (!as)
		compress_forget(s);
	queue_remove(&s->queue, j);
	agenda_leave(s, j);
	table_remove(s->jobs, j->id);
}

static int adopt_job(struct planner *s, struct job *j)
{
	if (table_insert(s->jobs, j->id, j) < 0)
		return -1;
	if (queue_push(&s->queue, j) < 0) {
		table_remove(s->jobs, j->id);
		return -1;
	}
	if (s->policy->joined && s->policy->joined(s, j) < 0) {
		queue_remove(&s->queue, j);
		table_remove(s->jobs, j->id);
		return -1;
	}
	agenda_join(s, j);
	s->dirty = true;
	return 0;
}

/* A promise made earlier: the repair finds its place, at the old start if that is still possible. */
static void restore_promise(struct planner *s, struct job *j, int64_t planned)
{
	j->promised = s->promised = true;
	if (planned >= 0) {
		j->place.start = planned;
		j->place.end = plan_end(planned, j->req.duration);
		agenda_move(s, j);
	}
	s->tightened = true;
}

static int stand_one(struct planner *s, struct job *j, const struct sched_job *d)
{
	s->news.order++;
	if (s->policy->promises && (d->flags & JOB_PROMISED) && d->deadline) {
		restore_promise(s, j, d->planned);
		return 0;
	}
	return s->policy->arrive ? s->policy->arrive(s, j) : 0;
}

int interrupt_pass(struct planner *s)
{
	return s->in_pass && s->policy->prepare ? s->policy->prepare(s, false) : 0;
}

int repair_for_decision(struct planner *s, bool decision)
{
	if (interrupt_pass(s) < 0)
		return -1;
	/* a policy that keeps no places looks at the plan in its passes only, and each pass begins with this;
	 * but an overdue job is prolonged from the instant at which it is seen to be overdue */
	if (!decision && !s->policy->keeps && !overdue(s))
		return 0;
	if (repair(s) < 0)
		return -1;
	if (!decision || !s->policy->prepare || !s->config.admission)
		return 0;
	return s->policy->prepare(s, true);
}

static bool wants_decision(const struct sched_job *d)
{
	return d->deadline && !(d->flags & JOB_PROMISED);
}

void refuse(enum refuse_reason reason, struct sched_decision *d)
{
	*d = (struct sched_decision){ .start = PACT_FOREVER,
				      .end = PACT_FOREVER,
				      .offer_start = PACT_FOREVER,
				      .offer_end = PACT_FOREVER,
				      .most_limit = PACT_FOREVER,
				      .most_width = INT32_MAX,
				      .reason = reason };
}

static int decide(struct planner *s, struct job **jobs, size_t n, bool dry,
		  struct sched_decision *d)
{
	refuse(REFUSE_DISABLED, d);
	if (!s->policy->promises || !s->config.admission)
		return 0;
	d->reason = REFUSE_NONE;
	return admission_admit(s, jobs, n, dry ? ADMIT_ASK : ADMIT_TAKE, d);
}

/* 0 or -1: no memory. */
static int answer(struct planner *s, uint64_t id, const struct sched_decision *d)
{
	return planner_push_action(
		s, &(struct sched_action){ .type = d->accepted ? ACT_ACCEPT : ACT_REFUSE,
					   .id = id,
					   .decision = *d,
					   .end = d->end });
}

void jobs_destroy(struct planner *s, struct job **v, size_t n)
{
	for (size_t i = 0; v && i < n; i++)
		job_destroy(s, v[i]);
	if (n == 1)
		freelist_give(&s->freed_lists, v);
	else
		free(v);
}

/* An id twice in one submission. */
static int check_distinct(struct planner *s, const struct sched_job *d, size_t n)
{
	struct table *seen = n > 1 ? table_create() : NULL;
	int code = n > 1 && !seen ? PACT_ENOMEM : PACT_OK;

	for (size_t i = 0; seen && code == PACT_OK && i < n; i++) {
		if (table_find(seen, d[i].id))
			code = fail(s, PACT_EEXIST, "an id twice in one submission", d[i].id);
		else if (table_insert(seen, d[i].id, s) < 0)
			code = PACT_ENOMEM;
	}
	table_destroy(seen);
	return code;
}

int jobs_check(struct planner *s, const struct sched_job *d, size_t n)
{
	int code = check_distinct(s, d, n);

	for (size_t i = 0; code == PACT_OK && i < n; i++) {
		if (!job_valid(s, &d[i]))
			code = PACT_EINVAL;
		else if (wants_decision(&d[i]) != wants_decision(&d[0]))
			code = fail(s, PACT_EINVAL, "a group with and without deadlines", d[i].id);
	}
	return code;
}

bool jobs_must_wait(const struct planner *s, const struct sched_job *d, size_t n)
{
	bool known = true;

	if (!s->starting || s->starting->opaque)
		return false;
	for (size_t i = 0; i < n; i++) {
		for (uint32_t k = 0; k < d[i].nalt; k++)
			known &= machine_knows(s->machine, d[i].alt[k]);
		known &= machine_knows(s->machine, d[i].required);
	}
	return !known;
}

struct job **jobs_build(struct planner *s, const struct sched_job *d, size_t n, int *code)
{
	struct job **v =
		n == 1 ? freelist_take(&s->freed_lists, sizeof(*v)) : malloc(n * sizeof(*v));
	size_t built = 0;

	*code = v ? PACT_OK : PACT_ENOMEM;
	for (; v && built < n; built++) {
		v[built] = job_create(s, &d[built]);
		if (!v[built])
			break;
	}
	if (v && built == n)
		return v;
	*code = PACT_ENOMEM;
	while (built > 0)
		job_destroy(s, v[--built]);
	free(v);
	return NULL;
}

/* The first n of a submission were in the queue; as if they had not been. */
static void turn_out(struct planner *s, const struct sched_event *ev, struct job **v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		forget_job(s, v[i], NULL);
	/* the others have a place, if they were accepted, and are nowhere else */
	for (size_t i = n; i < ev->njobs; i++)
		plan_take(s->plan, &v[i]->place);
}

/* They wait from now on: all, or none. 0 or -1. */
static int take_in(struct planner *s, const struct sched_event *ev, struct job **v)
{
	for (size_t i = 0; i < ev->njobs; i++) {
		if (adopt_job(s, v[i]) < 0) {
			turn_out(s, ev, v, i);
			return -1;
		}
		/* a job that found no place for lack of memory gets one at the next pass */
		if (!wants_decision(&ev->jobs[i]) && stand_one(s, v[i], &ev->jobs[i]) < 0)
			s->stale = true;
	}
	return 0;
}

static int on_submit(struct planner *s, const struct sched_event *ev)
{
	struct sched_decision d;
	int code;

	if (!ev->njobs)
		return fail(s, PACT_EINVAL, "a submission without jobs", 0);
	for (size_t i = 0; i < ev->njobs; i++) {
		if (table_find(s->jobs, ev->jobs[i].id) || holds_find(s->holds, ev->jobs[i].id))
			return fail(s, PACT_EEXIST, "id already known", ev->jobs[i].id);
	}
	code = jobs_check(s, ev->jobs, ev->njobs);
	if (code != PACT_OK)
		return code;
	if (wants_decision(&ev->jobs[0]) && jobs_must_wait(s, ev->jobs, ev->njobs)) {
		refuse(REFUSE_BUDGET, &d);
		return answer(s, ev->jobs[0].id, &d) < 0 ? PACT_ENOMEM : PACT_OK;
	}
	struct job **v = jobs_build(s, ev->jobs, ev->njobs, &code);

	if (!v)
		return code;
	code = PACT_ENOMEM;
	if (planner_scratch(s, s->queue.n + ev->njobs) < 0 ||
	    repair_for_decision(s, wants_decision(&ev->jobs[0])) < 0)
		goto out;
	d.accepted = true;
	if (wants_decision(&ev->jobs[0]) && decide(s, v, ev->njobs, false, &d) < 0)
		goto out;
	if (d.accepted && take_in(s, ev, v) < 0)
		goto out;
	if (wants_decision(&ev->jobs[0]) && answer(s, ev->jobs[0].id, &d) < 0) {
		if (d.accepted)
			turn_out(s, ev, v, ev->njobs);
		goto out;
	}
	for (size_t i = 0; d.accepted && i < ev->njobs; i++) {
		v[i]->came = true;
		v[i] = NULL;
	}
	code = PACT_OK;
out:
	jobs_destroy(s, v, ev->njobs);
	return code;
}

/* The new terms stand: j replaces old, which is out of all lists. */
static int replace_job(struct planner *s, struct job *old, struct job *j)
{
	int64_t artificial = old->artificial;

	j->unconfirmed |= old->unconfirmed;
	job_destroy(s, old);
	if (adopt_job(s, j) < 0) {
		plan_take(s->plan, &j->place);
		job_destroy(s, j);
		return PACT_ENOMEM;
	}
	/* patience does not start anew because of a change */
	if (artificial && artificial != PACT_FOREVER)
		j->artificial = artificial;
	s->loosened = true;
	s->news.order++;
	return PACT_OK;
}

/* A change at work: the old terms are out of all lists while the new ones are tried. */
struct change {
	struct job *old, *j;
	struct placement place; /* of the old terms */
};

/* Begin one; checked. enum pact_err: no effect. *wait: it cannot be decided now (jobs_must_wait). */
static int change_open(struct planner *s, const struct sched_job *d, struct change *c, bool *wait)
{
	struct job *old = d ? table_find(s->jobs, d->id) : NULL;
	int code;

	*wait = false;
	if (!old)
		return fail(s, PACT_ENOENT, "a change of a job that does not wait", d ? d->id : 0);
	if (old->starting)
		return fail(s, PACT_EPROTO, "a change while the job is being started", d->id);
	code = jobs_check(s, d, 1);
	if (code != PACT_OK)
		return code;
	*wait = wants_decision(d) && jobs_must_wait(s, d, 1);
	if (*wait)
		return PACT_OK;
	struct job **v = jobs_build(s, d, 1, &code);

	if (!v)
		return code;
	*c = (struct change){ .old = old, .j = v[0] };
	freelist_give(&s->freed_lists, v);
	if (planner_scratch(s, s->queue.n + 1) < 0 ||
	    repair_for_decision(s, wants_decision(d)) < 0) {
		job_destroy(s, c->j);
		return PACT_ENOMEM;
	}
	placement_init(&c->place);
	placement_move(&c->place, &old->place);
	plan_take(s->plan, &c->place);
	forget_job(s, old, NULL);
	return PACT_OK;
}

/* The old terms stand. */
static int change_undo(struct planner *s, struct change *c)
{
	if (s->policy->keeps)
		placement_move(&c->old->place, &c->place);
	placement_clear(&c->place);
	plan_put(s->plan, &c->old->place);
	job_destroy(s, c->j);
	return adopt_job(s, c->old) < 0 ? PACT_ENOMEM : PACT_OK;
}

int change_ask(struct planner *s, const struct sched_job *d, struct sched_decision *out)
{
	struct change c;
	bool wait;
	int code, undone;

	refuse(REFUSE_BUDGET, out);
	if (!wants_decision(d))
		return fail(s, PACT_EINVAL, "a question without a deadline", d->id);
	code = change_open(s, d, &c, &wait);
	if (code != PACT_OK || wait)
		return code;
	s->news.others++; /* the job leaves the queue for a moment */
	code = decide(s, &c.j, 1, true, out) < 0 ? PACT_ENOMEM : PACT_OK;
	undone = change_undo(s, &c);
	return code == PACT_OK ? undone : code;
}

/* It simply holds from now on. */
static int change_stands(struct planner *s, const struct sched_job *d, struct change *c)
{
	int64_t planned = c->place.start == PACT_FOREVER ? -1 : c->place.start;
	int code;

	if (d->planned >= 0)
		planned = d->planned;
	placement_clear(&c->place);
	code = replace_job(s, c->old, c->j);
	if (code != PACT_OK)
		return code;
	if (s->policy->promises && (d->flags & JOB_PROMISED) && d->deadline) {
		restore_promise(s, c->j, planned);
		return PACT_OK;
	}
	if (s->policy->arrive && s->policy->arrive(s, c->j) < 0)
		s->stale = true;
	return PACT_OK;
}

static int on_change(struct planner *s, const struct sched_event *ev)
{
	const struct sched_job *d = ev->njobs == 1 ? ev->jobs : NULL;
	struct sched_decision answer_d;
	struct change c;
	bool wait;
	int code = change_open(s, d, &c, &wait);

	if (code != PACT_OK)
		return code;
	if (wait) {
		refuse(REFUSE_BUDGET, &answer_d);
		return answer(s, d->id, &answer_d) < 0 ? PACT_ENOMEM : PACT_OK;
	}
	if (!wants_decision(d))
		return change_stands(s, d, &c);
	if (decide(s, &c.j, 1, false, &answer_d) < 0 || answer(s, d->id, &answer_d) < 0) {
		plan_take(s->plan, &c.j->place);
		change_undo(s, &c);
		return PACT_ENOMEM;
	}
	if (!answer_d.accepted)
		return change_undo(s, &c);
	placement_clear(&c.place);
	return replace_job(s, c.old, c.j);
}

static int on_confirm(struct planner *s, const struct sched_event *ev)
{
	struct job *j = table_find(s->jobs, ev->id);

	if (!j)
		return fail(s, PACT_ENOENT, "no waiting job to confirm", ev->id);
	if (ev->new_id != ev->id) {
		if (table_find(s->jobs, ev->new_id) || holds_find(s->holds, ev->new_id))
			return fail(s, PACT_EEXIST, "id already known", ev->new_id);
		if (table_insert(s->jobs, ev->new_id, j) < 0)
			return PACT_ENOMEM;
		table_remove(s->jobs, ev->id);
		j->id = ev->new_id;
		s->news.keys++;
	}
	j->unconfirmed = false;
	s->dirty = true;
	return PACT_OK;
}

static int on_withdraw(struct planner *s, const struct sched_event *ev)
{
	struct job *j = table_find(s->jobs, ev->id);

	if (!j)
		return fail(s, PACT_ENOENT, "no such waiting job", ev->id);
	forget_job(s, j, NULL);
	job_destroy(s, j);
	s->loosened = s->dirty = true;
	return PACT_OK;
}

static int on_priority(struct planner *s, const struct sched_event *ev)
{
	struct job *j = table_find(s->jobs, ev->id);

	if (!j)
		return fail(s, PACT_ENOENT, "no such waiting job", ev->id);
	s->dirty |= j->priority != ev->priority;
	j->priority = ev->priority;
	s->news.keys++;
	return PACT_OK;
}

/* ---- starts and holds ---- */

static bool fits_machine(const struct planner *s, const struct nodeset *nodes)
{
	return !nodes || nodeset_size(nodes) == machine_nodes(s->machine);
}

/* Until when a job that has just been started holds its nodes in the plan. */
static int64_t hold_end(const struct planner *s, const struct job *j, int64_t start)
{
	int64_t end = plan_end(start, j->req.duration);
	int64_t least = end == PACT_FOREVER ? end : end - s->config.lateness;
	int64_t planned = s->starting == j ? s->start_end : j->place.end;

	if (!s->policy->keeps || planned >= end)
		return end;
	return planned > least ? planned : least; /* the guard absorbs a late start */
}

/* The driver of a job with unknown needs gave no names: the first of the allowed nodes. */
static struct nodeset *first_allowed(struct planner *s, const struct job *j)
{
	struct nodeset *set = nodeset_create(machine_nodes(s->machine));
	int32_t left = j->req.width;

	for (uint32_t n = nodeset_next(s->allowed, 0); set && n < nodeset_size(set) && left > 0;
	     n = nodeset_next(s->allowed, n + 1)) {
		nodeset_set(set, n);
		left--;
	}
	return set;
}

/* Is the job started where the plan has it? Only the time may be another. */
static bool as_planned(const struct planner *s, const struct job *j, const struct sched_event *ev)
{
	if (s->starting != j || j->opaque)
		return false;
	return !ev->nodes || (nodeset_subset(ev->nodes, s->allowed) &&
			      nodeset_count(ev->nodes) == (uint32_t)j->req.width);
}

/* A hold of what the plan has in this place already. NULL: no memory. */
static struct hold *add_planned(struct planner *s, uint64_t id, const struct placement *place)
{
	struct hold *x;

	if (!s->policy->keeps)
		return holds_take_over(s->holds, id, place);
	/* the base plan is another, and has it not */
	holds_mirror(s->holds, NULL);
	x = holds_add(s->holds, id, NULL, place, place->start, place->end, false);
	holds_mirror(s->holds, s->plan);
	return x;
}

/* There was no memory to hear that j runs: it waits where it was planned. */
static void start_unheard(struct planner *s, struct job *j, struct placement *at)
{
	placement_move(&j->place, at);
	s->stale = true;
}

/* A waiting job runs. */
static int job_started(struct planner *s, struct job *j, const struct sched_event *ev)
{
	int64_t start = ev->start && ev->start < s->now ? ev->start : s->now;
	int64_t end = ev->end ? ev->end : hold_end(s, j, start);
	bool asked = s->starting == j, planned = as_planned(s, j, ev);
	struct nodeset *own = NULL;
	struct placement counts;
	bool stays;

	/* the rest of the pass may count on nothing but what it has planned itself */
	if ((!planned || end != j->place.end) && interrupt_pass(s) < 0)
		return PACT_ENOMEM;
	if (!ev->nodes && asked && j->opaque) {
		own = first_allowed(s, j);
		if (!own)
			return PACT_ENOMEM;
	}
	if (!ev->nodes && !own && !j->place.nshare)
		return fail(s, PACT_EINVAL, "started without nodes and without a place", j->id);
	placement_init(&counts);
	if (asked)
		start_close(s);
	/* the hold is what the plan has already: its place becomes the hold's */
	stays = !ev->nodes && !own && !holds_named(s->holds) && j->place.start == start &&
		j->place.end == end && machine_classes(s->machine) == 1 &&
		s->generation == machine_generation(s->machine);
	if (!stays) {
		plan_take(s->plan, &j->place);
		compress_forget(s);
	}
	placement_move(&counts, &j->place);
	struct hold *x = stays ? add_planned(s, j->id, &counts)
			       : holds_add(s->holds, j->id, ev->nodes ? ev->nodes : own, &counts,
					   start, end, false);

	nodeset_destroy(own);
	if (!x) {
		start_unheard(s, j, &counts);
		return PACT_ENOMEM;
	}
	x->submit = j->submit;
	x->deadline = j->deadline;
	x->promised = j->promised;
	x->broken = j->broken;
	counts.end = x->end;
	if (!planned)
		news_room(&s->news, s->now, x->end, -1);
	forget_job(s, j, planned ? &counts : NULL);
	placement_clear(&counts);
	job_destroy(s, j);
	report_hold(s, x);
	if (!asked || ev->nodes || ev->end || s->config.guard)
		check_room(s, end);
	return PACT_OK;
}

static int on_started(struct planner *s, const struct sched_event *ev)
{
	bool asked = s->starting && s->starting->id == ev->id;
	struct job *j = asked ? s->starting : table_find(s->jobs, ev->id);

	if (ev->start < 0 || !fits_machine(s, ev->nodes))
		return fail(s, PACT_EINVAL, "a start before all time or on unknown nodes", ev->id);
	if (j)
		return job_started(s, j, ev);
	if (holds_find(s->holds, ev->id))
		return fail(s, PACT_EEXIST, "already running", ev->id);
	if (!ev->nodes)
		return fail(s, PACT_EINVAL, "a running job without nodes", ev->id);
	if (interrupt_pass(s) < 0)
		return PACT_ENOMEM;
	if (!holds_add(s->holds, ev->id, ev->nodes, NULL, ev->start < s->now ? ev->start : s->now,
		       ev->end ? ev->end : PACT_FOREVER, false))
		return PACT_ENOMEM;
	news_room(&s->news, s->now, PACT_FOREVER, -1);
	check_room(s, ev->end ? ev->end : PACT_FOREVER);
	s->dirty = true;
	return PACT_OK;
}

void start_failed(struct planner *s, struct job *j, bool reserve)
{
	if (s->starting == j)
		start_close(s);
	shorten_undo(j);
	compress_forget(s);
	j->failed = true;
	if (j->promised)
		return; /* it keeps its place and is tried again */
	plan_take(s->plan, &j->place);
	placement_clear(&j->place);
	agenda_move(s, j);
	if (s->policy->failed && s->policy->failed(s, j, reserve) < 0)
		s->stale = true;
}

static int on_start_failed(struct planner *s, const struct sched_event *ev)
{
	struct job *j = table_find(s->jobs, ev->id);

	if (!j)
		return fail(s, PACT_ENOENT, "no such waiting job", ev->id);
	if (s->starting != j)
		return fail(s, PACT_EPROTO, "a failed start that was not asked for", ev->id);
	start_failed(s, j, ev->reserve);
	return PACT_OK;
}

static int on_end_changed(struct planner *s, const struct sched_event *ev)
{
	struct hold *x = holds_find(s->holds, ev->id);

	if (!x)
		return fail(s, PACT_ENOENT, "nothing held", ev->id);
	if (ev->end < x->end)
		s->loosened = true;
	x->prolonged = 0;
	news_room(&s->news, s->now, ev->end > x->end ? ev->end : x->end, ev->end > x->end ? -1 : 1);
	holds_set_end(s->holds, x, ev->end);
	report_hold(s, x);
	check_room(s, ev->end);
	s->dirty = true;
	return PACT_OK;
}

static int on_finish(struct planner *s, const struct sched_event *ev)
{
	struct hold *x = holds_find(s->holds, ev->id);
	struct region *region;

	if (!x)
		return fail(s, PACT_ENOENT, "nothing held", ev->id);
	compress_ended(s, x->end);
	news_room(&s->news, s->now, x->end, 1);
	region = x->region;
	holds_remove(s->holds, x);
	region_put(s->machine, region);
	s->dirty = true;
	return PACT_OK;
}

static int on_block(struct planner *s, const struct sched_event *ev)
{
	struct region *region = NULL;

	if (holds_find(s->holds, ev->id) || table_find(s->jobs, ev->id))
		return fail(s, PACT_EEXIST, "id already known", ev->id);
	if (!ev->nodes || ev->end <= ev->start || !fits_machine(s, ev->nodes))
		return fail(s, PACT_EINVAL, "a block without known nodes or without length",
			    ev->id);
	/*
	 * What is taken from now on leaves the other nodes of a class alike. What is taken only later
	 * does not: a job that runs into it must not sit on just these nodes.
	 */
	if (ev->start > s->now) {
		region = machine_region(s->machine, ev->nodes);
		if (!region)
			return PACT_ENOMEM;
		if (repair(s) < 0) {
			region_put(s->machine, region);
			return PACT_ENOMEM;
		}
	}
	struct hold *x = holds_add(s->holds, ev->id, ev->nodes, NULL, ev->start, ev->end, true);

	if (!x) {
		region_put(s->machine, region);
		return PACT_ENOMEM;
	}
	x->region = region;
	news_room(&s->news, ev->start, ev->end, -1);
	check_room(s, ev->end);
	s->dirty = true;
	return PACT_OK;
}

static int dispatch(struct planner *s, const struct sched_event *ev)
{
	switch (ev->type) {
	case EV_SUBMIT:
		return on_submit(s, ev);
	case EV_CONFIRM:
		return on_confirm(s, ev);
	case EV_CHANGE:
		return on_change(s, ev);
	case EV_PRIORITY:
		return on_priority(s, ev);
	case EV_WITHDRAW:
		return on_withdraw(s, ev);
	case EV_STARTED:
		return on_started(s, ev);
	case EV_START_FAILED:
		return on_start_failed(s, ev);
	case EV_END_CHANGED:
		return on_end_changed(s, ev);
	case EV_FINISH:
		return on_finish(s, ev);
	case EV_BLOCK:
		return on_block(s, ev);
	case EV_TIME:
		s->dirty = true;
		return PACT_OK;
	case EV_POLICY:
		if (!s->policy->load || s->policy->load(s, &(int64_t){ (int64_t)ev->id }, 1))
			return fail(s, PACT_EINVAL, "not a policy of this scheduler's", ev->id);
		s->dirty = true;
		return PACT_OK;
	case EV_SUSPENDED:
	case EV_RESUMED:
	case EV_MIGRATED:
	case EV_RESIZED:
	case EV_SHARED:
	case EV_REFUSED:
	case EV_LEFT:
	case EV_NODES:
	case EV_PROGRESS:
		return fail(s, PACT_EINVAL,
			    "suspended, moved, resized, shared or unequal: not in a plan of whole "
			    "nodes",
			    ev->id);
	}
	return fail(s, PACT_EINVAL, "unknown event", ev->id);
}

/* It took place: what that is to policies and to compression. */
static void note(struct planner *s, enum sched_event_type type)
{
	/* a decision itself leaves the plan in order, whatever it is */
	if (type != EV_SUBMIT && type != EV_CHANGE && type != EV_CONFIRM && type != EV_TIME)
		s->news.order++;
	if (type != EV_SUBMIT)
		s->news.others++;
	if (type != EV_SUBMIT && type != EV_STARTED && type != EV_FINISH && type != EV_TIME)
		compress_forget(s);
}

int event_apply(struct planner *s, const struct sched_event *ev)
{
	int code;

	/* what is decided, or answers a start, minds that by itself; to look does no harm */
	if (ev->type != EV_SUBMIT && ev->type != EV_CHANGE && ev->type != EV_STARTED &&
	    ev->type != EV_START_FAILED && ev->type != EV_TIME && interrupt_pass(s) < 0)
		return PACT_ENOMEM;
	code = dispatch(s, ev);
	/* what is an error is no news; lack of memory may have come in the middle */
	if (code == PACT_OK || code == PACT_ENOMEM)
		note(s, ev->type);
	return code;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulate: see simulate.h. Three sources of events meet here: a heap of ends, the list of scripted
 * events and the list of submissions. A free count (and, where nodes are named, the set of free
 * nodes) is kept beside the scheduler's own idea, and a start that does not fit is an error.
 */
#include "sim/run/simulate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/why.h"

/* Blocks are holds like jobs; their ids lie above those of all jobs. */
#define BLOCK_ID(index) ((UINT64_C(1) << 62) + (index))
#define PROGRESS_EVERY 256

struct end {
	int64_t at;
	size_t job;
};

struct simulation {
	const struct sim_setup *setup;
	const struct workload *w;
	struct sim_outcome *out;
	struct sched *sched;
	struct sim_totals totals;

	struct end *heap;
	size_t heap_size;
	size_t heap_room;
	size_t *ending; /* jobs that end at this instant: gone, but not all told yet */
	size_t ending_size;
	size_t ending_next;
	size_t ending_room;
	size_t next_submit;
	size_t next_event;
	int64_t now;
	int64_t wake; /* the last one asked for stays in force until it comes */
	int64_t last_wake;
	int wakes_here; /* wake-ups in a row at one instant */
	int64_t free;
	size_t waiting;
	struct nodeset *busy; /* by jobs; NULL unless nodes are named */
	bool again;	      /* the job just submitted was refused its deadline only */
	char *why;
	size_t why_size;
};

const char *sim_state_name(enum sim_state state)
{
	static const char *const name[] = { "waiting", "running",   "completed", "killed",
					    "refused", "cancelled", "failed" };

	return name[state];
}

static bool end_before(const struct end *a, const struct end *b)
{
	return a->at != b->at ? a->at < b->at : a->job < b->job;
}

static int heap_push(struct simulation *s, struct end e)
{
	size_t i = s->heap_size;

	if (i == s->heap_room) {
		size_t room = i ? 2 * i : 256;
		struct end *grown = realloc(s->heap, room * sizeof(*grown));

		if (!grown)
			return PACT_ENOMEM;
		s->heap = grown;
		s->heap_room = room;
	}
	s->heap_size++;
	for (; i > 0 && end_before(&e, &s->heap[(i - 1) / 2]); i = (i - 1) / 2)
		s->heap[i] = s->heap[(i - 1) / 2];
	s->heap[i] = e;
	return PACT_OK;
}

static void heap_pop(struct simulation *s)
{
	struct end e = s->heap[--s->heap_size];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < s->heap_size) {
		if (child + 1 < s->heap_size && end_before(&s->heap[child + 1], &s->heap[child]))
			child++;
		if (!end_before(&s->heap[child], &e))
			break;
		s->heap[i] = s->heap[child];
		i = child;
	}
	s->heap[i] = e;
}

static int fail(struct simulation *s, int err, const char *what, uint64_t id)
{
	return why_set(s->why, s->why_size, err, "time %" PRId64 ": job %" PRIu64 ": %s", s->now,
		       id, what);
}

/* Hand one event to the scheduler. */
static int feed(struct simulation *s, struct sched_event *ev)
{
	int err;

	ev->now = s->now;
	s->totals.events++;
	err = sched_event(s->sched, ev);
	if (err)
		why_set(s->why, s->why_size, err, "time %" PRId64 ": scheduler: %s", s->now,
			sched_error(s->sched));
	return err;
}

/* The job's nodes out of those allowed: the lowest free numbers. NULL: there are too few. */
static struct nodeset *choose_nodes(struct simulation *s, const struct sim_job *job,
				    const struct nodeset *allowed)
{
	struct nodeset *got = nodeset_create(s->setup->nodes);
	int32_t missing = job->width;

	if (!got)
		return NULL;
	for (uint32_t n = 0; n < s->setup->nodes && missing; n++) {
		if (nodeset_test(s->busy, n) || (allowed && !nodeset_test(allowed, n)) ||
		    (job->nodes && !nodeset_test(job->nodes, n)))
			continue;
		nodeset_set(got, n);
		missing--;
	}
	if (!missing)
		return got;
	nodeset_destroy(got);
	return NULL;
}

static int start_job(struct simulation *s, const struct sched_action *a)
{
	struct sched_event ev = { .type = EV_STARTED, .id = a->id, .start = s->now };
	const struct sim_job *job;
	struct sim_outcome *out;

	if (a->id < 1 || a->id > s->next_submit || s->out[a->id - 1].state != SIM_WAITING)
		return fail(s, PACT_EPROTO, "started, but is not waiting", a->id);
	job = &s->w->job[a->id - 1];
	out = &s->out[a->id - 1];
	if (job->width > s->free)
		return fail(s, PACT_EPROTO, "started on more nodes than are free", a->id);
	if (s->busy) {
		out->nodes = choose_nodes(s, job, a->allowed);
		if (!out->nodes)
			return fail(s, PACT_EPROTO, "started, but too few allowed nodes are free",
				    a->id);
		nodeset_or(s->busy, out->nodes);
		ev.nodes = out->nodes;
	}
	s->free -= job->width;
	s->waiting--;
	out->state = SIM_RUNNING;
	out->start = s->now;
	if (heap_push(s, (struct end){ s->now + job->runtime, a->id - 1 }) != PACT_OK)
		return fail(s, PACT_ENOMEM, "out of memory", a->id);
	return feed(s, &ev);
}

static void note_decision(struct simulation *s, const struct sched_action *a)
{
	if (s->setup->decision)
		s->setup->decision[a->id - 1] = a->decision;
}

static int handle(struct simulation *s, const struct sched_action *a)
{
	struct sim_outcome *out = NULL;

	if (a->type == ACT_WAKE) {
		s->wake = a->end;
		return PACT_OK;
	}
	if (a->type == ACT_POLICY)
		return PACT_OK; /* counted in the scheduler's view */
	if (a->type == ACT_START)
		return start_job(s, a);
	if (a->id < 1 || a->id > s->next_submit)
		return fail(s, PACT_EPROTO, "named in an action, but not submitted", a->id);
	out = &s->out[a->id - 1];
	switch (a->type) {
	case ACT_ACCEPT:
		out->promised = true;
		note_decision(s, a);
		break;
	case ACT_REFUSE:
		if (out->state != SIM_WAITING)
			return fail(s, PACT_EPROTO, "refused, but is not waiting", a->id);
		s->again = s->setup->unpromised && a->decision.reason == REFUSE_DISABLED;
		if (s->again)
			break;
		out->state = SIM_REFUSED;
		note_decision(s, a);
		s->waiting--;
		break;
	case ACT_BROKEN:
	case ACT_MENDED:
		out->broken = a->type == ACT_BROKEN;
		break;
	default:
		return fail(s, PACT_EPROTO, "unknown action", a->id);
	}
	return PACT_OK;
}

/* Feed an event, then take every action that follows: one pass per event (doc/papers.md). */
static int step(struct simulation *s, struct sched_event *ev)
{
	struct sched_action a;
	int err;

	err = feed(s, ev);
	while (!err && sched_next(s->sched, &a))
		err = handle(s, &a);
	if (!err && *sched_error(s->sched))
		err = fail(s, PACT_ENOMEM, sched_error(s->sched), ev->id);
	if (s->waiting > s->totals.max_waiting)
		s->totals.max_waiting = s->waiting;
	return err;
}

/* The job leaves its nodes. */
static void leave(struct simulation *s, size_t job, enum sim_state state)
{
	struct sim_outcome *out = &s->out[job];

	out->state = state;
	out->end = s->now;
	s->free += s->w->job[job].width;
	if (s->busy)
		nodeset_and_not(s->busy, out->nodes);
}

/*
 * All jobs that end at the instant `at` leave their nodes before the first of the ends is told. The
 * scheduler may count on it: a hold that was planned to end now is free now.
 */
static int collect_ends(struct simulation *s, int64_t at)
{
	s->ending_size = s->ending_next = 0;
	while (s->heap_size && s->heap[0].at == at) {
		size_t job = s->heap[0].job;

		heap_pop(s);
		/* Cancelled and failed jobs have left before; their ends stay in the heap. */
		if (s->out[job].state != SIM_RUNNING)
			continue;
		if (s->ending_size == s->ending_room) {
			size_t room = s->ending_room ? 2 * s->ending_room : 64;
			size_t *grown = realloc(s->ending, room * sizeof(*grown));

			if (!grown)
				return fail(s, PACT_ENOMEM, "out of memory", job + 1);
			s->ending = grown;
			s->ending_room = room;
		}
		s->ending[s->ending_size++] = job;
		leave(s, job, s->w->job[job].killed ? SIM_KILLED : SIM_COMPLETED);
	}
	return PACT_OK;
}

static int tell_end(struct simulation *s)
{
	struct sched_event ev = { .type = EV_FINISH, .id = s->ending[s->ending_next++] + 1 };

	return step(s, &ev);
}

static int submit(struct simulation *s)
{
	const struct sim_job *job = &s->w->job[s->next_submit++];
	struct sched_job j = {
		.id = s->next_submit,
		.submit = job->submit,
		.begin = job->begin,
		.limit = job->estimate,
		.deadline = job->deadline,
		.priority = job->priority,
		.planned = -1,
		.width = job->width,
	};
	struct sched_event ev = { .type = EV_SUBMIT, .jobs = &j, .njobs = 1 };
	int err;

	if (job->nodes) {
		j.nalt = 1;
		j.alt[0] = job->nodes;
	}
	s->waiting++;
	if (s->setup->progress && s->next_submit % PROGRESS_EVERY == 0)
		s->setup->progress(s->setup->progress_arg, s->next_submit, s->w->count);
	s->again = false;
	err = step(s, &ev);
	if (err || !s->again)
		return err;
	j.deadline = 0;
	return step(s, &ev);
}

/* Nodes are lost now: what runs on them fails. The block comes first: nothing starts there. */
static int block(struct simulation *s, const struct sim_event *e, size_t index)
{
	struct sched_event ev = { .type = EV_BLOCK,
				  .id = BLOCK_ID(index),
				  .nodes = e->nodes,
				  .start = e->start,
				  .end = e->end };
	int err = step(s, &ev);

	for (size_t i = 0; i < s->next_submit && !err && e->start <= s->now; i++) {
		struct sched_event finish = { .type = EV_FINISH, .id = i + 1 };

		if (s->out[i].state != SIM_RUNNING || !nodeset_overlap(s->out[i].nodes, e->nodes))
			continue;
		leave(s, i, SIM_FAILED);
		err = step(s, &finish);
	}
	return err;
}

static int cancel(struct simulation *s, size_t job)
{
	struct sched_event ev = { .type = EV_WITHDRAW, .id = job + 1 };

	if (s->out[job].state == SIM_RUNNING) {
		ev.type = EV_FINISH;
		leave(s, job, SIM_CANCELLED);
		return step(s, &ev);
	}
	if (s->out[job].state != SIM_WAITING || job >= s->next_submit)
		return PACT_OK;
	s->out[job].state = SIM_CANCELLED;
	s->waiting--;
	return step(s, &ev);
}

static int scripted(struct simulation *s)
{
	size_t index = s->next_event++;
	const struct sim_event *e = &s->setup->event[index];
	struct sched_event ev = { .type = EV_FINISH, .id = BLOCK_ID(e->index) };

	switch (e->type) {
	case SIM_BLOCK:
		return block(s, e, index);
	case SIM_UNBLOCK:
		return step(s, &ev);
	case SIM_CANCEL:
		return cancel(s, e->index);
	}
	return fail(s, PACT_EINVAL, "unknown kind of event", index);
}

static int wake_up(struct simulation *s)
{
	struct sched_event ev = { .type = EV_TIME };

	s->wakes_here = s->last_wake == s->now ? s->wakes_here + 1 : 0;
	s->last_wake = s->now;
	s->wake = PACT_FOREVER;
	if (s->wakes_here > 3)
		return why_set(s->why, s->why_size, PACT_EPROTO,
			       "time %" PRId64
			       ": the scheduler wants to be woken now, again and again",
			       s->now);
	return step(s, &ev);
}

/* The next event of all; false when there is none. */
static bool next(struct simulation *s, int *err)
{
	int64_t end = s->heap_size ? s->heap[0].at : PACT_FOREVER;
	int64_t event = s->next_event < s->setup->nevents ? s->setup->event[s->next_event].at
							  : PACT_FOREVER;
	int64_t arrival =
		s->next_submit < s->w->count ? s->w->job[s->next_submit].submit : PACT_FOREVER;
	int64_t at = end;

	if (s->ending_next < s->ending_size) {
		*err = tell_end(s);
		return !*err;
	}
	at = event < at ? event : at;
	at = arrival < at ? arrival : at;
	at = s->wake < at ? s->wake : at;
	if (at == PACT_FOREVER)
		return false;
	s->now = at > s->now ? at : s->now;
	if (end == at)
		*err = collect_ends(s, at);
	else if (event == at)
		*err = scripted(s);
	else if (arrival == at)
		*err = submit(s);
	else
		*err = wake_up(s);
	return !*err;
}

static int run(struct simulation *s)
{
	char reason[256] = "";
	int err = PACT_OK;

	errno = 0;
	s->sched = sched_create(s->setup->scheduler, s->setup->nodes, &s->setup->config, reason,
				sizeof(reason));
	if (!s->sched)
		return why_set(s->why, s->why_size, errno == ENOMEM ? PACT_ENOMEM : PACT_EINVAL,
			       "scheduler '%s': %s", s->setup->scheduler, reason);
	if (s->setup->created)
		s->setup->created(s->setup->sched_arg, s->sched);
	if (s->setup->named) {
		s->busy = nodeset_create(s->setup->nodes);
		if (!s->busy)
			return why_set(s->why, s->why_size, PACT_ENOMEM, "out of memory");
	}
	while (next(s, &err))
		;
	s->totals.is_dynp = sched_dynp_view(s->sched, &s->totals.dynp) == PACT_OK;
	return err;
}

int simulate(const struct sim_setup *setup, const struct workload *w, struct sim_outcome *out,
	     struct sim_totals *totals, char *why, size_t size)
{
	struct simulation s = {
		.setup = setup,
		.w = w,
		.out = out,
		.wake = PACT_FOREVER,
		.last_wake = -1,
		.now = INT64_MIN,
		.free = setup->nodes,
		.why = why,
		.why_size = size,
	};
	int err;

	for (size_t i = 0; i < w->count; i++)
		out[i] = (struct sim_outcome){ .start = -1, .end = -1 };
	if (setup->nevents && !setup->named)
		return why_set(why, size, PACT_EINVAL, "scripted events need named nodes");
	err = run(&s);
	if (err)
		sim_outcome_release(out, w->count);
	if (totals)
		*totals = s.totals;
	if (s.sched && setup->finished)
		setup->finished(setup->sched_arg, s.sched);
	sched_destroy(s.sched);
	nodeset_destroy(s.busy);
	free(s.heap);
	free(s.ending);
	return err;
}

void sim_outcome_release(struct sim_outcome *out, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		nodeset_destroy(out[i].nodes);
		out[i].nodes = NULL;
	}
}

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
#include "core/kernel/engine.h"

/* Blocks are holds like jobs; their ids lie above those of all jobs. */
#define BLOCK_ID(index) ((UINT64_C(1) << 62) + (index))
#define PROGRESS_EVERY 256

struct end {
	int64_t at;
	size_t job;
};

/* A job of this instant's ends. */
struct ending {
	size_t job;
	struct nodeset *left; /* it goes on, but has left these; NULL: it has ended */
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
	struct work **work;    /* of jobs that are not simply at full rate; NULL: there are none */
	struct ending *ending; /* jobs that end at this instant: gone, but not all told yet */
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

/* Take up to `missing` of the allowed nodes, the lowest first; `only` (NULL: any) is a further condition. */
static int32_t take_nodes(const struct simulation *s, const struct sim_job *job,
			  const struct nodeset *allowed, const struct nodeset *only, bool shared,
			  int32_t missing, struct nodeset *got)
{
	for (uint32_t n = 0; n < s->setup->nodes && missing; n++) {
		if ((!shared && nodeset_test(s->busy, n)) ||
		    (allowed && !nodeset_test(allowed, n)) ||
		    (job->nodes && !nodeset_test(job->nodes, n)) ||
		    (only && !nodeset_test(only, n)) || nodeset_test(got, n))
			continue;
		nodeset_set(got, n);
		missing--;
	}
	return missing;
}

/*
 * `width` nodes for the job out of those allowed: first of those in `keep` (NULL: none), then the lowest free
 * numbers; shared: whether they are free or not. NULL: there are too few.
 */
static struct nodeset *choose_nodes(const struct simulation *s, const struct sim_job *job,
				    int32_t width, const struct nodeset *allowed,
				    const struct nodeset *keep, bool shared)
{
	struct nodeset *got = nodeset_create(s->setup->nodes);
	int32_t missing = width;

	if (!got)
		return NULL;
	if (keep)
		missing = take_nodes(s, job, allowed, keep, shared, missing, got);
	missing = take_nodes(s, job, allowed, NULL, shared, missing, got);
	if (!missing)
		return got;
	nodeset_destroy(got);
	return NULL;
}

/* Does the job hold nodes for itself at present? */
static bool occupies(const struct work *w)
{
	return w->whole && !w->suspended;
}

/* Its nodes are in use, or no more. */
static void occupy(struct simulation *s, const struct work *w)
{
	if (!occupies(w))
		return;
	s->free -= w->width;
	if (s->busy)
		nodeset_or(s->busy, w->nodes);
}

static void vacate(struct simulation *s, const struct work *w)
{
	if (!occupies(w))
		return;
	s->free += w->width;
	if (s->busy)
		nodeset_and_not(s->busy, w->nodes);
}

static struct work *work_at(const struct simulation *s, size_t job)
{
	return s->work ? s->work[job] : NULL;
}

/* From now on more happens to the job than its end. NULL: no memory. */
static struct work *work_of(struct simulation *s, size_t job)
{
	const struct sim_job *j = &s->w->job[job];
	const struct sim_outcome *out = &s->out[job];

	if (!s->work)
		s->work = calloc(s->w->count, sizeof(*s->work));
	if (s->work && !s->work[job])
		s->work[job] = work_create(j->width, j->runtime, out->start, out->nodes);
	return work_at(s, job);
}

/* What was changed holds from now on, and moves its end. */
static int work_changed(struct simulation *s, size_t job, int64_t lost)
{
	struct work *w = s->work[job];

	work_lose(w, lost);
	if (work_note(w, lost) != PACT_OK ||
	    (w->next != PACT_FOREVER && heap_push(s, (struct end){ w->next, job }) != PACT_OK))
		return fail(s, PACT_ENOMEM, "out of memory", job + 1);
	if (s->out[job].nodes)
		nodeset_or(s->out[job].nodes, w->nodes);
	return PACT_OK;
}

static bool is_shared(const struct sched_action *a)
{
	return a->share || a->nshares;
}

static int set_shares(struct simulation *s, struct work *w, const struct sched_action *a)
{
	int err = is_shared(a) ? work_share(w, a->share, a->shares, a->nshares) : PACT_EINVAL;

	if (err == PACT_EINVAL)
		return fail(s, PACT_EPROTO, "shares, but not one for each of its nodes", a->id);
	return err ? fail(s, err, "out of memory", a->id) : PACT_OK;
}

/* A start that is not simply one on whole nodes; it has its place. */
static int start_work(struct simulation *s, const struct sched_action *a)
{
	struct work *w = work_of(s, a->id - 1);
	int err = PACT_OK;

	if (!w)
		return fail(s, PACT_ENOMEM, "out of memory", a->id);
	if (is_shared(a))
		err = set_shares(s, w, a);
	else
		occupy(s, w);
	return err ? err : work_changed(s, a->id - 1, a->lost);
}

static int start_job(struct simulation *s, const struct sched_action *a)
{
	struct sched_event ev = { .type = EV_STARTED, .id = a->id, .start = s->now };
	bool plain = !is_shared(a) && !a->lost;
	const struct sim_job *job;
	struct sim_outcome *out;
	int err;

	if (a->id < 1 || a->id > s->next_submit || s->out[a->id - 1].state != SIM_WAITING)
		return fail(s, PACT_EPROTO, "started, but is not waiting", a->id);
	job = &s->w->job[a->id - 1];
	out = &s->out[a->id - 1];
	if (!is_shared(a) && job->width > s->free)
		return fail(s, PACT_EPROTO, "started on more nodes than are free", a->id);
	if (is_shared(a) && !s->busy)
		return fail(s, PACT_EPROTO, "a share of nodes that have no names", a->id);
	if (s->busy) {
		out->nodes = choose_nodes(s, job, job->width, a->allowed, NULL, is_shared(a));
		if (!out->nodes)
			return fail(s, PACT_EPROTO, "started, but too few allowed nodes are free",
				    a->id);
		ev.nodes = out->nodes;
	}
	s->waiting--;
	out->state = SIM_RUNNING;
	out->start = s->now;
	if (plain) {
		s->free -= job->width;
		if (s->busy)
			nodeset_or(s->busy, out->nodes);
		err = heap_push(s, (struct end){ s->now + job->runtime, a->id - 1 });
		if (err != PACT_OK)
			return fail(s, PACT_ENOMEM, "out of memory", a->id);
	} else {
		err = start_work(s, a);
	}
	return err ? err : feed(s, &ev);
}

/* ---- what is done to a running job ---- */

static int suspend(struct simulation *s, struct work *w, const struct sched_action *a)
{
	if (w->suspended)
		return fail(s, PACT_EPROTO, "suspended, but is already", a->id);
	vacate(s, w);
	w->suspended = true;
	return PACT_OK;
}

static int resume(struct simulation *s, struct work *w, const struct sched_action *a)
{
	if (!w->suspended)
		return fail(s, PACT_EPROTO, "resumed, but is not suspended", a->id);
	if (w->whole && (s->busy ? nodeset_overlap(s->busy, w->nodes) : w->width > s->free))
		return fail(s, PACT_EPROTO, "resumed on nodes that are in use", a->id);
	w->suspended = false;
	occupy(s, w);
	return PACT_OK;
}

/* To other nodes, or another number of them: what it keeps of its own comes first when it is resized. */
static int move(struct simulation *s, struct work *w, const struct sched_action *a, int32_t width,
		const struct nodeset *keep)
{
	struct nodeset *to;

	if (w->in_parts || width < 1)
		return fail(s, PACT_EPROTO, "moved, but is in parts or has no nodes", a->id);
	vacate(s, w);
	if (occupies(w) && width > s->free)
		return fail(s, PACT_EPROTO, "moved to more nodes than are free", a->id);
	if (s->busy) {
		to = choose_nodes(s, &s->w->job[a->id - 1], width, a->allowed, keep, !occupies(w));
		if (!to)
			return fail(s, PACT_EPROTO, "moved, but too few allowed nodes are free",
				    a->id);
		nodeset_destroy(w->nodes);
		w->nodes = to;
	}
	w->width = width;
	occupy(s, w);
	return PACT_OK;
}

static int share_out(struct simulation *s, struct work *w, const struct sched_action *a)
{
	if (!s->busy)
		return fail(s, PACT_EPROTO, "a share of nodes that have no names", a->id);
	vacate(s, w);
	return set_shares(s, w, a);
}

/* It has ended, or left nodes, and that is not told yet. */
static bool untold(const struct simulation *s, size_t job)
{
	for (size_t i = s->ending_next; i < s->ending_size; i++)
		if (s->ending[i].job == job)
			return true;
	return false;
}

static int change_job(struct simulation *s, const struct sched_action *a)
{
	struct sched_event ev = { .type = EV_REFUSED, .id = a->id };
	struct work *w;
	int err = PACT_OK;

	if (a->id < 1 || a->id > s->next_submit || s->out[a->id - 1].start < 0)
		return fail(s, PACT_EPROTO, "to be changed, but does not run", a->id);
	if (untold(s, a->id - 1))
		return feed(s, &ev);
	if (s->out[a->id - 1].state != SIM_RUNNING)
		return fail(s, PACT_EPROTO, "to be changed, but has ended", a->id);
	w = work_of(s, a->id - 1);
	if (!w)
		return fail(s, PACT_ENOMEM, "out of memory", a->id);
	work_advance(w, s->now);
	switch (a->type) {
	case ACT_SUSPEND:
		ev.type = EV_SUSPENDED;
		err = suspend(s, w, a);
		break;
	case ACT_RESUME:
		ev.type = EV_RESUMED;
		err = resume(s, w, a);
		break;
	case ACT_MIGRATE:
		ev.type = EV_MIGRATED;
		err = move(s, w, a, w->width, NULL);
		break;
	case ACT_RESIZE:
		ev.type = EV_RESIZED;
		err = move(s, w, a, a->width, w->nodes);
		break;
	default:
		ev.type = EV_SHARED;
		err = share_out(s, w, a);
		break;
	}
	if (!err)
		err = work_changed(s, a->id - 1, a->lost);
	ev.nodes = w->nodes;
	ev.width = w->width;
	return err ? err : feed(s, &ev);
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
	if (a->type >= ACT_SUSPEND && a->type <= ACT_SHARE)
		return change_job(s, a);
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
	struct work *w = work_at(s, job);

	out->state = state;
	out->end = s->now;
	if (w) {
		work_advance(w, s->now);
		work_end(w);
		vacate(s, w);
		out->history = w->history;
		w->history = NULL;
		work_destroy(w);
		s->work[job] = NULL;
		return;
	}
	s->free += s->w->job[job].width;
	if (s->busy)
		nodeset_and_not(s->busy, out->nodes);
}

/* One that may end now, at its turn in the heap. */
static int collect_end(struct simulation *s, size_t job)
{
	struct work *w = work_at(s, job);
	struct nodeset *left;

	if (w) {
		work_advance(w, s->now);
		if (work_reap(w, &left) != PACT_OK)
			return fail(s, PACT_ENOMEM, "out of memory", job + 1);
		if (w->n) {
			s->ending[s->ending_size++] = (struct ending){ job, left };
			return work_changed(s, job, 0);
		}
		nodeset_destroy(left);
	}
	s->ending[s->ending_size++] = (struct ending){ job, NULL };
	leave(s, job, s->w->job[job].killed ? SIM_KILLED : SIM_COMPLETED);
	return PACT_OK;
}

/*
 * All jobs that end at the instant `at` leave their nodes before the first of the ends is told. The
 * scheduler may count on it: a hold that was planned to end now is free now.
 */
static int collect_ends(struct simulation *s, int64_t at)
{
	int err = PACT_OK;

	s->ending_size = s->ending_next = 0;
	while (!err && s->heap_size && s->heap[0].at == at) {
		size_t job = s->heap[0].job;
		const struct work *w = work_at(s, job);

		heap_pop(s);
		/*
		 * Cancelled and failed jobs have left before, and the end of others was moved; what was
		 * foreseen stays in the heap.
		 */
		if (s->out[job].state != SIM_RUNNING || (w && w->next != at))
			continue;
		if (s->ending_size == s->ending_room) {
			size_t room = s->ending_room ? 2 * s->ending_room : 64;
			struct ending *grown = realloc(s->ending, room * sizeof(*grown));

			if (!grown)
				return fail(s, PACT_ENOMEM, "out of memory", job + 1);
			s->ending = grown;
			s->ending_room = room;
		}
		err = collect_end(s, job);
	}
	return err;
}

static int tell_end(struct simulation *s)
{
	struct ending *e = &s->ending[s->ending_next++];
	struct sched_event ev = { .type = EV_FINISH, .id = e->job + 1 };
	struct nodeset *left = e->left;
	int err = PACT_OK;

	e->left = NULL;
	if (left) {
		ev.type = EV_LEFT;
		ev.nodes = left;
	}
	if (!left || s->out[e->job].state == SIM_RUNNING)
		err = step(s, &ev);
	nodeset_destroy(left);
	return err;
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

/* At present. */
static const struct nodeset *nodes_of(const struct simulation *s, size_t job)
{
	const struct work *w = work_at(s, job);

	return w ? w->nodes : s->out[job].nodes;
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

		if (s->out[i].state != SIM_RUNNING || !nodeset_overlap(nodes_of(s, i), e->nodes))
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
	s->sched = s->setup->of ? sched_create_of(s->setup->of, s->setup->nodes, &s->setup->config,
						  reason, sizeof(reason))
				: sched_create(s->setup->scheduler, s->setup->nodes,
					       &s->setup->config, reason, sizeof(reason));
	if (!s->sched)
		return why_set(s->why, s->why_size, errno == ENOMEM ? PACT_ENOMEM : PACT_EINVAL,
			       "scheduler '%s': %s",
			       s->setup->of ? s->setup->of->name : s->setup->scheduler, reason);
	if (s->setup->created)
		s->setup->created(s->setup->sched_arg, s->sched);
	if (s->setup->named || sched_by_number(s->sched)) {
		s->busy = nodeset_create(s->setup->nodes);
		if (!s->busy)
			return why_set(s->why, s->why_size, PACT_ENOMEM, "out of memory");
	}
	while (next(s, &err))
		;
	s->totals.is_dynp = sched_dynp_view(s->sched, &s->totals.dynp) == PACT_OK;
	return err;
}

/* Of jobs that never ended: what they held goes with their outcome. */
static void release_work(struct simulation *s)
{
	for (size_t i = 0; s->work && i < s->w->count; i++) {
		if (!s->work[i])
			continue;
		work_advance(s->work[i], s->now);
		work_end(s->work[i]);
		s->out[i].history = s->work[i]->history;
		s->work[i]->history = NULL;
		work_destroy(s->work[i]);
	}
	free(s->work);
	for (size_t i = s->ending_next; i < s->ending_size; i++)
		nodeset_destroy(s->ending[i].left);
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
	release_work(&s);
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
		if (!out[i].nodes && !out[i].history)
			continue;
		nodeset_destroy(out[i].nodes);
		out[i].nodes = NULL;
		sim_history_destroy(out[i].history);
		out[i].history = NULL;
	}
}

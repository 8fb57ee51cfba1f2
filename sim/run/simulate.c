/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulate: see simulate.h. Four sources of events meet here: a heap of ends, the ends of parts on shared
 * nodes, the list of scripted events and the list of submissions. A free count (and, where nodes are named, the set of free
 * nodes) is kept beside the scheduler's own idea, and a start that does not fit is an error.
 */
#include "sim/run/simulate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/rng.h"
#include "common/why.h"
#include "core/kernel/engine.h"
#include "sim/run/simulate_change.h"
#include "sim/run/simulate_own.h"
#include "sim/run/slices.h"

/* Blocks are holds like jobs; their ids lie above those of all jobs. */
#define BLOCK_ID(index) ((UINT64_C(1) << 62) + (index))
#define PROGRESS_EVERY 256

const char *sim_state_name(enum sim_state state)
{
	static const char *const name[] = { "waiting", "running",   "completed", "killed",
					    "refused", "cancelled", "failed" };

	return name[state];
}

static bool is_shared(const struct sched_action *a)
{
	return a->share || a->nshares;
}

/* ---- jobs that share nodes ---- */

/* From now on there are some. */
static int begin_sharing(struct simulation *s)
{
	struct sim_shares *log = s->setup->shares ? s->setup->shares : &s->own;

	if (!s->shared)
		s->shared = timeshare_create(s->setup->nodes, s->setup->node,
					     s->setup->config.parts == PARTS_STEP, log);
	return s->shared ? PACT_OK : PACT_ENOMEM;
}

static int start_shared(struct simulation *s, const struct sched_action *a)
{
	struct sim_outcome *out = &s->out[a->id - 1];
	int err;

	if (s->now > SIM_SHARED_LAST)
		return sim_fail(s, PACT_EINVAL, "too late to count in microseconds", a->id);
	if (a->lost)
		return sim_fail(s, PACT_EPROTO, "a share of nodes, and time that is lost", a->id);
	err = begin_sharing(s);
	if (!err)
		err = timeshare_start(s->shared, (uint32_t)a->id - 1, &s->w->job[a->id - 1],
				      out->nodes, fine_now(s));
	if (err)
		return sim_shares_failed(s, err, a->id);
	out->shared = true;
	return sim_set_shares(s, a, out->nodes);
}

/* All that is on a node, at once. What has just left it, and is not told yet, may be among it. */
static int share_node(struct simulation *s, const struct sched_action *a)
{
	int err = s->shared && a->node < s->setup->nodes ? PACT_OK : PACT_ENOENT;

	for (uint32_t i = 0; i < a->nshares && !err; i++) {
		uint64_t id = a->ids[i];

		if (id < 1 || id > s->next_submit)
			return sim_fail(s, PACT_EPROTO, "has a share, but was not submitted", id);
		err = timeshare_set(s->shared, (uint32_t)id - 1, a->node, a->shares[i],
				    fine_now(s));
		if (err == PACT_ENOENT && sim_untold(s, id - 1))
			err = PACT_OK;
		if (err)
			return sim_shares_failed(s, err, id);
	}
	if (!err)
		err = timeshare_others(s->shared, a->node, a->ids, a->nshares, fine_now(s));
	return err ? sim_shares_failed(s, err, 0) : PACT_OK;
}

/* ---- starts ---- */

/* A start on whole nodes, but not at full rate from now on, or on more than its fewest; it has its place. */
static int start_work(struct simulation *s, const struct sched_action *a)
{
	struct work *w = sim_work_of(s, a->id - 1);

	if (!w)
		return sim_fail(s, PACT_ENOMEM, "out of memory", a->id);
	w->width = a->width;
	sim_occupy(s, w);
	return sim_work_changed(s, a->id - 1, a->lost);
}

static int start_plain(struct simulation *s, const struct sched_action *a)
{
	const struct sim_job *job = &s->w->job[a->id - 1];
	struct sim_outcome *out = &s->out[a->id - 1];

	s->free -= job->width;
	if (s->busy)
		nodeset_or(s->busy, out->nodes);
	if (ends_add(&s->ends, (struct end){ out->start + job->runtime, a->id - 1 }) != PACT_OK)
		return sim_fail(s, PACT_ENOMEM, "out of memory", a->id);
	return PACT_OK;
}

/* On the nodes that it has. */
static int start_running(struct simulation *s, const struct sched_action *a)
{
	const struct sim_job *job = &s->w->job[a->id - 1];

	if (is_shared(a))
		return start_shared(s, a);
	return a->lost || job->launch.start || a->width != job->width ? start_work(s, a)
								      : start_plain(s, a);
}

/* A job whose range is for its start gets what the plan can spare beside, where nodes have names. */
static int32_t start_width(const struct simulation *s, const struct sched_action *a)
{
	return a->width + (s->busy && s->w->job[a->id - 1].moldable ? a->spare : 0);
}

static int start_job(struct simulation *s, struct sched_action *a)
{
	struct sched_event ev = { .type = EV_STARTED, .id = a->id, .start = s->now };
	const struct sim_job *job;
	struct sim_outcome *out;
	int err;

	if (a->id < 1 || a->id > s->next_submit || s->out[a->id - 1].state != SIM_WAITING)
		return sim_fail(s, PACT_EPROTO, "started, but is not waiting", a->id);
	job = &s->w->job[a->id - 1];
	out = &s->out[a->id - 1];
	a->width = start_width(s, a);
	if (!workload_can_use(job, a->width))
		return sim_fail(s, PACT_EPROTO, "started on more or fewer nodes than it can use",
				a->id);
	if (!is_shared(a) && a->width > s->free)
		return sim_fail(s, PACT_EPROTO, "started on more nodes than are free", a->id);
	if (is_shared(a) && !s->busy)
		return sim_fail(s, PACT_EPROTO, "a share of nodes that have no names", a->id);
	if (s->busy) {
		out->nodes = sim_choose_nodes(s, job, a->width, a->allowed, NULL, is_shared(a));
		if (!out->nodes)
			return sim_fail(s, PACT_EPROTO,
					"started, but too few allowed nodes are free", a->id);
		ev.nodes = out->nodes;
	}
	out->artificial = sim_artificial(s->sched, &s->setup->config, a->id);
	s->waiting--;
	out->state = SIM_RUNNING;
	out->start = told_now(s);
	err = start_running(s, a);
	return err ? err : sim_feed(s, &ev);
}

static void note_decision(struct simulation *s, const struct sched_action *a)
{
	if (s->setup->decision)
		s->setup->decision[a->id - 1] = a->decision;
}

static int handle(struct simulation *s, struct sched_action *a)
{
	struct sim_outcome *out = NULL;

	if (a->type == ACT_WAKE) {
		s->wake = a->end;
		return PACT_OK;
	}
	if (a->type == ACT_POLICY)
		return PACT_OK; /* counted in the scheduler's view */
	if (a->type == ACT_LEARNED)
		return PACT_OK; /* nothing is kept over a run */
	if (a->type == ACT_START)
		return start_job(s, a);
	if (a->type >= ACT_SUSPEND && a->type <= ACT_SHARE)
		return sim_change_job(s, a);
	if (a->type == ACT_SHARES)
		return share_node(s, a);
	if (a->id < 1 || a->id > s->next_submit)
		return sim_fail(s, PACT_EPROTO, "named in an action, but not submitted", a->id);
	out = &s->out[a->id - 1];
	switch (a->type) {
	case ACT_ACCEPT:
		out->promised = !a->decision.expected;
		out->expected = a->decision.expected;
		out->chance = a->decision.chance;
		note_decision(s, a);
		break;
	case ACT_REFUSE:
		if (out->state != SIM_WAITING)
			return sim_fail(s, PACT_EPROTO, "refused, but is not waiting", a->id);
		s->again = s->setup->unpromised && a->decision.reason == REFUSE_DISABLED;
		if (s->again)
			break;
		out->state = SIM_REFUSED;
		out->chance = a->decision.chance;
		note_decision(s, a);
		s->waiting--;
		break;
	case ACT_BROKEN:
	case ACT_MENDED:
		out->broken = a->type == ACT_BROKEN;
		break;
	default:
		return sim_fail(s, PACT_EPROTO, "unknown action", a->id);
	}
	return PACT_OK;
}

/* Every action that follows from what was told. */
static int drain(struct simulation *s, uint64_t id)
{
	struct sched_action a;
	int err = PACT_OK;

	while (!err && sched_next(s->sched, &a))
		err = handle(s, &a);
	if (!err && *sched_error(s->sched))
		err = sim_fail(s, PACT_ENOMEM, sched_error(s->sched), id);
	if (s->waiting > s->totals.max_waiting)
		s->totals.max_waiting = s->waiting;
	return err;
}

/* Feed an event, then take what follows: one pass per event (doc/papers.md). */
static int step(struct simulation *s, struct sched_event *ev)
{
	int err = sim_feed(s, ev);

	return err ? err : drain(s, ev->id);
}

/*
 * All that is given back at the instant `at`, before anything follows from it or from an end then: the scheduler may count on
 * that, too. *told: something was.
 */
static int collect_leaves(struct simulation *s, int64_t at, bool *told)
{
	int err = PACT_OK;

	while (!err && s->leaves.n && s->leaves.v[0].at == at) {
		size_t job = s->leaves.v[0].job;
		struct work *w = work_at(s, job);
		struct sched_event ev = { .type = EV_RESIZED, .id = job + 1 };

		ends_take(&s->leaves);
		if (!w || notices_next(w->notices) > at)
			continue;
		err = sim_give_back(s, job);
		ev.nodes = w->nodes;
		ev.width = w->width;
		if (!err)
			err = sim_feed(s, &ev);
		*told = true;
	}
	return err;
}

/* The job leaves its nodes. */
static int leave(struct simulation *s, size_t job, enum sim_state state)
{
	struct sim_outcome *out = &s->out[job];
	struct work *w = work_at(s, job);

	out->state = state;
	out->end = told_now(s);
	if (out->shared) {
		if (timeshare_runs(s->shared, (uint32_t)job) &&
		    timeshare_leave(s->shared, (uint32_t)job, fine_now(s)) != PACT_OK)
			return sim_fail(s, PACT_ENOMEM, "out of memory", job + 1);
		return PACT_OK;
	}
	if (w) {
		work_advance(w, s->now);
		work_end(w);
		sim_vacate(s, w);
		out->history = w->history;
		out->notices = w->notices;
		w->history = NULL;
		w->notices = NULL;
		work_destroy(w);
		s->work[job] = NULL;
		return PACT_OK;
	}
	s->free += s->w->job[job].width;
	if (s->busy)
		nodeset_and_not(s->busy, out->nodes);
	return PACT_OK;
}

static enum sim_state ended(const struct simulation *s, size_t job)
{
	return s->w->job[job].killed ? SIM_KILLED : SIM_COMPLETED;
}

static int add_ending(struct simulation *s, struct ending e)
{
	if (s->ending_size == s->ending_room) {
		size_t room = s->ending_room ? 2 * s->ending_room : 64;
		struct ending *grown = realloc(s->ending, room * sizeof(*grown));

		if (!grown)
			return sim_fail(s, PACT_ENOMEM, "out of memory", e.job + 1);
		s->ending = grown;
		s->ending_room = room;
	}
	s->ending[s->ending_size++] = e;
	return PACT_OK;
}

/*
 * All jobs that end at the instant `at` leave their nodes before the first of the ends is told. The
 * scheduler may count on it: a hold that was planned to end now is free now.
 */
static int collect_ends(struct simulation *s, int64_t at)
{
	int err = PACT_OK;

	while (!err && s->ends.n && s->ends.v[0].at == at) {
		size_t job = s->ends.v[0].job;
		const struct work *w = work_at(s, job);

		ends_take(&s->ends);
		/*
		 * Cancelled and failed jobs have left before, and the end of others was moved; what was
		 * foreseen stays in the heap.
		 */
		if (s->out[job].state != SIM_RUNNING || (w && w->next != at))
			continue;
		err = add_ending(s, (struct ending){ job, NULL });
		if (!err)
			err = leave(s, job, ended(s, job));
	}
	return err;
}

/* What was told has its consequences with the first of the ends, or now if there is none. */
static int follow(struct simulation *s, bool told)
{
	return told && !s->ending_size ? drain(s, 0) : PACT_OK;
}

static int by_job(const void *a, const void *b)
{
	const struct ending *x = a, *y = b;

	return (x->job > y->job) - (x->job < y->job);
}

/* Likewise of the parts that are over at this microsecond. */
static int collect_parts(struct simulation *s)
{
	struct timeshare_end end;
	int err = PACT_OK;

	while (!err) {
		if (timeshare_end(s->shared, fine_now(s), &end) != PACT_OK)
			return sim_fail(s, PACT_ENOMEM, "out of memory", end.job + 1);
		if (!end.nodes)
			break;
		err = add_ending(s, (struct ending){ end.job, end.last ? NULL : end.nodes });
		if (end.last || err)
			nodeset_destroy(end.nodes);
		if (end.last && !err)
			err = leave(s, end.job, ended(s, end.job));
	}
	if (s->ending_size)
		qsort(s->ending, s->ending_size, sizeof(*s->ending), by_job);
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
	struct sched_job j;
	struct sched_event ev = { .type = EV_SUBMIT, .jobs = &j, .njobs = 1 };
	int err;

	workload_tell(job, s->next_submit, &j);
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

/* Has the job one of these at present? *err: no memory. */
static bool is_on(struct simulation *s, size_t job, const struct nodeset *nodes, int *err)
{
	const struct work *w = work_at(s, job);
	struct nodeset *shared;
	bool on;

	if (!s->out[job].shared)
		return nodeset_overlap(w ? w->nodes : s->out[job].nodes, nodes);
	shared = timeshare_nodes(s->shared, (uint32_t)job);
	if (!shared)
		*err = sim_fail(s, PACT_ENOMEM, "out of memory", job + 1);
	on = shared && nodeset_overlap(shared, nodes);
	nodeset_destroy(shared);
	return on;
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

		if (s->out[i].state != SIM_RUNNING || !is_on(s, i, e->nodes, &err))
			continue;
		err = leave(s, i, SIM_FAILED);
		if (!err)
			err = step(s, &finish);
	}
	return err;
}

static int cancel(struct simulation *s, size_t job)
{
	struct sched_event ev = { .type = EV_WITHDRAW, .id = job + 1 };

	if (s->out[job].state == SIM_RUNNING) {
		int err = leave(s, job, SIM_CANCELLED);

		ev.type = EV_FINISH;
		return err ? err : step(s, &ev);
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
	return sim_fail(s, PACT_EINVAL, "unknown kind of event", index);
}

/*
 * A scheduler asks for the end of an instant, and one that is made of two may have more to do about it, and ask again:
 * more often than this it will never come to an end.
 */
#define WAKES_AT_ONCE 100

static int wake_up(struct simulation *s)
{
	struct sched_event ev = { .type = EV_TIME };

	s->wakes_here = s->last_wake == s->now ? s->wakes_here + 1 : 0;
	s->last_wake = s->now;
	s->wake = PACT_FOREVER;
	if (s->wakes_here > WAKES_AT_ONCE)
		return why_set(s->why, s->why_size, PACT_EPROTO,
			       "time %" PRId64
			       ": the scheduler wants to be woken now, again and again",
			       s->now);
	return step(s, &ev);
}

/* Are parts over, not after the second `at`? */
static bool parts_by(const struct simulation *s, int64_t at)
{
	int64_t next = s->shared ? timeshare_next(s->shared) : PACT_FOREVER;

	return next != PACT_FOREVER && next / SIM_SECOND + (next % SIM_SECOND > 0) <= at;
}

static int take_parts(struct simulation *s)
{
	int64_t next = timeshare_next(s->shared);
	bool told = false;
	int err = PACT_OK;

	s->now = next / SIM_SECOND;
	s->fine = (int32_t)(next % SIM_SECOND);
	s->ending_size = s->ending_next = 0;
	if (!s->fine)
		err = collect_ends(s, s->now);
	if (!err && !s->fine)
		err = collect_leaves(s, s->now, &told);
	if (!err)
		err = collect_parts(s);
	return err ? err : follow(s, told);
}

/* Jobs end, or nodes are given back. */
static int take_ends(struct simulation *s, int64_t at)
{
	bool told = false;
	int err = collect_ends(s, at);

	if (!err)
		err = collect_leaves(s, at, &told);
	return err ? err : follow(s, told);
}

/* Before what comes after the time at which the setup wants to look. Parts end between seconds. */
static void look(struct simulation *s, int64_t next)
{
	int64_t part = s->shared ? timeshare_next(s->shared) / SIM_SECOND : PACT_FOREVER;

	if (!s->setup->look || s->looked || (part < next ? part : next) <= s->setup->look_at)
		return;
	s->looked = true;
	s->setup->look(s->setup->sched_arg, s->sched);
}

/* The next event of all; false when there is none. */
static bool next(struct simulation *s, int *err)
{
	int64_t end = s->ends.n ? s->ends.v[0].at : PACT_FOREVER;
	int64_t event = s->next_event < s->setup->nevents ? s->setup->event[s->next_event].at
							  : PACT_FOREVER;
	int64_t arrival =
		s->next_submit < s->w->count ? s->w->job[s->next_submit].submit : PACT_FOREVER;
	int64_t leave = s->leaves.n ? s->leaves.v[0].at : PACT_FOREVER;
	int64_t at = end < leave ? end : leave;

	if (s->ending_next < s->ending_size) {
		*err = tell_end(s);
		return !*err;
	}
	at = event < at ? event : at;
	at = arrival < at ? arrival : at;
	at = s->wake < at ? s->wake : at;
	look(s, at);
	if (parts_by(s, at)) {
		*err = take_parts(s);
		return !*err;
	}
	if (at == PACT_FOREVER)
		return false;
	if (at > s->now) {
		s->now = at;
		s->fine = 0;
	}
	s->ending_size = s->ending_next = 0;
	if (end == at || leave == at)
		*err = take_ends(s, at);
	else if (event == at)
		*err = scripted(s);
	else if (arrival == at)
		*err = submit(s);
	else
		*err = wake_up(s);
	return !*err;
}

static bool same_node(const struct sim_node *a, const struct sim_node *b)
{
	return a->rating == b->rating && a->processors == b->processors && a->memory == b->memory;
}

/* What nodes are like, one event for all that are alike; of ordinary ones nothing is said. */
static int tell_nodes(struct simulation *s)
{
	const struct sim_node *node = s->setup->node, plain = { 0 };
	struct nodeset *alike = nodeset_create(s->setup->nodes);
	struct nodeset *told = nodeset_create(s->setup->nodes);
	int err = alike && told ? PACT_OK : PACT_ENOMEM;

	for (uint32_t i = 0; i < s->setup->nodes && !err; i++) {
		struct sched_event ev = { .type = EV_NODES,
					  .nodes = alike,
					  .rating = node[i].rating,
					  .processors = node[i].processors,
					  .memory = node[i].memory };

		if (nodeset_test(told, i) || same_node(&node[i], &plain))
			continue;
		nodeset_clear(alike);
		for (uint32_t k = i; k < s->setup->nodes; k++)
			if (same_node(&node[k], &node[i]))
				nodeset_set(alike, k);
		nodeset_or(told, alike);
		err = sim_feed(s, &ev);
	}
	nodeset_destroy(alike);
	nodeset_destroy(told);
	return err;
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
		s->may = nodeset_create(s->setup->nodes);
		s->kept = nodeset_create(s->setup->nodes);
		if (!s->busy || !s->may || !s->kept)
			return why_set(s->why, s->why_size, PACT_ENOMEM, "out of memory");
	}
	if (s->setup->node)
		err = tell_nodes(s);
	while (!err && next(s, &err))
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
		s->out[i].notices = s->work[i]->notices;
		s->work[i]->history = NULL;
		s->work[i]->notices = NULL;
		work_destroy(s->work[i]);
	}
	free(s->work);
	for (size_t i = s->ending_next; i < s->ending_size; i++)
		nodeset_destroy(s->ending[i].left);
}

/* When the first thing happens; what nodes are like is told then. */
static int64_t first_time(const struct sim_setup *setup, const struct workload *w)
{
	int64_t job = w->count ? w->job[0].submit : PACT_FOREVER;
	int64_t event = setup->nevents ? setup->event[0].at : PACT_FOREVER;
	int64_t first = job < event ? job : event;

	return first == PACT_FOREVER ? 0 : first;
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
		.now = first_time(setup, w),
		.free = setup->nodes,
		.why = why,
		.why_size = size,
	};
	int err;

	rng_seed(&s.answers, setup->answers.seed, RNG_ANSWERS);
	for (size_t i = 0; i < w->count; i++)
		out[i] = (struct sim_outcome){ .start = -1, .end = -1 };
	if (setup->nevents && !setup->named)
		return why_set(why, size, PACT_EINVAL, "scripted events need named nodes");
	err = run(&s);
	release_work(&s);
	timeshare_destroy(s.shared);
	free(s.own.v);
	if (err)
		sim_outcome_release(out, w->count);
	if (totals)
		*totals = s.totals;
	if (s.sched && setup->finished)
		setup->finished(setup->sched_arg, s.sched);
	sched_destroy(s.sched);
	nodeset_destroy(s.busy);
	nodeset_destroy(s.may);
	nodeset_destroy(s.kept);
	free(s.ends.v);
	free(s.leaves.v);
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
		notices_destroy(out[i].notices);
		out[i].notices = NULL;
	}
}

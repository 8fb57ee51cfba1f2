/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state: see state.h. */
#include "core/gang/state.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"

/* ---- lists ---- */

int gang_room(struct gang *s, size_t n)
{
	size_t all = table_count(s->jobs) + n;

	if (matrix_reserve(s->matrix, all) < 0)
		return -1;
	if (all > s->queue_room) {
		if (array_grow(&s->queue, 2 * all, sizeof(*s->queue)) < 0)
			return -1;
		s->queue_room = 2 * all;
	}
	if (all > s->list_room) {
		if (array_grow(&s->list, 2 * all, sizeof(*s->list)) < 0 ||
		    array_grow(&s->rank, 2 * all, sizeof(*s->rank)) < 0)
			return -1;
		s->list_room = 2 * all;
	}
	return 0;
}

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->then != y->then)
		return x->then < y->then ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

void gang_sort(struct gang *s, size_t n)
{
	if (n > 1)
		qsort(s->rank, n, sizeof(*s->rank), by_rank);
	for (size_t i = 0; i < n; i++)
		s->list[i] = s->rank[i].job;
}

/* ---- jobs ---- */

void gang_job_destroy(struct job *j)
{
	if (!j)
		return;
	for (uint32_t i = 0; i < j->nalt; i++)
		nodeset_destroy(j->alt[i]);
	nodeset_destroy(j->required);
	nodeset_destroy(j->in.columns);
	nodeset_destroy(j->at);
	free(j);
}

/* The sets of nodes that it has or may have. */
static bool make_sets(const struct gang *s, struct job *j, const struct sched_job *from)
{
	for (uint32_t i = 0; i < from->nalt; i++) {
		/* a NULL alternative is all nodes */
		j->alt[i] = from->alt[i] ? nodeset_dup(from->alt[i]) : NULL;
		j->nalt++;
		if (from->alt[i] && !j->alt[i])
			return false;
	}
	j->required = from->required ? nodeset_dup(from->required) : NULL;
	j->in.columns = nodeset_create(s->nodes);
	j->at = nodeset_create(s->nodes);
	return (!from->required || j->required) && j->in.columns && j->at;
}

struct job *gang_job_make(const struct gang *s, const struct sched_job *from)
{
	struct job *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	j->in.id = from->id;
	j->in.submit = from->submit;
	j->in.memory = from->memory;
	j->in.width = from->width;
	j->in.whole = from->flags & JOB_WHOLE;
	j->in.fixed = from->flags & JOB_FIXED || from->required;
	j->in.leaves = from->flags & JOB_LEAVES;
	j->in.cost = from->migration;
	j->limit = j->left = from->limit;
	j->deadline = from->deadline;
	j->begin = from->begin;
	j->priority = from->priority;
	j->flags = from->flags;
	j->start = j->ran_until = -1;
	j->reserved_row = -1;
	j->unconfirmed = from->flags & JOB_UNCONFIRMED;
	if (make_sets(s, j, from))
		return j;
	gang_job_destroy(j);
	return NULL;
}

static void occupy(struct gang *s, const struct job *j)
{
	if (nodeset_overlap(s->busy, j->at)) {
		nodeset_copy(s->columns, s->busy);
		nodeset_and(s->columns, j->at);
		nodeset_or(s->twice, s->columns);
	}
	nodeset_or(s->busy, j->at);
}

/* Two on a node are an answer that went wrong, or jobs that a driver came up with. */
static void occupy_anew(struct gang *s)
{
	const struct job *j;

	nodeset_clear(s->busy);
	nodeset_clear(s->twice);
	for (size_t i = 0; (j = table_next(s->jobs, &i));) {
		if (j->runs)
			occupy(s, j);
	}
}

void job_set_runs(struct gang *s, struct job *j, bool runs)
{
	if (runs == j->runs)
		return;
	j->runs = runs;
	if (runs) {
		j->runs_since = s->now;
		occupy(s, j);
		return;
	}
	j->done += s->now - j->runs_since;
	if (!nodeset_overlap(s->twice, j->at))
		nodeset_and_not(s->busy, j->at);
	else
		occupy_anew(s);
}

bool nodes_busy(const struct gang *s, const struct nodeset *nodes)
{
	return nodeset_overlap(s->busy, nodes);
}

int64_t job_time(const struct gang *s, const struct job *j)
{
	int64_t rows = j->in.whole ? 1 : matrix_rows(s->matrix);

	return j->limit < PACT_END_OF_TIME / MATRIX_ROWS ? rows * j->limit : PACT_FOREVER;
}

int64_t time_after(int64_t from, int64_t time)
{
	return time > PACT_END_OF_TIME - from ? PACT_FOREVER : from + time;
}

int64_t job_until(const struct gang *s, const struct job *j)
{
	return j->until >= s->now ? j->until : s->now + s->config.lateness;
}

/* ---- the queue ---- */

bool comes_before(const struct gang *s, const struct job *a, const struct job *b)
{
	if (s->config.mode == SCHED_MODE_SLURM && a->priority != b->priority)
		return a->priority > b->priority;
	return a->in.submit != b->in.submit ? a->in.submit < b->in.submit : a->in.id < b->in.id;
}

void gang_enqueue(struct gang *s, struct job *j)
{
	size_t low = 0, high = s->queue_n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (comes_before(s, j, s->queue[mid]))
			high = mid;
		else
			low = mid + 1;
	}
	memmove(&s->queue[low + 1], &s->queue[low], (s->queue_n - low) * sizeof(*s->queue));
	s->queue[low] = j;
	s->queue_n++;
	s->failures |= j->failed;
	s->last_begin = j->begin > s->last_begin ? j->begin : s->last_begin;
}

void gang_dequeue(struct gang *s, struct job *j)
{
	size_t at = 0;

	while (at < s->queue_n && s->queue[at] != j)
		at++;
	if (at == s->queue_n)
		return;
	s->queue_n--;
	memmove(&s->queue[at], &s->queue[at + 1], (s->queue_n - at) * sizeof(*s->queue));
}

/* It is neither migrated nor pays for others; what has left its nodes is delayed still. */
static void job_drop(struct gang *s, struct job *j)
{
	job_settle(s, j);
	fares_drop(s->fares, &j->in, true);
	j->charged = 0;
	j->delayed = j->in.delay;
}

void job_withdraw(struct gang *s, struct job *j)
{
	gang_dequeue(s, j);
	if (j->in.placed)
		matrix_remove(s->matrix, &j->in);
	job_drop(s, j);
	j->in.moved = false;
	job_set_aside(s, j, false);
	job_set_runs(s, j, false);
	j->reserved_row = -1;
	if (s->asked == j)
		s->asked = NULL;
	/* its turn goes with it */
	for (size_t i = s->turn_next; i < s->turn_n; i++) {
		if (s->turn[i].job == j)
			s->turn[i].job = NULL;
	}
}

void job_remove(struct gang *s, struct job *j)
{
	job_withdraw(s, j);
	fares_drop(s->fares, &j->in, false);
	table_remove(s->jobs, j->in.id);
	gang_job_destroy(j);
}

/* ---- bounds, and jobs of an engine beside this one ---- */

int64_t slices_of(const struct gang *s, int64_t seconds)
{
	int64_t useful = s->config.slice - switch_cost(s);

	if (useful < 1 || seconds >= PACT_END_OF_TIME)
		return PACT_FOREVER;
	return (seconds + useful - 1) / useful;
}

int64_t cycles_time(const struct gang *s, int64_t cycles)
{
	int64_t cycle = matrix_rows(s->matrix) * s->config.slice;

	return cycles < PACT_END_OF_TIME / cycle ? cycles * cycle : PACT_FOREVER;
}

bool runs_on(const struct gang *s, const struct job *j)
{
	return j->in.whole || !has_slices(s);
}

/* All that migrations cost it, of its own time or by others' delay. */
static int64_t cost_of(const struct job *j)
{
	return j->in.owed + j->in.delay;
}

/* What a driver takes to end a job at its limit, the guard, passes while it runs, as its limit does. */
static int64_t bound_after(const struct gang *s, const struct job *j, int64_t more)
{
	int64_t time = time_after(time_after(j->left, cost_of(j)), s->config.guard);
	int64_t slices = slices_of(s, time);

	if (s->config.cut != CUT_KEEP && has_slices(s))
		return PACT_FOREVER;
	if (runs_on(s, j))
		return time < PACT_END_OF_TIME ? time_after(s->now, time + switch_cost(s))
					       : PACT_FOREVER;
	return slices == PACT_FOREVER ? slices : time_after(s->now, cycles_time(s, slices + more));
}

/* Where there is a guard it counts a cycle more: what a driver loses that was away, or counts in whole seconds. */
int64_t job_bound(const struct gang *s, const struct job *j)
{
	return bound_after(s, j, s->config.guard ? 2 : 1);
}

int64_t back_wait(const struct gang *s)
{
	return s->config.discrete ? s->config.slice : 0;
}

void job_bind_back(struct job *j, int64_t back)
{
	j->bound = back == PACT_FOREVER ? back : time_after(back, j->rest);
	j->until = back == PACT_FOREVER ? back : time_after(back, j->foreseen);
}

void job_bind_aside(const struct gang *s, struct job *j)
{
	j->rest = j->bound == PACT_FOREVER ? j->bound : time_after(j->bound - s->now, back_wait(s));
	job_bind_back(j, j->yields_until);
}

static void bind_to(const struct gang *s, struct job *j, int64_t bound)
{
	j->bound = bound;
	j->charged = j->in.owed;
	j->delayed = j->in.delay;
	if (j->in.yields)
		job_bind_aside(s, j);
}

/* So much of its limit is left to run, and of what it is to pay with its time. */
static int64_t left_to_run(const struct gang *s, const struct job *j)
{
	return j->limit - j->done - (j->runs ? s->now - j->runs_since : 0) + cost_of(j);
}

/* The next slice of its home row, the one under way excepted. */
static int64_t next_at_home(const struct gang *s, const struct job *j)
{
	uint32_t rows = matrix_rows(s->matrix), k = (j->in.home + rows - row_now(s)) % rows;

	return s->slice_end + ((k ? k : rows) - 1) * s->config.slice;
}

/* Is its end known by the turns that it has? */
static bool has_own_turns(const struct gang *s, const struct job *j)
{
	return j->in.placed && !j->in.yields && !j->stopped && s->slicing && !runs_on(s, j) &&
	       switch_cost(s) < s->config.slice && j->limit < PACT_END_OF_TIME;
}

/* If it loses so much and does `rest` at once, and has the slices of its home row after that, and no replica's. 0: not known. */
static int64_t end_at_home(const struct gang *s, const struct job *j, int64_t lost, int64_t rest)
{
	int64_t left, useful = s->config.slice - switch_cost(s), slices;

	if (!has_own_turns(s, j))
		return 0;
	left = left_to_run(s, j) + lost - rest;
	if (left <= 0)
		return 0;
	slices = (left - 1) / useful;
	return time_after(time_after(next_at_home(s, j), cycles_time(s, slices)),
			  left - slices * useful + switch_cost(s));
}

void job_outlasts(const struct gang *s, struct job *j)
{
	bool goes_on = s->settling && matrix_has(&j->in, row_now(s));
	int64_t end = end_at_home(s, j, 0, goes_on ? s->slice_end - s->now : 0);

	if (end > j->bound)
		j->bound = end;
}

bool job_may_stray(const struct gang *s, const struct job *j)
{
	int64_t cost = switch_cost(s), end = cost ? end_at_home(s, j, cost, 0) : 0;

	return end <= j->bound || !reaches_promise(s, j->in.columns, end);
}

void job_bind(const struct gang *s, struct job *j)
{
	bind_to(s, j, job_bound(s, j));
}

void job_bind_left(const struct gang *s, struct job *j)
{
	bind_to(s, j, bound_after(s, j, 1));
}

/* A bound that has come says nothing, nor does one of a job that had no turns, as it was stopped by hand. */
void job_count_left(const struct gang *s, struct job *j)
{
	int64_t time = j->in.yields ? j->rest : j->bound - s->now,
		cycle = matrix_rows(s->matrix) * s->config.slice;
	int64_t useful = s->config.slice - switch_cost(s), left = time;

	if (j->start < 0 || j->stopped || j->bound == PACT_FOREVER || time <= 0 || useful < 1)
		return;
	if (!runs_on(s, j))
		left = (time + cycle - 1) / cycle * useful;
	left = left > s->config.guard ? left - s->config.guard : 1;
	j->left = left < j->left ? left : j->left;
}

bool moves_bounds(const struct gang *s, const struct sched_config *config)
{
	const struct sched_config *c = &s->config;

	return rows_of(s->kind, config) != matrix_rows(s->matrix) || config->slice != c->slice ||
	       config->switch_cost != c->switch_cost || config->cut != c->cut ||
	       config->guard != c->guard || config->discrete != c->discrete;
}

/* So many seconds, of the job's running time, are that much by the clock. */
static int64_t cost_time(const struct gang *s, const struct job *j, int64_t seconds)
{
	int64_t slices = slices_of(s, seconds);

	if (runs_on(s, j))
		return seconds;
	return slices == PACT_FOREVER ? slices : cycles_time(s, slices);
}

/*
 * What it owes is paid at once: as long as it is not, all of that is in the bound, and can be taken out of it. Delays end one
 * by one, and what they were rounded up to may be in use for the others: only whole slices are taken out.
 */
void job_charged(const struct gang *s, struct job *j)
{
	int64_t more = j->in.delay - j->delayed, useful = s->config.slice - switch_cost(s);
	int64_t earlier, later;

	if (j->in.owed == j->charged && !more)
		return;
	earlier = cost_time(s, j, j->charged);
	later = cost_time(s, j, j->in.owed);
	if (more > 0)
		later = time_after(later, cost_time(s, j, more));
	else if (useful > 0)
		earlier += cost_time(s, j, runs_on(s, j) ? -more : -more / useful * useful);
	j->charged = j->in.owed;
	j->delayed = j->in.delay;
	if (j->bound != PACT_FOREVER)
		j->bound = time_after(j->bound - earlier, later);
}

static void all_charged(struct gang *s)
{
	for (size_t i = 0; i < matrix_jobs(s->matrix); i++)
		job_charged(s, job_of(matrix_job(s->matrix, i)));
}

void job_pay(struct gang *s, struct job *j)
{
	fares_pay(s->fares, &j->in);
	j->charged = 0;
	j->delayed = j->in.delay;
}

void job_refund(struct gang *s, struct job *j)
{
	if (!j->in.moved || !fares_count(s->fares))
		return;
	fares_refund(s->fares, &j->in);
	all_charged(s);
}

/* Delays that have been are in the bounds for good. */
void job_settle(struct gang *s, struct job *j)
{
	if (!j->in.moved)
		return;
	fares_settle(s->fares, &j->in);
	for (size_t i = 0; j->in.leaves && i < matrix_jobs(s->matrix); i++) {
		struct job *k = job_of(matrix_job(s->matrix, i));

		k->delayed = k->in.delay < k->delayed ? k->in.delay : k->delayed;
	}
}

/* Is it taken by a job of an engine beside this one, now or later? */
static bool is_promised(const struct gang *s, const struct held *x)
{
	return !x->block && x->start >= s->now;
}

bool reaches_promise(const struct gang *s, const struct nodeset *nodes, int64_t bound)
{
	const struct held *x;

	for (size_t i = 0; (x = table_next(s->holds, &i));) {
		if (is_promised(s, x) && x->start < bound && nodeset_overlap(x->nodes, nodes))
			return true;
	}
	return false;
}

const struct nodeset *nodes_promised(struct gang *s)
{
	const struct held *x;
	bool any = false;

	for (size_t i = 0; (x = table_next(s->holds, &i));) {
		if (!is_promised(s, x))
			continue;
		if (!any)
			nodeset_clear(s->promised);
		nodeset_or(s->promised, x->nodes);
		any = true;
	}
	return any ? s->promised : NULL;
}

/* ---- jobs that are where they are ---- */

void job_set_aside(struct gang *s, struct job *j, bool aside)
{
	if (aside == j->aside)
		return;
	j->aside = aside;
	s->aside_n = aside ? s->aside_n + 1 : s->aside_n - 1;
	matrix_bear(s->matrix, &j->in, j->at, aside ? 1 : -1);
}

/* ---- nodes ---- */

/* Does it keep its nodes from a job that is placed now? `clean`: one that does better without what it might wait for. */
static bool hold_closes(const struct gang *s, const struct held *x, bool clean)
{
	return !hold_lingers(s, x) || (clean && hold_is_slow(s, x));
}

/* s->closed: where jobs have started, and lost their row; what has not started comes after them. False: there are none. */
static bool close_asides(struct gang *s)
{
	const struct job *j;

	if (!s->aside_n)
		return false;
	nodeset_clear(s->closed);
	for (size_t i = 0; (j = table_next(s->jobs, &i));) {
		if (j->aside)
			nodeset_or(s->closed, j->at);
	}
	return true;
}

const struct nodeset *nodes_closed(struct gang *s, int64_t until, int64_t bound, bool clean)
{
	const struct held *x;
	bool any = close_asides(s);

	for (size_t i = 0; (x = table_next(s->holds, &i));) {
		if (x->start >= (x->block ? until : bound) || !hold_closes(s, x, clean))
			continue;
		if (!any)
			nodeset_clear(s->closed);
		nodeset_or(s->closed, x->nodes);
		any = true;
	}
	return any ? s->closed : NULL;
}

const struct nodeset *nodes_lost(struct gang *s)
{
	const struct held *x;
	bool any = false;

	for (size_t i = 0; (x = table_next(s->holds, &i));) {
		if (!x->block || x->start > s->now || x->end < PACT_FOREVER)
			continue;
		if (!any)
			nodeset_clear(s->closed);
		nodeset_or(s->closed, x->nodes);
		any = true;
	}
	return any ? s->closed : NULL;
}

/* ---- news ---- */

void gang_put_off(const struct gang *s, struct job *j, bool nodes)
{
	j->failed = true;
	j->retry = nodes ? s->now : s->now + (INT64_C(1) << j->fails);
	j->fails += j->fails < PUT_OFF_MOST;
}

void gang_hope(struct gang *s)
{
	for (size_t i = 0; s->failures && i < s->queue_n; i++)
		s->queue[i]->retry = 0;
}

/*
 * For a try it is given a place, and what runs there with a replica is stopped. Of one that goes on being refused, for a limit of
 * its user's, say, there is no more than one in a slice, at its beginning; and those behind it have their chance after that.
 */
static bool waits_for_slice(const struct gang *s, const struct job *j)
{
	return j->fails > 1 && s->slicing && has_slices(s);
}

static bool is_put_off(const struct gang *s, const struct job *j)
{
	return j->retry > s->now || (waits_for_slice(s, j) && s->slice_start != s->now);
}

void gang_forget_failures(struct gang *s)
{
	bool left = false;

	for (size_t i = 0; s->failures && i < s->queue_n; i++) {
		struct job *j = s->queue[i];

		if (j->failed && is_put_off(s, j)) {
			left = true;
			continue;
		}
		s->due |= j->failed;
		j->failed = false;
	}
	s->failures = left;
}

int64_t gang_next_try(const struct gang *s)
{
	int64_t at = PACT_FOREVER;

	for (size_t i = 0; s->failures && i < s->queue_n; i++) {
		const struct job *j = s->queue[i];

		if (!j->failed || !j->fails || waits_for_slice(s, j))
			continue;
		if (j->retry <= s->now)
			return s->now + 1;
		at = j->retry < at ? j->retry : at;
	}
	return at;
}

void gang_news(struct gang *s)
{
	s->later = s->settled_at == s->now;
	s->due = true;
	s->over = false;
	s->settling &= s->later;
	gang_forget_failures(s);
}

bool is_settled(const struct gang *s)
{
	return s->later && s->settled_at == s->now;
}

/* ---- slices ---- */

uint32_t rows_of(const struct gang_kind *kind, const struct sched_config *config)
{
	return kind->one_row ? 1 : (uint32_t)config->rows;
}

int64_t switch_cost(const struct gang *s)
{
	/* four decimals */
	return s->kind->one_row ? 0 : (s->config.slice * s->config.switch_cost + 5000) / 10000;
}

bool has_slices(const struct gang *s)
{
	return matrix_rows(s->matrix) > 1 || s->config.discrete;
}

void slice_begin(struct gang *s)
{
	s->slice++;
	s->slicing = true;
	s->slice_start = s->now;
	s->slice_end = s->now + s->config.slice;
	s->quota = s->config.migration_quota;
}

void slice_prolong(struct gang *s)
{
	s->slice_end = s->now + s->config.slice;
	s->quota = s->config.migration_quota;
}

/*
 * Would the jobs that no row has room for fill a row? With fewer the load is low, and what counts is how soon a row has
 * its turn. What can never be in the matrix reserves nothing.
 */
static bool is_short_of_room(const struct gang *s)
{
	uint64_t width = 0;

	for (size_t i = 0; i < s->queue_n && width < s->nodes; i++)
		width += s->queue[i]->reserved_row >= 0 ? (uint64_t)s->queue[i]->in.width : 0;
	return width >= s->nodes;
}

bool slice_stays(const struct gang *s)
{
	int64_t time = s->now - s->slice_start;

	/* four decimals */
	return s->kind->stays && matrix_rows(s->matrix) > 1 && time < PACT_END_OF_TIME / 10000 &&
	       switch_cost(s) * 10000 > s->config.switch_loss * time && is_short_of_room(s);
}

uint32_t row_now(const struct gang *s)
{
	return (uint32_t)((s->slice < 0 ? 0 : s->slice) % matrix_rows(s->matrix));
}

int64_t first_whole(const struct gang *s)
{
	return s->slicing && s->slice_start == s->now ? s->slice : s->slice + 1;
}

/* ---- rows for short jobs ---- */

uint32_t rows_for(const struct gang *s, const struct job *j)
{
	uint32_t rows = matrix_rows(s->matrix), kept = 0;

	if (j->in.whole || !s->kind->keeps)
		return rows;
	while (kept < (uint32_t)s->config.short_rows && kept + 1 < rows &&
	       j->limit > s->config.short_time << kept)
		kept++;
	return rows - kept;
}

/* ---- jobs without a row ---- */

size_t list_aside(struct gang *s)
{
	struct job *j;
	size_t n = 0;

	/* as comes_before() has it */
	for (size_t i = 0; s->aside_n && (j = table_next(s->jobs, &i));) {
		int64_t key = s->config.mode == SCHED_MODE_SLURM ? ~j->priority : 0;

		if (j->aside)
			s->rank[n++] = (struct ranked){ key, j->in.submit, j->in.id, j };
	}
	gang_sort(s, n);
	return n;
}

/* ---- nodes that others hold ---- */

bool hold_overdue(const struct gang *s, const struct held *x)
{
	return x->block && x->end <= s->now;
}

int64_t hold_lingers_until(const struct gang *s, const struct held *x)
{
	int64_t lateness = s->config.lateness, slice = s->config.slice;

	return x->end + (lateness < slice ? lateness : slice);
}

bool hold_lingers(const struct gang *s, const struct held *x)
{
	return hold_overdue(s, x) && s->now < hold_lingers_until(s, x);
}

bool hold_is_slow(const struct gang *s, const struct held *x)
{
	return hold_lingers(s, x) && s->now - x->end >= SLOW_TO_CLEAN;
}

bool any_is_slow(const struct gang *s)
{
	const struct held *x;

	for (size_t i = 0; (x = table_next(s->holds, &i));) {
		if (hold_is_slow(s, x))
			return true;
	}
	return false;
}

bool nodes_linger(const struct gang *s, const struct nodeset *nodes)
{
	const struct held *x;

	for (size_t i = 0; (x = table_next(s->holds, &i));) {
		if (hold_lingers(s, x) && nodeset_overlap(x->nodes, nodes))
			return true;
	}
	return false;
}

bool job_ends_before(const struct gang *s, const struct job *j, const struct held *x)
{
	return x->start > s->now && (x->block ? j->until : j->bound) <= x->start;
}

bool job_in_the_way(const struct gang *s, const struct job *j, const struct held *x)
{
	return j->start < 0 && s->asked != j && !job_ends_before(s, j, x) &&
	       nodeset_overlap(j->in.columns, x->nodes);
}

bool job_has_way(const struct gang *s, const struct job *j)
{
	const struct held *x;

	for (size_t i = 0; (x = table_next(s->holds, &i));) {
		/* for a promise it may be set aside, and keeps its place */
		if ((x->block || !s->config.aside) && !hold_overdue(s, x) &&
		    job_in_the_way(s, j, x))
			return false;
	}
	return true;
}

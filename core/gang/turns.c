/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * turns: what runs becomes what should, when an instant is over. Jobs that leave are suspended first, then those with
 * other columns are migrated, then jobs are resumed, then started. A job that runs on but has to be migrated, or
 * pays for a migration, is suspended and resumed.
 *
 * One that is asked to leave its nodes (JOB_LEAVES) has to run there, and has the turn of its home row for that before
 * the jobs that are to have these nodes: it is resumed before them, and asked last of all.
 */
#include <string.h>

#include "core/base/array.h"
#include "core/gang/state.h"

static bool may_run(const struct gang *s, const struct job *j)
{
	return s->slicing && j->in.placed && !j->in.yields && !j->stopped;
}

/* Do others have its nodes, in its turn, until they have left? A whole job would not give them back for that. */
static bool has_to_wait(const struct gang *s, const struct job *j)
{
	if (!s->leavers)
		return false;
	return nodeset_overlap(s->leaving, j->in.columns) ||
	       (j->in.whole && j->start < 0 && nodeset_overlap(s->to_leave, j->in.columns));
}

/* Would it be switched to for less than a slice, or as a replica, which may be taken from it at any time, and must not? */
static bool is_spared(const struct gang *s, const struct job *j, uint32_t row)
{
	bool own = row == j->in.home && s->slice_start == s->settled_at;

	return !j->runs && !own && j->ran_until != s->settled_at && !job_may_stray(s, j);
}

bool begins_late(const struct gang *s, const struct job *j, int64_t at)
{
	/* what its nodes take to be clean, and what else delays a start, must not cost it turn after turn */
	int64_t slice = s->config.slice,
		delay = slice / 2 < SLOW_TO_CLEAN ? slice / 2 : SLOW_TO_CLEAN, most = slice - delay,
		time = s->config.launch_time < most ? s->config.launch_time : most;

	return j->start < 0 && s->slicing && has_slices(s) && time > 0 &&
	       s->slice_end - at < time &&
	       !matrix_has(&j->in, (row_now(s) + 1) % matrix_rows(s->matrix));
}

int64_t next_turn(const struct gang *s, const struct job *j)
{
	uint32_t rows = matrix_rows(s->matrix), row = row_now(s);
	uint64_t in = turn_rows(j);

	if (j->in.yields)
		return j->yields_until > s->now ? j->yields_until : s->now;

	if (!s->slicing || !has_slices(s))
		return s->now;
	if (in >> row & 1 && !begins_late(s, j, s->now))
		return s->now;
	for (uint32_t k = 1; k <= rows; k++) {
		if (in >> (row + k) % rows & 1)
			return s->slice_end + (k - 1) * s->config.slice;
	}
	return s->now;
}

/* Should its tasks run now, in the turn of that row? */
static bool has_turn(const struct gang *s, const struct job *j, uint32_t row)
{
	if (is_to_leave(j))
		return row == j->in.home && may_run(s, j);
	return matrix_has(&j->in, row) && may_run(s, j) && !has_to_wait(s, j) &&
	       !is_spared(s, j, row) && !begins_late(s, j, s->settled_at);
}

/* Where they are as long as they run, or are to run. */
static void find_leaving(struct gang *s, uint32_t row)
{
	nodeset_clear(s->leaving);
	nodeset_clear(s->to_leave);
	s->leavers = false;
	for (size_t i = 0; i < matrix_jobs(s->matrix); i++) {
		const struct job *j = job_of(matrix_job(s->matrix, i));

		if (!is_to_leave(j) || j->stopped)
			continue;
		s->leavers = true;
		nodeset_or(s->to_leave, j->at);
		if (has_turn(s, j, row))
			nodeset_or(s->leaving, j->at);
	}
}

/* One that runs: what its migrations cost is paid by running later, or by an interruption. */
static bool has_to_pause(const struct job *j, bool turn)
{
	return !turn || j->in.moved || j->in.owed > 0;
}

/* Of each kind those found so far, in order of placement; the kinds follow each other. */
enum { LEAVES, MIGRATES, RESUMES_TO_LEAVE, RESUMES, STARTS, ASKED, KINDS };

struct found {
	struct turn *turn;
	size_t n;
};

static void add(struct found *f, enum sched_action_type type, struct job *j)
{
	f->turn[f->n++] = (struct turn){ type, j };
}

/* Those that run without a place in the matrix: they are few. */
static void add_aside(struct gang *s, struct found *f)
{
	size_t n = list_aside(s);

	for (size_t i = 0; i < n; i++) {
		if (s->list[i]->runs)
			add(f, ACT_SUSPEND, s->list[i]);
	}
}

static void add_leaver(struct found *f, struct job *j, bool turn)
{

	if (j->runs && !turn)
		add(&f[LEAVES], ACT_SUSPEND, j);
	if (!j->runs && turn)
		add(&f[RESUMES_TO_LEAVE], ACT_RESUME, j);
	if (turn && !j->leaving)
		add(&f[ASKED], ACT_MIGRATE, j);
}

/*
 * It may be about to have its nodes. In its own slice it loses what it waits, and has one slice less by its bound: unless a
 * promise would be in the way then, it waits all the same.
 */
static bool waits_for_nodes(const struct gang *s, struct job *j, uint32_t row)
{
	int64_t bound;

	if (!nodes_linger(s, j->in.columns))
		return false;
	if (row != j->in.home || s->slice_start != s->settled_at)
		return true;
	bound = job_bound(s, j);
	if (reaches_promise(s, j->in.columns, bound))
		return false;
	j->bound = bound;
	return true;
}

static void add_placed(struct gang *s, struct found *f, struct job *j, uint32_t row)
{
	bool turn = has_turn(s, j, row), pauses = j->runs && has_to_pause(j, turn);

	if (!turn && !j->runs && !j->in.moved)
		return; /* it is so with most */
	if (is_to_leave(j)) {
		add_leaver(f, j, turn);
		return;
	}
	if (pauses)
		add(&f[LEAVES], ACT_SUSPEND, j);
	if (j->start < 0 && j->in.moved) {
		job_settle(s, j);
		j->in.moved = false;
	}
	if (j->in.moved)
		add(&f[MIGRATES], ACT_MIGRATE, j);
	if (turn && j->start >= 0 && (!j->runs || pauses))
		add(&f[RESUMES], ACT_RESUME, j);
	if (turn && j->start < 0 && !waits_for_nodes(s, j, row))
		add(&f[STARTS], ACT_START, j);
}

int turns_list(struct gang *s)
{
	size_t n = matrix_jobs(s->matrix), each = n + s->aside_n;
	uint32_t row = row_now(s);
	struct found found[KINDS];

	if (KINDS * each > s->turn_room) {
		if (array_grow(&s->turn, 2 * KINDS * each, sizeof(*s->turn)) < 0)
			return -1;
		s->turn_room = 2 * KINDS * each;
	}
	s->turn_n = s->turn_next = 0;
	s->stopped = false;
	s->settled_at = s->now;
	find_leaving(s, row);
	for (size_t k = 0; k < KINDS; k++)
		found[k] = (struct found){ s->turn ? s->turn + k * each : NULL, 0 };
	add_aside(s, &found[LEAVES]);
	for (size_t i = 0; i < n; i++)
		add_placed(s, found, job_of(matrix_job(s->matrix, i)), row);
	for (size_t k = 0; k < KINDS; k++) {
		if (found[k].n)
			memmove(&s->turn[s->turn_n], found[k].turn, found[k].n * sizeof(*s->turn));
		s->turn_n += found[k].n;
	}
	return 0;
}

/* What begins to run now, and did not run just before, loses a switch. */
static int64_t lost_of(const struct gang *s, const struct job *j)
{
	return j->in.owed + (j->ran_until == s->settled_at ? 0 : switch_cost(s));
}

/* Is it still to be done? A refusal before may be in its way. */
static bool is_due(const struct gang *s, const struct turn *t)
{
	const struct job *j = t->job;

	if (!j)
		return false;
	switch (t->type) {
	case ACT_SUSPEND:
		return j->runs;
	case ACT_MIGRATE:
		return j->in.moved && (is_to_leave(j) ? j->runs && !j->leaving : !j->runs);
	default:
		return !j->runs && (!j->in.moved || is_to_leave(j)) && has_turn(s, j, row_now(s)) &&
		       !nodes_busy(s, is_to_leave(j) ? j->at : j->in.columns);
	}
}

bool turns_next(struct gang *s, struct sched_action *a)
{
	while (s->turn_next < s->turn_n) {
		const struct turn *t = &s->turn[s->turn_next++];
		struct job *j = t->job;

		if (!is_due(s, t))
			continue;
		*a = (struct sched_action){ .type = t->type, .id = j->in.id };
		if (t->type == ACT_RESUME || t->type == ACT_START)
			a->lost = lost_of(s, j);
		if (t->type == ACT_MIGRATE || t->type == ACT_START) {
			a->width = j->in.width;
			a->allowed = j->in.columns;
			a->exact = true;
		}
		if (t->type == ACT_START) {
			a->alt = j->chosen;
			a->limit = j->limit;
		}
		a->follows = s->turn_next < s->turn_n && s->turn[s->turn_next].job &&
			     s->turn[s->turn_next].type != ACT_MIGRATE &&
			     s->turn[s->turn_next].type != ACT_START;
		s->asked = j;
		s->asked_for = t->type;
		s->asked_lost = a->lost;
		return true;
	}
	return false;
}

void turns_done(struct gang *s)
{
	uint32_t row = row_now(s);

	s->settling = false;
	s->unsettled = false;
	if (!s->slicing || s->slice_start != s->settled_at)
		return;
	for (size_t i = 0; i < matrix_jobs(s->matrix); i++) {
		struct job *j = job_of(matrix_job(s->matrix, i));

		if (j->runs && has_turn(s, j, row))
			j->in.last = s->slice;
	}
}

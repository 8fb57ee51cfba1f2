/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ref_sched: see ref_sched.h. Plain on purpose. */
#include "testsuite/unit/ref_sched.h"

int ref_free_at(const struct ref *r, int64_t t)
{
	int free = r->c->nodes;

	for (size_t i = 0; i < r->n; i++) {
		const struct ref_job *j = &r->job[i];
		int64_t from = j->running ? j->start : j->planned;

		if ((j->running || (j->submitted && !j->done && j->planned >= 0)) && from <= t &&
		    t < from + j->estimate)
			free -= j->width;
	}
	return free;
}

/* Capacity drops only where a planned job starts: look there and at the beginning. */
bool ref_fits(const struct ref *r, const struct ref_job *j, int64_t start)
{
	if (ref_free_at(r, start) < j->width)
		return false;
	for (size_t i = 0; i < r->n; i++) {
		int64_t t = r->job[i].planned;

		if (r->job[i].submitted && !r->job[i].running && !r->job[i].done && t > start &&
		    t < start + j->estimate && ref_free_at(r, t) < j->width)
			return false;
	}
	return true;
}

/* The earliest start is now or where some job's nodes come back. */
int64_t ref_earliest(const struct ref *r, const struct ref_job *j)
{
	int64_t best = -1;

	if (ref_fits(r, j, r->now))
		return r->now;
	for (size_t i = 0; i < r->n; i++) {
		const struct ref_job *o = &r->job[i];
		int64_t from = o->running ? o->start : o->planned;
		int64_t t = from + o->estimate;

		if (!o->submitted || o->done || from < 0 || t <= r->now || (best >= 0 && t >= best))
			continue;
		if (ref_fits(r, j, t))
			best = t;
	}
	return best;
}

static void start(struct ref *r, struct ref_job *j)
{
	j->running = true;
	j->planned = -1;
	j->start = r->now;
	j->end = r->now + j->runtime;
}

static bool waits(const struct ref_job *j)
{
	return j->submitted && !j->running && !j->done && !j->refused;
}

/* The waiting jobs in the queue's order; how many. */
static size_t in_turn(const struct ref *r, size_t *list)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		size_t k = n;

		if (!waits(&r->job[i]))
			continue;
		for (; k > 0 && r->job[list[k - 1]].priority < r->job[i].priority; k--)
			list[k] = list[k - 1];
		list[k] = i;
		n++;
	}
	return n;
}

static void fcfs_pass(struct ref *r)
{
	size_t list[r->n];
	size_t n = in_turn(r, list);

	for (size_t i = 0; i < n; i++) {
		if (ref_free_at(r, r->now) < r->job[list[i]].width)
			return;
		start(r, &r->job[list[i]]);
	}
}

/* When the estimates of running jobs leave enough nodes for the head, and how many more. */
static int64_t shadow(const struct ref *r, const struct ref_job *head, int *extra)
{
	int64_t time = INT64_MAX;

	for (size_t i = 0; i < r->n; i++) {
		const struct ref_job *j = &r->job[i];

		if (j->running && j->start + j->estimate < time &&
		    ref_free_at(r, j->start + j->estimate) >= head->width)
			time = j->start + j->estimate;
	}
	*extra = ref_free_at(r, time) - head->width;
	return time;
}

static void easy_pass(struct ref *r)
{
	size_t list[r->n];
	size_t n = in_turn(r, list), i = 0;
	int64_t time;
	int extra;

	for (; i < n; i++) {
		if (ref_free_at(r, r->now) < r->job[list[i]].width)
			break;
		start(r, &r->job[list[i]]);
	}
	if (i == n)
		return;
	time = shadow(r, &r->job[list[i]], &extra);
	for (i++; i < n; i++) {
		struct ref_job *j = &r->job[list[i]];

		if (ref_free_at(r, r->now) < j->width)
			continue;
		if (r->now + j->estimate <= time) {
			start(r, j);
		} else if (j->width <= extra) {
			extra -= j->width;
			start(r, j);
		}
	}
}

size_t ref_by_planned(const struct ref *r, size_t *list)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		size_t k = n;

		if (!waits(&r->job[i]) || r->job[i].planned < 0)
			continue;
		for (; k > 0 && r->job[list[k - 1]].planned > r->job[i].planned; k--)
			list[k] = list[k - 1];
		list[k] = i;
		n++;
	}
	return n;
}

/* Once through all of them, and a job may only move to an earlier start. */
static void compress(struct ref *r, bool by_start)
{
	size_t list[r->n];
	size_t n = by_start ? ref_by_planned(r, list) : in_turn(r, list);

	for (size_t k = 0; k < n; k++) {
		struct ref_job *j = &r->job[list[k]];
		int64_t was = j->planned, t;

		j->planned = -1;
		t = ref_earliest(r, j);
		j->planned = t >= 0 && t < was ? t : was;
	}
}

static void start_due(struct ref *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (waits(&r->job[i]) && r->job[i].planned >= 0 && r->job[i].planned <= r->now)
			start(r, &r->job[i]);
}

/* QoPS, section 4.2, and doc/design.md: without a deadline no job is refused. */
static void deadline_submit(struct ref *r, enum ref_kind kind, size_t i)
{
	struct ref_job *j = &r->job[i];
	int64_t relaxed = j->estimate * r->c->relax_milli / 1000;

	j->due = j->submit + (relaxed > r->c->min_artificial ? relaxed : r->c->min_artificial);
	if (j->deadline)
		j->due = j->deadline;
	if (kind == REF_MSB   ? ref_figure1(r, i)
	    : kind == REF_MRT ? ref_figure2(r, i)
			      : ref_figure3(r, i)) {
		j->promised = j->deadline != 0;
		return;
	}
	if (j->deadline) {
		j->refused = true;
		return;
	}
	j->planned = ref_earliest(r, j);
	if (j->planned + j->estimate > j->due)
		j->due = j->planned + j->estimate;
}

static void submit(struct ref *r, enum ref_kind kind, size_t i)
{
	struct ref_job *j = &r->job[i];

	j->submitted = true;
	if (kind == REF_CONSERVATIVE)
		j->planned = ref_earliest(r, j);
	else if (kind >= REF_QOPS)
		deadline_submit(r, kind, i);
}

static void pass(struct ref *r, enum ref_kind kind, bool early_end)
{
	if (kind == REF_FCFS)
		fcfs_pass(r);
	else if (kind == REF_EASY)
		easy_pass(r);
	else if (early_end)
		compress(r, kind != REF_CONSERVATIVE || r->c->by_start);
	if (kind >= REF_CONSERVATIVE)
		start_due(r);
}

/* The next job to end (`ends`) or to be submitted (not), or n. */
static size_t next_job(const struct ref *r, bool ends)
{
	size_t best = r->n;

	for (size_t i = 0; i < r->n; i++) {
		const struct ref_job *j = &r->job[i];

		if (ends ? !j->running : j->submitted)
			continue;
		if (best == r->n ||
		    (ends ? j->end < r->job[best].end : j->submit < r->job[best].submit))
			best = i;
	}
	return best;
}

/* The next time at which a planned job is due, or INT64_MAX. */
static int64_t next_due(const struct ref *r)
{
	int64_t t = INT64_MAX;

	for (size_t i = 0; i < r->n; i++)
		if (waits(&r->job[i]) && r->job[i].planned >= 0 && r->job[i].planned < t)
			t = r->job[i].planned;
	return t;
}

static void end_job(struct ref *r, enum ref_kind kind, struct ref_job *j)
{
	r->now = j->end;
	j->running = false;
	j->done = true;
	pass(r, kind, j->end < j->start + j->estimate);
}

void ref_run(enum ref_kind kind, const struct ref_config *c, struct ref_job *job, size_t n)
{
	struct ref r = { .c = c, .job = job, .n = n };

	for (size_t i = 0; i < n; i++) {
		job[i].start = job[i].end = job[i].planned = -1;
		job[i].refused = job[i].promised = false;
		job[i].submitted = job[i].running = job[i].done = false;
	}
	for (;;) {
		size_t e = next_job(&r, true), s = next_job(&r, false);
		int64_t end = e < n ? job[e].end : INT64_MAX;
		int64_t arrival = s < n ? job[s].submit : INT64_MAX;
		int64_t due = next_due(&r);

		if (e == n && s == n && due == INT64_MAX)
			break;
		if (e < n && end <= arrival && end <= due) {
			end_job(&r, kind, &job[e]);
		} else if (s < n && arrival <= due) {
			r.now = arrival;
			submit(&r, kind, s);
			pass(&r, kind, false);
		} else {
			r.now = due;
			pass(&r, kind, false);
		}
	}
}

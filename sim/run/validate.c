/* SPDX-License-Identifier: GPL-2.0-or-later */
/* validate: see validate.h. Plain on purpose: sorted lists and a sweep. */
#include "sim/run/validate.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/nodeset.h"
#include "sim/run/change.h"

struct check {
	const struct schedule *s;
	validate_complain complain;
	void *arg;
	uint64_t violations;
};

static void violation(struct check *c, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void violation(struct check *c, const char *format, ...)
{
	char message[256];
	va_list ap;

	c->violations++;
	if (!c->complain)
		return;
	va_start(ap, format);
	vsnprintf(message, sizeof(message), format, ap);
	va_end(ap);
	c->complain(c->arg, message);
}

static bool ran(const struct sim_outcome *o)
{
	return o->start >= 0 && o->end >= 0;
}

/* Did the script cancel this job, or take a node from it, at the time when it ended? */
static bool scripted_end(const struct check *c, size_t i)
{
	const struct sim_outcome *o = &c->s->out[i];

	for (size_t k = 0; k < c->s->nevents; k++) {
		const struct sim_event *e = &c->s->event[k];

		if (o->state == SIM_CANCELLED && e->type == SIM_CANCEL && e->index == i &&
		    (o->start < 0 || e->at == o->end))
			return true;
		if (o->state == SIM_FAILED && e->type == SIM_BLOCK && e->at == o->end && o->nodes &&
		    nodeset_overlap(e->nodes, o->nodes))
			return true;
	}
	return false;
}

static bool nodes_lost(const struct check *c)
{
	for (size_t k = 0; k < c->s->nevents; k++)
		if (c->s->event[k].type == SIM_BLOCK)
			return true;
	return false;
}

static void check_times(struct check *c, size_t i)
{
	const struct sim_job *j = &c->s->w->job[i];
	const struct sim_outcome *o = &c->s->out[i];
	bool cut = o->state == SIM_CANCELLED || o->state == SIM_FAILED;
	int64_t length = o->end - o->start;

	if (o->start < j->submit)
		violation(c,
			  "job %" PRIu64 " started at %" PRId64
			  ", before its submission at %" PRId64,
			  j->id, o->start, j->submit);
	if (o->start < j->begin)
		violation(c,
			  "job %" PRIu64 " started at %" PRId64 ", before its begin time %" PRId64,
			  j->id, o->start, j->begin);
	if (length > j->estimate)
		violation(c, "job %" PRIu64 " ran %" PRId64 " s, longer than its estimate %" PRId64,
			  j->id, length, j->estimate);
	if (cut ? length > j->runtime || length < 0 : length != j->runtime)
		violation(c, "job %" PRIu64 " ran %" PRId64 " s, its runtime is %" PRId64, j->id,
			  length, j->runtime);
	if (!cut && (o->state == SIM_KILLED) != j->killed)
		violation(c, "job %" PRIu64 " is %s, but its estimate was %s", j->id,
			  sim_state_name(o->state), j->killed ? "too short" : "long enough");
}

static void check_promise(struct check *c, size_t i)
{
	const struct sim_job *j = &c->s->w->job[i];
	const struct sim_outcome *o = &c->s->out[i];
	bool kept = ran(o) && o->end <= j->deadline;

	if (o->state == SIM_CANCELLED || o->state == SIM_FAILED)
		return;
	if (!j->deadline)
		violation(c, "job %" PRIu64 " was promised a deadline that it has not", j->id);
	else if (!kept && !(o->broken && nodes_lost(c)))
		violation(c,
			  "job %" PRIu64 " ended at %" PRId64 ", promised was %" PRId64
			  " (promise broken%s)",
			  j->id, o->end, j->deadline, o->broken ? "" : " and not reported");
}

static void check_job(struct check *c, size_t i)
{
	const struct sim_job *j = &c->s->w->job[i];
	const struct sim_outcome *o = &c->s->out[i];

	switch (o->state) {
	case SIM_REFUSED:
		if (!j->deadline)
			violation(c, "job %" PRIu64 " was refused and has no deadline", j->id);
		if (o->start >= 0 || o->end >= 0)
			violation(c, "job %" PRIu64 " was refused, but ran", j->id);
		if (o->promised)
			violation(c, "job %" PRIu64 " was both accepted and refused", j->id);
		return;
	case SIM_WAITING:
		if (!c->s->may_wait || o->promised)
			violation(c, "job %" PRIu64 " never started", j->id);
		return;
	case SIM_RUNNING:
		violation(c, "job %" PRIu64 " never ended", j->id);
		return;
	case SIM_CANCELLED:
	case SIM_FAILED:
		if (!scripted_end(c, i))
			violation(c, "job %" PRIu64 " is %s without a cause", j->id,
				  sim_state_name(o->state));
		break;
	case SIM_COMPLETED:
	case SIM_KILLED:
		if (!ran(o))
			violation(c, "job %" PRIu64 " is %s, but never ran", j->id,
				  sim_state_name(o->state));
		break;
	}
	if (ran(o))
		check_times(c, i);
	if (o->promised)
		check_promise(c, i);
}

static void check_capacity(struct check *c, const struct change *change, size_t n)
{
	int64_t used = 0;

	for (size_t k = 0; k < n; k++) {
		used += change[k].used;
		if (change[k].used > 0 && used > (int64_t)c->s->nodes)
			violation(c,
				  "time %" PRId64 ": %" PRId64 " nodes in use of %" PRIu32
				  " when job %" PRIu64 " started",
				  change[k].at, used, c->s->nodes, c->s->w->job[change[k].mark].id);
	}
}

/* When the nodes of a block came back: at its end, or when the script ended it. */
static int64_t block_end(const struct check *c, size_t k)
{
	int64_t end = c->s->event[k].end;

	for (size_t u = k + 1; u < c->s->nevents; u++)
		if (c->s->event[u].type == SIM_UNBLOCK && c->s->event[u].index == k &&
		    c->s->event[u].at < end)
			end = c->s->event[u].at;
	return end;
}

static void check_blocks(struct check *c, size_t i)
{
	const struct sim_outcome *o = &c->s->out[i];

	for (size_t k = 0; k < c->s->nevents; k++) {
		const struct sim_event *e = &c->s->event[k];

		if (e->type != SIM_BLOCK || !nodeset_overlap(e->nodes, o->nodes))
			continue;
		/*
		 * What ran already when a later block became known is not the schedule's fault (at
		 * that very instant it may have started before); on lost nodes it has to fail.
		 */
		if (e->start > e->at && o->start <= e->at)
			continue;
		if (o->start < block_end(c, k) && o->end > e->start && o->end > o->start)
			violation(c, "job %" PRIu64 " ran on nodes that were blocked",
				  c->s->w->job[i].id);
	}
}

static void check_named(struct check *c)
{
	for (size_t i = 0; i < c->s->w->count; i++) {
		const struct sim_job *j = &c->s->w->job[i];
		const struct sim_outcome *o = &c->s->out[i];

		if (!o->nodes || !ran(o))
			continue;
		if (nodeset_count(o->nodes) != (uint32_t)j->width)
			violation(c,
				  "job %" PRIu64 " ran on %" PRIu32 " nodes, its width is %" PRId32,
				  j->id, nodeset_count(o->nodes), j->width);
		if (j->nodes && !nodeset_subset(o->nodes, j->nodes))
			violation(c, "job %" PRIu64 " ran outside its nodes", j->id);
		for (size_t k = 0; k < i; k++) {
			const struct sim_outcome *p = &c->s->out[k];

			if (p->nodes && ran(p) && o->start < p->end && p->start < o->end &&
			    nodeset_overlap(o->nodes, p->nodes))
				violation(c, "jobs %" PRIu64 " and %" PRIu64 " ran on one node",
					  c->s->w->job[k].id, j->id);
		}
		check_blocks(c, i);
	}
}

uint64_t validate(const struct schedule *s, validate_complain complain, void *arg)
{
	struct check c = { .s = s, .complain = complain, .arg = arg };
	size_t n = s->changes;
	struct change *own = s->change ? NULL : change_schedule(s->w, s->out, &n);

	if (!s->change && !own) {
		violation(&c, "out of memory");
		return UINT64_MAX;
	}
	for (size_t i = 0; i < s->w->count; i++)
		check_job(&c, i);
	check_capacity(&c, own ? own : s->change, n);
	check_named(&c);
	free(own);
	return c.violations;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state: see state.h. */
#include "core/loans/state.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"

/* ---- what is said to the engine inside ---- */

bool loans_called(struct loans *s, int64_t now)
{
	if (!call_begin_at(&s->call, now, &s->now))
		return false;
	s->told = false;
	return true;
}

int inner_failed(struct loans *s, int code)
{
	return call_fail_as(&s->call, code, s->kind->engine->error(s->own));
}

int inner_event(struct loans *s, const struct sched_event *ev)
{
	int rc;

	s->touched = s->stale = true;
	s->inner_wake = PACT_FOREVER;
	rc = s->kind->engine->event(s->own, ev);
	return rc == PACT_OK ? rc : inner_failed(s, rc);
}

/* ---- borrowers ---- */

bool has_range(const struct loans *s, const struct sched_job *job)
{
	return job->most > job->width && !(job->flags & JOB_MOLDABLE) &&
	       (uint32_t)job->width < s->nodes;
}

bool loans_promised(const struct loans *s, uint64_t id)
{
	struct sched_view v;

	return s->kind->engine->view(s->own, id, &v) == PACT_OK && v.promised;
}

struct borrower *borrower_find(const struct loans *s, uint64_t id)
{
	return table_find(s->members, id);
}

static void hold_clear(struct hold *h)
{
	nodeset_destroy(h->nodes);
	*h = (struct hold){ .id = 0 };
}

void borrower_destroy(struct borrower *b)
{
	if (!b)
		return;
	for (uint32_t i = 0; i < b->nalt; i++)
		nodeset_destroy(b->alt[i]);
	for (size_t i = 0; i < b->calls; i++)
		hold_clear(&b->call[i]);
	nodeset_destroy(b->lent);
	nodeset_destroy(b->at);
	nodeset_destroy(b->own);
	free((void *)(uintptr_t)b->speedup.v);
	free(b->call);
	free(b);
}

static bool copy_sets(struct borrower *b, const struct sched_job *job)
{
	size_t size = job->speedup.n * sizeof(*job->speedup.v);
	int64_t *v;

	for (uint32_t i = 0; i < job->nalt; i++) {
		b->alt[i] = job->alt[i] ? nodeset_dup(job->alt[i]) : NULL;
		b->nalt++;
		if (job->alt[i] && !b->alt[i])
			return false;
	}
	if (!size)
		return true;
	v = malloc(size);
	if (v)
		memcpy(v, job->speedup.v, size);
	b->speedup = (struct list64){ v, job->speedup.n };
	return v;
}

struct borrower *borrower_make(const struct loans *s, const struct sched_job *job)
{
	struct borrower *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	*b = (struct borrower){ .id = job->id,
				.submit = job->submit,
				.limit = job->limit,
				.granted = job->limit,
				.deadline = job->deadline,
				.value = job->value,
				.grace = job->grace,
				.width = job->width,
				.most = job->most,
				.floor = job->width,
				.payoff = { job->value, job->submit, job->deadline },
				.start = -1,
				.changed = -1,
				.first = PACT_FOREVER };
	if ((uint32_t)b->most > s->nodes)
		b->most = (int32_t)s->nodes;
	if (copy_sets(b, job))
		return b;
	borrower_destroy(b);
	return NULL;
}

struct sched_job borrower_terms(const struct borrower *b)
{
	struct sched_job job = { .id = b->id,
				 .submit = b->submit,
				 .limit = b->limit,
				 .deadline = b->deadline,
				 .value = b->value,
				 .grace = b->grace,
				 .width = b->width,
				 .most = b->most,
				 .speedup = b->speedup,
				 .nalt = b->nalt };

	for (uint32_t i = 0; i < b->nalt; i++)
		job.alt[i] = b->alt[i];
	return job;
}

static size_t place_of(const struct loans *s, const struct borrower *b)
{
	size_t i = s->running_n;

	while (i > 0 && (s->running[i - 1]->submit > b->submit ||
			 (s->running[i - 1]->submit == b->submit && s->running[i - 1]->id > b->id)))
		i--;
	return i;
}

int borrower_runs(struct loans *s, struct borrower *b)
{
	size_t room = 2 * s->running_room + 8, at;

	if (s->running_n == s->running_room) {
		if (array_grow(&s->running, room, sizeof(struct borrower *)) < 0 ||
		    array_grow(&s->heap, room, sizeof(*s->heap)) < 0)
			return -1;
		s->running_room = room;
	}
	at = place_of(s, b);
	memmove(&s->running[at + 1], &s->running[at],
		(s->running_n - at) * sizeof(struct borrower *));
	s->running[at] = b;
	s->running_n++;
	return 0;
}

void borrower_stops(struct loans *s, struct borrower *b)
{
	for (size_t i = 0; i < s->running_n; i++) {
		if (s->running[i] != b)
			continue;
		s->running_n--;
		memmove(&s->running[i], &s->running[i + 1],
			(s->running_n - i) * sizeof(struct borrower *));
		s->planned = false;
	}
	nodeset_destroy(b->at);
	nodeset_destroy(b->own);
	b->at = b->own = NULL;
	if (s->asked == b)
		s->asked = NULL;
}

void borrower_remove(struct loans *s, struct borrower *b)
{
	borrower_stops(s, b);
	table_remove(s->members, b->id);
	borrower_destroy(b);
}

int borrower_call_room(struct borrower *b)
{
	size_t room = 2 * b->call_room + 2;

	if (b->calls < b->call_room)
		return 0;
	if (array_grow(&b->call, room, sizeof(*b->call)) < 0)
		return -1;
	b->call_room = room;
	return 0;
}

int32_t borrower_has(const struct borrower *b)
{
	return b->at ? b->has : b->floor;
}

int64_t borrower_rate(const struct borrower *b)
{
	return speedup_rate(&b->speedup, borrower_has(b) - b->cleans);
}

int32_t borrower_lost(const struct borrower *b)
{
	int32_t own = b->own ? (int32_t)nodeset_count(b->own) : b->floor;

	return own < b->floor ? b->floor - own : 0;
}

int64_t borrower_work_end(const struct loans *s, const struct borrower *b)
{
	struct progress done = b->done;

	progress_advance(&done, s->now);
	return progress_end(done.left, done.rate, s->now);
}

int64_t borrower_own_end(const struct loans *s, const struct borrower *b)
{
	return progress_end_at(&b->done, s->config.guard, speedup_rate(&b->speedup, b->floor),
			       s->now);
}

/* In whole seconds nothing that is asked for now is there now. */
int64_t borrower_notice(const struct loans *s, const struct borrower *b)
{
	int64_t notice = b->grace > 0 ? b->grace : s->config.resize_grace;

	return notice > 0 ? notice : 1;
}

int64_t borrower_lead(const struct loans *s, const struct borrower *b)
{
	return borrower_notice(s, b) + 2 * s->config.lateness;
}

int64_t loans_lead(const struct loans *s)
{
	int64_t most = 0;

	for (size_t i = 0; i < s->running_n; i++) {
		int64_t lead = borrower_lead(s, s->running[i]);

		most = lead > most ? lead : most;
	}
	return most;
}

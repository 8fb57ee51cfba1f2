/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state: jobs, the queue and the decided actions of the sharing engine; see state.h. */
#include "core/sharing/state.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"

int64_t seconds_of(int64_t microseconds)
{
	if (microseconds == SHARE_NEVER)
		return PACT_FOREVER;
	return microseconds / SHARE_SECOND + (microseconds % SHARE_SECOND > 0);
}

/* ---- lists ---- */

int sharing_scratch(struct sharing *s, size_t n)
{
	size_t room = 2 * n + 8;

	if (n <= s->part_room)
		return 0;
	if (array_grow(&s->part, 2 * room, sizeof(*s->part)) < 0 ||
	    array_grow(&s->end, room, sizeof(*s->end)) < 0 ||
	    array_grow(&s->ids, room, sizeof(*s->ids)) < 0 ||
	    array_grow(&s->shares, room > s->nodes ? room : s->nodes, sizeof(*s->shares)) < 0)
		return -1;
	s->part_room = room;
	return 0;
}

int sharing_due_reserve(struct sharing *s, size_t n)
{
	if (s->due_n + n <= s->due_room)
		return 0;
	if (array_grow(&s->due, 2 * s->due_n + n, sizeof(*s->due)) < 0)
		return -1;
	s->due_room = 2 * s->due_n + n;
	return 0;
}

void sharing_due_remove(struct sharing *s, const struct job *j)
{
	size_t n = 0;

	for (size_t i = 0; i < s->due_n; i++) {
		if (s->due[i] != j)
			s->due[n++] = s->due[i];
	}
	s->due_n = n;
}

void note_news(struct sharing *s, struct job *j)
{
	if (j->has_news)
		return;
	j->has_news = true;
	j->news = s->news;
	s->news = j;
}

/* ---- jobs ---- */

static void terms_destroy(struct terms *t)
{
	if (!t)
		return;
	for (uint32_t i = 0; i < t->nalt; i++)
		nodeset_destroy(t->alt[i]);
	nodeset_destroy(t->required);
	free(t);
}

void sharer_restored(const struct sharing *s, struct job *j)
{
	j->expected = j->terms->flags & JOB_EXPECTED;
	j->promised = j->deadline && !s->kind->whole && !j->expected;
}

void sharer_started(struct job *j)
{
	terms_destroy(j->terms);
	j->terms = NULL;
}

void sharer_destroy(struct sharing *s, struct job *j)
{
	struct job **at = &s->news;

	if (!j)
		return;
	while (j->has_news && *at != j)
		at = &(*at)->news;
	if (j->has_news)
		*at = j->news;
	terms_destroy(j->terms);
	free(j->node);
	free(j);
}

/* NULL: no memory. */
static struct terms *terms_make(const struct sched_job *from)
{
	struct terms *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->eligible = from->eligible ? from->eligible : from->submit;
	t->begin = from->begin;
	t->priority = from->priority;
	t->flags = from->flags;
	for (uint32_t i = 0; i < from->nalt; i++) {
		/* a NULL alternative is all nodes */
		t->alt[i] = from->alt[i] ? nodeset_dup(from->alt[i]) : NULL;
		t->nalt++;
		if (from->alt[i] && !t->alt[i]) {
			terms_destroy(t);
			return NULL;
		}
	}
	t->required = from->required ? nodeset_dup(from->required) : NULL;
	if (!from->required || t->required)
		return t;
	terms_destroy(t);
	return NULL;
}

struct job *sharer_make(const struct sched_job *from)
{
	struct job *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	j->id = from->id;
	j->submit = from->submit;
	j->limit = from->limit;
	j->deadline = from->deadline;
	j->start = -1;
	j->memory = from->memory;
	j->user = from->user;
	j->width = from->width;
	j->processors = (uint16_t)from->processors;
	j->unconfirmed = from->flags & JOB_UNCONFIRMED;
	j->terms = terms_make(from);
	if (j->terms)
		return j;
	free(j);
	return NULL;
}

struct want want_of(const struct sharing *s, const struct job *j, int64_t due)
{
	return (struct want){ .due = due,
			      .runtime = j->limit == PACT_FOREVER ? PACT_END_OF_TIME / SHARE_SECOND
								  : j->limit * SHARE_SECOND,
			      .likely = s->kind->late_never ? SHARE_NEVER : 0,
			      .memory = j->memory,
			      .processors = j->processors,
			      .promise = j->deadline > 0,
			      .job = j };
}

int64_t due_of(const struct sharing *s, const struct job *j)
{
	int64_t most = PACT_END_OF_TIME / SHARE_SECOND, time = s->config.min_artificial, own;

	if (j->deadline)
		return (j->deadline - s->config.guard) * SHARE_SECOND;
	if (j->limit >= most / 1000)
		return PACT_END_OF_TIME;
	/* limits and relaxations are within 10^15 and 10^9 */
	own = j->limit < most / (s->config.relax_milli + 1)
		      ? j->limit * s->config.relax_milli / 1000
		      : most;
	time = own > time ? own : time;
	time = time < most ? time : most;
	return s->now < PACT_END_OF_TIME - time * SHARE_SECOND ? s->now + time * SHARE_SECOND
							       : PACT_END_OF_TIME;
}

/* ---- the queue ---- */

/* Does a come before b? */
static bool is_before(const struct sharing *s, const struct job *a, const struct job *b)
{
	int64_t due_a = a->deadline ? a->deadline : PACT_FOREVER;
	int64_t due_b = b->deadline ? b->deadline : PACT_FOREVER;

	/* of the others only a restored promise has a deadline and waits */
	if ((s->kind->whole || (due_a == PACT_FOREVER) != (due_b == PACT_FOREVER)) &&
	    due_a != due_b)
		return due_a < due_b;
	if (s->config.mode == SCHED_MODE_SLURM && a->terms->priority != b->terms->priority)
		return a->terms->priority > b->terms->priority;
	return a->submit != b->submit ? a->submit < b->submit : a->id < b->id;
}

int waiting_reserve(struct sharing *s, size_t n)
{
	if (s->queue_n + n <= s->queue_room)
		return 0;
	if (array_grow(&s->queue, 2 * s->queue_n + n, sizeof(*s->queue)) < 0)
		return -1;
	s->queue_room = 2 * s->queue_n + n;
	return 0;
}

int waiting_add(struct sharing *s, struct job *j)
{
	size_t low = 0, high = s->queue_n;

	if (waiting_reserve(s, 1) < 0)
		return -1;
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (is_before(s, j, s->queue[mid]))
			high = mid;
		else
			low = mid + 1;
	}
	memmove(&s->queue[low + 1], &s->queue[low], (s->queue_n - low) * sizeof(*s->queue));
	s->queue[low] = j;
	s->queue_n++;
	s->dirty = true;
	return 0;
}

void waiting_remove(struct sharing *s, struct job *j)
{
	size_t at = 0;

	while (at < s->queue_n && s->queue[at] != j)
		at++;
	if (at == s->queue_n)
		return;
	s->queue_n--;
	memmove(&s->queue[at], &s->queue[at + 1], (s->queue_n - at) * sizeof(*s->queue));
	s->dirty = true;
	if (s->first == j)
		s->first = NULL;
}

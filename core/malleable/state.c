/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state: see state.h. */
#include "core/malleable/state.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"

/* ---- room ---- */

/* Of the lazy plan, for each job or hold: two, and as much scratch. */
#define CHANGES ((size_t)5)

static int reserve_lists(struct malleable *s, size_t all)
{
	size_t room = 2 * all;

	if (all > s->running_room) {
		if (array_grow(&s->margin.heap, room, sizeof(*s->margin.heap)) < 0)
			return -1;
		if (array_grow(&s->running, room, sizeof(*s->running)) < 0)
			return -1;
		s->running_room = room;
	}
	if (s->plan && all + table_count(s->holds) + 1 > s->change_room / CHANGES) {
		size_t changes = CHANGES * 2 * (all + table_count(s->holds) + 1);

		if (array_grow(&s->change, changes, sizeof(*s->change)) < 0)
			return -1;
		s->change_room = changes;
	}
	if (all > s->accepted_room) {
		if (array_grow(&s->accepted, room, sizeof(*s->accepted)) < 0)
			return -1;
		s->accepted_room = room;
	}
	if (all > s->todo_room) {
		if (array_grow(&s->todo, room, sizeof(*s->todo)) < 0 ||
		    array_grow(&s->target, room, sizeof(*s->target)) < 0)
			return -1;
		s->todo_room = room;
	}
	return 0;
}

int malleable_reserve(struct malleable *s, size_t n)
{
	size_t all = table_count(s->jobs) + n;

	return decided_reserve(&s->decided, n + 1) < 0 || reserve_lists(s, all) < 0 ||
			       fit_queue_reserve(&s->queue, all) < 0
		       ? -1
		       : 0;
}

/* ---- jobs ---- */

bool malleable_is_time(int64_t t)
{
	return t >= 0 && t <= PACT_END_OF_TIME / 4;
}

static bool is_set(const struct malleable *s, const struct nodeset *set)
{
	return !set || nodeset_size(set) == s->nodes;
}

bool malleable_job_is_sane(const struct malleable *s, const struct sched_job *d)
{
	bool sane = d->width >= 1 && d->limit >= 1 && malleable_is_time(d->submit) &&
		    malleable_is_time(d->eligible) && malleable_is_time(d->begin) &&
		    malleable_is_time(d->deadline) && malleable_is_time(d->grace) &&
		    d->nalt <= SCHED_MAX_ALT && is_set(s, d->required) && d->value >= 0 &&
		    d->value <= PAYOFF_MOST &&
		    (d->limit == PACT_FOREVER || malleable_is_time(d->limit)) &&
		    speedup_valid(&d->speedup);

	for (uint32_t i = 0; sane && i < d->nalt; i++)
		sane = is_set(s, d->alt[i]);
	return sane;
}

void malleable_job_destroy(struct job *j)
{
	if (!j)
		return;
	for (uint32_t i = 0; i < j->nalt; i++)
		nodeset_destroy(j->alt[i]);
	nodeset_destroy(j->required);
	nodeset_destroy(j->at);
	nodeset_destroy(j->goes);
	free((void *)(uintptr_t)j->speedup.v);
	free(j);
}

static bool make_sets(const struct malleable *s, struct job *j, const struct sched_job *from)
{
	size_t size = from->speedup.n * sizeof(*from->speedup.v);
	int64_t *v;

	for (uint32_t i = 0; i < from->nalt; i++) {
		j->alt[i] = from->alt[i] ? nodeset_dup(from->alt[i]) : NULL;
		j->nalt++;
		if (from->alt[i] && !j->alt[i])
			return false;
		j->picky |= j->alt[i] && nodeset_count(j->alt[i]) < s->nodes;
	}
	j->required = from->required ? nodeset_dup(from->required) : NULL;
	j->picky |= j->required != NULL;
	j->at = nodeset_create(s->nodes);
	j->goes = nodeset_create(s->nodes);
	if (!j->at || !j->goes || (from->required && !j->required))
		return false;
	if (!size)
		return true;
	v = malloc(size);
	if (!v)
		return false;
	memcpy(v, from->speedup.v, size);
	j->speedup = (struct list64){ v, from->speedup.n };
	return true;
}

struct job *malleable_job_make(const struct malleable *s, const struct sched_job *from)
{
	int32_t machine = s->nodes < INT32_MAX ? (int32_t)s->nodes : INT32_MAX - 1;
	struct job *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	j->id = from->id;
	j->submit = from->submit;
	j->eligible = from->eligible;
	j->begin = from->begin;
	j->limit = from->limit;
	j->deadline = from->deadline;
	j->priority = from->priority;
	j->grace = from->grace;
	j->flags = from->flags;
	j->least = from->width < INT32_MAX ? from->width
					   : INT32_MAX - 1; /* one more is a number, too */
	j->most = from->most < machine ? from->most : machine;
	j->most = j->most > j->least ? j->most : j->least;
	if (j->flags & JOB_MOLDABLE) {
		j->widest = j->most;
		j->most = j->least;
	}
	j->payoff = (struct payoff){ from->value, from->submit, from->deadline };
	j->start = -1;
	j->ready = j->flags & JOB_PROMISED ? from->planned : 0;
	j->first = j->last = NO_NODE;
	j->unconfirmed = from->flags & JOB_UNCONFIRMED;
	if (!make_sets(s, j, from)) {
		malleable_job_destroy(j);
		return NULL;
	}
	j->done.left = progress_work(j->limit, speedup_rate(&j->speedup, j->least));
	return j;
}

bool job_older(const struct job *a, const struct job *b)
{
	return a->submit != b->submit ? a->submit < b->submit : a->id < b->id;
}

static struct fit_queue_key key_of(const struct malleable *s, const struct job *j)
{
	return (struct fit_queue_key){ s->config.mode == SCHED_MODE_SLURM ? j->priority : 0,
				       j->submit, j->id };
}

void job_wait(struct malleable *s, struct job *j)
{
	struct fit_queue_key key = key_of(s, j);

	fit_queue_add(&s->queue, &key, j, j->least);
	j->waits = true;
}

void job_wait_no_more(struct malleable *s, struct job *j)
{
	struct fit_queue_key key = key_of(s, j);

	if (!j->waits)
		return;
	fit_queue_remove(&s->queue, &key);
	j->waits = false;
}

void malleable_sort(struct malleable *s)
{
	struct job *j;

	/* by its old keys none would be found again */
	fit_queue_clear(&s->queue);
	for (size_t i = 0; (j = table_next(s->jobs, &i));) {
		if (j->waits)
			job_wait(s, j);
	}
}

static bool starts_before(const struct job *a, const struct job *b)
{
	return a->latest != b->latest ? a->latest < b->latest : a->id < b->id;
}

void accepted_add(struct malleable *s, struct job *j, int64_t latest)
{
	size_t at = s->accepted_n;

	j->latest = latest;
	j->owed = true;
	for (; at > 0 && starts_before(j, s->accepted[at - 1]); at--)
		s->accepted[at] = s->accepted[at - 1];
	s->accepted[at] = j;
	s->accepted_n++;
}

void accepted_remove(struct malleable *s, struct job *j)
{
	size_t at = 0;

	if (!j->owed)
		return;
	while (s->accepted[at] != j)
		at++;
	s->accepted_n--;
	memmove(&s->accepted[at], &s->accepted[at + 1],
		(s->accepted_n - at) * sizeof(*s->accepted));
	j->owed = false;
}

void running_add(struct malleable *s, struct job *j)
{
	size_t low = 0, high = s->running_n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (job_older(s->running[mid], j))
			low = mid + 1;
		else
			high = mid;
	}
	memmove(&s->running[low + 1], &s->running[low], (s->running_n - low) * sizeof(*s->running));
	s->running[low] = j;
	s->running_n++;
	s->todo_fresh = false;
	j->listed = true;
}

void running_remove(struct malleable *s, struct job *j)
{
	size_t at = 0;

	while (at < s->running_n && s->running[at] != j)
		at++;
	if (at == s->running_n)
		return;
	j->listed = false;
	s->running_n--;
	memmove(&s->running[at], &s->running[at + 1], (s->running_n - at) * sizeof(*s->running));
	s->todo_fresh = false;
}

bool job_ready(const struct malleable *s, const struct job *j)
{
	return !j->unconfirmed && !j->failed && j->begin <= s->now;
}

/* ---- notice ---- */

int64_t notice_of(const struct malleable *s, const struct job *j)
{
	int64_t most = s->config.resize_grace;

	if (!j->grace || !most || (s->kind->judge && j->grace > most))
		return most;
	return j->grace;
}

int64_t notice_longest(const struct malleable *s)
{
	int64_t longest = s->config.resize_grace;

	for (size_t i = 0; i < s->running_n; i++) {
		int64_t notice = notice_of(s, s->running[i]);

		longest = notice > longest ? notice : longest;
	}
	return longest;
}

bool notice_there(const struct malleable *s, const struct job *j, uint32_t node)
{
	return s->had[node] == nodeset_test(j->at, node);
}

bool notice_is_due(const struct malleable *s, const struct job *j)
{
	for (uint32_t i = nodeset_next(j->at, 0); i < s->nodes; i = nodeset_next(j->at, i + 1)) {
		if ((s->owner[i] == j) == nodeset_test(j->goes, i))
			return true;
	}
	return false;
}

void notice_give(struct malleable *s, struct job *j, const struct nodeset *keeps, int64_t by)
{
	for (uint32_t i = nodeset_next(j->at, 0); i < s->nodes; i = nodeset_next(j->at, i + 1)) {
		if (!nodeset_test(keeps, i) && !nodeset_test(j->goes, i))
			s->due[i] = by;
	}
	nodeset_and_not(s->called, j->goes);
	nodeset_copy(j->goes, j->at);
	nodeset_and_not(j->goes, keeps);
	nodeset_or(s->called, j->goes);
	j->leaving = (int32_t)nodeset_count(j->goes);
	s->news = true;
}

void notice_keep(struct malleable *s, struct job *j, const struct nodeset *keeps)
{
	if (!j->leaving)
		return;
	nodeset_and_not(s->called, j->goes);
	if (keeps)
		nodeset_and_not(j->goes, keeps);
	else
		nodeset_clear(j->goes);
	nodeset_or(s->called, j->goes);
	j->leaving = (int32_t)nodeset_count(j->goes);
	s->news = true;
}

bool notice_is_kept(const struct malleable *s, const struct job *j, const struct nodeset *keeps)
{
	int32_t kept = 0;

	for (uint32_t i = nodeset_next(j->at, 0); i < s->nodes; i = nodeset_next(j->at, i + 1)) {
		bool keep = nodeset_test(keeps, i);

		if (keep == nodeset_test(j->goes, i))
			return false;
		kept += keep;
	}
	return kept == (int32_t)nodeset_count(keeps);
}

void notice_has(struct malleable *s, struct job *j, const struct nodeset *nodes)
{
	for (uint32_t i = nodeset_next(j->at, 0); i < s->nodes; i = nodeset_next(j->at, i + 1)) {
		if (nodes && nodeset_test(nodes, i))
			continue;
		s->had[i]--;
		if (nodeset_test(j->goes, i)) {
			j->leaving--;
			nodeset_unset(j->goes, i);
			nodeset_unset(s->called, i);
		}
		/* something waited for it, maybe */
		s->todo_fresh &= !s->held_up;
	}
	for (uint32_t i = nodes ? nodeset_next(nodes, 0) : s->nodes; i < s->nodes;
	     i = nodeset_next(nodes, i + 1))
		s->had[i] += !nodeset_test(j->at, i);
	if (nodes)
		nodeset_copy(j->at, nodes);
	else
		nodeset_clear(j->at);
	j->has = (int32_t)nodeset_count(j->at);
	s->news = true;
}

/* ---- what is, and is needed ---- */

void job_set_at(struct malleable *s, struct job *j, const struct nodeset *nodes, int64_t from)
{
	progress_advance(&j->done, from);
	notice_has(s, j, nodes);
	j->done.rate = j->has > j->cleans ? speedup_rate(&j->speedup, j->has - j->cleans) : 0;
}

int64_t job_from(const struct malleable *s, const struct job *j)
{
	return j->start < 0 && j->listed && j->ready > s->now ? j->ready : s->now;
}

int64_t malleable_with_guard(const struct malleable *s, int64_t end)
{
	return end < PACT_FOREVER - s->config.guard ? end + s->config.guard : PACT_FOREVER;
}

/* When the last of those that it is to have is there; it gets none before it has given back what it is to. */
static int64_t comes_by(const struct malleable *s, const struct job *j)
{
	int64_t by = s->now, unasked = -1;

	for (uint32_t i = j->first; i != NO_NODE; i = s->next[i]) {
		if (notice_there(s, j, i))
			continue;
		if (!nodeset_test(s->called, i) && unasked < 0)
			unasked = s->now + notice_longest(s);
		if (!nodeset_test(s->called, i))
			by = unasked > by ? unasked : by;
		else
			by = s->due[i] > by ? s->due[i] : by;
	}
	for (uint32_t i = j->leaving ? nodeset_next(j->goes, 0) : s->nodes; i < s->nodes;
	     i = nodeset_next(j->goes, i + 1))
		by = s->due[i] > by ? s->due[i] : by;
	return by;
}

int64_t malleable_ends(const struct malleable *s, const struct job *j)
{
	int32_t works = j->has - (j->leaving > j->cleans ? j->leaving : j->cleans);
	struct progress done = j->done;
	int64_t by, end;

	if (j->start < 0)
		return progress_end(done.left, j->rate, job_from(s, j));
	progress_advance(&done, s->now);
	if (works >= j->n)
		return progress_end(done.left, j->rate, s->now);
	by = comes_by(s, j);
	done.rate = works > 0 ? speedup_rate(&j->speedup, works) : 0;
	end = progress_end(done.left, done.rate, s->now);
	if (end <= by)
		return end;
	progress_advance(&done, by);
	return progress_end(done.left, j->rate, by);
}

int64_t malleable_own_end(const struct malleable *s, const struct job *j)
{
	return progress_end_at(&j->done, s->config.guard, speedup_rate(&j->speedup, j->least),
			       s->now);
}

/* Once even its most are too few for its deadline, its fewest. */
static int32_t find_floor(const struct malleable *s, const struct job *j)
{
	int32_t floor = j->least;

	if (j->stuck)
		return j->n;
	if (s->kind->judge && j->deadline)
		floor = progress_floor(j->done.left, &j->speedup, j->least, j->most,
				       j->deadline - s->config.guard - job_from(s, j));
	floor = floor > j->most ? j->least : floor;
	return floor < j->n ? floor : j->n;
}

void set_floors(struct malleable *s)
{
	for (size_t i = 0; i < s->running_n; i++) {
		struct job *j = s->running[i];

		progress_advance(&j->done, s->now);
		j->floor = find_floor(s, j);
	}
}

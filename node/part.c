/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part: see part.h. */
#include "node/part.h"

#include <stdlib.h>
#include <string.h>

#include "common/why.h"
#include "core/base/limits.h"

#define MILLION UINT64_C(1000000)

static size_t place_of(const struct parts *parts, uint32_t id)
{
	size_t i = 0;

	while (i < parts->n && parts->part[i].id < id)
		i++;
	return i;
}

struct part *parts_find(const struct parts *parts, uint32_t id)
{
	size_t i = place_of(parts, id);

	return i < parts->n && parts->part[i].id == id ? &parts->part[i] : NULL;
}

static struct part *insert(struct parts *parts, uint32_t id)
{
	size_t i = place_of(parts, id);

	if (parts->n == parts->room) {
		size_t room = parts->room ? 2 * parts->room : 8;
		struct part *new = realloc(parts->part, room * sizeof(*new));

		if (!new)
			return NULL;
		parts->part = new;
		parts->room = room;
	}
	memmove(&parts->part[i + 1], &parts->part[i], (parts->n - i) * sizeof(*parts->part));
	parts->n++;
	memset(&parts->part[i], 0, sizeof(*parts->part));
	parts->part[i].id = id;
	return &parts->part[i];
}

struct part *parts_set(struct parts *parts, uint32_t id, const char *text, char *why, size_t size)
{
	struct part *p = parts_find(parts, id);
	struct job_terms terms;

	if (!job_terms_read(text, &terms, why, size))
		return NULL;
	if (!p)
		p = insert(parts, id);
	if (!p) {
		why_set(why, size, 0, "no memory for job %u", id);
		return NULL;
	}
	if (p->terms.submit != terms.submit)
		p->work = 0;
	p->terms = terms;
	strcpy(p->text, text);
	p->processors = terms.processors;
	if (!p->processors || p->processors > parts->processors)
		p->processors = (uint16_t)parts->processors;
	return p;
}

void parts_remove(struct parts *parts, uint32_t id)
{
	struct part *p = parts_find(parts, id);
	size_t i;

	if (!p)
		return;
	i = (size_t)(p - parts->part);
	usage_release(&p->usage);
	parts->n--;
	memmove(p, p + 1, (parts->n - i) * sizeof(*p));
}

void parts_release(struct parts *parts)
{
	for (size_t i = 0; i < parts->n; i++)
		usage_release(&parts->part[i].usage);
	free(parts->part);
	parts->part = NULL;
	parts->n = parts->room = 0;
}

enum share_rule parts_rule(const struct parts *parts)
{
	const struct part *last = NULL;

	for (size_t i = 0; i < parts->n; i++) {
		const struct part *p = &parts->part[i];

		if (!last || p->terms.submit >= last->terms.submit)
			last = p;
	}
	return last ? last->terms.rule : SHARE_SPARE;
}

static int by_deadline(const void *a, const void *b)
{
	const struct share_part *x = a, *y = b;
	const struct part *p = x->of, *q = y->of;

	if (x->deadline != y->deadline)
		return x->deadline < y->deadline ? -1 : 1;
	if (p->terms.submit != q->terms.submit)
		return p->terms.submit < q->terms.submit ? -1 : 1;
	return p->id < q->id ? -1 : p->id > q->id;
}

static share_work left_of(const struct parts *parts, const struct part *p)
{
	share_work all =
		share_work_of(p->terms.estimate * SHARE_SECOND, parts->rating, RATING_WHOLE);
	share_work done = (share_work)p->work * SHARE_WHOLE;

	return done < all ? all - done : 0;
}

int64_t parts_share(struct parts *parts, int64_t now)
{
	struct share_part *s = calloc(parts->n + 1, sizeof(*s));
	enum share_rule rule = parts_rule(parts);
	int64_t until;
	size_t n = 0;

	if (!s)
		return now + SHARE_SECOND;
	for (size_t i = 0; i < parts->n; i++) {
		struct part *p = &parts->part[i];

		s[n].of = p;
		s[n].left = left_of(parts, p);
		s[n].deadline = p->terms.deadline * SHARE_SECOND;
		s[n++].processors = p->processors;
	}
	qsort(s, n, sizeof(*s), by_deadline);
	share_out(s, n, parts->processors, now, rule);
	for (size_t i = 0; i < n; i++)
		((struct part *)s[i].of)->share = s[i].share;
	until = share_until(s, n, now, rule);
	free(s);
	return until;
}

uint32_t parts_weight(const struct parts *parts, const struct part *p)
{
	return (uint32_t)((uint64_t)p->share * p->processors / parts->processors * CGROUP_WHOLE /
			  SHARE_WHOLE);
}

uint32_t parts_quota(const struct parts *parts, const struct part *p, uint32_t cap)
{
	uint64_t all = (uint64_t)CGROUP_PERIOD * parts->processors;

	if (cap && (uint64_t)CGROUP_PERIOD * cap / 100 < all)
		all = (uint64_t)CGROUP_PERIOD * cap / 100;
	return (uint32_t)((share_work)all * p->share * p->processors / parts->processors /
			  SHARE_WHOLE);
}

/* What all jobs together can have, in hundredths of a processor. */
static uint64_t percent(const struct parts *parts, uint32_t cap)
{
	uint64_t all = UINT64_C(100) * parts->processors;

	return cap && cap < all ? cap : all;
}

uint32_t parts_busy(const struct parts *parts, int64_t interval, uint64_t used, uint32_t cap)
{
	share_work most = (share_work)(uint64_t)interval * 10 * percent(parts, cap); /* ns */
	share_work busy = most ? (share_work)used * MILLION / most : 0;

	return (uint32_t)(busy < MILLION ? busy : MILLION);
}

/* Nanoseconds that a thread waits which has used so much, at the job's share of a processor. */
static uint64_t unseen_wait(const struct parts *parts, const struct part *p, uint64_t used,
			    uint32_t busy, uint32_t cap)
{
	uint64_t rate = (uint64_t)p->share * MILLION / SHARE_WHOLE * percent(parts, cap) /
			(UINT64_C(100) * parts->processors);

	if (!rate)
		rate = 1;
	return (uint64_t)((share_work)used * (MILLION - rate) / rate * busy / MILLION);
}

void parts_progress(const struct parts *parts, struct part *p, int64_t interval,
		    const struct usage_since *since, uint32_t busy, uint32_t cap)
{
	uint64_t waited = since->stopped
				  ? (uint64_t)interval * 1000 * p->processors
				  : since->waited + unseen_wait(parts, p, since->unseen, busy, cap);
	uint64_t used =
		(uint64_t)((share_work)since->used * 100 * parts->processors / percent(parts, cap));

	p->work += usage_progress(interval, p->processors, (int64_t)(waited / 1000),
				  (int64_t)(used / 1000));
}

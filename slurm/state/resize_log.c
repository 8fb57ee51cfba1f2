/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resize_log.c - see resize_log.h */
#include "slurm/state/resize_log.h"

#include <pthread.h>
#include <stddef.h>

#include "slurm/history/history.h"

#define DAY (24 * 3600)
/* Seconds after which a change that shows is not that which was asked for by hand. */
#define BY_HAND 60

/* What is noted about a job until its record shows it. */
struct note {
	uint32_t job; /* 0: this one is free */
	int64_t last; /* when it was noted last */
	/* the planner's */
	uint32_t wanted, for_job;
	int64_t asked, notice, held;
	bool taken, not_now;
	/* by hand */
	int64_t hand; /* when; 0: never */
	bool by_operator;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct note notes[RESIZE_LOG];

/* ---- with the lock ---- */

static struct note *find(uint32_t job)
{
	for (size_t i = 0; job && i < RESIZE_LOG; i++)
		if (notes[i].job == job)
			return &notes[i];
	return NULL;
}

/* The one of the job; or a new one, in the place of the oldest if there is no other. */
static struct note *make(uint32_t job, int64_t now)
{
	struct note *n = find(job), *oldest = &notes[0];

	for (size_t i = 0; !n && i < RESIZE_LOG; i++) {
		if (notes[i].last < oldest->last)
			oldest = &notes[i];
	}
	if (!n || now - n->last > DAY) {
		n = n ? n : oldest;
		*n = (struct note){ .job = job };
	}
	n->last = now;
	return n;
}

static void forget(struct note *n)
{
	*n = (struct note){ .job = 0 };
}

/* ---- what is noted ---- */

void resize_log_called(uint32_t job, uint32_t wanted, int64_t now, int64_t by, uint32_t for_job,
		       int64_t held)
{
	struct note *n;

	pthread_mutex_lock(&lock);
	n = make(job, now);
	/* one that is asked for more meanwhile was asked first when it was */
	n->asked = n->asked ? n->asked : now;
	n->notice = by - n->asked;
	n->wanted = wanted;
	n->for_job = for_job;
	n->held += held;
	pthread_mutex_unlock(&lock);
}

void resize_log_taken(uint32_t job, uint32_t wanted, int64_t now, uint32_t for_job, int64_t held)
{
	struct note *n;

	pthread_mutex_lock(&lock);
	n = make(job, now);
	n->taken = true;
	n->wanted = wanted;
	n->for_job = n->for_job ? n->for_job : for_job;
	n->held += held;
	pthread_mutex_unlock(&lock);
}

void resize_log_forget(uint32_t job)
{
	struct note *n;

	pthread_mutex_lock(&lock);
	n = find(job);
	if (n)
		forget(n);
	pthread_mutex_unlock(&lock);
}

void resize_log_not_now(uint32_t job)
{
	struct note *n;

	pthread_mutex_lock(&lock);
	n = find(job);
	if (n && n->asked)
		n->not_now = true;
	pthread_mutex_unlock(&lock);
}

void resize_log_by_hand(uint32_t job, bool by_operator, int64_t now)
{
	struct note *n;

	pthread_mutex_lock(&lock);
	n = make(job, now);
	n->hand = now;
	n->by_operator = by_operator;
	pthread_mutex_unlock(&lock);
}

/* ---- what goes into the history ---- */

static struct history_resize begin(const struct resize_change *c, const char *what, const char *by)
{
	return (struct history_resize){
		.when = c->now,
		.job = c->job,
		.uid = c->uid,
		.account = c->account,
		.partition = c->partition,
		.what = what,
		.by = by,
		.was = c->was,
		.has = c->has,
	};
}

/* What the planner asked for. */
static void add_asked(struct history_resize *r, const struct note *n)
{
	r->wanted = n->wanted;
	r->for_job = n->for_job;
	r->asked = n->asked;
	r->notice = n->notice;
	r->not_now = n->not_now;
	r->held = n->held;
}

static struct history_resize shown(const struct resize_change *c, const struct note *n)
{
	bool hand = n && n->hand && c->now - n->hand <= BY_HAND;
	const char *asked = !hand ? "" : n->by_operator ? "operator" : "job";
	struct history_resize r;

	if (c->has > c->was)
		return begin(c, "grown", asked);
	if (!n || (!n->taken && !n->asked && !hand))
		return begin(c, "lost", "");
	r = begin(c, n->taken ? "taken" : "given_back", n->taken || n->asked ? "scheduler" : asked);
	/* what it did not give back itself is lost, though it was asked for */
	if (!n->taken && !hand)
		r = begin(c, "lost", "");
	else if (n->taken || n->asked)
		add_asked(&r, n);
	return r;
}

void resize_log_shown(const struct resize_change *change)
{
	struct history_resize r;
	struct note *n;

	pthread_mutex_lock(&lock);
	n = find(change->job);
	r = shown(change, n);
	if (n && r.asked && change->has > n->wanted)
		n->hand = 0; /* the rest is to come */
	else if (n && (n->taken || !n->asked || change->has <= n->wanted))
		forget(n);
	pthread_mutex_unlock(&lock);
	history_resized(&r);
}

void resize_log_given(const struct resize_change *change, int64_t held)
{
	bool more = change->has > change->was;
	struct history_resize r = begin(change, more ? "grown" : "revoked", "scheduler");
	struct note *n;

	pthread_mutex_lock(&lock);
	n = find(change->job);
	if (n && !more)
		add_asked(&r, n);
	if (n)
		forget(n);
	pthread_mutex_unlock(&lock);
	r.wanted = change->has;
	r.held += held;
	history_resized(&r);
}

void resize_log_refused(const struct resize_change *change, uint32_t wanted, int64_t held)
{
	struct history_resize r = begin(change, "refused", "scheduler");

	r.wanted = wanted;
	r.held = held;
	history_resized(&r);
}

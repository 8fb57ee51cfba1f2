/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resize_log.c - see resize_log.h */
#include "slurm/state/resize_log.h"

#include <pthread.h>
#include <string.h>

#include "slurm/history/history.h"

#define DAY (24 * 3600)
/* Seconds after which a change that shows is not that which was asked for by hand. */
#define BY_HAND 60

/* What the planner asked for, or took. */
struct request {
	uint32_t wanted, for_job;
	int64_t by;    /* 0: it was taken */
	int64_t asked; /* 0: without notice */
	int64_t notice, held;
	bool not_now;
};

/* What is noted about a job until its record shows it. */
struct note {
	uint32_t job;			   /* 0: this one is free */
	int64_t last;			   /* when it was noted last */
	struct request call[RESIZE_CALLS]; /* the first due first */
	size_t calls;
	bool taken;
	struct request took; /* taken */
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

/* The first n calls are over. */
static void end_calls(struct note *n, size_t done)
{
	n->calls -= done;
	memmove(n->call, n->call + done, n->calls * sizeof(n->call[0]));
}

/* The call that was due then; NULL: there was none. */
static const struct request *call_at(const struct note *n, int64_t by)
{
	for (size_t i = 0; n && i < n->calls; i++)
		if (n->call[i].by == by)
			return &n->call[i];
	return NULL;
}

/* ---- what is noted ---- */

static void set_calls(struct note *n, const struct resize_call *calls, size_t count,
		      const struct request *fresh)
{
	const struct note was = *n;
	int64_t held = fresh->held;

	n->calls = 0;
	for (size_t i = 0; i < count && i < RESIZE_CALLS; i++) {
		const struct request *before = call_at(&was, calls[i].by);
		struct request *call = &n->call[n->calls++];

		*call = before ? *before : *fresh;
		call->wanted = calls[i].wanted;
		if (before)
			continue;
		call->by = calls[i].by;
		call->notice = call->by - call->asked;
		call->held = held;
		held = 0;
	}
}

void resize_log_called(uint32_t job, const struct resize_call *calls, size_t n, int64_t now,
		       uint32_t for_job, int64_t held)
{
	const struct request fresh = { .for_job = for_job, .asked = now, .held = held };
	struct note *note;

	pthread_mutex_lock(&lock);
	note = n ? make(job, now) : find(job);
	if (note)
		set_calls(note, calls, n, &fresh);
	pthread_mutex_unlock(&lock);
}

/* What was due is what was taken, by its first call; what was not asked for was taken at once. */
static void take(struct note *n, int64_t now, uint32_t for_job)
{
	size_t due = 0;

	while (due < n->calls && n->call[due].by <= now)
		due++;
	if (!n->taken)
		n->took = due ? n->call[0] : (struct request){ .for_job = for_job };
	for (size_t i = n->taken ? 0 : 1; i < due; i++) {
		n->took.held += n->call[i].held;
		n->took.not_now |= n->call[i].not_now;
	}
	n->taken = true;
	end_calls(n, due);
}

void resize_log_taken(uint32_t job, uint32_t wanted, int64_t now, uint32_t for_job, int64_t held)
{
	struct note *n;

	pthread_mutex_lock(&lock);
	n = make(job, now);
	take(n, now, for_job);
	n->took.wanted = wanted;
	n->took.held += held;
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
	for (size_t i = 0; n && i < n->calls; i++)
		n->call[i].not_now = true;
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
static void add_asked(struct history_resize *r, const struct request *asked)
{
	r->wanted = asked->wanted;
	r->for_job = asked->for_job;
	r->asked = asked->asked;
	r->notice = asked->notice;
	r->not_now = asked->not_now;
	r->held = asked->held;
}

static struct history_resize shown(const struct resize_change *c, const struct note *n)
{
	bool hand = n && n->hand && c->now - n->hand <= BY_HAND;
	const char *asked = !hand ? "" : n->by_operator ? "operator" : "job";
	struct history_resize r;

	if (c->has > c->was)
		return begin(c, "grown", asked);
	if (n && n->taken) {
		r = begin(c, "taken", "scheduler");
		add_asked(&r, &n->took);
	} else if (hand && n->calls) {
		r = begin(c, "given_back", "scheduler");
		add_asked(&r, &n->call[0]);
	} else {
		/* what it did not give back itself is lost, though it was asked for */
		r = begin(c, hand ? "given_back" : "lost", asked);
	}
	return r;
}

/* The rest is to come. */
static void settle(struct note *n, uint32_t has)
{
	size_t done = 0;

	while (done < n->calls && has <= n->call[done].wanted)
		done++;
	end_calls(n, done);
	n->taken = false;
	n->hand = 0;
	if (!n->calls)
		forget(n);
}

void resize_log_shown(const struct resize_change *change)
{
	struct history_resize r;
	struct note *n;

	pthread_mutex_lock(&lock);
	n = find(change->job);
	r = shown(change, n);
	if (n)
		settle(n, change->has);
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
	if (n && !more && n->calls)
		add_asked(&r, &n->call[0]);
	for (size_t i = 1; n && !more && i < n->calls; i++)
		r.held += n->call[i].held;
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

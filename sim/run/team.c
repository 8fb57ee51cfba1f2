/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * team: see team.h. A round is open from when its task, ctx and n are there until the one that asked has
 * taken the last task of it. A helper says that it is inside before it looks whether a round is open, and the
 * one that asked waits after closing it until none is inside: so no helper ever reads what the next round writes.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity() */
#endif
#include "sim/run/team.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* So often a helper looks for a round before it sleeps: some 100 us. */
#define LOOKS 4000

/* What one processor writes while others look at something else lies on a cache line of its own. */
#define LINE 64

struct team {
	/* helpers look at these all the time, */
	alignas(LINE) atomic_bool open;
	atomic_bool quit;
	/* and the one that asked at this, in the end: how many helpers may be at the round's tasks */
	alignas(LINE) atomic_uint inside;
	alignas(LINE) void (*task)(void *ctx, size_t i);
	void *ctx;
	/* The tasks that no thread has taken: the first, and 2^32 times the one behind the last. */
	_Atomic uint64_t left;
	unsigned most, helpers; /* at most, and started */
	pthread_t helper[TEAM_MOST];
	atomic_uint asleep;
	pthread_mutex_t mutex; /* of falling asleep and waking up */
	pthread_cond_t wake;
};

/* Tell the processor that this loop waits. */
static inline void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

/*
 * The first task that is left, or the last; -1: none is. The one that asks takes from the front and helpers
 * from behind, so that a task mostly has, from round to round, the processor whose caches know it.
 */
static int64_t take_task(struct team *t, bool last)
{
	uint64_t left = atomic_load(&t->left), rest;
	uint32_t first, behind;

	do {
		first = (uint32_t)left;
		behind = (uint32_t)(left >> 32);
		if (first >= behind)
			return -1;
		rest = last ? left - (UINT64_C(1) << 32) : left + 1;
	} while (!atomic_compare_exchange_weak(&t->left, &left, rest));
	return last ? behind - 1 : first;
}

static void do_tasks(struct team *t, bool last)
{
	int64_t i;

	while ((i = take_task(t, last)) >= 0)
		t->task(t->ctx, (size_t)i);
}

static bool called(struct team *t)
{
	return atomic_load(&t->open) || atomic_load(&t->quit);
}

static void sleep_until_called(struct team *t)
{
	pthread_mutex_lock(&t->mutex);
	atomic_fetch_add(&t->asleep, 1);
	while (!called(t))
		pthread_cond_wait(&t->wake, &t->mutex);
	atomic_fetch_sub(&t->asleep, 1);
	pthread_mutex_unlock(&t->mutex);
}

static void *help(void *arg)
{
	struct team *t = arg;

	while (!atomic_load(&t->quit)) {
		for (int i = 0; i < LOOKS && !called(t); i++)
			pause_briefly();
		if (!called(t))
			sleep_until_called(t);
		atomic_fetch_add(&t->inside, 1);
		if (atomic_load(&t->open))
			do_tasks(t, true);
		atomic_fetch_sub(&t->inside, 1);
	}
	return NULL;
}

static void wake_sleepers(struct team *t)
{
	if (!atomic_load(&t->asleep))
		return;
	pthread_mutex_lock(&t->mutex);
	pthread_cond_broadcast(&t->wake);
	pthread_mutex_unlock(&t->mutex);
}

/* One fewer than the tasks, if the system has them. */
static void hire(struct team *t, size_t tasks)
{
	sigset_t all, old;

	if (t->helpers + 1 >= t->most || t->helpers + 1 >= tasks)
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	while (t->helpers + 1 < t->most && t->helpers + 1 < tasks) {
		if (pthread_create(&t->helper[t->helpers], NULL, help, t)) {
			t->most = t->helpers + 1;
			break;
		}
		t->helpers++;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

struct team *team_create(unsigned threads)
{
	struct team *t = aligned_alloc(LINE, sizeof(*t));

	if (!t)
		return NULL;
	memset(t, 0, sizeof(*t));
	t->most = threads < TEAM_MOST ? threads : TEAM_MOST;
	atomic_init(&t->left, 0);
	atomic_init(&t->open, false);
	atomic_init(&t->quit, false);
	atomic_init(&t->inside, 0);
	atomic_init(&t->asleep, 0);
	pthread_mutex_init(&t->mutex, NULL);
	pthread_cond_init(&t->wake, NULL);
	return t;
}

void team_destroy(struct team *t)
{
	if (!t)
		return;
	atomic_store(&t->quit, true);
	wake_sleepers(t);
	for (unsigned i = 0; i < t->helpers; i++)
		pthread_join(t->helper[i], NULL);
	pthread_cond_destroy(&t->wake);
	pthread_mutex_destroy(&t->mutex);
	free(t);
}

unsigned team_processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	cpu_set_t mine;

	/* a job of Slurm's, say, may have but one of many */
	if (!sched_getaffinity(0, sizeof(mine), &mine))
		n = CPU_COUNT(&mine);
	return n < 1 ? 1 : n > TEAM_MOST ? TEAM_MOST : (unsigned)n;
}

void team_together(void *team, void (*task)(void *ctx, size_t i), void *ctx, size_t n)
{
	struct team *t = team;

	hire(t, n);
	t->task = task;
	t->ctx = ctx;
	atomic_store(&t->left, (uint64_t)n << 32);
	if (t->helpers) {
		atomic_store(&t->open, true);
		wake_sleepers(t);
	}
	do_tasks(t, false);
	atomic_store(&t->open, false);
	for (int i = 0; atomic_load(&t->inside); i++) {
		if (i < LOOKS)
			pause_briefly();
		else
			sched_yield();
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage: see usage.h. */
#include "node/usage.h"

#include <stdlib.h>
#include <string.h>

struct walk {
	const struct cgroup *c;
	struct proc_thread *thread;
	size_t n, room;
	uint32_t processes;
	bool stopped, going; /* some are; Slurm's own do not count */
};

static bool add_thread(void *arg, const struct proc_thread *thread)
{
	struct walk *w = arg;

	if (w->n == w->room) {
		size_t room = w->room ? 2 * w->room : 16;
		struct proc_thread *new = realloc(w->thread, room * sizeof(*new));

		if (!new)
			return false;
		w->thread = new;
		w->room = room;
	}
	w->thread[w->n++] = *thread;
	return true;
}

/* Is the process stopped, whose threads are those from `first` on? Groups are asked until one goes. */
static void note_stopped(struct walk *w, pid_t pid, size_t first)
{
	bool stopped = true;

	if (first == w->n || w->thread[first].stepd)
		return;
	for (size_t i = first; i < w->n; i++)
		stopped &= w->thread[i].stopped;
	if (stopped || (!w->going && w->c->ops->frozen(w->c, pid)))
		w->stopped = true;
	else
		w->going = true;
}

static bool add_process(void *arg, pid_t pid)
{
	struct walk *w = arg;
	size_t first = w->n;

	w->processes++;
	if (!proc_threads(w->c->proc, pid, add_thread, w))
		return false;
	note_stopped(w, pid, first);
	return true;
}

static int by_number(const void *a, const void *b)
{
	const struct proc_thread *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

/* The same thread at the last measurement; one of zeroes: it was not there. */
static struct proc_thread last_of(const struct usage *u, const struct proc_thread *thread)
{
	const struct proc_thread *old =
		u->n ? bsearch(thread, u->thread, u->n, sizeof(*thread), by_number) : NULL;

	if (old && old->start == thread->start && old->delay <= thread->delay &&
	    old->ran <= thread->ran)
		return *old;
	return (struct proc_thread){ 0 };
}

int64_t usage_progress(int64_t interval, uint32_t processors, int64_t waited, int64_t used)
{
	int64_t ready = interval - waited / processors, got = used / processors;
	int64_t most = ready > got ? ready : got;

	return most < 0 ? 0 : most > interval ? interval : most;
}

/* A directory that has gone and come again counts from 0. */
static uint64_t newly_used(struct usage *u, const struct cgroup *c,
			   const struct cgroup_place *place)
{
	uint64_t now = 0, before = u->used;

	if (!place->acct[0] || !c->ops->used(place, &now))
		now = 0;
	u->used = now;
	return now >= before ? now - before : now;
}

bool usage_measure(struct usage *u, const struct cgroup *c, const struct cgroup_place *place,
		   struct usage_since *since)
{
	struct walk w = { .c = c };
	uint64_t seen = 0;

	memset(since, 0, sizeof(*since));
	if (place->dir[0] && !cgroup_processes(place->dir, add_process, &w)) {
		free(w.thread);
		return false;
	}
	if (w.n)
		qsort(w.thread, w.n, sizeof(*w.thread), by_number);
	for (size_t i = 0; i < w.n; i++) {
		struct proc_thread last = last_of(u, &w.thread[i]);

		since->waited += w.thread[i].delay - last.delay;
		seen += w.thread[i].ran - last.ran;
	}
	free(u->thread);
	u->thread = w.thread;
	u->n = w.n;
	u->processes = w.processes;
	since->used = newly_used(u, c, place);
	since->unseen = since->used > seen ? since->used - seen : 0;
	since->stopped = u->stopped;
	u->stopped = w.stopped && !w.going;
	since->stopped |= u->stopped;
	return true;
}

void usage_join(struct usage *u, const struct cgroup *c, const struct cgroup_place *place,
		pid_t pid)
{
	struct walk w = { .c = c, .thread = u->thread, .n = u->n, .room = u->n };

	proc_threads(c->proc, pid, add_thread, &w);
	u->thread = w.thread;
	u->n = w.n;
	if (u->n)
		qsort(u->thread, u->n, sizeof(*u->thread), by_number);
	u->processes++;
	if (!u->used)
		newly_used(u, c, place);
}

void usage_release(struct usage *u)
{
	free(u->thread);
	memset(u, 0, sizeof(*u));
}

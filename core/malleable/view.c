/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view: what the engine shows of its jobs (sched.h), and why those that wait do so. */
#include "core/malleable/state.h"

static void view_job(const struct malleable *s, const struct job *j, struct sched_view *v)
{
	int64_t ends = malleable_ends(s, j);
	int64_t start = j->listed ? job_from(s, j) : PACT_FOREVER;

	if (j->owed && j->latest > s->now)
		start = j->latest + s->config.resize_grace;
	*v = (struct sched_view){
		.id = j->id,
		.submit = j->submit,
		.start = j->start >= 0 ? j->start : start,
		.end = j->listed ? malleable_with_guard(s, ends)
		       : j->owed ? j->deadline
				 : PACT_FOREVER,
		.deadline = j->deadline,
		.width = j->n ? j->n : j->least,
		.running = j->start >= 0,
		.promised = j->promised,
		.broken = j->broken,
		.unconfirmed = j->unconfirmed,
		.lent = j->start >= 0 && j->n > j->floor ? j->n - j->floor : 0,
		.called = j->leaving,
		.own_end = j->start >= 0 ? malleable_own_end(s, j) : 0,
		.work_end = j->start >= 0 ? ends : 0,
		.left = j->start >= 0 ? progress_limit(&j->done,
						       speedup_rate(&j->speedup, j->least), s->now)
				      : 0,
	};
	if (v->end < v->start)
		v->start = v->end; /* overdue: its promise is broken */
}

int malleable_view(const void *own, uint64_t id, struct sched_view *v)
{
	const struct malleable *s = own;
	const struct job *j = table_find(s->jobs, id);

	if (j) {
		view_job(s, j, v);
		return PACT_OK;
	}
	return held_view(s->holds, id, v);
}

enum sched_wait malleable_why(const void *own, uint64_t id)
{
	const struct malleable *s = own;
	const struct job *j = table_find(s->jobs, id);

	if (!j)
		return WAIT_NONE;
	if (j->failed)
		return WAIT_FAILED;
	if (j->listed) /* what it is to have is asked for, or there */
		return j->start < 0 && j->ready > s->now ? WAIT_RESOURCES : WAIT_NONE;
	return j->begin > s->now ? WAIT_BEGIN : WAIT_RESOURCES;
}

/* Those that are to be started, those with a latest start, those in the queue. */
size_t malleable_waiting(void *own)
{
	struct malleable *s = own;

	fit_queue_close_up(&s->queue);
	s->todo_fresh = false;
	s->todo_n = 0;
	for (size_t i = 0; i < s->running_n; i++) {
		if (s->running[i]->start < 0)
			s->todo[s->todo_n++] = s->running[i];
	}
	return s->todo_n + s->accepted_n + s->queue.n;
}

int malleable_view_waiting(const void *own, size_t i, struct sched_view *v)
{
	const struct malleable *s = own;
	const struct job *j;

	if (i < s->todo_n)
		j = s->todo[i];
	else if (i - s->todo_n < s->accepted_n)
		j = s->accepted[i - s->todo_n];
	else if (i - s->todo_n - s->accepted_n < s->queue.n)
		j = s->queue.v[i - s->todo_n - s->accepted_n].job;
	else
		return PACT_ENOENT;
	view_job(s, j, v);
	return PACT_OK;
}

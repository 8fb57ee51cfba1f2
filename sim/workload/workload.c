/* SPDX-License-Identifier: GPL-2.0-or-later */
/* workload: see workload.h. */
#include "sim/workload/workload.h"

#include <stdlib.h>
#include <string.h>

#include "core/sched.h"

void workload_init(struct workload *w)
{
	memset(w, 0, sizeof(*w));
}

void workload_release(struct workload *w)
{
	free(w->job);
	workload_init(w);
}

void workload_tell(const struct sim_job *job, uint64_t id, struct sched_job *told)
{
	*told = (struct sched_job){
		.id = id,
		.submit = job->submit,
		.begin = job->begin,
		.limit = job->estimate,
		.deadline = job->deadline,
		.priority = job->priority,
		.planned = -1,
		.width = job->width,
		.most = job->most,
		.value = job->value,
		.speedup = job->speedup ? *job->speedup : (struct list64){ NULL, 0 },
		.processors = job->processors,
		.memory = job->memory,
		.migration = job->migration,
		.grace = job->grace,
		.user = job->user < 0 ? 0 : (int64_t)job->user + 1,
		.flags = (job->whole ? JOB_WHOLE : 0) | (job->moldable ? JOB_MOLDABLE : 0),
		.nalt = job->nodes ? 1 : 0,
		.alt = { job->nodes },
	};
}

bool workload_can_use(const struct sim_job *job, int32_t nodes)
{
	return nodes >= job->width && nodes <= (job->most > job->width ? job->most : job->width);
}

int workload_add(struct workload *w, const struct sim_job *job)
{
	if (w->count == w->room) {
		size_t room = w->room ? 2 * w->room : 1024;
		struct sim_job *grown = realloc(w->job, room * sizeof(*grown));

		if (!grown)
			return PACT_ENOMEM;
		w->job = grown;
		w->room = room;
	}
	w->job[w->count++] = *job;
	return PACT_OK;
}

/* Bottom-up merge sort: stable, so that equal keys stay in the order of the source. */
static bool job_before(const struct sim_job *a, const struct sim_job *b)
{
	return a->submit != b->submit ? a->submit < b->submit : a->id < b->id;
}

static void merge(const struct sim_job *from, struct sim_job *to, size_t lo, size_t mid, size_t hi)
{
	size_t a = lo, b = mid;

	for (size_t i = lo; i < hi; i++) {
		if (a < mid && (b >= hi || !job_before(&from[b], &from[a])))
			to[i] = from[a++];
		else
			to[i] = from[b++];
	}
}

/* The usual case, a log in order, costs one look and no memory. */
static size_t count_disorder(const struct workload *w, bool *sorted)
{
	size_t late = 0;

	*sorted = true;
	for (size_t i = 1; i < w->count; i++) {
		late += w->job[i].submit < w->job[i - 1].submit;
		if (job_before(&w->job[i], &w->job[i - 1]))
			*sorted = false;
	}
	return late;
}

/* Without memory for a merge: insertion, slow but right. */
static void sort_in_place(struct workload *w)
{
	for (size_t i = 1; i < w->count; i++) {
		struct sim_job j = w->job[i];
		size_t k = i;

		for (; k > 0 && job_before(&j, &w->job[k - 1]); k--)
			w->job[k] = w->job[k - 1];
		w->job[k] = j;
	}
}

size_t workload_sort(struct workload *w)
{
	bool sorted;
	size_t late = count_disorder(w, &sorted);
	size_t n = w->count;
	struct sim_job *from = w->job, *to;

	if (sorted)
		return late;
	to = malloc(n * sizeof(*to));
	if (!to) {
		sort_in_place(w);
		return late;
	}
	for (size_t run = 1; run < n; run *= 2) {
		struct sim_job *swap = from;

		for (size_t lo = 0; lo < n; lo += 2 * run)
			merge(from, to, lo, lo + run < n ? lo + run : n,
			      lo + 2 * run < n ? lo + 2 * run : n);
		from = to;
		to = swap;
	}
	free(to);
	w->job = from;
	w->room = n;
	return late;
}

void workload_slice(struct workload *w, size_t first, size_t count)
{
	size_t skip = first ? first - 1 : 0;

	if (skip >= w->count) {
		w->count = 0;
		return;
	}
	if (count > w->count - skip)
		count = w->count - skip;
	memmove(w->job, w->job + skip, count * sizeof(*w->job));
	w->count = count;
}

void workload_exact(struct workload *w)
{
	for (size_t i = 0; i < w->count; i++) {
		w->job[i].estimate = w->job[i].runtime;
		w->job[i].killed = false;
	}
}

size_t workload_drop_wide(struct workload *w, uint32_t nodes)
{
	size_t kept = 0, dropped;

	while (kept < w->count && (uint32_t)w->job[kept].width <= nodes)
		kept++; /* mostly these are all */
	for (size_t i = kept; i < w->count; i++)
		if ((uint32_t)w->job[i].width <= nodes)
			w->job[kept++] = w->job[i];
	dropped = w->count - kept;
	w->count = kept;
	return dropped;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rows: see rows.h. */
#include "draw/rows.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int rows_add(struct rows *rows, uint32_t first, uint32_t last)
{
	if (rows->count == rows->room) {
		size_t room = rows->room ? 2 * rows->room : 64;
		struct rows_range *more = realloc(rows->range, room * sizeof(*more));

		if (!more)
			return ENOMEM;
		rows->range = more;
		rows->room = room;
	}
	rows->range[rows->count++] = (struct rows_range){ first, last };
	return 0;
}

void rows_release(struct rows *rows)
{
	free(rows->range);
	memset(rows, 0, sizeof(*rows));
}

/* The start of the smallest run of free nodes that holds the job, or `nodes`. */
static uint32_t gap(const int64_t *free_at, uint32_t nodes, const struct rows_job *job)
{
	uint32_t best = nodes, best_length = UINT32_MAX;

	for (uint32_t i = 0; i < nodes;) {
		uint32_t begin = i;

		while (i < nodes && free_at[i] <= job->start)
			i++;
		if (i - begin >= job->width && i - begin < best_length) {
			best = begin;
			best_length = i - begin;
		}
		i += i == begin;
	}
	return best;
}

/* The smallest time by which the job has nodes enough: one of free_at, found by bisection. */
static int64_t soonest(const int64_t *free_at, uint32_t nodes, const struct rows_job *job)
{
	int64_t low = job->start, high = INT64_MAX;

	while (low < high) {
		int64_t middle = low + (high - low) / 2;
		uint32_t free_nodes = 0;

		for (uint32_t i = 0; i < nodes; i++)
			free_nodes += free_at[i] <= middle;
		if (free_nodes >= job->width)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static int place(struct rows *rows, int64_t *free_at, uint32_t nodes, struct rows_job *job)
{
	uint32_t i = gap(free_at, nodes, job), left = job->width;
	int64_t by = job->start;
	int err = 0;

	if (i == nodes) {
		by = soonest(free_at, nodes, job);
		rows->shared += by > job->start;
		i = 0;
	}
	job->place = rows->count;
	while (left && !err) {
		uint32_t begin;

		while (free_at[i] > by)
			i++;
		for (begin = i; left && i < nodes && free_at[i] <= by; i++, left--)
			free_at[i] = job->end > free_at[i] ? job->end : free_at[i];
		err = rows_add(rows, begin, i - 1);
	}
	job->ranges = rows->count - job->place;
	return err;
}

static int by_start(const void *x, const void *y)
{
	const struct rows_job *a = *(struct rows_job *const *)x, *b = *(struct rows_job *const *)y;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a < b ? -1 : a > b;
}

int rows_assign(struct rows *rows, uint32_t nodes, struct rows_job *job, size_t count)
{
	int64_t *free_at = malloc((nodes ? nodes : 1) * sizeof(*free_at));
	struct rows_job **order = malloc((count ? count : 1) * sizeof(struct rows_job *));
	int err = free_at && order ? 0 : ENOMEM;

	memset(rows, 0, sizeof(*rows));
	for (uint32_t i = 0; i < nodes && !err; i++)
		free_at[i] = INT64_MIN;
	for (size_t i = 0; i < count && !err; i++)
		order[i] = &job[i];
	if (!err)
		qsort(order, count, sizeof(*order), by_start);
	for (size_t i = 0; i < count && !err; i++)
		err = place(rows, free_at, nodes, order[i]);
	free(free_at);
	free(order);
	if (err)
		rows_release(rows);
	return err;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sum.c - the summary of a history, put together of its parts
 */
#include "contrib/pact/show/sum.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/pact/show/show.h"

/* So many tasks ended so long before their deadline; below 0: behind it. */
struct slack {
	int64_t seconds, tasks;
};

/* A line of the summary; the sum of lines has another. */
struct line {
	json_object *json;
	struct slack *slacks;
	size_t n, room;
};

struct sum {
	struct line *lines;
	size_t n, room;
	json_object *found; /* where in lines, by month, user and account */
};

struct sum *sum_create(void)
{
	struct sum *sum = calloc(1, sizeof(*sum));

	if (sum && !(sum->found = json_object_new_object())) {
		free(sum);
		return NULL;
	}
	return sum;
}

static void release(struct line *line)
{
	json_object_put(line->json);
	free(line->slacks);
}

void sum_destroy(struct sum *sum)
{
	if (!sum)
		return;
	for (size_t i = 0; i < sum->n; i++)
		release(&sum->lines[i]);
	free(sum->lines);
	json_object_put(sum->found);
	free(sum);
}

/* Room for one more.  RET false: no memory, and nothing has changed */
static bool grow(void **array, size_t n, size_t *room, size_t size)
{
	size_t more = *room ? 2 * *room : 16;
	void *larger;

	if (n < *room)
		return true;
	larger = realloc(*array, more * size);
	if (!larger)
		return false;
	*array = larger;
	*room = more;
	return true;
}

static bool add_slack(struct line *to, int64_t seconds, int64_t tasks)
{
	if (!grow((void **)&to->slacks, to->n, &to->room, sizeof(*to->slacks)))
		return false;
	to->slacks[to->n++] = (struct slack){ .seconds = seconds, .tasks = tasks };
	return true;
}

static void add_number(json_object *to, const char *key, int64_t value)
{
	json_object_object_add(to, key, json_object_new_int64(get_number(to, key) + value));
}

/* What a line's members are but what names it: numbers, and numbers by reason. */
static void add_counts(json_object *to, json_object *from)
{
	json_object *reasons = get_member(from, "reasons"), *sums = get_member(to, "reasons");

	json_object_object_foreach(from, key, value) if (strcmp(key, "user") != 0 &&
							 json_object_is_type(value, json_type_int))
		add_number(to, key, json_object_get_int64(value));
	if (!json_object_is_type(reasons, json_type_object))
		return;
	if (!sums)
		json_object_object_add(to, "reasons", sums = json_object_new_object());
	json_object_object_foreach(reasons, reason, count)
		add_number(sums, reason, json_object_get_int64(count));
}

static bool add_slacks(struct line *to, json_object *slacks)
{
	if (!json_object_is_type(slacks, json_type_object))
		return true;
	json_object_object_foreach(slacks, seconds, count)
	{
		int64_t tasks = json_object_get_int64(count);

		if (tasks > 0 && !add_slack(to, strtoll(seconds, NULL, 10), tasks))
			return false;
	}
	return true;
}

/* A new line with the members of another one that name it.  RET NULL: no memory */
static json_object *name_like(json_object *from, bool user)
{
	json_object *to = json_object_new_object();

	if (!to)
		return NULL;
	json_object_object_add(to, "month", json_object_get(get_member(from, "month")));
	if (user) {
		json_object_object_add(to, "user", json_object_get(get_member(from, "user")));
		json_object_object_add(to, "account", json_object_get(get_member(from, "account")));
	}
	return to;
}

/* RET NULL: no memory */
static struct line *line_of(struct sum *sum, json_object *from)
{
	const char *account = get_text(from, "account");
	size_t size = strlen(account) + 64;
	char *key = malloc(size);
	json_object *at = NULL;

	if (!key)
		return NULL;
	snprintf(key, size, "%.20s %lld %s", get_text(from, "month"),
		 (long long)get_number(from, "user"), account);
	if (!json_object_object_get_ex(sum->found, key, &at) &&
	    grow((void **)&sum->lines, sum->n, &sum->room, sizeof(*sum->lines))) {
		at = json_object_new_int64((int64_t)sum->n);
		json_object_object_add(sum->found, key, at);
		sum->lines[sum->n++] = (struct line){ .json = name_like(from, true) };
	}
	free(key);
	return at ? &sum->lines[json_object_get_int64(at)] : NULL;
}

bool sum_add(struct sum *sum, json_object *lines)
{
	for (size_t i = 0; i < get_count(lines); i++) {
		json_object *from = json_object_array_get_idx(lines, i);
		struct line *to;

		if (!json_object_is_type(from, json_type_object))
			continue;
		to = line_of(sum, from);
		if (!to || !to->json || !add_slacks(to, get_member(from, "slacks")))
			return false;
		add_counts(to->json, from);
	}
	return true;
}

static int by_seconds(const void *a, const void *b)
{
	const struct slack *x = a, *y = b;

	return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

/* The seconds of that task, counted from 0 by slack. */
static int64_t slack_at(const struct line *line, int64_t task)
{
	size_t i = 0;

	while (i + 1 < line->n && task >= line->slacks[i].tasks)
		task -= line->slacks[i++].tasks;
	return line->slacks[i].seconds;
}

/* The middle one; of two the mean. */
static void tell_median(struct line *line)
{
	int64_t tasks = 0;

	if (!line->n)
		return;
	qsort(line->slacks, line->n, sizeof(*line->slacks), by_seconds);
	for (size_t i = 0; i < line->n; i++)
		tasks += line->slacks[i].tasks;
	json_object_object_add(
		line->json, "slack",
		json_object_new_int64(
			(slack_at(line, (tasks - 1) / 2) + slack_at(line, tasks / 2)) / 2));
}

static bool add_line(struct line *to, const struct line *from)
{
	add_counts(to->json, from->json);
	for (size_t i = 0; i < from->n; i++)
		if (!add_slack(to, from->slacks[i].seconds, from->slacks[i].tasks))
			return false;
	return true;
}

static int by_name(const void *a, const void *b)
{
	json_object *x = ((const struct line *)a)->json, *y = ((const struct line *)b)->json;
	int order = strcmp(get_text(x, "month"), get_text(y, "month"));
	int64_t one = get_number(x, "user"), other = get_number(y, "user");

	if (!order)
		order = (one > other) - (one < other);
	return order ? order : strcmp(get_text(x, "account"), get_text(y, "account"));
}

/* Done: into the answer, without its slacks. */
static void put_line(json_object *array, struct line *line)
{
	tell_median(line);
	json_object_array_add(array, json_object_get(line->json));
	release(line);
	*line = (struct line){ .json = NULL };
}

static bool is_month_of(const struct line *month, const struct line *line)
{
	return month->json &&
	       !strcmp(get_text(month->json, "month"), get_text(line->json, "month"));
}

/* The lines in their order; and each month, and all, from these. */
static bool put_all(struct sum *sum, json_object *lines, json_object *months, struct line *all)
{
	struct line month = { .json = NULL };
	bool ok = true;

	for (size_t i = 0; i < sum->n && ok; i++) {
		struct line *line = &sum->lines[i];

		if (month.json && !is_month_of(&month, line))
			put_line(months, &month);
		if (!month.json)
			month.json = name_like(line->json, false);
		ok = month.json && add_line(&month, line) && add_line(all, line);
		put_line(lines, line);
	}
	if (month.json && ok)
		put_line(months, &month);
	release(&month);
	return ok;
}

json_object *sum_finish(struct sum *sum)
{
	static const char *const names[] = { "lines", "months", "all" };
	json_object *out = json_object_new_object(), *arrays[3];
	struct line all = { .json = json_object_new_object() };
	bool ok = out && all.json;

	for (size_t i = 0; i < 3 && ok; i++) {
		arrays[i] = json_object_new_array();
		ok = arrays[i] != NULL;
		json_object_object_add(out, names[i], arrays[i]);
	}
	if (sum->n)
		qsort(sum->lines, sum->n, sizeof(*sum->lines), by_name);
	ok = ok && put_all(sum, arrays[0], arrays[1], &all);
	if (ok && sum->n)
		put_line(arrays[2], &all);
	release(&all);
	if (ok)
		return out;
	json_object_put(out);
	return NULL;
}

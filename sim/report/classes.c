/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classes: see classes.h. The values are sorted once, each with the number of its cell (width class and
 * runtime class), by a radix sort; one walk over them then meets the wanted ranks of all groups at once.
 */
#include "sim/report/classes.h"

#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 11
#define DIGITS ((size_t)1 << DIGIT_BITS)
#define PASSES 6 /* of 11 bits: 64 */

static const int64_t runtime_from[CLASSES_RUNTIME + 1] = { 0, 60, 600, 3600, 6 * 3600, INT64_MAX };

int64_t classes_width_from(size_t class)
{
	return class ? (INT64_C(1) << (class - 1)) + 1 : 1;
}

int64_t classes_width_to(size_t class)
{
	return INT64_C(1) << class;
}

int64_t classes_runtime_from(size_t class)
{
	return runtime_from[class];
}

int64_t classes_runtime_below(size_t class)
{
	return runtime_from[class + 1];
}

const char *classes_runtime_name(size_t class)
{
	static const char *const names[CLASSES_RUNTIME] = { "below 1 min", "1 to 10 min",
							    "10 min to 1 h", "1 to 6 h",
							    "6 h and more" };

	return names[class];
}

static size_t width_class(int32_t width)
{
	return width > 1 ? (size_t)(32 - __builtin_clz((uint32_t)width - 1)) : 0;
}

static size_t runtime_class(int64_t run)
{
	size_t class = 0;

	while (run >= runtime_from[class + 1])
		class ++;
	return class;
}

/* Values as they are sorted, each with its cell, and as much room again. */
struct column {
	uint64_t *key, *other_key;
	uint8_t *cell, *other_cell;
	size_t n;
};

static void sort_by_digit(struct column *v, unsigned shift)
{
	size_t at[DIGITS] = { 0 }, sum = 0;
	uint64_t *key = v->other_key;
	uint8_t *cell = v->other_cell;

	for (size_t i = 0; i < v->n; i++)
		at[v->key[i] >> shift & (DIGITS - 1)]++;
	if (at[v->key[0] >> shift & (DIGITS - 1)] == v->n)
		return; /* they do not differ there */
	for (size_t d = 0; d < DIGITS; d++) {
		size_t count = at[d];

		at[d] = sum;
		sum += count;
	}
	for (size_t i = 0; i < v->n; i++) {
		size_t to = at[v->key[i] >> shift & (DIGITS - 1)]++;

		key[to] = v->key[i];
		cell[to] = v->cell[i];
	}
	v->other_key = v->key;
	v->other_cell = v->cell;
	v->key = key;
	v->cell = cell;
}

static void sort(struct column *v)
{
	for (unsigned pass = 0; pass < PASSES && v->n; pass++)
		sort_by_digit(v, pass * DIGIT_BITS);
}

/* Place ceil(p n / 100), counted from 1. */
static uint64_t rank_of(uint64_t n, enum percentile p)
{
	static const uint64_t percent[PERCENTILES] = { 50, 90, 99 };

	return n / 100 * percent[p] + (n % 100 * percent[p] + 99) / 100;
}

/* How far the walk has come in one group, and the key at each of its ranks. */
struct walker {
	uint64_t seen, next;
	enum percentile p;
	uint64_t found[PERCENTILES];
};

static void step(struct walker *w, uint64_t jobs, uint64_t key)
{
	w->seen++;
	while (w->p < PERCENTILES && w->seen == w->next) {
		w->found[w->p++] = key;
		if (w->p < PERCENTILES)
			w->next = rank_of(jobs, w->p);
	}
}

struct walk {
	struct walker all, width[CLASSES_WIDTH], runtime[CLASSES_RUNTIME];
	struct walker both[CLASSES_WIDTH][CLASSES_RUNTIME];
};

static void begin(struct walker *w, const struct quantiles *s)
{
	*w = (struct walker){ .next = rank_of(s->jobs, MEDIAN) };
}

/* Sorts the column; the keys at the ranks are in *walk then. */
static void walk_over(struct walk *walk, const struct classes *c, struct column *v)
{
	begin(&walk->all, &c->all);
	for (size_t r = 0; r < CLASSES_RUNTIME; r++)
		begin(&walk->runtime[r], &c->runtime[r]);
	for (size_t w = 0; w < CLASSES_WIDTH; w++) {
		begin(&walk->width[w], &c->width[w]);
		for (size_t r = 0; r < CLASSES_RUNTIME; r++)
			begin(&walk->both[w][r], &c->both[w][r]);
	}
	sort(v);
	for (size_t i = 0; i < v->n; i++) {
		size_t w = v->cell[i] / CLASSES_RUNTIME, r = v->cell[i] % CLASSES_RUNTIME;

		step(&walk->all, c->all.jobs, v->key[i]);
		step(&walk->width[w], c->width[w].jobs, v->key[i]);
		step(&walk->runtime[r], c->runtime[r].jobs, v->key[i]);
		step(&walk->both[w][r], c->both[w][r].jobs, v->key[i]);
	}
}

static void take_wait(struct quantiles *s, const struct walker *w)
{
	for (int p = 0; p < PERCENTILES; p++)
		s->wait[p] = (int64_t)w->found[p];
}

static void take_slowdown(struct quantiles *s, const struct walker *w)
{
	memcpy(s->slowdown, w->found, sizeof(s->slowdown));
}

static void for_each(struct classes *c, const struct walk *walk,
		     void (*take)(struct quantiles *s, const struct walker *w))
{
	take(&c->all, &walk->all);
	for (size_t r = 0; r < CLASSES_RUNTIME; r++)
		take(&c->runtime[r], &walk->runtime[r]);
	for (size_t w = 0; w < CLASSES_WIDTH; w++) {
		take(&c->width[w], &walk->width[w]);
		for (size_t r = 0; r < CLASSES_RUNTIME; r++)
			take(&c->both[w][r], &walk->both[w][r]);
	}
}

static void lack(struct quantiles *s, const struct walker *w)
{
	(void)w;
	for (int p = 0; p < PERCENTILES; p++) {
		s->wait[p] = -1;
		s->slowdown[p] = -1;
	}
}

/* A double that is not negative is in the order of its bits. */
static uint64_t key_of(double x)
{
	uint64_t key;

	memcpy(&key, &x, sizeof(key));
	return key;
}

static void fill(struct column *v, const struct metrics *m, bool slowdown)
{
	v->n = 0;
	for (size_t i = 0; i < m->w->count; i++) {
		const struct sim_job *j = &m->w->job[i];
		const struct sim_outcome *o = &m->out[i];

		if (!metrics_ended(o))
			continue;
		v->key[v->n] = slowdown ? key_of(metrics_bounded_slowdown(j, o, 10))
					: (uint64_t)(o->start - j->submit);
		v->cell[v->n++] = (uint8_t)(width_class(j->width) * CLASSES_RUNTIME +
					    runtime_class(j->runtime));
	}
}

static void count(struct classes *c, const struct metrics *m)
{
	memset(c, 0, sizeof(*c));
	for (size_t i = 0; i < m->w->count; i++) {
		const struct sim_outcome *o = &m->out[i];
		size_t w, r;

		if (!metrics_ended(o))
			continue;
		w = width_class(m->w->job[i].width);
		r = runtime_class(m->w->job[i].runtime);
		c->all.jobs++;
		c->width[w].jobs++;
		c->runtime[r].jobs++;
		c->both[w][r].jobs++;
	}
}

bool classes_find(const struct metrics *m, struct classes *c)
{
	size_t room;
	struct column v = { .n = 0 };
	struct walk *walk = malloc(sizeof(*walk));
	void *keys[2], *cells[2];
	bool ok;

	count(c, m);
	room = c->all.jobs + 1;
	for (int i = 0; i < 2; i++) {
		keys[i] = calloc(room, sizeof(*v.key));
		cells[i] = calloc(room, sizeof(*v.cell));
	}
	v = (struct column){ keys[0], keys[1], cells[0], cells[1], 0 };
	ok = walk && keys[0] && keys[1] && cells[0] && cells[1];
	if (ok) {
		fill(&v, m, false);
		walk_over(walk, c, &v);
		for_each(c, walk, take_wait);
		fill(&v, m, true);
		walk_over(walk, c, &v);
		for_each(c, walk, take_slowdown);
	} else {
		static const struct walk none;

		for_each(c, &none, lack);
	}
	for (int i = 0; i < 2; i++) {
		free(keys[i]);
		free(cells[i]);
	}
	free(walk);
	return ok;
}

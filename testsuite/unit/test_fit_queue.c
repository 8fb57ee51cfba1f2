/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_fit_queue: the index of waiting jobs against a plain list of them, over random additions, removals and searches.
 * Every search in it finds what a walk over the list finds, from whatever place.
 */
#include <stdbool.h>
#include <string.h>

#include "core/malleable/fit_queue.h"
#include "testsuite/unit/seed.h"

#define JOBS 90
#define ROUNDS 200
#define STEPS 400

/* Jobs are told apart by their addresses alone. */
static char body[JOBS];

struct plain {
	struct fit_queue_key key;
	int32_t least;
	size_t job; /* number */
};

/* In order. */
static struct plain list[JOBS];
static size_t n;

static int64_t below(uint64_t *seed, int64_t most)
{
	return (int64_t)(seed_next(seed) % (uint64_t)most);
}

static struct job *job_at(size_t i)
{
	return (struct job *)(void *)&body[i];
}

static bool comes_before(const struct fit_queue_key *a, const struct fit_queue_key *b)
{
	if (a->priority != b->priority)
		return a->priority > b->priority;
	return a->time != b->time ? a->time < b->time : a->id < b->id;
}

static size_t find_job(size_t job)
{
	size_t i = 0;

	while (i < n && list[i].job != job)
		i++;
	return i;
}

/* Mostly behind all others, as jobs come; now and then anywhere. */
static void add(struct fit_queue *q, uint64_t *seed, size_t job, int64_t step)
{
	struct plain p = { .least = 1 + (int32_t)below(seed, 20), .job = job };
	size_t at = n;

	p.key = (struct fit_queue_key){ below(seed, 6) ? 0 : below(seed, 3),
					below(seed, 4) ? step : below(seed, step + 1), job };
	while (at > 0 && comes_before(&p.key, &list[at - 1].key))
		at--;
	memmove(&list[at + 1], &list[at], (n - at) * sizeof(*list));
	list[at] = p;
	n++;
	fit_queue_add(q, &p.key, job_at(job), p.least);
}

static void take_out(struct fit_queue *q, size_t i)
{
	fit_queue_remove(q, &list[i].key);
	n--;
	memmove(&list[i], &list[i + 1], (n - i) * sizeof(*list));
}

/* All that need at most so many, in their order. */
static void check_search(const struct fit_queue *q, int32_t most)
{
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		if (list[i].least > most)
			continue;
		at = fit_queue_find(q, at, most);
		assert_true(at < q->n);
		assert_ptr_equal(q->v[at].job, job_at(list[i].job));
		assert_int_equal(q->v[at].least, list[i].least);
		at++;
	}
	assert_int_equal(fit_queue_find(q, at, most), q->n);
}

static void check(struct fit_queue *q, uint64_t *seed)
{
	assert_int_equal(q->jobs, n);
	check_search(q, (int32_t)below(seed, 24));
	check_search(q, INT32_MAX - 1);
	if (below(seed, 30))
		return;
	fit_queue_close_up(q);
	assert_int_equal(q->n, n);
	for (size_t i = 0; i < n; i++)
		assert_ptr_equal(q->v[i].job, job_at(list[i].job));
}

static void step(struct fit_queue *q, uint64_t *seed, int64_t now)
{
	size_t job = (size_t)below(seed, JOBS), at = find_job(job);
	const struct fit_queue_key none = { 5, now, job };

	if (at < n)
		take_out(q, at);
	else
		add(q, seed, job, now);
	fit_queue_remove(q, &none); /* it is not there */
	check(q, seed);
	if (below(seed, 300))
		return;
	fit_queue_clear(q);
	n = 0;
	check(q, seed);
}

/* Room comes in pieces, as jobs do. */
static void test_random(void **state)
{
	uint64_t rounds = seed_rounds(ROUNDS);

	(void)state;
	for (uint64_t round = 0; round < rounds; round++) {
		uint64_t seed = seed_of_round(round);
		struct fit_queue q = { .n = 0 };

		n = 0;
		for (int64_t i = 0; i < STEPS; i++) {
			assert_int_equal(fit_queue_reserve(&q, n + 1), 0);
			step(&q, &seed, i);
		}
		fit_queue_release(&q);
		assert_int_equal(fit_queue_bytes(&q), 0);
	}
}

static void test_empty(void **state)
{
	struct fit_queue q = { .n = 0 };

	(void)state;
	assert_int_equal(fit_queue_find(&q, 0, 5), 0);
	fit_queue_close_up(&q);
	assert_int_equal(fit_queue_reserve(&q, 1), 0);
	assert_int_equal(fit_queue_find(&q, 0, 5), 0);
	fit_queue_release(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_empty),
	};

	return seed_run("test_fit_queue", tests);
}

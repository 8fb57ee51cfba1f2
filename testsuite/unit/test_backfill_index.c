/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_backfill_index: backfill_index against a walk over all jobs in the order of their arrival. */
#include <stdlib.h>

#include "core/planning/state/job.h"
#include "core/planning/state/backfill_index.h"
#include "testsuite/unit/seed.h"

#define JOBS 400
#define STEPS 20000

static struct job job[JOBS];
static bool waits[JOBS];

/* Mostly short; now and then around what 32 bits hold, or for ever. */
static int64_t some_duration(int64_t most)
{
	switch (seed_below(20)) {
	case 0:
		return INT64_MAX;
	case 1:
	case 2:
		return INT32_MAX - 2 + seed_below(5);
	default:
		return 1 + seed_below(most);
	}
}

static bool fits(const struct job *j, const struct backfill_gap *gap)
{
	return j->req.width <= gap->width &&
	       (j->req.width <= gap->extra || j->req.duration <= gap->span);
}

static bool before(const struct job *a, const struct job *b)
{
	return a->submit != b->submit ? a->submit < b->submit : a->id < b->id;
}

/* The first that fits and came later than `after` (NULL: any). */
static struct job *first_behind(const struct job *after, const struct backfill_gap *gap)
{
	struct job *first = NULL;

	for (int i = 0; i < JOBS; i++) {
		if (waits[i] && fits(&job[i], gap) && (!after || before(after, &job[i])) &&
		    (!first || before(&job[i], first)))
			first = &job[i];
	}
	return first;
}

static void walk(const struct backfill_index *l)
{
	struct backfill_gap gap = { .width = (int32_t)seed_below(20),
				    .extra = (int32_t)seed_below(8),
				    .span = some_duration(100) - 1 };
	const struct job *last = NULL;
	size_t at = 0;

	for (;;) {
		struct job *expected = first_behind(last, &gap), *j = backfill_next(l, &at, &gap);

		assert_ptr_equal(j, expected);
		if (!j)
			return;
		last = j;
		at++;
	}
}

static void equals_a_walk(void **state)
{
	struct backfill_index *l = backfill_create();
	int64_t clock = 1000;

	(void)state;
	assert_non_null(l);
	for (int step = 0; step < STEPS; step++) {
		int i = (int)seed_below(JOBS);

		/* the index grows, then empties, again and again */
		if (waits[i] && step % 4000 > 1500) {
			backfill_leave(l, &job[i]);
			waits[i] = false;
		} else if (!waits[i] && step % 4000 < 2500) {
			clock += seed_below(3);
			job[i] = (struct job){
				.id = (uint64_t)(step * JOBS + i),
				/* now and then one comes out of turn */
				.submit = clock - (seed_below(50) ? 0 : seed_below(500)),
				.req = { .width = 1 + (int32_t)seed_below(25),
					 .duration = some_duration(120) },
			};
			assert_int_equal(backfill_join(l, &job[i]), 0);
			waits[i] = true;
		}
		if (seed_below(20))
			continue;
		assert_true(backfill_arrange(l) >= 0);
		walk(l);
	}
	backfill_destroy(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equals_a_walk),
	};

	return seed_run("test_backfill_index", tests);
}

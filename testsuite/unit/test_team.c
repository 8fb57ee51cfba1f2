/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_team: rounds of tasks of all sizes, one after the other; each is done once, and what it wrote is seen. */
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "sim/run/team.h"
#include "testsuite/unit/seed.h"

#define MOST 40

struct round {
	uint64_t input[MOST], output[MOST];
	unsigned times[MOST], length[MOST];
};

/* As long as the round says. */
static uint64_t churn(uint64_t x, unsigned length)
{
	while (length--)
		x = x * UINT64_C(6364136223846793005) + 1;
	return x;
}

static void churn_one(void *ctx, size_t i)
{
	struct round *r = ctx;

	r->times[i]++;
	r->output[i] = churn(r->input[i], r->length[i]);
}

static void one_round(struct team *t)
{
	struct round r = { .times = { 0 } };
	size_t n = (size_t)seed_below(MOST);

	for (size_t i = 0; i < n; i++) {
		r.input[i] = seed_draw();
		r.length[i] = (unsigned)seed_below(seed_below(10) ? 50 : 3000);
	}
	team_together(t, churn_one, &r, n);
	for (size_t i = 0; i < MOST; i++) {
		assert_int_equal(r.times[i], i < n);
		if (i < n)
			assert_int_equal(r.output[i], churn(r.input[i], r.length[i]));
	}
}

static void does_each_task_once(void **state)
{
	(void)state;
	for (unsigned threads = 1; threads <= TEAM_MOST + 2; threads++) {
		struct team *t = team_create(threads);

		assert_non_null(t);
		for (int round = 0; round < 150; round++) {
			if (seed_below(200) == 0)
				usleep(3000); /* helpers fall asleep meanwhile */
			one_round(t);
		}
		team_destroy(t);
	}
}

static void may_have_no_round(void **state)
{
	struct team *t = team_create(2);

	(void)state;
	assert_non_null(t);
	team_destroy(t);
	team_destroy(NULL);
	assert_in_range(team_processors(), 1, TEAM_MOST);
}

static void wait_for_the_other(void *ctx, size_t i)
{
	atomic_bool *here = ctx;

	atomic_store(&here[i], true);
	while (!atomic_load(&here[1 - i]))
		sched_yield();
}

/* Two tasks that wait for each other end only if they are done at once. */
static void does_two_at_once(void **state)
{
	struct team *t = team_create(2);

	(void)state;
	assert_non_null(t);
	for (int round = 0; round < 50; round++) {
		atomic_bool here[2];

		atomic_init(&here[0], false);
		atomic_init(&here[1], false);
		if (round % 10 == 9)
			usleep(2000);
		team_together(t, wait_for_the_other, here, 2);
	}
	team_destroy(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(does_each_task_once),
		cmocka_unit_test(may_have_no_round),
		cmocka_unit_test(does_two_at_once),
	};

	return seed_run("test_team", tests);
}

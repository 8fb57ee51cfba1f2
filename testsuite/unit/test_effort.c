/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_effort: what one submission to a long queue costs MRT is bounded. The linker puts another function in
 * place of the one that looks for places, and that counts.
 */
#include "core/capacity/plan.h"
#include "testsuite/unit/feed.h"
#include "testsuite/unit/seed.h"

#define NODES 16
#define WAITING 400
/* A witness that may do no more is looked at first, so a look is two calls; and what is due is asked, too. */
#define MOST(effort) (2 * (effort) + 50)

static int looks;

int __real_plan_earliest(const struct plan *p, const struct request *r, int64_t from,
			 int64_t latest, struct placement *out);
int __wrap_plan_earliest(const struct plan *p, const struct request *r, int64_t from,
			 int64_t latest, struct placement *out);

int __wrap_plan_earliest(const struct plan *p, const struct request *r, int64_t from,
			 int64_t latest, struct placement *out)
{
	looks++;
	return __real_plan_earliest(p, r, from, latest, out);
}

/* The machine is busy, half of the jobs that come have a deadline, all wait. The most looks of one without. */
static int most_looks(int32_t effort, int *accepted)
{
	struct sched_config c;
	struct feed f;
	int most = 0;

	sched_config_init(&c);
	c.effort = effort;
	feed_open(&f, "mrt", NODES, &c);
	feed_submit(&f, feed_job(1, NODES, 10000));
	assert_int_equal(feed_drain(&f), 1);
	for (uint64_t id = 2; id < 2 + WAITING; id++) {
		int32_t width = 1 + (int32_t)(id % 5);
		int64_t limit = 100 + 37 * (int64_t)(id % 11);

		looks = 0;
		assert_int_equal(feed_submit(&f, id % 2 ? feed_job(id, width, limit)
							: feed_deadline(id, width, limit, 80000)),
				 PACT_OK);
		assert_int_equal(feed_drain(&f), 0);
		/* a refused deadline costs more: each try at an offer is a search of its own */
		if (id % 2)
			most = looks > most ? looks : most;
	}
	*accepted = f.accepted;
	feed_close(&f);
	return most;
}

static void bounded(void **state)
{
	int few, many, accepted_few, accepted_many;

	(void)state;
	few = most_looks(200, &accepted_few);
	many = most_looks(1000000, &accepted_many);
	print_message(
		"# at most %d looks for one job with Effort=200, %d without a bound; %d and %d "
		"promised\n",
		few, many, accepted_few, accepted_many);
	assert_true(many > 2 * MOST(200));
	assert_in_range(few, 1, MOST(200));
	assert_in_range(accepted_few, 1, accepted_many);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounded),
	};

	return seed_run("test_effort", tests);
}

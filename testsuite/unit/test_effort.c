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

/*
 * Searches of one refusal beside its own: whether it is for the sake of jobs without a deadline, up to four
 * that verify the offer, and those that bring it forward.
 */
#define PROBES 3
#define SEARCHES (1 + 1 + 4 + PROBES)
/* What bisects what else could be asked for. */
#define QUESTIONS 200

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

struct most {
	int plain, promised, refused; /* looks for one job: without a deadline; with one */
	int accepted, refusals;
};

/* The machine is busy, half of the jobs that come have a deadline, some of them too tight; all wait. */
static struct most most_looks(int32_t effort)
{
	struct sched_config c;
	struct feed f;
	struct most most = { 0 };

	sched_config_init(&c);
	c.effort = effort;
	c.offer_probes = PROBES;
	feed_open(&f, "mrt", NODES, &c);
	feed_submit(&f, feed_job(1, NODES, 10000));
	assert_int_equal(feed_drain(&f), 1);
	for (uint64_t id = 2; id < 2 + WAITING; id++) {
		int32_t width = 1 + (int32_t)(id % 5);
		int64_t limit = 100 + 37 * (int64_t)(id % 11);

		int64_t deadline = id % 8 ? 80000 : 10600;
		int before = f.accepted, *which = &most.plain;

		looks = 0;
		assert_int_equal(
			feed_submit(&f, id % 2 ? feed_job(id, width, limit)
					       : feed_deadline(id, width, limit, deadline)),
			PACT_OK);
		assert_int_equal(feed_drain(&f), 0);
		if (id % 2 == 0)
			which = f.accepted > before ? &most.promised : &most.refused;
		most.refusals += which == &most.refused;
		*which = looks > *which ? looks : *which;
	}
	most.accepted = f.accepted;
	feed_close(&f);
	return most;
}

static void bounded(void **state)
{
	struct most few = most_looks(200), many = most_looks(1000000);

	(void)state;
	print_message(
		"# at most %d looks for a job, %d for a promise, %d for a refusal with Effort=200; "
		"%d, %d, %d without a bound; %d and %d promised\n",
		few.plain, few.promised, few.refused, many.plain, many.promised, many.refused,
		few.accepted, many.accepted);
	assert_true(many.plain > 2 * MOST(200));
	assert_true(many.refused > SEARCHES * MOST(200) + QUESTIONS);
	assert_in_range(few.plain, 1, MOST(200));
	assert_in_range(few.promised, 1, MOST(200));
	assert_in_range(few.refused, 1, SEARCHES * MOST(200) + QUESTIONS);
	assert_in_range(few.refusals, 10, WAITING);
	assert_in_range(few.accepted, 1, many.accepted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounded),
	};

	return seed_run("test_effort", tests);
}

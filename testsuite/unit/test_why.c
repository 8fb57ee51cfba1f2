/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_why: what the core says that a job waits for (sched_why). */
#include "testsuite/unit/feed.h"
#include "testsuite/unit/seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/*
 * Ten of twelve nodes are busy, and a job of twelve comes next: it, and no promise, is why no job takes the
 * two that are left; until a promise alone is enough.
 */
static void test_order(void **state)
{
	struct sched_config c;
	struct sched_job wide = feed_job(2, 12, 600), narrow = feed_job(3, 1, 600);
	struct sched_job later = feed_deadline(4, 1, 600, 9000);
	struct sched_job promised = feed_deadline(5, 12, 600, 1200);
	struct feed f;

	(void)state;
	sched_config_init(&c);
	c.mode = SCHED_MODE_SLURM;
	wide.priority = 9;
	feed_open(&f, "qops", 12, &c);
	feed_submit(&f, feed_job(1, 10, 300));
	feed_drain(&f);
	feed_submit(&f, wide);
	feed_submit(&f, narrow);
	feed_drain(&f);
	assert_int_equal(sched_why(f.s, 1), WAIT_NONE);
	assert_int_equal(sched_why(f.s, 2), WAIT_RESOURCES);
	assert_int_equal(sched_why(f.s, 3), WAIT_PLANNED);
	assert_int_equal(sched_why(f.s, 99), WAIT_NONE);
	/* some job is promised something, in none of their ways */
	later.begin = 5000;
	feed_submit(&f, later);
	feed_drain(&f);
	assert_int_equal(f.accepted, 1);
	assert_int_equal(sched_why(f.s, 4), WAIT_BEGIN);
	assert_int_equal(sched_why(f.s, 3), WAIT_PLANNED);
	/* and now in all */
	feed_submit(&f, promised);
	feed_drain(&f);
	assert_int_equal(f.accepted, 2);
	assert_int_equal(sched_why(f.s, 3), WAIT_PROMISES);
	assert_int_equal(sched_why(f.s, 5), WAIT_RESOURCES);
	/* it is not in its own way */
	feed_finish(&f, 1);
	feed_submit(&f, feed_deadline(6, 12, 600, 9000));
	feed_drain(&f);
	assert_int_equal(f.accepted, 3);
	assert_int_equal(sched_why(f.s, 6), WAIT_RESOURCES);
	feed_close(&f);
}

/* A scheduler that promises nothing blames no promise, whatever is planned; and what has no end is told. */
static void test_no_promises(void **state)
{
	static const char *const names[] = { "easy", "conservative", "dynp" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct feed f;

		feed_open(&f, names[i], 12, NULL);
		feed_submit(&f, feed_job(1, 10, 300));
		feed_drain(&f);
		feed_submit(&f, feed_job(2, 12, 600));
		feed_submit(&f, feed_job(3, 1, 900));
		feed_drain(&f);
		assert_int_equal(sched_why(f.s, 2), WAIT_RESOURCES);
		assert_int_equal(sched_why(f.s, 3), WAIT_PLANNED);
		feed_submit(&f, feed_job(4, 13, 60));
		feed_drain(&f);
		if (i)
			assert_int_equal(sched_why(f.s, 4), WAIT_NEVER);
		feed_close(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_no_promises),
	};

	return seed_run("test_why", tests);
}

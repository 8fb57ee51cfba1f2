/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_engines: the part of the protocol that is for engines other than the planning one: shares, suspended
 * jobs, migration and resizing.
 */
#include "testsuite/unit/feed.h"
#include "testsuite/unit/seed.h"

#include <string.h>

/* What only sharing, gang and malleable scheduling know is an error, in words, and has no effect. */
static void test_other_engines(void **state)
{
	static const enum sched_event_type types[] = { EV_SUSPENDED, EV_RESUMED, EV_MIGRATED,
						       EV_LEAVING,   EV_LEFT,	 EV_SHARED,
						       EV_REFUSED,   EV_NODES,	 EV_PROGRESS,
						       EV_PAST };
	struct nodeset *one = feed_nodes(4, 1);

	(void)state;
	for (const char *const *name = sched_names(); *name; name++) {
		struct feed f;

		if (!feed_plans(*name))
			continue;
		feed_open(&f, *name, 4, NULL);
		assert_int_equal(feed_submit(&f, feed_job(1, 3, 10)), PACT_OK);
		assert_int_equal(feed_drain(&f), 1);
		assert_int_equal(feed_submit(&f, feed_job(2, 2, 10)), PACT_OK);
		feed_drain(&f);
		for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
			for (uint64_t id = 1; id <= 3; id++) {
				assert_int_equal(
					feed_event(&f, (struct sched_event){ .type = types[i],
									     .id = id,
									     .nodes = one,
									     .width = 1 }),
					PACT_EINVAL);
				assert_non_null(strstr(sched_error(f.s), "plan of whole nodes"));
				assert_int_equal(feed_drain(&f), 0);
			}
		f.now = 10;
		assert_int_equal(feed_finish(&f, 1), PACT_OK);
		assert_int_equal(feed_drain(&f), 1);
		feed_close(&f);
	}
	nodeset_destroy(one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_other_engines),
	};

	return seed_run("test_engines", tests);
}

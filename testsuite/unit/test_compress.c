/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_compress: how far a compression in planned start order looks. What the linker puts in place of profile_look()
 * counts: in a plan of many steps each call gives one leaf of them.
 */
#include "core/capacity/profile.h"
#include "testsuite/unit/feed.h"
#include "testsuite/unit/seed.h"

#define WAITING 2000
/* A leaf has at most 32 steps: a whole plan takes more looks than this, and a piece of it fewer. */
#define FEW 12

static int looks;

size_t __real_profile_look(const struct profile *p, int64_t t, const int64_t **time,
			   const int32_t **free, int64_t *behind);
size_t __wrap_profile_look(const struct profile *p, int64_t t, const int64_t **time,
			   const int32_t **free, int64_t *behind);

size_t __wrap_profile_look(const struct profile *p, int64_t t, const int64_t **time,
			   const int32_t **free, int64_t *behind)
{
	looks++;
	return __real_profile_look(p, t, time, free, behind);
}

/*
 * 50 of 100 nodes are busy until 5000; behind that wait jobs that want more, one after the other,
 * and every second one wants all. Jobs of 10 nodes end before, earlier than planned, and no job can
 * move.
 */
static void open_world(struct feed *f, enum sched_compress order)
{
	struct sched_config c;

	sched_config_init(&c);
	c.compress = order;
	feed_open(f, "conservative", 100, &c);
	feed_submit(f, feed_job(1, 50, 5000));
	for (uint64_t id = 2; id <= 5; id++)
		feed_submit(f, feed_job(id, 10, 1000));
	assert_int_equal(feed_drain(f), 5);
	for (uint64_t i = 0; i < WAITING; i++)
		feed_submit(f, feed_job(100 + i, i % 2 ? 70 : 100, 10));
	assert_int_equal(feed_drain(f), 0);
}

/* How often it looks when this job ends early. */
static int looks_at_end(struct feed *f, uint64_t id, int64_t now)
{
	f->now = now;
	looks = 0;
	assert_int_equal(feed_finish(f, id), 0);
	assert_int_equal(feed_drain(f), 0);
	return looks;
}

/* Behind all room that came no job is asked for, once all have been asked. */
static void looks_only_at_room(void **state)
{
	struct feed f;

	(void)state;
	open_world(&f, COMPRESS_START);
	assert_true(looks_at_end(&f, 2, 100) > FEW);
	assert_in_range(looks_at_end(&f, 3, 200), 1, FEW);
	assert_in_range(looks_at_end(&f, 4, 300), 1, FEW);
	/* what a job gives back that leaves the queue lies anywhere */
	assert_int_equal(feed_event(&f, (struct sched_event){ .type = EV_WITHDRAW, .id = 2099 }),
			 0);
	assert_int_equal(feed_drain(&f), 0);
	assert_true(looks_at_end(&f, 5, 400) <= FEW);
	assert_int_equal(feed_starts(&f, 100), 5000);
	assert_int_equal(feed_starts(&f, 2098), 5000 + 10 * (2098 - 100));
	feed_close(&f);
}

/* With room until 5000 and behind it, the first one moves and all the others after it, in either order. */
static void moves_all_along(void **state)
{
	enum sched_compress order = *(enum sched_compress *)*state;
	struct feed f;

	open_world(&f, order);
	for (uint64_t id = 2; id <= 5; id++)
		looks_at_end(&f, id, 100 * (int64_t)id);
	f.now = 600;
	assert_int_equal(feed_finish(&f, 1), 0);
	assert_int_equal(feed_drain(&f), 1);
	for (uint64_t id = 101; id < 100 + WAITING; id++)
		assert_int_equal(feed_starts(&f, id), 600 + 10 * (int64_t)(id - 100));
	feed_close(&f);
}

int main(void)
{
	static enum sched_compress by_start = COMPRESS_START, by_arrival = COMPRESS_ARRIVAL;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(looks_only_at_room),
		cmocka_unit_test_prestate(moves_all_along, &by_start),
		cmocka_unit_test_prestate(moves_all_along, &by_arrival),
	};

	return seed_run("test_compress", tests);
}

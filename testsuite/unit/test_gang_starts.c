/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_gang_starts: starts in the gang engine that have to wait: of jobs that are refused again and again, and of those
 * whose nodes are cleaned up after others.
 */
#include <stdio.h>
#include <string.h>

#include "testsuite/unit/gang_hand.h"
#include "testsuite/unit/seed.h"

static const char *const two_rows[] = { "Rows", "2", "Slice", "10", NULL };

/* A start that failed is tried again when time passes, with nothing else to happen: after 1, 2, 4 seconds and so on. */
static void test_tried_again(void **state)
{
	struct world w;

	(void)state;
	open_world(&w, "gs", two_rows);
	w.barred = 1 << 1;
	submit(&w, job_of(1, 4));
	go(&w, 6);
	assert_string_equal(w.said, "S1! S1! S1!");
	w.barred = 0;
	go(&w, 7);
	assert_true(w.job[1].started);
	close_world(&w);
}

/* How often the job was stopped until then; the driver makes a pass in each second. */
static int stops_until(struct world *w, uint64_t id, int64_t to)
{
	int stops = 0;
	char stop[8];

	snprintf(stop, sizeof(stop), "s%d", (int)id);
	while (w->now < to) {
		tell(w, (struct sched_event){ .type = EV_TIME });
		go(w, w->now + 1);
		for (const char *at = w->said; (at = strstr(at, stop)); at++)
			stops++;
	}
	return stops;
}

/*
 * One that goes on being refused, as for a limit of its user's, is not tried again and again in the middle of a slice: each try
 * stops what runs there instead of it. When another job has ended it is tried in the next slice.
 */
static void test_put_off(void **state)
{
	struct world w;

	(void)state;
	open_world(&w, "mbgs", two_rows);
	submit(&w, job_of(1, 4));
	go(&w, 1);
	submit(&w, job_of(2, 4));
	w.barred = 1 << 2;
	assert_in_range(stops_until(&w, 1, 400), 1, 12);
	assert_int_equal(w.hasty, 0);
	assert_true(w.job[1].runs);
	w.barred = 0;
	by_hand(&w, EV_FINISH, 1, 0);
	w.job[1].started = false;
	stops_until(&w, 2, 402);
	assert_true(w.job[2].runs);
	close_world(&w);
}

/* The driver stops one job and resumes another first, and is late by that: what begins in this turn does all the same. */
static void test_slow(void **state)
{
	static const char *const launch[] = {
		"Rows", "2", "Slice", "20", "LaunchTime", "10", NULL
	};
	struct world w;

	(void)state;
	open_world(&w, "bgs", launch);
	submit(&w, job_of(1, 4));
	submit(&w, job_of(2, 2));
	go(&w, 45);
	submit(&w, job_of(3, 2));
	go(&w, 50);
	assert_false(w.job[3].started);
	w.slow = 6;
	go(&w, 79);
	assert_string_equal(w.said, "s1 r2 S3");
	close_world(&w);
}

/* However long a launch is to take: what its nodes are cleaned for at the beginning of its turn does not cost it that. */
static void test_launch_long(void **state)
{
	static const char *const launch[] = { "Rows",  "2",  "Slice",	 "30", "LaunchTime", "1000",
					      "Guard", "20", "Lateness", "20", NULL };
	struct nodeset *one = set_of(8);
	struct world w;

	(void)state;
	open_world(&w, "gs", launch);
	submit(&w, job_of(1, 4));
	go(&w, 5);
	submit(&w, job_of(2, 4));
	go(&w, 29);
	assert_false(w.job[2].started);
	assert_int_equal(
		tell(&w,
		     (struct sched_event){
			     .type = EV_BLOCK, .id = 50, .nodes = one, .start = 28, .end = 29 }),
		PACT_OK);
	go(&w, 38);
	assert_false(w.job[2].started);
	tell(&w, (struct sched_event){ .type = EV_FINISH, .id = 50 });
	go(&w, 39);
	assert_true(w.job[2].started);
	nodeset_destroy(one);
	close_world(&w);
}

/* A hold that was to be over by now is a node that is being cleaned: what has its place there keeps it. */
static void test_cleaned(void **state)
{
	struct nodeset *half = set_of(12);
	struct world w;

	(void)state;
	open_world(&w, "gs", two_rows);
	submit(&w, job_of(1, 4));
	submit(&w, job_of(2, 4));
	go(&w, 6);
	assert_int_equal(
		tell(&w,
		     (struct sched_event){
			     .type = EV_BLOCK, .id = 50, .nodes = half, .start = 2, .end = 6 }),
		PACT_OK);
	submit(&w, job_of(3, 4)); /* no other one gets one there */
	go(&w, 12);
	assert_true(w.job[2].started);
	assert_false(w.job[3].started);
	close_world(&w);
	nodeset_destroy(half);
}

/* Job 1 ended at 6, and its nodes are cleaned; job 2 has them in the other row. */
static void clean(struct world *w, int32_t width, struct nodeset *nodes)
{
	static const char *const late[] = { "Rows", "2",	"Slice", "10", "Guard",
					    "5",    "Lateness", "5",	 NULL };
	struct sched_event block = {
		.type = EV_BLOCK, .id = 50, .nodes = nodes, .start = 5, .end = 6
	};

	open_world(w, "bgs", late);
	submit(w, job_of(1, 4));
	submit(w, job_of(2, width));
	go(w, 6);
	by_hand(w, EV_FINISH, 1, 0);
	assert_int_equal(tell(w, block), PACT_OK);
	nodeset_destroy(nodes);
}

/* It does not start before they are clean, and does in the same slice. */
static void test_cleaned_soon(void **state)
{
	struct world w;

	(void)state;
	clean(&w, 4, set_of(6));
	go(&w, 8);
	assert_string_equal(w.said, "");
	tell(&w, (struct sched_event){ .type = EV_FINISH, .id = 50 });
	go(&w, 9);
	assert_string_equal(w.said, "S2");
	close_world(&w);
}

/* So does one that comes meanwhile. */
static void test_cleaned_for_new(void **state)
{
	struct world w;

	(void)state;
	clean(&w, 1, set_of(15));
	submit(&w, job_of(3, 3));
	go(&w, 8);
	assert_false(w.job[2].started || w.job[3].started);
	tell(&w, (struct sched_event){ .type = EV_FINISH, .id = 50 });
	go(&w, 9);
	assert_string_equal(w.said, "S2 S3");
	close_world(&w);
}

/* After five seconds it is not waited for: others will do. */
static void test_cleaned_late(void **state)
{
	struct world w;

	(void)state;
	clean(&w, 2, set_of(3));
	go(&w, 10);
	assert_string_equal(w.said, "");
	w.refuse = 1;
	go(&w, 11);
	assert_string_equal(w.said, "S2!");
	w.refuse = 0;
	go(&w, 12);
	assert_string_equal(w.said, "S2");
	assert_int_equal(mask_of(w.job[2].at), 12);
	close_world(&w);
}

/*
 * Jobs 2 and 3 ended, and a node of each is cleaned up for long. Job 4 wants one of these, and waits; job 5 is as well off on a
 * clean one, and has it with the next turn of its row.
 */
static void test_cleaned_long(void **state)
{
	static const char *const late[] = { "Rows", "3",	"Slice", "5", "Guard",
					    "70",   "Lateness", "70",	 NULL };
	struct nodeset *third = set_of(4);
	struct sched_job wants;
	struct world w;

	(void)state;
	open_world(&w, "mbgs", late);
	submit(&w, job_of(1, 4));
	go(&w, 1);
	submit(&w, job_of(2, 2));
	submit(&w, job_of(3, 1));
	go(&w, 6);
	assert_true(w.job[2].runs && w.job[3].runs);
	w.now = 7;
	for (uint64_t id = 2; id <= 3; id++) {
		struct nodeset *nodes = set_of(id == 2 ? 1 : 4);
		struct sched_event block = {
			.type = EV_BLOCK, .id = 50 + id, .nodes = nodes, .start = 5, .end = 7
		};

		by_hand(&w, EV_FINISH, id, 0);
		assert_int_equal(tell(&w, block), PACT_OK);
		nodeset_destroy(nodes);
	}
	w.cleans[0] = w.cleans[2] = 7;
	for (int64_t t = 8; t <= 16; t++) {
		tell(&w, (struct sched_event){ .type = EV_TIME });
		go(&w, t);
	}
	wants = job_of(4, 1);
	wants.required = third;
	submit(&w, wants);
	submit(&w, job_of(5, 1));
	for (int64_t t = 17; t <= 40; t++) {
		tell(&w, (struct sched_event){ .type = EV_TIME });
		go(&w, t);
	}
	assert_true(w.job[5].started);
	assert_false(w.job[4].started);
	close_world(&w);
	nodeset_destroy(third);
}

/*
 * Job 1's first node cleans up since 6, and a lateness is 25 s. After ten of them job 2 does better on another, in the turn that
 * job 1 has left; job 3 wants that one, waits for it, and has it in the same slice.
 */
static void test_cleaned_rather(void **state)
{
	static const char *const late[] = { "Rows", "2",	"Slice", "30", "Guard",
					    "25",   "Lateness", "25",	 NULL };
	struct nodeset *first = set_of(1);
	struct sched_event block = {
		.type = EV_BLOCK, .id = 50, .nodes = first, .start = 5, .end = 6
	};
	struct sched_job wants = job_of(3, 1);
	struct world w;

	(void)state;
	open_world(&w, "bgs", late);
	submit(&w, job_of(1, 4));
	go(&w, 6);
	by_hand(&w, EV_FINISH, 1, 0);
	assert_int_equal(tell(&w, block), PACT_OK);
	w.cleans[0] = 6;
	w.lateness = 25;
	go(&w, 18);
	submit(&w, job_of(2, 1));
	wants.required = first;
	submit(&w, wants);
	go(&w, 20);
	assert_true(w.job[2].runs);
	assert_int_equal(mask_of(w.job[2].at), 2);
	assert_false(w.job[3].started);
	w.cleans[0] = 0;
	tell(&w, (struct sched_event){ .type = EV_FINISH, .id = 50 });
	go(&w, 21);
	assert_true(w.job[3].runs);
	close_world(&w);
	nodeset_destroy(first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tried_again),  cmocka_unit_test(test_put_off),
		cmocka_unit_test(test_slow),	     cmocka_unit_test(test_cleaned),
		cmocka_unit_test(test_launch_long),  cmocka_unit_test(test_cleaned_soon),
		cmocka_unit_test(test_cleaned_long), cmocka_unit_test(test_cleaned_for_new),
		cmocka_unit_test(test_cleaned_late), cmocka_unit_test(test_cleaned_rather),
	};

	return seed_run("test_gang_starts", tests);
}

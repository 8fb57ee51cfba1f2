/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_ref_gang: the plain gang schedulers of ref_gang, to which the core's are compared: scenarios of at most 12
 * jobs that were computed by hand from the paper. What must hold of every workload is in test_gang_worlds.c.
 *
 * Jobs are letters by place. A matrix is written row after row: "AABB/CC.." are two rows of four nodes. Slices last
 * 10 s in all scenarios and nothing costs anything, unless a scenario says otherwise. Where FillMatrix would only
 * hide what is looked at, it is left out.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "testsuite/unit/gang_world.h"
#include "testsuite/unit/seed.h"

#define COUNT(list) (sizeof(list) / sizeof(*(list)))
#define MOST_TEXT 20000
#define ALL GANG_WORLD_ALL
#define JOB(s, r, e, w) \
	{ \
		.submit = (s), .runtime = (r), .estimate = (e), .width = (w) \
	}

/* What a scenario looked like: a line for each phase and each settled instant: "TIME PHASE MATRIX". */
struct story {
	char text[MOST_TEXT];
	size_t length;
};

static void write_line(void *arg, const struct ref_gang_view *v)
{
	struct story *s = arg;
	const char *what = v->phase == REF_SETTLED ? "settled" : gang_world_phase(v->phase);
	int n = snprintf(s->text + s->length, MOST_TEXT - s->length, "%" PRId64 " %s ", v->now,
			 what);

	assert_true(n > 0 && s->length + 200 < MOST_TEXT);
	s->length += (size_t)n;
	for (int r = 0; r < v->rows; r++)
		s->length += (size_t)snprintf(s->text + s->length, MOST_TEXT - s->length, "%s%s",
					      v->cell[r], r + 1 < v->rows ? "/" : "\n");
}

static void run(const struct ref_gang_setup *c, struct ref_gang_job *job, size_t n,
		struct story *story)
{
	struct ref_gang_setup told = *c;

	memset(story, 0, sizeof(*story));
	told.watch = write_line;
	told.arg = story;
	if (!told.slice)
		told.slice = 10;
	assert_int_equal(ref_gang_run(&told, job, n), 0);
}

#define assert_seen(story, line) \
	do { \
		if (!strstr((story)->text, line "\n")) \
			fail_msg("not seen: %s\n%s", line, (story)->text); \
	} while (0)

static void check_times(const struct ref_gang_job *job, size_t n, const int64_t (*start_end)[2])
{
	for (size_t i = 0; i < n; i++)
		if (job[i].start != start_end[i][0] || job[i].end != start_end[i][1])
			fail_msg("job %c: from %" PRId64 " to %" PRId64 ", by hand from %" PRId64
				 " to %" PRId64,
				 (char)('A' + i), job[i].start, job[i].end, start_end[i][0],
				 start_end[i][1]);
}

#define expect(job, ...) \
	do { \
		const int64_t by_hand[][2] = { __VA_ARGS__ }; \
		assert_int_equal(COUNT(job), COUNT(by_hand)); \
		check_times(job, COUNT(job), by_hand); \
	} while (0)

static const enum ref_gang_phase clean_schedule[] = { REF_CLEAN, REF_SCHEDULE };
static const enum ref_gang_phase no_fill[] = { REF_CLEAN, REF_COMPACT, REF_SCHEDULE };
static const enum ref_gang_phase collapse[] = { REF_CLEAN, REF_SCHEDULE, REF_COLLAPSE2,
						REF_SCHEDULE2 };

#define PHASES(list) .phase = (list), .phases = COUNT(list)

/*
 * Figure 9, from the paper's six jobs in its order, all at 0: J1 and J2 fill rows 0 and 1, J3, J4 and J5 fit
 * into row 2, J6 only into row 3; J4 and J5 find their columns free in row 3, the others do not.
 *
 * Each has 20 s to run. D and E run in slices 2 and 3, to 40. A: 0-10, 40-50, and ends at 50. Then B has row 0, too
 * (C and F find nothing free), runs 10-20 and, in slice 5, 50-60. Then C comes first and takes row 0,
 * F row 1; C: 20-30 and, in slice 6, 60-70; F: 30-40 and 70-80.
 */
static void test_figure9(void **state)
{
	struct ref_gang_setup c = { .kind = REF_GS, .nodes = 8, .rows = 4 };
	struct ref_gang_job job[] = {
		JOB(0, 20, 20, 8), JOB(0, 20, 20, 8), JOB(0, 20, 20, 4),
		JOB(0, 20, 20, 2), JOB(0, 20, 20, 2), JOB(0, 20, 20, 4),
	};
	struct story s;

	(void)state;
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "0 schedule AAAAAAAA/BBBBBBBB/CCCCDDEE/FFFF....");
	assert_seen(&s, "0 settled AAAAAAAA/BBBBBBBB/CCCCDDEE/FFFFDDEE");
	assert_seen(&s, "50 settled BBBBBBBB/BBBBBBBB/CCCC..../FFFF....");
	assert_seen(&s, "60 settled CCCC..../FFFF..../CCCC..../FFFF....");
	expect(job, { 0, 50 }, { 10, 60 }, { 20, 70 }, { 20, 40 }, { 20, 40 }, { 30, 80 });
}

/*
 * Schedule alone. A and B fill row 0 (the fullest that has room, the lowest of the empty ones), C is in
 * row 1; D, of 3, finds 2 free in both, and E, of 1, must not pass it. A runs 0-10. C runs 10-15; then row 1
 * is empty, D and E get it and run at once, as slice 1 goes on to 20. B: 0-10, 20-30.
 */
static void test_schedule(void **state)
{
	static const enum ref_gang_phase phase[] = { REF_SCHEDULE };
	struct ref_gang_setup c = { .kind = REF_GS, .nodes = 4, .rows = 2, PHASES(phase) };
	struct ref_gang_job job[] = {
		JOB(0, 10, 10, 2), JOB(0, 20, 20, 2), JOB(0, 5, 5, 2),
		JOB(0, 5, 5, 3),   JOB(0, 5, 5, 1),
	};
	struct story s;

	(void)state;
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "0 settled AABB/CC..");
	assert_seen(&s, "10 settled ..BB/CC..");
	assert_seen(&s, "15 settled ..BB/DDDE");
	expect(job, { 0, 10 }, { 0, 30 }, { 10, 15 }, { 15, 20 }, { 15, 20 });
}

/*
 * Without CleanMatrix the replica of A stays, and B waits for A's end at 15. With it B gets row 1 at 3, runs 10-15,
 * and A, which has run 10, gets the rest of slice 1.
 */
static void test_clean(void **state)
{
	static const enum ref_gang_phase none[] = { REF_SCHEDULE, REF_FILL };
	static const enum ref_gang_phase clean[] = { REF_CLEAN, REF_SCHEDULE, REF_FILL };
	struct ref_gang_setup c = { .kind = REF_GS, .nodes = 4, .rows = 2, PHASES(none) };
	struct ref_gang_job job[] = { JOB(0, 15, 15, 4), JOB(3, 5, 5, 4) };
	struct story s;

	(void)state;
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "3 settled AAAA/AAAA");
	expect(job, { 0, 15 }, { 15, 20 });
	c.phase = clean;
	c.phases = COUNT(clean);
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "3 clean AAAA/....");
	assert_seen(&s, "3 settled AAAA/BBBB");
	assert_seen(&s, "15 settled AAAA/AAAA");
	expect(job, { 0, 20 }, { 10, 15 });
}

/*
 * A ends at 10, as slice 0 does; rows 0 and 1 have two columns taken each, so that row 0 comes first, and B
 * moves: its last slice is 0, and slice 1 is row 1's. It runs on 10-20, and 30-40, beside C. D finds
 * row 0 empty at 12 and runs in slice 2. Without the phase B keeps row 0 (20-30, 40-50), C row 1 (10-20, 30-40), and
 * D gets row 1 when C has ended at 40; slice 4 is row 0's, slice 5 begins at 50.
 */
static void test_compact(void **state)
{
	struct ref_gang_setup c = { .kind = REF_GS, .nodes = 4, .rows = 2, PHASES(no_fill) };
	struct ref_gang_job job[] = { JOB(0, 10, 10, 2), JOB(0, 30, 30, 2), JOB(0, 20, 20, 2),
				      JOB(12, 10, 10, 4) };
	struct story s;

	(void)state;
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "10 clean ..BB/CC..");
	assert_seen(&s, "10 compact ..../CCBB");
	assert_seen(&s, "12 settled DDDD/CCBB");
	expect(job, { 0, 10 }, { 0, 40 }, { 10, 40 }, { 20, 30 });
	assert_int_equal(job[1].switches, 2); /* at 0 and 30: in two successive rows it runs on */
	c.phase = clean_schedule;
	c.phases = COUNT(clean_schedule);
	run(&c, job, COUNT(job), &s);
	expect(job, { 0, 10 }, { 0, 50 }, { 10, 40 }, { 50, 60 });
}

/*
 * The clock. At 15, in slice 1, C ends; row 0 has A (2), row 1 has D (3). A's columns are free in row 1, but A
 * last ran in slice 0, the first whole slice is 2, and row 1's next one is 4: more than a cycle of 3 later.
 * At 33, in slice 3, A has run in slice 3, which began at 30, and slice 4 is near enough: it moves, and stops,
 * as slice 3 is row 0's. E gets row 0 and what is left of the slice.
 *
 * A: 0-10, 30-33, 40-50, and 7 s of slice 7 (70-80). D: 10-20, 40-50, 70-80, 100-110.
 */
static void test_clock(void **state)
{
	struct ref_gang_setup c = { .kind = REF_GS, .nodes = 5, .rows = 3, PHASES(no_fill) };
	struct ref_gang_job job[] = {
		JOB(0, 30, 30, 2), JOB(0, 10, 10, 2), JOB(0, 5, 5, 2),
		JOB(0, 40, 40, 3), JOB(33, 3, 3, 1),
	};
	struct story s;

	(void)state;
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "0 settled AABB./CCDDD/.....");
	assert_seen(&s, "15 settled AA.../..DDD/.....");
	assert_seen(&s, "33 compact ...../AADDD/.....");
	assert_seen(&s, "33 settled E..../AADDD/.....");
	expect(job, { 0, 77 }, { 0, 10 }, { 10, 15 }, { 10, 110 }, { 33, 36 });
}

/*
 * The clock's edges. At 5 A ends; D, placed at 0 before slice 0, may not move to row 0, whose next whole slice is 2,
 * later than -1 + 2; but it is replicated there. At 7 it has run in slice 0, but not from its beginning: it may not
 * yet, and E (3) finds no row. At 15, in slice 1, B ends: C last ran in slice 1, as a replica in row 1, and may move there:
 * the next whole one is 3, just a cycle later. E gets row 0 and runs 20-25.
 *
 * C: 0-20. D: 5-20, and from 25 on in row 0, to 30.
 */
static void test_clock_edges(void **state)
{
	struct ref_gang_setup c = { .kind = REF_GS, .nodes = 3, .rows = 2 };
	struct ref_gang_job job[] = {
		JOB(0, 5, 5, 1),   JOB(0, 15, 15, 1), JOB(0, 20, 20, 1),
		JOB(0, 20, 20, 1), JOB(7, 5, 5, 3),
	};
	struct story s;

	(void)state;
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "0 settled ABC/DBC");
	assert_seen(&s, "5 compact .BC/D..");
	assert_seen(&s, "5 settled DBC/DBC");
	assert_seen(&s, "7 compact .BC/D..");
	assert_seen(&s, "15 compact .../D.C");
	assert_seen(&s, "15 settled EEE/D.C");
	expect(job, { 0, 5 }, { 0, 15 }, { 0, 20 }, { 5, 30 }, { 20, 25 });
}

/*
 * Option 1, C = 4. B has left at 10, when D had not run: the clock forbids. At 12 D (3) may move to row 0, where
 * A (1) is in its way: equation 4 gives 2 * 3 + 4 * 1 = 10, equation 5 gives 4 * 3 + 2 * 1 = 14. So A goes to the lowest
 * free column. E gets row 1 and the rest of slice 1.
 *
 * D: 10-12, 20-30, 40-50: 22 s, 2 of them lost. A: 0-10, 20-30, 40-44: 24 s, 4 of them lost.
 */
static void test_option1(void **state)
{
	struct ref_gang_setup c = {
		.kind = REF_MGS, .nodes = 7, .rows = 2, .cost = 4, .quota = ALL, PHASES(collapse)
	};
	struct ref_gang_job job[] = {
		JOB(0, 20, 20, 1), JOB(0, 10, 10, 3), JOB(0, 20, 20, 3),
		JOB(0, 20, 20, 3), JOB(12, 8, 8, 7),
	};
	struct story s;

	(void)state;
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "10 settled A...CCC/DDD....");
	assert_seen(&s, "12 collapse2 DDDACCC/.......");
	assert_seen(&s, "12 schedule2 DDDACCC/EEEEEEE");
	expect(job, { 0, 44 }, { 0, 10 }, { 0, 30 }, { 10, 50 }, { 12, 20 });
	assert_int_equal(job[0].lost_migrating, 4);
	assert_int_equal(job[0].migrated, 1);
	assert_int_equal(job[3].lost_migrating, 2);
	assert_int_equal(job[3].migrated, 0);
}

/*
 * Option 2, C = 4. At 10 both rows have three columns taken: row 0 comes first, A (1) before C (2). D (3) is in
 * A's way: equation 4 gives 2 * 1 + 4 * 3 = 14, equation 5 gives 4 * 1 + 2 * 3 = 10. So A goes to column 3; C's
 * columns are free.
 *
 * A: 0-20, 30-34: 24 s, 4 of them lost. D: 10-20, 30-32: 12 s, 2 of them lost.
 */
static void test_option2(void **state)
{
	struct ref_gang_setup c = {
		.kind = REF_MGS, .nodes = 6, .rows = 2, .cost = 4, .quota = ALL, PHASES(collapse)
	};
	struct ref_gang_job job[] = { JOB(0, 20, 20, 1), JOB(0, 10, 10, 3), JOB(0, 20, 20, 2),
				      JOB(0, 10, 10, 3) };
	struct story s;

	(void)state;
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "10 schedule A...CC/DDD...");
	assert_seen(&s, "10 settled ....../DDDACC");
	expect(job, { 0, 34 }, { 0, 10 }, { 0, 20 }, { 10, 32 });
	assert_int_equal(job[0].lost_migrating, 4);
	assert_int_equal(job[0].migrated, 1);
	assert_int_equal(job[3].lost_migrating, 2);
	assert_int_equal(job[3].migrated, 0);
}

/* An odd C: half of 3 is 2. As before, but A loses 3, D 2: 23 s, to 33, and 12 s, to 32. */
static void test_odd_cost(void **state)
{
	struct ref_gang_setup c = {
		.kind = REF_MGS, .nodes = 6, .rows = 2, .cost = 3, .quota = ALL, PHASES(collapse)
	};
	struct ref_gang_job job[] = { JOB(0, 20, 20, 1), JOB(0, 10, 10, 3), JOB(0, 20, 20, 2),
				      JOB(0, 10, 10, 3) };
	struct story s;

	(void)state;
	run(&c, job, COUNT(job), &s);
	expect(job, { 0, 33 }, { 0, 10 }, { 0, 20 }, { 10, 32 });
}

/*
 * Without costs the equations are equal: option 1. At 10 A (1) is to go where D (3) is: D leaves for the lowest
 * free columns but A's.
 */
static void test_no_cost(void **state)
{
	struct ref_gang_setup c = {
		.kind = REF_MGS, .nodes = 6, .rows = 2, .quota = ALL, PHASES(collapse)
	};
	struct ref_gang_job job[] = { JOB(0, 20, 20, 1), JOB(0, 10, 10, 3), JOB(0, 20, 20, 2),
				      JOB(0, 10, 10, 3) };
	struct story s;

	(void)state;
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "10 settled ....../ADDDCC");
	expect(job, { 0, 20 }, { 0, 10 }, { 0, 20 }, { 10, 20 });
	assert_int_equal(job[3].migrated, 3);
	c.quota = 2; /* too little for D's three tasks: option 2 */
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "10 settled ....../DDDACC");
	assert_int_equal(job[0].migrated, 1);
}

/*
 * Q = 1, C = 2. At 10 A and B, narrowest first, would both go around E by option 2 (E: 4 tasks): A uses Q up, B
 * stays; D's columns are free. Slice 1 has its own Q, but there is no event. At 22, in slice 2 and with B
 * having run since 20, F arrives: slice 3 is near enough, and B follows. F has row 0 and the rest of slice 2.
 *
 * A: 0-20, 30-40, 50-52: 32 s. B: 0-10, 20-22, 30-40: 22 s. D: 0-20, 30-40. E loses 1 s twice: 10-20, 30-40,
 * 50-60, 70-72.
 */
static void test_quota(void **state)
{
	struct ref_gang_setup c = {
		.kind = REF_MGS, .nodes = 8, .rows = 2, .cost = 2, .quota = 1, PHASES(collapse)
	};
	struct ref_gang_job job[] = {
		JOB(0, 30, 30, 1), JOB(0, 20, 20, 1), JOB(0, 10, 10, 4),
		JOB(0, 30, 30, 2), JOB(0, 30, 30, 4), JOB(22, 5, 5, 8),
	};
	struct story s;

	(void)state;
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "10 settled .B....../EEEEA.DD");
	assert_seen(&s, "22 settled FFFFFFFF/EEEEABDD");
	expect(job, { 0, 52 }, { 0, 40 }, { 0, 10 }, { 0, 40 }, { 10, 72 }, { 22, 27 });
	assert_int_equal(job[4].lost_migrating, 2);
	c.quota = 2;
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "10 settled ......../EEEEABDD");
	c.quota = 0; /* no CollapseMatrix-2 at all, and so no plain move either */
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "10 settled AB....DD/EEEE....");
}

/*
 * Q = 2, C = 2: of A (2) and B (1), which would both go around D by option 2, the narrower is first, and then Q is too
 * small for A. B: 0-20, 30-32: 22 s. A: 0-10, 20-30. D loses 1: 10-20, 30-40, 50-51.
 */
static void test_narrowest(void **state)
{
	struct ref_gang_setup c = {
		.kind = REF_MGS, .nodes = 7, .rows = 2, .cost = 2, .quota = 2, PHASES(collapse)
	};
	struct ref_gang_job job[] = { JOB(0, 20, 20, 2), JOB(0, 20, 20, 1), JOB(0, 10, 10, 4),
				      JOB(0, 20, 20, 4) };
	struct story s;

	(void)state;
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "10 settled AA...../DDDDB..");
	expect(job, { 0, 30 }, { 0, 32 }, { 0, 10 }, { 10, 51 });
}

/*
 * Q is renewed when a pass cuts a slice short, too. As in test_quota A uses up Q = 1 at 10, in slice 1, which C's end
 * begins. F's arrival begins slice 2, of row 0, at 12, where the clock forbids B to move; G's begins slice 3, of
 * row 1, at 14: B may, and F has row 0.
 */
static void test_quota_next(void **state)
{
	struct ref_gang_setup c = { .kind = REF_MGS,
				    .nodes = 8,
				    .rows = 2,
				    .cost = 2,
				    .quota = 1,
				    .next = true,
				    PHASES(collapse) };
	struct ref_gang_job job[] = {
		JOB(0, 30, 30, 1), JOB(0, 20, 20, 1), JOB(0, 10, 10, 4), JOB(0, 30, 30, 2),
		JOB(0, 30, 30, 4), JOB(12, 5, 5, 8),  JOB(14, 5, 5, 8),
	};
	struct story s;

	(void)state;
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "10 settled .B....../EEEEA.DD");
	assert_seen(&s, "12 settled .B....../EEEEA.DD");
	assert_seen(&s, "14 settled FFFFFFFF/EEEEABDD");
}

/*
 * A job migrates at most once in a pass. At 12 D (2) comes to row 0 by option 1 and A (1) goes to column 2, where
 * it is in E's way. Option 1 would be cheaper for E, too, but A has migrated: E takes columns 3 and 4.
 *
 * C = 2. A loses 2 for itself and 1 for E: 0-10, 20-30, 40-43. D loses 1: 10-12, 20-30, 40-49. E loses 2:
 * 10-12, 20-30, 40-50. F: 12-20.
 */
static void test_once_in_a_pass(void **state)
{
	struct ref_gang_setup c = {
		.kind = REF_MGS, .nodes = 9, .rows = 2, .cost = 2, .quota = ALL, PHASES(collapse)
	};
	struct ref_gang_job job[] = {
		JOB(0, 20, 20, 1), JOB(0, 10, 10, 4), JOB(0, 20, 20, 4),
		JOB(0, 20, 20, 2), JOB(0, 20, 20, 2), JOB(12, 8, 8, 9),
	};
	struct story s;

	(void)state;
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "12 schedule A....CCCC/DDEE.....");
	assert_seen(&s, "12 settled DDAEECCCC/FFFFFFFFF");
	expect(job, { 0, 43 }, { 0, 10 }, { 0, 30 }, { 10, 49 }, { 10, 50 }, { 12, 20 });
	assert_int_equal(job[0].lost_migrating, 3);
	assert_int_equal(job[0].migrated, 1);
	assert_int_equal(job[4].migrated, 2);
}

/*
 * Those that make way get their columns in row order, which is not that of arrival. At 10 A (1) comes to row 1 by
 * option 1, behind C (3), which gets columns 1, 2 and 5. At 25, in slice 2, E (3) has had its first whole
 * slice and follows: C is before A and gets the lowest columns, 3 to 5, A gets 6. (F fills row 0.)
 *
 * A: 0-20, 40-50. C: 10-20, 40-50. E: 20-25, 40-50, 70-75. F: 30-35.
 */
static void test_row_order(void **state)
{
	struct ref_gang_setup c = {
		.kind = REF_MGS, .nodes = 7, .rows = 3, .quota = ALL, PHASES(collapse)
	};
	struct ref_gang_job job[] = {
		JOB(0, 30, 30, 1), JOB(0, 10, 10, 6), JOB(0, 20, 20, 3),
		JOB(0, 5, 5, 2),   JOB(0, 20, 20, 3), JOB(25, 5, 5, 7),
	};
	struct story s;

	(void)state;
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "10 settled ......./ACCDDC./EEE....");
	assert_seen(&s, "15 settled ......./ACC..C./EEE....");
	assert_seen(&s, "25 settled FFFFFFF/EEECCCA/.......");
	expect(job, { 0, 50 }, { 0, 10 }, { 10, 50 }, { 10, 15 }, { 20, 75 }, { 30, 35 });
}

/*
 * FillMatrix-2, C = 4, Q = 1. At 15 D ends. C and E keep A's and B's columns in row 1, where two are free. A is first:
 * C goes to the lowest free column but A's, which is 3. At 27 A ends, and B finds C in its way, which goes to
 * column 0; now C's column is free in row 0.
 *
 * A: 0-10, 15-27: 22 s, 2 of them lost. C: 10-20, 27-35: 18 s, 8 of them lost. B: 0-10, 20-32: 22 s, 2 of
 * them lost.
 */
static void test_fill2(void **state)
{
	static const enum ref_gang_phase phase[] = { REF_CLEAN, REF_SCHEDULE, REF_FILL, REF_FILL2 };
	struct ref_gang_setup c = {
		.kind = REF_MGS, .nodes = 4, .rows = 2, .cost = 4, .quota = 1, PHASES(phase)
	};
	struct ref_gang_job job[] = {
		JOB(0, 20, 20, 2), JOB(0, 20, 20, 2), JOB(0, 10, 10, 1),
		JOB(0, 5, 5, 1),   JOB(0, 10, 10, 1),
	};
	struct story s;

	(void)state;
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "15 fill AABB/C.E.");
	assert_seen(&s, "15 settled AABB/AAEC");
	assert_seen(&s, "20 settled AABB/AA.C");
	assert_seen(&s, "27 fill ..BB/...C");
	assert_seen(&s, "27 settled C.BB/C.BB");
	expect(job, { 0, 27 }, { 0, 32 }, { 10, 35 }, { 10, 15 }, { 10, 20 });
	assert_int_equal(job[0].lost, 2);
	assert_int_equal(job[1].lost, 2);
	assert_int_equal(job[2].lost, 8);
	assert_int_equal(job[2].migrated, 2);
}

/*
 * FillMatrix goes by placement, not by arrival. D (4) came at 1 and waited for row 0 until 10; E (1), which came at 2,
 * was placed at once beside C. At 25 C has ended and row 1 is empty: it is E's.
 *
 * D: 30-40. E: 20-30 and, when D has ended, 40-45.
 */
static void test_fill_order(void **state)
{
	struct ref_gang_setup c = { .kind = REF_BGS, .nodes = 4, .rows = 3, .lateness = 60 };
	struct ref_gang_job job[] = {
		JOB(0, 10, 10, 4), JOB(0, 10, 10, 4), JOB(0, 5, 20, 3),
		JOB(1, 10, 10, 4), JOB(2, 15, 15, 1),
	};
	struct story s;

	(void)state;
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "2 settled AAAA/BBBB/CCCE");
	assert_seen(&s, "10 settled DDDD/BBBB/CCCE");
	assert_seen(&s, "25 settled DDDD/...E/...E");
	expect(job, { 0, 10 }, { 10, 20 }, { 20, 25 }, { 30, 40 }, { 20, 45 });
}

/*
 * BGS, two rows: what is left of an estimate counts twice. A's end is predicted at 20, B's at 40: C (4) is reserved in
 * row 0 from 20. D (1, 20 s) would be in row 0 until 22: it goes to row 1; E (1, 10 s) is gone from
 * row 0 by 13.
 *
 * A: 0-10. E: 3-8, D: 10-20 beside B (10-20, 30-40, ...). A ends at 10 already, so that C has row 0 then, and runs 20-25.
 *
 * With B's end at 20, too, C's reservation is in the lower row, and D, which is looked at in row 0 first, goes to row 1.
 */
static void test_reservation(void **state)
{
	struct ref_gang_setup c = { .kind = REF_BGS, .nodes = 4, .rows = 2, PHASES(no_fill) };
	struct ref_gang_job job[] = {
		JOB(0, 10, 10, 3), JOB(0, 20, 20, 3), JOB(1, 5, 5, 4),
		JOB(2, 10, 10, 1), JOB(3, 5, 5, 1),
	};
	struct story s;

	(void)state;
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "3 settled AAAE/BBBD");
	assert_seen(&s, "10 settled CCCC/BBBD");
	expect(job, { 0, 10 }, { 10, 40 }, { 20, 25 }, { 10, 20 }, { 3, 8 });
	job[1].estimate = job[1].runtime = 10;
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "2 settled AAA./BBBD");
}

/*
 * A reservation that forbids compaction. Predicted ends: A 50, B 30, C 20, D 60. E and F (5 each) are reserved in
 * row 0, E from 50. At 32, in slice 3, D (2) could join A in row 0 as columns and clock go; but D is thought to
 * be there until 60. A: 0-10, 20-30, 40-45. Then E has row 0, runs 45-50, and F follows in slice 6.
 * D: 10-20, 30-40, 50-60. With migration it is the same: CollapseMatrix-2 obeys, too.
 *
 * GS has no reservations: D moves and stops, E runs at once, 32-37, then F, 37-40 and 50-52. D: 10-20, 30-32, 40-50,
 * 60-68.
 */
static void test_forbidden(void **state)
{
	static const enum ref_gang_phase both[] = { REF_CLEAN, REF_COMPACT, REF_SCHEDULE,
						    REF_COLLAPSE2, REF_SCHEDULE2 };
	struct ref_gang_setup c = { .kind = REF_BGS,
				    .nodes = 5,
				    .rows = 2,
				    .quota = ALL,
				    .lateness = 60,
				    PHASES(no_fill) };
	struct ref_gang_job job[] = {
		JOB(0, 25, 25, 3), JOB(0, 15, 15, 2), JOB(0, 5, 10, 3),
		JOB(0, 30, 30, 2), JOB(1, 5, 5, 5),   JOB(32, 5, 5, 5),
	};
	struct story s;

	(void)state;
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "32 settled AAA../...DD");
	expect(job, { 0, 45 }, { 0, 25 }, { 10, 15 }, { 10, 60 }, { 45, 50 }, { 60, 65 });
	c.kind = REF_MBGS;
	c.phase = both;
	c.phases = COUNT(both);
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "32 settled AAA../...DD");
	expect(job, { 0, 45 }, { 0, 25 }, { 10, 15 }, { 10, 60 }, { 45, 50 }, { 60, 65 });
	c.kind = REF_GS;
	c.phase = no_fill;
	c.phases = COUNT(no_fill);
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "32 compact AAADD/.....");
	expect(job, { 0, 45 }, { 0, 25 }, { 10, 15 }, { 10, 68 }, { 32, 37 }, { 37, 52 });
}

/*
 * Overdue. B was predicted to end at 10 and is still there at 12, when C has row 0 until 22. D (3): row 1 counts
 * as taken until 72, so its reservation is in row 0 from 22, and E (1, until 32) must go to row 1: it runs at
 * once, 12-20, 30-32. D has row 0 when C has run 20-25.
 *
 * With a lateness of 1 D's reservation is in row 1 from 13, E goes to row 0 and runs 20-30. D has row 1
 * when B has ended at 15.
 */
static void test_overdue(void **state)
{
	struct ref_gang_setup c = {
		.kind = REF_BGS, .nodes = 3, .rows = 2, .lateness = 60, PHASES(clean_schedule)
	};
	struct ref_gang_job job[] = {
		JOB(0, 5, 5, 3),  JOB(0, 5, 5, 2),    JOB(12, 5, 5, 2),
		JOB(12, 5, 5, 3), JOB(12, 10, 10, 1),
	};
	struct story s;

	(void)state;
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "12 settled CC./BBE");
	expect(job, { 0, 5 }, { 10, 15 }, { 20, 25 }, { 25, 30 }, { 12, 32 });
	c.lateness = 1;
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "12 settled CCE/BB.");
	expect(job, { 0, 5 }, { 10, 15 }, { 20, 25 }, { 15, 20 }, { 20, 30 });
}

/*
 * A switch costs 2 s. A and B have a row each. A: 0-10, 20-30, and from 34, when B ends, to 40: it switched three times
 * and ran 20 + 6 s. B: 10-20, 30-34: 10 + 4 s. A job that is alone switches once.
 */
static void test_switch(void **state)
{
	struct ref_gang_setup c = { .kind = REF_GS, .nodes = 2, .rows = 2, .switching = 2 };
	struct ref_gang_job job[] = { JOB(0, 20, 20, 2), JOB(0, 10, 10, 2) };
	struct ref_gang_job alone[] = { JOB(5, 30, 30, 1) };
	struct story s;

	(void)state;
	run(&c, job, COUNT(job), &s);
	expect(job, { 0, 40 }, { 10, 34 });
	assert_int_equal(job[0].switches, 3);
	assert_int_equal(job[0].lost, 6);
	assert_int_equal(job[1].lost, 4);
	run(&c, alone, COUNT(alone), &s);
	expect(alone, { 5, 37 });
	c.kind = REF_BF; /* has no switches */
	run(&c, alone, COUNT(alone), &s);
	expect(alone, { 5, 35 });
}

/*
 * Switches of 4 s that are cut short. B, in row 1, ends at 17, and A has row 1 until C gets it at 18: A stops when
 * it has run for 1 s, and C at 20 when it has run for 2.
 *
 * All of a switch is lost: A switches at 0, 17, 20, 40 and 56 and has 40 s to run: 0-10, 17-18, 20-30, 40-50, 56-65. C
 * switches at 18, 30 and 50: 18 s, 18-20, 30-40, 50-56.
 *
 * Only what was run of it: C loses 2 and 4 and has 12 s to run: 18-20, 30-40. So A has row 1 from 40 on; it loses
 * 4, 1, 4 and 4, and has 33 s: 0-10, 17-18, 20-30, 40-52.
 */
static void test_remit(void **state)
{
	struct ref_gang_setup c = { .kind = REF_GS, .nodes = 2, .rows = 2, .switching = 4 };
	struct ref_gang_job job[] = { JOB(0, 20, 20, 2), JOB(0, 3, 3, 2), JOB(18, 6, 6, 2) };
	struct story s;

	(void)state;
	run(&c, job, COUNT(job), &s);
	expect(job, { 0, 65 }, { 10, 17 }, { 18, 56 });
	assert_int_equal(job[0].lost, 20);
	c.remit = true;
	run(&c, job, COUNT(job), &s);
	expect(job, { 0, 52 }, { 10, 17 }, { 18, 40 });
	assert_int_equal(job[0].lost, 13);
	assert_int_equal(job[2].lost, 6);
}

/*
 * Discrete: B, which comes at 3, is placed at 10, when slice 1 has begun, and runs 10-15; row 1 is empty then, as
 * A is replicated at 20 only. A: 0-10, 20-25. Continuous, A has the rest of slice 1.
 *
 * C finds the matrix empty at 27: a pass, and slice 3, which is row 1's, begin at once, and so C is
 * replicated there.
 */
static void test_discrete(void **state)
{
	struct ref_gang_setup c = { .kind = REF_GS, .nodes = 2, .rows = 2, .discrete = true };
	struct ref_gang_job job[] = { JOB(0, 15, 15, 2), JOB(3, 5, 5, 2), JOB(27, 4, 4, 1) };
	struct story s;

	(void)state;
	run(&c, job, COUNT(job), &s);
	assert_seen(&s, "3 settled AA/AA");
	assert_seen(&s, "10 settled AA/BB");
	assert_seen(&s, "15 settled AA/..");
	assert_seen(&s, "20 settled AA/AA");
	expect(job, { 0, 25 }, { 10, 15 }, { 27, 31 });
	c.discrete = false;
	run(&c, job, COUNT(job), &s);
	expect(job, { 0, 20 }, { 10, 15 }, { 27, 31 });
}

/*
 * cut=next: B's arrival at 3 begins slice 1, of row 1: B runs 3-8. Its end begins slice 2, of row 0, until 18,
 * where A has both rows again: A: 0-3, 8-20.
 *
 * Of two events at one instant only the first begins a slice: were there two at 5, slice 2 would be A's. B and C
 * run 5-8 in slice 1, A 0-5 and 8-15.
 */
static void test_next(void **state)
{
	struct ref_gang_setup c = { .kind = REF_GS, .nodes = 2, .rows = 2, .next = true };
	struct ref_gang_job job[] = { JOB(0, 15, 15, 2), JOB(3, 5, 5, 2) };
	struct ref_gang_job more[] = { JOB(0, 12, 12, 2), JOB(5, 3, 3, 1), JOB(5, 3, 3, 1) };
	struct story s;

	(void)state;
	run(&c, job, COUNT(job), &s);
	expect(job, { 0, 20 }, { 3, 8 });
	run(&c, more, COUNT(more), &s);
	assert_seen(&s, "5 settled AA/BC");
	expect(more, { 0, 15 }, { 5, 8 }, { 5, 8 });
}

/*
 * BF's orders. A (4) ends at 10; B (2, 2 s), C (1, 5 s), D (4, 3 s), E (3, 7 s) wait in this order.
 * fcfs: B and C at 10, D when C ends at 15, E at 18 (before it would last beyond 15).
 * sjf, B D C E: B at 10, D at 12, then C and E at 15 (C would reach from 10 to 15 into D).
 * bfit, D E B C, as all fit: D at 10, E at 13, B at 20 when E has ended, C beside E at 13.
 * wfit, C B E D: C and B at 10, E at 12 when B has ended, D at 19.
 */
static void test_orders(void **state)
{
	struct ref_gang_setup c = { .kind = REF_BF, .nodes = 4, .lateness = 60 };
	struct ref_gang_job job[] = {
		JOB(0, 10, 10, 4), JOB(1, 2, 2, 2), JOB(2, 5, 5, 1),
		JOB(3, 3, 3, 4),   JOB(4, 7, 7, 3),
	};
	struct story s;

	(void)state;
	c.order = REF_GANG_FCFS;
	run(&c, job, COUNT(job), &s);
	expect(job, { 0, 10 }, { 10, 12 }, { 10, 15 }, { 15, 18 }, { 18, 25 });
	c.order = REF_GANG_SJF;
	run(&c, job, COUNT(job), &s);
	expect(job, { 0, 10 }, { 10, 12 }, { 15, 20 }, { 12, 15 }, { 15, 22 });
	c.order = REF_GANG_BFIT;
	run(&c, job, COUNT(job), &s);
	expect(job, { 0, 10 }, { 20, 22 }, { 13, 18 }, { 10, 13 }, { 13, 20 });
	c.order = REF_GANG_WFIT;
	run(&c, job, COUNT(job), &s);
	expect(job, { 0, 10 }, { 10, 12 }, { 10, 15 }, { 19, 22 }, { 12, 19 });
}

/*
 * BFit where not all fit: A (2) runs until 10. At 2 C (2, 20 s) fits and comes before B (3), which is then reserved
 * from 22; D (1, 3 s) finds no column at 3 and comes behind B, as neither fits, and has 10-13.
 * fcfs: B keeps 10-14, C waits for 14, D runs at 3.
 */
static void test_bfit(void **state)
{
	struct ref_gang_setup c = {
		.kind = REF_BF, .nodes = 4, .order = REF_GANG_BFIT, .lateness = 60
	};
	struct ref_gang_job job[] = { JOB(0, 10, 10, 2), JOB(1, 4, 4, 3), JOB(2, 20, 20, 2),
				      JOB(3, 3, 3, 1) };
	struct story s;

	(void)state;
	run(&c, job, COUNT(job), &s);
	expect(job, { 0, 10 }, { 22, 26 }, { 2, 22 }, { 10, 13 });
	c.order = REF_GANG_FCFS;
	run(&c, job, COUNT(job), &s);
	expect(job, { 0, 10 }, { 10, 14 }, { 14, 34 }, { 3, 6 });
}

/* What cannot be is said. */
static void test_bad(void **state)
{
	struct ref_gang_job wide = JOB(0, 1, 1, 3), none = JOB(0, 0, 1, 1);
	struct ref_gang_job late[] = { JOB(1, 1, 1, 1), JOB(0, 1, 1, 1) };
	struct ref_gang_setup c = { .kind = REF_GS, .nodes = 2, .rows = 2, .slice = 10 };

	(void)state;
	assert_int_equal(ref_gang_run(&c, &wide, 1), REF_GANG_BAD);
	assert_int_equal(ref_gang_run(&c, &none, 1), REF_GANG_BAD);
	assert_int_equal(ref_gang_run(&c, late, 2), REF_GANG_BAD);
	c.switching = 10;
	assert_int_equal(ref_gang_run(&c, late + 1, 1), REF_GANG_BAD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_figure9),	   cmocka_unit_test(test_schedule),
		cmocka_unit_test(test_clean),	   cmocka_unit_test(test_compact),
		cmocka_unit_test(test_clock),	   cmocka_unit_test(test_clock_edges),
		cmocka_unit_test(test_option1),	   cmocka_unit_test(test_option2),
		cmocka_unit_test(test_odd_cost),   cmocka_unit_test(test_no_cost),
		cmocka_unit_test(test_quota),	   cmocka_unit_test(test_quota_next),
		cmocka_unit_test(test_narrowest),  cmocka_unit_test(test_once_in_a_pass),
		cmocka_unit_test(test_row_order),  cmocka_unit_test(test_fill2),
		cmocka_unit_test(test_fill_order), cmocka_unit_test(test_reservation),
		cmocka_unit_test(test_forbidden),  cmocka_unit_test(test_overdue),
		cmocka_unit_test(test_switch),	   cmocka_unit_test(test_discrete),
		cmocka_unit_test(test_next),	   cmocka_unit_test(test_orders),
		cmocka_unit_test(test_bfit),	   cmocka_unit_test(test_bad),
		cmocka_unit_test(test_remit),
	};

	return seed_run("ref_gang", tests);
}

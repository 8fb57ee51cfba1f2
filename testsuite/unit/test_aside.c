/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_aside: jobs that take turns are set aside for a promised one (setting PromiseAside), and what may come in between: a
 * driver that refuses, a record that shows up late or never, a node that is lost, other terms, an early end. Two rows,
 * slices of 10 s, a guard of 5 s; job 1 has all four nodes in both rows. (By many random worlds: test_beside, test_gang_random.)
 */
#include <string.h>

#include "core/kernel/retell.h"
#include "core/settings/settings.h"
#include "testsuite/unit/gang_hand.h"
#include "testsuite/unit/seed.h"

static const char *const settings[] = { "Rows",		"2",   "Slice", "10",
					"PromiseAside", "yes", "Guard", "5",
					"Lateness",	"5",   NULL };

static struct sched_job promised(uint64_t id, int32_t width, int64_t limit, int64_t deadline)
{
	return (struct sched_job){
		.id = id, .width = width, .limit = limit, .deadline = deadline, .planned = -1
	};
}

/* Job 1 runs, and it is 5 s. */
static void open_aside(struct world *w)
{
	open_world(w, "bgs", settings);
	w->deadlines = true;
	submit(w, job_of(1, 4));
	go(w, 5);
	assert_string_equal(w->said, "S1");
}

static struct sched_view view(struct world *w, uint64_t id)
{
	struct sched_view v;

	assert_int_equal(sched_view(w->s, id, &v), PACT_OK);
	return v;
}

/* Suspended before the start, and back when it has ended, which is earlier than could be foreseen. */
static void test_early_end(void **state)
{
	struct sched_matrix m;
	struct sched_place p;
	struct world w;

	(void)state;
	open_aside(&w);
	submit(&w, promised(2, 2, 30, 50));
	go(&w, 5);
	assert_string_equal(w.said, "A2 s1 S2");
	assert_int_equal(mask_of(w.job[2].at), 12);
	assert_int_equal(view(&w, 1).aside, 40);
	assert_true(!view(&w, 1).turns.in && view(&w, 1).turns.rows == 2);
	assert_int_equal(view(&w, 1).artificial, 86400);
	assert_int_equal(sched_matrix(w.s, 0, &m), PACT_OK);
	assert_int_equal(sched_matrix_place(w.s, 0, 0, &p), PACT_OK);
	assert_int_equal(p.id, 1);
	assert_int_equal(p.rows, 0);
	assert_true(p.started);
	go(&w, 21);
	assert_string_equal(w.said, "");
	by_hand(&w, EV_FINISH, 2, 0);
	go(&w, 22);
	assert_string_equal(w.said, "r1");
	assert_int_equal(view(&w, 1).aside, 0);
	close_world(&w);
}

/* Off, which is the default, there is no such promise. */
static void test_off(void **state)
{
	static const char *const off[] = { "Rows", "2", "Slice", "10", NULL };
	struct world w;

	(void)state;
	open_world(&w, "bgs", off);
	w.deadlines = true;
	submit(&w, job_of(1, 4));
	go(&w, 5);
	submit(&w, promised(2, 2, 30, 50));
	go(&w, 5);
	assert_string_equal(w.said, "R2");
	close_world(&w);
}

/* A driver that comes up again tells what runs before anything can be predicted of it: it can be set aside, too. */
static void test_known_again(void **state)
{
	struct world w;

	(void)state;
	open_world(&w, "bgs", settings);
	w.deadlines = true;
	submit(&w, job_of(1, 4));
	by_hand(&w, EV_STARTED, 1, 15);
	go(&w, 5);
	assert_int_equal(view(&w, 1).artificial, 86400);
	submit(&w, promised(2, 2, 30, 50));
	go(&w, 5);
	assert_string_equal(w.said, "A2 s1 S2");
	close_world(&w);
}

/*
 * A driver comes up that knows of a promise which was made so, of a job that had not started: it is kept, with its guard if
 * that has to do; so late that its limit does not fit it is broken.
 */
static void test_restored(void **state)
{
	static const struct {
		int64_t now, end;
	} cases[] = { { 5, 40 }, { 15, 50 }, { 20, 50 }, { 21, 0 } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sched_job job = promised(2, 2, 30, 50);
		struct world w;

		open_world(&w, "bgs", settings);
		w.deadlines = true;
		go(&w, cases[i].now);
		submit(&w, job_of(1, 4));
		by_hand(&w, EV_STARTED, 1, 15);
		job.flags = JOB_PROMISED;
		job.planned = 5;
		submit(&w, job);
		go(&w, cases[i].now);
		assert_string_equal(w.said, cases[i].end ? "s1 S2" : "b2");
		assert_int_equal(view(&w, 2).broken, !cases[i].end);
		if (cases[i].end)
			assert_int_equal(view(&w, 2).end, cases[i].end);
		close_world(&w);
	}
}

/* The setting is off by the time that a driver comes up again: what was set aside stays so until the promised one has ended. */
static void test_off_again(void **state)
{
	static const char *const off[] = { "Rows", "2", "Slice", "10", NULL };

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct world w;

		open_world(&w, i & 1 ? "bgs" : "gs", off);
		go(&w, 5);
		if (i & 2)
			by_hand(&w, EV_STARTED, 2, 12);
		submit(&w, job_of(1, 4));
		by_hand(&w, EV_STARTED, 1, 15);
		w.job[1].runs = false;
		tell(&w, (struct sched_event){ .type = EV_SUSPENDED, .id = 1, .reserve = true });
		if (!(i & 2))
			by_hand(&w, EV_STARTED, 2, 12);
		go(&w, 35);
		assert_string_equal(w.said, "");
		assert_true(view(&w, 1).aside || view(&w, 1).turns.aside);
		by_hand(&w, EV_FINISH, 2, 0);
		go(&w, 36);
		assert_string_equal(w.said, "r1");
		close_world(&w);
	}
}

/* A question has the same answer, and changes nothing. */
static void test_asked(void **state)
{
	struct sched_job job = promised(2, 2, 30, 50), late = promised(3, 2, 30, 39);
	struct sched_decision d;
	struct world w;

	(void)state;
	open_aside(&w);
	assert_int_equal(sched_ask(w.s, 5, &job, 1, &d), PACT_OK);
	assert_true(d.accepted);
	assert_int_equal(d.start, 5);
	assert_int_equal(d.end, 40);
	assert_int_equal(sched_ask(w.s, 5, &late, 1, &d), PACT_OK);
	assert_false(d.accepted);
	go(&w, 30);
	assert_string_equal(w.said, "");
	close_world(&w);
}

/* What is placed and has not started keeps its place: it starts when the promised one has ended. */
static void test_not_started(void **state)
{
	struct world w;

	(void)state;
	open_aside(&w);
	submit(&w, job_of(3, 4));
	go(&w, 6);
	submit(&w, promised(2, 4, 30, 50));
	go(&w, 30);
	assert_string_equal(w.said, "A2 s1 S2");
	assert_int_equal(view(&w, 3).start, 41);
	by_hand(&w, EV_FINISH, 2, 0);
	go(&w, 40);
	assert_string_equal(w.said, "S3 s3 r1");
	close_world(&w);
}

/* But not if it would end too late then: a node of its is reserved from 55 on, and it would need until 56. */
static void test_too_late(void **state)
{
	struct nodeset *reserved = set_of(1);
	struct sched_job d = job_of(3, 4);
	struct world w;

	(void)state;
	d.limit = 10;
	open_aside(&w);
	assert_int_equal(tell(&w, (struct sched_event){ .type = EV_BLOCK,
							.id = 50,
							.nodes = reserved,
							.start = 55,
							.end = 500 }),
			 PACT_OK);
	submit(&w, d);
	go(&w, 6);
	submit(&w, promised(2, 4, 30, 50));
	go(&w, 36);
	assert_string_equal(w.said, "A2 s1 S2");
	by_hand(&w, EV_FINISH, 2, 0);
	go(&w, 54);
	assert_false(view(&w, 3).running);
	assert_int_equal(tell(&w, (struct sched_event){ .type = EV_FINISH, .id = 50 }), PACT_OK);
	go(&w, 80);
	assert_true(view(&w, 3).running);
	close_world(&w);
	nodeset_destroy(reserved);
}

/* One that cannot be suspended is in the way: there is no start at this instant, and it is tried again. */
static void test_refused(void **state)
{
	struct world w;

	(void)state;
	open_aside(&w);
	w.refuse = 1;
	submit(&w, promised(2, 2, 30, 50));
	go(&w, 5);
	assert_memory_equal(w.said, "A2! s1!", 7);
	assert_true(w.job[1].runs);
	assert_null(strstr(w.said, "S2"));
	assert_true(view(&w, 2).promised);
	assert_false(view(&w, 2).running);
	w.refuse = 0;
	go(&w, 10);
	assert_non_null(strstr(w.said, "s1"));
	assert_non_null(strstr(w.said, "S2"));
	assert_true(view(&w, 2).running);
	close_world(&w);
}

/* Its record shows up under another id: it starts then. Until then what is to be set aside is so already. */
static void test_confirmed(void **state)
{
	struct sched_job job = promised(2, 2, 30, 50);
	struct world w;

	(void)state;
	open_aside(&w);
	job.flags = JOB_UNCONFIRMED;
	submit(&w, job);
	go(&w, 6);
	assert_string_equal(w.said, "A2 s1");
	assert_true(view(&w, 2).unconfirmed);
	assert_int_equal(tell(&w, (struct sched_event){ .type = EV_CONFIRM, .id = 2, .new_id = 9 }),
			 PACT_OK);
	go(&w, 6);
	assert_string_equal(w.said, "S9");
	assert_true(view(&w, 9).promised);
	assert_int_equal(view(&w, 9).end, 40); /* the guard has room for that */
	assert_int_equal(view(&w, 1).aside, 40);
	by_hand(&w, EV_FINISH, 9, 0);
	go(&w, 8);
	assert_string_equal(w.said, "r1");
	close_world(&w);
}

/* It never does, or the job is cancelled before. */
static void test_withdrawn(void **state)
{
	struct sched_job job = promised(2, 2, 30, 50);
	struct world w;

	(void)state;
	open_aside(&w);
	job.flags = JOB_UNCONFIRMED;
	submit(&w, job);
	go(&w, 6);
	assert_int_equal(tell(&w, (struct sched_event){ .type = EV_WITHDRAW, .id = 2 }), PACT_OK);
	go(&w, 8);
	assert_string_equal(w.said, "r1");
	assert_int_equal(view(&w, 1).aside, 0);
	close_world(&w);
}

/* A node is lost before it could start: the promise is the plan's, which cannot keep it here. */
static void test_node_lost(void **state)
{
	struct sched_job job = promised(2, 2, 30, 50);
	struct nodeset *lost = set_of(8);
	struct world w;

	(void)state;
	open_aside(&w);
	job.flags = JOB_UNCONFIRMED;
	submit(&w, job);
	go(&w, 6);
	assert_int_equal(
		tell(&w,
		     (struct sched_event){
			     .type = EV_BLOCK, .id = 50, .nodes = lost, .start = 6, .end = 1000 }),
		PACT_OK);
	go(&w, 8);
	assert_non_null(strstr(w.said, "b2"));
	assert_true(view(&w, 2).unconfirmed);
	assert_int_equal(view(&w, 1).aside, 0);
	nodeset_destroy(lost);
	close_world(&w);
}

/*
 * So are several promises: in the order of their ids, whatever else has been known (a table has 7 before 2).
 * There is but one node that is not lost again, and the first has it.
 */
static void test_several_lost(void **state)
{
	struct nodeset *later = set_of(7), *lost = set_of(10);
	struct world w;

	(void)state;
	open_world(&w, "bgs", settings);
	w.deadlines = true;
	submit(&w, job_of(1, 2));
	submit(&w, job_of(3, 2));
	go(&w, 5);
	assert_int_equal(tell(&w, (struct sched_event){ .type = EV_BLOCK,
							.id = 50,
							.nodes = later,
							.start = 45,
							.end = 100000 }),
			 PACT_OK);
	for (uint64_t id = 2; id <= 7; id += 5) {
		struct sched_job job = promised(id, 1, 30, 100);

		job.flags = JOB_UNCONFIRMED;
		submit(&w, job);
		go(&w, 5);
		assert_int_equal(view(&w, id).start, 5);
	}
	go(&w, 6);
	assert_int_equal(
		tell(&w,
		     (struct sched_event){
			     .type = EV_BLOCK, .id = 51, .nodes = lost, .start = 6, .end = 45 }),
		PACT_OK);
	assert_true(view(&w, 2).start < PACT_END_OF_TIME);
	assert_true(view(&w, 7).start > view(&w, 2).start);
	nodeset_destroy(later);
	nodeset_destroy(lost);
	close_world(&w);
}

/* Other terms are decided by the plan. */
static void test_changed(void **state)
{
	struct sched_job job = promised(2, 2, 30, 50);
	struct world w;

	(void)state;
	open_aside(&w);
	job.flags = JOB_UNCONFIRMED;
	submit(&w, job);
	go(&w, 6);
	job.deadline = 100000;
	assert_int_equal(
		tell(&w, (struct sched_event){ .type = EV_CHANGE, .jobs = &job, .njobs = 1 }),
		PACT_OK);
	go(&w, 8);
	assert_non_null(strstr(w.said, "A2"));
	assert_non_null(strstr(w.said, "r1"));
	assert_true(view(&w, 2).end <= 100000);
	close_world(&w);
}

/* ---- memory and artificial deadlines ---- */

static void give_memory(struct world *w, int64_t memory)
{
	struct nodeset *all = set_of(15);

	assert_int_equal(
		tell(w, (struct sched_event){ .type = EV_NODES, .nodes = all, .memory = memory }),
		PACT_OK);
	nodeset_destroy(all);
}

/* All that are on a node need it at once. */
static void test_memory(void **state)
{
	struct sched_job job = promised(2, 2, 30, 50), one = job_of(1, 4);
	struct world w;

	(void)state;
	open_world(&w, "bgs", settings);
	w.deadlines = true;
	give_memory(&w, 100);
	one.memory = 60;
	submit(&w, one);
	go(&w, 5);
	job.memory = 41;
	submit(&w, job);
	go(&w, 5);
	assert_string_equal(w.said, "R2");
	job.memory = 40;
	submit(&w, job);
	go(&w, 5);
	assert_string_equal(w.said, "A2 s1 S2");
	close_world(&w);
}

/*
 * Job 1 has its bound at (100 + 1) x 20 = 2020, set aside from 5 to 35 at 35 + 2015 + 40 = 2090, and may end by 2090,
 * or by 2089.
 */
static void test_artificial(void **state)
{
	static const char *const tight[] = {
		"Rows", "2", "Slice", "10", "PromiseAside", "yes", "MinArtificialDeadline",
		NULL,	NULL
	};

	(void)state;
	for (int i = 0; i < 2; i++) {
		const char *own[sizeof(tight) / sizeof(*tight)];
		struct world w;

		memcpy(own, tight, sizeof(own));
		own[7] = i ? "2089" : "2090";
		open_world(&w, "bgs", own);
		w.deadlines = true;
		submit(&w, job_of(1, 4));
		go(&w, 5);
		assert_int_equal(view(&w, 1).artificial, i ? 2089 : 2090);
		submit(&w, promised(2, 2, 30, 50));
		go(&w, 5);
		assert_string_equal(w.said, i ? "R2" : "A2 s1 S2");
		close_world(&w);
	}
}

/* ---- told and taken in again ---- */

static void take_in(void *arg, const struct record_form *form, const void *record)
{
	struct sched *twin = arg;

	assert_ptr_equal(sched_recall_form(twin, form->name), form);
	if (sched_recall(twin, form, record) != PACT_OK)
		fail_msg("%s: %s", form->name, sched_error(twin));
}

/* Between decision and start, and while it runs. */
static void test_retold(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		struct sched_job job = promised(2, 2, 30, 50);
		struct sched_config c;
		struct world w, twin;
		char why[200] = "";

		open_aside(&w);
		job.flags = JOB_UNCONFIRMED;
		submit(&w, job);
		go(&w, 6);
		if (i)
			tell(&w, (struct sched_event){ .type = EV_CONFIRM, .id = 2, .new_id = 2 });
		go(&w, 6);
		sched_config_init(&c);
		for (const char *const *s = settings; *s; s += 2)
			assert_true(settings_apply(&c, s[0], s[1], why, sizeof(why)));
		open_with(&twin, "bgs", &c);
		assert_int_equal(sched_retell(w.s, take_in, twin.s), PACT_OK);
		assert_int_equal(sched_recall_done(twin.s), PACT_OK);
		for (int k = 0; k < 3; k++)
			twin.job[k] = (struct known){ .waits = w.job[k].waits,
						      .started = w.job[k].started,
						      .runs = w.job[k].runs,
						      .at = w.job[k].at ? nodeset_dup(w.job[k].at)
									: NULL };
		twin.now = w.now;
		twin.deadlines = true;
		if (!i)
			tell(&twin,
			     (struct sched_event){ .type = EV_CONFIRM, .id = 2, .new_id = 2 });
		go(&twin, 7);
		assert_string_equal(twin.said, i ? "" : "S2");
		assert_int_equal(view(&twin, 1).aside, 40);
		by_hand(&twin, EV_FINISH, 2, 0);
		go(&twin, 9);
		assert_string_equal(twin.said, "r1");
		close_world(&w);
		close_world(&twin);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_early_end),    cmocka_unit_test(test_off),
		cmocka_unit_test(test_known_again),  cmocka_unit_test(test_restored),
		cmocka_unit_test(test_off_again),    cmocka_unit_test(test_asked),
		cmocka_unit_test(test_not_started),  cmocka_unit_test(test_too_late),
		cmocka_unit_test(test_refused),	     cmocka_unit_test(test_confirmed),
		cmocka_unit_test(test_withdrawn),    cmocka_unit_test(test_node_lost),
		cmocka_unit_test(test_several_lost), cmocka_unit_test(test_changed),
		cmocka_unit_test(test_memory),	     cmocka_unit_test(test_artificial),
		cmocka_unit_test(test_retold),
	};

	return seed_run("test_aside", tests);
}

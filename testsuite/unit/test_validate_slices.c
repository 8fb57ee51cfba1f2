/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_validate_slices: the validator is content with a right schedule of jobs that take turns, and finds each way in
 * which it can be falsified. (That it is content with thousands of right ones: test_gang_ref, test_sim_random.)
 *
 * Four nodes, two rows, slices of 10 s from 0 on; a switch loses 1 s, a migration 4 s, and two tasks may be migrated
 * in a slice:
 *
 *	nodes	   0	1	2	3
 *	 0-10	   A	A	B	.
 *	10-20	   C	C	C	C
 *	20-26	   A	A	D	B	D comes, and B is migrated
 *	26-30	   .	A	A	B	D ends, and A is migrated
 *	30-40	   C	C	C	C
 *	40-47	   .	A	A	B	B ends at 43, A at 47
 *	47-55	   C	C	C	C	C is in both rows
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/nodeset.h"
#include "sim/check/validate.h"

enum { A, B, C, D, JOBS };

#define SPANS 7

/* What is falsified is changed in place. */
struct fixture {
	struct sim_job job[JOBS];
	struct sim_outcome out[JOBS];
	struct sim_span span[JOBS][SPANS];
	struct sim_history history[JOBS];
	struct workload w;
	struct sim_slices slices;
	struct sim_event event;
	struct schedule s;
	struct nodeset *set[16]; /* by the bits of their nodes */
};

static void add(struct fixture *f, int job, int64_t to, int nodes, int64_t lost)
{
	struct sim_history *h = &f->history[job];
	struct sim_span *x = &h->span[h->n++];

	*x = (struct sim_span){ .from = f->out[job].end, .to = to, .lost = lost };
	x->width = f->job[job].width;
	x->nodes = f->set[nodes];
	x->moved = h->n > 1 && x->nodes != x[-1].nodes;
	f->out[job].end = to;
}

static void pause_until(struct fixture *f, int job, int64_t to)
{
	struct sim_history *h = &f->history[job];

	add(f, job, to, 1, 0);
	h->span[h->n - 1].suspended = true;
	h->span[h->n - 1].moved = false;
	h->span[h->n - 1].nodes = h->span[h->n - 2].nodes;
}

static void add_job(struct fixture *f, int job, int64_t submit, int32_t width, int64_t runtime)
{
	f->job[job] = (struct sim_job){ .id = (uint64_t)job + 1,
					.submit = submit,
					.width = width,
					.runtime = runtime,
					.estimate = runtime,
					.memory = 3 };
	f->history[job] = (struct sim_history){ .span = f->span[job], .room = SPANS };
}

static void begin(struct fixture *f, int job, int64_t start)
{
	f->out[job] = (struct sim_outcome){ .start = start,
					    .end = start,
					    .state = SIM_COMPLETED,
					    .nodes = f->set[15],
					    .history = &f->history[job] };
	f->history[job].n = 0;
}

/* C's turns; the second one is left out, or the last one is that long. */
static void turns_of_c(struct fixture *f, bool second, int64_t length)
{
	begin(f, C, 10);
	add(f, C, 20, 15, 1);
	pause_until(f, C, second ? 30 : 47);
	if (second) {
		add(f, C, 40, 15, 1);
		pause_until(f, C, 47);
	}
	add(f, C, 47 + length, 15, 1);
	f->job[C].runtime = f->job[C].estimate = 8 + length + (second ? 9 : 0);
}

static void good(struct fixture *f)
{
	f->slices = (struct sim_slices){
		.rows = 2, .length = 10, .turn = 1, .switch_loss = 1, .cost = 4, .quota = 2
	};
	f->w = (struct workload){ .job = f->job, .count = JOBS, .room = JOBS };
	f->s = (struct schedule){ .w = &f->w, .out = f->out, .nodes = 4, .memory = 6 };
	f->s.slices = &f->slices;
	add_job(f, A, 0, 2, 20);
	begin(f, A, 0);
	add(f, A, 10, 3, 1);
	pause_until(f, A, 20);
	add(f, A, 26, 3, 1);
	add(f, A, 30, 6, 4);
	pause_until(f, A, 40);
	add(f, A, 47, 6, 1);
	add_job(f, B, 0, 1, 16);
	begin(f, B, 0);
	add(f, B, 10, 4, 1);
	pause_until(f, B, 20);
	add(f, B, 30, 8, 5);
	pause_until(f, B, 40);
	add(f, B, 43, 8, 1);
	add_job(f, C, 0, 4, 25);
	turns_of_c(f, true, 8);
	add_job(f, D, 20, 1, 5);
	begin(f, D, 20);
	add(f, D, 26, 4, 1);
}

/*
 * Two rows and slices of 10 s, no costs. A is set aside from 5 to 38 for B, which is promised, and in both rows else. Its
 * artificial deadline is 100.
 */
static void good_aside(struct fixture *f)
{
	f->slices = (struct sim_slices){ .rows = 2,
					 .length = 10,
					 .turn = 1,
					 .aside = true,
					 .relax = 1000,
					 .min_artificial = 100 };
	f->w = (struct workload){ .job = f->job, .count = 2, .room = JOBS };
	f->s = (struct schedule){ .w = &f->w, .out = f->out, .nodes = 4, .memory = 6 };
	f->s.slices = &f->slices;
	add_job(f, A, 0, 2, 60);
	begin(f, A, 0);
	f->out[A].artificial = 100;
	add(f, A, 5, 3, 0);
	pause_until(f, A, 38);
	add(f, A, 93, 3, 0);
	add_job(f, B, 5, 2, 33);
	f->job[B].deadline = 60;
	f->out[B] = (struct sim_outcome){
		.start = 5, .end = 38, .state = SIM_COMPLETED, .promised = true, .nodes = f->set[3]
	};
}

/* It never is: its node is lost when B ends. */
static void lost_aside(struct fixture *f)
{
	f->history[A].n = 2;
	f->span[A][1].to = f->out[A].end = 38;
	f->out[A].state = SIM_FAILED;
	f->event = (struct sim_event){
		.type = SIM_BLOCK, .at = 38, .start = 38, .end = 1000, .nodes = f->set[1]
	};
	f->s.event = &f->event;
	f->s.nevents = 1;
}

/* It is back at that time only. */
static void back_at(struct fixture *f, int64_t at)
{
	f->span[A][1].to = f->span[A][2].from = at;
	f->span[A][2].to = f->out[A].end = at + 55;
	f->out[A].artificial = f->slices.min_artificial = at + 55;
}

static void aside_by_nothing(struct fixture *f)
{
	f->slices.aside = false;
}

static void back_too_early(struct fixture *f)
{
	back_at(f, 37);
}

static void back_too_late(struct fixture *f)
{
	back_at(f, 60);
}

/* Its turn before was too long ago. */
static void aside_too_late(struct fixture *f)
{
	back_at(f, 68);
	f->span[A][0].to = f->span[A][1].from = 10;
	f->span[A][2].to = f->out[A].end = 118;
	f->out[B].start = f->job[B].submit = 35;
	f->out[B].end = 68;
	f->job[B].deadline = 90;
}

static void aside_in_one_row(struct fixture *f)
{
	f->slices.rows = 1;
	back_at(f, 39);
}

static void after_its_artificial(struct fixture *f)
{
	f->out[A].artificial = f->slices.min_artificial = 92;
}

static void less_artificial(struct fixture *f)
{
	f->out[A].artificial = 99;
}

static void aside_without_memory(struct fixture *f)
{
	f->s.memory = 5;
}

/* ---- one falsification each ---- */

static void two_on_a_node(struct fixture *f)
{
	f->span[D][0].nodes = f->set[8];
}

static void half_a_gang(struct fixture *f)
{
	f->span[A][2].width = 1;
	f->span[A][2].nodes = f->set[1];
}

/* Work, cycle and all are right; no slice ends at 9. */
static void stops_early(struct fixture *f)
{
	f->span[A][0].to = f->span[A][1].from = 9;
	f->job[A].runtime = f->job[A].estimate = 19;
}

static void begins_early(struct fixture *f)
{
	f->span[C][1].to = f->span[C][2].from = 29;
	f->job[C].runtime = f->job[C].estimate = 26;
}

static void less_work(struct fixture *f)
{
	f->job[A].runtime = f->job[A].estimate = 21;
}

static void more_work(struct fixture *f)
{
	f->job[A].runtime = f->job[A].estimate = 19;
}

static void no_switch_cost(struct fixture *f)
{
	f->span[A][5].lost = 0;
	f->job[A].runtime = f->job[A].estimate = 21;
}

static void no_first_switch_cost(struct fixture *f)
{
	f->out[D].history = NULL;
	f->out[D].nodes = f->set[4];
	f->job[D].runtime = f->job[D].estimate = 6;
}

static void odd_migration_cost(struct fixture *f)
{
	f->span[A][3].lost = 3;
	f->job[A].runtime = f->job[A].estimate = 21;
}

static void cost_while_suspended(struct fixture *f)
{
	f->span[A][1].lost = 4;
	f->job[A].runtime = f->job[A].estimate = 16;
}

static void cycle_without_slice(struct fixture *f)
{
	turns_of_c(f, false, 8);
}

/* No slice begins in its last turn. */
static void end_without_slice(struct fixture *f)
{
	turns_of_c(f, false, 2);
}

static void migrated_unseen(struct fixture *f)
{
	f->span[B][2].moved = false;
}

static void migrated_in_between(struct fixture *f)
{
	f->job[D].submit = 19;
}

static void more_than_q(struct fixture *f)
{
	f->slices.quota = 1;
}

static void none_may_migrate(struct fixture *f)
{
	f->slices.quota = 0;
}

/* B is migrated when D ends, and not when D comes: both migrations are in one slice. */
static void more_than_q_together(struct fixture *f)
{
	f->span[D][0].nodes = f->set[8];
	begin(f, B, 0);
	add(f, B, 10, 4, 1);
	pause_until(f, B, 20);
	add(f, B, 26, 4, 1);
	add(f, B, 30, 8, 4);
	pause_until(f, B, 40);
	add(f, B, 43, 8, 1);
}

/* Node 3 at 20: B, which comes, C and D. */
static void more_than_rows(struct fixture *f)
{
	f->span[D][0].nodes = f->set[8];
}

static void too_little_memory(struct fixture *f)
{
	f->s.memory = 5;
}

static void promise_broken(struct fixture *f)
{
	f->job[D].deadline = 25;
	f->out[D].promised = true;
}

static void promised_is_suspended(struct fixture *f)
{
	f->job[A].deadline = 100;
	f->out[A].promised = true;
}

static void one_row(struct fixture *f)
{
	f->slices.rows = 1;
}

static void discrete(struct fixture *f)
{
	f->slices.discrete = true;
}

static void ends_cut(struct fixture *f)
{
	f->slices.next = true;
}

static void other_slices(struct fixture *f)
{
	f->slices.length = 7;
}

static const struct {
	void (*spoil)(struct fixture *f);
	const char *told;
} cases[] = {
	{ two_on_a_node, "time 20: node 3: in use by another job when job 4 has it" },
	{ half_a_gang, "job 1 has 1 of 2 nodes at 20" },
	{ stops_early, "job 1 stops running at 9, when no slice begins and nothing else happens" },
	{ begins_early,
	  "job 3 begins to run at 29, when no slice begins and nothing else happens" },
	{ less_work, "job 1 ended before its work was done" },
	{ more_work, "job 1 went on when its work was done" },
	{ no_switch_cost, "job 1 loses 0 s at 40, and a switch costs 1, a migration 4" },
	{ no_first_switch_cost, "job 4 loses nothing when it begins to run" },
	{ odd_migration_cost, "job 1 loses 3 s at 26, and a switch costs 0, a migration 4" },
	{ cost_while_suspended, "job 1 loses 4 s at 10, and a switch costs 0, a migration 4" },
	{ cycle_without_slice, "job 3 has no whole slice in 3 of 2 rows, until 47" },
	{ end_without_slice, "job 3 has no whole slice in 3 of 2 rows, until 49" },
	{ migrated_unseen, "job 2 has other nodes at 20, and was not told" },
	{ migrated_in_between, "job 2 is migrated at 20, when the matrix is not computed" },
	{ more_than_q, "slice 2: 2 tasks migrated, and no more than 1 may be" },
	{ none_may_migrate, "slice 1: 1 tasks migrated, and no more than 0 may be" },
	{ more_than_q_together, "slice 2: 3 tasks migrated, and no more than 2 may be" },
	{ more_than_rows, "time 20: node 3: 3 jobs, and 2 rows" },
	{ too_little_memory, "time 26: node 1: memory: 6 in use of 5 with job 1" },
	{ promise_broken, "job 4 ended at 26, promised was 25" },
	{ promised_is_suspended, "job 1 takes turns, and was promised its deadline" },
	{ one_row, "job 1 is suspended, and there is one row" },
	{ discrete, "job 3 begins to run at 47, when no slice begins and nothing else happens" },
	{ ends_cut, "job 2 stops running at 30, when no slice begins and nothing else happens" },
	{ other_slices, "time 10: other jobs run, and no slice can begin then" },
};

static const struct {
	void (*spoil)(struct fixture *f);
	const char *told;
} aside_cases[] = {
	{ aside_by_nothing, "job 1 was set aside at 5, and none is to be" },
	{ back_too_early, "job 1 runs at 37, while a promised one has its nodes" },
	{ back_too_late, "job 1 has no whole slice in 2 of 2 rows, until 60" },
	{ aside_too_late, "job 1 has no whole slice in 3 of 2 rows, until 35" },
	{ aside_in_one_row, "job 1 is suspended, and there is one row" },
	{ after_its_artificial,
	  "job 1 was set aside, and ends at 93, after its artificial deadline 92" },
	{ less_artificial, "job 1 was set aside, with the artificial deadline 99, and not 100" },
	{ aside_without_memory, "memory: 6 in use of 5" },
};

static void keep(void *arg, const char *message)
{
	char *text = arg;

	strncat(text, message, 4000 - strlen(text));
	strncat(text, "\n", 4000 - strlen(text));
}

static void test_good(void **state)
{
	struct fixture *f = *state;
	char told[4096] = "";

	good(f);
	assert_int_equal(validate(&f->s, keep, told), 0);
	assert_string_equal(told, "");
}

static void test_falsified(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char told[4096] = "";

		good(f);
		cases[i].spoil(f);
		assert_true(validate(&f->s, keep, told) > 0);
		if (!strstr(told, cases[i].told))
			fail_msg("'%s' instead of '%s'", told, cases[i].told);
	}
}

static void test_aside(void **state)
{
	struct fixture *f = *state;
	char told[4096] = "";

	good_aside(f);
	assert_int_equal(validate(&f->s, keep, told), 0);
	f->slices.rows = 1;
	assert_int_equal(validate(&f->s, keep, told), 0);
	good_aside(f);
	lost_aside(f);
	assert_int_equal(validate(&f->s, keep, told), 0);
	assert_string_equal(told, "");
	for (size_t i = 0; i < sizeof(aside_cases) / sizeof(aside_cases[0]); i++) {
		told[0] = '\0';
		good_aside(f);
		aside_cases[i].spoil(f);
		assert_true(validate(&f->s, keep, told) > 0);
		if (!strstr(told, aside_cases[i].told))
			fail_msg("'%s' instead of '%s'", told, aside_cases[i].told);
	}
}

/*
 * Slices of 10 s that arrivals and ends cut. A and B are migrated at 16. What happens then, in addition to the end of C, is
 * no arrival and no end of a job that takes turns: its pass may have been before the slice was cut.
 */
static void test_cut_together(void **state)
{
	struct fixture *f = *state;

	for (int others = 0; others < 2; others++) {
		char told[4096] = "";

		f->slices = (struct sim_slices){
			.rows = 2, .length = 10, .turn = 1, .next = true, .quota = 1
		};
		f->w = (struct workload){ .job = f->job, .count = 3, .room = JOBS };
		f->s = (struct schedule){ .w = &f->w, .out = f->out, .nodes = 4, .memory = 6 };
		f->s.slices = &f->slices;
		for (int job = A; job <= B; job++) {
			add_job(f, job, 0, 1, 26);
			begin(f, job, 0);
			add(f, job, 16, job == A ? 1 : 2, 0);
			add(f, job, 26, job == A ? 4 : 8, 0);
		}
		add_job(f, C, 0, 2, 16);
		begin(f, C, 0);
		add(f, C, 16, 12, 0);
		f->event = (struct sim_event){
			.type = SIM_BLOCK, .at = 16, .start = 16, .end = 1000, .nodes = f->set[1]
		};
		f->s.event = &f->event;
		f->s.nevents = (size_t)others;
		validate(&f->s, keep, told);
		assert_string_equal(
			told,
			others ? "" : "slice 2: 2 tasks migrated, and no more than 1 may be\n");
	}
}

/* Where a row may have two slices in succession, a job may be without one for a cycle of such turns. */
static void test_long_turns(void **state)
{
	struct fixture *f = *state;

	for (int64_t turn = 1; turn <= 2; turn++) {
		char told[4096] = "";

		good(f);
		cycle_without_slice(f);
		f->slices.turn = turn;
		validate(&f->s, keep, told);
		assert_int_equal(!strstr(told, "whole slice"), turn == 2);
	}
}

static int make_sets(void **state)
{
	static struct fixture f;

	for (uint32_t k = 0; k < 16; k++) {
		f.set[k] = nodeset_create(4);
		for (uint32_t n = 0; n < 4; n++)
			if (k >> n & 1)
				nodeset_set(f.set[k], n);
	}
	*state = &f;
	return 0;
}

static int free_sets(void **state)
{
	struct fixture *f = *state;

	for (int k = 0; k < 16; k++)
		nodeset_destroy(f->set[k]);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),	   cmocka_unit_test(test_falsified),
		cmocka_unit_test(test_aside),	   cmocka_unit_test(test_cut_together),
		cmocka_unit_test(test_long_turns),
	};

	return cmocka_run_group_tests(tests, make_sets, free_sets);
}

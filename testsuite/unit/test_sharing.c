/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_sharing: whole schedules of libra, librarisk, demand and edf, against the plain reference of
 * ref_sharing.h: which jobs are accepted, on which nodes, and when each of them ends. And questions: they are
 * answered as the submission that follows is decided, change nothing, and what they offer is true.
 */
#include "testsuite/unit/seed.h"
#include "testsuite/unit/sharing_world.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void show(const struct world *w, const struct ref_sharer *ref)
{
	print_message("kind %d idle %d in step %d best %d nodes %d:", (int)w->c->kind, w->c->idle,
		      w->c->in_step, w->c->best, w->c->nodes);
	for (int i = 0; i < w->c->nodes; i++)
		print_message(" %.2Lf/%d/%" PRId64, w->c->rating[i], w->c->processors[i],
			      w->c->memory[i]);
	print_message("\n");
	for (size_t i = 0; i < w->n; i++) {
		const struct ref_sharer *j = &ref[i];

		print_message("%zu: at %" PRId64 " estimate %" PRId64 " runtime %" PRId64
			      " deadline %" PRId64 " width %d processors %d memory %" PRId64
			      ": %d %d, end %" PRId64 " %.6Lf\n",
			      i + 1, j->submit, j->estimate, j->runtime, j->deadline, j->width,
			      j->processors, j->memory, w->accepted[i], j->accepted, w->end[i],
			      j->end);
	}
}

/* Do they end at the same time, but for what rounding to microseconds grows to near deadlines? */
static bool is_same_end(const struct world *w, const struct ref_sharer *ref, size_t i)
{
	long double end = (long double)w->end[i] / SHARING_SECOND;

	return fabsl(end - ref[i].end) <= 2e-2L + 1e-4L * (end - ref[i].submit);
}

static bool is_on_the_same(const struct world *w, const struct ref_sharer *ref, size_t i)
{
	bool same = true;

	for (int node = 0; node < w->c->nodes; node++)
		same &= w->on[node][i] == ref[i].on[node];
	return same;
}

/* Is it where it may be, if rounding tells nodes from each other that have the same left? */
static bool is_on_as_good(const struct world *w, const struct ref_sharer *ref, size_t i)
{
	bool good = true;

	for (int node = 0; node < w->c->nodes; node++)
		good &= !w->on[node][i] || ref[i].on[node] || ref[i].as_well[node];
	return good;
}

/* From the first job on that is on others as good, the schedules are different ones, and so are ends after that. */
static size_t follow(const struct world *w, struct ref_sharer *ref, size_t decided)
{
	size_t first = 0;

	while (first < decided && (!w->accepted[first] || !ref[first].accepted ||
				   is_on_the_same(w, ref, first) || !is_on_as_good(w, ref, first)))
		first++;
	for (size_t i = 0; first < decided && i < first; i++)
		ref[i].ended &= ref[i].end < ref[first].submit - 1e-2L;
	return first;
}

static void compare(const struct world *w, const struct ref_sharer *ref, size_t decided)
{
	for (size_t i = 0; i < decided; i++) {
		if (w->c->kind == REF_EDF && decided < w->n && !ref[i].accepted)
			continue; /* it may have waited still */
		if (w->accepted[i] != ref[i].accepted ||
		    (ref[i].accepted && (decided == w->n || ref[i].ended) &&
		     !is_same_end(w, ref, i)))
			show(w, ref);
		if (w->accepted[i] != ref[i].accepted)
			fail_msg("job %zu is %s, and not in the reference", i + 1,
				 w->accepted[i] ? "accepted" : "refused");
		if (!ref[i].accepted)
			continue;
		if (!is_on_the_same(w, ref, i))
			fail_msg("job %zu is on other nodes than in the reference", i + 1);
		if (w->c->kind != REF_EDF && w->decision[i].expected != ref[i].expected)
			fail_msg("job %zu is %s, and not in the reference", i + 1,
				 ref[i].expected ? "promised" : "expected");
		if (decided < w->n && !ref[i].ended)
			continue;
		if (!is_same_end(w, ref, i))
			fail_msg("job %zu ends at %" PRId64 " us, in the reference at %.9Lf", i + 1,
				 w->end[i], ref[i].end);
	}
}

/* With no estimate too short libra and demand break no promise, and say of none that it is broken. */
static void check_promises(const struct world *w)
{
	for (size_t i = 0; i < w->n; i++) {
		if (!w->promised[i])
			continue;
		assert_false(w->broken[i]);
		assert_true(w->ended[i] && w->end[i] <= w->job[i].deadline * SHARING_SECOND);
	}
}

static uint64_t followed, worlds;

static void one_world(enum ref_sharing_kind kind, bool in_step, bool alike, enum runtimes how)
{
	static struct ref_sharer job[REF_JOBS], ref[REF_JOBS];
	static struct world w;
	struct ref_sharing c = { .kind = kind, .in_step = in_step };
	size_t n, decided;

	sharing_world_nodes(&c, alike);
	n = sharing_world_jobs(&c, job, how);
	for (size_t i = 0; i < n && alike; i++)
		job[i].processors = 0;
	memcpy(ref, job, sizeof(ref));
	decided = ref_sharing_run(&c, ref, n);
	sharing_world_run(&w, &c, job, n);
	decided = follow(&w, ref, decided);
	compare(&w, ref, decided);
	if (how != ANY && (kind == REF_LIBRA || kind == REF_DEMAND || in_step))
		check_promises(&w);
	followed += decided == n;
	worlds++;
}

static void test_schedules(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < seed_rounds(400); i++) {
		for (int kind = REF_LIBRA; kind <= REF_EDF; kind++) {
			one_world((enum ref_sharing_kind)kind, false, true, (enum runtimes)(i % 3));
			one_world((enum ref_sharing_kind)kind, false, false,
				  (enum runtimes)(i % 3));
		}
	}
	print_message("%" PRIu64 " of %" PRIu64 " worlds followed to the end\n", followed, worlds);
	assert_true(followed > worlds / 2);
}

/* The parts of a job go on as the slowest of them; librarisk breaks no promise there, either. */
static void test_in_step(void **state)
{
	(void)state;
	followed = worlds = 0;
	for (uint64_t i = 0; i < seed_rounds(50); i++) {
		for (int kind = REF_LIBRA; kind <= REF_LIBRARISK; kind++) {
			one_world((enum ref_sharing_kind)kind, true, true, (enum runtimes)(i % 3));
			one_world((enum ref_sharing_kind)kind, true, false, (enum runtimes)(i % 3));
		}
	}
	print_message("%" PRIu64 " of %" PRIu64 " worlds followed to the end\n", followed, worlds);
	assert_true(followed > worlds / 4);
}

/*
 * The first job leaves as much on both of its nodes, but its shares on one of them, given out again when the second job
 * came and when it went, were rounded more often. By that alone the third is on this node, and not on the first one,
 * as it would be if nothing were rounded; and there the fourth, which has memory nowhere else, does not fit beside it.
 */
static void test_as_good(void **state)
{
	static struct ref_sharer job[] = {
		{ .submit = 1000, .estimate = 100, .deadline = 2700, .width = 2 },
		{ .submit = 1100, .estimate = 50, .deadline = 1300, .width = 1, .memory = 150 },
		{ .submit = 2200, .estimate = 100, .deadline = 2800, .width = 1 },
		{ .submit = 2200, .estimate = 400, .deadline = 2650, .width = 1, .memory = 150 },
	};
	enum { FEW = sizeof(job) / sizeof(job[0]) };
	static struct ref_sharer ref[FEW];
	static struct world w;
	struct ref_sharing c = {
		.kind = REF_LIBRA,
		.idle = true,
		.nodes = 2,
		.rating = { 1, 1 },
		.processors = { 1, 1 },
		.memory = { 100, 0 },
	};

	(void)state;
	for (size_t i = 0; i < FEW; i++)
		job[i].runtime = job[i].estimate;
	memcpy(ref, job, sizeof(ref));
	assert_int_equal(ref_sharing_run(&c, ref, FEW), FEW);
	sharing_world_run(&w, &c, job, FEW);
	assert_true(ref[2].on[0] && w.on[1][2]);
	assert_true(ref[3].accepted && w.refused[3]);
	assert_int_equal(follow(&w, ref, FEW), 2);
	compare(&w, ref, 2);
	assert_true(ref[1].ended && !ref[0].ended);

	/* with the same past, rounding makes no difference: the third is on the first node here as there */
	job[1].width = 2;
	job[1].memory = 0;
	memcpy(ref, job, sizeof(ref));
	assert_int_equal(ref_sharing_run(&c, ref, FEW), FEW);
	sharing_world_run(&w, &c, job, FEW);
	assert_true(ref[2].on[0] && !ref[2].as_well[1]);
	assert_int_equal(follow(&w, ref, FEW), FEW);
	compare(&w, ref, FEW);
}

/* ---- questions ---- */

static bool is_same(const struct world *a, const struct world *b)
{
	return !memcmp(a->accepted, b->accepted, sizeof(a->accepted)) &&
	       !memcmp(a->broken, b->broken, sizeof(a->broken)) &&
	       !memcmp(a->end, b->end, sizeof(a->end));
}

/* The same jobs with questions and without end at the same microseconds. */
static void test_questions(void **state)
{
	static struct ref_sharer job[REF_JOBS];
	static struct world w, quiet;
	uint64_t offers = 0;

	(void)state;
	for (uint64_t i = 0; i < seed_rounds(200); i++) {
		for (int kind = REF_LIBRA; kind <= REF_EDF; kind++) {
			struct ref_sharing c = { .kind = (enum ref_sharing_kind)kind,
						 .in_step = kind < REF_DEMAND && i / 2 % 2 };
			size_t n;

			sharing_world_nodes(&c, i % 2);
			n = sharing_world_jobs(&c, job, (enum runtimes)(i % 3));
			w.asks = true;
			sharing_world_run(&w, &c, job, n);
			sharing_world_run(&quiet, &c, job, n);
			assert_true(is_same(&w, &quiet));
			offers += w.offers;
		}
	}
	print_message("%" PRIu64 " offers verified\n", offers);
	assert_true(offers > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_schedules),
		cmocka_unit_test(test_in_step),
		cmocka_unit_test(test_as_good),
		cmocka_unit_test(test_questions),
	};

	return seed_run("test_sharing", tests);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_profile: the profile against small tables worked out by hand, and against the plain one of
 * ref_profile on at least a million random operations. The whole function is compared as well, every so often and after undoing.
 */
#include <inttypes.h>

#include "core/capacity/profile.h"
#include "ref_profile.h"
#include "testsuite/unit/seed.h"

#define EVER PACT_FOREVER

/* Small numbers are as likely as large ones. */
static int64_t any_size_below(int64_t limit)
{
	int64_t top = limit >> seed_below(20);

	return seed_below(top > 0 ? top : 1);
}

/* The pair under test */

struct pair {
	struct profile *fast;
	struct ref_profile *plain;
};

static struct pair pair_create(int64_t origin, int32_t free)
{
	struct pair pair = { profile_create(origin, free), ref_profile_create(origin, free) };

	assert_non_null(pair.fast);
	assert_non_null(pair.plain);
	return pair;
}

static void pair_destroy(struct pair pair)
{
	profile_destroy(pair.fast);
	ref_profile_destroy(pair.plain);
}

static void pair_add(struct pair pair, int64_t start, int64_t end, int32_t delta)
{
	assert_int_equal(profile_add(pair.fast, start, end, delta), 0);
	assert_int_equal(ref_profile_add(pair.plain, start, end, delta), 0);
	assert_true(profile_steps(pair.fast) == ref_profile_steps(pair.plain));
}

/* The steps as they lie, from any time within the first one and so on, are the plain one's. */
static void look_check(struct pair pair)
{
	size_t steps = ref_profile_steps(pair.plain), i = 0;
	int64_t t = ref_profile_time(pair.plain, 0), origin = t;
	const int64_t *time;
	const int32_t *free;

	if (steps > 1)
		t += seed_below(ref_profile_time(pair.plain, 1) - t);
	for (int64_t from = t, next = t; next != EVER; from = next) {
		size_t n = profile_look(pair.fast, from, &time, &free, &next);

		assert_in_range(n, 1, steps - i);
		for (size_t k = 0; k < n; k++, i++) {
			assert_true(time[k] == ref_profile_time(pair.plain, i));
			assert_int_equal(free[k], ref_profile_free(pair.plain, i));
		}
	}
	assert_true(i == steps);
	i = (size_t)seed_below((int64_t)steps);
	profile_look(pair.fast, ref_profile_time(pair.plain, i), &time, &free, &t);
	assert_true(time[0] == ref_profile_time(pair.plain, i));
	profile_look(pair.fast, origin - 1, &time, &free, &t);
	assert_true(time[0] == origin);
}

/* Every step, as a caller sees it, is the plain one's; breakpoints rise, neighbours differ. */
static void pair_check(struct pair pair)
{
	size_t steps = ref_profile_steps(pair.plain);
	int64_t t = ref_profile_time(pair.plain, 0);

	assert_true(profile_steps(pair.fast) == steps);
	assert_true(profile_next_change(pair.fast, t - 1) == t);
	for (size_t i = 0; i < steps; i++) {
		assert_true(t == ref_profile_time(pair.plain, i));
		assert_int_equal(profile_at(pair.fast, t), ref_profile_free(pair.plain, i));
		if (i > 0)
			assert_int_not_equal(profile_at(pair.fast, t),
					     profile_at(pair.fast, t - 1));
		assert_true(profile_next_change(pair.fast, t) > t);
		t = profile_next_change(pair.fast, t);
	}
	assert_true(t == EVER);
	look_check(pair);
}

/* Cases worked out by hand */

/*
 *	10 |------      ----------------
 *	 6 |      ---
 *	 2 |         ---
 *	   0     10 15  20
 */
static struct profile *stairs(void)
{
	struct profile *p = profile_create(0, 10);

	assert_non_null(p);
	assert_int_equal(profile_add(p, 10, 20, -4), 0);
	assert_int_equal(profile_add(p, 15, 20, -4), 0);
	return p;
}

static void earliest_cases(void **state)
{
	static const struct {
		int64_t from, duration;
		int32_t n;
		int64_t want;
	} cases[] = {
		{ 0, 10, 10, 0 },			/* fits exactly before the stairs */
		{ 0, 11, 10, 20 },			/* one second too long */
		{ 1, 10, 10, 20 },			/* begins one second too late */
		{ 0, 15, 6, 0 },			/* over the first stair */
		{ 0, 16, 6, 20 },   { 12, 3, 6, 12 },	/* begins inside a step */
		{ 13, 3, 6, 20 },   { 0, 1000, 2, 0 },	/* over everything */
		{ 5, EVER, 2, 5 },			/* for ever */
		{ 5, EVER, 3, 20 }, { 0, 1, 11, EVER }, /* more than there is */
		{ 3, 0, 10, 3 },			/* no duration counts as 1 */
		{ 10, 0, 10, 20 },  { -50, 10, 10, 0 }, /* never before the origin */
		{ 0, 100, 0, 0 },			/* nothing asked for */
		{ 0, 100, -5, 0 },  { EVER, 1, 1, EVER }, { 19, EVER - 1, 10, 20 },
	};
	struct profile *p = stairs();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t got = profile_earliest(p, cases[i].from, cases[i].duration, cases[i].n);

		if (got != cases[i].want)
			fail_msg("case %zu: %" PRId64 " instead of %" PRId64, i, got,
				 cases[i].want);
	}
	profile_destroy(p);
}

static void window_cases(void **state)
{
	static const struct {
		int64_t start, end;
		int32_t n, min;
		int64_t last;
	} cases[] = {
		{ 0, 10, 5, 10, 0 }, /* before the stairs: none, so `start` */
		{ 0, 11, 5, 6, 0 },
		{ 0, 11, 6, 6, 15 }, /* at most 6 until 15 */
		{ 0, 16, 6, 2, 20 },
		{ 12, 13, 6, 6, 15 },
		{ 0, EVER, 1, 2, 0 },
		{ 0, EVER, 2, 2, 20 },
		{ 0, EVER, 10, 2, EVER }, /* the last step never ends */
		{ 20, EVER, 9, 10, 20 },
		{ 19, 20, 2, 2, 20 },
		{ 7, 7, 99, INT32_MAX, 7 }, /* empty */
		{ 7, 3, 99, INT32_MAX, 7 },
		{ -9, -2, 99, INT32_MAX, -9 }, /* before the origin there is nothing */
		{ -9, 1, 9, 10, -9 },
		{ -9, 12, 6, 6, 15 },
	};
	struct profile *p = stairs();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t last = profile_last_at_most(p, cases[i].start, cases[i].end, cases[i].n);
		int32_t min = profile_min(p, cases[i].start, cases[i].end);

		if (last != cases[i].last || min != cases[i].min)
			fail_msg("case %zu: last %" PRId64 " min %" PRId32, i, last, min);
	}
	profile_destroy(p);
}

static void steps_and_changes(void **state)
{
	struct profile *p = stairs();

	(void)state;
	assert_true(profile_steps(p) == 4);
	assert_true(profile_next_change(p, -7) == 0);
	assert_true(profile_next_change(p, 0) == 10);
	assert_true(profile_next_change(p, 14) == 15);
	assert_true(profile_next_change(p, 20) == EVER);
	assert_int_equal(profile_at(p, -7), 10);
	assert_int_equal(profile_at(p, 9), 10);
	assert_int_equal(profile_at(p, 10), 6);
	assert_int_equal(profile_at(p, EVER), 10);
	/* Undone, nothing remains. */
	assert_int_equal(profile_add(p, 15, 20, 4), 0);
	assert_int_equal(profile_add(p, 10, 20, 4), 0);
	assert_true(profile_steps(p) == 1);
	/* Empty intervals and times before the origin change nothing. */
	assert_int_equal(profile_add(p, 5, 5, -1), 0);
	assert_int_equal(profile_add(p, 9, 5, -1), 0);
	assert_int_equal(profile_add(p, -9, 0, -1), 0);
	assert_int_equal(profile_add(p, 5, 9, 0), 0);
	assert_true(profile_steps(p) == 1);
	/* Below zero nothing fits, but it can be told and undone. */
	assert_int_equal(profile_add(p, 3, EVER, -12), 0);
	assert_int_equal(profile_min(p, 0, EVER), -2);
	assert_true(profile_earliest(p, 0, 4, 1) == EVER);
	assert_true(profile_earliest(p, 0, 3, 1) == 0);
	assert_int_equal(profile_add(p, 3, EVER, 12), 0);
	assert_true(profile_steps(p) == 1);
	profile_destroy(p);
	profile_destroy(NULL);
}

static void advance_and_copy(void **state)
{
	struct profile *p = stairs(), *q = profile_create(99, 1);

	(void)state;
	assert_non_null(q);
	assert_int_equal(profile_copy(q, p), 0);
	profile_advance(p, -5);
	assert_true(profile_steps(p) == 4);
	profile_advance(p, 12);
	assert_true(profile_steps(p) == 3);
	assert_true(profile_next_change(p, 0) == 12);
	assert_true(profile_earliest(p, 0, 3, 6) == 12);
	profile_advance(p, 15);
	assert_true(profile_steps(p) == 2);
	assert_int_equal(profile_at(p, 0), 2);
	profile_advance(p, 1000);
	assert_true(profile_steps(p) == 1);
	/* The copy has a life of its own. */
	assert_true(profile_steps(q) == 4);
	assert_true(profile_earliest(q, 0, 10, 10) == 0);
	assert_int_equal(profile_copy(q, q), 0);
	assert_true(profile_steps(q) == 4);
	profile_destroy(p);
	profile_destroy(q);
}

/* A machine may have a hundred classes; a fresh one must be small. */
static void small_when_fresh(void **state)
{
	struct profile *p = profile_create(0, 430);

	(void)state;
	assert_non_null(p);
	assert_true(profile_bytes(p) < 1024);
	assert_int_equal(profile_add(p, 10, 20, -1), 0);
	assert_true(profile_bytes(p) < 1024);
	profile_destroy(p);
}

/* Random operations */

struct shape {
	const char *name;
	int64_t operations;
	int64_t origin;
	int64_t horizon;  /* times are within it */
	int64_t duration; /* longest */
	int32_t nodes;
	int32_t width; /* largest */
	size_t steps;  /* from here on, more is undone than done */
	int64_t anew;  /* of 200 * anew operations, one begins anew */
};

#define UNDO 64

/* What was added of late, to be undone; out of order. */
struct done {
	int64_t start, end;
	int32_t delta;
};

struct run {
	struct pair pair, other;
	const struct shape *shape;
	struct done done[UNDO];
	size_t count;
	int64_t operation;
};

static int64_t some_time(const struct shape *shape)
{
	return shape->origin - shape->horizon / 50 + any_size_below(shape->horizon);
}

static int64_t some_duration(const struct shape *shape)
{
	return seed_below(200) == 0 ? EVER : any_size_below(shape->duration);
}

static int64_t plus(int64_t start, int64_t duration)
{
	return duration == EVER ? EVER : start + duration;
}

static void check_same(struct run *run, const char *what, int64_t got, int64_t want)
{
	if (got != want)
		fail_msg("%s, operation %" PRId64 ": %s gives %" PRId64 " instead of %" PRId64,
			 run->shape->name, run->operation, what, got, want);
}

static void undo_one(struct run *run)
{
	size_t i;

	if (run->count == 0)
		return;
	i = (size_t)seed_below((int64_t)run->count);
	pair_add(run->pair, run->done[i].start, run->done[i].end, -run->done[i].delta);
	run->done[i] = run->done[--run->count];
}

static void remember(struct run *run, int64_t start, int64_t end, int32_t delta)
{
	pair_add(run->pair, start, end, delta);
	if (run->count == UNDO)
		run->count--;
	run->done[run->count++] = (struct done){ start, end, delta };
}

static void place(struct run *run)
{
	const struct shape *shape = run->shape;
	int64_t from = seed_below(2) ? shape->origin : some_time(shape),
		duration = some_duration(shape);
	int32_t n = 1 + (int32_t)any_size_below(shape->width);
	int64_t start = profile_earliest(run->pair.fast, from, duration, n);

	check_same(run, "earliest", start,
		   ref_profile_earliest(run->pair.plain, from, duration, n));
	if (start != EVER && duration != EVER)
		remember(run, start, plus(start, duration), -n);
}

/* Found and put in by one call, if it is over in time. */
static void place_at_once(struct run *run)
{
	const struct shape *shape = run->shape;
	int64_t from = seed_below(2) ? shape->origin : some_time(shape),
		duration = some_duration(shape), by = seed_below(3) ? EVER : some_time(shape);
	int32_t n = 1 + (int32_t)any_size_below(shape->width);
	int64_t want = ref_profile_earliest(run->pair.plain, from, duration, n), start;
	bool fits = want != EVER && plus(want, duration) <= by;

	if (duration == EVER)
		return; /* the row of what is undone knows no end of time */
	assert_int_equal(profile_place(run->pair.fast, from, duration, n, by, &start), !fits);
	check_same(run, "place", start, want);
	if (!fits)
		return;
	assert_int_equal(ref_profile_add(run->pair.plain, start, plus(start, duration), -n), 0);
	assert_true(profile_steps(run->pair.fast) == ref_profile_steps(run->pair.plain));
	if (run->count == UNDO)
		run->count--;
	run->done[run->count++] = (struct done){ start, plus(start, duration), -n };
}

static void add_anything(struct run *run)
{
	const struct shape *shape = run->shape;
	int64_t start = some_time(shape), end = plus(start, some_duration(shape));
	int32_t delta = (int32_t)any_size_below(shape->width) * (seed_below(2) ? 1 : -1);

	/* Growth without bound would hide the interesting values. */
	if (ref_profile_at(run->pair.plain, start) > 2 * shape->nodes && delta > 0)
		delta = -delta;
	if (ref_profile_at(run->pair.plain, start) < -shape->nodes && delta < 0)
		delta = -delta;
	remember(run, start, end, delta);
}

static void ask(struct run *run)
{
	const struct shape *shape = run->shape;
	const struct profile *fast = run->pair.fast;
	const struct ref_profile *plain = run->pair.plain;
	int64_t start = some_time(shape), duration = some_duration(shape), end;
	int32_t n = (int32_t)any_size_below(shape->nodes + 2) - 1;

	end = plus(start, duration);
	switch (seed_below(6)) {
	case 0:
		check_same(run, "earliest", profile_earliest(fast, start, duration, n),
			   ref_profile_earliest(plain, start, duration, n));
		break;
	case 1: {
		int64_t latest = some_time(shape);
		int64_t t = ref_profile_earliest(plain, start, duration, n);

		check_same(run, "earliest_by",
			   profile_earliest_by(fast, start, latest, duration, n),
			   t <= latest ? t : EVER);
		break;
	}
	case 2:
		check_same(run, "min", profile_min(fast, start, end),
			   ref_profile_min(plain, start, end));
		break;
	case 3:
		check_same(run, "last_at_most", profile_last_at_most(fast, start, end, n),
			   ref_profile_last_at_most(plain, start, end, n));
		break;
	case 4:
		check_same(run, "next_change", profile_next_change(fast, start),
			   ref_profile_next_change(plain, start));
		break;
	default:
		check_same(run, "at", profile_at(fast, start), ref_profile_at(plain, start));
	}
}

static void copy(struct run *run)
{
	struct pair from = run->pair, to = run->other;

	assert_int_equal(profile_copy(to.fast, from.fast), 0);
	assert_int_equal(ref_profile_copy(to.plain, from.plain), 0);
	/* Half the time go on with the copy; the old one is overwritten by a later copy. */
	if (seed_below(2)) {
		run->pair = to;
		run->other = from;
	}
}

static void advance(struct run *run)
{
	int64_t t = ref_profile_time(run->pair.plain, 0);

	t += any_size_below(run->shape->horizon / 5000 + 2);

	profile_advance(run->pair.fast, t);
	ref_profile_advance(run->pair.plain, t);
	check_same(run, "steps", (int64_t)profile_steps(run->pair.fast),
		   (int64_t)ref_profile_steps(run->pair.plain));
}

/* When time has come near the horizon, or now and then, begin anew. */
static void begin_anew(struct run *run)
{
	pair_check(run->pair);
	pair_destroy(run->pair);
	run->pair = pair_create(run->shape->origin, run->shape->nodes);
	run->count = 0;
}

static void random_operations(const struct shape *shape)
{
	struct run run = { .shape = shape };
	size_t most = 0;

	run.pair = pair_create(shape->origin, shape->nodes);
	run.other = pair_create(0, 1);
	for (run.operation = 0; run.operation < shape->operations; run.operation++) {
		size_t steps = ref_profile_steps(run.pair.plain);
		int64_t what = seed_below(1000);

		most = steps > most ? steps : most;
		if (what < 500)
			ask(&run);
		else if (steps > shape->steps && what < 980)
			undo_one(&run);
		else if (what < 740)
			(seed_below(2) ? place : place_at_once)(&run);
		else if (what < 860)
			add_anything(&run);
		else if (what < 980 && steps > shape->steps / 2)
			undo_one(&run);
		else if (what >= 980 && what < 990)
			advance(&run);
		else if (what >= 990 && what < 995)
			copy(&run);
		else if (what >= 995 && seed_below(shape->anew) == 0)
			begin_anew(&run);
		if (run.operation % 4096 == 0)
			pair_check(run.pair);
	}
	pair_check(run.pair);
	pair_check(run.other);
	print_message("# %s: at most %zu steps\n", shape->name, most);
	pair_destroy(run.pair);
	pair_destroy(run.other);
}

static void random_shapes(void **state)
{
	static const struct shape shapes[] = {
		{ "tiny", 400000, 0, 60, 20, 4, 4, 40, 20 },
		{ "middle", 350000, 1000000, 100000, 5000, 64, 32, 300, 60 },
		{ "negative origin", 150000, -5000, 10000, 3000, 430, 100, 400, 60 },
		{ "far times", 100000, INT64_C(1) << 40, INT64_C(1) << 50, INT64_C(1) << 45, 430,
		  430, 300, 60 },
		{ "many nodes", 100000, 0, 1000000, 86400, 300000000, 200000000, 300, 60 },
		{ "large", 60000, 0, 40000000, 64800, 430, 64, 6000, 1000000 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		random_operations(&shapes[i]);
}

/* The benchmark's kind of load: everything placed, everything taken out in another order. */
static void fill_and_empty(void **state)
{
	enum { JOBS = 4000 };
	static struct done jobs[JOBS];
	struct pair pair = pair_create(0, 430);

	(void)state;
	for (size_t i = 0; i < JOBS; i++) {
		int32_t width = 1 + (int32_t)seed_below(64);
		int64_t duration = 60 + seed_below(64800);
		int64_t start = profile_earliest(pair.fast, 0, duration, width);

		assert_true(start == ref_profile_earliest(pair.plain, 0, duration, width));
		pair_add(pair, start, start + duration, -width);
		jobs[i] = (struct done){ start, start + duration, -width };
	}
	pair_check(pair);
	assert_true(profile_bytes(pair.fast) < 200 * JOBS);
	for (size_t left = JOBS; left > 0; left--) {
		size_t i = (size_t)seed_below((int64_t)left);

		pair_add(pair, jobs[i].start, jobs[i].end, -jobs[i].delta);
		jobs[i] = jobs[left - 1];
		if (left % 1000 == 0)
			pair_check(pair);
	}
	assert_true(profile_steps(pair.fast) == 1);
	assert_int_equal(profile_at(pair.fast, 0), 430);
	pair_destroy(pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(earliest_cases),    cmocka_unit_test(window_cases),
		cmocka_unit_test(steps_and_changes), cmocka_unit_test(advance_and_copy),
		cmocka_unit_test(small_when_fresh),  cmocka_unit_test(random_shapes),
		cmocka_unit_test(fill_and_empty),
	};

	return seed_run("test_profile", tests);
}

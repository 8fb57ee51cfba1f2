/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unit test: fill against the plain profile, placement by placement, and what it becomes at the end.
 */
#include <stdlib.h>

#ifdef FILL_STEPS
#include "core/capacity/fill.c" /* with tiny nodes */
#include "core/capacity/fill_search.c"
#endif
#include "core/capacity/fill.h"
#include "testsuite/unit/ref_profile.h"
#include "testsuite/unit/seed.h"

#define NODES 100

/* How the requests of a round follow each other: what was in vain for one says something of the next. */
enum kind { MIXED, LONGER, SHORTER, NARROW, ALIKE, KINDS };

struct pair {
	struct fill *fill;
	struct ref_profile *ref;
	struct profile *like;
};

/* A machine with running jobs, few or many, some of whose nodes are lost. */
static struct pair open_pair(void)
{
	struct pair x = { fill_create(), ref_profile_create(0, NODES), profile_create(0, NODES) };
	int64_t busy = seed_below(seed_below(2) ? 25 : 300), origin = seed_below(2) * 50;

	for (int64_t i = 0; i < busy; i++) {
		int64_t start = seed_below(3) ? 0 : seed_below(3000);
		int64_t end = seed_below(30) ? start + 1 + seed_below(2000) : PACT_FOREVER;
		int32_t width = 1 + (int32_t)seed_below(3);

		profile_add(x.like, start, end, -width);
		ref_profile_add(x.ref, start, end, -width);
	}
	profile_advance(x.like, origin);
	ref_profile_advance(x.ref, origin);
	assert_non_null(x.fill);
	assert_int_equal(fill_open(x.fill, x.like), 0);
	return x;
}

static void close_pair(struct pair *x)
{
	struct profile *p = profile_create(7, 3);
	int64_t t = 0;

	assert_int_equal(fill_close(x->fill, p, x->like), 0);
	assert_int_equal(profile_steps(p), ref_profile_steps(x->ref));
	for (size_t i = 0; i < profile_steps(p); i++) {
		t = i ? profile_next_change(p, t) : ref_profile_time(x->ref, 0);
		assert_true(t == ref_profile_time(x->ref, i));
		assert_int_equal(profile_at(p, t), ref_profile_free(x->ref, i));
	}
	/* what came out must answer and take changes like any other */
	for (int i = 0; i < 20; i++) {
		int64_t from = seed_below(9000), duration = 1 + seed_below(3000);
		int32_t n = 1 + (int32_t)seed_below(NODES);

		assert_true(profile_earliest(p, from, duration, n) ==
			    ref_profile_earliest(x->ref, from, duration, n));
		assert_int_equal(profile_add(p, from, from + duration, -1), 0);
		ref_profile_add(x->ref, from, from + duration, -1);
	}
	profile_destroy(p);
	fill_destroy(x->fill);
	ref_profile_destroy(x->ref);
	profile_destroy(x->like);
}

static int64_t duration_of(enum kind kind, int64_t i, int64_t n)
{
	switch (kind) {
	case LONGER:
		return 1 + i * 2000 / n;
	case SHORTER:
		return 2000 - i * 2000 / n;
	case ALIKE:
		return 100 + seed_below(3) * 300;
	default:
		return seed_below(200) ? 1 + seed_below(seed_below(2) ? 60 : 2000) : PACT_FOREVER;
	}
}

static void place(struct pair *x, int64_t from, int64_t duration, int32_t width)
{
	int64_t start, expected = ref_profile_earliest(x->ref, from, duration, width);

	if (expected != PACT_FOREVER && !seed_below(4)) {
		start = expected;
		assert_int_equal(fill_place_at(x->fill, from, duration, width, start), 0);
	} else {
		assert_int_equal(fill_place(x->fill, from, duration, width, &start), 0);
	}
	assert_true(start == expected);
	if (start == PACT_FOREVER)
		return;
	ref_profile_add(x->ref, start, duration == PACT_FOREVER ? PACT_FOREVER : start + duration,
			-width);
}

static void take(struct pair *x)
{
	int64_t start = seed_below(4000), end = start + seed_below(500);

	assert_int_equal(fill_take(x->fill, start, end, 2), 0);
	ref_profile_add(x->ref, start, end, -2);
}

static int32_t width_of(enum kind kind)
{
	switch (kind) {
	case NARROW:
		return 1 + (int32_t)seed_below(4);
	case ALIKE:
		return 1 + 8 * (int32_t)seed_below(3);
	default:
		return 1 + (int32_t)seed_below(NODES + 2);
	}
}

static void fill_up(struct pair *x, enum kind kind, int64_t n)
{
	int64_t now = ref_profile_time(x->ref, 0);

	for (int64_t i = 0; i < n; i++) {
		int64_t duration = duration_of(kind, i, n);
		int64_t from = seed_below(10) ? now : seed_below(20000);
		int32_t width = width_of(kind);

		if (!seed_below(20))
			take(x);
		place(x, from, duration, width);
	}
}

static void fills_like_the_plain_profile(void **unused)
{
	uint64_t rounds = seed_rounds(200);

	(void)unused;
	for (uint64_t round = 0; round < rounds; round++) {
		struct pair x = open_pair();

		fill_up(&x, (enum kind)(round % KINDS), 1 + seed_below(300));
		close_pair(&x);
	}
}

/* So many that blocks and groups of blocks are split. */
static void fills_a_long_time(void **unused)
{
	(void)unused;
	for (int kind = 0; kind < KINDS; kind++) {
		struct pair x = open_pair();

		fill_up(&x, (enum kind)kind, 6000);
		close_pair(&x);
	}
}

static void a_copy_is_its_own(void **unused)
{
	(void)unused;
	for (int round = 0; round < 50; round++) {
		struct pair x = open_pair();
		struct fill *first = x.fill, *copy = fill_create();
		int64_t start;

		fill_up(&x, MIXED, seed_below(500));
		assert_non_null(copy);
		assert_int_equal(fill_copy(copy, first), 0);
		for (int i = 0; i < 300; i++)
			assert_int_equal(fill_place(first, 0, 100, 20, &start), 0);
		x.fill = copy;
		fill_up(&x, MIXED, 300);
		close_pair(&x);
		fill_destroy(first);
	}
}

/* A search that begins inside the first window of a block sees less of it than an earlier one. */
static void a_late_search_tells_nothing_of_early_windows(void **unused)
{
	struct pair x = { fill_create(), ref_profile_create(0, NODES), profile_create(0, NODES) };

	(void)unused;
	for (int64_t i = 1; i < 200; i++) {
		assert_int_equal(profile_add(x.like, i * 100, (i + 1) * 100, -1 - (i & 1)), 0);
		ref_profile_add(x.ref, i * 100, (i + 1) * 100, -1 - (int32_t)(i & 1));
	}
	assert_int_equal(fill_open(x.fill, x.like), 0);
	place(&x, 50, 80, NODES);
	place(&x, 0, 80, NODES);
	close_pair(&x);
}

static void what_cannot_be_takes_nothing(void **unused)
{
	struct pair x = open_pair();
	int64_t start = 5;

	(void)unused;
	assert_int_equal(fill_place(x.fill, 0, 10, NODES + 1, &start), 0);
	assert_true(start == PACT_FOREVER);
	assert_int_equal(fill_place(x.fill, PACT_FOREVER, 10, 1, &start), 0);
	assert_true(start == PACT_FOREVER);
	assert_int_equal(fill_take(x.fill, 9, 9, 3), 0);
	fill_destroy(NULL);
	close_pair(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fills_like_the_plain_profile),
		cmocka_unit_test(fills_a_long_time),
		cmocka_unit_test(a_copy_is_its_own),
		cmocka_unit_test(a_late_search_tells_nothing_of_early_windows),
		cmocka_unit_test(what_cannot_be_takes_nothing),
	};

	return seed_run("test_fill", tests);
}

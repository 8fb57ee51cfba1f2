/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unit test: profile_build() and plan_build() against the same changes made one by one.
 */
#include <stdlib.h>

#include "core/capacity/plan.h"
#include "core/capacity/profile.h"
#include "testsuite/unit/seed.h"

#define ROUNDS 400
#define MOST 600

/* The same function, in the same number of steps. */
static void assert_same(const struct profile *a, const struct profile *b)
{
	assert_int_equal(profile_steps(a), profile_steps(b));
	for (int64_t t = 0; t != PACT_FOREVER; t = profile_next_change(a, t)) {
		assert_int_equal(profile_at(a, t), profile_at(b, t));
		assert_true(profile_next_change(a, t) == profile_next_change(b, t));
	}
	/* the filter over the new leaves must lead to the same answers */
	for (int i = 0; i < 50; i++) {
		int64_t from = seed_below(20000), duration = 1 + seed_below(3000);
		int32_t n = (int32_t)seed_below(130);

		assert_true(profile_earliest(a, from, duration, n) ==
			    profile_earliest(b, from, duration, n));
		assert_int_equal(profile_min(a, from, from + duration),
				 profile_min(b, from, from + duration));
	}
}

/* A time below `below`, a multiple of `grid`. */
static int64_t on_grid(uint32_t below, int64_t grid)
{
	return seed_below(below) / grid * grid;
}

static void build_equals_adds(void **unused)
{
	static struct profile_change change[2 * MOST];
	void *scratch = malloc((2 * MOST + 1) * sizeof(*change));

	(void)unused;
	for (int round = 0; round < ROUNDS; round++) {
		struct profile *src = profile_create(0, 100), *one = profile_create(0, 100);
		struct profile *all = profile_create(5, 3);
		/* few, so that all stays flat, or many; on a grid many changes annul each other or meet steps */
		uint32_t most = seed_below(2) ? MOST : MOST / 6;
		uint32_t before = seed_below(most), n = seed_below(most);
		int64_t grid = seed_below(2) ? 1 : 250;

		for (uint32_t i = 0; i < before; i++) {
			int64_t t = on_grid(20000, grid);

			profile_add(src, t, t + grid + on_grid(2000, grid),
				    -(int32_t)seed_below(4));
		}
		if (seed_below(2))
			profile_advance(src, seed_below(10000));
		assert_int_equal(profile_copy(one, src), 0);
		for (uint32_t i = 0; i < n; i++) {
			int64_t start = on_grid(20000, grid);
			int64_t end = start + grid + on_grid(2000, grid);
			int32_t delta = (int32_t)seed_below(9) - 4;

			if (!seed_below(20))
				end = PACT_FOREVER;
			change[2 * i] = (struct profile_change){ start, delta };
			change[2 * i + 1] = (struct profile_change){ end, -delta };
			profile_add(one, start, end, delta);
		}
		assert_int_equal(profile_build(all, src, change, 2 * n, scratch), 0);
		assert_same(all, one);
		/* what was built must take changes like any other */
		for (int i = 0; i < 40; i++) {
			int64_t t = seed_below(20000), end = t + 1 + seed_below(2000);

			profile_add(all, t, end, -1);
			profile_add(one, t, end, -1);
		}
		assert_same(all, one);
		profile_destroy(src);
		profile_destroy(one);
		profile_destroy(all);
	}
	free(scratch);
}

/* Three classes, placements over one to three of them. */
static void plan_build_equals_takes(void **unused)
{
	struct machine *m = machine_create(60);
	struct nodeset *set = nodeset_create(60);
	struct region *a, *b;

	(void)unused;
	for (uint32_t n = 0; n < 20; n++)
		nodeset_set(set, n);
	a = machine_region(m, set);
	for (uint32_t n = 20; n < 40; n++)
		nodeset_set(set, n);
	b = machine_region(m, set);
	assert_int_equal(machine_classes(m), 3);
	for (int round = 0; round < ROUNDS / 4; round++) {
		struct plan *p = plan_create(m, 0), *built = plan_create(m, 0);
		static struct placement at[MOST];
		static const struct placement *some[MOST];
		uint32_t n = seed_below(MOST), k = 0;

		for (uint32_t i = 0; i < n; i++) {
			struct request r = { .width = 1 + (int32_t)seed_below(50),
					     .nalt = 1,
					     .duration = 1 + seed_below(3000) };

			r.alt[0] = r.width <= 20 && seed_below(2)   ? a
				   : r.width <= 40 && seed_below(2) ? b
								    : NULL;
			if (!r.alt[0])
				r.alt[0] = machine_region(m, NULL);
			placement_init(&at[i]);
			if (r.width <= (int32_t)r.alt[0]->count) {
				assert_int_equal(
					plan_earliest(p, &r, seed_below(500), PACT_FOREVER, &at[i]),
					0);
				assert_int_equal(plan_put(p, &at[i]), 0);
			}
			if (seed_below(2))
				some[k++] = &at[i];
		}
		assert_int_equal(plan_build(built, p, some, k, +1), 0);
		for (uint32_t i = 0; i < k; i++)
			assert_int_equal(plan_take(p, some[i]), 0);
		for (uint32_t c = 0; c < 3; c++)
			assert_same(plan_profile(built, c), plan_profile(p, c));
		for (uint32_t i = 0; i < n; i++)
			placement_clear(&at[i]);
		plan_destroy(p);
		plan_destroy(built);
	}
	nodeset_destroy(set);
	machine_destroy(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(build_equals_adds),
		cmocka_unit_test(plan_build_equals_takes),
	};

	return seed_run("test_profile_build", tests);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_holds: core/holds against the definition, second by second and node by node: a node is free
 * when no hold covers it. Holds overlap, change their ends, are overdue; classes split under them.
 */

#include "core/planning/state/holds.h"
#include "testsuite/unit/seed.h"

#define NODES 20
#define HOLDS 12
#define HORIZON 250

struct truth {
	bool there;
	uint32_t mask;
	int64_t start, end;
};

static bool covered(const struct truth *v, uint32_t n, int64_t t)
{
	for (int i = 0; i < HOLDS; i++) {
		if (v[i].there && (v[i].mask >> n & 1) && v[i].start <= t && v[i].end > t)
			return true;
	}
	return false;
}

static void check_gaps(const struct holds *h, const struct truth *v, uint32_t n, int64_t now)
{
	int64_t gap[16][2];
	int count = holds_node_gaps(h, n, now, HORIZON, gap, 16), k = 0;
	bool free = true;

	for (int64_t t = now; t < HORIZON; t++) {
		if (k < count && t >= gap[k][1])
			k++;
		assert_int_equal(k < count && t >= gap[k][0], !covered(v, n, t));
		free &= !covered(v, n, t);
	}
	assert_int_equal(holds_node_free(h, n, now, HORIZON), free);
}

static void check(const struct holds *h, const struct machine *m, const struct plan *mirror,
		  const struct truth *v, int64_t now)
{
	for (int64_t t = now; t < HORIZON; t += 1 + seed_below(5)) {
		int32_t free[NODES] = { 0 };

		for (uint32_t n = 0; n < NODES; n++)
			free[machine_class_of(m, n)] += !covered(v, n, t);
		for (uint32_t c = 0; c < machine_classes(m); c++) {
			assert_int_equal(profile_at(plan_profile(holds_base(h), c), t), free[c]);
			assert_int_equal(profile_at(plan_profile(mirror, c), t), free[c]);
		}
	}
	check_gaps(h, v, (uint32_t)seed_below(NODES), now);
}

static struct nodeset *nodes_of(uint32_t mask)
{
	struct nodeset *s = nodeset_create(NODES);

	for (uint32_t n = 0; n < NODES; n++) {
		if (mask >> n & 1)
			nodeset_set(s, n);
	}
	return s;
}

static void change(struct holds *h, struct truth *v, int i, int64_t now)
{
	struct hold *x = holds_find(h, (uint64_t)i);

	assert_int_equal(x != NULL, v[i].there);
	if (!x) {
		v[i] = (struct truth){ true, (uint32_t)seed_below(1 << NODES),
				       now + seed_below(30) - 10, 0 };
		v[i].end = v[i].start + 1 + seed_below(100);
		struct nodeset *s = nodes_of(v[i].mask);

		assert_non_null(
			holds_add(h, (uint64_t)i, s, NULL, v[i].start, v[i].end, seed_below(2)));
		nodeset_destroy(s);
	} else if (seed_below(2)) {
		v[i].end = now + seed_below(120);
		if (v[i].end < v[i].start)
			v[i].end = v[i].start;
		holds_set_end(h, x, v[i].end);
	} else {
		v[i].there = false;
		holds_remove(h, x);
	}
}

static void split(struct holds *h, struct machine *m, struct plan *mirror, int64_t now)
{
	struct nodeset *s = nodes_of((uint32_t)seed_below(1 << NODES));

	assert_non_null(machine_region(m, s));
	nodeset_destroy(s);
	assert_int_equal(holds_rebuild(h, now), 0);
	assert_int_equal(plan_copy(mirror, holds_base(h)), 0);
}

static void overdue(struct holds *h, struct truth *v, int64_t now)
{
	bool any = false;

	for (int i = 0; i < HOLDS; i++) {
		if (v[i].there && v[i].end <= now) {
			v[i].end = now + 7;
			any = true;
		}
	}
	assert_int_equal(holds_prolong(h, now, now, 7, 7), any);
	assert_true(holds_next_end(h) > now);
}

static void test_random(void **state)
{
	(void)state;
	for (int round = 0; round < 40; round++) {
		struct machine *m = machine_create(NODES);
		struct holds *h = holds_create(m, 0);
		struct plan *mirror = plan_create(m, 0);
		struct truth v[HOLDS] = { { false, 0, 0, 0 } };
		int64_t now = 0;

		holds_mirror(h, mirror);
		for (int step = 0; step < 60; step++) {
			change(h, v, (int)seed_below(HOLDS), now);
			if (seed_below(4) == 0) {
				now += seed_below(4);
				holds_advance(h, now);
				plan_advance(mirror, now);
				overdue(h, v, now);
			}
			if (seed_below(25) == 0)
				split(h, m, mirror, now);
			check(h, m, mirror, v, now);
		}
		plan_destroy(mirror);
		holds_destroy(h);
		machine_destroy(m);
	}
}

/* Mere counts, and names for them when the machine splits. */
static void test_counts(void **state)
{
	struct machine *m = machine_create(NODES);
	struct holds *h = holds_create(m, 0);
	struct placement at;
	struct nodeset *s = nodes_of(0x0f);

	(void)state;
	placement_init(&at);
	at.start = 0;
	at.end = 50;
	at.nshare = 1;
	at.u.one = (struct share){ 0, 12 };
	assert_non_null(holds_add(h, 1, NULL, &at, 0, 50, false));
	assert_false(holds_named(h));
	assert_int_equal(profile_at(plan_profile(holds_base(h), 0), 0), NODES - 12);
	assert_non_null(machine_region(m, s));
	assert_int_equal(holds_rebuild(h, 0), 0);
	assert_int_equal(profile_at(plan_profile(holds_base(h), 0), 0) +
				 profile_at(plan_profile(holds_base(h), 1), 0),
			 NODES - 12);
	holds_remove(h, holds_find(h, 1));
	for (uint32_t c = 0; c < 2; c++)
		assert_int_equal(profile_at(plan_profile(holds_base(h), c), 0),
				 machine_class_size(m, c));
	nodeset_destroy(s);
	holds_destroy(h);
	machine_destroy(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_counts),
	};

	return seed_run("test_holds", tests);
}

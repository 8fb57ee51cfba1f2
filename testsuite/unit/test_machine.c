/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_machine: classes are what the named sets tell apart, and no finer; regions are whole classes. */

#include "core/capacity/machine.h"
#include "testsuite/unit/seed.h"

#define NODES 70
#define SETS 12

/* Do the live sets tell the two nodes apart? */
static bool apart(struct nodeset *const *set, uint32_t a, uint32_t b)
{
	for (int i = 0; i < SETS; i++) {
		if (set[i] && nodeset_test(set[i], a) != nodeset_test(set[i], b))
			return true;
	}
	return false;
}

static void check_region(const struct machine *m, const struct region *r, const struct nodeset *set)
{
	uint32_t count = 0;

	assert_true(nodeset_equal(r->nodes, set));
	assert_int_equal(r->count, nodeset_count(set));
	for (uint32_t i = 0; i < r->classes; i++)
		count += (uint32_t)machine_class_size(m, r->cls[i]);
	assert_int_equal(count, r->count);
	for (uint32_t n = nodeset_next(set, 0); n < NODES; n = nodeset_next(set, n + 1)) {
		bool found = false;

		for (uint32_t i = 0; i < r->classes; i++)
			found |= r->cls[i] == machine_class_of(m, n);
		assert_true(found);
	}
}

static void check(const struct machine *m, struct nodeset *const *set, struct region *const *region)
{
	uint32_t total = 0;

	for (uint32_t c = 0; c < machine_classes(m); c++) {
		assert_true(machine_class_size(m, c) > 0);
		total += (uint32_t)machine_class_size(m, c);
	}
	assert_int_equal(total, NODES);
	for (uint32_t a = 0; a < NODES; a++) {
		for (uint32_t b = 0; b < a; b++) {
			/* forgotten sets may leave classes split for a while, never joined */
			if (apart(set, a, b))
				assert_int_not_equal(machine_class_of(m, a),
						     machine_class_of(m, b));
		}
	}
	for (int i = 0; i < SETS; i++) {
		if (set[i])
			check_region(m, region[i], set[i]);
	}
}

static void test_random(void **state)
{
	struct machine *m = machine_create(NODES);
	struct nodeset *set[SETS] = { NULL };
	struct region *region[SETS] = { NULL };

	(void)state;
	assert_null(machine_create(0));
	assert_int_equal(machine_classes(m), 1);
	for (int step = 0; step < 400; step++) {
		int i = (int)seed_below(SETS), twin = (int)seed_below(SETS);

		if (set[i]) {
			region_put(m, region[i]);
			nodeset_destroy(set[i]);
			set[i] = NULL;
		} else {
			uint64_t before = machine_generation(m);
			uint32_t classes = machine_classes(m);

			set[i] = nodeset_create(NODES);
			for (uint32_t n = 0; n < NODES; n++) {
				if (seed_below(8) == 0)
					nodeset_set(set[i], n);
			}
			if (twin != i && set[twin]) {
				nodeset_copy(set[i], set[twin]);
				assert_true(machine_knows(m, set[i]));
			}
			region[i] = machine_region(m, set[i]);
			if (twin != i && set[twin])
				assert_ptr_equal(region[i], region[twin]);
			if (machine_classes(m) != classes)
				assert_int_not_equal(machine_generation(m), before);
		}
		if (seed_below(10) == 0)
			assert_int_equal(machine_tidy(m), 0);
		check(m, set, region);
	}
	for (int i = 0; i < SETS; i++)
		nodeset_destroy(set[i]);
	machine_destroy(m);
	machine_destroy(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
	};

	return seed_run("test_machine", tests);
}

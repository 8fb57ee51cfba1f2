/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_table: core/table against an array, with ids that collide, removal in any order; and core/walk, which has the
 * least left each time, whatever is added meanwhile.
 */

#include <stdbool.h>

#include "core/base/table.h"
#include "core/base/walk.h"
#include "testsuite/unit/seed.h"

#define IDS 200

/* Ids whose hashes fall together are the hard ones: few distinct, wide apart. */
static uint64_t id_of(int i)
{
	return i % 2 ? (uint64_t)i << 40 : i % 3 ? UINT64_MAX - (uint64_t)i : (uint64_t)i;
}

static void check(const struct table *t, int *const *there, int *values)
{
	size_t count = 0, walked = 0, at = 0;

	for (int i = 0; i < IDS; i++) {
		assert_ptr_equal(table_find(t, id_of(i)), there[i]);
		count += there[i] != NULL;
	}
	assert_int_equal(table_count(t), count);
	for (int *p; (p = table_next(t, &at)); walked++)
		assert_ptr_equal(there[p - values], p);
	assert_int_equal(walked, count);
}

static void test_random(void **state)
{
	static int values[IDS];
	int *there[IDS] = { NULL };
	struct table *t = table_create();

	(void)state;
	for (int step = 0; step < 4000; step++) {
		int i = (int)seed_below(IDS);

		if (there[i]) {
			assert_ptr_equal(table_remove(t, id_of(i)), there[i]);
			there[i] = NULL;
		} else {
			assert_null(table_remove(t, id_of(i)));
			assert_int_equal(table_insert(t, id_of(i), &values[i]), 0);
			there[i] = &values[i];
		}
		check(t, there, values);
	}
	assert_true(table_bytes(t) >= table_count(t) * 16);
	table_destroy(t);
	table_destroy(NULL);
}

/* What is left of a walk, marked. */
struct left {
	int64_t key;
	bool there;
};

static int least_of(const struct left *left, int n)
{
	int least = -1;

	for (int i = 0; i < n; i++) {
		if (left[i].there && (least < 0 || left[i].key < left[least].key))
			least = i;
	}
	return least;
}

static void test_walk(void **state)
{
	struct walk w = { 0 };

	(void)state;
	walk_begin(&w);
	assert_null(walk_next(&w));
	for (uint64_t round = 0; round < seed_rounds(200); round++) {
		struct left left[IDS];
		int n = 0, total = (int)seed_below(IDS);

		assert_int_equal(walk_fit(&w, (size_t)total), 0);
		assert_true(walk_bytes(&w) >= (size_t)total * 24);
		walk_begin(&w);
		for (bool more = true; more;) {
			int least = least_of(left, n);

			if (n < total && seed_below(3)) {
				left[n] = (struct left){ seed_below(20), true };
				walk_add(&w, left[n].key, (uint64_t)n, &left[n]);
				n++;
				continue;
			}
			more = least >= 0 || n < total;
			assert_ptr_equal(walk_next(&w), least < 0 ? NULL : &left[least]);
			if (least >= 0)
				left[least].there = false;
		}
	}
	walk_release(&w);
	assert_int_equal(walk_bytes(&w), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_walk),
	};

	return seed_run("test_table", tests);
}

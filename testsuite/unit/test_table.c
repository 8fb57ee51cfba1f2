/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_table: core/table against an array, with ids that collide, removal in any order. */

#include "core/base/table.h"
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
	};

	return seed_run("test_table", tests);
}

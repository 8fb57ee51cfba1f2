/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_nodeset: core/nodeset against plain arrays of truth values, around the word boundaries. */

#include "core/base/nodeset.h"
#include "testsuite/unit/seed.h"

static const uint32_t sizes[] = { 1, 2, 63, 64, 65, 127, 128, 129, 430 };

static void check(const struct nodeset *s, const bool *truth, uint32_t size)
{
	uint32_t count = 0, n = nodeset_next(s, 0);

	assert_int_equal(nodeset_size(s), size);
	for (uint32_t i = 0; i < size; i++) {
		assert_int_equal(nodeset_test(s, i), truth[i]);
		if (!truth[i])
			continue;
		assert_int_equal(n, i);
		n = nodeset_next(s, i + 1);
		count++;
	}
	assert_int_equal(n, size);
	assert_int_equal(nodeset_count(s), count);
	assert_int_equal(nodeset_empty(s), count == 0);
	assert_int_equal(nodeset_next(s, size + 100), size);
}

static void fill_random(struct nodeset *s, bool *truth, uint32_t size)
{
	for (uint32_t i = 0; i < size; i++) {
		truth[i] = seed_below(2);
		if (truth[i])
			nodeset_set(s, i);
		else
			nodeset_unset(s, i);
	}
}

static void check_pair(uint32_t size)
{
	struct nodeset *a = nodeset_create(size), *b = nodeset_create(size), *c;
	bool ta[430] = { 0 }, tb[430] = { 0 }, tc[430] = { 0 }, subset = true, overlap = false;

	fill_random(a, ta, size);
	fill_random(b, tb, size);
	check(a, ta, size);
	for (uint32_t i = 0; i < size; i++) {
		subset &= !ta[i] || tb[i];
		overlap |= ta[i] && tb[i];
	}
	assert_int_equal(nodeset_subset(a, b), subset);
	assert_int_equal(nodeset_overlap(a, b), overlap);
	for (int op = 0; op < 3; op++) {
		c = nodeset_dup(a);
		assert_true(nodeset_equal(c, a));
		assert_true(nodeset_hash(c) == nodeset_hash(a));
		(op == 0 ? nodeset_or : op == 1 ? nodeset_and : nodeset_and_not)(c, b);
		for (uint32_t i = 0; i < size; i++)
			tc[i] = op == 0	  ? ta[i] || tb[i]
				: op == 1 ? ta[i] && tb[i]
					  : ta[i] && !tb[i];
		check(c, tc, size);
		nodeset_destroy(c);
	}
	nodeset_copy(a, b);
	check(a, tb, size);
	nodeset_destroy(a);
	nodeset_destroy(b);
}

/* The lowest of one set join another one. */
static void check_lowest(uint32_t size)
{
	struct nodeset *to = nodeset_create(size), *from = nodeset_create(size);
	bool truth[430] = { 0 }, had[430] = { 0 };
	uint32_t n = (uint32_t)seed_below(size + 2), missing = n;

	fill_random(to, had, size);
	fill_random(from, truth, size);
	for (uint32_t i = 0; i < size; i++) {
		had[i] |= truth[i] && missing;
		missing -= truth[i] && missing;
	}
	assert_int_equal(nodeset_lowest(to, from, n), missing);
	check(to, had, size);
	check(from, truth, size);
	nodeset_destroy(to);
	nodeset_destroy(from);
}

static void test_random(void **state)
{
	(void)state;
	for (int round = 0; round < 200; round++)
		check_pair(sizes[seed_below(sizeof(sizes) / sizeof(*sizes))]);
	for (int round = 0; round < 500; round++)
		check_lowest(sizes[seed_below(sizeof(sizes) / sizeof(*sizes))]);
}

static void test_edges(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof(sizes) / sizeof(*sizes); k++) {
		uint32_t size = sizes[k];
		struct nodeset *s = nodeset_create(size), *other = nodeset_create(size + 1);

		nodeset_set(s, size); /* beyond: no effect */
		nodeset_set(s, UINT32_MAX);
		nodeset_unset(s, UINT32_MAX);
		assert_true(nodeset_empty(s));
		assert_false(nodeset_test(s, size));
		nodeset_fill(s);
		assert_int_equal(nodeset_count(s), size);
		assert_false(nodeset_equal(s, other));
		nodeset_clear(s);
		assert_true(nodeset_empty(s));
		nodeset_destroy(s);
		nodeset_destroy(other);
	}
	nodeset_destroy(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_edges),
	};

	return seed_run("test_nodeset", tests);
}

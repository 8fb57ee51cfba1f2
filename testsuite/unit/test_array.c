/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_array.c - what --array asks for: counted, bounded, and never believed
 */
#include "slurm/base/array.h"

#include <stdio.h>
#include <string.h>

#include "testsuite/unit/seed.h"

#define MOST 10000

static void test_counts(void **state)
{
	static const struct {
		const char *text;
		uint32_t tasks;
	} cases[] = {
		{ "4", 1 },	     { "0-9", 10 },	 { "0-9:2", 5 },
		{ "0-9:20", 1 },     { "1,3,5-7", 5 },	 { "1,,2", 2 },
		{ "1-10000", MOST }, { "0-10000", 0 },	 { "0-4999,5000-9999", MOST },
		{ "0-9999,1", 0 },   { "100000000", 1 }, { "18446744073709551615", 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(array_count(cases[i].text, MOST), cases[i].tasks);
}

static void test_bad(void **state)
{
	static const char *const bad[] = {
		"",	",",	 ",,,",	  "x",	  "-1",
		"1-",	"9-0",	 "1-2-3", "0:2x", "0-9:0",
		"0-9:", "[0-9]", "1 ,2",  " 1",	  "0-18446744073709551615",
		"3:2",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(array_count(bad[i], MOST), 0);
}

static void test_highest(void **state)
{
	(void)state;
	assert_int_equal(array_highest("4"), 4);
	assert_int_equal(array_highest("0-9:4"), 9);
	assert_int_equal(array_highest("7,1-50,,3%2"), 50);
	assert_int_equal(array_highest(""), 0);
}

static void test_widest(void **state)
{
	(void)state;
	assert_int_equal(array_widest("0-9"), 0);
	assert_int_equal(array_widest("0-9:4"), 4);
	assert_int_equal(array_widest("1,0-3:70000,5-9:2"), 70000);
}

/* Ranges whose sum is 2^32 and one more are not one task. */
static void test_no_wrap(void **state)
{
	char text[1024] = "";
	size_t used = 0;

	(void)state;
	for (int i = 0; i < 42; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "0-99999999,");
	snprintf(text + used, sizeof(text) - used, "0-94967295,0");
	assert_int_equal(array_count(text, MOST), 0);
}

/* A list has what was written; what it had no room for it may have. */
static void test_list(void **state)
{
	static const uint32_t some[] = { 0, 1, 2, 7, 9, 10 };
	uint32_t many[200];
	char text[40];

	(void)state;
	array_write(some, 6, text, sizeof(text));
	assert_string_equal(text, "0-2,7,9-10");
	for (uint32_t i = 0; i < 20; i++)
		assert_int_equal(array_has(text, i), i <= 2 || i == 7 || i == 9 || i == 10);
	for (uint32_t i = 0; i < 200; i++)
		many[i] = 1000 + 2 * i;
	array_write(many, 200, text, sizeof(text));
	assert_true(strlen(text) < sizeof(text));
	assert_non_null(strstr(text, ",..."));
	for (uint32_t i = 0; i < 200; i++)
		assert_true(array_has(text, many[i]));
	array_write(some, 0, text, sizeof(text));
	assert_string_equal(text, "");
	assert_false(array_has(text, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),	cmocka_unit_test(test_highest),
		cmocka_unit_test(test_bad),	cmocka_unit_test(test_list),
		cmocka_unit_test(test_no_wrap), cmocka_unit_test(test_widest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

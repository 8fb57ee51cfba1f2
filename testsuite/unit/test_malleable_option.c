/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_malleable_option: what --malleable= and --value= may say, and what is said of what they may not. */
#include "common/malleable_option.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void test_good(void **state)
{
	static const int64_t table[] = { 1, 1000000, 4, 3500000, 16, 3500000 };
	struct malleable_option o;
	char why[256];

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		const char *none[] = { NULL, "", "(null)" };

		assert_true(malleable_option_read(none[i], &o, why, sizeof(why)));
		assert_int_equal(o.grace, 0);
		assert_int_equal(o.n, 0);
	}
	assert_true(
		malleable_option_read("grace:30,speedup:1=1/4=3.5/16=3.5", &o, why, sizeof(why)));
	assert_int_equal(o.grace, 30);
	assert_int_equal(o.n, 6);
	assert_memory_equal(o.speedup, table, sizeof(table));
	assert_true(malleable_option_read("Grace:86400", &o, why, sizeof(why)));
	assert_int_equal(o.grace, 86400);
}

static void test_bad(void **state)
{
	static const char *const texts[] = {
		"grace",
		"grace:",
		"grace:0",
		"grace:86401",
		"grace:1s",
		"grace:-1",
		"speedup:",
		"speedup:4",
		"speedup:4=",
		"speedup:=4",
		"speedup:0=1",
		"speedup:1=0",
		"speedup:4=3/",
		"speedup:4=3/4=4",
		"speedup:4=3/8=2.9",
		"speed:1=1",
		"grace:1,",
		",grace:1",
		"speedup:1=1.0000001",
		"speedup:1=x",
		"speedup:1=1,speedup:2=2",
	};
	struct malleable_option o;
	char why[256];

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		why[0] = '\0';
		if (malleable_option_read(texts[i], &o, why, sizeof(why)))
			fail_msg("%s is taken", texts[i]);
		assert_int_equal(strncmp(why, "--malleable=", 12), 0);
		assert_null(strchr(why, '\n'));
		assert_int_equal(o.n, 0);
		assert_int_equal(o.grace, 0);
	}
}

static void test_twice(void **state)
{
	struct malleable_option o;
	char why[256];

	(void)state;
	assert_false(malleable_option_read("grace:20,speedup:1=1,Grace:120", &o, why, sizeof(why)));
	assert_string_equal(why, "--malleable=Grace:120: given twice");
	assert_int_equal(o.grace, 0);
}

static void test_many(void **state)
{
	char text[512] = "speedup:", why[256];
	struct malleable_option o;
	size_t n = strlen(text);

	(void)state;
	for (int i = 1; i <= MALLEABLE_PAIRS; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%d=%d", i > 1 ? "/" : "", i,
				      i);
	assert_true(malleable_option_read(text, &o, why, sizeof(why)));
	assert_int_equal(o.n, 2 * MALLEABLE_PAIRS);
	snprintf(text + n, sizeof(text) - n, "/100=100");
	assert_false(malleable_option_read(text, &o, why, sizeof(why)));
	assert_non_null(strstr(why, "at most 16 pairs"));
	/* a text of any length makes one line */
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_false(malleable_option_read(text, &o, why, sizeof(why)));
	assert_true(strlen(why) < sizeof(why));
}

static void test_value(void **state)
{
	static const char *const bad[] = { NULL, "", "(null)", "-1", "x", "1e3", "1000000001" };
	int64_t value;
	char why[256];

	(void)state;
	assert_true(malleable_value_read("0", &value, why, sizeof(why)));
	assert_int_equal(value, 0);
	assert_true(malleable_value_read("12.5", &value, why, sizeof(why)));
	assert_int_equal(value, 12500000);
	assert_true(malleable_value_read("1000000000", &value, why, sizeof(why)));
	assert_int_equal(value, MALLEABLE_VALUE_MOST);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_false(malleable_value_read(bad[i], &value, why, sizeof(why)));
		assert_int_equal(value, 0);
		assert_int_equal(strncmp(why, "--value=", 8), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),  cmocka_unit_test(test_bad),
		cmocka_unit_test(test_twice), cmocka_unit_test(test_many),
		cmocka_unit_test(test_value),
	};

	return cmocka_run_group_tests_name("malleable_option", tests, NULL, NULL);
}

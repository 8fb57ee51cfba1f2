/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_names.c - names in comma lists, with Slurm's two ways to compare them; users in messages
 */
#include "slurm/base/names.h"

#include "testsuite/unit/seed.h"

static void test_lists(void **state)
{
	static const struct {
		const char *names, *name;
		bool exact, lax;
	} cases[] = {
		{ "batch", "batch", true, true },
		{ "batch,long", "long", true, true },
		{ "batch,long", "Long", false, true },
		{ "Physics,chem", "physics", false, true },
		{ "batch,long", "lon", false, false },
		{ "batch,long", "longer", false, false },
		{ "batch,long", "atch", false, false },
		{ "batch,,long,", "long", true, true },
		{ "batch,,long,", "", false, false },
		{ "batch,long", "batch,long", false, false },
		{ "", "batch", false, false },
		{ NULL, "batch", false, false },
		{ "batch", NULL, false, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(names_have(cases[i].names, cases[i].name, strncmp),
				 cases[i].exact);
		assert_int_equal(names_have(cases[i].names, cases[i].name, strncasecmp),
				 cases[i].lax);
	}
}

static void test_user(void **state)
{
	char long_name[200], out[NAMES_USER];

	(void)state;
	names_user("ada", 1000, out);
	assert_string_equal(out, "user ada");
	names_user(NULL, 1000, out);
	assert_string_equal(out, "uid 1000");
	names_user("", 0, out);
	assert_string_equal(out, "uid 0");
	memset(long_name, 'x', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = '\0';
	names_user(long_name, 1, out);
	assert_int_equal(strlen(out), sizeof(out) - 1);
	assert_int_equal(strncmp(out, "user xxx", 8), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_lists),
					    cmocka_unit_test(test_user) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_names.c - names in comma lists, with Slurm's two ways to compare them
 */
#include "slurm/names.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_lists) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

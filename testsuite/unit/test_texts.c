/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_texts: equal texts are one pointer, others are not, and all of them last. */
#include "slurm/base/texts.h"
#include "testsuite/unit/seed.h"

#include <stdio.h>
#include <string.h>

#define TEXTS 3000

static void test_texts(void **state)
{
	static const char *first[TEXTS];
	struct texts *texts = texts_create();
	char text[32];

	(void)state;
	assert_non_null(texts);
	for (int i = 0; i < 4 * TEXTS; i++) {
		int n = (int)seed_below(TEXTS);
		const char *kept;

		snprintf(text, sizeof(text), "%d", n);
		if (!n)
			text[0] = '\0'; /* a text like any other */
		kept = texts_keep(texts, text);
		assert_non_null(kept);
		assert_ptr_not_equal(kept, text);
		if (first[n])
			assert_ptr_equal(kept, first[n]);
		first[n] = kept;
	}
	for (int n = 1; n < TEXTS; n++) {
		snprintf(text, sizeof(text), "%d", n);
		if (first[n])
			assert_string_equal(first[n], text);
	}
	texts_destroy(texts);
	texts_destroy(NULL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),
	};

	return seed_run("test_texts", tests);
}

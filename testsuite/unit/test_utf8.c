/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_utf8: what is a character stays, what is none becomes U+FFFD. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "common/utf8.h"

#define FFFD "\xef\xbf\xbd"

static const struct {
	const char *text, *valid;
} table[] = {
	{ "", "" },
	{ "plain", "plain" },
	{ "Universit\xc3\xa4t", "Universit\xc3\xa4t" },
	{ "Universit\xe4t", "Universit" FFFD "t" },  /* ISO 8859-1 */
	{ "\xe2\x82\xac", "\xe2\x82\xac" },	     /* the euro sign, 3 bytes */
	{ "\xf0\x9f\x8e\x88", "\xf0\x9f\x8e\x88" },  /* 4 bytes */
	{ "\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf" },  /* the last of all */
	{ "\xf4\x90\x80\x80", FFFD FFFD FFFD FFFD }, /* beyond it */
	{ "\xc0\xaf", FFFD FFFD },		     /* overlong, 2 bytes */
	{ "\xe0\x9f\xbf", FFFD FFFD FFFD },	     /* overlong, 3 bytes */
	{ "\xf0\x8f\xbf\xbf", FFFD FFFD FFFD FFFD }, /* overlong, 4 bytes */
	{ "\xed\xa0\x80", FFFD FFFD FFFD },	     /* a surrogate */
	{ "a\xe2\x82", "a" FFFD FFFD }, /* a letter of three bytes, cut short by the end */
	{ "\xe2\x82z", FFFD FFFD "z" }, /* the same, cut short by another letter */
	{ "\x80\xff", FFFD FFFD },	/* never first */
};

static void test_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char *valid = utf8_valid(table[i].text);

		assert_non_null(valid);
		assert_string_equal(valid, table[i].valid);
		free(valid);
	}
}

/* What comes out is valid: it does not change again. */
static void test_idempotent(void **state)
{
	(void)state;
	for (unsigned int x = 1; x < 1u << 16; x++) {
		char text[3] = { (char)(x >> 8), (char)x, '\0' };
		char *once = utf8_valid(text), *twice;

		assert_non_null(once);
		twice = utf8_valid(once);
		assert_string_equal(once, twice);
		free(once);
		free(twice);
	}
}

/* Lengths and codes, of the first and the last of each length. */
static void test_character(void **state)
{
	static const struct {
		const char *text;
		size_t length;
		uint32_t code;
	} all[] = {
		{ "", 1, 0 },
		{ "\x7f", 1, 0x7f },
		{ "\xc2\x80", 2, 0x80 },
		{ "\xdf\xbf", 2, 0x7ff },
		{ "\xe0\xa0\x80", 3, 0x800 },
		{ "\xef\xbf\xbf", 3, 0xffff },
		{ "\xf0\x90\x80\x80", 4, 0x10000 },
		{ "\xf4\x8f\xbf\xbf", 4, 0x10ffff },
		{ "\x9b", 0, 0x9b },
		{ "\xe2\x80", 0, 0xe2 },
	};
	uint32_t code;

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		assert_int_equal(utf8_character(all[i].text, &code), all[i].length);
		assert_int_equal(code, all[i].code);
	}
}

static void test_harmless(void **state)
{
	static const char *const all[][2] = {
		{ "", "" },
		{ "plain \xc3\xa4 \xf0\x9f\x8e\x88", "plain \xc3\xa4 \xf0\x9f\x8e\x88" },
		{ "\x1b[2J\t\n\x7f", "\\x1b[2J\\x09\\x0a\\x7f" },
		{ "\xc2\x9b\xc2\xa0",
		  "\\x9b\xc2\xa0" }, /* CSI; a blank that does not break is none */
		{ "\x9b\xff\xe2\x80", "\\x9b\\xff\\xe2\\x80" }, /* stray bytes */
		{ "a\xe2\x80\xae"
		  "b\xef\xbb\xbf",
		  "a" FFFD "b" FFFD },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		char *text = utf8_harmless(all[i][0]), *again;

		assert_non_null(text);
		assert_string_equal(text, all[i][1]);
		again = utf8_harmless(text);
		assert_string_equal(again, text);
		free(text);
		free(again);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_harmless),
		cmocka_unit_test(test_character),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_idempotent),
	};

	return cmocka_run_group_tests_name("test_utf8", tests, NULL, NULL);
}

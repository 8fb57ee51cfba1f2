/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_token.c - the promise's token in AdminComment: format, parse, put, remove
 */
#include "slurm/records/token.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct token sample = {
	.id = 0x00f3a2b1c4d5e6f7ULL,
	.deadline = 1763740800,
	.limit = 3600,
	.state = TOKEN_PROMISED,
};

#define SAMPLE "pact1(id=00f3a2b1c4d5e6f7,deadline=1763740800,limit=3600,state=promised)"

static void assert_same(const struct token *a, const struct token *b)
{
	assert_true(a->id == b->id);
	assert_true(a->deadline == b->deadline);
	assert_true(a->limit == b->limit);
	assert_int_equal(a->state, b->state);
}

static void test_round_trip(void **state)
{
	static const enum token_state all[] = {
		TOKEN_PROMISED,
		TOKEN_EXPECTED,
		TOKEN_BROKEN,
		TOKEN_WITHDRAWN,
	};
	char text[TOKEN_MAX];
	struct token token = sample, back;

	(void)state;
	token_format(&sample, text);
	assert_string_equal(text, SAMPLE);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		token.state = all[i];
		token.id = UINT64_MAX - i;
		token_format(&token, text);
		assert_int_equal(token_parse(text, &back), TOKEN_OK);
		assert_same(&token, &back);
	}
	token.own = INT32_MAX;
	token.deadline = token.limit = INT64_MAX;
	token.ended = token_ended("cancelled");
	token_format(&token, text);
	assert_int_equal(token_parse(text, &back), TOKEN_OK);
	assert_same(&token, &back);
	assert_int_equal(back.own, INT32_MAX);
}

static void test_expected(void **state)
{
	struct token token = sample;

	(void)state;
	token.state = TOKEN_EXPECTED;
	assert_true(token_expects(&token));
	assert_false(token_binds(&token));
	token.ended = token_ended("kept");
	assert_false(token_expects(&token));
	token = sample;
	assert_false(token_expects(&token));
}

/* Texts, and what token_parse() must say of them. */
static void test_parse(void **state)
{
	static const struct {
		const char *text;
		enum token_rc rc;
	} rows[] = {
		{ NULL, TOKEN_NONE },
		{ "", TOKEN_NONE },
		{ "pact", TOKEN_NONE },
		{ "pact1", TOKEN_NONE },
		{ "impact1(id=1,deadline=2,limit=3,state=promised)", TOKEN_NONE },
		{ "pact1(id=1,deadline=2,limit=3,state=promised", TOKEN_NONE },
		{ "ticket 17 " SAMPLE " by ann", TOKEN_OK },
		{ "pact pact1 " SAMPLE, TOKEN_OK },
		{ "pact1(id=1,deadline=2,limit=3,state=broken,why=node)", TOKEN_OK },
		{ "pact2(id=1)", TOKEN_NEWER },
		{ "pact99999999999999999999(id=1)", TOKEN_NEWER },
		{ "pact0(id=1,deadline=2,limit=3,state=promised)", TOKEN_BAD },
		{ "pact1()", TOKEN_BAD },
		{ "pact1(id=0,deadline=2,limit=3,state=promised)", TOKEN_BAD },
		{ "pact1(id=g,deadline=2,limit=3,state=promised)", TOKEN_BAD },
		{ "pact1(id=1,deadline=-2,limit=3,state=promised)", TOKEN_BAD },
		{ "pact1(id=1,deadline=2,limit=3,state=maybe)", TOKEN_BAD },
		{ "pact1(id=1,deadline=2,limit=3)", TOKEN_BAD },
		{ "pact1(id=1,deadline=99999999999999999999999,limit=3,state=broken)", TOKEN_BAD },
	};
	struct token token;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		memset(&token, 0xff, sizeof(token));
		assert_int_equal(token_parse(rows[i].text, &token), rows[i].rc);
		if (rows[i].rc != TOKEN_OK)
			assert_true(token.id == 0);
	}
}

static void check_put(const char *before, const char *after)
{
	char *put = token_put(before, &sample);

	assert_non_null(put);
	assert_string_equal(put, after);
	free(put);
}

static void check_remove(const char *before, const char *after)
{
	char *removed = token_remove(before);

	assert_non_null(removed);
	assert_string_equal(removed, after);
	free(removed);
}

/* What has become of a promise stands in the token, and then it binds no more. */
static void test_ended(void **state)
{
	static const char *const words[] = { "kept", "at_limit", "broken", "cancelled" };
	struct token token = { .id = 7, .deadline = 5, .limit = 60 }, back;
	char text[TOKEN_MAX];

	(void)state;
	assert_true(token_binds(&token));
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		token.ended = token_ended(words[i]);
		assert_string_equal(token.ended, words[i]);
		assert_false(token_binds(&token));
		token_format(&token, text);
		assert_int_equal(token_parse(text, &back), TOKEN_OK);
		assert_ptr_equal(back.ended, token.ended);
	}
	assert_null(token_ended("lost"));
	assert_int_equal(
		token_parse("pact1(id=1,deadline=2,limit=3,state=promised,ended=lost)", &back),
		TOKEN_BAD);
}

static void check_carry(const char *comment, const char *from, const char *after)
{
	char *carried = token_carry(comment, from);

	assert_non_null(carried);
	assert_string_equal(carried, after);
	free(carried);
}

/* Another comment, the same token: also one that is not understood. */
static void test_carry(void **state)
{
	(void)state;
	check_carry("note", "ticket " SAMPLE " ann", "note " SAMPLE);
	check_carry("note", "pact2(id=7,new=(x) ann", "note pact2(id=7,new=(x)");
	check_carry("note pact1(id=9)", "ticket pact2(id=7)", "note pact2(id=7)");
	check_carry("", SAMPLE, SAMPLE);
	check_carry(NULL, SAMPLE, SAMPLE);
	check_carry("note pact1(id=9)", "ticket", "note");
	check_carry("note", NULL, "note");
	check_carry(NULL, NULL, "");
}

static void test_put_remove(void **state)
{
	(void)state;
	check_put(NULL, SAMPLE);
	check_put("", SAMPLE);
	check_put("ticket 17", "ticket 17 " SAMPLE);
	check_put("ticket 17 pact1(old=1) ann", "ticket 17 ann " SAMPLE);
	check_put(SAMPLE, SAMPLE);
	check_remove(NULL, "");
	check_remove("ticket 17", "ticket 17");
	check_remove(SAMPLE, "");
	check_remove(SAMPLE " ann", "ann");
	check_remove("ticket " SAMPLE, "ticket");
	check_remove("a " SAMPLE " b " SAMPLE, "a b");
	check_remove("impact1(x) is kept", "impact1(x) is kept");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip), cmocka_unit_test(test_expected),
		cmocka_unit_test(test_parse),	   cmocka_unit_test(test_ended),
		cmocka_unit_test(test_carry),	   cmocka_unit_test(test_put_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_wire.c - the socket's lines: what is a request, what is none, and arguments
 */
#include "slurm/queries/wire.h"

#include <stdlib.h>
#include <string.h>

#include "testsuite/unit/seed.h"

#define GOOD \
	"{\"pact\":1,\"request\":\"plan\",\"id\":\"a\",\"cred\":\"M:\",\"args\":{\"n\":5,\"t\":" \
	"\"x\"}}"

static const char *parse(const char *line, struct wire_request *r)
{
	char why[WIRE_WHY_MAX];
	const char *code = wire_parse(line, strlen(line), r, why);

	/* A reason with every error, none without. */
	assert_int_equal(code != NULL, why[0] != '\0');
	return code;
}

static void test_good(void **state)
{
	struct wire_request r;

	(void)state;
	assert_null(parse(GOOD, &r));
	assert_string_equal(r.name, "plan");
	assert_string_equal(r.cred, "M:");
	assert_string_equal(json_object_get_string(r.id), "a");
	assert_non_null(r.args);
	wire_release(&r);
	assert_null(
		parse("{\"pact\":1,\"request\":\"x\",\"cred\":\"\",\"id\":-3,\"more\":[]}", &r));
	assert_null(r.args);
	wire_release(&r);
	assert_null(parse("{\"pact\":1,\"request\":\"x\",\"cred\":\"\",\"id\":null,\"args\":null}",
			  &r));
	assert_null(r.id);
	wire_release(&r);
}

static void test_bad(void **state)
{
	static const struct {
		const char *line, *code;
	} bad[] = {
		{ "", WIRE_SYNTAX },
		{ "{", WIRE_SYNTAX },
		{ "{}x", WIRE_SYNTAX },
		{ "null", WIRE_SYNTAX },
		{ "[]", WIRE_SYNTAX },
		{ "{}", WIRE_SYNTAX },
		{ "{\"pact\":\"1\"}", WIRE_SYNTAX },
		{ "{\"pact\":2}", WIRE_BAD_VERSION },
		{ "{\"pact\":1}", WIRE_SYNTAX },
		{ "{\"pact\":1,\"request\":5}", WIRE_SYNTAX },
		{ "{\"pact\":1,\"request\":\"a\\u0000b\",\"cred\":\"\"}", WIRE_SYNTAX },
		{ "{\"pact\":1,\"request\":\"a\"}", WIRE_IDENTITY },
		{ "{\"pact\":1,\"request\":\"a\",\"cred\":1}", WIRE_IDENTITY },
		{ "{\"pact\":1,\"request\":\"a\",\"cred\":\"\",\"args\":[]}", WIRE_SYNTAX },
		{ "{\"pact\":1,\"request\":\"a\",\"cred\":\"\",\"id\":{}}", WIRE_SYNTAX },
		{ "{\"pact\":1,\"request\":\"a\",\"cred\":\"\",\"id\":1.5}", WIRE_SYNTAX },
		{ "{\"pact\":1,\"request\":\"\xff\",\"cred\":\"\"}", WIRE_SYNTAX },
		{ "{\"a\":[[[[[[[[[[1]]]]]]]]]]}", WIRE_SYNTAX },
	};
	struct wire_request r;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const char *code = parse(bad[i].line, &r);

		assert_non_null(code);
		assert_string_equal(code, bad[i].code);
		wire_release(&r);
	}
}

/* The id is known even if the rest is wrong: the error can name it. */
static void test_id_of_bad(void **state)
{
	struct wire_request r;

	(void)state;
	assert_non_null(parse("{\"pact\":1,\"id\":9}", &r));
	assert_int_equal(json_object_get_int(r.id), 9);
	wire_release(&r);
}

static void test_long(void **state)
{
	char *line = malloc(WIRE_LINE_MAX + 1), why[WIRE_WHY_MAX];
	struct wire_request r;

	(void)state;
	assert_non_null(line);
	memset(line, ' ', WIRE_LINE_MAX);
	memcpy(line, GOOD, strlen(GOOD));
	assert_null(wire_parse(line, WIRE_LINE_MAX - 1, &r, why));
	wire_release(&r);
	assert_string_equal(wire_parse(line, WIRE_LINE_MAX, &r, why), WIRE_SYNTAX);
	wire_release(&r);
	free(line);
}

static void test_arguments(void **state)
{
	static const char *const keys[] = { "n", "t", NULL };
	static const char *const fewer[] = { "n", NULL };
	struct wire_request r;
	char why[WIRE_WHY_MAX];
	const char *text = "old";
	int64_t n = 1;
	bool yes = false;

	(void)state;
	assert_null(parse(GOOD, &r));
	assert_true(wire_args_known(r.args, keys, why));
	assert_false(wire_args_known(r.args, fewer, why));
	assert_string_equal(why, "t: no such argument");
	assert_true(wire_arg_number(r.args, "n", 0, 5, &n, why));
	assert_int_equal(n, 5);
	assert_false(wire_arg_number(r.args, "n", 0, 4, &n, why));
	assert_string_equal(why, "n: must be a whole number from 0 to 4");
	assert_false(wire_arg_number(r.args, "t", 0, 4, &n, why));
	assert_true(wire_arg_number(r.args, "absent", 0, 4, &n, why));
	assert_int_equal(n, 5);
	assert_true(wire_arg_text(r.args, "absent", 9, &text, why));
	assert_string_equal(text, "old");
	assert_true(wire_arg_text(r.args, "t", 1, &text, why));
	assert_string_equal(text, "x");
	assert_false(wire_arg_text(r.args, "t", 0, &text, why));
	assert_false(wire_arg_text(r.args, "n", 9, &text, why));
	assert_false(wire_arg_bool(r.args, "n", &yes, why));
	assert_true(wire_arg_text(NULL, "t", 9, &text, why));
	assert_true(wire_args_known(NULL, keys, why));
	wire_release(&r);
}

static void test_answers(void **state)
{
	struct wire_request r;
	json_object *answer = json_object_new_object();
	size_t len;
	char *line;

	(void)state;
	assert_null(parse(GOOD, &r));
	json_object_object_add(answer, "path", json_object_new_string("/a\n"));
	line = wire_answer(r.id, answer, &len);
	assert_string_equal(
		line, "{\"pact\":1,\"id\":\"a\",\"ok\":true,\"answer\":{\"path\":\"/a\\n\"}}\n");
	assert_int_equal(len, strlen(line));
	free(line);
	line = wire_error(NULL, WIRE_BUSY, "why", &len);
	assert_string_equal(
		line, "{\"pact\":1,\"ok\":false,\"error\":{\"code\":\"busy\",\"text\":\"why\"}}\n");
	free(line);
	line = wire_greeting("1.2", NULL, &len);
	assert_string_equal(line, "{\"pact\":1,\"version\":\"1.2\",\"munge\":null}\n");
	free(line);
	wire_release(&r);
}

/* Whatever an account is called, and wherever a text was cut. */
static void test_utf8(void **state)
{
	static const struct {
		const char *text, *valid;
	} cases[] = {
		{ "caf\xc3\xa9", "caf\xc3\xa9" },
		{ "caf\xc3", "caf\xef\xbf\xbd" },
		{ "\xff\"\n", "\xef\xbf\xbd\\\"\\n" },
	};
	struct json_tokener *tok = json_tokener_new();

	(void)state;
	json_tokener_set_flags(tok, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t len;
		char *line = wire_error(NULL, WIRE_ARGUMENT, cases[i].text, &len);
		json_object *root;

		assert_non_null(line);
		assert_int_equal(len, strlen(line));
		assert_int_equal(line[len - 1], '\n');
		assert_non_null(strstr(line, cases[i].valid));
		json_tokener_reset(tok);
		root = json_tokener_parse_ex(tok, line, (int)len - 1);
		assert_non_null(root);
		json_object_put(root);
		free(line);
	}
	json_tokener_free(tok);
}

/* Damaged requests are refused or taken, and nothing else happens. */
static void test_random(void **state)
{
	char line[sizeof(GOOD)], why[WIRE_WHY_MAX];

	(void)state;
	for (int i = 0; i < 20000; i++) {
		size_t len = (size_t)seed_below(sizeof(GOOD));
		struct wire_request r;

		memcpy(line, GOOD, sizeof(GOOD));
		for (int64_t n = seed_below(4); n; n--)
			line[seed_below(sizeof(GOOD) - 1)] = (char)seed_below(256);
		if (!wire_parse(line, len, &r, why)) {
			assert_non_null(r.name);
			assert_non_null(r.cred);
		}
		wire_release(&r);
	}
}

/* Shares of 1 with as many decimals as they need, but one. */
static void test_millionths(void **state)
{
	static const struct {
		int32_t v;
		const char *text;
	} rows[] = { { 0, "0.0" }, { 1, "0.000001" }, { 200000, "0.2" }, { 1000000, "1.0" } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		json_object *o = wire_millionths(rows[i].v);

		assert_string_equal(json_object_to_json_string(o), rows[i].text);
		json_object_put(o);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_millionths), cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),	   cmocka_unit_test(test_id_of_bad),
		cmocka_unit_test(test_long),	   cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_answers),	   cmocka_unit_test(test_utf8),
		cmocka_unit_test(test_random),
	};

	return seed_run("test_wire", tests);
}

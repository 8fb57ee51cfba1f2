/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_wish.c - what is wanted of a running job's nodes, as it stands in AdminComment: format, parse, put, remove;
 * and the job's "not now"
 */
#include "client/wish.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testsuite/unit/seed.h"

static char leave[] = "n[09-16]";
static const struct wish sample = { .serial = 3, .width = 8, .by = 1763740800, .leave = leave };

#define SAMPLE "pactwish1(serial=3,width=8,by=1763740800,leave=n[09-16])"
#define PROMISE "pact1(id=00f3a2b1c4d5e6f7,deadline=1763740800,limit=3600,state=promised)"

static void assert_same(const struct wish *a, const struct wish *b)
{
	assert_true(a->serial == b->serial);
	assert_true(a->width == b->width);
	assert_true(a->by == b->by);
	assert_string_equal(a->leave, b->leave);
	assert_int_equal(a->laters, b->laters);
	for (size_t i = 0; i < a->laters; i++) {
		assert_true(a->later[i].by == b->later[i].by);
		assert_string_equal(a->later[i].nodes, b->later[i].nodes);
	}
}

static void check_round_trip(const struct wish *wish)
{
	char *text = wish_format(wish);
	struct wish back;

	assert_non_null(text);
	assert_int_equal(wish_parse(text, &back), WISH_OK);
	assert_same(wish, &back);
	wish_clear(&back);
	assert_null(back.leave);
	free(text);
}

static void test_round_trip(void **state)
{
	char none[] = "", many[] = "a,b-1.x_2,c[1,3-5,007]d[1]";
	const struct wish grown = { .serial = 1, .width = 16, .by = 0, .leave = none };
	const struct wish far = { .serial = 999999999999999999,
				  .width = 999999999999999999,
				  .by = 999999999999999999,
				  .leave = many };
	char *text = wish_format(&sample);

	(void)state;
	assert_string_equal(text, SAMPLE);
	free(text);
	check_round_trip(&sample);
	check_round_trip(&grown);
	check_round_trip(&far);
}

/* Nodes that are due at other times than the first: a reader that does not know the key skips it, as there is no comma in it. */
static void test_later(void **state)
{
	char some[] = "n[11,13-14],x2", one[] = "n09";
	struct wish wish = sample;
	char *text;

	(void)state;
	wish.later[wish.laters++] = (struct wish_later){ 1763740830, some };
	wish.later[wish.laters++] = (struct wish_later){ 999999999999999999, one };
	text = wish_format(&wish);
	assert_string_equal(text, "pactwish1(serial=3,width=8,by=1763740800,"
				  "later=1763740830:n[11+13-14]+x2,"
				  "later=999999999999999999:n09,leave=n[09-16])");
	free(text);
	check_round_trip(&wish);
	while (wish.laters < WISH_LATER_MOST)
		wish.later[wish.laters++] = (struct wish_later){ 1, one };
	check_round_trip(&wish);
	wish.later[1].nodes = NULL;
	assert_null(wish_format(&wish));
	wish.later[1].nodes = "n+1";
	assert_null(wish_format(&wish));
	wish.later[1] = (struct wish_later){ 0, one };
	assert_null(wish_format(&wish));
	wish.later[1].by = 1;
	wish.laters++;
	assert_null(wish_format(&wish));
}

/* What cannot be read back is not written. */
static void test_unwritable(void **state)
{
	char *lists[] = { " ",	"a b",	  "a)",	 "a,",	 ",a",	  "a[1", "a[]",
			  "a]", "a[[1]]", "[1]", "a,,b", "a[1-]", NULL };
	struct wish wish;

	(void)state;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		wish = sample;
		wish.leave = lists[i];
		assert_null(wish_format(&wish));
		assert_null(wish_put("x", &wish));
	}
	wish = sample;
	wish.serial = 0;
	assert_null(wish_format(&wish));
	wish = sample;
	wish.width = 0;
	assert_null(wish_format(&wish));
	wish = sample;
	wish.by = -1;
	assert_null(wish_format(&wish));
	wish.by = INT64_MAX;
	assert_null(wish_format(&wish));
}

static void test_longest(void **state)
{
	char *list = malloc(WISH_LEAVE_MAX + 1);
	struct wish wish = sample, back;
	char *text;

	(void)state;
	memset(list, 'a', WISH_LEAVE_MAX);
	list[WISH_LEAVE_MAX] = '\0';
	assert_false(wish_hosts(list));
	list[WISH_LEAVE_MAX - 1] = '\0';
	wish.leave = list;
	check_round_trip(&wish);
	text = malloc(WISH_LEAVE_MAX + 100);
	sprintf(text, "pactwish1(serial=1,width=1,by=1,leave=a%s)", list);
	assert_int_equal(wish_parse(text, &back), WISH_BAD);
	free(text);
	free(list);
}

/* Texts, and what wish_parse() must say of them. */
static void test_parse(void **state)
{
	static const struct {
		const char *text;
		enum wish_rc rc;
	} rows[] = {
		{ NULL, WISH_NONE },
		{ "", WISH_NONE },
		{ "pactwish1", WISH_NONE },
		{ PROMISE, WISH_NONE },
		{ PROMISE " " SAMPLE " by ann", WISH_OK },
		{ "ticket\t" SAMPLE, WISH_OK },
		{ SAMPLE " pactwish1()", WISH_OK },
		{ "x" SAMPLE, WISH_NONE },
		{ "pactwish2(serial=1,width=2,by=3,leave=)", WISH_NONE },
		{ "pactwish2(x) " SAMPLE, WISH_OK },
		{ "pactwish01(serial=1,width=2,by=3,leave=)", WISH_NONE },
		{ "pactwish1(by=3,why=loan,width=2,new,serial=1,leave=)", WISH_OK },
		{ "pactwish1(serial=1,,width=2,by=3,leave=)", WISH_OK },
		{ "pactwish1(later=1:n1,serial=1,width=2,by=3,leave=n1)", WISH_OK },
		{ "pactwish1(later=1:n[1+3-5]+n7,serial=1,width=2,by=3,leave=n1)", WISH_OK },
		{ "pactwish1(serial=1,width=2,by=3,later,leave=)", WISH_OK },
		{ "pactwish1(serial=1,width=2,by=3,later=,leave=)", WISH_BAD },
		{ "pactwish1(serial=1,width=2,by=3,later=5,leave=)", WISH_BAD },
		{ "pactwish1(serial=1,width=2,by=3,later=5:,leave=)", WISH_BAD },
		{ "pactwish1(serial=1,width=2,by=3,later=:n1,leave=)", WISH_BAD },
		{ "pactwish1(serial=1,width=2,by=3,later=0:n1,leave=)", WISH_BAD },
		{ "pactwish1(serial=1,width=2,by=3,later=5n1,leave=n1:)", WISH_BAD },
		{ "pactwish1(serial=1,width=2,by=3,later=5:n[1,leave=)", WISH_BAD },
		{ "pactwish1(later=1:a,later=1:a,later=1:a,later=1:a,later=1:a,later=1:a,"
		  "later=1:a,later=1:a,later=1:a,serial=1,width=2,by=3,leave=n1)",
		  WISH_BAD },
		{ "pactwish1(", WISH_BAD },
		{ "pactwish1()", WISH_BAD },
		{ "pactwish1(serial=1,width=2,by=3)", WISH_BAD },
		{ "pactwish1(serial=1,width=2,by=3,leave=n1", WISH_BAD },
		{ "pactwish1(serial=1,width=2,by=3,leave=n1 )", WISH_BAD },
		{ "pactwish1(serial=1, width=2,by=3,leave=)", WISH_BAD },
		{ "pactwish1(width=2,by=3,leave=)", WISH_BAD },
		{ "pactwish1(serial=1,by=3,leave=)", WISH_BAD },
		{ "pactwish1(serial=1,width=2,leave=)", WISH_BAD },
		{ "pactwish1(leave=,serial=1,width=2,by=3)", WISH_BAD },
		{ "pactwish1(serial=1,serial=1,width=2,by=3,leave=)", WISH_BAD },
		{ "pactwish1(serial=0,width=2,by=3,leave=)", WISH_BAD },
		{ "pactwish1(serial=-1,width=2,by=3,leave=)", WISH_BAD },
		{ "pactwish1(serial=+1,width=2,by=3,leave=)", WISH_BAD },
		{ "pactwish1(serial=,width=2,by=3,leave=)", WISH_BAD },
		{ "pactwish1(serial=1x,width=2,by=3,leave=)", WISH_BAD },
		{ "pactwish1(serial=0x1,width=2,by=3,leave=)", WISH_BAD },
		{ "pactwish1(serial=1,width=0,by=3,leave=)", WISH_BAD },
		{ "pactwish1(serial=1000000000000000000,width=2,by=3,leave=)", WISH_BAD },
		{ "pactwish1(serial=1,width=2,by=3,leave=n1,)", WISH_BAD },
		{ "pactwish1(serial=1,width=2,by=3,leave=n[1)", WISH_BAD },
		{ "pactwish1(serial=1,width=2,by=3,leave=n;1)", WISH_BAD },
		{ "pactwish1(serial=1,width=2,by=3,leave=n1,more=1)", WISH_BAD },
		{ "pactwish1(serial=1,refused)", WISH_BAD },
	};
	struct wish wish;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		memset(&wish, 0xff, sizeof(wish));
		if (wish_parse(rows[i].text, &wish) != rows[i].rc)
			fail_msg("%s", rows[i].text);
		assert_int_equal(wish.leave != NULL, rows[i].rc == WISH_OK);
		assert_int_equal(wish.serial != 0, rows[i].rc == WISH_OK);
		wish_clear(&wish);
	}
}

static void check_put(const char *before, const char *after)
{
	char *put = wish_put(before, &sample);

	assert_non_null(put);
	assert_string_equal(put, after);
	free(put);
}

static void check_remove(const char *before, const char *after)
{
	char *removed = wish_remove(before);

	assert_non_null(removed);
	assert_string_equal(removed, after);
	free(removed);
}

static void test_put(void **state)
{
	(void)state;
	check_put(NULL, SAMPLE);
	check_put("", SAMPLE);
	check_put(PROMISE, PROMISE " " SAMPLE);
	check_put("pactwish1(serial=2) " PROMISE, PROMISE " " SAMPLE);
	check_put("a pactwish1(serial=2) b pactwish1(cut", "a b " SAMPLE);
	check_put("pactwish2(serial=2)", "pactwish2(serial=2) " SAMPLE);
}

static void check_carry(const char *comment, const char *from, const char *after)
{
	char *carried = wish_carry(comment, from);

	assert_non_null(carried);
	assert_string_equal(carried, after);
	free(carried);
}

/* An admin's new comment, the job's wish: never the one that is in the new comment. */
static void test_carry(void **state)
{
	(void)state;
	check_carry("ticket", "note " SAMPLE " ann", "ticket " SAMPLE);
	check_carry(PROMISE, SAMPLE, PROMISE " " SAMPLE);
	check_carry("ticket pactwish1(serial=9,width=1,by=0,leave=) x", SAMPLE, "ticket x " SAMPLE);
	check_carry("ticket " SAMPLE, "note", "ticket");
	check_carry("ticket", "pactwish1(cut", "ticket");
	check_carry("", SAMPLE, SAMPLE);
	check_carry(NULL, SAMPLE, SAMPLE);
	check_carry("ticket", NULL, "ticket");
	check_carry(NULL, NULL, "");
}

static void test_remove(void **state)
{
	(void)state;
	check_remove(NULL, "");
	check_remove(SAMPLE, "");
	check_remove(SAMPLE " b", "b");
	check_remove("a " SAMPLE " b", "a b");
	check_remove("a" SAMPLE, "a" SAMPLE);
	check_remove("a " SAMPLE SAMPLE, "a" SAMPLE);
	check_remove(PROMISE, PROMISE);
	check_remove("pactwish1(cut off", "off");
}

static void test_refusal(void **state)
{
	static const struct {
		const char *text;
		enum wish_rc rc;
	} rows[] = {
		{ NULL, WISH_NONE },
		{ "", WISH_NONE },
		{ "my comment", WISH_NONE },
		{ "pactwish2(serial=1,refused)", WISH_NONE },
		{ " pactwish1(serial=1,refused)", WISH_NONE },
		{ "pactwish1(serial=1,refused)", WISH_OK },
		{ "pactwish1(serial=999999999999999999,refused)", WISH_OK },
		{ "pactwish1(serial=1,refused) ", WISH_BAD },
		{ "pactwish1(serial=1,refused", WISH_BAD },
		{ "pactwish1(serial=1,accepted)", WISH_BAD },
		{ "pactwish1(serial=01,refused)", WISH_BAD },
		{ "pactwish1(serial=0,refused)", WISH_BAD },
		{ "pactwish1(serial=-1,refused)", WISH_BAD },
		{ "pactwish1(serial=1000000000000000000,refused)", WISH_BAD },
		{ "pactwish1(serial=", WISH_BAD },
		{ "pactwish1(", WISH_BAD },
		{ SAMPLE, WISH_BAD },
	};
	char text[WISH_ANSWER_MAX];
	int64_t serial;

	(void)state;
	wish_refusal_format(17, text);
	assert_string_equal(text, "pactwish1(serial=17,refused)");
	assert_int_equal(wish_refusal_parse(text, &serial), WISH_OK);
	assert_int_equal(serial, 17);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		serial = -1;
		if (wish_refusal_parse(rows[i].text, &serial) != rows[i].rc)
			fail_msg("%s", rows[i].text);
		assert_int_equal(serial != 0, rows[i].rc == WISH_OK);
	}
}

/* Random texts out of a wish's own words: whatever is read as a wish is written and read back as the same. */
static void test_random(void **state)
{
	static const char *const words[] = { "pactwish1(", "serial=", "width=",
					     "by=",	   "leave=",  "refused",
					     ",",	   ")",	      "(",
					     " ",	   "1",	      "23",
					     "n",	   "[",	      "]",
					     "-",	   SAMPLE,    "x=y,",
					     "later=7:",   "n[1+3]",  "serial=4,width=2,by=0," };
	unsigned int read = 0;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		char text[1024] = "", *kept;
		struct wish wish;
		int64_t serial;

		for (int n = (int)seed_below(12); n >= 0; n--)
			strcat(text, words[seed_below(sizeof(words) / sizeof(words[0]))]);
		wish_refusal_parse(text, &serial);
		if (wish_parse(text, &wish) == WISH_OK) {
			check_round_trip(&wish);
			read++;
		}
		wish_clear(&wish);
		kept = wish_remove(text);
		assert_int_equal(wish_parse(kept, &wish), WISH_NONE);
		free(kept);
	}
	assert_true(read > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip), cmocka_unit_test(test_unwritable),
		cmocka_unit_test(test_later),	   cmocka_unit_test(test_longest),
		cmocka_unit_test(test_parse),	   cmocka_unit_test(test_put),
		cmocka_unit_test(test_remove),	   cmocka_unit_test(test_carry),
		cmocka_unit_test(test_refusal),	   cmocka_unit_test(test_random),
	};

	return seed_run("wish", tests);
}

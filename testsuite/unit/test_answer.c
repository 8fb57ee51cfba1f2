/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_answer.c - does pact-replay read what the plugin says? Each line is made by the plugin's own
 * functions, so that a change of words in one of them is a change in both.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "contrib/replay/answer.h"
#include "core/sched.h"
#include "slurm/base/message.h"

#define NOW 1763740805

static struct message_ask ask_of(int32_t width)
{
	return (struct message_ask){
		.now = NOW,
		.deadline = NOW + 600,
		.limit = 300,
		.guard = 70,
		.width = width,
		.tasks = 1,
	};
}

/* What slurmctld wrote in its zone, read in another. */
static void read_elsewhere(const char *text, const struct message_ask *ask, struct answer *a)
{
	setenv("TZ", "<-0330>3:30", 1);
	tzset();
	answer_read(text, ask->width, ask->limit, a);
	setenv("TZ", "CET-1CEST", 1);
	tzset();
}

static void test_accepted(void **state)
{
	struct sched_decision d = { .accepted = true, .start = NOW + 60, .end = NOW + 430 };
	struct message_ask ask = ask_of(4);
	char text[MESSAGE_MAX];
	struct answer a;

	(void)state;
	message_accepted(text, &ask, &d);
	read_elsewhere(text, &ask, &a);
	assert_int_equal(a.start, NOW + 60);
	assert_int_equal(a.offer, 0);
	assert_string_equal(a.why, "");
}

static void test_shared(void **state)
{
	struct sched_decision d = { .accepted = true, .start = NOW, .end = NOW + 430 };
	struct message_ask ask = ask_of(4);
	char text[MESSAGE_MAX];
	struct answer a;

	(void)state;
	d.share = SHARE_WHOLE / 100 * 35 + 1;
	message_accepted(text, &ask, &d);
	read_elsewhere(text, &ask, &a);
	assert_int_equal(a.share, 35);
	assert_false(a.expected);
	assert_int_equal(a.start, 0);
	assert_string_equal(a.why, "");
	d.expected = true;
	message_accepted(text, &ask, &d);
	read_elsewhere(text, &ask, &a);
	assert_true(a.expected);
	assert_int_equal(a.share, 0);
	assert_memory_equal(a.why, "expected by ", strlen("expected by "));
	answer_read("other plugin: accepted: expected by noon", 4, 300, &a);
	assert_false(a.expected);
}

static void test_refused(void **state)
{
	static const struct {
		enum refuse_reason reason;
		int width;
		const char *why;
	} rows[] = {
		{ REFUSE_FULL, 4, "no room beside 3 planned jobs" },
		{ REFUSE_FULL, 1, "no room beside 3 planned jobs" },
		{ REFUSE_STARVES, 4, "fit only by starving jobs without a deadline" },
		{ REFUSE_BLOCKED, 4,
		  "are not to be had: jobs without a time limit or lost nodes hold what it needs" },
		{ REFUSE_TOO_LATE, 1,
		  "and 00:01:10 for ending it do not fit even if started at its earliest" },
	};
	struct sched_decision d = { .offer_end = NOW + 1000, .waiting = 3 };
	char text[MESSAGE_MAX];
	struct answer a;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct message_ask ask = ask_of(rows[i].width);

		d.reason = rows[i].reason;
		message_refused(text, &ask, &d);
		message_reference(text, "Rbcdfg");
		read_elsewhere(text, &ask, &a);
		assert_string_equal(a.why, rows[i].why);
		assert_int_equal(a.offer, message_round_offer(d.offer_end));
		assert_int_equal(a.start, 0);
	}
}

/* Nothing is lost of what it does not know. */
static void test_others(void **state)
{
	char text[MESSAGE_MAX], huge[4 * ANSWER_WHY];
	struct answer a;

	(void)state;
	message_unplannable(text, "licenses (--licenses)");
	answer_read(text, 4, 300, &a);
	assert_string_equal(a.why, text + strlen("deadline: refused: "));
	assert_int_equal(a.offer, 0);
	answer_read("Invalid account before noon", 4, 300, &a);
	assert_string_equal(a.why, "Invalid account before noon");
	answer_read("", 4, 300, &a);
	assert_string_equal(a.why, "");
	memset(huge, 'x', sizeof(huge));
	huge[sizeof(huge) - 1] = '\0';
	answer_read(huge, 4, 300, &a);
	assert_int_equal(strlen(a.why), ANSWER_WHY - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_accepted),
		cmocka_unit_test(test_shared),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_others),
	};

	setenv("TZ", "CET-1CEST", 1);
	tzset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}

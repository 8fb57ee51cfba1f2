/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_message.c - the line to the user: heads, offers, one line of ASCII (doc/formats.md)
 */
#include "slurm/base/message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "core/sched.h"

#define NOW 1763740805

static const struct message_ask ask = {
	.now = NOW,
	.deadline = NOW + 600,
	.limit = 300,
	.guard = 70,
	.width = 4,
	.tasks = 1,
};

static void assert_line(const char *text, const char *head)
{
	assert_int_equal(strncmp(text, head, strlen(head)), 0);
	assert_true(strlen(text) > strlen(head));
	assert_true(strlen(text) < MESSAGE_MAX - 1);
	for (const char *at = text; *at; at++)
		assert_true(*at >= ' ' && *at <= '~');
}

static void test_accepted(void **state)
{
	struct sched_decision d = { .accepted = true, .start = NOW + 60, .end = NOW + 430 };
	struct message_ask default_time = ask;
	char text[MESSAGE_MAX];

	(void)state;
	message_accepted(text, &ask, &d);
	assert_string_equal(text, "deadline: accepted: completes by 2025-11-21T12:40:05-03:30, "
				  "planned start 2025-11-21T12:31:05-03:30");
	d.own = 7;
	message_accepted(text, &ask, &d);
	assert_non_null(strstr(text, "planned start 2025-11-21T12:31:05-03:30 on 7 nodes"));
	d.own = 0;
	d.start = NOW - 5;
	message_accepted(text, &ask, &d);
	assert_non_null(strstr(text, "planned start 2025-11-21T12:30:05-03:30"));
	default_time.limit_from = "the partition's DefaultTime";
	message_accepted(text, &default_time, &d);
	assert_line(text, "deadline: accepted: completes by ");
	assert_non_null(strstr(text, " (time limit 00:05:00: the partition's DefaultTime)"));
}

/* On shared nodes. */
static void test_shared(void **state)
{
	struct sched_decision d = {
		.accepted = true, .start = NOW, .end = NOW + 430, .share = SHARE_WHOLE / 4
	};
	char text[MESSAGE_MAX];
	struct message_ask later;

	(void)state;
	message_accepted(text, &ask, &d);
	assert_string_equal(text, "deadline: accepted: completes by 2025-11-21T12:40:05-03:30, "
				  "starts now with 25 % of its processors");
	d.expected = true;
	message_accepted(text, &ask, &d);
	assert_string_equal(text, "deadline: accepted: expected by 2025-11-21T12:37:15-03:30, not "
				  "promised: its time limit does not fit before its deadline");
	d.chance = 123001;
	message_accepted(text, &ask, &d);
	assert_string_equal(text, "deadline: accepted: expected by 2025-11-21T12:40:05-03:30, not "
				  "promised: its time limit does not fit before that, and its "
				  "chance to miss it is 12.4 %");
	d = (struct sched_decision){ .reason = REFUSE_SHARES,
				     .suited = 3,
				     .offer_end = PACT_FOREVER };
	message_refused(text, &ask, &d);
	assert_line(text, "deadline: refused: ");
	assert_non_null(strstr(text, "shares for 4 nodes for 00:05:00 before "
				     "2025-11-21T12:40:05-03:30 are free on 3 of the 4 nodes "
				     "needed; "));
	later = ask;
	later.begin = later.now + 60;
	d = (struct sched_decision){ .reason = REFUSE_DISABLED };
	message_refused(text, &later, &d);
	assert_non_null(strstr(text, "refused: a job that shares nodes is promised only if it "
				     "starts now; "));
	message_ordered(text, "it is its turn by deadline");
	assert_string_equal(text, "deadline: not promised: it is its turn by deadline");
}

/* A chance is rounded up, and the limit is told as it is: what is above it never looks like it. */
static void test_chance(void **state)
{
	static const struct {
		int32_t chance, limit;
		const char *part;
	} rows[] = {
		{ 1000000, 200000, "the chance to miss it is 100 %, more than RiskLimit, 20 %; " },
		{ 200001, 200000, "the chance to miss it is 20.1 %, more than RiskLimit, 20 %; " },
		{ 5001, 5000, "the chance to miss it is 0.6 %, more than RiskLimit, 0.5 %; " },
		{ 2, 1, "the chance to miss it is 0.1 %, more than RiskLimit, 0.0001 %; " },
	};
	struct message_ask with = ask;
	char text[MESSAGE_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct sched_decision d = { .reason = REFUSE_CHANCE,
					    .chance = rows[i].chance,
					    .offer_end = PACT_FOREVER };

		with.risk_limit = rows[i].limit;
		message_refused(text, &with, &d);
		assert_line(text, "deadline: refused: ");
		assert_non_null(strstr(text, "4 nodes for 00:05:00 do not fit before "
					     "2025-11-21T12:40:05-03:30, and "));
		assert_non_null(strstr(text, rows[i].part));
	}
}

/* Every reason has its head, and a stable part of doc/formats.md. */
static void test_reasons(void **state)
{
	static const struct {
		enum refuse_reason reason;
		const char *part;
	} rows[] = {
		{ REFUSE_DISABLED, "promises are switched off" },
		{ REFUSE_TOO_LATE, "do not fit before" },
		{ REFUSE_NEVER_FITS, "more than these partitions and constraints have" },
		{ REFUSE_NO_LIMIT, "without a time limit cannot be promised an end" },
		{ REFUSE_FULL, "no room for" },
		{ REFUSE_BUDGET, "cannot be promised now" },
		{ REFUSE_LOSS, "worth less than what the jobs lose that would make room" },
		{ REFUSE_STARVES, "only by starving jobs without a deadline" },
		{ REFUSE_BLOCKED, "jobs without a time limit or lost nodes hold what it needs" },
	};
	char text[MESSAGE_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct sched_decision d = {
			.reason = rows[i].reason,
			.offer_start = PACT_FOREVER,
			.offer_end = PACT_FOREVER,
			.waiting = 7,
		};

		message_refused(text, &ask, &d);
		assert_line(text, "deadline: refused: ");
		assert_non_null(strstr(text, rows[i].part));
		assert_null(strstr(text, "--deadline="));
		message_observed(text);
		assert_line(text, "deadline: observed: ");
		assert_non_null(strstr(text, rows[i].part));
	}
}

/* One node is one, several are more. */
static void test_plural(void **state)
{
	static const struct {
		enum refuse_reason reason;
		int32_t width;
		uint32_t tasks;
		const char *part;
	} rows[] = {
		{ REFUSE_NEVER_FITS, 1, 1, "refused: 1 node is more than these" },
		{ REFUSE_NEVER_FITS, 2, 1, "refused: 2 nodes are more than these" },
		{ REFUSE_NEVER_FITS, 1, 9, "refused: 1 node is more than these" },
		{ REFUSE_STARVES, 1, 1, "refused: 1 node for 00:05:00 fits before" },
		{ REFUSE_STARVES, 2, 1, "refused: 2 nodes for 00:05:00 fit before" },
		{ REFUSE_STARVES, 1, 9, "refused: 9 tasks of 1 node for 00:05:00 each fit before" },
		{ REFUSE_BLOCKED, 1, 1, "refused: 1 node for 00:05:00 is not to be had" },
		{ REFUSE_BLOCKED, 2, 1, "refused: 2 nodes for 00:05:00 are not to be had" },
		{ REFUSE_FULL, 1, 1, "beside 1 planned job;" },
	};
	char text[MESSAGE_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct sched_decision d = { .reason = rows[i].reason, .waiting = 1 };
		struct message_ask one = ask;

		one.width = rows[i].width;
		one.tasks = rows[i].tasks;
		one.limit = 300;
		message_refused(text, &one, &d);
		assert_non_null(strstr(text, rows[i].part));
	}
}

/* What runs is named where that alone is too much, how many there are and until when. */
static void test_running(void **state)
{
	static const struct {
		enum refuse_reason reason;
		int32_t waiting, running;
		bool blocked;
		int64_t room_at;
		const char *part;
	} rows[] = {
		{ REFUSE_FULL, 0, 1, false, NOW + 900,
		  "before 2025-11-21T12:40:05-03:30: 1 running job holds what it needs until "
		  "2025-11-21T12:45:05-03:30;" },
		{ REFUSE_FULL, 7, 3, false, NOW + 900,
		  ": 3 running jobs hold what it needs until " },
		{ REFUSE_FULL, 7, 0, true, NOW + 900, ": lost or reserved nodes hold what it " },
		{ REFUSE_FULL, 0, 1, true, NOW + 900,
		  ": 1 running job and lost or reserved nodes hold what it needs until " },
		{ REFUSE_FULL, 7, 3, false, 0, " beside 7 planned jobs;" },
		{ REFUSE_FULL, 0, 3, false, 0, " beside 3 running jobs;" },
		{ REFUSE_FULL, 0, 0, false, 0, " before 2025-11-21T12:40:05-03:30;" },
		{ REFUSE_BLOCKED, 0, 1, false, 0,
		  ": 1 running job without a time limit holds what it needs;" },
		{ REFUSE_BLOCKED, 0, 2, true, 0,
		  ": 2 running jobs without a time limit and lost or reserved nodes hold what it "
		  "needs;" },
	};
	char text[MESSAGE_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct sched_decision d = { .reason = rows[i].reason,
					    .waiting = rows[i].waiting,
					    .running = rows[i].running,
					    .blocked = rows[i].blocked,
					    .room_at = rows[i].room_at };

		message_refused(text, &ask, &d);
		if (!strstr(text, rows[i].part))
			fail_msg("row %zu: %s", i, text);
		assert_null(strstr(text, "beside 0"));
	}
}

/* Whose end it waits for, why that is no earlier, and what helps. */
static void test_after(void **state)
{
	static const struct {
		enum message_after how;
		enum refuse_reason reason;
		int64_t limit, begin;
		const char *part;
	} rows[] = {
		{ MESSAGE_AFTER_PLAIN, REFUSE_TOO_LATE, 300, NOW + 3600,
		  "refused: job 12, which it waits for, need not end before "
		  "2025-11-21T13:30:05-03:30; "
		  "give it a --deadline; no completion" },
		{ MESSAGE_AFTER_PROMISED, REFUSE_TOO_LATE, 300, NOW + 3600,
		  "need not end before 2025-11-21T13:30:05-03:30, its --deadline; give it an "
		  "earlier "
		  "one;" },
		{ MESSAGE_AFTER_RUNNING, REFUSE_TOO_LATE, 300, NOW + 3600,
		  "refused: job 12, which it waits for, may run until 2025-11-21T13:30:05-03:30;" },
		/* it would be too late without */
		{ MESSAGE_AFTER_PLAIN, REFUSE_TOO_LATE, 3000, NOW + 3600,
		  "do not fit before 2025-11-21T12:40:05-03:30 even if started at its earliest, "
		  "2025-11-21T13:30:05-03:30;" },
		{ MESSAGE_AFTER_NOTHING, REFUSE_TOO_LATE, 300, NOW + 3600,
		  "even if started at its earliest, 2025-11-21T13:30:05-03:30;" },
		{ MESSAGE_AFTER_NOTHING, REFUSE_TOO_LATE, 3000, 0,
		  "even if started at its earliest;" },
		{ MESSAGE_AFTER_PLAIN, REFUSE_FULL, 300, NOW + 3600,
		  "beside 2 planned jobs; job 12, which it waits for, need not end before " },
	};
	char text[MESSAGE_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct sched_decision d = { .reason = rows[i].reason, .waiting = 2 };
		struct message_ask one = ask;

		one.limit = rows[i].limit;
		one.begin = one.after_end = rows[i].begin;
		one.after = "12";
		one.after_how = rows[i].how;
		message_refused(text, &one, &d);
		if (!strstr(text, rows[i].part))
			fail_msg("row %zu: %s", i, text);
	}
}

/*
 * What is advised can help: nobody is told to ask for fewer than one, or than a minute, nor for less time where the
 * job may not start, or finds no nodes, before it would be too late for the shortest.
 */
static void test_advice(void **state)
{
	static const struct {
		enum refuse_reason reason;
		int32_t width;
		uint32_t tasks;
		int64_t limit, begin, room_at;
		const char *part;
	} rows[] = {
		{ REFUSE_FULL, 1, 1, 300, 0, 0, "; a shorter --time" },
		{ REFUSE_FULL, 4, 1, 300, 0, 0, "; fewer nodes, or a shorter --time" },
		{ REFUSE_FULL, 1, 9, 300, 0, 0, "; fewer tasks, or a shorter --time" },
		{ REFUSE_FULL, 1, 1, 300, 0, NOW + 470, "; a shorter --time" },
		{ REFUSE_FULL, 1, 1, 300, 0, NOW + 471, "" },
		{ REFUSE_FULL, 4, 1, 300, 0, NOW + 471, "; fewer nodes" },
		{ REFUSE_FULL, 1, 1, 60, 0, 0, "" },
		{ REFUSE_STARVES, 1, 1, 60, 0, 0, "" },
		{ REFUSE_STARVES, 1, 1, 120, 0, 0, "; a shorter --time" },
		{ REFUSE_TOO_LATE, 4, 1, 3000, 0, 0, "; a shorter --time" },
		{ REFUSE_TOO_LATE, 4, 1, 300, NOW + 470, 0, "; a shorter --time" },
		{ REFUSE_TOO_LATE, 4, 1, 300, NOW + 471, 0, "; an earlier --begin" },
		{ REFUSE_BLOCKED, 1, 1, 300, 0, 0, "" },
		{ REFUSE_BLOCKED, 4, 1, 300, 0, 0, "; fewer nodes" },
	};
	static const char *const heads[] = { "; no completion can be promised now",
					     "(2025-11-21T12:48:00-03:30); ask for that" };
	char text[MESSAGE_MAX], end[128];

	(void)state;
	for (size_t i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
		bool offered = i % 2;
		struct sched_decision d = { .reason = rows[i / 2].reason,
					    .room_at = rows[i / 2].room_at,
					    .offer_end = offered ? NOW + 1000 : PACT_FOREVER };
		struct message_ask one = ask;
		const char *part = rows[i / 2].part;

		one.width = rows[i / 2].width;
		one.tasks = rows[i / 2].tasks;
		one.limit = rows[i / 2].limit;
		one.begin = rows[i / 2].begin;
		message_refused(text, &one, &d);
		snprintf(end, sizeof(end), "%s%s%s", heads[offered],
			 offered && part[0] ? ", or " : "", offered && part[0] ? part + 2 : part);
		if (strlen(text) < strlen(end) || strcmp(text + strlen(text) - strlen(end), end))
			fail_msg("row %zu: %s, not %s", i / 2, text, end);
	}
}

/* Where it waits for a job, that is what to change. */
static void test_advice_after(void **state)
{
	struct sched_decision d = { .reason = REFUSE_TOO_LATE, .offer_end = NOW + 1000 };
	struct message_ask one = ask;
	char text[MESSAGE_MAX];

	(void)state;
	one.after = "12";
	one.after_how = MESSAGE_AFTER_PLAIN;
	one.begin = one.after_end = NOW + 500;
	message_refused(text, &one, &d);
	assert_non_null(strstr(text, "; give it a --deadline; earliest that can be promised: "));
	assert_non_null(strstr(text, "; ask for that"));
	assert_null(strstr(text, ", or "));
}

/* An offer is in whole minutes, and still true a minute later. */
static void test_offer(void **state)
{
	struct sched_decision d = { .reason = REFUSE_FULL, .offer_end = NOW + 1000 };
	char text[MESSAGE_MAX];

	(void)state;
	message_refused(text, &ask, &d);
	assert_non_null(strstr(text, "--deadline=uts1763741880 (2025-11-21T12:48:00-03:30);"));
	for (int64_t end = NOW; end < NOW + 180; end++) {
		int64_t offer = message_round_offer(end);

		assert_true(offer % 60 == 0);
		assert_true(offer >= end + 60 && offer < end + 120);
	}
}

static void test_others(void **state)
{
	const struct sched_decision never = { .reason = REFUSE_NEVER_FITS };
	char text[MESSAGE_MAX], huge[2 * MESSAGE_MAX];
	struct message_ask large = ask;

	(void)state;
	large.scarce = "no node of partition batch fits --mem=3000M";
	message_refused(text, &large, &never);
	assert_string_equal(text, "deadline: refused: no node of partition batch fits --mem=3000M");
	message_unplannable(text, "licenses (--licenses)");
	assert_string_equal(text,
			    "deadline: refused: cannot be planned: licenses (--licenses); submit "
			    "without it or without --deadline");
	message_unplannable(text, "a range (--nodes); give one");
	assert_string_equal(text,
			    "deadline: refused: cannot be planned: a range (--nodes); give one, "
			    "or submit without --deadline");
	message_waits(text, "the job is held");
	assert_line(text, "deadline: not promised: the job is held;");
	memset(huge, 'x', sizeof(huge));
	huge[sizeof(huge) - 1] = '\0';
	message_plain(text, huge);
	assert_true(strlen(text) == MESSAGE_MAX - 1);
	message_observed(text);
	assert_true(strlen(text) < MESSAGE_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_accepted),     cmocka_unit_test(test_shared),
		cmocka_unit_test(test_chance),	     cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_plural),	     cmocka_unit_test(test_running),
		cmocka_unit_test(test_after),	     cmocka_unit_test(test_advice),
		cmocka_unit_test(test_advice_after), cmocka_unit_test(test_offer),
		cmocka_unit_test(test_others),
	};

	setenv("TZ", "<-0330>3:30", 1);
	tzset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}

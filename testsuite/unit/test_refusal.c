/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_refusal: starts that Slurm refuses, pass by pass, on a clock of the test's own. */
#include "slurm/base/compat.h"

#include "slurm/acting/refusal.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

time_t last_node_update;

static time_t clock_now = 1000000;

time_t time(time_t *out)
{
	if (out)
		*out = clock_now;
	return clock_now;
}

static struct conf conf = { .plan_interval = 8 };
static struct bridge bridge = { .conf = &conf };

/* One pass in which the start is refused.  RET whether its place is kept */
static bool refuse(struct track *track, bool *soon)
{
	struct launch launch = { .refused = true, .reserve = true };

	bridge.epoch++;
	*soon = refusal_note(&bridge, track, true, &launch);
	return launch.reserve;
}

/* Refused in every pass of so many seconds, several of them a second: its place is kept. */
static void refused_for(struct track *track, int seconds)
{
	bool soon;

	for (int i = 0; i < 5 * seconds; i++) {
		assert_false(refusal_waits(&bridge, track));
		assert_true(refuse(track, &soon));
		assert_true(soon);
		assert_false(track->refused);
		clock_now += i % 5 == 4;
	}
}

static void test_ten_seconds(void **state)
{
	struct track track = { .job_id = 7 };
	bool soon;

	(void)state;
	refused_for(&track, REFUSAL_SECONDS);
	assert_false(refuse(&track, &soon));
	assert_false(soon);
	assert_true(track.refused);
	/* tried again after 1, 2, 4, 8, 8 seconds */
	for (int i = 0, wait = 1; i < 5; i++) {
		for (int k = 0; k < wait; k++) {
			bridge.epoch++;
			assert_true(refusal_waits(&bridge, &track));
			clock_now++;
		}
		bridge.epoch++;
		assert_false(refusal_waits(&bridge, &track));
		bridge.epoch--;
		assert_false(refuse(&track, &soon));
		wait = wait < 8 ? 2 * wait : 8;
	}
	/* or when a node changes */
	assert_true(refusal_waits(&bridge, &track));
	last_node_update = clock_now + 1;
	assert_false(refusal_waits(&bridge, &track));
	last_node_update = 0;
}

/* Not due in one pass: the row has ended. */
static void test_row(void **state)
{
	struct track track = { .job_id = 7 };

	(void)state;
	for (int i = 0; i < 3; i++) {
		bridge.epoch += 2;
		refused_for(&track, REFUSAL_SECONDS);
	}
}

/* A start that made way for an admission was due: its row goes on. */
static void test_recalled(void **state)
{
	struct track track = { .job_id = 7 };
	bool soon;

	(void)state;
	refusal_recalled(&bridge, &track);
	refused_for(&track, REFUSAL_SECONDS / 2);
	for (int i = 0; i < 3; i++) {
		bridge.epoch++;
		refusal_recalled(&bridge, &track);
	}
	refused_for(&track, REFUSAL_SECONDS / 2);
	assert_false(refuse(&track, &soon));
	/* one that was not in a row, is in none by it */
	bridge.epoch += 5;
	clock_now += 100;
	refusal_recalled(&bridge, &track);
	refused_for(&track, REFUSAL_SECONDS);
}

static void test_promised(void **state)
{
	struct track track = { .job_id = 7, .promised = true, .token = { .id = 1, .deadline = 5 } };
	struct snap_job j = { .token = { .id = 1, .state = TOKEN_BROKEN } };
	bool soon;

	(void)state;
	refused_for(&track, REFUSAL_SECONDS);
	assert_true(refuse(&track, &soon));
	assert_true(track.refused);
	bridge.epoch++;
	assert_true(refusal_review(&bridge, &track, &j));
	assert_true(track.given_up);
	j.print = 1;
	assert_false(refusal_review(&bridge, &track, &j));
	assert_false(track.refused);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ten_seconds),
		cmocka_unit_test(test_row),
		cmocka_unit_test(test_recalled),
		cmocka_unit_test(test_promised),
	};
	log_options_t quiet = LOG_OPTS_INITIALIZER;

	quiet.stderr_level = LOG_LEVEL_FATAL;
	log_init("test_refusal", quiet, SYSLOG_FACILITY_DAEMON, NULL);
	return cmocka_run_group_tests_name("refusal", tests, NULL, NULL);
}

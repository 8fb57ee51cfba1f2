/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * turns.c: see turns.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "common/number.h"
#include "contrib/replay/clock.h"
#include "contrib/replay/turns.h"

static volatile sig_atomic_t continued;

static void on_continue(int signal)
{
	(void)signal;
	continued = 1;
}

static int fail(const char *what, const char *why)
{
	fprintf(stderr, "pact-replay: %s %s: %s\n", TURNS_OPTION, what, why);
	return 1;
}

/* A stretch of sleep. RET seconds in which it could run: where it was stopped meanwhile, half of what it meant to sleep. */
static double stretch(double seconds)
{
	double from, ran;

	/* Before the clock is read: a stop in between would count as time that it ran. */
	continued = 0;
	from = clock_now();
	clock_sleep(seconds);
	ran = continued ? seconds / 2 : clock_now() - from;
	return ran > 0 ? ran : 0;
}

int turns_run(const char *seconds, const char *stride)
{
	struct sigaction action = { .sa_handler = on_continue };
	int64_t wanted, step;
	double left;

	if (!number_micro(seconds, &wanted) || wanted < 0)
		return fail(seconds, "seconds are wanted");
	if (!number_micro(stride, &step) || step <= 0)
		return fail(stride, "more than no seconds are wanted");
	if (sigaction(SIGCONT, &action, NULL) < 0)
		return fail("SIGCONT", strerror(errno));
	left = (double)wanted / 1e6;
	while (left > 0)
		left -= stretch(left < (double)step / 1e6 ? left : (double)step / 1e6);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_plan.c - pact plan
 */
#include "contrib/pact/command.h"
#include "contrib/pact/show/chart.h"

static const struct option options[] = {
	{ "watch", optional_argument, NULL, WATCH_AGAIN },
	{ "svg", required_argument, NULL, WATCH_SVG },
	{ NULL, 0, NULL, 0 },
};

const struct command command_plan = {
	.name = "plan",
	.what = "who runs when and where, promised jobs with deadline and slack",
	.usage = "[--watch[=SECONDS]] [--svg FILE | --json]\n"
		 "  --watch     again every 2 seconds, or as many as are given\n"
		 "  --svg FILE  a picture of nodes over time; with --watch drawn again and again",
	.examples = "  pact plan --watch=10\n"
		    "  pact plan --svg plan.svg\n"
		    "  pact plan --json | jq '.jobs[] | select(.promised) | [.job, .slack]'\n",
	.options = options,
	.option = watch_option,
	.run = watch_run,
	.show = show_plan,
	.draw = chart_draw,
};

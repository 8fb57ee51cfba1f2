/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_stats.c - pact stats
 */
#include "contrib/pact/command.h"

static const struct option options[] = {
	{ "prometheus", no_argument, NULL, 1 },
	{ NULL, 0, NULL, 0 },
};

static int option(struct session *s, int opt, const char *value)
{
	(void)opt, (void)value;
	s->prometheus = true;
	return STATUS_OK;
}

static int run(struct session *s)
{
	static struct command prometheus;

	if (s->prometheus) {
		prometheus = *s->command;
		prometheus.show = show_prometheus;
		s->command = &prometheus;
	}
	return ask_and_show(s, stdout);
}

const struct command command_stats = {
	.name = "stats",
	.what = "decisions, promises kept and broken, and what they cost",
	.usage = "[--prometheus] [--json]\n"
		 "  --prometheus  Prometheus' text exposition format",
	.examples = "  pact stats --prometheus >/var/lib/prometheus/node-exporter/pact.prom\n",
	.options = options,
	.option = option,
	.run = run,
	.show = show_stats,
};

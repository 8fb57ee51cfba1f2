/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options: pact-replay's command line. They are spelled as pact-sim's where both have them.
 */
#ifndef PACT_REPLAY_OPTIONS_H
#define PACT_REPLAY_OPTIONS_H

#include <stdbool.h>

#include "contrib/replay/feed.h"
#include "contrib/replay/show.h"
#include "contrib/replay/submit.h"

#define MAX_SETS 32

struct options {
	struct feed_options feed; /* nodes and guard as given; 0 and < 0 if they were not */
	const char *sets[MAX_SETS + 1];
	const char *partition; /* NULL: the default one */
	const char *slurm_conf;
	const char *jobcomp; /* NULL: where slurm.conf says */
	const char *json, *csv, *text;
	int64_t slack;	    /* < 0: not given */
	int64_t stop_after; /* seconds after which nothing more is submitted; 0: never */
	int64_t patience;   /* seconds of the wall for a Slurm that does not answer */
	enum show_level show;
	bool raw_sleep;
	enum job_work work;
	bool dry_run;
};

enum options_rc {
	OPTIONS_GO,
	OPTIONS_DONE,  /* help or version was shown */
	OPTIONS_WRONG, /* a message was shown */
};

enum options_rc options_parse(int argc, char **argv, struct options *o);

#endif /* PACT_REPLAY_OPTIONS_H */

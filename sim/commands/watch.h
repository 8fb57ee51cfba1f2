/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watch: what a run has to tell people, on standard error: its messages, and on a terminal how much of
 * the log has been read, then how many jobs have been submitted, with the time left.
 */
#ifndef PACT_SIM_WATCH_H
#define PACT_SIM_WATCH_H

#include <stdbool.h>

#include "common/progress.h"
#include "sim/commands/run.h"

struct watch {
	struct progress progress;
	bool quiet; /* no progress */
	bool runs;  /* the log has been read */
};

/* Begin; the hooks of run_execute() and run_workload() that tell it. They borrow w. */
struct run_hooks watch_begin(struct watch *w, bool quiet);

/* The run is over: wipe what stands on the terminal. */
void watch_end(struct watch *w);

#endif

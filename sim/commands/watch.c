/* SPDX-License-Identifier: GPL-2.0-or-later */
/* watch: see watch.h. */
#include "sim/commands/watch.h"

#include <stdio.h>

static void say(void *arg, const char *message)
{
	struct watch *w = arg;

	progress_wipe(&w->progress);
	fprintf(stderr, "pact-sim: %s\n", message);
}

static void reading(void *arg, double bytes, double of)
{
	struct watch *w = arg;

	progress_show(&w->progress, "MB read", bytes / 1e6, of / 1e6);
}

static void submitted(void *arg, size_t jobs, size_t count)
{
	struct watch *w = arg;

	/* The time that is left of this follows from its own. */
	if (!w->runs) {
		progress_wipe(&w->progress);
		progress_begin(&w->progress, w->quiet);
		w->runs = true;
	}
	progress_show(&w->progress, "jobs", (double)jobs, (double)count);
}

struct run_hooks watch_begin(struct watch *w, bool quiet)
{
	*w = (struct watch){ .quiet = quiet };
	progress_begin(&w->progress, quiet);
	return (struct run_hooks){
		.say = say, .reading = reading, .progress = submitted, .arg = w
	};
}

void watch_end(struct watch *w)
{
	progress_wipe(&w->progress);
}

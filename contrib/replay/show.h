/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show: what a person sees while a replay runs.
 *
 * The state line goes to the standard error: rewritten in place on a terminal, else one line every
 * ten seconds of the wall. Events go to the standard output, a line each. Times in them count from
 * the replay's start on the cluster's clock.
 */
#ifndef PACT_REPLAY_SHOW_H
#define PACT_REPLAY_SHOW_H

#include "contrib/replay/track.h"

enum show_level {
	SHOW_QUIET,	 /* nothing */
	SHOW_STATE,	 /* the state line */
	SHOW_DEADLINES,	 /* also what happens to jobs with a deadline, and all trouble */
	SHOW_EVERYTHING, /* also every submission, start and end */
};

struct show;

/* `t` is borrowed; `start` is the cluster's time at the replay's start. NULL: no memory. */
struct show *show_create(enum show_level level, const struct track *t, int64_t start);
void show_destroy(struct show *s);

/* `text`: Slurm's words about it, may be "". */
void show_submitted(struct show *s, const struct replay_job *job, const char *text);
/* A start, an end, a loss. */
void show_change(struct show *s, const struct replay_job *job, enum fate before);
/* Something that is not about one job. Shown at every level but SHOW_QUIET. */
void show_note(struct show *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Draw the state line if it is time for it. `lag`: seconds behind the log's timing, now. */
void show_state(struct show *s, int64_t lag);
/* The last one; the cursor stands on a new line. */
void show_finish(struct show *s);

#endif /* PACT_REPLAY_SHOW_H */

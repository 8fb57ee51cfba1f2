/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * answer: the plugin's line about a deadline, taken apart for a reader who sees beside it what was
 * asked for. Of another text than the plugin's, all stays.
 */
#ifndef PACT_REPLAY_ANSWER_H
#define PACT_REPLAY_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

#define ANSWER_WHY 512

struct answer {
	int64_t start; /* accepted: the planned start, seconds since the epoch; else 0 */
	/* Accepted where jobs share nodes: what it begins with, per cent, 0: not told; nothing was promised. */
	int32_t share;
	bool expected;
	int64_t offer;	      /* refused: the earliest deadline on offer, or 0 */
	char why[ANSWER_WHY]; /* refused: the reason, without request, deadline and offer */
};

/* `text`: Slurm's words; the job asked for `width` nodes for `limit` seconds. */
void answer_read(const char *text, int32_t width, int64_t limit, struct answer *a);

#endif /* PACT_REPLAY_ANSWER_H */

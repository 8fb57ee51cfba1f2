/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * payoff: what a job's end is worth (paper 004, section 4.2): its value until half of the time from its submission to its
 * deadline is over, from then on less, in proportion to the time, down to nothing at the deadline. In millionths,
 * rounded down; times are whole seconds.
 */
#ifndef PACT_CORE_PAYOFF_H
#define PACT_CORE_PAYOFF_H

#include <stdint.h>

/* No value is more, so that those of all jobs can be summed. */
#define PAYOFF_MOST (INT64_C(1) << 50)

struct payoff {
	int64_t value; /* 0 to PAYOFF_MOST */
	int64_t submit, deadline;
};

/* Of an end at that time; PACT_FOREVER: never, which is worth nothing. */
int64_t payoff_at(const struct payoff *p, int64_t end);

#endif

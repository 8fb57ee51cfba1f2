/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * margin: where the next node brings most, and whom it costs least, in what the jobs' ends are worth (payoff.h).
 *
 * The cheapest nodes come in a sequence: idle ones, at no loss, then again and again that of the job that loses least by
 * giving one more, ties the older job, none below its floor. It is the same for all that may have any node, and is found
 * once for all of them, as far as they ask, until something changes. O(log running) for each node, after O(running).
 */
#ifndef PACT_CORE_MALLEABLE_MARGIN_H
#define PACT_CORE_MALLEABLE_MARGIN_H

#include "core/malleable/state.h"

/* What a job's end is worth if it has n nodes from now on; 0 nodes: nothing. It is as of now. */
int64_t margin_worth(const struct malleable *s, const struct job *j, int32_t n);

/* Floors, what is idle or what is whose has changed. */
void margin_changed(struct malleable *s);

/* How many nodes there are for this job, a new one, idle or beyond the floors of others. The rest is about these. */
int32_t margin_begin(struct malleable *s, struct job *to);

/* What the first n of them cost, if that is at most `most`; else more than that. n is not more than there are. */
int64_t margin_cost(struct malleable *s, int32_t n, int64_t most);

/*
 * The job gets the first n, which were asked for by margin_cost(). What others lose goes on as it was if all n were idle; if
 * the job itself has more than its floor then, that is the caller's to tell (margin_changed()).
 */
void margin_take(struct malleable *s, struct job *to, int32_t n);

/* Idle nodes one by one to the job that gains most by it, though that be nothing, ties the older job. */
void margin_give_out(struct malleable *s);

#endif

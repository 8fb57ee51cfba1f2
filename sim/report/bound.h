/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bound: how much of a workload with deadlines any method could promise at most, and so how much every
 * one must refuse.
 *
 * The bound is a relaxation: it lets a method know all jobs beforehand, interrupt and move them at will,
 * give a job any number of nodes up to its width at any moment, and promise a part of a job. What is left
 * is a transport of work. The time is cut into parts; a job of w nodes brings w x runtime
 * processor-seconds; of them a part takes at most w times the seconds that it shares with
 * [submission, deadline), and of all jobs at most the machine's nodes times its length. The most that
 * can be transported is a maximum flow, found exactly by Dinic's algorithm (E. A. Dinic, 1970). No
 * schedule that keeps its promises can do more: its own busy processor-seconds are such a transport.
 *
 * Jobs without a deadline are left out, as if they could be put off for ever. A job that could not meet
 * its deadline on an empty machine counts as refused.
 */
#ifndef PACT_SIM_BOUND_H
#define PACT_SIM_BOUND_H

#include <stddef.h>
#include <stdint.h>

#include "sim/workload/workload.h"

#define BOUND_PARTS 4000

struct bound {
	size_t jobs;   /* with a deadline */
	size_t parts;  /* that the time was cut into */
	int64_t asked; /* processor-seconds of theirs, by runtimes */
	int64_t most;  /* of them can be promised by any method */
};

/*
 * The time is cut at all submissions and deadlines if there are no more than `parts` such intervals,
 * else at `parts` of them, evenly: fewer parts only make `most` greater. Memory and time per pass grow
 * with the pairs of a job and a part that it overlaps. 0; PACT_ENOMEM; PACT_EINVAL: the work or the
 * times are too great for 63 bits, or parts is 0.
 */
int bound_find(const struct workload *w, uint32_t nodes, size_t parts, struct bound *b);

/* The least share of the processor-seconds asked for that must be refused, in percent. */
double bound_least_pct(const struct bound *b);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loss: the loss of capacity, by equations 2 and 3 of the paper on gang scheduling (section 2.3). */
#ifndef PACT_SIM_REPORT_LOSS_H
#define PACT_SIM_REPORT_LOSS_H

#include "sim/report/metrics.h"

/*
 * Node seconds lost: the numerator of both equations. Nodes that no job has count in full from a scheduling event,
 * an arrival or an end, to the next one if after the first of them a job waits (delta): it was submitted by then, and
 * has not started before the next one. With slices (m->slices) what jobs lost by switching counts, too, where they
 * began to run at a time when a job waited; what migrating cost does not. Where the matrix is computed at the ends of
 * slices alone, starts are events, too. -1: no memory. Cost: a sort of the jobs' times, and a binary search for each
 * span.
 */
double loss_node_seconds(const struct metrics *m);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* held: what jobs had of nodes, whole ones and shared ones, as sums over a schedule take it. */
#ifndef PACT_SIM_REPORT_HELD_H
#define PACT_SIM_REPORT_HELD_H

#include "sim/report/metrics.h"

/* Shares in parts of a node; as exact as its processors divide this. */
#define HELD_NODE_WHOLE INT64_C(720720)

__extension__ typedef __int128 held_parts;

/* Did it run, and is over? */
bool held_ran(const struct sim_outcome *o);

/* Nodes that it had in this span. */
int64_t held_nodes(const struct sim_span *x);

/* By how much more of a node is in use from then on, in parts of HELD_NODE_WHOLE x SHARE_WHOLE. */
held_parts held_more(const struct metrics *m, const struct sim_share *e);

/* Such parts of a node for so many microseconds, as node seconds. */
double held_seconds(held_parts parts);

#endif

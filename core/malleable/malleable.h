/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * malleable: the engine of jobs that have a range of nodes, and whose width changes while they run (paper 004, section
 * 3.2). Each running job has at least its floor; which jobs are started, and where the nodes beyond the floors go, is
 * decided anew after each event. How that is done is in doc/engines.md, "Malleable", the readings of the paper in
 * doc/papers.md. A job without a range is one whose fewest nodes are the most that it can use. One whose range is for its
 * start only (JOB_MOLDABLE) is such a job, too; it may be started on more nodes, which are spare then.
 */
#ifndef PACT_CORE_MALLEABLE_MALLEABLE_H
#define PACT_CORE_MALLEABLE_MALLEABLE_H

#include "core/kernel/engine.h"

struct malleable_kind;

extern const struct engine engine_malleable;

extern const struct malleable_kind
	malleable_uniform; /* section 3.2.2: first fit, the rest in equal parts */
extern const struct malleable_kind malleable_profit; /* section 3.2.4: what brings most */
extern const struct malleable_kind
	malleable_lazy; /* section 3.2.5: or is deferred to the lookahead */

#endif

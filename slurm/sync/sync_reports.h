/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_reports.h - what nodes' daemons have reported, told to the core
 */
#ifndef PACT_SLURM_SYNC_REPORTS_H
#define PACT_SLURM_SYNC_REPORTS_H

#include "slurm/sync/sync_job.h"

/* What the nodes of realms have, and how fast they are: when the core does not know it yet, and after a change. */
void sync_nodes(struct sync *s);

/*
 * Where reports are taken: how far jobs have come, and which nodes are silent or lack something and get no new
 * job. To a core that has been told none of it: after sync_all_running(), in one go.
 */
void sync_reports_anew(struct sync *s);

/*
 * The same in each later pass, after sync_apply(): with many nodes that takes long, so the mutex is given up between,
 * and admissions are decided by what has been told until then.
 */
void sync_reports(struct bridge *b, const struct snapshot *snap);

/* Nothing is known any more: the core is begun anew. */
void sync_forget_nodes(struct bridge *b);

#endif /* PACT_SLURM_SYNC_REPORTS_H */

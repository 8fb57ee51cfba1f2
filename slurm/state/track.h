/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * track.h - the jobs that both slurmctld and the core know
 *
 * Found by slurmctld's name for a job, by the core's, and by its array.  All with the mutex.
 */
#ifndef PACT_SLURM_TRACK_H
#define PACT_SLURM_TRACK_H

#include "slurm/state/bridge.h"

uint64_t track_key(uint32_t base_id, uint32_t task);

/* A key as the table takes it: job ids stand in the upper half, and its hash wants the lower. */
uint64_t track_spread(uint64_t key);

/* Before the first pass there are no tracks, and none is found. */
struct track *track_find(struct bridge *b, uint64_t key);

struct track *track_by_core(struct bridge *b, uint64_t core);

/* A new track with a core id (0: a fresh one).  NULL: no memory. */
struct track *track_add(struct bridge *b, uint64_t key, uint64_t core);

void track_remove(struct bridge *b, struct track *track);

/* The tracks of an array's tasks: this one and, by next_task, the others.  NULL: none. */
struct track *track_first_task(struct bridge *b, uint32_t base_id);

/* All of them, and their tables: the core is begun anew. */
void track_forget_all(struct bridge *b);

/*
 * A running job was to have just these nodes, and Slurm would never do that (resize.h, RESIZE_NEVER): it is not asked for it
 * again in the next ten minutes, if it is not resized and slurm.conf not read anew before.
 */
void track_rule_out(struct track *track, const struct nodeset *nodes, int64_t now);
/* The same of all that is more than it has, whichever nodes these are (RESIZE_DENIED; and RESIZE_NEVER, if it was more). */
void track_rule_out_more(struct track *track, int64_t now);
bool track_ruled_out(const struct track *track, const struct nodeset *nodes, int64_t now);

#endif /* PACT_SLURM_TRACK_H */

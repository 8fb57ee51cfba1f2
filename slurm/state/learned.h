/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * learned.h - what RiskLimit has learned, kept over a restart
 *
 * The core learns from each job that ends in a realm what that needed of its limit, and says so.  That
 * goes into the database of the history, by uid and partition, through the thread that writes there.
 * A core that is made anew has learned nothing: the same thread reads what is kept, and it is told
 * before the first job is, in events that a recording has like all others.  What a partition's jobs
 * needed is told of the realm that has its nodes now; where there is none it is left out.
 *
 * Without RiskLimit every function here does nothing.
 */
#ifndef PACT_SLURM_LEARNED_H
#define PACT_SLURM_LEARNED_H

#include <stdbool.h>

#include "core/sched.h"

struct bridge;

/*
 * Have what is kept read, where the core has not been told it.  The thread that plans, with no lock
 * held; blocks on nothing.
 * RET false: it is being read still
 */
bool learned_load(struct bridge *b);

/* The rest with the mutex. */

/* The core has been made anew. */
void learned_begin(struct bridge *b);

/* Tell the core what has been read. */
void learned_teach(struct bridge *b);

/* The core has learned something (ACT_LEARNED). */
void learned_note(struct bridge *b, const struct sched_action *action);

#endif /* PACT_SLURM_LEARNED_H */

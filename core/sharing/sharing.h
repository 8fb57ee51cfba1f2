/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sharing: the engine of jobs that share nodes (kernel/engine.h). An accepted job starts at once, several to a
 * node, and its nodes' processors are given out by deadline (share.h). Its kinds differ in which nodes suit a job
 * (fit.h); readings of the paper are in doc/papers.md, what it says and hears in doc/engines.md.
 *
 * A job with a deadline is accepted at its submission or refused for ever. One without waits until nodes suit
 * the artificial deadline that it would get from then on, max(MinArtificialDeadline, Relaxation x limit), in
 * the order of priority (slurm mode), submission and id; no job overtakes it. Once it has waited as long as
 * that, the nodes that have most left are kept for it, and those that they could be promised to are refused.
 *
 * edf is of this engine, too, and shares nothing: a job has its nodes for itself, and all jobs wait, the
 * earliest deadline first. The first one is refused if started now it would miss its deadline by its limit.
 */
#ifndef PACT_CORE_SHARING_SHARING_H
#define PACT_CORE_SHARING_SHARING_H

#include "core/kernel/engine.h"

struct sharing_kind;

extern const struct engine engine_sharing;

extern const struct sharing_kind sharing_libra;	    /* LibraRisk, section 3.1 */
extern const struct sharing_kind sharing_librarisk; /* LibraRisk, Algorithm 1 */
extern const struct sharing_kind sharing_demand;    /* demand.h */
extern const struct sharing_kind sharing_edf; /* LibraRisk, section 4: what it is compared with */

#endif

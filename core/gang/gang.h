/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gang: the engine of jobs that take turns on their nodes (kernel/engine.h): gang scheduling on an Ousterhout matrix
 * (matrix.h). In each time slice the jobs of one row run, and all others are suspended. The kinds differ in how
 * waiting jobs get into the matrix (schedule.c) and which phases a pass is made of (pass.c). Readings of the paper are
 * in doc/papers.md, what the engine says and hears in doc/engines.md.
 *
 * What happens at an instant changes the matrix at once, in a pass for each event; what runs is changed when the
 * instant is over. So each drain that may have changed it asks to be woken at once, and EV_TIME ends the instant.
 *
 * It promises nothing: a deadline is refused with REFUSE_DISABLED. But it can say by when each job has ended (claims), and
 * places none where another engine's jobs are to be before that: so promises stand beside it (core/beside).
 */
#ifndef PACT_CORE_GANG_GANG_H
#define PACT_CORE_GANG_GANG_H

#include "core/kernel/engine.h"

struct gang_kind;

extern const struct engine engine_gang;

extern const struct gang_kind gang_gs;	 /* section 6.1 */
extern const struct gang_kind gang_bgs;	 /* section 6.2: with backfilling in each row */
extern const struct gang_kind gang_mgs;	 /* section 6.4: with migration */
extern const struct gang_kind gang_mbgs; /* section 6.5: with both */
/*
 * Between mbgs and bf by itself (section 6.3): while jobs that would fill a row wait for room in the matrix, each row
 * keeps its turn for as many slices as it takes for switches to cost no more than SwitchLoss.
 */
extern const struct gang_kind gang_ambgs;
extern const struct gang_kind gang_bf; /* section 3: backfilling alone, which is bgs with one row */

#endif

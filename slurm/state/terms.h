/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terms.h - is what was decided what its record asks for?
 *
 * A submission is decided before Slurm's own checks, which fill in defaults, round, sort and replace,
 * and a change before Slurm makes it.  So what was described then (describe.h) is kept until a snapshot
 * shows the record, and compared with what the planner makes of that, field by field.  A promise that
 * was made for other terms is planned anew by those of its record, which may cost it, or another one:
 * a difference is a fault of ours, told in the log and counted (tally.h).
 *
 * What was changed in between is no difference: the job itself (unconfirmed_changed), a partition or
 * slurm.conf, where either has changed since, or in the second of the decision.  Nor is a partition in
 * which no node is for it, and which may fall out when Slurm has tried the job in another
 * (OverSubscribe=EXCLUSIVE there makes it exclusive everywhere).  Nor is what the plan knows: a begin time
 * that has come, and the limit granted, which a QOS, an account or the deadline may have cut (the
 * description has the one asked for).
 *
 * What is noted ends in one of two ways: it is compared, or it is left out for a cause that is counted
 * (enum tally_left).
 *
 * All with the mutex.
 */
#ifndef PACT_SLURM_TERMS_H
#define PACT_SLURM_TERMS_H

#include "slurm/state/bridge.h"

/*
 * Note what was described; malloc()ed, NULL: no memory.
 * IN tasks - of the array; else 1
 */
struct terms *terms_note(const struct description *what, uint32_t tasks);

/*
 * Compare a record's terms, as a snapshot has them, with what was noted.
 * OUT text - what differs: "width: 2, now 3; ..."; empty when nothing does
 * RET false: there is a difference
 */
bool terms_equal(const struct terms *noted, const struct snap_job *j, char *text, size_t size);

/* The decision that a track stands for from now on; takes terms over.  NULL: there was no memory. */
void terms_expect(struct bridge *b, struct track *track, struct terms *terms);

/* What was noted is not to be compared: count why, free it and clear *terms.  Nothing for NULL. */
void terms_leave(struct bridge *b, struct terms **terms, enum tally_left why);

/* How many decisions wait for their records. */
uint64_t terms_open(const struct bridge *b);

/*
 * Compare and forget: log and count a difference, or count it as left out where the site may be the cause.  Nothing where nothing was noted.
 * IN site - when a partition or slurm.conf has changed last (snapshot.site)
 */
void terms_check(struct bridge *b, struct track *track, const struct snap_job *j, int64_t site);

#endif /* PACT_SLURM_TERMS_H */

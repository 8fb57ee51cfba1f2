/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notice: what jobs have, by the records, and what of that they were asked to give back. A node that is another job's by
 * decision is there for it when no job has it any more. Nothing here decides.
 */
#ifndef PACT_CORE_MALLEABLE_NOTICE_H
#define PACT_CORE_MALLEABLE_NOTICE_H

#include "core/malleable/state.h"

/* What the job is given, in seconds: its own, but not more than others can count on. */
int64_t notice_of(const struct malleable *s, const struct job *j);

/* Has no other job the node? */
bool notice_there(const struct malleable *s, const struct job *j, uint32_t node);

/* Can it have so many at once, idle ones that no job has, and those that it names among them? */
bool notice_at_once(const struct malleable *s, const struct job *j, int32_t n);

/* Of its nodes some are not to be its, and it was not asked for them; or was, and they are to stay its. */
bool notice_is_due(const struct malleable *s, const struct job *j);

/* It was asked for all that it has and that is not in `keeps`. */
void notice_give(struct job *j, const struct nodeset *keeps);

/* Of what it was asked for it may keep these; NULL: all. */
void notice_keep(struct job *j, const struct nodeset *keeps);

/* Does it have just `keeps`, but for what it was asked for? */
bool notice_is_kept(const struct malleable *s, const struct job *j, const struct nodeset *keeps);

/* It has these instead of what it has; NULL: none. */
void notice_has(struct malleable *s, struct job *j, const struct nodeset *nodes);

#endif

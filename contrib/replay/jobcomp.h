/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobcomp: the second source for a job's end, the file that jobcomp/filetxt writes.
 *
 * A job whose record slurmctld dropped between two looks stands there all the same.
 */
#ifndef PACT_REPLAY_JOBCOMP_H
#define PACT_REPLAY_JOBCOMP_H

#include "contrib/replay/submit.h"
#include "contrib/replay/track.h"

/*
 * Gives lost jobs the end that the file knows, if it names them by id and name. Returns how many;
 * < 0: the file cannot be read (errno).
 */
int jobcomp_recover(const char *path, struct track *t, const struct submitter *s);

#endif /* PACT_REPLAY_JOBCOMP_H */

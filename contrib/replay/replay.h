/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay: the loop. Submits each job when its time has come, looks at Slurm meanwhile, and ends
 * when every job has ended, on an interrupt, or when Slurm has not answered for too long.
 *
 * One thread. A submission that Slurm cannot take now is tried again, in its turn: the jobs behind
 * it wait, and the lag grows and is reported.
 */
#ifndef PACT_REPLAY_REPLAY_H
#define PACT_REPLAY_REPLAY_H

#include "contrib/replay/options.h"
#include "contrib/replay/show.h"
#include "contrib/replay/submit.h"
#include "contrib/replay/track.h"
#include "contrib/replay/watch.h"

struct replay {
	const struct options *options;
	const struct cluster *cluster;
	struct track *track;
	struct words *words;
	struct submitter *submitter;
	struct watch *watch;
	struct show *show;
	int64_t start; /* the cluster's time of the first submission */

	double overhead;     /* of starting and ending a job, smoothed, the cluster's clock */
	size_t next;	     /* job to be submitted */
	double next_look;    /* the cluster's clock */
	double silent_since; /* the wall's clock; 0: Slurm answers */
	double retry_at;     /* the wall's clock */
	bool doubtful;	     /* the last submission had no answer: it may be in Slurm or not */
	int64_t doubtful_deadline;
	int64_t told_lag; /* the lag that the user was told of last */
};

enum replay_rc {
	REPLAY_DONE,
	REPLAY_INTERRUPTED,
	REPLAY_UNREACHABLE,
	REPLAY_NOMEM,
};

/* The part above the blank line is the caller's, the rest zero. */
enum replay_rc replay_run(struct replay *r);

/* The watcher's watch_fn, `replay` being the struct replay. */
void replay_on_change(const struct replay_job *job, enum fate before, void *replay);

#endif /* PACT_REPLAY_REPLAY_H */

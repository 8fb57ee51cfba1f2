/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report: a finished replay as text, as JSON and as a line of CSV for each job.
 *
 * The JSON's keys that pact-sim has too mean the same here. CSV columns: id,submit,width,estimate,
 * runtime,deadline,promised,start,end,state,slurm_job_id,ran; times count from the replay's start, -1
 * where there is none; deadline 0: none; states as in pact-sim's CSV, or Slurm's in lower case
 * where the simulator has none of the kind.
 */
#ifndef PACT_REPLAY_REPORT_H
#define PACT_REPLAY_REPORT_H

#include <stdio.h>

#include "contrib/replay/feed.h"
#include "contrib/replay/submit.h"
#include "contrib/replay/summary.h"
#include "contrib/replay/track.h"
#include "contrib/replay/watch.h"

struct report {
	const struct feed_options *feed;
	const struct feed_stats *stats;
	const struct cluster *cluster;
	const struct track *track;
	int64_t start; /* the cluster's time at the replay's start */
	int64_t slack; /* seconds added to every deadline */
	double speed;
	enum job_work work;
	double wall;
	bool interrupted;
	struct summary sum;
};

void report_text(const struct report *r, FILE *f);
/* False: the file cannot be written (errno). "-" is the standard output. */
bool report_text_file(const struct report *r, const char *path);
bool report_json(const struct report *r, const char *path);
bool report_csv(const struct report *r, const char *path);

#endif /* PACT_REPLAY_REPORT_H */

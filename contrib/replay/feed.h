/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * feed: the jobs of a replay, from a log or a model, with their deadlines, as the simulator has
 * them.
 *
 * In this order: read or generate; cut the slice out; drop what is wider than the machine; compress
 * arrival gaps; shrink runtimes and estimates; make estimates exact; round them up to Slurm's whole
 * minutes; assign deadlines (sim/run/deadlines.h), on these very jobs.
 */
#ifndef PACT_REPLAY_FEED_H
#define PACT_REPLAY_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contrib/replay/track.h"
#include "sim/run/deadlines.h"

struct feed_options {
	const char *trace; /* a log's path, or NULL: */
	const char *model;
	const char *const *sets; /* "key=value" for the model, NULL-terminated */
	int64_t first, count;	 /* slice, first counts from 1; count 0: all (a model: 300) */
	bool exact;		 /* estimates: the runtimes */
	struct deadlines deadlines;
	uint64_t seed;
	uint32_t nodes;
	int64_t guard;
	int64_t scale_micro;  /* arrival gaps are divided by this, in millionths */
	int64_t shrink_micro; /* runtimes and estimates, likewise */
};

struct feed_stats {
	uint64_t read;	   /* jobs in the source */
	uint64_t unusable; /* lines and jobs of the log that are none */
	uint64_t wide;	   /* dropped from the slice: wider than the machine */
	uint64_t killed;   /* outlived their estimate in the log */
};

/* 0 or enum pact_err with the reason in `why`; the track may hold a part of the jobs then. */
int feed(const struct feed_options *o, struct track *t, struct feed_stats *stats, char *why,
	 size_t size);

#endif /* PACT_REPLAY_FEED_H */

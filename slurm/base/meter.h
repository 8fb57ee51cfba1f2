/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * meter.h - how long things take: histograms since slurmctld started
 *
 * Plain C and atomics: from any thread, without a lock.
 */
#ifndef PACT_SLURM_METER_H
#define PACT_SLURM_METER_H

#include <stdint.h>

enum meter {
	METER_DECISION,	  /* a submission or change, with the plan's mutex */
	METER_WAIT,	  /* a submission or change, waiting for that mutex */
	METER_ASK,	  /* a question of pact ask, its alternatives included */
	METER_PASS,	  /* a pass of the planning thread, all of it */
	METER_PASS_CPU,	  /* processor time of the thread in a pass */
	METER_PLANNING,	  /* the planning of a pass */
	METER_SNAPSHOT,	  /* slurmctld's locks held to read only, in all of a pass */
	METER_WRITING,	  /* slurmctld's locks held to write, in all of a pass */
	METER_READ_LOCK,  /* slurmctld's locks held to read only, in one piece */
	METER_WRITE_LOCK, /* slurmctld's locks held to write, in one piece */
	/* Processor time in one such piece: less than the clock's where the thread waited for a processor. */
	METER_READ_CPU,
	METER_WRITE_CPU,
	METER_SWITCH, /* rows are switched: from the first job's suspension or resumption to the last one's */
	METER_RESIZE, /* a running job is given nodes, asked for them, or these are taken: slurmctld's locks held for it */
	METER_RESIZE_CPU, /* processor time in that */
	METERS
};

/* 1, 2 and 5 times powers of ten from 100 us to 5 s, and what is above. */
#define METER_BOUNDS 15

struct meter_reading {
	uint64_t count[METER_BOUNDS + 1]; /* of each interval, not in sum */
	uint64_t n;
	int64_t sum;   /* microseconds */
	int64_t worst; /* the longest */
};

void meter_add(enum meter meter, int64_t us);
void meter_read(enum meter meter, struct meter_reading *out);
/* The word for it in answers. */
const char *meter_name(enum meter meter);
/* Upper bound of the i-th interval in microseconds, i < METER_BOUNDS. */
int64_t meter_bound(int i);

#endif /* PACT_SLURM_METER_H */

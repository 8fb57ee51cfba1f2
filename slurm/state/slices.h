/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slices.h - what jobs that take turns got of their nodes, and what the switches of their rows came to
 *
 * Counters are since slurmctld started, also where a reconfiguration has started a new process since (handover.h).
 * What a job got and was due begins anew with each process, for both at the same moment.
 *
 * All with the bridge's mutex, but for slices_lack().
 */
#ifndef PACT_SLURM_SLICES_H
#define PACT_SLURM_SLICES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/sched.h"

struct bridge;
struct snapshot;

/* What was done to jobs for the turns of others, and for their own, and what came of migrations. */
struct slices {
	uint64_t switches;  /* rows that were switched: a job at least was suspended or resumed */
	uint64_t suspended; /* jobs, in all switches */
	uint64_t resumed;
	uint64_t
		refused; /* turns that were not taken: the job was over, only beginning, or stopped by hand */
	uint64_t repeated; /* messages to a job's nodes that were sent again */
	/* Jobs that were wished elsewhere: */
	uint64_t asked;	  /* to leave their nodes, */
	uint64_t moved;	  /* and have; */
	uint64_t late;	  /* or had not in time, and stay */
	uint64_t unasked; /* could not be asked */
	uint64_t cost,
		latest; /* C of those that have left, all together, and of the last one; seconds */
	int64_t began;	/* the switch at work, monotonic microseconds; 0: none is */
	bool any;	/* something has been done in it */
};

/* What a job got of its nodes and was due, in the same time. */
struct slices_account {
	int64_t since; /* the beginning of that time; 0: there is none yet */
	int64_t until; /* its end: the last look */
	int64_t got;   /* seconds in which it ran */
	int64_t due;   /* seconds in which it was some row's turn to run it, in `rows`ths */
	uint32_t rows; /* of the matrix */
	uint32_t in;   /* rows that it is in, from the last look on */
	int64_t ran;   /* how long it had run by its record when that time began */
};

/* One job's turn was taken, or was not: a switch begins with the first. */
void slices_turn(struct bridge *b, bool suspend, bool done);

/* The core wants no more turns now: the switch at work, if there is one, is over. */
void slices_switched(struct bridge *b);

/* So many messages were sent again. */
void slices_repeated(struct bridge *b, uint64_t n);

/* A job has left its nodes, as it was asked to; its C was found to be that. */
void slices_moved(struct bridge *b, int64_t cost);

/* Look at what each running job that takes turns has got since the last look. */
void slices_look(struct bridge *b, const struct snapshot *snap);

/* Calls visit with each counter, which it may change, and a name that no other has (tally_each()). */
void slices_each(struct slices *s, void (*visit)(void *arg, const char *name, uint64_t *counter),
		 void *arg);

/*
 * What a job lacks to have a place in the matrix; by its key (track.h).  It takes the mutex if it is to be had within
 * AdmissionTime.  RET false: it was not, or there is no such job
 */
bool slices_lack(struct bridge *b, uint64_t key, enum sched_lack *lack);

/* So many rows are in a set of them. */
uint32_t slices_rows(uint64_t in);

/* In millionths of all time; 0 where there is none yet. */
int64_t slices_got(const struct slices_account *a);
int64_t slices_due(const struct slices_account *a);

#endif /* PACT_SLURM_SLICES_H */

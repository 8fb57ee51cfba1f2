/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ref_malleable: jobs that grow and shrink, as Kumar prints them (malleable, section 3.2): uniform first fit, simple
 * profit driven, lazy. Arrays and linear loops, nothing shared with the core. A traditional job is one whose least
 * is its most. How the text is read where it leaves something open is said in ref_malleable.c.
 *
 * Time is in ticks, whatever they are. Work is kept exactly: a job on w processors does rate[w] of it per tick and ends
 * at the first tick by which it is done. An event is all ends of one instant, or a submission, or the latest start
 * of a job that waits; in this order. Shrinking and growing take no time.
 */
#ifndef PACT_TEST_REF_MALLEABLE_H
#define PACT_TEST_REF_MALLEABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REF_MALLEABLE_NODES 128

enum ref_malleable_strategy { REF_UNIFORM, REF_PROFIT, REF_LAZY };

__extension__ typedef __int128 ref_work;

enum ref_malleable_state {
	REF_TO_COME, /* not submitted yet */
	REF_QUEUED,  /* uniform: it waits for its least; lazy: it is accepted and waits */
	REF_RUNS,
	REF_ENDED,
	REF_REFUSED,
};

struct ref_malleable_job {
	/* given; jobs are in the order of submission, ties by place */
	int64_t submit;
	int least, most; /* 1 <= least <= most <= nodes */
	const int64_t *
		rate; /* work per tick on w processors at rate[w], w from 1 to most; it never falls */
	ref_work work;	  /* >= 1 */
	int64_t deadline; /* absolute; not looked at by uniform */
	int64_t value;	  /* what it is worth, in millionths; the same */
	/* found */
	enum ref_malleable_state state;
	int64_t start, end; /* -1: never */
	int64_t payoff;	    /* what it brought, in millionths */
	int64_t area;	    /* processors x ticks that it had */
	bool deferred;	    /* lazy: it was accepted to start later */
	bool forced;	    /* and had to, at its latest start */
	/* working state */
	int width, floor, told;
	ref_work left;
	int64_t latest; /* start, of a job that was deferred */
};

struct ref_malleable_setup {
	enum ref_malleable_strategy strategy;
	int nodes;  /* 1 to REF_MALLEABLE_NODES */
	bool apart; /* see above */
	/*
	 * Called when an event is over, for each job that has another width than before, and with 0 before the event for
	 * each that has ended; may be NULL.
	 */
	void (*resized)(void *arg, int64_t now, size_t job, int width);
	void *arg;
};

/* Run the jobs to the end of the last. 0; -1: the setup or a job cannot be. Cost: for small machines. */
int ref_malleable_run(const struct ref_malleable_setup *setup, struct ref_malleable_job *job,
		      size_t n);

/* What a job is worth if it ends at `end`, in millionths (section 4.2), rounded down. */
int64_t ref_malleable_payoff(const struct ref_malleable_job *j, int64_t end);

#endif

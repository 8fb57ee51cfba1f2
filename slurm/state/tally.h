/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tally.h - what became of the promises
 *
 * Counted since slurmctld started, also where a reconfiguration has started a new process since
 * (handover.h); a promise is one job's, so an array counts
 * once per task.  Whether a promise was kept is judged by the end that Slurm
 * recorded, not by the plan.  A job that Slurm killed at its own limit counts as
 * kept, for the limit was the user's, and is counted and told apart.
 *
 * All with the bridge's mutex, but for tally_busy().
 */
#ifndef PACT_SLURM_TALLY_H
#define PACT_SLURM_TALLY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Why a deadline was refused, or would have been (AdmissionMode=observe). */
enum tally_why {
	TALLY_NO_ROOM,	   /* no feasible plan */
	TALLY_TOO_LATE,	   /* too late even on an empty machine */
	TALLY_TOO_WIDE,	   /* more nodes than there are */
	TALLY_NO_LIMIT,	   /* it, or what holds its nodes, has no limit */
	TALLY_STARVES,	   /* at the cost of jobs without a deadline */
	TALLY_UNPLANNABLE, /* something that is not planned, or could stop it */
	TALLY_NOT_ALLOWED, /* who asks, where, or under what configuration */
	TALLY_CHANCE,	   /* its chance to miss is above RiskLimit */
	TALLY_LOSS,	   /* worth less than what it takes from others */
	TALLY_BUSY,	   /* no answer within AdmissionTime, or no plan yet */
	TALLY_WHYS
};

/* Why a decision was not compared with its record (terms.h). */
enum tally_left {
	TALLY_CHANGED, /* the job was changed in between */
	TALLY_SITE, /* a partition or slurm.conf was changed in between, and the record has other terms */
	TALLY_GONE,   /* no record shows it: not made, over or held before a pass could look */
	TALLY_SPLIT,  /* tasks of its array have records of their own, or are over */
	TALLY_ANEW,   /* everything was planned anew in between */
	TALLY_MEMORY, /* there was none to note it */
	TALLY_LEFTS
};

struct tally {
	uint64_t accepted; /* promises made; those that left no job are taken off again */
	uint64_t expected; /* jobs let in by a realm without a promise */
	uint64_t refused;  /* submissions */
	uint64_t observed; /* submissions that would have been refused */
	uint64_t why[TALLY_WHYS];
	uint64_t kept;	    /* ended by the deadline */
	uint64_t at_limit;  /* ended by the deadline, killed at their own limits */
	uint64_t broken;    /* ended later, or were lost with their nodes */
	uint64_t cancelled; /* cancelled before the deadline */
	uint64_t unknown;   /* ran, and their records were gone before their ends were seen */
	uint64_t withdrawn; /* held, or made impossible by a change */
	uint64_t compared;  /* decisions compared with the terms of their records (terms.h) */
	uint64_t differing; /* compared decisions that differed */
	uint64_t left_out[TALLY_LEFTS]; /* decisions that were not compared */
	_Atomic uint64_t busy;		/* part of refused or observed, and of TALLY_BUSY */
};

struct bridge;

/* Why, of the core's refusals (enum refuse_reason). */
enum tally_why tally_reason(int reason);

/* A submission that was not promised. */
void tally_refusal(struct bridge *b, enum tally_why why, bool observed);

/* The same when the mutex was not to be had. */
void tally_busy(struct bridge *b);

/* So many promises: accepted, or what became of them, by the ledger's word for it. */
void tally_add(struct bridge *b, const char *how, uint64_t n);

/* Promises that are still to be kept, and how many of these cannot be as things stand. */
void tally_open(struct bridge *b, uint64_t *open, uint64_t *risk);

/*
 * All of it, as it is now.  It takes the mutex if it is to be had within AdmissionTime.
 * RET false: it was not
 */
bool tally_copy(struct bridge *b, struct tally *out, uint64_t *open, uint64_t *risk);

/* Calls visit with each counter, which it may change, and a name that no other has. */
typedef void tally_visit(void *arg, const char *name, uint64_t *counter);
void tally_each(struct tally *t, tally_visit *visit, void *arg);

/* A reason's name, as in the log. */
const char *tally_why_name(enum tally_why why);

/* A cause's name, as in `pact stats`. */
const char *tally_left_name(enum tally_left left);

/*
 * Write the line into the log.
 * IN always - even if nothing has changed, or a line was written within a minute
 */
void tally_report(struct bridge *b, bool always);

#endif /* PACT_SLURM_TALLY_H */

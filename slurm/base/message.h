/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * message.h - the one line that a user gets for a deadline
 *
 * ASCII, one line, and a prefix that scripts may match and that never changes:
 *
 *	deadline: accepted: ...
 *	deadline: refused: ...
 *	deadline: not promised: ...	(held, or over a limit; decided when it no longer is)
 *	deadline: observed: ...		(AdmissionMode=observe: would be refused)
 *
 * Times are local with their offset from UTC (2025-11-21T18:00:00+01:00),
 * since the reader's zone need not be slurmctld's; a counter-offer can be given
 * to sbatch as it stands, in any zone (--deadline=uts1763744400, which is
 * Slurm's form of seconds since the epoch), and remains true for at least a
 * minute.  The forms are documented in
 * doc/; the same text goes to the user and to the log.
 *
 * Plain C, no Slurm header.
 */
#ifndef PACT_SLURM_MESSAGE_H
#define PACT_SLURM_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

/* No message is longer, with its '\0'. */
#define MESSAGE_MAX 640

/* Why a job that another one waits for need not end earlier. */
enum message_after {
	MESSAGE_AFTER_NOTHING = 0, /* there is nothing to be told */
	MESSAGE_AFTER_PLAIN,	   /* it waits, and has no promise */
	MESSAGE_AFTER_PROMISED,	   /* its own deadline is no earlier */
	MESSAGE_AFTER_RUNNING,	   /* nor is its time limit */
};

/* What was asked for, as far as the words need it. */
struct message_ask {
	int64_t now;
	int64_t deadline;
	int64_t limit;	    /* seconds */
	int64_t guard;	    /* seconds */
	int32_t risk_limit; /* in millionths: RiskLimit; 0: chances count for nothing */
	int32_t width;	    /* nodes, of one task */
	uint32_t tasks;	    /* of an array, else 1 */
	const char
		*limit_from; /* what the limit comes from if the user has not named it; or NULL */
	const char *scarce;  /* why there never are so many nodes (scarce.h); NULL: not known */
	int64_t begin;	     /* not to start before; 0: none */
	/* The job whose end is that begin, when it ends, and why then; NULL or nothing to tell: none. */
	const char *after;
	enum message_after after_how;
	int64_t after_end;
};

struct sched_decision;

/* Accepted: completion by its deadline, the planned start, and a limit that the user has not named. */
void message_accepted(char out[MESSAGE_MAX], const struct message_ask *ask,
		      const struct sched_decision *decision);

/* Refused by the planner: why, the earliest completion on offer, what to change. */
void message_refused(char out[MESSAGE_MAX], const struct message_ask *ask,
		     const struct sched_decision *decision);

/*
 * Refused because of something that is not planned: names it, says what to change. That stands in
 * `what` behind a semicolon, if there is more to do than to leave it out.
 */
void message_unplannable(char out[MESSAGE_MAX], const char *what);

/* Refused for another reason, in full. */
void message_plain(char out[MESSAGE_MAX], const char *why);

/*
 * "job 12, which it waits for, need not end before T; give it a --deadline".  Nothing if it waits for none.
 */
void message_after(char out[160], const struct message_ask *ask);

/* Neither: Slurm keeps the job waiting for this reason, and the decision waits with it. */
void message_waits(char out[MESSAGE_MAX], const char *why);

/* Neither, and for good. */
void message_ordered(char out[MESSAGE_MAX], const char *why);

/* By which pact explain finds a refusal again, at its end. */
void message_reference(char out[MESSAGE_MAX], const char *reference);

/* Turn a refusal into an observation (AdmissionMode=observe), in place. */
void message_observed(char out[MESSAGE_MAX]);

/* A time, local, with its offset from UTC: 2025-11-21T18:00:00+01:00. */
void message_time(char out[32], int64_t when);

/* The option that asks for this completion, good in every time zone, and the time in words. */
void message_deadline(char out[80], int64_t when);

/* The completion to name in an offer: whole minutes, true for a minute more. */
int64_t message_round_offer(int64_t end);

#endif /* PACT_SLURM_MESSAGE_H */

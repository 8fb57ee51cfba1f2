/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * message.c - the one line that a user gets for a deadline
 */
#include "slurm/message.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/sched.h"

#define REFUSED "deadline: refused: "
#define OBSERVED "deadline: observed: "

void message_time(char out[32], int64_t when)
{
	time_t t = (time_t)when;
	struct tm tm;

	size_t used = localtime_r(&t, &tm) ? strftime(out, 32, "%Y-%m-%dT%H:%M:%S%z", &tm) : 0;

	if (used < 5 || used > 30) {
		snprintf(out, 32, "%" PRId64, when);
		return;
	}
	/* "+0100" as ISO 8601 extends it, "+01:00". */
	memmove(out + used - 1, out + used - 2, 3);
	out[used - 2] = ':';
}

void message_deadline(char out[80], int64_t when)
{
	char readable[32];

	message_time(readable, when);
	snprintf(out, 80, "--deadline=uts%" PRId64 " (%s)", when, readable);
}

/* A duration as Slurm writes it: [days-]hours:minutes:seconds. */
static void duration(char out[32], int64_t seconds)
{
	int64_t days = seconds / 86400, rest = seconds % 86400;

	if (days > 0)
		snprintf(out, 32, "%" PRId64 "-%02d:%02d:%02d", days, (int)(rest / 3600),
			 (int)(rest / 60 % 60), (int)(rest % 60));
	else
		snprintf(out, 32, "%02d:%02d:%02d", (int)(rest / 3600), (int)(rest / 60 % 60),
			 (int)(rest % 60));
}

int64_t message_round_offer(int64_t end)
{
	return (end + 60 + 59) / 60 * 60;
}

void message_accepted(char out[MESSAGE_MAX], const struct message_ask *ask,
		      const struct sched_decision *decision)
{
	char by[32], start[32], limit[32], whose[96] = "";

	message_time(by, ask->deadline);
	message_time(start, decision->start > ask->now ? decision->start : ask->now);
	duration(limit, ask->limit);
	if (ask->limit_from)
		snprintf(whose, sizeof(whose), " (time limit %s: %s)", limit, ask->limit_from);
	snprintf(out, MESSAGE_MAX, "deadline: accepted: completes by %s, planned start %s%s", by,
		 start, whose);
}

/* One thing, or several? */
static bool single(const struct message_ask *ask)
{
	return ask->tasks <= 1 && ask->width == 1;
}

/* The request in words: "4 nodes for 00:10:00". */
static void request(char out[96], const struct message_ask *ask)
{
	char limit[32];

	duration(limit, ask->limit);
	if (ask->tasks > 1)
		snprintf(out, 96, "%u tasks of %d node%s for %s each", ask->tasks, ask->width,
			 ask->width == 1 ? "" : "s", limit);
	else
		snprintf(out, 96, "%d node%s for %s", ask->width, ask->width == 1 ? "" : "s",
			 limit);
}

static void offer(char out[192], const struct message_ask *ask,
		  const struct sched_decision *decision, const char *advice)
{
	char end[80];

	if (decision->offer_end <= 0 || decision->offer_end >= PACT_FOREVER) {
		snprintf(out, 192, "no completion can be promised now; %s", advice);
		return;
	}
	message_deadline(end,
			 message_round_offer(decision->offer_end > ask->now ? decision->offer_end
									    : ask->now));
	snprintf(out, 192, "earliest that can be promised: %s; ask for that, or %s", end, advice);
}

/* Why, without an offer. */
static void reason(char out[256], const struct message_ask *ask,
		   const struct sched_decision *decision)
{
	char what[96], by[32], guard[32];

	request(what, ask);
	message_time(by, ask->deadline);
	duration(guard, ask->guard);
	switch (decision->reason) {
	case REFUSE_TOO_LATE:
		snprintf(out, 256,
			 "%s and %s for ending it do not fit before %s even if started at "
			 "its earliest",
			 what, guard, by);
		break;
	case REFUSE_STARVES:
		snprintf(out, 256, "%s fit%s before %s only by starving jobs without a deadline",
			 what, single(ask) ? "s" : "", by);
		break;
	case REFUSE_BLOCKED:
		snprintf(out, 256,
			 "%s %s not to be had before %s: jobs without a time limit or lost "
			 "nodes hold what it needs",
			 what, single(ask) ? "is" : "are", by);
		break;
	default:
		snprintf(out, 256, "no room for %s before %s beside %d planned job%s", what, by,
			 decision->waiting, decision->waiting == 1 ? "" : "s");
	}
}

void message_refused(char out[MESSAGE_MAX], const struct message_ask *ask,
		     const struct sched_decision *decision)
{
	char why[256], on_offer[192];

	switch (decision->reason) {
	case REFUSE_DISABLED:
		message_plain(out,
			      "promises are switched off here (Admission=none); submit without "
			      "--deadline");
		return;
	case REFUSE_NEVER_FITS:
		snprintf(out, MESSAGE_MAX,
			 REFUSED "%d node%s more than these partitions and constraints have; "
				 "ask for %s",
			 ask->width, ask->width == 1 ? " is" : "s are",
			 ask->width == 1 ? "others" : "fewer nodes");
		return;
	case REFUSE_NO_LIMIT:
		message_plain(out,
			      "a job without a time limit cannot be promised an end; add --time");
		return;
	case REFUSE_BUDGET:
		message_plain(out, "cannot be promised now: the plan is busy; try again");
		return;
	default:
		break;
	}
	reason(why, ask, decision);
	offer(on_offer, ask, decision,
	      decision->reason == REFUSE_TOO_LATE ? "a shorter --time"
						  : "fewer nodes, or a shorter --time");
	snprintf(out, MESSAGE_MAX, REFUSED "%s; %s", why, on_offer);
}

void message_unplannable(char out[MESSAGE_MAX], const char *what)
{
	snprintf(out, MESSAGE_MAX,
		 REFUSED "cannot be planned: %s; submit without it or without "
			 "--deadline",
		 what);
}

void message_plain(char out[MESSAGE_MAX], const char *why)
{
	snprintf(out, MESSAGE_MAX, REFUSED "%s", why);
}

void message_waits(char out[MESSAGE_MAX], const char *why)
{
	snprintf(out, MESSAGE_MAX, "deadline: not promised: %s; decided when that changes", why);
}

void message_reference(char out[MESSAGE_MAX], const char *reference)
{
	size_t used = strlen(out);

	snprintf(out + used, MESSAGE_MAX - used, "; pact explain %s", reference);
}

void message_observed(char out[MESSAGE_MAX])
{
	char copy[MESSAGE_MAX];

	if (strncmp(out, REFUSED, strlen(REFUSED)))
		return;
	memcpy(copy, out, sizeof(copy));
	snprintf(out, MESSAGE_MAX, OBSERVED "would be refused: %.*s",
		 (int)(MESSAGE_MAX - sizeof(OBSERVED) - 24), copy + strlen(REFUSED));
}

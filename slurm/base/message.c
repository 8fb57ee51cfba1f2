/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * message.c - the one line that a user gets for a deadline
 */
#include "slurm/base/message.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/base/limits.h"
#include "core/sched.h"

#define REFUSED "deadline: refused: "
#define OBSERVED "deadline: observed: "
#define REASON_MAX 384
#define ADVICE_MAX 48
#define OFFER_MAX 224
/* The least that a limit can be: limits are whole minutes. */
#define SHORTEST 60

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

/* Millionths as per cent: "20 %", "0.05 %". */
static void percent(char out[24], int32_t millionths)
{
	int digits = 4;
	int32_t rest = millionths % 10000;

	while (digits && rest % 10 == 0) {
		rest /= 10;
		digits--;
	}
	if (digits)
		snprintf(out, 24, "%d.%0*d %%", millionths / 10000, digits, rest);
	else
		snprintf(out, 24, "%d %%", millionths / 10000);
}

/* A chance in tenths of a per cent, rounded up: one above the limit never looks like it. */
static void chance_words(char out[24], int32_t chance)
{
	percent(out, (chance + 999) / 1000 * 1000);
}

/* It starts at once, beside others; what is only expected is not called a promise. */
static void shared(char out[MESSAGE_MAX], const struct sched_decision *decision, const char *by,
		   const char *whose)
{
	char end[32], chance[24];

	message_time(end, decision->end);
	chance_words(chance, decision->chance);
	if (decision->expected && decision->chance)
		snprintf(out, MESSAGE_MAX,
			 "deadline: accepted: expected by %s, not promised: its "
			 "time limit does not fit before that, and its chance to miss it is %s%s",
			 by, chance, whose);
	else if (decision->expected)
		snprintf(out, MESSAGE_MAX,
			 "deadline: accepted: expected by %s, not promised: its "
			 "time limit does not fit before its deadline%s",
			 end, whose);
	else
		snprintf(out, MESSAGE_MAX,
			 "deadline: accepted: completes by %s, starts now with %u %% of its "
			 "processors%s",
			 by, decision->share / (SHARE_WHOLE / 100), whose);
}

/* The job's own nodes in the promise, or in what is on offer; nothing where these are as asked. */
static void on_nodes(char out[32], const struct sched_decision *decision)
{
	out[0] = '\0';
	if (decision->own)
		snprintf(out, 32, " on %d node%s", decision->own, decision->own == 1 ? "" : "s");
}

void message_accepted(char out[MESSAGE_MAX], const struct message_ask *ask,
		      const struct sched_decision *decision)
{
	char by[32], start[32], limit[32], nodes[32], whose[96] = "";

	message_time(by, ask->deadline);
	message_time(start, decision->start > ask->now ? decision->start : ask->now);
	duration(limit, ask->limit);
	on_nodes(nodes, decision);
	if (ask->limit_from)
		snprintf(whose, sizeof(whose), " (time limit %s: %s)", limit, ask->limit_from);
	if (decision->share)
		shared(out, decision, by, whose);
	else
		snprintf(out, MESSAGE_MAX,
			 "deadline: accepted: completes by %s, planned start %s%s%s", by, start,
			 nodes, whose);
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

static void offer(char out[OFFER_MAX], const struct message_ask *ask,
		  const struct sched_decision *decision, const char *advice)
{
	char end[80], nodes[32];

	if (decision->offer_end <= 0 || decision->offer_end >= PACT_FOREVER) {
		snprintf(out, OFFER_MAX, "no completion can be promised now%s%s",
			 advice[0] ? "; " : "", advice);
		return;
	}
	message_deadline(end,
			 message_round_offer(decision->offer_end > ask->now ? decision->offer_end
									    : ask->now));
	on_nodes(nodes, decision);
	snprintf(out, OFFER_MAX, "earliest that can be promised: %s%s; ask for that%s%s", end,
		 nodes, advice[0] ? ", or " : "", advice);
}

void message_after(char out[160], const struct message_ask *ask)
{
	static const struct {
		const char *may, *advice;
	} words[] = {
		[MESSAGE_AFTER_NOTHING] = { NULL, NULL },
		[MESSAGE_AFTER_PLAIN] = { "need not end before", "; give it a --deadline" },
		[MESSAGE_AFTER_PROMISED] = { "need not end before",
					     ", its --deadline; give it an earlier one" },
		[MESSAGE_AFTER_RUNNING] = { "may run until", "" },
	};
	char end[32];

	out[0] = '\0';
	if (!ask->after || ask->after_how == MESSAGE_AFTER_NOTHING)
		return;
	message_time(end, ask->after_end);
	snprintf(out, 160, "job %.32s, which it waits for, %s %s%s", ask->after,
		 words[ask->after_how].may, end, words[ask->after_how].advice);
}

/* Too late whatever else waits or runs. */
static void too_late(char out[REASON_MAX], const struct message_ask *ask)
{
	char what[96], by[32], guard[32], begin[32], after[160];

	request(what, ask);
	message_time(by, ask->deadline);
	duration(guard, ask->guard);
	message_time(begin, ask->begin);
	message_after(after, ask);
	/* Without what it waits for it would not be. */
	if (after[0] && ask->now + ask->limit + ask->guard <= ask->deadline)
		snprintf(out, REASON_MAX, "%s", after);
	else
		snprintf(out, REASON_MAX,
			 "%s and %s for ending it do not fit before %s even if started at "
			 "its earliest%s%s",
			 what, guard, by, ask->begin > ask->now ? ", " : "",
			 ask->begin > ask->now ? begin : "");
}

/* What holds nodes: "3 running jobs and lost or reserved nodes"; nothing: nothing does. */
static void holders(char out[96], const struct sched_decision *decision, const char *kind)
{
	char jobs[64] = "";

	if (decision->running)
		snprintf(jobs, sizeof(jobs), "%d running job%s%s", decision->running,
			 decision->running == 1 ? "" : "s", kind);
	snprintf(out, 96, "%s%s%s", jobs, decision->running && decision->blocked ? " and " : "",
		 decision->blocked ? "lost or reserved nodes" : "");
}

/* No room: by what runs alone, or beside what waits. */
static void full(char out[REASON_MAX], const struct message_ask *ask,
		 const struct sched_decision *decision)
{
	bool one = decision->running == 1 && !decision->blocked;
	char what[96], by[32], hold[96], until[32];

	request(what, ask);
	message_time(by, ask->deadline);
	message_time(until, decision->room_at);
	holders(hold, decision, "");
	if (decision->room_at && hold[0])
		snprintf(out, REASON_MAX,
			 "no room for %s before %s: %s hold%s what it needs until %s", what, by,
			 hold, one ? "s" : "", until);
	else if (decision->waiting)
		snprintf(out, REASON_MAX, "no room for %s before %s beside %d planned job%s", what,
			 by, decision->waiting, decision->waiting == 1 ? "" : "s");
	else
		snprintf(out, REASON_MAX, "no room for %s before %s%s%s", what, by,
			 hold[0] ? " beside " : "", hold);
}

/* What it needs is held by what has no end. */
static void blocked(char out[REASON_MAX], const struct message_ask *ask,
		    const struct sched_decision *decision)
{
	bool one = decision->running == 1 && !decision->blocked;
	char what[96], by[32], hold[96];

	request(what, ask);
	message_time(by, ask->deadline);
	holders(hold, decision, " without a time limit");
	snprintf(out, REASON_MAX, "%s %s not to be had before %s: %s hold%s what it needs", what,
		 single(ask) ? "is" : "are", by,
		 hold[0] ? hold : "jobs without a time limit or lost nodes", one ? "s" : "");
}

/* Why, without an offer. */
static void reason(char out[REASON_MAX], const struct message_ask *ask,
		   const struct sched_decision *decision)
{
	char what[96], by[32], after[160], chance[24], limit[24];
	size_t used;

	switch (decision->reason) {
	case REFUSE_TOO_LATE:
		too_late(out, ask);
		return;
	case REFUSE_BLOCKED:
		blocked(out, ask, decision);
		return;
	case REFUSE_SHARES:
		request(what, ask);
		message_time(by, ask->deadline);
		snprintf(out, REASON_MAX,
			 "shares for %s before %s are free on %d of the %d node%s needed", what, by,
			 decision->suited, ask->width, ask->width == 1 ? "" : "s");
		break;
	case REFUSE_CHANCE:
		request(what, ask);
		message_time(by, ask->deadline);
		chance_words(chance, decision->chance);
		percent(limit, ask->risk_limit);
		snprintf(out, REASON_MAX,
			 "%s do%s not fit before %s, and the chance to miss it is %s, more than "
			 "RiskLimit, %s",
			 what, single(ask) ? "es" : "", by, chance, limit);
		break;
	case REFUSE_LOSS:
		request(what, ask);
		message_time(by, ask->deadline);
		snprintf(out, REASON_MAX,
			 "%s before %s %s worth less than what the jobs lose that would make room",
			 what, by, single(ask) ? "is" : "are");
		break;
	case REFUSE_STARVES:
		request(what, ask);
		message_time(by, ask->deadline);
		snprintf(out, REASON_MAX,
			 "%s fit%s before %s only by starving jobs without a deadline", what,
			 single(ask) ? "s" : "", by);
		break;
	default:
		full(out, ask, decision);
	}
	message_after(after, ask);
	used = strlen(out);
	snprintf(out + used, REASON_MAX - used, "%s%s", after[0] ? "; " : "", after);
}

/* More nodes than there are, whatever the load. */
static void never_fits(char out[MESSAGE_MAX], const struct message_ask *ask)
{
	bool one = ask->width == 1;

	if (ask->scarce)
		message_plain(out, ask->scarce);
	else
		snprintf(out, MESSAGE_MAX,
			 REFUSED "%d node%s more than these partitions and constraints have; "
				 "ask for %s",
			 ask->width, one ? " is" : "s are", one ? "others" : "fewer nodes");
}

/* Could a shorter limit, of a minute at least, be met? Not before it may start, and what runs lets it. */
static bool shorter_helps(const struct message_ask *ask, const struct sched_decision *decision)
{
	int64_t start = ask->now > ask->begin ? ask->now : ask->begin;

	if (decision->reason == REFUSE_FULL && decision->room_at > start)
		start = decision->room_at;
	return decision->reason != REFUSE_BLOCKED && ask->limit > SHORTEST &&
	       start + SHORTEST + ask->guard <= ask->deadline;
}

/* What to change, of what can help; "": nothing is known. */
static void advice(char out[ADVICE_MAX], const struct message_ask *ask,
		   const struct sched_decision *decision)
{
	const char *fewer = "", *shorter = "";

	if (decision->reason != REFUSE_TOO_LATE && !single(ask))
		fewer = ask->width > 1 ? "fewer nodes" : "fewer tasks";
	if (shorter_helps(ask, decision))
		shorter = "a shorter --time";
	else if (ask->begin > ask->now && !ask->after)
		shorter = "an earlier --begin";
	snprintf(out, ADVICE_MAX, "%s%s%s", fewer, fewer[0] && shorter[0] ? ", or " : "", shorter);
}

void message_refused(char out[MESSAGE_MAX], const struct message_ask *ask,
		     const struct sched_decision *decision)
{
	char why[REASON_MAX], on_offer[OFFER_MAX], change[ADVICE_MAX];

	switch (decision->reason) {
	case REFUSE_DISABLED:
		/* Where promises are switched off that was told before: it is a realm's. */
		message_plain(
			out,
			ask->begin > ask->now
				? "a job that shares nodes is promised only if it starts now; "
				  "submit it when it may begin, or without --deadline"
				: "promises are switched off here (Admission=none); submit without "
				  "--deadline");
		return;
	case REFUSE_NEVER_FITS:
		never_fits(out, ask);
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
	advice(change, ask, decision);
	offer(on_offer, ask, decision, change);
	snprintf(out, MESSAGE_MAX, REFUSED "%s; %s", why, on_offer);
}

void message_unplannable(char out[MESSAGE_MAX], const char *what)
{
	snprintf(out, MESSAGE_MAX, REFUSED "cannot be planned: %s%s", what,
		 strchr(what, ';') ? ", or submit without --deadline"
				   : "; submit without it or without --deadline");
}

void message_plain(char out[MESSAGE_MAX], const char *why)
{
	snprintf(out, MESSAGE_MAX, REFUSED "%s", why);
}

void message_waits(char out[MESSAGE_MAX], const char *why)
{
	snprintf(out, MESSAGE_MAX,
		 "deadline: not promised: %s; the deadline is decided when that changes", why);
}

void message_ordered(char out[MESSAGE_MAX], const char *why)
{
	snprintf(out, MESSAGE_MAX, "deadline: not promised: %s", why);
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

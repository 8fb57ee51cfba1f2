/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tally.c - what became of the promises
 */
#include "slurm/base/compat.h"

#include "slurm/state/bridge.h"
#include "slurm/base/scheduler.h"
#include "slurm/base/clock.h"

/* Seconds between two lines. */
#define REPORT_EVERY 60

static const char *const why_names[TALLY_WHYS] = {
	[TALLY_NO_ROOM] = "no room",
	[TALLY_TOO_LATE] = "too late",
	[TALLY_TOO_WIDE] = "too wide",
	[TALLY_NO_LIMIT] = "no limit",
	[TALLY_STARVES] = "would starve others",
	[TALLY_UNPLANNABLE] = "cannot be planned",
	[TALLY_NOT_ALLOWED] = "not allowed",
	[TALLY_CHANCE] = "chance",
	[TALLY_LOSS] = "worth too little",
	[TALLY_BUSY] = "busy",
};

enum tally_why tally_reason(int reason)
{
	switch (reason) {
	case REFUSE_TOO_LATE:
		return TALLY_TOO_LATE;
	case REFUSE_NEVER_FITS:
		return TALLY_TOO_WIDE;
	case REFUSE_NO_LIMIT:
	case REFUSE_BLOCKED:
		return TALLY_NO_LIMIT;
	case REFUSE_STARVES:
		return TALLY_STARVES;
	case REFUSE_CHANCE:
		return TALLY_CHANCE;
	case REFUSE_LOSS:
		return TALLY_LOSS;
	case REFUSE_DISABLED:
		return TALLY_NOT_ALLOWED;
	case REFUSE_NONE:
	case REFUSE_BUDGET:
		return TALLY_BUSY;
	default:
		return TALLY_NO_ROOM;
	}
}

void tally_refusal(struct bridge *b, enum tally_why why, bool observed)
{
	if (observed)
		b->tally.observed++;
	else
		b->tally.refused++;
	b->tally.why[why]++;
}

void tally_busy(struct bridge *b)
{
	b->tally.busy++;
}

/* Those that could not be counted in their turn. */
static void collect_busy(struct bridge *b)
{
	for (uint64_t n = atomic_exchange(&b->tally.busy, 0); n; n--)
		tally_refusal(b, TALLY_BUSY, b->observe);
}

void tally_add(struct bridge *b, const char *how, uint64_t n)
{
	struct tally *t = &b->tally;
	const struct {
		const char *how;
		uint64_t *counter;
	} counters[] = {
		{ "accepted", &t->accepted },	{ "kept", &t->kept },
		{ "at_limit", &t->at_limit },	{ "broken", &t->broken },
		{ "cancelled", &t->cancelled }, { "withdrawn", &t->withdrawn },
		{ "unknown", &t->unknown },
	};

	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
		if (!strcmp(counters[i].how, how))
			*counters[i].counter += n;
}

void tally_open(struct bridge *b, uint64_t *open, uint64_t *risk)
{
	struct track *track;
	size_t i = 0;

	*open = b->loose;
	*risk = b->loose_risk;
	while (b->by_key && (track = table_next(b->by_key, &i))) {
		*open += token_binds(&track->token);
		*risk += token_binds(&track->token) && track->token.state == TOKEN_BROKEN;
	}
	for (const struct unconfirmed *p = b->unconfirmed; p; p = p->next)
		*open += p->expected ? 0 : p->ncore;
}

const char *tally_left_name(enum tally_left left)
{
	static const char *const names[TALLY_LEFTS] = {
		[TALLY_CHANGED] = "changed", [TALLY_SITE] = "site", [TALLY_GONE] = "gone",
		[TALLY_SPLIT] = "split",     [TALLY_ANEW] = "anew", [TALLY_MEMORY] = "memory",
	};

	return names[left];
}

const char *tally_why_name(enum tally_why why)
{
	return why_names[why];
}

bool tally_copy(struct bridge *b, struct tally *out, uint64_t *open, uint64_t *risk)
{
	if (!bridge_lock_soon(b))
		return false;
	collect_busy(b);
	*out = b->tally;
	tally_open(b, open, risk);
	pthread_mutex_unlock(&b->lock);
	return true;
}

void tally_each(struct tally *t, tally_visit *visit, void *arg)
{
	char name[64];

	visit(arg, "accepted", &t->accepted);
	visit(arg, "expected", &t->expected);
	visit(arg, "refused", &t->refused);
	visit(arg, "observed", &t->observed);
	visit(arg, "kept", &t->kept);
	visit(arg, "at_limit", &t->at_limit);
	visit(arg, "broken", &t->broken);
	visit(arg, "cancelled", &t->cancelled);
	visit(arg, "withdrawn", &t->withdrawn);
	visit(arg, "unknown", &t->unknown);
	visit(arg, "compared", &t->compared);
	visit(arg, "differing", &t->differing);
	for (int i = 0; i < TALLY_WHYS; i++) {
		snprintf(name, sizeof(name), "refused for: %s", why_names[i]);
		visit(arg, name, &t->why[i]);
	}
	for (int i = 0; i < TALLY_LEFTS; i++) {
		snprintf(name, sizeof(name), "not compared: %s",
			 tally_left_name((enum tally_left)i));
		visit(arg, name, &t->left_out[i]);
	}
}

static void write_whys(const struct tally *tally, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (int i = 0; i < TALLY_WHYS && used < size; i++)
		if (tally->why[i])
			used += (size_t)snprintf(out + used, size - used, "%s%s %" PRIu64,
						 used ? ", " : " (", why_names[i], tally->why[i]);
	if (used && used < size)
		snprintf(out + used, size - used, ")");
}

void tally_report(struct bridge *b, bool always)
{
	const struct tally *t = &b->tally;
	char whys[256], line[sizeof(b->reported_line)];
	uint64_t open, risk;
	int64_t now = clock_us() / 1000000;

	if (!always && now < b->reported + REPORT_EVERY)
		return;
	collect_busy(b);
	tally_open(b, &open, &risk);
	write_whys(t, whys, sizeof(whys));
	snprintf(line, sizeof(line),
		 "accepted %" PRIu64 ", refused %" PRIu64 ", observed %" PRIu64 "%s; kept %" PRIu64
		 ", killed at their own limits %" PRIu64 ", broken %" PRIu64 ", cancelled %" PRIu64
		 ", withdrawn %" PRIu64 ", unknown %" PRIu64 "; open %" PRIu64 ", at risk %" PRIu64,
		 t->accepted, t->refused, t->observed, whys, t->kept, t->at_limit, t->broken,
		 t->cancelled, t->withdrawn, t->unknown, open, risk);
	if (!always && !strcmp(line, b->reported_line))
		return;
	info("%s: promises: %s", scheduler_type(), line);
	b->reported = now;
	snprintf(b->reported_line, sizeof(b->reported_line), "%s", line);
}

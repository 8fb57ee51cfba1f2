/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scenario_run: runs a scenario and compares what comes of it with what was expected. See scenario.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/why.h"
#include "core/base/nodeset.h"
#include "sim/check/scenario_own.h"
#include "sim/check/validate.h"
#include "sim/run/notices.h"

static const struct {
	const char *name;
	enum refuse_reason reason;
} reasons[] = {
	{ "disabled", REFUSE_DISABLED },
	{ "too-late", REFUSE_TOO_LATE },
	{ "never-fits", REFUSE_NEVER_FITS },
	{ "no-limit", REFUSE_NO_LIMIT },
	{ "full", REFUSE_FULL },
	{ "budget", REFUSE_BUDGET },
	{ "starves", REFUSE_STARVES },
	{ "blocked", REFUSE_BLOCKED },
	{ "shares", REFUSE_SHARES },
	{ "chance", REFUSE_CHANCE },
	{ "loss", REFUSE_LOSS },
};

#define REASONS (sizeof(reasons) / sizeof(reasons[0]))

int scenario_reason(const char *name)
{
	for (size_t i = 0; i < REASONS; i++)
		if (!strcmp(reasons[i].name, name))
			return (int)reasons[i].reason;
	return -1;
}

size_t scenario_checks(const struct scenario *sc)
{
	return 2 * sc->w.count + sc->nshares + sc->nruns + 1;
}

static const char *decision_name(enum expect e)
{
	return e == EXPECT_ACCEPT   ? "accept"
	       : e == EXPECT_LATE   ? "late"
	       : e == EXPECT_WAIT   ? "wait"
	       : e == EXPECT_REFUSE ? "refuse"
				    : "queue";
}

static const char *reason_name(int reason)
{
	for (size_t i = 0; i < REASONS; i++)
		if ((int)reasons[i].reason == reason)
			return reasons[i].name;
	return "none";
}

static bool check_decision(const struct expected *e, const struct sim_outcome *o,
			   const struct sched_decision *d, char *what, size_t size, uint64_t id)
{
	enum expect got = o->state == SIM_REFUSED      ? EXPECT_REFUSE
			  : o->promised		       ? EXPECT_ACCEPT
			  : o->expected		       ? EXPECT_LATE
			  : e->decision == EXPECT_WAIT ? EXPECT_WAIT
						       : EXPECT_QUEUE;

	if (got != e->decision) {
		snprintf(what, size, "job %" PRIu64 ": expected %s, got %s", id,
			 decision_name(e->decision), decision_name(got));
		return false;
	}
	if (e->reason >= 0 && (int)d->reason != e->reason) {
		snprintf(what, size, "job %" PRIu64 ": expected reason %s, got %s", id,
			 reason_name(e->reason), reason_name((int)d->reason));
		return false;
	}
	if (e->offer >= 0 && d->offer_end != e->offer) {
		snprintf(what, size, "job %" PRIu64 ": expected offer %" PRId64 ", got %" PRId64,
			 id, e->offer, d->offer_end);
		return false;
	}
	snprintf(what, size, "job %" PRIu64 ": %s", id, decision_name(got));
	return true;
}

/* NULL: it had one width. */
static int64_t count_resizes(const struct sim_history *h)
{
	int64_t n = 0;

	for (size_t k = 1; h && k < h->n; k++)
		n += h->span[k].width != h->span[k - 1].width;
	return n;
}

static bool check_start(const struct expected *e, const struct sim_outcome *o, char *what,
			size_t size, uint64_t id)
{
	if (o->start != e->start) {
		snprintf(what, size,
			 "job %" PRIu64 ": expected start %" PRId64 ", got %" PRId64 " (%s)", id,
			 e->start, o->start, e->note);
		return false;
	}
	if (e->end >= 0 && o->end != e->end) {
		snprintf(what, size,
			 "job %" PRIu64 ": expected end %" PRId64 ", got %" PRId64 " (%s)", id,
			 e->end, o->end, e->note);
		return false;
	}
	if (e->resizes >= 0 && count_resizes(o->history) != e->resizes) {
		snprintf(what, size,
			 "job %" PRIu64 ": expected %" PRId64 " resizes, got %" PRId64 " (%s)", id,
			 e->resizes, count_resizes(o->history), e->note);
		return false;
	}
	if (o->start < 0)
		snprintf(what, size, "job %" PRIu64 ": never starts (%s)", id, e->note);
	else
		snprintf(what, size, "job %" PRIu64 ": starts at %" PRId64 " (%s)", id, o->start,
			 e->note);
	return true;
}

/* What the part had then; SIM_SHARE_NONE: it was not there. */
static uint32_t share_at(const struct sim_shares *log, const struct expected_share *e)
{
	uint32_t share = SIM_SHARE_NONE;

	for (size_t i = 0; i < log->n && log->v[i].at <= e->at * SIM_SECOND; i++)
		if (log->v[i].job == e->job && log->v[i].node == e->node)
			share = log->v[i].share;
	return share;
}

/* Exactly, but for rounding: by less than one SHARE_WHOLEth either way. */
static bool check_share(const struct scenario *sc, const struct sim_shares *log,
			const struct expected_share *e, char *what, size_t size)
{
	uint32_t got = share_at(log, e);
	int64_t off = (int64_t)got * e->of - (int64_t)SHARE_WHOLE * e->part;
	bool ok = got == SIM_SHARE_NONE ? !e->of : e->of && off < e->of && off > -e->of;
	char had[40] = "nothing", wanted[48] = "nothing";

	if (got != SIM_SHARE_NONE)
		snprintf(had, sizeof(had), "%" PRIu32 "/%" PRIu32, got, SHARE_WHOLE);
	if (e->of)
		snprintf(wanted, sizeof(wanted), "%" PRId64 "/%" PRId64, e->part, e->of);
	snprintf(what, size, "time %" PRId64 ", node %" PRIu32 ", job %" PRIu64 ": %s%s%s%s", e->at,
		 e->node, sc->w.job[e->job].id, ok ? "has " : "expected ", wanted,
		 ok ? "" : ", got ", ok ? "" : had);
	return ok;
}

/* ---- what runs where ---- */

/* Where the job runs when all is done that happens at that second; NULL: it does not. */
static const struct nodeset *runs_at(const struct sim_outcome *o, int64_t at)
{
	const struct sim_history *h = o->history;

	if (o->start < 0 || at < o->start || (o->end >= 0 && at >= o->end))
		return NULL;
	if (!h)
		return o->nodes;
	for (size_t i = h->n; i-- > 0;)
		if (h->span[i].from <= at)
			return h->span[i].suspended ? NULL : h->span[i].nodes;
	return NULL;
}

/* " 7=0-2,5" at the end of the text, as far as there is room. */
static void add_run(char *text, size_t size, uint64_t id, const struct nodeset *nodes)
{
	size_t n = strlen(text);
	const char *between = "=";

	n += (size_t)snprintf(text + n, size - n, " %" PRIu64, id);
	for (uint32_t first = nodeset_next(nodes, 0); first < nodeset_size(nodes) && n < size;) {
		uint32_t end = first;

		while (nodeset_test(nodes, end + 1))
			end++;
		n += (size_t)snprintf(text + n, size - n, "%s%" PRIu32, between, first);
		if (end > first && n < size)
			n += (size_t)snprintf(text + n, size - n, "-%" PRIu32, end);
		between = ",";
		first = nodeset_next(nodes, end + 1);
	}
}

static bool check_runs(const struct scenario *sc, const struct sim_outcome *out,
		       const struct expected_runs *e, char *what, size_t size)
{
	char had[100] = "", wanted[100] = "";
	bool ok = true;

	for (size_t i = 0; i < sc->w.count; i++) {
		const struct nodeset *nodes = runs_at(&out[i], e->at);

		if (nodes)
			add_run(had, sizeof(had), sc->w.job[i].id, nodes);
		if (e->nodes[i])
			add_run(wanted, sizeof(wanted), sc->w.job[i].id, e->nodes[i]);
		ok &= nodes && e->nodes[i] ? nodeset_equal(nodes, e->nodes[i])
					   : !nodes && !e->nodes[i];
	}
	snprintf(what, size, "time %" PRId64 ": %s%s%s%s", e->at, ok ? "runs" : "expected to run",
		 *wanted ? wanted : " nothing", ok ? "" : ", got",
		 ok	? ""
		 : *had ? had
			: " nothing");
	return ok;
}

/* The validator's words on their way to the caller. */
struct words {
	char text[256];
};

static void keep_words(void *arg, const char *message)
{
	struct words *words = arg;

	if (!words->text[0])
		snprintf(words->text, sizeof(words->text), "valid schedule: %.200s", message);
}

static int compare(const struct scenario *sc, const struct sim_outcome *out,
		   const struct sim_shares *shares, const struct sched_decision *decision,
		   scenario_tell tell, void *arg)
{
	struct schedule schedule = {
		.w = &sc->w,
		.out = out,
		.nodes = sc->nodes,
		.event = sc->event,
		.nevents = sc->nevents,
		.may_wait = sc->may_wait,
		.node = sc->node,
		.shares = shares,
		.outlive = sc->outlive,
		.grace = sc->config.resize_grace,
		.own_grace = notices_longest(sc->scheduler, &sc->config),
		.in_step = sc->config.parts == PARTS_STEP,
	};
	struct words words = { "" };
	struct sim_slices slices;
	char what[256];
	int failures = 0;
	bool ok;

	if (sim_slices_of(sc->scheduler, &sc->config, &slices))
		schedule.slices = &slices;
	for (size_t i = 0; i < sc->w.count; i++) {
		const struct expected *e = &sc->expect[i];
		uint64_t id = sc->w.job[i].id;

		ok = check_decision(e, &out[i], &decision[i], what, sizeof(what), id);
		failures += !ok;
		tell(arg, ok, what);
		ok = check_start(e, &out[i], what, sizeof(what), id);
		failures += !ok;
		tell(arg, ok, what);
	}
	for (size_t i = 0; i < sc->nshares; i++) {
		ok = check_share(sc, shares, &sc->share[i], what, sizeof(what));
		failures += !ok;
		tell(arg, ok, what);
	}
	for (size_t i = 0; i < sc->nruns; i++) {
		ok = check_runs(sc, out, &sc->runs[i], what, sizeof(what));
		failures += !ok;
		tell(arg, ok, what);
	}
	ok = validate(&schedule, keep_words, &words) == 0;
	tell(arg, ok, ok ? "valid schedule" : words.text);
	return failures + !ok;
}

int scenario_run(const struct scenario *sc, scenario_tell tell, void *arg, char *why, size_t size)
{
	struct sim_outcome *out = calloc(sc->w.count, sizeof(*out));
	struct sched_decision *decision = calloc(sc->w.count, sizeof(*decision));
	struct sim_shares shares = { 0 };
	struct sim_setup setup = {
		.scheduler = sc->scheduler,
		.nodes = sc->nodes,
		.config = sc->config,
		.named = sc->named,
		.event = sc->event,
		.nevents = sc->nevents,
		.decision = decision,
		.answer = sc->answer,
		.node = sc->node,
		.shares = &shares,
	};
	int failures = -1;

	if (!out || !decision)
		why_set(why, size, 0, "out of memory");
	else if (!simulate(&setup, &sc->w, out, NULL, why, size)) {
		failures = compare(sc, out, &shares, decision, tell, arg);
		sim_outcome_release(out, sc->w.count);
	}
	free(decision);
	free(out);
	free(shares.v);
	return failures;
}

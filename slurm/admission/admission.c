/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admission.c - is the deadline of a submission promised?
 */
#include "slurm/base/compat.h"

#include "slurm/admission/admission.h"
#include "slurm/admission/checks.h"
#include "slurm/base/clock.h"
#include "slurm/base/message.h"
#include "slurm/base/scheduler.h"
#include "slurm/history/history.h"
#include "slurm/promise/depend.h"
#include "slurm/promise/reliance.h"
#include "slurm/promise/unconfirmed.h"
#include "slurm/records/late_limit.h"
#include "slurm/snapshot/access.h"
#include "slurm/state/aliases.h"
#include "slurm/state/core.h"
#include "slurm/state/terms.h"

/* The mutex, within AdmissionTime. Not a timed lock: emulation runs that on another clock. */
bool admission_lock(struct bridge *b)
{
	struct timespec nap = { 0, 100000 };
	int64_t start = clock_us();
	bool late = false;

	b->waiting++;
	b->urgent++;
	while (!late && pthread_mutex_trylock(&b->lock)) {
		late = clock_us() - start > b->admission_us;
		nanosleep(&nap, NULL);
	}
	b->urgent--;
	b->waiting--;
	if (late)
		return false;
	b->budget_end = start + b->admission_us;
	return true;
}

void admission_unlock(struct bridge *b)
{
	b->budget_end = 0;
	b->question = b->gave_way = false;
	pthread_mutex_unlock(&b->lock);
}

void admission_job(const struct admission *a, uint64_t id, int64_t limit, struct sched_job *job)
{
	*job = (struct sched_job){
		.id = id,
		.submit = a->now,
		.begin = a->begin,
		.limit = limit,
		.deadline = a->what.deadline,
		.priority = 1,
		.planned = -1,
		.width = a->what.width,
		.flags = JOB_UNCONFIRMED | (a->what.whole ? (uint32_t)JOB_WHOLE : 0) |
			 (a->what.slices ? (uint32_t)JOB_FIXED : 0),
		.nalt = a->what.nalt,
		.required = a->what.required,
		.processors = a->what.processors,
		.memory = a->what.memory,
		.user = alias_in_realm(a->b, a->uid),
	};
	bridge_range(&a->what, job);
	for (uint32_t i = 0; i < a->what.nalt; i++)
		job->alt[i] = a->what.alt[i];
}

/*
 * The core's answer to a submission or change.  While a start is out it cannot
 * take a set of nodes it has never seen (core/sched.h); that start waits for the
 * locks we hold, so there is nothing to wait for: it is recalled, and made again
 * in the pass that follows at once.
 * RET true: accepted; else the decision tells, REFUSE_NONE: the event had no effect
 */
static bool ask_core(struct admission *a, const struct sched_event *ev, const char *what)
{
	do {
		memset(&a->decision, 0, sizeof(a->decision));
		if (!bridge_event(a->b, ev, what))
			return false;
		if (bridge_answer(a->b, ev->jobs[0].id, &a->decision))
			return true;
	} while (a->decision.reason == REFUSE_BUDGET && clock_us() < a->b->budget_end &&
		 bridge_recall(a->b, a->now));
	return false;
}

/* Ask for one limit; on acceptance the places are held under a token in AdminComment. */
static bool try_limit(struct admission *a, int64_t limit, job_desc_msg_t *desc)
{
	struct sched_job *jobs = calloc(a->tasks, sizeof(*jobs));
	uint64_t *core = calloc(a->tasks, sizeof(*core));
	struct token token = { .deadline = a->what.deadline, .limit = limit };
	bool ok = jobs && core;
	char *comment;

	for (uint32_t i = 0; ok && i < a->tasks; i++) {
		core[i] = ++a->b->next_core;
		admission_job(a, core[i], limit, &jobs[i]);
	}
	if (a->decided) {
		if (ok && a->brief)
			jobs[0].flags |= JOB_PROBE;
		ok = ok && !sched_ask(a->b->core, a->now, jobs, a->tasks, &a->decision) &&
		     a->decision.accepted;
		a->limit = limit;
		free(jobs);
		free(core);
		return ok;
	}
	ok = ok &&
	     ask_core(a,
		      &(struct sched_event){
			      .type = EV_SUBMIT, .now = a->now, .jobs = jobs, .njobs = a->tasks },
		      "a deadline job");
	if (ok) {
		token.id = unconfirmed_token(a->b);
		token.state = a->decision.expected ? TOKEN_EXPECTED : TOKEN_PROMISED;
		token.own = a->decision.own;
		comment = token_put(desc->admin_comment, &token);
		ok = comment && reliance_note(a->b, core, a->tasks, &a->waits_for) &&
		     unconfirmed_add(a->b, token.id, desc->script, bridge_shape(&jobs[0]), core,
				     a->tasks);
		if (ok) {
			xfree(desc->admin_comment);
			desc->admin_comment = xstrdup(comment);
			(*unconfirmed_find(a->b, token.id))->expected = a->decision.expected;
			if (a->decision.expected || a->what.malleable)
				late_limit_allow(desc);
			unconfirmed_asked(a->b, token.id, terms_note(&a->asked, a->tasks));
			core = NULL;
		}
		for (uint32_t i = 0; !ok && i < a->tasks; i++)
			bridge_event(a->b,
				     &(struct sched_event){
					     .type = EV_WITHDRAW, .now = a->now, .id = core[i] },
				     "out of memory");
		free(comment);
	}
	a->limit = limit;
	free(jobs);
	free(core);
	return ok;
}

/* A limit that may be trimmed: as long as can be, else as short as may be (doc/slurm.md). */
static bool try_limits(struct admission *a, job_desc_msg_t *desc)
{
	int64_t from = a->begin > a->now ? a->begin : a->now;
	int64_t fits = (a->what.deadline - from - a->b->conf->sched.guard) / 60 * 60;
	int64_t most = a->what.limit < fits ? a->what.limit : fits;

	if (a->what.least >= a->what.limit)
		return try_limit(a, a->what.limit, desc);
	if (most > a->what.least && try_limit(a, most, desc))
		return true;
	return try_limit(a, a->what.least, desc);
}

/* Where the limit comes from; NULL: the user has named it. */
static const char *limit_from(const struct admission *a, const job_desc_msg_t *desc, int64_t wanted)
{
	if (a->limit < wanted)
		return "shortened, as --time-min allows";
	return desc->time_limit == NO_VAL ? "the partition's DefaultTime" : NULL;
}

/*
 * The RiskLimit that the decision was above: of the realms where the job could run one that decided so, in
 * millionths.
 */
static int32_t risk_limit(const struct admission *a)
{
	const struct partitions *realms = &a->b->realms;
	const struct conf *conf = a->b->conf;
	int32_t limit = 0;

	for (size_t i = 0; i < realms->n; i++) {
		const struct own_scheduler *own =
			partitions_own(conf->own, conf->nown, realms->v[i].name);
		bool may = false;

		for (uint32_t k = 0; k < a->what.nalt; k++)
			may |= nodeset_size(a->what.alt[k]) == realms->nodes &&
			       nodeset_overlap(a->what.alt[k], realms->v[i].nodes);
		if (own && may && own->risk_limit < a->decision.chance && own->risk_limit > limit)
			limit = own->risk_limit;
	}
	return limit;
}

struct message_ask admission_asked(const struct admission *a, int64_t limit)
{
	struct message_ask ask = {
		.now = a->now,
		.deadline = a->what.deadline,
		.limit = limit,
		.guard = a->b->conf->sched.guard,
		.risk_limit = risk_limit(a),
		.width = a->what.width,
		.tasks = a->tasks ? a->tasks : 1,
		.scarce = a->what.scarce,
		.begin = a->begin,
	};

	if (a->begin > a->what.begin) {
		ask.after = a->waits_for.last;
		ask.after_how = a->waits_for.last_how;
		ask.after_end = a->waits_for.last_end;
	}
	return ask;
}

bool admission_decide(struct admission *a, job_desc_msg_t *desc)
{
	struct message_ask ask;
	int64_t wanted = a->what.limit;
	char why[160];
	bool ok;

	if (!checks_working(a) || !checks_all(a, desc))
		return false;
	if (!depend_begin(a->b, desc->dependency, a->access, &a->begin, &a->waits_for, why,
			  sizeof(why)))
		return why[0] ? admission_unplannable(a, why) : admission_plain(a, ADMISSION_BUSY);
	if (a->what.begin > a->begin)
		a->begin = a->what.begin;
	if (a->begin <= a->now)
		a->begin = 0;
	if (a->begin && scheduler_is_malleable() && admission_standard(a))
		return admission_unplannable(a, "a start that has to wait under sched/malleable");
	if (a->decided && !a->decided(a))
		return false;
	/* Once more if what is in the way is a --test-only that has been answered. */
	ok = try_limits(a, desc) ||
	     (!a->decided && unconfirmed_sweep(a->b, a->now) && try_limits(a, desc));
	a->why = tally_reason(a->decision.reason);
	ask = admission_asked(a, a->limit);
	ask.limit_from = limit_from(a, desc, wanted);
	if (ok)
		message_accepted(a->text, &ask, &a->decision);
	else
		message_refused(a->text, &ask, &a->decision);
	return ok;
}

bool admission_has_deadline(const job_desc_msg_t *desc)
{
	return desc->deadline && desc->deadline != (time_t)NO_VAL;
}

/* No submission can bring a promise along. */
void admission_strip_token(job_desc_msg_t *desc)
{
	char *rest;

	if (!desc->admin_comment || !(rest = token_remove(desc->admin_comment)))
		return;
	/* Empty, not absent: a change to nothing is a change. */
	xfree(desc->admin_comment);
	desc->admin_comment = xstrdup(rest);
	free(rest);
}

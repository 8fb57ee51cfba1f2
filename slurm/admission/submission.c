/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submission.c - a submission is decided, told and noted
 */
#include "slurm/base/compat.h"

#include "slurm/admission/submission.h"
#include "slurm/admission/admission.h"
#include "slurm/admission/admit.h"
#include "slurm/admission/checks.h"
#include "slurm/base/clock.h"
#include "slurm/base/message.h"
#include "slurm/base/meter.h"
#include "slurm/eligibility/entry.h"
#include "slurm/history/history.h"
#include "slurm/history/ledger.h"
#include "slurm/promise/pending.h"
#include "slurm/promise/unconfirmed.h"
#include "slurm/records/late_limit.h"
#include "slurm/records/malleable.h"
#include "slurm/records/move.h"
#include "slurm/records/run_limit.h"
#include "slurm/records/share_terms.h"
#include "slurm/snapshot/access.h"
#include "slurm/state/track.h"
#include "slurm/eligibility/account.h"

static void put_off(struct admission *a, job_desc_msg_t *desc, char **message)
{
	struct token token = {
		.id = unconfirmed_token(a->b),
		.deadline = a->what.deadline,
		.limit = a->what.limit < PACT_FOREVER ? a->what.limit : 0,
		.state = TOKEN_WITHDRAWN,
	};
	char *comment = token_put(desc->admin_comment, &token);

	if (comment) {
		xfree(desc->admin_comment);
		desc->admin_comment = xstrdup(comment);
		if (a->what.malleable)
			late_limit_allow(desc);
	}
	free(comment);
	admission_say_waits(a, desc);
	if (a->b->conf->accept_message)
		*message = xstrdup(a->text);
}

/* The code of a refusal: Slurm's own where it refuses by itself (its --time-min is too long). */
static int refusal(const struct admission *a, const job_desc_msg_t *desc)
{
	bool has_min = desc->time_min && desc->time_min != NO_VAL;

	if (a->code)
		return a->code;
	return has_min && a->now + (int64_t)desc->time_min * 60 > desc->deadline
		       ? ESLURM_INVALID_TIME_MIN_LIMIT
		       : ESLURM_INVALID_TIME_LIMIT;
}

/* Which promised job the best attempt would have made late: the core's id, as Slurm names it. */
static void find_critical(struct admission *a, struct ledger_decision *out)
{
	const struct track *track = track_by_core(a->b, a->decision.critical);

	if (!a->decision.critical)
		return;
	out->critical_late = a->decision.critical_late;
	out->itself = !track;
	if (track)
		out->critical.job_id = track->job_id;
}

void admission_ledger(struct admission *a, const job_desc_msg_t *desc, bool promised,
		      struct ledger_decision *out)
{
	const struct sched_decision *d = &a->decision;
	bool offer = d->offer_end > 0 && d->offer_end < PACT_FOREVER;
	struct token token;

	*out = (struct ledger_decision){
		.when = a->now,
		.uid = desc->user_id,
		.promised = promised && !d->expected,
		.expected = promised && d->expected,
		.observed = !promised && a->b->conf && a->b->conf->observe,
		.why = promised ? "" : tally_why_name(a->why),
		.deadline = a->what.deadline,
		.limit = a->limit ? a->limit : a->what.limit,
		.width = a->what.width,
		.own = promised || offer ? d->own : 0,
		.tasks = a->tasks,
		.start = promised ? d->start
			 : offer  ? d->offer_start
				  : 0,
		.end = promised ? d->end
		       : offer	? message_round_offer(d->offer_end)
				: 0,
		.attempts = d->attempts,
		.violations = d->violations,
		.waiting = d->waiting,
		.chance = d->chance,
	};
	if (promised && token_parse(desc->admin_comment, &token) == TOKEN_OK)
		out->promise = token.id;
	eligibility_account(desc->user_id, NULL, desc->account, out->account, sizeof(out->account));
	snprintf(out->partition, sizeof(out->partition), "%s",
		 desc->partition ? desc->partition
		 : a->what.nalt	 ? a->what.part[0]
				 : "");
	if (!promised)
		find_critical(a, out);
}

/* A refusal is found again by its reference. */
static void remember(struct admission *a, const job_desc_msg_t *desc, bool promised)
{
	struct ledger_decision entry;

	admission_ledger(a, desc, promised, &entry);
	if (!promised) {
		ledger_reference(entry.ref);
		message_reference(a->text, entry.ref);
	}
	snprintf(entry.text, sizeof(entry.text), "%s", a->text);
	ledger_decided(&entry);
	history_decided(&entry);
}

static void log_answer(const struct admission *a, uint32_t uid)
{
	char user[NAMES_USER];

	eligibility_user(uid, user);
	info("job_submit/deadline: %s: %s", user, a->text);
}

/* Say what was decided, to the user and to the log. */
static int answer(struct admission *a, const job_desc_msg_t *desc, bool promised, uint32_t uid,
		  char **message)
{
	bool observe = a->b->conf->observe, quiet = !a->b->conf->accept_message;

	remember(a, desc, promised);

	if (promised && a->decision.expected)
		a->b->tally.expected += a->tasks;
	else if (promised)
		a->b->tally.accepted += a->tasks;
	else
		tally_refusal(a->b, a->why, observe);
	if (!promised && observe)
		message_observed(a->text);
	log_answer(a, uid);
	if (!quiet || !(promised || observe))
		*message = xstrdup(a->text);
	return promised || observe ? SLURM_SUCCESS : refusal(a, desc);
}

/* A decision that the plan was not asked for is remembered, too: pact explain --last tells it. */
static void remember_busy(const struct admission *a, const job_desc_msg_t *desc, bool observe)
{
	struct ledger_decision entry = {
		.when = a->now,
		.uid = desc->user_id,
		.observed = observe,
		.why = tally_why_name(TALLY_BUSY),
		.deadline = a->what.deadline,
		.limit = a->what.limit,
		.width = a->what.width,
		.tasks = 1,
	};

	snprintf(entry.text, sizeof(entry.text), "%s", a->text);
	ledger_decided(&entry);
}

/* The mutex was not to be had: nothing is refused where refusals are only observed. */
static int busy(struct admission *a, const job_desc_msg_t *desc, uint32_t uid, char **message)
{
	bool observe = a->b->observe;

	tally_busy(a->b);
	message_plain(a->text, ADMISSION_BUSY);
	if (observe)
		message_observed(a->text);
	else
		*message = xstrdup(a->text);
	remember_busy(a, desc, observe);
	log_answer(a, uid);
	return observe ? SLURM_SUCCESS : ESLURM_INVALID_TIME_LIMIT;
}

/* With the mutex, or the answer for want of it. */
static int submission(struct admission *a, job_desc_msg_t *desc, uint32_t uid, char **message)
{
	int64_t took = clock_us();
	int rc;

	if (!admission_lock(a->b))
		return busy(a, desc, uid, message);
	meter_add(METER_WAIT, clock_us() - took);
	took = clock_us();
	pending_resolve(a->b, false);
	if (!a->b->conf) {
		message_plain(a->text, ADMISSION_NOT_ATTACHED);
		*message = xstrdup(a->text);
		rc = ESLURM_INVALID_TIME_LIMIT;
	} else if (a->what.ordered && !a->what.opaque && !a->no_entry[0]) {
		admission_say_ordered(a);
		if (a->b->conf->accept_message)
			*message = xstrdup(a->text);
		rc = SLURM_SUCCESS;
	} else if (admission_waits(a, desc)) {
		put_off(a, desc, message);
		rc = SLURM_SUCCESS;
	} else {
		rc = answer(a, desc, admission_decide(a, desc), uid, message);
	}
	took = clock_us() - took;
	admission_unlock(a->b);
	meter_add(METER_DECISION, took);
	debug("job_submit/deadline: decided in %" PRId64 " us, %d positions tried, reason %d", took,
	      a->decision.attempts, a->decision.reason);
	return rc;
}

/* What may not come with a submission leaves it. RET false: one of our options is wrong, which is told */
static bool clear(job_desc_msg_t *desc, char **message)
{
	char why[256];

	admission_strip_token(desc);
	share_terms_strip(desc);
	run_limit_strip(desc);
	malleable_strip(desc);
	if (move_submit(desc, why, sizeof(why)) && malleable_check(desc, why, sizeof(why)))
		return true;
	*message = xstrdup(why);
	return false;
}

/* Decided and told, when it is known whether Slurm would take it. */
static int told(struct admission *a, job_desc_msg_t *desc, uint32_t uid, char **message)
{
	admission_fit_range(a, desc);
	admission_entry(a, desc, uid);
	/* Groups may take their time to be looked up: only where that decides. */
	if (!a->what.opaque && !a->no_entry[0] && !admission_waits(a, desc))
		(void)admission_enters(a, desc, uid);
	return submission(a, desc, uid, message);
}

bool admission_resizable(const struct admission *a, const job_desc_msg_t *desc, char *why,
			 size_t size)
{
	struct malleable_option option;

	if (!malleable_asked(desc, &option) || a->what.malleable)
		return true;
	describe_rigid(&a->what, why, size);
	return false;
}

void admission_fit_range(const struct admission *a, job_desc_msg_t *desc)
{
	if (a->what.bounded && (a->what.malleable || admission_has_deadline(desc)))
		desc->max_nodes = (uint32_t)MAX(a->what.most, a->what.width);
}

static bool resizable(const struct admission *a, const job_desc_msg_t *desc, char **message)
{
	char why[256];

	if (admission_resizable(a, desc, why, sizeof(why)))
		return true;
	*message = xstrdup(why);
	return false;
}

/* Of a job without a deadline that is all there is to see to. */
static int undecided(struct admission *a, job_desc_msg_t *desc, char **message)
{
	struct malleable_option option;
	int rc = SLURM_SUCCESS;

	if (!malleable_asked(desc, &option)) {
		entry_seen(desc);
		return SLURM_SUCCESS;
	}
	a->regions = regions_create();
	/* no such partition: Slurm says so */
	if (a->regions && describe_submission(a->regions, desc, &a->what) &&
	    !resizable(a, desc, message))
		rc = ESLURM_NOT_SUPPORTED;
	if (!rc)
		admission_fit_range(a, desc);
	regions_destroy(a->regions);
	if (!rc)
		entry_seen(desc);
	return rc;
}

int admit_submission(job_desc_msg_t *desc, uint32_t uid, char **message)
{
	struct admission a = { .b = bridge_get(), .uid = desc->user_id, .now = time(NULL) };
	struct access access;
	int rc = SLURM_SUCCESS;

	if (!clear(desc, message))
		return EINVAL;
	if (!admission_has_deadline(desc))
		return undecided(&a, desc, message);
	a.regions = regions_create();
	if (!admission_access(&a, &access, desc, uid))
		rc = ENOMEM;
	/* No such partition: Slurm says so. */
	if (!rc && a.regions && describe_submission(a.regions, desc, &a.what)) {
		a.asked = a.what;
		rc = resizable(&a, desc, message) ? told(&a, desc, uid, message)
						  : ESLURM_NOT_SUPPORTED;
	}
	if (!rc)
		entry_seen(desc);
	access_close(&access);
	regions_destroy(a.regions);
	return rc;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * change.c - may the terms of a waiting job be changed?
 */
#include "slurm/base/compat.h"

#include "client/wish.h"
#include "slurm/admission/admission.h"
#include "slurm/admission/admit.h"
#include "slurm/admission/change_describe.h"
#include "slurm/admission/change_range.h"
#include "slurm/admission/change_what.h"
#include "slurm/admission/checks.h"
#include "slurm/base/message.h"
#include "slurm/eligibility/eligibility.h"
#include "slurm/promise/confirm.h"
#include "slurm/promise/pending.h"
#include "slurm/promise/release.h"
#include "slurm/promise/reliance.h"
#include "slurm/promise/unconfirmed.h"
#include "slurm/records/late_limit.h"
#include "slurm/records/malleable.h"
#include "slurm/records/run_limit.h"
#include "slurm/records/wish_of.h"
#include "slurm/snapshot/access.h"
#include "slurm/state/core.h"
#include "slurm/state/poke.h"
#include "slurm/state/resize_log.h"
#include "slurm/state/resizings.h"
#include "slurm/state/terms.h"
#include "slurm/state/track.h"
#include "slurm/eligibility/account.h"

/* Another promise would take the place of one that is not understood. */
#define MADE_BY_NEWER "its deadline was promised by a newer Pact, which alone can change it"

/* It takes comment, which may be NULL for want of memory. */
static void set_comment(job_desc_msg_t *desc, char *comment)
{
	if (comment) {
		xfree(desc->admin_comment);
		desc->admin_comment = xstrdup(comment);
	}
	free(comment);
}

/* What Pact keeps in a record survives a new AdminComment: the promise, also one that a newer Pact wrote, and a wish. */
static void carry(job_desc_msg_t *desc, const char *old, enum token_rc found)
{
	set_comment(desc, found == TOKEN_OK || found == TOKEN_NEWER
				  ? token_carry(desc->admin_comment, old)
				  : token_remove(desc->admin_comment));
	set_comment(desc, wish_carry(desc->admin_comment, old));
}

static void keep_token(job_desc_msg_t *desc, const char *old, const struct token *token)
{
	set_comment(desc, token_put(desc->admin_comment ? desc->admin_comment : old, token));
}

/*
 * The token of a decided change.  Slurm takes a new AdminComment from a super
 * user only; for others it goes into the record now, with the longer limit of the
 * two: should Slurm refuse the change after all, the record's own limit holds.
 */
static void set_token(struct change *c)
{
	struct token token = c->token;

	late_limit_change(c->desc, c->job, &token);
	if (validate_super_user(c->uid)) {
		keep_token(c->desc, c->job->admin_comment, &token);
		return;
	}
	if (c->bound && c->old.limit > token.limit)
		token.limit = c->old.limit;
	late_limit_put(c->job, &token);
}

/* Old terms and new hold until the record shows which it is. */
static bool note_change(struct admission *a, const struct change *c, const struct track *track,
			const struct sched_job *terms)
{
	struct pending_terms decided = {
		.job = c->job,
		.core = track->core,
		.terms = terms,
		.regions = a->regions,
		.start = a->decision.start,
		.token = c->token,
		.undo = c->old,
		.promise = change_wants_promise(c),
		.asked = terms_note(&a->asked, 1),
	};

	a->regions = NULL;
	return pending_note(a->b, &decided) ? true : admission_plain(a, ADMISSION_BUSY);
}

/* It could not end by its bound. */
static bool too_late_for(struct admission *a, const struct change *c)
{
	char why[160], who[64], by[32];

	message_time(by, c->by);
	snprintf(why, sizeof(why), "%s, and it could not end by %s then", change_waiter(c, who),
		 by);
	return admission_plain(a, why);
}

/* Decide a change; the plan keeps the old terms. */
static bool decide_change(struct admission *a, struct change *c, struct track *track)
{
	int64_t limit = change_limit(a, c);
	struct sched_job terms;

	if (!change_permitted(a, c) || !change_begin(a, c))
		return false;
	admission_job(a, track->core, limit, &terms);
	terms.flags = 0;
	if (!change_wants_promise(c) || c->by < terms.deadline) {
		terms.deadline = c->by;
		terms.flags = change_wants_promise(c) ? 0 : JOB_NEEDED;
	}
	terms.submit = track->submit;
	terms.eligible = c->job->details->begin_time;
	terms.priority = track->priority;
	/* Nothing that is planned by the old terms alone may start before the outcome is seen. */
	bridge_recall(a->b, a->now);
	if (!pending_ask(a->b, a->now, &terms, &a->decision)) {
		struct message_ask ask = admission_asked(a, limit);

		if (a->decision.reason == REFUSE_NONE)
			return admission_plain(a, "cannot be promised now: try again");
		if (terms.deadline == c->by)
			return too_late_for(a, c);
		message_refused(a->text, &ask, &a->decision);
		return false;
	}
	if (c->desc->dependency)
		reliance_note(a->b, &track->core, 1, &a->waits_for);
	c->token.limit = limit;
	c->token.deadline = a->what.deadline;
	c->token.state = a->decision.expected ? TOKEN_EXPECTED : TOKEN_PROMISED;
	c->token.own = a->decision.own;
	return note_change(a, c, track, &terms);
}

static int refuse_change(struct admission *a, const struct change *c, int rc)
{
	bool observe = a->b->observe;
	char user[NAMES_USER];

	eligibility_user(c->uid, user);
	info("job_submit/deadline: %s: JobId=%u: change %s: %s", user, c->job->job_id,
	     observe ? "observed" : "refused", a->text);
	if (c->message && !observe)
		*c->message = xstrdup(a->text);
	return observe ? SLURM_SUCCESS : rc;
}

static int refuse_plainly(struct admission *a, const struct change *c, int rc, const char *why)
{
	message_plain(a->text, why);
	return refuse_change(a, c, rc);
}

/* The range of one of which no more is decided now.  RET SLURM_SUCCESS or the refusal */
static int fit(struct admission *a, const struct change *c)
{
	char why[256];

	if (!change_describe(a, c) || change_range(c, &a->what, why, sizeof(why)))
		return SLURM_SUCCESS;
	return refuse_plainly(a, c, ESLURM_NOT_SUPPORTED, why);
}

/* Without a promise: of a malleable job, or of one whose deadline is decided later, there is its range to see to. */
static int undecided(struct admission *a, const struct change *c)
{
	struct malleable_option option;
	int rc;

	if (!IS_JOB_PENDING(c->job) || !c->job->details || !change_allowed(c) ||
	    !change_of_range(c->desc) || !(c->had || malleable_of(c->job, &option)))
		return SLURM_SUCCESS;
	a->regions = regions_create();
	rc = a->regions ? fit(a, c) : ENOMEM;
	regions_destroy(a->regions);
	return rc;
}

/* A deadline that cannot be decided yet: the next snapshot, or its release, does. */
static int decide_later(struct admission *a, struct change *c)
{
	int rc = fit(a, c);

	if (rc)
		return rc;
	if (!c->bound && change_endless(c))
		return refuse_plainly(a, c, ESLURM_INVALID_TIME_LIMIT,
				      "a job without a time limit cannot be promised an end; "
				      "change its TimeLimit, too");
	if (!c->had)
		c->token = (struct token){ .id = unconfirmed_token(bridge_get()) };
	if (admission_has_deadline(c->desc))
		c->token.deadline = c->desc->deadline;
	c->token.state = TOKEN_WITHDRAWN;
	c->old = c->token;
	set_token(c);
	return SLURM_SUCCESS;
}

/* The tasks of an array are promised one by one, and share one token. */
static int change_array(struct admission *a, struct change *c)
{
	if (!change_only_shortens(c))
		return refuse_plainly(a, c, ESLURM_NOT_SUPPORTED,
				      "an array's promise is not changed "
				      "as a whole; change its tasks, or hold it first");
	if ((int64_t)c->desc->time_limit * 60 < c->token.limit && validate_super_user(c->uid)) {
		c->token.limit = (int64_t)c->desc->time_limit * 60;
		keep_token(c->desc, c->job->admin_comment, &c->token);
	}
	return SLURM_SUCCESS;
}

/* What the plan cannot see, of a job that it keeps a place for, or that one waits for. */
static int change_unseen(struct admission *a, const struct change *c, const char *what)
{
	char why[200], who[64];

	if (c->bound)
		snprintf(why, sizeof(why),
			 "%s cannot be changed while it is promised; hold it first", what);
	else if (change_wants_promise(c) && c->by == PACT_FOREVER)
		snprintf(
			why, sizeof(why),
			"%s cannot be changed together with its deadline; change the deadline last",
			what);
	else
		snprintf(why, sizeof(why), "%s cannot be changed: %s", what, change_waiter(c, who));
	return refuse_plainly(a, c, ESLURM_NOT_SUPPORTED, why);
}

static void begin_token(struct admission *a, struct change *c)
{
	if (!change_wants_promise(c)) {
		c->token = c->old = (struct token){ 0 };
		return;
	}
	if (!c->had)
		c->token = (struct token){ .id = unconfirmed_token(a->b) };
	c->old = c->token;
	if (!c->had)
		c->old.state = TOKEN_WITHDRAWN;
}

static void log_accepted(const struct admission *a, const struct change *c)
{
	char user[NAMES_USER];

	eligibility_user(c->uid, user);
	info("job_submit/deadline: %s: JobId=%u: change accepted, planned start %" PRId64, user,
	     c->job->job_id, a->decision.start);
}

/* With the mutex.  RET SLURM_SUCCESS or the refusal. */
static int change(struct admission *a, struct change *c)
{
	uint32_t base = c->job->array_job_id ? c->job->array_job_id : c->job->job_id;
	const char *unseen = NULL;
	struct track *track;
	char why[320];
	bool needed, kept;

	if (!a->b->conf || !a->b->attached)
		return SLURM_SUCCESS;
	unconfirmed_changed(a->b, c->token.id, track_key(base, c->job->array_task_id));
	c->by = reliance_ask(a->b, base, c->job->array_task_id, &c->waiter);
	needed = !c->bound && c->by < PACT_FOREVER;
	if (!needed && !change_wants_promise(c))
		return SLURM_SUCCESS;
	if (needed)
		unseen = change_needed_unseen(c);
	else
		unseen = c->bound ? change_of_unseen(c->desc) : change_unseen_beside(c->desc);
	if (unseen)
		return change_unseen(a, c, unseen);
	if (needed && change_only_shortens(c))
		return SLURM_SUCCESS;
	if (c->job->array_recs && c->job->array_task_id == NO_VAL)
		return needed ? change_unseen(a, c, "an array as a whole") : change_array(a, c);
	kept = c->bound || needed;
	/* What is promised already, or waited for, may be changed as long as there is a plan that is kept up. */
	if (((change_wants_promise(c) && !c->bound) || (kept && !a->b->ready)) &&
	    bridge_refuses(a->b, why, sizeof(why)))
		return refuse_plainly(a, c, kept ? ESLURM_DISABLED : ESLURM_INVALID_TIME_LIMIT,
				      why);
	track = a->b->ready ? track_find(a->b, track_key(base, c->job->array_task_id)) : NULL;
	if (c->bound && a->b->ready && !track)
		track = confirm_now(a->b, c->job, &c->token, a->now);
	/* Broken, and its place was given up: it may get one again by its new terms, and is broken until then. */
	if (c->bound && a->b->ready && !track && c->token.state == TOKEN_BROKEN)
		return SLURM_SUCCESS;
	if (!track || track->running) {
		if (c->bound)
			return refuse_plainly(a, c, EBUSY, ADMISSION_BUSY);
		return change_wants_promise(c) ? decide_later(a, c) : SLURM_SUCCESS;
	}
	if (!change_describe(a, c) || (!a->what.deadline && !needed))
		return SLURM_SUCCESS;
	a->asked = a->what;
	begin_token(a, c);
	if (decide_change(a, c, track)) {
		if (change_wants_promise(c))
			set_token(c);
		log_accepted(a, c);
		return SLURM_SUCCESS;
	}
	/* A promise that is broken anyway may become a smaller one. */
	if (c->bound && c->token.state == TOKEN_BROKEN && change_only_shortens(c))
		return SLURM_SUCCESS;
	return refuse_change(a, c, a->code ? a->code : ESLURM_INVALID_TIME_LIMIT);
}

static void not_now(const job_record_t *job)
{
	resizings_note(RESIZING_NOT_NOW, 0);
	resize_log_not_now(job->job_id);
}

int admit_change(job_desc_msg_t *desc, job_record_t *job, uint32_t uid, char **message)
{
	struct admission a = {
		.b = bridge_get(), .uid = job->user_id, .now = time(NULL), .tasks = 1
	};
	struct change c = { .desc = desc, .job = job, .uid = uid, .message = message };
	struct access access;
	enum token_rc found;
	int rc;

	/* what else the request is to change is decided as any other change */
	if (wish_not_now(desc, job, uid, &rc)) {
		if (rc != SLURM_SUCCESS)
			return rc;
		not_now(job);
	}
	found = token_parse(job->admin_comment, &c.token);
	c.had = found == TOKEN_OK;
	c.bound = c.had && c.token.state != TOKEN_WITHDRAWN;
	if (desc->admin_comment)
		carry(desc, job->admin_comment, found);
	(void)run_limit_requeued(job);
	if (release_unseen(desc, job) && admission_lock(a.b)) {
		release_note(a.b, job);
		admission_unlock(a.b);
	}
	if (!change_concerns_us(&c, a.b->nreliances))
		return undecided(&a, &c);
	/* Slurm would find this out when half of the change is made. */
	if (admission_has_deadline(desc) && !validate_operator(uid))
		return ESLURM_ACCESS_DENIED;
	if (found == TOKEN_NEWER && admission_has_deadline(desc))
		return refuse_plainly(&a, &c, ESLURM_NOT_SUPPORTED, MADE_BY_NEWER);
	/* Slurm would find this out when the job has the CPUs for so many nodes, which it never has. */
	if (change_too_wide(desc, job->details))
		return ESLURM_INVALID_NODE_COUNT;
	a.regions = regions_create();
	if (!admission_access(&a, &access, desc, uid) || !a.regions) {
		rc = ENOMEM;
	} else if (!admission_lock(a.b)) {
		rc = refuse_plainly(&a, &c, EBUSY, ADMISSION_BUSY);
	} else {
		pending_resolve(a.b, true);
		rc = job->priority == 0 ? decide_later(&a, &c) : change(&a, &c);
		admission_unlock(a.b);
	}
	access_close(&access);
	regions_destroy(a.regions);
	poke();
	return rc;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admission.c - is the deadline of a submission promised?
 */
#include "slurm/base/compat.h"

#include "slurm/snapshot/access.h"
#include "slurm/admission/admission.h"
#include "slurm/admission/admit.h"
#include "slurm/base/array.h"
#include "slurm/promise/depend.h"
#include "slurm/eligibility/entry.h"
#include "slurm/history/history.h"
#include "slurm/history/ledger.h"
#include "slurm/base/message.h"
#include "slurm/base/meter.h"
#include "slurm/promise/reliance.h"
#include "slurm/promise/pending.h"
#include "slurm/promise/unconfirmed.h"
#include "slurm/state/terms.h"
#include "slurm/base/clock.h"
#include "slurm/state/track.h"
#include "slurm/state/core.h"

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

/* Tasks of a submission; 0: no array that could be planned, named in `why`. */
static uint32_t count_tasks(const char *text, char *why, size_t why_size)
{
	uint32_t n;

	if (!text || !text[0])
		return 1;
	if (strchr(text, '%')) {
		snprintf(why, why_size, "%s", DESCRIBE_THROTTLE);
		return 0;
	}
	n = array_count(text, DESCRIBE_TASKS);
	if (!n)
		snprintf(why, why_size, "this array of tasks (at most %d)", DESCRIBE_TASKS);
	return n;
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
		.flags = JOB_UNCONFIRMED,
		.nalt = a->what.nalt,
		.required = a->what.required,
	};
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
		comment = token_put(desc->admin_comment, &token);
		ok = comment && reliance_note(a->b, core, a->tasks, &a->waits_for) &&
		     unconfirmed_add(a->b, token.id, desc->script, bridge_shape(&jobs[0]), core,
				     a->tasks);
		if (ok) {
			xfree(desc->admin_comment);
			desc->admin_comment = xstrdup(comment);
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

bool admission_plain(struct admission *a, const char *why)
{
	a->why = TALLY_NOT_ALLOWED;
	message_plain(a->text, why);
	return false;
}

bool admission_unplannable(struct admission *a, const char *what)
{
	a->why = TALLY_UNPLANNABLE;
	if (!strcmp(what, DESCRIBE_PART_OF_NODE))
		message_plain(a->text, "only whole nodes can be promised: add --exclusive");
	else
		message_unplannable(a->text, what);
	return false;
}

/* A limit that may be trimmed is, to what its account and QOS allow. */
bool admission_no_obstacle(struct admission *a, const struct eligibility_job *job)
{
	char why[256];
	int64_t longest;

	switch (eligibility_obstacle(job, &longest, why, sizeof(why))) {
	case OBSTACLE_OVER:
		return admission_plain(a, why);
	case OBSTACLE_WAITS:
		/* Of a record it may be its array. */
		if (!job->record)
			snprintf(why + strlen(why), sizeof(why) - strlen(why),
				 "; use another partition, account or QOS");
		return admission_unplannable(a, why);
	case OBSTACLE_NONE:
		break;
	}
	if (longest < a->what.limit)
		a->what.limit = longest;
	return true;
}

/* Has the user or the partition's DefaultTime said how long it may run?  UNLIMITED says nothing. */
static bool limited(const struct admission *a)
{
	return a->what.limit_given && a->what.least < PACT_FOREVER;
}

static bool no_limit(struct admission *a)
{
	a->decision.reason = REFUSE_NO_LIMIT;
	a->why = tally_reason(REFUSE_NO_LIMIT);
	message_refused(a->text, &(struct message_ask){ .width = a->what.width }, &a->decision);
	return false;
}

/* It could never be started. */
static bool in_vain(struct admission *a)
{
	char why[160];

	describe_waits(&a->what, why, sizeof(why));
	(void)admission_plain(a, why);
	a->why = TALLY_TOO_WIDE;
	a->code = ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE;
	return false;
}

/* Does no scheduler of its partitions make promises? */
static bool unpromising(const struct admission *a, char *why, size_t size)
{
	const char *own = NULL;

	for (uint32_t i = 0; i < a->what.nalt; i++) {
		own = conf_unpromising(a->b->conf, a->what.part[i]);
		if (!own)
			return false;
	}
	if (own)
		snprintf(why, size,
			 "partition %s is scheduled by %s (Scheduler=%s), which makes no promises; "
			 "submit without --deadline",
			 a->what.part[a->what.nalt - 1], own, own);
	return own;
}

/* Who asks, and what may keep such a job waiting. */
bool admission_permitted(struct admission *a, const struct eligibility_job *job)
{
	char why[160];

	for (uint32_t i = 0; i < a->what.nalt; i++)
		if (!conf_promises(a->b->conf, a->what.part[i])) {
			snprintf(why, sizeof(why),
				 "promises are switched off in partition %s "
				 "(Admission=none); submit without --deadline",
				 a->what.part[i]);
			return admission_plain(a, why);
		}
	if (unpromising(a, why, sizeof(why)) ||
	    !eligibility_allows(a->b->conf, job, why, sizeof(why)))
		return admission_plain(a, why);
	if (!limited(a))
		return no_limit(a);
	if (a->what.opaque)
		return admission_unplannable(a, a->what.opaque);
	if (describe_in_vain(&a->what))
		return in_vain(a);
	return admission_no_obstacle(a, job);
}

/* Everything but the plan itself. */
static bool checks(struct admission *a, const job_desc_msg_t *desc)
{
	struct eligibility_job job = {
		.uid = desc->user_id,
		.account = desc->account,
		.qos = desc->qos,
		.what = &a->what,
		.least = a->what.least,
	};
	char why[160];

	if (a->no_entry[0])
		return admission_plain(a, a->no_entry);
	if (!admission_permitted(a, &job))
		return false;
	a->tasks = count_tasks(desc->array_inx, why, sizeof(why));
	if (!a->tasks)
		return admission_unplannable(a, why);
	if (!a->not_taken[0])
		return true;
	a->code = ESLURM_ACCOUNTING_POLICY;
	return admission_plain(a, a->not_taken);
}

/* Can anything be promised at all? */
static bool working(struct admission *a)
{
	char why[320];

	if (!a->b->attached)
		return admission_plain(a, ADMISSION_NOT_ATTACHED);
	if (bridge_refuses(a->b, why, sizeof(why)))
		return admission_plain(a, why);
	if (a->b->ready && nodeset_size(a->what.alt[0]) == a->b->nodes)
		return true;
	admission_plain(a, "cannot be promised now: the plan is being built; try again");
	a->why = TALLY_BUSY;
	return false;
}

/* Where the limit comes from; NULL: the user has named it. */
static const char *limit_from(const struct admission *a, const job_desc_msg_t *desc, int64_t wanted)
{
	if (a->limit < wanted)
		return "shortened, as --time-min allows";
	return desc->time_limit == NO_VAL ? "the partition's DefaultTime" : NULL;
}

struct message_ask admission_asked(const struct admission *a, int64_t limit)
{
	struct message_ask ask = {
		.now = a->now,
		.deadline = a->what.deadline,
		.limit = limit,
		.guard = a->b->conf->sched.guard,
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

	if (!working(a) || !checks(a, desc))
		return false;
	if (!depend_begin(a->b, desc->dependency, a->access, &a->begin, &a->waits_for, why,
			  sizeof(why)))
		return why[0] ? admission_unplannable(a, why) : admission_plain(a, ADMISSION_BUSY);
	if (a->what.begin > a->begin)
		a->begin = a->what.begin;
	if (a->begin <= a->now)
		a->begin = 0;
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

void admission_entry(struct admission *a, const job_desc_msg_t *desc, uint32_t submitter)
{
	char why[sizeof(a->no_entry)];
	int code = entry_refused(desc, submitter, &a->what, why, sizeof(why));

	if (!code)
		return;
	a->code = code;
	snprintf(a->no_entry, sizeof(a->no_entry), "%s", why);
}

bool admission_enters(struct admission *a, const job_desc_msg_t *desc, uint32_t submitter)
{
	if (!eligibility_enters(desc, submitter, a->no_entry, sizeof(a->no_entry)))
		return false;
	a->code = entry_label(desc, a->no_entry, sizeof(a->no_entry));
	if (!a->code)
		(void)eligibility_submits(desc, a->not_taken, sizeof(a->not_taken));
	return true;
}

bool admission_waits(const struct admission *a, const job_desc_msg_t *desc)
{
	char why[160];

	return (desc->priority == 0 || a->what.waits) && !a->what.opaque && limited(a) &&
	       !a->no_entry[0] && !describe_in_vain(&a->what) && !describe_closed(&a->what) &&
	       count_tasks(desc->array_inx, why, sizeof(why));
}

void admission_say_waits(struct admission *a, const job_desc_msg_t *desc)
{
	char why[160] = "the job is held";

	if (desc->priority)
		describe_waits(&a->what, why, sizeof(why));
	message_waits(a->text, why);
}

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
	}
	free(comment);
	admission_say_waits(a, desc);
	if (a->b->conf->accept_message)
		*message = xstrdup(a->text);
}

bool admission_has_deadline(const job_desc_msg_t *desc)
{
	return desc->deadline && desc->deadline != (time_t)NO_VAL;
}

/* Nobody can bring a promise along. */
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
		.promised = promised,
		.observed = !promised && a->b->conf && a->b->conf->observe,
		.why = promised ? "" : tally_why_name(a->why),
		.deadline = a->what.deadline,
		.limit = a->limit ? a->limit : a->what.limit,
		.width = a->what.width,
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

	if (promised)
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

/* The mutex was not to be had: nothing is refused where refusals are only observed. */
static int busy(struct admission *a, uint32_t uid, char **message)
{
	bool observe = a->b->observe;

	tally_busy(a->b);
	message_plain(a->text, ADMISSION_BUSY);
	if (observe)
		message_observed(a->text);
	else
		*message = xstrdup(a->text);
	log_answer(a, uid);
	return observe ? SLURM_SUCCESS : ESLURM_INVALID_TIME_LIMIT;
}

/* With the mutex, or the answer for want of it. */
static int submission(struct admission *a, job_desc_msg_t *desc, uint32_t uid, char **message)
{
	int64_t took = clock_us();
	int rc;

	if (!admission_lock(a->b))
		return busy(a, uid, message);
	meter_add(METER_WAIT, clock_us() - took);
	took = clock_us();
	pending_resolve(a->b, false);
	if (!a->b->conf) {
		message_plain(a->text, ADMISSION_NOT_ATTACHED);
		*message = xstrdup(a->text);
		rc = ESLURM_INVALID_TIME_LIMIT;
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

bool admission_access(struct admission *a, struct access *access, const job_desc_msg_t *desc,
		      uint32_t uid)
{
	struct access_about about;

	*access = (struct access){ .all = true };
	a->access = access;
	if (!desc->dependency || !desc->dependency[0])
		return true;
	depend_about(desc->dependency, uid, &about);
	return access_read(access, uid, &about);
}

int admit_submission(job_desc_msg_t *desc, uint32_t uid, char **message)
{
	struct admission a = { .b = bridge_get(), .now = time(NULL) };
	struct access access;
	int rc = SLURM_SUCCESS;

	admission_strip_token(desc);
	if (!admission_has_deadline(desc)) {
		entry_seen(desc);
		return SLURM_SUCCESS;
	}
	a.regions = regions_create();
	if (!admission_access(&a, &access, desc, uid))
		rc = ENOMEM;
	/* No such partition: Slurm says so. */
	if (!rc && a.regions && describe_submission(a.regions, desc, &a.what)) {
		a.asked = a.what;
		admission_entry(&a, desc, uid);
		/* Groups may take their time to be looked up: only where that decides. */
		if (!a.what.opaque && !a.no_entry[0] && !admission_waits(&a, desc))
			(void)admission_enters(&a, desc, uid);
		rc = submission(&a, desc, uid, message);
	}
	if (!rc)
		entry_seen(desc);
	access_close(&access);
	regions_destroy(a.regions);
	return rc;
}

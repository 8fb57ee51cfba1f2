/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * change.c - may the terms of a waiting job be changed?
 */
#include "slurm/base/compat.h"

#include "slurm/snapshot/access.h"
#include "slurm/admission/admission.h"
#include "slurm/admission/admit.h"
#include "slurm/state/poke.h"
#include "slurm/eligibility/eligibility.h"
#include "slurm/promise/confirm.h"
#include "slurm/promise/depend.h"
#include "slurm/base/message.h"
#include "slurm/promise/reliance.h"
#include "slurm/promise/pending.h"
#include "slurm/promise/unconfirmed.h"
#include "slurm/promise/release.h"
#include "slurm/records/request.h"
#include "slurm/state/terms.h"
#include "slurm/state/track.h"
#include "slurm/state/core.h"

/* A request to change a waiting job, and who that job is to us. */
struct change {
	job_desc_msg_t *desc;
	job_record_t *job;
	uint32_t uid;
	char **message; /* for the user, as admit_change()'s */
	struct token token, old;
	bool had;   /* it has a token */
	bool bound; /* the plan keeps a place for it */
	/* A promised job waits for it (reliance.h): until when it has to end; else PACT_FOREVER. */
	int64_t by;
	uint32_t waiter; /* that job; 0: it has no record yet */
};

static bool promise_wanted(const struct change *c)
{
	return c->bound || admission_has_deadline(c->desc);
}

/* Who waits for it, for a message. */
static const char *waiter(const struct change *c, char text[64])
{
	if (c->waiter)
		snprintf(text, 64, "promised JobId=%u waits for it", c->waiter);
	else
		snprintf(text, 64, "a job that was promised just now waits for it");
	return text;
}

/* The record under the changed terms; what it owns besides. */
struct changed {
	job_record_t *job;
	job_details_t *det;
	bitstr_t *required, *exclude;
	list_t *parts;
};

/* What the plan knows how to decide. */
static bool changes_terms(const job_desc_msg_t *desc)
{
	return admission_has_deadline(desc) || desc->time_limit != NO_VAL ||
	       desc->time_min != NO_VAL || desc->partition || desc->features || desc->req_nodes ||
	       desc->exc_nodes || desc->dependency ||
	       (desc->begin_time && desc->begin_time != (time_t)NO_VAL) ||
	       (desc->min_nodes != NO_VAL && desc->min_nodes) || desc->max_nodes != NO_VAL ||
	       (desc->min_cpus != NO_VAL && desc->min_cpus);
}

static bool changes_tasks(const job_desc_msg_t *desc)
{
	return desc->num_tasks != NO_VAL || desc->cpus_per_task != NO_VAL16 ||
	       desc->ntasks_per_node != NO_VAL16 || desc->ntasks_per_socket != NO_VAL16 ||
	       desc->ntasks_per_core != NO_VAL16 || desc->sockets_per_node != NO_VAL16 ||
	       desc->cores_per_socket != NO_VAL16 || desc->threads_per_core != NO_VAL16 ||
	       desc->overcommit != NO_VAL8;
}

/* What it does not, by name: what it needs besides whole nodes, or may wait for; else NULL. */
static const char *changes_unseen(const job_desc_msg_t *desc)
{
	if (desc->tres_per_job || desc->tres_per_node || desc->tres_per_socket ||
	    desc->tres_per_task || desc->cpus_per_tres || desc->mem_per_tres || desc->licenses)
		return "its generic resources or licenses";
	if (desc->reservation)
		return "its reservation";
	if (desc->qos || desc->account)
		return "its QOS or account";
	if (desc->array_inx)
		return "its limit on running array tasks";
	if (desc->batch_features || desc->prefer || desc->clusters || desc->cluster_features ||
	    desc->network || desc->burst_buffer)
		return "its features, network or clusters";
	if (desc->contiguous != NO_VAL16 || desc->core_spec != NO_VAL16 ||
	    desc->shared != NO_VAL16 || desc->req_switch != NO_VAL || desc->reboot != NO_VAL16 ||
	    desc->bitflags & (SPREAD_JOB | USE_MIN_NODES))
		return "how its nodes lie or are shared";
	if (changes_tasks(desc))
		return "its tasks";
	if (desc->pn_min_cpus != NO_VAL16 || desc->pn_min_memory != NO_VAL64 ||
	    desc->pn_min_tmp_disk != NO_VAL)
		return "what its nodes must have";
	return NULL;
}

/*
 * With a deadline for a job that has no promise: its QOS and account are looked at as they
 * will be.
 */
static const char *unseen_beside(const job_desc_msg_t *desc)
{
	job_desc_msg_t rest = *desc;

	rest.qos = rest.account = NULL;
	return changes_unseen(&rest);
}

/* Nothing but a shorter limit, which takes nobody's place. */
static bool only_shortens(const struct change *c)
{
	job_desc_msg_t rest = *c->desc;

	rest.time_limit = NO_VAL;
	return c->desc->time_limit != NO_VAL && c->desc->time_limit <= c->job->time_limit &&
	       !changes_terms(&rest);
}

/* The promise's token survives a new AdminComment. */
static void keep_token(job_desc_msg_t *desc, const char *old, const struct token *token)
{
	char *comment = token_put(desc->admin_comment ? desc->admin_comment : old, token);

	if (comment) {
		xfree(desc->admin_comment);
		desc->admin_comment = xstrdup(comment);
	}
	free(comment);
}

/*
 * The token of a decided change.  Slurm takes a new AdminComment from a super
 * user only; for others it goes into the record now, with the longer limit of the
 * two: should Slurm refuse the change after all, the record's own limit holds.
 */
static void set_token(struct change *c)
{
	struct token token = c->token;
	char *comment;

	if (validate_super_user(c->uid)) {
		keep_token(c->desc, c->job->admin_comment, &token);
		return;
	}
	if (c->bound && c->old.limit > token.limit)
		token.limit = c->old.limit;
	comment = token_put(c->job->admin_comment, &token);
	if (comment) {
		xfree(c->job->admin_comment);
		c->job->admin_comment = xstrdup(comment);
	}
	free(comment);
}

static bool counts_nodes(const job_desc_msg_t *desc)
{
	return desc->min_nodes != NO_VAL && desc->min_nodes != INFINITE && desc->min_nodes;
}

/* Processors, and tasks, of which Slurm gives it more for more nodes (_update_job). */
static void change_cpus(const job_desc_msg_t *desc, struct changed *as)
{
	bool given = desc->min_cpus != NO_VAL && desc->min_cpus;
	const uint64_t *asked = as->job->tres_req_cnt;
	job_details_t *det = as->det;
	uint64_t cpus = asked ? asked[TRES_ARRAY_CPU] : det->min_cpus;
	uint64_t tasks = det->num_tasks, needs = 0;

	if (given)
		cpus = desc->min_cpus;
	if (counts_nodes(desc)) {
		if (tasks && tasks < desc->min_nodes)
			det->num_tasks = desc->min_nodes;
		if (tasks < desc->min_nodes)
			tasks = desc->min_nodes;
		needs = (uint64_t)det->pn_min_cpus * desc->min_nodes;
		if (tasks * det->cpus_per_task > needs)
			needs = tasks * det->cpus_per_task;
	}
	if (!given && needs <= cpus)
		return;
	cpus = request_countable(needs > cpus ? needs : cpus);
	if (det->min_cpus != cpus)
		det->orig_min_cpus = (uint32_t)cpus;
	det->min_cpus = (uint32_t)cpus;
}

static bool change_nodes(const job_desc_msg_t *desc, struct changed *as)
{
	job_details_t *det = as->det;

	change_cpus(desc, as);
	if (counts_nodes(desc))
		det->min_nodes = desc->min_nodes;
	if (desc->max_nodes != NO_VAL)
		det->max_nodes = desc->max_nodes; /* 0: no most any more */
	if (desc->req_nodes) {
		if (node_name2bitmap(desc->req_nodes, false, &as->required, NULL))
			return false;
		det->req_node_bitmap = as->required;
		if (bit_set_count(as->required) > (int)det->min_nodes)
			det->min_nodes = bit_set_count(as->required);
	}
	if (desc->exc_nodes) {
		if (node_name2bitmap(desc->exc_nodes, false, &as->exclude, NULL))
			return false;
		det->exc_node_bitmap = as->exclude;
		det->exc_nodes = desc->exc_nodes;
	}
	return true;
}

static bool change_parts(const job_desc_msg_t *desc, struct changed *as)
{
	if (!desc->partition)
		return true;
	as->parts = request_parts(desc->partition);
	if (!as->parts)
		return false;
	as->job->part_ptr = list_peek(as->parts);
	as->job->part_ptr_list = as->parts;
	return true;
}

static void change_times(const job_desc_msg_t *desc, struct changed *as)
{
	if (desc->time_limit != NO_VAL)
		as->job->time_limit = desc->time_limit;
	if (desc->time_min != NO_VAL)
		as->job->time_min = desc->time_min;
	if (admission_has_deadline(desc))
		as->job->deadline = desc->deadline;
	if (desc->begin_time && desc->begin_time != (time_t)NO_VAL)
		as->det->begin_time = desc->begin_time;
}

/* The job as it will be.  RET false: Slurm will not take the change. */
static bool describe_change(struct admission *a, const struct change *c)
{
	struct changed as = { .job = xmalloc(sizeof(*as.job)), .det = xmalloc(sizeof(*as.det)) };
	bool ok;

	memcpy(as.job, c->job, sizeof(*as.job));
	memcpy(as.det, c->job->details, sizeof(*as.det));
	as.job->details = as.det;
	change_times(c->desc, &as);
	if (c->desc->features)
		as.det->features = c->desc->features;
	ok = change_nodes(c->desc, &as) && change_parts(c->desc, &as) &&
	     describe_record(a->regions, as.job, &a->what);
	FREE_NULL_BITMAP(as.required);
	FREE_NULL_BITMAP(as.exclude);
	FREE_NULL_LIST(as.parts);
	xfree(as.det);
	xfree(as.job);
	return ok;
}

/*
 * A promise is for a number of nodes.  NumNodes=N leaves the most as it was, which makes a range of it,
 * unless its tasks or the nodes that it names take as many all the same; it is N then.  More than the
 * most are refused before this.
 */
static bool describe_changed(struct admission *a, const struct change *c)
{
	job_desc_msg_t *desc = c->desc;
	bool ok = describe_change(a, c);

	if (!ok || !a->what.opaque || !counts_nodes(desc) || desc->max_nodes != NO_VAL ||
	    !c->job->details->max_nodes)
		return ok;
	desc->max_nodes = desc->min_nodes;
	return describe_change(a, c);
}

/* When the jobs that it waits for, or will wait for, have ended. */
static bool change_begin(struct admission *a, const struct change *c)
{
	list_t *waits_for = c->job->details->depend_list;
	depend_spec_t *dep;
	list_itr_t *iter;
	char why[160];

	a->begin = 0;
	if (c->desc->dependency) {
		if (!depend_begin(a->b, c->desc->dependency, a->access, &a->begin, &a->waits_for,
				  why, sizeof(why)))
			return why[0] ? admission_unplannable(a, why)
				      : admission_plain(a, ADMISSION_BUSY);
	} else if (waits_for) {
		iter = list_iterator_create(waits_for);
		while ((dep = list_next(iter))) {
			struct snap_depend on;
			int64_t end = dependency_take(dep, &on) ? depend_known(a->b, &on) : 0;

			if (end > a->begin && end < PACT_FOREVER)
				a->begin = end;
		}
		list_iterator_destroy(iter);
	}
	if (a->what.begin > a->begin)
		a->begin = a->what.begin;
	if (a->begin <= a->now)
		a->begin = 0;
	return true;
}

/* What could keep it waiting elsewhere, or may be asked for the first time. */
static bool change_permitted(struct admission *a, const struct change *c)
{
	struct eligibility_job who = {
		.uid = c->job->user_id,
		.account = c->desc->account,
		.qos = c->desc->qos,
		.moves = c->desc->partition,
		.record = c->job,
		.what = &a->what,
		.least = a->what.least,
	};
	char why[160];

	if (a->what.opaque)
		return admission_unplannable(a, a->what.opaque);
	if (a->what.waits) {
		describe_waits(&a->what, why, sizeof(why));
		if (describe_in_vain(&a->what))
			a->code = ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE;
		return admission_unplannable(a, why);
	}
	if (c->desc->partition && !eligibility_moves(&who, why, sizeof(why)))
		return admission_plain(a, why);
	if (!promise_wanted(c))
		return true;
	if (!c->bound || c->desc->partition)
		return admission_permitted(a, &who);
	/* For an operator, Slurm lifts the limits of what he changes. */
	return validate_operator(c->uid) || only_shortens(c) || admission_no_obstacle(a, &who);
}

/* The limit that is promised under the new terms. */
static int64_t change_limit(const struct admission *a, const struct change *c)
{
	int64_t limit = c->bound && c->token.limit ? c->token.limit : a->what.least;

	if (!promise_wanted(c) || a->what.least >= a->what.limit)
		return a->what.limit;
	return limit < a->what.limit ? limit : a->what.limit;
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
		.promise = promise_wanted(c),
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
	snprintf(why, sizeof(why), "%s, and it could not end by %s then", waiter(c, who), by);
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
	if (!promise_wanted(c) || c->by < terms.deadline) {
		terms.deadline = c->by;
		terms.flags = promise_wanted(c) ? 0 : JOB_NEEDED;
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
	c->token.state = TOKEN_PROMISED;
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

/* Nobody has said how long it may run, nor does this change. */
static bool endless(const struct change *c)
{
	const job_desc_msg_t *desc = c->desc;
	uint32_t most = desc->time_limit != NO_VAL ? desc->time_limit : c->job->time_limit;
	uint32_t least = desc->time_min != NO_VAL ? desc->time_min : c->job->time_min;

	return most == NO_VAL || (most == INFINITE && (!least || least == NO_VAL));
}

/* A deadline that nobody can decide yet: the next snapshot, or its release, does. */
static int decide_later(struct admission *a, struct change *c)
{
	if (!c->bound && endless(c))
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
	if (!only_shortens(c))
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
	else if (promise_wanted(c) && c->by == PACT_FOREVER)
		snprintf(
			why, sizeof(why),
			"%s cannot be changed together with its deadline; change the deadline last",
			what);
	else
		snprintf(why, sizeof(why), "%s cannot be changed: %s", what, waiter(c, who));
	return refuse_plainly(a, c, ESLURM_NOT_SUPPORTED, why);
}

static void begin_token(struct admission *a, struct change *c)
{
	if (!promise_wanted(c)) {
		c->token = c->old = (struct token){ 0 };
		return;
	}
	if (!c->had)
		c->token = (struct token){ .id = unconfirmed_token(a->b) };
	c->old = c->token;
	if (!c->had)
		c->old.state = TOKEN_WITHDRAWN;
}

/* Of a job without a promise, which one waits for. */
static const char *needed_unseen(const struct change *c)
{
	return c->desc->dependency && c->desc->dependency[0] ? "its dependency"
							     : changes_unseen(c->desc);
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
	if (!needed && !promise_wanted(c))
		return SLURM_SUCCESS;
	if (needed)
		unseen = needed_unseen(c);
	else
		unseen = c->bound ? changes_unseen(c->desc) : unseen_beside(c->desc);
	if (unseen)
		return change_unseen(a, c, unseen);
	if (needed && only_shortens(c))
		return SLURM_SUCCESS;
	if (c->job->array_recs && c->job->array_task_id == NO_VAL)
		return needed ? change_unseen(a, c, "an array as a whole") : change_array(a, c);
	kept = c->bound || needed;
	/* What is promised already, or waited for, may be changed as long as there is a plan that is kept up. */
	if (((promise_wanted(c) && !c->bound) || (kept && !a->b->ready)) &&
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
		return promise_wanted(c) ? decide_later(a, c) : SLURM_SUCCESS;
	}
	if (!describe_changed(a, c) || (!a->what.deadline && !needed))
		return SLURM_SUCCESS;
	a->asked = a->what;
	begin_token(a, c);
	if (decide_change(a, c, track)) {
		if (promise_wanted(c))
			set_token(c);
		log_accepted(a, c);
		return SLURM_SUCCESS;
	}
	/* A promise that is broken anyway may become a smaller one. */
	if (c->bound && c->token.state == TOKEN_BROKEN && only_shortens(c))
		return SLURM_SUCCESS;
	return refuse_change(a, c, a->code ? a->code : ESLURM_INVALID_TIME_LIMIT);
}

/* Slurm refuses a stranger, after this; its own check looks at no lock either. */
static bool may_change(const struct change *c)
{
	return c->uid == c->job->user_id || validate_operator(c->uid) ||
	       assoc_mgr_is_user_acct_coord(acct_db_conn, c->uid, c->job->account, false);
}

static bool concerns_us(const struct change *c, size_t needs)
{
	if (!IS_JOB_PENDING(c->job) || !c->job->details || !may_change(c))
		return false;
	if (admission_has_deadline(c->desc) && validate_operator(c->uid))
		return true;
	/* Without a promise it may be one that a promised job waits for. */
	return c->job->priority && (c->bound || needs) &&
	       (changes_terms(c->desc) || changes_unseen(c->desc));
}

/* More nodes than its most. */
static bool too_many_nodes(const job_desc_msg_t *desc, const job_details_t *det)
{
	uint32_t most = det->max_nodes;

	if (desc->max_nodes != NO_VAL)
		most = desc->max_nodes; /* 0: none any more */
	return counts_nodes(desc) && most && desc->min_nodes > most;
}

int admit_change(job_desc_msg_t *desc, job_record_t *job, uint32_t uid, char **message)
{
	struct admission a = { .b = bridge_get(), .now = time(NULL), .tasks = 1 };
	struct change c = { .desc = desc, .job = job, .uid = uid, .message = message };
	struct access access;
	int rc;

	c.had = token_parse(job->admin_comment, &c.token) == TOKEN_OK;
	c.bound = c.had && c.token.state != TOKEN_WITHDRAWN;
	if (desc->admin_comment) {
		admission_strip_token(desc);
		if (c.had)
			keep_token(desc, NULL, &c.token);
	}
	if (release_unseen(desc, job) && admission_lock(a.b)) {
		release_note(a.b, job);
		admission_unlock(a.b);
	}
	if (!concerns_us(&c, a.b->nreliances))
		return SLURM_SUCCESS;
	/* Slurm would find this out when half of the change is made. */
	if (admission_has_deadline(desc) && !validate_operator(uid))
		return ESLURM_ACCESS_DENIED;
	/* And this when the job has the CPUs for them, which its nodes never have. */
	if (too_many_nodes(desc, job->details))
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admit.c - is this deadline promised?
 */
#include "slurm/compat.h"

#include <ctype.h>

#include "slurm/admit.h"
#include "slurm/agent.h"
#include "slurm/barrier.h"
#include "slurm/depend.h"
#include "slurm/message.h"
#include "slurm/provision.h"

#define ARRAY_MAX 10000
/* The plugin was added by a reconfiguration, or the scheduler is stopping. */
#define NOT_ATTACHED "sched/qops does not work with this plugin now; slurmctld has to be restarted"
#define BUSY "cannot be promised now: the plan is busy; try again"

/* A submission on its way through the checks. */
struct admission {
	struct bridge *b;
	struct places *places;
	struct description what;
	uint32_t tasks;
	int64_t now;
	int64_t begin;
	struct sched_decision decision;
	int64_t limit;			/* granted, seconds */
	char text[MESSAGE_MAX];
};

/* The mutex, within AdmissionTime. Not a timed lock: emulation runs that on another clock. */
static bool lock_in_time(struct bridge *b)
{
	struct timespec nap = { 0, 100000 };
	int64_t start = bridge_clock();
	bool late = false;

	b->waiting++;
	while (!late && pthread_mutex_trylock(&b->lock)) {
		late = bridge_clock() - start > b->admission_us;
		nanosleep(&nap, NULL);
	}
	b->waiting--;
	if (late)
		return false;
	b->budget_end = start + b->admission_us;
	return true;
}

static void unlock(struct bridge *b)
{
	b->budget_end = 0;
	pthread_mutex_unlock(&b->lock);
}

/* One range of an array text: "4", "0-9", "0-9:2".  RET 0: not understood. */
static uint32_t count_range(const char *text)
{
	unsigned long first, last, step = 1;
	char *at;

	if (!isdigit((unsigned char)*text))
		return 0;
	first = last = strtoul(text, &at, 10);
	if (*at == '-' && isdigit((unsigned char)at[1]))
		last = strtoul(at + 1, &at, 10);
	if (*at == ':' && isdigit((unsigned char)at[1]))
		step = strtoul(at + 1, &at, 10);
	if (*at || last < first || !step || last - first > 100000000)
		return 0;
	return (uint32_t)((last - first) / step) + 1;
}

/* Tasks of a submission; 0: no array that could be planned, named in `why`. */
static uint32_t count_tasks(const char *text, char *why, size_t why_size)
{
	char *copy, *rest = NULL;
	uint32_t n = 0, more = 1;

	if (!text || !text[0])
		return 1;
	if (strchr(text, '%')) {
		snprintf(why, why_size, "a limit on running array tasks (%%)");
		return 0;
	}
	copy = xstrdup(text);
	for (char *one = strtok_r(copy, ",", &rest); more && one; one = strtok_r(NULL, ",", &rest)) {
		more = count_range(one);
		n += more;
	}
	xfree(copy);
	if (!more || n > ARRAY_MAX) {
		snprintf(why, why_size, "this array of tasks (at most %d)", ARRAY_MAX);
		return 0;
	}
	return n;
}

static void fill_job(const struct admission *a, uint64_t id, int64_t limit, struct sched_job *job)
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
		.flags = JOB_PROVISIONAL,
		.nalt = a->what.nalt,
		.required = a->what.required,
	};
	for (uint32_t i = 0; i < a->what.nalt; i++)
		job->alt[i] = a->what.alt[i];
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
		fill_job(a, core[i], limit, &jobs[i]);
	}
	ok = ok && bridge_event(a->b, &(struct sched_event){ .type = EV_SUBMIT, .now = a->now,
				.jobs = jobs, .njobs = a->tasks }, "a deadline job") &&
	     bridge_answer(a->b, core[0], &a->decision);
	if (ok) {
		token.id = provision_token(a->b);
		comment = token_put(desc->admin_comment, &token);
		ok = comment && provision_add(a->b, token.id, bridge_shape(&jobs[0]), core, a->tasks);
		if (ok) {
			xfree(desc->admin_comment);
			desc->admin_comment = xstrdup(comment);
			core = NULL;
		}
		for (uint32_t i = 0; !ok && i < a->tasks; i++)
			bridge_event(a->b, &(struct sched_event){ .type = EV_WITHDRAW, .now = a->now,
				     .id = core[i] }, "out of memory");
		free(comment);
	}
	a->limit = limit;
	free(jobs);
	free(core);
	return ok;
}

/* A limit that may be trimmed: as long as can be, else as short as may be (slurm.md). */
static bool try_limits(struct admission *a, job_desc_msg_t *desc)
{
	int64_t from = a->begin > a->now ? a->begin : a->now;
	int64_t fits = (a->what.deadline - from - a->b->conf->guard) / 60 * 60;
	int64_t most = a->what.limit < fits ? a->what.limit : fits;

	if (a->what.least >= a->what.limit)
		return try_limit(a, a->what.limit, desc);
	if (most > a->what.least && try_limit(a, most, desc))
		return true;
	return try_limit(a, a->what.least, desc);
}

static bool plain(struct admission *a, const char *why)
{
	message_plain(a->text, why);
	return false;
}

static bool unplannable(struct admission *a, const char *what)
{
	message_unplannable(a->text, what);
	return false;
}

/* Everything but the plan itself. */
static bool checks(struct admission *a, const job_desc_msg_t *desc)
{
	struct barrier_job job = {
		.uid = desc->user_id, .account = desc->account, .qos = desc->qos, .what = &a->what,
	};
	char why[160];

	for (uint32_t i = 0; i < a->what.nalt; i++)
		if (conf_admission(a->b->conf, a->what.part[i]) == CONF_ADMISSION_NONE) {
			snprintf(why, sizeof(why), "promises are switched off in partition %s "
				 "(Admission=none); submit without --deadline", a->what.part[i]);
			return plain(a, why);
		}
	if (!barrier_allows(a->b->conf, &job, why, sizeof(why)))
		return plain(a, why);
	if (a->what.opaque)
		return unplannable(a, a->what.opaque);
	if (barrier_stands(&job, why, sizeof(why)))
		return unplannable(a, why);
	a->tasks = count_tasks(desc->array_inx, why, sizeof(why));
	return a->tasks ? true : unplannable(a, why);
}

/* Can anything be promised at all? */
static bool working(struct admission *a)
{
	char why[320];

	if (!a->b->attached)
		return plain(a, NOT_ATTACHED);
	if (!a->b->safe) {
		snprintf(why, sizeof(why), "nothing is promised under this configuration: %s",
			 a->b->unsafe);
		return plain(a, why);
	}
	if (!a->b->ready || nodeset_size(a->what.alt[0]) != a->b->nodes)
		return plain(a, "cannot be promised now: the plan is being built; try again");
	return true;
}

/* The decision, with the mutex.  RET true: promised. */
static bool decide(struct admission *a, job_desc_msg_t *desc)
{
	struct message_ask ask = {
		.now = a->now, .deadline = a->what.deadline, .guard = a->b->conf->guard,
		.width = a->what.width,
	};
	char why[160];
	bool ok;

	if (!working(a) || !checks(a, desc))
		return false;
	if (!depend_begin(a->b, desc->dependency, &a->begin, why, sizeof(why)))
		return unplannable(a, why);
	if (a->what.begin > a->begin)
		a->begin = a->what.begin;
	if (a->begin <= a->now)
		a->begin = 0;
	ok = try_limits(a, desc);
	ask.limit = a->limit;
	ask.tasks = a->tasks;
	if (ok)
		message_accepted(a->text, &ask, &a->decision);
	else
		message_refused(a->text, &ask, &a->decision);
	return ok;
}

/* Slurm will keep it waiting: nothing is promised until the reason has gone. */
static const char *waits(const struct admission *a, const job_desc_msg_t *desc)
{
	return desc->priority == 0 ? "the job is held" : a->what.waits;
}

static void put_off(struct admission *a, job_desc_msg_t *desc, char **message)
{
	struct token token = {
		.id = provision_token(a->b), .deadline = a->what.deadline,
		.limit = a->what.limit < PACT_FOREVER ? a->what.limit : 0, .state = TOKEN_WITHDRAWN,
	};
	char *comment = token_put(desc->admin_comment, &token);

	if (comment) {
		xfree(desc->admin_comment);
		desc->admin_comment = xstrdup(comment);
	}
	free(comment);
	message_waits(a->text, waits(a, desc));
	if (a->b->conf->accept_message)
		*message = xstrdup(a->text);
}

static bool has_deadline(const job_desc_msg_t *desc)
{
	return desc->deadline && desc->deadline != (time_t)NO_VAL;
}

/* Nobody can bring a promise along. */
static void strip_token(job_desc_msg_t *desc)
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

	return has_min && a->now + (int64_t)desc->time_min * 60 > desc->deadline ?
	       ESLURM_INVALID_TIME_MIN_LIMIT : ESLURM_INVALID_TIME_LIMIT;
}

/* Say what was decided, to the user and to the log. */
static int answer(struct admission *a, const job_desc_msg_t *desc, bool promised, uint32_t uid,
		  char **message)
{
	bool observe = a->b->conf->observe, quiet = !a->b->conf->accept_message;

	if (promised)
		a->b->counters.accepted++;
	else if (observe)
		a->b->counters.observed++;
	else
		a->b->counters.refused++;
	if (!promised && observe)
		message_observed(a->text);
	info("job_submit/deadline: uid %u: %s", uid, a->text);
	if (!quiet || !(promised || observe))
		*message = xstrdup(a->text);
	return promised || observe ? SLURM_SUCCESS : refusal(a, desc);
}

/* The mutex was not to be had: nothing is refused where refusals are only observed. */
static int busy(struct admission *a, uint32_t uid, char **message)
{
	bool observe = a->b->observe;

	message_plain(a->text, BUSY);
	if (observe)
		message_observed(a->text);
	else
		*message = xstrdup(a->text);
	info("job_submit/deadline: uid %u: %s", uid, a->text);
	return observe ? SLURM_SUCCESS : ESLURM_INVALID_TIME_LIMIT;
}

int admit_submission(job_desc_msg_t *desc, uint32_t uid, char **message)
{
	struct admission a = { .b = bridge_get(), .now = time(NULL) };
	int64_t took;
	int rc;

	strip_token(desc);
	if (!has_deadline(desc))
		return SLURM_SUCCESS;
	a.places = places_create();
	if (!a.places || !describe_submission(a.places, desc, &a.what)) {
		places_destroy(a.places);
		return SLURM_SUCCESS;	/* no such partition: Slurm says so */
	}
	if (!lock_in_time(a.b)) {
		places_destroy(a.places);
		return busy(&a, uid, message);
	}
	took = bridge_clock();
	if (!a.b->conf) {
		message_plain(a.text, NOT_ATTACHED);
		*message = xstrdup(a.text);
		rc = ESLURM_INVALID_TIME_LIMIT;
	} else if (waits(&a, desc) && !a.what.opaque) {
		put_off(&a, desc, message);
		rc = SLURM_SUCCESS;
	} else {
		rc = answer(&a, desc, decide(&a, desc), uid, message);
	}
	took = bridge_clock() - took;
	unlock(a.b);
	debug("job_submit/deadline: decided in %" PRId64 " us, %d positions tried, reason %d", took,
	      a.decision.attempts, a.decision.reason);
	places_destroy(a.places);
	return rc;
}

/* ---- changes ---- */

static bool changes_terms(const job_desc_msg_t *desc)
{
	return has_deadline(desc) || (desc->time_limit != NO_VAL) || desc->partition ||
	       desc->features || desc->req_nodes || desc->exc_nodes || desc->dependency ||
	       (desc->begin_time && desc->begin_time != (time_t)NO_VAL) ||
	       (desc->min_nodes != NO_VAL && desc->min_nodes) ||
	       (desc->min_cpus != NO_VAL && desc->min_cpus);
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

/* The job as it will be: the record's description under the changed terms. */
static bool describe_change(struct admission *a, const job_desc_msg_t *desc,
			    const job_record_t *job)
{
	job_record_t *as = xmalloc(sizeof(*as));
	struct job_details *det = xmalloc(sizeof(*det));
	part_record_t *part = NULL;
	bool ok;

	memcpy(as, job, sizeof(*as));
	memcpy(det, job->details, sizeof(*det));
	as->details = det;
	if (desc->time_limit != NO_VAL)
		as->time_limit = desc->time_limit;
	if (desc->time_min != NO_VAL)
		as->time_min = desc->time_min;
	if (has_deadline(desc))
		as->deadline = desc->deadline;
	if (desc->min_nodes != NO_VAL && desc->min_nodes)
		det->min_nodes = det->max_nodes = desc->min_nodes;
	if (desc->max_nodes != NO_VAL && desc->max_nodes)
		det->max_nodes = desc->max_nodes;
	if (desc->min_cpus != NO_VAL && desc->min_cpus)
		det->min_cpus = desc->min_cpus;
	if (desc->features)
		det->features = desc->features;
	if (desc->begin_time && desc->begin_time != (time_t)NO_VAL)
		det->begin_time = desc->begin_time;
	if (desc->partition && !strchr(desc->partition, ',') &&
	    (part = find_part_record(desc->partition))) {
		as->part_ptr = part;
		as->part_ptr_list = NULL;
	}
	ok = describe_record(a->places, as, &a->what);
	xfree(det);
	xfree(as);
	return ok;
}

/* Decide a change in the plan; the old terms stay where it is refused. */
static bool decide_change(struct admission *a, struct track *track, const job_record_t *job,
			  struct token *token)
{
	bool trims = a->what.least < a->what.limit;
	struct sched_job terms;

	if (a->what.opaque)
		return unplannable(a, a->what.opaque);
	a->begin = a->what.begin > a->now ? a->what.begin : 0;
	token->limit = trims ? (token->limit ? token->limit : a->what.least) : a->what.limit;
	token->deadline = a->what.deadline;
	fill_job(a, track->core, token->limit, &terms);
	terms.flags = 0;
	terms.submit = track->submit;
	terms.eligible = job->details->begin_time;
	terms.priority = track->priority;
	if (!bridge_event(a->b, &(struct sched_event){ .type = EV_CHANGE, .now = a->now,
			  .jobs = &terms, .njobs = 1 }, "a change of terms"))
		return plain(a, "cannot be promised now: try again");
	if (!bridge_answer(a->b, track->core, &a->decision)) {
		struct message_ask ask = {
			.now = a->now, .deadline = a->what.deadline, .limit = token->limit,
			.guard = a->b->conf->guard, .width = a->what.width, .tasks = 1,
		};

		message_refused(a->text, &ask, &a->decision);
		return false;
	}
	track->shape = bridge_shape(&terms);
	track->promised = true;
	return true;
}

/* With the mutex.  RET SLURM_SUCCESS or the refusal. */
static int change(struct admission *a, job_desc_msg_t *desc, job_record_t *job, uint32_t uid,
		  bool was_promised, struct token *token)
{
	uint32_t base = job->array_job_id ? job->array_job_id : job->job_id;
	struct track *track = a->b->ready ? track_find(a->b, track_key(base, job->array_task_id))
					  : NULL;

	if (!track || track->running) {
		/* The next snapshot decides what can be kept. */
		return SLURM_SUCCESS;
	}
	if (!describe_change(a, desc, job) || !a->what.deadline)
		return SLURM_SUCCESS;
	if (!was_promised) {
		*token = (struct token){ .id = provision_token(a->b) };
		if (!a->b->safe)
			return SLURM_SUCCESS;
	}
	if (decide_change(a, track, job, token)) {
		token->state = TOKEN_PROMISED;
		keep_token(desc, job->admin_comment, token);
		info("job_submit/deadline: uid %u: JobId=%u: change accepted, planned start %" PRId64,
		     uid, job->job_id, a->decision.start);
		return SLURM_SUCCESS;
	}
	info("job_submit/deadline: uid %u: JobId=%u: change %s: %s", uid, job->job_id,
	     a->b->conf->observe ? "observed" : "refused", a->text);
	return a->b->conf->observe ? SLURM_SUCCESS : ESLURM_INVALID_TIME_LIMIT;
}

/* What Slurm will refuse by itself is not decided here. */
static bool may_change(const job_desc_msg_t *desc, const job_record_t *job, uint32_t uid)
{
	if (validate_operator(uid))
		return true;
	return uid == job->user_id && !has_deadline(desc) && desc->time_limit == NO_VAL;
}

int admit_change(job_desc_msg_t *desc, job_record_t *job, uint32_t uid)
{
	struct admission a = { .b = bridge_get(), .now = time(NULL), .tasks = 1 };
	struct token token;
	bool had = token_parse(job->admin_comment, &token) == TOKEN_OK;
	bool promised = had && token.state == TOKEN_PROMISED;
	int rc = SLURM_SUCCESS;

	if (desc->admin_comment) {
		strip_token(desc);
		if (had)
			keep_token(desc, NULL, &token);
	}
	if (!IS_JOB_PENDING(job) || !job->details || job->priority == 0 || !changes_terms(desc) ||
	    !may_change(desc, job, uid) || (!promised && !has_deadline(desc)))
		return SLURM_SUCCESS;
	a.places = places_create();
	if (a.places && lock_in_time(a.b)) {
		rc = change(&a, desc, job, uid, promised, &token);
		unlock(a.b);
	}
	places_destroy(a.places);
	agent_wake();
	return rc;
}

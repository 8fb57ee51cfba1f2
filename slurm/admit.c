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
#include "slurm/pending.h"
#include "slurm/provision.h"
#include "slurm/release.h"

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
	int64_t limit;	    /* granted, seconds */
	enum tally_why why; /* if it was refused */
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
	for (char *one = strtok_r(copy, ",", &rest); more && one;
	     one = strtok_r(NULL, ",", &rest)) {
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
	} while (a->decision.reason == REFUSE_BUDGET && bridge_clock() < a->b->budget_end &&
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
		fill_job(a, core[i], limit, &jobs[i]);
	}
	ok = ok &&
	     ask_core(a,
		      &(struct sched_event){
			      .type = EV_SUBMIT, .now = a->now, .jobs = jobs, .njobs = a->tasks },
		      "a deadline job");
	if (ok) {
		token.id = provision_token(a->b);
		comment = token_put(desc->admin_comment, &token);
		ok = comment && provision_add(a->b, token.id, desc->script, bridge_shape(&jobs[0]),
					      core, a->tasks);
		if (ok) {
			xfree(desc->admin_comment);
			desc->admin_comment = xstrdup(comment);
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
	a->why = TALLY_POLICY;
	message_plain(a->text, why);
	return false;
}

static bool unplannable(struct admission *a, const char *what)
{
	a->why = TALLY_UNPLANNABLE;
	message_unplannable(a->text, what);
	return false;
}

/* A limit that may be trimmed is, to what its account and QOS allow. */
static bool no_barrier(struct admission *a, const struct barrier_job *job)
{
	char why[256];
	int64_t longest;

	switch (barrier_find(job, &longest, why, sizeof(why))) {
	case BARRIER_OVER:
		return plain(a, why);
	case BARRIER_WAITS:
		return unplannable(a, why);
	case BARRIER_NONE:
		break;
	}
	if (longest < a->what.limit)
		a->what.limit = longest;
	return true;
}

/* Who asks, and what may keep such a job waiting. */
static bool policy(struct admission *a, const struct barrier_job *job)
{
	char why[160];

	for (uint32_t i = 0; i < a->what.nalt; i++)
		if (conf_admission(a->b->conf, a->what.part[i]) == CONF_ADMISSION_NONE) {
			snprintf(why, sizeof(why),
				 "promises are switched off in partition %s "
				 "(Admission=none); submit without --deadline",
				 a->what.part[i]);
			return plain(a, why);
		}
	if (!barrier_allows(a->b->conf, job, why, sizeof(why)))
		return plain(a, why);
	if (a->what.opaque)
		return unplannable(a, a->what.opaque);
	return no_barrier(a, job);
}

/* Everything but the plan itself. */
static bool checks(struct admission *a, const job_desc_msg_t *desc)
{
	struct barrier_job job = {
		.uid = desc->user_id,
		.account = desc->account,
		.qos = desc->qos,
		.what = &a->what,
		.need = a->what.least,
	};
	char why[160];

	if (!policy(a, &job))
		return false;
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
	if (a->b->ready && nodeset_size(a->what.alt[0]) == a->b->nodes)
		return true;
	plain(a, "cannot be promised now: the plan is being built; try again");
	a->why = TALLY_BUSY;
	return false;
}

/* The decision, with the mutex.  RET true: promised. */
static bool decide(struct admission *a, job_desc_msg_t *desc)
{
	struct message_ask ask = {
		.now = a->now,
		.deadline = a->what.deadline,
		.guard = a->b->conf->guard,
		.width = a->what.width,
	};
	char why[160];
	bool ok;

	if (!working(a) || !checks(a, desc))
		return false;
	if (!depend_begin(a->b, desc->dependency, &a->begin, why, sizeof(why)))
		return why[0] ? unplannable(a, why) : plain(a, BUSY);
	if (a->what.begin > a->begin)
		a->begin = a->what.begin;
	if (a->begin <= a->now)
		a->begin = 0;
	/* Once more if what is in the way is a --test-only that has been answered. */
	ok = try_limits(a, desc) || (provision_sweep(a->b, a->now) && try_limits(a, desc));
	a->why = tally_reason(a->decision.reason);
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
		.id = provision_token(a->b),
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

	return has_min && a->now + (int64_t)desc->time_min * 60 > desc->deadline
		       ? ESLURM_INVALID_TIME_MIN_LIMIT
		       : ESLURM_INVALID_TIME_LIMIT;
}

/* Say what was decided, to the user and to the log. */
static int answer(struct admission *a, const job_desc_msg_t *desc, bool promised, uint32_t uid,
		  char **message)
{
	bool observe = a->b->conf->observe, quiet = !a->b->conf->accept_message;

	if (promised)
		a->b->tally.accepted += a->tasks;
	else
		tally_refusal(a->b, a->why, observe);
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

	tally_busy(a->b);
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
		return SLURM_SUCCESS; /* no such partition: Slurm says so */
	}
	if (!lock_in_time(a.b)) {
		places_destroy(a.places);
		return busy(&a, uid, message);
	}
	took = bridge_clock();
	pending_resolve(a.b, false);
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

/* A request to change a waiting job, and who that job is to us. */
struct change {
	job_desc_msg_t *desc;
	job_record_t *job;
	uint32_t uid;
	struct token token, old;
	bool had;   /* it has a token */
	bool bound; /* the plan keeps a place for it */
};

/* The record under the changed terms; what it owns besides. */
struct changed {
	job_record_t *job;
	struct job_details *det;
	bitstr_t *required, *exclude;
	List parts;
};

/* What the plan knows how to decide. */
static bool changes_terms(const job_desc_msg_t *desc)
{
	return has_deadline(desc) || desc->time_limit != NO_VAL || desc->time_min != NO_VAL ||
	       desc->partition || desc->features || desc->req_nodes || desc->exc_nodes ||
	       desc->dependency || (desc->begin_time && desc->begin_time != (time_t)NO_VAL) ||
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

static bool change_nodes(const job_desc_msg_t *desc, struct changed *as)
{
	struct job_details *det = as->det;

	if (desc->min_nodes != NO_VAL && desc->min_nodes)
		det->min_nodes = det->max_nodes = desc->min_nodes;
	if (desc->max_nodes != NO_VAL && desc->max_nodes)
		det->max_nodes = desc->max_nodes;
	if (desc->req_nodes) {
		if (node_name2bitmap(desc->req_nodes, false, &as->required))
			return false;
		det->req_node_bitmap = as->required;
		if (bit_set_count(as->required) > (int)det->min_nodes)
			det->min_nodes = bit_set_count(as->required);
	}
	if (desc->exc_nodes) {
		if (node_name2bitmap(desc->exc_nodes, false, &as->exclude))
			return false;
		det->exc_node_bitmap = as->exclude;
		det->exc_nodes = desc->exc_nodes;
	}
	return true;
}

static bool change_parts(const job_desc_msg_t *desc, struct changed *as)
{
	char *copy, *rest = NULL;
	bool ok = true;

	if (!desc->partition)
		return true;
	copy = xstrdup(desc->partition);
	as->parts = list_create(NULL);
	for (char *name = strtok_r(copy, ",", &rest); ok && name;
	     name = strtok_r(NULL, ",", &rest)) {
		part_record_t *part = find_part_record(name);

		ok = part;
		if (ok)
			list_append(as->parts, part);
	}
	xfree(copy);
	as->job->part_ptr = list_peek(as->parts);
	as->job->part_ptr_list = as->parts;
	return ok && as->job->part_ptr;
}

static void change_times(const job_desc_msg_t *desc, struct changed *as)
{
	if (desc->time_limit != NO_VAL)
		as->job->time_limit = desc->time_limit;
	if (desc->time_min != NO_VAL)
		as->job->time_min = desc->time_min;
	if (has_deadline(desc))
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
	if (c->desc->min_cpus != NO_VAL && c->desc->min_cpus)
		as.det->min_cpus = c->desc->min_cpus;
	if (c->desc->features)
		as.det->features = c->desc->features;
	ok = change_nodes(c->desc, &as) && change_parts(c->desc, &as) &&
	     describe_record(a->places, as.job, &a->what);
	FREE_NULL_BITMAP(as.required);
	FREE_NULL_BITMAP(as.exclude);
	FREE_NULL_LIST(as.parts);
	xfree(as.det);
	xfree(as.job);
	return ok;
}

/* When the jobs that it waits for, or will wait for, have ended. */
static bool change_begin(struct admission *a, const struct change *c)
{
	List waits_for = c->job->details->depend_list;
	depend_spec_t *dep;
	ListIterator iter;
	char why[160];

	a->begin = 0;
	if (c->desc->dependency) {
		if (!depend_begin(a->b, c->desc->dependency, &a->begin, why, sizeof(why)))
			return why[0] ? unplannable(a, why) : plain(a, BUSY);
	} else if (waits_for) {
		iter = list_iterator_create(waits_for);
		while ((dep = list_next(iter))) {
			struct snap_depend on;
			int64_t end = depend_take(dep, &on) ? depend_known(a->b, &on) : 0;

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
static bool change_policy(struct admission *a, const struct change *c)
{
	struct barrier_job who = {
		.uid = c->job->user_id,
		.record = c->job,
		.what = &a->what,
		.need = a->what.least,
	};

	if (a->what.opaque)
		return unplannable(a, a->what.opaque);
	if (a->what.waits)
		return unplannable(a, a->what.waits);
	if (!c->bound || c->desc->partition)
		return policy(a, &who);
	/* For an operator, Slurm lifts the limits of what he changes. */
	return validate_operator(c->uid) || only_shortens(c) || no_barrier(a, &who);
}

/* The limit that is promised under the new terms. */
static int64_t change_limit(const struct admission *a, const struct change *c)
{
	int64_t limit = c->bound && c->token.limit ? c->token.limit : a->what.least;

	if (a->what.least >= a->what.limit)
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
		.places = a->places,
		.start = a->decision.start,
		.token = c->token,
		.undo = c->old,
	};

	a->places = NULL;
	return pending_note(a->b, &decided) ? true : plain(a, BUSY);
}

/* Decide a change; the plan keeps the old terms. */
static bool decide_change(struct admission *a, struct change *c, struct track *track)
{
	int64_t limit = change_limit(a, c);
	struct sched_job terms;

	if (!change_policy(a, c) || !change_begin(a, c))
		return false;
	fill_job(a, track->core, limit, &terms);
	terms.flags = 0;
	terms.submit = track->submit;
	terms.eligible = c->job->details->begin_time;
	terms.priority = track->priority;
	/* Nothing that is planned by the old terms alone may start before the outcome is seen. */
	bridge_recall(a->b, a->now);
	if (!pending_ask(a->b, a->now, &terms, &a->decision)) {
		struct message_ask ask = {
			.now = a->now,
			.deadline = a->what.deadline,
			.limit = limit,
			.guard = a->b->conf->guard,
			.width = a->what.width,
			.tasks = 1,
		};

		if (a->decision.reason == REFUSE_NONE)
			return plain(a, "cannot be promised now: try again");
		message_refused(a->text, &ask, &a->decision);
		return false;
	}
	c->token.limit = limit;
	c->token.deadline = a->what.deadline;
	c->token.state = TOKEN_PROMISED;
	return note_change(a, c, track, &terms);
}

static int refuse_change(struct admission *a, const struct change *c, int rc)
{
	bool observe = a->b->observe;

	info("job_submit/deadline: uid %u: JobId=%u: change %s: %s", c->uid, c->job->job_id,
	     observe ? "observed" : "refused", a->text);
	return observe ? SLURM_SUCCESS : rc;
}

static int refuse_plainly(struct admission *a, const struct change *c, int rc, const char *why)
{
	message_plain(a->text, why);
	return refuse_change(a, c, rc);
}

/* A deadline that nobody can decide yet: the next snapshot, or its release, does. */
static int decide_later(struct change *c)
{
	if (!c->had)
		c->token = (struct token){ .id = provision_token(bridge_get()) };
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

/* With the mutex.  RET SLURM_SUCCESS or the refusal. */
static int change(struct admission *a, struct change *c)
{
	uint32_t base = c->job->array_job_id ? c->job->array_job_id : c->job->job_id;
	const char *unseen = c->bound ? changes_unseen(c->desc) : NULL;
	struct track *track;
	char why[160];

	if (!a->b->conf || !a->b->attached)
		return SLURM_SUCCESS;
	if (unseen) {
		snprintf(why, sizeof(why),
			 "%s cannot be changed while it is promised; hold it first", unseen);
		return refuse_plainly(a, c, ESLURM_NOT_SUPPORTED, why);
	}
	if (c->job->array_recs && c->job->array_task_id == NO_VAL)
		return change_array(a, c);
	track = a->b->ready ? track_find(a->b, track_key(base, c->job->array_task_id)) : NULL;
	if (!track || track->running)
		return c->bound ? refuse_plainly(a, c, EBUSY, BUSY) : decide_later(c);
	if (!describe_change(a, c) || !a->what.deadline)
		return SLURM_SUCCESS;
	if (!c->bound && !a->b->safe)
		return refuse_plainly(a, c, ESLURM_INVALID_TIME_LIMIT, a->b->unsafe);
	if (!c->had)
		c->token = (struct token){ .id = provision_token(a->b) };
	c->old = c->token;
	if (!c->had)
		c->old.state = TOKEN_WITHDRAWN;
	if (decide_change(a, c, track)) {
		set_token(c);
		info("job_submit/deadline: uid %u: JobId=%u: change accepted, planned start "
		     "%" PRId64,
		     c->uid, c->job->job_id, a->decision.start);
		return SLURM_SUCCESS;
	}
	/* A promise that is broken anyway may become a smaller one. */
	if (c->bound && c->token.state == TOKEN_BROKEN && only_shortens(c))
		return SLURM_SUCCESS;
	return refuse_change(a, c, ESLURM_INVALID_TIME_LIMIT);
}

/* Slurm refuses a stranger, after this; its own check looks at no lock either. */
static bool may_change(const struct change *c)
{
	return c->uid == c->job->user_id || validate_operator(c->uid) ||
	       assoc_mgr_is_user_acct_coord(acct_db_conn, c->uid, c->job->account);
}

static bool concerns_us(const struct change *c)
{
	if (!IS_JOB_PENDING(c->job) || !c->job->details || !may_change(c))
		return false;
	if (!c->bound || c->job->priority == 0)
		return has_deadline(c->desc) && validate_operator(c->uid);
	return changes_terms(c->desc) || changes_unseen(c->desc);
}

int admit_change(job_desc_msg_t *desc, job_record_t *job, uint32_t uid)
{
	struct admission a = { .b = bridge_get(), .now = time(NULL), .tasks = 1 };
	struct change c = { .desc = desc, .job = job, .uid = uid };
	int rc;

	c.had = token_parse(job->admin_comment, &c.token) == TOKEN_OK;
	c.bound = c.had && c.token.state != TOKEN_WITHDRAWN;
	if (desc->admin_comment) {
		strip_token(desc);
		if (c.had)
			keep_token(desc, NULL, &c.token);
	}
	if (release_unseen(desc, job) && lock_in_time(a.b)) {
		release_note(a.b, job);
		unlock(a.b);
	}
	if (!concerns_us(&c))
		return SLURM_SUCCESS;
	/* Slurm would find this out when half of the change is made. */
	if (has_deadline(desc) && !validate_operator(uid))
		return ESLURM_ACCESS_DENIED;
	a.places = places_create();
	if (!a.places)
		return ENOMEM;
	if (!lock_in_time(a.b)) {
		rc = refuse_plainly(&a, &c, EBUSY, BUSY);
	} else {
		pending_resolve(a.b, true);
		rc = job->priority == 0 ? decide_later(&c) : change(&a, &c);
		unlock(a.b);
	}
	places_destroy(a.places);
	agent_wake();
	return rc;
}

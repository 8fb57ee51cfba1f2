/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * depend.c - when the jobs that a job waits for will have ended, for sure
 */
#include "slurm/base/compat.h"

#include <ctype.h>

#include "slurm/snapshot/access.h"
#include "slurm/eligibility/eligibility.h"
#include "slurm/promise/depend.h"
#include "slurm/base/clock.h"
#include "slurm/state/track.h"

_Static_assert(ACCESS_ABOUT >= DEPEND_MOST, "each job of a text has its partition");

static int64_t track_end(struct bridge *b, const struct track *track, enum message_after *how)
{
	struct sched_view view;

	*how = MESSAGE_AFTER_RUNNING;
	/* or it took turns, and only cleans up, for longer than it was to, perhaps */
	if (sched_view(b->core, track->core, &view))
		return !track->running ? PACT_FOREVER
				       : MAX(track->end + b->conf->sched.guard,
					     time(NULL) + b->conf->sched.lateness);
	if (view.running)
		return view.bound ? view.bound : view.end;
	*how = MESSAGE_AFTER_PLAIN;
	if (track->blind || view.bound)
		return PACT_FOREVER;
	if (view.promised && !view.broken) {
		*how = MESSAGE_AFTER_PROMISED;
		return view.deadline;
	}
	return view.artificial > view.end ? view.artificial : view.end;
}

/* As depend_known(), and why not earlier. */
static int64_t known(struct bridge *b, const struct snap_depend *dep, enum message_after *how)
{
	struct track *track = track_find(b, track_key(dep->base_id, dep->task));
	int64_t latest = 0;

	*how = MESSAGE_AFTER_NOTHING;
	if (dep->at)
		return dep->at;
	if (track)
		latest = track_end(b, track, how);
	else if (dep->task == NO_VAL)
		for (track = track_first_task(b, dep->base_id); track && latest < PACT_FOREVER;
		     track = track->next_task) {
			enum message_after one;
			int64_t end = track_end(b, track, &one);

			*how = end > latest ? one : *how;
			latest = end > latest ? end : latest;
		}
	return latest && latest < PACT_FOREVER ? latest + dep->delay : PACT_FOREVER;
}

int64_t depend_known(struct bridge *b, const struct snap_depend *dep)
{
	enum message_after how;

	return known(b, dep, &how);
}

/* Does it wait for turns on its nodes? When it has ended is known once it has begun. */
static bool waits_for_turns(struct bridge *b, const struct snap_depend *dep)
{
	const struct track *track = track_find(b, track_key(dep->base_id, dep->task));
	struct sched_view view;

	if (!track && dep->task == NO_VAL)
		track = track_first_task(b, dep->base_id);
	return track && !sched_view(b->core, track->core, &view) && view.bound && !view.running;
}

/* Tasks beyond those that are planned: their end is nowhere. */
static bool unplanned_tasks(struct bridge *b, const job_record_t *head)
{
	uint32_t planned = 0;

	if (!head->array_recs || head->array_task_id != NO_VAL)
		return false;
	for (struct track *t = track_first_task(b, head->array_job_id); t; t = t->next_task)
		planned += !t->running && t->job_id == head->job_id;
	return planned < head->array_recs->task_cnt;
}

/* A text being read. */
struct reading {
	struct bridge *b;
	const struct access *access;
	int64_t *begin;
	struct depend_set *set;
	struct regions *regions; /* when they are wanted */
	int jobs;		 /* so far */
	char *why;
	size_t why_size;
};

/* One job of a text: "12", "12_3", "12_*", "12+5". */
struct one_job {
	const char *text;
	const char *kind;
	unsigned long id, task, minutes;
	bool whole; /* of an array: all tasks */
};

static bool parse_job(const char *text, const char *kind, struct one_job *one)
{
	char *rest = NULL;

	*one = (struct one_job){ .text = text, .kind = kind, .id = strtoul(text, &rest, 10) };
	if (rest == text)
		return false;
	one->whole = *rest != '_' || rest[1] == '*';
	if (*rest == '_' && one->whole)
		rest += 2;
	else if (*rest == '_' && isdigit((unsigned char)rest[1]))
		one->task = strtoul(rest + 1, &rest, 10);
	if (*rest == '+' && isdigit((unsigned char)rest[1]))
		one->minutes = strtoul(rest + 1, &rest, 10);
	return !*rest && one->id && one->id < UINT32_MAX && one->minutes < 10000000;
}

static const job_record_t *find_one(const struct one_job *one)
{
	return one->whole ? find_job_record((uint32_t)one->id)
			  : find_job_array_rec(one->id, one->task);
}

void depend_about(const char *text, uid_t uid, struct access_about *about)
{
	char *copy = xstrdup(text), *rest = NULL;
	const job_record_t *job;
	struct one_job one;
	int jobs = 0;

	memset(about, 0, sizeof(*about));
	for (char *at = strtok_r(copy, ",:?", &rest); at && jobs < DEPEND_MOST;
	     at = strtok_r(NULL, ",:?", &rest)) {
		if (!parse_job(at, "", &one))
			continue;
		jobs++;
		job = find_one(&one);
		if (!job)
			about->absent = true;
		else if (job->user_id != uid)
			about->part[about->nparts++] = job->partition;
	}
	xfree(copy);
}

/* One that was promised a moment ago, and is in no snapshot yet. */
static int64_t unconfirmed_end(const struct bridge *b, const job_record_t *job,
			       const struct snap_depend *dep)
{
	struct token token;

	if (token_parse(job->admin_comment, &token) != TOKEN_OK || token.state != TOKEN_PROMISED)
		return PACT_FOREVER;
	for (const struct unconfirmed *p = b->unconfirmed; p; p = p->next)
		if (p->token == token.id && p->ncore)
			return token.deadline + dep->delay;
	return PACT_FOREVER;
}

/* Has the plan seen it? */
static bool unplanned(struct bridge *b, const struct snap_depend *dep)
{
	return !track_find(b, track_key(dep->base_id, dep->task)) &&
	       !track_first_task(b, dep->base_id);
}

static int64_t no_end(const struct reading *r, const struct one_job *one, const char *what)
{
	snprintf(r->why, r->why_size, "dependency on job %lu, which %s", one->id, what);
	return PACT_FOREVER;
}

/* One of an array whose tasks wait for each other, which no plan of nodes knows. */
static bool throttled(const job_record_t *job)
{
	const job_record_t *head = job->array_job_id ? find_job_record(job->array_job_id) : NULL;

	return head && head->array_recs && head->array_recs->max_run_tasks;
}

/* May a limit, say, keep it waiting?  Which one is not for everybody to know. */
static bool stopped(struct reading *r, const job_record_t *job)
{
	if (!IS_JOB_PENDING(job) || !job->details)
		return false;
	if (!r->regions)
		r->regions = regions_create();
	return !r->regions || eligibility_record(r->regions, job);
}

/* No word about a job that the user may not see: as if it were not there. */
static bool secret(const struct reading *r, const job_record_t *job)
{
	return job ? !access_record(r->access, job) : access_hides_jobs(r->access);
}

/* Its end, and why not earlier; 0: it keeps nothing waiting; PACT_FOREVER: named in `why`. */
static int64_t job_end(struct reading *r, const struct one_job *one, enum message_after *how)
{
	const job_record_t *job = find_one(one);
	struct snap_depend dep = { .delay = (int64_t)one->minutes * 60, .task = NO_VAL };
	bool after = !xstrcasecmp(one->kind, "after");
	struct bridge *b = r->b;
	int64_t end;

	if (secret(r, job))
		return no_end(r, one, "is not there, or not for you to see");
	if (!job)
		return 0;
	/* The first record of an array stays one of an array when all of it is over. */
	if (one->whole && job->array_recs && test_job_array_finished((uint32_t)one->id)) {
		if (xstrcasecmp(one->kind, "afterok") || test_job_array_complete((uint32_t)one->id))
			return 0;
		return no_end(r, one, "has failed");
	}
	dependency_name(job, &dep);
	if (job->array_recs && one->whole)
		dep.task = NO_VAL;
	else if (!one->whole && dep.task == NO_VAL)
		dep.task = one->task;
	else if (IS_JOB_FINISHED(job) && !xstrcasecmp(one->kind, "afterok") &&
		 !IS_JOB_COMPLETE(job)) {
		return no_end(r, one, "has failed");
	} else if (after) {
		dependency_started(job, &dep);
	}
	if (IS_JOB_FINISHED(job) && !job->array_recs && !dep.at)
		return 0;
	if (throttled(job) && (one->whole || IS_JOB_PENDING(job)))
		return no_end(r, one, "is of an array with " DESCRIBE_THROTTLE);
	end = dep.task == NO_VAL && unplanned_tasks(b, job) ? PACT_FOREVER : known(b, &dep, how);
	if (end >= PACT_FOREVER) {
		end = unconfirmed_end(b, job, &dep);
		*how = MESSAGE_AFTER_PROMISED;
	}
	if (end >= PACT_FOREVER && waits_for_turns(b, &dep))
		return no_end(r, one, "waits for its turns, so that its end is not known yet");
	if (end >= PACT_FOREVER)
		return no_end(r, one,
			      unplanned(b, &dep) ? "is not planned yet; try again"
						 : "has no planned end: no time limit, too many "
						   "tasks, or what cannot be planned");
	if (!dep.at && stopped(r, job))
		return no_end(r, one, "may be kept waiting by more than nodes");
	if (!dep.at && r->set->n < DEPEND_MOST)
		r->set->on[r->set->n++] = dep;
	return end;
}

static bool one_job(struct reading *r, const char *text, const char *kind)
{
	enum message_after how = MESSAGE_AFTER_NOTHING;
	struct one_job one;
	int64_t end;

	if (!parse_job(text, kind, &one)) {
		snprintf(r->why, r->why_size, "dependency on \"%s\"", text);
		return false;
	}
	if (r->b->budget_end && clock_us() > r->b->budget_end) {
		*r->why = '\0';
		return false;
	}
	end = job_end(r, &one, &how);
	if (end <= *r->begin || end >= PACT_FOREVER)
		return end < PACT_FOREVER;
	*r->begin = end;
	r->set->last_end = end - (int64_t)one.minutes * 60;
	r->set->last_how = how;
	snprintf(r->set->last, sizeof(r->set->last), "%.*s", (int)strcspn(text, "+"), text);
	return true;
}

/* One condition: "afterok:12:13". */
static bool one_condition(struct reading *r, char *text)
{
	static const char *const kinds[] = { "after", "afterany", "afterok" };
	char *rest = NULL, *kind = strtok_r(text, ":", &rest), *id;
	bool known = false;

	for (size_t i = 0; kind && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		known |= !xstrcasecmp(kind, kinds[i]);
	/* A bare job id means afterany. */
	id = kind && !known && isdigit((unsigned char)kind[0]) && !*rest
		     ? kind
		     : strtok_r(NULL, ":", &rest);
	if (!known && id != kind) {
		snprintf(r->why, r->why_size, "dependency \"%.60s\"", kind ? kind : "");
		return false;
	}
	for (; id; id = strtok_r(NULL, ":", &rest)) {
		if (++r->jobs > DEPEND_MOST) {
			snprintf(r->why, r->why_size, "dependencies on more than %d jobs",
				 DEPEND_MOST);
			return false;
		}
		if (!one_job(r, id, known ? kind : "afterany"))
			return false;
	}
	return true;
}

bool depend_begin(struct bridge *b, const char *text, const struct access *access, int64_t *begin,
		  struct depend_set *set, char *why, size_t why_size)
{
	struct reading r = {
		.b = b,
		.access = access,
		.begin = begin,
		.set = set,
		.why = why,
		.why_size = why_size,
	};
	char *copy, *rest = NULL;
	bool ok = true;

	*begin = 0;
	set->n = 0;
	set->last_how = MESSAGE_AFTER_NOTHING;
	if (!text || !text[0])
		return true;
	if (strchr(text, '?')) {
		snprintf(why, why_size, "alternative dependencies (\"?\")");
		return false;
	}
	copy = xstrdup(text);
	for (char *one = strtok_r(copy, ",", &rest); ok && one; one = strtok_r(NULL, ",", &rest))
		ok = one_condition(&r, one);
	regions_destroy(r.regions);
	xfree(copy);
	return ok;
}

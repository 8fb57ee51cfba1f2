/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * depend.c - when the jobs that a job waits for will have ended, for sure
 */
#include "slurm/compat.h"

#include <ctype.h>

#include "slurm/depend.h"

static int64_t track_end(struct bridge *b, const struct track *track)
{
	struct sched_view view;

	if (sched_view(b->core, track->core, &view))
		return PACT_FOREVER;
	if (view.running)
		return view.end;
	if (track->blind)
		return PACT_FOREVER;
	if (view.promised && !view.broken)
		return view.deadline;
	return view.artificial > view.end ? view.artificial : view.end;
}

int64_t depend_known(struct bridge *b, const struct snap_depend *dep)
{
	struct track *track = track_find(b, track_key(dep->base_id, dep->task));
	int64_t latest = 0;

	if (dep->at)
		return dep->at;
	if (track)
		latest = track_end(b, track);
	else if (dep->task == NO_VAL)
		for (track = track_first_task(b, dep->base_id); track && latest < PACT_FOREVER;
		     track = track->next_task) {
			int64_t end = track_end(b, track);

			latest = end > latest ? end : latest;
		}
	return latest && latest < PACT_FOREVER ? latest + dep->delay : PACT_FOREVER;
}

/* What a record stands for: one job, one task, or what is left of an array. */
static void name_record(const job_record_t *job, struct snap_depend *out)
{
	out->base_id = job->array_job_id ? job->array_job_id : job->job_id;
	out->task = job->array_task_id;
}

/* "after" a job that runs: the time is known. */
static void count_start(const job_record_t *job, struct snap_depend *out)
{
	if (!IS_JOB_PENDING(job) && job->start_time)
		out->at = job->start_time + out->delay;
}

bool depend_take(const depend_spec_t *dep, struct snap_depend *out)
{
	const job_record_t *job;

	if (dep->depend_state != DEPEND_NOT_FULFILLED || !dep->job_id)
		return false;
	*out = (struct snap_depend){ .base_id = dep->job_id,
				     .task = NO_VAL,
				     .delay = dep->depend_time };
	if (dep->array_task_id == INFINITE)
		return true;
	job = find_job_array_rec(dep->job_id, dep->array_task_id);
	if (!job)
		return true;
	name_record(job, out);
	/* A task that is still part of the array's record. */
	if (dep->array_task_id != NO_VAL && job->array_task_id == NO_VAL)
		out->task = dep->array_task_id;
	if (dep->depend_type == SLURM_DEPEND_AFTER)
		count_start(job, out);
	return true;
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

/* One that was promised a moment ago, and is in no snapshot yet. */
static int64_t provisional_end(const struct bridge *b, const job_record_t *job,
			       const struct snap_depend *dep)
{
	struct token token;

	if (token_parse(job->admin_comment, &token) != TOKEN_OK || token.state != TOKEN_PROMISED)
		return PACT_FOREVER;
	for (const struct provision *p = b->provisions; p; p = p->next)
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

static int64_t failed(const struct one_job *one, char *why, size_t why_size)
{
	snprintf(why, why_size, "dependency on job %lu, which has failed", one->id);
	return PACT_FOREVER;
}

/* Its end; 0: it keeps nothing waiting; PACT_FOREVER: named in `why`. */
static int64_t job_end(struct bridge *b, const struct one_job *one, struct depend_set *set,
		       char *why, size_t why_size)
{
	const job_record_t *job = one->whole ? find_job_record((uint32_t)one->id)
					     : find_job_array_rec(one->id, one->task);
	struct snap_depend dep = { .delay = (int64_t)one->minutes * 60, .task = NO_VAL };
	bool after = !xstrcasecmp(one->kind, "after");
	int64_t end;

	if (!job)
		return 0;
	/* The first record of an array stays one of an array when all of it is over. */
	if (one->whole && job->array_recs && test_job_array_finished((uint32_t)one->id)) {
		if (xstrcasecmp(one->kind, "afterok") || test_job_array_complete((uint32_t)one->id))
			return 0;
		return failed(one, why, why_size);
	}
	name_record(job, &dep);
	if (job->array_recs && one->whole)
		dep.task = NO_VAL;
	else if (!one->whole && dep.task == NO_VAL)
		dep.task = one->task;
	else if (IS_JOB_FINISHED(job) && !xstrcasecmp(one->kind, "afterok") &&
		 !IS_JOB_COMPLETE(job)) {
		return failed(one, why, why_size);
	} else if (after) {
		count_start(job, &dep);
	}
	if (IS_JOB_FINISHED(job) && !job->array_recs && !dep.at)
		return 0;
	end = dep.task == NO_VAL && unplanned_tasks(b, job) ? PACT_FOREVER : depend_known(b, &dep);
	if (end >= PACT_FOREVER)
		end = provisional_end(b, job, &dep);
	if (end >= PACT_FOREVER)
		snprintf(why, why_size, "dependency on job %lu, which %s", one->id,
			 unplanned(b, &dep) ? "is not planned yet; try again"
					    : "has no planned end");
	else if (!dep.at && set->n < DEPEND_MOST)
		set->on[set->n++] = dep;
	return end;
}

static bool one_job(struct bridge *b, const char *text, const char *kind, int64_t *begin,
		    struct depend_set *set, char *why, size_t why_size)
{
	struct one_job one;
	int64_t end;

	if (!parse_job(text, kind, &one)) {
		snprintf(why, why_size, "dependency on \"%s\"", text);
		return false;
	}
	if (b->budget_end && bridge_clock() > b->budget_end) {
		*why = '\0';
		return false;
	}
	end = job_end(b, &one, set, why, why_size);
	if (end > *begin)
		*begin = end;
	return end < PACT_FOREVER;
}

/* One condition: "afterok:12:13".  IN/OUT n - jobs so far */
static bool one_condition(struct bridge *b, char *text, int *n, int64_t *begin,
			  struct depend_set *set, char *why, size_t why_size)
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
		snprintf(why, why_size, "dependency \"%.60s\"", kind ? kind : "");
		return false;
	}
	for (; id; id = strtok_r(NULL, ":", &rest)) {
		if (++*n > DEPEND_MOST) {
			snprintf(why, why_size, "dependencies on more than %d jobs", DEPEND_MOST);
			return false;
		}
		if (!one_job(b, id, known ? kind : "afterany", begin, set, why, why_size))
			return false;
	}
	return true;
}

bool depend_begin(struct bridge *b, const char *text, int64_t *begin, struct depend_set *set,
		  char *why, size_t why_size)
{
	char *copy, *rest = NULL;
	bool ok = true;
	int n = 0;

	*begin = 0;
	set->n = 0;
	if (!text || !text[0])
		return true;
	if (strchr(text, '?')) {
		snprintf(why, why_size, "alternative dependencies (\"?\")");
		return false;
	}
	copy = xstrdup(text);
	for (char *one = strtok_r(copy, ",", &rest); ok && one; one = strtok_r(NULL, ",", &rest))
		ok = one_condition(b, one, &n, begin, set, why, why_size);
	xfree(copy);
	return ok;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pending.c - a change that was decided, until its record shows it
 */
#include "slurm/base/compat.h"

#include "slurm/base/metered.h"
#include "slurm/promise/pending.h"
#include "slurm/base/scheduler.h"
#include "slurm/promise/judge.h"
#include "slurm/records/late_limit.h"
#include "slurm/state/terms.h"
#include "slurm/base/clock.h"
#include "slurm/state/track.h"
#include "slurm/state/core.h"

struct pending {
	uint64_t core;
	uint32_t job_id;
	time_t submit;
	uint64_t print; /* of the record before */
	struct sched_job terms;
	struct regions *regions;
	int64_t start;
	bool promise;
	struct token token, undo;
	struct terms *asked;
	bool refused; /* seen; only the token has to be put right */
};

/* What a change may touch. */
static uint64_t print_of(const job_record_t *job)
{
	uint64_t hash = snapshot_print(job) ^ (uint64_t)job->details->begin_time;

	for (const char *at = job->details->dependency; at && *at; at++)
		hash = (hash ^ (unsigned char)*at) * 0x100000001b3ULL;
	return hash;
}

bool pending_ask(struct bridge *b, int64_t now, const struct sched_job *terms,
		 struct sched_decision *decision)
{
	int rc = sched_ask_change(b->core, now, terms, decision);

	if (now > b->latest)
		b->latest = now;
	if (rc == PACT_OK)
		return decision->accepted;
	error("%s: a change of terms (id %" PRIu64 "): %s", scheduler_type(), terms->id,
	      sched_error(b->core));
	decision->reason = REFUSE_NONE;
	return false;
}

bool pending_note(struct bridge *b, const struct pending_terms *decided)
{
	struct pending *p = calloc(1, sizeof(*p));

	if (!p) {
		regions_destroy(decided->regions);
		free(decided->asked);
		return false;
	}
	p->core = decided->core;
	p->job_id = decided->job->job_id;
	p->submit = decided->job->details->submit_time;
	p->print = print_of(decided->job);
	p->terms = *decided->terms;
	p->regions = decided->regions;
	p->start = decided->start;
	p->promise = decided->promise;
	p->token = decided->token;
	p->undo = decided->undo;
	p->asked = decided->asked;
	pending_forget(b);
	b->pending = p;
	return true;
}

void pending_forget(struct bridge *b)
{
	if (b->pending) {
		regions_destroy(b->pending->regions);
		terms_leave(b, &b->pending->asked, TALLY_GONE);
	}
	free(b->pending);
	b->pending = NULL;
}

/* The new terms take the place of the old ones, as was decided: the plan is the same. */
static void apply(struct bridge *b, struct pending *p, const job_record_t *job, struct track *track)
{
	struct sched_job terms = p->terms;
	struct sched_event ev = {
		.type = EV_CHANGE, .now = time(NULL), .jobs = &terms, .njobs = 1
	};
	int64_t budget = b->budget_end;
	struct sched_decision again;

	/*
	 * It is decided: what that takes once more is not this caller's to give, nor without
	 * end.
	 */
	b->budget_end = clock_us() + b->admission_us;
	terms.flags &= ~JOB_PROMISED;
	if (bridge_event(b, &ev, "a change of terms") && !bridge_answer(b, terms.id, &again)) {
		/* Some time has passed since then.  It holds all the same. */
		terms.flags |=
			token_expects(&p->token) ? JOB_PROMISED | JOB_EXPECTED : JOB_PROMISED;
		terms.planned = p->start;
		bridge_event(b, &ev, "a change that was made");
	}
	b->budget_end = budget;
	track->shape = bridge_shape(&p->terms);
	terms_expect(b, track, p->asked);
	p->asked = NULL;
	if (!p->promise)
		return;
	if (p->undo.state == TOKEN_WITHDRAWN)
		judge_promised(b, job, &p->token, p->start);
	track->promised = true;
	track->token = p->token;
}

/* A token that came into the record with a change that was refused then. */
static void restore_token(job_record_t *job, const struct token *undo)
{
	struct token have;

	if (token_parse(job->admin_comment, &have) == TOKEN_OK && have.id == undo->id)
		late_limit_put(job, undo);
}

void pending_resolve(struct bridge *b, bool may_write)
{
	struct pending *p = b->pending;
	struct track *track;
	job_record_t *job;

	if (!p)
		return;
	job = find_job_record(p->job_id);
	if (job && (!job->details || job->details->submit_time != p->submit))
		job = NULL;
	if (job && !p->refused) {
		track = track_by_core(b, p->core);
		p->refused = print_of(job) == p->print;
		if (p->refused)
			info("%s: JobId=%u: its change was not made: the old terms stand",
			     scheduler_type(), p->job_id);
		else if (track && !track->running)
			apply(b, p, job, track);
		if (track)
			track->decided = b->epoch;
	}
	if (job && p->refused && !may_write)
		return;
	if (job && p->refused)
		restore_token(job, &p->undo);
	pending_forget(b);
}

void pending_finish(struct bridge *b)
{
	static const slurmctld_lock_t locks = { .job = WRITE_LOCK };
	struct metered metered;

	while (b->pending) {
		pthread_mutex_unlock(&b->lock);
		metered_take(&metered, &locks);
		bridge_lock_urgent(b);
		pending_resolve(b, true);
		metered_give(&metered);
	}
}

void pending_lock(struct bridge *b)
{
	pthread_mutex_lock(&b->lock);
	pending_finish(b);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * confirm.c - the record of an accepted submission takes the places that are held for it
 */
#include "slurm/base/compat.h"

#include "slurm/promise/confirm.h"
#include "slurm/state/recorder.h"
#include "slurm/base/scheduler.h"
#include "slurm/state/terms.h"
#include "slurm/state/track.h"
#include "slurm/state/core.h"
#include "slurm/promise/unconfirmed.h"

static void withdraw(struct bridge *b, uint64_t core, int64_t now, const char *what)
{
	bridge_event(b, &(struct sched_event){ .type = EV_WITHDRAW, .now = now, .id = core }, what);
}

struct track *confirm_place(struct bridge *b, const struct unconfirmed *p, size_t i,
			    const struct confirm_task *task, int64_t now)
{
	struct sched_event ev = {
		.type = EV_CONFIRM, .now = now, .id = p->core[i], .new_id = p->core[i]
	};
	struct track *track = track_add(b, task->key, p->core[i]);

	if (!track || !bridge_event(b, &ev, "an accepted job's record")) {
		if (track)
			track_remove(b, track);
		withdraw(b, p->core[i], now, "an accepted job");
		return NULL;
	}
	recorder_note_user(p->core[i], task->uid);
	/*
	 * When it was admitted Slurm had given it none; sched/qops plans promised jobs
	 * without it.
	 */
	ev.type = EV_PRIORITY;
	ev.priority = task->priority;
	if (scheduler_is_dynp())
		bridge_event(b, &ev, "an accepted job's priority");
	track->shape = p->shape;
	return track;
}

void confirm_end(struct bridge *b, struct unconfirmed **at, size_t i, int64_t now)
{
	struct unconfirmed *p = *at;

	*at = p->next;
	for (; i < p->ncore; i++)
		withdraw(b, p->core[i], now, "a place too many");
	terms_leave(b, &p->asked, TALLY_GONE);
	free(p->core);
	free(p);
}

struct track *confirm_now(struct bridge *b, const job_record_t *job, const struct token *token,
			  int64_t now)
{
	uint32_t base = job->array_job_id ? job->array_job_id : job->job_id;
	struct unconfirmed **at = unconfirmed_find(b, token->id), *p = *at;
	struct confirm_task task = {
		.key = track_key(base, job->array_task_id),
		.uid = job->user_id,
		.priority = job->priority,
	};
	struct track *track;

	if (!p || !p->ncore)
		return NULL;
	track = confirm_place(b, p, p->ncore - 1, &task, now);
	if (!--p->ncore)
		confirm_end(b, at, 0, now);
	if (!track)
		return NULL;
	track->seen = b->epoch;
	track->job_id = job->job_id;
	track->submit = job->details->submit_time;
	track->priority = job->priority;
	track->promised = token_binds(token);
	track->token = *token;
	unconfirmed_bound(job, token->id);
	return track;
}

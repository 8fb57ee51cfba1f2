/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_confirm.c - accepted submissions meet their records
 */
#include "slurm/base/compat.h"

#include "slurm/sync/sync_confirm.h"
#include "slurm/sync/sync_job.h"
#include "slurm/history/history.h"
#include "slurm/promise/confirm.h"
#include "slurm/promise/judge.h"
#include "slurm/promise/unconfirmed.h"
#include "slurm/state/terms.h"
#include "slurm/state/track.h"

/* The unconfirmed submission of a record, which this snapshot shows the first time; NULL: there is none. */
static struct unconfirmed *shown(struct sync *s, const struct snap_job *j)
{
	struct unconfirmed *p = *unconfirmed_find(s->b, j->token.id);

	/* Of an array rather the record that its tasks share. */
	if (p && (!p->shown || j->tasks))
		p->shown = j;
	return p;
}

void sync_forgo(struct sync *s, const struct snap_job *j)
{
	struct unconfirmed *p = token_binds(&j->token) ? shown(s, j) : NULL;

	for (uint32_t t = 0; p && t < sync_tasks(j) && p->used < p->ncore; t++)
		if (!track_find(s->b, sync_key(j, t)))
			sync_simple(s, EV_WITHDRAW, p->core[p->used++], "an accepted job");
}

void sync_confirm(struct sync *s, const struct snap_job *j)
{
	struct unconfirmed *p = shown(s, j);
	struct track *track;

	if (!p)
		return;
	for (uint32_t t = 0; t < sync_tasks(j) && p->used < p->ncore; t++) {
		struct confirm_task task = { .key = sync_key(j, t),
					     .uid = j->uid,
					     .priority = j->priority };

		if (track_find(s->b, task.key))
			continue;
		track = confirm_place(s->b, p, p->used++, &task, s->snap->now);
		if (track)
			sync_note(s, j, track);
	}
	if (!p->asked)
		return;
	/* An array that has lost tasks since is not what was asked for. */
	if (sync_tasks(j) != p->ncore) {
		terms_leave(s->b, &p->asked, TALLY_SPLIT);
	} else if ((track = track_find(s->b, sync_key(j, 0)))) {
		terms_expect(s->b, track, p->asked);
		p->asked = NULL;
	}
}

/* Whose job it is that was accepted.  Tasks that no record has any more were cancelled before this. */
static void bind_job(struct sync *s, const struct unconfirmed *p)
{
	const struct snap_job *j = p->shown;
	struct ledger_outcome books;

	judge_books(j, false, &books);
	history_bound(j->token.id, &books.job, j->base_id, j->tasks ? NO_VAL : j->task);
	if (p->used < p->ncore && !p->expected)
		judge_missing(s->b, j, (uint32_t)(p->ncore - p->used), s->snap->now);
}

void sync_end_confirmed(struct sync *s)
{
	struct unconfirmed **at = &s->b->unconfirmed;

	while (*at)
		if ((*at)->shown) {
			bind_job(s, *at);
			confirm_end(s->b, at, (*at)->used, s->snap->now);
		} else {
			at = &(*at)->next;
		}
}

void sync_drop_unconfirmed(struct sync *s)
{
	struct unconfirmed **at = &s->b->unconfirmed;

	while (*at) {
		struct unconfirmed *p = *at;

		if (!unconfirmed_lapsed(s->b, p)) {
			at = &p->next;
			continue;
		}
		unconfirmed_drop(s->b, at, s->snap->now);
	}
}

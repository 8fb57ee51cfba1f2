/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * updates.c - what a pass wants written into slurmctld's records when it is over
 */
#include "slurm/base/compat.h"

#include "slurm/base/message.h"
#include "slurm/base/scheduler.h"
#include "slurm/state/updates.h"

void updates_promise(struct bridge *b, struct track *track, bool lost, int64_t end)
{
	struct record_update update = {
		.job_id = track->job_id,
		.print = track->print,
		.seen = track->token,
	};
	char by[32], planned[32] = "unknown";

	if (!track->token.id || (track->token.state == TOKEN_BROKEN) == lost)
		return;
	track->token.state = lost ? TOKEN_BROKEN : TOKEN_PROMISED;
	message_time(by, track->token.deadline);
	if (end < PACT_FOREVER)
		message_time(planned, end);
	if (lost)
		error("%s: JobId=%u: the promised completion by %s can no longer be kept, "
		      "planned completion is %s",
		      scheduler_type(), track->job_id, by, planned);
	else
		info("%s: JobId=%u: the promised completion by %s will be kept after all",
		     scheduler_type(), track->job_id, by);
	update.token = track->token;
	updates_add(b, &update);
}

void updates_add(struct bridge *b, const struct record_update *update)
{
	const struct record_update *before = b->nupdates ? &b->updates[b->nupdates - 1] : NULL;
	struct record_update e = *update;

	/* One after the other: what the first has seen is what both will find. */
	if (before && before->job_id == e.job_id) {
		e.seen = before->seen;
		e.terms |= before->terms;
		if (!e.shares.estimate)
			e.shares = before->shares;
		if (!e.run.own && before->run.own) {
			e.run = before->run;
			e.submit = before->submit;
		}
		if (!e.books.how)
			e.books = before->books;
		b->nupdates--;
	}
	if (b->nupdates == b->updates_room) {
		size_t room = b->updates_room ? b->updates_room * 2 : 16;
		struct record_update *more = realloc(b->updates, room * sizeof(*more));

		if (!more)
			return;
		b->updates = more;
		b->updates_room = room;
	}
	b->updates[b->nupdates++] = e;
}

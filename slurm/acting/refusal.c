/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refusal.c - starts that Slurm refuses again and again
 */
#include "slurm/base/compat.h"

#include "slurm/base/message.h"
#include "slurm/acting/refusal.h"
#include "slurm/base/scheduler.h"

/* Told once: when it is clear that the refusals are not a matter of a moment. */
static void tell(const struct track *track, uint32_t reason)
{
	const char *why = reason ? job_state_reason_string(reason) : "it is in no queue of Slurm's";
	char by[32];

	if (!track->promised) {
		verbose("%s: JobId=%u: its nodes are free, but Slurm does not start it "
			"(%s): nothing is kept for it",
			scheduler_type(), track->job_id, why);
		return;
	}
	message_time(by, track->token.deadline);
	error("%s: JobId=%u: promised to complete by %s and due, but Slurm does not start "
	      "it (%s); its place is kept while the promise can be",
	      scheduler_type(), track->job_id, by, why);
}

/* Was it due in the last pass too? */
static bool goes_on(const struct bridge *b, const struct track *track)
{
	return track->refused_epoch + 1 >= b->epoch;
}

static void begin_anew(struct track *track)
{
	track->refused = false;
	track->refused_since = track->refused_wait = 0;
}

bool refusal_note(struct bridge *b, struct track *track, bool exact, struct launch *launch)
{
	if (launch->started || !launch->refused || !track)
		return false;
	/* What waits for parts of nodes, limits or licenses is refused as long as that takes. */
	if (!track->promised && !(exact && launch->reserve))
		return false;
	if (!goes_on(b, track) || time(NULL) < track->refused_since)
		begin_anew(track);
	track->refused_epoch = b->epoch;
	track->refused_at = time(NULL);
	if (!track->refused_since)
		track->refused_since = track->refused_at;
	if (!track->refused && track->refused_at >= track->refused_since + REFUSAL_SECONDS) {
		track->refused = true;
		tell(track, launch->reason);
	}
	if (!track->refused)
		return true;
	track->refused_wait = track->refused_wait ? 2 * track->refused_wait : 1;
	if (track->refused_wait > b->conf->plan_interval)
		track->refused_wait = b->conf->plan_interval;
	launch->reserve = track->promised;
	return false;
}

void refusal_recalled(struct bridge *b, struct track *track)
{
	if (track->refused_since && goes_on(b, track))
		track->refused_epoch = b->epoch;
}

bool refusal_waits(struct bridge *b, struct track *track)
{
	int64_t now = time(NULL);

	if (!track->refused || last_node_update > track->refused_at || now < track->refused_at ||
	    now >= track->refused_at + track->refused_wait)
		return false;
	track->refused_epoch = b->epoch;
	return true;
}

bool refusal_review(struct bridge *b, struct track *track, const struct snap_job *j)
{
	bool broken = j->token_rc == TOKEN_OK && j->token.state == TOKEN_BROKEN;

	if (track->print != j->print) {
		begin_anew(track);
		track->given_up = false;
	}
	/* It was due in the last pass, and refused: not one that waits for its turn. */
	if (broken && !track->given_up && track->promised && track->refused && goes_on(b, track)) {
		track->given_up = true;
		info("%s: JobId=%u: no place is kept for its broken promise any more: it "
		     "runs when Slurm starts it",
		     scheduler_type(), track->job_id);
	}
	return broken && track->given_up;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * publish_aside.c - a job that is set aside for a promised one says so in its record, and until when; and one that is held and
 * was suspended by hand, which a slurmctld that is started anew would not know
 *
 * As the text beside its reason, which squeue (%r) and scontrol show; a job that runs or is suspended has none else.
 */
#include "slurm/acting/publish_own.h"
#include "slurm/acting/turn.h"
#include "slurm/base/message.h"
#include "slurm/records/by_hand.h"
#include "slurm/state/track.h"

#define SET_ASIDE "Set aside for a promised job"

/* One that should have ended ends at any time: no time is told. */
static void describe(int64_t until, int64_t now, char *desc, size_t size)
{
	char by[32];

	if (until > now && until < PACT_FOREVER) {
		message_time(by, until);
		snprintf(desc, size, SET_ASIDE " until %s", by);
	} else {
		snprintf(desc, size, SET_ASIDE);
	}
}

/* RET the text, in the buffer, or NULL: none. OUT end - when it is expected to end */
static const char *says(struct bridge *b, const struct snapshot *snap, const struct snap_job *j,
			char *desc, size_t size, int64_t *end)
{
	const struct track *track = track_find(b, track_key(j->base_id, j->task));
	struct sched_view view = { .end = PACT_FOREVER };

	*end = PACT_FOREVER;
	if (!track || !track->running || !j->slices || j->ending)
		return NULL;
	if (track->by_hand && (j->unclear || j->said == snapshot_said(SUSPENDED_BY_HAND)))
		return SUSPENDED_BY_HAND;
	if (sched_view(b->core, track->core, &view) || !view.aside)
		return NULL;
	*end = view.end;
	describe(view.aside, snap->now, desc, size);
	return desc;
}

void aside_collect(struct bridge *b, struct publication *pub, const struct snapshot *snap,
		   const struct snap_job *j)
{
	char desc[128];
	int64_t end;
	const char *text = says(b, snap, j, desc, sizeof(desc), &end);

	if (j->said == snapshot_said(text))
		return;
	pub->asides[pub->nasides++] = (struct aside_line){ .job_id = j->job_id,
							   .submit = j->submit,
							   .end = end,
							   .desc = text ? strdup(text) : NULL };
}

static bool is_ours(const char *desc)
{
	return !xstrncmp(desc, SET_ASIDE, strlen(SET_ASIDE)) || !xstrcmp(desc, SUSPENDED_BY_HAND);
}

/* RET whether anything changed */
static bool write_one(const struct aside_line *line)
{
	job_record_t *job = find_job_record(line->job_id);

	if (!job || !job->details || job->details->submit_time != line->submit ||
	    !(IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) || IS_JOB_COMPLETING(job))
		return false;
	if (job->state_desc && !is_ours(job->state_desc))
		return false;
	if (!xstrcmp(job->state_desc, line->desc))
		return false;
	xfree(job->state_desc);
	job->state_desc = xstrdup(line->desc);
	if (line->desc)
		turn_show_end(line->job_id, line->end);
	return true;
}

bool asides_write(const struct publication *pub)
{
	bool any = false;

	for (size_t i = 0; i < pub->nasides; i++)
		any |= write_one(&pub->asides[i]);
	return any;
}

void asides_free(struct publication *pub)
{
	for (size_t i = 0; i < pub->nasides; i++)
		free(pub->asides[i].desc);
	free(pub->asides);
}

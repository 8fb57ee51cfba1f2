/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * publish_aside.c - a job that is set aside for a promised one says so in its record, and until when
 *
 * As the text beside its reason, which squeue (%r) and scontrol show; a job that runs or is suspended has none else.
 */
#include "slurm/acting/publish_own.h"
#include "slurm/acting/turn.h"
#include "slurm/base/message.h"
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

void aside_collect(struct bridge *b, struct publication *pub, const struct snapshot *snap,
		   const struct snap_job *j)
{
	const struct track *track = track_find(b, track_key(j->base_id, j->task));
	bool aside = track && track->running && j->slices && !j->ending;
	struct sched_view view = { .end = PACT_FOREVER };
	char desc[128];

	aside = aside && !sched_view(b->core, track->core, &view) && view.aside;
	if (!aside && j->said == snapshot_said(NULL))
		return;
	if (aside)
		describe(view.aside, snap->now, desc, sizeof(desc));
	if (aside && j->said == snapshot_said(desc))
		return;
	pub->asides[pub->nasides++] = (struct aside_line){ .job_id = j->job_id,
							   .submit = j->submit,
							   .end = view.end,
							   .desc = aside ? strdup(desc) : NULL };
}

/* RET whether anything changed */
static bool write_one(const struct aside_line *line)
{
	job_record_t *job = find_job_record(line->job_id);

	if (!job || !job->details || job->details->submit_time != line->submit ||
	    !(IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) || IS_JOB_COMPLETING(job))
		return false;
	if (job->state_desc && xstrncmp(job->state_desc, SET_ASIDE, strlen(SET_ASIDE)))
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

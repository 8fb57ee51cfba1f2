/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * publish_write.c - what was collected, into slurmctld's records
 */
#include "slurm/acting/launch.h"
#include "slurm/acting/publish_own.h"
#include "slurm/base/message.h"
#include "slurm/base/metered.h"
#include "slurm/promise/judge.h"
#include "slurm/records/late_limit.h"
#include "slurm/records/malleable.h"
#include "slurm/state/updates.h"

/* The locks are given up after so many microseconds, looked at every so many records. */
#define PIECE_US 5000
#define PIECE_LOOK 64

/* In our words, where a promise or a reservation is the reason why it waits; "": in Slurm's only. */
static void describe_wait(const struct line *line, char *desc, size_t size)
{
	char by[32] = "";

	desc[0] = '\0';
	if (line->broken) {
		message_time(by, line->deadline);
		snprintf(desc, size, "Deadline %s can no longer be kept", by);
	} else if (line->deadline) {
		message_time(by, line->deadline);
		if (line->refused)
			snprintf(desc, size, "Promised to complete by %s, but not started", by);
		else
			snprintf(desc, size, "Promised to complete by %s", by);
	} else if (line->unpromised) {
		snprintf(desc, size, "Deadline is not promised%s%s", line->obstacle ? ": " : "",
			 line->obstacle ? line->obstacle : "");
	} else if (line->reserved) {
		if (line->resv_end < PACT_FOREVER)
			message_time(by, line->resv_end);
		snprintf(desc, size, "Nodes are %s%.64s%s%s",
			 line->resv ? "in reservation " : "reserved", line->resv ? line->resv : "",
			 by[0] ? " until " : "", by);
	} else if (line->wait == WAIT_PROMISES) {
		snprintf(desc, size, "Nodes are promised to jobs with deadlines");
	}
}

/* Slurm's word for why it waits. */
static uint32_t reason_of(const struct line *line)
{
	return line->first && line->wait != WAIT_PLANNED ? WAIT_RESOURCES : WAIT_PRIORITY;
}

/* Is that ours to say, of a record that has this reason? */
static bool may_say(const struct line *line, uint32_t reason)
{
	/* What Slurm said at submission, before the nodes had answered, is over once planned. */
	if (reason == WAIT_NODE_NOT_AVAIL && line->start)
		return true;
	return reason == WAIT_NO_REASON || reason == WAIT_RESOURCES || reason == WAIT_PRIORITY;
}

/* Did the record say all this already when it was read? */
static bool stands(const struct line *line)
{
	if (line->expires || line->rejected || line->tried || line->start != line->seen_start)
		return false;
	return !may_say(line, line->seen_reason) || (line->seen_reason == reason_of(line) &&
						     line->seen_said == snapshot_said(line->desc));
}

/* Say what is to be written, and leave out what stands.  Without a lock. */
static void prepare(struct publication *pub)
{
	char desc[RECORD_UPDATE_TEXT];
	size_t kept = 0;

	for (size_t i = 0; pub->lines && i < pub->nlines; i++) {
		struct line *line = &pub->lines[i];

		describe_wait(line, desc, sizeof(desc));
		line->desc = desc[0] ? strdup(desc) : NULL;
		free(line->obstacle);
		line->obstacle = NULL;
		free(line->resv);
		line->resv = NULL;
		if (stands(line))
			free(line->desc);
		else
			pub->lines[kept++] = *line;
	}
	pub->nlines = kept;
}

static bool set_reason(job_record_t *job, uint32_t reason, const char *desc)
{
	if (job->state_reason == reason && !xstrcmp(job->state_desc, desc))
		return false;
	job->state_reason = reason;
	xfree(job->state_desc);
	job->state_desc = xstrdup(desc);
	return true;
}

/*
 * It was read a while ago, and the locks have been given up since: is it still that job, and
 * waits?
 */
static job_record_t *waiting(const struct line *line)
{
	job_record_t *job = find_job_record(line->job_id);

	if (!job || !job->details || job->details->submit_time != line->submit ||
	    !IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job) || (job->priority == 0) != line->held)
		return NULL;
	return job;
}

/* RET whether anything changed */
static bool write_line(const struct line *line)
{
	job_record_t *job = waiting(line);
	bool changed = false;

	if (!job)
		return false;
	if (line->expires && launch_expire(line->job_id))
		return true;
	if (line->rejected && snapshot_print(job) == line->print) {
		launch_reject(job,
			      "started now, it would end after its deadline by its time limit");
		return true;
	}
	/* What has no place in the plan any more shows none, as under stock Slurm. */
	if (job->start_time != line->start) {
		job->start_time = line->start;
		changed = true;
	}
	if (line->held || !may_say(line, job->state_reason))
		return changed;
	return set_reason(job, reason_of(line), line->desc) || changed;
}

/* Is it the promise, and the job, that the update is about? */
static bool meant(const job_record_t *job, const struct record_update *update, struct token *have)
{
	const struct token *seen = &update->seen;

	if (token_parse(job->admin_comment, have) != TOKEN_OK || have->id != seen->id ||
	    have->state != seen->state || have->deadline != seen->deadline ||
	    have->ended != seen->ended)
		return false;
	return !update->print || !IS_JOB_PENDING(job) || snapshot_print(job) == update->print;
}

static bool withdraws(const struct record_update *update)
{
	return update->books.how && !strcmp(update->books.how, "withdrawn");
}

/* Its job is over, and its record was purged before that could be marked: the books know it all the same. */
static bool purged(const struct record_update *update)
{
	const job_record_t *job = find_job_record(update->job_id);
	struct token have;

	return update->token.ended && (!job || token_parse(job->admin_comment, &have) != TOKEN_OK ||
				       have.id != update->seen.id);
}

/* RET whether it was done */
static bool write_update(const struct record_update *update)
{
	job_record_t *job = find_job_record(update->job_id);
	struct token have;

	if (!job || !meant(job, update, &have))
		return false;
	have.state = update->token.state;
	have.ended = update->token.ended;
	if (!late_limit_put(job, update->terms ? &update->token : &have))
		return false;
	if (update->text[0] && IS_JOB_PENDING(job)) {
		xfree(job->state_desc);
		job->state_desc = xstrdup(update->text);
		if (withdraws(update))
			xstrcat(job->state_desc, ": deadline no longer promised");
	}
	return true;
}

/* RET whether it was done */
static bool write_shares(const struct record_update *update)
{
	job_record_t *job = update->shares.estimate ? find_job_record(update->job_id) : NULL;
	struct share_terms have;

	if (!job || !(IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) || IS_JOB_COMPLETING(job))
		return false;
	share_terms_of(job, &have);
	if (!have.estimate || have.submit != update->shares.submit)
		return false;
	share_terms_put(job, &update->shares);
	return true;
}

/* RET whether it was done */
static bool write_run(const struct record_update *update)
{
	job_record_t *job = update->run.own ? find_job_record(update->job_id) : NULL;

	if (!job || !job->details || job->details->submit_time != update->submit ||
	    !(IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) || IS_JOB_COMPLETING(job))
		return false;
	malleable_run_put(job, &update->run);
	return true;
}

/* RET whether any was done */
static bool write_updates(const struct publication *pub)
{
	bool any = false, books = false;

	for (size_t i = 0; i < pub->nupdates; i++) {
		struct record_update *update = &pub->updates[i];
		bool done = write_update(update);

		any |= done;
		any |= write_shares(update);
		any |= write_run(update);
		if (!done && !purged(update))
			update->books.how = NULL;
		books |= update->books.how != NULL;
	}
	if (books)
		judge_updates(bridge_get(), pub->updates, pub->nupdates);
	return any;
}

static void publication_free(struct publication *pub)
{
	for (size_t i = 0; pub->lines && i < pub->nlines; i++)
		free(pub->lines[i].desc);
	free(pub->lines);
	free(pub->updates);
	asides_free(pub);
	free(pub);
}

/* The lines, in pieces: nothing of one piece counts in the next but what stands in the line. */
static void write_lines(const struct publication *pub, struct metered *metered)
{
	bool changed = false;

	for (size_t i = 0; pub->lines && i < pub->nlines; i++) {
		changed |= write_line(&pub->lines[i]);
		if (i % PIECE_LOOK != PIECE_LOOK - 1 || !metered_long(metered, PIECE_US))
			continue;
		/* Each piece owns up to its changes before any thread can look. */
		if (changed)
			last_job_update = time(NULL);
		changed = false;
		metered_yield(metered);
	}
	if (changed)
		last_job_update = time(NULL);
}

void publish_write(struct publication *pub)
{
	static const slurmctld_lock_t locks = { READ_LOCK, WRITE_LOCK, WRITE_LOCK, READ_LOCK,
						READ_LOCK };
	struct metered metered;
	bool save;

	if (!pub)
		return;
	prepare(pub);
	metered_take(&metered, &locks);
	save = write_updates(pub);
	if (asides_write(pub) || save)
		last_job_update = time(NULL);
	write_lines(pub, &metered);
	(void)bb_g_job_try_stage_in();
	metered_give(&metered);
	if (save)
		schedule_job_save();
	publication_free(pub);
}

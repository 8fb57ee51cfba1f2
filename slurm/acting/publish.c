/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * publish.c - from the plan back into slurmctld's records
 */
#include "slurm/base/compat.h"

#include "slurm/acting/cause.h"
#include "slurm/base/metered.h"
#include "slurm/acting/launch.h"
#include "slurm/base/message.h"
#include "slurm/acting/publish.h"
#include "slurm/acting/refusal.h"
#include "slurm/base/scheduler.h"
#include "slurm/promise/judge.h"
#include "slurm/state/track.h"
#include "slurm/state/updates.h"

/* The locks are given up after so many microseconds, looked at every so many records. */
#define PIECE_US 5000
#define PIECE_LOOK 64

struct line {
	uint32_t job_id;
	int64_t submit;
	int64_t start;	  /* 0: none known */
	int64_t deadline; /* promised; 0: not */
	int64_t priority;
	bool broken;
	bool refused;	      /* due, and Slurm does not start it */
	enum sched_wait wait; /* what keeps it from starting, as the plan has it, */
	bool reserved;	      /* or that its nodes are reserved, */
	int64_t resv_end;     /* until then, */
	char *resv;	      /* by this reservation; NULL: that is not for all to know */
	bool first;	      /* of its partition in Slurm's order */
	bool unpromised;      /* its promise was withdrawn, or refused at its release */
	bool held;	      /* it has no place, and all that is written is that */
	bool expires;	      /* past a deadline without a promise */
	const char *part;     /* during collection */
	char *obstacle;	      /* why no promise can be made; or NULL */

	/* What the record said when it was read. */
	bool tried; /* and a start was tried since: it may say something else */
	int64_t seen_start;
	uint32_t seen_reason;
	uint64_t seen_said; /* snapshot_said() */

	char *desc; /* what it is to say; NULL: nothing beyond the reason */
};

struct publication {
	struct line *lines;
	size_t nlines;
	struct record_update *updates;
	size_t nupdates;
	struct causes *causes; /* during collection, where there are reservations */
};

/* From when on a deadline without a promise is impossible (deadline_ok); 0: never. */
static int64_t expiry(const struct snap_job *j)
{
	if (!j->runnable || !j->what.deadline || j->token_rc == TOKEN_NEWER ||
	    token_binds(&j->token))
		return 0;
	return j->what.deadline - j->what.least + 1;
}

/* RET whether it has expired; else the next pass is not later than that. */
static bool expires(struct bridge *b, const struct snapshot *snap, const struct snap_job *j)
{
	int64_t at = expiry(j);

	if (at > snap->now && (!b->wake || at < b->wake))
		b->wake = at;
	return at && at <= snap->now;
}

/* Its own deadline: the core's may be a bound (reliance.h), the snapshot's older than a change. */
static int64_t deadline_of(const struct bridge *b, const struct snap_job *j,
			   const struct track *track)
{
	if (track->decided >= b->epoch)
		return track->token.deadline;
	return j->what.deadline ? j->what.deadline : j->token.deadline;
}

/* What keeps it from starting. */
static void collect_cause(const struct publication *pub, const struct snap_job *j,
			  struct line *line)
{
	struct cause cause;

	if (!pub->causes || line->wait != SCHED_WAIT_RESOURCES)
		return;
	causes_find(pub->causes, j, true, line->wait, &cause);
	if (cause.why != CAUSE_RESERVED)
		return;
	line->reserved = true;
	line->resv_end = cause.resv->end;
	if (!(slurm_conf.private_data & PRIVATE_DATA_RESERVATIONS))
		line->resv = strdup(cause.resv->name);
}

/*
 * The plan for one record: an array's is its first task's.  Its tasks share one
 * token, which is broken as soon as one of them is late.
 */
static void collect_line(struct bridge *b, const struct publication *pub,
			 const struct snapshot *snap, const struct snap_job *j, struct line *line)
{
	int64_t start = PACT_FOREVER, end = 0;
	struct track *told = NULL;

	*line = (struct line){ .job_id = j->job_id,
			       .submit = j->submit,
			       .tried = j->tried,
			       .seen_start = j->start,
			       .seen_reason = j->reason,
			       .seen_said = j->said,
			       .priority = j->priority,
			       .part = j->what.nalt ? j->what.part[0] : "",
			       .unpromised = j->what.deadline && j->token_rc == TOKEN_OK &&
					     j->token.state == TOKEN_WITHDRAWN,
			       .obstacle = j->obstacle ? strdup(j->obstacle) : NULL,
			       .held = j->held,
			       .expires = expires(b, snap, j) };
	for (uint32_t i = 0; i < (j->tasks ? j->ntasks : 1); i++) {
		struct track *track =
			track_find(b, track_key(j->base_id, j->tasks ? j->tasks[i] : j->task));
		struct sched_view view;

		line->tried |= track && track->tried == b->epoch;
		if (!track || track->running || sched_view(b->core, track->core, &view))
			continue;
		if (view.start < start) {
			start = view.start;
			line->wait = sched_why(b->core, track->core);
		}
		if (track->promised) {
			line->deadline = deadline_of(b, j, track);
			line->broken |= view.end > line->deadline;
			line->refused |= track->refused && view.start <= snap->now;
			end = view.end > end ? view.end : end;
			told = track;
		}
	}
	if (told)
		bridge_promise(b, told, line->broken, end);
	if (!told && j->token_rc == TOKEN_OK && j->token.state == TOKEN_BROKEN) {
		line->broken = true; /* and its place is given up */
		line->deadline = j->token.deadline;
	}
	collect_cause(pub, j, line);
	line->start = !j->held && start < PACT_FOREVER && start > 0 ? start : 0;
}

/*
 * A promised job that runs may end too late yet: it was suspended, its limit was
 * raised, or it does not end.  Its limit and what Slurm takes to enforce it count.
 */
static void watch(struct bridge *b, const struct snapshot *snap, const struct snap_job *j)
{
	struct track *track = track_find(b, track_key(j->base_id, j->task));
	int64_t end = j->end;

	if (j->ending || !track || !track->running || !token_binds(&track->token))
		return;
	if (end < PACT_FOREVER)
		end += b->conf->sched.guard - b->conf->sched.lateness -
		       (j->waking ? 0 : b->conf->waking);
	if (end < snap->now)
		end = snap->now;
	bridge_promise(b, track, end > track->token.deadline, end);
}

static int by_part(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int parts = strcmp(x->part, y->part);

	if (parts)
		return parts;
	if (x->priority != y->priority)
		return x->priority > y->priority ? -1 : 1;
	return x->job_id < y->job_id ? -1 : x->job_id > y->job_id;
}

struct publication *publish_collect(struct bridge *b, const struct snapshot *snap)
{
	struct publication *pub = calloc(1, sizeof(*pub));

	if (!pub)
		return NULL;
	pub->lines = calloc(snap->njobs ? snap->njobs : 1, sizeof(*pub->lines));
	pub->causes = snap->nresvs ? causes_open(snap, b->conf->sched.guard) : NULL;
	for (size_t i = 0; pub->lines && i < snap->njobs; i++) {
		const struct snap_job *j = &snap->jobs[i];

		if (j->state == SNAP_RUNNING)
			watch(b, snap, j);
		else if (j->state == SNAP_PENDING &&
			 (j->held ? j->start != 0 : j->runnable || j->token_rc == TOKEN_OK))
			collect_line(b, pub, snap, j, &pub->lines[pub->nlines++]);
	}
	causes_close(pub->causes);
	pub->causes = NULL;
	pub->updates = b->updates;
	pub->nupdates = b->nupdates;
	b->updates = NULL;
	b->nupdates = b->updates_room = 0;
	if (pub->nlines)
		qsort(pub->lines, pub->nlines, sizeof(*pub->lines), by_part);
	for (size_t i = 0; i < pub->nlines; i++)
		pub->lines[i].first = !i || strcmp(pub->lines[i].part, pub->lines[i - 1].part);
	return pub;
}

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
	if (line->expires || line->tried || line->start != line->seen_start)
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
	char *comment;

	if (!job || !meant(job, update, &have))
		return false;
	have.state = update->token.state;
	have.ended = update->token.ended;
	comment = token_put(job->admin_comment, update->terms ? &update->token : &have);
	if (!comment)
		return false;
	xfree(job->admin_comment);
	job->admin_comment = xstrdup(comment);
	free(comment);
	if (update->text[0] && IS_JOB_PENDING(job)) {
		xfree(job->state_desc);
		job->state_desc = xstrdup(update->text);
		if (withdraws(update))
			xstrcat(job->state_desc, ": deadline no longer promised");
	}
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
	if (save)
		last_job_update = time(NULL);
	write_lines(pub, &metered);
	(void)bb_g_job_try_stage_in();
	metered_give(&metered);
	if (save)
		schedule_job_save();
	publication_free(pub);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay.c: see replay.h.
 */
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "contrib/replay/answer.h"
#include "contrib/replay/clock.h"
#include "contrib/replay/jobcomp.h"
#include "contrib/replay/replay.h"

/* Seconds of the wall: between two tries, for ends of cancelled jobs, between two state lines. */
#define RETRY 0.5
#define CANCEL_WAIT 20.0
#define PACE 0.25
/* Lag, in seconds of the wall, that is worth a word the first time. */
#define TELL_LAG 2.0

/* What starting and ending a job takes, in seconds of the wall, before any was seen. */
#define OVERHEAD 0.05
/* Seconds that a job beyond its limit goes on for: far more than Slurm takes to kill it. */
#define OVERRUN 7200

#define EXIT_INTERRUPTED 5

static volatile sig_atomic_t interrupts;

static void on_interrupt(int sig)
{
	(void)sig;
	if (++interrupts > 1)
		_exit(EXIT_INTERRUPTED);
}

static void catch_interrupts(void)
{
	struct sigaction sa;

	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = on_interrupt;
	sigemptyset(&sa.sa_mask);
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
}

static void note_silence(struct replay *r, const char *text)
{
	if (r->silent_since == 0) {
		r->silent_since = clock_wall();
		show_note(r->show, "%s; trying again for %" PRId64 " s", text,
			  r->options->patience);
	}
	r->retry_at = clock_wall() + RETRY;
}

static void note_answer(struct replay *r)
{
	if (r->silent_since > 0)
		show_note(r->show, "Slurm answers again after %.1f s",
			  clock_wall() - r->silent_since);
	r->silent_since = 0;
	r->retry_at = 0;
}

static bool out_of_patience(const struct replay *r)
{
	return r->silent_since > 0 && clock_wall() - r->silent_since > (double)r->options->patience;
}

/* Seconds that the next submission is late by now. */
static int64_t current_lag(const struct replay *r)
{
	int64_t lag;

	if (r->next == track_size(r->track))
		return 0;
	lag = (int64_t)clock_now() - r->start - track_peek(r->track, r->next)->arrival;
	return lag > 0 ? lag : 0;
}

/* A word when it falls behind, and another each time that has doubled. */
static void tell_lag(struct replay *r, int64_t lag)
{
	double least = TELL_LAG * clock_speed();

	if (lag < least || lag < 2 * r->told_lag)
		return;
	r->told_lag = lag;
	show_note(r->show,
		  "%" PRId64 " s behind the log's timing: submissions come faster than Slurm"
		  " takes them at this speed",
		  lag);
}

static bool conclude(struct replay *r, struct replay_job *job, enum submit_rc rc, int64_t now,
		     int64_t deadline, const struct submit_answer *answer)
{
	struct answer read;
	char kind[200];
	bool ok;

	job->lag = now - r->start - job->arrival;
	if (rc == SUBMIT_ACCEPTED) {
		ok = track_accept(r->track, job, answer->slurm_id, now, deadline);
		job->observed = words_observed(answer->text);
		answer_read(answer->text, job->width, job->estimate, &read);
		job->expected = read.expected;
	} else {
		words_kind(answer->text, kind, sizeof(kind));
		ok = track_refuse(r->track, job, now, kind, rc == SUBMIT_REFUSED);
	}
	r->next++;
	if (ok)
		show_submitted(r->show, job, answer->text);
	tell_lag(r, job->lag);
	return ok;
}

/*
 * The last try had no answer. True: that is settled, by the job found in Slurm (then it is
 * concluded) or by its absence.
 */
static bool settle_doubt(struct replay *r, struct replay_job *job, bool *nomem)
{
	struct submit_answer answer = {
		.text = "found in Slurm after a submission without an answer"
	};
	char name[64];

	submit_name(r->submitter, job, name, sizeof(name));
	if (!watch_by_name(r->watch, name, &answer.slurm_id))
		return false;
	note_answer(r);
	r->doubtful = false;
	if (answer.slurm_id)
		*nomem = !conclude(r, job, SUBMIT_ACCEPTED, (int64_t)clock_now(),
				   r->doubtful_deadline, &answer);
	return true;
}

void replay_on_change(const struct replay_job *job, enum fate before, void *replay)
{
	struct replay *r = replay;

	if (job->fate == FATE_ENDED && job->ending == END_COMPLETED)
		r->overhead += 0.1 * ((double)(job->end - job->start) - job->sleep - r->overhead);
	show_change(r->show, job, before);
}

/*
 * The time that a job takes to start and to end belongs to the runtime that Slurm records. On the
 * wall's clock it is nothing beside the log's; 100 times faster it is seconds, which would push
 * jobs past limits that they kept in the log.
 */
static double sleep_of(const struct replay *r, const struct replay_job *job)
{
	double sleep = (double)job->runtime;

	if (job->overruns)
		return (double)job->estimate + OVERRUN;
	/* how long a job takes that is stopped meanwhile says nothing */
	if (r->options->work == WORK_SLEEP && !r->options->raw_sleep && clock_speed() >= 2)
		sleep -= r->overhead;
	return sleep > 0 ? sleep : 0;
}

static enum replay_rc submit_next(struct replay *r)
{
	struct replay_job *job = track_job(r->track, r->next);
	size_t before = r->next;
	struct submit_answer answer;
	enum submit_rc rc;
	bool nomem = false;
	double now;
	int64_t deadline;

	if (r->doubtful && !settle_doubt(r, job, &nomem)) {
		r->retry_at = clock_wall() + RETRY;
		return REPLAY_DONE;
	}
	if (r->next != before)
		return nomem ? REPLAY_NOMEM : REPLAY_DONE;
	now = clock_now();
	job->sleep = sleep_of(r, job);
	deadline = job->within ? (int64_t)ceil(now) + job->within : 0;
	rc = submit_job(r->submitter, job, deadline, &answer);
	if (rc == SUBMIT_TEMPORARY || rc == SUBMIT_UNREACHABLE) {
		r->doubtful = rc == SUBMIT_UNREACHABLE;
		r->doubtful_deadline = deadline;
		note_silence(r, answer.text);
		return REPLAY_DONE;
	}
	note_answer(r);
	return conclude(r, job, rc, (int64_t)now, deadline, &answer) ? REPLAY_DONE : REPLAY_NOMEM;
}

static void look(struct replay *r)
{
	if (watch_look(r->watch)) {
		if (!r->doubtful && r->retry_at == 0)
			note_answer(r);
	} else if (r->silent_since == 0) {
		note_silence(r, "Slurm does not answer");
	}
	r->next_look = clock_now() + watch_interval(r->watch);
}

/* The cluster's time of the next submission; INFINITY when there is none left. */
static double next_arrival(const struct replay *r)
{
	if (r->next == track_size(r->track))
		return INFINITY;
	return (double)(r->start + track_peek(r->track, r->next)->arrival);
}

static bool may_submit(const struct replay *r, double now)
{
	int64_t stop = r->options->stop_after;

	if (next_arrival(r) > now || (stop > 0 && now - (double)r->start > (double)stop))
		return false;
	return r->retry_at == 0 || clock_wall() >= r->retry_at;
}

static bool finished(const struct replay *r, double now)
{
	int64_t stop = r->options->stop_after;
	bool all = r->next == track_size(r->track) ||
		   (stop > 0 && now - (double)r->start > (double)stop);

	return all && !r->doubtful && track_active(r->track) == 0;
}

/* Until something is due, or the state line is. */
static void rest(const struct replay *r)
{
	double now = clock_now();
	double until = now + PACE * clock_speed();

	if (r->next_look < until)
		until = r->next_look;
	if (r->retry_at == 0 && next_arrival(r) < until)
		until = next_arrival(r);
	/* With a try pending or submissions stopped, a past arrival is nothing to wait for. */
	if (until - now < 0.005 * clock_speed())
		until = now + 0.005 * clock_speed();
	clock_sleep(until - now);
}

static void cancel_all(struct replay *r)
{
	double until;

	show_note(r->show, "interrupted: cancelling %" PRId64 " job%s", track_active(r->track),
		  track_active(r->track) == 1 ? "" : "s");
	for (size_t i = 0; i < r->next; i++) {
		const struct replay_job *job = track_peek(r->track, i);

		if (job->fate == FATE_WAITING || job->fate == FATE_RUNNING)
			submit_cancel(r->submitter, job->slurm_id);
		/* Cancelling many takes long enough for the first records to be purged. */
		if (clock_now() >= r->next_look)
			look(r);
	}
	until = clock_wall() + CANCEL_WAIT;
	while (track_active(r->track) > 0 && clock_wall() < until) {
		clock_sleep_wall(PACE);
		watch_look(r->watch);
		show_state(r->show, 0);
	}
	if (track_active(r->track) > 0)
		show_note(r->show, "%" PRId64 " %s still in Slurm's queue", track_active(r->track),
			  track_active(r->track) == 1 ? "job is" : "jobs are");
}

static void second_source(struct replay *r)
{
	const char *path = r->options->jobcomp;
	int64_t lost = track_count(r->track, FATE_LOST);
	int found;

	if (!path)
		path = r->cluster->jobcomp;
	if (lost == 0 || !*path)
		return;
	found = jobcomp_recover(path, r->track, r->submitter);
	if (found < 0)
		show_note(r->show,
			  "%s: cannot be read (it was to tell the ends of %" PRId64 " job%s)", path,
			  lost, lost == 1 ? "" : "s");
	else
		show_note(r->show,
			  "%s told the ends of %d of %" PRId64 " job%s that slurmctld forgot", path,
			  found, lost, lost == 1 ? "" : "s");
}

enum replay_rc replay_run(struct replay *r)
{
	enum replay_rc rc = REPLAY_DONE;

	catch_interrupts();
	r->next_look = (double)r->start;
	r->overhead = OVERHEAD * clock_speed();
	while (rc == REPLAY_DONE) {
		double now = clock_now();

		if (interrupts)
			rc = REPLAY_INTERRUPTED;
		else if (out_of_patience(r))
			rc = REPLAY_UNREACHABLE;
		else if (now >= r->next_look)
			look(r);
		else if (finished(r, now))
			break;
		else if (may_submit(r, now))
			rc = submit_next(r);
		else
			rest(r);
		show_state(r->show, current_lag(r));
	}
	if (rc == REPLAY_INTERRUPTED)
		cancel_all(r);
	second_source(r);
	show_finish(r->show);
	return rc;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * move.c - a job that may be migrated: how it is asked to, and what its migrations have come to
 */
#include "slurm/records/move.h"
#include "slurm/records/job_env.h"

#include <sys/wait.h>

#include "common/signal_word.h"

#define NAME "PACT_MOVE"
#define MOVE_VERSION "2"
/* As Slurm names the option of a SPANK plugin. */
#define OPTION "_SLURM_SPANK_OPTION_spank_pact_migratable"

static const char *const words[] = {
	[MOVE_NONE] = "none", [MOVE_ASKED] = "asked", [MOVE_MOVED] = "moved", [MOVE_STAYS] = "stays"
};

/*
 * It would be requeued, and go on with its output. move_submit() sees to that, where there is job_submit/deadline; the site
 * and the user may have changed it since.
 */
static bool goes_on(const job_record_t *job)
{
	bool appends = job->details && (job->details->open_mode == OPEN_MODE_APPEND ||
					(!job->details->open_mode && slurm_conf.job_file_append));

	return appends && job->details->requeue && slurm_conf.requeue_exit &&
	       slurm_conf.requeue_exit[0];
}

uint16_t move_signal(const job_record_t *job)
{
	const char *text = job_env_get(job, OPTION);

	return text && job->batch_flag && goes_on(job) ? (uint16_t)signal_word(text) : 0;
}

static bool parse(const char *text, struct move *out)
{
	char word[8] = "", over;

	*out = (struct move){ 0 };
	if (sscanf(text,
		   MOVE_VERSION ":%7[a-z]:%" SCNd64 ":%" SCNd64 ":%" SCNd64 ":%" SCNd64 ":%" SCNd64
				":%" SCNd64 ":%" SCNd64 ":%" SCNu32 "%c",
		   word, &out->submit, &out->aged, &out->limit, &out->used, &out->asked, &out->ran,
		   &out->cost, &out->restarts, &over) != 9)
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i], word))
			out->state = (enum move_state)i;
	return out->state != MOVE_NONE && out->used >= 0 && out->ran >= 0;
}

void move_of(const job_record_t *job, struct move *out)
{
	const char *text = job_env_get(job, NAME);

	if (!text || !parse(text, out))
		*out = (struct move){ 0 };
}

static void put(job_record_t *job, const struct move *m)
{
	char text[256];

	snprintf(text, sizeof(text),
		 MOVE_VERSION ":%s:%" PRId64 ":%" PRId64 ":%" PRId64 ":%" PRId64 ":%" PRId64
			      ":%" PRId64 ":%" PRId64 ":%u",
		 words[m->state], m->submit, m->aged, m->limit, m->used, m->asked, m->ran, m->cost,
		 m->restarts);
	job_env_put(job, NAME, m->state == MOVE_NONE ? NULL : text);
}

int64_t move_ran(const job_record_t *job, int64_t now)
{
	bool over = IS_JOB_COMPLETING(job) || IS_JOB_FINISHED(job);
	int64_t to = over ? job->end_time : IS_JOB_SUSPENDED(job) ? job->suspend_time : now;
	int64_t ran = to - job->start_time;

	/* the record has what was run before the last suspension, or until it */
	if (job->suspend_time)
		ran = IS_JOB_SUSPENDED(job) ? job->pre_sus_time
					    : job->pre_sus_time + to - job->suspend_time;
	return ran > 0 ? ran : 0;
}

/* ---- limits ---- */

static bool has_limit(const job_record_t *job)
{
	return job->time_limit != INFINITE && job->time_limit != NO_VAL;
}

/* Minutes that are left of it. */
static uint32_t minutes_left(const struct move *m)
{
	int64_t left = m->limit - m->used;

	return left > 60 ? (uint32_t)((left + 59) / 60) : 1;
}

/* What is not what was left of the limit for all of its runs is an operator's, which is for this run and those to come. */
static void take_limit(const job_record_t *job, struct move *m)
{
	if (!has_limit(job)) {
		m->limit = PACT_FOREVER;
	} else if (m->state == MOVE_NONE || m->limit >= PACT_FOREVER ||
		   minutes_left(m) != job->time_limit) {
		m->limit = (int64_t)job->time_limit * 60;
		m->used = 0;
	}
}

/* ---- why it was requeued ---- */

/* list: as RequeueExit has it, "1-9,18" */
static bool has_code(const char *list, int code)
{
	for (char *end; *list; list = *end ? end + 1 : end) {
		long from = strtol(list, &end, 10), to = from;

		if (*end == '-')
			to = strtol(end + 1, &end, 10);
		if (from <= code && code <= to)
			return true;
	}
	return false;
}

/*
 * It left when it was asked: its code is in the record until it is started again. One that has left when there was no
 * slurmctld has none: its node does not know it any more, and Slurm, which ends it for that, counts such ends in its
 * batch flag, which is 1 when it is asked. Neither is there when it is requeued by hand or its node is lost.
 */
static bool has_left(const job_record_t *job)
{
	int code = WEXITSTATUS(job->exit_code);

	return job->batch_flag > 1 ||
	       (code && slurm_conf.requeue_exit && has_code(slurm_conf.requeue_exit, code));
}

/* ---- from state to state ---- */

void move_ask(job_record_t *job, int64_t now)
{
	struct move m;

	move_of(job, &m);
	if (m.state == MOVE_ASKED)
		return; /* its time counts from the first one */
	take_limit(job, &m);
	if (m.state == MOVE_NONE)
		m.submit = job->details->submit_time;
	/* it runs: what Slurm counts there of earlier runs is no launch that has failed, see has_left() */
	job->batch_flag = 1;
	m.state = MOVE_ASKED;
	m.aged = job->details->accrue_time;
	m.asked = m.ran = move_ran(job, now);
	m.restarts = job->restart_cnt;
	put(job, &m);
}

void move_give_up(job_record_t *job)
{
	struct move m;

	move_of(job, &m);
	if (m.state != MOVE_ASKED)
		return;
	m.state = MOVE_STAYS;
	put(job, &m);
}

/* It left when it was asked. */
static void lift(job_record_t *job, struct move *m, int64_t now)
{
	take_limit(job, m);
	m->state = MOVE_MOVED;
	m->used += m->ran;
	m->cost = m->ran > m->asked ? m->ran - m->asked : 1;
	m->restarts = job->restart_cnt;
	put(job, m);
	if (m->limit < PACT_FOREVER && has_limit(job))
		job->time_limit = minutes_left(m);
	/* not in this second: its nodes would take it for the run that has just ended */
	if (job->details->begin_time > now + 1)
		job->details->begin_time = now + 1;
}

/* It was requeued for another reason, and begins anew. A limit that is not what was left is an operator's, and stays. */
static void forget(job_record_t *job, const struct move *m)
{
	if (m->limit < PACT_FOREVER && job->time_limit == minutes_left(m))
		job->time_limit = (uint32_t)((m->limit + 59) / 60);
	job_env_put(job, NAME, NULL);
}

bool move_renew(job_record_t *job, int64_t now)
{
	bool waits = IS_JOB_PENDING(job) && !IS_JOB_COMPLETING(job);
	struct move m;
	int64_t ran;

	move_of(job, &m);
	if (m.state == MOVE_NONE || !job->details)
		return false;
	if (waits && m.state == MOVE_ASKED && has_left(job)) {
		lift(job, &m, now);
		return true;
	}
	if (waits && (m.state != MOVE_MOVED || m.restarts != job->restart_cnt)) {
		forget(job, &m);
		return true;
	}
	/* what it has used is in no record any more when it has been requeued */
	ran = m.state == MOVE_ASKED && !waits ? move_ran(job, now) : m.ran;
	if (ran != m.ran) {
		m.ran = ran;
		put(job, &m);
	}
	return false;
}

bool move_age(job_record_t *job)
{
	struct move m;

	move_of(job, &m);
	if (m.state != MOVE_MOVED || !m.aged || !job->details || !job->details->accrue_time)
		return false;
	job->details->accrue_time = MIN(job->details->accrue_time, m.aged);
	m.aged = 0;
	put(job, &m);
	return true;
}

/* ---- submissions ---- */

bool move_submit(job_desc_msg_t *desc, char *out, size_t size)
{
	const char *text = job_env_asked(desc, OPTION);

	job_env_strip(desc, NAME);
	if (!text)
		return true;
	if (!signal_word(text))
		snprintf(out, size, "--migratable=%s: the signal has to be %s", text, SIGNAL_WORDS);
	else if (!desc->script)
		snprintf(out, size, "--migratable: only a batch job can be requeued");
	else if (!slurm_conf.requeue_exit || !slurm_conf.requeue_exit[0])
		snprintf(out, size,
			 "--migratable: slurm.conf has no RequeueExit, which a job ends "
			 "with to be started elsewhere");
	else if (desc->requeue == 0)
		snprintf(out, size, "--migratable and --no-requeue");
	else {
		desc->requeue = 1;
		desc->open_mode = OPEN_MODE_APPEND;
		return true;
	}
	return false;
}

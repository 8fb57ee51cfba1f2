/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watch.c: see watch.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "contrib/replay/clock.h"
#include "contrib/replay/watch.h"
#include "slurm/records/token.h"

struct watch {
	struct track *track;
	struct words *words;
	watch_fn tell;
	void *arg;
	int64_t min_job_age;
	time_t last_update;
	double cost;	/* of a look, smoothed, seconds of the cluster's clock */
	uint32_t looks; /* that brought records */
	uint32_t *seen; /* per job: the look that showed it last */
};

struct watch *watch_create(const struct cluster *c, struct track *t, struct words *words,
			   watch_fn tell, void *arg)
{
	struct watch *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->seen = calloc(track_size(t) + 1, sizeof(*w->seen));
	if (!w->seen) {
		free(w);
		return NULL;
	}
	w->track = t;
	w->words = words;
	w->tell = tell;
	w->arg = arg;
	w->min_job_age = c->min_job_age;
	return w;
}

void watch_destroy(struct watch *w)
{
	if (!w)
		return;
	free(w->seen);
	free(w);
}

static enum ending ending_of(uint32_t base)
{
	switch (base) {
	case JOB_COMPLETE:
		return END_COMPLETED;
	case JOB_CANCELLED:
		return END_CANCELLED;
	case JOB_FAILED:
		return END_FAILED;
	case JOB_TIMEOUT:
		return END_TIMEOUT;
	case JOB_NODE_FAIL:
		return END_NODE_FAIL;
	case JOB_DEADLINE:
		return END_DEADLINE;
	default:
		return END_OTHER;
	}
}

static void note_token(struct replay_job *job, const char *comment)
{
	struct token token;

	if (token_parse(comment, &token) != TOKEN_OK)
		return;
	job->token = token.state == TOKEN_PROMISED || token.state == TOKEN_BROKEN;
	job->told = token.state == TOKEN_BROKEN;
	job->withdrawn = token.state == TOKEN_WITHDRAWN;
}

/* Slurm has what it ran before it was last stopped or went on. */
static int64_t stopped_for(const job_info_t *info)
{
	if (!info->suspend_time)
		return 0;
	return (int64_t)info->suspend_time - info->start_time - info->pre_sus_time;
}

static void take_record(struct watch *w, struct replay_job *job, const job_info_t *info)
{
	uint32_t base = info->job_state & JOB_STATE_BASE;
	enum fate before = job->fate;

	note_token(job, info->admin_comment);
	if (base == JOB_PENDING) {
		if (job->fate == FATE_RUNNING)
			track_requeue(w->track, job);
	} else if (base == JOB_RUNNING || base == JOB_SUSPENDED) {
		if (job->fate != FATE_RUNNING || job->start != info->start_time)
			track_run(w->track, job, info->start_time);
	} else {
		/* A job that ends without having run bears its end as its start. */
		bool ran = info->nodes && info->nodes[0];

		track_end(w->track, job, ending_of(base), ran ? info->start_time : 0,
			  info->end_time, stopped_for(info));
	}
	if (job->fate != before && w->tell)
		w->tell(job, before, w->arg);
}

/*
 * Jobs that Slurm accepted before this look and does not show in it. Should one come back (a backup
 * controller that had older records), take_record() takes it back.
 */
static void find_lost(struct watch *w)
{
	for (size_t i = 0; i < track_size(w->track); i++) {
		struct replay_job *job = track_job(w->track, i);
		enum fate before = job->fate;

		if ((before != FATE_WAITING && before != FATE_RUNNING) || w->seen[i] == w->looks)
			continue;
		track_lose(w->track, job);
		if (w->tell)
			w->tell(job, before, w->arg);
	}
}

static int load(struct watch *w, job_info_msg_t **msg)
{
	int rc, err;

	*msg = NULL;
	words_begin(w->words);
	errno = 0;
	rc = slurm_load_jobs(w->last_update, msg, SHOW_ALL | SHOW_LOCAL);
	err = errno;
	words_end(w->words);
	return rc == SLURM_SUCCESS ? 0 : err ? err : EIO;
}

bool watch_look(struct watch *w)
{
	double begin = clock_now(), cost;
	job_info_msg_t *msg;
	int err = load(w, &msg);

	if (err == SLURM_NO_CHANGE_IN_DATA)
		return true;
	if (err)
		return false;
	w->looks++;
	for (uint32_t i = 0; i < msg->record_count; i++) {
		struct replay_job *job = track_find(w->track, msg->job_array[i].job_id);

		if (!job)
			continue;
		w->seen[job - track_job(w->track, 0)] = w->looks;
		if (job->fate == FATE_WAITING || job->fate == FATE_RUNNING ||
		    job->fate == FATE_LOST)
			take_record(w, job, &msg->job_array[i]);
	}
	find_lost(w);
	w->last_update = msg->last_update;
	slurm_free_job_info_msg(msg);
	cost = clock_now() - begin;
	w->cost = w->looks == 1 ? cost : 0.8 * w->cost + 0.2 * cost;
	return true;
}

double watch_interval(const struct watch *w)
{
	/* Looking takes a twentieth of the time at most... */
	double interval = 20 * w->cost > 5 ? 20 * w->cost : 5;

	/* ...unless ends would be missed: twice in the life of an ended record. */
	if (w->min_job_age > 0 && interval > (double)w->min_job_age / 3)
		interval = (double)w->min_job_age / 3;
	return interval;
}

bool watch_by_name(struct watch *w, const char *name, uint32_t *id)
{
	job_info_msg_t *msg;

	*id = 0;
	w->last_update = 0; /* all records, changed or not */
	if (load(w, &msg))
		return false;
	for (uint32_t i = 0; i < msg->record_count && !*id; i++)
		if (msg->job_array[i].name && !strcmp(msg->job_array[i].name, name))
			*id = msg->job_array[i].job_id;
	slurm_free_job_info_msg(msg);
	return true;
}

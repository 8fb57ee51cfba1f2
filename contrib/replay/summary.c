/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary.c: see summary.h.
 */
#include <math.h>
#include <string.h>

#include "contrib/replay/summary.h"

/* Seconds that it ran, of those between its start and its end. */
static int64_t ran(const struct replay_job *job, enum job_work does)
{
	return does == WORK_SLEEP || job->ending != END_COMPLETED ? job->end - job->start
								  : job->runtime;
}

static void means_add(struct means *m, const struct replay_job *job, enum job_work does)
{
	double run = (double)ran(job, does);
	double response = (double)(job->end - job->submitted);
	double bounded = response / (run > 10 ? run : 10);

	/* Slurm records whole seconds: a job of less than one is one of a second. */
	if (run < 1)
		run = 1;
	m->jobs++;
	m->wait += (double)(job->start - job->submitted);
	m->response += response;
	m->slowdown += response / run;
	if (response / run > m->highest)
		m->highest = response / run;
	m->bounded += bounded > 1 ? bounded : 1;
}

static void means_close(struct means *m)
{
	double n = m->jobs > 0 ? (double)m->jobs : NAN;

	m->wait /= n;
	m->response /= n;
	m->slowdown /= n;
	m->bounded /= n;
}

static void count_fate(const struct replay_job *job, struct summary *s)
{
	switch (job->fate) {
	case FATE_REFUSED:
		s->refused++;
		break;
	case FATE_FAILED:
		s->failed++;
		break;
	case FATE_LOST:
		s->lost++;
		break;
	case FATE_WAITING:
	case FATE_RUNNING:
		s->open++;
		break;
	default:
		break;
	}
}

static void count_end(const struct replay_job *job, struct summary *s)
{
	int64_t over = job->end - job->start - job->runtime;

	if (job->ending == END_COMPLETED) {
		s->completed++;
		s->over_mean += (double)over;
		if (over > s->over_max)
			s->over_max = over;
	} else if (job->ending == END_TIMEOUT) {
		s->killed++;
	} else if (job->ending == END_CANCELLED) {
		s->cancelled++;
	} else {
		s->other_end++;
	}
}

static void count_promise(const struct replay_job *job, struct summary *s)
{
	enum verdict v = job_verdict(job);

	if (job->deadline == 0)
		return;
	s->with_deadline++;
	if (job->fate == FATE_REFUSED || job->fate == FATE_FAILED)
		return;
	s->accepted_deadline++;
	s->observed += job->observed;
	s->expected += job->expected;
	s->expected_met += job->expected && job->fate == FATE_ENDED &&
			   job->ending == END_COMPLETED && job->end <= job->deadline;
	s->tokens += job->token;
	s->kept += v == VERDICT_KEPT;
	s->kept_killed += v == VERDICT_KEPT && job->ending == END_TIMEOUT;
	s->broken += v == VERDICT_BROKEN;
	s->told += v == VERDICT_BROKEN && job->told;
	s->withdrawn += v == VERDICT_WITHDRAWN;
}

static void add_job(const struct replay_job *job, enum job_work does, struct summary *s)
{
	s->submitted++;
	s->lag_mean += (double)job->lag;
	s->late += job->lag > SUMMARY_LATE;
	if (job->lag > s->lag_max)
		s->lag_max = job->lag;
	count_fate(job, s);
	count_promise(job, s);
	if (job->fate != FATE_ENDED)
		return;
	count_end(job, s);
	if (job->ending == END_CANCELLED || job->start == 0)
		return;
	means_add(&s->all, job, does);
	if (job->deadline == 0)
		means_add(&s->plain, job, does);
}

void summarize(const struct track *t, int32_t nodes, enum job_work does, struct summary *s)
{
	int64_t first = 0, last = 0;
	double busy = 0, work = 0, refused_work = 0;

	memset(s, 0, sizeof(*s));
	for (size_t i = 0; i < track_size(t); i++) {
		const struct replay_job *job = track_peek(t, i);
		double node_seconds = (double)job->width * (double)job->runtime;

		if (job->fate == FATE_FUTURE)
			continue;
		add_job(job, does, s);
		if (first == 0)
			first = job->submitted;
		if (job->deadline > 0)
			work += node_seconds;
		if (job->deadline > 0 && job->fate == FATE_REFUSED)
			refused_work += node_seconds;
		if (job->fate == FATE_ENDED && job->end > last)
			last = job->end;
		if (job->fate == FATE_ENDED && job->start > 0)
			busy += (double)job->width * (double)ran(job, does);
	}
	s->accepted = s->submitted - s->refused - s->failed;
	s->makespan = last > first ? last - first : 0;
	s->utilization = s->makespan > 0 ? busy / ((double)nodes * (double)s->makespan) : NAN;
	s->refused_pct =
		s->with_deadline ? 100.0 * (double)s->refused / (double)s->with_deadline : NAN;
	s->refused_work_pct = work > 0 ? 100 * refused_work / work : NAN;
	s->lag_mean = s->submitted ? s->lag_mean / (double)s->submitted : 0;
	s->over_mean = s->completed ? s->over_mean / (double)s->completed : NAN;
	means_close(&s->all);
	means_close(&s->plain);
}

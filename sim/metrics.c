/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics: see metrics.h. Sums are taken in job order in double precision, where 2^53 is exact and
 * the same operations give the same result on every machine.
 */
#include "sim/metrics.h"

#include <stdbool.h>
#include <stdlib.h>

#include "sim/change.h"

static bool ended(const struct sim_outcome *o)
{
	return o->state == SIM_COMPLETED || o->state == SIM_KILLED;
}

static bool ran(const struct sim_outcome *o)
{
	return o->start >= 0 && o->end >= 0;
}

/* What a mean adds for one job, and by what the job is weighted. */
typedef double (*measure)(const struct sim_job *j, const struct sim_outcome *o);

static double one(const struct sim_job *j, const struct sim_outcome *o)
{
	(void)j;
	(void)o;
	return 1;
}

static double width(const struct sim_job *j, const struct sim_outcome *o)
{
	(void)o;
	return j->width;
}

/* Weight of jobs without a deadline only. */
static double nondeadline(const struct sim_job *j, const struct sim_outcome *o)
{
	(void)o;
	return j->deadline ? 0 : 1;
}

static double wait(const struct sim_job *j, const struct sim_outcome *o)
{
	return (double)(o->start - j->submit);
}

static double response(const struct sim_job *j, const struct sim_outcome *o)
{
	return (double)(o->end - j->submit);
}

static double run(const struct sim_job *j, const struct sim_outcome *o)
{
	(void)j;
	return (double)(o->end - o->start);
}

static double slowdown(const struct sim_job *j, const struct sim_outcome *o)
{
	return response(j, o) / run(j, o);
}

static double at_least(double x, double least)
{
	return x < least ? least : x;
}

static double slowdown_bounded10(const struct sim_job *j, const struct sim_outcome *o)
{
	return at_least(response(j, o) / at_least(run(j, o), 10), 1);
}

static double slowdown_bounded60(const struct sim_job *j, const struct sim_outcome *o)
{
	return at_least(response(j, o), 60) / at_least(run(j, o), 60);
}

static double slowdown_bounded300(const struct sim_job *j, const struct sim_outcome *o)
{
	return at_least(response(j, o), 300) / at_least(run(j, o), 300);
}

static double mean(const struct metrics *m, measure what, measure weight)
{
	double sum = 0, weights = 0;

	for (size_t i = 0; i < m->w->count; i++) {
		const struct sim_job *j = &m->w->job[i];
		const struct sim_outcome *o = &m->out[i];

		if (!ended(o))
			continue;
		sum += weight(j, o) * what(j, o);
		weights += weight(j, o);
	}
	return weights > 0 ? sum / weights : 0;
}

uint64_t metric_count(const struct metrics *m, enum sim_state state)
{
	uint64_t n = 0;

	for (size_t i = 0; i < m->w->count; i++)
		n += m->out[i].state == state;
	return n;
}

uint64_t metric_with_deadline(const struct metrics *m)
{
	uint64_t n = 0;

	for (size_t i = 0; i < m->w->count; i++)
		n += m->w->job[i].deadline != 0;
	return n;
}

uint64_t metric_promises(const struct metrics *m)
{
	uint64_t n = 0;

	for (size_t i = 0; i < m->w->count; i++)
		n += m->out[i].promised;
	return n;
}

uint64_t metric_promises_broken(const struct metrics *m)
{
	uint64_t n = 0;

	for (size_t i = 0; i < m->w->count; i++) {
		const struct sim_outcome *o = &m->out[i];

		if (o->promised && o->state != SIM_CANCELLED)
			n += !ended(o) || o->end > m->w->job[i].deadline;
	}
	return n;
}

uint64_t metric_deadlines_met(const struct metrics *m)
{
	uint64_t n = 0;

	for (size_t i = 0; i < m->w->count; i++)
		n += m->w->job[i].deadline && ended(&m->out[i]) &&
		     m->out[i].end <= m->w->job[i].deadline;
	return n;
}

/* Refused per asked, each job weighing 1 or its area. */
static double unadmitted(const struct metrics *m, bool by_area)
{
	double refused = 0, asked = 0;

	for (size_t i = 0; i < m->w->count; i++) {
		const struct sim_job *j = &m->w->job[i];
		double weight = by_area ? (double)j->width * (double)j->runtime : 1;

		if (!j->deadline)
			continue;
		asked += weight;
		if (m->out[i].state == SIM_REFUSED)
			refused += weight;
	}
	return asked > 0 ? 100 * refused / asked : 0;
}

double metric_unadmitted_jobs_pct(const struct metrics *m)
{
	return unadmitted(m, false);
}

double metric_unadmitted_procsec_pct(const struct metrics *m)
{
	return unadmitted(m, true);
}

int64_t metric_makespan(const struct metrics *m)
{
	int64_t last = -1;

	for (size_t i = 0; i < m->w->count; i++)
		if (m->out[i].end > last)
			last = m->out[i].end;
	return last < 0 ? 0 : last - m->w->job[0].submit;
}

/* Nodes times seconds that the schedule had. */
static double capacity(const struct metrics *m)
{
	return (double)m->nodes * (double)metric_makespan(m);
}

double metric_utilization(const struct metrics *m)
{
	double used = 0, all = capacity(m);

	for (size_t i = 0; i < m->w->count; i++)
		if (ran(&m->out[i]))
			used += width(&m->w->job[i], &m->out[i]) * run(&m->w->job[i], &m->out[i]);
	return all > 0 ? used / all : 0;
}

/* Starts and ends; a start has the mark 1. */
static size_t list_changes(const struct metrics *m, struct change *change)
{
	size_t n = 0;

	for (size_t i = 0; i < m->w->count; i++) {
		int32_t used = m->w->job[i].width;
		const struct sim_outcome *o = &m->out[i];

		if (!ran(o))
			continue;
		change[n++] = (struct change){ .at = o->start, .used = used, .mark = 1 };
		change[n++] = (struct change){ .at = o->end, .used = -used };
	}
	change_sort(change, n, 2 * m->w->count);
	return n;
}

/* A walk through the schedule. */
struct walk {
	int64_t at, used, waiting;
	double lost;
};

static void walk_to(struct walk *k, const struct metrics *m, int64_t at)
{
	if (k->waiting > 0)
		k->lost += (double)(m->nodes - k->used) * (double)(at - k->at);
	k->at = at;
}

double metric_loss_of_capacity(const struct metrics *m)
{
	struct change *change = change_list(2 * m->w->count);
	struct walk walk = { 0 };
	double all = capacity(m);
	size_t n, next = 0; /* jobs are in the order of their submissions */

	if (!change)
		return -1;
	n = list_changes(m, change);
	for (size_t k = 0; k < n; k++) {
		for (; next < m->w->count && m->w->job[next].submit <= change[k].at; next++) {
			if (!ran(&m->out[next]))
				continue;
			walk_to(&walk, m, m->w->job[next].submit);
			walk.waiting++;
		}
		walk_to(&walk, m, change[k].at);
		walk.used += change[k].used;
		walk.waiting -= change[k].mark;
	}
	free(change);
	return all > 0 ? walk.lost / all : 0;
}

double metric_wait_mean(const struct metrics *m)
{
	return mean(m, wait, one);
}

double metric_response_mean(const struct metrics *m)
{
	return mean(m, response, one);
}

double metric_artww(const struct metrics *m)
{
	return mean(m, response, width);
}

double metric_slowdown_mean(const struct metrics *m)
{
	return mean(m, slowdown, one);
}

double metric_slowdown_bounded10_mean(const struct metrics *m)
{
	return mean(m, slowdown_bounded10, one);
}

double metric_sldww60(const struct metrics *m)
{
	return mean(m, slowdown_bounded60, width);
}

double metric_sldww300(const struct metrics *m)
{
	return mean(m, slowdown_bounded300, width);
}

double metric_nondeadline_response_mean(const struct metrics *m)
{
	return mean(m, response, nondeadline);
}

double metric_nondeadline_slowdown_mean(const struct metrics *m)
{
	return mean(m, slowdown, nondeadline);
}

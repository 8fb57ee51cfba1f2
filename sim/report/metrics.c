/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics: see metrics.h. Sums are taken in job order in double precision, where 2^53 is exact and
 * the same operations give the same result on every machine.
 */
#include "sim/report/metrics.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim/run/change.h"

/* Of one quantity, in job order; the squares by Welford's recurrence, which loses no digits to the mean. */
struct tally {
	double n, sum, mean, squares;
};

/* Of a group of jobs that ended. */
struct group {
	struct tally wait, slowdown; /* bounded by 10 s */
};

/* What is added up over the jobs. */
struct sums {
	double jobs, width; /* that ended */
	double response, slowdown;
	struct group all, small, large;
	double response_w, bounded60_w, bounded300_w; /* weighted by width */
	double plain, plain_response, plain_slowdown; /* of jobs without a deadline */
	double asked, refused;			      /* deadlines, */
	double asked_area, refused_area;	      /* and in width x runtime */
	double used;				      /* node seconds of all that ran */
	double met, met_slow; /* deadlines, and the slowdowns of these jobs */
	double told, missed;  /* chances to miss, in percent, and those that did */
	int64_t last;	      /* end */
};

bool metrics_ended(const struct sim_outcome *o)
{
	return o->state == SIM_COMPLETED || o->state == SIM_KILLED;
}

static bool ran(const struct sim_outcome *o)
{
	return o->start >= 0 && o->end >= 0;
}

static double at_least(double x, double least)
{
	return x < least ? least : x;
}

double metrics_bounded_slowdown(const struct sim_job *j, const struct sim_outcome *o, double bound)
{
	double run = (double)j->runtime;

	return at_least((double)(o->end - j->submit) / at_least(run, bound), 1);
}

static void tally_add(struct tally *t, double value)
{
	double off = value - t->mean;

	t->n += 1;
	t->sum += value;
	t->mean += off / t->n;
	t->squares += off * (value - t->mean);
}

static void add_to_group(struct group *g, const struct sim_job *j, const struct sim_outcome *o)
{
	tally_add(&g->wait, (double)(o->start - j->submit));
	tally_add(&g->slowdown, metrics_bounded_slowdown(j, o, 10));
}

static void add_ended(struct sums *s, const struct sim_job *j, const struct sim_outcome *o)
{
	double width = j->width, response = (double)(o->end - j->submit);
	double run = (double)j->runtime, slowdown = response / run;

	s->jobs += 1;
	s->width += width;
	s->response += response;
	s->slowdown += slowdown;
	add_to_group(&s->all, j, o);
	add_to_group(j->width <= METRICS_SMALL_WIDTH ? &s->small : &s->large, j, o);
	s->response_w += width * response;
	s->bounded60_w += width * (at_least(response, 60) / at_least(run, 60));
	s->bounded300_w += width * (at_least(response, 300) / at_least(run, 300));
	if (j->deadline)
		return;
	s->plain += 1;
	s->plain_response += response;
	s->plain_slowdown += slowdown;
}

/* Nodes that it had in this span. */
static int64_t held(const struct sim_span *x)
{
	return x->suspended ? 0 : x->width;
}

/*
 * Node seconds that it used, as far as it had nodes for itself: its work, if that was done; what was lost
 * on the way is no use.
 */
static double node_seconds(const struct sim_job *j, const struct sim_outcome *o)
{
	double sum = 0;

	if (o->shared)
		return 0;
	if (metrics_ended(o))
		return (double)j->width * (double)j->runtime;
	if (!o->history)
		return (double)j->width * (double)(o->end - o->start);
	for (size_t i = 0; i < o->history->n; i++) {
		const struct sim_span *x = &o->history->span[i];

		sum += (double)held(x) * (double)(x->to - x->from);
	}
	return sum;
}

/* Shares in parts of a node; as exact as its processors divide this. */
#define NODE_WHOLE INT64_C(720720)

__extension__ typedef __int128 int128;

static int64_t part_of_node(const struct metrics *m, const struct sim_share *e)
{
	int64_t has = m->node && m->node[e->node].processors ? m->node[e->node].processors : 1;
	int64_t takes = m->w->job[e->job].processors;

	return takes ? takes * NODE_WHOLE / has : NODE_WHOLE;
}

/* By how much more of a node is in use from then on, in parts of NODE_WHOLE x SHARE_WHOLE. */
static int128 more_of_node(const struct metrics *m, const struct sim_share *e)
{
	int64_t now = e->share == SIM_SHARE_NONE ? 0 : e->share;
	int64_t was = e->was == SIM_SHARE_NONE ? 0 : e->was;

	return (int128)(now - was) * part_of_node(m, e);
}

/* Node seconds of what was shared: of a node a job counts what it had of it. */
static double shared_seconds(const struct metrics *m)
{
	int128 sum = 0;

	for (size_t i = 0; m->shares && i < m->shares->n; i++)
		sum -= more_of_node(m, &m->shares->v[i]) *
		       (m->shares->v[i].at - m->shares->v[0].at);
	return (double)sum / ((double)SHARE_WHOLE * (double)NODE_WHOLE * SIM_SECOND);
}

static void add_deadline(struct sums *s, struct figures *f, const struct sim_job *j,
			 const struct sim_outcome *o)
{
	double area = (double)j->width * (double)j->runtime;
	bool refused = o->state == SIM_REFUSED;

	f->with_deadline++;
	if (metrics_ended(o) && o->end <= j->deadline) {
		f->deadlines_met++;
		s->met += 1;
		s->met_slow += (double)(o->end - j->submit) / (double)j->runtime;
	}
	s->asked += 1;
	s->asked_area += area;
	s->refused += refused;
	s->refused_area += refused ? area : 0;
}

static void add_job(struct sums *s, struct figures *f, const struct sim_job *j,
		    const struct sim_outcome *o)
{
	f->state[o->state]++;
	f->promises += o->promised;
	f->expected += o->expected;
	if (o->expected && o->chance) {
		f->by_chance++;
		s->told += o->chance / 1e4;
		s->missed += !metrics_ended(o) || o->end > j->deadline;
	}
	if (o->promised && o->state != SIM_CANCELLED)
		f->promises_broken += !metrics_ended(o) || o->end > j->deadline;
	if (j->deadline)
		add_deadline(s, f, j, o);
	if (metrics_ended(o))
		add_ended(s, j, o);
	if (ran(o))
		s->used += node_seconds(j, o);
	if (o->end > s->last)
		s->last = o->end;
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

/* Node seconds that were empty while a job waited. */
static double lost(const struct metrics *m, const struct change *change, size_t n)
{
	struct walk walk = { 0 };
	size_t next = 0; /* jobs are in the order of their submissions */

	for (size_t k = 0; k < n; k++) {
		for (; next < m->w->count && m->w->job[next].submit <= change[k].at; next++) {
			if (!ran(&m->out[next]))
				continue;
			walk_to(&walk, m, m->w->job[next].submit);
			walk.waiting++;
		}
		walk_to(&walk, m, change[k].at);
		walk.used += change[k].used;
		walk.waiting -= change[k].used >= 0;
	}
	return walk.lost;
}

/* What changes at one instant, where jobs share nodes or have not always the same. */
struct step {
	double at, used; /* seconds, nodes */
	int waiting;
};

static int by_time(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

static size_t add_steps(struct step *v, size_t n, const struct sim_job *j,
			const struct sim_outcome *o)
{
	bool whole = !o->history && !o->shared;

	v[n++] = (struct step){ (double)j->submit, 0, 1 };
	v[n++] = (struct step){ (double)o->start, whole ? j->width : 0, -1 };
	if (whole)
		v[n++] = (struct step){ (double)o->end, -j->width, 0 };
	for (size_t i = 0; o->history && i < o->history->n; i++) {
		const struct sim_span *x = &o->history->span[i];

		v[n++] = (struct step){ (double)x->from, (double)held(x), 0 };
		v[n++] = (struct step){ (double)x->to, -(double)held(x), 0 };
	}
	return n;
}

static size_t add_shares(struct step *v, size_t n, const struct metrics *m)
{
	for (size_t i = 0; m->shares && i < m->shares->n; i++)
		v[n++] = (struct step){ (double)m->shares->v[i].at / SIM_SECOND,
					(double)more_of_node(m, &m->shares->v[i]) /
						((double)SHARE_WHOLE * (double)NODE_WHOLE),
					0 };
	return n;
}

/* Where jobs start as they come, nothing is lost, and there is no need to add anything up. */
static bool none_waited(const struct metrics *m)
{
	for (size_t i = 0; i < m->w->count; i++)
		if (ran(&m->out[i]) && m->out[i].start > m->w->job[i].submit)
			return false;
	return true;
}

/* As lost(), of what no job has of any node. -1: no memory. */
static double lost_in_parts(const struct metrics *m)
{
	size_t room = m->shares ? m->shares->n : 0, n = 0;
	struct step now = { 0 }, *v;
	double sum = 0;

	if (none_waited(m))
		return 0;
	for (size_t i = 0; i < m->w->count; i++)
		room += 3 + (m->out[i].history ? 2 * m->out[i].history->n : 0);
	v = malloc((room + 1) * sizeof(*v));
	if (!v)
		return -1;
	for (size_t i = 0; i < m->w->count; i++) {
		if (ran(&m->out[i]))
			n = add_steps(v, n, &m->w->job[i], &m->out[i]);
	}
	n = add_shares(v, n, m);
	qsort(v, n, sizeof(*v), by_time);
	for (size_t i = 0; i < n; i++) {
		if (now.waiting > 0 && now.used < (double)m->nodes)
			sum += ((double)m->nodes - now.used) * (v[i].at - now.at);
		now = (struct step){ v[i].at, now.used + v[i].used, now.waiting + v[i].waiting };
	}
	free(v);
	return sum;
}

static bool in_parts(const struct metrics *m)
{
	for (size_t i = 0; i < m->w->count; i++) {
		if (m->out[i].history || m->out[i].shared)
			return true;
	}
	return false;
}

static double loss_of_capacity(const struct metrics *m, double capacity)
{
	size_t n = m->changes;
	struct change *own = m->change ? NULL : change_schedule(m->w, m->out, &n);
	double loss = 0, seconds;

	if (!m->change && !own)
		return -1;
	seconds = in_parts(m) ? lost_in_parts(m) : lost(m, own ? own : m->change, n);
	if (seconds < 0)
		loss = -1;
	else if (capacity > 0)
		loss = seconds / capacity;
	free(own);
	return loss;
}

static double over(double sum, double weights)
{
	return weights > 0 ? sum / weights : 0;
}

static struct spread spread_of(const struct group *g)
{
	const struct tally *wait = &g->wait, *slowdown = &g->slowdown;

	return (struct spread){
		.jobs = (uint64_t)wait->n,
		.wait_mean = over(wait->sum, wait->n),
		.wait_sd = sqrt(over(wait->squares, wait->n)),
		.slowdown_mean = over(slowdown->sum, slowdown->n),
		.slowdown_sd = sqrt(over(slowdown->squares, slowdown->n)),
	};
}

void metrics_figures(const struct metrics *m, struct figures *f)
{
	struct sums s = { .last = -1 };
	double capacity;

	memset(f, 0, sizeof(*f));
	for (size_t i = 0; i < m->w->count; i++)
		add_job(&s, f, &m->w->job[i], &m->out[i]);
	s.used += shared_seconds(m);
	f->makespan = s.last < 0 ? 0 : s.last - m->w->job[0].submit;
	capacity = (double)m->nodes * (double)f->makespan;
	f->unadmitted_jobs_pct = over(100 * s.refused, s.asked);
	f->unadmitted_procsec_pct = over(100 * s.refused_area, s.asked_area);
	f->deadlines_met_pct = over(100 * s.met, (double)m->w->count);
	f->met_slowdown_mean = over(s.met_slow, s.met);
	f->chance_told_pct = over(s.told, (double)f->by_chance);
	f->chance_missed_pct = over(100 * s.missed, (double)f->by_chance);
	f->utilization = over(s.used, capacity);
	f->loss_of_capacity = loss_of_capacity(m, capacity);
	f->all = spread_of(&s.all);
	f->small = spread_of(&s.small);
	f->large = spread_of(&s.large);
	f->wait_mean = f->all.wait_mean;
	f->response_mean = over(s.response, s.jobs);
	f->artww = over(s.response_w, s.width);
	f->slowdown_mean = over(s.slowdown, s.jobs);
	f->slowdown_bounded10_mean = f->all.slowdown_mean;
	f->sldww60 = over(s.bounded60_w, s.width);
	f->sldww300 = over(s.bounded300_w, s.width);
	f->nondeadline_response_mean = over(s.plain_response, s.plain);
	f->nondeadline_slowdown_mean = over(s.plain_slowdown, s.plain);
}

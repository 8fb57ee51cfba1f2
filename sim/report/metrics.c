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

#include "core/kernel/payoff.h"
#include "sim/report/held.h"
#include "sim/report/loss.h"

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
	double met, met_slow;		/* deadlines, and the slowdowns of these jobs */
	double told, missed;		/* chances to miss, in percent, and those that did */
	double ranged, ranged_response; /* of jobs that have a range, and ended */
	double payoffs, values;		/* in millionths */
	int64_t last;			/* end */
};

bool metrics_ended(const struct sim_outcome *o)
{
	return o->state == SIM_COMPLETED || o->state == SIM_KILLED;
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

/*
 * Node seconds that it used, as far as it had nodes for itself: its work, if that was done; what was lost
 * on the way is no use. Of a job with a range, or that has to be launched, all that it had: that is what malleable,
 * chapter 4, counts.
 */
static double node_seconds(const struct sim_job *j, const struct sim_outcome *o)
{
	double sum = 0;

	if (o->shared)
		return 0;
	if (metrics_ended(o) && !((j->most || j->launch.start) && o->history))
		return (double)j->width * (double)j->runtime;
	if (!o->history)
		return (double)j->width * (double)(o->end - o->start);
	for (size_t i = 0; i < o->history->n; i++) {
		const struct sim_span *x = &o->history->span[i];

		sum += (double)held_nodes(x) * (double)(x->to - x->from);
	}
	return sum;
}

/* Node seconds of what was shared: of a node a job counts what it had of it. */
static double shared_seconds(const struct metrics *m)
{
	held_parts sum = 0;

	for (size_t i = 0; m->shares && i < m->shares->n; i++)
		sum -= held_more(m, &m->shares->v[i]) * (m->shares->v[i].at - m->shares->v[0].at);
	return held_seconds(sum);
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

static uint64_t count_resizes(const struct sim_history *h)
{
	uint64_t n = 0;

	for (size_t k = 1; h && k < h->n; k++)
		n += h->span[k].width != h->span[k - 1].width;
	return n;
}

static void add_value(struct sums *s, const struct sim_job *j, const struct sim_outcome *o)
{
	const struct payoff payoff = { j->value, j->submit, j->deadline };

	s->values += (double)j->value;
	if (j->deadline && o->state == SIM_COMPLETED)
		s->payoffs += (double)payoff_at(&payoff, o->end);
}

static void add_range(struct sums *s, struct worth *x, const struct sim_job *j,
		      const struct sim_outcome *o)
{
	x->ranges++;
	x->resizes += count_resizes(o->history);
	if (!metrics_ended(o))
		return;
	s->ranged += 1;
	s->ranged_response += (double)(o->end - j->submit);
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
	if (j->value) {
		f->worth.valued++;
		add_value(s, j, o);
	}
	if (j->most)
		add_range(s, &f->worth, j, o);
	if (metrics_ended(o))
		add_ended(s, j, o);
	if (held_ran(o))
		s->used += node_seconds(j, o);
	if (o->end > s->last)
		s->last = o->end;
}

/* Of a job that may be suspended: what its turns cost. */
static void add_turns(struct turns *t, const struct metrics *m, const struct sim_job *j,
		      const struct sim_outcome *o)
{
	const struct sim_history *h = o->history;

	t->switches += !h;
	for (size_t k = 0; h && k < h->n; k++) {
		const struct sim_span *x = &h->span[k];
		int64_t lost = x->lost;

		if (sim_span_begins(h, k)) {
			t->switches++;
			lost -= sim_span_switch_loss(m->slices, x);
		}
		t->switching_s += (x->lost - lost) * j->width;
		t->migrating_s += lost * j->width;
		if (sim_span_moves(h, k)) {
			t->migrations++;
			t->tasks += (uint64_t)j->width;
		}
	}
}

static double over(double sum, double weights)
{
	return weights > 0 ? sum / weights : 0;
}

static double loss_of_capacity(const struct metrics *m, double capacity)
{
	double seconds = loss_node_seconds(m);

	return seconds < 0 ? -1 : over(seconds, capacity);
}

static void measure_turns(const struct metrics *m, struct figures *f, double capacity)
{
	struct turns *t = &f->turns;

	if (!m->slices)
		return;
	for (size_t i = 0; i < m->w->count; i++) {
		if (held_ran(&m->out[i]))
			add_turns(t, m, &m->w->job[i], &m->out[i]);
	}
	t->switch_loss_s = m->slices->switch_loss;
	t->switching = over((double)t->switching_s, capacity);
	t->migrating = over((double)t->migrating_s, capacity);
}

static void measure_worth(struct figures *f, const struct sums *s, size_t jobs)
{
	struct worth *x = &f->worth;

	x->accepted = jobs - f->state[SIM_REFUSED];
	x->profit = s->payoffs / 1e6;
	x->possible = s->values / 1e6;
	x->response_submitted = over(s->response, (double)jobs);
	x->range_response = over(s->ranged_response, s->ranged);
	x->rigid_response = over(s->response - s->ranged_response, s->jobs - s->ranged);
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
	measure_turns(m, f, capacity);
	measure_worth(f, &s, m->w->count);
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

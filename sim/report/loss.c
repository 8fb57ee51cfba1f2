/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loss: see loss.h. Where no job is suspended and no node shared, one walk over starts and ends does it. Else the
 * stretches of time in which a job waited are found first; then what jobs had in these is taken from all that the
 * nodes would have given.
 */
#include "sim/report/loss.h"

#include <stdlib.h>

#include "sim/report/held.h"
#include "sim/run/change.h"
#include "sim/run/slices.h"

/* ---- whole nodes from start to end: equation 2 ---- */

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

/* Such jobs start at events. */
static double walk_whole(const struct metrics *m, const struct change *change, size_t n)
{
	struct walk walk = { 0 };
	size_t next = 0; /* jobs are in the order of their submissions */

	for (size_t k = 0; k < n; k++) {
		for (; next < m->w->count && m->w->job[next].submit <= change[k].at; next++) {
			if (!held_ran(&m->out[next]))
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

static double lost_whole(const struct metrics *m)
{
	size_t n = m->changes;
	struct change *own = m->change ? NULL : change_schedule(m->w, m->out, &n);
	double lost = -1;

	if (m->change || own)
		lost = walk_whole(m, own ? own : m->change, n);
	free(own);
	return lost;
}

/* ---- when jobs wait ---- */

/* A stretch of time at which at least one job waits, and how much there was of such before. */
struct stretch {
	int64_t from, to, before;
};

struct waits {
	struct stretch *v;
	size_t n;
};

/*
 * Is a start an event? Not where what runs is changed without one: a job is placed at an arrival or an end, and
 * starts when its row has its turn.
 */
static bool starts_are_events(const struct metrics *m)
{
	return !m->slices || m->slices->discrete;
}

/* What counts at an instant: so many jobs more wait (used), and whether that is an event (mark). */
static size_t list_marks(const struct metrics *m, struct change *v, size_t room)
{
	size_t n = 0;

	for (size_t i = 0; i < m->w->count; i++) {
		const struct sim_outcome *o = &m->out[i];
		bool ran = held_ran(o);

		v[n++] = (struct change){ m->w->job[i].submit, ran, true };
		if (!ran)
			continue;
		v[n++] = (struct change){ o->start, -1, starts_are_events(m) };
		v[n++] = (struct change){ o->end, 0, true };
	}
	change_sort(v, n, room);
	return n;
}

/* From then on a job waits, or none does. */
static void note(struct waits *w, int64_t at, bool wait)
{
	struct stretch *last = w->n ? &w->v[w->n - 1] : NULL;
	bool open = last && last->to == INT64_MAX;

	if (wait == open)
		return;
	if (open)
		last->to = at;
	else
		w->v[w->n++] = (struct stretch){ at, INT64_MAX,
						 last ? last->before + last->to - last->from : 0 };
}

/* What starts before the next event has not waited in the queue since the last one. */
static void walk_marks(struct waits *w, const struct change *v, size_t n)
{
	int64_t waiting = 0, last = 0;

	for (size_t i = 0; i < n;) {
		int64_t at = v[i].at, more = 0;
		bool event = false;

		for (; i < n && v[i].at == at; i++) {
			event |= v[i].mark;
			more += v[i].used;
		}
		if (event) {
			note(w, last, waiting > 0);
			last = at;
		}
		waiting += more;
	}
	note(w, last, false); /* all that ran have started */
}

/* False: no memory. */
static bool find_waits(const struct metrics *m, struct waits *w)
{
	struct change *v = change_list(3 * m->w->count);
	size_t n = v ? list_marks(m, v, 3 * m->w->count) : 0;

	*w = (struct waits){ .v = v ? malloc((n + 1) * sizeof(*w->v)) : NULL };
	if (w->v)
		walk_marks(w, v, n);
	free(v);
	return w->v;
}

/* The last stretch that begins by then; NULL: none does. */
static const struct stretch *find_stretch(const struct waits *w, int64_t at)
{
	size_t n = sim_count_by(w->v, w->n, sizeof(*w->v), at);

	return n ? &w->v[n - 1] : NULL;
}

/* For how many microseconds jobs waited until then; the stretch is the last one by then. */
static int64_t waited_in(const struct stretch *s, int64_t seconds, int64_t microseconds)
{
	if (!s)
		return 0;
	if (seconds >= s->to)
		return (s->before + s->to - s->from) * SIM_SECOND;
	return (s->before + seconds - s->from) * SIM_SECOND + microseconds;
}

static int64_t waited_by(const struct waits *w, int64_t seconds, int64_t microseconds)
{
	return waited_in(find_stretch(w, seconds), seconds, microseconds);
}

/* `s` is the last one by `from`: what begins in a stretch mostly ends in it, too. */
static int64_t waited(const struct waits *w, const struct stretch *s, int64_t from, int64_t to)
{
	if (s && to <= s->to)
		return to - from;
	return (waited_by(w, to, 0) - waited_in(s, from, 0)) / SIM_SECOND;
}

/* ---- in stretches: equation 3 ---- */

/* Less than nothing: it had nodes. */
static int64_t lost_by_span(const struct metrics *m, const struct waits *w,
			    const struct sim_history *h, size_t k)
{
	const struct sim_span *x = &h->span[k];
	int64_t nodes = held_nodes(x), lost;
	const struct stretch *s;

	if (!nodes)
		return 0;
	s = find_stretch(w, x->from);
	lost = -nodes * waited(w, s, x->from, x->to);
	if (m->slices && sim_span_begins(h, k) && s && x->from < s->to)
		lost += sim_span_switch_loss(m->slices, x) * x->width;
	return lost;
}

static int64_t lost_by_job(const struct metrics *m, const struct waits *w, size_t job)
{
	const struct sim_outcome *o = &m->out[job];
	int64_t lost = 0;

	if (!held_ran(o) || o->shared)
		return 0;
	if (!o->history)
		return -m->w->job[job].width *
		       waited(w, find_stretch(w, o->start), o->start, o->end);
	for (size_t k = 0; k < o->history->n; k++)
		lost += lost_by_span(m, w, o->history, k);
	return lost;
}

/* What was shared while jobs waited. */
static double shared_seconds(const struct metrics *m, const struct waits *w)
{
	const struct stretch *last = w->n ? &w->v[w->n - 1] : NULL;
	int64_t all = last ? (last->before + last->to - last->from) * SIM_SECOND : 0;
	held_parts sum = 0;

	for (size_t i = 0; m->shares && i < m->shares->n; i++) {
		const struct sim_share *e = &m->shares->v[i];

		sum += held_more(m, e) *
		       (all - waited_by(w, e->at / SIM_SECOND, e->at % SIM_SECOND));
	}
	return held_seconds(sum);
}

static double lost_in_stretches(const struct metrics *m)
{
	struct waits w;
	int64_t lost = 0;
	double seconds = -1;

	if (find_waits(m, &w)) {
		for (size_t i = 0; i < w.n; i++)
			lost += m->nodes * (w.v[i].to - w.v[i].from);
		for (size_t i = 0; i < m->w->count && w.n; i++)
			lost += lost_by_job(m, &w, i);
		seconds = (double)lost - shared_seconds(m, &w);
	}
	free(w.v);
	return seconds;
}

static bool in_stretches(const struct metrics *m)
{
	for (size_t i = 0; i < m->w->count; i++) {
		if (m->out[i].history || m->out[i].shared)
			return true;
	}
	return m->slices;
}

double loss_node_seconds(const struct metrics *m)
{
	return in_stretches(m) ? lost_in_stretches(m) : lost_whole(m);
}

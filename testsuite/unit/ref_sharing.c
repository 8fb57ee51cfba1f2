/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ref_sharing: see ref_sharing.h. */
#include "testsuite/unit/ref_sharing.h"

#include <math.h>
#include <string.h>

#include "core/base/limits.h"

#define NEVER 1e30L
#define EQUAL 1e-12L /* less apart: the same */
#define DOUBT 1e-6L  /* less apart: not to be told from the same by what rounds */

/* A job's part on a node. */
struct part {
	bool here;
	bool just;	       /* its estimate has just been done */
	long double left;      /* of the estimate, at full speed of the node */
	long double left_true; /* of the runtime */
	long double deadline;
	long double share;
	int processors;
};

struct world {
	const struct ref_sharing *c;
	struct ref_sharer *job;
	size_t n;
	struct part part[REF_NODES][REF_JOBS];
	bool waits[REF_JOBS];
	/* what came to one of these or left it did not do so on the other */
	bool apart[REF_NODES][REF_NODES];
	long double now;
	bool doubt;
};

/* Is a above b? Less than EQUAL apart, they are the same. */
static bool above(struct world *w, long double a, long double b)
{
	long double apart = fabsl(a - b) / (1 + fabsl(b));

	if (apart > EQUAL && apart < DOUBT)
		w->doubt = true;
	return apart > EQUAL && a > b;
}

/* Equation 1. */
static long double share_of(const struct part *p, long double now)
{
	long double time = p->deadline - now;

	return !p->here || p->left <= 1e-9L || time <= 1e-9L ? 0 : p->left / time;
}

/*
 * Is a part's claim not known to the last digit where shares are whole numbers? Then it is rounded up, and what fits
 * exactly may not.
 */
static bool is_rounded(const struct part *p, long double whole, long double now)
{
	long double parts = share_of(p, now) * SHARE_WHOLE;

	return p->here && (p->left != whole || fabsl(parts - roundl(parts)) > 1e-4L);
}

/* ---- shares ---- */

/* The nearest deadline first; of equal ones the one that came first. */
static void share_nearest(const struct part *p, size_t n, long double room, long double now,
			  long double *share)
{
	bool had[REF_JOBS] = { false };

	for (;;) {
		size_t next = n;

		for (size_t i = 0; i < n; i++) {
			if (!had[i] && share_of(&p[i], now) > 0 &&
			    (next == n || p[i].deadline < p[next].deadline))
				next = i;
		}
		if (next == n)
			return;
		had[next] = true;
		share[next] = fminl(1, room / p[next].processors);
		room -= share[next] * p[next].processors;
	}
}

/* Shares by equation 1, scaled so that all is given out, no part above a whole; or only as much as is claimed. */
static void share_claims(const struct part *p, size_t n, long double room, long double now,
			 bool idle, long double *share)
{
	long double low = 0, high = 1e12L;

	/* the scale by which the sum, each part cut at a whole, is what there is */
	for (int step = 0; step < 200; step++) {
		long double scale = (low + high) / 2, sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += fminl(1, scale * share_of(&p[i], now)) * p[i].processors;
		if (sum > room)
			high = scale;
		else
			low = scale;
	}
	if (idle && low > 1)
		low = 1;
	for (size_t i = 0; i < n; i++)
		share[i] = fminl(1, low * share_of(&p[i], now));
}

static void find_shares(const struct ref_sharing *c, int node, const struct part *p, size_t n,
			long double now, long double *share)
{
	long double room = c->processors[node], left = room;
	int others = 0;

	for (size_t i = 0; i < n; i++)
		share[i] = 0;
	if (c->kind == REF_DEMAND)
		share_nearest(p, n, room, now, share);
	else
		share_claims(p, n, room, now, c->idle, share);
	for (size_t i = 0; i < n; i++) {
		left -= share[i] * p[i].processors;
		if (p[i].here && share_of(&p[i], now) <= 0)
			others += p[i].processors;
	}
	for (size_t i = 0; i < n; i++) {
		if (p[i].here && share_of(&p[i], now) <= 0)
			share[i] = fmaxl(0, fminl(1, left / others));
	}
}

/* ---- shares in step ---- */

/* Paces that rise together, each in proportion to its weight, until a node is full or a part has a whole. */
struct filling {
	long double room[REF_NODES];
	long double weight[REF_JOBS], pace[REF_JOBS];
	bool open[REF_JOBS];
};

static int taken_by(const struct world *w, int node, size_t i)
{
	return w->part[node][i].here ? w->part[node][i].processors : 0;
}

/* How far they can rise before that node is full. */
static long double level_of(const struct world *w, const struct filling *f, int node)
{
	long double sum = 0;

	for (size_t i = 0; i < w->n; i++)
		sum += f->open[i] ? f->weight[i] / w->c->rating[node] * taken_by(w, node, i) : 0;
	return sum > 0 ? f->room[node] / sum : NEVER;
}

/* How far the job's own can, before its slowest node gives it all of its own processors. */
static long double whole_level(const struct world *w, const struct filling *f, size_t i)
{
	long double level = NEVER;

	for (int node = 0; node < w->c->nodes && f->open[i]; node++) {
		if (w->part[node][i].here)
			level = fminl(level, w->c->rating[node] / f->weight[i]);
	}
	return level;
}

static void stop_job(const struct world *w, struct filling *f, size_t i, long double level)
{
	f->open[i] = false;
	f->pace[i] = f->weight[i] * level;
	for (int node = 0; node < w->c->nodes; node++)
		f->room[node] = fmaxl(0, f->room[node] - f->pace[i] / w->c->rating[node] *
								 taken_by(w, node, i));
}

static void fill(const struct world *w, struct filling *f, long double most)
{
	for (;;) {
		long double level = NEVER;
		int full = -1;
		size_t whole = w->n;

		for (int node = 0; node < w->c->nodes; node++) {
			if (level_of(w, f, node) < level) {
				level = level_of(w, f, node);
				full = node;
			}
		}
		for (size_t i = 0; i < w->n; i++) {
			if (whole_level(w, f, i) <= level) {
				level = whole_level(w, f, i);
				whole = i;
			}
		}
		if (level >= NEVER)
			return;
		for (size_t i = 0; i < w->n; i++) {
			if (f->open[i] && (most <= level || i == whole ||
					   (whole == w->n && w->part[full][i].here)))
				stop_job(w, f, i, fminl(most, level));
		}
	}
}

/* The pace that a job claims, 0 as share_of(); < 0: it is not there. */
static long double claimed_pace(const struct world *w, size_t i)
{
	for (int node = 0; node < w->c->nodes; node++) {
		if (w->part[node][i].here)
			return share_of(&w->part[node][i], w->now) * w->c->rating[node];
	}
	return -1;
}

static void share_in_step(struct world *w)
{
	struct filling f = { 0 };

	for (int node = 0; node < w->c->nodes; node++)
		f.room[node] = w->c->processors[node];
	for (size_t i = 0; i < w->n; i++) {
		f.weight[i] = claimed_pace(w, i);
		f.open[i] = f.weight[i] > 0;
	}
	fill(w, &f, w->c->idle ? 1 : NEVER);
	for (size_t i = 0; i < w->n; i++) {
		f.open[i] = claimed_pace(w, i) == 0;
		f.weight[i] = f.open[i] ? 1 : f.weight[i];
	}
	fill(w, &f, NEVER);
	for (int node = 0; node < w->c->nodes; node++) {
		for (size_t i = 0; i < w->n; i++) {
			struct part *p = &w->part[node][i];

			p->share = p->here ? f.pace[i] / w->c->rating[node] : 0;
			w->doubt |= p->share > 0 && p->share < 2e-4L;
		}
	}
}

static void share_out(struct world *w, int node)
{
	long double share[REF_JOBS];

	if (w->c->in_step) {
		share_in_step(w);
		return;
	}
	if (w->c->kind == REF_EDF) {
		for (size_t i = 0; i < w->n; i++)
			w->part[node][i].share = 1;
		return;
	}
	find_shares(w->c, node, w->part[node], w->n, w->now, share);
	for (size_t i = 0; i < w->n; i++) {
		w->part[node][i].share = share[i];
		/* the microsecond to which work is rounded is long at such a share */
		w->doubt |= share[i] > 0 && share[i] < 2e-4L;
	}
}

/* ---- predicted ends, and the risk of them ---- */

static void predict(const struct world *w, int node, const struct part *from, long double *end)
{
	struct part p[REF_JOBS];
	long double share[REF_JOBS], now = w->now;
	size_t open = 0;

	memcpy(p, from, sizeof(p));
	for (size_t i = 0; i < w->n; i++) {
		end[i] = NEVER;
		open += p[i].here;
	}
	while (open) {
		long double step = NEVER;

		for (size_t i = 0; i < w->n; i++) {
			if (p[i].here && p[i].left <= 1e-9L) {
				end[i] = now;
				p[i].here = false;
				open--;
			}
		}
		find_shares(w->c, node, p, w->n, now, share);
		for (size_t i = 0; i < w->n; i++) {
			if (p[i].here && share[i] > 1e-15L)
				step = fminl(step, p[i].left / share[i]);
		}
		if (step >= NEVER)
			return;
		for (size_t i = 0; i < w->n; i++) {
			if (p[i].here)
				p[i].left -= share[i] * step;
		}
		now += step;
	}
}

/*
 * Equations 3 to 6: is the standard deviation 0, that is, are all deadline delays the same? Jobs that are due at one
 * time are late alike whatever they have done; that others come out even hangs on the last digit of what they have.
 */
static bool no_risk(struct world *w, int node, const struct part *p)
{
	long double end[REF_JOBS], least = NEVER, most = 0, first = NEVER, last = 0;

	predict(w, node, p, end);
	for (size_t i = 0; i < w->n; i++) {
		long double delay, time = p[i].deadline - w->now;

		if (!p[i].here)
			continue;
		if (time <= 0)
			return false; /* infinite */
		delay = end[i] - p[i].deadline;
		delay = delay > 0 ? delay : 0;
		least = fminl(least, (delay + time) / time);
		most = fmaxl(most, (delay + time) / time);
		first = fminl(first, p[i].deadline);
		last = fmaxl(last, p[i].deadline);
	}
	w->doubt |= first < last && least > 1 && (most - least) / (1 + least) < DOUBT;
	return !above(w, most, least);
}

/* On one processor the sums say it. */
static bool demand_met_on_one(struct world *w, const struct part *p)
{
	for (size_t k = 0; k < w->n; k++) {
		long double due = 0;

		if (!p[k].here || share_of(&p[k], w->now) <= 0)
			continue;
		for (size_t i = 0; i < w->n; i++) {
			if (share_of(&p[i], w->now) > 0 && p[i].deadline <= p[k].deadline)
				due += fminl(p[i].left, p[i].deadline - w->now);
		}
		if (above(w, due, p[k].deadline - w->now))
			return false;
	}
	return true;
}

/* The time until the first part is done; NEVER: none does anything. */
static long double first_done(const struct world *w, const struct part *p, const long double *share)
{
	long double step = NEVER;

	for (size_t i = 0; i < w->n; i++) {
		if (p[i].here && share[i] > 0)
			step = fminl(step, p[i].left / share[i]);
	}
	return step;
}

/*
 * Is one that is not done past its deadline by then? What is late by its estimate, and so was cut at its deadline,
 * comes out even if it is never without a whole share; else what is as near as that may be tipped by rounding.
 */
static bool is_past(struct world *w, const struct part *p, const bool *even, long double by)
{
	bool past = false;

	for (size_t i = 0; i < w->n; i++) {
		long double over = by - p[i].deadline;

		if (!p[i].here || (even[i] && fabsl(over) < DOUBT))
			continue;
		w->doubt |= fabsl(over) < 1e-5L;
		past |= over > 0;
	}
	return past;
}

/* On several: from one end to the next, nearest deadlines first, no part on more processors than its own. */
static bool demand_met(struct world *w, int node, const struct part *from)
{
	struct part p[REF_JOBS];
	bool even[REF_JOBS] = { false };
	long double share[REF_JOBS], now = w->now, step;

	if (w->c->processors[node] == 1)
		return demand_met_on_one(w, from);
	memcpy(p, from, sizeof(p));
	for (size_t i = 0; i < w->n; i++) {
		p[i].here &= share_of(&p[i], now) > 0;
		even[i] = p[i].here && p[i].left >= p[i].deadline - now;
		p[i].left = even[i] ? p[i].deadline - now : p[i].left;
	}
	for (;;) {
		memset(share, 0, sizeof(share));
		share_nearest(p, w->n, w->c->processors[node], now, share);
		for (size_t i = 0; i < w->n; i++)
			even[i] &= share[i] == 1;
		step = first_done(w, p, share);
		if (is_past(w, p, even, step < NEVER ? now + step : now))
			return false;
		if (step >= NEVER)
			return true;
		now += step;
		for (size_t i = 0; i < w->n; i++) {
			p[i].left -= share[i] * step;
			p[i].here &= p[i].left > 1e-9L;
		}
	}
}

/* ---- which nodes suit ---- */

static struct part part_of(const struct world *w, int node, size_t i)
{
	const struct ref_sharer *j = &w->job[i];

	return (struct part){
		.here = true,
		.left = j->estimate / w->c->rating[node],
		.left_true = j->runtime / w->c->rating[node],
		.deadline = j->deadline,
		.processors = j->processors ? j->processors : w->c->processors[node],
	};
}

static bool has_memory(const struct world *w, int node, size_t new)
{
	int64_t used = w->job[new].memory;

	for (size_t i = 0; i < w->n; i++)
		used += w->part[node][i].here ? w->job[i].memory : 0;
	return !w->c->memory[node] || used <= w->c->memory[node];
}

/*
 * In step a job that is late by what others claim here is late on its other nodes, too, and would take of what is promised
 * there; one that is late on any node is not.
 */
static bool holds_up(const struct world *w, const struct part *p, size_t new)
{
	bool all = share_of(&p[new], w->now) > 1;

	for (size_t i = 0; i < w->n; i++)
		all &= !p[i].here || i == new || w->job[i].expected;
	return !all;
}

static bool is_free(const struct world *w, int node)
{
	bool free = true;

	for (size_t i = 0; i < w->n; i++)
		free &= !w->part[node][i].here;
	return free;
}

/* What can be said of a node for a job. */
struct offer {
	bool suits;
	bool late;    /* the job would be late by its own estimate, or with the others */
	bool rounded; /* where shares are whole numbers, `left` is not known to the last digit */
	long double left; /* what the node would have left */
};

/* All but `suits`, and whether it does. */
static bool suits(struct world *w, int node, size_t new, struct offer *o)
{
	struct part p[REF_JOBS];
	long double total = 0;
	bool fits = true;

	if (!has_memory(w, node, new) || w->job[new].processors > w->c->processors[node])
		return false;
	memcpy(p, w->part[node], sizeof(p));
	p[new] = part_of(w, node, new);
	for (size_t i = 0; i < w->n; i++) {
		total += share_of(&p[i], w->now) * (p[i].here ? p[i].processors : 0);
		fits &= !above(w, share_of(&p[i], w->now), 1);
		o->rounded |= is_rounded(&p[i], part_of(w, node, i).left, w->now);
	}
	w->doubt |= o->rounded && fabsl(total - w->c->processors[node]) < DOUBT;
	o->left = w->c->processors[node] - total;
	o->late = !fits || above(w, total, w->c->processors[node]);
	if (p[new].deadline <= w->now)
		return false;
	switch (w->c->kind) {
	case REF_LIBRA:
		o->late = false;
		return !above(w, share_of(&p[new], w->now), 1) &&
		       !above(w, total, w->c->processors[node]);
	case REF_LIBRARISK:
		return !(w->c->in_step && o->late && holds_up(w, p, new)) && no_risk(w, node, p);
	case REF_DEMAND:
		o->late = above(w, p[new].left, p[new].deadline - w->now);
		return demand_met(w, node, p);
	case REF_EDF:
		o->left = -w->c->rating[node];
		o->late = false;
		o->rounded = false;
		return is_free(w, node) && !above(w, w->now + p[new].left, p[new].deadline);
	}
	return false;
}

/* Jobs have come to nodes or left them, a bit for each. What was rounded before does not outlast the last of them. */
static void note_moved(struct world *w, const uint64_t *moved)
{
	for (int a = 0; a < w->c->nodes; a++) {
		for (int b = 0; b < w->c->nodes; b++) {
			w->apart[a][b] |= moved[a] != moved[b];
			w->apart[a][b] &= !is_free(w, a) || !is_free(w, b);
		}
	}
}

/*
 * Is what is rounded on these nodes the same? It is on nodes of one make that went the same way all along. In step,
 * what jobs have done does not hang on the node.
 */
static bool is_rounded_alike(const struct world *w, int a, int b)
{
	bool same = true;

	for (size_t i = 0; i < w->n; i++)
		same &= w->part[a][i].here == w->part[b][i].here;
	return w->c->rating[a] == w->c->rating[b] && w->c->processors[a] == w->c->processors[b] &&
	       (w->c->in_step ? same : !w->apart[a][b]);
}

/* By the least that is left, rounding may take others that have the same left as one of those that were taken. */
static void find_as_well(const struct world *w, const struct offer *o, const uint64_t *taken,
			 struct ref_sharer *j)
{
	for (int a = 0; a < w->c->nodes; a++) {
		for (int b = 0; b < w->c->nodes; b++)
			j->as_well[b] |= taken[a] && !taken[b] && o[b].suits && !o[a].late &&
					 !o[b].late && fabsl(o[a].left - o[b].left) < DOUBT &&
					 (o[a].rounded || o[b].rounded) &&
					 !is_rounded_alike(w, a, b);
	}
}

/* Its nodes, if there are enough. */
static bool place(struct world *w, size_t new)
{
	struct ref_sharer *j = &w->job[new];
	struct offer offer[REF_NODES] = { 0 };
	uint64_t taken[REF_NODES] = { 0 };
	bool best = w->c->kind == REF_LIBRA || w->c->kind == REF_EDF || w->c->best;

	j->expected = false;
	for (int node = 0; node < w->c->nodes; node++)
		offer[node].suits = suits(w, node, new, &offer[node]);
	for (int k = 0; k < j->width; k++) {
		int found = -1;
		long double least = NEVER;

		for (int node = 0; node < w->c->nodes; node++) {
			const struct offer *o = &offer[node];
			long double left = o->late ? 1e9L : o->left;

			if (taken[node] || !o->suits)
				continue;
			if (found >= 0 && (!best || !above(w, least, left)))
				continue;
			found = node;
			least = left;
		}
		if (found < 0)
			return false;
		taken[found] = 1;
		j->expected |= offer[found].late;
	}
	if (best)
		find_as_well(w, offer, taken, j);
	for (int node = 0; node < w->c->nodes; node++) {
		if (!taken[node])
			continue;
		j->on[node] = 1;
		w->part[node][new] = part_of(w, node, new);
	}
	for (int node = 0; node < w->c->nodes; node++) {
		if (taken[node])
			share_out(w, node);
	}
	note_moved(w, taken);
	j->accepted = true;
	j->start = w->now;
	return true;
}

/* ---- time ---- */

static void go_to(struct world *w, long double at)
{
	for (int node = 0; node < w->c->nodes; node++) {
		for (size_t i = 0; i < w->n; i++) {
			struct part *p = &w->part[node][i];

			if (!p->here)
				continue;
			p->just = p->left > 1e-9L;
			p->left = fmaxl(0, p->left - p->share * (at - w->now));
			p->just &= p->left < 1e-3L;
			w->doubt |= p->just && p->left_true - p->share * (at - w->now) > 1e-3L &&
				    w->c->kind < REF_DEMAND;
			p->left_true -= p->share * (at - w->now);
		}
	}
	w->now = at;
}

static long double next_end(const struct world *w)
{
	long double next = NEVER;

	for (int node = 0; node < w->c->nodes; node++) {
		for (size_t i = 0; i < w->n; i++) {
			const struct part *p = &w->part[node][i];

			if (p->here && p->share > 1e-15L)
				next = fminl(next, w->now + fmaxl(0, p->left_true) / p->share);
		}
	}
	return next;
}

/* By nearest deadline, a part that has used up its estimate or its time gives way by itself. */
static long double next_change(const struct world *w)
{
	long double next = NEVER;

	for (int node = 0; node < w->c->nodes && w->c->kind == REF_DEMAND; node++) {
		for (size_t i = 0; i < w->n; i++) {
			const struct part *p = &w->part[node][i];

			if (share_of(p, w->now) <= 0 || p->share <= 0)
				continue;
			next = fminl(next, w->now + p->left / p->share);
			next = fminl(next, p->deadline);
		}
	}
	return next;
}

static bool is_over(const struct world *w, size_t i)
{
	for (int node = 0; node < w->c->nodes; node++) {
		if (w->part[node][i].here)
			return false;
	}
	return true;
}

/* Rounding decides whether a deadline has come or a part is just done, and so about the claims of that node. */
static bool is_tipped(const struct world *w, int node, bool rounds)
{
	bool tipped = false;

	for (size_t i = 0; i < w->n; i++) {
		const struct part *p = &w->part[node][i];

		tipped |= p->here && fabsl(p->deadline - w->now) < 1e-2L;
		tipped |= p->here && rounds && (p->left_true < 1e-3L || p->just);
	}
	return tipped;
}

/* EDF: of this job only, as a pass follows the end of each. False: none ended. */
static bool end_parts(struct world *w, size_t only)
{
	bool ended = false, rounds = w->c->kind == REF_LIBRA || w->c->kind == REF_LIBRARISK;
	uint64_t left[REF_NODES] = { 0 };

	for (int node = 0; node < w->c->nodes; node++) {
		int any = 0;

		for (size_t i = 0; i < w->n; i++) {
			struct part *p = &w->part[node][i];

			if (!p->here || p->left_true > 1e-9L ||
			    (w->c->kind == REF_EDF && i != only))
				continue;
			p->here = false;
			left[node] |= UINT64_C(1) << i;
			any++;
			if (is_over(w, i)) {
				w->job[i].ended = true;
				w->job[i].end = w->now;
			}
		}
		w->doubt |= rounds && any > 1;
		w->doubt |= any && is_tipped(w, node, rounds);
		if (any || w->c->kind == REF_DEMAND)
			share_out(w, node);
		ended |= any > 0;
	}
	note_moved(w, left);
	for (int node = 0; node < w->c->nodes && ended && w->c->in_step; node++)
		w->doubt |= is_tipped(w, node, rounds);
	return ended;
}

/* The rating of the slowest of the job's nodes, were all that it could ever have free; 0: there are too few. */
static long double slowest_of(const struct world *w, const struct ref_sharer *j)
{
	bool taken[REF_NODES] = { false };
	long double slowest = 0;

	for (int k = 0; k < j->width; k++) {
		int fastest = -1;

		for (int i = 0; i < w->c->nodes; i++) {
			if (!taken[i] && j->processors <= w->c->processors[i] &&
			    (!w->c->memory[i] || j->memory <= w->c->memory[i]) &&
			    (fastest < 0 || w->c->rating[i] > w->c->rating[fastest]))
				fastest = i;
		}
		if (fastest < 0)
			return 0;
		taken[fastest] = true;
		slowest = w->c->rating[fastest];
	}
	return slowest;
}

/* EDF: the first by deadline is refused, or started, or all wait. */
static void run_queue(struct world *w)
{
	for (;;) {
		size_t first = w->n;
		long double slowest;

		for (size_t i = 0; i < w->n; i++) {
			if (w->waits[i] &&
			    (first == w->n || w->job[i].deadline < w->job[first].deadline))
				first = i;
		}
		if (first == w->n)
			return;
		slowest = slowest_of(w, &w->job[first]);
		if (slowest == 0 ||
		    above(w, w->now + w->job[first].estimate / slowest, w->job[first].deadline)) {
			w->waits[first] = false;
			continue;
		}
		if (!place(w, first))
			return;
		w->waits[first] = false;
	}
}

size_t ref_sharing_run(const struct ref_sharing *c, struct ref_sharer *job, size_t n)
{
	static struct world w;
	size_t next = 0;

	memset(&w, 0, sizeof(w));
	w.c = c;
	w.job = job;
	w.n = n;
	for (;;) {
		long double end = next_end(&w), change = next_change(&w);
		long double arrival = next < n ? (long double)job[next].submit : NEVER;

		if (fminl(end, arrival) >= NEVER)
			return n;
		/* an end is told at a whole microsecond, which may be behind an arrival */
		w.doubt |= c->kind != REF_EDF && fabsl(end - arrival) < 1e-3L;
		/* ends come first, also where they differ in the last digits only */
		if (end <= arrival + 1e-9L && end <= change + 1e-9L) {
			go_to(&w, end);
			for (size_t i = 0; i < (c->kind == REF_EDF ? n : 1); i++) {
				if (end_parts(&w, i) && c->kind == REF_EDF)
					run_queue(&w);
			}
		} else if (change <= arrival) {
			go_to(&w, change);
			end_parts(&w, n);
		} else {
			go_to(&w, arrival);
			end_parts(&w, n); /* demand: shares that change now */
			if (c->kind == REF_EDF) {
				w.waits[next] = true;
				run_queue(&w);
			} else {
				place(&w, next);
			}
			next++;
		}
		if (!w.doubt)
			continue;
		for (size_t i = 0; i < n; i++)
			job[i].ended &= job[i].end < w.now - 1e-2L;
		return next ? next - 1 : 0;
	}
}

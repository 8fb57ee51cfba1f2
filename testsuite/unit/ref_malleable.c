/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ref_malleable: see ref_malleable.h. */
#include "testsuite/unit/ref_malleable.h"

#include <stdlib.h>
#include <string.h>

#define NEVER INT64_MAX
#define NONE SIZE_MAX

/* Jobs by place, ascending: by age. */
struct list {
	size_t *v, n;
};

struct world {
	const struct ref_malleable_setup *c;
	struct ref_malleable_job *job;
	size_t n;
	size_t next; /* to be submitted */
	struct list running, waiting;
	int64_t now;
	size_t lookahead; /* the job whose deadline it is; NONE */
	int *told;	  /* the width of each job, as last told */
};

static void put(struct list *l, size_t i)
{
	size_t at = l->n++;

	for (; at && l->v[at - 1] > i; at--)
		l->v[at] = l->v[at - 1];
	l->v[at] = i;
}

static void take(struct list *l, size_t i)
{
	size_t at = 0;

	while (at < l->n && l->v[at] != i)
		at++;
	if (at == l->n)
		return;
	for (l->n--; at < l->n; at++)
		l->v[at] = l->v[at + 1];
}

static int64_t payoff(const struct ref_malleable_job *j, int64_t end)
{
	int64_t whole = j->deadline - j->submit;

	if (end == NEVER || end >= j->deadline)
		return 0;
	if (2 * (end - j->submit) <= whole)
		return j->value;
	return (int64_t)((ref_work)j->value * 2 * (j->deadline - end) / whole);
}

int64_t ref_malleable_payoff(const struct ref_malleable_job *j, int64_t end)
{
	return payoff(j, end);
}

/* ---- a job by itself ---- */

/* When it ends on so many processors from now on. */
static int64_t end_on(const struct world *w, const struct ref_malleable_job *j, int width)
{
	if (!width)
		return NEVER;
	return w->now + (int64_t)((j->left + j->rate[width] - 1) / j->rate[width]);
}

/* The fewest processors, at least its least, that finish it by its deadline from t on; 0: there are none. */
static int fewest(const struct ref_malleable_job *j, int64_t t)
{
	for (int width = j->least; width <= j->most; width++)
		if (j->left <= (ref_work)j->rate[width] * (j->deadline - t))
			return width;
	return 0;
}

/* What the width-th processor is worth to it. */
static int64_t marginal(const struct world *w, const struct ref_malleable_job *j, int width)
{
	return payoff(j, end_on(w, j, width)) - payoff(j, end_on(w, j, width - 1));
}

/* ---- all jobs ---- */

static struct ref_malleable_job *runner(const struct world *w, size_t k)
{
	return &w->job[w->running.v[k]];
}

static int idle(const struct world *w)
{
	int left = w->c->nodes;

	for (size_t k = 0; k < w->running.n; k++)
		left -= runner(w, k)->width;
	return left;
}

/* A floor is never above what the job has. */
static void set_floors(struct world *w)
{
	for (size_t k = 0; k < w->running.n; k++) {
		struct ref_malleable_job *j = runner(w, k);
		int need = w->c->strategy == REF_UNIFORM ? j->least : fewest(j, w->now);

		j->floor = need && need < j->width ? need : j->width;
	}
}

static void start(struct world *w, size_t i)
{
	take(&w->waiting, i);
	put(&w->running, i);
	w->job[i].state = REF_RUNS;
	w->job[i].start = w->now;
}

/* ---- uniform ---- */

/*
 * An end has the whole queue tried in order of submission, a submission only the new job: it starts if all that run,
 * and it, can have their least.
 */
static void start_fitting(struct world *w, size_t new)
{
	int left = w->c->nodes;

	for (size_t k = 0; k < w->running.n; k++)
		left -= runner(w, k)->least;
	for (size_t k = 0; k < w->waiting.n;) {
		size_t i = w->waiting.v[k];

		if ((new == NONE || i == new) && w->job[i].least <= left) {
			left -= w->job[i].least;
			start(w, i); /* and the next one is at k */
		} else {
			k++;
		}
	}
}

/* One round: so many more for each that is below its most, while there are any. What is left. */
static int share_out(struct world *w, int left, int part)
{
	for (size_t k = 0; k < w->running.n && left; k++) {
		struct ref_malleable_job *j = runner(w, k);
		int more = part < j->most - j->width ? part : j->most - j->width;

		j->width += more;
		left -= more;
	}
	return left;
}

/* The rest in equal parts, cut at each most, again among the others; what is left over one each, oldest first. */
static void share_equally(struct world *w)
{
	int left = w->c->nodes;

	for (size_t k = 0; k < w->running.n; k++) {
		runner(w, k)->width = runner(w, k)->least;
		left -= runner(w, k)->least;
	}
	for (;;) {
		int among = 0;

		for (size_t k = 0; k < w->running.n; k++)
			among += runner(w, k)->width < runner(w, k)->most;
		if (!among || !left)
			return;
		left = share_out(w, left, left < among ? 1 : left / among);
	}
}

static void uniform(struct world *w, size_t new)
{
	start_fitting(w, new);
	share_equally(w);
}

/* ---- profit ---- */

/*
 * The running job other than `but` that loses least by one processor less; of equal ones the older. NONE: all are
 * at their floors.
 */
static size_t least_loss(const struct world *w, size_t but, int64_t *loss)
{
	size_t best = NONE;

	for (size_t k = 0; k < w->running.n; k++) {
		const struct ref_malleable_job *j = runner(w, k);
		int64_t l;

		if (w->running.v[k] == but || j->width <= j->floor)
			continue;
		l = marginal(w, j, j->width);
		if (best == NONE || l < *loss) {
			best = w->running.v[k];
			*loss = l;
		}
	}
	return best;
}

/*
 * Where a processor for job i comes from: an idle one first, at no loss, else of the job that loses least. False:
 * from nowhere.
 */
static bool find_one(const struct world *w, size_t i, size_t *from, int64_t *loss)
{
	*from = NONE;
	*loss = 0;
	if (idle(w) > 0)
		return true;
	*from = least_loss(w, i, loss);
	return *from != NONE;
}

static void take_one(struct world *w, size_t i, size_t from)
{
	if (from != NONE)
		w->job[from].width--;
	w->job[i].width++;
}

/*
 * Give job i, which has been started, its floor. True: profit is not below 0, which is its own marginal payoffs
 * from its first processor on, less what the others lose.
 */
static bool fill_floor(struct world *w, size_t i)
{
	struct ref_malleable_job *j = &w->job[i];
	ref_work profit = 0;
	int64_t loss;
	size_t from;

	while (j->width < j->floor && find_one(w, i, &from, &loss)) {
		take_one(w, i, from);
		profit += marginal(w, j, j->width) - loss;
	}
	return profit >= 0;
}

/* AcceptJob: false, and nothing is done, if there is no room or no profit; forced, the latter is no matter. */
static bool accept(struct world *w, size_t i, bool forced)
{
	struct ref_malleable_job *j = &w->job[i];
	int need = fewest(j, w->now), room = w->c->nodes, width[REF_MALLEABLE_NODES];
	int64_t loss;
	size_t from;

	for (size_t k = 0; k < w->running.n; k++) {
		room -= runner(w, k)->floor;
		width[k] = runner(w, k)->width;
	}
	if (!need || need > room)
		return false;
	start(w, i);
	j->floor = need;
	if (!fill_floor(w, i) && !forced) {
		take(&w->running, i);
		put(&w->waiting, i);
		j->state = REF_QUEUED;
		j->start = -1;
		j->width = 0;
		for (size_t k = 0; k < w->running.n; k++)
			runner(w, k)->width = width[k];
		return false;
	}
	while (j->width < j->most && find_one(w, i, &from, &loss) &&
	       marginal(w, j, j->width + 1) > loss)
		take_one(w, i, from);
	return true;
}

/* Idle processors go one by one to the running job that gains most, be it nothing; of equal ones the older. */
static void spread_idle(struct world *w)
{
	for (int left = idle(w); left > 0; left--) {
		struct ref_malleable_job *best = NULL;
		int64_t most = 0;

		for (size_t k = 0; k < w->running.n; k++) {
			struct ref_malleable_job *j = runner(w, k);
			int64_t gain;

			if (j->width == j->most)
				continue;
			gain = marginal(w, j, j->width + 1);
			if (!best || gain > most) {
				best = j;
				most = gain;
			}
		}
		if (!best)
			return;
		best->width++;
	}
}

static void refuse(struct world *w, size_t i)
{
	take(&w->waiting, i);
	w->job[i].state = REF_REFUSED;
}

static void profit(struct world *w, size_t new)
{
	if (new != NONE && !accept(w, new, false))
		refuse(w, new);
	spread_idle(w);
}

/* ---- lazy ---- */

/*
 * What the plan holds at t: a running job its floor, from now to its deadline; a job that waits its floor at its
 * latest start, from then to its deadline. Job i is in it with `need` from `from` on instead.
 */
static int planned_at(const struct world *w, int64_t t, size_t i, int64_t from, int need)
{
	int sum = t >= from && t < w->job[i].deadline ? need : 0;

	for (size_t k = 0; k < w->running.n; k++)
		sum += t < runner(w, k)->deadline ? runner(w, k)->floor : 0;
	for (size_t k = 0; k < w->waiting.n; k++) {
		const struct ref_malleable_job *j = &w->job[w->waiting.v[k]];

		if (w->waiting.v[k] != i && t >= j->latest && t < j->deadline)
			sum += fewest(j, j->latest);
	}
	return sum;
}

/*
 * Is the plan feasible if job i holds its floor of that time from `from` to its deadline, instead of the place that
 * it may have? What is held grows only where a place begins.
 */
static bool feasible(const struct world *w, size_t i, int64_t from)
{
	int need = fewest(&w->job[i], from);

	if (!need || planned_at(w, w->now, i, from, need) > w->c->nodes ||
	    planned_at(w, from, i, from, need) > w->c->nodes)
		return false;
	for (size_t k = 0; k < w->waiting.n; k++) {
		size_t other = w->waiting.v[k];

		if (other != i && planned_at(w, w->job[other].latest, i, from, need) > w->c->nodes)
			return false;
	}
	return true;
}

/* The running or accepted job with the least deadline, kept until that job has ended. */
static void look_ahead(struct world *w)
{
	const struct list *lists[] = { &w->running, &w->waiting };

	if (w->lookahead != NONE && w->job[w->lookahead].state != REF_ENDED)
		return;
	w->lookahead = NONE;
	for (int l = 0; l < 2; l++) {
		for (size_t k = 0; k < lists[l]->n; k++) {
			size_t i = lists[l]->v[k], best = w->lookahead;

			if (w->job[i].state == REF_QUEUED && !w->job[i].deferred)
				continue; /* the new one */
			if (best == NONE || w->job[i].deadline < w->job[best].deadline ||
			    (w->job[i].deadline == w->job[best].deadline && i < best))
				w->lookahead = i;
		}
	}
}

/* The waiting job after `last` in the order of latest start and age; NONE. */
static size_t next_deferred(const struct world *w, size_t last)
{
	size_t best = NONE;

	for (size_t k = 0; k < w->waiting.n; k++) {
		size_t i = w->waiting.v[k];
		int64_t latest = w->job[i].latest;

		if (!w->job[i].deferred)
			continue; /* the new one */
		if (last != NONE &&
		    (latest < w->job[last].latest || (latest == w->job[last].latest && i <= last)))
			continue;
		if (best == NONE || latest < w->job[best].latest)
			best = i;
	}
	return best;
}

/* Now if that is possible and profitable, else later if it is possible then. */
static void take_new(struct world *w, size_t i)
{
	struct ref_malleable_job *j = &w->job[i];

	if (feasible(w, i, w->now) && accept(w, i, false))
		return;
	if (w->lookahead == NONE || !feasible(w, i, w->job[w->lookahead].deadline)) {
		refuse(w, i);
		return;
	}
	j->deferred = true;
	j->latest = w->job[w->lookahead].deadline;
}

static void lazy(struct world *w, size_t new)
{
	look_ahead(w);
	for (size_t i = next_deferred(w, NONE); i != NONE; i = next_deferred(w, i)) {
		struct ref_malleable_job *j = &w->job[i];

		if (feasible(w, i, w->now) && accept(w, i, false))
			continue;
		if (w->now >= j->latest) {
			j->forced = accept(w, i, true);
			if (!j->forced && !w->c->apart)
				abort(); /* the plan was none; else some that are done have not ended yet */
		}
	}
	if (new != NONE)
		take_new(w, new);
	spread_idle(w);
}

/* ---- time ---- */

/* Tell the widths that have changed. */
static void tell(struct world *w)
{
	for (size_t k = 0; k < w->running.n; k++) {
		struct ref_malleable_job *j = runner(w, k);

		if (j->width != j->told && w->c->resized)
			w->c->resized(w->c->arg, w->now, w->running.v[k], j->width);
		j->told = j->width;
	}
}

static void decide(struct world *w, size_t new)
{
	set_floors(w);
	if (w->c->strategy == REF_UNIFORM)
		uniform(w, new);
	else if (w->c->strategy == REF_PROFIT)
		profit(w, new);
	else
		lazy(w, new);
	tell(w);
}

static void advance(struct world *w, int64_t t)
{
	for (size_t k = 0; k < w->running.n; k++) {
		struct ref_malleable_job *j = runner(w, k);

		j->left -= (ref_work)j->rate[j->width] * (t - w->now);
		j->left = j->left > 0 ? j->left : 0; /* in its last tick it may have done more */
		j->area += j->width * (t - w->now);
	}
	w->now = t;
}

/* All that is done now leaves, or the oldest of it; is there any? */
static bool end_jobs(struct world *w)
{
	bool any = false;

	for (size_t k = 0; k < w->running.n && !(any && w->c->apart);) {
		size_t i = w->running.v[k];
		struct ref_malleable_job *j = &w->job[i];

		if (j->left > 0) {
			k++;
			continue;
		}
		j->state = REF_ENDED;
		j->end = w->now;
		j->payoff = w->c->strategy == REF_UNIFORM ? 0 : payoff(j, w->now);
		take(&w->running, i); /* and the next one is at k */
		if (w->c->resized)
			w->c->resized(w->c->arg, w->now, i, 0);
		any = true;
	}
	return any;
}

static void submit(struct world *w)
{
	size_t i = w->next++;

	w->job[i].state = REF_QUEUED;
	put(&w->waiting, i);
	decide(w, i);
}

/* The latest start that comes first; NEVER. */
static int64_t due(const struct world *w)
{
	int64_t t = NEVER;

	for (size_t k = 0; w->c->strategy == REF_LAZY && k < w->waiting.n; k++)
		if (w->job[w->waiting.v[k]].latest < t)
			t = w->job[w->waiting.v[k]].latest;
	return t;
}

/* The next instant at which something is; NEVER. */
static int64_t next_time(const struct world *w)
{
	int64_t t = due(w);

	if (w->next < w->n && w->job[w->next].submit < t)
		t = w->job[w->next].submit;
	for (size_t k = 0; k < w->running.n; k++) {
		int64_t end = end_on(w, runner(w, k), runner(w, k)->width);

		t = end < t ? end : t;
	}
	return t;
}

static bool can_be(const struct world *w, size_t i)
{
	const struct ref_malleable_job *j = &w->job[i];

	if (j->least < 1 || j->least > j->most || j->most > w->c->nodes || j->work < 1 ||
	    (i && j->submit < j[-1].submit))
		return false;
	for (int k = 1; k <= j->most; k++)
		if (j->rate[k] < 1 || (k > 1 && j->rate[k] < j->rate[k - 1]))
			return false;
	return true;
}

static bool begin(struct world *w)
{
	for (size_t i = 0; i < w->n; i++) {
		struct ref_malleable_job *j = &w->job[i];

		if (!can_be(w, i))
			return false;
		j->state = REF_TO_COME;
		j->start = j->end = -1;
		j->payoff = j->area = 0;
		j->latest = NEVER;
		j->deferred = j->forced = false;
		j->width = j->floor = j->told = 0;
		j->left = j->work;
	}
	w->running.v = calloc(w->n + 1, sizeof(*w->running.v));
	w->waiting.v = calloc(w->n + 1, sizeof(*w->waiting.v));
	return w->running.v && w->waiting.v;
}

static void run_all(struct world *w)
{
	for (int64_t t = next_time(w); t != NEVER; t = next_time(w)) {
		advance(w, t);
		while (end_jobs(w))
			decide(w, NONE);
		while (w->next < w->n && w->job[w->next].submit == t)
			submit(w);
		if (due(w) == t)
			decide(w, NONE);
	}
}

int ref_malleable_run(const struct ref_malleable_setup *setup, struct ref_malleable_job *job,
		      size_t n)
{
	struct world w = { .c = setup, .job = job, .n = n, .lookahead = NONE };
	bool ok = setup->nodes >= 1 && setup->nodes <= REF_MALLEABLE_NODES && begin(&w);

	if (ok)
		run_all(&w);
	free(w.running.v);
	free(w.waiting.v);
	return ok ? 0 : -1;
}

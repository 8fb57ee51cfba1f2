/* SPDX-License-Identifier: GPL-2.0-or-later */
/* validate: see validate.h. Plain on purpose: sorted lists and a sweep. */
#include "sim/check/validate.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/base/nodeset.h"
#include "sim/run/change.h"
#include "sim/check/validate_own.h"

/* Did the script cancel this job, or take a node from it, at the time when it ended? */
static bool scripted_end(const struct check *c, size_t i)
{
	const struct sim_outcome *o = &c->s->out[i];

	for (size_t k = 0; k < c->s->nevents; k++) {
		const struct sim_event *e = &c->s->event[k];

		if (o->state == SIM_CANCELLED && e->type == SIM_CANCEL && e->index == i &&
		    (o->start < 0 || e->at == o->end))
			return true;
		if (o->state == SIM_FAILED && e->type == SIM_BLOCK && e->at == o->end && o->nodes &&
		    nodeset_overlap(e->nodes, o->nodes))
			return true;
	}
	return false;
}

static bool nodes_lost(const struct check *c)
{
	for (size_t k = 0; k < c->s->nevents; k++)
		if (c->s->event[k].type == SIM_BLOCK)
			return true;
	return false;
}

/* ---- work ---- */

static void settle(struct check *c, size_t i, const struct account *a, bool cut)
{
	uint64_t id = c->s->w->job[i].id;

	if (!cut && a->done < a->due)
		violation(c, "job %" PRIu64 " ended before its work was done", id);
	if (a->done >= a->due + a->last && a->last)
		violation(c, "job %" PRIu64 " went on when its work was done", id);
}

static void add_span(const struct sim_job *j, struct account *a, const struct sim_history *h,
		     size_t k)
{
	const struct sim_span *x = &h->span[k];
	amount rate = (amount)work_rate(j->speedup, x->width), length = (amount)(x->to - x->from);

	if (x->suspended || !length)
		return;
	if ((j->launch.start || j->launch.grow) && x->nodes) {
		add_launched(j, h, k, a);
		return;
	}
	a->done += rate * length;
	a->last = rate;
}

static void check_range(struct check *c, const struct sim_job *j, const struct sim_span *x)
{
	if (j->most && x->to > x->from && (x->width < j->width || x->width > j->most))
		violation(c,
			  "job %" PRIu64 " had %" PRId32 " nodes from %" PRId64
			  " on, its range is %" PRId32 " to %" PRId32,
			  j->id, x->width, x->from, j->width, j->most);
}

static void check_work(struct check *c, size_t i, bool cut)
{
	const struct sim_job *j = &c->s->w->job[i];
	const struct sim_outcome *o = &c->s->out[i];
	const struct sim_history *h = o->history;
	struct account a = { 0 };
	int64_t due = j->runtime, at = o->start;
	bool gap = false;

	for (size_t k = 0; k < h->n; k++) {
		const struct sim_span *x = &h->span[k];

		gap |= x->from != at || x->to < x->from;
		at = x->to;
		due += x->lost;
		add_span(j, &a, h, k);
		check_range(c, j, x);
	}
	if (gap || at != o->end)
		violation(c, "job %" PRIu64 ": what it held has a gap", j->id);
	a.due = (amount)(uint64_t)due * (amount)work_rate(j->speedup, j->width);
	settle(c, i, &a, cut);
}

static void check_times(struct check *c, size_t i)
{
	const struct sim_job *j = &c->s->w->job[i];
	const struct sim_outcome *o = &c->s->out[i];
	bool cut = o->state == SIM_CANCELLED || o->state == SIM_FAILED;
	int64_t length = o->end - o->start;

	if (o->start < j->submit)
		violation(c,
			  "job %" PRIu64 " started at %" PRId64
			  ", before its submission at %" PRId64,
			  j->id, o->start, j->submit);
	if (o->start < j->begin)
		violation(c,
			  "job %" PRIu64 " started at %" PRId64 ", before its begin time %" PRId64,
			  j->id, o->start, j->begin);
	if (o->history)
		check_work(c, i, cut);
	if (o->history || o->shared)
		length = j->runtime;
	if (length > j->estimate && !c->s->outlive)
		violation(c, "job %" PRIu64 " ran %" PRId64 " s, longer than its estimate %" PRId64,
			  j->id, length, j->estimate);
	if (o->history || o->shared)
		; /* done, or with all that is shared */
	else if (cut ? length > j->runtime || length < 0 : length != j->runtime)
		violation(c, "job %" PRIu64 " ran %" PRId64 " s, its runtime is %" PRId64, j->id,
			  length, j->runtime);
	if (!cut && (o->state == SIM_KILLED) != j->killed)
		violation(c, "job %" PRIu64 " is %s, but its estimate was %s", j->id,
			  sim_state_name(o->state), j->killed ? "too short" : "long enough");
}

static void check_promise(struct check *c, size_t i)
{
	const struct sim_job *j = &c->s->w->job[i];
	const struct sim_outcome *o = &c->s->out[i];
	bool kept = ran(o) && o->end <= j->deadline;

	if (o->state == SIM_CANCELLED || o->state == SIM_FAILED)
		return;
	if (!j->deadline)
		violation(c, "job %" PRIu64 " was promised a deadline that it has not", j->id);
	else if (!kept && c->s->outlive && j->runtime > j->estimate)
		; /* by its own estimate */
	else if (!kept && !(o->broken && nodes_lost(c)))
		violation(c,
			  "job %" PRIu64 " ended at %" PRId64 ", promised was %" PRId64
			  " (promise broken%s)",
			  j->id, o->end, j->deadline, o->broken ? "" : " and not reported");
}

static void check_job(struct check *c, size_t i)
{
	const struct sim_job *j = &c->s->w->job[i];
	const struct sim_outcome *o = &c->s->out[i];

	switch (o->state) {
	case SIM_REFUSED:
		if (!j->deadline)
			violation(c, "job %" PRIu64 " was refused and has no deadline", j->id);
		if (o->start >= 0 || o->end >= 0)
			violation(c, "job %" PRIu64 " was refused, but ran", j->id);
		if (o->promised)
			violation(c, "job %" PRIu64 " was both accepted and refused", j->id);
		return;
	case SIM_WAITING:
		if (!c->s->may_wait || o->promised)
			violation(c, "job %" PRIu64 " never started", j->id);
		return;
	case SIM_RUNNING:
		violation(c, "job %" PRIu64 " never ended", j->id);
		return;
	case SIM_CANCELLED:
	case SIM_FAILED:
		if (!scripted_end(c, i))
			violation(c, "job %" PRIu64 " is %s without a cause", j->id,
				  sim_state_name(o->state));
		break;
	case SIM_COMPLETED:
	case SIM_KILLED:
		if (!ran(o))
			violation(c, "job %" PRIu64 " is %s, but never ran", j->id,
				  sim_state_name(o->state));
		break;
	}
	if (ran(o))
		check_times(c, i);
	if (o->promised)
		check_promise(c, i);
}

static void check_capacity(struct check *c, const struct change *change, size_t n)
{
	int64_t used = 0;

	for (size_t k = 0; k < n; k++) {
		used += change[k].used;
		if (change[k].used > 0 && used > (int64_t)c->s->nodes)
			violation(c,
				  "time %" PRId64 ": %" PRId64 " nodes in use of %" PRIu32
				  " when job %" PRIu64 " started",
				  change[k].at, used, c->s->nodes, c->s->w->job[change[k].mark].id);
	}
}

/* When the nodes of a block came back: at its end, or when the script ended it. */
static int64_t block_end(const struct check *c, size_t k)
{
	int64_t end = c->s->event[k].end;

	for (size_t u = k + 1; u < c->s->nevents; u++)
		if (c->s->event[u].type == SIM_UNBLOCK && c->s->event[u].index == k &&
		    c->s->event[u].at < end)
			end = c->s->event[u].at;
	return end;
}

/*
 * Where jobs take turns one may have nodes that are reserved from some time on if by its estimate it is done then,
 * for as many rows as there are, from when it got its place on. That was not more than a cycle before its start.
 */
static bool fits_before(const struct check *c, size_t i, int64_t since, int64_t reserved)
{
	const struct sim_job *j = &c->s->w->job[i];
	const struct sim_slices *by = c->s->slices;
	int64_t start = c->s->out[i].start, placed;

	if (!by || since != start)
		return false;
	placed = by->rows > 1 || by->discrete ? start - (by->rows + 1) * by->turn * by->length
					      : start;
	placed = placed > j->submit ? placed : j->submit;
	placed = placed > j->begin ? placed : j->begin;
	return j->estimate <= (reserved - placed) / by->rows;
}

/* Were `nodes`, that the job used during [from, to) and had since before, lost or reserved then? */
static void check_blocks(struct check *c, size_t i, const struct nodeset *nodes, int64_t since,
			 int64_t from, int64_t to)
{
	for (size_t k = 0; k < c->s->nevents; k++) {
		const struct sim_event *e = &c->s->event[k];

		if (e->type != SIM_BLOCK || !nodeset_overlap(e->nodes, nodes))
			continue;
		/*
		 * What had its nodes already when a later block became known is not the schedule's fault (at
		 * that very instant it may have got them before); on lost nodes it has to fail.
		 */
		if (e->start > e->at && since <= e->at)
			continue;
		if (since < e->start && fits_before(c, i, since, e->start))
			continue;
		if (from < block_end(c, k) && to > e->start && to > from)
			violation(c, "job %" PRIu64 " ran on nodes that were blocked",
				  c->s->w->job[i].id);
	}
}

static void check_places(struct check *c, size_t i, const struct nodeset *nodes, int32_t width)
{
	const struct sim_job *j = &c->s->w->job[i];

	if (nodeset_count(nodes) != (uint32_t)width)
		violation(c, "job %" PRIu64 " ran on %" PRIu32 " nodes, its width is %" PRId32,
			  j->id, nodeset_count(nodes), width);
	if (j->nodes && !nodeset_subset(nodes, j->nodes))
		violation(c, "job %" PRIu64 " ran outside its nodes", j->id);
}

static void check_named(struct check *c)
{
	for (size_t i = 0; i < c->s->w->count; i++) {
		const struct sim_job *j = &c->s->w->job[i];
		const struct sim_outcome *o = &c->s->out[i];
		int64_t since = o->start;

		if (!o->nodes || !ran(o))
			continue;
		for (size_t k = 0; o->history && k < o->history->n; k++) {
			const struct sim_span *x = &o->history->span[k];

			since = sim_span_moves(o->history, k) ? x->from : since;
			/* turns on the same nodes are many, and have one set */
			if (!k || x->nodes != x[-1].nodes || x->width != x[-1].width)
				check_places(c, i, x->nodes, x->width);
			if (!x->suspended)
				check_blocks(c, i, x->nodes, since, x->from, x->to);
		}
		if (o->history || o->shared)
			continue;
		check_places(c, i, o->nodes, j->width);
		check_blocks(c, i, o->nodes, o->start, o->start, o->end);
	}
}

/* ---- what is shared ---- */

/* One node's part of a job. */
struct part {
	int64_t from, to, since; /* microseconds; `to` < 0: it has not left */
	uint32_t node, share;
	bool begun;
	amount done, last; /* work up to `since`, and at the last rate in a microsecond */
};

/* A node, as the log goes on. */
struct load {
	int64_t shares; /* times the processors that they are of */
	int64_t memory;
	uint32_t job; /* the last that came in this instant, else the first that was changed */
	bool touched;
};

/* A job whose parts go on in step: work up to `since`, and in the last microsecond before. */
struct stepper {
	int64_t since;
	amount done, last;
};

struct shared_check {
	struct check *c;
	struct stepper *stepper; /* of each job; NULL: parts go on by themselves */
	size_t *first;		 /* of each job's parts, and the end of all */
	struct part *part;
	struct load *load;
	uint32_t *touched;
	uint32_t ntouched;
};

static int64_t up(int64_t microseconds)
{
	return microseconds / SIM_SECOND + (microseconds % SIM_SECOND > 0);
}

static int32_t rating_of(const struct check *c, uint32_t node)
{
	return c->s->node && c->s->node[node].rating ? c->s->node[node].rating : RATING_WHOLE;
}

static int32_t processors_of(const struct check *c, uint32_t node)
{
	return c->s->node && c->s->node[node].processors ? c->s->node[node].processors : 1;
}

/* Of a node, that the job's part there takes. */
static int64_t taken(const struct check *c, size_t job, uint32_t node)
{
	int32_t k = c->s->w->job[job].processors;

	return k ? k : processors_of(c, node);
}

/* The job's part on that node; NULL: it has none. */
static struct part *find_part(const struct shared_check *x, uint32_t job, uint32_t node)
{
	size_t from = x->first[job], to = x->first[job + 1];

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (x->part[middle].node < node)
			from = middle + 1;
		else
			to = middle;
	}
	return from < x->first[job + 1] && x->part[from].node == node ? &x->part[from] : NULL;
}

/* An instant is over: what was changed in it counts. */
static void check_loads(struct shared_check *x, int64_t at)
{
	for (uint32_t i = 0; i < x->ntouched; i++) {
		uint32_t node = x->touched[i];
		struct load *l = &x->load[node];
		int64_t has = (int64_t)SHARE_WHOLE * processors_of(x->c, node);
		uint64_t id = x->c->s->w->job[l->job].id;

		l->touched = false;
		if (l->shares > has)
			violation(x->c,
				  "time %" PRId64 ".%06d: node %" PRIu32 ": shares: %" PRId64
				  " in use of %" PRId64 " with job %" PRIu64,
				  at / SIM_SECOND, (int)(at % SIM_SECOND), node, l->shares, has,
				  id);
		if (l->memory > node_memory(x->c, node))
			violation(x->c,
				  "time %" PRId64 ".%06d: node %" PRIu32 ": memory: %" PRId64
				  " in use of %" PRId64 " with job %" PRIu64,
				  at / SIM_SECOND, (int)(at % SIM_SECOND), node, l->memory,
				  node_memory(x->c, node), id);
	}
	x->ntouched = 0;
}

static void add_load(struct shared_check *x, const struct sim_share *e)
{
	struct load *l = &x->load[e->node];
	int64_t now = e->share == SIM_SHARE_NONE ? 0 : e->share;
	int64_t was = e->was == SIM_SHARE_NONE ? 0 : e->was;
	int64_t memory = x->c->s->w->job[e->job].memory;

	l->shares += (now - was) * taken(x->c, e->job, e->node);
	l->memory += e->was == SIM_SHARE_NONE ? memory : e->share == SIM_SHARE_NONE ? -memory : 0;
	if (!l->touched || e->was == SIM_SHARE_NONE)
		l->job = e->job;
	if (!l->touched)
		x->touched[x->ntouched++] = e->node;
	l->touched = true;
}

/* Up to then it had its share. */
static void work_on(struct shared_check *x, struct part *p, int64_t at)
{
	amount rate = (amount)p->share * (uint32_t)rating_of(x->c, p->node);

	p->done += rate * (amount)(at - p->since);
	if (at > p->since)
		p->last = rate;
	p->since = at;
}

/* Up to then the job was as fast as the slowest of its parts, which have not changed since it was looked at. */
static void step_on(struct shared_check *x, uint32_t job, int64_t at)
{
	struct stepper *s = &x->stepper[job];
	amount least = 0;

	for (size_t k = x->first[job]; s->since < at && k < x->first[job + 1]; k++) {
		const struct part *p = &x->part[k];
		amount rate = (amount)p->share * (uint32_t)rating_of(x->c, p->node);

		if (k == x->first[job] || rate < least)
			least = rate;
	}
	if (s->since < at) {
		s->done += least * (amount)(at - s->since);
		s->last = least;
	}
	s->since = at;
}

/* False: it says what cannot be, and the rest would be judged by it. */
static bool take_entry(struct shared_check *x, const struct sim_share *e)
{
	struct part *p = e->job < x->c->s->w->count ? find_part(x, e->job, e->node) : NULL;
	bool begins = e->was == SIM_SHARE_NONE, ends = e->share == SIM_SHARE_NONE;
	uint32_t had = p && p->begun && p->to < 0 ? p->share : SIM_SHARE_NONE;

	if (!p || e->was != had || (begins && (ends || p->begun)) ||
	    (!ends && e->share > SHARE_WHOLE)) {
		violation(x->c,
			  "time %" PRId64 ".%06d: node %" PRIu32 ": job %" PRIu64
			  " cannot have had what is said",
			  e->at / SIM_SECOND, (int)(e->at % SIM_SECOND), e->node,
			  e->job < x->c->s->w->count ? x->c->s->w->job[e->job].id : 0);
		return false;
	}
	if (begins)
		p->from = p->since = e->at;
	if (x->stepper)
		step_on(x, e->job, e->at);
	work_on(x, p, e->at);
	p->begun = true;
	p->share = ends ? 0 : e->share;
	if (ends)
		p->to = e->at;
	add_load(x, e);
	return true;
}

/* What it did, and when it was there. */
static void judge_part(struct shared_check *x, size_t job, const struct part *p)
{
	const struct sim_outcome *o = &x->c->s->out[job];
	const struct sim_job *j = &x->c->s->w->job[job];
	bool cut = o->state == SIM_CANCELLED || o->state == SIM_FAILED;
	struct account a = { .done = p->done, .last = p->last };

	a.due = (amount)SHARE_WHOLE * RATING_WHOLE * SIM_SECOND * (uint64_t)j->runtime;
	if (!p->begun || p->to < 0) {
		violation(x->c, "job %" PRIu64 ": node %" PRIu32 ": its part %s", j->id, p->node,
			  p->begun ? "never left" : "never began");
		return;
	}
	if (!x->stepper)
		settle(x->c, job, &a, cut);
	if (up(p->from) != o->start)
		violation(x->c,
			  "job %" PRIu64 ": node %" PRIu32 ": its part began at %" PRId64
			  ".%06d, the job at %" PRId64,
			  j->id, p->node, p->from / SIM_SECOND, (int)(p->from % SIM_SECOND),
			  o->start);
}

/* Parts in step: what the job did, and that they left together. */
static void judge_step(struct shared_check *x, size_t job)
{
	const struct sim_outcome *o = &x->c->s->out[job];
	const struct sim_job *j = &x->c->s->w->job[job];
	const struct part *first = &x->part[x->first[job]];
	struct account a = { .done = x->stepper[job].done, .last = x->stepper[job].last };

	a.due = (amount)SHARE_WHOLE * RATING_WHOLE * SIM_SECOND * (uint64_t)j->runtime;
	settle(x->c, job, &a, o->state == SIM_CANCELLED || o->state == SIM_FAILED);
	for (const struct part *p = first; p < &x->part[x->first[job + 1]]; p++)
		if (p->to != first->to)
			violation(x->c,
				  "job %" PRIu64 ": node %" PRIu32 ": its part left at %" PRId64
				  ".%06d, another at %" PRId64 ".%06d, though they go on in step",
				  j->id, p->node, p->to / SIM_SECOND, (int)(p->to % SIM_SECOND),
				  first->to / SIM_SECOND, (int)(first->to % SIM_SECOND));
}

/* A part beside what had the node for itself, and on one that was lost. Both are rare, and may be slow. */
static bool check_apart(struct shared_check *x, size_t job, const struct part *p)
{
	const struct schedule *s = x->c->s;
	struct nodeset *one = s->nevents ? nodeset_create(s->nodes) : NULL;

	if (s->nevents && !one)
		return false;
	if (one) {
		nodeset_set(one, p->node);
		check_blocks(x->c, job, one, up(p->from), up(p->from), p->to / SIM_SECOND);
		nodeset_destroy(one);
	}
	for (size_t i = 0; i < s->w->count; i++) {
		const struct sim_outcome *o = &s->out[i];

		if (o->nodes && !o->shared && !o->history && ran(o) && o->start < up(p->to) &&
		    up(p->from) < o->end && nodeset_test(o->nodes, p->node))
			violation(x->c,
				  "jobs %" PRIu64 " and %" PRIu64 " ran on node %" PRIu32
				  ", which one of them had for itself",
				  s->w->job[i].id, s->w->job[job].id, p->node);
	}
	return true;
}

static bool some_whole(const struct schedule *s)
{
	for (size_t i = 0; i < s->w->count; i++)
		if (s->out[i].nodes && !s->out[i].shared && ran(&s->out[i]))
			return true;
	return s->nevents > 0;
}

static bool judge_parts(struct shared_check *x)
{
	bool apart = some_whole(x->c->s), ok = true;

	for (size_t i = 0; i < x->c->s->w->count && ok; i++) {
		const struct sim_outcome *o = &x->c->s->out[i];
		int64_t last = -1;

		if (!o->shared || !ran(o))
			continue;
		if (nodeset_count(o->nodes) != (uint32_t)x->c->s->w->job[i].width)
			violation(x->c, "job %" PRIu64 " ran on %" PRIu32 " nodes, its width is %d",
				  x->c->s->w->job[i].id, nodeset_count(o->nodes),
				  (int)x->c->s->w->job[i].width);
		if (x->c->s->w->job[i].nodes && !nodeset_subset(o->nodes, x->c->s->w->job[i].nodes))
			violation(x->c, "job %" PRIu64 " ran outside its nodes",
				  x->c->s->w->job[i].id);
		for (size_t k = x->first[i]; k < x->first[i + 1] && ok; k++) {
			judge_part(x, i, &x->part[k]);
			last = x->part[k].to > last ? x->part[k].to : last;
			if (apart)
				ok = check_apart(x, i, &x->part[k]);
		}
		if (x->stepper)
			judge_step(x, i);
		if (up(last) != o->end)
			violation(x->c,
				  "job %" PRIu64 " ended at %" PRId64 ", its last part at %" PRId64
				  ".%06d",
				  x->c->s->w->job[i].id, o->end, last / SIM_SECOND,
				  (int)(last % SIM_SECOND));
	}
	return ok;
}

/* A part for each node of each job that shares. */
static bool make_parts(struct shared_check *x)
{
	const struct schedule *s = x->c->s;
	size_t n = 0;

	x->first = calloc(s->w->count + 1, sizeof(*x->first));
	x->load = calloc(s->nodes, sizeof(*x->load));
	x->touched = calloc(s->nodes, sizeof(*x->touched));
	for (size_t i = 0; i < s->w->count && x->first; i++)
		x->first[i + 1] =
			x->first[i] + (s->out[i].shared ? nodeset_count(s->out[i].nodes) : 0);
	x->part = x->first ? calloc(x->first[s->w->count] + 1, sizeof(*x->part)) : NULL;
	if (s->in_step)
		x->stepper = calloc(s->w->count + 1, sizeof(*x->stepper));
	if (!x->part || !x->load || !x->touched || (s->in_step && !x->stepper))
		return false;
	for (size_t i = 0; i < s->w->count; i++)
		for (uint32_t k = s->out[i].shared ? nodeset_next(s->out[i].nodes, 0) : s->nodes;
		     k < s->nodes; k = nodeset_next(s->out[i].nodes, k + 1))
			x->part[n++] = (struct part){ .node = k, .to = -1 };
	return true;
}

/* False: no memory. */
static bool check_shared(struct check *c)
{
	const struct sim_shares *log = c->s->shares;
	struct shared_check x = { .c = c };
	bool ok = make_parts(&x), sound = true;

	for (size_t i = 0; ok && sound && log && i < log->n; i++) {
		if (i && log->v[i].at != log->v[i - 1].at)
			check_loads(&x, log->v[i - 1].at);
		if (i && log->v[i].at < log->v[i - 1].at)
			violation(c, "what was shared is not in order of time");
		sound = take_entry(&x, &log->v[i]);
	}
	if (ok && log && log->n)
		check_loads(&x, log->v[log->n - 1].at);
	if (ok && sound)
		ok = judge_parts(&x);
	free(x.first);
	free(x.part);
	free(x.stepper);
	free(x.load);
	free(x.touched);
	return ok;
}

static bool some_shared(const struct schedule *s)
{
	for (size_t i = 0; i < s->w->count; i++)
		if (s->out[i].shared)
			return true;
	return s->shares && s->shares->n;
}

uint64_t validate(const struct schedule *s, validate_complain complain, void *arg)
{
	struct check c = { .s = s, .complain = complain, .arg = arg };
	size_t n = s->changes;
	struct change *own = s->change ? NULL : change_schedule(s->w, s->out, &n);

	if (!s->change && !own) {
		violation(&c, "out of memory");
		return UINT64_MAX;
	}
	for (size_t i = 0; i < s->w->count; i++)
		check_job(&c, i);
	check_capacity(&c, own ? own : s->change, n);
	check_named(&c);
	check_resizes(&c);
	free(own);
	if (check_nodes(&c) && (!some_shared(s) || check_shared(&c)) &&
	    (!s->slices || check_slices(&c)))
		return c.violations;
	violation(&c, "out of memory");
	return UINT64_MAX;
}

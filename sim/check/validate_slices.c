/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * validate_slices: do jobs take turns as they must? Slices are not told: they begin so many seconds after each other,
 * the first of them at an event at which a job was placed while there was none, so where that was is tried.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "core/base/nodeset.h"
#include "sim/check/validate_own.h"
#include "sim/run/change.h"

/* Something happened that a pass follows. */
struct instant {
	int64_t at;
	bool cut;   /* an arrival or an end is among it: under `next` a slice ends */
	bool other; /* something else is */
};

/* From then on slices begin at equal distances; the first of them has that number. */
struct anchor {
	int64_t at, number;
};

struct slices_check {
	struct check *c;
	const struct sim_slices *by;
	bool sliced;   /* there are slices at all */
	bool promises; /* and jobs that are promised */
	struct instant *instant;
	size_t instants;
	struct anchor *anchor;
	size_t anchors;
	size_t *order; /* the jobs that ran, by start; promised ones take no turns */
	size_t ran;
	struct change *sorted; /* scratch, for `room` of what has a time */
	size_t nsorted, room;
	bool *unclear; /* of each job: nothing tells when the slices of its time began */
	size_t *whole; /* the jobs that are promised, and ran, by start */
	size_t whole_n;
	size_t moves;	    /* to other nodes, of all jobs */
	struct aways aways; /* of the job that is looked at */
};

/* ---- what happens ---- */

static void add_instant(struct slices_check *x, int64_t at, bool cut)
{
	x->sorted[x->nsorted++] = (struct change){ .at = at, .mark = cut };
}

/* Each once. */
static void join_instants(struct slices_check *x)
{
	for (size_t i = 0; i < x->nsorted; i++) {
		const struct change *from = &x->sorted[i];
		struct instant *to;

		if (!x->instants || x->instant[x->instants - 1].at != from->at)
			x->instant[x->instants++] = (struct instant){ .at = from->at };
		to = &x->instant[x->instants - 1];
		to->cut |= from->mark;
		to->other |= !from->mark;
	}
}

/*
 * What a migrated job has left is free for what is promised once it has left. That changes what takes turns in the
 * next second: the turns of this one have been taken.
 */
static void add_moves(struct slices_check *x, const struct sim_history *h)
{
	for (size_t k = 0; x->promises && h && k < h->n; k++)
		if (sim_span_moves(h, k))
			add_instant(x, h->span[k].from + 1, false);
}

static void list_instants(struct slices_check *x)
{
	const struct schedule *s = x->c->s;

	for (size_t i = 0; i < s->w->count; i++) {
		const struct sim_job *j = &s->w->job[i];

		add_instant(x, j->submit, s->out[i].state != SIM_REFUSED && !s->out[i].promised);
		if (j->begin > j->submit)
			add_instant(x, j->begin, false);
		if (ran(&s->out[i]) && s->out[i].promised)
			add_instant(x, s->out[i].start, false);
		if (ran(&s->out[i]))
			add_instant(x, s->out[i].end, !s->out[i].promised);
		add_moves(x, s->out[i].history);
	}
	for (size_t k = 0; k < s->nevents; k++) {
		add_instant(x, s->event[k].at, s->event[k].type == SIM_UNBLOCK);
		/* what has its place there, and has not started, makes way */
		if (s->event[k].type == SIM_BLOCK && s->event[k].start > s->event[k].at)
			add_instant(x, s->event[k].start, false);
	}
	change_sort(x->sorted, x->nsorted, x->room);
	join_instants(x);
}

/* Jobs that ran, promised ones or the others, into x->sorted, by start. */
static void list_started(struct slices_check *x, bool promised)
{
	const struct schedule *s = x->c->s;

	x->nsorted = 0;
	for (size_t i = 0; i < s->w->count; i++)
		if (ran(&s->out[i]) && s->out[i].promised == promised)
			x->sorted[x->nsorted++] =
				(struct change){ .at = s->out[i].start, .mark = (uint32_t)i };
	change_sort(x->sorted, x->nsorted, x->room);
}

/* The first one after `at`. */
static size_t instant_after(const struct slices_check *x, int64_t at)
{
	return sim_count_by(x->instant, x->instants, sizeof(*x->instant), at);
}

/* NULL: nothing happens then. */
static const struct instant *instant_at(const struct slices_check *x, int64_t at)
{
	size_t i = instant_after(x, at);

	return i && x->instant[i - 1].at == at ? &x->instant[i - 1] : NULL;
}

/* ---- when slices begin ---- */

static const struct anchor *anchor_at(const struct slices_check *x, int64_t at)
{
	size_t n = sim_count_by(x->anchor, x->anchors, sizeof(*x->anchor), at);

	return n ? &x->anchor[n - 1] : NULL;
}

/* The number of the last slice that began by then. */
static int64_t slice_at(const struct slices_check *x, int64_t at)
{
	const struct anchor *a = anchor_at(x, at);

	return a ? a->number + (at - a->at) / x->by->length : -1;
}

static bool slice_begins(const struct slices_check *x, int64_t at)
{
	const struct anchor *a = anchor_at(x, at);

	return a && (at - a->at) % x->by->length == 0;
}

static void add_anchor(struct slices_check *x, int64_t at)
{
	struct anchor a = { at, slice_at(x, at - 1) + 1 };

	if (!x->anchors || x->anchor[x->anchors - 1].at < at)
		x->anchor[x->anchors++] = a;
}

/* ---- turns ---- */

/* A job runs without a pause. */
struct turn {
	int64_t from, to;
	size_t next; /* span behind it */
};

/* The turn that begins with the span `next` or a later one. False: there is none. */
static bool next_turn(const struct sim_outcome *o, struct turn *t)
{
	const struct sim_history *h = o->history;
	size_t k = t->next;

	if (!h && k)
		return false;
	if (!h) {
		*t = (struct turn){ o->start, o->end, 1 };
		return true;
	}
	while (k < h->n && h->span[k].suspended)
		k++;
	if (k == h->n)
		return false;
	t->from = h->span[k].from;
	while (k < h->n && !h->span[k].suspended)
		t->to = h->span[k++].to;
	t->next = k;
	return true;
}

/* Can only a slice's end be the cause of what is changed at that time? `first`: the first start of a busy time. */
static bool is_evidence(const struct slices_check *x, int64_t at, int64_t first)
{
	if (x->by->discrete && at > first)
		return true;
	return !instant_at(x, at);
}

/* Does a promised job that has nodes of it begin then? */
static bool goes_aside(const struct slices_check *x, size_t job, int64_t at)
{
	const struct schedule *s = x->c->s;

	for (size_t i = 0; i < x->whole_n && s->out[x->whole[i]].start <= at; i++) {
		const struct sim_outcome *p = &s->out[x->whole[i]];

		if (p->start == at && p->nodes && s->out[job].nodes &&
		    nodeset_overlap(p->nodes, s->out[job].nodes))
			return true;
	}
	return false;
}

/* The first such time of the job before `until`; else `until`. */
static int64_t evidence_of(const struct slices_check *x, size_t job, int64_t first, int64_t until)
{
	const struct sim_outcome *o = &x->c->s->out[job];
	struct turn t = { 0 };

	while (next_turn(o, &t) && t.from < until) {
		if (is_evidence(x, t.from, first))
			return t.from;
		if (t.to != o->end && t.to < until && is_evidence(x, t.to, first) &&
		    !goes_aside(x, job, t.to))
			return t.to;
	}
	return until;
}

/* ---- busy times: from a start on there are jobs that have started and not ended ---- */

struct busy {
	size_t first, end; /* in x->order */
	int64_t from, to;  /* the first start, the last end */
	int64_t since; /* when slices may have begun that are those of this time, and were not found before */
};

static bool next_busy(const struct slices_check *x, struct busy *b)
{
	const struct sim_outcome *out = x->c->s->out;

	if (b->end == x->ran)
		return false;
	b->first = b->end;
	b->from = b->to = out[x->order[b->first]].start;
	do {
		int64_t end = out[x->order[b->end++]].end;

		b->to = end > b->to ? end : b->to;
	} while (b->end < x->ran && out[x->order[b->end]].start < b->to);
	return true;
}

/* Under `next` arrivals and ends begin slices, whatever was before. */
static bool cuts(const struct slices_check *x, const struct instant *i)
{
	return x->by->next && !x->by->discrete && i && i->cut;
}

static int64_t find_evidence(const struct slices_check *x, const struct busy *b)
{
	int64_t until = b->to;

	for (size_t i = instant_after(x, b->from); i < x->instants && x->instant[i].at < until; i++)
		if (cuts(x, &x->instant[i]))
			until = x->instant[i].at;
	for (size_t k = b->first; k < b->end; k++)
		until = evidence_of(x, x->order[k], b->from, until);
	return until;
}

/* The last event at which slices may have begun of which one begins at `at`. False: there is none. */
static bool place_anchor(struct slices_check *x, const struct busy *b, int64_t at)
{
	for (size_t i = instant_after(x, b->from); i-- && x->instant[i].at >= b->since;) {
		if ((at - x->instant[i].at) % x->by->length != 0)
			continue;
		add_anchor(x, x->instant[i].at);
		return true;
	}
	return false;
}

/*
 * Slices that were there before may go on: jobs that have a place and have not started are not seen. False: nothing
 * shows when those of this busy time begin.
 */
static bool anchor_busy(struct slices_check *x, const struct busy *b)
{
	int64_t evidence = find_evidence(x, b);

	if (cuts(x, instant_at(x, b->from)))
		add_anchor(x, b->from);
	else if (evidence == b->to || cuts(x, instant_at(x, evidence)))
		return false;
	else if (!place_anchor(x, b, evidence) && !slice_begins(x, evidence))
		violation(x->c, "time %" PRId64 ": other jobs run, and no slice can begin then",
			  evidence);
	return true;
}

static void find_slices(struct slices_check *x)
{
	struct busy b = { .since = INT64_MIN };

	while (next_busy(x, &b)) {
		bool found = anchor_busy(x, &b);

		for (size_t k = b.first; k < b.end && !found; k++)
			x->unclear[x->order[k]] = true;
		for (size_t i = instant_after(x, b.from);
		     i < x->instants && x->instant[i].at < b.to; i++)
			if (cuts(x, &x->instant[i]))
				add_anchor(x, x->instant[i].at);
		if (found)
			b.since = b.to;
	}
}

/* ---- what a job's turns must keep ---- */

/* May what runs be changed then? A start with no other job there is made at once, even if it is discrete. */
static bool may_change(const struct slices_check *x, size_t job, int64_t at)
{
	if (x->sliced && slice_begins(x, at))
		return true;
	return instant_at(x, at) && (!x->by->discrete || x->unclear[job] || goes_aside(x, job, at));
}

static void check_change(struct slices_check *x, size_t job, int64_t at, const char *what)
{
	if (!may_change(x, job, at))
		violation(x->c,
			  "job %" PRIu64 " %s at %" PRId64
			  ", when no slice begins and nothing else happens",
			  x->c->s->w->job[job].id, what, at);
}

/* It ran from the beginning of slice `last`; `next` is the first one again, after a cycle of turns. */
static void check_cycle(struct slices_check *x, size_t job, int64_t last, int64_t next, int64_t at)
{
	if (next - last > x->by->rows * x->by->turn)
		violation(x->c,
			  "job %" PRIu64 " has no whole slice in %" PRId64 " of %" PRId64
			  " rows, until %" PRId64,
			  x->c->s->w->job[job].id, next - last - 1, x->by->rows, at);
}

/* At any time at which it was not set aside. */
static bool pauses(const struct sim_history *h, const struct aways *v)
{
	size_t i = 0;

	for (size_t k = 0; h && k < h->n; k++) {
		while (i < v->n && v->away[i].to <= h->span[k].from)
			i++;
		if (h->span[k].suspended && (i == v->n || v->away[i].from > h->span[k].from ||
					     v->away[i].to < h->span[k].to))
			return true;
	}
	return false;
}

/* Set aside before `until`, it has its cycles until then, and anew from when it is back. */
static int64_t check_away(struct slices_check *x, size_t job, size_t *i, int64_t last,
			  int64_t until)
{
	for (; *i < x->aways.n && x->aways.away[*i].to <= until; (*i)++) {
		const struct away *a = &x->aways.away[*i];

		check_cycle(x, job, last, slice_at(x, a->from - 1) + 1, a->from);
		last = slice_at(x, a->to);
	}
	return last;
}

static void check_turns(struct slices_check *x, size_t job)
{
	const struct sim_outcome *o = &x->c->s->out[job];
	struct turn t = { 0 };
	int64_t last = slice_at(x, o->start);
	bool cycles = x->sliced && !x->unclear[job];
	size_t away = 0;

	while (next_turn(o, &t)) {
		int64_t first = slice_at(x, t.from - 1) + 1, behind = slice_at(x, t.to - 1);

		check_change(x, job, t.from, "begins to run");
		if (t.to != o->end)
			check_change(x, job, t.to, "stops running");
		if (cycles)
			last = check_away(x, job, &away, last, t.from);
		if (cycles && first <= behind) {
			check_cycle(x, job, last, first, t.from);
			last = behind;
		}
	}
	/* it may have ended while it was set aside: with its node */
	if (cycles)
		last = check_away(x, job, &away, last, o->end);
	if (cycles)
		check_cycle(x, job, last, slice_at(x, o->end - 1) + 1, o->end);
	if (!x->sliced && pauses(o->history, &x->aways))
		violation(x->c, "job %" PRIu64 " is suspended, and there is one row",
			  x->c->s->w->job[job].id);
}

/* Is it a sum of costs, each C or C / 2? Where jobs have their own, it is one of many. */
static bool is_cost(const struct slices_check *x, int64_t lost)
{
	int64_t whole = x->by->cost, half = (whole + 1) / 2;

	for (size_t i = 0; lost > 0 && x->by->quota && i < x->c->s->w->count; i++)
		if (x->c->s->w->job[i].migration)
			return true;
	if (!whole || lost < 0)
		return !lost;
	for (; lost >= 0; lost -= whole)
		if (lost % half == 0)
			return true;
	return false;
}

static void check_lost(struct slices_check *x, size_t job, const struct sim_history *h, size_t k)
{
	int64_t lost = h->span[k].lost, due = x->by->switch_loss;

	if (!sim_span_begins(h, k))
		due = 0;
	if (h->span[k].suspended ? lost != 0 : !is_cost(x, lost - due))
		violation(x->c,
			  "job %" PRIu64 " loses %" PRId64 " s at %" PRId64
			  ", and a switch costs %" PRId64 ", a migration %" PRId64,
			  x->c->s->w->job[job].id, lost, h->span[k].from, due, x->by->cost);
}

/* Nodes are changed by a pass, and so that the job knows. */
static void check_move(struct slices_check *x, size_t job, const struct sim_span *to)
{
	uint64_t id = x->c->s->w->job[job].id;
	bool passes = x->by->discrete ? slice_begins(x, to->from) : instant_at(x, to->from) != NULL;

	if (!to->moved)
		violation(x->c, "job %" PRIu64 " has other nodes at %" PRId64 ", and was not told",
			  id, to->from);
	if (!passes && !x->unclear[job])
		violation(x->c,
			  "job %" PRIu64 " is migrated at %" PRId64
			  ", when the matrix is not computed",
			  id, to->from);
}

static void check_spans(struct slices_check *x, size_t job)
{
	const struct sim_job *j = &x->c->s->w->job[job];
	const struct sim_history *h = x->c->s->out[job].history;

	if (!h && x->by->switch_loss)
		violation(x->c, "job %" PRIu64 " loses nothing when it begins to run", j->id);
	for (size_t k = 0; h && k < h->n; k++) {
		check_lost(x, job, h, k);
		if (h->span[k].width != j->width)
			violation(x->c,
				  "job %" PRIu64 " has %" PRId32 " of %" PRId32
				  " nodes at %" PRId64,
				  j->id, h->span[k].width, j->width, h->span[k].from);
		if (sim_span_moves(h, k))
			check_move(x, job, &h->span[k]);
	}
}

/* ---- Q ---- */

/* So many tasks were migrated in that slice. */
struct moves {
	int64_t slice, tasks;
};

static int by_slice(const void *a, const void *b)
{
	const struct moves *x = a, *y = b;

	return (x->slice > y->slice) - (x->slice < y->slice);
}

/*
 * In which slice the pass was that migrated it. At the end of one arrivals and ends come first, and under `next` the
 * first of them ends it. What else happens then may come before or after: -1.
 */
static int64_t slice_of_pass(const struct slices_check *x, int64_t at)
{
	const struct instant *i = instant_at(x, at);
	int64_t slice = slice_at(x, at);

	if (x->by->discrete || !slice_begins(x, at))
		return slice;
	if (i && i->other)
		return -1;
	return cuts(x, i) ? slice : slice - 1;
}

static size_t list_moves(const struct slices_check *x, struct moves *v)
{
	size_t n = 0;

	for (size_t i = 0; i < x->c->s->w->count; i++) {
		const struct sim_history *h = x->c->s->out[i].history;

		/* where nothing shows when slices begin, two that are of two slices may seem to be of one */
		for (size_t k = 0; h && !x->unclear[i] && k < h->n; k++) {
			int64_t slice =
				sim_span_moves(h, k) ? slice_of_pass(x, h->span[k].from) : -1;

			if (slice >= 0 && v)
				v[n] = (struct moves){ slice, x->c->s->w->job[i].width };
			n += slice >= 0;
		}
	}
	return n;
}

static bool check_quota(struct slices_check *x)
{
	size_t n = list_moves(x, NULL);
	struct moves *v = malloc((n + 1) * sizeof(*v));
	int64_t tasks = 0;

	if (!v)
		return false;
	list_moves(x, v);
	qsort(v, n, sizeof(*v), by_slice);
	for (size_t i = 0; i < n; i++) {
		tasks = (i && v[i].slice == v[i - 1].slice ? tasks : 0) + v[i].tasks;
		if (tasks > x->by->quota && tasks - v[i].tasks <= x->by->quota)
			violation(x->c,
				  "slice %" PRId64 ": %" PRId64
				  " tasks migrated, and no more than %" PRId64 " may be",
				  v[i].slice, tasks, x->by->quota);
	}
	free(v);
	return true;
}

/* ---- rows ---- */

/* A job has these nodes for that time, whether it runs or not. */
struct place {
	int64_t from, to;
	const struct nodeset *nodes;
};

static size_t add_places(struct place *v, size_t n, const struct sim_outcome *o)
{
	const struct sim_history *h = o->history;

	v[n++] = (struct place){ o->start, o->end, h && h->n ? h->span[0].nodes : o->nodes };
	for (size_t k = 1; h && k < h->n; k++) {
		if (!sim_span_moves(h, k))
			continue;
		v[n - 1].to = h->span[k].from;
		v[n++] = (struct place){ h->span[k].from, o->end, h->span[k].nodes };
	}
	return n;
}

/* By time; what is given back first. NULL: no memory. */
static struct change *list_edges(const struct place *v, size_t n)
{
	struct change *edge = change_list(2 * n);

	for (size_t i = 0; edge && i < n; i++) {
		edge[i] = (struct change){ v[i].to, -1, (uint32_t)i };
		edge[n + i] = (struct change){ v[i].from, 1, (uint32_t)i };
	}
	if (edge)
		change_sort(edge, 2 * n, 2 * n);
	return edge;
}

/* What is promised takes no turns. */
static bool takes_row(const struct sim_outcome *o)
{
	return ran(o) && o->nodes && o->end > o->start && !o->promised;
}

/* `list` has room for all nodes. */
static void count_edge(struct slices_check *x, const struct change *e, const struct nodeset *nodes,
		       uint32_t *list, int64_t *jobs)
{
	uint32_t count = nodeset_list(nodes, list);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t n = list[i];

		jobs[n] += e->used;
		if (e->used > 0 && jobs[n] > x->by->rows)
			violation(x->c,
				  "time %" PRId64 ": node %" PRIu32 ": %" PRId64
				  " jobs, and %" PRId64 " rows",
				  e->at, n, jobs[n], x->by->rows);
	}
}

static bool check_rows(struct slices_check *x)
{
	const struct schedule *s = x->c->s;
	int64_t *jobs = calloc(s->nodes, sizeof(*jobs));
	uint32_t *list = calloc(s->nodes, sizeof(*list));
	struct place *v = malloc((s->w->count + x->moves + 1) * sizeof(*v));
	struct change *edge = NULL;
	size_t n = 0;

	for (size_t i = 0; i < s->w->count && v; i++)
		if (takes_row(&s->out[i]))
			n = add_places(v, n, &s->out[i]);
	if (jobs && list && v)
		edge = list_edges(v, n);
	for (size_t i = 0; edge && i < 2 * n; i++)
		count_edge(x, &edge[i], v[edge[i].mark].nodes, list, jobs);
	free(jobs);
	free(list);
	free(v);
	free(edge);
	return edge;
}

/* ---- all of it ---- */

static size_t count_moves(const struct schedule *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->w->count; i++) {
		const struct sim_history *h = s->out[i].history;

		for (size_t k = 0; h && k < h->n; k++)
			n += sim_span_moves(h, k);
	}
	return n;
}

static bool make_lists(struct slices_check *x)
{
	const struct schedule *s = x->c->s;
	size_t n = 4 * s->w->count + 2 * s->nevents + 1;

	x->moves = count_moves(s);
	n += x->moves;
	for (size_t i = 0; i < s->w->count; i++)
		x->promises |= s->out[i].promised;
	x->instant = malloc(n * sizeof(*x->instant));
	x->anchor = malloc(n * sizeof(*x->anchor));
	x->order = malloc(n * sizeof(*x->order));
	x->sorted = change_list(n);
	x->room = n;
	x->unclear = calloc(s->w->count + 1, sizeof(*x->unclear));
	x->whole = malloc(n * sizeof(*x->whole));
	if (!x->instant || !x->anchor || !x->order || !x->sorted || !x->unclear || !x->whole)
		return false;
	list_instants(x);
	list_started(x, true);
	for (; x->whole_n < x->nsorted; x->whole_n++)
		x->whole[x->whole_n] = x->sorted[x->whole_n].mark;
	list_started(x, false);
	for (; x->ran < x->nsorted; x->ran++)
		x->order[x->ran] = x->sorted[x->ran].mark;
	return true;
}

/* What is promised has its nodes from its start to its end, and no switch is charged. */
static void check_promised(struct check *c)
{
	for (size_t i = 0; i < c->s->w->count; i++)
		if (c->s->out[i].promised && c->s->out[i].history)
			violation(c, "job %" PRIu64 " takes turns, and was promised its deadline",
				  c->s->w->job[i].id);
}

bool check_slices(struct check *c)
{
	struct slices_check x = { .c = c, .by = c->s->slices };
	bool ok = make_lists(&x);

	x.sliced = x.by->rows > 1 || x.by->discrete;
	if (ok && x.sliced)
		find_slices(&x);
	for (size_t i = 0; i < x.ran && ok; i++) {
		ok = find_aways(c->s->out, x.whole, x.whole_n, x.order[i], &x.aways);
		if (ok) {
			check_aways(c, x.order[i], &x.aways);
			check_turns(&x, x.order[i]);
		}
		check_spans(&x, x.order[i]);
	}
	check_promised(c);
	ok = ok && (!x.sliced || check_quota(&x)) && check_rows(&x);
	free(x.instant);
	free(x.anchor);
	free(x.order);
	free(x.sorted);
	free(x.unclear);
	free(x.whole);
	free(x.aways.away);
	return ok;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chart.c - pact plan as a picture
 */
#include "contrib/pact/show/chart.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/pact/show/show.h"
#include "draw/gantt.h"

#define NODES_MAX 1000000
/* Shown after now, if the plan says nothing that is later. */
#define SPAN_LEAST 3600

/* Which nodes a job is drawn on: reserved later, not reserved while it runs, any. */
enum where { BEFORE, BESIDE, OVER };

/* Reservations of one node. */
struct stay {
	int32_t during, after;
};

/* A band, and the bar that it is a part of. */
struct piece {
	size_t bar;
	struct gantt_band band;
};

/* A job that is to give nodes back by then has these ranges from then on, behind those of all its nodes. */
struct later {
	size_t bar, ranges;
	int64_t by;
};

struct chart {
	struct rows rows;
	struct gantt_bar *bar;
	size_t *first; /* of a bar's ranges, which move while the list grows */
	size_t bars;
	int64_t *free_at;  /* when a node is free for what is drawn next */
	size_t reserved;   /* the first bars are reservations */
	struct stay *stay; /* of each node, beside what is drawn next; one more */
	enum where where;
	uint32_t nodes;
	int64_t now, to;
	char (*label)[32], (*user)[64];
	const char **names;
	struct later *later;
	size_t laters;
	struct gantt_turn *turn; /* two for each of these */
	bool *leaves;		 /* scratch, of each node */
	/* Of nodes that jobs share. */
	struct piece *piece;
	size_t pieces;
	struct gantt_band *band;
};

/*
 * Which nodes are reserved while the bar lasts, and which after it.  Each range is noted where it
 * begins and ends, and added up along the nodes: the cost is the sum of both, not their product.
 */
static void look(struct chart *c, const struct gantt_bar *bar)
{
	struct stay sum = { 0, 0 };

	memset(c->stay, 0, ((size_t)c->nodes + 1) * sizeof(*c->stay));
	for (size_t i = 0; i < c->reserved; i++) {
		const struct gantt_bar *other = &c->bar[i];
		bool after = other->start >= bar->end;

		if (other->end <= bar->start)
			continue;
		for (size_t k = 0; k < other->ranges; k++) {
			const struct rows_range *r = &c->rows.range[c->first[i] + k];

			c->stay[r->first].during += !after;
			c->stay[r->first].after += after;
			c->stay[r->last + 1].during -= !after;
			c->stay[r->last + 1].after -= after;
		}
	}
	for (uint32_t i = 0; i < c->nodes; i++) {
		sum.during += c->stay[i].during;
		sum.after += c->stay[i].after;
		c->stay[i] = sum;
	}
}

static bool overlap(const struct chart *c, uint32_t node, const struct gantt_bar *bar)
{
	if (c->free_at[node] > bar->start)
		return true;
	if (c->where == OVER)
		return false;
	return c->stay[node].during || (c->where == BEFORE && !c->stay[node].after);
}

/* The first run of nodes that are free from this start on and as many as asked; else nodes. */
static uint32_t find_run(const struct chart *c, const struct gantt_bar *bar, uint32_t width)
{
	uint32_t run = 0;

	for (uint32_t i = 0; i < c->nodes; i++) {
		run = overlap(c, i, bar) ? 0 : run + 1;
		if (run == width)
			return i + 1 - width;
	}
	return c->nodes;
}

static int take(struct chart *c, struct gantt_bar *bar, uint32_t first, uint32_t last)
{
	/* A node that drains runs a job, and is not free after it. */
	for (uint32_t i = first; i <= last; i++)
		c->free_at[i] = bar->end > c->free_at[i] ? bar->end : c->free_at[i];
	bar->ranges++;
	return rows_add(&c->rows, first, last);
}

static uint32_t count_free(const struct chart *c, const struct gantt_bar *bar)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->nodes; i++)
		n += !overlap(c, i, bar);
	return n;
}

/*
 * Nodes for a job that has only a number of them.  If it ends before a reservation begins,
 * the reserved ones, so that the others are left for jobs that run longer; where all others
 * are too few, it is one of those for which they are reserved.
 */
static int spread(struct chart *c, struct gantt_bar *bar, uint32_t width)
{
	uint32_t first;
	int rc = 0;

	c->where = c->reserved ? BEFORE : OVER;
	if (c->reserved)
		look(c, bar);
	while (c->where != OVER && count_free(c, bar) < width)
		c->where++;
	first = find_run(c, bar, width);
	if (first < c->nodes)
		return take(c, bar, first, first + width - 1);
	for (uint32_t i = 0; !rc && i < c->nodes && width; i++) {
		first = i;
		while (i < c->nodes && i - first < width && !overlap(c, i, bar))
			i++;
		if (i == first)
			continue;
		width -= i - first;
		rc = take(c, bar, first, i - 1);
	}
	return rc;
}

/* Ranges as the answer has them: [[first,last],...]; whether nothing else fits there until the bar ends. */
static int add_ranges(struct chart *c, struct gantt_bar *bar, json_object *ranges, bool holds)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < get_count(ranges); i++) {
		json_object *pair = json_object_array_get_idx(ranges, i);
		int64_t first, last;

		if (get_count(pair) != 2)
			continue;
		first = json_object_get_int64(json_object_array_get_idx(pair, 0));
		last = json_object_get_int64(json_object_array_get_idx(pair, 1));
		if (first < 0 || last < first || last >= c->nodes)
			continue;
		if (holds)
			rc = take(c, bar, (uint32_t)first, (uint32_t)last);
		else
			rc = rows_add(&c->rows, (uint32_t)first, (uint32_t)last);
		bar->ranges += !holds && !rc;
	}
	return rc;
}

/* The nodes of ranges as the answer has them: whether they leave. */
static void mark(struct chart *c, json_object *ranges, bool leave)
{
	for (size_t i = 0; i < get_count(ranges); i++) {
		json_object *pair = json_object_array_get_idx(ranges, i);
		int64_t first = json_object_get_int64(json_object_array_get_idx(pair, 0));
		int64_t last = json_object_get_int64(json_object_array_get_idx(pair, 1));

		for (int64_t n = first; get_count(pair) == 2 && n >= 0 && n <= last && n < c->nodes;
		     n++)
			c->leaves[n] = leave;
	}
}

/* The last bar is that of a job that is to give nodes back: these are free for others then. */
static int add_later(struct chart *c, json_object *job)
{
	struct gantt_bar *bar = &c->bar[c->bars - 1];
	json_object *range = get_member(job, "range"), *leave = get_member(range, "leaves_ranges");
	struct later later = { .bar = c->bars - 1, .by = get_number(range, "by") };
	size_t end = c->rows.count;
	int rc = 0;

	if (!get_count(leave) || later.by <= bar->start || later.by >= bar->end)
		return 0;
	mark(c, leave, true);
	for (size_t i = c->first[later.bar]; !rc && i < end; i++) {
		const struct rows_range all = c->rows.range[i];

		for (uint32_t n = all.first, from; !rc && n <= all.last; n++) {
			for (from = n; n <= all.last && !c->leaves[n];)
				n++;
			if (n > from)
				rc = rows_add(&c->rows, from, n - 1);
			if (n <= all.last && c->free_at[n] == bar->end)
				c->free_at[n] = later.by;
		}
	}
	mark(c, leave, false);
	later.ranges = c->rows.count - end;
	c->later[c->laters++] = later;
	return rc;
}

/* The list of rows has come to rest. */
static void add_turns(struct chart *c)
{
	for (size_t i = 0; i < c->laters; i++) {
		const struct later *later = &c->later[i];
		struct gantt_bar *bar = &c->bar[later->bar];
		struct gantt_turn *turn = &c->turn[2 * i];

		turn[0] = (struct gantt_turn){ bar->start, later->by, bar->range, bar->ranges };
		turn[1] = (struct gantt_turn){ later->by, bar->end, bar->range + bar->ranges,
					       later->ranges };
		bar->turn = turn;
		bar->turns = 2;
	}
}

static int add_job(struct chart *c, json_object *job)
{
	struct gantt_bar *bar = &c->bar[c->bars];
	bool waits = !strcmp(get_text(job, "state"), "waiting");
	int64_t width = get_number(job, "width"), start = get_number(job, "start");
	int rc;

	if (!start || width < 1)
		return 0;
	c->first[c->bars] = c->rows.count;
	show_job_name(job, c->label[c->bars]);
	show_user(get_number(job, "user"), c->user[c->bars]);
	*bar = (struct gantt_bar){
		.id = (uint64_t)get_number(job, "job"),
		.label = c->label[c->bars],
		.user = c->user[c->bars],
		.start = start,
		.end = get_number(job, "end") ? get_number(job, "end") : c->to,
		.deadline = get_number(job, "deadline"),
		.promised = get_bool(job, "promised"),
		.kind = waits ? GANTT_PLANNED : GANTT_RUNNING,
	};
	c->bars++;
	if (waits)
		return spread(c, bar, width < c->nodes ? (uint32_t)width : c->nodes);
	rc = add_ranges(c, bar, get_member(job, "ranges"), true);
	return rc ? rc : add_later(c, job);
}

static int add_down(struct chart *c, json_object *plan)
{
	struct gantt_bar *bar = &c->bar[c->bars];

	if (!get_count(get_member(plan, "down_ranges")))
		return 0;
	c->first[c->bars] = c->rows.count;
	*bar = (struct gantt_bar){
		.label = "down", .start = c->now, .end = c->to, .kind = GANTT_BLOCKED
	};
	c->bars++;
	return add_ranges(c, bar, get_member(plan, "down_ranges"), true);
}

/* Before all else: what is drawn later lies on top, such as the jobs of a reservation. */
static int add_reservations(struct chart *c, json_object *list)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < get_count(list); i++) {
		json_object *one = json_object_array_get_idx(list, i);
		struct gantt_bar *bar = &c->bar[c->bars];

		c->first[c->bars] = c->rows.count;
		*bar = (struct gantt_bar){
			.label = "reserved",
			.start = get_number(one, "start"),
			.end = get_member(one, "end") ? get_number(one, "end") : c->to,
			.kind = GANTT_BLOCKED,
		};
		c->bars++;
		rc = add_ranges(c, bar, get_member(one, "ranges"), false);
	}
	c->reserved = c->bars;
	return rc;
}

static int reserve(struct chart *c, json_object *plan)
{
	size_t most = get_count(get_member(plan, "jobs")) +
		      get_count(get_member(plan, "reservations")) + 1;
	json_object *names = get_member(plan, "names");

	c->bar = calloc(most, sizeof(*c->bar));
	c->first = calloc(most, sizeof(*c->first));
	c->label = calloc(most, sizeof(*c->label));
	c->user = calloc(most, sizeof(*c->user));
	c->free_at = calloc(c->nodes, sizeof(*c->free_at));
	c->stay = calloc((size_t)c->nodes + 1, sizeof(*c->stay));
	c->later = calloc(most, sizeof(*c->later));
	c->turn = calloc(2 * most, sizeof(*c->turn));
	c->leaves = calloc(c->nodes, sizeof(*c->leaves));
	if (get_count(names) == c->nodes)
		c->names = calloc(c->nodes, sizeof(*c->names));
	for (uint32_t i = 0; c->names && i < c->nodes; i++)
		c->names[i] = json_object_get_string(json_object_array_get_idx(names, i));
	return c->bar && c->first && c->label && c->user && c->free_at && c->stay && c->later &&
			       c->turn && c->leaves
		       ? 0
		       : ENOMEM;
}

/* ---- nodes that jobs share ---- */

/* The bar of that job; c->bars: there is none. */
static size_t bar_of(const struct chart *c, json_object *part)
{
	char name[32];
	size_t i = c->reserved;

	show_job_name(part, name);
	while (i < c->bars &&
	       (c->bar[i].id != (uint64_t)get_number(part, "job") || strcmp(c->label[i], name)))
		i++;
	return i;
}

/*
 * Each job's band lies upon those before it, as high as its share is now, from its start to its predicted end: how shares
 * change until then is not told.
 */
static void stack(struct chart *c, json_object *node)
{
	json_object *jobs = get_member(node, "jobs");
	int64_t number = get_number(node, "node");
	double low = 0, high;

	for (size_t i = 0; number >= 0 && number < c->nodes && i < get_count(jobs); i++) {
		json_object *part = json_object_array_get_idx(jobs, i);
		size_t bar = bar_of(c, part);
		int64_t end = get_member(part, "end") ? get_number(part, "end") : c->to;

		high = low + (double)get_number(part, "share") / 1e6;
		high = high < low ? low : high > 1 ? 1 : high;
		if (bar < c->bars && high > low)
			c->piece[c->pieces++] = (struct piece){
				.bar = bar,
				.band = { .node = (uint32_t)number,
					  .from = (double)c->bar[bar].start,
					  .to = (double)(end > c->now ? end : c->now + 1),
					  .low = low,
					  .high = high },
			};
		low = high;
	}
}

/* By bar, then node: bars get theirs in one piece. */
static int by_bar(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->bar != y->bar)
		return x->bar < y->bar ? -1 : 1;
	return x->band.node < y->band.node ? -1 : x->band.node > y->band.node;
}

static int add_bands(struct chart *c, json_object *shares)
{
	size_t n = 0;

	for (size_t i = 0; i < get_count(shares); i++)
		n += get_count(get_member(json_object_array_get_idx(shares, i), "jobs"));
	c->piece = calloc(n + 1, sizeof(*c->piece));
	c->band = calloc(n + 1, sizeof(*c->band));
	if (!c->piece || !c->band)
		return ENOMEM;
	for (size_t i = 0; i < get_count(shares); i++)
		stack(c, json_object_array_get_idx(shares, i));
	qsort(c->piece, c->pieces, sizeof(*c->piece), by_bar);
	for (size_t i = 0; i < c->pieces; i++) {
		struct gantt_bar *bar = &c->bar[c->piece[i].bar];

		c->band[i] = c->piece[i].band;
		if (!bar->bands++)
			bar->band = &c->band[i];
	}
	return 0;
}

/* What is shown of time: from the first start that is not long ago to the last end or deadline. */
static int64_t find_span(struct chart *c, json_object *plan)
{
	json_object *jobs = get_member(plan, "jobs");
	int64_t from = c->now, back;

	c->to = c->now + SPAN_LEAST;
	for (size_t i = 0; i < get_count(jobs); i++) {
		json_object *job = json_object_array_get_idx(jobs, i);
		int64_t end = get_number(job, "end"), start = get_number(job, "start");
		int64_t deadline = get_bool(job, "promised") ? get_number(job, "deadline") : 0;

		c->to = end > c->to ? end : c->to;
		c->to = deadline > c->to ? deadline : c->to;
		from = start && start < from ? start : from;
	}
	/* The past is the smaller part. */
	back = (c->to - c->now) / 4;
	return from > c->now - back ? from : c->now - back;
}

static int draw(struct chart *c, json_object *plan, FILE *out)
{
	char at[32], title[80];
	struct gantt_chart chart = { .nodes = c->nodes, .now = c->now, .clock = TICKS_DAYTIME };
	json_object *jobs = get_member(plan, "jobs");
	int rc;

	chart.from = find_span(c, plan);
	chart.to = c->to;
	rc = reserve(c, plan);
	if (!rc)
		rc = add_reservations(c, get_member(plan, "reservations"));
	if (!rc)
		rc = add_down(c, plan);
	for (size_t i = 0; !rc && i < get_count(jobs); i++)
		rc = add_job(c, json_object_array_get_idx(jobs, i));
	if (!rc)
		rc = add_bands(c, get_member(plan, "shares"));
	if (rc)
		return rc;
	for (size_t i = 0; i < c->bars; i++)
		c->bar[i].range = c->rows.range + c->first[i];
	add_turns(c);
	snprintf(title, sizeof(title), "Plan of %s", show_time(get_number(plan, "at"), at));
	chart.title = title;
	if (c->pieces)
		chart.subtitle = "where jobs share nodes, bands are as high as their shares now";
	chart.node_name = c->names;
	chart.bar = c->bar;
	chart.bars = c->bars;
	return gantt_svg(&chart, out);
}

int chart_draw(json_object *plan, FILE *out)
{
	struct chart c = { .now = get_number(plan, "now") };
	int64_t nodes = get_number(plan, "nodes");
	int rc;

	if (nodes < 1 || nodes > NODES_MAX)
		return EINVAL;
	c.nodes = (uint32_t)nodes;
	rc = draw(&c, plan, out);
	rows_release(&c.rows);
	free(c.bar);
	free(c.first);
	free(c.label);
	free(c.user);
	free(c.free_at);
	free(c.stay);
	free(c.names);
	free(c.later);
	free(c.turn);
	free(c.leaves);
	free(c.piece);
	free(c.band);
	return rc;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ref_gang: see ref_gang.h. Plain on purpose. */
#include "testsuite/unit/ref_gang.h"

#include <string.h>

#define MOST_INSTANTS 1000000

struct gang {
	const struct ref_gang_setup *c;
	struct ref_gang_job *job;
	int n, rows;
	int64_t now;
	char cell[REF_GANG_ROWS][REF_GANG_NODES + 1];
	/* the slice under way, when `sliced`; else `slice` is the last one that was */
	bool sliced;
	int64_t slice, began, ends;
	int64_t used;	 /* tasks migrated in it */
	int64_t counter; /* of entries and seats */
};

static const enum ref_gang_phase plain[] = { REF_CLEAN, REF_COMPACT, REF_SCHEDULE, REF_FILL };
static const enum ref_gang_phase migrating[] = { REF_CLEAN,	REF_COMPACT,   REF_SCHEDULE,
						 REF_COLLAPSE2, REF_SCHEDULE2, REF_FILL,
						 REF_FILL2 };

/* ---- the matrix ---- */

static char letter(int i)
{
	return (char)('A' + i);
}

static bool is_in(const struct gang *g, int i, int row)
{
	for (int x = 0; x < g->c->nodes; x++)
		if (g->cell[row][x] == letter(i))
			return true;
	return false;
}

static bool only_in(const struct gang *g, int i, int row)
{
	for (int r = 0; r < g->rows; r++)
		if (r != row && is_in(g, i, r))
			return false;
	return is_in(g, i, row);
}

static void put(struct gang *g, int i, int row)
{
	for (int x = 0; x < g->c->nodes; x++)
		if (g->job[i].column[x])
			g->cell[row][x] = letter(i);
}

static void take_out(struct gang *g, int i, int row)
{
	for (int x = 0; x < g->c->nodes; x++)
		if (g->cell[row][x] == letter(i))
			g->cell[row][x] = '.';
}

/* Columns taken. */
static int population(const struct gang *g, int row)
{
	int taken = 0;

	for (int x = 0; x < g->c->nodes; x++)
		taken += g->cell[row][x] != '.';
	return taken;
}

static int free_columns(const struct gang *g, int row)
{
	return g->c->nodes - population(g, row);
}

static bool empty(const struct gang *g)
{
	for (int r = 0; r < g->rows; r++)
		if (population(g, r) > 0)
			return false;
	return true;
}

/* Are the job's own columns free in this row? */
static bool columns_free(const struct gang *g, int i, int row)
{
	for (int x = 0; x < g->c->nodes; x++)
		if (g->job[i].column[x] && g->cell[row][x] != '.')
			return false;
	return true;
}

/* Its columns become the lowest free ones of the row, where it is put. */
static void put_lowest(struct gang *g, int i, int row)
{
	int left = g->job[i].width;

	for (int x = 0; x < g->c->nodes; x++) {
		g->job[i].column[x] = left > 0 && g->cell[row][x] == '.';
		left -= g->job[i].column[x];
	}
	put(g, i, row);
}

static void make_home(struct gang *g, int i, int row)
{
	g->job[i].home = row;
	g->job[i].seat = ++g->counter;
}

/* Rows by population, which goes into `of`; ties lowest first. */
static void sort_rows(const struct gang *g, int *of, bool descending, int *list)
{
	for (int r = 0; r < g->rows; r++) {
		int k = r;

		of[r] = population(g, r);
		for (; k > 0 && (descending ? of[list[k - 1]] < of[r] : of[list[k - 1]] > of[r]);
		     k--)
			list[k] = list[k - 1];
		list[k] = r;
	}
}

/* ---- aligned columns, which are ours ---- */

static int common(const struct gang *g, const bool *open, int row, char of)
{
	int n = 0;

	for (int x = 0; x < g->c->nodes; x++)
		n += open[x] && g->cell[row][x] == of;
	return n;
}

/* The columns that another row leaves free, if they suffice: of all rows the one with most. False: none has enough. */
static bool narrow_to_free(const struct gang *g, bool *open, int width, bool *seen)
{
	int best = -1;

	for (int r = 0; r < g->rows; r++)
		if (!seen[r] && common(g, open, r, '.') >= width &&
		    (best < 0 || common(g, open, r, '.') > common(g, open, best, '.')))
			best = r;
	if (best < 0)
		return false;
	seen[best] = true;
	for (int x = 0; x < g->c->nodes; x++)
		open[x] &= g->cell[best][x] == '.';
	return true;
}

/*
 * The columns of few jobs of another row (what is free counts as one's): those of the one that has least beyond what is
 * still needed, or, if none has enough, of the one that has most, and so on; ties: the lowest column.
 */
static void narrow_to_few(const struct gang *g, bool *open, int width, int row)
{
	bool kept[REF_GANG_NODES] = { false };

	while (width > 0) {
		int best = -1, most = 0;

		for (int x = 0; x < g->c->nodes; x++) {
			int n = open[x] ? common(g, open, row, g->cell[row][x]) : 0;

			if (n > 0 && (most >= width ? n >= width && n < most : n > most)) {
				best = x;
				most = n;
			}
		}
		for (int x = 0; x < g->c->nodes && best >= 0; x++) {
			if (open[x] && x != best && g->cell[row][x] == g->cell[row][best]) {
				kept[x] = true;
				open[x] = false;
			}
		}
		kept[best] = true;
		open[best] = false;
		width -= most;
	}
	memcpy(open, kept, sizeof(kept));
}

static void put_aligned(struct gang *g, int i, int row)
{
	bool open[REF_GANG_NODES] = { false }, seen[REF_GANG_ROWS] = { false };
	int of[REF_GANG_ROWS] = { 0 }, list[REF_GANG_ROWS], left = g->job[i].width;

	for (int x = 0; x < g->c->nodes; x++)
		open[x] = g->cell[row][x] == '.';
	seen[row] = true;
	while (narrow_to_free(g, open, left, seen))
		;
	sort_rows(g, of, false, list);
	for (int k = 0; k < g->rows; k++)
		if (!seen[list[k]])
			narrow_to_few(g, open, left, list[k]);
	for (int x = 0; x < g->c->nodes; x++) {
		g->job[i].column[x] = left > 0 && open[x];
		left -= g->job[i].column[x];
	}
	put(g, i, row);
}

/* ---- rows for short jobs, which are ours ---- */

static bool keeps_rows(const struct gang *g)
{
	return g->c->kind == REF_BGS || g->c->kind == REF_MBGS;
}

static bool may_be_home(const struct gang *g, int i, int row)
{
	int64_t most = g->c->short_time;

	for (int r = g->rows - 1; r > row; r--)
		most *= 2;
	return !keeps_rows(g) || row < g->rows - g->c->short_rows || g->job[i].estimate <= most;
}

/* ---- slices and costs ---- */

/* The first slice that will be whole, as far as this pass can tell. */
static int64_t first_whole(const struct gang *g)
{
	return g->sliced && g->began == g->now ? g->slice : g->slice + 1;
}

/* The clock algorithm: the first slice of the row comes at most a cycle after the job's last one. */
static bool clock_allows(const struct gang *g, int i, int row)
{
	int64_t k = first_whole(g);

	while (k % g->rows != row)
		k++;
	return k <= g->job[i].last + g->rows;
}

static void begin_slice(struct gang *g)
{
	g->slice++;
	g->sliced = true;
	g->began = g->now;
	g->ends = g->now + g->c->slice;
}

/* A job whose end is about to be told loses nothing any more. */
static void charge(struct ref_gang_job *j, int64_t cost)
{
	if (j->ending)
		return;
	j->due += cost;
	j->lost += cost;
	j->lost_migrating += cost;
}

/* C of a job. */
static int64_t cost_of(const struct gang *g, int i)
{
	return g->job[i].cost > 0 ? g->job[i].cost : g->c->cost;
}

/* Half of a cost, rounded half up. */
static int64_t half(int64_t cost)
{
	return (cost + 1) / 2;
}

/* ---- capacity by counts ---- */

struct span {
	int64_t start, end;
	int width;
};

static bool backfills(const struct gang *g)
{
	return g->c->kind != REF_GS && g->c->kind != REF_MGS;
}

/* Until when it is thought to be in the matrix. */
static int64_t stays(const struct gang *g, const struct ref_gang_job *j)
{
	return j->predicted >= g->now ? j->predicted : g->now + g->c->lateness;
}

static bool waits(const struct ref_gang_job *j)
{
	return j->submitted && !j->done && j->home < 0;
}

/* What takes capacity of a row: its home jobs and the reservations there, not the replicas. */
static int spans_of(const struct gang *g, int row, struct span *span)
{
	int n = 0;

	for (int i = 0; i < g->n; i++) {
		const struct ref_gang_job *j = &g->job[i];

		if (j->home == row)
			span[n++] = (struct span){ g->now, stays(g, j), j->width };
		if (waits(j) && j->reserved == row)
			span[n++] = (struct span){ j->from, j->until, j->width };
	}
	return n;
}

static int taken_at(const struct span *span, int n, int64_t t)
{
	int taken = 0;

	for (int i = 0; i < n; i++)
		if (span[i].start <= t && t < span[i].end)
			taken += span[i].width;
	return taken;
}

/* Is the width free over all of [from, until)? Capacity drops only where a span begins. */
static bool has_room(const struct gang *g, int row, int width, int64_t from, int64_t until)
{
	struct span span[2 * REF_GANG_JOBS];
	int n = spans_of(g, row, span);

	if (from < until && taken_at(span, n, from) + width > g->c->nodes)
		return false;
	for (int i = 0; i < n; i++)
		if (from < span[i].start && span[i].start < until &&
		    taken_at(span, n, span[i].start) + width > g->c->nodes)
			return false;
	return true;
}

/* The earliest time from now on: it is now, or the end of a span. */
static int64_t earliest(const struct gang *g, int row, int width, int64_t length)
{
	struct span span[2 * REF_GANG_JOBS];
	int n = spans_of(g, row, span);
	int64_t best = -1;

	if (has_room(g, row, width, g->now, g->now + length))
		return g->now;
	for (int i = 0; i < n; i++)
		if (span[i].end > g->now && (best < 0 || span[i].end < best) &&
		    has_room(g, row, width, span[i].end, span[i].end + length))
			best = span[i].end;
	return best;
}

/* ---- CleanMatrix, CompactMatrix, CollapseMatrix-2 ---- */

static void clean(struct gang *g)
{
	for (int r = 0; r < g->rows; r++)
		for (int i = 0; i < g->n; i++)
			if (g->job[i].home != r)
				take_out(g, i, r);
}

/* The jobs at home in a row in its order, or the narrowest first; how many. */
static int at_home(const struct gang *g, int row, bool narrowest, int *list)
{
	int n = 0;

	for (int i = 0; i < g->n; i++) {
		const struct ref_gang_job *j = &g->job[i];
		int k = n;

		if (j->home != row)
			continue;
		for (; k > 0 && (narrowest ? g->job[list[k - 1]].width > j->width
					   : g->job[list[k - 1]].seat > j->seat);
		     k--)
			list[k] = list[k - 1];
		list[k] = i;
		n++;
	}
	return n;
}

/* Leaving its columns aside, may the job get a new home? */
static bool may_move(const struct gang *g, int i, int row)
{
	const struct ref_gang_job *j = &g->job[i];

	return !is_in(g, i, row) && may_be_home(g, i, row) && clock_allows(g, i, row) &&
	       (!backfills(g) || has_room(g, row, j->width, g->now, stays(g, j)));
}

static void move(struct gang *g, int i, int row)
{
	take_out(g, i, g->job[i].home);
	put(g, i, row);
	make_home(g, i, row);
}

static void try_move(struct gang *g, int i, int row)
{
	if (columns_free(g, i, row) && may_move(g, i, row))
		move(g, i, row);
}

/* The jobs in a row that have one of this job's columns, in row order; how many, and their tasks. */
static int overlapping(const struct gang *g, int i, int row, int *list, int *tasks)
{
	int n = 0;

	*tasks = 0;
	for (int b = 0; b < g->n; b++) {
		bool overlaps = false;
		int k = n;

		for (int x = 0; x < g->c->nodes; x++)
			overlaps |= g->job[i].column[x] && g->cell[row][x] == letter(b);
		if (!overlaps)
			continue;
		for (; k > 0 && g->job[list[k - 1]].seat > g->job[b].seat; k--)
			list[k] = list[k - 1];
		list[k] = b;
		n++;
		*tasks += g->job[b].width;
	}
	return n;
}

/* Option 1: each job that is in the way can go elsewhere in its row, being in no other. */
static bool can_give_way(const struct gang *g, const int *list, int n, int tasks, int row)
{
	for (int k = 0; k < n; k++)
		if (g->job[list[k]].migrating || !only_in(g, list[k], row))
			return false;
	return g->used + tasks <= g->c->quota;
}

static void note_migration(struct gang *g, int i)
{
	g->job[i].migrating = true;
	g->job[i].migrated += g->job[i].ending ? 0 : g->job[i].width;
	g->used += g->job[i].width;
}

/* The job goes on when the last of them has written its checkpoint. */
static int64_t slowest(const struct gang *g, const int *list, int n)
{
	int64_t cost = 0;

	for (int k = 0; k < n; k++)
		if (cost_of(g, list[k]) > cost)
			cost = cost_of(g, list[k]);
	return cost;
}

/* Option 1: they all leave, the job comes in, and they get the lowest free columns, each. */
static void give_way(struct gang *g, int i, int row, const int *list, int n)
{
	for (int k = 0; k < n; k++)
		take_out(g, list[k], row);
	put(g, i, row);
	for (int k = 0; k < n; k++) {
		put_lowest(g, list[k], row);
		note_migration(g, list[k]);
		charge(&g->job[list[k]], cost_of(g, list[k]));
	}
	charge(&g->job[i], half(slowest(g, list, n)));
}

/* Option 2: the job goes to the free columns; the others pay for having been in the way. */
static void evade(struct gang *g, int i, int row, const int *list, int n)
{
	take_out(g, i, g->job[i].home);
	put_lowest(g, i, row);
	make_home(g, i, row);
	note_migration(g, i);
	charge(&g->job[i], cost_of(g, i));
	for (int k = 0; k < n; k++)
		charge(&g->job[list[k]], half(cost_of(g, i)));
}

/* With migration: the cheaper of equations 4 and 5 (twice their values), option 1 if they are equal. */
static void try_collapse(struct gang *g, int i, int row)
{
	struct ref_gang_job *j = &g->job[i];
	int list[REF_GANG_JOBS], tasks;
	int n = overlapping(g, i, row, list, &tasks);
	int64_t cost1 = slowest(g, list, n) * j->width;
	int64_t cost2 = cost_of(g, i) * (2 * j->width + tasks);
	bool can1 = can_give_way(g, list, n, tasks, row);
	bool can2 = !j->migrating && only_in(g, i, j->home) && g->used + j->width <= g->c->quota;

	for (int k = 0; k < n; k++)
		cost1 += 2 * cost_of(g, list[k]) * g->job[list[k]].width;
	if (free_columns(g, row) < j->width || !may_move(g, i, row))
		return;
	if (n == 0) {
		move(g, i, row);
	} else if (can1 && (!can2 || cost1 <= cost2)) {
		take_out(g, i, j->home);
		give_way(g, i, row, list, n);
		make_home(g, i, row);
	} else if (can2) {
		evade(g, i, row, list, n);
	}
}

/* One row's jobs into the rows that have at least as many columns taken, the fullest first. */
static void empty_row(struct gang *g, int source, bool migrate)
{
	int of[REF_GANG_ROWS] = { 0 }, target[REF_GANG_ROWS], list[REF_GANG_JOBS];

	sort_rows(g, of, true, target);
	for (int t = 0; t < g->rows; t++) {
		int n = at_home(g, source, migrate, list);

		if (target[t] == source || of[target[t]] < of[source])
			continue;
		for (int k = 0; k < n; k++) {
			if (migrate)
				try_collapse(g, list[k], target[t]);
			else
				try_move(g, list[k], target[t]);
		}
	}
}

static void compact(struct gang *g, bool migrate)
{
	int of[REF_GANG_ROWS] = { 0 }, source[REF_GANG_ROWS];

	sort_rows(g, of, false, source);
	for (int s = 0; s < g->rows; s++)
		if (of[source[s]] > 0)
			empty_row(g, source[s], migrate);
}

/* ---- Schedule ---- */

static void place(struct gang *g, int i, int row)
{
	struct ref_gang_job *j = &g->job[i];

	if (g->c->aligned)
		put_aligned(g, i, row);
	else
		put_lowest(g, i, row);
	make_home(g, i, row);
	j->entered = ++g->counter;
	j->placed = g->now;
	j->predicted = g->now + g->rows * j->estimate;
	j->last = first_whole(g) - 1;
}

/* Does one job come before the other in the queue? `fit`: columns that were free at first. */
static bool goes_before(const struct gang *g, int a, int b, int fit)
{
	const struct ref_gang_job *p = &g->job[a], *q = &g->job[b];
	enum ref_gang_order order = g->c->kind == REF_BF ? g->c->order : REF_GANG_FCFS;

	if (order == REF_GANG_SJF && p->estimate != q->estimate)
		return p->estimate < q->estimate;
	if (order == REF_GANG_WFIT && p->width != q->width)
		return p->width < q->width;
	if (order == REF_GANG_BFIT && (p->width <= fit) != (q->width <= fit))
		return p->width <= fit;
	if (order == REF_GANG_BFIT && p->width <= fit && p->width != q->width)
		return p->width > q->width;
	return a < b;
}

static int in_turn(const struct gang *g, int *list)
{
	int fit = free_columns(g, 0), n = 0;

	for (int i = 0; i < g->n; i++) {
		int k = n;

		if (!waits(&g->job[i]))
			continue;
		for (; k > 0 && goes_before(g, i, list[k - 1], fit); k--)
			list[k] = list[k - 1];
		list[k] = i;
		n++;
	}
	return n;
}

/* GS: false when there is no row for it. */
static bool place_in_fullest(struct gang *g, int i)
{
	int best = -1;

	for (int r = 0; r < g->rows; r++)
		if (free_columns(g, r) >= g->job[i].width &&
		    (best < 0 || free_columns(g, r) < free_columns(g, best)))
			best = r;
	if (best >= 0)
		place(g, i, best);
	return best >= 0;
}

/* BGS: a place now that disturbs nothing in its row, or a reservation. */
static void place_or_reserve(struct gang *g, int i)
{
	struct ref_gang_job *j = &g->job[i];
	int64_t length = g->rows * j->estimate, start[REF_GANG_ROWS] = { 0 };
	int of[REF_GANG_ROWS] = { 0 }, list[REF_GANG_ROWS];

	sort_rows(g, of, true, list);
	for (int k = 0; k < g->rows; k++) {
		if (may_be_home(g, i, list[k]) && free_columns(g, list[k]) >= j->width &&
		    has_room(g, list[k], j->width, g->now, g->now + length)) {
			place(g, i, list[k]);
			return;
		}
	}
	for (int r = 0; r < g->rows; r++)
		start[r] = may_be_home(g, i, r) ? earliest(g, r, j->width, length) : INT64_MAX;
	j->reserved = 0;
	for (int r = 1; r < g->rows; r++)
		if (start[r] < start[j->reserved])
			j->reserved = r;
	j->from = start[j->reserved];
	j->until = j->from + length;
}

static void schedule(struct gang *g)
{
	int list[REF_GANG_JOBS];
	int n = in_turn(g, list);

	for (int i = 0; i < g->n; i++)
		g->job[i].reserved = -1;
	for (int k = 0; k < n; k++) {
		if (backfills(g))
			place_or_reserve(g, list[k]);
		else if (!place_in_fullest(g, list[k]))
			return;
	}
}

/* ---- FillMatrix, FillMatrix-2 ---- */

static int by_placement(const struct gang *g, int *list)
{
	int n = 0;

	for (int i = 0; i < g->n; i++) {
		int k = n;

		if (g->job[i].home < 0)
			continue;
		for (; k > 0 && g->job[list[k - 1]].entered > g->job[i].entered; k--)
			list[k] = list[k - 1];
		list[k] = i;
		n++;
	}
	return n;
}

static bool replicate(struct gang *g, int i)
{
	for (int r = 0; r < g->rows; r++) {
		if (columns_free(g, i, r)) {
			put(g, i, r);
			return true;
		}
	}
	return false;
}

static void fill(struct gang *g)
{
	int list[REF_GANG_JOBS];
	int n = by_placement(g, list);
	bool changed;

	do {
		changed = false;
		for (int k = 0; k < n; k++)
			changed |= replicate(g, list[k]);
	} while (changed);
}

static bool replicate_migrating(struct gang *g, int i)
{
	for (int r = 0; r < g->rows; r++) {
		int list[REF_GANG_JOBS], tasks;
		int n = overlapping(g, i, r, list, &tasks);

		if (is_in(g, i, r) || free_columns(g, r) < g->job[i].width)
			continue;
		if (n == 0) {
			put(g, i, r);
			return true;
		}
		if (can_give_way(g, list, n, tasks, r)) {
			give_way(g, i, r, list, n);
			return true;
		}
	}
	return false;
}

static void fill_migrating(struct gang *g)
{
	bool changed;

	do {
		changed = false;
		for (int i = 0; i < g->n; i++)
			if (g->job[i].home >= 0)
				changed |= replicate_migrating(g, i);
	} while (changed);
}

/* ---- passes ---- */

static void watch(struct gang *g, enum ref_gang_phase phase)
{
	struct ref_gang_view v = {
		.now = g->now,
		.phase = phase,
		.rows = g->rows,
		.nodes = g->c->nodes,
		.cell = (const char(*)[REF_GANG_NODES + 1]) g->cell,
		.slice = g->sliced ? g->slice : -1,
		.used = g->used,
		.begun = g->sliced && g->began == g->now,
	};

	if (g->c->watch)
		g->c->watch(g->c->arg, &v);
}

static void do_phase(struct gang *g, enum ref_gang_phase phase)
{
	if (g->c->quota == 0 &&
	    (phase == REF_COLLAPSE2 || phase == REF_SCHEDULE2 || phase == REF_FILL2))
		return;
	if (phase == REF_CLEAN)
		clean(g);
	else if (phase == REF_COMPACT || phase == REF_COLLAPSE2)
		compact(g, phase == REF_COLLAPSE2);
	else if (phase == REF_SCHEDULE || phase == REF_SCHEDULE2)
		schedule(g);
	else if (phase == REF_FILL)
		fill(g);
	else
		fill_migrating(g);
	watch(g, phase);
}

static void do_phases(struct gang *g)
{
	bool migrates = g->c->kind == REF_MGS || g->c->kind == REF_MBGS || g->c->kind == REF_AMBGS;
	const enum ref_gang_phase *own = migrates ? migrating : plain;
	size_t n = migrates ? sizeof(migrating) / sizeof(*own) : sizeof(plain) / sizeof(*own);

	for (int i = 0; i < g->n; i++)
		g->job[i].migrating = false;
	if (g->c->phase)
		n = g->c->phases;
	for (size_t k = 0; k < n; k++)
		do_phase(g, g->c->phase ? g->c->phase[k] : own[k]);
}

/*
 * What migrates in a pass counts in the slice that it is in, or that it begins: the slice that a pass cuts
 * short is over before the phases, and the one that the first job's pass begins has its whole quota.
 */
static void pass(struct gang *g)
{
	if (g->sliced && g->c->next && !g->c->discrete && g->began < g->now) {
		begin_slice(g);
		g->used = 0;
	}
	if (!g->sliced)
		g->used = 0;
	do_phases(g);
	if (!g->sliced && !empty(g))
		begin_slice(g);
}

static void after_event(struct gang *g)
{
	if (empty(g))
		g->sliced = false;
	if (!g->c->discrete || empty(g))
		pass(g);
}

static void finish(struct gang *g, int i)
{
	struct ref_gang_job *j = &g->job[i];

	for (int r = 0; r < g->rows; r++)
		take_out(g, i, r);
	j->home = -1;
	j->running = false;
	j->done = true;
	j->end = g->now;
}

/* A job that did not run until now loses the cost of a switch. */
static void switch_to(struct ref_gang_job *j, int64_t cost)
{
	j->switches++;
	j->since = j->ran;
	j->due += cost;
	j->lost += cost;
}

/* The rest of a switch, if the job stops before that is over. */
static void remit(struct ref_gang_job *j, int64_t cost)
{
	int64_t rest = cost - (j->ran - j->since);

	if (rest > 0) {
		j->due -= rest;
		j->lost -= rest;
	}
}

/* Did it get a whole slice for its switch? A slice that was taken from it is none. */
static void count_slices(const struct gang *g, struct ref_gang_job *j, bool runs)
{
	bool cut = !runs && j->running && g->sliced && j->last == g->slice;
	bool begins = g->began == g->now;

	j->cut += cut;
	j->strays += (cut && j->fresh) || (runs && !j->running && !begins);
	if (begins || cut)
		j->fresh = runs && !j->running;
}

static bool begins_late(const struct gang *g, int i)
{
	int64_t half = g->c->slice / 2, most = g->c->slice - (half < 10 ? half : 10);

	most = g->c->launch_time < most ? g->c->launch_time : most;
	return g->job[i].start < 0 && g->ends - g->now < most &&
	       !is_in(g, i, (int)((g->slice + 1) % g->rows));
}

/* What runs from now on. */
static void settle(struct gang *g)
{
	int64_t cost = g->c->kind == REF_BF ? 0 : g->c->switching;

	for (int i = 0; i < g->n; i++) {
		struct ref_gang_job *j = &g->job[i];
		bool runs =
			g->sliced && is_in(g, i, (int)(g->slice % g->rows)) && !begins_late(g, i);

		if (runs && !j->running)
			switch_to(j, cost);
		if (!runs && j->running && g->c->remit)
			remit(j, cost);
		count_slices(g, j, runs);
		if (runs && j->start < 0)
			j->start = g->now;
		if (runs && g->began == g->now)
			j->last = g->slice;
		j->running = runs;
	}
	watch(g, REF_SETTLED);
}

/* Ours: the row goes on when its slice ends, as jobs wait that would fill one, and its turn is too short for its cost. */
static bool keeps_turn(const struct gang *g)
{
	int width = 0;

	for (int i = 0; i < g->n; i++)
		if (waits(&g->job[i]) && g->job[i].reserved >= 0)
			width += g->job[i].width;
	return g->c->kind == REF_AMBGS && g->rows > 1 && width >= g->c->nodes &&
	       g->c->switching * 10000 > g->c->loss * (g->now - g->began);
}

/* A job that has run all it must ends now, whatever the passes of this instant do to it before that is told. */
static void instant(struct gang *g)
{
	for (int i = 0; i < g->n; i++)
		g->job[i].ending = g->job[i].running && g->job[i].ran >= g->job[i].due;
	for (int i = 0; i < g->n; i++) {
		if (g->job[i].ending) {
			finish(g, i);
			after_event(g);
		}
	}
	for (int i = 0; i < g->n; i++) {
		if (g->job[i].submit == g->now) {
			g->job[i].submitted = true;
			after_event(g);
		}
	}
	if (g->sliced && g->ends == g->now) {
		if (keeps_turn(g))
			g->ends += g->c->slice;
		else
			begin_slice(g);
		g->used = 0;
		if (g->c->discrete)
			pass(g);
	}
	settle(g);
}

/* When something happens next; -1: never. */
static int64_t next_instant(const struct gang *g)
{
	int64_t next = g->sliced ? g->ends : -1;

	for (int i = 0; i < g->n; i++) {
		const struct ref_gang_job *j = &g->job[i];
		int64_t t = -1;

		if (!j->submitted)
			t = j->submit;
		else if (j->running)
			t = g->now + j->due - j->ran;
		if (t >= 0 && (next < 0 || t < next))
			next = t;
	}
	return next;
}

static bool begin(struct gang *g)
{
	const struct ref_gang_setup *c = g->c;

	if (c->nodes < 1 || c->nodes > REF_GANG_NODES || g->rows < 1 || g->rows > REF_GANG_ROWS ||
	    g->n > REF_GANG_JOBS || c->slice < 1 || c->switching < 0 || c->switching >= c->slice ||
	    c->cost < 0 || c->quota < 0 || (keeps_rows(g) && c->short_rows >= g->rows))
		return false;
	for (int r = 0; r < g->rows; r++)
		memset(g->cell[r], '.', (size_t)c->nodes);
	for (int i = 0; i < g->n; i++) {
		const struct ref_gang_job j = g->job[i];

		if (j.submit < 0 || (i > 0 && j.submit < g->job[i - 1].submit) || j.runtime < 1 ||
		    j.estimate < 1 || j.width < 1 || j.width > c->nodes)
			return false;
		g->job[i] = (struct ref_gang_job){
			.submit = j.submit,
			.runtime = j.runtime,
			.estimate = j.estimate,
			.width = j.width,
			.cost = j.cost,
			.placed = -1,
			.start = -1,
			.end = -1,
			.home = -1,
			.due = j.runtime,
			.reserved = -1,
		};
	}
	return true;
}

int ref_gang_run(const struct ref_gang_setup *setup, struct ref_gang_job *job, size_t n)
{
	struct gang g = {
		.c = setup,
		.job = job,
		.n = n > REF_GANG_JOBS ? REF_GANG_JOBS + 1 : (int)n,
		.rows = setup->kind == REF_BF ? 1 : setup->rows,
		.slice = -1,
	};

	if (!begin(&g))
		return REF_GANG_BAD;
	for (int k = 0; k < MOST_INSTANTS; k++) {
		int64_t next = next_instant(&g);

		if (next < 0)
			return 0;
		for (int i = 0; i < g.n; i++)
			if (job[i].running)
				job[i].ran += next - g.now;
		g.now = next;
		instant(&g);
	}
	return REF_GANG_ENDLESS;
}

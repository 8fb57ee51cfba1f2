/* SPDX-License-Identifier: GPL-2.0-or-later */
/* matrix: see matrix.h. Both pictures are made of the same columns, which are as wide as what stands in them. */
#include "draw/matrix.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "draw/page.h"
#include "draw/svg.h"

#define ROWS 64
#define LABEL 160 /* two names of nodes */
#define NUMBER 24

/* Neighbouring nodes. */
struct column {
	uint32_t first, last;
	double width; /* in characters or pixels */
};

struct table {
	const struct matrix_chart *c;
	struct column *column;
	size_t columns;
	uint32_t *cell; /* by row, then column: the number of the place from 1 on; 0: free */
	bool replicas, waiting, whole, free, others, leaves;
};

/* ---- columns ---- */

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Where a column may begin: a job begins or ends there. */
static size_t list_edges(const struct matrix_chart *c, uint32_t *edge)
{
	size_t n = 0, kept = 0;

	edge[n++] = 0;
	for (size_t i = 0; i < c->places; i++) {
		for (size_t k = 0; k < c->place[i].ranges; k++) {
			edge[n++] = c->place[i].range[k].first;
			edge[n++] = c->place[i].range[k].last + 1;
		}
	}
	qsort(edge, n, sizeof(*edge), by_number);
	for (size_t i = 0; i < n; i++)
		if (edge[i] < c->nodes && (!kept || edge[kept - 1] != edge[i]))
			edge[kept++] = edge[i];
	return kept;
}

static uint32_t *cell_at(const struct table *t, uint32_t row, size_t column)
{
	return &t->cell[row * t->columns + column];
}

/* The column that has the node. */
static size_t column_of(const struct table *t, uint32_t node)
{
	size_t from = 0, to = t->columns;

	while (to - from > 1) {
		size_t middle = from + (to - from) / 2;

		if (t->column[middle].first <= node)
			from = middle;
		else
			to = middle;
	}
	return from;
}

static void fill_range(struct table *t, size_t place, const struct rows_range *r)
{
	const struct matrix_place *p = &t->c->place[place];

	for (size_t k = column_of(t, r->first); k < t->columns && t->column[k].first <= r->last;
	     k++)
		for (uint32_t row = 0; row < t->c->rows; row++)
			if (p->rows >> row & 1)
				*cell_at(t, row, k) = (uint32_t)place + 1;
}

/* What has its nodes until it has left them comes last. */
static void fill_places(struct table *t, bool leaves)
{
	const struct matrix_chart *c = t->c;

	for (size_t i = 0; i < c->places; i++)
		for (size_t k = 0; k < c->place[i].ranges && c->place[i].leaves == leaves; k++)
			fill_range(t, i, &c->place[i].range[k]);
}

static bool is_replica(const struct matrix_place *p, uint32_t row)
{
	return !p->whole && p->home != row;
}

/* What of the signs is in use. */
static void look(struct table *t)
{
	for (uint32_t row = 0; row < t->c->rows; row++) {
		for (size_t k = 0; k < t->columns; k++) {
			uint32_t place = *cell_at(t, row, k);
			const struct matrix_place *p = place ? &t->c->place[place - 1] : NULL;

			t->free |= !p;
			t->replicas |= p && is_replica(p, row);
			t->whole |= p && p->whole;
			t->waiting |= p && !p->started;
			t->others |= p && p->other;
			t->leaves |= p && p->leaves;
		}
	}
}

static void release(struct table *t)
{
	free(t->column);
	free(t->cell);
}

/* 0 or an errno; release() is due in any case. */
static int make_table(const struct matrix_chart *c, struct table *t)
{
	size_t edges = 1;
	uint32_t *edge;

	*t = (struct table){ .c = c };
	if (!c->nodes || !c->rows || c->rows > ROWS)
		return EINVAL;
	for (size_t i = 0; i < c->places; i++)
		edges += 2 * c->place[i].ranges;
	edge = malloc(edges * sizeof(*edge));
	t->columns = edge ? list_edges(c, edge) : 0;
	t->column = calloc(t->columns + 1, sizeof(*t->column));
	t->cell = calloc(t->columns * c->rows + 1, sizeof(*t->cell));
	for (size_t k = 0; edge && t->column && k < t->columns; k++)
		t->column[k] =
			(struct column){ edge[k], (k + 1 < t->columns ? edge[k + 1] : c->nodes) - 1,
					 0 };
	free(edge);
	if (!edge || !t->column || !t->cell)
		return ENOMEM;
	fill_places(t, false);
	fill_places(t, true);
	look(t);
	return 0;
}

/* ---- words ---- */

/* Names whose beginnings are the same but for the digits at their ends: n[07-12]. */
static void name_range(const char *first, const char *last, char text[LABEL])
{
	size_t same = 0;

	while (first[same] && first[same] == last[same])
		same++;
	while (same && strchr("0123456789", first[same - 1]))
		same--;
	if (same && first[same] && last[same])
		snprintf(text, LABEL, "%.*s[%s-%s]", (int)same, first, first + same, last + same);
	else
		snprintf(text, LABEL, "%s-%s", first, last);
}

static void column_name(const struct table *t, size_t column, char text[LABEL])
{
	const struct column *k = &t->column[column];
	const char *const *name = t->c->node_name;

	if (name && k->first == k->last)
		snprintf(text, LABEL, "%s", name[k->first]);
	else if (name)
		name_range(name[k->first], name[k->last], text);
	else if (k->first == k->last)
		snprintf(text, LABEL, "%" PRIu32, k->first);
	else
		snprintf(text, LABEL, "%" PRIu32 "-%" PRIu32, k->first, k->last);
}

/* Its name or number. */
static const char *job_name(const struct matrix_place *p, char text[NUMBER])
{
	if (p->other)
		return "?";
	if (p->name)
		return p->name;
	snprintf(text, NUMBER, "%" PRIu64, p->id);
	return text;
}

/* A replica stands in brackets; a job that has not started has a ~, a whole one a *, one that is to leave its nodes a !. */
static void cell_name(const struct table *t, uint32_t row, size_t column, char text[LABEL])
{
	uint32_t place = *cell_at(t, row, column);
	const struct matrix_place *p = place ? &t->c->place[place - 1] : NULL;
	char name[NUMBER];

	if (!p)
		snprintf(text, LABEL, ".");
	else
		snprintf(text, LABEL, "%s%s%s%s%s%s", is_replica(p, row) ? "(" : "",
			 job_name(p, name), p->started ? "" : "~", p->whole ? "*" : "",
			 p->leaves ? "!" : "", is_replica(p, row) ? ")" : "");
}

static uint32_t taken(const struct table *t, uint32_t row)
{
	uint32_t n = 0;

	for (size_t k = 0; k < t->columns; k++)
		if (*cell_at(t, row, k))
			n += t->column[k].last - t->column[k].first + 1;
	return n;
}

static void row_name(const struct table *t, uint32_t row, char text[LABEL])
{
	snprintf(text, LABEL, "row %" PRIu32 ": %" PRIu32, row, taken(t, row));
}

/* How wide the column must be for its words; `wide` says how wide some are. */
static void measure(struct table *t, double (*wide)(const char *text))
{
	char text[LABEL];

	for (size_t k = 0; k < t->columns; k++) {
		column_name(t, k, text);
		t->column[k].width = wide(text);
		for (uint32_t row = 0; row < t->c->rows; row++) {
			double width;

			cell_name(t, row, k, text);
			width = wide(text);
			if (width > t->column[k].width)
				t->column[k].width = width;
		}
	}
}

/* How many columns from this one on fit beside each other, at least one. */
static size_t fit(const struct table *t, size_t from, double room)
{
	size_t n = 0;

	while (from + n < t->columns && (!n || t->column[from + n].width <= room))
		room -= t->column[from + n++].width;
	return n;
}

/* ---- as text ---- */

#define PAPER 100
#define MARGIN 18

static double characters(const char *text)
{
	return (double)strlen(text) + 2;
}

static void text_block(const struct table *t, size_t from, size_t n, FILE *out)
{
	char text[LABEL];

	fprintf(out, "\n%-*s", MARGIN, "nodes");
	for (size_t k = from; k < from + n; k++) {
		column_name(t, k, text);
		fprintf(out, "%*s", (int)t->column[k].width, text);
	}
	fputc('\n', out);
	for (uint32_t row = 0; row < t->c->rows; row++) {
		row_name(t, row, text);
		fprintf(out, "%c %-*s", (int32_t)row == t->c->row ? '>' : ' ', MARGIN - 2, text);
		for (size_t k = from; k < from + n; k++) {
			cell_name(t, row, k, text);
			fprintf(out, "%*s", (int)t->column[k].width, text);
		}
		fputc('\n', out);
	}
}

static int written(FILE *out)
{
	errno = 0;
	if (fflush(out) == 0 && !ferror(out))
		return 0;
	return errno ? errno : EIO;
}

int matrix_text(const struct matrix_chart *chart, FILE *out)
{
	struct table t;
	int err = make_table(chart, &t);

	if (err) {
		release(&t);
		return err;
	}
	if (chart->title)
		fprintf(out, "%s\n", chart->title);
	if (chart->subtitle)
		fprintf(out, "%s\n", chart->subtitle);
	measure(&t, characters);
	for (size_t from = 0, n; from < t.columns; from += n) {
		n = fit(&t, from, PAPER - MARGIN);
		text_block(&t, from, n, out);
	}
	fprintf(out, "\nBehind a row: how many nodes are taken.%s%s%s%s%s%s%s\n",
		chart->row >= 0 ? " >: it runs." : "", t.replicas ? " (1): a replica." : "",
		t.waiting ? " 1~: not started." : "", t.whole ? " 1*: whole." : "",
		t.leaves ? " 1!: asked to leave its nodes for another one." : "",
		t.free ? " .: free." : "", t.others ? " ?: not for you to see." : "");
	release(&t);
	return written(out);
}

/* ---- in SVG ---- */

#define LEFT 110.0
#define RIGHT 24.0
#define TOP 64.0
#define HEIGHT 22.0
#define LETTERS 10.0

struct drawing {
	const struct table *t;
	FILE *out;
	double y;	/* of the block */
	double stretch; /* columns are so many times as wide as they must be */
};

static double pixels(const char *text)
{
	return svg_text_width(text, LETTERS) + 8;
}

static void tooltip(const struct matrix_place *p, FILE *out)
{
	uint64_t nodes = 0;
	char name[NUMBER];

	for (size_t k = 0; k < p->ranges; k++)
		nodes += (uint64_t)p->range[k].last - p->range[k].first + 1;
	fputs("<title>job ", out);
	svg_escape(out, job_name(p, name));
	fprintf(out, ": %" PRIu64 " node%s, ", nodes, nodes == 1 ? "" : "s");
	if (p->whole)
		fputs("whole", out);
	else
		fprintf(out, "home row %" PRIu32, p->home);
	if (!p->started)
		fputs(", not started", out);
	if (p->leaves)
		fputs(", asked to leave its nodes for another one", out);
	fputs("</title>", out);
}

static const char *cell_class(const struct matrix_place *p, uint32_t row)
{
	if (!p)
		return "r kn";
	if (p->other)
		return "b kb";
	if (is_replica(p, row))
		return "p kn";
	return p->whole ? "e kp" : p->started ? "e ko" : "e kn";
}

/* What is the same in neighbouring columns is one box. */
static void draw_box(const struct drawing *d, uint32_t row, size_t column, double x, double width)
{
	const struct table *t = d->t;
	uint32_t place = *cell_at(t, row, column);
	const struct matrix_place *p = place ? &t->c->place[place - 1] : NULL;
	double y = d->y + HEIGHT * row;
	char text[LABEL];

	fputs("<g>", d->out);
	if (p)
		tooltip(p, d->out);
	svg_rect(d->out, cell_class(p, row), x, y + 1, width, HEIGHT - 2);
	cell_name(t, row, column, text);
	if (p && svg_text_width(text, LETTERS) <= width)
		svg_text(d->out, "s", x + width / 2, y + HEIGHT - 7, SVG_MIDDLE, text);
	fputs("</g>\n", d->out);
}

static void draw_row(const struct drawing *d, uint32_t row, size_t from, size_t n)
{
	const struct table *t = d->t;
	double x = LEFT;

	for (size_t k = from; k < from + n;) {
		size_t first = k;
		double width = 0;

		for (; k < from + n && *cell_at(t, row, k) == *cell_at(t, row, first); k++)
			width += t->column[k].width * d->stretch;
		draw_box(d, row, first, x, width);
		x += width;
	}
	if ((int32_t)row == t->c->row)
		svg_rect(d->out, "f u", LEFT, d->y + HEIGHT * row, x - LEFT, HEIGHT);
}

static void draw_block(struct drawing *d, size_t from, size_t n)
{
	const struct table *t = d->t;
	double x = LEFT;
	char text[LABEL];

	svg_text(d->out, "s", LEFT - 8, d->y - 6, SVG_END, "nodes");
	for (size_t k = from; k < from + n; k++) {
		double width = t->column[k].width * d->stretch;

		column_name(t, k, text);
		svg_text(d->out, "s", x + width / 2, d->y - 6, SVG_MIDDLE, text);
		x += width;
	}
	for (uint32_t row = 0; row < t->c->rows; row++) {
		row_name(t, row, text);
		svg_text(d->out, "n", LEFT - 8, d->y + HEIGHT * row + HEIGHT - 7, SVG_END, text);
		draw_row(d, row, from, n);
	}
	d->y += HEIGHT * t->c->rows + 34;
}

static void explain(struct drawing *d, double *x, const char *class, const char *words)
{
	svg_rect(d->out, class, *x, d->y - 10, 26, 12);
	svg_text(d->out, "n", *x + 32, d->y, SVG_START, words);
	*x += 32 + svg_text_width(words, 11) + 18;
}

static void legend(struct drawing *d)
{
	double x = LEFT;

	explain(d, &x, "e ko", "job in its home row");
	if (d->t->replicas)
		explain(d, &x, "p kn", "(replica)");
	if (d->t->waiting)
		explain(d, &x, "e kn", "not started~");
	if (d->t->whole)
		explain(d, &x, "e kp", "whole*");
	if (d->t->leaves)
		explain(d, &x, "e ko", "asked to leave its nodes!");
	if (d->t->others)
		explain(d, &x, "b kb", "? not for you to see");
	if (d->t->free)
		explain(d, &x, "r kn", "free");
	if (d->t->c->row >= 0)
		explain(d, &x, "f u", "runs");
	d->y += 14;
}

#define LINE 16.0
#define MARGIN_LEFT 14.0 /* as the title's */

static double words_width(const struct matrix_chart *c, size_t column)
{
	double most = 0;

	for (size_t i = 0; i < c->lines; i++) {
		double width = svg_text_width(c->word[i * c->columns + column], 11);

		most = width > most ? width : most;
	}
	return most;
}

/* Column by column, for each is as wide as its longest word; a ruler is below the heads. */
static void draw_words(struct drawing *d)
{
	const struct matrix_chart *c = d->t->c;
	double x = MARGIN_LEFT, y = d->y + LINE;

	if (!c->lines)
		return;
	for (size_t k = 0; k < c->columns; k++) {
		bool right = c->right >> k & 1;
		double width = words_width(c, k);

		for (size_t i = 0; i < c->lines; i++)
			svg_text(d->out, "n", right ? x + width : x, y + LINE * (double)i,
				 right ? SVG_END : SVG_START, c->word[i * c->columns + k]);
		x += width + 14;
	}
	svg_line(d->out, "r", MARGIN_LEFT, y + 4, x - 14, y + 4);
	d->y = y + LINE * (double)c->lines;
}

static void draw(struct drawing *d)
{
	const struct table *t = d->t;
	double room = PAGE_WIDTH - LEFT - RIGHT, all = 0;

	if (t->c->title)
		svg_text(d->out, "l", 14, 24, SVG_START, t->c->title);
	if (t->c->subtitle)
		svg_text(d->out, "n", 14, 42, SVG_START, t->c->subtitle);
	for (size_t k = 0; k < t->columns; k++)
		all += t->column[k].width;
	d->stretch = all < room ? room / all : 1;
	for (size_t from = 0, n; from < t->columns; from += n) {
		n = fit(t, from, room);
		draw_block(d, from, n);
	}
	legend(d);
	draw_words(d);
}

int matrix_svg(const struct matrix_chart *chart, FILE *out)
{
	struct table t;
	struct drawing d = { .t = &t, .y = TOP + 14 };
	char *body = NULL;
	size_t size = 0;
	int err = make_table(chart, &t);

	if (!err) {
		measure(&t, pixels);
		d.out = open_memstream(&body, &size);
		err = d.out ? 0 : ENOMEM;
	}
	if (!err) {
		draw(&d);
		err = fclose(d.out) ? ENOMEM : page_write(chart->title, body, size, d.y, out);
	}
	free(body);
	release(&t);
	return err;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show_matrix.c - pact matrix in words and as a picture
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/pact/terminal/clean.h"
#include "contrib/pact/show/show.h"
#include "draw/matrix.h"

#define NODES_MAX 1000000
#define ROWS_MAX 64

struct picture {
	json_object *matrix;
	struct matrix_chart chart;
	struct matrix_place *place;
	size_t *first; /* of a place's ranges, which move while the list grows */
	char (*label)[32];
	struct rows ranges;
	const char **names;
	char **word; /* of the table below; owned, each of them */
	size_t words;
	char subtitle[320];
};

/* ---- what is drawn ---- */

static int64_t number_at(json_object *array, size_t i)
{
	return json_object_get_int64(json_object_array_get_idx(array, i));
}

/* [first,last] of nodes; false: it is none. */
static bool take_pair(json_object *pair, int64_t *first, int64_t *last)
{
	if (get_count(pair) != 2)
		return false;
	*first = number_at(pair, 0);
	*last = number_at(pair, 1);
	return *first >= 0 && *first <= *last && *last < NODES_MAX;
}

static size_t count_nodes(json_object *ranges)
{
	int64_t first, last;
	size_t n = 0;

	for (size_t i = 0; i < get_count(ranges) && n <= NODES_MAX; i++)
		if (take_pair(json_object_array_get_idx(ranges, i), &first, &last))
			n += (size_t)(last - first + 1);
	return n;
}

/* Nodes of the machine as columns: those that the matrix has, and in their order. */
static int add_range(struct picture *p, int64_t from, int64_t to)
{
	json_object *ranges = get_member(p->matrix, "ranges");
	int64_t first, last, column = 0;
	int rc = 0;

	for (size_t i = 0; !rc && i < get_count(ranges); i++) {
		int64_t low, high;

		if (!take_pair(json_object_array_get_idx(ranges, i), &first, &last))
			continue;
		low = from > first ? from : first;
		high = to < last ? to : last;
		if (low <= high)
			rc = rows_add(&p->ranges, (uint32_t)(column + low - first),
				      (uint32_t)(column + high - first));
		column += last - first + 1;
	}
	return rc;
}

/* A place with these nodes; its rows and the like are the caller's. NULL: no memory. */
static struct matrix_place *add_place(struct picture *p, json_object *ranges)
{
	struct matrix_place *place = &p->place[p->chart.places];
	int64_t first, last;
	int rc = 0;

	p->first[p->chart.places] = p->ranges.count;
	for (size_t i = 0; !rc && i < get_count(ranges); i++)
		if (take_pair(json_object_array_get_idx(ranges, i), &first, &last))
			rc = add_range(p, first, last);
	place->ranges = p->ranges.count - p->first[p->chart.places];
	p->chart.places++;
	return rc ? NULL : place;
}

static uint64_t take_rows(json_object *list)
{
	uint64_t rows = 0;

	for (size_t i = 0; i < get_count(list); i++) {
		int64_t row = number_at(list, i);

		if (row >= 0 && row < ROWS_MAX)
			rows |= UINT64_C(1) << row;
	}
	return rows;
}

static bool runs(json_object *job)
{
	return strcmp(get_text(job, "state"), "waiting") != 0;
}

/* In its rows it has these nodes, or is to have them: `next`, of one that leaves others for them. */
static int add_job(struct picture *p, json_object *job, bool next)
{
	json_object *turns = get_member(job, "turns");
	char *label = p->label[p->chart.places];
	struct matrix_place *place = add_place(p, get_member(job, next ? "next_ranges" : "ranges"));

	if (!place)
		return ENOMEM;
	show_job_name(job, label);
	place->name = label;
	place->rows = take_rows(get_member(turns, "rows"));
	place->home = (uint32_t)get_number(turns, "home");
	place->whole = get_bool(turns, "whole");
	place->started = runs(job) && !next;
	place->leaves = get_bool(turns, "leaves") && !next;
	return 0;
}

/* Of one row, what jobs have that are not for the user to see. */
static int add_others(struct picture *p, json_object *one)
{
	struct matrix_place *place = add_place(p, get_member(one, "ranges"));
	int64_t row = get_number(one, "row");

	if (!place)
		return ENOMEM;
	place->other = place->started = true;
	place->rows = row >= 0 && row < ROWS_MAX ? UINT64_C(1) << row : 0;
	place->home = (uint32_t)row;
	return 0;
}

static int add_names(struct picture *p)
{
	json_object *names = get_member(p->matrix, "names");

	if (get_count(names) != p->chart.nodes)
		return 0;
	p->names = calloc(p->chart.nodes, sizeof(*p->names));
	for (uint32_t i = 0; p->names && i < p->chart.nodes; i++) {
		p->names[i] = json_object_get_string(json_object_array_get_idx(names, i));
		p->names[i] = p->names[i] ? p->names[i] : "";
	}
	p->chart.node_name = p->names;
	return p->names ? 0 : ENOMEM;
}

static void picture_release(struct picture *p)
{
	free(p->place);
	free(p->first);
	free(p->label);
	free(p->names);
	for (size_t i = 0; i < p->words; i++)
		free(p->word[i]);
	free(p->word);
	rows_release(&p->ranges);
}

/* 0 or an errno; picture_release() is due in any case. */
static int picture_make(struct picture *p, json_object *matrix)
{
	json_object *jobs = get_member(matrix, "jobs"), *hidden = get_member(matrix, "others");
	size_t n = 2 * get_count(jobs) + get_count(hidden) + 1;
	size_t nodes = count_nodes(get_member(matrix, "ranges"));
	int64_t rows = get_number(matrix, "rows");
	int rc;

	*p = (struct picture){ .matrix = matrix };
	if (!nodes || nodes > NODES_MAX || rows < 1 || rows > ROWS_MAX)
		return EINVAL;
	p->chart.nodes = (uint32_t)nodes;
	p->chart.rows = (uint32_t)rows;
	p->chart.row = get_member(matrix, "row") ? (int32_t)get_number(matrix, "row") : -1;
	p->place = calloc(n, sizeof(*p->place));
	p->first = calloc(n, sizeof(*p->first));
	p->label = calloc(n, sizeof(*p->label));
	rc = p->place && p->first && p->label ? add_names(p) : ENOMEM;
	for (size_t i = 0; !rc && i < get_count(jobs); i++) {
		json_object *job = json_object_array_get_idx(jobs, i);

		rc = add_job(p, job, false);
		if (!rc && get_member(job, "next_ranges"))
			rc = add_job(p, job, true);
	}
	for (size_t i = 0; !rc && i < get_count(hidden); i++)
		rc = add_others(p, json_object_array_get_idx(hidden, i));
	for (size_t i = 0; i < p->chart.places; i++)
		p->place[i].range = p->ranges.range + p->first[i];
	p->chart.place = p->place;
	return rc;
}

/* ---- words ---- */

/* "partitions a, b: mbgs" */
static void write_title(json_object *matrix, char *title, size_t size)
{
	json_object *list = get_member(matrix, "partitions");
	int n = snprintf(title, size, "The matrix of partition%s", get_count(list) == 1 ? "" : "s");

	for (size_t i = 0; i < get_count(list) && n > 0 && (size_t)n < size; i++) {
		const char *name = json_object_get_string(json_object_array_get_idx(list, i));

		n += snprintf(title + n, size - (size_t)n, "%s %s", i ? "," : "", name ? name : "");
	}
	if (n > 0 && (size_t)n < size)
		snprintf(title + n, size - (size_t)n, " (%s)", get_text(matrix, "scheduler"));
}

static void write_subtitle(struct picture *p, json_object *answer)
{
	json_object *matrix = p->matrix;
	int64_t jobs = get_number(matrix, "placed"), aside = get_number(matrix, "aside");
	int64_t kept = get_number(matrix, "short_rows");
	char at[32], end[32], besides[40] = "";
	int n;

	if (aside)
		snprintf(besides, sizeof(besides), ", %" PRId64 " set aside", aside);
	n = snprintf(p->subtitle, sizeof(p->subtitle),
		     "%s: %" PRIu32 " nodes, %" PRId64 " job%s in %" PRId64 " of %" PRIu32
		     " rows%s, %" PRId64 " outside",
		     show_time(get_number(answer, "at"), at), p->chart.nodes, jobs,
		     jobs == 1 ? "" : "s", get_number(matrix, "used"), p->chart.rows, besides,
		     get_number(matrix, "waiting"));
	if (p->chart.row >= 0 && get_member(matrix, "slice_end"))
		n += snprintf(p->subtitle + n, sizeof(p->subtitle) - (size_t)n,
			      "; row %" PRId32 " until %s, in slice %" PRId64, p->chart.row,
			      show_time(get_number(matrix, "slice_end"), end),
			      get_number(matrix, "slice"));
	if (kept)
		snprintf(p->subtitle + n, sizeof(p->subtitle) - (size_t)n,
			 "; rows from %" PRId64 " on are kept for short jobs",
			 p->chart.rows - kept);
}

/* ---- the jobs, a line each ---- */

enum { JOBID, USER, NODES, ROWS, SHARE, GOT, DUE, COLUMNS };

static const char *const heads[COLUMNS] = {
	"JOBID", "USER", "NODES", "ROWS", "SHARE", "GOT", "DUE"
};

struct cells {
	char text[COLUMNS][64];
};

static void per_cent(json_object *turns, const char *key, char text[64])
{
	if (get_member(turns, key))
		snprintf(text, 64, "%.1f %%", (double)get_number(turns, key) / 1e4);
	else
		snprintf(text, 64, "-");
}

/* The home row without a mark, replicas in brackets, as in the picture; "...": and more. */
static void write_rows(json_object *turns, char text[64])
{
	json_object *list = get_member(turns, "rows");
	size_t i = 0;
	int n = 0;

	if (get_count(list) && (int64_t)get_count(list) == get_number(turns, "of")) {
		snprintf(text, 64, "all");
		return;
	}
	snprintf(text, 64, "-");
	for (; i < get_count(list) && n < 48; i++) {
		bool home = number_at(list, i) == get_number(turns, "home");

		n += snprintf(text + n, (size_t)(64 - n), "%s%s%" PRId64 "%s", i ? "," : "",
			      home ? "" : "(", number_at(list, i), home ? "" : ")");
	}
	if (i < get_count(list) && n < 60)
		snprintf(text + n, (size_t)(64 - n), ",...");
}

static void fill(json_object *job, struct cells *c)
{
	json_object *turns = get_member(job, "turns");

	show_job_name(job, c->text[JOBID]);
	show_user(get_number(job, "user"), c->text[USER]);
	snprintf(c->text[NODES], sizeof(c->text[NODES]), "%" PRId64, get_number(job, "width"));
	write_rows(turns, c->text[ROWS]);
	per_cent(turns, "share", c->text[SHARE]);
	per_cent(turns, "got", c->text[GOT]);
	per_cent(turns, "due", c->text[DUE]);
}

static void show_job(json_object *job, int64_t now, const int width[COLUMNS], FILE *out)
{
	struct cells c;

	fill(job, &c);
	for (int k = 0; k < COLUMNS; k++) {
		if (k == JOBID || k == USER || k == ROWS)
			clean_column(c.text[k], width[k], out);
		else
			fprintf(out, "%*s", width[k], c.text[k]);
		fputs("  ", out);
	}
	show_turn(job, now, out);
	fputc('\n', out);
}

static void show_jobs(json_object *jobs, int64_t now, const struct style *style, FILE *out)
{
	int width[COLUMNS];
	struct cells c;

	if (!get_count(jobs))
		return;
	for (int k = 0; k < COLUMNS; k++)
		width[k] = (int)strlen(heads[k]);
	for (size_t i = 0; i < get_count(jobs); i++) {
		fill(json_object_array_get_idx(jobs, i), &c);
		for (int k = 0; k < COLUMNS; k++)
			if (clean_length(c.text[k]) > width[k])
				width[k] = clean_length(c.text[k]);
	}
	fprintf(out, "\n%s", style_on(style, STYLE_BOLD));
	for (int k = 0; k < COLUMNS; k++)
		fprintf(out, k == JOBID || k == USER || k == ROWS ? "%-*s  " : "%*s  ", width[k],
			heads[k]);
	fprintf(out, "TURN%s\n", style_off(style));
	for (size_t i = 0; i < get_count(jobs); i++)
		show_job(json_object_array_get_idx(jobs, i), now, width, out);
}

/* ---- the same lines below the picture ---- */

/* What show_turn() says; owned, NULL: no memory. */
static char *turn_words(json_object *job, int64_t now)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	show_turn(job, now, out);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

static bool add_word(struct picture *p, char *word)
{
	if (word)
		p->word[p->words++] = word;
	return word;
}

/* All jobs, those set aside, too, which are in no row. 0 or ENOMEM. */
static int add_lines(struct picture *p, int64_t now)
{
	json_object *jobs = get_member(p->matrix, "jobs");
	size_t lines = get_count(jobs) + 1;
	struct cells c;

	p->word = calloc(lines * (COLUMNS + 1), sizeof(*p->word));
	if (!p->word)
		return ENOMEM;
	for (size_t i = 0; i < lines; i++) {
		json_object *job = i ? json_object_array_get_idx(jobs, i - 1) : NULL;

		if (job)
			fill(job, &c);
		for (int k = 0; k < COLUMNS; k++)
			if (!add_word(p, strdup(job ? c.text[k] : heads[k])))
				return ENOMEM;
		if (!add_word(p, job ? turn_words(job, now) : strdup("TURN")))
			return ENOMEM;
	}
	p->chart.word = (const char *const *)p->word;
	p->chart.columns = COLUMNS + 1;
	p->chart.lines = lines > 1 ? lines : 0;
	p->chart.right = 1U << NODES | 1U << SHARE | 1U << GOT | 1U << DUE;
	return 0;
}

static int draw(json_object *answer, json_object *matrix, FILE *out,
		int (*how)(const struct matrix_chart *chart, FILE *out))
{
	struct picture p;
	char title[256];
	int rc = picture_make(&p, matrix);

	if (!rc && how == matrix_svg)
		rc = add_lines(&p, get_number(answer, "at"));
	if (!rc) {
		write_title(matrix, title, sizeof(title));
		write_subtitle(&p, answer);
		p.chart.title = title;
		p.chart.subtitle = p.subtitle;
		rc = how(&p.chart, out);
	}
	picture_release(&p);
	return rc;
}

void show_matrix(json_object *answer, const struct style *style, FILE *out)
{
	json_object *list = get_member(answer, "matrices");

	for (size_t i = 0; i < get_count(list); i++) {
		json_object *matrix = json_object_array_get_idx(list, i);

		if (i)
			fputc('\n', out);
		if (draw(answer, matrix, out, matrix_text))
			fprintf(out, "a matrix that cannot be drawn\n");
		show_jobs(get_member(matrix, "jobs"), get_number(answer, "at"), style, out);
		if (get_number(matrix, "hidden"))
			fprintf(out, "and %" PRId64 " that you may not see\n",
				get_number(matrix, "hidden"));
	}
}

int show_matrix_svg(json_object *answer, FILE *out)
{
	json_object *list = get_member(answer, "matrices");

	if (get_count(list) < 1)
		return EINVAL;
	if (get_count(list) > 1) {
		fprintf(stderr,
			"pact: --svg: there are %zu matrices: name a partition of one (-p)\n",
			get_count(list));
		return -1;
	}
	return draw(answer, json_object_array_get_idx(list, 0), out, matrix_svg);
}

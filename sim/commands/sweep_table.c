/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sweep_table: see sweep_table.h. */
#include "sim/commands/sweep_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/sched.h"
#include "sim/report/report.h"
#include "sim/report/student.h"
#include "common/why.h"

#define CELL 32

/* ---- which figures ---- */

/* Is it a figure of a run, and a number? */
static bool is_number(const char *name)
{
	struct report *report = calloc(1, sizeof(*report));
	struct workload nothing = { 0 };
	bool found = false;

	if (!report)
		return false;
	report->metrics.w = &nothing;
	report_figures(report);
	report_cost(report, 0, 0);
	for (size_t i = 0; i < report->count; i++)
		found |= !strcmp(report->item[i].key, name) && report->item[i].kind != REPORT_TEXT;
	free(report);
	return found;
}

static int wrong(const char *name, const char *what, char *why, size_t size)
{
	return why_set(why, size, PACT_EINVAL, "--columns %s: %s", name, what);
}

static int choose_one(struct sweep_table *t, const char *name, char *const *field, size_t fields,
		      char *why, size_t size)
{
	size_t place = 0;

	for (size_t a = 0; a < t->sweep->naxes; a++)
		if (!strcmp(t->sweep->axis[a].key, name))
			return wrong(name, "it is swept, not a figure", why, size);
	for (size_t k = 0; k < t->count; k++)
		if (!strcmp(t->name[k], name))
			return wrong(name, "given twice", why, size);
	while (place < fields && strcmp(field[place], name) != 0)
		place++;
	if (place == fields)
		return wrong(name,
			     "there is no such column; they are the keys of pact-sim run --json",
			     why, size);
	if (!is_number(name))
		return wrong(name, "no number, of which there is no mean", why, size);
	if (t->count == SWEEP_TABLE_COLUMNS)
		return wrong(name, "too many columns", why, size);
	t->name[t->count] = name;
	t->place[t->count++] = place;
	return PACT_OK;
}

int sweep_table_choose(struct sweep_table *t, const struct sweep *sweep, const char *header,
		       const char *names, char *why, size_t size)
{
	char *copy = strdup(header), *field[RESULTS_MAX_COLUMNS], *name, *next;
	size_t fields;
	int err = PACT_OK;

	*t = (struct sweep_table){ .sweep = sweep, .text = strdup(names) };
	if (!copy || !t->text) {
		free(copy);
		return why_set(why, size, PACT_ENOMEM, "out of memory");
	}
	fields = results_split(copy, field);
	if (!*names || strstr(names, ",,") || names[0] == ',' || names[strlen(names) - 1] == ',')
		err = wrong(names, "a name is missing", why, size);
	for (name = strtok_r(t->text, ",", &next); name && !err; name = strtok_r(NULL, ",", &next))
		err = choose_one(t, name, field, fields, why, size);
	free(copy);
	return err;
}

void sweep_table_release(struct sweep_table *t)
{
	free(t->text);
	t->text = NULL;
}

/* ---- the means ---- */

/* The runs of one combination: so many are there, and their values. */
struct group {
	size_t first, seeds; /* runs of the sweep */
	size_t n;
	double *value; /* of one column */
};

static int read_group(const struct sweep_table *t, const struct results *r, size_t column,
		      struct group *g)
{
	char *field[RESULTS_MAX_COLUMNS], *copy;

	g->n = 0;
	for (size_t i = 0; i < g->seeds; i++) {
		const char *row = r->row[g->first + i];

		if (!row)
			continue;
		copy = strndup(row, strcspn(row, "\n"));
		if (!copy)
			return PACT_ENOMEM;
		/* As many fields as the header has: others are no rows (results.h). */
		results_split(copy, field);
		g->value[g->n++] = strtod(field[t->place[column]], NULL);
		free(copy);
	}
	return PACT_OK;
}

/* So many digits, without an exponent where numbers are large. */
static void write_number(char cell[CELL], double x, int digits)
{
	if (fabs(x) >= pow(10, digits - 1))
		snprintf(cell, CELL, "%.0f", x);
	else
		snprintf(cell, CELL, "%.*g", digits, x);
}

/* ---- on paper: cells first, so that columns can be as wide as they must be ---- */

struct paper {
	char **cell;
	size_t *width;
	size_t columns, n, room;
};

/* The next cell, from left to right. 0 or PACT_ENOMEM. */
static int put(struct paper *p, const char *text)
{
	size_t length = strlen(text), column = p->n % p->columns;

	if (p->n == p->room) {
		size_t room = p->room ? 2 * p->room : 64;
		char **grown = realloc(p->cell, room * sizeof(*grown));

		if (!grown)
			return PACT_ENOMEM;
		p->cell = grown;
		p->room = room;
	}
	p->cell[p->n] = strdup(text);
	if (!p->cell[p->n])
		return PACT_ENOMEM;
	p->n++;
	if (length > p->width[column])
		p->width[column] = length;
	return PACT_OK;
}

/* Values to the left, numbers to the right. */
static void print(const struct paper *p, size_t values, FILE *out)
{
	for (size_t i = 0; i < p->n; i++) {
		size_t column = i % p->columns;
		int width = (int)p->width[column];

		fprintf(out, "%s%*s", column ? "  " : "", column < values ? -width : width,
			p->cell[i]);
		if (column + 1 == p->columns)
			fputc('\n', out);
	}
}

static int put_head(const struct sweep_table *t, struct paper *p)
{
	int err = PACT_OK;

	for (size_t a = 0; a + 1 < t->sweep->naxes && !err; a++)
		err = put(p, t->sweep->axis[a].key);
	err = err ? err : put(p, "seeds");
	for (size_t k = 0; k < t->count && !err; k++) {
		err = put(p, t->name[k]);
		err = err ? err : put(p, "+-");
	}
	return err;
}

static int put_group(const struct sweep_table *t, const struct results *r, struct group *g,
		     struct paper *p)
{
	char cell[CELL];
	int err = PACT_OK;

	for (size_t k = 0; k < t->count && !err; k++) {
		double mean, half;

		err = read_group(t, r, k, g);
		if (err || !g->n)
			return err;
		for (size_t a = 0; !k && a + 1 < t->sweep->naxes && !err; a++)
			err = put(p, sweep_value(t->sweep, g->first, a));
		snprintf(cell, sizeof(cell), "%zu", g->n);
		if (!k && !err)
			err = put(p, cell);
		mean = student_mean(g->value, g->n, &half);
		write_number(cell, mean, 6);
		err = err ? err : put(p, cell);
		write_number(cell, half, 3);
		err = err ? err : put(p, half < 0 ? "-" : cell);
	}
	return err;
}

/* What the table does not show. */
static void print_notes(const struct sweep_table *t, const struct results *r, size_t seeds,
			FILE *out)
{
	size_t none = 0, one = 0, groups = t->sweep->count / seeds;

	for (size_t i = 0; i < groups; i++) {
		size_t n = 0;

		for (size_t k = 0; k < seeds; k++)
			n += r->row[i * seeds + k] != NULL;
		none += n == 0;
		one += n == 1;
	}
	fprintf(out, "Means over the seeds, +- 95 %% confidence intervals (Student's t).\n");
	if (one && one == groups)
		fprintf(out, "One seed: there is no interval.\n");
	else if (one)
		fprintf(out, "Where one seed is there, there is no interval.\n");
	if (none)
		fprintf(out, "%zu of %zu combinations have no run and are left out.\n", none,
			groups);
}

int sweep_table_print(const struct sweep_table *t, const struct results *r, FILE *out)
{
	size_t seeds = t->sweep->axis[t->sweep->naxes - 1].count;
	struct group g = { .seeds = seeds, .value = calloc(seeds, sizeof(*g.value)) };
	struct paper p = { .columns = t->sweep->naxes + 2 * t->count };
	int err;

	p.width = calloc(p.columns, sizeof(*p.width));
	err = g.value && p.width ? put_head(t, &p) : PACT_ENOMEM;
	for (; g.first < t->sweep->count && !err; g.first += seeds)
		err = put_group(t, r, &g, &p);
	if (!err) {
		print(&p, t->sweep->naxes - 1, out);
		print_notes(t, r, seeds, out);
	}
	for (size_t i = 0; i < p.n; i++)
		free(p.cell[i]);
	free(p.cell);
	free(p.width);
	free(g.value);
	return err;
}

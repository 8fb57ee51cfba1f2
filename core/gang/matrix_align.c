/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * matrix_align: columns of a new job by what is in the other rows, and not the lowest ones: where it can be replicated at
 * once, and else on those of few other jobs, as a job has its replica in a row when the last job that overlaps it there
 * has ended. A row's jobs cut it into blocks of columns; what they leave free is one more.
 */
#include <stdlib.h>

#include "core/gang/matrix_own.h"

/* Free columns that are free in the other row, too. */
static uint32_t count_common(struct matrix *m, uint32_t row)
{
	nodeset_copy(m->other, m->free);
	nodeset_and_not(m->other, m->row[row].taken);
	return nodeset_count(m->other);
}

/* The rows in which it can be replicated at once, the one that leaves most to choose from first. They leave `rest`. */
static void prefer_free_rows(struct matrix *m, uint32_t width, uint64_t *rest)
{
	for (;;) {
		uint32_t best = m->rows, most = 0;

		for (uint32_t r = 0; r < m->rows; r++) {
			uint32_t n = *rest >> r & 1 ? count_common(m, r) : 0;

			if (n >= width && n > most) {
				most = n;
				best = r;
			}
		}
		if (best == m->rows)
			return;
		nodeset_and_not(m->free, m->row[best].taken);
		*rest &= ~(UINT64_C(1) << best);
	}
}

static int by_share(const void *a, const void *b)
{
	const struct matrix_block *x = a, *y = b;

	if (x->columns != y->columns)
		return x->columns < y->columns ? 1 : -1;
	return (x->first > y->first) - (x->first < y->first);
}

/* The blocks of the row that have some of m->free, the greatest share first, into m->block; how many. */
static uint32_t list_blocks(struct matrix *m, uint32_t row)
{
	const struct row *x = &m->row[row];
	uint32_t n = 0, unused = UINT32_MAX;

	for (size_t i = 0; i < m->n; i++)
		m->job[i]->block = UINT32_MAX;
	for (uint32_t c = nodeset_next(m->free, 0); c < m->nodes;
	     c = nodeset_next(m->free, c + 1)) {
		struct matrix_job *j = nodeset_test(x->taken, c) ? x->at[c] : NULL;
		uint32_t *at = j ? &j->block : &unused;

		if (*at == UINT32_MAX) {
			*at = n;
			m->block[n++] = (struct matrix_block){ .job = j, .first = c };
		}
		m->block[*at].columns++;
	}
	qsort(m->block, n, sizeof(*m->block), by_share);
	return n;
}

/* So few of the n blocks that they have the width: the smallest that suffices, ties lowest, or the greatest and others. */
static void choose_blocks(struct matrix *m, uint32_t n, uint32_t width)
{
	for (uint32_t i = 0; i < n && width; i++) {
		uint32_t at = i;

		for (uint32_t k = i + 1; k < n && m->block[k].columns >= width; k++) {
			if (m->block[k].columns < m->block[at].columns)
				at = k;
		}
		m->block[at].chosen = true;
		if (m->block[at].columns >= width)
			return;
		width -= m->block[at].columns;
	}
}

/* m->free is narrowed to the chosen blocks of the row. */
static void keep_chosen(struct matrix *m, uint32_t row, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (m->block[i].chosen)
			continue;
		if (m->block[i].job)
			nodeset_and_not(m->free, m->block[i].job->columns);
		else
			nodeset_and(m->free, m->row[row].taken);
	}
}

void columns_align(struct matrix *m, const struct matrix_job *j, uint32_t row)
{
	uint32_t width = (uint32_t)j->width;
	uint64_t rest = ~(UINT64_C(1) << row);

	if (j->whole)
		return; /* it is in every row at once */
	prefer_free_rows(m, width, &rest);
	for (uint32_t i = 0; i < m->rows && nodeset_count(m->free) > width; i++) {
		uint32_t r = m->order[i], n;

		if (!(rest >> r & 1))
			continue;
		n = list_blocks(m, r);
		choose_blocks(m, n, width);
		keep_chosen(m, r, n);
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ref_mrt: Figure 2 of paper 000, transcribed as rulings.md reads it, recursively. The letters in the
 * comments are the figure's.
 */
#include "testsuite/unit/ref_sched.h"

static bool meets(const struct ref_job *j, int64_t start)
{
	return start >= 0 && start + j->estimate <= j->due;
}

/* Would each of the remaining jobs meet its deadline if it alone were added? */
static bool strongly(const struct ref *r, const size_t *rest, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!meets(&r->job[rest[i]], ref_earliest(r, &r->job[rest[i]])))
			return false;
	}
	return true;
}

/*
 * E: extend the partial schedule by the remaining jobs. 1: all are placed; 0: it cannot be extended,
 * whoever called takes its job off; -1: too many backtracks.
 */
static int extend(struct ref *r, const size_t *list, size_t n, int *backtracks)
{
	if (n == 0)
		return 1;
	for (size_t k = 0; k < n; k++) {
		struct ref_job *j = &r->job[list[k]];
		size_t rest[n];
		size_t m = 0;
		int rc = 0;

		for (size_t i = 0; i < n; i++) {
			if (i != k)
				rest[m++] = list[i];
		}
		j->planned = ref_earliest(r, j);
		if (meets(j, j->planned) && strongly(r, rest, m)) /* a */
			rc = extend(r, rest, m, backtracks);
		if (rc)
			return rc;
		j->planned = -1; /* b, else, i */
		if (++*backtracks > r->c->backtracks)
			return -1;
	}
	return 0;
}

bool ref_figure2(struct ref *r, size_t fresh)
{
	size_t list[r->n];
	size_t n = ref_by_planned(r, list);
	int64_t before[r->n];
	int backtracks = 0;

	for (size_t i = 0; i < r->n; i++)
		before[i] = r->job[i].planned;
	for (size_t i = 0; i < n; i++) /* A */
		r->job[list[i]].planned = -1;
	list[n++] = fresh;			  /* B */
	ref_sort(r, list, n);			  /* C */
	if (extend(r, list, n, &backtracks) == 1) /* F */
		return true;
	for (size_t i = 0; i < r->n; i++)
		r->job[i].planned = before[i];
	return false;
}

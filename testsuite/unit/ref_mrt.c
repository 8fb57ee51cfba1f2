/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ref_mrt: QoPS, Figure 2, transcribed as doc/papers.md reads it, recursively. The letters in the
 * comments are the figure's.
 */
#include "testsuite/unit/ref_sched.h"

static bool meets(const struct ref_job *j, int64_t start)
{
	return start >= 0 && start + j->estimate <= j->due;
}

/* What is counted, and bounded. */
struct count {
	int backtracks, looks;
};

/* Another place is looked for. */
static bool may_look(const struct ref *r, struct count *c)
{
	return ++c->looks <= r->c->effort;
}

/*
 * Would each of the remaining jobs meet its deadline if it alone were added? One for which a start is known
 * that would do, and that `added` does not touch, is not looked at. 1, 0; -1: too many looks.
 */
static int strongly(struct ref *r, const struct ref_job *added, const size_t *rest, size_t n,
		    struct count *c)
{
	for (size_t i = 0; i < n; i++) {
		struct ref_job *j = &r->job[rest[i]];

		if (j->witness >= 0 && (added->planned + added->estimate <= j->witness ||
					j->witness + j->estimate <= added->planned))
			continue;
		if (!may_look(r, c))
			return -1;
		if (j->witness >= 0 && ref_fits(r, j, j->witness))
			continue;
		j->witness = ref_earliest(r, j);
		if (!meets(j, j->witness)) {
			j->witness = -1;
			return 0;
		}
	}
	return 1;
}

/*
 * E: extend the partial schedule by the remaining jobs. 1: all are placed; 0: it cannot be extended,
 * the caller takes its job off; -1: too many backtracks or looks.
 */
static int extend(struct ref *r, const size_t *list, size_t n, struct count *c)
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
		if (!may_look(r, c))
			return -1;
		j->planned = ref_earliest(r, j);
		if (meets(j, j->planned))
			rc = strongly(r, j, rest, m, c); /* a */
		if (rc == 1)
			rc = extend(r, rest, m, c);
		if (rc)
			return rc;
		j->planned = -1; /* b, else, i */
		if (++c->backtracks > r->c->backtracks)
			return -1;
	}
	return 0;
}

bool ref_figure2(struct ref *r, size_t fresh)
{
	size_t list[r->n];
	size_t n = ref_by_planned(r, list);
	int64_t before[r->n];
	struct count c = { 0 };

	for (size_t i = 0; i < r->n; i++) {
		before[i] = r->job[i].planned;
		r->job[i].witness = -1;
	}
	for (size_t i = 0; i < n; i++) /* A */
		r->job[list[i]].planned = -1;
	list[n++] = fresh;		 /* B */
	ref_sort(r, list, n);		 /* C */
	if (extend(r, list, n, &c) == 1) /* F */
		return true;
	for (size_t i = 0; i < r->n; i++)
		r->job[i].planned = before[i];
	return false;
}

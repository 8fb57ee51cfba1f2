/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fares: see fares.h. */
#include "core/gang/fares.h"

#include <stdlib.h>

#include "core/base/array.h"

/* In the order that they were noted: those of a group stand together. */
struct fares {
	struct fare *fare;
	size_t n, room;
	uint64_t groups;
};

struct fares *fares_create(void)
{
	return calloc(1, sizeof(struct fares));
}

void fares_destroy(struct fares *f)
{
	if (!f)
		return;
	free(f->fare);
	free(f);
}

size_t fares_bytes(const struct fares *f)
{
	return sizeof(*f) + f->room * sizeof(*f->fare);
}

uint64_t fares_group(struct fares *f)
{
	return ++f->groups;
}

/* ---- groups ---- */

/* One that is taken off has no payer until sweep(). */
static void sweep(struct fares *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++) {
		if (f->fare[i].payer)
			f->fare[n++] = f->fare[i];
	}
	f->n = n;
}

static size_t first_of(const struct fares *f, size_t at)
{
	while (at && f->fare[at - 1].group == f->fare[at].group)
		at--;
	return at;
}

/* What is left of the group of fare[at]. */
struct group {
	int64_t cost;
	bool leaves; /* all of its movers, by themselves */
	bool due;    /* one of them has not left yet */
};

static struct group group_of(const struct fares *f, size_t at)
{
	struct group g = { .leaves = true };
	uint64_t number = f->fare[at].group;

	for (size_t i = first_of(f, at); i < f->n && f->fare[i].group == number; i++) {
		const struct fare *x = &f->fare[i];

		if (!x->payer)
			continue;
		g.cost = x->cost > g.cost ? x->cost : g.cost;
		g.leaves &= x->leaves;
		g.due |= x->mover != NULL;
	}
	return g;
}

/* The payer pays for the group of fare[at], too (by = 1), or not any more (-1). */
static void count(const struct fares *f, size_t at, struct matrix_job *payer, int by)
{
	struct group g = group_of(f, at);
	int64_t *sum = g.leaves ? &payer->delay : &payer->owed;

	/* sums that were told from outside may be none */
	*sum = *sum + by * g.cost > 0 ? *sum + by * g.cost : 0;
}

/* The payer pays for the others of the group alone. */
static void take_off(struct fares *f, size_t at)
{
	struct matrix_job *payer = f->fare[at].payer;

	count(f, at, payer, -1);
	f->fare[at].payer = NULL;
	count(f, at, payer, 1);
}

/* ---- what happens ---- */

static int append(struct fares *f, const struct fare *fare)
{
	if (f->n == f->room) {
		if (array_grow(&f->fare, 2 * f->n + 8, sizeof(*f->fare)) < 0)
			return -1;
		f->room = 2 * f->n + 8;
	}
	f->fare[f->n++] = *fare;
	return 0;
}

void fares_charge(struct fares *f, struct matrix_job *payer, const struct matrix_job *mover,
		  int64_t cost, uint64_t group)
{
	struct fare fare = { payer, mover, cost, group, mover->leaves };
	bool joins = f->n && f->fare[f->n - 1].group == group;

	if (!cost)
		return;
	if (joins)
		count(f, f->n - 1, payer, -1);
	if (append(f, &fare) < 0)
		payer->owed += cost;
	if (f->n && f->fare[f->n - 1].group == group)
		count(f, f->n - 1, payer, 1);
}

void fares_refund(struct fares *f, const struct matrix_job *mover)
{
	for (size_t i = 0; i < f->n; i++) {
		if (f->fare[i].mover == mover)
			take_off(f, i);
	}
	sweep(f);
}

/* Its mover has left. */
static void settle_one(struct fares *f, size_t at)
{
	struct fare *x = &f->fare[at];
	bool own = x->mover == x->payer;
	struct group g = group_of(f, at);

	if (g.leaves && !own) {
		take_off(f, at);
		return;
	}
	x->mover = NULL;
	/* what is owed for a group of which all have left stays so, and cannot be taken back */
	if (g.leaves || group_of(f, at).due)
		return;
	for (size_t i = first_of(f, at); i < f->n && f->fare[i].group == x->group; i++)
		f->fare[i].payer = NULL;
}

void fares_settle(struct fares *f, const struct matrix_job *mover)
{
	for (size_t i = 0; i < f->n; i++) {
		if (f->fare[i].payer && f->fare[i].mover == mover)
			settle_one(f, i);
	}
	sweep(f);
}

/* Its own migration, which took its time by itself: it has left its nodes, and not begun to run on the new ones. */
static bool is_own_delay(const struct fare *x)
{
	return !x->mover && x->leaves;
}

/* Groups of which all leave by themselves are kept for now. */
static void forget_owed(struct fares *f, struct matrix_job *payer)
{
	for (size_t i = 0; i < f->n;) {
		uint64_t group = f->fare[i].group;
		bool paid = f->fare[i].payer == payer && !group_of(f, i).leaves;

		for (; i < f->n && f->fare[i].group == group; i++) {
			if (paid)
				f->fare[i].payer = NULL;
		}
	}
	payer->owed = 0;
	sweep(f);
}

void fares_waive(struct fares *f, struct matrix_job *payer)
{
	for (size_t i = 0; i < f->n; i++) {
		if (f->fare[i].payer == payer && is_own_delay(&f->fare[i]))
			take_off(f, i);
	}
	sweep(f);
}

void fares_pay(struct fares *f, struct matrix_job *payer)
{
	forget_owed(f, payer);
	fares_waive(f, payer);
}

void fares_drop(struct fares *f, struct matrix_job *j, bool again)
{
	fares_settle(f, j);
	forget_owed(f, j);
	for (size_t i = 0; i < f->n; i++) {
		if (f->fare[i].payer == j && !(again && is_own_delay(&f->fare[i])))
			take_off(f, i);
	}
	sweep(f);
}

/* ---- telling and taking in ---- */

size_t fares_count(const struct fares *f)
{
	return f->n;
}

const struct fare *fares_at(const struct fares *f, size_t i)
{
	return &f->fare[i];
}

int fares_put_back(struct fares *f, const struct fare *fare)
{
	const struct fare *last = f->n ? &f->fare[f->n - 1] : NULL;

	if (!fare->group || (last && (last->group > fare->group ||
				      (last->group == fare->group && last->payer != fare->payer))))
		return -1;
	f->groups = fare->group > f->groups ? fare->group : f->groups;
	return append(f, fare);
}

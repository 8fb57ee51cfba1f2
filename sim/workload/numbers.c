/* SPDX-License-Identifier: GPL-2.0-or-later */
/* numbers: see numbers.h. */
#include "sim/workload/numbers.h"

#include <stdlib.h>
#include <string.h>

#include "core/sched.h"

int numbers_note(struct numbers *v, size_t place, uint64_t number, uint64_t line)
{
	struct numbers_stretch *last = v->n ? &v->stretch[v->n - 1] : NULL;

	v->disorder |= last && number <= v->last;
	v->last = number;
	if (last && last->first + last->count == place && last->line + last->count == line) {
		last->count++;
		return PACT_OK;
	}
	if (v->n == v->room) {
		size_t room = v->room ? 2 * v->room : 16;
		struct numbers_stretch *grown = realloc(v->stretch, room * sizeof(*grown));

		if (!grown)
			return PACT_ENOMEM;
		v->stretch = grown;
		v->room = room;
	}
	v->stretch[v->n++] = (struct numbers_stretch){ place, 1, line };
	return PACT_OK;
}

struct numbered {
	uint64_t number, line;
};

static int compare(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

static size_t list(const struct numbers *v, const struct workload *w, struct numbered *all)
{
	size_t n = 0;

	for (size_t s = 0; s < v->n; s++)
		for (size_t i = 0; i < v->stretch[s].count; i++)
			all[n++] = (struct numbered){ w->job[v->stretch[s].first + i].id,
						      v->stretch[s].line + i };
	return n;
}

int numbers_check(const struct numbers *v, const struct workload *w, struct numbers_twice *twice)
{
	struct numbered *all;
	size_t n, first = 0;
	uint64_t repeated = 0;

	memset(twice, 0, sizeof(*twice));
	if (!v->disorder)
		return PACT_OK;
	all = calloc(w->count, sizeof(*all));
	if (!all)
		return PACT_ENOMEM;
	n = list(v, w, all);
	qsort(all, n, sizeof(*all), compare);
	for (size_t i = 1; i < n; i++) {
		if (all[i].number != all[i - 1].number) {
			first = i;
			continue;
		}
		if (!repeated++ || all[i].line < twice->line) {
			twice->number = all[i].number;
			twice->first = all[first].line;
			twice->line = all[i].line;
		}
	}
	free(all);
	twice->more = repeated ? repeated - 1 : 0;
	return repeated ? PACT_EEXIST : PACT_OK;
}

void numbers_release(struct numbers *v)
{
	free(v->stretch);
	memset(v, 0, sizeof(*v));
}

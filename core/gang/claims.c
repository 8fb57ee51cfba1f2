/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * claims: what each job that has its place has of the nodes until its bound, for the engine beside this one
 * (core/beside), which sees no rows and no turns, but nodes that are taken.
 */
#include "core/gang/state.h"

size_t gang_claims(void *own, struct engine_claims *how)
{
	struct gang *s = own;

	if (how) /* none of it is left out */
		how->next = PACT_FOREVER;
	return matrix_jobs(s->matrix) + list_aside(s);
}

/* One that is about to be migrated has both, the old nodes and the new ones. */
void gang_claim(void *own, size_t i, struct engine_claim *c)
{
	struct gang *s = own;
	size_t n = matrix_jobs(s->matrix);
	const struct job *j = i < n ? job_of(matrix_job(s->matrix, i)) : s->list[i - n];

	nodeset_clear(s->columns);
	if (j->in.placed)
		nodeset_or(s->columns, j->in.columns);
	if (j->start >= 0)
		nodeset_or(s->columns, j->at);
	*c = (struct engine_claim){ .id = j->in.id, .end = j->bound, .nodes = s->columns };
	job_may_yield(s, j, c);
}

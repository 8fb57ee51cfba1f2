/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue: the waiting jobs, see planner.h. A job that leaves is a hole until the queue is packed. */
#include <stdlib.h>

#include "core/planning/state/planner.h"

int queue_push(struct queue *q, struct job *j)
{
	if (q->n == q->room) {
		size_t room = q->room ? q->room * 2 : 64;
		struct job **v = realloc(q->v, room * sizeof(*v));

		if (!v && !q->holes)
			return -1;
		if (v) {
			q->v = v;
			q->room = room;
		} else {
			queue_pack(q);
		}
	}
	q->begins += j->req.not_before > 0;
	q->opaques += j->opaque;
	j->slot = q->n;
	q->v[q->n++] = j;
	return 0;
}

void queue_remove(struct queue *q, struct job *j)
{
	if (j->slot < q->n && q->v[j->slot] == j) {
		q->v[j->slot] = NULL;
		q->holes++;
		q->begins -= j->req.not_before > 0;
		q->opaques -= j->opaque;
	}
}

void queue_pack(struct queue *q)
{
	size_t n = 0;

	if (!q->holes)
		return;
	for (size_t i = 0; i < q->n; i++) {
		if (!q->v[i])
			continue;
		q->v[i]->slot = n;
		q->v[n++] = q->v[i];
	}
	q->n = n;
	q->holes = 0;
}

void queue_trim(struct queue *q)
{
	if (q->holes > q->n / 2)
		queue_pack(q);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* validate_aside: what a job that takes turns must keep when it is set aside for a promised one, its turns excepted. */
#include <inttypes.h>

#include "sim/check/validate_own.h"

/* It does nothing all the while. */
static void check_stopped(struct check *c, size_t job, const struct aways *v)
{
	const struct sim_outcome *o = &c->s->out[job];
	size_t i = 0;

	for (size_t k = 0; o->history && k < o->history->n; k++) {
		const struct sim_span *x = &o->history->span[k];

		while (i < v->n && v->away[i].to <= x->from)
			i++;
		if (i < v->n && v->away[i].from < x->to && !x->suspended)
			violation(c,
				  "job %" PRIu64 " runs at %" PRId64
				  ", while a promised one has its nodes",
				  c->s->w->job[job].id,
				  v->away[i].from > x->from ? v->away[i].from : x->from);
	}
	if (!o->history && v->n)
		violation(c,
			  "job %" PRIu64 " runs at %" PRId64 ", while a promised one has its nodes",
			  c->s->w->job[job].id, v->away[0].from);
}

/* By its artificial deadline, as it was told, it has ended. */
static void check_artificial(struct check *c, size_t job)
{
	const struct sim_slices *by = c->s->slices;
	const struct sim_outcome *o = &c->s->out[job];
	const struct sim_job *j = &c->s->w->job[job];
	int64_t from = j->begin > j->submit ? j->begin : j->submit;
	int64_t least = by->relax * j->estimate / 1000;

	least = from + (least > by->min_artificial ? least : by->min_artificial);
	if (o->artificial < least)
		violation(c,
			  "job %" PRIu64 " was set aside, with the artificial deadline %" PRId64
			  ", and not %" PRId64,
			  j->id, o->artificial, least);
	/* what costs a job more than is known beforehand moves its end */
	if (o->end > o->artificial && !by->switch_loss && !by->cost && !c->s->nevents)
		violation(c,
			  "job %" PRIu64 " was set aside, and ends at %" PRId64
			  ", after its artificial deadline %" PRId64,
			  j->id, o->end, o->artificial);
}

void check_aways(struct check *c, size_t job, const struct aways *v)
{
	if (!v->n)
		return;
	if (!c->s->slices->aside)
		violation(c, "job %" PRIu64 " was set aside at %" PRId64 ", and none is to be",
			  c->s->w->job[job].id, v->away[0].from);
	check_stopped(c, job, v);
	check_artificial(c, job);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job: a job as a driver described it becomes one of the planner's. */
#include <stdio.h>

#include "core/planning/state/planner.h"

static bool known_nodes(const struct planner *s, const struct sched_job *d)
{
	uint32_t nodes = machine_nodes(s->machine);

	for (uint32_t i = 0; i < d->nalt; i++) {
		if (d->alt[i] && nodeset_size(d->alt[i]) != nodes)
			return false;
	}
	return !d->required || nodeset_size(d->required) == nodes;
}

bool job_valid(struct planner *s, const struct sched_job *d)
{
	const char *what = NULL;

	if (d->width < 1)
		what = "width below 1";
	else if (d->limit < 1)
		what = "limit below 1 second";
	else if (d->least < 0)
		what = "a negative limit";
	else if (d->deadline < 0 || d->begin < 0 || d->submit < 0 || d->eligible < 0)
		what = "a negative time";
	else if (d->nalt > SCHED_MAX_ALT)
		what = "too many alternatives";
	else if (!known_nodes(s, d))
		what = "nodes of another machine";
	else if ((d->flags & JOB_OPAQUE) && d->deadline)
		what = "a deadline for a job that the planner cannot see through";
	else
		return true;
	snprintf(s->call.error, sizeof(s->call.error), "job %llu: %s", (unsigned long long)d->id,
		 what);
	return false;
}

static int name_nodes(struct planner *s, struct job *j, const struct sched_job *d)
{
	for (uint32_t i = 0; i < (d->nalt ? d->nalt : 1); i++) {
		j->req.alt[i] = machine_region(s->machine, d->nalt ? d->alt[i] : NULL);
		if (!j->req.alt[i])
			return -1;
		j->req.nalt++;
	}
	if (d->required) {
		j->req.required = machine_region(s->machine, d->required);
		if (!j->req.required)
			return -1;
		if (j->req.width < (int32_t)j->req.required->count)
			j->req.width = (int32_t)j->req.required->count;
	}
	return 0;
}

struct job *job_create(struct planner *s, const struct sched_job *d)
{
	struct job *j = freelist_take(&s->freed_jobs, sizeof(*j));
	int64_t guard = s->config.guard;

	if (!j)
		return NULL;
	*j = (struct job){
		.id = d->id,
		.submit = d->submit,
		.limit = d->limit,
		.least = d->least < d->limit && !d->deadline ? d->least : 0,
		.deadline = d->deadline,
		.eligible = d->eligible ? d->eligible : d->submit,
		.priority = d->priority,
		.unconfirmed = d->flags & JOB_UNCONFIRMED,
		.opaque = d->flags & JOB_OPAQUE,
		.needed = d->flags & JOB_NEEDED,
		.most = d->most > d->width ? d->most : 0,
		.slot = SIZE_MAX,
	};
	placement_init(&j->place);
	j->req.width = d->width;
	j->req.not_before = d->begin;
	j->req.duration = j->whole = plan_end(d->limit, guard);
	if (name_nodes(s, j, d) < 0) {
		job_destroy(s, j);
		return NULL;
	}
	return j;
}

void job_destroy(struct planner *s, struct job *j)
{
	if (!j)
		return;
	for (uint32_t i = 0; i < j->req.nalt; i++)
		region_put(s->machine, j->req.alt[i]);
	region_put(s->machine, j->req.required);
	placement_clear(&j->place);
	freelist_give(&s->freed_jobs, j);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* waiting: jobs that wait come into the queue and leave it; see event.h. */
#include "core/planning/event.h"

#include "core/planning/arrange/arrange.h"

/* It waits no longer; `as` as for policy->left. */
void waiting_forget(struct planner *s, struct job *j, const struct placement *as)
{
	if (s->starting == j)
		start_close(s);
	plan_take(s->plan, &j->place);
	placement_clear(&j->place);
	if (s->in_pass && j->at < s->list_n && s->list[j->at] == j)
		s->list[j->at] = NULL;
	if (s->policy->left)
		s->policy->left(s, j, as);
	if (!as)
		compress_forget(s);
	queue_remove(&s->queue, j);
	agenda_leave(s, j);
	table_remove(s->jobs, j->id);
}

int waiting_adopt(struct planner *s, struct job *j)
{
	if (table_insert(s->jobs, j->id, j) < 0)
		return -1;
	if (queue_push(&s->queue, j) < 0) {
		table_remove(s->jobs, j->id);
		return -1;
	}
	if (s->policy->joined && s->policy->joined(s, j) < 0) {
		queue_remove(&s->queue, j);
		table_remove(s->jobs, j->id);
		return -1;
	}
	agenda_join(s, j);
	s->dirty = true;
	return 0;
}

/* A promise made earlier: the repair finds its place, at the old start if that is still possible. */
void waiting_restore(struct planner *s, struct job *j, int64_t planned)
{
	j->promised = s->promised = true;
	if (planned >= 0) {
		j->place.start = planned;
		j->place.end = plan_end(planned, j->req.duration);
		agenda_move(s, j);
	}
	s->tightened = true;
}

int waiting_confirm(struct planner *s, const struct sched_event *ev)
{
	struct job *j = table_find(s->jobs, ev->id);

	if (!j)
		return planner_fail(s, PACT_ENOENT, "no waiting job to confirm", ev->id);
	if (ev->new_id != ev->id) {
		if (table_find(s->jobs, ev->new_id) || holds_find(s->holds, ev->new_id))
			return planner_fail(s, PACT_EEXIST, "id already known", ev->new_id);
		if (table_insert(s->jobs, ev->new_id, j) < 0)
			return PACT_ENOMEM;
		table_remove(s->jobs, ev->id);
		j->id = ev->new_id;
		s->news.keys++;
	}
	j->unconfirmed = false;
	s->dirty = true;
	return PACT_OK;
}

int waiting_withdraw(struct planner *s, const struct sched_event *ev)
{
	struct job *j = table_find(s->jobs, ev->id);

	if (!j)
		return planner_fail(s, PACT_ENOENT, "no such waiting job", ev->id);
	waiting_forget(s, j, NULL);
	job_destroy(s, j);
	s->loosened = s->dirty = true;
	return PACT_OK;
}

int waiting_priority(struct planner *s, const struct sched_event *ev)
{
	struct job *j = table_find(s->jobs, ev->id);

	if (!j)
		return planner_fail(s, PACT_ENOENT, "no such waiting job", ev->id);
	s->dirty |= j->priority != ev->priority;
	j->priority = ev->priority;
	s->news.keys++;
	return PACT_OK;
}

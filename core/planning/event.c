/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event: what each event does to the state. Nothing is started here: events only note what they mean
 * for the plan (dirty, loosened, tightened), and the next pass acts on it. The exception are
 * submissions and changes with a deadline, which are decided at once.
 */
#include "core/planning/event.h"

#include "core/planning/arrange/arrange.h"

static int dispatch(struct planner *s, const struct sched_event *ev)
{
	switch (ev->type) {
	case EV_SUBMIT:
		return submission_take(s, ev);
	case EV_CONFIRM:
		return waiting_confirm(s, ev);
	case EV_CHANGE:
		return change_take(s, ev);
	case EV_PRIORITY:
		return waiting_priority(s, ev);
	case EV_WITHDRAW:
		return waiting_withdraw(s, ev);
	case EV_STARTED:
		return running_started(s, ev);
	case EV_START_FAILED:
		return running_start_failed(s, ev);
	case EV_END_CHANGED:
		return running_end_changed(s, ev);
	case EV_FINISH:
		return running_finish(s, ev);
	case EV_BLOCK:
		return running_block(s, ev);
	case EV_RESIZED:
		return running_resized(s, ev);
	case EV_TIME:
		s->dirty = true;
		return PACT_OK;
	case EV_POLICY:
		if (!s->policy->load || s->policy->load(s, &(int64_t){ (int64_t)ev->id }, 1))
			return planner_fail(s, PACT_EINVAL, "not a policy of this scheduler's",
					    ev->id);
		s->dirty = true;
		return PACT_OK;
	case EV_SUSPENDED:
	case EV_RESUMED:
	case EV_MIGRATED:
	case EV_LEAVING:
	case EV_SHARED:
	case EV_REFUSED:
	case EV_LEFT:
	case EV_NODES:
	case EV_PROGRESS:
	case EV_PAST:
		return planner_fail(s, PACT_EINVAL,
				    "suspended, moved, shared or unequal: not in a plan of whole "
				    "nodes",
				    ev->id);
	}
	return planner_fail(s, PACT_EINVAL, "unknown event", ev->id);
}

/* It took place: what that is to policies and to compression. */
static void note(struct planner *s, enum sched_event_type type)
{
	/* a decision itself leaves the plan in order, whatever it is */
	if (type != EV_SUBMIT && type != EV_CHANGE && type != EV_CONFIRM && type != EV_TIME)
		s->news.order++;
	if (type != EV_SUBMIT && type != EV_STARTED && type != EV_FINISH && type != EV_TIME)
		compress_forget(s);
}

int event_apply(struct planner *s, const struct sched_event *ev)
{
	int code;

	/* what is decided, or answers a start, minds that by itself; to look does no harm */
	if (ev->type != EV_SUBMIT && ev->type != EV_CHANGE && ev->type != EV_STARTED &&
	    ev->type != EV_START_FAILED && ev->type != EV_TIME && interrupt_pass(s) < 0)
		return PACT_ENOMEM;
	code = dispatch(s, ev);
	/* what is an error is no news; lack of memory may have come in the middle */
	if (code == PACT_OK || code == PACT_ENOMEM)
		note(s, ev->type);
	return code;
}

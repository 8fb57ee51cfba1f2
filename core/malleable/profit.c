/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profit: the simple profit driven strategy (section 3.2.4). A job is accepted, and starts, if there is room for as many
 * nodes as it needs to end by its deadline, and it is worth what these cost others; or it is refused for ever.
 */
#include "core/malleable/accept.h"
#include "core/malleable/margin.h"

static void look(struct malleable *s)
{
	set_floors(s);
	margin_changed(s);
}

/* Promises of an earlier time, and those whose starts were refused. */
static void retry(struct malleable *s)
{
	accept_widen(s);
	for (size_t i = 0; i < s->accepted_n;) {
		struct job *j = s->accepted[i];
		int32_t floor;

		if (!job_ready(s, j) || accept_try(s, j, true, &floor) != REFUSE_NONE) {
			i++;
			continue;
		}
		accepted_remove(s, j);
		accept_start(s, j, floor);
	}
}

static bool judge_now(struct malleable *s, struct job *j, struct sched_decision *d)
{
	int32_t floor;

	d->reason = accept_try(s, j, false, &floor);
	d->accepted = d->reason == REFUSE_NONE;
	if (!d->accepted)
		return false;
	d->start = j->ready;
	d->end = accept_end(s, j, floor, j->ready);
	d->own = accept_own(j, floor);
	return true;
}

static void judge(struct malleable *s, struct job *j, struct sched_decision *d)
{
	if (!judge_now(s, j, d) && !(j->flags & JOB_PROBE))
		accept_offer(s, j, d, judge_now);
}

static void admit(struct malleable *s, struct job *j, const struct sched_decision *d)
{
	(void)d;
	accept_start(s, j, accept_floor(s, j, j->ready));
}

static void give_out(struct malleable *s)
{
	accept_undated(s, NULL, NULL);
	margin_give_out(s);
}

const struct malleable_kind malleable_profit = {
	.decide = accept_decide,
	.look = look,
	.retry = retry,
	.judge = judge,
	.admit = admit,
	.give_out = give_out,
	.wake = accept_wake,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * easy: EASY backfilling (rulings.md, "EASY and conservative"). From the head of the queue jobs start
 * while they fit. The first that does not gets the only reservation of the pass: its shadow time is
 * its earliest start by the running jobs' estimates. A job behind it may start now if that does not
 * move the reservation: it ends by the shadow time, or it fits into the extra nodes, which it then
 * uses up. In terms of a profile that holds the reservation: it fits now for its whole duration.
 */
#include "state.h"

/* Take the reservation out of the plan again: it is remade at each pass. */
static void forget_shadow(struct sched *s)
{
	if (s->reserved) {
		plan_take(s->plan, &s->reserved->place);
		placement_clear(&s->reserved->place);
	}
	s->reserved = NULL;
}

static int easy_begin(struct sched *s)
{
	forget_shadow(s);
	return list_fill(s, s->config.mode == SCHED_MODE_SLURM ? ORDER_PRIORITY : ORDER_FCFS,
			 false);
}

/* The first job that cannot start: its shadow time and nodes are kept free from now on. */
static void make_shadow(struct sched *s, struct job *j)
{
	if (plan_earliest(s->plan, &j->req, s->now, PACT_FOREVER, &j->place) != 0)
		return;
	if (plan_put(s->plan, &j->place) == 0)
		s->reserved = j;
	else
		placement_clear(&j->place);
}

static struct job *easy_step(struct sched *s)
{
	for (; s->cursor < s->list_n; s->cursor++) {
		struct job *j = s->list[s->cursor];

		/* a job whose begin time has not come is in nobody's way */
		if (!j || j->req.not_before > s->now)
			continue;
		if (plan_earliest(s->plan, &j->req, s->now, s->now, &j->place) == 0) {
			if (plan_put(s->plan, &j->place) == 0) {
				s->cursor++;
				return j;
			}
			placement_clear(&j->place);
		}
		if (!s->reserved)
			make_shadow(s, j);
	}
	forget_shadow(s);
	return NULL;
}

const struct policy policy_easy = {
	.name = "easy",
	.begin = easy_begin,
	.step = easy_step,
};

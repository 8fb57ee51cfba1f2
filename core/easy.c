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

/*
 * Since the last pass there came nothing but submissions: the jobs that it could not start cannot start
 * now either. Nothing was freed, the head's shadow time is what it was, and they would end later.
 */
static bool only_new_jobs(const struct sched *s)
{
	return s->only_new && !s->queue.holes && !s->queue.begins && s->tested <= s->queue.n &&
	       s->config.mode != SCHED_MODE_SLURM;
}

static int easy_begin(struct sched *s)
{
	forget_shadow(s);
	if (only_new_jobs(s))
		return list_tail(s, s->tested);
	s->head = NULL;
	return list_fill(s, s->config.mode == SCHED_MODE_SLURM ? ORDER_PRIORITY : ORDER_FCFS);
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

/* Nodes that are free now, in all classes; a wider job cannot start. */
static int64_t free_now(const struct sched *s)
{
	int64_t free = 0;

	for (uint32_t c = 0; c < plan_classes(s->plan); c++) {
		int32_t n = profile_at(plan_profile(s->plan, c), s->now);

		free += n > 0 ? n : 0;
	}
	return free;
}

static bool start_now(struct sched *s, struct job *j)
{
	if (plan_earliest(s->plan, &j->req, s->now, s->now, &j->place) != 0)
		return false;
	if (plan_put(s->plan, &j->place) == 0)
		return true;
	placement_clear(&j->place);
	return false;
}

/*
 * s->head is the first that could not start. Its shadow is made when there is a job behind it that is
 * narrow enough to be asked whether it moves that.
 */
static struct job *easy_step(struct sched *s)
{
	int64_t free = free_now(s);

	for (; free > 0 && s->cursor < s->list_n; s->cursor++) {
		struct job *j = s->list[s->cursor];

		/* a job whose begin time has not come is in nobody's way */
		if (!j || j->req.not_before > s->now)
			continue;
		if (j->req.width <= free) {
			if (s->head && !s->reserved)
				make_shadow(s, s->head);
			if (start_now(s, j)) {
				s->cursor++;
				return j;
			}
		}
		if (!s->head)
			s->head = j;
	}
	forget_shadow(s);
	queue_pack(&s->queue);
	s->tested = s->queue.n;
	s->only_new = !s->dirty;
	return NULL;
}

const struct policy policy_easy = {
	.name = "easy",
	.begin = easy_begin,
	.step = easy_step,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* decide: whether jobs are accepted, and what else could be; see state.h. */
#include <stdlib.h>
#include <string.h>

#include "core/kernel/decision.h"
#include "core/sharing/state.h"

/* ---- places ---- */

/* Room for a part on each of these nodes, and scratch for their parts. 0 or -1. */
static int reserve_parts(struct sharing *s, const uint32_t *node, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (node_reserve(&s->node[node[i]]) < 0 ||
		    sharing_scratch(s, s->node[node[i]].n + (size_t)2) < 0)
			return -1;
	}
	return 0;
}

int sharing_place(struct sharing *s, struct job *j, const uint32_t *node, uint32_t n, int64_t due)
{
	uint32_t *own = malloc((n ? n : 1) * sizeof(*own));

	if (!own || reserve_parts(s, node, n) < 0 || in_step_reserve(s, n) < 0) {
		free(own);
		return -1;
	}
	memcpy(own, node, n * sizeof(*own));
	j->node = own;
	j->n = n;
	for (uint32_t i = 0; i < n; i++) {
		s->known[i] = s->room[own[i]];
		node_join(s, own[i], j, due);
	}
	return 0;
}

void sharing_unplace(struct sharing *s, struct job *j)
{
	for (uint32_t i = 0; i < j->n; i++)
		node_leave(s, j->node[i], j);
	free(j->node);
	j->node = NULL;
	j->n = 0;
	j->late = j->given_up;
}

void sharing_take_back(struct sharing *s, struct job *j)
{
	for (uint32_t i = 0; i < j->n; i++) {
		node_leave(s, j->node[i], j);
		s->room[j->node[i]] = s->known[i];
	}
	sharing_unplace(s, j);
}

void sharing_share_all(struct sharing *s, const struct job *j)
{
	for (uint32_t i = 0; i < j->n; i++)
		node_share(s, j->node[i]);
}

int64_t sharing_predict(struct sharing *s, const struct job *j, uint32_t *share)
{
	int64_t end = 0;

	if (share)
		*share = SHARE_WHOLE;
	if (s->in_step && j->n)
		return seconds_of(in_step_predict(s, j, share));
	for (uint32_t i = 0; i < j->n; i++) {
		uint32_t here = 0;
		int64_t at = node_predict(s, j->node[i], j, share ? &here : NULL);

		end = at > end ? at : end;
		if (share && here < *share)
			*share = here;
	}
	return seconds_of(end);
}

int64_t sharing_due_by(const struct sharing *s, const struct job *j)
{
	int64_t due = node_part(&s->node[j->node[0]], j)->deadline;

	return due < PACT_END_OF_TIME ? due / SHARE_SECOND : PACT_FOREVER;
}

/* ---- decisions ---- */

/* What stands against it whatever runs; REFUSE_NONE: nothing. *chance: to miss, if that does. */
static enum refuse_reason find_obstacle(struct sharing *s, const struct job *j, int32_t *chance)
{
	int64_t runtime, due = due_of(s, j);

	if (!s->config.admission || s->kind->whole || j->terms->begin > s->now / SHARE_SECOND)
		return REFUSE_DISABLED;
	if (j->limit == PACT_FOREVER)
		return REFUSE_NO_LIMIT;
	if (!choose_ever(s, j, &runtime))
		return REFUSE_NEVER_FITS;
	if (due <= s->now)
		return REFUSE_TOO_LATE;
	*chance = chance_at_best(s, j, runtime);
	if (*chance > s->config.risk_limit)
		return REFUSE_CHANCE;
	*chance = 0;
	return REFUSE_NONE;
}

/* Would it have its nodes if none were kept for a job that waits? */
static bool is_kept_out(struct sharing *s, const struct job *j)
{
	struct job *first = s->first;
	enum fit fits;
	uint32_t alt;
	bool kept_out;

	s->first = NULL;
	kept_out = first && choose(s, j, due_of(s, j), &alt, &fits) == j->width;
	s->first = first;
	return kept_out;
}

/* The earliest deadline that would be accepted and promised, asked again before it is told. */
static void offer(struct sharing *s, const struct job *j, struct sched_decision *d)
{
	int64_t at = choose_earliest(s, j);
	enum fit fits;
	uint32_t alt;

	if (at >= PACT_END_OF_TIME)
		return;
	at = seconds_of(at);
	if (choose(s, j, at * SHARE_SECOND, &alt, &fits) < j->width || fits != FIT)
		return;
	d->offer_start = seconds_of(s->now);
	d->offer_end = at + s->config.guard;
}

/* One of several that come together. 0 or -1: no memory; refused: d->reason says why. */
static int decide_one(struct sharing *s, struct job *j, bool only, struct sched_decision *d)
{
	enum fit fits;
	uint32_t alt;
	int32_t suited, chance = 0;

	d->reason = j->deadline ? find_obstacle(s, j, &chance) : REFUSE_NONE;
	if (!j->deadline || (d->reason != REFUSE_NONE && d->reason != REFUSE_TOO_LATE &&
			     d->reason != REFUSE_CHANCE))
		return 0;
	suited = choose(s, j, due_of(s, j), &alt, &fits);
	d->suited = suited;
	if (d->reason == REFUSE_NONE && suited == j->width) {
		j->terms->chosen = alt;
		j->expected = fits == FIT_LATE;
		j->promised = !j->expected;
		chance = chance_of_pick(s, j);
		d->chance = chance > d->chance ? chance : d->chance;
		return sharing_place(s, j, s->pick, (uint32_t)j->width, due_of(s, j));
	}
	if (d->reason == REFUSE_NONE)
		d->reason = is_kept_out(s, j) ? REFUSE_STARVES : REFUSE_SHARES;
	d->chance = chance;
	if (only && !(j->terms->flags & JOB_PROBE))
		offer(s, j, d);
	return 0;
}

/* All have their places. */
static void tell_accepted(struct sharing *s, struct job **jobs, size_t n, struct sched_decision *d)
{
	d->accepted = true;
	d->start = seconds_of(s->now);
	d->end = d->start;
	d->share = SHARE_WHOLE;
	for (size_t i = 0; i < n; i++) {
		uint32_t share;
		int64_t end;

		if (!jobs[i]->n)
			continue;
		end = sharing_predict(s, jobs[i], &share);
		d->expected |= jobs[i]->expected;
		d->end = end > d->end ? end : d->end;
		d->share = share < d->share ? share : d->share;
		if (end > jobs[i]->deadline && end - jobs[i]->deadline > d->delay)
			d->delay = end - jobs[i]->deadline;
	}
}

int sharing_decide(struct sharing *s, struct job **jobs, size_t n, struct sched_decision *d)
{
	int rc = 0;
	size_t i;

	*d = decision_never(REFUSE_NONE);
	d->waiting = (int32_t)s->queue_n;
	for (i = 0; rc == 0 && d->reason == REFUSE_NONE && i < n; i++)
		rc = decide_one(s, jobs[i], n == 1, d);
	if (rc == 0 && d->reason == REFUSE_NONE) {
		tell_accepted(s, jobs, n, d);
		return PACT_OK;
	}
	while (i > 0)
		sharing_unplace(s, jobs[--i]);
	return rc == 0 ? PACT_OK : PACT_ENOMEM;
}

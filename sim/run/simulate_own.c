/* SPDX-License-Identifier: GPL-2.0-or-later */
/* simulate_own: see simulate_own.h. */
#include "sim/run/simulate_own.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/why.h"

int sim_fail(struct simulation *s, int err, const char *what, uint64_t id)
{
	return why_set(s->why, s->why_size, err, "time %" PRId64 ": job %" PRIu64 ": %s", s->now,
		       id, what);
}

/* Hand one event to the scheduler. */
int sim_feed(struct simulation *s, struct sched_event *ev)
{
	int err;

	ev->now = s->now;
	ev->fine = s->fine;
	s->totals.events++;
	err = sched_event(s->sched, ev);
	if (err)
		why_set(s->why, s->why_size, err, "time %" PRId64 ": scheduler: %s", s->now,
			sched_error(s->sched));
	return err;
}

/*
 * `width` nodes for the job out of those allowed: first of those in `keep` (NULL: none), then the lowest free
 * numbers; shared: whether they are free or not. NULL: there are too few.
 */
struct nodeset *sim_choose_nodes(const struct simulation *s, const struct sim_job *job,
				 int32_t width, const struct nodeset *allowed,
				 const struct nodeset *keep, bool shared)
{
	struct nodeset *got = nodeset_create(s->setup->nodes), *may = s->may;
	uint32_t missing = (uint32_t)width;

	if (!got)
		return NULL;
	nodeset_fill(may);
	if (!shared)
		nodeset_and_not(may, s->busy);
	if (allowed)
		nodeset_and(may, allowed);
	if (job->nodes)
		nodeset_and(may, job->nodes);
	if (keep) {
		nodeset_copy(s->kept, may);
		nodeset_and(s->kept, keep);
		missing = nodeset_lowest(got, s->kept, missing);
		nodeset_and_not(may, got);
	}
	missing = nodeset_lowest(got, may, missing);
	if (!missing)
		return got;
	nodeset_destroy(got);
	return NULL;
}

/* Its nodes are in use, or no more. */
void sim_occupy(struct simulation *s, const struct work *w)
{
	if (!occupies(w))
		return;
	s->free -= w->width;
	if (s->busy)
		nodeset_or(s->busy, w->nodes);
}

void sim_vacate(struct simulation *s, const struct work *w)
{
	if (!occupies(w))
		return;
	s->free += w->width;
	if (s->busy)
		nodeset_and_not(s->busy, w->nodes);
}

/* From now on more happens to the job than its end. NULL: no memory. */
struct work *sim_work_of(struct simulation *s, size_t job)
{
	const struct sim_job *j = &s->w->job[job];
	const struct sim_outcome *out = &s->out[job];

	if (!s->work)
		s->work = calloc(s->w->count, sizeof(*s->work));
	if (s->work && !s->work[job])
		s->work[job] = work_create(j->width, j->speedup, j->runtime, out->start, out->nodes,
					   &j->launch);
	return work_at(s, job);
}

/* What was changed holds from now on, and moves its end. */
int sim_work_changed(struct simulation *s, size_t job, int64_t lost)
{
	struct work *w = s->work[job];

	work_lose(w, lost);
	if (work_note(w, lost) != PACT_OK ||
	    (w->next != PACT_FOREVER &&
	     ends_add(&s->ends, (struct end){ w->next, job }) != PACT_OK))
		return sim_fail(s, PACT_ENOMEM, "out of memory", job + 1);
	if (s->out[job].nodes)
		nodeset_or(s->out[job].nodes, w->nodes);
	return PACT_OK;
}

int sim_shares_failed(struct simulation *s, int err, uint64_t id)
{
	if (err == PACT_ENOMEM)
		return sim_fail(s, err, "out of memory", id);
	return sim_fail(s, PACT_EPROTO, "a share of a node that it has not", id);
}

/* What the action says of a job that is on these nodes. */
int sim_set_shares(struct simulation *s, const struct sched_action *a, const struct nodeset *nodes)
{
	uint32_t i = 0;
	int err = PACT_OK;

	if (!(a->share || a->nshares) || (a->nshares && a->nshares != nodeset_count(nodes)))
		return sim_fail(s, PACT_EPROTO, "shares, but not one for each of its nodes", a->id);
	for (uint32_t n = nodeset_next(nodes, 0); n < s->setup->nodes && !err;
	     n = nodeset_next(nodes, n + 1), i++)
		err = timeshare_set(s->shared, (uint32_t)a->id - 1, n,
				    a->nshares ? a->shares[i] : a->share, fine_now(s));
	return err ? sim_shares_failed(s, err, a->id) : PACT_OK;
}

/* Has it ended, or left nodes, and that is not told yet? */
bool sim_untold(const struct simulation *s, size_t job)
{
	for (size_t i = s->ending_next; i < s->ending_size; i++)
		if (s->ending[i].job == job)
			return true;
	return false;
}

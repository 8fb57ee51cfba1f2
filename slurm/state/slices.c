/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slices.c - what jobs that take turns got of their nodes, and what the switches of their rows came to
 */
#include "slurm/base/compat.h"

#include "slurm/base/clock.h"
#include "slurm/base/meter.h"
#include "slurm/state/slices.h"
#include "slurm/state/track.h"

void slices_turn(struct bridge *b, bool suspend, bool done)
{
	struct slices *s = &b->slicing;

	if (!s->began) {
		s->began = clock_us();
		s->any = false;
	}
	s->any |= done;
	s->refused += !done;
	s->suspended += done && suspend;
	s->resumed += done && !suspend;
}

void slices_switched(struct bridge *b)
{
	struct slices *s = &b->slicing;

	if (s->began && s->any) {
		s->switches++;
		meter_add(METER_SWITCH, clock_us() - s->began);
	}
	s->began = 0;
}

void slices_repeated(struct bridge *b, uint64_t n)
{
	b->slicing.repeated += n;
}

void slices_moved(struct bridge *b, int64_t cost)
{
	b->slicing.moved++;
	b->slicing.cost += (uint64_t)cost;
	b->slicing.latest = (uint64_t)cost;
}

void slices_each(struct slices *s, void (*visit)(void *arg, const char *name, uint64_t *counter),
		 void *arg)
{
	visit(arg, "rows switched", &s->switches);
	visit(arg, "turns: suspended", &s->suspended);
	visit(arg, "turns: resumed", &s->resumed);
	visit(arg, "turns: refused", &s->refused);
	visit(arg, "turns: repeated", &s->repeated);
	visit(arg, "migrations: asked", &s->asked);
	visit(arg, "migrations: moved", &s->moved);
	visit(arg, "migrations: late", &s->late);
	visit(arg, "migrations: not asked", &s->unasked);
	visit(arg, "migrations: seconds", &s->cost);
	visit(arg, "migrations: latest", &s->latest);
}

/* ---- shares ---- */

uint32_t slices_rows(uint64_t in)
{
	uint32_t n = 0;

	for (; in; in &= in - 1)
		n++;
	return n;
}

/* The time begins anew where another number of rows counts, too. */
static void look_at(struct slices_account *a, const struct snap_job *j,
		    const struct sched_turns *turns)
{
	bool anew =
		!a->since || a->rows != turns->rows || j->taken < a->until || j->runtime < a->ran;

	if (anew)
		*a = (struct slices_account){ .since = j->taken,
					      .rows = turns->rows,
					      .ran = j->runtime };
	else
		a->due += a->in * (j->taken - a->until);
	a->got = j->runtime - a->ran;
	a->until = j->taken;
	/* by hand: it is no row's turn to run it */
	a->in = j->by_hand ? 0 : slices_rows(turns->in);
}

void slices_look(struct bridge *b, const struct snapshot *snap)
{
	for (size_t i = 0; b->slices && i < snap->njobs; i++) {
		const struct snap_job *j = &snap->jobs[i];
		struct track *track;
		struct sched_view view;

		if (j->state != SNAP_RUNNING || !j->slices || j->ending)
			continue;
		track = track_find(b, track_key(j->base_id, j->task));
		if (track && !sched_view(b->core, track->core, &view) && view.turns.rows)
			look_at(&track->account, j, &view.turns);
	}
}

static int64_t millionths(int64_t part, int64_t whole)
{
	return whole > 0 && part > 0 && part < INT64_MAX / 1000000 ? part * 1000000 / whole : 0;
}

int64_t slices_got(const struct slices_account *a)
{
	return millionths(a->got, a->until - a->since);
}

int64_t slices_due(const struct slices_account *a)
{
	return millionths(a->due, (a->until - a->since) * a->rows);
}

bool slices_lack(struct bridge *b, uint64_t key, enum sched_lack *lack)
{
	const struct track *track;

	if (!bridge_lock_soon(b))
		return false;
	track = track_find(b, key);
	if (track)
		*lack = sched_lack(b->core, track->core);
	pthread_mutex_unlock(&b->lock);
	return track;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repeats.c - nodes are told once more which of their jobs run, see repeats.h */
#include "slurm/base/compat.h"

#include "slurm/agent/repeats.h"
#include "slurm/acting/life.h"
#include "slurm/acting/turn.h"
#include "slurm/base/metered.h"
#include "slurm/state/core.h"
#include "slurm/state/track.h"

/*
 * Seconds before turns are taken in which nothing is repeated: slurmd works on a job's messages in no order, and where it was
 * told twice to suspend one that takes it three seconds.
 */
#define CLEAR 4

/* By this controller, to all nodes; STOPS: to those of jobs that stay stopped. */
static enum { UNTOLD, STOPS, TOLD, TOLD_ALL } told;
static int64_t put_off; /* since when it is; 0: it is not */

void repeats_begin(void)
{
	told = UNTOLD;
	put_off = 0;
}

/* Microseconds for which slurmctld's locks are held. */
#define HOLD_US 10000

uint64_t repeats_send(struct bridge *b, const uint32_t *id, size_t n)
{
	struct metered metered;
	uint64_t sent = 0;

	if (!n)
		return 0;
	metered_take(&metered, &turn_locks);
	for (size_t i = 0; i < n; i++) {
		sent += turn_repeat(id[i]);
		if (metered_long(&metered, HOLD_US))
			metered_yield(&metered);
	}
	metered_give(&metered);
	pthread_mutex_lock(&b->lock);
	slices_repeated(b, sent);
	pthread_mutex_unlock(&b->lock);
	return sent;
}

void repeats_told(struct track *track, bool stopped)
{
	int64_t now = time(NULL);

	if (stopped)
		track->told_stops = now;
	else if (now - track->told_stops <= SLURMD_AT_IT)
		track->hasty = now;
}

/* With the mutex.  Is it to be told?  It has a node of these; NULL: all. */
static bool take(struct bridge *b, const struct snap_job *j, const struct nodeset *nodes)
{
	struct track *track;

	if (j->state != SNAP_RUNNING || !j->turned || (nodes && !nodeset_overlap(j->nodes, nodes)))
		return false;
	track = track_find(b, track_key(j->base_id, j->task));
	if (track)
		repeats_told(track, track->suspended);
	return true;
}

/* Those jobs that have a node of these, NULL: all, and that may be told another thing than their nodes were told last. */
static void tell(struct bridge *b, const struct snapshot *snap, const struct nodeset *nodes)
{
	uint32_t *id = snap->njobs ? malloc(snap->njobs * sizeof(*id)) : NULL;
	size_t n = 0;

	bridge_lock_urgent(b);
	for (size_t i = 0; id && i < snap->njobs; i++)
		if (take(b, &snap->jobs[i], nodes))
			id[n++] = snap->jobs[i].job_id;
	pthread_mutex_unlock(&b->lock);
	(void)repeats_send(b, id, n);
	free(id);
}

/* With the mutex.  Does it stand stopped, and is it so in the turn that the core has settled, too? */
static bool stays_stopped(struct bridge *b, const struct snap_job *j, const struct track *track,
			  int64_t now)
{
	struct sched_view view;

	return j->state == SNAP_RUNNING && j->turned && j->suspended && track &&
	       sched_view(b->core, track->core, &view) == PACT_OK && view.turns.rows &&
	       view.turns.next > now;
}

static uint32_t *list_stopped(struct bridge *b, const struct snapshot *snap, size_t *n)
{
	uint32_t *id = snap->njobs ? malloc(snap->njobs * sizeof(*id)) : NULL;
	int64_t now = time(NULL);

	*n = 0;
	for (size_t i = 0; id && i < snap->njobs; i++) {
		const struct snap_job *j = &snap->jobs[i];
		struct track *track = track_find(b, track_key(j->base_id, j->task));

		if (!stays_stopped(b, j, track, now))
			continue;
		repeats_told(track, true);
		id[(*n)++] = j->job_id;
	}
	return id;
}

bool repeats_stop(struct bridge *b, const struct snapshot *snap)
{
	uint64_t sent;
	uint32_t *id;
	size_t n;

	if (told != UNTOLD)
		return false;
	told = STOPS;
	bridge_lock_urgent(b);
	id = list_stopped(b, snap, &n);
	pthread_mutex_unlock(&b->lock);
	sent = repeats_send(b, id, n);
	free(id);
	return sent;
}

/* Are turns near?  It is put off until then, and no longer: what comes next may be no switch. */
static bool is_put_off(const struct bridge *b, int64_t now, int64_t next)
{
	int64_t clear = b->conf->sched.slice - 1 < CLEAR ? b->conf->sched.slice - 1 : CLEAR;

	if (told < TOLD || !next || next - now >= clear || (put_off && now - put_off > CLEAR)) {
		put_off = 0;
		return false;
	}
	if (!put_off)
		put_off = now;
	return true;
}

void repeats_tell(struct bridge *b, const struct snapshot *snap, int64_t next)
{
	static const slurmctld_lock_t look = { NO_LOCK, NO_LOCK, READ_LOCK, NO_LOCK, NO_LOCK };
	struct metered metered;
	struct nodeset *returned;
	bool registered, all, any = false;

	for (size_t i = 0; i < snap->njobs; i++)
		any |= snap->jobs[i].state == SNAP_RUNNING && snap->jobs[i].turned;
	if ((!any && (told == TOLD_ALL || !b->slices)) || is_put_off(b, time(NULL), next))
		return;
	metered_take(&metered, &look);
	registered = told == TOLD_ALL || life_registered();
	returned = life_returned();
	metered_give(&metered);
	all = told < TOLD || (registered && told != TOLD_ALL);
	if (all || (told == TOLD_ALL && returned))
		tell(b, snap, all ? NULL : returned);
	told = registered ? TOLD_ALL : TOLD;
	nodeset_destroy(returned);
}

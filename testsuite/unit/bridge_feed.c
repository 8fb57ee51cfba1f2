/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bridge_feed: see the header. */
#include "slurm/base/compat.h"

#include "slurm/promise/unconfirmed.h"
#include "slurm/sync/sync.h"
#include "slurm/state/track.h"
#include "slurm/state/core.h"
#include "slurm/agent/configure.h"
#include "testsuite/unit/bridge_feed.h"
#include "testsuite/unit/ctld.h"
#include "testsuite/unit/seed.h"

void played_pass(struct bridge *b, struct snapshot *snap)
{
	bool done;

	pthread_mutex_lock(&b->lock);
	b->epoch++;
	done = sync_apply(b, snap);
	sync_forget(b);
	pthread_mutex_unlock(&b->lock);
	snapshot_destroy(snap);
	assert_true(done);
}

struct snap_job *played_job(struct snapshot *snap, uint32_t id, enum snap_state state,
			    struct nodeset *all)
{
	struct snap_job *j;

	snap->jobs = realloc(snap->jobs, (snap->njobs + 1) * sizeof(*snap->jobs));
	j = &snap->jobs[snap->njobs++];
	*j = (struct snap_job){ .job_id = id,
				.base_id = id,
				.task = NO_VAL,
				.state = state,
				.runnable = state == SNAP_PENDING,
				.submit = snap->now,
				.eligible = snap->now,
				.taken = snap->now,
				.token = { .id = PLAYED_TOKEN, .limit = 100 },
				.what = { .width = NODES,
					  .limit = 100,
					  .limit_given = true,
					  .nalt = 1,
					  .alt = { all } } };
	return j;
}

void played_promises(struct bridge *b, uint64_t core, size_t n, int64_t now, int64_t begin,
		     int64_t deadline, struct nodeset *all)
{
	struct sched_job *jobs = calloc(n, sizeof(*jobs));
	uint64_t *ids = calloc(n, sizeof(*ids));
	struct sched_decision decision;
	bool done;

	pthread_mutex_lock(&b->lock);
	for (size_t i = 0; i < n; i++) {
		ids[i] = core + i;
		jobs[i] = (struct sched_job){ .id = ids[i],
					      .submit = now,
					      .eligible = now,
					      .begin = begin,
					      .limit = 100,
					      .deadline = deadline,
					      .planned = -1,
					      .width = NODES,
					      .nalt = 1,
					      .alt = { all } };
	}
	done = bridge_event(b,
			    &(struct sched_event){
				    .type = EV_SUBMIT, .now = now, .jobs = jobs, .njobs = n },
			    "a submission") &&
	       bridge_answer(b, ids[0], &decision) &&
	       unconfirmed_add(b, PLAYED_TOKEN, true, bridge_shape(&jobs[0]), ids, n);
	pthread_mutex_unlock(&b->lock);
	free(jobs);
	assert_true(done);
}

void played_promise(struct bridge *b, uint64_t core, int64_t now, int64_t begin, int64_t deadline,
		    struct nodeset *all)
{
	played_promises(b, core, 1, now, begin, deadline, all);
}

struct bridge *played_bridge(void)
{
	struct bridge *b = bridge_get();
	struct safety safety;

	safety_look(&safety);
	b->nodes = 0;
	assert_true(configure_read(b, &safety));
	played_pass(b, ctld_idle(1));
	assert_true(b->ready);
	return b;
}

int64_t played_late(struct bridge *b, uint64_t names, int64_t late, bool waking,
		    struct nodeset *all)
{
	struct snapshot *snap = ctld_idle(names);
	struct snap_job *j = played_job(snap, 7, SNAP_RUNNING, all);
	int64_t deadline = snap->now + j->token.limit + b->conf->sched.guard;
	struct sched_view view;
	struct track *track;

	j->nodes = nodeset_dup(all);
	j->token.deadline = deadline;
	j->waking = waking;
	j->start = snap->now + late;
	j->end = j->start + j->token.limit;
	played_pass(b, snap);
	track = track_find(b, track_key(7, NO_VAL));
	assert_non_null(track);
	assert_int_equal(sched_view(b->core, track->core, &view), PACT_OK);
	return view.end - deadline;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_job.h - what the parts of one synchronisation share
 *
 * With the bridge's mutex.
 */
#ifndef PACT_SLURM_SYNC_JOB_H
#define PACT_SLURM_SYNC_JOB_H

#include "slurm/state/bridge.h"

/* One synchronisation at work. */
struct sync {
	struct bridge *b;
	const struct snapshot *snap;
	/* What the tasks of one record have in common. */
	const struct snap_job *depends_of;
	int64_t depends_begin;
};

/* The tasks that a record stands for. */
uint32_t sync_tasks(const struct snap_job *j);

/* The track_key() of the i-th. */
uint64_t sync_key(const struct snap_job *j, uint32_t i);

/* Does its promise stand, so that the core looks after its deadline? */
bool sync_promised(const struct snap_job *j);

/* Was it let in by a realm that expects it by its deadline, and promises nothing? */
bool sync_expected(const struct snap_job *j);

/* May it be asked to leave its nodes? */
bool sync_may_leave(const struct snap_job *j);

/*
 * C of a job that may be asked to leave its nodes, seconds; 0: it has never left any. What its checkpoint took was measured; until it
 * has read that again is not seen, and counts as much (section 6.4 of the gang scheduling paper).
 */
int64_t sync_migration(const struct snap_job *j);

/* When it was submitted: of one that has been migrated, first. */
int64_t sync_submitted(const struct snap_job *j);

/* A time at which a job is due, as the core is told where it takes a guard off again. PACT_FOREVER stays that. */
int64_t sync_with_guard(const struct sync *s, int64_t end);

/* The core is told at the time of the snapshot.  RET false: it had no effect (logged) */
bool sync_event(struct sync *s, struct sched_event *ev, const char *what);

bool sync_simple(struct sync *s, enum sched_event_type type, uint64_t id, const char *what);

/* The core forgets a job, and so do we. */
void sync_drop(struct sync *s, struct track *track);

/* Its record may be gone before a snapshot shows how it ended. */
void sync_remember(struct track *track, const struct snap_job *j);

/* The track of a waiting job, as this snapshot shows it. */
void sync_note(const struct sync *s, const struct snap_job *j, struct track *track);

/*
 * Submit jobs whose tracks are new.
 * OUT d - what is decided about their deadline, all or none; NULL: nothing is to be decided
 */
bool sync_submit(struct sync *s, struct sched_job *jobs, size_t n, struct sched_decision *d);

#endif /* PACT_SLURM_SYNC_JOB_H */

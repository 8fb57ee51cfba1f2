/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ctld: a slurmctld that is played, for unit tests of the bridge: its locks and variables, and the parts of
 * the bridge that look into its records (launch, publish, safety, serve, snapshot). It starts no job, and
 * is always safe.
 */
#ifndef PACT_TEST_CTLD_H
#define PACT_TEST_CTLD_H

#include <pthread.h>

#include "slurm/config/conf.h"
#include "slurm/snapshot/snapshot.h"

#define NODES 4

/* Calls so far: snapshot_take(); safety_look(); updates that were handed to publish_collect(); recount_suspended(). */
extern _Atomic int ctld_snapshots, ctld_looks, ctld_updates, ctld_recounts;

/* What snapshot_take() gives, the caller's from then on; NULL: ctld_idle(1). Set it while no thread runs. */
extern struct snapshot *(*ctld_seen)(void);

/* What safety_look() says of the site: jobs end within 20 s, a guard of 60 s, nothing sleeps. */
extern struct conf_site ctld_site;

/* The partitions of that, for partitions_free(); NULL: none is known. Set it while no thread runs. */
extern void (*ctld_parts)(struct partitions *out);

/* StateSaveLocation, as safety_look() finds it; NULL: none. Set it while no thread runs. */
extern const char *ctld_state_dir;

/* Slurm lets nothing be scheduled; at any time. */
extern _Atomic bool ctld_switched_off;

/* Is the mutex the calling thread's?  What another one has is given back within seconds, which is waited for. */
bool ctld_holds(pthread_mutex_t *mutex);
/* Is the calling thread inside slurmctld's locks? */
bool ctld_locked(void);

/* NODES idle nodes now; names tells node tables apart. Destroyed by snapshot_destroy(), with all its jobs. */
struct snapshot *ctld_idle(uint64_t names);

#endif

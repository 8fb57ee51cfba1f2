/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shared.h - two plugins, one plan
 *
 * slurmctld opens every plugin with local symbols, so code linked into two of
 * them makes two plans.  job_submit_deadline.so is loaded first; it owns the
 * bridge, stays resident, and exports one versioned struct.  A scheduler plugin
 * finds it among the loaded libraries by file name and works through it; without
 * it, the scheduler works with its own copy, which promises nothing new.
 */
#ifndef PACT_SLURM_SHARED_H
#define PACT_SLURM_SHARED_H

#include <stdbool.h>
#include <stdint.h>

#define SHARED_VERSION 2
/* The exported name; another version gets another name. */
#define SHARED_SYMBOL "pact_shared_2"
/* The owner's file name. */
#define SHARED_OWNER "job_submit_deadline.so"

struct shared {
	uint32_t version; /* SHARED_VERSION */
	uint32_t size;	  /* of this struct; a reader uses no field beyond it */
	/*
	 * The scheduler's init(): read pact.conf, start the thread.  False: refuse to load.
	 * IN type - the scheduler's, "sched/qops"
	 */
	bool (*start)(const char *type);
	/* Its fini(): stop the thread and wait for it. */
	void (*stop)(void);
	/* slurm.conf or pact.conf may have changed.  slurmctld's locks may be held. */
	void (*reconfigure)(void);
};

/* This copy's implementation. */
const struct shared *shared_own(void);

/*
 * The init() of a scheduler's shell: start the owner's plan, when it is loaded, of this
 * version, and active (its job_submit plugin has been initialised), else this copy's.
 * IN type - the scheduler's, "sched/qops"
 * RET what fini() and reconfiguring go to, or NULL: refuse to load (logged)
 */
const struct shared *shared_start(const char *type);

#endif /* PACT_SLURM_SHARED_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watch: look on while a driver and a scheduler talk. Every call that can change a scheduler's state or
 * that it answers is told to the watcher with its answer, in the order of the calls; what is told here
 * is all that a second scheduler needs in order to decide the same (retell.h for one that begins later).
 * A scheduler that is not watched pays one comparison per call.
 */
#ifndef PACT_CORE_WATCH_H
#define PACT_CORE_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/kernel/protocol.h"

/*
 * Called at the end of each call by the thread that makes it. Pointers are valid during the call only.
 * A watcher must not call the scheduler, but for sched_spent() and sched_name().
 */
struct watch {
	/* sched_event(); rc is what it returned */
	void (*event)(void *arg, const struct sched_event *ev, int rc);
	/* an action was given by sched_next() (next) or sched_poll(); NULL: sched_next() has none */
	void (*action)(void *arg, bool next, const struct sched_action *a);
	/* sched_ask() (change false) or sched_ask_change(), and the answer */
	void (*ask)(void *arg, bool change, int64_t now, const struct sched_job *jobs, size_t njobs,
		    int rc, const struct sched_decision *d);
	/* sched_configure() */
	void (*configure)(void *arg, const struct sched_config *config, int rc);
};

/* Watch from now on; NULL: no more. The struct is borrowed until then. */
void sched_watch(struct sched *s, const struct watch *watch, void *arg);

/*
 * In the latest call, which question for the budget (sched_config.expired) was the first to be told that
 * it is used up, counted from 1; 0: none. The only thing that a call depends on besides what it is given.
 */
int64_t sched_spent(const struct sched *s);

/* The name that it was created by. */
const char *sched_name(const struct sched *s);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workers: tasks in processes of their own, several at a time. A task cannot harm another one, and what
 * it costs in memory is its own.
 */
#ifndef PACT_SIM_WORKERS_H
#define PACT_SIM_WORKERS_H

#include <stddef.h>

struct workers {
	size_t processes; /* at most at one time */
	/* In a process of its own: do the task, write what it found to fd, return the exit code. */
	int (*work)(void *arg, size_t task, int fd);
	/*
	 * Here, as each has ended: what it wrote (ends in a zero byte that is not counted), and its exit
	 * code, or minus the signal that killed it. Not 0: no further task is begun.
	 */
	int (*done)(void *arg, size_t task, const char *said, size_t length, int code);
	/* Here, four times a second; not 0: stop, ending those that run. May be NULL. */
	int (*tick)(void *arg);
	void *arg;
};

/*
 * Do all tasks task[0 .. count - 1]. 0; what done() or tick() returned first; or an enum pact_err when
 * no process can be made. No process of ours is left when it returns.
 */
int workers_run(const struct workers *w, const size_t *task, size_t count);

#endif

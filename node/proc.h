/* SPDX-License-Identifier: GPL-2.0-or-later */
/* proc: what /proc says of processes and their threads. `root` is /proc, but in tests. */
#ifndef PACT_NODE_PROC_H
#define PACT_NODE_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct proc_thread {
	pid_t tid;
	uint64_t start; /* ticks since boot: a number may come again, with this it is one thread */
	uint64_t ran;	/* nanoseconds of processor time */
	uint64_t delay; /* nanoseconds that it was ready and did not run (run delay) */
	bool stopped;	/* by a signal */
	bool stepd;	/* Slurm's own (slurmstepd) */
};

/* Called for each thread. False: stop. */
typedef bool proc_visit(void *arg, const struct proc_thread *thread);

/*
 * Each thread of a process, those that end meanwhile left out. False: the visitor said so; a process
 * that has ended has no threads.
 */
bool proc_threads(const char *root, pid_t pid, proc_visit *visit, void *arg);

/*
 * Where a process is in the hierarchy of a controller ("cpuacct"), or in version 2's (""): the path
 * below its mount point. False: it is in none, has ended, or the path is too long.
 */
bool proc_group(const char *root, pid_t pid, const char *controller, char *path, size_t size);

/* The file whole, at most size - 1 bytes, with a zero byte. RET its length, or -1. */
ssize_t proc_read(const char *path, char *text, size_t size);

#endif

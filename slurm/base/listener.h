/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * listener.h - a Unix socket in the file system: made whole, taken away again
 *
 * The file takes its name when it is ready, in place of one that no process serves
 * any more.  One that a process serves is left alone.
 */
#ifndef PACT_SLURM_LISTENER_H
#define PACT_SLURM_LISTENER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Connections that wait to be taken, and may be all at once. */
#define LISTENER_BACKLOG 64
/* Room for the path of a Unix socket. */
#define LISTENER_PATH_MAX 108

struct listener {
	int fd; /* non-blocking; -1: none */
	dev_t dev;
	ino_t ino;
	char path[LISTENER_PATH_MAX];
};

/* OUT why - when false is returned */
bool listener_open(struct listener *l, const char *path, uint32_t mode, char *why, size_t why_size);

/* Close it; the file goes too, if it is still ours. */
void listener_close(struct listener *l);

#endif /* PACT_SLURM_LISTENER_H */

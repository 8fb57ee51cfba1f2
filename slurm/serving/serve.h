/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * serve.h - the query socket: its thread, and where it listens
 *
 * One thread with poll(2) reads lines and writes answers (conns.h); it takes no lock
 * but its own small ones and never waits.  Answers are made by the answerer (answerer.h).
 *
 * The socket is there while this slurmctld is in charge.
 */
#ifndef PACT_SLURM_SERVE_H
#define PACT_SLURM_SERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slurm/base/listener.h"

struct serve_settings {
	char path[LISTENER_PATH_MAX]; /* "": no socket */
	uint32_t mode;		      /* of its file */
	int64_t rate;		      /* simple requests of one user per second; 0: no bound */
	int64_t timeout_us;	      /* for a line to come, and for an answer to be read */
};

/* From pact.conf, at first and again later.  Any thread. */
void serve_configure(const struct serve_settings *settings);

/* The threads.  Without them everything else goes on: a failure is logged. */
void serve_start(void);
void serve_stop(void);

#endif /* PACT_SLURM_SERVE_H */

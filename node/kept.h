/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kept: what outlives the daemon, in files of its directory.
 *
 *	jobs/ID	the terms of a job, one line (written by spank_pact before the job begins, removed when it is over,
 *		and by us when the controller has changed them)
 *	state	what each has done, its place, and the last measurement
 *
 * Files take their names when they are whole. A reboot makes counters and processes others: measurements of another boot
 * are left out when state is read, work is not.
 */
#ifndef PACT_NODE_KEPT_H
#define PACT_NODE_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "node/part.h"

#define KEPT_BOOT 40

/* Make the directory and jobs/ in it. */
bool kept_make(const char *dir, char *why, size_t size);

/* The terms of a job, without the end of line. False: there are none, see why. */
bool kept_terms(const char *dir, uint32_t id, char text[TERMS_MAX], char *why, size_t size);

/* Write them. */
bool kept_set_terms(const char *dir, uint32_t id, const char *text, char *why, size_t size);

void kept_remove(const char *dir, uint32_t id);

/* Whose terms are there: at most `most`. RET how many; -1: the directory cannot be read. */
long kept_jobs(const char *dir, uint32_t *id, size_t most);

/*
 * Write what the parts have done, and when they were measured (microseconds of a clock that goes on
 * from boot to boot's end, and which boot).
 */
bool kept_save(const char *dir, const struct parts *parts, const char *boot, int64_t measured,
	       char *why, size_t size);

/*
 * Read it for the parts that are there; those of another submission are left as they are. *measured is
 * 0 if there is nothing of this boot. False: there is no state, or it is not understood.
 */
bool kept_load(const char *dir, struct parts *parts, const char *boot, int64_t *measured);

#endif

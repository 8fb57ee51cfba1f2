/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scenario: a worked example of a few jobs with the decisions and starts that it must come to,
 * worked out by hand from the papers. The format is described in doc/scenarios.md.
 */
#ifndef PACT_SIM_SCENARIO_H
#define PACT_SIM_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>

struct scenario;

/*
 * Read one. NULL with the reason in why ("FILE:LINE: what", naming key and value). The caller owns
 * it.
 */
struct scenario *scenario_read(const char *path, char *why, size_t size);
void scenario_destroy(struct scenario *sc);

/* Called once for each thing that was compared. */
typedef void (*scenario_tell)(void *arg, bool ok, const char *what);

/*
 * Run it and compare: for each job its decision and its start, then the whole schedule with the
 * validator. Returns the number of things that were otherwise, or -1 with the reason when the
 * scheduler stopped with an error.
 */
int scenario_run(const struct scenario *sc, scenario_tell tell, void *arg, char *why, size_t size);

/* How many times scenario_run() calls tell. */
size_t scenario_checks(const struct scenario *sc);

#endif

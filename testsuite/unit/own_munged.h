/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * own_munged: a munged of the test's own, with a key of its own, in a directory that goes with it.
 */
#ifndef PACT_TEST_OWN_MUNGED_H
#define PACT_TEST_OWN_MUNGED_H

#include <stdbool.h>

/* Start it, and wait until it answers; where there is none to be had, own_munged_is_there() says so. */
void own_munged_start(void);

bool own_munged_is_there(void);

/* Its socket. */
const char *own_munged(void);

void own_munged_stop(void);

#endif

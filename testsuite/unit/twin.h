/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * twin: each scheduler that a test makes has a twin, which is told and asked the same. Every answer, action
 * and, between passes, every place must be the same; so a test is of what differs between the two.
 *
 * The core's entry points are wrapped by the linker: see testsuite/unit/Makefile.mk, `twin_wraps`.
 */
#ifndef PACT_TEST_TWIN_H
#define PACT_TEST_TWIN_H

#include "core/sched.h"

/* That of the only scheduler that there is; NULL: there is none. */
extern struct sched *twin;

/* How our configuration differs from the twin's, which is what the test gives. NULL: not at all. */
extern void (*twin_ours)(struct sched_config *c);

/* Told after each sched_next(). NULL: none is. */
extern void (*twin_passed)(const struct sched *s);

#endif

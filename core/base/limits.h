/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limits: what has a bound in all of core. */
#ifndef PACT_CORE_LIMITS_H
#define PACT_CORE_LIMITS_H

/* Sets of nodes that a job may choose from (several partitions). */
#define SCHED_MAX_ALT 8

/*
 * Shares are in parts of this, which 1 to 16 divide: thirds and sevenths of a node are exact, and add up to a
 * whole. Within INT32_MAX.
 */
#define SHARE_WHOLE 720720000u

/* A migration takes no longer, in seconds: what costs come to stays within 63 bits. */
#define MIGRATION_MOST 1000000

#endif

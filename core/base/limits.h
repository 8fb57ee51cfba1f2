/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limits: what has a bound in all of core. */
#ifndef PACT_CORE_LIMITS_H
#define PACT_CORE_LIMITS_H

/* Sets of nodes that a job may choose from (several partitions). */
#define SCHED_MAX_ALT 8

/* Shares of a node are millionths. Three thirds are less than a whole: they are rounded down. */
#define SHARE_WHOLE 1000000u

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * short_memory: one allocation fails of those that the core makes inside of its entry points, which are called once
 * more when they say so: the failure must have had no effect.
 *
 * malloc() and its kin, and the entry points, are wrapped by the linker ($(short_wraps) in Makefile.mk): what the
 * test itself asks for never fails.
 */
#ifndef PACT_TEST_SHORT_MEMORY_H
#define PACT_TEST_SHORT_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "core/sched.h"

struct short_memory {
	bool inside;	   /* of an entry point */
	bool shaken;	   /* the allocation has failed */
	uint64_t asked;	   /* allocations so far */
	uint64_t fails_at; /* the one that fails, counted from 1; 0: none */
	uint64_t told;	   /* so often a failure was told; the test's to set back */
};

extern struct short_memory memory;

/* Count anew, and let that one fail. */
void short_memory_at(uint64_t fails_at);

/* Out of an entry point that returned this: is it to be called again? For wraps of the test's own. */
bool short_memory_again(int rc);

/* The entry points themselves, in which nothing fails. */
int __real_sched_event(struct sched *s, const struct sched_event *ev);
bool __real_sched_next(struct sched *s, struct sched_action *action);

#endif

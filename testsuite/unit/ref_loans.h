/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ref_loans: which job gets the next node on loan, and which one gives the next one back, found slowly: for each node all jobs are
 * looked at. It takes from the engine what that knows (its jobs, what is idle, and when what is wanted), not how it chooses.
 */
#ifndef PACT_TEST_REF_LOANS_H
#define PACT_TEST_REF_LOANS_H

#include "core/loans/state.h"

/* The machine has no more, and nothing here asks for memory. */
#define REF_LOANS_NODES 64

/* Of each node the place in s->running of the job that is to get it; -1: none is. */
void ref_loans_lend(const struct loans *s, int32_t *to);

/* What is on loan, in the order in which it is given back; how many. */
uint32_t ref_loans_back(const struct loans *s, uint32_t *order);

#endif

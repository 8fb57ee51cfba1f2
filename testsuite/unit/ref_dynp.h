/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ref_dynp: dynP's scheduler as the paper writes it, over ref_sched's plain machine: at each step
 * every schedule is made from nothing, every quality is a fraction of plain integers, and the deciders are
 * the paper's nested conditions. One metric at a time.
 */
#ifndef PACT_TEST_REF_DYNP_H
#define PACT_TEST_REF_DYNP_H

#include "core/policies/dynp/dynp.h"
#include "testsuite/unit/ref_sched.h"

#define REF_DYNP_JOBS 64

/* Run the jobs, at most REF_DYNP_JOBS, to the end of the last. Deadlines are not looked at. */
void ref_dynp_run(const struct ref_config *machine, const struct dynp_config *c,
		  struct ref_job *job, size_t n, struct dynp_view *seen);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policies: what orders the plan (planning/plan_policy.h), one for each scheduler of the planning engine. */
#ifndef PACT_CORE_POLICIES_H
#define PACT_CORE_POLICIES_H

struct plan_policy;

extern const struct plan_policy policy_fcfs;
extern const struct plan_policy policy_easy;
extern const struct plan_policy policy_conservative;
extern const struct plan_policy policy_qops;
extern const struct plan_policy policy_qops_slurm;
extern const struct plan_policy policy_msb;
extern const struct plan_policy policy_mrt;
extern const struct plan_policy policy_best;
extern const struct plan_policy policy_dynp;

#endif

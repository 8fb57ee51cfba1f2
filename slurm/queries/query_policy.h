/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query_policy.h - sched/dynp's policies as answers show them
 */
#ifndef PACT_SLURM_QUERY_POLICY_H
#define PACT_SLURM_QUERY_POLICY_H

#include "slurm/state/running_policy.h"
#include "slurm/queries/query.h"

/* The protocol's "dynp" member; the caller owns it. */
json_object *query_policy(const struct running_policy_view *view);

#endif /* PACT_SLURM_QUERY_POLICY_H */

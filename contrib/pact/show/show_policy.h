/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show_policy.h - sched/dynp's policies, part of pact stats
 */
#ifndef PACT_CONTRIB_PACT_SHOW_POLICY_H
#define PACT_CONTRIB_PACT_SHOW_POLICY_H

#include "contrib/pact/show/show.h"

/* The answer's member "dynp", where there is one. */
void show_policy(json_object *dynp, const struct style *style, FILE *out);
/* The same in Prometheus' text exposition format. */
void show_policy_prometheus(json_object *dynp, FILE *out);

#endif /* PACT_CONTRIB_PACT_SHOW_POLICY_H */

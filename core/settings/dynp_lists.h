/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dynp_lists: the settings of dynp that are lists, in text and back. Internal to core/settings. */
#ifndef PACT_CORE_DYNP_LISTS_H
#define PACT_CORE_DYNP_LISTS_H

#include "core/settings/setting.h"

/* Of a struct sched_config. Policies=fcfs,sjf,...; the first is the initial one. */
extern const struct setting_own policies_setting;
/* Quality=METRIC[:WEIGHT][+METRIC[:WEIGHT]...] */
extern const struct setting_own quality_setting;

/* The basic decider needs fcfs, sjf and ljf. */
bool basic_has_its_policies(const void *config, char *why, size_t size);

#endif

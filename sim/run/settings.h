/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings: a scheduler's configuration from text, for `--set` and for scenarios. Keys are spelt as
 * in pact.conf, in any case: Mode=paper|slurm, Order=edf|llf, Admission=qops|none, KFactor=COUNT,
 * Cost=slack|wait|area|work (msb: slack, qops-best: work), Slots=start|order (msb), Compress=arrival|start
 * (conservative), MaxBacktracks=COUNT (mrt),
 * Effort=COUNT (mrt, qops-best), Relaxation=R (a number, at most 3 digits after the point),
 * MinArtificialDeadline=SECONDS, Guard=SECONDS, Lateness=SECONDS.
 */
#ifndef PACT_SIM_SETTINGS_H
#define PACT_SIM_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/sched.h"

/* 0 or PACT_EINVAL: unknown key or malformed value; no effect then, why names key and value. */
int settings_apply(struct sched_config *c, const char *key, const char *value, char *why,
		   size_t size);

/*
 * Does this scheduler, configured so, look at the setting at all? If not, why says so, and who does.
 * The key must be one that settings_apply() takes.
 */
bool settings_used(const struct sched_config *c, const char *scheduler, const char *key, char *why,
		   size_t size);

#endif

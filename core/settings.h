/* SPDX-License-Identifier: GPL-2.0-or-later */
/* settings: of all schedulers, checked before any of them sees them. Internal to core. */
#ifndef PACT_CORE_SETTINGS_H
#define PACT_CORE_SETTINGS_H

#include "core/kernel/protocol.h"

/* Is the configuration well formed? why (may be NULL) gets the reason. */
bool settings_valid(const struct sched_config *c, char *why, size_t size);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gang_phases: the setting Phases, in text and back. Internal to core/settings. */
#ifndef PACT_CORE_GANG_PHASES_H
#define PACT_CORE_GANG_PHASES_H

#include "core/settings/setting.h"

/* Of a struct sched_config. Phases=own, or a list in the order of enum gang_phase. */
extern const struct setting_own phases_setting;

#endif

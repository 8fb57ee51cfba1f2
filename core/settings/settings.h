/* SPDX-License-Identifier: GPL-2.0-or-later */
/* settings: those of the schedulers as a table, and what is done with all of them. */
#ifndef PACT_CORE_SETTINGS_H
#define PACT_CORE_SETTINGS_H

#include "core/settings/config.h"
#include "core/settings/setting.h"

/* Of struct sched_config, in the order of recordings. */
extern const struct setting sched_settings[];

/* What they are at first: the paper's figures, where it has some, and nothing that a site adds. */
void sched_config_init(struct sched_config *c);

/*
 * What the settings are that a recording says nothing of: 0, or the default where 0 is none of their values. Those did not exist when
 * it was made.
 */
void settings_unsaid(struct sched_config *c);

/* Is the configuration well formed? why (may be NULL) gets the reason, by key, value and bounds. */
bool settings_valid(const struct sched_config *c, char *why, size_t size);

/*
 * One from text, for `--set` and for scenarios; keys as in pact.conf, in any case. False: an unknown key or a
 * malformed value; no effect then, why (may be NULL) names key and value.
 */
bool settings_apply(struct sched_config *c, const char *key, const char *value, char *why,
		    size_t size);

/*
 * Does this scheduler, configured so, look at the setting at all? If not, why says so, and which do.
 * The key must be one that settings_apply() takes.
 */
bool settings_used(const struct sched_config *c, const char *scheduler, const char *key, char *why,
		   size_t size);

#endif

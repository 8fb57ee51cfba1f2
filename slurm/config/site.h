/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * site.h - the keys of pact.conf as tables: those of the schedulers (core/settings) and the plugin's own (site.def)
 *
 * It knows nothing of Slurm: the manual is made of it, too.
 */
#ifndef PACT_SLURM_SITE_H
#define PACT_SLURM_SITE_H

#include "core/settings/settings.h"

/* Members of struct conf. */
extern const struct setting site_settings[];

#endif /* PACT_SLURM_SITE_H */

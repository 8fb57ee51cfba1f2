/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * poke.h - wakes the thread that plans
 *
 * Any thread may call these, with any lock.
 */
#ifndef PACT_SLURM_POKE_H
#define PACT_SLURM_POKE_H

#include <stdbool.h>

/* Something happened that the plan should know soon. */
void poke(void);

/* The same; slurm.conf or pact.conf may have changed, too: both are read again. */
void poke_to_reread(void);

/* Has one come that was not taken? */
bool poke_came(void);

/* Take it.  RET whether the configuration is to be read again */
bool poke_take(void);

#endif /* PACT_SLURM_POKE_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loaded.h - what another plugin of this process exports */
#ifndef PACT_SLURM_LOADED_H
#define PACT_SLURM_LOADED_H

/*
 * The symbol of a loaded library, which its file's name (no path) tells.  slurmctld opens plugins with local symbols, so
 * that they cannot be found otherwise.  It is there as long as the library is: ask for those that are linked to stay.
 * RET NULL: it is not loaded, or has no such symbol
 */
void *loaded_symbol(const char *file, const char *symbol);

#endif /* PACT_SLURM_LOADED_H */

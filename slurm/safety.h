/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * safety.h - is this slurm.conf one under which promises can be kept?
 *
 * At start-up an unsafe one stops the plugin with one line that names the key
 * to set.  After a reconfiguration nothing can be stopped any more: then no
 * promise is made until the key is right again.
 */
#ifndef PACT_SLURM_SAFETY_H
#define PACT_SLURM_SAFETY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether the main scheduler is silent, so that nothing starts beside the plan.
 * Reads slurm_conf: its read lock, or a plugin's init().
 * OUT err - the line for the log, naming the key
 */
bool safety_scheduler(char *err, size_t err_size);

/* The same, and what else a promise needs. */
bool safety_promises(char *err, size_t err_size);

#endif /* PACT_SLURM_SAFETY_H */

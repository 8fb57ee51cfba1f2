/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_dynp.h - the part of pact.conf that sched/dynp reads
 *
 * Keys and values are those of core/settings, the same that
 * `pact-sim --set` takes; what differs is JobPriority's default.
 */
#ifndef PACT_SLURM_CONF_DYNP_H
#define PACT_SLURM_CONF_DYNP_H

#include "core/settings/settings.h"
#include "slurm/base/compat.h"

/* As many keys there can be at most. */
#define CONF_DYNP_KEYS 32

/* The defaults. */
void conf_dynp_init(struct sched_config *c);

/* Its keys, for the parser.  RET how many */
size_t conf_dynp_keys(s_p_options_t out[CONF_DYNP_KEYS]);

/*
 * Their values, those that are there, and whether they go together.
 * OUT err - names key and value, when false is returned
 */
bool conf_dynp_read(s_p_hashtbl_t *tbl, struct sched_config *c, char *err, size_t err_size);

#endif /* PACT_SLURM_CONF_DYNP_H */

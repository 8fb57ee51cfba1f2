/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - names in comma lists, and of users in messages
 *
 * Plain C, no Slurm header: unit tested by itself.
 */
#ifndef PACT_SLURM_NAMES_H
#define PACT_SLURM_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

/*
 * IN names - "a,b,c"; NULL: none
 * IN name - NULL, "": no name, which is in no list
 * IN compare - as Slurm compares names of this kind: strncmp for partitions (list_find_part),
 *	strncasecmp for accounts and QOS (assoc_mgr_fill_in_assoc(), assoc_mgr_fill_in_qos())
 */
bool names_have(const char *names, const char *name,
		int (*compare)(const char *, const char *, size_t));

#define NAMES_USER 80

/*
 * A user in a message: "user NAME", or "uid N" where there is no name.
 * IN name - NULL, "": none; what is too long for `out` is cut off
 */
void names_user(const char *name, uint32_t uid, char out[NAMES_USER]);

#endif /* PACT_SLURM_NAMES_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - is a name one of a comma list?
 *
 * Plain C, no Slurm header: unit tested by itself.
 */
#ifndef PACT_SLURM_NAMES_H
#define PACT_SLURM_NAMES_H

#include <stdbool.h>
#include <stddef.h>
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

#endif /* PACT_SLURM_NAMES_H */

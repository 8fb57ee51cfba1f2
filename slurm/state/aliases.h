/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * aliases.h - the numbers by which the core knows users
 *
 * It has to tell users apart (what one user's jobs needed says most about that user's next one), and
 * need not know which they are: what it is told is recorded, and a recording goes to others.  So each
 * uid gets the next number from 1 on when it is first named.  They mean nothing in another life of slurmctld: what
 * is kept of users for longer is kept by uid (learned.h).
 *
 * With the mutex.
 */
#ifndef PACT_SLURM_ALIASES_H
#define PACT_SLURM_ALIASES_H

#include <stdint.h>

struct bridge;

/* So many users are told apart; later ones have no number. */
#define ALIASES_MOST 65536

/* Where there are realms alone it matters whose jobs are: else 0, as alias_of() would. */
int64_t alias_in_realm(struct bridge *b, uint32_t uid);

/* The user's number; 0: none, as there are too many, or memory is short. */
int64_t alias_of(struct bridge *b, uint32_t uid);

/* Whose number it is; NO_VAL: it is none. */
uint32_t alias_uid(const struct bridge *b, int64_t number);

#endif /* PACT_SLURM_ALIASES_H */

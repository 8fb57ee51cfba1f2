/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * array.h - how many tasks a --array text asks for
 *
 * The text is a user's, and nobody has checked it yet.  Plain C, no Slurm header.
 */
#ifndef PACT_SLURM_ARRAY_H
#define PACT_SLURM_ARRAY_H

#include <stdint.h>

/*
 * Tasks of "0-9:2,15".  Those named twice count twice.
 * IN most - below 2^31
 * RET 0: none, not understood, or more than `most`.  Time grows with the text alone
 */
uint32_t array_count(const char *text, uint32_t most);

#endif /* PACT_SLURM_ARRAY_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * texts.h - many texts of which few differ, each kept once
 *
 * Ten thousand records name a handful of accounts and partitions: a copy of
 * each for every record would cost more than all else about reading them.
 * Plain C; a pool belongs to one thread at a time.
 */
#ifndef PACT_SLURM_TEXTS_H
#define PACT_SLURM_TEXTS_H

struct texts;

/* RET NULL: no memory */
struct texts *texts_create(void);
/* With all its texts; NULL is fine. */
void texts_destroy(struct texts *texts);

/*
 * The pool's copy of a text, the same pointer for equal texts, valid as long as
 * the pool is.  Expected cost O(length).
 * RET NULL: no memory
 */
const char *texts_keep(struct texts *texts, const char *text);

#endif /* PACT_SLURM_TEXTS_H */

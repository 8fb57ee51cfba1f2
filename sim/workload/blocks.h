/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blocks: a file, block by block, inflated by a thread of its own some blocks ahead of its reader.
 * That thread exists only where it gains something and never waits for a writer: for a regular file that is
 * compressed and longer than a block. It takes no signals. Where the system has no thread to give, the
 * reader inflates, too.
 */
#ifndef PACT_SIM_BLOCKS_H
#define PACT_SIM_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

struct blocks;

/*
 * A file, or "-", standard input. alone: without the thread. NULL with errno. Memory does not depend on
 * the file.
 */
struct blocks *blocks_open(const char *path, bool alone);
void blocks_close(struct blocks *b); /* NULL is fine */

/*
 * The next block, `*size` bytes that the caller may change, until the next call. NULL: the end, or a
 * failure (blocks_error()).
 */
char *blocks_next(struct blocks *b, size_t *size);

/* After NULL: what has failed, or NULL. */
const char *blocks_error(const struct blocks *b);

/* How far into the file the last block reaches, and its length: bytes, as they are there. 0: not known. */
double blocks_at(const struct blocks *b);
double blocks_bytes(const struct blocks *b);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbols.h - what a loaded library needs of others, and what these have
 *
 * Plain C over the dynamic linker, no Slurm header.
 */
#ifndef PACT_SLURM_SYMBOLS_H
#define PACT_SLURM_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Does a library need a function or variable that nothing loaded has?  All that it was linked to need
 * are looked up, whether they are bound yet or not.  The toolchain's own weak ones do not count.
 * IN within - an address in the library
 * OUT name - of the first that is missing; "" if there is none
 * RET true: one is missing.  Cost: a look-up by each name, less than a millisecond
 */
bool symbols_missing(const void *within, char *name, size_t size);

/*
 * How many bytes a variable has where it is defined, which is what that library or program was
 * compiled with.  RET 0: not known
 */
size_t symbols_size(const void *variable);

/*
 * The value of a variable that each loaded library of a kind has, of the first that is none of ours.
 * IN variable - its name; it is 32 bits wide
 * IN mark, ours - the name of a text in each, and those texts of ours, NULL-terminated
 * RET false: there is no such library
 */
bool symbols_first(const char *variable, const char *mark, const char *const *ours, unsigned *out);

#endif /* PACT_SLURM_SYMBOLS_H */

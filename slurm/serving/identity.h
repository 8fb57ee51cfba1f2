/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * identity.h - is this credential the connecting user's own?
 */
#ifndef PACT_SLURM_IDENTITY_H
#define PACT_SLURM_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * munged decodes each credential once, within its time to live, and says who
 * made it; that has to be who the kernel says has connected.
 * IN munge - munged's socket, or NULL: the usual one
 * OUT why - one line, when false is returned
 * Waits for munged for up to some seconds: no lock may be held.
 */
bool identity_check(const char *cred, uid_t peer, const char *munge, char *why, size_t why_size);

#endif /* PACT_SLURM_IDENTITY_H */

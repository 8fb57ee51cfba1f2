/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * munge_socket.h - where munged listens, by slurm.conf's AuthInfo
 *
 * Any thread may call these.
 */
#ifndef PACT_SLURM_MUNGE_SOCKET_H
#define PACT_SLURM_MUNGE_SOCKET_H

#include <stdbool.h>
#include <stddef.h>

/* "" or NULL: the usual one. */
void munge_socket_use(const char *path);

/* RET false: the usual one, and out is "" */
bool munge_socket(char *out, size_t size);

#endif /* PACT_SLURM_MUNGE_SOCKET_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * munge_socket.c - where munged listens, by slurm.conf's AuthInfo
 */
#include "slurm/serving/munge_socket.h"

#include <pthread.h>
#include <stdio.h>

#include "slurm/base/listener.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char used[LISTENER_PATH_MAX];

void munge_socket_use(const char *path)
{
	pthread_mutex_lock(&lock);
	snprintf(used, sizeof(used), "%s", path ? path : "");
	pthread_mutex_unlock(&lock);
}

bool munge_socket(char *out, size_t size)
{
	pthread_mutex_lock(&lock);
	snprintf(out, size, "%s", used);
	pthread_mutex_unlock(&lock);
	return out[0];
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * realms.c - the partitions whose jobs share nodes, for the code that describes jobs
 */
#include "slurm/config/realms.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct own_scheduler *realms;
static size_t nrealms;

void realms_use(const struct own_scheduler *own, size_t n)
{
	size_t copied;
	struct own_scheduler *copy = partitions_copy(own, n, &copied), *old;

	if (!copy)
		return;
	pthread_mutex_lock(&lock);
	old = realms;
	n = nrealms;
	realms = copy;
	nrealms = copied;
	pthread_mutex_unlock(&lock);
	if (old)
		partitions_drop(old, n);
}

bool realms_any(void)
{
	bool any = false;

	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < nrealms; i++)
		any |= realms[i].key == OWN_ADMISSION;
	pthread_mutex_unlock(&lock);
	return any;
}

static bool is_realm(const char *partition, bool promises)
{
	const struct own_scheduler *own;
	bool is;

	pthread_mutex_lock(&lock);
	own = nrealms ? partitions_own(realms, nrealms, partition) : NULL;
	is = own && own->key == OWN_ADMISSION && own->promises == promises;
	pthread_mutex_unlock(&lock);
	return is;
}

bool realms_share(const char *partition)
{
	return is_realm(partition, true);
}

bool realms_order(const char *partition)
{
	return is_realm(partition, false);
}

bool realms_slice(const char *partition)
{
	const struct own_scheduler *own;
	bool is;

	pthread_mutex_lock(&lock);
	own = nrealms ? partitions_own(realms, nrealms, partition) : NULL;
	is = own && partitions_slices(own);
	pthread_mutex_unlock(&lock);
	return is;
}

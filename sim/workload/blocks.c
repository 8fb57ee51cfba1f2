/* SPDX-License-Identifier: GPL-2.0-or-later */
/* blocks: see blocks.h. A ring of buffers, which the thread fills and the caller gives back in turn. */
#include "sim/workload/blocks.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/workload/gunzip.h"

#define SIZE (1 << 16)
#define RING 4

struct block {
	size_t size; /* 0: there is no more */
	double at;
	char bytes[SIZE];
};

struct blocks {
	int fd;
	bool owned, regular, alone;
	double length, at;
	struct gunzip *in; /* the thread's, as long as there is one */
	unsigned taken;	   /* blocks that the caller was given */
	bool ended;
	bool threaded;
	pthread_t thread;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t changed;
	unsigned filled, done; /* blocks filled, and given back */
	bool stop;
	struct block ring[RING];
};

struct blocks *blocks_open(const char *path, bool alone)
{
	struct blocks *b = calloc(1, sizeof(*b));
	struct stat is;

	if (!b)
		return NULL;
	pthread_mutex_init(&b->lock, NULL);
	pthread_cond_init(&b->changed, NULL);
	b->alone = alone;
	b->owned = strcmp(path, "-") != 0;
	b->fd = b->owned ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	b->in = b->fd < 0 ? NULL : gunzip_create(b->fd);
	if (!b->in) {
		blocks_close(b);
		return NULL;
	}
	b->regular = fstat(b->fd, &is) == 0 && S_ISREG(is.st_mode);
	b->length = b->regular ? (double)is.st_size : 0;
	return b;
}

static void fill(struct blocks *b, struct block *to)
{
	to->size = gunzip_read(b->in, to->bytes, sizeof(to->bytes));
	to->at = gunzip_used(b->in);
}

static void *fill_ahead(void *arg)
{
	struct blocks *b = arg;
	bool more = true;

	while (more) {
		unsigned next;

		pthread_mutex_lock(&b->lock);
		while (!b->stop && b->filled - b->done == RING)
			pthread_cond_wait(&b->changed, &b->lock);
		more = !b->stop;
		next = b->filled;
		pthread_mutex_unlock(&b->lock);
		if (!more)
			break;
		fill(b, &b->ring[next % RING]);
		more = b->ring[next % RING].size;
		pthread_mutex_lock(&b->lock);
		b->filled++;
		pthread_cond_signal(&b->changed);
		pthread_mutex_unlock(&b->lock);
	}
	return NULL;
}

/* The first block is read: from here on it may be worth a thread. */
static void begin_thread(struct blocks *b)
{
	sigset_t all, old;

	if (b->alone || !b->regular || !gunzip_inflates(b->in))
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	b->threaded = pthread_create(&b->thread, NULL, fill_ahead, b) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* The thread's next block; the one before is given back. */
static void wait_filled(struct blocks *b)
{
	pthread_mutex_lock(&b->lock);
	b->done = b->taken;
	pthread_cond_signal(&b->changed);
	while (b->filled == b->taken)
		pthread_cond_wait(&b->changed, &b->lock);
	pthread_mutex_unlock(&b->lock);
}

char *blocks_next(struct blocks *b, size_t *size)
{
	struct block *next = &b->ring[b->taken % RING];

	*size = 0;
	if (b->ended)
		return NULL;
	if (b->threaded)
		wait_filled(b);
	else
		fill(b, next);
	b->ended = !next->size;
	if (b->ended)
		return NULL;
	b->at = next->at;
	*size = next->size;
	if (!b->taken++) {
		b->filled = 1;
		begin_thread(b);
	}
	return next->bytes;
}

const char *blocks_error(const struct blocks *b)
{
	return gunzip_error(b->in);
}

double blocks_at(const struct blocks *b)
{
	return b->at;
}

double blocks_bytes(const struct blocks *b)
{
	return b->length;
}

void blocks_close(struct blocks *b)
{
	int error = errno;

	if (!b)
		return;
	if (b->threaded) {
		pthread_mutex_lock(&b->lock);
		b->stop = true;
		pthread_cond_signal(&b->changed);
		pthread_mutex_unlock(&b->lock);
		pthread_join(b->thread, NULL);
	}
	gunzip_destroy(b->in);
	if (b->owned && b->fd >= 0)
		close(b->fd);
	pthread_cond_destroy(&b->changed);
	pthread_mutex_destroy(&b->lock);
	free(b);
	errno = error;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fit_queue: jobs in their order, in which the next one that is content with so few nodes is found in O(log jobs). To add
 * one at the end and to take one out costs no more, on average; to add one elsewhere is O(jobs).
 *
 * An array with holes where jobs were taken out, and over it a tree of the fewest nodes that any of a stretch needs.
 */
#ifndef PACT_CORE_MALLEABLE_FIT_QUEUE_H
#define PACT_CORE_MALLEABLE_FIT_QUEUE_H

#include <stddef.h>
#include <stdint.h>

struct job;

/* In the order of priority, higher first, then `time`, then id, which two never share. */
struct fit_queue_key {
	int64_t priority, time;
	uint64_t id;
};

struct fit_queue_place {
	struct fit_queue_key key;
	struct job *job; /* NULL: a hole */
	int32_t least;
};

/* Zeroed: empty, without room. */
struct fit_queue {
	struct fit_queue_place *v;
	int32_t *
		tree; /* of 2 x room: place i at room + i, above it the lesser of each two; a hole is INT32_MAX */
	size_t n, room,
		jobs; /* places that were used; there are, a power of 2; and that are no holes */
};

void fit_queue_release(struct fit_queue *q);
/* Room for so many jobs in all. 0, or -1: no memory. */
int fit_queue_reserve(struct fit_queue *q, size_t jobs);

/* There is room. */
void fit_queue_add(struct fit_queue *q, const struct fit_queue_key *key, struct job *job,
		   int32_t least);
/* No effect if it is not there. */
void fit_queue_remove(struct fit_queue *q, const struct fit_queue_key *key);

/* All of them leave it. */
void fit_queue_clear(struct fit_queue *q);

/* The first place from `from` on with a job that needs at most so many; q->n: there is none. */
size_t fit_queue_find(const struct fit_queue *q, size_t from, int32_t most);

/* Without holes from now on: the i-th job is at place i. */
void fit_queue_close_up(struct fit_queue *q);

size_t fit_queue_bytes(const struct fit_queue *q);

#endif

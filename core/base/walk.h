/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * walk: some of a table's entries in an order of their own. That of a table itself depends on all that has ever been in
 * it, which a scheduler that was told its state does not know: what is handed on in that order could be another thing
 * when a recording is played than when it was made.
 *
 * A walk is begun, what is to be met is added, and is then taken in order; O(log n) each. It needs no memory meanwhile:
 * room is made when an entry comes into the table.
 */
#ifndef PACT_CORE_WALK_H
#define PACT_CORE_WALK_H

#include <stddef.h>
#include <stdint.h>

/* Empty when it is all zeros. Its members are walk.c's own. */
struct walk {
	struct walk_step {
		int64_t key;
		uint64_t id;
		void *p;
	} * heap; /* none is before the one that it hangs below, at half of its place */
	size_t n, room;
};

/* Room for n entries. 0, or -1: no memory, it is as it was. */
int walk_fit(struct walk *w, size_t n);
void walk_release(struct walk *w);
size_t walk_bytes(const struct walk *w);

/* Whatever is left of the last one is forgotten. */
void walk_begin(struct walk *w);
/* To be met in the order of keys, then ids, which are distinct. There must be room. */
void walk_add(struct walk *w, int64_t key, uint64_t id, void *p);
/* The next one, which is not met again; NULL: there is none. */
void *walk_next(struct walk *w);

#endif

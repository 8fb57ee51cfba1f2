/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * malleable_hand: a driver of the engine of malleable jobs for tests. It does what the engine asks for, on nodes of its
 * own count, and checks each action: a job's nodes are free or its own, as many as said, within its range, and it keeps
 * what it has of them. What was done is a text: "start 1 on 128", "resize 1 to 64", "accept 2", "refuse 3 loss", "wake 50". Asked
 * with notice a job keeps its nodes until hand_leave(): "ask 1 to 64 by 30"; "keep 1 on 128", when it may after all.
 */
#ifndef PACT_TEST_MALLEABLE_HAND_H
#define PACT_TEST_MALLEABLE_HAND_H

#include "core/kernel/engine.h"
#include "core/malleable/malleable.h"
#include "core/sched.h"

#define HAND_JOBS 256
#define HAND_NODES 256

struct hand_job {
	struct sched_job terms;
	struct nodeset *at; /* NULL: it does not run */
	uint32_t
		first; /* the lowest that it was started on, or had when it lost that: it keeps this one */
	bool known, promised;
	bool broken; /* it was told that its promise is */
};

struct hand {
	struct sched *s;
	struct sched *
		twin; /* NULL, or one that was told all that the other knows; it has to say the same */
	struct sched_config config;
	const struct scheduler *of;
	uint32_t nodes;
	int64_t now, wake;
	int64_t gives
		[HAND_NODES];	/* then the job gives the node back; 0: it was not asked for it */
	int64_t by[HAND_NODES]; /* and it was asked to do so by then */
	bool soon;		/* jobs give back at any time within the notice, not at its end */
	struct hand_job job[HAND_JOBS]; /* by id */
	struct nodeset *busy, *lost;
	uint64_t refuse; /* resizes of this job are refused, */
	uint64_t fail;	 /* starts of this one; */
	bool reserve;	 /* it keeps a place then */
	uint64_t narrow; /* this one is started on its width alone, without what is spare */
	struct sched_decision decision;
	uint64_t actions;
	uint64_t cause;	 /* of the last resize */
	char text[4096]; /* of what was done since hand_clear() */
};

void hand_open(struct hand *h, const struct malleable_kind *kind, uint32_t nodes,
	       const struct sched_config *config);
/* With the defaults, but for the notice, in seconds. */
void hand_open_notice(struct hand *h, const struct malleable_kind *kind, uint32_t nodes,
		      int64_t grace);
void hand_close(struct hand *h);

/* An event at h->now, and all that follows. Its code. */
int hand_event(struct hand *h, struct sched_event ev);
/* One that is no answer, and nothing that follows yet. */
void hand_tell(struct hand *h, struct sched_event ev);
int hand_submit(struct hand *h, struct sched_job job);
int hand_finish(struct hand *h, uint64_t id);
/* A node is lost, under an id of its own; or is there again. */
void hand_lose(struct hand *h, uint32_t node);
void hand_find(struct hand *h, uint32_t node);
/* Only what follows. */
void hand_drain(struct hand *h);
/* It was wide so many nodes from the first one on, and that was not asked for. */
int hand_resized(struct hand *h, uint64_t id, int32_t width);

/* When the next nodes are given back; PACT_FOREVER: none are. And those of `now` are. */
int64_t hand_next_leave(const struct hand *h);
void hand_leave(struct hand *h);

/* The twin begins anew, with what the scheduler knows now. */
void hand_twin(struct hand *h);

/* The scheduler is a new one, which a driver that has come up tells what the records show; there is no twin any more. As in
 * records what a job has left is more by less than two seconds. */
void hand_restart(struct hand *h);

/* So many nodes has it; 0: it does not run. */
int32_t hand_width(const struct hand *h, uint64_t id);

/* What was done is this; and from now on it is forgotten. */
void hand_did(struct hand *h, const char *text);

/* least to most nodes, limit on least. */
struct sched_job hand_range(uint64_t id, int32_t least, int32_t most, int64_t limit);

#endif

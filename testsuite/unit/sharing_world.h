/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sharing_world: a machine whose nodes are shared, as a driver of the schedulers of core/sharing: it lives in
 * microseconds, does what it is told, and checks at each moment that no node is given out twice.
 */
#ifndef PACT_TEST_SHARING_WORLD_H
#define PACT_TEST_SHARING_WORLD_H

#include "core/sched.h"
#include "testsuite/unit/ref_sharing.h"

#define SHARING_SECOND INT64_C(1000000)

__extension__ typedef unsigned __int128 work;

/* What the driver knows of a job's part. */
struct piece {
	bool here;
	work left; /* of the runtime, at full speed of the node */
	uint32_t share;
};

/*
 * A machine and its jobs, while they run. Set before it begins: `asks`: each job is asked for beforehand; and
 * RiskLimit, by which the plain reference (ref_sharing.h) does not go.
 */
struct world {
	bool asks;
	int32_t risk_limit;
	uint64_t learned; /* from so many jobs */
	int64_t needed;	  /* the sum of the parts that these needed */
	uint64_t offers;  /* that were verified */
	struct sched_decision asked, probed;
	const struct ref_sharing *c;
	struct ref_sharer *job;
	size_t n, next;
	struct sched *s;
	struct piece piece[REF_NODES][REF_JOBS];
	work in_step
		[REF_JOBS]; /* left of the runtime, in thousandths of full speed, where parts go on in step */
	int64_t now, wake; /* microseconds */
	bool accepted[REF_JOBS], refused[REF_JOBS], ended[REF_JOBS];
	bool promised[REF_JOBS], broken[REF_JOBS];
	int64_t end[REF_JOBS];
	int on[REF_NODES][REF_JOBS]; /* has had a part there */
	struct sched_decision decision[REF_JOBS];
};

/* How runtimes come out of estimates: exactly; some are shorter; any, some longer. */
enum runtimes { EXACT, SHORTER, ANY };

/* Nodes and settings drawn at random; alike: of one processor, of the rating that estimates are meant for. */
void sharing_world_nodes(struct ref_sharing *c, bool alike);

/* Jobs drawn at random into REF_JOBS of them; how many. */
size_t sharing_world_jobs(const struct ref_sharing *c, struct ref_sharer *job, enum runtimes how);

/* All n of them, from the first submission to the last end. The test fails if anything is refused as an error. */
void sharing_world_run(struct world *w, const struct ref_sharing *c, struct ref_sharer *job,
		       size_t n);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * retell: the state of a scheduler, told in parts that bring a fresh one into the same state, so that
 * from then on both decide alike. It is how a recording begins in the middle of a life (watch.h).
 *
 * "The same" includes what no driver sees but decisions depend on: the order of the classes of nodes,
 * which follows from the node sets that were named before, and nodes still told apart by sets that
 * nobody names any more; where each waiting job was placed; what the next pass has to look at.
 *
 * The parts come in this order: regions, one state, holds, jobs, kept; and are to be taken in by
 * sched_recall_*() in the same.
 */
#ifndef PACT_CORE_RETELL_H
#define PACT_CORE_RETELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/nodeset.h"
#include "core/capacity/plan.h"
#include "core/kernel/protocol.h"

struct told_state {
	int64_t now, pass_now;
	bool dirty, loosened, tightened, told; /* planner.h */
	bool named;			       /* drivers have named nodes that are held */
	bool all;			       /* the set of all nodes is kept as a region */
	uint32_t forgotten;	  /* regions gone since the classes were last computed */
	uint32_t classes;	  /* nodes told apart */
	const uint32_t *class_of; /* per node */
	const uint32_t *demand;	  /* per class: regions that contain it, as last counted */
};

struct told_hold {
	uint64_t id;
	int64_t start, end;
	const struct nodeset *nodes; /* NULL: `count` of the only class */
	int32_t count;
	bool block, region; /* region: its nodes are kept in classes of their own */
	bool promised, broken;
	int64_t submit, deadline;
	int64_t prolonged; /* holds.h */
};

struct told_job {
	struct sched_job terms;		  /* alternatives named one by one; planned is not used */
	int64_t whole, granted, duration; /* job.h; duration: the request's */
	int64_t artificial, due;
	bool promised, broken, failed, retried, unreserved;
	int64_t start, end; /* its place; PACT_FOREVER: none */
	uint32_t alt, nshare;
	const struct share *share;
};

/* One part of any of these kinds. */
struct told {
	enum told_kind { TOLD_REGION, TOLD_STATE, TOLD_HOLD, TOLD_JOB, TOLD_KEPT } kind;
	union {
		const struct nodeset *region;
		const struct told_state *state;
		const struct told_hold *hold;
		const struct told_job *job;
		struct {
			const int64_t *v;
			uint32_t n;
		} kept;
	} u;
};

struct retelling {
	void (*region)(void *arg, const struct nodeset *nodes);
	void (*state)(void *arg, const struct told_state *state);
	void (*hold)(void *arg, const struct told_hold *hold);
	void (*job)(void *arg, const struct told_job *job);
	/* what the scheduler of that name keeps besides, as numbers; not told when it keeps nothing */
	void (*kept)(void *arg, const int64_t *v, uint32_t n);
};

/*
 * Tell the state (`to` NULL: only say whether it can be told); nothing changes. 0; PACT_EPROTO: in the
 * middle of a pass or with an action that was not taken yet, to be tried again after the drain (dynp:
 * when no job waits);
 * PACT_ENOMEM. Nothing was told then.
 * Pointers told are valid during the call to them only.
 */
int sched_retell(struct sched *s, const struct retelling *to, void *arg);

/*
 * Take a part into a scheduler that was just created with the same name, nodes and configuration.
 * 0 or enum pact_err, sched_error() says why; the scheduler is then good for sched_destroy() only.
 */
int sched_recall_region(struct sched *s, const struct nodeset *nodes);
int sched_recall_state(struct sched *s, const struct told_state *state);
int sched_recall_hold(struct sched *s, const struct told_hold *hold);
int sched_recall_job(struct sched *s, const struct told_job *job);
int sched_recall_kept(struct sched *s, const int64_t *v, uint32_t n);

#endif

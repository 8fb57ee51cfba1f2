/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chance: what runtimes came of estimates, and from that how likely a job is to need more than a part of its own
 * (`RiskLimit`; beyond LibraRisk's paper). It knows the user, the estimate and the past, never a deadline.
 *
 * Of each user the last few jobs are kept, the later the weightier (7/8 from one to the next), those with another
 * estimate at half the weight; everybody's history together counts as one and a half jobs beside them, and stands
 * alone for an unknown user. Everybody's is the product-limit estimate (Kaplan, Meier 1958) over ratios in
 * thousandths, to which a job that outlives everything is added: where nothing has been learned the chance is 1.
 *
 * A job that was ended before it was done would have gone on. Its ratio is cut: it says that the job needed more, and
 * how much more is what everybody's history says of jobs that need so much.
 *
 * Memory is bounded: 4096 users, of which those leave that were learned of longest ago; counts are halved when
 * there are 2^20. Whole numbers decide. Chances are in millionths, and so are parts of an estimate.
 */
#ifndef PACT_CORE_SHARING_CHANCE_H
#define PACT_CORE_SHARING_CHANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/table.h"
#include "core/kernel/protocol.h"
#include "core/kernel/retell.h"

#define CHANCE_WHOLE 1000000
#define CHANCE_KEPT 16 /* jobs of a user */
#define CHANCE_BINS 1001
#define CHANCE_USERS 4096

/* A user's last jobs, in a ring. */
struct chance_user {
	int64_t user;
	int64_t used; /* the stamp of the last one */
	uint32_t n; /* ever, but no more than matters: at least CHANCE_KEPT once the ring is full */
	uint32_t ratio[CHANCE_KEPT];	/* and CHANCE_CUT */
	uint32_t estimate[CHANCE_KEPT]; /* seconds; those that are too long for it are one */
};

#define CHANCE_CUT (UINT32_C(1) << 20)

struct chance {
	struct table *users;
	int64_t stamp;
	uint32_t ended[CHANCE_BINS], cut[CHANCE_BINS]; /* everybody's, by ratio */
	/* Found from these: the chance to need more than so many thousandths, in parts of 2^30. */
	uint32_t over[CHANCE_BINS + 1];
};

/* NULL: no memory. */
struct chance *chance_create(void);
void chance_destroy(struct chance *c);
size_t chance_bytes(const struct chance *c);

/* Jobs have ended, in this order; none is malformed. 0 or -1: no memory, and nothing is learned. */
int chance_learn(struct chance *c, const struct sched_past *past, size_t n);

/* The chance that a job of that user needs more than this part of its estimate; 0 from CHANCE_WHOLE on. */
int32_t chance_over(const struct chance *c, int64_t user, int64_t estimate, int64_t part);

/* The least part for which it is at most `limit`. */
int64_t chance_part(const struct chance *c, int64_t user, int64_t estimate, int32_t limit);

/* As of an engine (kernel/retell.h): all that is known, in records; load: 0 or -1, no memory, or -2, malformed. */
void chance_tell(const struct chance *c, retell_fn *tell, void *arg);
const struct record_form *chance_form(const char *name);
int chance_load(struct chance *c, const struct record_form *form, const void *record);

#endif

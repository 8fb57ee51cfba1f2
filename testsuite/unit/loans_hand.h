/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loans_hand: a driver for the tests of loans. It names nodes, gives a job that is started the lowest free ones that it may have, and
 * does what it is asked to at once, or answers as the test wants.
 */
#ifndef PACT_TEST_LOANS_HAND_H
#define PACT_TEST_LOANS_HAND_H

#include "core/sched.h"
#include "testsuite/unit/feed.h"

#define NODES 16
#define GRACE 60

struct hand {
	struct feed f;
	struct nodeset *has[10]; /* of each job, by id; NULL: it does not run */
	enum sched_event_type
		answer; /* to what gives nodes back: EV_RESIZED, EV_LEAVING, EV_REFUSED */
	enum sched_event_type to_more; /* to what gives it more */
	struct sched_action last;      /* ACT_RESIZE */
	int resized, accepted, refused, broken;
	int64_t due;		    /* by when the job that was started last is to be over */
	uint64_t moldable;	    /* it is started on what is spare, too */
	struct sched_decision said; /* of the last ACT_ACCEPT or ACT_REFUSE */
};

/* IN lateness - of the settings, and their guard */
void hand_open(struct hand *h, const char *scheduler, enum sched_loans loans, int64_t lateness);
void hand_close(struct hand *h);

/* An event of that type now, alone. */
void tell(struct hand *h, enum sched_event_type type, uint64_t id, const struct nodeset *nodes);

/* What the core asks for, until it wants nothing more. */
void drain(struct hand *h);

/* The same after an event: it is that time; a job is submitted now; it ends. */
void at(struct hand *h, int64_t now);
void submit(struct hand *h, struct sched_job job);
void finish(struct hand *h, uint64_t id);

/* So many nodes it has. */
int32_t has(const struct hand *h, uint64_t id);
struct sched_view view(struct hand *h, uint64_t id);

/* A job with a range of nodes, and one with a deadline. */
struct sched_job range(uint64_t id, int32_t width, int32_t most, int64_t limit);
struct sched_job dated(uint64_t id, int32_t width, int32_t most, int64_t limit, int64_t deadline);

#endif /* PACT_TEST_LOANS_HAND_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * publish_own.h - what is collected to be written; internal to publish.h
 */
#ifndef PACT_SLURM_PUBLISH_OWN_H
#define PACT_SLURM_PUBLISH_OWN_H

#include "slurm/acting/publish.h"

struct line {
	uint32_t job_id;
	int64_t submit;
	int64_t start;	  /* 0: none known */
	int64_t deadline; /* promised; 0: not */
	int64_t priority;
	bool broken;
	bool refused;	      /* due, and Slurm does not start it */
	enum sched_wait wait; /* what keeps it from starting, as the plan has it */
	bool reserved;	      /* a reservation of its nodes keeps it from starting */
	int64_t resv_end;     /* when that reservation ends */
	char *resv;	      /* name of that reservation; NULL: that is not for all to know */
	bool first;	      /* it is its partition's first in Slurm's order */
	bool unpromised;      /* its promise was withdrawn, or refused at its release */
	bool held;	      /* it has no place, and all that is written is that */
	uint64_t print;	      /* its terms, by which the plan was made */
	bool rejected;	      /* it would be late if it started now, and is to end */
	bool expires;	      /* past a deadline without a promise */
	const char *part;     /* during collection */
	char *obstacle;	      /* why no promise can be made; or NULL */

	/* What the record said when it was read. */
	bool tried; /* and a start was tried since: it may say something else */
	int64_t seen_start;
	uint32_t seen_reason;
	uint64_t seen_said; /* snapshot_said() */

	char *desc; /* what it is to say; NULL: nothing beyond the reason */
};

/* A job with nodes: whether it is set aside just now, or suspended by hand. */
struct aside_line {
	uint32_t job_id;
	int64_t submit;
	int64_t end; /* when it is expected to end, as long as it is */
	char *desc;  /* NULL: it is not any more */
};

struct publication {
	struct line *lines;
	size_t nlines;
	struct record_update *updates;
	size_t nupdates;
	struct aside_line *asides;
	size_t nasides;
	struct causes *causes; /* during collection, where there are reservations */
};

/* ---- publish_aside.c ---- */

/* Its record is to say whether it is set aside, or suspended by hand, where it does not yet.  With the mutex. */
void aside_collect(struct bridge *b, struct publication *pub, const struct snapshot *snap,
		   const struct snap_job *j);
/* With slurmctld's locks of publish_write().  RET whether any record changed */
bool asides_write(const struct publication *pub);
void asides_free(struct publication *pub);

#endif /* PACT_SLURM_PUBLISH_OWN_H */

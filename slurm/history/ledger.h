/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ledger.h - the latest decisions and outcomes, for those who ask why
 *
 * Two rings in memory, of fixed size: what was decided about deadlines, found
 * again by a short reference that a refusal carries; and how promised jobs
 * ended, found by job.  A lock of its own, held for a copy.
 */
#ifndef PACT_SLURM_LEDGER_H
#define PACT_SLURM_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "slurm/base/message.h"

/* How many of each are remembered. */
#define LEDGER_DECISIONS 1024
#define LEDGER_OUTCOMES 4096
/* A reference: "R" and letters, with '\0'. */
#define LEDGER_REF 12
#define LEDGER_NAME 64
#define LEDGER_LIST 96

/* Whose job is meant: 0 none. */
struct ledger_job {
	uint32_t job_id, uid;
	char account[LEDGER_NAME], partition[LEDGER_NAME];
};

struct ledger_decision {
	char ref[LEDGER_REF];
	uint64_t promise; /* the token's id; 0: refused */
	int64_t when;
	uint32_t uid;
	char account[LEDGER_NAME], partition[LEDGER_NAME]; /* as asked; "": the default */
	bool promised, observed;
	bool expected;	 /* let in by a realm, and nothing promised */
	const char *why; /* refused: the reason's word, static */
	int64_t deadline, limit;
	int32_t width;
	int32_t own; /* of a job with a range: nodes in the promise, or on offer; 0: width */
	uint32_t tasks;
	int64_t start, end;		       /* promised: planned; refused: on offer, or 0 */
	bool itself;			       /* it was the new job that missed its deadline */
	struct ledger_job critical;	       /* which promised job would have missed its own */
	int64_t critical_late;		       /* by so many seconds; 0: not known */
	int32_t attempts, violations, waiting; /* of the search, see core/sched.h */
	int32_t chance; /* to miss its deadline, in millionths, if that was predicted */
	char text[MESSAGE_MAX];
};

/*
 * What became of a promise; of one for a task of an array, or for so many that share a record, which
 * never ran: then `list` says which.
 */
struct ledger_outcome {
	struct ledger_job job;
	uint32_t base_id, task;	      /* task: NO_VAL: none, or those of the list */
	uint32_t tasks;		      /* promises that it is about; 0: one */
	char list[LEDGER_LIST];	      /* "0-9,12"; "...": and more than there is room for */
	uint64_t promise;	      /* the token's id */
	int64_t deadline, start, end; /* promised; and as Slurm recorded it, 0: it never ran */
	int64_t limit;		      /* seconds, or 0 */
	uint32_t nodes;
	const char *
		how; /* "kept", "at_limit", "broken", "cancelled", "withdrawn", "unknown", static */
	const char *why; /* static, or NULL */
};

/* A reference that no recent decision has. */
void ledger_reference(char ref[LEDGER_REF]);
void ledger_decided(const struct ledger_decision *decision);
void ledger_ended(const struct ledger_outcome *outcome);

/* RET false: not remembered */
bool ledger_find_decision(const char *ref, struct ledger_decision *out);
/* The latest about a submission of that user. */
bool ledger_last_decision(uint32_t uid, struct ledger_decision *out);
/* The latest of that job; of an array's task by base and task, alone or in a list. */
bool ledger_find_outcome(uint32_t job_id, struct ledger_outcome *out);
bool ledger_find_task(uint32_t base_id, uint32_t task, struct ledger_outcome *out);

#endif /* PACT_SLURM_LEDGER_H */

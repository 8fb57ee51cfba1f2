/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query_row.h - one job of the plan as answers show it
 */
#ifndef PACT_SLURM_QUERY_ROW_H
#define PACT_SLURM_QUERY_ROW_H

#include "slurm/snapshot/access.h"
#include "slurm/state/last_plan.h"
#include "slurm/acting/cause.h"
#include "slurm/queries/query.h"

/*
 * An object of the protocol's "job" members; the caller owns it.
 * IN cause - of one that waits; else NULL
 */
json_object *query_row(const struct last_plan *last, const struct access *access,
		       const struct last_plan_row *row, const struct cause *cause);

/* Nodes by their numbers: [[first,last],...]. */
json_object *query_ranges(const struct nodeset *nodes);

/* Of a job that takes turns, or could: the protocol's "turns"; the caller owns it. NULL: there are none where it is. */
json_object *query_turns(const struct last_plan_row *row);

/* Has it a place in this matrix, or had it, and waits aside for another? */
bool query_in_matrix(const struct last_plan_row *row, const struct last_plan_matrix *m);

/* Rows, and how many of these and which number of jobs are in it, aside and outside. */
void query_matrix_counts(json_object *to, const struct last_plan *last,
			 const struct last_plan_matrix *m);

/* What keeps it from starting; false: it runs. */
bool query_cause(struct causes *causes, const struct last_plan_row *row, struct cause *out);

/* A job of the plan, in the memory of `last`; NULL: it is not in it. */
const struct snap_job *query_job(const struct last_plan *last, uint32_t job_id);

/* May the user see this job of the plan?  One that is not in it is for operators only. */
bool query_sees(const struct last_plan *last, const struct access *access, uint32_t job_id);

/* What the ledger or the history knows of a job, judged like a record. */
bool query_sees_owned(const struct access *access, uint32_t uid, const char *account,
		      const char *partition);

/*
 * What has become of a job, or of one task of an array (task -1: any), or what was decided under
 * a reference: from the latest that are in memory, else from the history.
 * RET false: neither has it, or it is not for that user to see
 */
bool query_past_job(struct query *q, const struct access *access, uint32_t id, int64_t task);
bool query_past_decision(struct query *q, const struct access *access, const struct last_plan *last,
			 const char *reference);
/* What was decided last about a submission of that user. */
bool query_past_last(struct query *q, const struct access *access, const struct last_plan *last,
		     uint32_t uid);

/* For qsort() of pointers to rows: those that run, then by planned start. */
int query_row_order(const void *a, const void *b);

#endif /* PACT_SLURM_QUERY_ROW_H */

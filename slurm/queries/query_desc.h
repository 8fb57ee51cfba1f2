/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query_desc.h - a question's arguments as the job description that sbatch would send
 */
#ifndef PACT_SLURM_QUERY_DESC_H
#define PACT_SLURM_QUERY_DESC_H

#include "slurm/queries/query.h"

/* The longest lists and names. */
#define QUERY_TEXT_MAX 1024
#define QUERY_HOSTS_MAX 4096
#define QUERY_TIME_MAX 40

/*
 * IN nodes - of the cluster: no list of names may be longer
 * OUT desc - slurm_init_job_desc_msg() first; texts are xmalloc()ed, for query_desc_free()
 * RET false: q->why says what is wrong.  No lock is needed
 */
bool query_desc(struct query *q, uint32_t nodes, job_desc_msg_t *desc);
void query_desc_free(job_desc_msg_t *desc);

/* A moment: seconds since the epoch, or as --begin takes it; absent: *out stays. */
bool query_arg_moment(struct query *q, const char *key, time_t *out);

#endif /* PACT_SLURM_QUERY_DESC_H */

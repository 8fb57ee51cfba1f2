/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_env.h - what travels with a job in the environment that Slurm gives to SPANK (spank_job_env)
 *
 * slurmctld saves it with the job. A user may set any name of it (spank_job_control_setenv): ours are taken out of every
 * submission.
 */
#ifndef PACT_SLURM_JOB_ENV_H
#define PACT_SLURM_JOB_ENV_H

#include "slurm/base/compat.h"

/* What stands behind NAME= in a record; NULL: nothing. Borrowed. Job read lock. */
const char *job_env_get(const job_record_t *job, const char *name);

/* NAME=value, copied, is what it has of that name; NULL: nothing is. Job write lock. */
void job_env_put(job_record_t *job, const char *name, const char *value);

/* The same of a submission. */
const char *job_env_asked(const job_desc_msg_t *desc, const char *name);
/* One that was made up: NAME=value, copied, is what it has of that name; NULL: nothing is. */
void job_env_ask(job_desc_msg_t *desc, const char *name, const char *value);
void job_env_strip(job_desc_msg_t *desc, const char *name);

#endif /* PACT_SLURM_JOB_ENV_H */

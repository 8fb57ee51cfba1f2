/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_env.c - what travels with a job in the environment that Slurm gives to SPANK
 */
#include "slurm/records/job_env.h"

/* What stands behind the name; NULL: it is another one. */
static const char *value_of(const char *entry, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(entry, name, n) && entry[n] == '=' ? entry + n + 1 : NULL;
}

static const char *find(char **env, uint32_t n, const char *name)
{
	const char *value = NULL;

	for (uint32_t i = 0; i < n && !value; i++)
		value = value_of(env[i], name);
	return value;
}

/* Those of the name leave; how many are left. */
static uint32_t strip(char **env, uint32_t n, const char *name)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < n; i++)
		if (value_of(env[i], name))
			xfree(env[i]);
		else
			env[kept++] = env[i];
	for (uint32_t i = kept; i < n; i++)
		env[i] = NULL;
	return kept;
}

const char *job_env_get(const job_record_t *job, const char *name)
{
	return find(job->spank_job_env, job->spank_job_env_size, name);
}

const char *job_env_asked(const job_desc_msg_t *desc, const char *name)
{
	return find(desc->spank_job_env, desc->spank_job_env_size, name);
}

void job_env_put(job_record_t *job, const char *name, const char *value)
{
	uint32_t n = strip(job->spank_job_env, job->spank_job_env_size, name);

	job->spank_job_env_size = n;
	if (!value)
		return;
	/* job_common_env_vars() reads on until NULL, whatever the size says. */
	xrealloc(job->spank_job_env, (n + 2) * sizeof(*job->spank_job_env));
	job->spank_job_env[n] = xstrdup_printf("%s=%s", name, value);
	job->spank_job_env[n + 1] = NULL;
	job->spank_job_env_size = n + 1;
}

void job_env_ask(job_desc_msg_t *desc, const char *name, const char *value)
{
	uint32_t n = strip(desc->spank_job_env, desc->spank_job_env_size, name);

	if (value) {
		xrealloc(desc->spank_job_env, (n + 1) * sizeof(*desc->spank_job_env));
		desc->spank_job_env[n++] = xstrdup_printf("%s=%s", name, value);
	}
	desc->spank_job_env_size = n;
	if (!n)
		xfree(desc->spank_job_env);
}

void job_env_strip(job_desc_msg_t *desc, const char *name)
{
	desc->spank_job_env_size = strip(desc->spank_job_env, desc->spank_job_env_size, name);
}

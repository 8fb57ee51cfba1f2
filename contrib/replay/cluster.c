/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster.c: see watch.h, cluster_load().
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "contrib/replay/watch.h"

/* Seconds: slurmctld's look at limits, the rest of an end, an epilog of unknown length. */
#define LIMIT_CHECK 30
#define END_ALLOWANCE 10
#define EPILOG_ALLOWANCE 60

static enum cluster_rc find_partition(struct cluster *c, const char *name, char *why, size_t size)
{
	partition_info_msg_t *msg = NULL;
	bool found = false;

	if (slurm_load_partitions((time_t)0, &msg, SHOW_ALL | SHOW_LOCAL) != SLURM_SUCCESS) {
		snprintf(why, size, "partitions: %s", slurm_strerror(errno));
		return CLUSTER_SILENT;
	}
	for (uint32_t i = 0; i < msg->record_count && !found; i++) {
		const partition_info_t *p = &msg->partition_array[i];

		if (name ? strcmp(p->name, name) : !(p->flags & PART_FLAG_DEFAULT))
			continue;
		snprintf(c->partition, sizeof(c->partition), "%s", p->name);
		c->nodes = (int32_t)p->total_nodes;
		found = true;
	}
	if (!found && name)
		snprintf(why, size, "there is no partition %s", name);
	else if (!found)
		snprintf(why, size, "there is no default partition, name one (--partition)");
	slurm_free_partition_info_msg(msg);
	return found ? CLUSTER_OK : CLUSTER_NO_PARTITION;
}

/* The plugin's own default for Guard, see pact.conf(5). */
static int64_t default_guard(const slurm_conf_t *conf)
{
	int64_t guard = LIMIT_CHECK + conf->kill_wait + END_ALLOWANCE;

	if (conf->over_time_limit != INFINITE16)
		guard += (int64_t)conf->over_time_limit * 60;
	if (conf->epilog && conf->epilog[0])
		guard += conf->prolog_epilog_timeout != NO_VAL16 ? conf->prolog_epilog_timeout
								 : EPILOG_ALLOWANCE;
	return guard;
}

/* Guard= in the pact.conf beside slurm.conf, if we can read one; the last line wins. */
static int64_t guard_of(const slurm_conf_t *conf)
{
	int64_t guard = default_guard(conf);
	const char *slash = conf->slurm_conf ? strrchr(conf->slurm_conf, '/') : NULL;
	char path[4096], line[512];
	long long value;
	FILE *f;

	if (!slash)
		return guard;
	snprintf(path, sizeof(path), "%.*s/pact.conf", (int)(slash - conf->slurm_conf),
		 conf->slurm_conf);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f)) {
		const char *p = line + strspn(line, " \t");

		if (!strncasecmp(p, "Guard", 5) && sscanf(p + 5, " = %lld", &value) == 1)
			guard = value;
	}
	if (f)
		fclose(f);
	return guard;
}

enum cluster_rc cluster_load(struct cluster *c, const char *partition, struct words *words,
			     char *why, size_t size)
{
	slurm_conf_t *conf = NULL;
	const char *said;
	enum cluster_rc rc = CLUSTER_SILENT;
	int err = 0;

	memset(c, 0, sizeof(*c));
	words_begin(words);
	if (slurm_load_ctl_conf((time_t)0, &conf) != SLURM_SUCCESS)
		err = errno;
	else
		rc = find_partition(c, partition, why, size);
	said = words_end(words);
	if (!conf) {
		snprintf(why, size, "%s%s%s", slurm_strerror(err), *said ? ": " : "", said);
		return rc;
	}
	c->min_job_age = conf->min_job_age;
	snprintf(c->name, sizeof(c->name), "%s", conf->cluster_name ? conf->cluster_name : "");
	snprintf(c->version, sizeof(c->version), "%s", conf->version ? conf->version : "");
	snprintf(c->scheduler, sizeof(c->scheduler), "%s", conf->schedtype ? conf->schedtype : "");
	snprintf(c->plugins, sizeof(c->plugins), "%s",
		 conf->job_submit_plugins ? conf->job_submit_plugins : "");
	if (conf->job_comp_type && !strcmp(conf->job_comp_type, "jobcomp/filetxt"))
		snprintf(c->jobcomp, sizeof(c->jobcomp), "%s",
			 conf->job_comp_loc ? conf->job_comp_loc : "");
	c->guard = guard_of(conf);
	slurm_free_ctl_conf(conf);
	return rc;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cgroup_v2: weights of Slurm's own directories of jobs; see cgroup_tree.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/why.h"
#include "node/cgroup_tree.h"
#include "node/proc.h"

#define WEIGHT_MOST 10000u
#define QUOTA_LEAST 1000u

static bool set_quota(const char *dir, uint32_t quota)
{
	char text[48];

	if (quota)
		snprintf(text, sizeof(text), "%u %u", quota < QUOTA_LEAST ? QUOTA_LEAST : quota,
			 CGROUP_PERIOD);
	else
		snprintf(text, sizeof(text), "max %u", CGROUP_PERIOD);
	return cgroup_keep(dir, "cpu.max", text);
}

/* The node's cap is one of the directory that holds those of all jobs: no other is there for all of them. */
static bool set_cap(const struct cgroup *c, const char *dir)
{
	char above[CGROUP_PATH], *end;

	if (!c->cap)
		return true;
	snprintf(above, sizeof(above), "%s", dir);
	end = strrchr(above, '/');
	if (!end)
		return false;
	*end = '\0';
	return set_quota(above, (uint32_t)((uint64_t)c->cap * CGROUP_PERIOD / 100));
}

static bool v2_join(const struct cgroup *c, struct cgroup_place *place, uint32_t id, pid_t pid,
		    char *why, size_t size)
{
	struct cgroup_place new = { 0 };
	char path[CGROUP_PATH], file[CGROUP_PATH + 64];

	if (!proc_group(c->proc, pid, "", path, sizeof(path)))
		return why_set(why, size, false, "process %d is in no group of version 2",
			       (int)pid);
	if (!cgroup_cut(path, id))
		return why_set(
			why, size, false,
			"Slurm has no directory job_%u for process %d (it is in %.150s): "
			"ProctrackType=proctrack/cgroup and CgroupPlugin=cgroup/v2 are needed",
			id, (int)pid, path);
	if (!cgroup_join_path(new.dir, sizeof(new.dir), c->root, path + 1))
		return why_set(why, size, false, "the path of job_%u is too long", id);
	cgroup_join_path(file, sizeof(file), new.dir, "cpu.weight");
	if (access(file, W_OK))
		return why_set(why, size, false,
			       "%.250s: %s: the cpu controller is not enabled there", file,
			       strerror(errno));
	if (!set_cap(c, new.dir))
		return why_set(why, size, false, "the cap cannot be set above %.250s: %s", new.dir,
			       strerror(errno));
	memcpy(new.acct, new.dir, sizeof(new.acct));
	*place = new;
	return true;
}

static bool v2_weigh(const struct cgroup_place *place, uint32_t weight, uint32_t quota)
{
	uint32_t of = (uint32_t)((uint64_t)weight * WEIGHT_MOST / CGROUP_WHOLE);
	char text[32];

	snprintf(text, sizeof(text), "%u", of < 1 ? 1 : of > WEIGHT_MOST ? WEIGHT_MOST : of);
	return cgroup_write(place->dir, "cpu.weight", text) && set_quota(place->dir, quota);
}

static bool v2_used(const struct cgroup_place *place, uint64_t *nanoseconds)
{
	char path[CGROUP_PATH + 64], text[1024], *line;
	uint64_t microseconds;

	if (!cgroup_join_path(path, sizeof(path), place->acct, "cpu.stat") ||
	    proc_read(path, text, sizeof(text)) <= 0)
		return false;
	line = strstr(text, "usage_usec ");
	if (!line || sscanf(line, "usage_usec %" SCNu64, &microseconds) != 1)
		return false;
	*nanoseconds = microseconds * 1000;
	return true;
}

static bool v2_frozen(const struct cgroup *c, pid_t pid)
{
	char group[CGROUP_PATH];

	return proc_group(c->proc, pid, "", group, sizeof(group)) &&
	       cgroup_says(c->root, group, "cgroup.events", "frozen 1");
}

/* The directories are Slurm's, which removes them; what we wrote goes with them. */
static bool v2_remove(const struct cgroup *c, uint32_t id)
{
	(void)c;
	(void)id;
	return true;
}

static bool v2_clear(const struct cgroup *c, bool evict)
{
	(void)c;
	(void)evict;
	return true;
}

static size_t v2_found(const struct cgroup *c, uint32_t *id, size_t most)
{
	(void)c;
	(void)id;
	(void)most;
	return 0;
}

const struct cgroup_ops cgroup_v2 = {
	.name = "v2",
	.join = v2_join,
	.weigh = v2_weigh,
	.used = v2_used,
	.frozen = v2_frozen,
	.remove = v2_remove,
	.clear = v2_clear,
	.found = v2_found,
};

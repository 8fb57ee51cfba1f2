/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cgroup_v1: groups of ours in the cpu hierarchy; see cgroup_tree.h. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/why.h"
#include "node/cgroup_tree.h"
#include "node/proc.h"

#define SHARES_LEAST 2u /* the kernel's */
#define QUOTA_LEAST 1000u

static bool group_dir(const struct cgroup *c, const char *mount, char *out, size_t size)
{
	return mount[0] && cgroup_join_path(out, size, mount, c->group);
}

static bool job_dir(const struct cgroup *c, const char *mount, uint32_t id, char *out, size_t size)
{
	char group[CGROUP_PATH], name[32];

	snprintf(name, sizeof(name), "job_%u", id);
	return group_dir(c, mount, group, sizeof(group)) &&
	       cgroup_join_path(out, size, group, name);
}

static bool make(const char *dir)
{
	return !mkdir(dir, 0755) || errno == EEXIST;
}

static bool set_quota(const char *dir, uint32_t quota)
{
	char text[32];

	if (!quota)
		return cgroup_keep(dir, "cpu.cfs_quota_us", "-1");
	snprintf(text, sizeof(text), "%u", CGROUP_PERIOD);
	if (!cgroup_keep(dir, "cpu.cfs_period_us", text))
		return false;
	snprintf(text, sizeof(text), "%u", quota < QUOTA_LEAST ? QUOTA_LEAST : quota);
	return cgroup_keep(dir, "cpu.cfs_quota_us", text);
}

/* The job's directory on a mount point, and our group above it. */
static bool make_dirs(const struct cgroup *c, const char *mount, uint32_t id, char *out)
{
	char group[CGROUP_PATH];

	if (!group_dir(c, mount, group, sizeof(group)) ||
	    !job_dir(c, mount, id, out, CGROUP_PATH)) {
		errno = ENAMETOOLONG;
		return false;
	}
	if (!make(group))
		return false;
	if (mount == c->cpu && c->cap &&
	    !set_quota(group, (uint32_t)((uint64_t)c->cap * CGROUP_PERIOD / 100)))
		return false;
	return make(out);
}

static bool is_dir(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/*
 * Where its processor time is counted: beside the weight where both hierarchies are one, else in the group
 * that Slurm has put it into, else in one of ours.
 */
static bool find_acct(const struct cgroup *c, struct cgroup_place *place, uint32_t id, pid_t pid)
{
	char path[CGROUP_PATH];

	place->own_acct = false;
	if (!strcmp(c->acct, c->cpu)) {
		memcpy(place->acct, place->dir, sizeof(place->acct));
		return true;
	}
	if (proc_group(c->proc, pid, "cpuacct", path, sizeof(path)) &&
	    strncmp(path + 1, c->group, strlen(c->group)) && cgroup_cut(path, id) &&
	    cgroup_join_path(place->acct, sizeof(place->acct), c->acct, path + 1) &&
	    is_dir(place->acct))
		return true;
	place->own_acct = true;
	return make_dirs(c, c->acct, id, place->acct);
}

static bool v1_join(const struct cgroup *c, struct cgroup_place *place, uint32_t id, pid_t pid,
		    char *why, size_t size)
{
	struct cgroup_place new = { 0 };
	char text[32];

	snprintf(text, sizeof(text), "%d", (int)pid);
	if (!make_dirs(c, c->cpu, id, new.dir) || !find_acct(c, &new, id, pid))
		return why_set(why, size, false, "cannot make a group in %s: %s", c->cpu,
			       strerror(errno));
	if (!cgroup_write(new.dir, "cgroup.procs", text))
		return why_set(why, size, false, "cannot put process %d into %s: %s", (int)pid,
			       new.dir, strerror(errno));
	if (new.own_acct && !cgroup_write(new.acct, "cgroup.procs", text))
		return why_set(why, size, false, "cannot put process %d into %s: %s", (int)pid,
			       new.acct, strerror(errno));
	*place = new;
	return true;
}

static bool v1_weigh(const struct cgroup_place *place, uint32_t weight, uint32_t quota)
{
	char text[32];

	snprintf(text, sizeof(text), "%u", weight < SHARES_LEAST ? SHARES_LEAST : weight);
	return cgroup_write(place->dir, "cpu.shares", text) && set_quota(place->dir, quota);
}

static bool v1_used(const struct cgroup_place *place, uint64_t *nanoseconds)
{
	char path[CGROUP_PATH + 64], text[64];

	return cgroup_join_path(path, sizeof(path), place->acct, "cpuacct.usage") &&
	       proc_read(path, text, sizeof(text)) > 0 &&
	       sscanf(text, "%" SCNu64, nanoseconds) == 1;
}

static bool gone(const char *dir)
{
	return !rmdir(dir) || errno == ENOENT;
}

/* By Slurm's own, in another hierarchy than ours. */
static bool v1_frozen(const struct cgroup *c, pid_t pid)
{
	char group[CGROUP_PATH], root[CGROUP_PATH];

	return cgroup_join_path(root, sizeof(root), c->root, "freezer") &&
	       proc_group(c->proc, pid, "freezer", group, sizeof(group)) &&
	       cgroup_says(root, group, "freezer.state", "FROZEN");
}

static bool v1_remove(const struct cgroup *c, uint32_t id)
{
	char dir[CGROUP_PATH];
	bool done = true;

	if (job_dir(c, c->cpu, id, dir, sizeof(dir)))
		done = gone(dir);
	if (strcmp(c->acct, c->cpu) && job_dir(c, c->acct, id, dir, sizeof(dir)))
		done = gone(dir) && done;
	return done;
}

static size_t ids_in(const char *group, uint32_t *id, size_t most)
{
	DIR *d = opendir(group);
	struct dirent *entry;
	size_t n = 0;

	while (d && n < most && (entry = readdir(d))) {
		char end;

		if (sscanf(entry->d_name, "job_%" SCNu32 "%c", &id[n], &end) == 1)
			n++;
	}
	if (d)
		closedir(d);
	return n;
}

static size_t v1_found(const struct cgroup *c, uint32_t *id, size_t most)
{
	char group[CGROUP_PATH];
	size_t n = 0;

	if (group_dir(c, c->cpu, group, sizeof(group)))
		n = ids_in(group, id, most);
	if (strcmp(c->acct, c->cpu) && group_dir(c, c->acct, group, sizeof(group)))
		n += ids_in(group, id + n, most - n);
	return n;
}

static bool move_up(void *arg, pid_t pid)
{
	char text[32];

	snprintf(text, sizeof(text), "%d", (int)pid);
	cgroup_write(arg, "cgroup.procs", text);
	return true;
}

static bool clear_mount(const struct cgroup *c, const char *mount, bool evict)
{
	char group[CGROUP_PATH];
	char up[CGROUP_PATH];

	if (!group_dir(c, mount, group, sizeof(group)))
		return true;
	if (evict) {
		snprintf(up, sizeof(up), "%s", mount);
		cgroup_processes(group, move_up, up);
	}
	return gone(group);
}

static bool v1_clear(const struct cgroup *c, bool evict)
{
	bool done = clear_mount(c, c->cpu, evict);

	if (strcmp(c->acct, c->cpu))
		done = clear_mount(c, c->acct, evict) && done;
	return done;
}

const struct cgroup_ops cgroup_v1 = {
	.name = "v1",
	.join = v1_join,
	.weigh = v1_weigh,
	.used = v1_used,
	.frozen = v1_frozen,
	.remove = v1_remove,
	.clear = v1_clear,
	.found = v1_found,
};

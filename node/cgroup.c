/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cgroup: see cgroup.h. */
#include "node/cgroup.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "node/proc.h"

static bool has_file(const char *dir, const char *name)
{
	char path[CGROUP_PATH + 64];

	return cgroup_join_path(path, sizeof(path), dir, name) && !access(path, F_OK);
}

/* Version 2 counts only with cpu among its controllers: many systems mount it beside version 1 without. */
static bool is_v2(const char *root)
{
	char path[CGROUP_PATH + 64], text[512], *word, *rest;

	if (!cgroup_join_path(path, sizeof(path), root, "cgroup.controllers") ||
	    proc_read(path, text, sizeof(text)) <= 0)
		return false;
	for (word = strtok_r(text, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest))
		if (!strcmp(word, "cpu"))
			return true;
	return false;
}

/* The first of these mount points that has the file. */
static bool find_mount(const char *root, const char *const name[], const char *file, char *out)
{
	for (; *name; name++) {
		if (cgroup_join_path(out, CGROUP_PATH, root, *name) && has_file(out, file))
			return true;
	}
	out[0] = '\0';
	return false;
}

void cgroup_open(struct cgroup *c, const char *root, const char *group, const char *proc,
		 uint32_t cap)
{
	static const char *const cpu[] = { "cpu", "cpu,cpuacct", "cpuacct,cpu", NULL };
	static const char *const acct[] = { "cpuacct", "cpu,cpuacct", "cpuacct,cpu", NULL };

	memset(c, 0, sizeof(*c));
	snprintf(c->root, sizeof(c->root), "%s", root);
	snprintf(c->group, sizeof(c->group), "%s", group);
	snprintf(c->proc, sizeof(c->proc), "%s", proc);
	c->cap = cap;
	if (is_v2(root)) {
		c->ops = &cgroup_v2;
	} else if (find_mount(root, cpu, "cpu.shares", c->cpu)) {
		c->ops = &cgroup_v1;
		if (has_file(c->cpu, "cpuacct.usage"))
			snprintf(c->acct, sizeof(c->acct), "%s", c->cpu);
		else if (!find_mount(root, acct, "cpuacct.usage", c->acct))
			snprintf(c->lacks, sizeof(c->lacks), "no cpuacct controller in %.80s",
				 root);
	} else {
		snprintf(c->lacks, sizeof(c->lacks),
			 "no cpu controller of cgroups, of either version, in %.80s", root);
	}
	if (c->lacks[0])
		c->ops = NULL;
}

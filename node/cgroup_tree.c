/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cgroup_tree: see cgroup_tree.h. */
#include "node/cgroup_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "node/proc.h"

bool cgroup_join_path(char *out, size_t size, const char *a, const char *b)
{
	int n = snprintf(out, size, "%s/%s", a, b);

	return n > 0 && (size_t)n < size;
}

bool cgroup_write(const char *dir, const char *name, const char *text)
{
	char path[CGROUP_PATH + 64];
	size_t len = strlen(text);
	ssize_t n;
	int fd, err;

	if (!cgroup_join_path(path, sizeof(path), dir, name)) {
		errno = ENAMETOOLONG;
		return false;
	}
	fd = open(path, O_WRONLY | O_CLOEXEC | O_TRUNC);
	if (fd < 0)
		return false;
	n = write(fd, text, len);
	err = errno;
	close(fd);
	errno = err;
	return n == (ssize_t)len;
}

bool cgroup_keep(const char *dir, const char *name, const char *text)
{
	char path[CGROUP_PATH + 64], is[64];

	if (cgroup_join_path(path, sizeof(path), dir, name) &&
	    proc_read(path, is, sizeof(is)) > 0) {
		is[strcspn(is, "\n")] = '\0';
		if (!strcmp(is, text))
			return true;
	}
	return cgroup_write(dir, name, text);
}

bool cgroup_says(const char *root, const char *group, const char *name, const char *what)
{
	char path[2 * CGROUP_PATH + 64], text[256];

	snprintf(path, sizeof(path), "%s%s/%s", root, group, name);
	return proc_read(path, text, sizeof(text)) > 0 && strstr(text, what);
}

bool cgroup_cut(char *path, uint32_t id)
{
	char word[32], *at;
	size_t len = (size_t)snprintf(word, sizeof(word), "/job_%u", id);

	for (at = strstr(path, word); at; at = strstr(at + 1, word)) {
		if (!at[len] || at[len] == '/') {
			at[len] = '\0';
			return true;
		}
	}
	return false;
}

static bool visit_file(const char *dir, cgroup_visit *visit, void *arg)
{
	char path[CGROUP_PATH + 512];
	bool go_on = true;
	long pid;
	FILE *f;

	if (!cgroup_join_path(path, sizeof(path), dir, "cgroup.procs"))
		return true;
	f = fopen(path, "re");
	while (f && go_on && fscanf(f, "%ld", &pid) == 1) {
		if (pid > 0) /* 0: of another pid namespace */
			go_on = visit(arg, (pid_t)pid);
	}
	if (f)
		fclose(f);
	return go_on;
}

bool cgroup_processes(const char *dir, cgroup_visit *visit, void *arg)
{
	bool go_on = visit_file(dir, visit, arg);
	struct dirent *entry;
	char below[CGROUP_PATH + 300];
	DIR *d = go_on ? opendir(dir) : NULL;

	while (d && go_on && (entry = readdir(d))) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		if (cgroup_join_path(below, sizeof(below), dir, entry->d_name))
			go_on = cgroup_processes(below, visit, arg);
	}
	if (d)
		closedir(d);
	return go_on;
}

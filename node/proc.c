/* SPDX-License-Identifier: GPL-2.0-or-later */
/* proc: see proc.h. */
#include "node/proc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

ssize_t proc_read(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t n = 0;

	text[0] = '\0';
	if (fd < 0)
		return -1;
	while (len < size - 1) {
		n = read(fd, text + len, size - 1 - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		len += (size_t)n;
	}
	close(fd);
	text[len] = '\0';
	return n < 0 ? -1 : (ssize_t)len;
}

/* Field 22 of stat. The second is the program's name in parentheses, and may hold any character. */
static bool start_of(const char *stat, uint64_t *start)
{
	const char *p = strrchr(stat, ')');

	for (int field = 2; p && field < 22; field++) {
		p = strchr(p, ' ');
		if (p)
			p++;
	}
	return p && sscanf(p, "%" SCNu64, start) == 1;
}

/* The second field of stat, and the one behind it. */
static void state_of(const char *stat, struct proc_thread *t)
{
	static const char stepd[] = "(slurmstepd";
	const char *name = strchr(stat, '('), *end = strrchr(stat, ')');

	t->stopped = end && !strncmp(end, ") T", 3);
	t->stepd = name && !strncmp(name, stepd, sizeof(stepd) - 1);
}

static bool read_thread(const char *root, pid_t pid, const char *tid, struct proc_thread *t)
{
	char path[300], text[1024];

	snprintf(path, sizeof(path), "%s/%d/task/%s/schedstat", root, (int)pid, tid);
	if (proc_read(path, text, sizeof(text)) <= 0 ||
	    sscanf(text, "%" SCNu64 " %" SCNu64, &t->ran, &t->delay) != 2)
		return false;
	snprintf(path, sizeof(path), "%s/%d/task/%s/stat", root, (int)pid, tid);
	if (proc_read(path, text, sizeof(text)) <= 0 || !start_of(text, &t->start))
		return false;
	state_of(text, t);
	t->tid = (pid_t)atoi(tid);
	return true;
}

bool proc_threads(const char *root, pid_t pid, proc_visit *visit, void *arg)
{
	struct proc_thread thread;
	struct dirent *entry;
	char path[300];
	bool go_on = true;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/%d/task", root, (int)pid);
	dir = opendir(path);
	while (dir && go_on && (entry = readdir(dir))) {
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
		    read_thread(root, pid, entry->d_name, &thread))
			go_on = visit(arg, &thread);
	}
	if (dir)
		closedir(dir);
	return go_on;
}

/* Is the word in the list "cpu,cpuacct"? An empty list has the empty word. */
static bool has_word(const char *list, size_t len, const char *word)
{
	size_t n = strlen(word);

	while (len >= n) {
		const char *comma = memchr(list, ',', len);
		size_t first = comma ? (size_t)(comma - list) : len;

		if (first == n && !memcmp(list, word, n))
			return true;
		if (!comma)
			break;
		list += first + 1;
		len -= first + 1;
	}
	return false;
}

/* Lines are HIERARCHY:CONTROLLERS:PATH. */
bool proc_group(const char *root, pid_t pid, const char *controller, char *path, size_t size)
{
	char name[300], text[8192], *line, *rest;

	snprintf(name, sizeof(name), "%s/%d/cgroup", root, (int)pid);
	if (proc_read(name, text, sizeof(text)) <= 0)
		return false;
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char *list = strchr(line, ':'), *end = list ? strchr(list + 1, ':') : NULL;

		if (!end || !has_word(list + 1, (size_t)(end - list - 1), controller))
			continue;
		return (size_t)snprintf(path, size, "%s", end + 1) < size;
	}
	return false;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kept: see kept.h. */
#include "node/kept.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/number.h"
#include "common/why.h"
#include "node/cgroup_tree.h"
#include "node/proc.h"

#define PATH 512

/* All directories of a path. */
static bool make_all(const char *dir)
{
	char path[PATH];

	if ((size_t)snprintf(path, sizeof(path), "%s", dir) >= sizeof(path)) {
		errno = ENAMETOOLONG;
		return false;
	}
	for (char *at = path + 1;; at++) {
		char was = *at;

		if (was && was != '/')
			continue;
		*at = '\0';
		if (mkdir(path, 0755) && errno != EEXIST)
			return false;
		if (!was)
			return true;
		*at = was;
	}
}

bool kept_make(const char *dir, char *why, size_t size)
{
	char jobs[PATH];

	if (!cgroup_join_path(jobs, sizeof(jobs) - 32, dir, "jobs"))
		return why_set(why, size, false, "%s: the path is too long", dir);
	if (!make_all(jobs))
		return why_set(why, size, false, "cannot make %s: %s", jobs, strerror(errno));
	return true;
}

static void job_path(const char *dir, uint32_t id, char path[PATH])
{
	snprintf(path, PATH, "%s/jobs/%u", dir, id);
}

bool kept_terms(const char *dir, uint32_t id, char text[TERMS_MAX], char *why, size_t size)
{
	char path[PATH];
	ssize_t n;

	job_path(dir, id, path);
	n = proc_read(path, text, TERMS_MAX);
	if (n < 0)
		return why_set(why, size, false, "%s: %s", path, strerror(errno));
	while (n && text[n - 1] == '\n')
		text[--n] = '\0';
	if (!n || (size_t)n != strlen(text) || n == TERMS_MAX - 1)
		return why_set(why, size, false, "%s: empty, too long or no text", path);
	return true;
}

/* With this text, or as it was. */
static bool replace(const char *path, const char *text, size_t len, char *why, size_t size)
{
	char new[PATH + 8];
	int fd;
	bool ok;

	snprintf(new, sizeof(new), "%s.new", path);
	fd = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	ok = fd >= 0 && write(fd, text, len) == (ssize_t)len;
	if (fd >= 0)
		ok = !close(fd) && ok;
	if (ok && !rename(new, path))
		return true;
	why_set(why, size, 0, "cannot write %s: %s", path, strerror(errno));
	unlink(new);
	return false;
}

bool kept_set_terms(const char *dir, uint32_t id, const char *text, char *why, size_t size)
{
	char path[PATH], line[TERMS_MAX + 2];

	job_path(dir, id, path);
	snprintf(line, sizeof(line), "%s\n", text);
	return replace(path, line, strlen(line), why, size);
}

void kept_remove(const char *dir, uint32_t id)
{
	char path[PATH];

	job_path(dir, id, path);
	unlink(path);
}

long kept_jobs(const char *dir, uint32_t *id, size_t most)
{
	struct dirent *entry;
	char path[PATH];
	size_t n = 0;
	DIR *d;

	snprintf(path, sizeof(path), "%s/jobs", dir);
	d = opendir(path);
	if (!d)
		return -1;
	while (n < most && (entry = readdir(d))) {
		int64_t number;

		if (number_int(entry->d_name, &number) && number >= 1 && number <= UINT32_MAX)
			id[n++] = (uint32_t)number;
	}
	closedir(d);
	return (long)n;
}

/* ---- state ---- */

static void print_state(FILE *f, const struct parts *parts, const char *boot, int64_t measured)
{
	fprintf(f, "pactd 1 %s %" PRId64 "\n", boot, measured);
	for (size_t i = 0; i < parts->n; i++) {
		const struct part *p = &parts->part[i];

		fprintf(f, "job %u %" PRId64 " %" PRId64 " %" PRIu64 " %d %s %s\n", p->id,
			p->terms.submit, p->work, p->usage.used, p->place.own_acct,
			p->place.dir[0] ? p->place.dir : "-",
			p->place.acct[0] ? p->place.acct : "-");
		for (size_t t = 0; t < p->usage.n; t++)
			fprintf(f, "thread %d %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
				(int)p->usage.thread[t].tid, p->usage.thread[t].start,
				p->usage.thread[t].ran, p->usage.thread[t].delay);
	}
}

bool kept_save(const char *dir, const struct parts *parts, const char *boot, int64_t measured,
	       char *why, size_t size)
{
	char path[PATH], *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	bool ok;

	if (!f)
		return why_set(why, size, false, "no memory for the state");
	print_state(f, parts, boot, measured);
	ok = !fclose(f);
	snprintf(path, sizeof(path), "%s/state", dir);
	ok = ok && replace(path, text, len, why, size);
	free(text);
	return ok;
}

static void set_path(char out[CGROUP_PATH], const char *word)
{
	snprintf(out, CGROUP_PATH, "%s", strcmp(word, "-") ? word : "");
}

/* NULL: the line is none of a part that is there with the same submission. */
static struct part *load_job(struct parts *parts, const char *line, bool same_boot)
{
	char dir[CGROUP_PATH], acct[CGROUP_PATH];
	int64_t submit, work;
	struct part *p;
	uint64_t used;
	uint32_t id;
	int own;

	if (sscanf(line, "job %u %" SCNd64 " %" SCNd64 " %" SCNu64 " %d %383s %383s", &id, &submit,
		   &work, &used, &own, dir, acct) != 7)
		return NULL;
	p = parts_find(parts, id);
	if (!p || p->terms.submit != submit || work < 0)
		return NULL;
	p->work = work;
	if (!same_boot)
		return NULL;
	p->usage.used = used;
	p->place.own_acct = own;
	set_path(p->place.dir, dir);
	set_path(p->place.acct, acct);
	return p;
}

static void load_thread(struct part *p, const char *line)
{
	struct proc_thread t, *new;
	int tid;

	if (sscanf(line, "thread %d %" SCNu64 " %" SCNu64 " %" SCNu64, &tid, &t.start, &t.ran,
		   &t.delay) != 4)
		return;
	new = realloc(p->usage.thread, (p->usage.n + 1) * sizeof(*new));
	if (!new)
		return;
	t.tid = tid;
	p->usage.thread = new;
	p->usage.thread[p->usage.n++] = t;
}

bool kept_load(const char *dir, struct parts *parts, const char *boot, int64_t *measured)
{
	char path[PATH], line[2 * CGROUP_PATH + 128], was[KEPT_BOOT + 1];
	struct part *p = NULL;
	bool same_boot;
	FILE *f;

	*measured = 0;
	snprintf(path, sizeof(path), "%s/state", dir);
	f = fopen(path, "re");
	if (!f)
		return false;
	if (!fgets(line, sizeof(line), f) ||
	    sscanf(line, "pactd 1 %40s %" SCNd64, was, measured) != 2) {
		fclose(f);
		*measured = 0;
		return false;
	}
	same_boot = !strcmp(was, boot);
	if (!same_boot)
		*measured = 0;
	while (fgets(line, sizeof(line), f)) {
		if (!strncmp(line, "job ", 4))
			p = load_job(parts, line, same_boot);
		else if (p && !strncmp(line, "thread ", 7))
			load_thread(p, line);
	}
	fclose(f);
	return true;
}

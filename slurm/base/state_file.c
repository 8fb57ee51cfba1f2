/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state_file.c - small files of ours in StateSaveLocation
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "slurm/base/state_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* With dir_lock. */
static pthread_mutex_t dir_lock = PTHREAD_MUTEX_INITIALIZER;
static char dir[PATH_MAX];

void state_file_use_dir(const char *path)
{
	pthread_mutex_lock(&dir_lock);
	snprintf(dir, sizeof(dir), "%s", path);
	pthread_mutex_unlock(&dir_lock);
}

/* RET false: there is no place for it, and errno is ENOENT */
static bool path_of(const char *file, const char *suffix, char *out, size_t size)
{
	int n;

	pthread_mutex_lock(&dir_lock);
	n = dir[0] ? snprintf(out, size, "%s/%s%s", dir, file, suffix) : -1;
	pthread_mutex_unlock(&dir_lock);
	if (n > 0 && (size_t)n < size)
		return true;
	errno = ENOENT;
	return false;
}

/* RET 0 or an errno */
static int write_all(const char *name, const char *text)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600), err = 0;
	ssize_t length = (ssize_t)strlen(text);

	if (fd < 0)
		return errno;
	errno = 0;
	if (write(fd, text, (size_t)length) != length || fsync(fd))
		err = errno ? errno : EIO;
	if (close(fd) && !err)
		err = errno;
	return err;
}

int state_file_write(const char *file, const char *text)
{
	char name[PATH_MAX], new[PATH_MAX];
	int err;

	if (!path_of(file, "", name, sizeof(name)) || !path_of(file, ".new", new, sizeof(new)))
		return -1;
	err = write_all(new, text);
	return !err && rename(new, name) ? errno : err;
}

ssize_t state_file_read(const char *file, char *text, size_t size)
{
	char name[PATH_MAX];
	ssize_t n;
	int fd, err;

	if (!path_of(file, "", name, sizeof(name)))
		return -1;
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return -1;
	n = read(fd, text, size);
	err = errno;
	close(fd);
	errno = err;
	return n;
}

void state_file_remove(const char *file)
{
	char name[PATH_MAX];

	if (path_of(file, "", name, sizeof(name)))
		(void)unlink(name);
}

void state_file_name(const char *file, char *out, size_t size)
{
	if (!path_of(file, "", out, size))
		snprintf(out, size, "%s", file);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * listener.c - a Unix socket in the file system: made whole, taken away again
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "slurm/base/listener.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static int new_socket(const char *path, struct sockaddr_un *addr)
{
	memset(addr, 0, sizeof(*addr));
	addr->sun_family = AF_UNIX;
	snprintf(addr->sun_path, sizeof(addr->sun_path), "%s", path);
	return socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

/* May a socket take this name?  A backlog that is full is served, too. */
static bool free_name(const char *path, char *why, size_t why_size)
{
	struct sockaddr_un addr;
	struct stat st;
	bool served;
	int fd;

	if (lstat(path, &st))
		return true;
	if (!S_ISSOCK(st.st_mode)) {
		snprintf(why, why_size, "there is something that is no socket");
		return false;
	}
	fd = new_socket(path, &addr);
	served = fd >= 0 &&
		 (!connect(fd, (struct sockaddr *)&addr, sizeof(addr)) || errno == EAGAIN);
	if (fd >= 0)
		close(fd);
	if (served)
		snprintf(why, why_size, "another process serves it");
	return !served;
}

/* The directory, not those above it: /run is empty after each start of the machine. */
static bool make_directory(const char *path, char *why, size_t why_size)
{
	char dir[108], *slash;

	snprintf(dir, sizeof(dir), "%s", path);
	slash = strrchr(dir, '/');
	if (!slash || slash == dir)
		return true;
	*slash = '\0';
	if (!access(dir, F_OK) || !mkdir(dir, 0755) || errno == EEXIST)
		return true;
	snprintf(why, why_size, "cannot make the directory %s: %s", dir, strerror(errno));
	return false;
}

/*
 * The mode of the socket itself: in a directory where others may write, the name
 * may be a link to another file by now, which chmod() would follow.
 */
static bool set_mode(const char *path, uint32_t mode, struct stat *st)
{
	int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC), saved;
	char name[48];
	bool ok = false;

	if (fd < 0)
		return false;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (!fstat(fd, st)) {
		errno = EEXIST;
		ok = S_ISSOCK(st->st_mode) && !chmod(name, mode);
	}
	saved = errno;
	close(fd);
	errno = saved;
	return ok;
}

static bool bind_at(struct listener *l, const char *temp, uint32_t mode)
{
	struct sockaddr_un addr;
	struct stat st;

	l->fd = new_socket(temp, &addr);
	if (l->fd < 0)
		return false;
	(void)unlink(temp);
	if (bind(l->fd, (struct sockaddr *)&addr, sizeof(addr)))
		return false;
	if (!set_mode(temp, mode, &st) || listen(l->fd, LISTENER_BACKLOG) ||
	    rename(temp, l->path)) {
		int saved = errno;

		(void)unlink(temp);
		errno = saved;
		return false;
	}
	l->dev = st.st_dev;
	l->ino = st.st_ino;
	return true;
}

bool listener_open(struct listener *l, const char *path, uint32_t mode, char *why, size_t why_size)
{
	char temp[sizeof(l->path)];

	l->fd = -1;
	if (snprintf(temp, sizeof(temp), "%s.new", path) >= (int)sizeof(temp)) {
		snprintf(why, why_size, "the path is too long");
		return false;
	}
	snprintf(l->path, sizeof(l->path), "%s", path);
	if (!make_directory(path, why, why_size))
		return false;
	if (!free_name(path, why, why_size))
		return false;
	if (bind_at(l, temp, mode))
		return true;
	snprintf(why, why_size, "%s", strerror(errno));
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
	return false;
}

void listener_close(struct listener *l)
{
	struct stat st;

	if (l->fd < 0)
		return;
	if (!lstat(l->path, &st) && st.st_dev == l->dev && st.st_ino == l->ino)
		(void)unlink(l->path);
	close(l->fd);
	l->fd = -1;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ccs: see ccs.h. */
#include "contrib/elastic/ccs.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define HANDLER 32
#define REPLY_MOST (1 << 20)

/* Milliseconds. */
static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* What is done next with it takes until then at most; false: that is over. */
static bool limit(int fd, int64_t until)
{
	const int64_t left = until - now();
	const struct timeval most = { .tv_sec = left / 1000, .tv_usec = left % 1000 * 1000 };

	errno = ETIMEDOUT;
	return left > 0 && !setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof(most)) &&
	       !setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof(most));
}

static int connect_one(const struct addrinfo *a, int64_t until)
{
	int fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);

	if (fd < 0)
		return -1;
	if (!limit(fd, until) || connect(fd, a->ai_addr, a->ai_addrlen)) {
		int err = errno;

		close(fd);
		errno = err;
		return -1;
	}
	return fd;
}

static int connect_to(const char *server, int64_t until)
{
	const struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM };
	const char *colon = strrchr(server, ':');
	struct addrinfo *found;
	char host[256];
	int fd = -1;

	errno = EINVAL;
	if (!colon || colon == server || (size_t)(colon - server) >= sizeof(host))
		return -1;
	memcpy(host, server, (size_t)(colon - server));
	host[colon - server] = '\0';
	if (getaddrinfo(host, colon + 1, &hints, &found)) {
		errno = EHOSTUNREACH;
		return -1;
	}
	for (const struct addrinfo *a = found; a && fd < 0; a = a->ai_next)
		fd = connect_one(a, until);
	freeaddrinfo(found);
	return fd;
}

static bool send_all(int fd, const void *data, size_t size, int64_t until)
{
	const char *at = data;

	while (size) {
		ssize_t sent = limit(fd, until) ? send(fd, at, size, MSG_NOSIGNAL) : -1;

		if (sent <= 0)
			return false;
		at += sent;
		size -= (size_t)sent;
	}
	return true;
}

static bool read_all(int fd, void *data, size_t size, int64_t until)
{
	char *at = data;

	while (size) {
		ssize_t got = limit(fd, until) ? recv(fd, at, size, 0) : -1;

		if (got <= 0) {
			if (!got)
				errno = ECONNRESET;
			return false;
		}
		at += got;
		size -= (size_t)got;
	}
	return true;
}

/* RET the connection, < 0 with errno */
static int ask(const char *server, const char *handler, const void *data, size_t size,
	       int64_t until)
{
	struct {
		uint32_t size, processor;
		char handler[HANDLER];
	} head = { .size = htonl((uint32_t)size) };
	int fd = connect_to(server, until);

	strncpy(head.handler, handler, HANDLER - 1);
	if (fd >= 0 &&
	    (!send_all(fd, &head, sizeof(head), until) || !send_all(fd, data, size, until))) {
		int err = errno;

		close(fd);
		errno = err;
		fd = -1;
	}
	return fd;
}

/* Of a reply to ccs_getinfo: how many nodes, and the processors of each. */
static int64_t sum(const uint32_t *words, size_t count)
{
	int64_t all = 0;

	errno = EPROTO;
	if (!count || ntohl(words[0]) != count - 1)
		return -1;
	for (size_t i = 1; i < count; i++)
		all += ntohl(words[i]);
	return all;
}

int64_t ccs_processors(const char *server)
{
	const int64_t until = now() + CCS_TIME * 1000;
	int fd = ask(server, "ccs_getinfo", NULL, 0, until);
	uint32_t size, *words = NULL;
	int64_t all = -1;

	if (fd < 0)
		return -1;
	if (read_all(fd, &size, sizeof(size), until)) {
		size = ntohl(size);
		errno = EPROTO;
		if (size <= REPLY_MOST && size % sizeof(*words) == 0)
			words = calloc(1, size + 1);
		if (words && read_all(fd, words, size, until))
			all = sum(words, size / sizeof(*words));
	}
	free(words);
	close(fd);
	return all;
}

int ccs_resize(const char *server, const char *stays, size_t processors, int32_t count)
{
	const size_t size = processors + sizeof(count) + 1;
	char *data = calloc(1, size);
	int fd;

	if (!data)
		return -1;
	memcpy(data, stays, processors);
	/* As the machine has it: the program copies it. */
	memcpy(data + processors, &count, sizeof(count));
	fd = ask(server, "set_bitmap", data, size, now() + CCS_TIME * 1000);
	free(data);
	return fd;
}

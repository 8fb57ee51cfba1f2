/* SPDX-License-Identifier: GPL-2.0-or-later */
/* local: see local.h. */
#include "node/local.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/why.h"

#define LINE 128      /* the longest, with its end */
#define SILENCE 30000 /* milliseconds without a word, or without reading */
#define ASK_SECONDS 5

struct connection {
	int fd; /* -1: free */
	size_t had;
	char line[LINE];
	char *out; /* NULL: nothing is to be said */
	size_t len, said;
	int64_t since;
};

struct local {
	int fd, lock;
	struct sockaddr_un address;
	struct connection c[LOCAL_CONNECTIONS];
	size_t of[LOCAL_POLLS]; /* whose the polls are */
};

static void hang_up(struct connection *c)
{
	if (c->fd >= 0)
		close(c->fd);
	free(c->out);
	memset(c, 0, sizeof(*c));
	c->fd = -1;
}

static bool set_address(struct sockaddr_un *a, const char *dir)
{
	memset(a, 0, sizeof(*a));
	a->sun_family = AF_UNIX;
	return (size_t)snprintf(a->sun_path, sizeof(a->sun_path), "%s/sock", dir) <
	       sizeof(a->sun_path);
}

static bool take_lock(struct local *l, const char *dir, char *why, size_t size)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/lock", dir);
	l->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (l->lock < 0)
		return why_set(why, size, false, "%s: %s", path, strerror(errno));
	if (!flock(l->lock, LOCK_EX | LOCK_NB))
		return true;
	return why_set(why, size, false, "another pactd serves %s", dir);
}

static bool listen_at(struct local *l, char *why, size_t size)
{
	mode_t mask;
	int rc;

	l->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (l->fd < 0)
		return why_set(why, size, false, "no socket: %s", strerror(errno));
	unlink(l->address.sun_path);
	mask = umask(0177);
	rc = bind(l->fd, (struct sockaddr *)&l->address, sizeof(l->address));
	umask(mask);
	if (rc || listen(l->fd, LOCAL_CONNECTIONS))
		return why_set(why, size, false, "%s: %s", l->address.sun_path, strerror(errno));
	return true;
}

struct local *local_open(const char *dir, char *why, size_t size)
{
	struct local *l = calloc(1, sizeof(*l));

	if (!l) {
		why_set(why, size, 0, "no memory");
		return NULL;
	}
	l->fd = l->lock = -1;
	for (size_t i = 0; i < LOCAL_CONNECTIONS; i++)
		l->c[i].fd = -1;
	if (!set_address(&l->address, dir)) {
		why_set(why, size, 0, "%s: too long for the path of a socket", dir);
		l->address.sun_path[0] = '\0';
	} else if (take_lock(l, dir, why, size)) {
		if (listen_at(l, why, size))
			return l;
	} else {
		l->address.sun_path[0] = '\0'; /* it is another's */
	}
	local_close(l);
	return NULL;
}

void local_close(struct local *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < LOCAL_CONNECTIONS; i++)
		hang_up(&l->c[i]);
	if (l->address.sun_path[0])
		unlink(l->address.sun_path);
	if (l->fd >= 0)
		close(l->fd);
	if (l->lock >= 0)
		close(l->lock);
	free(l);
}

size_t local_polls(struct local *l, struct pollfd *p)
{
	size_t n = 1;

	p[0] = (struct pollfd){ .fd = l->fd, .events = POLLIN };
	for (size_t i = 0; i < LOCAL_CONNECTIONS; i++) {
		if (l->c[i].fd < 0)
			continue;
		l->of[n] = i;
		p[n++] = (struct pollfd){ .fd = l->c[i].fd,
					  .events = l->c[i].out ? POLLOUT : POLLIN };
	}
	return n;
}

static bool is_heard(int fd)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) &&
	       (peer.uid == 0 || peer.uid == geteuid());
}

/* A free one, or the oldest, which makes way. */
static struct connection *make_way(struct local *l)
{
	struct connection *oldest = &l->c[0];

	for (size_t i = 0; i < LOCAL_CONNECTIONS; i++) {
		if (l->c[i].fd < 0)
			return &l->c[i];
		if (l->c[i].since < oldest->since)
			oldest = &l->c[i];
	}
	hang_up(oldest);
	return oldest;
}

static void take_new(struct local *l, int64_t now)
{
	struct connection *c;
	int fd;

	while ((fd = accept4(l->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
		if (!is_heard(fd)) {
			close(fd);
			continue;
		}
		c = make_way(l);
		c->fd = fd;
		c->since = now;
	}
}

/* Say what is to be said, as far as it goes. */
static void speak(struct connection *c)
{
	ssize_t n = send(c->fd, c->out + c->said, c->len - c->said, MSG_NOSIGNAL);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n < 0) {
		hang_up(c);
		return;
	}
	c->said += (size_t)n;
	if (c->said < c->len)
		return;
	free(c->out);
	c->out = NULL;
	c->len = c->said = 0;
}

/* Answer the lines that are there, one after the other's answer has gone. */
static void answer_lines(struct connection *c, local_answer *answer, void *arg)
{
	char *end;

	while (c->fd >= 0 && !c->out && (end = memchr(c->line, '\n', c->had))) {
		size_t len = (size_t)(end - c->line) + 1;

		*end = '\0';
		c->out = answer(arg, c->line);
		c->had -= len;
		memmove(c->line, end + 1, c->had);
		if (!c->out) {
			hang_up(c);
			return;
		}
		c->len = strlen(c->out);
		speak(c);
	}
	if (c->fd >= 0 && !c->out && c->had == sizeof(c->line))
		hang_up(c); /* a line that is too long */
}

static void hear(struct connection *c)
{
	ssize_t n = recv(c->fd, c->line + c->had, sizeof(c->line) - c->had, 0);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0)
		hang_up(c);
	else
		c->had += (size_t)n;
}

void local_turn(struct local *l, const struct pollfd *p, size_t n, int64_t now,
		local_answer *answer, void *arg)
{
	for (size_t i = 1; i < n; i++) {
		struct connection *c = &l->c[l->of[i]];

		if (p[i].revents) {
			if (c->out)
				speak(c);
			else
				hear(c);
			if (c->fd >= 0)
				c->since = now;
			if (c->fd >= 0)
				answer_lines(c, answer, arg);
		} else if (now - c->since > SILENCE) {
			hang_up(c);
		}
	}
	if (p[0].revents)
		take_new(l, now);
}

/* ---- the other end ---- */

static int dial(const char *dir, char *why, size_t size)
{
	struct timeval patience = { .tv_sec = ASK_SECONDS };
	struct sockaddr_un a;
	int fd = -1;

	if (!set_address(&a, dir))
		return why_set(why, size, -1, "%s: too long for the path of a socket", dir);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0) {
		setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
		setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
		if (!connect(fd, (struct sockaddr *)&a, sizeof(a)))
			return fd;
	}
	why_set(why, size, 0, "%s: %s", a.sun_path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

char *local_ask(const char *dir, const char *line, char *why, size_t size)
{
	int fd = dial(dir, why, size);
	char *answer = NULL;
	size_t room = 0;
	FILE *f;

	if (fd < 0)
		return NULL;
	f = fdopen(fd, "r+e");
	if (!f) {
		close(fd);
		why_set(why, size, 0, "no memory");
		return NULL;
	}
	if (fprintf(f, "%s\n", line) < 0 || fflush(f) || getline(&answer, &room, f) <= 0) {
		free(answer);
		answer = NULL;
		why_set(why, size, 0, "the pactd of %s does not answer", dir);
	}
	fclose(f);
	return answer;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sealed: see sealed.h. */
#include "node/report/sealed.h"

#include <errno.h>
#include <munge.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

static enum sealed say(enum sealed rc, char *why, size_t size, const char *what)
{
	snprintf(why, size, "%s", what);
	return rc;
}

/* ---- munge ---- */

static munge_ctx_t context(const char *munge)
{
	munge_ctx_t ctx = munge_ctx_create();

	if (ctx && munge && munge[0] &&
	    munge_ctx_set(ctx, MUNGE_OPT_SOCKET, munge) != EMUNGE_SUCCESS) {
		munge_ctx_destroy(ctx);
		return NULL;
	}
	return ctx;
}

static enum sealed meaning(munge_err_t err)
{
	switch (err) {
	case EMUNGE_SUCCESS:
		return SEALED_OK;
	case EMUNGE_CRED_EXPIRED:
	case EMUNGE_CRED_REWOUND:
		return SEALED_EXPIRED;
	case EMUNGE_CRED_REPLAYED:
		return SEALED_REPLAYED;
	case EMUNGE_SNAFU:
	case EMUNGE_NO_MEMORY:
	case EMUNGE_SOCKET:
	case EMUNGE_TIMEOUT:
		return SEALED_MUNGE;
	default:
		return SEALED_FORGED;
	}
}

enum sealed sealed_make(const char *text, size_t len, const char *munge, char **cred, char *why,
			size_t size)
{
	munge_ctx_t ctx = context(munge);
	munge_err_t err;

	*cred = NULL;
	if (len > SEALED_MOST)
		err = EMUNGE_BAD_LENGTH;
	else
		err = ctx ? munge_encode(cred, ctx, text, (int)len) : EMUNGE_NO_MEMORY;
	munge_ctx_destroy(ctx);
	if (err == EMUNGE_BAD_LENGTH || (*cred && strlen(*cred) > SEALED_MOST)) {
		free(*cred);
		*cred = NULL;
		return say(SEALED_TOO_LONG, why, size, "the message is too long");
	}
	if (err == EMUNGE_SUCCESS)
		return SEALED_OK;
	free(*cred);
	*cred = NULL;
	return say(SEALED_MUNGE, why, size, munge_strerror(err));
}

enum sealed sealed_open(const char *cred, uid_t also, const char *munge, char **text, size_t *len,
			char *why, size_t size)
{
	munge_ctx_t ctx = context(munge);
	munge_err_t err = EMUNGE_NO_MEMORY;
	void *payload = NULL;
	uid_t uid = (uid_t)-1;
	int n = 0;

	*text = NULL;
	*len = 0;
	if (ctx)
		err = munge_decode(cred, ctx, &payload, &n, &uid, NULL);
	munge_ctx_destroy(ctx);
	if (err != EMUNGE_SUCCESS) {
		free(payload); /* munge gives that of old credentials, too */
		return say(meaning(err), why, size, munge_strerror(err));
	}
	if (uid != 0 && uid != also) {
		free(payload);
		snprintf(why, size, "a credential of uid %u, who has no say here", (unsigned)uid);
		return SEALED_STRANGER;
	}
	if (!payload)
		payload = calloc(1, 1);
	if (!payload)
		return say(SEALED_MUNGE, why, size, "no memory");
	*text = payload; /* libmunge ends it with a zero byte that it does not count */
	*len = n > 0 ? (size_t)n : 0;
	return SEALED_OK;
}

/* ---- the connection ---- */

static int64_t milliseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Wait until the socket is ready; false: not in time. */
static bool ready(int fd, short events, int64_t until)
{
	struct pollfd p = { .fd = fd, .events = events };
	int64_t left = until - milliseconds();
	int rc;

	do {
		rc = poll(&p, 1, left > 0 ? (int)left : 0);
		left = until - milliseconds();
	} while (rc < 0 && errno == EINTR);
	return rc > 0;
}

static enum sealed send_all(int fd, const char *data, size_t len, int64_t until)
{
	while (len) {
		ssize_t n = send(fd, data, len, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n > 0) {
			data += n;
			len -= (size_t)n;
		} else if (errno == EINTR) {
			continue;
		} else if (errno != EAGAIN && errno != EWOULDBLOCK) {
			return SEALED_BROKEN;
		} else if (!ready(fd, POLLOUT, until)) {
			return SEALED_TIMEOUT;
		}
	}
	return SEALED_OK;
}

/* What has come, without waiting; SEALED_TIMEOUT: more is to come. */
static enum sealed take(int fd, char *data, size_t len, size_t *had)
{
	while (*had < len) {
		ssize_t n = recv(fd, data + *had, len - *had, MSG_DONTWAIT);

		if (n > 0)
			*had += (size_t)n;
		else if (!n)
			return SEALED_CLOSED;
		else if (errno == EAGAIN || errno == EWOULDBLOCK)
			return SEALED_TIMEOUT;
		else if (errno != EINTR)
			return SEALED_BROKEN;
	}
	return SEALED_OK;
}

static enum sealed say_connection(enum sealed rc, char *why, size_t size)
{
	if (rc == SEALED_TIMEOUT)
		return say(rc, why, size, "no answer in time");
	if (rc == SEALED_CLOSED)
		return say(rc, why, size, "the connection was closed");
	return rc ? say(rc, why, size, "the connection broke") : rc;
}

enum sealed sealed_write(int fd, const char *text, size_t len, const char *munge, int timeout,
			 char *why, size_t size)
{
	int64_t until = milliseconds() + timeout;
	unsigned char head[4];
	enum sealed rc;
	char *cred;
	size_t n;

	rc = sealed_make(text, len, munge, &cred, why, size);
	if (rc)
		return rc;
	n = strlen(cred);
	for (int i = 0; i < 4; i++)
		head[i] = (unsigned char)(n >> (24 - 8 * i));
	rc = send_all(fd, (const char *)head, sizeof(head), until);
	if (!rc)
		rc = send_all(fd, cred, n, until);
	free(cred);
	return say_connection(rc, why, size);
}

/* Room grows with what comes, not with what is announced. */
static bool grow(struct sealed_part *p)
{
	size_t room = p->room ? 2 * p->room : 4096;
	char *more;

	if (p->had < p->room)
		return true;
	if (room > p->len)
		room = p->len;
	more = realloc(p->cred, room + 1);
	if (!more)
		return false;
	p->cred = more;
	p->room = room;
	return true;
}

/* The length, then as much of the credential as has come. */
static enum sealed take_part(int fd, struct sealed_part *p)
{
	enum sealed rc = take(fd, (char *)p->head, sizeof(p->head), &p->head_had);

	if (rc)
		return rc == SEALED_CLOSED && p->head_had ? SEALED_BROKEN : rc;
	if (!p->len)
		for (int i = 0; i < 4; i++)
			p->len = p->len << 8 | p->head[i];
	if (!p->len || p->len > SEALED_MOST)
		return SEALED_TOO_LONG;
	while (p->had < p->len) {
		if (!grow(p))
			return SEALED_MUNGE;
		rc = take(fd, p->cred, p->room, &p->had);
		if (rc)
			return rc == SEALED_CLOSED ? SEALED_BROKEN : rc;
	}
	p->cred[p->had] = '\0';
	return SEALED_OK;
}

enum sealed sealed_more(int fd, struct sealed_part *p, char *why, size_t size)
{
	enum sealed rc = take_part(fd, p);

	if (rc == SEALED_TOO_LONG)
		return say(rc, why, size, "a length that no message has");
	if (rc == SEALED_MUNGE)
		return say(rc, why, size, "no memory");
	return say_connection(rc, why, size);
}

void sealed_part_release(struct sealed_part *p)
{
	free(p->cred);
	*p = (struct sealed_part){ 0 };
}

enum sealed sealed_part_open(const struct sealed_part *p, uid_t also, const char *munge,
			     char **text, size_t *len, char *why, size_t size)
{
	*text = NULL;
	*len = 0;
	if (strlen(p->cred) != p->len)
		return say(SEALED_FORGED, why, size, "a zero byte in a credential");
	return sealed_open(p->cred, also, munge, text, len, why, size);
}

enum sealed sealed_read(int fd, uid_t also, const char *munge, int timeout, char **text,
			size_t *len, char *why, size_t size)
{
	int64_t until = milliseconds() + timeout;
	struct sealed_part part = { 0 };
	enum sealed rc;

	*text = NULL;
	*len = 0;
	do
		rc = sealed_more(fd, &part, why, size);
	while (rc == SEALED_TIMEOUT && ready(fd, POLLIN, until));
	if (!rc)
		rc = sealed_part_open(&part, also, munge, text, len, why, size);
	sealed_part_release(&part);
	return rc;
}

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

static enum sealed receive_all(int fd, char *data, size_t len, int64_t until)
{
	size_t had = 0;

	while (had < len) {
		ssize_t n = recv(fd, data + had, len - had, MSG_DONTWAIT);

		if (n > 0)
			had += (size_t)n;
		else if (!n)
			return had ? SEALED_BROKEN : SEALED_CLOSED;
		else if (errno == EINTR)
			continue;
		else if (errno != EAGAIN && errno != EWOULDBLOCK)
			return SEALED_BROKEN;
		else if (!ready(fd, POLLIN, until))
			return SEALED_TIMEOUT;
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

enum sealed sealed_read(int fd, uid_t also, const char *munge, int timeout, char **text,
			size_t *len, char *why, size_t size)
{
	int64_t until = milliseconds() + timeout;
	unsigned char head[4];
	enum sealed rc;
	char *cred;
	size_t n = 0;

	*text = NULL;
	*len = 0;
	rc = receive_all(fd, (char *)head, sizeof(head), until);
	if (rc)
		return say_connection(rc, why, size);
	for (int i = 0; i < 4; i++)
		n = n << 8 | head[i];
	if (!n || n > SEALED_MOST)
		return say(SEALED_TOO_LONG, why, size, "a length that no message has");
	cred = malloc(n + 1);
	if (!cred)
		return say(SEALED_MUNGE, why, size, "no memory");
	rc = receive_all(fd, cred, n, until);
	if (rc == SEALED_CLOSED)
		rc = SEALED_BROKEN;
	cred[n] = '\0';
	if (rc)
		rc = say_connection(rc, why, size);
	else if (strlen(cred) != n)
		rc = say(SEALED_FORGED, why, size, "a zero byte in a credential");
	else
		rc = sealed_open(cred, also, munge, text, len, why, size);
	free(cred);
	return rc;
}

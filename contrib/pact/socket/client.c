/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * client.c - one question to the query socket
 */
#include "contrib/pact/socket/client.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <munge.h>

#define PROTOCOL 1
/* No answer is longer. */
#define LINE_MAX_BYTES (256 << 20)
/* Seconds without a byte. */
#define PATIENCE 60

/* A connection, with what has been read beyond a line. */
struct link {
	int fd;
	char *buf;
	size_t len, room;
};

static enum status say(enum status status, char why[CLIENT_WHY], const char *what,
		       const char *detail)
{
	snprintf(why, CLIENT_WHY, "%s%s%s", what, detail ? ": " : "", detail ? detail : "");
	return status;
}

/* slurmctld makes it together with the socket. */
static bool lacks_directory(const char *path)
{
	char *dir = strdup(path);
	char *slash = dir ? strrchr(dir, '/') : NULL;
	bool lacks = false;

	if (slash && slash != dir) {
		*slash = '\0';
		lacks = access(dir, F_OK) && errno == ENOENT;
	}
	free(dir);
	return lacks;
}

static enum status no_link(const char *path, int error, char why[CLIENT_WHY])
{
	switch (error) {
	case EACCES:
		snprintf(why, CLIENT_WHY, "%s: %s (SocketMode in pact.conf)", path,
			 strerror(error));
		return STATUS_DENIED;
	case EAGAIN:
		return say(STATUS_BUSY, why, path, "too many are waiting there");
	case ENOENT:
		if (lacks_directory(path)) {
			snprintf(why, CLIENT_WHY,
				 "%s: its directory does not exist: slurmctld could not make it "
				 "(its log says why; systemd-tmpfiles --create pact.conf makes "
				 "/run/pact for it), or has not run on this machine (scontrol "
				 "ping tells where one does); see Socket in pact.conf(5)",
				 path);
			return STATUS_UNREACHABLE;
		}
		/* The directory is there, and no server listens: */
		/* fall through */
	case ECONNREFUSED:
		snprintf(why, CLIENT_WHY,
			 "%s: %s: no slurmctld with Pact is in charge on this machine (scontrol "
			 "ping tells where one is), or it could not make its socket, of which its "
			 "log says why; see Socket in pact.conf(5)",
			 path, strerror(error));
		return STATUS_UNREACHABLE;
	default:
		return say(STATUS_UNREACHABLE, why, path, strerror(error));
	}
}

static enum status open_link(const char *path, struct link *link, char why[CLIENT_WHY])
{
	struct timeval patience = { .tv_sec = PATIENCE };
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int rc;

	if (strlen(path) >= sizeof(addr.sun_path))
		return say(STATUS_USAGE, why, path, "too long for a socket");
	strcpy(addr.sun_path, path);
	link->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (link->fd < 0)
		return say(STATUS_UNREACHABLE, why, "socket", strerror(errno));
	setsockopt(link->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(link->fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	do {
		rc = connect(link->fd, (struct sockaddr *)&addr, sizeof(addr));
	} while (rc && errno == EINTR);
	return rc ? no_link(path, errno, why) : STATUS_OK;
}

static void close_link(struct link *link)
{
	if (link->fd >= 0)
		close(link->fd);
	free(link->buf);
}

/* RET 1: some bytes more; 0: the end; -1: an error */
static int read_more(struct link *link)
{
	size_t room = link->room ? link->room * 2 : 65536;
	ssize_t n;
	char *buf;

	if (link->len + 1 >= link->room) {
		buf = link->room < LINE_MAX_BYTES ? realloc(link->buf, room) : NULL;
		if (!buf)
			return -1;
		link->buf = buf;
		link->room = room;
	}
	do {
		n = recv(link->fd, link->buf + link->len, link->room - link->len - 1, 0);
	} while (n < 0 && errno == EINTR);
	if (n > 0)
		link->len += (size_t)n;
	return n > 0 ? 1 : (int)n;
}

/* The next line's object. */
static enum status read_line(struct link *link, json_object **out, char why[CLIENT_WHY])
{
	char *end = NULL;
	int rc = 1;

	*out = NULL;
	while (!(end = link->len ? memchr(link->buf, '\n', link->len) : NULL) &&
	       (rc = read_more(link)) > 0)
		;
	if (!end)
		return say(STATUS_UNREACHABLE, why, "no answer",
			   !rc		     ? "the connection was closed"
			   : errno == EAGAIN ? "nothing has come for a minute"
					     : strerror(errno));
	*end = '\0';
	*out = json_tokener_parse(link->buf);
	link->len -= (size_t)(end - link->buf) + 1;
	memmove(link->buf, end + 1, link->len);
	if (!json_object_is_type(*out, json_type_object)) {
		json_object_put(*out);
		*out = NULL;
		return say(STATUS_UNREACHABLE, why, "the answer is no JSON object", NULL);
	}
	return STATUS_OK;
}

/* A credential that only the server's own user (and root) can decode. */
static enum status credential(const struct link *link, const char *munge, char **cred,
			      char why[CLIENT_WHY])
{
	munge_ctx_t ctx = munge_ctx_create();
	munge_err_t rc = EMUNGE_NO_MEMORY;
	const char *detail = NULL;
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (getsockopt(link->fd, SOL_SOCKET, SO_PEERCRED, &peer, &size)) {
		munge_ctx_destroy(ctx);
		return say(STATUS_UNREACHABLE, why, "who serves the socket", strerror(errno));
	}
	if (ctx)
		rc = munge_ctx_set(ctx, MUNGE_OPT_UID_RESTRICTION, peer.uid);
	if (rc == EMUNGE_SUCCESS && munge)
		rc = munge_ctx_set(ctx, MUNGE_OPT_SOCKET, munge);
	if (rc == EMUNGE_SUCCESS)
		rc = munge_encode(cred, ctx, NULL, 0);
	/* The context's text names the socket. */
	if (rc != EMUNGE_SUCCESS && ctx)
		detail = munge_ctx_strerror(ctx);
	if (rc != EMUNGE_SUCCESS)
		say(STATUS_UNREACHABLE, why, "munge", detail ? detail : munge_strerror(rc));
	munge_ctx_destroy(ctx);
	return rc == EMUNGE_SUCCESS ? STATUS_OK : STATUS_UNREACHABLE;
}

static enum status send_all(const struct link *link, const char *text, size_t len,
			    char why[CLIENT_WHY])
{
	while (len) {
		ssize_t n = send(link->fd, text, len, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return say(STATUS_UNREACHABLE, why, "send", strerror(errno));
		text += n;
		len -= (size_t)n;
	}
	return STATUS_OK;
}

static enum status send_request(const struct link *link, const char *cred, const char *request,
				json_object *args, char why[CLIENT_WHY])
{
	json_object *root = json_object_new_object();
	enum status status = STATUS_NOMEM;
	const char *text;

	if (!root)
		return say(status, why, "out of memory", NULL);
	json_object_object_add(root, "pact", json_object_new_int(PROTOCOL));
	json_object_object_add(root, "request", json_object_new_string(request));
	json_object_object_add(root, "cred", json_object_new_string(cred));
	if (args)
		json_object_object_add(root, "args", json_object_get(args));
	text = json_object_to_json_string_ext(root, JSON_C_TO_STRING_PLAIN);
	if (text)
		status = send_all(link, text, strlen(text), why);
	if (status == STATUS_OK)
		status = send_all(link, "\n", 1, why);
	json_object_put(root);
	return status;
}

static const char *member(json_object *object, const char *key)
{
	json_object *value;

	return json_object_object_get_ex(object, key, &value) ? json_object_get_string(value)
							      : NULL;
}

/* What an error's code means here. */
static enum status status_of(const char *code)
{
	static const struct {
		const char *code;
		enum status status;
	} all[] = {
		{ "argument", STATUS_USAGE },	   { "unknown", STATUS_USAGE },
		{ "denied", STATUS_DENIED },	   { "identity", STATUS_DENIED },
		{ "not_found", STATUS_NOT_FOUND }, { "busy", STATUS_BUSY },
		{ "too_many", STATUS_BUSY },
	};

	for (size_t i = 0; code && i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(code, all[i].code))
			return all[i].status;
	return STATUS_UNREACHABLE;
}

/* RET STATUS_OK: the line is no error */
static enum status check(json_object *line, char why[CLIENT_WHY])
{
	json_object *version, *error;

	if (!json_object_object_get_ex(line, "pact", &version) ||
	    json_object_get_int(version) != PROTOCOL)
		return say(STATUS_UNREACHABLE, why,
			   "another version of the protocol is spoken there", NULL);
	if (!json_object_object_get_ex(line, "error", &error))
		return STATUS_OK;
	return say(status_of(member(error, "code")), why,
		   member(error, "text") ? member(error, "text") : "refused", NULL);
}

static enum status converse(struct link *link, const char *request, json_object *args,
			    json_object **answer, char why[CLIENT_WHY])
{
	json_object *line = NULL;
	char *cred = NULL;
	enum status status = read_line(link, &line, why);

	if (status == STATUS_OK)
		status = check(line, why);
	if (status == STATUS_OK)
		status = credential(link, member(line, "munge"), &cred, why);
	json_object_put(line);
	line = NULL;
	if (status == STATUS_OK)
		status = send_request(link, cred, request, args, why);
	free(cred);
	if (status == STATUS_OK)
		status = read_line(link, &line, why);
	if (status == STATUS_OK)
		status = check(line, why);
	if (status == STATUS_OK && !json_object_object_get_ex(line, "answer", answer))
		status = say(STATUS_UNREACHABLE, why, "an answer without content", NULL);
	if (status == STATUS_OK)
		json_object_get(*answer);
	json_object_put(line);
	return status;
}

enum status client_ask(const char *path, const char *request, json_object *args,
		       json_object **answer, char why[CLIENT_WHY])
{
	struct link link = { .fd = -1 };
	enum status status = open_link(path, &link, why);

	*answer = NULL;
	if (status == STATUS_OK)
		status = converse(&link, request, args, answer, why);
	if (status != STATUS_OK)
		*answer = NULL;
	close_link(&link);
	json_object_put(args);
	return status;
}

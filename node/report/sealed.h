/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sealed: messages between a node and the controller. One message is a length of 4 bytes, big-endian, and a
 * munge credential of that length, whose payload is the text. Its maker, and that it was not altered, is
 * munge's word; that it is not the second of its kind, too, on one host.
 *
 * All functions but sealed_more() wait, for the network no longer than told, for munged as long as libmunge does: call
 * them from a thread of their own.
 */
#ifndef PACT_NODE_REPORT_SEALED_H
#define PACT_NODE_REPORT_SEALED_H

#include <stddef.h>
#include <sys/types.h>

#define SEALED_MOST (1u << 20) /* bytes of a credential */

enum sealed {
	SEALED_OK = 0,
	SEALED_CLOSED,	 /* the other end has closed before a message */
	SEALED_TIMEOUT,	 /* */
	SEALED_BROKEN,	 /* the connection, or a message cut short */
	SEALED_TOO_LONG, /* a length of 0, or beyond SEALED_MOST */
	SEALED_FORGED,	 /* no credential of our munge's key, or altered */
	SEALED_EXPIRED,	 /* too old, or from the future: a clock is wrong */
	SEALED_REPLAYED, /* it was opened here before */
	SEALED_STRANGER, /* neither root's nor the given user's */
	SEALED_MUNGE,	 /* munged does not answer, or memory is short */
};

/*
 * A credential of ours for the text, NUL-terminated, to be freed.
 * munge: munged's socket; NULL, "": the usual one. why: what is wrong, for people.
 */
enum sealed sealed_make(const char *text, size_t len, const char *munge, char **cred, char *why,
			size_t size);

/*
 * The text of a credential, NUL-terminated, to be freed; only if uid 0 or `also` has made it.
 * cred: NUL-terminated. *text is NULL unless SEALED_OK is returned.
 */
enum sealed sealed_open(const char *cred, uid_t also, const char *munge, char **text, size_t *len,
			char *why, size_t size);

/* Make one and write it to a connected socket, blocking or not, within so many milliseconds. */
enum sealed sealed_write(int fd, const char *text, size_t len, const char *munge, int timeout,
			 char *why, size_t size);

/* A message that comes in pieces. Zeroed: nothing has come. */
struct sealed_part {
	unsigned char head[4];
	size_t head_had;
	size_t len, had; /* of the credential: bytes in all, and come */
	char *cred;
	size_t room; /* bytes allocated for it */
};

/*
 * Take what has come on a connected socket, without waiting.
 * RET SEALED_OK: all of it; SEALED_TIMEOUT: more is to come
 */
enum sealed sealed_more(int fd, struct sealed_part *p, char *why, size_t size);

/* As sealed_open(), when all of it has come. */
enum sealed sealed_part_open(const struct sealed_part *p, uid_t also, const char *munge,
			     char **text, size_t *len, char *why, size_t size);

void sealed_part_release(struct sealed_part *p);

/* Read one message from a connected socket within so many milliseconds, and open it. */
enum sealed sealed_read(int fd, uid_t also, const char *munge, int timeout, char **text,
			size_t *len, char *why, size_t size);

#endif

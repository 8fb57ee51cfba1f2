/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gunzip: see gunzip.h. zlib's own gz functions say nothing of what follows the last member. */
#include "sim/workload/gunzip.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define INPUT (1 << 16)
#define GZIP 16 /* inflateInit2(): a gzip header and trailer, checked */

enum state {
	BEGIN,	/* nothing was read */
	PLAIN,	/* not compressed */
	MEMBER, /* within a member */
	BEHIND, /* behind one */
	ENDED,	/* all is read, or error says why not */
};

struct gunzip {
	int fd;
	enum state state;
	z_stream z;
	bool inflating;	      /* z is in use */
	unsigned long long n; /* bytes read from fd */
	bool end;	      /* of fd */
	char error[160];
	unsigned char input[INPUT];
};

struct gunzip *gunzip_create(int fd)
{
	struct gunzip *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	g->fd = fd;
	g->z.next_in = g->input;
	return g;
}

void gunzip_destroy(struct gunzip *g)
{
	if (!g)
		return;
	if (g->inflating)
		inflateEnd(&g->z);
	free(g);
}

static void fail(struct gunzip *g, const char *what)
{
	snprintf(g->error, sizeof(g->error), "%s", what);
	g->state = ENDED;
}

/* read(), of which only a failure is told apart; *end at the end. */
static size_t read_some(struct gunzip *g, void *to, size_t room)
{
	ssize_t n;

	do
		n = read(g->fd, to, room);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		fail(g, strerror(errno));
	g->end = n <= 0;
	g->n += n > 0 ? (unsigned long long)n : 0;
	return n > 0 ? (size_t)n : 0;
}

/* At least `wanted` (1 or 2) bytes of input, unless there are no more. */
static void look_ahead(struct gunzip *g, size_t wanted)
{
	while (g->z.avail_in < wanted && !g->end) {
		memmove(g->input, g->z.next_in, g->z.avail_in);
		g->z.next_in = g->input;
		g->z.avail_in += (uInt)read_some(g, g->input + g->z.avail_in,
						 sizeof(g->input) - g->z.avail_in);
	}
}

static bool at_member(struct gunzip *g)
{
	look_ahead(g, 2);
	return g->z.avail_in >= 2 && g->z.next_in[0] == 0x1f && g->z.next_in[1] == 0x8b;
}

static void begin(struct gunzip *g)
{
	bool packed = at_member(g);

	if (g->state == ENDED)
		return;
	g->inflating = packed && inflateInit2(&g->z, MAX_WBITS + GZIP) == Z_OK;
	g->state = packed ? MEMBER : PLAIN;
	if (packed && !g->inflating)
		fail(g, "out of memory");
}

static size_t copy(struct gunzip *g, char *to, size_t room)
{
	size_t n = g->z.avail_in < room ? g->z.avail_in : room;

	if (!n) {
		n = g->end ? 0 : read_some(g, to, room);
		g->state = n ? PLAIN : ENDED;
		return n;
	}
	memcpy(to, g->z.next_in, n);
	g->z.next_in += n;
	g->z.avail_in -= (uInt)n;
	return n;
}

/* Inflate one piece of input into z's output. */
static void inflate_some(struct gunzip *g)
{
	int error;

	look_ahead(g, 1);
	if (g->state == ENDED)
		return;
	if (!g->z.avail_in) {
		fail(g, "the compressed file is truncated");
		return;
	}
	error = inflate(&g->z, Z_NO_FLUSH);
	if (error == Z_STREAM_END)
		g->state = BEHIND;
	else if (error == Z_MEM_ERROR)
		fail(g, "out of memory");
	else if (error != Z_OK && error != Z_BUF_ERROR)
		fail(g, g->z.msg ? g->z.msg : "the compressed data are damaged");
}

/* Behind a member: another one, the end, zeros up to the end, or something that is not ours. */
static void go_behind(struct gunzip *g)
{
	char what[80];

	if (at_member(g)) {
		inflateReset(&g->z);
		g->state = MEMBER;
		return;
	}
	for (; g->state == BEHIND; look_ahead(g, 1)) {
		while (g->z.avail_in && !*g->z.next_in) {
			g->z.next_in++;
			g->z.avail_in--;
		}
		if (g->z.avail_in) {
			snprintf(
				what, sizeof(what),
				"what follows the compressed data, at byte %llu, is no gzip member",
				g->n - g->z.avail_in);
			fail(g, what);
		} else if (g->end) {
			g->state = ENDED;
		}
	}
}

size_t gunzip_read(struct gunzip *g, char *to, size_t room)
{
	if (g->state == BEGIN)
		begin(g);
	if (g->state == PLAIN)
		return copy(g, to, room);
	if (g->state == ENDED)
		return 0;
	g->z.next_out = (unsigned char *)to;
	g->z.avail_out = (uInt)room;
	while (g->state != ENDED && g->z.avail_out) {
		if (g->state == MEMBER)
			inflate_some(g);
		else
			go_behind(g);
	}
	return room - g->z.avail_out;
}

const char *gunzip_error(const struct gunzip *g)
{
	return g->error[0] ? g->error : NULL;
}

bool gunzip_inflates(const struct gunzip *g)
{
	return g->inflating && g->state != ENDED;
}

double gunzip_used(const struct gunzip *g)
{
	return (double)(g->n - g->z.avail_in);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conns.c - connections of the query socket, see conns.h */
#include "slurm/base/compat.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "slurm/base/clock.h"
#include "slurm/base/fair.h"
#include "slurm/base/listener.h"
#include "slurm/base/scheduler.h"
#include "slurm/serving/conns.h"
#include "slurm/serving/munge_socket.h"
#include "slurm/queries/wire.h"

/* Of all, kept for root and SlurmUser: they have to find out what goes on. */
#define CONNS_KEPT 8
/* Bytes of answers that one user may leave unread, but for a single answer. */
#define UNREAD_MAX (8 << 20)
/* Bytes read from one connection before the others have their turn. */
#define BITE 16384

struct conn {
	uint64_t id; /* 0: unused */
	int fd;
	uid_t uid;
	char *in;
	size_t in_len, in_room;
	char *out;
	size_t out_len, out_at;
	bool asked;    /* the answerer has its request */
	bool answered; /* it has had an answer */
	bool last;     /* closed when the answer has been read */
	int64_t until; /* closed then */
	int64_t since; /* opened, or last answered */
};

static struct {
	int64_t rate, timeout_us; /* as conns_begin() takes them */
	struct conn conn[CONNS];
	uint64_t last_id;
	struct fair fair;
	char *away; /* what a user is told who is turned away; or NULL */
	size_t away_len;
} all;

/* An operator has to find out what goes on, and could do worse than connect too often. */
static bool operates(uid_t uid)
{
	return uid == 0 || uid == slurm_conf.slurm_user_id;
}

static void conn_close(struct conn *c)
{
	int64_t now = clock_us();

	/*
	 * A user who connects and says nothing that can be answered pays for that as well; but one
	 * who has nothing left to pay with is not locked out for hours by a script of his that went
	 * wild: as long as it goes on, and not much longer.
	 */
	if (operates(c->uid))
		;
	else if (!c->answered && !fair_wait(&all.fair, c->uid, now))
		fair_charge(&all.fair, c->uid, now, 1);
	else if (!c->answered)
		fair_fine(&all.fair, c->uid, now);
	close(c->fd);
	free(c->in);
	free(c->out);
	memset(c, 0, sizeof(*c));
}

/* Something to be read, taken over; then nothing more is read here until it has been. */
static void conn_say(struct conn *c, char *line, size_t len)
{
	if (!line) {
		conn_close(c);
		return;
	}
	c->out = line;
	c->out_len = len;
	c->out_at = 0;
	c->until = clock_us() + all.timeout_us;
}

static void conn_refuse(struct conn *c, const char *code, const char *why)
{
	size_t len;
	char *line = wire_error(NULL, code, why, &len);

	c->last = true;
	conn_say(c, line, len);
}

static void conn_write(struct conn *c)
{
	ssize_t n = send(c->fd, c->out + c->out_at, c->out_len - c->out_at,
			 MSG_NOSIGNAL | MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n < 0) {
		conn_close(c);
		return;
	}
	c->out_at += (size_t)n;
	if (c->out_at < c->out_len)
		return;
	free(c->out);
	c->out = NULL;
	c->out_len = c->out_at = 0;
	c->until = clock_us() + all.timeout_us;
	if (c->last)
		conn_close(c);
}

/* The first line of what has been read goes to the answerer. */
static void conn_ask(struct conn *c)
{
	char *end = c->in_len ? memchr(c->in, '\n', c->in_len) : NULL;
	struct exchange *exchange;

	if (!end) {
		if (c->in_len >= WIRE_LINE_MAX)
			conn_refuse(c, WIRE_TOO_LONG, "a request has at most 65536 bytes");
		return;
	}
	exchange = calloc(1, sizeof(*exchange));
	if (exchange)
		exchange->line = malloc(end - c->in + 1);
	if (!exchange || !exchange->line) {
		free(exchange);
		conn_close(c);
		return;
	}
	exchange->conn = c->id;
	exchange->uid = c->uid;
	exchange->len = end - c->in;
	memcpy(exchange->line, c->in, exchange->len);
	exchange->line[exchange->len] = '\0';
	c->in_len -= exchange->len + 1;
	memmove(c->in, end + 1, c->in_len);
	c->asked = true;
	answerer_post(exchange);
}

static bool conn_grow(struct conn *c)
{
	size_t room = c->in_room ? c->in_room * 2 : 2048;
	char *in;

	if (c->in_len < c->in_room)
		return true;
	if (room > WIRE_LINE_MAX)
		room = WIRE_LINE_MAX;
	in = realloc(c->in, room);
	if (!in)
		return false;
	c->in = in;
	c->in_room = room;
	return true;
}

static void conn_read(struct conn *c)
{
	ssize_t n = 0, sum = 0;

	while (sum < BITE && c->in_len < WIRE_LINE_MAX && conn_grow(c)) {
		n = recv(c->fd, c->in + c->in_len, c->in_room - c->in_len, MSG_DONTWAIT);
		if (n <= 0)
			break;
		c->in_len += (size_t)n;
		sum += n;
	}
	if (sum || (n < 0 && (errno == EAGAIN || errno == EINTR)))
		conn_ask(c);
	else
		conn_close(c);
}

/* How many a user has. */
static int conns_of(uid_t uid)
{
	int n = 0;

	for (int i = 0; i < CONNS; i++)
		n += all.conn[i].id && all.conn[i].uid == uid;
	return n;
}

/*
 * The connection that is given up for a new one: of those for which nothing is being worked on
 * (one of the user with the most) the one that has been left alone longest.  Several users who only
 * hold theirs open, or one who may be many, keep no user out.  An operator makes way for others
 * of that kind only.
 * IN only_mine - another one of this user's, who has all that one may have
 * RET NULL: all are being worked on
 */
static struct conn *conn_idlest(uid_t uid, bool only_mine)
{
	struct conn *idlest = NULL;
	int most = 0;

	for (int i = 0; i < CONNS; i++) {
		struct conn *c = &all.conn[i];
		int n;

		if (!c->id || c->asked || (only_mine && c->uid != uid) ||
		    (operates(c->uid) && !operates(uid)))
			continue;
		/* The new connection counts, too. */
		n = conns_of(c->uid) + (c->uid == uid);
		if (n > most || (n == most && c->since < idlest->since)) {
			idlest = c;
			most = n;
		}
	}
	return idlest;
}

static void conn_give_up(struct conn *c)
{
	if (!c->out && all.away &&
	    send(c->fd, all.away, all.away_len, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		debug3("%s: socket: %s", scheduler_type(), strerror(errno));
	conn_close(c);
}

/* Room for one more connection of a user, or NULL. */
static struct conn *conn_room(uid_t uid)
{
	bool most = conns_of(uid) >= CONNS_PER_USER;
	int left = operates(uid) ? 0 : -CONNS_KEPT;
	struct conn *room = NULL;

	for (int i = 0; i < CONNS; i++) {
		left += !all.conn[i].id;
		if (!all.conn[i].id)
			room = &all.conn[i];
	}
	if (left > 0 && !most)
		return room;
	room = conn_idlest(uid, most);
	if (room)
		conn_give_up(room);
	return room;
}

/* Nothing is allocated for it, and nothing is said that has to be made up first. */
static void turn_away(int fd, uid_t uid, int64_t now)
{
	fair_fine(&all.fair, uid, now);
	if (all.away && send(fd, all.away, all.away_len, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		debug3("%s: socket: %s", scheduler_type(), strerror(errno));
	close(fd);
}

enum conns_room conns_open(int fd, int64_t now)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);
	struct conn *room;
	char munge[LISTENER_PATH_MAX], *line;
	size_t len;

	/* Who has connected, by the kernel: before anything is read. */
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size)) {
		close(fd);
		return CONNS_OPENED;
	}
	room = !operates(peer.uid) && fair_shut(&all.fair, peer.uid, now) ? NULL
									  : conn_room(peer.uid);
	if (!room) {
		turn_away(fd, peer.uid, now);
		return CONNS_AWAY;
	}
	*room = (struct conn){ .id = ++all.last_id, .fd = fd, .uid = peer.uid, .since = now };
	line = wire_greeting(PACT_VERSION, munge_socket(munge, sizeof(munge)) ? munge : NULL, &len);
	conn_say(room, line, len);
	/* Connecting all the time is not worth a processor's. */
	return fair_wait(&all.fair, peer.uid, now) ? CONNS_PRESSING : CONNS_OPENED;
}

/* Bytes that a user has not read yet on other connections than this one. */
static size_t unread(const struct conn *except)
{
	size_t sum = 0;

	for (int i = 0; i < CONNS; i++)
		if (all.conn[i].id && all.conn[i].uid == except->uid && &all.conn[i] != except)
			sum += all.conn[i].out_len - all.conn[i].out_at;
	return sum;
}

void conns_answer(struct exchange *exchange)
{
	struct conn *c = NULL;
	size_t others;

	fair_charge(&all.fair, exchange->uid, clock_us(), exchange->cost);
	for (int i = 0; i < CONNS; i++)
		if (all.conn[i].id == exchange->conn)
			c = &all.conn[i];
	if (!c)
		return;
	c->asked = false;
	c->answered = true;
	c->since = clock_us();
	c->last = exchange->forgeable;
	others = unread(c);
	if (others && others + exchange->answer_len > UNREAD_MAX) {
		conn_refuse(c, WIRE_BUSY, "too many answers that nobody reads");
		return;
	}
	conn_say(c, exchange->answer, exchange->answer_len);
	exchange->answer = NULL;
}

void conns_sooner(int64_t now, int64_t at, int *ms)
{
	int64_t wait = at <= now ? 0 : (at - now) / 1000 + 1;

	if (wait < *ms)
		*ms = (int)wait;
}

/* What is waited for on a connection. */
static short conn_events(struct conn *c, int64_t now, int *ms)
{
	int64_t wait;

	if (c->asked)
		return 0;
	conns_sooner(now, c->until, ms);
	if (c->out)
		return POLLOUT;
	wait = fair_wait(&all.fair, c->uid, now);
	if (!wait)
		return POLLIN;
	/* Not its fault. */
	c->until = now + wait + all.timeout_us;
	conns_sooner(now, now + wait, ms);
	return 0;
}

static void conn_serve(struct conn *c, short revents, int64_t now)
{
	bool mine = !c->asked && !c->out && !fair_wait(&all.fair, c->uid, now);

	if (revents & (POLLERR | POLLNVAL) || (revents & POLLHUP && !(revents & POLLIN)))
		conn_close(c);
	else if (c->out && revents & POLLOUT)
		conn_write(c);
	else if (mine && c->in_len && memchr(c->in, '\n', c->in_len))
		conn_ask(c);
	else if (mine && revents & POLLIN)
		conn_read(c);
	else if (!c->asked && now > c->until)
		conn_close(c);
}

void conns_await(struct pollfd *fds, int64_t now, int *ms)
{
	for (int i = 0; i < CONNS; i++) {
		struct conn *c = &all.conn[i];

		fds[i].fd = c->id ? c->fd : -1;
		fds[i].events = c->id ? conn_events(c, now, ms) : 0;
		if (fds[i].events & POLLIN && c->in_len && memchr(c->in, '\n', c->in_len))
			*ms = 0;
	}
}

void conns_serve(const struct pollfd *fds, int64_t now)
{
	for (int i = 0; i < CONNS; i++)
		if (fds[i].fd >= 0)
			conn_serve(&all.conn[i], fds[i].revents, now);
}

void conns_begin(int64_t rate, int64_t timeout_us)
{
	fair_init(&all.fair, rate);
	all.rate = rate;
	all.timeout_us = timeout_us;
	all.away =
		wire_error(NULL, WIRE_TOO_MANY, "too many connections; try again", &all.away_len);
}

void conns_configure(int64_t rate, int64_t timeout_us)
{
	if (rate != all.rate)
		fair_init(&all.fair, rate);
	all.rate = rate;
	all.timeout_us = timeout_us;
}

void conns_end(void)
{
	for (int i = 0; i < CONNS; i++)
		if (all.conn[i].id)
			conn_close(&all.conn[i]);
	free(all.away);
	all.away = NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * serve.c - the query socket: connections, their lines, their limits
 */
#include "slurm/base/compat.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "slurm/state/bridge.h"
#include "slurm/serving/answerer.h"
#include "slurm/base/fair.h"
#include "slurm/base/listener.h"
#include "slurm/base/scheduler.h"
#include "slurm/serving/munge_socket.h"
#include "slurm/serving/serve.h"
#include "slurm/serving/wire.h"
#include "slurm/base/clock.h"

#define CONNS 64
#define CONNS_PER_USER 16
/* Of all, kept for root and SlurmUser: whoever has to find out what goes on gets in. */
#define CONNS_KEPT 8
/* Bytes of answers that one user may leave unread, but for a single answer. */
#define UNREAD_MAX (8 << 20)
/* Bytes read from one connection before the others have their turn. */
#define BITE 16384
/*
 * The listener is left alone for so long (microseconds) after it gave more than there is room
 * for, or connections of somebody who has used up his requests.
 */
#define REST_US 20000
/* Between two tries to open the listener; and the longest sleep, in ms. */
#define RETRY_US 10000000
#define SLEEP_MS 1000
/* While slurmctld starts: who has just submitted a job wants an answer, too. */
#define START_MS 10

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

/* What other threads set. */
static struct {
	pthread_mutex_t lock;
	struct serve_settings settings;
	uint64_t generation; /* of the settings */
	int wake;
} shared = { .lock = PTHREAD_MUTEX_INITIALIZER, .wake = -1 };

/* The thread's own. */
static struct {
	struct serve_settings settings;
	uint64_t generation;
	struct listener listener;
	int64_t listen_after;
	char complaint[160]; /* why the listener does not open; "": it does */
	struct conn conn[CONNS];
	uint64_t last_id;
	struct fair fair;
	char *away; /* what users are told who are turned away; or NULL */
	size_t away_len;
} serve = { .listener = { .fd = -1 } };

static pthread_t thread;
static bool running;
static _Atomic bool stopping;

static void wake_up(void)
{
	uint64_t one = 1;

	if (shared.wake >= 0 && write(shared.wake, &one, sizeof(one)) != sizeof(one))
		debug("%s: socket: %s", scheduler_type(), strerror(errno));
}

void serve_configure(const struct serve_settings *settings)
{
	pthread_mutex_lock(&shared.lock);
	shared.settings = *settings;
	shared.generation++;
	wake_up();
	pthread_mutex_unlock(&shared.lock);
}

/* ---- connections ---- */

/* Whoever has to find out what goes on, and could do worse than connect too often. */
static bool operates(uid_t uid)
{
	return uid == 0 || uid == slurm_conf.slurm_user_id;
}

static void conn_close(struct conn *c)
{
	int64_t now = clock_us();

	/*
	 * Who connects and says nothing that can be answered pays for that as well; but
	 * whoever has nothing left to pay with is not locked out for hours by a script of
	 * his that went wild: as long as it goes on, and not much longer.
	 */
	if (operates(c->uid))
		;
	else if (!c->answered && !fair_wait(&serve.fair, c->uid, now))
		fair_charge(&serve.fair, c->uid, now, 1);
	else if (!c->answered)
		fair_fine(&serve.fair, c->uid, now);
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
	c->until = clock_us() + serve.settings.timeout_us;
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
	c->until = clock_us() + serve.settings.timeout_us;
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
	ssize_t n = 0, all = 0;

	while (all < BITE && c->in_len < WIRE_LINE_MAX && conn_grow(c)) {
		n = recv(c->fd, c->in + c->in_len, c->in_room - c->in_len, MSG_DONTWAIT);
		if (n <= 0)
			break;
		c->in_len += (size_t)n;
		all += n;
	}
	if (all || (n < 0 && (errno == EAGAIN || errno == EINTR)))
		conn_ask(c);
	else
		conn_close(c);
}

/* How many a user has. */
static int conns_of(uid_t uid)
{
	int n = 0;

	for (int i = 0; i < CONNS; i++)
		n += serve.conn[i].id && serve.conn[i].uid == uid;
	return n;
}

/*
 * The connection that is given up for a new one: of those for which nothing is being worked on
 * one of the user who has most, the one that has been left alone longest.  Several users who only
 * hold theirs open, or one who may be many, keep nobody out.  An operator makes way for others
 * of that kind only.
 * IN only_mine - another one of this user's, who has all that one may have
 * RET NULL: all are being worked on
 */
static struct conn *conn_idlest(uid_t uid, bool only_mine)
{
	struct conn *idlest = NULL;
	int most = 0;

	for (int i = 0; i < CONNS; i++) {
		struct conn *c = &serve.conn[i];
		int n;

		if (!c->id || c->asked || (only_mine && c->uid != uid) ||
		    (operates(c->uid) && !operates(uid)))
			continue;
		/* With the new one. */
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
	if (!c->out && serve.away &&
	    send(c->fd, serve.away, serve.away_len, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
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
		left += !serve.conn[i].id;
		if (!serve.conn[i].id)
			room = &serve.conn[i];
	}
	if (left > 0 && !most)
		return room;
	room = conn_idlest(uid, most);
	if (room)
		conn_give_up(room);
	return room;
}

/* Nothing is made for it, nor said that has to be made up. */
static void turn_away(int fd, uid_t uid, int64_t now)
{
	fair_fine(&serve.fair, uid, now);
	if (serve.away && send(fd, serve.away, serve.away_len, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		debug3("%s: socket: %s", scheduler_type(), strerror(errno));
	close(fd);
	serve.listen_after = now + REST_US;
}

/* RET false: turned away */
static bool conn_open(int fd)
{
	int64_t now = clock_us();
	struct ucred peer;
	socklen_t size = sizeof(peer);
	struct conn *room;
	char munge[LISTENER_PATH_MAX], *line;
	size_t len;

	/* Who has connected, by the kernel: before anything is read. */
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size)) {
		close(fd);
		return true;
	}
	room = !operates(peer.uid) && fair_shut(&serve.fair, peer.uid, now) ? NULL
									    : conn_room(peer.uid);
	if (!room) {
		turn_away(fd, peer.uid, now);
		return false;
	}
	/* Connecting all the time is not worth a processor's. */
	if (fair_wait(&serve.fair, peer.uid, now))
		serve.listen_after = now + REST_US;
	*room = (struct conn){ .id = ++serve.last_id, .fd = fd, .uid = peer.uid, .since = now };
	line = wire_greeting(PACT_VERSION, munge_socket(munge, sizeof(munge)) ? munge : NULL, &len);
	conn_say(room, line, len);
	return true;
}

/* Whom it turns away waits for nothing: those behind him are not to wait for him either. */
static void accept_some(void)
{
	int opened = 0, away = 0;

	while (opened < CONNS_PER_USER && away < LISTENER_BACKLOG) {
		int fd = accept4(serve.listener.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		bool in = fd >= 0 && conn_open(fd);

		opened += in;
		away += !in;
		if (fd >= 0)
			continue;
		/* Out of descriptors, say: no reason to try all the time. */
		if (errno != EAGAIN && errno != EINTR)
			serve.listen_after = clock_us() + REST_US;
		return;
	}
}

/* ---- answers ---- */

/* Bytes that a user has not read yet on other connections than this one. */
static size_t unread(const struct conn *except)
{
	size_t sum = 0;

	for (int i = 0; i < CONNS; i++)
		if (serve.conn[i].id && serve.conn[i].uid == except->uid &&
		    &serve.conn[i] != except)
			sum += serve.conn[i].out_len - serve.conn[i].out_at;
	return sum;
}

static void give_answer(struct exchange *exchange)
{
	struct conn *c = NULL;
	size_t others;

	fair_charge(&serve.fair, exchange->uid, clock_us(), exchange->cost);
	for (int i = 0; i < CONNS; i++)
		if (serve.conn[i].id == exchange->conn)
			c = &serve.conn[i];
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

static void give_answers(void)
{
	struct exchange *exchange;
	uint64_t count;

	if (read(shared.wake, &count, sizeof(count)) < 0)
		debug3("%s: socket: nobody has called", scheduler_type());
	while ((exchange = answerer_take())) {
		give_answer(exchange);
		exchange_destroy(exchange);
	}
}

/* ---- the loop ---- */

/* A backup controller on standby, and one that ends, serve nobody. */
static bool in_charge(void)
{
	return bridge_in_charge() && !slurmctld_config.shutdown_time;
}

/* Nothing is in the way but that slurmctld is not in charge. */
static bool about_to_listen(int64_t now)
{
	return serve.listener.fd < 0 && serve.settings.path[0] && now >= serve.listen_after;
}

static void listen_again(int64_t now)
{
	char why[sizeof(serve.complaint)];

	if (!about_to_listen(now) || !in_charge())
		return;
	if (listener_open(&serve.listener, serve.settings.path, serve.settings.mode, why,
			  sizeof(why))) {
		info("%s: socket: %s", scheduler_type(), serve.settings.path);
		serve.complaint[0] = '\0';
		return;
	}
	if (strcmp(serve.complaint, why))
		error("%s: Socket=%s: %s, for SlurmUser=%s: pact has nobody to ask; see "
		      "Socket in pact.conf(5)",
		      scheduler_type(), serve.settings.path, why, slurm_conf.slurm_user_name);
	snprintf(serve.complaint, sizeof(serve.complaint), "%s", why);
	serve.listen_after = now + RETRY_US;
}

static void take_settings(void)
{
	struct serve_settings old = serve.settings;

	pthread_mutex_lock(&shared.lock);
	serve.settings = shared.settings;
	serve.generation = shared.generation;
	pthread_mutex_unlock(&shared.lock);
	if (old.rate != serve.settings.rate)
		fair_init(&serve.fair, serve.settings.rate);
	if (strcmp(old.path, serve.settings.path) || old.mode != serve.settings.mode) {
		listener_close(&serve.listener);
		serve.listen_after = 0;
		serve.complaint[0] = '\0';
	}
}

static bool new_settings(void)
{
	bool yes;

	pthread_mutex_lock(&shared.lock);
	yes = shared.generation != serve.generation;
	pthread_mutex_unlock(&shared.lock);
	return yes;
}

static void sooner(int64_t now, int64_t at, int *ms)
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
	sooner(now, c->until, ms);
	if (c->out)
		return POLLOUT;
	wait = fair_wait(&serve.fair, c->uid, now);
	if (!wait)
		return POLLIN;
	/* Not its fault. */
	c->until = now + wait + serve.settings.timeout_us;
	sooner(now, now + wait, ms);
	return 0;
}

static void conn_serve(struct conn *c, short revents, int64_t now)
{
	bool mine = !c->asked && !c->out && !fair_wait(&serve.fair, c->uid, now);

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

static void round_trip(void)
{
	struct pollfd fds[CONNS + 2] = { { .fd = shared.wake, .events = POLLIN } };
	int64_t now = clock_us();
	int ms = about_to_listen(now) ? START_MS : SLEEP_MS;

	fds[1].fd = now >= serve.listen_after ? serve.listener.fd : -1;
	fds[1].events = POLLIN;
	if (serve.listener.fd >= 0 && now < serve.listen_after)
		sooner(now, serve.listen_after, &ms);
	for (int i = 0; i < CONNS; i++) {
		struct conn *c = &serve.conn[i];

		fds[i + 2].fd = c->id ? c->fd : -1;
		fds[i + 2].events = c->id ? conn_events(c, now, &ms) : 0;
		if (fds[i + 2].events & POLLIN && c->in_len && memchr(c->in, '\n', c->in_len))
			ms = 0;
	}
	if (poll(fds, CONNS + 2, ms) < 0)
		return;
	now = clock_us();
	for (int i = 0; i < CONNS; i++)
		if (fds[i + 2].fd >= 0)
			conn_serve(&serve.conn[i], fds[i + 2].revents, now);
	if (fds[0].revents)
		give_answers();
	if (fds[1].fd >= 0 && fds[1].revents)
		accept_some();
}

static void *loop(void *arg)
{
	(void)arg;
	fair_init(&serve.fair, serve.settings.rate);
	serve.away =
		wire_error(NULL, WIRE_TOO_MANY, "too many connections; try again", &serve.away_len);
	while (!stopping) {
		if (new_settings())
			take_settings();
		listen_again(clock_us());
		round_trip();
	}
	listener_close(&serve.listener);
	for (int i = 0; i < CONNS; i++)
		if (serve.conn[i].id)
			conn_close(&serve.conn[i]);
	free(serve.away);
	serve.away = NULL;
	return NULL;
}

void serve_start(void)
{
	sigset_t all, old;

	if (running)
		return;
	stopping = false;
	serve.listen_after = 0;
	serve.complaint[0] = '\0';
	shared.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (shared.wake >= 0 && answerer_start(shared.wake)) {
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &old);
		running = !pthread_create(&thread, NULL, loop, NULL);
		pthread_sigmask(SIG_SETMASK, &old, NULL);
	}
	if (running)
		return;
	error("%s: socket: no threads for it: pact has nobody to ask", scheduler_type());
	answerer_stop();
	if (shared.wake >= 0)
		close(shared.wake);
	shared.wake = -1;
}

void serve_stop(void)
{
	if (!running)
		return;
	stopping = true;
	wake_up();
	pthread_join(thread, NULL);
	if (!answerer_stop())
		error("%s: socket: a question hangs, on the history's disk perhaps: it is left "
		      "alone",
		      scheduler_type());
	pthread_mutex_lock(&shared.lock);
	close(shared.wake);
	shared.wake = -1;
	pthread_mutex_unlock(&shared.lock);
	running = false;
}

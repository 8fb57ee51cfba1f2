/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_port.c - the port on which nodes' daemons report
 *
 * Whatever connects may be anything: until a whole message is there, one thread with poll(2) has its connection,
 * beside all others, for a moment each. So what stalls or says nothing holds up nothing: the time for a message is
 * bounded, so is their number (the oldest that has not said all yet makes way) and their memory. Whole messages go to
 * a few threads that wait for munged and write the answer, which only root and SlurmUser get.
 */
#include "slurm/base/compat.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include "node/report/sealed.h"
#include "slurm/base/clock.h"
#include "slurm/base/scheduler.h"
#include "slurm/nodes/reports.h"
#include "slurm/nodes/reports_own.h"

#define WORKERS 4
#define BACKLOG 4096
/* Connections that have not said all yet. */
#define CONNS 512
/* Whole messages that wait, and bytes of these and of what is not whole yet. */
#define WAITING_MOST 4096
#define BYTES_MOST (64u << 20)
/* Connections taken before what they say is looked at. */
#define ACCEPT_MOST 64
/* Milliseconds for a report, and for its answer. */
#define PATIENCE 2000
/* How often a thread looks whether it is to end; and whether there is room again. */
#define LOOK 200
#define FULL_LOOK 5

struct conn {
	struct conn *next;
	int fd;
	int64_t since; /* clock_us() */
	struct sealed_part in;
};

static struct {
	pthread_t thread[WORKERS + 1];
	int n; /* that run */
	int fd;
	struct reports_settings settings;
	_Atomic bool stopping;
	_Atomic int64_t complained; /* when a refusal was logged last */
	/* of the thread that listens, the oldest first */
	struct conn *conn[CONNS];
	size_t nconns, bytes;
	/* with the lock */
	struct conn *first, **last; /* whole messages */
	size_t waiting, waiting_bytes;
} port = { .fd = -1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;

/* A sender that is refused again and again is told once a minute. */
static void complain(const char *why)
{
	int64_t now = time(NULL);

	if (now < port.complained + 60 && now >= port.complained)
		return;
	port.complained = now;
	error("%s: a node's report is refused: %s", scheduler_type(), why);
}

static void conn_free(struct conn *c)
{
	close(c->fd);
	sealed_part_release(&c->in);
	free(c);
}

/* ---- whole messages ---- */

static void post(struct conn *c)
{
	pthread_mutex_lock(&lock);
	c->next = NULL;
	*port.last = c;
	port.last = &c->next;
	port.waiting++;
	port.waiting_bytes += c->in.room;
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&lock);
}

/* NULL: there is to be an end. */
static struct conn *next_message(void)
{
	struct conn *c = NULL;

	pthread_mutex_lock(&lock);
	while (!port.first && !port.stopping)
		pthread_cond_wait(&more, &lock);
	if (!port.stopping) {
		c = port.first;
		port.first = c->next;
		if (!port.first)
			port.last = &port.first;
		port.waiting--;
		port.waiting_bytes -= c->in.room;
	}
	pthread_mutex_unlock(&lock);
	return c;
}

static void serve(const struct conn *c)
{
	char why[256] = "", *text, *answer = NULL;
	size_t len;

	if (sealed_part_open(&c->in, port.settings.user, port.settings.munge, &text, &len, why,
			     sizeof(why)) == SEALED_OK)
		answer = reports_answer(text, len, why, sizeof(why));
	if (answer)
		(void)sealed_write(c->fd, answer, strlen(answer), port.settings.munge, PATIENCE,
				   why, sizeof(why));
	else
		complain(why[0] ? why : "it is none");
	free(text);
	free(answer);
}

static void *work(void *arg)
{
	struct conn *c;

	(void)arg;
	while ((c = next_message())) {
		serve(c);
		conn_free(c);
	}
	return NULL;
}

/* ---- what is not whole yet ---- */

/* RET whether it is still to be waited for; else it is gone from here */
static bool go_on(struct conn *c, int64_t now)
{
	size_t had = c->in.room;
	char why[256] = "";
	enum sealed rc = sealed_more(c->fd, &c->in, why, sizeof(why));

	port.bytes += c->in.room - had;
	if (rc == SEALED_TIMEOUT && now - c->since < PATIENCE * 1000)
		return true;
	port.bytes -= c->in.room;
	if (rc == SEALED_OK) {
		post(c);
		return false;
	}
	if (rc != SEALED_CLOSED)
		complain(rc == SEALED_TIMEOUT ? "it stalls" : why);
	conn_free(c);
	return false;
}

static void drop_oldest(void)
{
	struct conn *c = port.conn[0];

	memmove(port.conn, port.conn + 1, --port.nconns * sizeof(*port.conn));
	port.bytes -= c->in.room;
	complain("too many connections that say nothing");
	conn_free(c);
}

static void go_on_all(const struct pollfd *fds, size_t n)
{
	int64_t now = clock_us();
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		struct conn *c = port.conn[i];

		if ((!fds[i].revents && now - c->since < PATIENCE * 1000) || go_on(c, now))
			port.conn[kept++] = c;
	}
	port.nconns = kept;
	while (port.nconns && port.bytes > BYTES_MOST)
		drop_oldest();
}

/* RET false: there is none more, or descriptors are short, which lasts */
static bool accept_one(void)
{
	int fd = accept4(port.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	struct conn *c = fd >= 0 ? calloc(1, sizeof(*c)) : NULL;

	if (!c) {
		if (fd >= 0)
			close(fd);
		else if (errno != EAGAIN && errno != EINTR)
			usleep(LOOK * 1000);
		return false;
	}
	c->fd = fd;
	c->since = clock_us();
	if (!go_on(c, c->since))
		return true;
	if (port.nconns == CONNS)
		drop_oldest();
	port.conn[port.nconns++] = c;
	return true;
}

/* As many wait for munged as may: what comes is left to the sockets. */
static bool is_full(void)
{
	bool full;

	pthread_mutex_lock(&lock);
	full = port.waiting >= WAITING_MOST || port.waiting_bytes >= BYTES_MOST;
	pthread_mutex_unlock(&lock);
	return full;
}

static void *listen_on(void *arg)
{
	struct pollfd fds[CONNS + 1];

	(void)arg;
	while (!port.stopping) {
		size_t n = port.nconns;

		if (is_full()) {
			usleep(FULL_LOOK * 1000);
			continue;
		}
		for (size_t i = 0; i < n; i++)
			fds[i] = (struct pollfd){ .fd = port.conn[i]->fd, .events = POLLIN };
		fds[n] = (struct pollfd){ .fd = port.fd, .events = POLLIN };
		if (poll(fds, n + 1, LOOK) < 0)
			continue;
		go_on_all(fds, n);
		for (int i = 0; fds[n].revents && i < ACCEPT_MOST && accept_one(); i++)
			;
	}
	return NULL;
}

/* ---- begin and end ---- */

static int open_port(uint16_t number)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_port = htons(number),
				  .sin_addr.s_addr = htonl(INADDR_ANY) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1;

	/* From 23.11 on a reconfiguration starts a new slurmctld while this one still listens. */
	if (fd >= 0 && !setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) &&
	    !setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on)) &&
	    !bind(fd, (struct sockaddr *)&at, sizeof(at)) && !listen(fd, BACKLOG))
		return fd;
	error("%s: ReportPort=%u: %m: nodes cannot report, and get no job", scheduler_type(),
	      number);
	if (fd >= 0)
		close(fd);
	return -1;
}

static void begin(void)
{
	port.stopping = false;
	port.last = &port.first;
	port.fd = open_port(port.settings.port);
	while (port.fd >= 0 && port.n < WORKERS + 1 &&
	       !pthread_create(&port.thread[port.n], NULL, port.n ? work : listen_on, NULL))
		port.n++;
}

static void end(void)
{
	struct conn *c;

	pthread_mutex_lock(&lock);
	port.stopping = true;
	pthread_cond_broadcast(&more);
	pthread_mutex_unlock(&lock);
	while (port.n > 0)
		pthread_join(port.thread[--port.n], NULL);
	while ((c = port.first)) {
		port.first = c->next;
		conn_free(c);
	}
	while (port.nconns)
		conn_free(port.conn[--port.nconns]);
	port.waiting = port.waiting_bytes = port.bytes = 0;
	if (port.fd >= 0)
		close(port.fd);
	port.fd = -1;
}

void reports_configure(const struct reports_settings *settings)
{
	bool same = port.fd >= 0 && port.settings.port == settings->port &&
		    port.settings.user == settings->user &&
		    !strcmp(port.settings.munge, settings->munge);

	reports_use(settings->interval);
	if (!same)
		end();
	port.settings = *settings;
	if (!same && settings->port)
		begin();
}

void reports_stop(void)
{
	end();
	port.settings.port = 0;
	reports_forget();
}

bool reports_on(void)
{
	return port.settings.port;
}

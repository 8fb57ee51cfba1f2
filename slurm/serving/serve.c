/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * serve.c - the query socket: its thread, and where it listens
 */
#include "slurm/base/compat.h"

#include <errno.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "slurm/state/bridge.h"
#include "slurm/serving/answerer.h"
#include "slurm/serving/conns.h"
#include "slurm/base/listener.h"
#include "slurm/base/scheduler.h"
#include "slurm/serving/serve.h"
#include "slurm/base/clock.h"

/*
 * The listener is left alone for so long (microseconds) after it gave more than there is room
 * for, or connections of a user who has used up his requests.
 */
#define REST_US 20000
/* Between two tries to open the listener; and the longest sleep, in ms. */
#define RETRY_US 10000000
#define SLEEP_MS 1000
/* While slurmctld starts: a user who has just submitted a job wants an answer, too. */
#define START_MS 10

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

/* What is turned away waits for nothing: what comes behind is not to wait for it either. */
static void accept_some(void)
{
	int opened = 0, away = 0;

	while (opened < CONNS_PER_USER && away < LISTENER_BACKLOG) {
		int fd = accept4(serve.listener.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		int64_t now = clock_us();

		if (fd >= 0) {
			enum conns_room room = conns_open(fd, now);

			opened += room != CONNS_AWAY;
			away += room == CONNS_AWAY;
			if (room != CONNS_OPENED)
				serve.listen_after = now + REST_US;
			continue;
		}
		/* Out of descriptors, say: no reason to try all the time. */
		if (errno != EAGAIN && errno != EINTR)
			serve.listen_after = now + REST_US;
		return;
	}
}

static void give_answers(void)
{
	struct exchange *exchange;
	uint64_t count;

	if (read(shared.wake, &count, sizeof(count)) < 0)
		debug3("%s: socket: nobody has called", scheduler_type());
	while ((exchange = answerer_take())) {
		conns_answer(exchange);
		exchange_destroy(exchange);
	}
}

/* A backup controller on standby does not serve, nor does one that ends. */
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
	conns_configure(serve.settings.rate, serve.settings.timeout_us);
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

static void round_trip(void)
{
	struct pollfd fds[CONNS + 2] = { { .fd = shared.wake, .events = POLLIN } };
	int64_t now = clock_us();
	int ms = about_to_listen(now) ? START_MS : SLEEP_MS;

	fds[1].fd = now >= serve.listen_after ? serve.listener.fd : -1;
	fds[1].events = POLLIN;
	if (serve.listener.fd >= 0 && now < serve.listen_after)
		conns_sooner(now, serve.listen_after, &ms);
	conns_await(fds + 2, now, &ms);
	if (poll(fds, CONNS + 2, ms) < 0)
		return;
	conns_serve(fds + 2, clock_us());
	if (fds[0].revents)
		give_answers();
	if (fds[1].fd >= 0 && fds[1].revents)
		accept_some();
}

static void *loop(void *arg)
{
	(void)arg;
	conns_begin(serve.settings.rate, serve.settings.timeout_us);
	while (!stopping) {
		if (new_settings())
			take_settings();
		listen_again(clock_us());
		round_trip();
	}
	listener_close(&serve.listener);
	conns_end();
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

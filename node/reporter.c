/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reporter: see reporter.h. */
#include "node/reporter.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "node/log.h"
#include "node/report/sealed.h"

#define PORT "6827"
#define CONNECT 5000 /* milliseconds */
#define EXCHANGE 10000
#define STACK (256 * 1024)

struct reporter {
	struct reporter_options o;
	pthread_mutex_t lock;
	pthread_cond_t work;
	char *report, *answer;
	bool away;
	char state[256];
};

/* HOST, HOST:PORT, [ADDRESS]:PORT. False: it does not fit. */
static bool split(const char *from, char *host, size_t size, const char **port)
{
	const char *end = strrchr(from, ':');
	size_t len;

	if (from[0] == '[') {
		const char *close = strchr(++from, ']');

		len = close ? (size_t)(close - from) : strlen(from);
		*port = close && close[1] == ':' ? close + 2 : PORT;
	} else {
		bool one = end && strchr(from, ':') == end; /* else an address of IPv6 */

		len = one ? (size_t)(end - from) : strlen(from);
		*port = one ? end + 1 : PORT;
	}
	if (len >= size)
		return false;
	memcpy(host, from, len);
	host[len] = '\0';
	return true;
}

/* A connected socket, or -1 and errno. */
static int connect_to(const struct addrinfo *a)
{
	int fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), err = 0;
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	socklen_t len = sizeof(err);

	if (fd < 0)
		return -1;
	if (!connect(fd, a->ai_addr, a->ai_addrlen))
		return fd;
	err = errno;
	if (err == EINPROGRESS) {
		if (poll(&p, 1, CONNECT) <= 0)
			err = ETIMEDOUT;
		else
			getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len);
	}
	if (!err)
		return fd;
	close(fd);
	errno = err;
	return -1;
}

static int dial(const char *controller, char *why, size_t size)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *list;
	char host[256];
	const char *port;
	int rc, fd = -1;

	if (!split(controller, host, sizeof(host), &port)) {
		snprintf(why, size, "the name is too long");
		return -1;
	}
	rc = getaddrinfo(host, port, &hints, &list);
	if (rc) {
		snprintf(why, size, "%s", gai_strerror(rc));
		return -1;
	}
	for (const struct addrinfo *a = list; a && fd < 0; a = a->ai_next)
		fd = connect_to(a);
	if (fd < 0)
		snprintf(why, size, "%s", strerror(errno));
	freeaddrinfo(list);
	return fd;
}

/* One report and its answer; NULL: see why. */
static char *exchange(const struct reporter *r, const char *controller, const char *report,
		      char *why, size_t size)
{
	int fd = dial(controller, why, size);
	char *answer = NULL;
	size_t len;

	if (fd < 0)
		return NULL;
	if (sealed_write(fd, report, strlen(report), r->o.munge, EXCHANGE, why, size) == SEALED_OK)
		sealed_read(fd, r->o.slurm_user, r->o.munge, EXCHANGE, &answer, &len, why, size);
	close(fd);
	return answer;
}

static void note(struct reporter *r, const char *to, const char *why)
{
	if (to && r->away)
		log_line(LOG_SAID, "controller %s answers again", to);
	else if (!to && (!r->away || strcmp(r->state, why)))
		log_line(LOG_BAD, "no controller takes reports, jobs keep their terms: %s", why);
	pthread_mutex_lock(&r->lock);
	r->away = !to;
	snprintf(r->state, sizeof(r->state), "%s", to ? to : why);
	pthread_mutex_unlock(&r->lock);
}

static char *send_report(struct reporter *r, const char *report)
{
	char why[200], all[240];

	for (size_t i = 0; i < r->o.n; i++) {
		char *answer = exchange(r, r->o.controller[i], report, why, sizeof(why));

		if (answer) {
			note(r, r->o.controller[i], NULL);
			return answer;
		}
		snprintf(all, sizeof(all), "%.60s: %.170s", r->o.controller[i], why);
	}
	note(r, NULL, all);
	return NULL;
}

static void *work(void *arg)
{
	struct reporter *r = arg;
	uint64_t one = 1;

	pthread_mutex_lock(&r->lock);
	for (;;) {
		char *report = r->report, *answer;

		if (!report) {
			pthread_cond_wait(&r->work, &r->lock);
			continue;
		}
		r->report = NULL;
		pthread_mutex_unlock(&r->lock);
		answer = send_report(r, report);
		free(report);
		pthread_mutex_lock(&r->lock);
		if (!answer)
			continue;
		free(r->answer); /* the later one is about a later report */
		r->answer = answer;
		if (write(r->o.wake, &one, sizeof(one)) != sizeof(one))
			log_line(LOG_TOLD, "a wake-up call is lost, the next one counts");
	}
	return NULL;
}

struct reporter *reporter_start(const struct reporter_options *o)
{
	struct reporter *r = o->n ? calloc(1, sizeof(*r)) : NULL;
	pthread_attr_t attr;
	sigset_t all, old;
	pthread_t thread;
	int rc;

	if (!r)
		return NULL;
	r->o = *o;
	snprintf(r->state, sizeof(r->state), "nothing was reported yet");
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->work, NULL);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rc = pthread_create(&thread, &attr, work, r);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	if (!rc)
		return r;
	free(r);
	return NULL;
}

void reporter_send(struct reporter *r, char *text)
{
	if (!r || !text) {
		free(text);
		return;
	}
	pthread_mutex_lock(&r->lock);
	free(r->report);
	r->report = text;
	pthread_cond_signal(&r->work);
	pthread_mutex_unlock(&r->lock);
}

char *reporter_answer(struct reporter *r)
{
	char *answer;

	if (!r)
		return NULL;
	pthread_mutex_lock(&r->lock);
	answer = r->answer;
	r->answer = NULL;
	pthread_mutex_unlock(&r->lock);
	return answer;
}

void reporter_state(struct reporter *r, char *text, size_t size)
{
	if (!r) {
		snprintf(text, size, "no controller is given");
		return;
	}
	pthread_mutex_lock(&r->lock);
	snprintf(text, size, "%s%s", r->away ? "away: " : "", r->state);
	pthread_mutex_unlock(&r->lock);
}

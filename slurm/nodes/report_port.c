/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_port.c - the port on which nodes' daemons report
 *
 * Several threads accept on one socket, each of them from a connection's first byte to its answer: one that
 * stalls costs one of them, for seconds, and no other node waits for it but in the socket's backlog.
 */
#include "slurm/base/compat.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include "node/report/sealed.h"
#include "slurm/base/scheduler.h"
#include "slurm/nodes/reports.h"
#include "slurm/nodes/reports_own.h"

#define THREADS 4
#define BACKLOG 4096
/* Milliseconds for a report, and for its answer. */
#define PATIENCE 2000
/* How often a thread looks whether it is to end. */
#define LOOK 200

static struct {
	pthread_t thread[THREADS];
	int n; /* that run */
	int fd;
	struct reports_settings settings;
	_Atomic bool stopping;
	_Atomic int64_t complained; /* when a refusal was logged last */
} port = { .fd = -1 };

/* A sender that is refused again and again is told once a minute. */
static void complain(const char *why)
{
	int64_t now = time(NULL);

	if (now < port.complained + 60 && now >= port.complained)
		return;
	port.complained = now;
	error("%s: a node's report is refused: %s", scheduler_type(), why);
}

static void serve(int fd)
{
	char why[256] = "", *text = NULL, *answer = NULL;
	size_t len;
	enum sealed rc = sealed_read(fd, port.settings.user, port.settings.munge, PATIENCE, &text,
				     &len, why, sizeof(why));

	if (rc == SEALED_OK)
		answer = reports_answer(text, len, why, sizeof(why));
	if (answer)
		(void)sealed_write(fd, answer, strlen(answer), port.settings.munge, PATIENCE, why,
				   sizeof(why));
	else if (rc != SEALED_CLOSED)
		complain(why[0] ? why : rc == SEALED_TIMEOUT ? "it stalls" : "it is none");
	free(text);
	free(answer);
}

static void *listen_on(void *arg)
{
	(void)arg;
	while (!port.stopping) {
		struct pollfd ready = { .fd = port.fd, .events = POLLIN };
		int fd;

		if (poll(&ready, 1, LOOK) <= 0)
			continue;
		fd = accept4(port.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd < 0) {
			/* another thread has taken it; or descriptors are short, which lasts */
			if (errno != EAGAIN && errno != EINTR)
				usleep(LOOK * 1000);
			continue;
		}
		serve(fd);
		close(fd);
	}
	return NULL;
}

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
	port.fd = open_port(port.settings.port);
	while (port.fd >= 0 && port.n < THREADS &&
	       !pthread_create(&port.thread[port.n], NULL, listen_on, NULL))
		port.n++;
}

static void end(void)
{
	port.stopping = true;
	while (port.n > 0)
		pthread_join(port.thread[--port.n], NULL);
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pactd: shares of a node's processors by deadline. See pactd(8). */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "node/daemon.h"
#include "node/local.h"
#include "node/log.h"
#include "node/options.h"
#include "node/status.h"

#define WHY 600

static int ask_status(const struct options *o)
{
	char why[WHY], *line = local_ask(o->dir, "status", why, sizeof(why));
	bool shown = line;

	if (!line)
		fprintf(stderr, "pactd: %s\n", why);
	else if (o->json)
		fputs(line, stdout);
	else
		shown = status_show(line, stdout);
	free(line);
	return shown ? 0 : 3;
}

static int fail(const char *why)
{
	log_line(LOG_BAD, "%s", why);
	return 1;
}

/* The signals that end it, to be read. */
static int take_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void take_answer(struct daemon *d, int wake)
{
	uint64_t n;
	char *text;

	if (read(wake, &n, sizeof(n)) != sizeof(n))
		return;
	text = reporter_answer(d->reporter);
	if (text)
		daemon_answer(d, text);
	free(text);
}

static void serve(struct daemon *d, struct local *local, int signals, int wake)
{
	struct pollfd p[LOCAL_POLLS + 2];
	size_t n;

	for (;;) {
		int timeout = daemon_turn(d);

		p[0] = (struct pollfd){ .fd = signals, .events = POLLIN };
		p[1] = (struct pollfd){ .fd = wake, .events = POLLIN };
		n = local_polls(local, p + 2);
		if (poll(p, n + 2, timeout) < 0 && errno != EINTR)
			log_line(LOG_BAD, "poll: %s", strerror(errno));
		if (p[0].revents)
			return;
		if (p[1].revents)
			take_answer(d, wake);
		local_turn(local, p + 2, n, daemon_clock() / 1000, daemon_ask, d);
	}
}

int main(int argc, char **argv)
{
	struct options o;
	struct daemon d;
	struct local *local;
	enum options_result parsed = options_read(&o, argc, argv);
	int signals, wake;
	char why[WHY];

	if (parsed != OPTIONS_OK)
		return parsed == OPTIONS_DONE ? 0 : 2;
	if (o.status)
		return ask_status(&o);
	if (!kept_make(o.dir, why, sizeof(why)) || !(local = local_open(o.dir, why, sizeof(why))))
		return fail(why);
	if (!o.foreground && daemon(0, 0))
		return fail(strerror(errno));
	log_open(o.foreground, o.verbose);
	signals = take_signals();
	wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (signals < 0 || wake < 0 || !daemon_open(&d, &o, "/proc", why, sizeof(why)))
		return fail(signals < 0 || wake < 0 ? strerror(errno) : why);
	d.reporter = reporter_start(&(struct reporter_options){
		.controller = o.controller,
		.n = o.controllers,
		.slurm_user = o.slurm_user,
		.munge = o.munge,
		.wake = wake,
	});
	log_line(LOG_SAID, "pactd %s: node %s, cgroups %s, %zu jobs", PACT_VERSION, o.node,
		 d.cgroup.ops ? d.cgroup.ops->name : "none", d.parts.n);
	serve(&d, local, signals, wake);
	daemon_close(&d);
	local_close(local);
	log_line(LOG_SAID, "ends; groups and weights stay as they are");
	fflush(NULL);
	_exit(0); /* the reporter's thread may be waiting for the network */
}

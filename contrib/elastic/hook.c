/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hook: a program of the user's is called with what is wanted, and its exit code is the answer
 *
 *	PROGRAM nodes NODE...	the job's nodes are these now
 *	PROGRAM leave NODE...	these are wanted back: 0, they may go; 75 or anything else: not now
 *
 * PACT_WISH_SERIAL, PACT_WISH_WIDTH and PACT_WISH_BY are the wish's. One call is made at a time. When the time is over the nodes are
 * taken: a hook that has not answered then is ended by TERM, and one that goes on by KILL. So is one that hears of its nodes
 * for a whole notice: nothing that is wanted is seen meanwhile.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "contrib/elastic/elastic.h"

#define NOT_NOW 75 /* EX_TEMPFAIL */

struct hook {
	pid_t pid; /* 0: none runs */
	int status;
};

static bool hook_begin(struct elastic *e)
{
	e->own = calloc(1, sizeof(struct hook));
	return e->own;
}

static void hook_ended(struct elastic *e, pid_t pid, int status)
{
	struct hook *h = e->own;

	if (pid != h->pid)
		return;
	h->pid = 0;
	h->status = status;
}

/* Wait for its end, until then by elastic_clock(), or the signal that ends us: then TERM tells it, and KILL. */
static void wait_for(struct elastic *e, int64_t until)
{
	struct hook *h = e->own;
	int64_t kill_at = 0;

	while (h->pid) {
		int64_t now = elastic_clock();

		if (!kill_at && (e->signal || now >= until)) {
			kill(h->pid, SIGTERM);
			kill_at = now + STOP_TIME;
		} else if (kill_at && now >= kill_at) {
			kill(h->pid, SIGKILL);
		}
		elastic_wait(e, 1000);
	}
}

/* Call it. RET its exit code, 128 and the signal's number, -1: it could not be started */
static int call(struct elastic *e, const char *word, const char *const *names, int64_t until)
{
	struct hook *h = e->own;
	const char **argv;
	size_t n = 0;

	while (names[n])
		n++;
	argv = calloc(n + 3, sizeof(*argv));
	if (!argv)
		return -1;
	argv[0] = e->options->hook;
	argv[1] = word;
	for (size_t i = 0; i < n; i++)
		argv[i + 2] = names[i];
	h->pid = elastic_spawn(argv, NULL);
	free(argv);
	if (h->pid < 0) {
		h->pid = 0;
		return -1;
	}
	wait_for(e, until);
	return WIFEXITED(h->status) ? WEXITSTATUS(h->status) : 128 + WTERMSIG(h->status);
}

static void hook_nodes(struct elastic *e, const char *const *nodes)
{
	int64_t notice = e->options->notice ? e->options->notice : NOTICE;
	int code = call(e, "nodes", nodes, elastic_clock() + notice * 1000);

	if (code)
		elastic_error("%s nodes: exit code %d", e->options->hook, code);
}

static void set_number(const char *name, int64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)value);
	setenv(name, text, 1);
}

static enum answer hook_leave(struct elastic *e, const struct pact_malleable_wish *wish)
{
	int code;

	set_number("PACT_WISH_SERIAL", wish->serial);
	set_number("PACT_WISH_WIDTH", wish->width);
	set_number("PACT_WISH_BY", wish->by);
	code = call(e, "leave", wish->leaves, elastic_until(wish->by + 1));
	if (e->signal)
		return ANSWER_NONE;
	if (code && code != NOT_NOW)
		elastic_error("%s leave: exit code %d", e->options->hook, code);
	return code ? ANSWER_NOT_NOW : ANSWER_GIVE;
}

const struct way hook_way = {
	.begin = hook_begin,
	.nodes = hook_nodes,
	.leave = hook_leave,
	.ended = hook_ended,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table41: a program of a job that can have more or fewer nodes, over libpact-malleable. It does so much work, as fast as
 * Table 4.1 of malleable says for as many nodes as have a live worker, and ends when it is done.
 *
 *	table41 RUNTIME LEAST NOTICE	in the batch script: work that takes so many ms on LEAST nodes
 *	table41 --worker HOST PORT	what it starts on each node
 *
 * The work is the workers': each counts what it has done, at the rate that it was told last, and says so when it is asked. What one has not said
 * when it ends, or is killed, was not done. The other one adds up, tells all of them their rate when there are more or
 * fewer of them, and asks when all should be done. So no worker wakes up unless something changes: 64 of them fit on one processor.
 *
 * Lines on the standard output, each with the milliseconds since the epoch before it: "live N", workers at work from now on;
 * "wish SERIAL BY", "gave NODES", "refused", "done", with the work. testsuite/replay/compare-malleable reads them.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/pact-malleable.h"
#include "common/number.h"
#include "sim/workload/curve.h"

#define MOST_NODES 1024
#define MOST_NAME 256
/* Milliseconds in which workers that come are counted together, and between questions whether all is done. */
#define GATHER 200
#define ASK 50
/* Milliseconds that steps have to end when all is done. */
#define END_TIME 20000

extern char **environ;

/* On this clock, which the cluster's daemons have, too. */
static int64_t now_us(void)
{
	struct timeval t;

	gettimeofday(&t, NULL);
	return (int64_t)t.tv_sec * 1000000 + t.tv_usec;
}

static int64_t now(void)
{
	return now_us() / 1000;
}

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void say(const char *format, ...)
{
	va_list args;

	printf("%" PRId64 " ", now());
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
}

static int fail(const char *what)
{
	fprintf(stderr, "table41: %s: %s\n", what, strerror(errno));
	return 1;
}

/* ---- on each node ---- */

static int connect_to(const char *host, const char *port)
{
	struct addrinfo hints = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM }, *list;
	int fd = -1;

	if (getaddrinfo(host, port, &hints, &list))
		return -1;
	for (struct addrinfo *a = list; a && fd < 0; a = a->ai_next) {
		fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, 0);
		if (fd >= 0 && connect(fd, a->ai_addr, a->ai_addrlen)) {
			close(fd);
			fd = -1;
		}
	}
	freeaddrinfo(list);
	return fd;
}

/* "rate N": millionths of one node's work in a unit of time, from now on; what was done is told. "stop": and no more. */
static int work(const char *host, const char *port)
{
	const char *node = getenv("SLURMD_NODENAME");
	int64_t rate = 0, since = 0, at;
	int fd = connect_to(host, port);
	char line[64];
	bool more;
	FILE *in;

	in = fd < 0 ? NULL : fdopen(fd, "r");
	if (!in)
		return fail(host);
	dprintf(fd, "node %s\n", node ? node : "");
	do {
		if (!fgets(line, sizeof(line), in))
			return 1;
		at = now_us();
		/* of rate x milliseconds */
		dprintf(fd, "done %" PRId64 "\n", rate * (at - since) / 1000);
		more = sscanf(line, "rate %" SCNd64, &rate) == 1;
		since = at;
	} while (more);
	fclose(in);
	return 0;
}

/* ---- in the batch script ---- */

struct node {
	char name[MOST_NAME];
	bool mine;    /* the job has it */
	bool leaves;  /* and is to give it back */
	pid_t launch; /* the srun that is to start a worker there, or has; 0: none */
};

struct link {
	int fd;
	struct node *node; /* NULL: it has not said which */
	bool owes;	   /* it was asked what it has done */
	bool told;	   /* it has a rate */
	char in[MOST_NAME + 16];
	size_t n;
};

struct job {
	struct pact_malleable *slurm;
	char port[16], host[MOST_NAME];
	const char *program;
	struct node node[MOST_NODES];
	size_t nodes;
	struct link link[MOST_NODES];
	size_t links;
	int listener;
	int64_t notice;
	int64_t work, done; /* millionths x milliseconds */
	size_t live;	    /* workers that have a rate */
	int64_t rate, told; /* theirs, and since when, or 0 */
	int64_t gather;	    /* when all are to be told anew, or 0 */
	int64_t look;	    /* when Slurm is asked */
	int64_t serial;	    /* of the wish that was told last */
};

static struct node *find(struct job *j, const char *name)
{
	for (size_t i = 0; i < j->nodes; i++)
		if (!strcmp(j->node[i].name, name))
			return &j->node[i];
	return NULL;
}

static struct link *link_of(struct job *j, const struct node *node)
{
	for (size_t i = 0; i < j->links; i++)
		if (j->link[i].node == node)
			return &j->link[i];
	return NULL;
}

static void soon(int64_t *at, int64_t after)
{
	int64_t then = now() + after;

	if (!*at || *at > then)
		*at = then;
}

/* Ask all of them what they have done; the rate is that of as many as there are. */
static void tell_rate(struct job *j)
{
	size_t live = 0;

	for (size_t i = 0; i < j->links; i++)
		live += j->link[i].node && !j->link[i].node->leaves;
	j->rate = live ? speedup_rate(&curve_table41, (int32_t)live) / (int64_t)live : 0;
	for (size_t i = 0; i < j->links; i++) {
		struct link *l = &j->link[i];

		if (!l->node || l->node->leaves)
			continue;
		l->owes = true;
		l->told = true;
		dprintf(l->fd, "rate %" PRId64 "\n", j->rate);
	}
	if (live != j->live)
		say("live %zu", live);
	j->live = live;
	j->told = now();
	j->gather = 0;
}

static bool any_owes(const struct job *j)
{
	for (size_t i = 0; i < j->links; i++)
		if (j->link[i].owes)
			return true;
	return false;
}

/* When they should all be done, as far as they have said; while one has not said, later. */
static int64_t done_at(const struct job *j)
{
	int64_t speed = j->rate * (int64_t)j->live;

	if (!speed || any_owes(j))
		return INT64_MAX;
	return j->told + (j->work - j->done + speed - 1) / speed;
}

static void drop(struct job *j, struct link *l)
{
	if (l->node)
		l->node->launch = 0;
	if (l->told && !l->node->leaves)
		soon(&j->gather, 0);
	close(l->fd);
	*l = j->link[--j->links];
}

/* A worker on a node that is to go has nothing to do: what it has done it still says. */
static void stop(struct link *l)
{
	l->owes = true;
	dprintf(l->fd, "stop\n");
}

static void take_line(struct job *j, struct link *l, char *line)
{
	int64_t done;

	if (!strncmp(line, "node ", 5)) {
		l->node = find(j, line + 5);
		if (l->node && l->node->leaves)
			stop(l);
		else if (l->node)
			soon(&j->gather, GATHER);
	} else if (sscanf(line, "done %" SCNd64, &done) == 1) {
		j->done += done;
		l->owes = false;
	}
}

/* False: it is gone. */
static bool hear(struct job *j, struct link *l)
{
	ssize_t got = read(l->fd, l->in + l->n, sizeof(l->in) - l->n);
	char *end;

	if (got <= 0)
		return got < 0 && errno == EINTR;
	l->n += (size_t)got;
	while ((end = memchr(l->in, '\n', l->n))) {
		*end = '\0';
		take_line(j, l, l->in);
		l->n -= (size_t)(end + 1 - l->in);
		memmove(l->in, end + 1, l->n);
	}
	return l->n < sizeof(l->in);
}

static void welcome(struct job *j)
{
	int fd = accept4(j->listener, NULL, NULL, SOCK_CLOEXEC);

	if (fd < 0)
		return;
	if (j->links == MOST_NODES) {
		close(fd);
		return;
	}
	j->link[j->links++] = (struct link){ .fd = fd };
}

/*
 * A step for each node that has no worker: what inner nodes of a wider one's tree have given back is not clean until the nodes
 * below them in it are done, or a minute is over (doc/slurm.md).
 */
static void launch(struct job *j)
{
	char where[MOST_NAME + 16];
	char *argv[] = { "srun",     "--overlap", "-Q",	   where, "-N1", "-n1", (char *)j->program,
			 "--worker", j->host,	  j->port, NULL };

	for (size_t i = 0; i < j->nodes; i++) {
		struct node *n = &j->node[i];

		if (!n->mine || n->launch || n->leaves)
			continue;
		snprintf(where, sizeof(where), "--nodelist=%s", n->name);
		if (posix_spawnp(&n->launch, argv[0], NULL, NULL, argv, environ))
			n->launch = 0;
	}
}

/* Nodes of a step that has ended without a worker are tried again at the next look. */
static void reap(struct job *j)
{
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		for (size_t i = 0; i < j->nodes; i++)
			if (j->node[i].launch == pid)
				j->node[i].launch = 0;
}

static void note_nodes(struct job *j)
{
	const char *const *names = pact_malleable_nodes(j->slurm);

	for (size_t i = 0; i < j->nodes; i++)
		j->node[i].mine = false;
	for (; *names; names++) {
		struct node *n = find(j, *names);

		if (!n && j->nodes < MOST_NODES) {
			n = &j->node[j->nodes++];
			snprintf(n->name, sizeof(n->name), "%s", *names);
		}
		if (n)
			n->mine = true;
	}
	for (size_t i = 0; i < j->nodes; i++)
		if (!j->node[i].mine)
			j->node[i].launch = 0;
}

/* Those that leave, of all; true: on none of them a worker is, or will be. */
static bool leave(struct job *j, const struct pact_malleable_wish *wish)
{
	bool empty = true, told = false;

	for (size_t i = 0; i < j->nodes; i++) {
		struct node *n = &j->node[i];
		struct link *l = link_of(j, n);
		bool leaves = false;

		for (const char *const *x = wish->leaves; *x && !leaves; x++)
			leaves = !strcmp(*x, n->name);
		if (leaves && !n->leaves && l) {
			stop(l);
			told = true;
		}
		n->leaves = leaves;
		empty &= !leaves || (!l && !n->launch);
	}
	if (told)
		tell_rate(j);
	return empty;
}

static void stay(struct job *j)
{
	for (size_t i = 0; i < j->nodes; i++)
		j->node[i].leaves = false;
}

/* What is wanted back: the workers end, and then, or when a fifth of the notice is left, the nodes are given back. */
static void meet(struct job *j)
{
	const struct pact_malleable_wish *wish = pact_malleable_wanted(j->slurm);
	const char *batch = pact_malleable_batch_node(j->slurm);
	bool ours = false;

	if (!wish) {
		stay(j);
		return;
	}
	if (wish->serial != j->serial)
		say("wish %" PRId64 " %" PRId64, wish->serial, wish->by);
	j->serial = wish->serial;
	for (const char *const *x = wish->leaves; *x; x++)
		ours |= batch && !strcmp(*x, batch);
	if (ours) {
		stay(j);
		if (!pact_malleable_refuse(j->slurm))
			say("refused");
	} else if (leave(j, wish) || now() / 1000 >= wish->by - j->notice / 5) {
		if (!pact_malleable_give(j->slurm, wish->leave))
			say("gave %s", wish->leave);
		j->look = 0;
	}
}

/* False: the job is gone. */
static bool look(struct job *j)
{
	int rc = pact_malleable_look(j->slurm);

	j->look = now() + 1000 * pact_malleable_pause(j->slurm);
	if (rc == PACT_MALLEABLE_GONE)
		return false;
	if (rc)
		return true;
	note_nodes(j);
	meet(j);
	launch(j);
	return true;
}

/* A wish is met as soon as its workers have ended, and not only at the next look. */
static bool leaving_is_over(struct job *j)
{
	bool any = false;

	for (size_t i = 0; i < j->nodes; i++) {
		struct node *n = &j->node[i];

		if (n->mine && n->leaves && (n->launch || link_of(j, n)))
			return false;
		any |= n->mine && n->leaves;
	}
	return any;
}

static void listen_for(struct job *j, int64_t until)
{
	static struct pollfd p[MOST_NODES + 1];
	int64_t wait = until - now();
	size_t n = j->links;

	for (size_t i = 0; i < n; i++)
		p[i] = (struct pollfd){ .fd = j->link[i].fd, .events = POLLIN };
	p[n] = (struct pollfd){ .fd = j->listener, .events = POLLIN };
	if (poll(p, n + 1, wait < 0 ? 0 : wait > 60000 ? 60000 : (int)wait) <= 0)
		return;
	/* From behind: one that goes is replaced by the last. */
	for (size_t i = n; i-- > 0;)
		if (p[i].revents && !hear(j, &j->link[i]))
			drop(j, &j->link[i]);
	if (p[n].revents)
		welcome(j);
}

static int64_t earlier(int64_t a, int64_t b)
{
	return b && b < a ? b : a;
}

/* True: all is done. */
static bool run(struct job *j)
{
	bool waits = false;

	while (j->done < j->work) {
		int64_t end = done_at(j);

		if (now() >= j->look && !look(j))
			return false;
		if ((j->gather && now() >= j->gather) || now() >= end)
			tell_rate(j);
		/* Those that were just asked answer at once, so that this is no busy loop. */
		listen_for(j, earlier(earlier(j->look, done_at(j) == INT64_MAX ? 0 : done_at(j)),
				      j->gather));
		reap(j);
		if (leaving_is_over(j) && !waits)
			j->look = 0;
		waits = leaving_is_over(j);
	}
	return true;
}

/* All end, and their steps with them. */
static void finish(struct job *j)
{
	int64_t end = now() + END_TIME;

	for (size_t i = 0; i < j->links; i++)
		stop(&j->link[i]);
	while (j->links && now() < end) {
		listen_for(j, end);
	}
	while (waitpid(-1, NULL, WNOHANG) >= 0 && now() < end)
		poll(NULL, 0, ASK);
}

static int serve(struct job *j)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	socklen_t size = sizeof(at);

	j->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (j->listener < 0 || bind(j->listener, (struct sockaddr *)&at, size) ||
	    listen(j->listener, MOST_NODES) ||
	    getsockname(j->listener, (struct sockaddr *)&at, &size) ||
	    gethostname(j->host, sizeof(j->host)))
		return fail("a socket");
	snprintf(j->port, sizeof(j->port), "%d", ntohs(at.sin_port));
	return 0;
}

static int master(const char *program, int64_t runtime, int64_t least, int64_t notice)
{
	static struct job job;

	job.program = program;
	job.notice = notice;
	job.work = runtime * speedup_rate(&curve_table41, (int32_t)least);
	job.slurm = pact_malleable_open(0, notice);
	if (!job.slurm)
		return fail("no job");
	signal(SIGPIPE, SIG_IGN);
	if (serve(&job))
		return 1;
	if (!run(&job)) {
		fprintf(stderr, "table41: %s\n", pact_malleable_error(job.slurm));
		return 1;
	}
	say("done %" PRId64 " of %" PRId64, job.done, job.work);
	finish(&job);
	pact_malleable_close(job.slurm);
	return 0;
}

int main(int argc, char **argv)
{
	int64_t runtime, least, notice;

	if (argc == 4 && !strcmp(argv[1], "--worker"))
		return work(argv[2], argv[3]);
	if (argc != 4 || !number_int(argv[1], &runtime) || !number_int(argv[2], &least) ||
	    !number_int(argv[3], &notice) || runtime < 1 || runtime > 1000000000 || least < 1 ||
	    least > MOST_NODES || notice < 1) {
		fprintf(stderr, "usage: table41 RUNTIME LEAST NOTICE\n");
		return 1;
	}
	return master(argv[0], runtime, least, notice);
}

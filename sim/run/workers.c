/* SPDX-License-Identifier: GPL-2.0-or-later */
/* workers: see workers.h. */
#include "sim/run/workers.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/sched.h"

#define TICK_MS 250
#define CHUNK 4096

struct worker {
	pid_t pid; /* 0: idle */
	size_t task;
	int fd;
	char *said;
	size_t length, room;
};

struct pool {
	const struct workers *w;
	struct worker *worker;
	struct pollfd *poll;
	const size_t *task;
	size_t count, next, busy;
};

/* The child: it ends with us, and takes signals as they come. */
static void become_worker(const struct pool *p, size_t task, int fd, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	_exit(p->w->work(p->w->arg, task, fd));
}

static int begin(struct pool *p, struct worker *worker)
{
	pid_t parent = getpid();
	int pipes[2];

	if (pipe(pipes) != 0)
		return PACT_ENOMEM;
	worker->task = p->task[p->next];
	worker->pid = fork();
	if (worker->pid < 0) {
		worker->pid = 0;
		close(pipes[0]);
		close(pipes[1]);
		return PACT_ENOMEM;
	}
	if (worker->pid == 0)
		become_worker(p, worker->task, pipes[1], parent);
	close(pipes[1]);
	worker->fd = pipes[0];
	worker->length = 0;
	p->next++;
	p->busy++;
	return PACT_OK;
}

static int wait_for(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/* Its end of the pipe is closed: it has ended, or is about to. */
static int finish(struct pool *p, struct worker *worker)
{
	int code;

	close(worker->fd);
	code = wait_for(worker->pid);
	worker->pid = 0;
	p->busy--;
	worker->said[worker->length] = '\0';
	return p->w->done(p->w->arg, worker->task, worker->said, worker->length, code);
}

static bool make_room(struct worker *worker)
{
	size_t room = worker->length + CHUNK + 1;
	char *grown;

	if (room <= worker->room)
		return true;
	grown = realloc(worker->said, room);
	if (!grown)
		return false;
	worker->said = grown;
	worker->room = room;
	return true;
}

static int hear(struct pool *p, struct worker *worker)
{
	ssize_t n;

	if (!make_room(worker))
		return PACT_ENOMEM;
	n = read(worker->fd, worker->said + worker->length, CHUNK);
	if (n < 0 && errno == EINTR)
		return PACT_OK;
	if (n > 0) {
		worker->length += (size_t)n;
		return PACT_OK;
	}
	return finish(p, worker);
}

/* One round: begin what there is room for, then wait for news. */
static int turn(struct pool *p)
{
	int err = PACT_OK;

	for (size_t i = 0; i < p->w->processes && p->next < p->count && !err; i++)
		if (!p->worker[i].pid)
			err = begin(p, &p->worker[i]);
	/* No more processes to be had: go on with those that there are. */
	if (err && p->busy)
		err = PACT_OK;
	if (err)
		return err;
	for (size_t i = 0; i < p->w->processes; i++)
		p->poll[i] = (struct pollfd){ .fd = p->worker[i].pid ? p->worker[i].fd : -1,
					      .events = POLLIN };
	if (poll(p->poll, p->w->processes, TICK_MS) > 0)
		for (size_t i = 0; i < p->w->processes && !err; i++)
			if (p->worker[i].pid && p->poll[i].revents)
				err = hear(p, &p->worker[i]);
	if (!err && p->w->tick)
		err = p->w->tick(p->w->arg);
	return err;
}

static void end_all(struct pool *p)
{
	for (size_t i = 0; i < p->w->processes && p->worker; i++) {
		if (p->worker[i].pid) {
			kill(p->worker[i].pid, SIGKILL);
			wait_for(p->worker[i].pid);
			close(p->worker[i].fd);
		}
		free(p->worker[i].said);
	}
	free(p->worker);
	free(p->poll);
}

int workers_run(const struct workers *w, const size_t *task, size_t count)
{
	struct pool p = { .w = w, .task = task, .count = count };
	int err = PACT_OK;

	p.worker = calloc(w->processes, sizeof(*p.worker));
	p.poll = calloc(w->processes, sizeof(*p.poll));
	if (!p.worker || !p.poll)
		err = PACT_ENOMEM;
	while (!err && (p.next < p.count || p.busy))
		err = turn(&p);
	end_all(&p);
	return err;
}

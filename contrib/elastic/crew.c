/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crew: one command on each node of the job, a step each
 *
 * A step is signalled by slurmctld and not by its srun, which would kill it. Its name is ours alone. A command that ended
 * with 0 is done; one that failed is started again, at the next look, as often as --restarts says. What happens on a node that the job has
 * lost, or gives back, counts for nothing; if the job has the node still, or again, the command is started there anew. Nor is
 * it the command's failure when srun gets no step for it: SLURM_EXIT_ERROR tells that apart.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contrib/elastic/elastic.h"

/* Of the notice's rest, a part that is kept for KILL and for giving back. */
#define KEPT_PART 5

/* srun's exit code for what went wrong in Slurm, where it has no command's; and so many times in a row that is tried again. */
#define NO_STEP 225
#define NO_STEP_TIMES 20

#define TEXT(number) #number
#define ENTRY(name, number) name "=" TEXT(number)

extern char **environ;

struct member {
	char *node;
	pid_t pid; /* 0: nothing runs */
	int64_t restarts;
	int failed;	      /* exit code that is not judged yet: was the node taken? */
	unsigned int no_step; /* so many times in a row */
	bool mine;	      /* the job has the node */
	bool leaving;	      /* and gives it back */
	bool again; /* what runs there is ending, or has: if the node stays it is started anew then */
};

struct crew {
	struct member *members;
	size_t count;
	int status; /* the highest exit code so far */
	char name[40];
	char **environment;
	bool resized; /* so was the job at the look before: sruns tell that late */
};

/* What is of the job's beginning, and has srun refuse nodes that came later or miss those that went (doc/slurm.md). */
static bool is_stale(const char *entry)
{
	static const char *const names[] = {
		"SLURM_JOB_NODELIST=",	 "SLURM_NODELIST=",
		"SLURM_NNODES=",	 "SLURM_JOB_NUM_NODES=",
		"SLURM_NTASKS=",	 "SLURM_NPROCS=",
		"SLURM_TASKS_PER_NODE=", "SLURM_JOB_CPUS_PER_NODE=",
		"SLURM_EXIT_ERROR=",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(entry, names[i], strlen(names[i])))
			return true;
	return false;
}

static bool crew_begin(struct elastic *e)
{
	static char no_step[] = ENTRY("SLURM_EXIT_ERROR", NO_STEP);
	struct crew *c = calloc(1, sizeof(*c));
	size_t n = 0;

	if (!c)
		return false;
	e->own = c;
	snprintf(c->name, sizeof(c->name), "pact-elastic-%ld", (long)getpid());
	while (environ[n])
		n++;
	c->environment = calloc(n + 2, sizeof(*c->environment));
	if (!c->environment)
		return false;
	n = 0;
	for (char **entry = environ; *entry; entry++)
		if (!is_stale(*entry))
			c->environment[n++] = *entry;
	c->environment[n] = no_step;
	return true;
}

static void start(struct elastic *e, struct member *m)
{
	struct crew *c = e->own;
	const struct options *o = e->options;
	char id[40], node[512], name[64];
	const char *fixed[] = { "srun", id, name, "-w", node, "--overlap", "-N1", "-n1" };
	const size_t most = sizeof(fixed) / sizeof(fixed[0]);
	size_t words = 0, n = 0;
	const char **argv;

	while (o->command[words])
		words++;
	argv = calloc(most + SRUN_OPTIONS + words + 1, sizeof(*argv));
	if (!argv)
		return;
	snprintf(node, sizeof(node), "%s", m->node);
	snprintf(name, sizeof(name), "--job-name=%s", c->name);
	for (; n < most; n++)
		argv[n] = fixed[n];
	if (o->job)
		snprintf(id, sizeof(id), "--jobid=%u", o->job);
	else
		snprintf(id, sizeof(id), "--jobid=%s", getenv("SLURM_JOB_ID"));
	for (size_t i = 0; o->srun[i]; i++)
		argv[n++] = o->srun[i];
	for (size_t i = 0; i < words; i++)
		argv[n++] = o->command[i];
	m->pid = elastic_spawn(argv, c->environment);
	if (m->pid < 0) {
		m->pid = 0;
		c->status = EXIT_ELASTIC;
	}
	free(argv);
}

static struct member *add(struct crew *c, const char *node)
{
	struct member *more = realloc(c->members, (c->count + 1) * sizeof(*more));

	if (!more)
		return NULL;
	c->members = more;
	more[c->count] = (struct member){ .node = strdup(node), .mine = true };
	return more[c->count].node ? &more[c->count++] : NULL;
}

static struct member *find(struct crew *c, const char *node)
{
	for (size_t i = 0; i < c->count; i++)
		if (!strcmp(c->members[i].node, node))
			return &c->members[i];
	return NULL;
}

static void crew_nodes(struct elastic *e, const char *const *nodes)
{
	struct crew *c = e->own;

	for (size_t i = 0; i < c->count; i++)
		if (!elastic_has(nodes, c->members[i].node))
			c->members[i].mine = false;
	for (; *nodes; nodes++) {
		struct member *m = find(c, *nodes);
		bool comes = !m || !m->mine;

		if (!m)
			m = add(c, *nodes);
		if (!comes || !m)
			continue;
		/* A node that was ours before comes with nothing running, and its count of failures begins anew. */
		m->mine = true;
		m->leaving = false;
		m->restarts = 0;
		m->failed = 0;
		m->no_step = 0;
		m->again = m->pid != 0;
		if (!m->pid)
			start(e, m);
	}
}

static void crew_ended(struct elastic *e, pid_t pid, int status)
{
	struct crew *c = e->own;
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);

	for (size_t i = 0; i < c->count; i++) {
		struct member *m = &c->members[i];

		if (m->pid != pid)
			continue;
		m->pid = 0;
		if (m->mine && !m->leaving && !m->again && !e->signal)
			m->failed = code;
		return;
	}
}

/* Its command has failed, and the node is ours. lost: it may have failed for the node's sake. */
static void judge(struct elastic *e, struct member *m, int code, bool lost)
{
	struct crew *c = e->own;

	m->no_step = code == NO_STEP ? m->no_step + 1 : 0;
	if (lost) {
		elastic_tell(e, "%s: exit code %d as nodes went, started again", m->node, code);
		start(e, m);
	} else if (code == NO_STEP && m->no_step <= NO_STEP_TIMES) {
		elastic_tell(e, "%s: srun has no step there, tried again", m->node);
		start(e, m);
	} else if (code == NO_STEP) {
		elastic_error("%s: srun has no step there", m->node);
		c->status = EXIT_ELASTIC > c->status ? EXIT_ELASTIC : c->status;
	} else if (m->restarts < e->options->restarts) {
		m->restarts++;
		elastic_tell(e, "%s: exit code %d, started again", m->node, code);
		start(e, m);
	} else {
		elastic_tell(e, "%s: exit code %d", m->node, code);
		c->status = code > c->status ? code : c->status;
	}
}

/* It is not wanted back any more, and was not given back. */
static void stay(struct elastic *e, struct member *m)
{
	m->leaving = false;
	if (!m->again || m->pid)
		return;
	m->again = false;
	elastic_tell(e, "%s: stays, started again", m->node);
	start(e, m);
}

/* What a command's failure means is known when its node has been looked for: with a node its command goes first. */
static void crew_looked(struct elastic *e)
{
	const struct pact_malleable_wish *wish = pact_malleable_wanted(e->job);
	struct crew *c = e->own;
	bool resized = pact_malleable_resized(e->job);

	for (size_t i = 0; i < c->count; i++) {
		struct member *m = &c->members[i];
		int code = m->failed;

		m->failed = 0;
		if (!m->mine)
			continue;
		if (code)
			judge(e, m, code, resized || c->resized);
		else if (!wish || !elastic_has(wish->leaves, m->node))
			stay(e, m);
	}
	c->resized = resized;
}

/* Signal all that leave, and the sruns of those whose step is not there yet. */
static void signal_leaving(struct elastic *e, const char *nodes, int number)
{
	struct crew *c = e->own;
	unsigned int count;

	if (pact_malleable_signal(e->job, nodes, c->name, number, &count))
		elastic_error("signal %d to %s: %s", number, nodes ? nodes : "all",
			      pact_malleable_error(e->job));
	if (count)
		return;
	for (size_t i = 0; i < c->count; i++)
		if (c->members[i].leaving && c->members[i].pid)
			kill(c->members[i].pid, SIGTERM);
}

static bool any_leaving(const struct crew *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->members[i].leaving && c->members[i].pid)
			return true;
	return false;
}

/* TERM, and KILL at `kill`, to what leaves; until it has ended. False: a signal ended us first, or it is still there at `end`. */
static bool see_off(struct elastic *e, const char *nodes, int64_t kill_at, int64_t end,
		    bool stopping)
{
	struct crew *c = e->own;
	bool killed = false;

	signal_leaving(e, nodes, SIGTERM);
	while (any_leaving(c) && elastic_now() < end && (stopping || !e->signal)) {
		int64_t until = killed ? end : kill_at;

		if (!killed && elastic_now() >= kill_at) {
			signal_leaving(e, nodes, SIGKILL);
			killed = true;
			continue;
		}
		elastic_wait(e, until - elastic_now());
	}
	return !any_leaving(c);
}

static enum answer crew_leave(struct elastic *e, const struct pact_malleable_wish *wish)
{
	struct crew *c = e->own;
	int64_t left = wish->by - elastic_now();

	for (size_t i = 0; i < c->count; i++) {
		struct member *m = &c->members[i];

		m->leaving = elastic_has(wish->leaves, m->node);
		m->again |= m->leaving && m->pid;
	}
	if (left < 0)
		left = 0;
	see_off(e, wish->leave, wish->by - left / KEPT_PART, wish->by, false);
	/* What has not ended by now is killed by the giving back. */
	return e->signal ? ANSWER_NONE : ANSWER_GIVE;
}

/* Or will be, unless its node is given back. */
static bool is_at_work(const struct member *m)
{
	return m->mine && (m->pid || m->failed || (m->again && !m->leaving));
}

static bool crew_done(struct elastic *e, int *status)
{
	struct crew *c = e->own;

	for (size_t i = 0; i < c->count; i++)
		if (is_at_work(&c->members[i]))
			return false;
	*status = c->status;
	return true;
}

static void crew_stop(struct elastic *e)
{
	struct crew *c = e->own;
	int64_t now = elastic_now();

	for (size_t i = 0; i < c->count; i++)
		c->members[i].leaving = true;
	see_off(e, NULL, now + STOP_TIME, now + 2 * STOP_TIME, true);
}

static void crew_forget(struct elastic *e)
{
	struct crew *c = e->own;

	for (size_t i = 0; i < c->count; i++)
		free(c->members[i].node);
	free(c->members);
	free(c->environment);
}

const struct way crew_way = {
	.begin = crew_begin,
	.nodes = crew_nodes,
	.looked = crew_looked,
	.leave = crew_leave,
	.ended = crew_ended,
	.done = crew_done,
	.stop = crew_stop,
	.forget = crew_forget,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crew: one command on each node of the job, a step each
 *
 * A step is signalled by slurmctld and not by its srun, which would kill it. Its name is ours alone. Nothing here waits for a
 * command that is to leave: each has a time of its own, and others may be told meanwhile. A command that ended
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

/* So many nodes are told of at once: their list has a limit (client/wish.h). */
#define SIGNAL_MOST 500

/* Milliseconds until a TERM that slurmctld did not take is tried again. */
#define TERM_AGAIN 3000

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
	bool told, killed;    /* what runs there has had TERM, and KILL */
	bool again; /* what runs there is ending, or has: if the node stays it is started anew then */
	/* While it leaves: when it is due, and by elastic_clock() when it has KILL and when it is not waited for any more. */
	int64_t by, kill_at, end;
};

struct crew {
	struct member *members;
	size_t count;
	int status; /* the highest exit code so far */
	char name[40];
	char **environment;
	bool resized;	 /* so was the job at the look before: sruns tell that late */
	int64_t term_at; /* until then no TERM is tried */
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
	m->told = m->killed = false;
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
		if (m->leaving)
			m->again |= code != 0; /* maybe for what others that leave have done */
		else if (m->mine && !m->again && !e->signal)
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

static bool runs(const struct member *m)
{
	return m->leaving && m->pid;
}

/* The signal that it is to have now; 0: none. */
static int signal_for(const struct crew *c, const struct member *m, int64_t now)
{
	if (!runs(m) || m->killed)
		return 0;
	if (now >= m->kill_at)
		return SIGKILL;
	return !m->told && now >= c->term_at ? SIGTERM : 0;
}

/* *count: so many are to have this signal, SIGNAL_MOST at most. RET their nodes; NULL: of all that runs, or of none */
static char *signal_nodes(const struct crew *c, int number, int64_t now, size_t *count)
{
	size_t size = 1, running = 0, n = 0;
	char *list, *at;

	*count = 0;
	for (size_t i = 0; i < c->count; i++) {
		running += c->members[i].pid != 0;
		if (signal_for(c, &c->members[i], now) != number)
			continue;
		++*count;
		size += strlen(c->members[i].node) + 1;
	}
	if (!*count || *count == running)
		return NULL;
	at = list = malloc(size);
	*count = !list ? 0 : *count < SIGNAL_MOST ? *count : SIGNAL_MOST;
	for (size_t i = 0; n < *count; i++)
		if (signal_for(c, &c->members[i], now) == number)
			at += sprintf(at, "%s%s", n++ ? "," : "", c->members[i].node);
	return list;
}

static void had_signal(struct member *m, int number, bool step)
{
	if (!step)
		kill(m->pid, SIGTERM);
	m->told = m->again = true;
	m->killed = number == SIGKILL;
}

/*
 * Signal those that are to have it. srun answers TERM by killing its step: so it has one only where its step is not there yet,
 * or where that is to be killed and slurmctld cannot be asked. RET false: no more are to have it
 */
static bool send_signal(struct elastic *e, int number, int64_t now)
{
	struct crew *c = e->own;
	const char *const *had;
	size_t count;
	char *nodes = signal_nodes(c, number, now, &count);
	int rc;

	if (!count)
		return false;
	rc = pact_malleable_signal(e->job, nodes, c->name, number, NULL);
	if (rc)
		elastic_error("signal %d to %s: %s", number, nodes ? nodes : "all",
			      pact_malleable_error(e->job));
	free(nodes);
	if (rc && number == SIGTERM) {
		c->term_at = elastic_clock() + TERM_AGAIN;
		return false;
	}
	had = pact_malleable_signalled(e->job);
	for (size_t i = 0; count && i < c->count; i++) {
		struct member *m = &c->members[i];

		if (signal_for(c, m, now) != number)
			continue;
		had_signal(m, number, !rc && elastic_has(had, m->node));
		count--;
	}
	return true;
}

static void sooner(int64_t *first, int64_t at, int64_t now)
{
	if (at > now && at < *first)
		*first = at;
}

static int64_t crew_tend(struct elastic *e)
{
	const int64_t now = elastic_clock();
	struct crew *c = e->own;
	int64_t next = INT64_MAX;

	while (send_signal(e, SIGKILL, now) || send_signal(e, SIGTERM, now))
		;
	for (size_t i = 0; i < c->count; i++) {
		const struct member *m = &c->members[i];

		if (!runs(m))
			continue;
		sooner(&next, m->end, now);
		if (!m->killed)
			sooner(&next, m->kill_at, now);
		if (!m->told)
			sooner(&next, c->term_at, now);
	}
	return next;
}

/* A wish that takes the place of another one, by the same time, changes nothing. */
static void begin_leaving(struct member *m, int64_t by)
{
	const int64_t now = elastic_clock(), end = elastic_until(by);

	if (m->leaving && m->by == by)
		return;
	m->leaving = true;
	m->by = by;
	m->end = end > now ? end : now;
	m->kill_at = m->end - (m->end - now) / KEPT_PART;
}

static enum answer crew_leave(struct elastic *e, const struct pact_malleable_wish *wish)
{
	const int64_t now = elastic_clock();
	struct crew *c = e->own;
	bool waits = false;

	for (size_t i = 0; i < c->count; i++) {
		struct member *m = &c->members[i];

		if (!elastic_has(wish->leaves, m->node))
			continue;
		begin_leaving(m, wish->by);
		waits |= m->pid && now < m->end;
	}
	if (e->signal)
		return ANSWER_NONE;
	/* What has not ended by its time is killed by the giving back. */
	return waits ? ANSWER_WAIT : ANSWER_GIVE;
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

static bool any_runs(const struct crew *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (runs(&c->members[i]))
			return true;
	return false;
}

static void crew_stop(struct elastic *e)
{
	const int64_t now = elastic_clock(), end = now + 2 * STOP_TIME;
	struct crew *c = e->own;

	for (size_t i = 0; i < c->count; i++) {
		c->members[i].leaving = true;
		c->members[i].kill_at = now + STOP_TIME;
		c->members[i].end = end;
	}
	while (any_runs(c) && elastic_clock() < end)
		elastic_wait(e, crew_tend(e) - elastic_clock());
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
	.tend = crew_tend,
	.ended = crew_ended,
	.done = crew_done,
	.stop = crew_stop,
	.forget = crew_forget,
};

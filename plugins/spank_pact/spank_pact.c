/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spank_pact: puts the processes of a job that shares its node under pactd(8), before user code runs; and options: sbatch's
 * --migratable, by which a job that takes turns may be started anew on other nodes, and sbatch's and salloc's --malleable and
 * --value, of a job that is resized while it runs.
 *
 *	plugstack.conf: required spank_pact.so [dir=/run/pact/%n]
 *
 * dir is that of the node's pactd; %n stands for the node's name. A job that shares nodes has PACT_TERMS in its job
 * environment, set by job_submit/deadline alone; all others are left alone. It must be `required`: of an optional
 * plugin Slurm ignores that a task could not be confined, and runs it.
 *
 * Options are only looked at here: Slurm itself brings them to slurmctld with the job, where they are read.
 *
 * Nothing here waits without a limit. What spank_getenv() and spank_job_control_getenv() would tell is not asked in
 * the prolog and the epilog: they crash there (Slurm 22.05), which drains the node.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <slurm/spank.h>

#include "common/malleable_option.h"
#include "common/signal_word.h"

SPANK_PLUGIN(spank_pact, 1)

#define DIR_DEFAULT "/run/pact/%n"
#define ANSWER_WAIT 2000 /* milliseconds for one answer */
#define JOIN_WAIT 10000	 /* until a task must have been taken */
#define NAP 100
/* Slurm takes what is not negative, ESPANK_ERROR too, for success of a task's hook. */
#define FAILED (-1)

struct place {
	char dir[256];
	char file[300]; /* of the job's terms */
	uint32_t job;
};

static int64_t milliseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- where ---- */

/* The pattern with the node's name for %n. False: too long. */
static bool fill_in(const char *pattern, const char *node, char *out, size_t size)
{
	size_t n = 0;

	for (; *pattern; pattern++) {
		int len;

		if (pattern[0] == '%' && pattern[1] == 'n') {
			len = snprintf(out + n, size - n, "%s", node);
			pattern++;
		} else {
			len = snprintf(out + n, size - n, "%c", *pattern);
		}
		n += (size_t)len;
		if (n >= size)
			return false;
	}
	return n > 0;
}

/*
 * The node's name: from the environment of the daemon that runs this, slurmstepd's in a task. (A task's own
 * has what srun was started with: another node's name, or whatever the user likes.)  Else it is the host's.
 */
static void node_name(char *name, size_t size)
{
	const char *from = getenv("SLURMD_NODENAME");

	if (from && from[0] && !strchr(from, '/')) {
		snprintf(name, size, "%s", from);
		return;
	}
	gethostname(name, size - 1);
	name[size - 1] = '\0';
	name[strcspn(name, ".")] = '\0';
}

static bool find_place(spank_t sp, int ac, char **av, struct place *p)
{
	const char *pattern = DIR_DEFAULT;
	char node[128] = "";

	for (int i = 0; i < ac; i++) {
		if (!strncmp(av[i], "dir=", 4) && av[i][4] == '/') {
			pattern = av[i] + 4;
		} else {
			slurm_error("spank_pact: '%s' in plugstack.conf: only dir=/PATH is known",
				    av[i]);
			return false;
		}
	}
	if (spank_get_item(sp, S_JOB_ID, &p->job) != ESPANK_SUCCESS) {
		slurm_error("spank_pact: Slurm does not tell the job's number");
		return false;
	}
	node_name(node, sizeof(node));
	if (!fill_in(pattern, node, p->dir, sizeof(p->dir))) {
		slurm_error("spank_pact: dir=%s in plugstack.conf is too long", pattern);
		return false;
	}
	snprintf(p->file, sizeof(p->file), "%s/jobs/%u", p->dir, p->job);
	return true;
}

/* ---- pactd ---- */

/* Wait until the socket is ready; false: not by then. */
static bool ready(int fd, short events, int64_t until)
{
	struct pollfd p = { .fd = fd, .events = events };
	int64_t left;
	int rc;

	do {
		left = until - milliseconds();
		rc = poll(&p, 1, left > 0 ? (int)left : 0);
	} while (rc < 0 && errno == EINTR);
	return rc > 0;
}

static int dial(const char *dir, char *why, size_t size)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd;

	if ((size_t)snprintf(a.sun_path, sizeof(a.sun_path), "%s/sock", dir) >=
	    sizeof(a.sun_path)) {
		snprintf(why, size, "the path of its socket is too long");
		return -1;
	}
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0 && !connect(fd, (struct sockaddr *)&a, sizeof(a)))
		return fd;
	snprintf(why, size, "%.120s: %s", a.sun_path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

/* One line and its answer. False: it is not "ok", or none came; see why. */
static bool ask(const char *dir, const char *line, char *why, size_t size)
{
	int64_t until = milliseconds() + ANSWER_WAIT;
	char answer[512];
	size_t had = 0;
	int fd = dial(dir, why, size);

	if (fd < 0)
		return false;
	snprintf(why, size, "it does not answer");
	/* A line is shorter than any socket's buffer. */
	if (send(fd, line, strlen(line), MSG_NOSIGNAL) != (ssize_t)strlen(line)) {
		close(fd);
		return false;
	}
	answer[0] = '\0';
	while (!memchr(answer, '\n', had) && had < sizeof(answer) - 1 && ready(fd, POLLIN, until)) {
		ssize_t n = recv(fd, answer + had, sizeof(answer) - 1 - had, 0);

		if (n <= 0 && errno != EINTR && errno != EAGAIN)
			break;
		if (!n)
			break;
		had += n > 0 ? (size_t)n : 0;
	}
	close(fd);
	answer[had] = '\0';
	answer[strcspn(answer, "\n")] = '\0';
	if (!strcmp(answer, "ok"))
		return true;
	if (!strncmp(answer, "no ", 3))
		snprintf(why, size, "%.*s", (int)size - 1, answer + 3);
	return false;
}

/* ---- the terms ---- */

/* All directories above the file. */
static bool make_dirs(char *path)
{
	for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
		*at = '\0';
		if (mkdir(path, 0755) && errno != EEXIST) {
			*at = '/';
			return false;
		}
		*at = '/';
	}
	return true;
}

/* The file takes its name when it is whole. */
static bool write_terms(struct place *p, const char *terms)
{
	char new[320], line[256];
	int len = snprintf(line, sizeof(line), "%s\n", terms);
	bool ok;
	int fd;

	if ((size_t)len >= sizeof(line)) {
		errno = EMSGSIZE;
		return false;
	}
	snprintf(new, sizeof(new), "%s.new", p->file);
	if (!make_dirs(p->file))
		return false;
	fd = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return false;
	ok = write(fd, line, (size_t)len) == len;
	ok = !close(fd) && ok;
	if (ok && !rename(new, p->file))
		return true;
	unlink(new);
	return false;
}

/* ---- the option ---- */

static int take_signal(int val, const char *text, int remote)
{
	(void)val;
	if (remote || signal_word(text))
		return ESPANK_SUCCESS;
	slurm_error("--migratable=%s: the signal has to be %s", text, SIGNAL_WORDS);
	return ESPANK_BAD_ARG;
}

static struct spank_option migratable = {
	.name = "migratable",
	.arginfo = "[SIGNAL]",
	.usage = "the job may be started anew on other nodes: when it gets SIGNAL "
		 "(" SIGNAL_WORD_DEFAULT
		 ") it writes a checkpoint and ends with a code of RequeueExit",
	.has_arg = 2,
	.cb = take_signal,
};

static int refuse(const char *why)
{
	slurm_error("%s", why);
	return ESPANK_BAD_ARG;
}

/* A job has its options in its environment as the daemons hand them on, and as sbatch and salloc read them. */
static const char *const prefixes[] = { "", "SLURM_SPANK_" };
#define PREFIXES (sizeof(prefixes) / sizeof(prefixes[0]))

static const char *variable(char *name, size_t size, const char *prefix, const char *option)
{
	snprintf(name, size, "%s_SLURM_SPANK_OPTION_spank_pact_%s", prefix, option);
	return name;
}

/*
 * srun's job is its one step, which has its nodes for good. A srun in a job that was submitted with the option finds that in
 * its environment, as salloc or, for a batch script, slurmd has put it there, and is not asked for anything new.
 */
static bool asked_of_srun(const char *option)
{
	char name[128];

	for (size_t i = 0; i < PREFIXES; i++)
		if (getenv(variable(name, sizeof(name), prefixes[i], option)))
			return false;
	return spank_context() == S_CTX_LOCAL;
}

/*
 * What sbatch or salloc submits from inside a job is a job of its own, which is not asked to be what that one is. Slurm reads
 * an option's variable when all plugins have begun, and its own command line behind that.
 */
static void forget_outer_job(const char *option)
{
	char name[128];

	if (!getenv("SLURM_JOB_ID"))
		return;
	for (size_t i = 0; i < PREFIXES; i++)
		unsetenv(variable(name, sizeof(name), prefixes[i], option));
}

static int take_malleable(int val, const char *text, int remote)
{
	struct malleable_option o;
	char why[256];

	(void)val;
	if (remote)
		return ESPANK_SUCCESS;
	if (asked_of_srun("malleable"))
		return refuse(
			"--malleable: the job of a srun is one step, which keeps the nodes that it "
			"began on; use sbatch or salloc");
	return malleable_option_read(text, &o, why, sizeof(why)) ? ESPANK_SUCCESS : refuse(why);
}

static int take_value(int val, const char *text, int remote)
{
	int64_t value;
	char why[256];

	(void)val;
	if (remote)
		return ESPANK_SUCCESS;
	if (asked_of_srun("value"))
		return refuse("--value: it is of a job; use sbatch or salloc");
	return malleable_value_read(text, &value, why, sizeof(why)) ? ESPANK_SUCCESS : refuse(why);
}

static struct spank_option malleable = {
	.name = "malleable",
	.arginfo = "[KEY:VALUE,...]",
	.usage = "of the nodes of --nodes=MIN-MAX the job has MIN for good, and more while no "
		 "other job "
		 "needs them; speedup:NODES=SPEED/... tells how fast it is on more, grace:SECONDS "
		 "with "
		 "how much notice it gives nodes back",
	.has_arg = 2,
	.cb = take_malleable,
};

static struct spank_option value = {
	.name = "value",
	.arginfo = "NUMBER",
	.usage = "what it is worth that the job ends in time, where jobs are scheduled by that",
	.has_arg = 1,
	.cb = take_value,
};

/* ---- hooks ---- */

/* All are of sbatch, and where its jobs run; those that srun does not take are told so there. */
int slurm_spank_init(spank_t sp, int ac, char **av)
{
	struct spank_option *const options[] = { &malleable, &value, &migratable };
	spank_context_t in = spank_context();

	(void)ac;
	(void)av;
	if (in != S_CTX_ALLOCATOR && in != S_CTX_REMOTE && in != S_CTX_LOCAL)
		return 0;
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (options[i] == &migratable && in == S_CTX_LOCAL)
			continue;
		if (in == S_CTX_ALLOCATOR)
			forget_outer_job(options[i]->name);
		if (spank_option_register(sp, options[i]) == ESPANK_SUCCESS)
			continue;
		slurm_error("spank_pact: the option --%s is not to be had", options[i]->name);
		return FAILED;
	}
	return 0;
}

/*
 * The job begins on this node. A pactd that is away does not fail the prolog, which would drain the node: the terms
 * are there when it comes back, and tasks wait for it. Terms that cannot be written do: the job would run unconfined.
 */
int slurm_spank_job_prolog(spank_t sp, int ac, char **av)
{
	const char *terms = getenv("SPANK_PACT_TERMS");
	char line[64], why[400];
	struct place p;

	if (!terms || !terms[0])
		return 0;
	if (!find_place(sp, ac, av, &p))
		return FAILED;
	if (!write_terms(&p, terms)) {
		slurm_error("spank_pact: job %u: cannot write its terms, %s: %s", p.job, p.file,
			    strerror(errno));
		return FAILED;
	}
	snprintf(line, sizeof(line), "terms %u\n", p.job);
	if (!ask(p.dir, line, why, sizeof(why)))
		slurm_error("spank_pact: job %u: pactd has not taken its terms: %s", p.job, why);
	return 0;
}

/* In each task, as root, before it becomes the user's program. */
int slurm_spank_task_init_privileged(spank_t sp, int ac, char **av)
{
	int64_t until = milliseconds() + JOIN_WAIT;
	struct timespec nap = { .tv_nsec = NAP * 1000000L };
	char line[64], why[400];
	struct place p;

	if (!find_place(sp, ac, av, &p))
		return FAILED;
	if (access(p.file, F_OK)) {
		if (errno == ENOENT || errno == ENOTDIR)
			return 0;
		slurm_error("spank_pact: job %u: %s: %s", p.job, p.file, strerror(errno));
		return FAILED;
	}
	snprintf(line, sizeof(line), "join %u %d\n", p.job, (int)getpid());
	while (!ask(p.dir, line, why, sizeof(why))) {
		if (milliseconds() >= until) {
			slurm_error("job %u does not run: pactd of this node does not give it its "
				    "share: %s",
				    p.job, why);
			return FAILED;
		}
		nanosleep(&nap, NULL);
	}
	return 0;
}

/* The job has ended on this node. */
int slurm_spank_job_epilog(spank_t sp, int ac, char **av)
{
	char line[64], why[400];
	struct place p;

	/* Not an error: it drains the node, and nothing is wrong with that. */
	if (!find_place(sp, ac, av, &p))
		return 0;
	if (unlink(p.file)) {
		if (errno != ENOENT && errno != ENOTDIR)
			slurm_error("spank_pact: job %u: %s: %s", p.job, p.file, strerror(errno));
		return 0;
	}
	snprintf(line, sizeof(line), "over %u\n", p.job);
	if (!ask(p.dir, line, why, sizeof(why)))
		slurm_error("spank_pact: job %u: pactd was not told that it is over: %s", p.job,
			    why);
	return 0;
}

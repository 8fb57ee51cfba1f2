/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submit.c: see submit.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "contrib/replay/burn.h"
#include "contrib/replay/clock.h"
#include "contrib/replay/submit.h"
#include "contrib/replay/turns.h"

extern char **environ;

struct submitter {
	const char *partition;
	enum job_work work;
	int64_t shares;
	char program[4096]; /* this one */
	struct words *words;
	char **environment;
	uint32_t env_size;
	char text[1024];
};

/*
 * The clock is inherited only through these: without them the jobs would sleep on the real one. And a
 * job's srun has to find the cluster.
 */
static bool is_needed(const char *entry)
{
	static const char *const names[] = { "LD_PRELOAD=",  "FAKETIME", "DONT_FAKE_",
					     "NO_FAKE_STAT", "FAKE_",	 "TZ=",
					     "SLURM_CONF=" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(entry, names[i], strlen(names[i])))
			return true;
	return false;
}

static bool make_environment(struct submitter *s)
{
	size_t n = 0;

	for (char **e = environ; *e; e++)
		n += is_needed(*e);
	s->environment = calloc(n + 2, sizeof(*s->environment));
	if (!s->environment)
		return false;
	s->environment[s->env_size++] = "PATH=/usr/local/bin:/usr/bin:/bin";
	for (char **e = environ; *e; e++)
		if (is_needed(*e))
			s->environment[s->env_size++] = *e;
	return true;
}

struct submitter *submit_create(const char *partition, enum job_work work, int64_t shares,
				struct words *words)
{
	struct submitter *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->partition = partition;
	s->words = words;
	s->work = work;
	s->shares = shares;
	if (!make_environment(s) ||
	    readlink("/proc/self/exe", s->program, sizeof(s->program) - 1) < 0) {
		submit_destroy(s);
		return NULL;
	}
	return s;
}

void submit_destroy(struct submitter *s)
{
	if (!s)
		return;
	free(s->environment);
	free(s);
}

void submit_name(const struct submitter *s, const struct replay_job *job, char *buf, size_t size)
{
	(void)s;
	snprintf(buf, size, "replay-%ld-%" PRId64, (long)getpid(), job->id);
}

static enum submit_rc classify(int err, const char *text)
{
	switch (err) {
	case EAGAIN:
	case ESLURM_ERROR_ON_DESC_TO_RECORD_COPY:
	case ESLURM_NODES_BUSY:
		return SUBMIT_TEMPORARY;
	case ESLURM_IN_STANDBY_MODE:
	case ESLURM_IN_STANDBY_USE_BACKUP:
	case SLURM_COMMUNICATIONS_CONNECTION_ERROR:
	case SLURM_COMMUNICATIONS_SEND_ERROR:
	case SLURM_COMMUNICATIONS_RECEIVE_ERROR:
	case SLURM_COMMUNICATIONS_SHUTDOWN_ERROR:
	case SLURMCTLD_COMMUNICATIONS_CONNECTION_ERROR:
	case SLURMCTLD_COMMUNICATIONS_SEND_ERROR:
	case SLURMCTLD_COMMUNICATIONS_RECEIVE_ERROR:
	case SLURMCTLD_COMMUNICATIONS_SHUTDOWN_ERROR:
	case SLURM_PROTOCOL_SOCKET_IMPL_TIMEOUT:
	case SLURM_PROTOCOL_SOCKET_ZERO_BYTES_SENT:
	case ECONNREFUSED:
	case ECONNRESET:
	case ETIMEDOUT:
		return SUBMIT_UNREACHABLE;
	default:
		return words_refused(text) ? SUBMIT_REFUSED : SUBMIT_FAILED;
	}
}

static void write_burning(const struct submitter *s, const struct replay_job *job, const char *name,
			  char *out, size_t size)
{
	char srun[80] = "";

	/* What a batch script runs by itself is on the first node alone. */
	if (job->width > 1)
		snprintf(srun, sizeof(srun), "srun -Q -N%d -n%d ", job->width, job->width);
	/* By its name a process can be told for that of a job of the log, as sbatch would have it. */
	snprintf(out, size, "#!/bin/sh\nexport SLURM_JOB_NAME=%s\nexec %s'%s' %s %" PRId64 "\n",
		 name, srun, s->program, BURN_OPTION, burn_time(job->sleep, s->shares));
}

static void write_script(const struct submitter *s, const struct replay_job *job, const char *name,
			 char *out, size_t size)
{
	switch (s->work) {
	case WORK_SLEEP:
		snprintf(out, size, "#!/bin/sh\nexec sleep %.2f\n", job->sleep);
		break;
	case WORK_BURN:
		write_burning(s, job, name, out, size);
		break;
	case WORK_TURNS:
		snprintf(out, size, "#!/bin/sh\nexec '%s' %s %.2f %.3f\n", s->program, TURNS_OPTION,
			 job->sleep, TURNS_STRIDE * clock_speed());
		break;
	}
}

enum submit_rc submit_job(struct submitter *s, const struct replay_job *job, int64_t deadline,
			  struct submit_answer *answer)
{
	submit_response_msg_t *resp = NULL;
	job_desc_msg_t desc;
	char name[64], script[sizeof(s->program) + 256];
	const char *said;
	int rc, err;

	submit_name(s, job, name, sizeof(name));
	write_script(s, job, name, script, sizeof(script));
	slurm_init_job_desc_msg(&desc);
	desc.name = name;
	desc.script = script;
	desc.environment = s->environment;
	desc.env_size = s->env_size;
	desc.work_dir = "/";
	desc.std_in = desc.std_out = desc.std_err = "/dev/null";
	desc.user_id = getuid();
	desc.group_id = getgid();
	desc.partition = (char *)s->partition;
	desc.min_nodes = desc.max_nodes = (uint32_t)job->width;
	desc.min_cpus = (uint32_t)job->width;
	desc.time_limit = (uint32_t)(job->estimate / 60);
	if (s->work == WORK_SLEEP)
		desc.shared = 0; /* whole nodes */
	if (deadline > 0)
		desc.deadline = (time_t)deadline;

	words_begin(s->words);
	errno = 0;
	rc = slurm_submit_batch_job(&desc, &resp);
	err = errno;
	said = words_end(s->words);

	answer->slurm_id = rc == 0 && resp ? resp->job_id : 0;
	if (answer->slurm_id && resp->job_submit_user_msg)
		said = resp->job_submit_user_msg;
	snprintf(s->text, sizeof(s->text), "%s", said);
	if (!answer->slurm_id && !words_refused(s->text))
		snprintf(s->text, sizeof(s->text), "%s%s%s", slurm_strerror(err), *said ? ": " : "",
			 said);
	answer->text = s->text;
	slurm_free_submit_response_response_msg(resp);
	return answer->slurm_id ? SUBMIT_ACCEPTED : classify(err, s->text);
}

bool submit_cancel(struct submitter *s, uint32_t slurm_id)
{
	int rc;

	words_begin(s->words);
	rc = slurm_kill_job(slurm_id, SIGKILL, 0);
	words_end(s->words);
	return rc == 0;
}

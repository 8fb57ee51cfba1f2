/* SPDX-License-Identifier: GPL-2.0-or-later */
/* elastic: see elastic.h. */
#include "contrib/elastic/elastic.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

int64_t elastic_now(void)
{
	return (int64_t)time(NULL);
}

static void say(const char *format, va_list args)
{
	char line[2048];

	vsnprintf(line, sizeof(line), format, args);
	fprintf(stderr, "pact-elastic: %s\n", line);
}

void elastic_tell(const struct elastic *e, const char *format, ...)
{
	va_list args;

	if (e->options->quiet)
		return;
	va_start(args, format);
	say(format, args);
	va_end(args);
}

void elastic_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
}

bool elastic_has(const char *const *names, const char *name)
{
	for (; *names; names++)
		if (!strcmp(*names, name))
			return true;
	return false;
}

static void signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGHUP);
}

pid_t elastic_spawn(const char *const *argv, char **environment)
{
	posix_spawnattr_t attr;
	sigset_t none, all;
	pid_t pid = -1;
	int rc = posix_spawnattr_init(&attr);

	if (!rc) {
		sigemptyset(&none);
		signals(&all);
		posix_spawnattr_setsigmask(&attr, &none);
		posix_spawnattr_setsigdefault(&attr, &all);
		posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
		rc = posix_spawnp(&pid, argv[0], NULL, &attr, (char *const *)argv,
				  environment ? environment : environ);
		posix_spawnattr_destroy(&attr);
	}
	if (rc)
		elastic_error("%s: %s", argv[0], strerror(rc));
	return rc ? -1 : pid;
}

static void reap(struct elastic *e)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (e->way->ended)
			e->way->ended(e, pid, status);
}

bool elastic_wait(struct elastic *e, int64_t seconds)
{
	struct timespec most = { .tv_sec = seconds > 0 ? seconds : 0 };
	sigset_t set;
	int got;

	signals(&set);
	got = sigtimedwait(&set, NULL, &most);
	if (got > 0 && got != SIGCHLD)
		e->signal = got;
	/* Several children that end are one signal, and one that ended under a question of the library's may be none. */
	reap(e);
	return got > 0;
}

/* RET whether it is told, and not to be told again */
static bool give(struct elastic *e, const struct pact_malleable_wish *wish)
{
	int rc = pact_malleable_give(e->job, wish->leave);

	switch (rc) {
	case PACT_MALLEABLE_OK:
		e->counts.given++;
		elastic_tell(e, "wish %lld: gave back %s", (long long)wish->serial, wish->leave);
		break;
	case PACT_MALLEABLE_AGAIN:
		elastic_tell(e, "wish %lld: not given back yet: %s", (long long)wish->serial,
			     pact_malleable_error(e->job));
		break;
	default:
		e->counts.failed++;
		elastic_error("wish %lld: %s not given back: %s", (long long)wish->serial,
			      wish->leave, pact_malleable_error(e->job));
	}
	return rc != PACT_MALLEABLE_AGAIN;
}

/* RET likewise */
static bool refuse(struct elastic *e, const struct pact_malleable_wish *wish)
{
	int rc = pact_malleable_refuse(e->job);

	if (rc == PACT_MALLEABLE_OK)
		elastic_tell(e, "wish %lld: not now", (long long)wish->serial);
	else
		elastic_error("wish %lld: not now, which Slurm did not take: %s",
			      (long long)wish->serial, pact_malleable_error(e->job));
	return rc != PACT_MALLEABLE_AGAIN;
}

/*
 * A wish has one answer of the way's, for what is due at a time. When it could not be told for the moment, the answer stays
 * what it is and is told at the next look.
 */
struct pending {
	int64_t serial, by;
	enum answer answer;
};

/* What of a wish is due about the same time. */
struct part {
	struct pact_malleable_wish wish;
	const char **leaves;
	char *leave;
};

/* What is due a whole notice later than the first of them has that for itself, and is for another time. */
static size_t dues_by_first(const struct elastic *e, const struct pact_malleable_wish *wish)
{
	int64_t notice = e->options->notice ? e->options->notice : NOTICE;
	size_t n = 1;

	while (n < wish->dues && wish->due[n].by < wish->by + notice)
		n++;
	return n;
}

static size_t part_size(const struct pact_malleable_wish *wish, size_t dues, size_t *names)
{
	size_t size = 1;

	*names = 0;
	for (size_t i = 0; i < dues; i++) {
		*names += wish->due[i].count;
		size += strlen(wish->due[i].leave) + 1;
	}
	return size;
}

/* RET false: out of memory */
static bool part_of(const struct elastic *e, const struct pact_malleable_wish *wish,
		    struct part *part)
{
	size_t dues = dues_by_first(e, wish), names, size = part_size(wish, dues, &names);
	char *at;

	*part = (struct part){ .wish = *wish };
	if (dues == wish->dues)
		return true;
	at = part->leave = malloc(size);
	part->leaves = calloc(names + 1, sizeof(*part->leaves));
	if (!at || !part->leaves)
		return false;
	for (size_t i = 0; i < dues; i++)
		at += sprintf(at, "%s%s", i ? "," : "", wish->due[i].leave);
	memcpy(part->leaves, wish->leaves, names * sizeof(*part->leaves));
	for (size_t i = dues; i < wish->dues; i++)
		part->wish.width += (int64_t)wish->due[i].count;
	part->wish.leave = part->leave;
	part->wish.leaves = part->leaves;
	part->wish.dues = dues;
	return true;
}

static void part_free(struct part *part)
{
	free(part->leaves);
	free(part->leave);
}

/* The node of the batch script, and of ours, cannot be given back. */
static enum answer answer_to(struct elastic *e, const struct pact_malleable_wish *wish)
{
	const char *batch = pact_malleable_batch_node(e->job);

	return batch && elastic_has(wish->leaves, batch) ? ANSWER_NOT_NOW : e->way->leave(e, wish);
}

/* RET whether these nodes were to be given back */
static bool meet_part(struct elastic *e, const struct pact_malleable_wish *wish,
		      struct pending *pending)
{
	bool gives;

	if (wish->serial != pending->serial || wish->by != pending->by) {
		e->counts.wishes++;
		elastic_tell(e, "wish %lld: %lld nodes, without %s, in %lld s",
			     (long long)wish->serial, (long long)wish->width, wish->leave,
			     (long long)(wish->by ? wish->by - elastic_now() : 0));
		pending->serial = wish->serial;
		pending->by = wish->by;
		pending->answer = answer_to(e, wish);
		if (pending->answer != ANSWER_NONE && wish->by && elastic_now() > wish->by) {
			e->counts.late++;
			elastic_tell(e, "wish %lld: late", (long long)wish->serial);
		}
		e->counts.refused += pending->answer == ANSWER_NOT_NOW;
	}
	gives = pending->answer == ANSWER_GIVE;
	if (gives ? give(e, wish) : pending->answer == ANSWER_NOT_NOW && refuse(e, wish))
		pending->answer = ANSWER_NONE;
	return gives;
}

/* RET whether nodes were to be given back */
static bool meet(struct elastic *e, struct pending *pending)
{
	const struct pact_malleable_wish *wish = pact_malleable_wanted(e->job);
	struct part part;
	bool gives;

	if (!wish)
		return false;
	gives = part_of(e, wish, &part) && meet_part(e, &part.wish, pending);
	part_free(&part);
	return gives;
}

static char *copy_names(const char *const *names)
{
	size_t size = 1;
	char *text;

	for (const char *const *n = names; *n; n++)
		size += strlen(*n) + 1;
	text = calloc(1, size);
	for (const char *const *n = names; text && *n; n++)
		strcat(strcat(text, *n), "\n");
	return text;
}

/* Look, and tell the way when the nodes are others. */
static int look(struct elastic *e, char **before)
{
	int rc = pact_malleable_look(e->job);
	char *now;

	if (rc)
		return rc;
	now = copy_names(pact_malleable_nodes(e->job));
	/* the same ones, of which some were lost meanwhile, have nothing running either */
	if (now && (!*before || strcmp(*before, now) != 0 || pact_malleable_resized(e->job))) {
		e->way->nodes(e, pact_malleable_nodes(e->job));
		free(*before);
		*before = now;
	} else {
		free(now);
	}
	if (e->way->looked)
		e->way->looked(e);
	return rc;
}

static void tell_counts(const struct elastic *e)
{
	if (e->counts.wishes)
		elastic_tell(e, "%u wishes: %u given back, %u not now, %u failed, %u of all late",
			     e->counts.wishes, e->counts.given, e->counts.refused, e->counts.failed,
			     e->counts.late);
}

static int loop(struct elastic *e, char **before)
{
	struct pending pending = { 0 };
	int64_t next = elastic_now() + pact_malleable_pause(e->job);
	int status = 0, rc = 0;

	for (;;) {
		if (e->way->done && e->way->done(e, &status))
			return status;
		if (e->signal) {
			if (e->way->stop)
				e->way->stop(e);
			return e->way->done && e->way->done(e, &status) ? status : 0;
		}
		if (elastic_now() < next) {
			elastic_wait(e, next - elastic_now());
			continue;
		}
		rc = look(e, before);
		if (rc == PACT_MALLEABLE_GONE) {
			elastic_error("%s", pact_malleable_error(e->job));
			return EXIT_ELASTIC;
		}
		/* What was given back is seen at once, and not only after another pause. */
		if (rc == PACT_MALLEABLE_OK && meet(e, &pending))
			look(e, before);
		next = elastic_now() + pact_malleable_pause(e->job);
	}
}

/* So many looks may find no Slurm before there was any. */
#define FIRST_LOOKS 6

/* Slurm may be restarted just now. What else stands against it is told, and is not waited for. */
static int first_look(struct elastic *e, char **before)
{
	int rc = look(e, before);

	for (int looks = 1; rc; looks++) {
		int64_t next = elastic_now() + pact_malleable_pause(e->job);

		elastic_error("%s", pact_malleable_error(e->job));
		if (rc != PACT_MALLEABLE_AGAIN || looks == FIRST_LOOKS)
			break;
		while (!e->signal && elastic_now() < next)
			elastic_wait(e, next - elastic_now());
		if (e->signal)
			break;
		rc = look(e, before);
	}
	return rc;
}

int elastic_run(struct elastic *e)
{
	char *before = NULL;
	sigset_t set;
	int rc;

	signals(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	e->job = pact_malleable_open(e->options->job, e->options->notice);
	if (!e->job) {
		elastic_error("no job: neither --job nor SLURM_JOB_ID is one");
		return EXIT_ELASTIC;
	}
	if (!e->way->begin(e)) {
		rc = EXIT_ELASTIC;
	} else if (first_look(e, &before) != PACT_MALLEABLE_OK) {
		rc = e->signal ? 0 : EXIT_ELASTIC;
	} else {
		rc = loop(e, &before);
		tell_counts(e);
	}
	free(before);
	if (e->own && e->way->forget)
		e->way->forget(e);
	free(e->own);
	pact_malleable_close(e->job);
	return rc;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loop: see loop.h. */
#include "contrib/elastic/loop.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/elastic/answers.h"
#include "contrib/elastic/elastic.h"

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

static void tell_nodes(struct elastic *e)
{
	const char *const *nodes = pact_malleable_nodes(e->job);
	const char **ours = answers_ours(e, nodes);

	e->way->nodes(e, ours ? ours : nodes);
	free(ours);
}

/* Look, and tell the way when the nodes are others. */
static int look(struct elastic *e, char **before)
{
	int rc = pact_malleable_look(e->job);
	bool back;
	char *now;

	if (rc)
		return rc;
	back = answers_back(e);
	now = copy_names(pact_malleable_nodes(e->job));
	/* the same ones, of which some were lost meanwhile, have nothing running either */
	if (now &&
	    (!*before || strcmp(*before, now) != 0 || pact_malleable_resized(e->job) || back)) {
		tell_nodes(e);
		free(*before);
		*before = now;
	} else {
		free(now);
	}
	if (e->way->looked)
		e->way->looked(e);
	return rc;
}

/* When the next look is due. */
static int64_t next_look(const struct elastic *e)
{
	return elastic_clock() + pact_malleable_pause(e->job) * 1000;
}

static void tell_counts(const struct elastic *e)
{
	if (e->counts.wishes)
		elastic_tell(e, "%u wishes: %u given back, %u not now, %u failed, %u of all late",
			     e->counts.wishes, e->counts.given, e->counts.refused, e->counts.failed,
			     e->counts.late);
}

static void wait_until_next(struct elastic *e, int64_t next)
{
	int64_t tend = e->way->tend ? e->way->tend(e) : next;

	if (!e->signal)
		elastic_wait(e, (tend < next ? tend : next) - elastic_clock());
}

/* Behind the first look. */
static int loop(struct elastic *e, char **before)
{
	int64_t next = next_look(e);
	int status = 0, rc = PACT_MALLEABLE_OK;
	bool looked = true;

	for (; !e->signal; looked = false) {
		if (elastic_clock() >= next) {
			rc = look(e, before);
			if (rc == PACT_MALLEABLE_GONE) {
				elastic_error("%s", pact_malleable_error(e->job));
				return EXIT_ELASTIC;
			}
			looked = rc == PACT_MALLEABLE_OK;
			next = next_look(e);
		}
		/* What was given back is seen at once, and not only after another pause. */
		while (answers_give(e, looked)) {
			looked = look(e, before) == PACT_MALLEABLE_OK;
			next = next_look(e);
		}
		if (e->way->done && e->way->done(e, &status))
			return status;
		wait_until_next(e, next);
	}
	if (e->way->stop)
		e->way->stop(e);
	return e->way->done && e->way->done(e, &status) ? status : 0;
}

/* So many looks may find no Slurm before there was any. */
#define FIRST_LOOKS 6

/* Slurm may be restarted just now. What else stands against it is told, and is not waited for. */
static int first_look(struct elastic *e, char **before)
{
	int rc = look(e, before);

	for (int looks = 1; rc; looks++) {
		int64_t next = next_look(e);

		elastic_error("%s", pact_malleable_error(e->job));
		if (rc != PACT_MALLEABLE_AGAIN || looks == FIRST_LOOKS)
			break;
		while (!e->signal && elastic_clock() < next)
			elastic_wait(e, next - elastic_clock());
		if (e->signal)
			break;
		rc = look(e, before);
	}
	return rc;
}

int loop_run(struct elastic *e)
{
	char *before = NULL;
	sigset_t set;
	int rc;

	elastic_signals(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	e->job = pact_malleable_open(e->options->job, e->options->notice);
	if (!e->job) {
		elastic_error("no job: neither --job nor SLURM_JOB_ID is one");
		return EXIT_ELASTIC;
	}
	e->answers = answers_create();
	if (!e->answers || !e->way->begin(e)) {
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
	answers_destroy(e->answers);
	pact_malleable_close(e->job);
	return rc;
}

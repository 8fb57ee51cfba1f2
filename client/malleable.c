/* SPDX-License-Identifier: GPL-2.0-or-later */
/* malleable.c - libpact-malleable: see pact-malleable.h. How Slurm is asked: ask.h, call.c */
#include "client/pact-malleable.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/ask.h"
#include "client/wish.h"

#define NOTICE 60 /* of a site that has not said otherwise */
#define NOTICE_MOST 86400
#define LOOKS_A_NOTICE \
	6 /* what is wanted is seen when at most such a part of the notice has gone by */
#define PAUSE_MOST 60
/* Doublings of the pause: more would not be seen. */
#define FAILED_MOST 6

/* Names, in one piece of memory: pointers, NULL, texts. */
struct names {
	const char **name;
	size_t count, room;
};

struct pact_malleable {
	uint32_t id;
	int64_t notice;
	unsigned int failed; /* looks in a row */
	char *answer;	     /* to the latest look: what the names point into */
	struct names nodes, leave;
	const char *batch;
	int64_t changed; /* when its size did last, by its record */
	bool resized;
	struct pact_malleable_wish wish; /* serial 0: none */
	int64_t answered;		 /* the latest serial that was */
	char error[1024];
};

static const char *const none[] = { NULL };

static bool names_add(struct names *names, const char *name)
{
	if (names->count + 1 >= names->room) {
		size_t room = names->room ? 2 * names->room : 64;
		const char **more = realloc(names->name, room * sizeof(*more));

		if (!more)
			return false;
		names->name = more;
		names->room = room;
	}
	names->name[names->count++] = name;
	names->name[names->count] = NULL;
	return true;
}

static void forget(struct pact_malleable *job)
{
	free(job->answer);
	free(job->nodes.name);
	free(job->leave.name);
	job->answer = NULL;
	job->nodes = job->leave = (struct names){ 0 };
	job->batch = NULL;
	job->changed = 0;
	job->resized = false;
	job->wish = (struct pact_malleable_wish){ 0 };
}

static bool read_id(const char *text, uint32_t *out)
{
	char *end;
	unsigned long value;

	if (!text || *text < '0' || *text > '9')
		return false;
	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || *end || !value || value >= UINT32_MAX)
		return false;
	*out = (uint32_t)value;
	return true;
}

struct pact_malleable *pact_malleable_open(uint32_t id, int64_t notice)
{
	struct pact_malleable *job;

	if ((!id && !read_id(getenv("SLURM_JOB_ID"), &id)) || notice < 0 || notice > NOTICE_MOST) {
		errno = EINVAL;
		return NULL;
	}
	job = calloc(1, sizeof(*job));
	if (!job)
		return NULL;
	job->id = id;
	job->notice = notice ? notice : NOTICE;
	return job;
}

void pact_malleable_close(struct pact_malleable *job)
{
	if (!job)
		return;
	forget(job);
	free(job);
}

static int fail(struct pact_malleable *job, int rc, const char *text)
{
	snprintf(job->error, sizeof(job->error), "%s", text);
	return rc;
}

static int no_memory(struct pact_malleable *job)
{
	return fail(job, PACT_MALLEABLE_NOMEM, "out of memory");
}

/* What the answer says of a failure, "KIND TEXT". */
static int take_error(struct pact_malleable *job, char *value)
{
	static const struct {
		const char *kind;
		int rc;
	} kinds[] = {
		{ "invalid", PACT_MALLEABLE_INVALID },
		{ "again", PACT_MALLEABLE_AGAIN },
		{ "gone", PACT_MALLEABLE_GONE },
		{ "refused", PACT_MALLEABLE_REFUSED },
	};
	size_t length = strcspn(value, " ");

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strlen(kinds[i].kind) == length && !strncmp(kinds[i].kind, value, length))
			return fail(job, kinds[i].rc, value + length + (value[length] == ' '));
	return fail(job, PACT_MALLEABLE_AGAIN, value);
}

/* The next line of an answer as key and value; false at its end. */
static bool next_line(char **at, char **key, char **value)
{
	char *end = strchr(*at, '\n'), *blank;

	if (!end)
		return false;
	*end = '\0';
	*key = *at;
	*at = end + 1;
	blank = strchr(*key, ' ');
	*value = blank ? blank + 1 : end;
	if (blank)
		*blank = '\0';
	return true;
}

/*
 * Ask, and have the answer, malloc()ed, unless it is an error. argv ends with NULL.
 */
static int ask(struct pact_malleable *job, const char **argv, char **answer)
{
	char id[16], *text, *at, *key, *value;
	const char *why;
	int rc;

	*answer = NULL;
	snprintf(id, sizeof(id), "%" PRIu32, job->id);
	argv[2] = id;
	rc = ask_call(argv, PACT_MALLEABLE_PATIENCE, &text, &why);
	if (rc)
		return rc == ENOMEM ? no_memory(job) : fail(job, PACT_MALLEABLE_AGAIN, why);
	at = text;
	if (!strncmp(text, "error ", 6) && next_line(&at, &key, &value)) {
		rc = take_error(job, value);
		free(text);
		return rc;
	}
	*answer = text;
	return PACT_MALLEABLE_OK;
}

/* Fill in what a look has brought. */
static bool take_look(struct pact_malleable *seen)
{
	char *at = seen->answer, *key, *value;
	bool ok = true;

	while (ok && next_line(&at, &key, &value)) {
		if (!strcmp(key, "node"))
			ok = names_add(&seen->nodes, value);
		else if (!strcmp(key, "leave"))
			ok = names_add(&seen->leave, value);
		else if (!strcmp(key, "list"))
			seen->wish.leave = value;
		else if (!strcmp(key, "batch"))
			seen->batch = value;
		else if (!strcmp(key, "resized"))
			sscanf(value, "%" SCNd64, &seen->changed);
		else if (!strcmp(key, "wish"))
			sscanf(value, "%" SCNd64 " %" SCNd64 " %" SCNd64, &seen->wish.serial,
			       &seen->wish.width, &seen->wish.by);
	}
	seen->wish.leaves = seen->leave.name;
	return ok;
}

/* Others than before, or the same after some were lost and had again. */
static bool is_resized(const struct pact_malleable *job, const struct pact_malleable *seen)
{
	if (!job->answer)
		return false;
	if (job->changed != seen->changed || job->nodes.count != seen->nodes.count)
		return true;
	for (size_t i = 0; i < seen->nodes.count; i++)
		if (strcmp(job->nodes.name[i], seen->nodes.name[i]) != 0)
			return true;
	return false;
}

int pact_malleable_look(struct pact_malleable *job)
{
	const char *argv[] = { NULL, "look", NULL, NULL };
	struct pact_malleable seen = { 0 };
	int rc = ask(job, argv, &seen.answer);

	if (!rc && !take_look(&seen)) {
		forget(&seen);
		rc = no_memory(job);
	}
	if (rc) {
		job->failed += job->failed < FAILED_MOST;
		return rc;
	}
	seen.resized = is_resized(job, &seen);
	forget(job);
	job->failed = 0;
	job->answer = seen.answer;
	job->nodes = seen.nodes;
	job->leave = seen.leave;
	job->batch = seen.batch;
	job->changed = seen.changed;
	job->resized = seen.resized;
	job->wish = seen.wish;
	return PACT_MALLEABLE_OK;
}

int64_t pact_malleable_pause(const struct pact_malleable *job)
{
	int64_t pause = job->notice / LOOKS_A_NOTICE;

	pause = (pause < 1 ? 1 : pause) << job->failed;
	return pause > PAUSE_MOST ? PAUSE_MOST : pause;
}

const char *const *pact_malleable_nodes(const struct pact_malleable *job)
{
	return job->nodes.name ? job->nodes.name : none;
}

int pact_malleable_resized(const struct pact_malleable *job)
{
	return job->resized;
}

const char *pact_malleable_batch_node(const struct pact_malleable *job)
{
	return job->batch;
}

const struct pact_malleable_wish *pact_malleable_wanted(const struct pact_malleable *job)
{
	if (job->wish.serial <= job->answered || !job->leave.count || !job->wish.leave)
		return NULL;
	return &job->wish;
}

/* The wish at hand has its answer, unless there was only no time for it. */
static int settle(struct pact_malleable *job, int rc)
{
	if (rc == PACT_MALLEABLE_OK || rc == PACT_MALLEABLE_REFUSED || rc == PACT_MALLEABLE_GONE)
		if (job->wish.serial > job->answered)
			job->answered = job->wish.serial;
	return rc;
}

int pact_malleable_give(struct pact_malleable *job, const char *nodes)
{
	const char *argv[] = { NULL, "give", NULL, nodes, NULL };
	char *answer;
	int rc;

	if (!wish_hosts(nodes))
		return fail(job, PACT_MALLEABLE_INVALID, "this is no list of nodes");
	rc = ask(job, argv, &answer);
	free(answer);
	return settle(job, rc);
}

int pact_malleable_refuse(struct pact_malleable *job)
{
	char serial[24];
	const char *argv[] = { NULL, "refuse", NULL, serial, NULL };
	char *answer;
	int rc;

	if (!pact_malleable_wanted(job))
		return PACT_MALLEABLE_OK;
	snprintf(serial, sizeof(serial), "%" PRId64, job->wish.serial);
	rc = ask(job, argv, &answer);
	free(answer);
	return settle(job, rc);
}

int pact_malleable_signal(struct pact_malleable *job, const char *nodes, const char *name,
			  int number, unsigned int *count)
{
	char text[16], *answer, *at, *key, *value;
	const char *argv[] = { NULL, "signal", NULL, text, nodes ? nodes : "", name ? name : "",
			       NULL };
	int rc;

	if (count)
		*count = 0;
	if ((nodes && !wish_hosts(nodes)) || number < 1 || number > 64)
		return fail(job, PACT_MALLEABLE_INVALID, "this is no list of nodes, or no signal");
	snprintf(text, sizeof(text), "%d", number);
	rc = ask(job, argv, &answer);
	if (rc)
		return rc;
	at = answer;
	while (next_line(&at, &key, &value))
		if (!strcmp(key, "count") && count)
			*count = (unsigned int)strtoul(value, NULL, 10);
	free(answer);
	return PACT_MALLEABLE_OK;
}

const char *pact_malleable_error(const struct pact_malleable *job)
{
	return job->error;
}

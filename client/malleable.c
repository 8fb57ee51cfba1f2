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

/* What of a wish is due when. */
struct dues {
	struct pact_malleable_due *due;
	size_t count;
};

struct pact_malleable {
	uint32_t id;
	int64_t notice;
	unsigned int failed; /* looks in a row */
	char *answer;	     /* to the latest look: what the names point into */
	struct names nodes, leave;
	struct dues dues;
	char *rest; /* what the wish's list points into, where some of it is answered; or NULL */
	const char *batch;
	int64_t changed; /* when its size did last, by its record */
	bool resized;
	struct pact_malleable_wish wish; /* serial 0: none */
	bool met;			 /* it was answered since the look */
	int64_t answered;		 /* the latest serial that was */
	int64_t part;	    /* the serial of which those that are due at these times were, */
	int64_t *part_by;   /* in no order, */
	size_t parts, room; /* so many, of so much room */
	char *signals;	    /* the answer to the latest signal: what the names point into */
	struct names signalled;
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

static bool dues_add(struct dues *dues, int64_t by, const char *leave)
{
	struct pact_malleable_due *more =
		realloc(dues->due, (dues->count + 1) * sizeof(*dues->due));

	if (!more)
		return false;
	dues->due = more;
	more[dues->count++] = (struct pact_malleable_due){ .by = by, .leave = leave };
	return true;
}

static void forget(struct pact_malleable *job)
{
	free(job->answer);
	free(job->nodes.name);
	free(job->leave.name);
	free(job->dues.due);
	free(job->rest);
	job->answer = job->rest = NULL;
	job->nodes = job->leave = (struct names){ 0 };
	job->dues = (struct dues){ 0 };
	job->met = false;
	job->batch = NULL;
	job->changed = 0;
	job->resized = false;
	job->wish = (struct pact_malleable_wish){ 0 };
}

static void forget_signals(struct pact_malleable *job)
{
	free(job->signals);
	free(job->signalled.name);
	job->signals = NULL;
	job->signalled = (struct names){ 0 };
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
	forget_signals(job);
	free(job->part_by);
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

/* "BY LIST": the names that follow are due then. */
static bool take_due(struct pact_malleable *seen, char *value)
{
	char *list = strchr(value, ' ');

	return dues_add(&seen->dues, strtoll(value, NULL, 10), list ? list + 1 : "");
}

static bool take_leave(struct pact_malleable *seen, const char *name)
{
	/* all at one time, if nothing else is said */
	if (!seen->dues.count && !dues_add(&seen->dues, seen->wish.by, seen->wish.leave))
		return false;
	seen->dues.due[seen->dues.count - 1].count++;
	return names_add(&seen->leave, name);
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
			ok = take_leave(seen, value);
		else if (!strcmp(key, "due"))
			ok = take_due(seen, value);
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
	return ok;
}

/* ---- of a wish that is answered in part, the rest ---- */

static bool is_answered(const struct pact_malleable *job, int64_t serial, int64_t by)
{
	for (size_t i = 0; serial == job->part && i < job->parts; i++)
		if (job->part_by[i] == by)
			return true;
	return false;
}

static bool join(struct pact_malleable *seen)
{
	size_t size = 1;
	char *at;

	for (size_t i = 0; i < seen->dues.count; i++)
		size += strlen(seen->dues.due[i].leave) + 1;
	at = seen->rest = malloc(size);
	if (!at)
		return false;
	*at = '\0';
	for (size_t i = 0; i < seen->dues.count; i++)
		at += sprintf(at, "%s%s", i ? "," : "", seen->dues.due[i].leave);
	seen->wish.leave = seen->rest;
	return true;
}

/* What is answered is left out of what was seen. */
static bool leave_out(const struct pact_malleable *job, struct pact_malleable *seen)
{
	struct names *leave = &seen->leave;
	struct dues *dues = &seen->dues;
	size_t from = 0, names = 0, kept = 0;

	for (size_t i = 0; i < dues->count; i++) {
		size_t count = dues->due[i].count;

		if (!is_answered(job, seen->wish.serial, dues->due[i].by)) {
			memmove(leave->name + names, leave->name + from,
				count * sizeof(*leave->name));
			names += count;
			dues->due[kept++] = dues->due[i];
		}
		from += count;
	}
	if (kept == dues->count)
		return true;
	leave->count = names;
	leave->name[names] = NULL;
	dues->count = kept;
	return !kept || join(seen);
}

/* The names are where they stay. */
static void fill_in(struct pact_malleable *seen)
{
	seen->wish.leaves = seen->leave.name;
	seen->wish.due = seen->dues.due;
	seen->wish.dues = seen->dues.count;
	if (seen->dues.count)
		seen->wish.by = seen->dues.due[0].by;
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

	if (!rc && !(take_look(&seen) && leave_out(job, &seen))) {
		forget(&seen);
		rc = no_memory(job);
	}
	if (rc) {
		job->failed += job->failed < FAILED_MOST;
		return rc;
	}
	seen.resized = is_resized(job, &seen);
	fill_in(&seen);
	forget(job);
	job->failed = 0;
	job->answer = seen.answer;
	job->nodes = seen.nodes;
	job->leave = seen.leave;
	job->dues = seen.dues;
	job->rest = seen.rest;
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
	if (job->met || job->wish.serial <= job->answered || !job->leave.count || !job->wish.leave)
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

/* Of that wish what is due then. */
static bool answer_part(struct pact_malleable *job, int64_t serial, int64_t by)
{
	if (job->part != serial)
		job->parts = 0;
	job->part = serial;
	if (is_answered(job, serial, by))
		return true;
	if (job->parts == job->room) {
		size_t room = job->room ? 2 * job->room : 8;
		int64_t *more = realloc(job->part_by, room * sizeof(*more));

		if (!more)
			return false;
		job->part_by = more;
		job->room = room;
	}
	job->part_by[job->parts++] = by;
	return true;
}

/*
 * Nodes were given back: that answers what is due when they were. Where that is not told nothing is: the next look has what is
 * wanted still, or a wish that was another one by then.
 */
static void settle_parts(struct pact_malleable *job, char *answer)
{
	char *at = answer, *key, *value;
	int64_t serial, by;

	while (next_line(&at, &key, &value)) {
		if (strcmp(key, "answered") != 0 ||
		    sscanf(value, "%" SCNd64 " %" SCNd64, &serial, &by) != 2 ||
		    serial != job->wish.serial)
			continue;
		if (!answer_part(job, serial, by)) {
			/* Rather the whole than again and again. */
			settle(job, PACT_MALLEABLE_OK);
			break;
		}
	}
	job->met = true;
}

int pact_malleable_give(struct pact_malleable *job, const char *nodes)
{
	const char *argv[] = { NULL, "give", NULL, nodes, NULL };
	char *answer;
	int rc;

	if (!wish_hosts(nodes))
		return fail(job, PACT_MALLEABLE_INVALID, "this is no list of nodes");
	rc = ask(job, argv, &answer);
	if (rc)
		return settle(job, rc);
	settle_parts(job, answer);
	free(answer);
	return rc;
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

/* How many steps were signalled, and where; false: out of memory. */
static bool take_signals(struct pact_malleable *job, unsigned int *count)
{
	char *at = job->signals, *key, *value;
	bool ok = true;

	while (ok && next_line(&at, &key, &value)) {
		if (!strcmp(key, "node"))
			ok = names_add(&job->signalled, value);
		else if (!strcmp(key, "count") && count)
			*count = (unsigned int)strtoul(value, NULL, 10);
	}
	return ok;
}

int pact_malleable_signal(struct pact_malleable *job, const char *nodes, const char *name,
			  int number, unsigned int *count)
{
	char text[16];
	const char *argv[] = { NULL, "signal", NULL, text, nodes ? nodes : "", name ? name : "",
			       NULL };
	int rc;

	if (count)
		*count = 0;
	forget_signals(job);
	if ((nodes && !wish_hosts(nodes)) || number < 1 || number > 64)
		return fail(job, PACT_MALLEABLE_INVALID, "this is no list of nodes, or no signal");
	snprintf(text, sizeof(text), "%d", number);
	rc = ask(job, argv, &job->signals);
	if (rc)
		return rc;
	if (take_signals(job, count))
		return PACT_MALLEABLE_OK;
	if (count)
		*count = 0;
	forget_signals(job);
	return no_memory(job);
}

const char *const *pact_malleable_signalled(const struct pact_malleable *job)
{
	return job->signalled.name ? job->signalled.name : none;
}

const char *pact_malleable_error(const struct pact_malleable *job)
{
	return job->error;
}

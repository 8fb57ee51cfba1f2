/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call.c - pact-malleable-call: one question of libpact-malleable's to Slurm, and its answer in lines
 *
 *	pact-malleable-call look JOB
 *	pact-malleable-call give JOB NODES
 *	pact-malleable-call refuse JOB SERIAL
 *	pact-malleable-call signal JOB SIGNAL NODES NAME	(NODES, NAME: "" for any)
 *
 * It is a program of its own because libslurm exits where it finds no configuration, and writes to the standard
 * error what slurmctld says; neither may happen to a program that only wants to know its nodes.
 *
 * Answer: lines of a key, a blank and a value, and "end" as the last one. A wish is a line "wish SERIAL WIDTH BY", the nodes
 * that the job has still of it as one "list" and, for each time at which some are due, the first one first, a line "due BY LIST"
 * and each of these nodes as a line "leave". What was given back answers what was due when that was: "answered SERIAL BY".
 * What went wrong is one line "error KIND TEXT", KIND one of invalid, again, gone, refused.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "client/wish.h"
#include "pactconfig.h"
#include "contrib/replay/words.h"

#define TEXT_MOST (16 * 1024 * 1024)

static struct words *words;
static bool answered;

/* libslurm's fatal() leaves by exit(): the answer says what it said. */
static void at_exit(void)
{
	const char *said = answered ? "" : words_end(words);

	if (!answered)
		printf("error again %s\nend\n", *said ? said : "libslurm gave up");
}

static int answer_end(void)
{
	answered = true;
	printf("end\n");
	return fflush(stdout) ? 1 : 0;
}

static int answer_error(const char *kind, const char *text)
{
	printf("error %s %s\n", kind, text);
	return answer_end();
}

/* Is this what another attempt may not meet? */
static const char *kind_of(int err)
{
	switch (err) {
	case ESLURM_INVALID_JOB_ID:
	case ESLURM_ALREADY_DONE:
	case ESLURM_JOB_NOT_RUNNING:
		return "gone";
	case ESLURM_INVALID_NODE_NAME:
	case ESLURM_NOT_SUPPORTED:
	case ESLURM_DISABLED:
	case ESLURM_USER_ID_MISSING:
	case ESLURM_ACCESS_DENIED:
		return "refused";
	default:
		return "again";
	}
}

/* What Slurm said of a call that failed, as the answer. */
static int answer_slurm(int err)
{
	const char *said = words_end(words);
	char text[4096];

	snprintf(text, sizeof(text), "%s%s%s", slurm_strerror(err), *said ? ": " : "", said);
	return answer_error(kind_of(err), text);
}

/* The names of a hostlist, a line each. */
static void print_names(const char *key, struct hostlist *names)
{
	char *name;

	while (names && (name = slurm_hostlist_shift(names))) {
		printf("%s %s\n", key, name);
		free(name);
	}
}

/* A hostlist as text, to be free()d. NULL: out of memory. */
static char *ranged(struct hostlist *list)
{
	size_t size = 4096;
	char *text = malloc(size);

	/* It has a length, or -1 where the buffer is too short. */
	while (text && slurm_hostlist_ranged_string(list, size, text) < 0) {
		char *more = size < TEXT_MOST ? realloc(text, size *= 2) : NULL;

		if (!more)
			free(text);
		text = more;
	}
	return text;
}

/* What is wanted of the job's nodes by one time. */
struct due {
	int64_t by;
	struct hostlist *list;
};

#define DUES (1 + WISH_LATER_MOST)

struct dues {
	struct due due[DUES]; /* the first due first; some are empty */
	struct hostlist *all;
};

/* The one that a node is due by: the first where nothing else is said. */
static size_t due_of(struct hostlist *const *later, size_t laters, const char *name)
{
	for (size_t i = 0; i < laters; i++)
		if (later[i] && slurm_hostlist_find(later[i], name) >= 0)
			return i + 1;
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct due *x = a, *y = b;

	return (x->by > y->by) - (x->by < y->by);
}

static void release(struct hostlist *list)
{
	if (list)
		slurm_hostlist_destroy(list);
}

static void release_dues(struct dues *dues)
{
	for (size_t i = 0; i < DUES; i++)
		release(dues->due[i].list);
	release(dues->all);
}

/* Of a wish what the job has still, by when it is due; to be released. */
static void find_due(const struct wish *wish, struct hostlist *mine, struct dues *out)
{
	struct hostlist *names = slurm_hostlist_create(wish->leave), *later[WISH_LATER_MOST];
	char *name;

	out->all = slurm_hostlist_create("");
	out->due[0] = (struct due){ wish->by, slurm_hostlist_create("") };
	for (size_t i = 0; i < WISH_LATER_MOST; i++) {
		bool is = i < wish->laters;

		later[i] = is ? slurm_hostlist_create(wish->later[i].nodes) : NULL;
		out->due[i + 1] = (struct due){ is ? wish->later[i].by : INT64_MAX,
						slurm_hostlist_create("") };
	}
	while (names && (name = slurm_hostlist_shift(names))) {
		struct hostlist *to = out->due[due_of(later, wish->laters, name)].list;

		if (to && out->all && slurm_hostlist_find(mine, name) >= 0) {
			slurm_hostlist_push_host(to, name);
			slurm_hostlist_push_host(out->all, name);
		}
		free(name);
	}
	for (size_t i = 0; i < WISH_LATER_MOST; i++)
		release(later[i]);
	release(names);
	qsort(out->due, DUES, sizeof(out->due[0]), by_time);
}

static bool is_due(const struct due *due)
{
	return due->list && slurm_hostlist_count(due->list) > 0;
}

/* When the first of them is. */
static int64_t first_due(const struct dues *dues, int64_t otherwise)
{
	for (size_t i = 0; i < DUES; i++)
		if (is_due(&dues->due[i]))
			return dues->due[i].by;
	return otherwise;
}

/* As short as Slurm writes it. */
static void print_list(const char *key, struct hostlist *list)
{
	char *text = list ? ranged(list) : NULL;

	if (text && *text)
		printf("%s %s\n", key, text);
	free(text);
}

/* What is wanted of the job's nodes: as one list, and for each time as one and a name each. */
static void print_wish(const struct wish *wish, struct hostlist *mine)
{
	struct dues dues;
	char key[40];

	find_due(wish, mine, &dues);
	printf("wish %" PRId64 " %" PRId64 " %" PRId64 "\n", wish->serial, wish->width,
	       first_due(&dues, wish->by));
	print_list("list", dues.all);
	for (size_t i = 0; i < DUES; i++) {
		if (!is_due(&dues.due[i]))
			continue;
		snprintf(key, sizeof(key), "due %" PRId64, dues.due[i].by);
		print_list(key, dues.due[i].list);
		print_names("leave", dues.due[i].list);
	}
	release_dues(&dues);
}

static bool runs(const slurm_job_info_t *job)
{
	uint32_t state = job->job_state & JOB_STATE_BASE;

	return (state == JOB_RUNNING || state == JOB_SUSPENDED) && job->nodes && *job->nodes;
}

/* The job as it is, alone in *out; false: the answer has been given, *rc is the exit code. */
static bool load(uint32_t id, job_info_msg_t **out, int *rc)
{
	bool there;

	words_begin(words);
	if (slurm_load_job(out, id, SHOW_ALL) != SLURM_SUCCESS) {
		*rc = answer_slurm(errno);
		return false;
	}
	words_end(words);
	there = (*out)->record_count == 1 && runs(&(*out)->job_array[0]);
	if (!there) {
		slurm_free_job_info_msg(*out);
		*rc = answer_error("gone", "the job does not run");
	}
	return there;
}

static void print_nodes(const char *nodes)
{
	struct hostlist *names = slurm_hostlist_create(nodes);

	print_names("node", names);
	if (names)
		slurm_hostlist_destroy(names);
}

static int look(uint32_t id)
{
	job_info_msg_t *msg;
	const slurm_job_info_t *job;
	struct hostlist *mine;
	struct wish wish;
	int rc;

	if (!load(id, &msg, &rc))
		return rc;
	job = &msg->job_array[0];
	mine = slurm_hostlist_create(job->nodes);
	print_nodes(job->nodes);
	printf("resized %" PRId64 "\n", (int64_t)job->resize_time);
	if (job->batch_flag && job->batch_host)
		printf("batch %s\n", job->batch_host);
	if (wish_parse(job->admin_comment, &wish) == WISH_OK && *wish.leave)
		print_wish(&wish, mine);
	wish_clear(&wish);
	slurm_hostlist_destroy(mine);
	slurm_free_job_info_msg(msg);
	return answer_end();
}

/* What stays of the job's nodes, a hostlist to be free()d; the count of both. NULL: `leave` is no list. */
static char *rest_of(const slurm_job_info_t *job, const char *leave, int *stay, int *go)
{
	struct hostlist *goes = wish_hosts(leave) ? slurm_hostlist_create(leave) : NULL;
	struct hostlist *all = slurm_hostlist_create(job->nodes), *rest = slurm_hostlist_create("");
	char *name, *text = NULL;

	*stay = *go = 0;
	while (goes && rest && all && (name = slurm_hostlist_shift(all))) {
		if (slurm_hostlist_find(goes, name) >= 0) {
			(*go)++;
		} else {
			(*stay)++;
			slurm_hostlist_push_host(rest, name);
		}
		free(name);
	}
	if (goes && rest)
		text = ranged(rest);
	if (goes)
		slurm_hostlist_destroy(goes);
	if (all)
		slurm_hostlist_destroy(all);
	if (rest)
		slurm_hostlist_destroy(rest);
	return text;
}

/* false: the answer has been given, *rc is the exit code. */
static bool update(uint32_t id, char *nodes, char *comment, int *rc)
{
	job_desc_msg_t desc;

	slurm_init_job_desc_msg(&desc);
	desc.job_id = id;
	desc.req_nodes = nodes;
	desc.comment = comment;
	words_begin(words);
	if (slurm_update_job(&desc) != SLURM_SUCCESS) {
		*rc = answer_slurm(errno);
		return false;
	}
	words_end(words);
	return true;
}

/* Does a hostlist have the name? */
static bool has(const char *list, const char *name)
{
	struct hostlist *names = slurm_hostlist_create(list);
	bool found = names && slurm_hostlist_find(names, name) >= 0;

	if (names)
		slurm_hostlist_destroy(names);
	return found;
}

/* Does a list of nodes have any of another one, which is emptied? */
static bool has_any(struct hostlist *of, struct hostlist *names)
{
	bool any = false;
	char *name;

	while ((name = slurm_hostlist_shift(names))) {
		any |= slurm_hostlist_find(of, name) >= 0;
		free(name);
	}
	return any;
}

/* What a giving back of these nodes answers of the wish, those among them that the job had lost before, too. */
static void print_answered(const slurm_job_info_t *job, const char *leave)
{
	struct hostlist *goes = slurm_hostlist_create(leave),
			*mine = slurm_hostlist_create(job->nodes);
	struct dues dues;
	struct wish wish;

	if (goes && mine && slurm_hostlist_push(mine, leave) >= 0 &&
	    wish_parse(job->admin_comment, &wish) == WISH_OK) {
		find_due(&wish, mine, &dues);
		for (size_t i = 0; i < DUES; i++)
			if (is_due(&dues.due[i]) && has_any(goes, dues.due[i].list))
				printf("answered %" PRId64 " %" PRId64 "\n", wish.serial,
				       dues.due[i].by);
		release_dues(&dues);
		wish_clear(&wish);
	}
	release(goes);
	release(mine);
}

static int give(uint32_t id, const char *leave)
{
	job_info_msg_t *msg;
	int rc, stay, go;
	char *rest, text[512];

	if (!load(id, &msg, &rc))
		return rc;
	rest = rest_of(&msg->job_array[0], leave, &stay, &go);
	if (!rest) {
		rc = answer_error("invalid", "this is no list of nodes");
	} else if (go && !stay) {
		rc = answer_error("invalid", "a job cannot give all its nodes back");
	} else if (go && msg->job_array[0].batch_flag && msg->job_array[0].batch_host &&
		   !has(rest, msg->job_array[0].batch_host)) {
		snprintf(text, sizeof(text),
			 "the batch script runs on %s, which cannot be given back",
			 msg->job_array[0].batch_host);
		rc = answer_error("invalid", text);
	} else if (!go || update(id, rest, NULL, &rc)) {
		print_answered(&msg->job_array[0], leave);
		rc = answer_end();
	}
	free(rest);
	slurm_free_job_info_msg(msg);
	return rc;
}

static int refuse(uint32_t id, const char *serial)
{
	char comment[WISH_ANSWER_MAX];
	int rc;

	wish_refusal_format(strtoll(serial, NULL, 10), comment);
	return update(id, NULL, comment, &rc) ? answer_end() : rc;
}

/* Are all nodes of the step among these, and has it that name? "" is any. */
static bool is_meant(const job_step_info_t *step, const char *nodes, const char *name)
{
	struct hostlist *all, *some;
	bool within = true;
	char *node;

	if (step->step_id.step_id > SLURM_MAX_NORMAL_STEP_ID)
		return false; /* of the batch script or Slurm's own */
	if (*name && (!step->name || strcmp(step->name, name) != 0))
		return false;
	if (!*nodes)
		return true;
	if (!step->nodes || !*step->nodes)
		return false;
	all = slurm_hostlist_create(step->nodes);
	some = slurm_hostlist_create(nodes);
	while (all && some && (node = slurm_hostlist_shift(all))) {
		within = within && slurm_hostlist_find(some, node) >= 0;
		free(node);
	}
	within = within && all && some;
	if (all)
		slurm_hostlist_destroy(all);
	if (some)
		slurm_hostlist_destroy(some);
	return within;
}

/* By slurmctld, which asks the step's nodes: slurm_signal_job_step() asks all nodes of the job. */
static bool signal_step(uint32_t id, uint32_t step, uint16_t number)
{
#ifdef KILL_JOB_STEP_HAS_FLAGS
	return slurm_kill_job_step(id, step, number, 0) == SLURM_SUCCESS;
#else
	return slurm_kill_job_step(id, step, number) == SLURM_SUCCESS;
#endif
}

static int send_signal(uint32_t id, uint32_t number, const char *nodes, const char *name)
{
	job_step_info_response_msg_t *msg;
	unsigned int count = 0;

	if (*nodes && !wish_hosts(nodes))
		return answer_error("invalid", "this is no list of nodes");
	words_begin(words);
	if (slurm_get_job_steps(0, id, NO_VAL, &msg, SHOW_ALL) != SLURM_SUCCESS)
		return answer_slurm(errno);
	/* A step that has ended meanwhile is no error. */
	for (uint32_t i = 0; i < msg->job_step_count; i++)
		if (is_meant(&msg->job_steps[i], nodes, name) &&
		    signal_step(id, msg->job_steps[i].step_id.step_id, (uint16_t)number)) {
			count++;
			print_nodes(msg->job_steps[i].nodes);
		}
	words_end(words);
	slurm_free_job_step_info_response_msg(msg);
	printf("count %u\n", count);
	return answer_end();
}

int main(int argc, char **argv)
{
	uint32_t id = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;

	words = words_create();
	if (!words || !id)
		return 1;
	atexit(at_exit);
	words_begin(words);
	slurm_init(NULL);
	words_end(words);
	if (!strcmp(argv[1], "look") && argc == 3)
		return look(id);
	if (!strcmp(argv[1], "give") && argc == 4)
		return give(id, argv[3]);
	if (!strcmp(argv[1], "refuse") && argc == 4)
		return refuse(id, argv[3]);
	if (!strcmp(argv[1], "signal") && argc == 6)
		return send_signal(id, (uint32_t)strtoul(argv[3], NULL, 10), argv[4], argv[5]);
	return answer_error("invalid", "no such question");
}

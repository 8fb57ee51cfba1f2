/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reports.c - what the nodes' daemons (pactd) tell: the latest report of each node
 *
 * Nodes are found by name in a tree of libc's.  Who may report is root of the
 * cluster: what such a sender could fill is bounded all the same.
 */
#define _GNU_SOURCE /* tdestroy() */

#include "slurm/nodes/reports.h"
#include "slurm/nodes/reports_own.h"

#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Nodes that are remembered, and jobs of each. */
#define NODES_MOST 100000
#define JOBS_MOST 4096
/* Seconds for which a job may be told of that no snapshot shows yet, or any more. */
#define UNKNOWN_FOR 60

struct told {
	struct node_report report;
	int64_t *since; /* of each of its jobs, when it was told of first */
	int64_t at;	/* when it came: monotonic seconds */
	bool taken;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *nodes; /* of struct told */
static size_t nnodes;
static uint32_t interval = 30;
static bool came;
static struct reports_job *running;
static size_t nrunning;
static reports_terms *write_terms;
static int64_t running_at; /* 0: no snapshot has said which */

static int64_t seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec;
}

static int by_name(const void *a, const void *b)
{
	const struct told *x = a, *y = b;

	return strcmp(x->report.node, y->report.node);
}

static struct told *find(const char *node)
{
	struct told key, **found;

	if (strlen(node) >= sizeof(key.report.node))
		return NULL;
	strcpy(key.report.node, node);
	found = tfind(&key, &nodes, by_name);
	return found ? *found : NULL;
}

static void told_free(void *arg)
{
	struct told *told = arg;

	report_release(&told->report);
	free(told->since);
	free(told);
}

/* ---- reports that come ---- */

/* Since when a job is told of, where it was before. */
static int64_t told_since(const struct told *before, const struct report_job *job, int64_t now)
{
	for (size_t i = 0; before && i < before->report.n; i++)
		if (before->report.job[i].id == job->id &&
		    before->report.job[i].submit == job->submit)
			return before->since[i];
	return now;
}

/* An older one of the same daemon may come by another connection. */
static bool is_stale(const struct told *before, const struct node_report *report)
{
	return before && !strcmp(before->report.boot, report->boot) &&
	       report->count <= before->report.count;
}

/* It takes the report over; NULL: it is not to be kept. */
static struct told *keep(struct node_report *report)
{
	struct told *before = find(report->node), *told;

	if (is_stale(before, report) || (!before && nnodes >= NODES_MOST))
		return NULL;
	told = calloc(1, sizeof(*told));
	if (told)
		told->since = calloc(report->n + 1, sizeof(*told->since));
	if (!told || !told->since) {
		free(told);
		return NULL;
	}
	for (size_t i = 0; i < report->n; i++)
		told->since[i] = told_since(before, &report->job[i], (int64_t)time(NULL));
	told->report = *report;
	told->at = seconds();
	if (before) {
		tdelete(before, &nodes, by_name);
		told_free(before);
		nnodes--;
	}
	if (!tsearch(told, &nodes, by_name)) {
		free(told->since);
		free(told);
		return NULL;
	}
	nnodes++;
	*report = (struct node_report){ 0 };
	came = true;
	return told;
}

static int by_id(const void *a, const void *b)
{
	const struct reports_job *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/* NULL: it does not run. */
static const struct reports_job *find_running(const struct report_job *job)
{
	struct reports_job key = { .id = job->id };
	const struct reports_job *found =
		nrunning ? bsearch(&key, running, nrunning, sizeof(*running), by_id) : NULL;

	return found && found->submit == job->submit ? found : NULL;
}

/* Those that the node has and that do not run any more. */
static void find_gone(const struct told *told, struct node_answer *answer)
{
	answer->gone = calloc(told->report.n + 1, sizeof(*answer->gone));
	for (size_t i = 0; answer->gone && running_at && i < told->report.n; i++) {
		const struct report_job *job = &told->report.job[i];

		if (!find_running(job) && told->since[i] + UNKNOWN_FOR < running_at)
			answer->gone[answer->n_gone++] = job->id;
	}
}

/* As a node has it. */
static int64_t within(int64_t time)
{
	return time < REPORT_TIME_MOST ? time : REPORT_TIME_MOST;
}

static bool goes_by(const struct report_job *job, const struct reports_job *is)
{
	return job->deadline == within(is->due) && job->estimate == within(is->estimate) &&
	       job->takes == is->takes && !strcmp(job->rule, is->rule);
}

/* Those that the node gives shares by other terms than are in force. */
static void find_changed(const struct told *told, struct node_answer *answer)
{
	for (size_t i = 0; i < told->report.n; i++) {
		const struct report_job *job = &told->report.job[i];
		const struct reports_job *is = find_running(job);
		struct answer_job *out;

		if (!is || goes_by(job, is))
			continue;
		if (!answer->job)
			answer->job = calloc(told->report.n - i, sizeof(*answer->job));
		if (!answer->job)
			return;
		out = &answer->job[answer->n++];
		*out = (struct answer_job){ .id = job->id, .submit = job->submit };
		write_terms(is, out->terms);
	}
}

char *reports_answer(const char *text, size_t len, char *why, size_t size)
{
	struct node_answer answer = { 0 };
	struct node_report report;
	struct told *told;
	char *out;

	if (!report_read(text, len, &report, why, size))
		return NULL;
	if (report.n > JOBS_MOST) {
		snprintf(why, size, "%zu jobs on one node", report.n);
		report_release(&report);
		return NULL;
	}
	pthread_mutex_lock(&lock);
	answer.interval = interval;
	told = keep(&report);
	if (told) {
		find_gone(told, &answer);
		find_changed(told, &answer);
	}
	pthread_mutex_unlock(&lock);
	out = answer_write(&answer);
	answer_release(&answer);
	report_release(&report);
	return out;
}

/* ---- what is asked for ---- */

void reports_use(uint32_t seconds_between)
{
	pthread_mutex_lock(&lock);
	interval = seconds_between;
	pthread_mutex_unlock(&lock);
}

void reports_forget(void)
{
	pthread_mutex_lock(&lock);
	tdestroy(nodes, told_free);
	nodes = NULL;
	nnodes = 0;
	came = false;
	free(running);
	running = NULL;
	nrunning = 0;
	running_at = 0;
	pthread_mutex_unlock(&lock);
}

bool reports_came(void)
{
	bool any;

	pthread_mutex_lock(&lock);
	any = came;
	came = false;
	pthread_mutex_unlock(&lock);
	return any;
}

/* A copy of its jobs; none where memory is short: the next report has them again. */
static void copy_jobs(struct told *told, struct reports_node *out)
{
	size_t n = told->report.n;

	out->jobs = n ? malloc(n * sizeof(*out->jobs)) : NULL;
	if (!out->jobs)
		return;
	memcpy(out->jobs, told->report.job, n * sizeof(*out->jobs));
	out->njobs = n;
}

void reports_take(const char *node, bool again, struct reports_node *out)
{
	struct told *told;

	*out = (struct reports_node){ 0 };
	pthread_mutex_lock(&lock);
	told = find(node);
	if (told) {
		out->heard = seconds() - told->at <= REPORTS_MISSED * (int64_t)interval;
		out->rating = told->report.rating;
		memcpy(out->lacks, told->report.lacks, sizeof(out->lacks));
		if (again || !told->taken)
			copy_jobs(told, out);
		told->taken = true;
	}
	pthread_mutex_unlock(&lock);
}

void reports_running(struct reports_job *jobs, size_t n, int64_t taken, reports_terms *terms)
{
	if (n)
		qsort(jobs, n, sizeof(*jobs), by_id);
	pthread_mutex_lock(&lock);
	free(running);
	running = jobs;
	nrunning = n;
	running_at = taken;
	write_terms = terms;
	pthread_mutex_unlock(&lock);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ref_malleable_main: runs jobs of the model "malleable" through the plain strategies of ref_malleable, for
 * comparison with the paper's tables and with the core's.
 *
 *	ref_malleable [--each] STRATEGY JOBS SEED [KEY=VALUE...]
 *
 * STRATEGY is uniform, profit or lazy; keys are the model's, on 64 nodes. A line of figures, times in seconds:
 * jobs, accepted, mean response over all jobs (those refused count as 0), over the accepted ones, utilisation
 * (allocated processor time between first submission and last end) in percent, profit, accepted jobs that end
 * past their deadline, deferred, forced. With --each before it a line for each time that a job's width changes
 * and for each job, times in ticks: "width TICK JOB WIDTH", "job JOB START END PAYOFF" (millionths; -1 -1: it was refused).
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"
#include "core/sched.h"
#include "sim/models/model.h"
#include "sim/workload/curve.h"
#include "testsuite/unit/ref_malleable.h"

#define NODES 64

struct figures {
	size_t accepted, late, deferred, forced;
	double response, profit, area;
	int64_t last;
};

static int fail(const char *what, const char *why)
{
	fprintf(stderr, "ref_malleable: %s: %s\n", what, why);
	return EXIT_FAILURE;
}

/* A table of speeds for ref_malleable, one for each curve; it lives as long as the program. */
static const int64_t *rates(const struct list64 *s)
{
	static int64_t linear[NODES + 1], table[NODES + 1];
	int64_t *rate = s == &curve_linear ? linear : table;

	for (int32_t i = 1; !rate[NODES] && i <= NODES; i++)
		rate[i] = speedup_rate(s, i);
	return rate;
}

static int make_jobs(struct model *m, struct ref_malleable_job *job, size_t n)
{
	struct sim_job from;

	for (size_t i = 0; i < n; i++) {
		if (model_next(m, &from))
			return fail("model", "jobs beyond the end of time");
		job[i].submit = from.submit;
		job[i].least = from.width;
		job[i].most = from.most ? from.most : from.width;
		job[i].rate = rates(from.speedup);
		job[i].work = (ref_work)from.runtime * job[i].rate[from.width];
		job[i].deadline = from.submit + from.deadline;
		job[i].value = from.value;
	}
	return EXIT_SUCCESS;
}

static void print_width(void *arg, int64_t now, size_t job, int width)
{
	(void)arg;
	printf("width %" PRId64 " %zu %d\n", now, job + 1, width);
}

static struct figures count(const struct ref_malleable_job *job, size_t n, bool deadlines)
{
	struct figures f = { 0 };

	for (size_t i = 0; i < n; i++) {
		const struct ref_malleable_job *j = &job[i];

		if (j->state != REF_ENDED)
			continue;
		f.accepted++;
		f.late += deadlines && j->end > j->deadline;
		f.deferred += j->deferred;
		f.forced += j->forced;
		f.response += (double)(j->end - j->submit);
		f.profit += (double)j->payoff / 1e6;
		f.area += (double)j->area;
		f.last = j->end > f.last ? j->end : f.last;
	}
	return f;
}

static int run(const struct ref_malleable_setup *c, struct model *m, size_t n, double ticks,
	       bool each)
{
	struct ref_malleable_job *job = calloc(n, sizeof(*job));
	struct figures f;

	if (!job || make_jobs(m, job, n)) {
		free(job);
		return EXIT_FAILURE;
	}
	if (ref_malleable_run(c, job, n)) {
		free(job);
		return fail("jobs", "they cannot be run");
	}
	for (size_t i = 0; each && i < n; i++)
		printf("job %zu %" PRId64 " %" PRId64 " %" PRId64 "\n", i + 1, job[i].start,
		       job[i].end, job[i].payoff);
	f = count(job, n, c->strategy != REF_UNIFORM);
	printf("%zu %zu %.2f %.2f %.2f %.0f %zu %zu %zu\n", n, f.accepted,
	       f.response / ticks / (double)n,
	       f.accepted ? f.response / ticks / (double)f.accepted : 0,
	       100 * f.area / NODES / (double)(f.last - job[0].submit), f.profit, f.late,
	       f.deferred, f.forced);
	free(job);
	return EXIT_SUCCESS;
}

static int find_strategy(const char *name, enum ref_malleable_strategy *s)
{
	static const char *const names[] = { "uniform", "profit", "lazy" };

	for (int i = 0; i < 3; i++) {
		if (!strcmp(names[i], name)) {
			*s = (enum ref_malleable_strategy)i;
			return EXIT_SUCCESS;
		}
	}
	return fail(name, "uniform, profit or lazy wanted");
}

static int set_model(struct model *m, int argc, char **argv, double *ticks)
{
	char why[256] = "", key[64];

	for (int i = 0; i < argc; i++) {
		char *value = strchr(argv[i], '=');

		if (!value || value - argv[i] >= (int)sizeof(key))
			return fail(argv[i], "KEY=VALUE wanted");
		snprintf(key, sizeof(key), "%.*s", (int)(value - argv[i]), argv[i]);
		if (model_set(m, key, value + 1, why, sizeof(why)))
			return fail("model", why);
		if (!strcmp(key, "ticks"))
			*ticks = atof(value + 1);
	}
	return model_begin(m, why, sizeof(why)) ? fail("model", why) : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	bool each = argc > 1 && !strcmp(argv[1], "--each");
	struct ref_malleable_setup c = { .nodes = NODES, .resized = each ? print_width : NULL };
	char **word = argv + 1 + each, why[256] = "";
	int words = argc - 1 - each, rc;
	int64_t n, seed;
	double ticks = 1000;
	struct model *m;

	if (words < 3 || !number_int(word[1], &n) || n < 1 || !number_int(word[2], &seed))
		return fail("usage", "[--each] STRATEGY JOBS SEED [KEY=VALUE...]");
	if (find_strategy(word[0], &c.strategy))
		return EXIT_FAILURE;
	m = model_create("malleable", NODES, (uint64_t)seed, why, sizeof(why));
	if (!m)
		return fail("model", why);
	rc = set_model(m, words - 3, word + 3, &ticks);
	if (!rc)
		rc = run(&c, m, (size_t)n, ticks, each);
	model_destroy(m);
	return rc;
}

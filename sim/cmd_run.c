/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pact-sim run: workload in, schedule checked, figures out. See pact-sim(1). */
#include "sim/cmd.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "core/sched.h"
#include "sim/deadlines.h"
#include "sim/model.h"
#include "sim/number.h"
#include "sim/report.h"
#include "sim/settings.h"
#include "sim/simulate.h"
#include "sim/swf.h"
#include "sim/validate.h"
#include "sim/why.h"

#define MODEL_JOBS 1000
#define MAX_SETTINGS 64
#define MAX_MESSAGES 10

struct run {
	const char *trace, *model, *scheduler, *json, *csv;
	char *setting[MAX_SETTINGS];
	size_t nsettings;
	int64_t nodes;	     /* 0: not given */
	size_t first, count; /* count 0: all */
	bool exact, quiet;
	uint64_t seed;
	struct deadlines deadlines;
	struct sched_config config;

	struct workload w;
	struct sim_outcome *out;
	struct report report;
	int64_t progress_shown; /* nanoseconds */
	uint64_t messages;
	char why[512];
};

static const char help[] =
	"usage: pact-sim run --trace FILE | --model NAME --nodes N [OPTIONS]\n"
	"\n"
	"Runs a workload through a scheduler in virtual time, checks the schedule with an\n"
	"independent validator and prints figures.\n"
	"\n"
	"What to run\n"
	"  --trace FILE          a log in the Standard Workload Format, plain or gzip\n"
	"  --model NAME          a model instead: poisson\n"
	"  --nodes N             machine size; default: the log's MaxProcs, else MaxNodes\n"
	"  --jobs FIRST:COUNT    only these jobs, counted from 1 in submission order\n"
	"                        (a model without it makes 1000)\n"
	"  --estimates log|exact estimates as in the log (default), or equal to the runtimes\n"
	"  --deadlines none | stringency:S,fraction:P[,relax:R][,slack:T]\n"
	"                        who has a deadline (a share P of the jobs), how tight (S from\n"
	"                        0 to 1), R for the others' artificial deadlines, and seconds\n"
	"                        more for every deadline\n"
	"  --seed N              default 1; the same seed gives the same run on any machine\n"
	"\n"
	"How to run it\n"
	"  --scheduler NAME      fcfs, easy, conservative or qops (default)\n"
	"  --mode paper|slurm    paper (default): the heuristic orders all jobs; slurm:\n"
	"                        priority does, promised jobs keep their places\n"
	"  --guard SECONDS       added to every estimate in the plan (default 0)\n"
	"  --set KEY=VALUE ...   Order=edf|llf KFactor=N Relaxation=R MinArtificialDeadline=S\n"
	"                        Lateness=S Admission=qops|none; for a model: model.load=0.8 ...\n"
	"\n"
	"What to say\n"
	"  --json FILE           the figures as JSON (- for standard output)\n"
	"  --jobs-csv FILE       a line per job\n"
	"  --quiet               no text report, no progress\n"
	"\n"
	"Examples\n"
	"  pact-sim run --trace SDSC-SP2.swf.gz --scheduler easy\n"
	"  pact-sim run --trace SDSC-SP2.swf.gz --jobs 1:5000 --estimates exact \\\n"
	"      --scheduler qops --deadlines stringency:0.2,fraction:1 --set KFactor=10\n"
	"  pact-sim run --model poisson --nodes 64 --set model.load=1.2 --jobs 1:300 \\\n"
	"      --scheduler qops --deadlines stringency:0.2,fraction:0.5 --jobs-csv jobs.csv\n"
	"\n"
	"Exit: 0, 1 usage, 2 bad input, 3 the schedule is invalid or a promise was broken,\n"
	"4 cannot write, 10 and up: an error inside the scheduler.\n";

static int64_t nanoseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int usage_error(const char *option, const char *value, const char *what)
{
	fprintf(stderr, "pact-sim run: %s %s: %s; see pact-sim run --help\n", option, value, what);
	return EXIT_USAGE;
}

/* FIRST:COUNT, both at least 1. */
static bool parse_jobs(struct run *r, const char *text)
{
	char copy[64], *colon;
	uint64_t first, count;

	if (strlen(text) >= sizeof(copy))
		return false;
	strcpy(copy, text);
	colon = strchr(copy, ':');
	if (!colon)
		return false;
	*colon++ = '\0';
	if (!number_unsigned(copy, &first) || !number_unsigned(colon, &count) || !first || !count)
		return false;
	r->first = first;
	r->count = count;
	return true;
}

/* A scheduler's key goes into the configuration at once, a model's waits for the model. */
static int take_setting(struct run *r, char *text)
{
	char *value = strchr(text, '=');
	int err;

	if (!value)
		return usage_error("--set", text, "not KEY=VALUE");
	if (!strncmp(text, "model.", 6)) {
		if (r->nsettings == MAX_SETTINGS)
			return usage_error("--set", text, "too many settings");
		r->setting[r->nsettings++] = text + 6;
		return EXIT_OK;
	}
	*value++ = '\0';
	err = settings_apply(&r->config, text, value, r->why, sizeof(r->why));
	if (!err)
		return EXIT_OK;
	fprintf(stderr, "pact-sim run: --set %s; see pact-sim run --help\n", r->why);
	return EXIT_USAGE;
}

/* An option that is a scheduler's setting too. */
static int take_config(struct run *r, const char *key, const char *value)
{
	if (!settings_apply(&r->config, key, value, r->why, sizeof(r->why)))
		return EXIT_OK;
	fprintf(stderr, "pact-sim run: %s; see pact-sim run --help\n", r->why);
	return EXIT_USAGE;
}

static int take_deadlines(struct run *r, const char *text)
{
	if (deadlines_parse(text, &r->deadlines, r->why, sizeof(r->why))) {
		fprintf(stderr, "pact-sim run: %s\n", r->why);
		return EXIT_USAGE;
	}
	if (r->deadlines.relax_micro >= 0) {
		if (r->deadlines.relax_micro % 1000)
			return usage_error("--deadlines", text, "relax has more than 3 decimals");
		r->config.relax_milli = r->deadlines.relax_micro / 1000;
	}
	return EXIT_OK;
}

static const struct option options[] = {
	{ "trace", required_argument, NULL, 't' },
	{ "model", required_argument, NULL, 'm' },
	{ "nodes", required_argument, NULL, 'n' },
	{ "scheduler", required_argument, NULL, 's' },
	{ "set", required_argument, NULL, 'S' },
	{ "jobs", required_argument, NULL, 'j' },
	{ "estimates", required_argument, NULL, 'e' },
	{ "deadlines", required_argument, NULL, 'd' },
	{ "mode", required_argument, NULL, 'M' },
	{ "guard", required_argument, NULL, 'g' },
	{ "seed", required_argument, NULL, 'r' },
	{ "json", required_argument, NULL, 'J' },
	{ "jobs-csv", required_argument, NULL, 'C' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static int take_option(struct run *r, int c, char *value)
{
	switch (c) {
	case 't':
		r->trace = value;
		break;
	case 'm':
		r->model = value;
		break;
	case 'n':
		if (!number_int(value, &r->nodes) || r->nodes < 1 || r->nodes > INT32_MAX)
			return usage_error("--nodes", value, "not a number of nodes");
		break;
	case 's':
		r->scheduler = value;
		break;
	case 'S':
		return take_setting(r, value);
	case 'j':
		if (!parse_jobs(r, value))
			return usage_error("--jobs", value, "not FIRST:COUNT, both from 1");
		break;
	case 'e':
		r->exact = !strcmp(value, "exact");
		if (!r->exact && strcmp(value, "log") != 0)
			return usage_error("--estimates", value, "log or exact wanted");
		break;
	case 'd':
		return take_deadlines(r, value);
	case 'M':
		return take_config(r, "Mode", value);
	case 'g':
		return take_config(r, "Guard", value);
	case 'r':
		if (!number_unsigned(value, &r->seed) || r->seed > INT64_MAX)
			return usage_error("--seed", value, "not a whole number from 0 to 2^63-1");
		break;
	case 'J':
		r->json = value;
		break;
	case 'C':
		r->csv = value;
		break;
	case 'q':
		r->quiet = true;
		break;
	default:
		return EXIT_USAGE;
	}
	return EXIT_OK;
}

static bool known_scheduler(const char *name)
{
	for (const char *const *p = sched_names(); *p; p++)
		if (!strcmp(*p, name))
			return true;
	return false;
}

static int check_options(const struct run *r)
{
	if (!r->trace == !r->model) {
		fprintf(stderr, "pact-sim run: either --trace FILE or --model NAME is needed; see "
				"pact-sim run --help\n");
		return EXIT_USAGE;
	}
	if (r->model && !r->nodes)
		return usage_error("--model", r->model, "needs --nodes N");
	if (r->trace && r->nsettings)
		return usage_error("--set", r->setting[0], "model.* settings need --model");
	if (!known_scheduler(r->scheduler)) {
		fprintf(stderr, "pact-sim run: --scheduler %s: there are", r->scheduler);
		for (const char *const *p = sched_names(); *p; p++)
			fprintf(stderr, " %s", *p);
		fprintf(stderr, "\n");
		return EXIT_USAGE;
	}
	return EXIT_OK;
}

/* EXIT_OK with *done when there is nothing left to do (--help). */
static int parse(struct run *r, int argc, char **argv, bool *done)
{
	int c, err = EXIT_OK;

	while (!err && (c = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (c == 'h') {
			fputs(help, stdout);
			*done = true;
			return EXIT_OK;
		}
		err = take_option(r, c, optarg);
	}
	/* `--set A=1 B=2`: what follows an option's value is taken as more of them. */
	for (; !err && optind < argc; optind++)
		err = take_setting(r, argv[optind]);
	return err ? err : check_options(r);
}

static void complain(void *arg, const char *message)
{
	struct run *r = arg;

	if (r->messages++ < MAX_MESSAGES)
		fprintf(stderr, "pact-sim: %s\n", message);
	else if (r->messages == MAX_MESSAGES + 1)
		fprintf(stderr, "pact-sim: (more messages like this are left out)\n");
}

static void progress(void *arg, size_t submitted, size_t count)
{
	struct run *r = arg;
	int64_t now = nanoseconds();

	if (now - r->progress_shown < 250000000)
		return;
	r->progress_shown = now;
	fprintf(stderr, "\rpact-sim: %zu of %zu jobs submitted (%zu %%) ", submitted, count,
		100 * submitted / count);
}

static void progress_end(const struct run *r)
{
	if (r->progress_shown)
		fprintf(stderr, "\r%60s\r", "");
}

static int read_trace(struct run *r)
{
	struct swf_stats stats;
	int err = swf_read(r->trace, &r->w, &stats, complain, r, r->why, sizeof(r->why));

	if (err) {
		fprintf(stderr, "pact-sim: %s\n", r->why);
		return err == PACT_EINVAL ? EXIT_INPUT : err;
	}
	r->messages = 0;
	r->report.jobs_dropped = swf_dropped(&stats);
	if (!r->nodes)
		r->nodes = swf_machine(&stats);
	if (!r->nodes) {
		fprintf(stderr,
			"pact-sim: %s: no MaxProcs or MaxNodes in the header; --nodes N is "
			"needed\n",
			r->trace);
		return EXIT_INPUT;
	}
	if (r->report.jobs_dropped)
		fprintf(stderr,
			"pact-sim: %s: dropped %" PRIu64 ": %" PRIu64 " malformed lines, %" PRIu64
			" without width, %" PRIu64 " with negative runtime, %" PRIu64
			" without submit time\n",
			r->trace, r->report.jobs_dropped, stats.malformed, stats.no_width,
			stats.negative_runtime, stats.no_submit);
	if (stats.out_of_order)
		fprintf(stderr, "pact-sim: %s: %" PRIu64 " jobs out of order, sorted\n", r->trace,
			stats.out_of_order);
	return EXIT_OK;
}

static int make_model(struct run *r)
{
	struct model *m =
		model_create(r->model, (uint32_t)r->nodes, r->seed, r->why, sizeof(r->why));
	size_t last = r->count ? r->first + r->count - 1 : MODEL_JOBS;
	struct sim_job job;
	int err = m ? PACT_OK : PACT_EINVAL;

	for (size_t i = 0; i < r->nsettings && !err; i++) {
		char *value = strchr(r->setting[i], '=');

		*value++ = '\0';
		err = model_set(m, r->setting[i], value, r->why, sizeof(r->why));
	}
	if (err) {
		fprintf(stderr, "pact-sim run: model: %s\n", r->why);
		model_destroy(m);
		return EXIT_USAGE;
	}
	while (!err && r->w.count < last) {
		model_next(m, &job);
		err = workload_add(&r->w, &job);
	}
	model_destroy(m);
	return err;
}

static int prepare(struct run *r)
{
	size_t wide;
	int err = r->trace ? read_trace(r) : make_model(r);

	if (err)
		return err;
	if (r->count)
		workload_slice(&r->w, r->first, r->count);
	wide = workload_drop_wide(&r->w, (uint32_t)r->nodes);
	r->report.jobs_dropped += wide;
	if (wide)
		fprintf(stderr, "pact-sim: dropped %zu jobs wider than %" PRId64 " nodes\n", wide,
			r->nodes);
	if (!r->w.count) {
		fprintf(stderr, "pact-sim: no job is left to run\n");
		return EXIT_INPUT;
	}
	if (r->exact)
		workload_exact(&r->w);
	err = deadlines_assign(&r->deadlines, &r->w, (uint32_t)r->nodes, r->config.guard, r->seed,
			       r->why, sizeof(r->why));
	if (err)
		fprintf(stderr, "pact-sim: %s\n", r->why);
	return err;
}

static int execute(struct run *r)
{
	struct sim_setup setup = {
		.scheduler = r->scheduler,
		.nodes = (uint32_t)r->nodes,
		.config = r->config,
		.unpromised = true,
		.progress = !r->quiet && isatty(STDERR_FILENO) ? progress : NULL,
		.progress_arg = r,
	};
	struct schedule schedule = { .w = &r->w, .nodes = setup.nodes };
	struct sim_totals totals;
	int err;

	r->out = calloc(r->w.count, sizeof(*r->out));
	if (!r->out)
		return PACT_ENOMEM;
	err = simulate(&setup, &r->w, r->out, &totals, r->why, sizeof(r->why));
	progress_end(r);
	if (err) {
		fprintf(stderr, "pact-sim: %s\n", r->why);
		return err;
	}
	r->report.events = totals.events;
	r->report.max_waiting = totals.max_waiting;
	schedule.out = r->out;
	r->report.violations = validate(&schedule, complain, r);
	return EXIT_OK;
}

/* Into a file, or standard output for "-". */
static int write_file(const struct run *r, const char *path,
		      int (*writer)(const struct report *, FILE *))
{
	bool standard = !strcmp(path, "-");
	FILE *f = standard ? stdout : fopen(path, "w");
	int err = f ? writer(&r->report, f) : errno;

	if (f && !standard && fclose(f) && !err)
		err = errno;
	if (!err)
		return EXIT_OK;
	fprintf(stderr, "pact-sim: cannot write %s: %s\n", path, strerror(err));
	return EXIT_OUTPUT;
}

static int tell(struct run *r, int64_t began)
{
	struct rusage usage;
	int err = EXIT_OK;

	getrusage(RUSAGE_SELF, &usage);
	r->report.peak_rss_kib = usage.ru_maxrss;
	r->report.wall_s = (double)(nanoseconds() - began) / 1e9;
	r->report.scheduler = r->scheduler;
	r->report.source = r->trace ? r->trace : r->model;
	r->report.seed = r->seed;
	r->report.metrics = (struct metrics){ &r->w, r->out, (uint32_t)r->nodes };
	if (!r->quiet)
		report_text(&r->report, stdout);
	if (r->json)
		err = write_file(r, r->json, report_json);
	if (r->csv && !err)
		err = write_file(r, r->csv, report_csv);
	if (!r->report.violations)
		return err;
	fprintf(stderr, "pact-sim: the schedule is invalid: %" PRIu64 " violations\n",
		r->report.violations);
	return EXIT_INVALID;
}

int cmd_run(int argc, char **argv)
{
	struct run *r = calloc(1, sizeof(*r));
	int64_t began = nanoseconds();
	bool done = false;
	int err;

	if (!r)
		return PACT_ENOMEM;
	workload_init(&r->w);
	sched_config_init(&r->config);
	deadlines_parse("none", &r->deadlines, NULL, 0);
	r->scheduler = "qops";
	r->seed = 1;
	err = parse(r, argc, argv, &done);
	if (!err && !done)
		err = prepare(r);
	if (!err && !done)
		err = execute(r);
	if (!err && !done)
		err = tell(r, began);
	if (err == PACT_ENOMEM)
		fprintf(stderr, "pact-sim: out of memory\n");
	free(r->out);
	workload_release(&r->w);
	free(r);
	return err;
}

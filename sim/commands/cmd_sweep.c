/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pact-sim sweep: many runs, a CSV row for each. See pact-sim(1). */
#include "sim/commands/cmd.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/number.h"
#include "common/progress.h"
#include "sim/report/results.h"
#include "sim/commands/run.h"
#include "sim/commands/sweep.h"
#include "sim/commands/sweep_table.h"
#include "sim/workload/swf.h"
#include "sim/run/workers.h"

#define MAX_PROCESSES 1024
#define MAX_ROW 16384
#define MAX_MESSAGE 1024

static const char help[] =
	"usage: pact-sim sweep --out FILE.csv --sweep KEY=V1,V2,... [--sweep ...]\n"
	"                      [--seeds 1:5] [OPTIONS OF PACT-SIM RUN]\n"
	"\n"
	"Runs every value with every other, several runs at a time, and writes one CSV row per\n"
	"run. The same command again goes on where it was stopped: rows that are there are not\n"
	"run again, one that was written by half is. More values may be added that way.\n"
	"\n"
	"  --sweep KEY=V1,V2,... an option of pact-sim run (scheduler, load, shrink, estimates,\n"
	"                        nodes, jobs, trace, ...), a key of --deadlines (stringency,\n"
	"                        urgency, ratio, fraction, ...) or a setting (KFactor, ...).\n"
	"                        Values that have commas are separated by ; instead.\n"
	"                        At least one of the runs must use it, as any other setting\n"
	"  --seeds FIRST:LAST    all these seeds; or a list, 1,2,7. Default: the one of --seed\n"
	"  --out FILE            the rows: the options in common, the values swept, the seed,\n"
	"                        then all figures that pact-sim run --json gives\n"
	"  --columns C1,C2,...   print a table: means over the seeds of these columns, with 95 %\n"
	"                        confidence intervals, a line for each combination of values\n"
	"  --processes N         runs at a time (default: the cores of this machine)\n"
	"  --list                say which runs these are, and which are there; run nothing\n"
	"  --quiet               no progress, no summary (but the table)\n"
	"\n"
	"Examples\n"
	"  pact-sim sweep --out load.csv --model poisson --nodes 64 --seeds 1:5 \\\n"
	"      --sweep model.load=0.6,0.8,1.0 --sweep scheduler=fcfs,easy,conservative \\\n"
	"      --columns wait_mean_s,wait_p99_s,slowdown_bounded10_mean\n"
	"  pact-sim sweep --out qops.csv --trace CTC-SP2.swf.gz --jobs 1:5000 --nodes 430 \\\n"
	"      --estimates exact --deadlines stringency:0.2 --seeds 1:5 \\\n"
	"      --sweep load=1.0,1.2,1.4,1.6 --sweep KFactor=0,5,15\n"
	"\n"
	"Exit: 0 all rows are there, 1 usage, 2 bad input, 3 a schedule was invalid, 4 cannot\n"
	"write, 10 and up as of pact-sim run; 128 + the signal's number when it was stopped.\n"
	"Where runs fail, the others are done all the same; the code is that of the first one.\n";

static const struct option own_options[] = {
	{ "sweep", required_argument, NULL, 'S' },
	{ "seeds", required_argument, NULL, 'E' },
	{ "out", required_argument, NULL, 'O' },
	{ "processes", required_argument, NULL, 'P' },
	{ "columns", required_argument, NULL, 'C' },
	{ "list", no_argument, NULL, 'L' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

#define MAX_SWEEPS (SWEEP_MAX_AXES + 1)

struct command {
	struct sweep sweep;
	const char *axis[MAX_SWEEPS]; /* as given: applied when the base is complete */
	size_t naxes;
	const char *seeds, *out;
	const char *columns; /* of the table; NULL: none is asked for */
	struct sweep_table table;
	char common[4096]; /* the options that are not swept, as text */
	char header[8192];
	int64_t processes;
	bool list, quiet;
	struct progress progress;
	struct results results;
	size_t todo, done, failed;
	int code; /* of the first run that failed */
};

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	stopped = signal;
}

static int usage_error(const char *what)
{
	return cmd_usage_error("pact-sim sweep", what);
}

/* ---- options */

/* An option that all runs have in common. */
static int taken(void *arg, const char *name, const char *value)
{
	struct command *c = arg;
	size_t used = strlen(c->common);
	char why[128];

	for (const char *p = value; *p; p++)
		if ((unsigned char)*p < ' ') {
			snprintf(why, sizeof(why), "--%s: a control character in its value", name);
			return usage_error(why);
		}
	if ((size_t)snprintf(c->common + used, sizeof(c->common) - used, "%s--%s %s",
			     used ? " " : "", name, value) >= sizeof(c->common) - used)
		return usage_error("too many options");
	return EXIT_OK;
}

static int take(void *arg, int letter, const char *value)
{
	struct command *c = arg;
	char why[128];

	switch (letter) {
	case 'S':
		if (c->naxes == MAX_SWEEPS)
			return usage_error("too many --sweep");
		c->axis[c->naxes++] = value;
		return EXIT_OK;
	case 'E':
		c->seeds = value;
		return EXIT_OK;
	case 'O':
		c->out = value;
		return EXIT_OK;
	case 'P':
		if (number_int(value, &c->processes) && c->processes >= 1 &&
		    c->processes <= MAX_PROCESSES)
			return EXIT_OK;
		snprintf(why, sizeof(why), "--processes %.64s: not a number from 1 to 1024", value);
		return usage_error(why);
	case 'C':
		c->columns = value;
		return EXIT_OK;
	case 'L':
		c->list = true;
		return EXIT_OK;
	default:
		c->quiet = true;
		return EXIT_OK;
	}
}

static int refuse(int err, const char *why)
{
	if (err == PACT_EINVAL || err == PACT_ENOENT)
		return usage_error(why);
	fprintf(stderr, "pact-sim: %s\n", why);
	return err;
}

static bool reads_standard(const struct sweep *s)
{
	bool reads = s->base.trace && swf_is_standard(s->base.trace);

	for (size_t a = 0; a < s->naxes; a++)
		for (size_t i = 0; i < s->axis[a].count && !strcmp(s->axis[a].key, "trace"); i++)
			reads |= swf_is_standard(s->axis[a].value[i]);
	return reads;
}

/* The axes, now that the base is complete; the seeds are the last one, always. */
static int make_axes(struct command *c)
{
	const struct run_given *seed;
	char one[24], why[1024];
	int err = PACT_OK;

	for (size_t i = 0; i < c->naxes && !err; i++)
		err = sweep_add(&c->sweep, c->axis[i], why, sizeof(why));
	for (size_t a = 0; a < c->sweep.naxes && !err; a++)
		if (!strcmp(c->sweep.axis[a].key, "seed"))
			return usage_error("--sweep seed: there is --seeds for it");
	seed = run_options_given(&c->sweep.base, "seed");
	if (seed && c->seeds) {
		snprintf(why, sizeof(why), "--seed %s, --seeds %s: only one of them", seed->value,
			 c->seeds);
		return usage_error(why);
	}
	snprintf(one, sizeof(one), "%" PRIu64, c->sweep.base.seed);
	run_options_reopen(&c->sweep.base, "seed");
	if (!err)
		err = sweep_add_seeds(&c->sweep, c->seeds ? c->seeds : one, why, sizeof(why));
	if (!err)
		err = sweep_check(&c->sweep, why, sizeof(why));
	if (!err && reads_standard(&c->sweep))
		return usage_error("--trace -: a sweep reads the log once for each run, "
				   "which standard input cannot be");
	return err ? refuse(err, why) : EXIT_OK;
}

static int parse(struct command *c, int argc, char **argv, bool *done)
{
	struct cmd_line line = { .help = help,
				 .own = own_options,
				 .run = &c->sweep.base,
				 .take = take,
				 .taken = taken,
				 .repeated = 'S',
				 .arg = c };
	int err = cmd_take_run_options(&line, argc, argv, done);

	if (err || *done)
		return err;
	if (!c->out)
		return usage_error("--out FILE is needed");
	if (c->list && c->columns)
		return usage_error("--list, --columns: only one of them");
	if (cmd_is_standard(c->out))
		return usage_error("--out -: a file is needed, from which a sweep can go on");
	if (!c->processes) {
		long cores = sysconf(_SC_NPROCESSORS_ONLN);

		c->processes = cores < 1 ? 1 : cores > MAX_PROCESSES ? MAX_PROCESSES : cores;
	}
	return make_axes(c);
}

/* ---- rows */

/* Whether the sweep has a column of this name: then the figures have not. */
static bool is_swept(const struct sweep *s, const char *key)
{
	for (size_t a = 0; a < s->naxes; a++)
		if (!strcmp(s->axis[a].key, key))
			return true;
	return false;
}

/* The names of the columns, as a report of nothing has them. */
static bool make_header(struct command *c)
{
	struct workload nothing = { 0 };
	struct report *report = calloc(1, sizeof(*report));
	char *to = c->header, *end = c->header + sizeof(c->header);
	bool ok = report && results_field(&to, end, "options");

	for (size_t a = 0; a < c->sweep.naxes && ok; a++)
		ok = to < end - 1 && (*to++ = ',') && results_field(&to, end, c->sweep.axis[a].key);
	if (ok) {
		report->metrics.w = &nothing;
		report_figures(report);
		report_cost(report, 0, 0);
	}
	for (size_t i = 0; ok && i < report->count; i++)
		if (!is_swept(&c->sweep, report->item[i].key))
			ok = to < end - 1 && (*to++ = ',') &&
			     results_field(&to, end, report->item[i].key);
	free(report);
	return ok;
}

static bool make_row(const struct command *c, size_t run, const struct report *report, char *to,
		     size_t size)
{
	const char *end = to + size;
	bool ok = results_field(&to, end, c->common);
	char text[4096];

	for (size_t a = 0; a < c->sweep.naxes && ok; a++)
		ok = to < end - 1 && (*to++ = ',') &&
		     results_field(&to, end, sweep_value(&c->sweep, run, a));
	for (size_t i = 0; ok && i < report->count; i++) {
		if (is_swept(&c->sweep, report->item[i].key))
			continue;
		report_value(&report->item[i], text, sizeof(text));
		ok = to < end - 1 && (*to++ = ',') && results_field(&to, end, text);
	}
	return ok;
}

/* Which run a row is of. */
static size_t which_run(void *arg, char *const *field, size_t count)
{
	const struct command *c = arg;
	size_t run = 0;

	(void)count;
	if (strcmp(field[0], c->common) != 0)
		return RESULTS_FOREIGN;
	for (size_t a = 0; a < c->sweep.naxes; a++) {
		const struct sweep_axis *axis = &c->sweep.axis[a];
		size_t i = 0;

		while (i < axis->count && strcmp(axis->value[i], field[1 + a]) != 0)
			i++;
		if (i == axis->count)
			return RESULTS_OTHER;
		run = run * axis->count + i;
	}
	return run;
}

/* ---- runs */

/* The first thing that a run said is why it failed, when it did. */
struct said {
	char text[MAX_MESSAGE];
};

static void remember(void *arg, const char *message)
{
	struct said *said = arg;

	snprintf(said->text, sizeof(said->text), "%s", message);
}

static void write_all(int fd, const char *text)
{
	size_t length = strlen(text);
	ssize_t n;

	while (length && ((n = write(fd, text, length)) > 0 || (n < 0 && errno == EINTR)))
		if (n > 0) {
			text += n;
			length -= (size_t)n;
		}
}

/* In a process of its own. Its row, or why there is none. */
static int work(void *arg, size_t index, int fd)
{
	const struct command *c = arg;
	struct said said = { "" };
	struct run_hooks hooks = { .say = remember, .arg = &said };
	struct run_options o;
	struct run run;
	char row[MAX_ROW];
	int err;

	if (sweep_options(&c->sweep, index, &o, said.text, sizeof(said.text))) {
		write_all(fd, said.text);
		return EXIT_USAGE;
	}
	err = run_execute(&o, &hooks, &run);
	if (!err && !make_row(c, index, &run.report, row, sizeof(row))) {
		remember(&said, "the row is too long");
		err = EXIT_OUTPUT;
	}
	write_all(fd, err ? said.text : row);
	run_release(&run);
	return err;
}

static void tell_failure(struct command *c, size_t index, const char *text, int code)
{
	char run[1024];

	sweep_describe(&c->sweep, index, run, sizeof(run));
	progress_wipe(&c->progress);
	if (code < 0)
		fprintf(stderr, "pact-sim: %s: killed by signal %d\n", run, -code);
	else
		fprintf(stderr, "pact-sim: %s: %s\n", run, text);
	c->failed++;
	if (!c->code)
		c->code = code < 0 ? 128 - code : code;
}

static int done(void *arg, size_t index, const char *text, size_t length, int code)
{
	struct command *c = arg;
	char why[512];
	int err;

	(void)length;
	/* What was under way when we were told to stop was told so as well. */
	if (stopped)
		return 128 + stopped;
	c->done++;
	if (code) {
		tell_failure(c, index, text, code);
		return 0;
	}
	err = results_add(&c->results, index, text, why, sizeof(why));
	if (err) {
		progress_wipe(&c->progress);
		fprintf(stderr, "pact-sim: %s\n", why);
		return err == PACT_EPROTO ? EXIT_OUTPUT : err;
	}
	return 0;
}

static int tick(void *arg)
{
	struct command *c = arg;

	progress_show(&c->progress, "runs", (double)c->done, (double)c->todo);
	return stopped ? 128 + stopped : 0;
}

static void list_runs(const struct command *c)
{
	char run[1024];

	for (size_t i = 0; i < c->sweep.count; i++) {
		sweep_describe(&c->sweep, i, run, sizeof(run));
		printf("%s %s\n", c->results.row[i] ? "done" : "to do", run);
	}
}

static int run_all(struct command *c)
{
	struct workers workers = { .processes = (size_t)c->processes,
				   .work = work,
				   .done = done,
				   .tick = tick,
				   .arg = c };
	struct sigaction action = { .sa_handler = stop };
	size_t *task = calloc(c->sweep.count, sizeof(*task));
	int err;

	if (!task)
		return PACT_ENOMEM;
	for (size_t i = 0; i < c->sweep.count; i++)
		if (!c->results.row[i])
			task[c->todo++] = i;
	if (workers.processes > c->todo)
		workers.processes = c->todo ? c->todo : 1;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	progress_begin(&c->progress, c->quiet);
	err = workers_run(&workers, task, c->todo);
	progress_wipe(&c->progress);
	free(task);
	return err;
}

static void summary(const struct command *c)
{
	fprintf(stderr, "pact-sim: %s: %zu of %zu runs are there, %zu done now, %zu failed", c->out,
		c->results.present, c->sweep.count, c->done - c->failed, c->failed);
	if (c->results.damaged)
		fprintf(stderr, "; %zu damaged rows dropped", c->results.damaged);
	if (c->results.nother)
		fprintf(stderr, "; %zu rows of other values kept", c->results.nother);
	fprintf(stderr, stopped ? "; stopped: the same command goes on\n" : "\n");
}

static int perform(struct command *c)
{
	char why[1024];
	int err, sorted;

	if (!make_header(c))
		return usage_error("too many keys");
	if (c->columns &&
	    sweep_table_choose(&c->table, &c->sweep, c->header, c->columns, why, sizeof(why)))
		return usage_error(why);
	err = (c->list ? results_look : results_open)(
		&c->results, c->out, c->header, c->sweep.count, which_run, c, why, sizeof(why));
	if (err) {
		fprintf(stderr, "pact-sim: %s\n", why);
		return err == PACT_EINVAL ? EXIT_INPUT : err == PACT_EPROTO ? EXIT_OUTPUT : err;
	}
	if (c->list) {
		list_runs(c);
		return EXIT_OK;
	}
	err = run_all(c);
	sorted = err ? 0 : results_finish(&c->results, why, sizeof(why));
	if (sorted)
		fprintf(stderr, "pact-sim: %s\n", why);
	if (!c->quiet)
		summary(c);
	if (!err && c->columns)
		err = sweep_table_print(&c->table, &c->results, stdout);
	if (err == PACT_ENOMEM)
		fprintf(stderr, "pact-sim: out of memory, or of processes\n");
	return err ? err : sorted ? EXIT_OUTPUT : c->code;
}

int cmd_sweep(int argc, char **argv)
{
	struct command *c = calloc(1, sizeof(*c));
	bool done = false;
	int err;

	if (!c)
		return PACT_ENOMEM;
	c->results.fd = -1;
	sweep_init(&c->sweep);
	err = parse(c, argc, argv, &done);
	if (!err && !done)
		err = perform(c);
	results_close(&c->results);
	sweep_table_release(&c->table);
	sweep_release(&c->sweep);
	free(c);
	return err;
}

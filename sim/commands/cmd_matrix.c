/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pact-sim matrix: the matrix of jobs that take turns as it is at a time, as text or as a picture. See pact-sim(1).
 *
 * The run is made as by run, and looked into when all events of that time are over.
 */
#include "sim/commands/cmd.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/nodeset.h"
#include "core/sched.h"
#include "draw/matrix.h"
#include "sim/commands/watch.h"

struct look {
	struct run_options run;
	const char *svg, *title;
	int64_t at; /* since the first submission; -1: not given */
	bool quiet;

	struct sched_matrix matrix;
	size_t waiting; /* outside it */
	struct matrix_place *place;
	size_t places;
	struct rows ranges;
	bool failed; /* no memory */
	char subtitle[256];
};

static const char help[] =
	"usage: pact-sim matrix --at T OPTIONS-OF-RUN [OPTIONS]\n"
	"\n"
	"Runs a workload through a scheduler whose jobs take turns (gs, bgs, mgs, mbgs, bf) and\n"
	"shows its matrix at a time: rows by nodes, the row that runs, replicas, what is free.\n"
	"Neighbouring nodes that have the same jobs in all rows are one column.\n"
	"\n"
	"What to show\n"
	"  --at T                when all events of that second are over; seconds since the first\n"
	"                        submission, or with a unit as in 90m, 12h, 2d\n"
	"  the options of run    which workload, and how: --trace, --model, --jobs, --scheduler,\n"
	"                        --set ...\n"
	"\n"
	"What to say\n"
	"  --svg FILE            a picture instead of text (- for standard output)\n"
	"  --title TEXT          above it\n"
	"  --quiet               no progress on the terminal\n"
	"\n"
	"Examples\n"
	"  pact-sim matrix --model poisson --nodes 16 --jobs 1:40 --set model.load=1.2 \\\n"
	"      --scheduler mbgs --set Slice=600 --at 5h\n"
	"  pact-sim matrix --model hypererlang --nodes 320 --jobs 1:500 --scheduler gs \\\n"
	"      --set Rows=3 --at 1d --svg matrix.svg\n"
	"\n"
	"Exit: 0, 1 usage, 4 cannot write; else that of the run.\n";

static const struct option own_options[] = {
	{ "at", required_argument, NULL, 'A' },	   { "svg", required_argument, NULL, 'S' },
	{ "title", required_argument, NULL, 't' }, { "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },	   { NULL, 0, NULL, 0 },
};

static int take(void *arg, int letter, const char *value)
{
	struct look *l = arg;

	if (letter == 'A')
		return cmd_take_time("pact-sim matrix", "--at", value, &l->at);
	if (letter == 'S')
		l->svg = value;
	else if (letter == 't')
		l->title = value;
	else if (letter == 'q')
		l->quiet = true;
	return EXIT_OK;
}

static int check(const struct look *l, const char *name)
{
	const struct cmd_output svg = { "svg", l->svg };
	const char *scheduler = run_options_scheduler(&l->run);
	char why[512];
	int err = cmd_check_run_options(&l->run, name);

	if (err)
		return err;
	if (l->at < 0)
		return cmd_usage_error(name, "--at T is missing: at what time?");
	if (!sched_name_turns(scheduler)) {
		snprintf(why, sizeof(why),
			 "--scheduler %.256s: its jobs take no turns (gs, bgs, mgs, mbgs, bf)",
			 scheduler);
		return cmd_usage_error(name, why);
	}
	return cmd_check_run_outputs(name, &l->run, &svg, 1);
}

/* ---- what there is to show ---- */

/* False: no memory. */
static bool add_ranges(struct rows *ranges, const struct nodeset *nodes)
{
	uint32_t n = nodeset_next(nodes, 0);

	while (n < nodeset_size(nodes)) {
		uint32_t first = n;

		while (n < nodeset_size(nodes) && nodeset_test(nodes, n))
			n++;
		if (rows_add(ranges, first, n - 1))
			return false;
		n = nodeset_next(nodes, n);
	}
	return true;
}

/* The ranges stand in one list, which may move while it grows. */
static void give_ranges(struct look *l)
{
	const struct rows_range *at = l->ranges.range;

	for (size_t i = 0; i < l->places; i++) {
		l->place[i].range = at;
		at += l->place[i].ranges;
	}
}

static void look(void *arg, const struct sched *s)
{
	struct look *l = arg;
	struct sched_place p;

	if (sched_matrix(s, 0, &l->matrix) != PACT_OK)
		return;
	l->place = calloc(l->matrix.jobs + 1, sizeof(*l->place));
	l->failed = !l->place;
	while (!l->failed && sched_matrix_place(s, 0, l->places, &p) == PACT_OK) {
		size_t before = l->ranges.count;

		l->failed = !add_ranges(&l->ranges, p.nodes);
		l->place[l->places++] = (struct matrix_place){ .id = p.id,
							       .rows = p.rows,
							       .home = p.home,
							       .whole = p.whole,
							       .started = p.started,
							       .ranges = l->ranges.count - before };
	}
	if (!l->failed)
		give_ranges(l);
}

/* To the scheduler a job is known by its place in the workload. */
static void name_jobs(struct look *l, const struct run *run)
{
	int64_t at = run->w.job[0].submit + l->at;

	for (size_t i = 0; i < l->places; i++)
		l->place[i].id = run->w.job[l->place[i].id - 1].id;
	for (size_t i = 0; i < run->w.count; i++) {
		const struct sim_outcome *o = &run->out[i];
		bool gone = o->state == SIM_REFUSED || (o->end >= 0 && o->end <= at);

		l->waiting +=
			run->w.job[i].submit <= at && !gone && (o->start < 0 || o->start > at);
	}
	for (size_t i = 0; i < l->places; i++)
		l->waiting -= !l->place[i].started;
}

/* Those that are in no row, for a promised job. */
static size_t count_aside(const struct look *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->places; i++)
		n += !l->place[i].rows;
	return n;
}

static void write_subtitle(struct look *l, const struct run *run)
{
	const struct sched_matrix *m = &l->matrix;
	size_t aside = count_aside(l), in = l->places - aside;
	int n = snprintf(l->subtitle, sizeof(l->subtitle),
			 "%" PRId64 " s: %" PRIu32 " nodes, %zu job%s in the matrix, %zu outside",
			 l->at, run->report.metrics.nodes, in, in == 1 ? "" : "s", l->waiting);
	int64_t end = m->slice_end - run->w.job[0].submit;

	if (aside)
		n += snprintf(l->subtitle + n, sizeof(l->subtitle) - (size_t)n, ", %zu set aside",
			      aside);

	if (m->row >= 0 && m->slice_end != PACT_FOREVER)
		snprintf(l->subtitle + n, sizeof(l->subtitle) - (size_t)n,
			 "; row %" PRId32 " until %" PRId64 " s, in slice %" PRId64, m->row, end,
			 m->slice);
}

static int write_text(const void *chart, FILE *out)
{
	return matrix_text(chart, out);
}

static int write_svg(const void *chart, FILE *out)
{
	return matrix_svg(chart, out);
}

static int draw(struct look *l, const struct run *run)
{
	char title[128];
	struct matrix_chart chart = { .title = l->title ? l->title : title,
				      .subtitle = l->subtitle,
				      .nodes = run->report.metrics.nodes,
				      .rows = l->matrix.rows,
				      .row = l->matrix.row };

	name_jobs(l, run);
	write_subtitle(l, run);
	snprintf(title, sizeof(title), "The matrix of %.64s", run_options_scheduler(&l->run));
	chart.place = l->place;
	chart.places = l->places;
	return cmd_write(l->svg ? l->svg : "-", l->svg ? write_svg : write_text, &chart);
}

static int make(struct look *l)
{
	struct watch watch;
	struct run_hooks hooks = watch_begin(&watch, l->quiet);
	struct run run;
	int err;

	hooks.look = look;
	hooks.look_at = l->at;
	hooks.look_arg = l;
	err = run_execute(&l->run, &hooks, &run);
	watch_end(&watch);
	if (!err && l->failed) {
		fprintf(stderr, "pact-sim matrix: out of memory\n");
		err = PACT_ENOMEM;
	}
	if (!err)
		err = draw(l, &run);
	run_release(&run);
	return err;
}

int cmd_matrix(int argc, char **argv)
{
	struct look l = { .at = -1 };
	struct cmd_line line = {
		.help = help, .own = own_options, .run = &l.run, .take = take, .arg = &l
	};
	bool done = false;
	int err;

	run_options_init(&l.run);
	err = cmd_take_run_options(&line, argc, argv, &done);
	if (!err && !done)
		err = check(&l, argv[0]);
	if (!err && !done)
		err = make(&l);
	free(l.place);
	rows_release(&l.ranges);
	return err;
}

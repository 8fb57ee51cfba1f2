/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run: see run.h. */
#include "sim/commands/run.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "sim/check/aways.h"
#include "sim/run/change.h"
#include "sim/run/notices.h"
#include "sim/commands/cmd.h"
#include "sim/workload/load.h"
#include "sim/models/model.h"
#include "common/progress.h"
#include "sim/workload/swf.h"
#include "sim/run/team.h"
#include "sim/check/validate.h"

#define MICRO INT64_C(1000000)
#define MAX_MESSAGES 10

/* One execution: the options, and the nodes that the log may have to tell. */
struct execution {
	const struct run_options *o;
	const struct run_hooks *hooks;
	struct run *r;
	uint32_t nodes;
	uint64_t messages;
	struct team *team; /* NULL: one thread */
	struct sim_slices slices;
	bool sliced; /* the scheduler has some */
	struct change
		*change; /* of the schedule, for its check and its measures; NULL: no memory */
	size_t changes;
};

__attribute__((format(printf, 2, 3))) static void say(const struct execution *x, const char *format,
						      ...)
{
	char message[1024];
	va_list ap;

	if (!x->hooks->say)
		return;
	va_start(ap, format);
	vsnprintf(message, sizeof(message), format, ap);
	va_end(ap);
	x->hooks->say(x->hooks->arg, message);
}

static void complain(void *arg, const char *message)
{
	struct execution *x = arg;

	if (x->messages++ < MAX_MESSAGES)
		say(x, "%s", message);
	else if (x->messages == MAX_MESSAGES + 1)
		say(x, "(more messages like this are left out)");
}

static void reading(void *arg, double bytes, double of)
{
	struct execution *x = arg;

	x->hooks->reading(x->hooks->arg, bytes, of);
}

static int read_trace(struct execution *x)
{
	struct swf_stats stats;
	const struct swf_hooks hooks = { .complain = complain,
					 .progress = x->hooks->reading ? reading : NULL,
					 .arg = x,
					 .alone = x->hooks->threads <= 1 };
	char why[512];
	int err = swf_read(x->o->trace, &x->r->w, &stats, &hooks, why, sizeof(why));
	int64_t machine = swf_machine(&stats);

	if (err) {
		say(x, "%s", why);
		return err == PACT_EINVAL ? EXIT_INPUT : err;
	}
	x->messages = 0;
	x->r->report.jobs_dropped = swf_dropped(&stats);
	if (!x->o->nodes && machine > RUN_MAX_NODES) {
		say(x, "%s: %" PRId64 " nodes in the header, more than %d; --nodes N is needed",
		    swf_name(x->o->trace), machine, RUN_MAX_NODES);
		return EXIT_INPUT;
	}
	x->nodes = (uint32_t)(x->o->nodes ? x->o->nodes : machine);
	if (!x->nodes) {
		say(x, "%s: no MaxProcs or MaxNodes in the header; --nodes N is needed",
		    swf_name(x->o->trace));
		return EXIT_INPUT;
	}
	if (x->r->report.jobs_dropped)
		say(x,
		    "%s: dropped %" PRIu64 ": %" PRIu64 " malformed lines, %" PRIu64
		    " without width, %" PRIu64 " with negative runtime, %" PRIu64
		    " without submit time, %" PRIu64 " parts of jobs",
		    swf_name(x->o->trace), x->r->report.jobs_dropped, stats.malformed,
		    stats.no_width, stats.negative_runtime, stats.no_submit, stats.partial);
	if (stats.out_of_order)
		say(x, "%s: %" PRIu64 " job%s out of order, sorted", swf_name(x->o->trace),
		    stats.out_of_order, stats.out_of_order == 1 ? "" : "s");
	return EXIT_OK;
}

static int make_jobs(struct execution *x)
{
	const struct run_options *o = x->o;
	size_t last = o->count ? o->first + o->count - 1 : RUN_MODEL_JOBS;
	char why[512];
	struct model *m = run_options_model(o, why, sizeof(why));
	struct sim_job job;
	int err = PACT_OK;

	x->nodes = (uint32_t)o->nodes;
	if (!m) {
		say(x, "%s", why);
		return EXIT_USAGE;
	}
	err = model_begin(m, why, sizeof(why));
	if (err) {
		say(x, "model: %s", why);
		model_destroy(m);
		return err == PACT_EINVAL ? EXIT_INPUT : err;
	}
	while (!err && x->r->w.count < last) {
		if (model_next(m, &job)) {
			say(x, "model: job %" PRIu64 " would be submitted after 10^11 s", job.id);
			err = EXIT_INPUT;
			break;
		}
		err = workload_add(&x->r->w, &job);
	}
	model_destroy(m);
	return err;
}

/* The changes that make another workload of it, in their order (run.h). */
static int change_jobs(struct execution *x, char *why, size_t size)
{
	const struct run_options *o = x->o;
	struct workload *w = &x->r->w;
	int err = PACT_OK;

	if (o->shrink_micro != MICRO)
		err = load_shrink(w, o->shrink_micro, why, size);
	if (!err && o->delay_micro != MICRO)
		err = load_delay(w, o->delay_micro, why, size);
	if (!err && o->load_micro != MICRO)
		err = o->expand ? load_expand(w, o->load_micro, why, size)
				: load_duplicate(w, o->load_micro, o->seed, why, size);
	if (err)
		return err;
	estimates_apply(&o->estimates, w, o->seed);
	err = deadlines_assign(&o->deadlines, w, x->nodes, o->config.guard, o->seed, why, size);
	return err ? err : ranges_apply(&o->ranges, w, x->nodes, o->seed, why, size);
}

/* The exit code of it, none included. Lack of memory is said in the end. */
static int input_error(const struct execution *x, int err, const char *why)
{
	if (err && err != PACT_ENOMEM)
		say(x, "%s", why);
	return err == PACT_EINVAL ? EXIT_INPUT : err;
}

static int prepare(struct execution *x)
{
	struct workload *w = &x->r->w;
	char why[512] = "";
	uint32_t widest;
	size_t wide, all;
	int err = x->o->trace ? read_trace(x) : make_jobs(x);

	if (err)
		return err;
	err = deadlines_read(&x->o->deadlines, w, why, sizeof(why));
	if (!err)
		err = launches_apply(&x->o->launches, w, why, sizeof(why));
	if (err)
		return input_error(x, err, why);
	all = w->count;
	if (x->o->count)
		workload_slice(w, x->o->first, x->o->count);
	if (!sched_name_fits(run_options_scheduler(x->o), x->nodes, &widest, why, sizeof(why))) {
		say(x, "--scheduler %s: %s", run_options_scheduler(x->o), why);
		return EXIT_INPUT;
	}
	wide = workload_drop_wide(w, widest);
	x->r->report.jobs_dropped += wide;
	if (wide)
		say(x, "dropped %zu job%s wider than %" PRIu32 " node%s", wide,
		    wide == 1 ? "" : "s", widest, widest == 1 ? "" : "s");
	if (!w->count && x->o->first > all) {
		say(x, "--jobs %zu:%zu: there %s only %zu job%s", x->o->first, x->o->count,
		    all == 1 ? "is" : "are", all, all == 1 ? "" : "s");
		return EXIT_INPUT;
	}
	if (!w->count) {
		say(x, "no job is left to run");
		return EXIT_INPUT;
	}
	err = change_jobs(x, why, sizeof(why));
	return input_error(x, err, why);
}

static void created(void *arg, struct sched *s)
{
	const struct execution *x = arg;

	record_begin(x->hooks->record, s, x->nodes, &x->o->config);
}

static void finished(void *arg, struct sched *s)
{
	const struct execution *x = arg;

	(void)s;
	record_end(x->hooks->record);
}

static void look(void *arg, const struct sched *s)
{
	const struct execution *x = arg;

	x->hooks->look(x->hooks->look_arg, s);
}

static int schedule_jobs(struct execution *x)
{
	const struct run_options *o = x->o;
	struct run *r = x->r;
	struct sim_setup setup = {
		.scheduler = run_options_scheduler(o),
		.nodes = x->nodes,
		.config = o->config,
		.unpromised = true,
		.answers = o->answers,
		.named = o->launches.on,
		.shares = &r->shares,
		.progress = x->hooks->progress,
		.progress_arg = x->hooks->arg,
		.created = x->hooks->record ? created : NULL,
		.finished = x->hooks->record ? finished : NULL,
		.look = x->hooks->look ? look : NULL,
		.look_at = r->w.job[0].submit + x->hooks->look_at,
		.sched_arg = x,
	};
	struct schedule schedule = { .w = &r->w,
				     .nodes = x->nodes,
				     .grace = o->config.resize_grace,
				     .own_grace =
					     notices_longest(run_options_scheduler(o), &o->config),
				     .in_step = o->config.parts == PARTS_STEP };
	struct sim_totals totals;
	char why[512];
	int err;

	setup.answers.seed = o->seed;
	x->sliced = sim_slices_of(run_options_scheduler(o), &o->config, &x->slices);
	r->out = calloc(r->w.count, sizeof(*r->out));
	if (!r->out)
		return PACT_ENOMEM;
	if (x->team) {
		setup.config.together = team_together;
		setup.config.together_arg = x->team;
	}
	err = simulate(&setup, &r->w, r->out, &totals, why, sizeof(why));
	if (err) {
		if (err != PACT_ENOMEM) /* which is said in the end */
			say(x, "%s", why);
		return err;
	}
	r->report.events = totals.events;
	r->report.max_waiting = totals.max_waiting;
	r->report.is_dynp = totals.is_dynp;
	r->report.dynp = totals.dynp;
	x->change = change_schedule(&r->w, r->out, &x->changes);
	schedule.out = r->out;
	schedule.change = x->change;
	schedule.changes = x->changes;
	schedule.shares = &r->shares;
	schedule.slices = x->sliced ? &x->slices : NULL;
	r->report.violations = validate(&schedule, complain, x);
	return EXIT_OK;
}

static int measure(struct execution *x, int64_t began)
{
	struct report *report = &x->r->report;
	struct rusage usage;

	report->scheduler = run_options_scheduler(x->o);
	report->source = x->o->trace ? swf_name(x->o->trace) : x->o->model;
	report->seed = x->o->seed;
	report->metrics = (struct metrics){ .w = &x->r->w,
					    .out = x->r->out,
					    .nodes = x->nodes,
					    .change = x->change,
					    .changes = x->changes,
					    .shares = &x->r->shares,
					    .slices = x->sliced ? &x->slices : NULL };
	report->asides = x->sliced && x->slices.aside && note_aways(x->r->out, x->r->w.count);
	report_figures(report);
	report->metrics.change = NULL;
	report->metrics.slices = NULL;
	free(x->change);
	getrusage(RUSAGE_SELF, &usage);
	report_cost(report, (double)(progress_clock() - began) / 1e9, usage.ru_maxrss);
	if (!report->violations)
		return EXIT_OK;
	say(x, "the schedule is invalid: %" PRIu64 " violations", report->violations);
	return EXIT_INVALID;
}

static int begin(struct execution *x)
{
	memset(x->r, 0, sizeof(*x->r));
	workload_init(&x->r->w);
	return prepare(x);
}

int run_workload(const struct run_options *o, const struct run_hooks *hooks, struct run *r,
		 uint32_t *nodes)
{
	struct execution x = { .o = o, .hooks = hooks, .r = r };
	int err = begin(&x);

	*nodes = x.nodes;
	if (err == PACT_ENOMEM)
		say(&x, "out of memory");
	return err;
}

int run_execute(const struct run_options *o, const struct run_hooks *hooks, struct run *r)
{
	struct execution x = { .o = o, .hooks = hooks, .r = r };
	int64_t began = progress_clock();
	int err = begin(&x);

	if (!err && hooks->threads > 1)
		x.team = team_create(hooks->threads); /* without one it is slower, no more */
	if (!err)
		err = schedule_jobs(&x);
	if (!err)
		err = measure(&x, began);
	team_destroy(x.team);
	if (err == PACT_ENOMEM)
		say(&x, "out of memory");
	return err;
}

void run_release(struct run *r)
{
	if (r->out)
		sim_outcome_release(r->out, r->w.count);
	free(r->out);
	r->out = NULL;
	free(r->shares.v);
	r->shares = (struct sim_shares){ 0 };
	workload_release(&r->w);
}

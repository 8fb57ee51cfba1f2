/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.c: see options.h.
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "contrib/replay/options.h"
#include "pactconfig.h"
#include "common/number.h"
#include "common/once.h"

#define MICRO 1000000

static const char usage[] =
	"usage: pact-replay --trace FILE | --model NAME [OPTION...]\n"
	"\n"
	"Submits the jobs of a workload log to the Slurm that SLURM_CONF names, when the log "
	"says,\n"
	"as batch jobs that sleep for the log's runtimes; gives deadlines to some of them, watches "
	"what\n"
	"Slurm makes of them, and reports which promises were kept by the end times that Slurm "
	"recorded.\n"
	"\n"
	"What is replayed\n"
	"  --trace FILE.swf[.gz]   a log in the Standard Workload Format; - is standard input\n"
	"  --model NAME            or a built-in model's jobs (poisson)\n"
	"  --set KEY=VALUE         a setting of the model: load=0.9, max_runtime=7200, ...\n"
	"  --jobs FIRST:COUNT      that slice, counted from 1 (all of a log, 300 of a model)\n"
	"  --seed N                of the model and of the choice of deadline jobs (default 1)\n"
	"  --time-scale F          gaps between submissions F times shorter: a higher load\n"
	"  --shrink-runtime F      runtimes and limits F times shorter\n"
	"  --raw-sleep             jobs sleep for the whole runtime; else, on a clock twice as "
	"fast or more,\n"
	"                          less by what starting and ending a job was seen to take\n"
	"  --burn                  jobs share nodes (pact-emulate --shares): instead of sleeping "
	"they use as\n"
	"                          much processor time as whole nodes give in the log's runtime\n"
	"  --turns                 jobs take turns (OverSubscribe=FORCE): instead of sleeping they "
	"count the\n"
	"                          time in which they are not stopped\n"
	"  --estimates log|exact   limits: the log's, or the runtimes rounded up to minutes "
	"(default log)\n"
	"\n"
	"Deadlines\n"
	"  --deadlines none | stringency:S,fraction:P | urgency:F | estimate:LOW-HIGH | file:CSV\n"
	"                          for a share P of the jobs (default 1): submission + the greater "
	"of\n"
	"                          limit + guard and (1 - S) x response time under EASY (default "
	"none);\n"
	"                          or so many times the runtime or the limit, see pact-sim(1);\n"
	"                          or from a file with lines JOB,SECONDS after its submission, - "
	"for "
	"none\n"
	"  --guard SECONDS         what the plan adds to each limit (default: as the plugin has "
	"it,\n"
	"                          from pact.conf or from slurm.conf)\n"
	"  --slack SECONDS         more for every deadline, for what a submission takes on a fast "
	"clock\n"
	"                          (default: a tenth of a second of the wall)\n"
	"\n"
	"Where\n"
	"  --slurm-conf FILE       instead of SLURM_CONF and Slurm's default\n"
	"  --partition NAME        instead of the default partition\n"
	"  --nodes N               the machine's size for the EASY run (default: the partition's "
	"nodes)\n"
	"  --jobcomp FILE          second source of end times (default: JobCompLoc of "
	"jobcomp/filetxt)\n"
	"\n"
	"What is shown\n"
	"  --show                  a line for all that happens to jobs with a deadline\n"
	"  -v, --verbose           a line for every submission, start and end\n"
	"  -q, --quiet             the report only\n"
	"  --json FILE             the report as JSON; - for the standard output\n"
	"  --text FILE             the report as text also into a file\n"
	"  --jobs-csv FILE         a line per job\n"
	"  --dry-run               print the jobs with their deadlines as CSV, submit nothing\n"
	"\n"
	"When to stop\n"
	"  --stop-after SECONDS    submit nothing after that much of the cluster's time\n"
	"  --patience SECONDS      give up when Slurm has not answered for so long on the wall's "
	"clock\n"
	"                          (default 60)\n"
	"  Interrupted (Ctrl-C), it cancels what it submitted and reports; a second time, it just "
	"ends.\n"
	"\n"
	"  -h, --help; --version\n"
	"\n"
	"Exit status: 0 all promises kept, 1 wrong usage, 2 bad input, 3 a promise was broken or a "
	"job\n"
	"lost, 4 Slurm cannot be reached, 5 interrupted.\n"
	"\n"
	"Two hundred jobs of a model on an emulated cluster that lives 60 times faster:\n"
	"  emulate up --profile sdsc-sp2 --speed 60\n"
	"  emulate run pact-replay --model poisson --jobs 1:200 --deadlines "
	"stringency:0.2,fraction:0.5 \\\n"
	"      --show --json report.json\n";

enum {
	OPT_TRACE = 256,
	OPT_MODEL,
	OPT_SET,
	OPT_JOBS,
	OPT_SEED,
	OPT_SCALE,
	OPT_SHRINK,
	OPT_ESTIMATES,
	OPT_DEADLINES,
	OPT_GUARD,
	OPT_SLACK,
	OPT_CONF,
	OPT_PARTITION,
	OPT_NODES,
	OPT_JOBCOMP,
	OPT_SHOW,
	OPT_JSON,
	OPT_CSV,
	OPT_TEXT,
	OPT_DRY,
	OPT_RAW,
	OPT_BURN,
	OPT_TURNS,
	OPT_STOP,
	OPT_PATIENCE,
	OPT_VERSION,
};

static const struct option longs[] = {
	{ "trace", required_argument, NULL, OPT_TRACE },
	{ "model", required_argument, NULL, OPT_MODEL },
	{ "set", required_argument, NULL, OPT_SET },
	{ "jobs", required_argument, NULL, OPT_JOBS },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "time-scale", required_argument, NULL, OPT_SCALE },
	{ "shrink-runtime", required_argument, NULL, OPT_SHRINK },
	{ "estimates", required_argument, NULL, OPT_ESTIMATES },
	{ "deadlines", required_argument, NULL, OPT_DEADLINES },
	{ "guard", required_argument, NULL, OPT_GUARD },
	{ "slack", required_argument, NULL, OPT_SLACK },
	{ "slurm-conf", required_argument, NULL, OPT_CONF },
	{ "partition", required_argument, NULL, OPT_PARTITION },
	{ "nodes", required_argument, NULL, OPT_NODES },
	{ "jobcomp", required_argument, NULL, OPT_JOBCOMP },
	{ "show", no_argument, NULL, OPT_SHOW },
	{ "verbose", no_argument, NULL, 'v' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "json", required_argument, NULL, OPT_JSON },
	{ "jobs-csv", required_argument, NULL, OPT_CSV },
	{ "text", required_argument, NULL, OPT_TEXT },
	{ "dry-run", no_argument, NULL, OPT_DRY },
	{ "raw-sleep", no_argument, NULL, OPT_RAW },
	{ "burn", no_argument, NULL, OPT_BURN },
	{ "turns", no_argument, NULL, OPT_TURNS },
	{ "stop-after", required_argument, NULL, OPT_STOP },
	{ "patience", required_argument, NULL, OPT_PATIENCE },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ NULL, 0, NULL, 0 },
};

static bool wrong(const char *option, const char *value, const char *wanted)
{
	fprintf(stderr, "pact-replay: --%s %s: %s\n", option, value, wanted);
	return false;
}

static bool take_int(const char *option, const char *value, int64_t least, int64_t most,
		     int64_t *out)
{
	char wanted[80];

	if (number_int(value, out) && *out >= least && *out <= most)
		return true;
	snprintf(wanted, sizeof(wanted), "a number from %lld to %lld is wanted", (long long)least,
		 (long long)most);
	return wrong(option, value, wanted);
}

/* A divisor of times. The bounds keep every product within 63 bits. */
static bool take_factor(const char *option, const char *value, int64_t *out)
{
	if (number_micro(value, out) && *out >= MICRO / 1000 && *out <= INT64_C(1000000) * MICRO)
		return true;
	return wrong(option, value, "a factor from 0.001 to 1000000 is wanted");
}

static bool take_slice(const char *value, struct feed_options *f)
{
	const char *colon = strchr(value, ':');
	char first[32];

	if (colon && (size_t)(colon - value) < sizeof(first)) {
		snprintf(first, sizeof(first), "%.*s", (int)(colon - value), value);
		if (number_int(first, &f->first) && number_int(colon + 1, &f->count) &&
		    f->first >= 1 && f->count >= 1 && f->first <= 1000000000 &&
		    f->count <= 1000000000)
			return true;
	}
	return wrong("jobs", value, "FIRST:COUNT is wanted, both at least 1");
}

static bool take_set(const char *value, struct options *o)
{
	char why[128];
	size_t n = 0;

	for (; o->sets[n]; n++)
		if (strcspn(o->sets[n], "=") == strcspn(value, "=") &&
		    !strncmp(o->sets[n], value, strcspn(value, "="))) {
			snprintf(why, sizeof(why), "it is given already, as --set %s", o->sets[n]);
			return wrong("set", value, why);
		}
	if (n == MAX_SETS)
		return wrong("set", value, "too many settings");
	o->sets[n] = value;
	return true;
}

static bool take_estimates(const char *value, struct feed_options *f)
{
	f->exact = !strcmp(value, "exact");
	return f->exact || !strcmp(value, "log") ||
	       wrong("estimates", value, "log or exact is wanted");
}

static bool take_deadlines(const char *value, struct feed_options *f)
{
	char why[256];

	if (deadlines_parse(value, &f->deadlines, why, sizeof(why)))
		return wrong("deadlines", value, why);
	return f->deadlines.relax_micro < 0 ||
	       wrong("deadlines", value,
		     "relax is a scheduler's setting; pact.conf has Relaxation=");
}

/* What the jobs are. */
static bool take_feed(int opt, const char *value, struct options *o)
{
	int64_t n;

	switch (opt) {
	case OPT_TRACE:
		o->feed.trace = value;
		return true;
	case OPT_MODEL:
		o->feed.model = value;
		return true;
	case OPT_SET:
		return take_set(value, o);
	case OPT_JOBS:
		return take_slice(value, &o->feed);
	case OPT_SEED:
		return number_unsigned(value, &o->feed.seed) ||
		       wrong("seed", value, "a number of up to 64 bits is wanted");
	case OPT_SCALE:
		return take_factor("time-scale", value, &o->feed.scale_micro);
	case OPT_SHRINK:
		return take_factor("shrink-runtime", value, &o->feed.shrink_micro);
	case OPT_ESTIMATES:
		return take_estimates(value, &o->feed);
	case OPT_DEADLINES:
		return take_deadlines(value, &o->feed);
	case OPT_GUARD:
		return take_int("guard", value, 0, 1000000, &o->feed.guard);
	case OPT_NODES:
		if (!take_int("nodes", value, 1, 1000000, &n))
			return false;
		o->feed.nodes = (uint32_t)n;
		return true;
	default:
		return false;
	}
}

static bool take_show(enum show_level level, struct options *o)
{
	if (o->show == SHOW_STATE || o->show == level) {
		o->show = level;
		return true;
	}
	fprintf(stderr, "pact-replay: --show, --verbose, --quiet: only one of them\n");
	return false;
}

static bool take_work(enum job_work work, struct options *o)
{
	if (o->work == WORK_SLEEP || o->work == work) {
		o->work = work;
		return true;
	}
	fprintf(stderr, "pact-replay: --burn, --turns: only one of them\n");
	return false;
}

/* Where they go and what is shown. */
static bool take(int opt, const char *value, struct options *o)
{
	switch (opt) {
	case OPT_SLACK:
		return take_int("slack", value, 0, 1000000, &o->slack);
	case OPT_CONF:
		o->slurm_conf = value;
		return true;
	case OPT_PARTITION:
		o->partition = value;
		return true;
	case OPT_JOBCOMP:
		o->jobcomp = value;
		return true;
	case OPT_SHOW:
		return take_show(SHOW_DEADLINES, o);
	case 'v':
		return take_show(SHOW_EVERYTHING, o);
	case 'q':
		return take_show(SHOW_QUIET, o);
	case OPT_JSON:
		o->json = value;
		return true;
	case OPT_CSV:
		o->csv = value;
		return true;
	case OPT_TEXT:
		o->text = value;
		return true;
	case OPT_DRY:
		o->dry_run = true;
		return true;
	case OPT_RAW:
		o->raw_sleep = true;
		return true;
	case OPT_BURN:
	case OPT_TURNS:
		return take_work(opt == OPT_BURN ? WORK_BURN : WORK_TURNS, o);
	case OPT_STOP:
		return take_int("stop-after", value, 1, INT64_C(10000000000), &o->stop_after);
	case OPT_PATIENCE:
		return take_int("patience", value, 0, 1000000, &o->patience);
	default:
		return take_feed(opt, value, o);
	}
}

/* --set may be given again, for another key; what has no value may be repeated. */
static bool take_once(struct once *once, int opt, const char *value, struct options *o)
{
	const struct option *option = longs;
	char why[512];

	while (option->name && option->val != opt)
		option++;
	if (!option->name)
		return false;
	if (opt == OPT_SET || once_add(once, option->name, value, why, sizeof(why)))
		return take(opt, value, o);
	fprintf(stderr, "pact-replay: %s\n", why);
	return false;
}

static bool check(int argc, char **argv, const struct options *o)
{
	if (optind < argc)
		fprintf(stderr, "pact-replay: %s: not an option\n", argv[optind]);
	else if (!o->feed.trace == !o->feed.model)
		fprintf(stderr, "pact-replay: one of --trace FILE and --model NAME is wanted\n");
	else if (o->slack >= 0 && o->feed.deadlines.slack >= 0)
		fprintf(stderr, "pact-replay: --slack %lld: it is given already, as slack:%lld\n",
			(long long)o->slack, (long long)o->feed.deadlines.slack);
	else if (o->work != WORK_SLEEP && o->raw_sleep)
		fprintf(stderr, "pact-replay: --raw-sleep: with --%s no job sleeps\n",
			o->work == WORK_BURN ? "burn" : "turns");
	else if (o->feed.trace && o->sets[0])
		fprintf(stderr, "pact-replay: --set %s: settings are for a --model\n", o->sets[0]);
	else
		return true;
	return false;
}

enum options_rc options_parse(int argc, char **argv, struct options *o)
{
	struct once once = { .n = 0 };
	int opt;

	*o = (struct options){
		.feed = { .first = 1,
			  .seed = 1,
			  .guard = -1,
			  .scale_micro = MICRO,
			  .shrink_micro = MICRO },
		.slack = -1,
		.patience = 60,
		.show = SHOW_STATE,
	};
	o->feed.sets = o->sets;
	while ((opt = getopt_long(argc, argv, "hvq", longs, NULL)) != -1) {
		if (opt == 'h') {
			fputs(usage, stdout);
			return OPTIONS_DONE;
		}
		if (opt == OPT_VERSION) {
			printf("pact-replay %s\n", PACKAGE_VERSION);
			return OPTIONS_DONE;
		}
		if (opt == '?' || !take_once(&once, opt, optarg, o)) {
			fprintf(stderr, "pact-replay: see pact-replay --help\n");
			return OPTIONS_WRONG;
		}
	}
	if (check(argc, argv, o))
		return OPTIONS_GO;
	fprintf(stderr, "pact-replay: see pact-replay --help\n");
	return OPTIONS_WRONG;
}

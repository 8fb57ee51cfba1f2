/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pact-sim run: workload in, schedule checked, figures out. See pact-sim(1). */
#include "sim/commands/cmd.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "common/number.h"
#include "sim/run/team.h"
#include "sim/commands/watch.h"

#define MAX_THREADS 1024

static const char help[] =
	"usage: pact-sim run --trace FILE | --model NAME --nodes N [OPTIONS]\n"
	"\n"
	"Runs a workload through a scheduler in virtual time, checks the schedule with an\n"
	"independent validator and prints figures.\n"
	"\n"
	"What to run\n"
	"  --trace FILE          a log in the Standard Workload Format, plain or gzip; - is\n"
	"                        standard input\n"
	"  --model NAME          a model instead: poisson, exponential, weibull (the papers'\n"
	"                        machines, model.histogram=ctc|kth|pc2|sdsc), histogram,\n"
	"                        hypererlang (gang's nine, model.workload=0 to 8), malleable\n"
	"                        (jobs that grow and shrink, in ticks of 1 ms)\n"
	"  --nodes N             machine size; default: the log's MaxProcs, else MaxNodes\n"
	"  --jobs FIRST:COUNT    only these jobs, counted from 1 in submission order\n"
	"                        (a model without it makes 1000)\n"
	"  --shrink F            multiply the times between submissions by F: less than 1 is\n"
	"                        more work per hour (the shrinking factor of dynP's paper)\n"
	"  --arrival-delay F     the same as in LibraRisk's paper: rounded to the nearest second;\n"
	"                        0: all jobs at once\n"
	"  --load L              L times as much work (1.2: a fifth more), made as --load-by says\n"
	"  --load-by duplicate   submit some jobs once more, at random times (default), or\n"
	"            expand      let all jobs run L times as long (both as in QoPS' paper)\n"
	"  --estimates log       limits as in the log (default), or\n"
	"              exact     equal to the runtimes, or\n"
	"              omega:W   up to 1 + W times the runtimes, uniform, or\n"
	"              phi:F     exact for a share F of the jobs, the others use a uniform share\n"
	"                        of their limit, or\n"
	"              inaccuracy:P  between the runtime (P = 0) and the log's limit (1)\n"
	"  --deadlines none | stringency:S | urgency:F[,mean:M][,ratio:R] | estimate:LOW-HIGH\n"
	"              [,fraction:P][,relax:R][,slack:T] | file:CSV\n"
	"                        how tight (S from 0 to 1, as in QoPS' paper); or so many times\n"
	"                        the runtime: M (4) in the mean for a share F of the jobs, M x R\n"
	"                        (4) for the others, as in LibraRisk's paper; or LOW to HIGH "
	"times\n"
	"                        the estimate. For a share P (1) of the jobs; R for the others'\n"
	"                        artificial deadlines, T seconds more for every deadline. Or a\n"
	"                        file with lines JOB,SECONDS: so long after its submission, - for\n"
	"                        none\n"
	"  --malleable none | fraction:F[,least:L][,most:M][,speedup:linear|table][,value:V]\n"
	"                        a share F (1) of the jobs runs on L (0.5) to M (2) times its\n"
	"                        width, with as much work; its time limit is that on the least\n"
	"  --answers [time:S|time:LOW-HIGH][,refuse:P]\n"
	"                        when they are asked, with notice (ResizeGrace), to give nodes\n"
	"                        back: after so many seconds (0), a share P (0) of the times not\n"
	"                        at all\n"
	"  --launch SECONDS[,LATER] | file:CSV\n"
	"                        so long a node that a job starts on does nothing for it yet (0),\n"
	"                        and one that it gets later (as many); no scheduler knows of it.\n"
	"                        Or a file with lines JOB,SECONDS[,LATER]\n"
	"  --seed N              default 1; the same seed gives the same run on any machine\n"
	"\n"
	"How to run it\n"
	"  --scheduler NAME      fcfs, easy, conservative, qops, msb, mrt, qops-best, dynp,\n"
	"                        libra, librarisk, demand, edf, gs, bgs, mgs, mbgs, ambgs,\n"
	"                        bf, uniform, profit or lazy;\n"
	"                        or several, as qops@0-63+easy@64-127;\n"
	"                        default: easy, with --deadlines qops\n"
	"  --mode paper|slurm    paper (default): the heuristic orders all jobs; slurm:\n"
	"                        priority does, promised jobs keep their places\n"
	"  --guard SECONDS       added to every estimate in the plan (default 0)\n"
	"  --threads N           at most; the same run with any number (default: the processors)\n"
	"  --set KEY=VALUE ...   settings of the scheduler, see the manual:\n"
	/* settings: set */
	"                        Mode=paper|slurm Order=edf|llf Cost=slack|wait|area|work\n"
	"                        Slots=start|order Compress=arrival|start\n"
	"                        MaxBacktracks=NUMBER Effort=NUMBER Admission=none|qops\n"
	"                        KFactor=NUMBER Relaxation=NUMBER\n"
	"                        MinArtificialDeadline=SECONDS Guard=SECONDS\n"
	"                        Lateness=SECONDS Spare=share|idle Parts=independent|step\n"
	"                        NodeChoice=order|best RiskLimit=NUMBER Rows=NUMBER\n"
	"                        Slice=SECONDS Switch=NUMBER SwitchLoss=NUMBER\n"
	"                        MigrationCost=SECONDS LeaveTime=SECONDS\n"
	"                        MigrationQuota=NUMBER ShortRows=NUMBER ShortTime=SECONDS\n"
	"                        LaunchTime=SECONDS Cut=keep|next Columns=lowest|aligned\n"
	"                        PromiseAside=no|yes Discrete=no|yes Phases=LIST\n"
	"                        QueueOrder=fcfs|sjf|bfit|wfit ResizeGrace=SECONDS\n"
	"                        Loans=none|uniform|profit LoanTime=SECONDS\n"
	"                        ResizeInterval=SECONDS Policies=LIST\n"
	"                        Decider=simple|advanced|basic|preferred\n"
	"                        Quality=MEASURE[:WEIGHT][+...] Slackness=PERCENT\n"
	"                        FutureStarts=NUMBER FutureTime=SECONDS LowerBound=SECONDS\n"
	"                        UpperBound=SECONDS Threshold=JOBS Spread=PERCENT\n"
	"                        Gain=PERCENT JobPriority=none|ties|first\n"
	/* settings: end */
	"                        and of the model: model.load=0.8 ...\n"
	"                        What the scheduler does not use is an error\n"
	"\n"
	"What to say\n"
	"  --json FILE           the figures as JSON (- for standard output)\n"
	"  --jobs-csv FILE       a line per job\n"
	"  --record FILE         what the simulator and the scheduler say, for pact-sim replay\n"
	"  --quiet               no text report, no progress\n"
	"\n"
	"Examples\n"
	"  pact-sim run --trace SDSC-SP2.swf.gz --scheduler easy\n"
	"  pact-sim run --trace SDSC-SP2.swf.gz --jobs 1:5000 --estimates exact \\\n"
	"      --scheduler qops --deadlines stringency:0.2,fraction:1 --set KFactor=10\n"
	"  pact-sim run --model poisson --nodes 64 --set model.load=1.2 --jobs 1:300 \\\n"
	"      --scheduler qops --deadlines stringency:0.2,fraction:0.5 --jobs-csv jobs.csv\n"
	"  pact-sim run --trace CTC-SP2.swf.gz --jobs 1:5000 --estimates exact --load 1.6 \\\n"
	"      --deadlines stringency:0.2,fraction:1\n"
	"  pact-sim run --trace SDSC-SP2.swf.gz --deadlines urgency:0.2 --scheduler qops\n"
	"  pact-sim run --trace KTH-SP2.swf.gz --estimates phi:0.2 --scheduler conservative\n"
	"  zcat CTC-SP2.swf.gz | head -n 5000 | pact-sim run --trace - --scheduler easy\n"
	"\n"
	"Exit: 0, 1 usage, 2 bad input, 3 the schedule is invalid or a promise was broken,\n"
	"4 cannot write, 10 and up: an error inside the scheduler.\n";

static const struct option own_options[] = {
	{ "json", required_argument, NULL, 'J' },
	{ "jobs-csv", required_argument, NULL, 'C' },
	{ "record", required_argument, NULL, 'R' },
	{ "threads", required_argument, NULL, 'T' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

struct command {
	struct run_options run;
	const char *json, *csv, *record;
	int64_t threads; /* 0: not given */
	bool quiet;
};

static int take_threads(struct command *c, const char *value)
{
	char why[128];

	if (number_int(value, &c->threads) && c->threads >= 1 && c->threads <= MAX_THREADS)
		return EXIT_OK;
	snprintf(why, sizeof(why), "--threads %.64s: not a number from 1 to %d", value,
		 MAX_THREADS);
	return cmd_usage_error("run", why);
}

static int take(void *arg, int letter, const char *value)
{
	struct command *c = arg;

	if (letter == 'J')
		c->json = value;
	else if (letter == 'C')
		c->csv = value;
	else if (letter == 'R')
		c->record = value;
	else if (letter == 'T')
		return take_threads(c, value);
	else if (letter == 'q')
		c->quiet = true;
	return EXIT_OK;
}

static int check_outputs(const struct command *c, const char *name)
{
	const struct cmd_output v[] = { { "json", c->json },
					{ "jobs-csv", c->csv },
					{ "record", c->record } };

	return cmd_check_run_outputs(name, &c->run, v, sizeof(v) / sizeof(v[0]));
}

static int open_record(const struct command *c, struct run_hooks *hooks)
{
	char why[512];

	if (c->record)
		hooks->record = record_open(c->record, why, sizeof(why));
	if (!c->record || hooks->record)
		return EXIT_OK;
	fprintf(stderr, "pact-sim: %s\n", why);
	return EXIT_OUTPUT;
}

static int close_record(const struct command *c, const struct run_hooks *hooks)
{
	int err = record_close(hooks->record);

	if (!err)
		return EXIT_OK;
	fprintf(stderr, "pact-sim: cannot write %s: %s\n", c->record, strerror(err));
	return EXIT_OUTPUT;
}

static int write_json(const void *report, FILE *out)
{
	return report_json(report, out);
}

static int write_csv(const void *report, FILE *out)
{
	return report_csv(report, out);
}

static int tell(const struct command *c, const struct report *report)
{
	int err = EXIT_OK;

	if (!c->quiet && !cmd_is_standard(c->json) && !cmd_is_standard(c->csv) &&
	    !cmd_is_standard(c->record))
		report_text(report, stdout);
	if (c->json)
		err = cmd_write(c->json, write_json, report);
	if (c->csv && !err)
		err = cmd_write(c->csv, write_csv, report);
	return err;
}

int cmd_run(int argc, char **argv)
{
	struct command c = { 0 };
	struct cmd_line line = {
		.help = help, .own = own_options, .run = &c.run, .take = take, .arg = &c
	};
	struct watch watch;
	struct run_hooks hooks;
	struct run run;
	bool done = false;
	int err, told;

	run_options_init(&c.run);
	err = cmd_take_run_options(&line, argc, argv, &done);
	if (!err && !done)
		err = cmd_check_run_options(&c.run, argv[0]);
	if (!err && !done)
		err = check_outputs(&c, argv[0]);
	if (err || done)
		return err;
	hooks = watch_begin(&watch, c.quiet);
	hooks.threads = c.threads ? (unsigned)c.threads : team_processors();
	err = open_record(&c, &hooks);
	if (err)
		return err;
	err = run_execute(&c.run, &hooks, &run);
	watch_end(&watch);
	told = close_record(&c, &hooks);
	err = err ? err : told;
	if (!err || err == EXIT_INVALID) {
		told = tell(&c, &run.report);
		err = err ? err : told;
	}
	run_release(&run);
	return err;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pact-sim trace: what a log contains; cuts and converts it. See pact-sim(1). */
#include "sim/commands/cmd.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/sched.h"
#include "sim/workload/cut.h"
#include "sim/models/histogram_file.h"
#include "sim/models/hypererlang_log.h"
#include "common/number.h"
#include "common/once.h"
#include "common/progress.h"
#include "sim/workload/survey.h"
#include "sim/workload/survey_report.h"

#define MAX_MESSAGES 10

static const char help[] =
	"usage: pact-sim trace FILE [OPTIONS]\n"
	"\n"
	"Says what a log in the Standard Workload Format contains: jobs, period, offered load,\n"
	"sizes and times, which fields are missing, and what is odd, with the numbers of the\n"
	"first lines where it is. Cuts the log and converts it. FILE - is standard input.\n"
	"\n"
	"Which jobs\n"
	"  --from S, --until S   submitted from second S of the log on; before second S\n"
	"  --jobs FIRST:COUNT    of these, only so many, counted from 1 in submission order\n"
	"  --nodes N             size of the machine; default: the log's MaxProcs, else MaxNodes\n"
	"\n"
	"What to do with them\n"
	"  --write OUT           write them as a log; compressed if OUT ends in .gz; - is\n"
	"                        standard output. OUT may be FILE itself, which must not be -\n"
	"  --shift S             add S seconds to their submit times in OUT; zero: let the first\n"
	"                        one be submitted at 0\n"
	"  --histogram OUT       write their joint histogram for --model histogram; - likewise\n"
	"  --hypererlang OUT     fit Hyper-Erlang distributions to its classes of widths, say how\n"
	"                        well, and write them for --model hypererlang; - likewise\n"
	"  --json FILE           what the log contains as JSON (- for standard output)\n"
	"  --quiet               no text, no list of malformed lines\n"
	"\n"
	"Examples\n"
	"  pact-sim trace SDSC-SP2.swf.gz\n"
	"  pact-sim trace CTC-SP2.swf.gz --jobs 1:5000 --shift zero --write ctc-5000.swf.gz\n"
	"  pact-sim trace KTH-SP2.swf.gz --from 0 --until 2592000 --json -\n"
	"  pact-sim trace mine.swf --write mine.swf.gz\n"
	"\n"
	"Exit: 0, 1 usage, 2 the log cannot be read, has no job, or none that was asked for,\n"
	"4 cannot write, 10 out of memory.\n";

static const struct option options[] = {
	{ "from", required_argument, NULL, 'f' },
	{ "until", required_argument, NULL, 'u' },
	{ "jobs", required_argument, NULL, 'j' },
	{ "nodes", required_argument, NULL, 'n' },
	{ "write", required_argument, NULL, 'w' },
	{ "shift", required_argument, NULL, 's' },
	{ "json", required_argument, NULL, 'J' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "histogram", required_argument, NULL, 'H' },
	{ "hypererlang", required_argument, NULL, 'E' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

struct command {
	const char *path, *out, *json, *histogram, *hypererlang;
	struct survey_choice choice;
	int64_t nodes, shift;
	bool zero, quiet, help;
	uint64_t messages;
	struct survey survey;
	struct progress progress;
};

static int usage_error(const char *option, const char *value, const char *what)
{
	fprintf(stderr, "pact-sim trace: --%s %s: %s; see pact-sim trace --help\n", option, value,
		what);
	return EXIT_USAGE;
}

static int take_jobs(struct command *c, const char *value)
{
	char copy[64], *colon;
	uint64_t first, count;

	snprintf(copy, sizeof(copy), "%s", value);
	colon = strchr(copy, ':');
	if (colon)
		*colon++ = '\0';
	if (strlen(value) >= sizeof(copy) || !colon || !number_unsigned(copy, &first) ||
	    !number_unsigned(colon, &count) || !first || !count)
		return usage_error("jobs", value, "not FIRST:COUNT, both from 1");
	c->choice.first = first;
	c->choice.count = count;
	return EXIT_OK;
}

static int take_seconds(const char *option, const char *value, int64_t *out)
{
	if (number_int(value, out) && *out >= 0)
		return EXIT_OK;
	return usage_error(option, value, "not a number of seconds >= 0");
}

static int take_option(struct command *c, int option, const char *value)
{
	switch (option) {
	case 'f':
		return take_seconds("from", value, &c->choice.from);
	case 'u':
		return take_seconds("until", value, &c->choice.until);
	case 'j':
		return take_jobs(c, value);
	case 'n':
		if (!number_int(value, &c->nodes) || c->nodes < 1 || c->nodes > INT32_MAX)
			return usage_error("nodes", value, "not a number of nodes");
		return EXIT_OK;
	case 'w':
		c->out = value;
		return EXIT_OK;
	case 's':
		c->zero = !strcmp(value, "zero");
		if (!c->zero && (!number_int(value, &c->shift) || c->shift > WORKLOAD_MAX_TIME ||
				 c->shift < -WORKLOAD_MAX_TIME))
			return usage_error("shift", value, "not a number of seconds, nor zero");
		return EXIT_OK;
	case 'J':
		c->json = value;
		return EXIT_OK;
	case 'H':
		c->histogram = value;
		return EXIT_OK;
	case 'E':
		c->hypererlang = value;
		return EXIT_OK;
	case 'q':
		c->quiet = true;
		return EXIT_OK;
	case 'h':
		c->help = true;
		return EXIT_OK;
	default:
		return EXIT_USAGE;
	}
}

static int parse(struct command *c, int argc, char **argv)
{
	struct once once = { .n = 0 };
	int option, index = 0, err = EXIT_OK;
	char why[512];

	while (!err && !c->help && (option = getopt_long(argc, argv, "h", options, &index)) != -1) {
		if (optarg && !once_add(&once, options[index].name, optarg, why, sizeof(why)))
			err = cmd_usage_error(argv[0], why);
		else
			err = take_option(c, option, optarg);
	}
	if (err || c->help)
		return err;
	if (optind + 1 != argc) {
		fprintf(stderr, "pact-sim trace: %s; see pact-sim trace --help\n",
			optind < argc ? "one FILE only" : "a FILE is needed");
		return EXIT_USAGE;
	}
	c->path = argv[optind];
	if ((c->zero || c->shift) && !c->out)
		return usage_error("shift", c->zero ? "zero" : "S", "needs --write OUT");
	return EXIT_OK;
}

static void complain(void *arg, const char *message)
{
	struct command *c = arg;

	if (c->quiet)
		return;
	progress_wipe(&c->progress);
	if (c->messages++ < MAX_MESSAGES)
		fprintf(stderr, "pact-sim: %s\n", message);
	else if (c->messages == MAX_MESSAGES + 1)
		fprintf(stderr, "pact-sim: (more messages like this are left out)\n");
}

static void reading(void *arg, double bytes, double of)
{
	struct command *c = arg;

	progress_show(&c->progress, "MB read", bytes / 1e6, of / 1e6);
}

static int failed(int err, const char *why)
{
	fprintf(stderr, "pact-sim: %s\n", why);
	if (err == PACT_EPROTO)
		return EXIT_OUTPUT;
	return err == PACT_ENOMEM ? err : EXIT_INPUT;
}

struct finding {
	const struct command *c;
	const struct survey_figures *f;
};

static int write_json(const void *what, FILE *out)
{
	const struct finding *found = what;

	return survey_json(&found->c->survey, found->f, swf_name(found->c->path), out);
}

static int write_log(struct command *c, const struct survey_figures *f)
{
	int64_t shift = c->zero ? -f->first_submit : c->shift;
	char why[512];
	int err = cut_write(&c->survey, c->path, shift, c->out, why, sizeof(why));

	if (err)
		return failed(err, why);
	if (!c->quiet)
		fprintf(stderr,
			"pact-sim: %s: %zu of %" PRIu64 " records written, %" PRIu64
			" dropped, %zu not asked for\n",
			c->out, c->survey.selected, c->survey.records,
			c->survey.records - c->survey.count, c->survey.count - c->survey.selected);
	return EXIT_OK;
}

/* To be cut it is read twice, which a pipe cannot be: the second reading would find nothing, or wait. */
static bool read_once(const char *path)
{
	struct stat is;

	return stat(path, &is) == 0 && (S_ISFIFO(is.st_mode) || S_ISSOCK(is.st_mode));
}

/* Text for people, where nothing else goes. */
static bool tells(const struct command *c)
{
	return !c->quiet && !cmd_is_standard(c->out) && !cmd_is_standard(c->json) &&
	       !cmd_is_standard(c->histogram) && !cmd_is_standard(c->hypererlang);
}

static int look(struct command *c)
{
	struct survey *s = &c->survey;
	struct survey_figures f;
	char why[512];
	const struct swf_hooks hooks = { .complain = complain, .progress = reading, .arg = c };
	int err;

	if (c->out && swf_is_standard(c->path))
		return failed(PACT_EINVAL, "standard input: --write reads twice; name a file");
	if (c->out && read_once(c->path)) {
		snprintf(why, sizeof(why), "%s: --write reads twice, which a pipe cannot be",
			 c->path);
		return failed(PACT_EINVAL, why);
	}
	progress_begin(&c->progress, c->quiet);
	err = survey_read(s, c->path, c->nodes, &hooks, why, sizeof(why));
	progress_wipe(&c->progress);
	if (err)
		return failed(err, why);
	if (survey_select(s, &c->choice) || survey_figures(s, &f))
		return failed(PACT_ENOMEM, "out of memory");
	if (!s->selected)
		return failed(PACT_EINVAL, "no job is left of those asked for");
	if (tells(c))
		survey_text(s, &f, swf_name(c->path), stdout);
	err = c->json ? cmd_write(c->json, write_json, &(struct finding){ c, &f }) : EXIT_OK;
	if (!err && c->histogram)
		err = histogram_to_file(s, swf_name(c->path), c->histogram);
	if (!err && c->hypererlang)
		err = hypererlang_log_to_file(s, swf_name(c->path), c->hypererlang, tells(c));
	return err || !c->out ? err : write_log(c, &f);
}

/* The log may be written anew, in its own place; nothing else may. */
static int check_outputs(const struct command *c, const char *name)
{
	const struct cmd_output v[] = { { "json", c->json },
					{ "histogram", c->histogram },
					{ "hypererlang", c->hypererlang },
					{ "write", c->out } };
	int err = cmd_check_outputs(name, NULL, v, 4);

	return err ? err : cmd_check_outputs(name, c->path, v, 3);
}

int cmd_trace(int argc, char **argv)
{
	struct command c = { .choice = { .until = -1 } };
	int err = parse(&c, argc, argv);

	if (c.help)
		fputs(help, stdout);
	if (!err && !c.help)
		err = check_outputs(&c, argv[0]);
	if (err || c.help)
		return err;
	err = look(&c);
	survey_release(&c.survey);
	return err;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pact-sim bound: how much any method could promise. See pact-sim(1) and bound.h. */
#include "sim/cmd.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "sim/bound.h"
#include "sim/number.h"
#include "sim/run.h"

#define MAX_PARTS 100000

static const char help[] =
	"usage: pact-sim bound OPTIONS-OF-RUN [OPTIONS]\n"
	"\n"
	"Says how many of the processor-seconds that a workload asks for with deadlines any\n"
	"method could promise at most, and so how many each must refuse: even one that knows\n"
	"all jobs beforehand, interrupts and moves them, gives a job any number of nodes up\n"
	"to its width, and promises parts of jobs. What a scheduler refuses on the same\n"
	"workload (unadmitted_procsec_pct of pact-sim run) is never less.\n"
	"\n"
	"  the options of run    which workload it is: --trace, --jobs, --load, --deadlines ...\n"
	"                        (those that say how to run it change nothing)\n"
	"  --parts N             cut the time into at most so many parts (default 4000): more\n"
	"                        may tighten the bound, and cost memory and time\n"
	"  --json FILE           the figures as JSON (- for standard output)\n"
	"  --quiet               no text\n"
	"\n"
	"Example\n"
	"  pact-sim bound --trace CTC-SP2.swf.gz --jobs 1:5000 --estimates exact --load 1.6 \\\n"
	"      --deadlines stringency:0.2,fraction:1\n"
	"\n"
	"Exit: 0, 1 usage, 2 bad input, 4 cannot write, 10 out of memory, 11 the work or the\n"
	"times are too great.\n";

static const struct option own_options[] = {
	{ "parts", required_argument, NULL, 'P' },
	{ "json", required_argument, NULL, 'J' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

struct command {
	struct run_options run;
	const char *json;
	int64_t parts;
	bool quiet;
};

static int usage_error(const char *why)
{
	fprintf(stderr, "pact-sim bound: %s; see pact-sim bound --help\n", why);
	return EXIT_USAGE;
}

static int take(struct command *c, const char *name, const char *value)
{
	char why[1024];

	return run_options_set(&c->run, name, value, why, sizeof(why)) ? usage_error(why) : EXIT_OK;
}

static int take_parts(struct command *c, const char *value)
{
	char why[256];

	if (number_int(value, &c->parts) && c->parts >= 1 && c->parts <= MAX_PARTS)
		return EXIT_OK;
	snprintf(why, sizeof(why), "--parts %s: a number from 1 to %d wanted", value, MAX_PARTS);
	return usage_error(why);
}

/* EXIT_OK with *done when there is nothing left to do (--help). */
static int parse(struct command *c, int argc, char **argv, bool *done)
{
	struct option options[CMD_MAX_OPTIONS];
	int option, index, err = EXIT_OK;
	char why[1024];

	cmd_options(options, own_options);
	while (!err && (option = getopt_long(argc, argv, "h", options, &index)) != -1) {
		if (option == 'h') {
			fputs(help, stdout);
			*done = true;
			return EXIT_OK;
		}
		if (option == 'o')
			err = take(c, options[index].name, optarg);
		else if (option == 'P')
			err = take_parts(c, optarg);
		else if (option == 'J')
			c->json = optarg;
		else if (option == 'q')
			c->quiet = true;
		else
			err = EXIT_USAGE;
	}
	for (; !err && optind < argc; optind++)
		err = take(c, "set", argv[optind]);
	if (err || !run_options_check(&c->run, why, sizeof(why)))
		return err;
	return usage_error(why);
}

static void say(void *arg, const char *message)
{
	(void)arg;
	fprintf(stderr, "pact-sim: %s\n", message);
}

static int write_json(const struct bound *b, uint32_t nodes, FILE *out)
{
	json_object *o = json_object_new_object();
	int err;

	if (!o)
		return ENOMEM;
	json_object_object_add(o, "nodes", json_object_new_int64(nodes));
	json_object_object_add(o, "deadline_jobs", json_object_new_int64((int64_t)b->jobs));
	json_object_object_add(o, "parts", json_object_new_int64((int64_t)b->parts));
	json_object_object_add(o, "asked_procsec", json_object_new_int64(b->asked));
	json_object_object_add(o, "most_admitted_procsec", json_object_new_int64(b->most));
	json_object_object_add(o, "least_unadmitted_procsec_pct",
			       json_object_new_double(bound_least_pct(b)));
	errno = 0;
	err = fprintf(out, "%s\n", json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY)) < 0;
	json_object_put(o);
	return err ? errno ? errno : EIO : 0;
}

static int write_file(const struct command *c, const struct bound *b, uint32_t nodes)
{
	bool standard = !strcmp(c->json, "-");
	FILE *f = standard ? stdout : fopen(c->json, "w");
	int err = f ? write_json(b, nodes, f) : errno;

	if (f && !standard && fclose(f) && !err)
		err = errno;
	if (!err)
		return EXIT_OK;
	fprintf(stderr, "pact-sim: cannot write %s: %s\n", c->json, strerror(err));
	return EXIT_OUTPUT;
}

static int tell(const struct command *c, const struct bound *b, uint32_t nodes)
{
	if (!c->quiet)
		printf("%zu jobs ask for %" PRId64 " processor-seconds by their deadlines.\n"
		       "Any method promises at most %" PRId64
		       " of them and refuses at least %.3f %%.\n",
		       b->jobs, b->asked, b->most, bound_least_pct(b));
	return c->json ? write_file(c, b, nodes) : EXIT_OK;
}

int cmd_bound(int argc, char **argv)
{
	struct command c = { .parts = BOUND_PARTS };
	struct run_hooks hooks = { .say = say };
	struct run run;
	struct bound b;
	uint32_t nodes;
	bool done = false;
	int err;

	run_options_init(&c.run);
	err = parse(&c, argc, argv, &done);
	if (err || done)
		return err;
	err = run_workload(&c.run, &hooks, &run, &nodes);
	if (!err) {
		err = bound_find(&run.w, nodes, (size_t)c.parts, &b);
		if (err)
			say(NULL, err == PACT_ENOMEM
					  ? "out of memory"
					  : "the work or the times are too great to be added up");
	}
	run_release(&run);
	return err ? err : tell(&c, &b, nodes);
}

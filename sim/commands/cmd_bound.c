/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pact-sim bound: how much any method could promise. See pact-sim(1) and bound.h. */
#include "sim/commands/cmd.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "sim/report/bound.h"
#include "common/number.h"
#include "sim/commands/watch.h"

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
	"                        (not those that say how to run it: nothing is scheduled)\n"
	"  --parts N             cut the time into at most so many parts (default 4000): more\n"
	"                        may tighten the bound, and cost memory and time\n"
	"  --json FILE           the figures as JSON (- for standard output)\n"
	"  --quiet               no text, no progress\n"
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

static int take(void *arg, int letter, const char *value)
{
	struct command *c = arg;
	char why[256];

	if (letter == 'J')
		c->json = value;
	else if (letter == 'q')
		c->quiet = true;
	else if (!number_int(value, &c->parts) || c->parts < 1 || c->parts > MAX_PARTS) {
		snprintf(why, sizeof(why), "--parts %s: a number from 1 to %d wanted", value,
			 MAX_PARTS);
		return cmd_usage_error("pact-sim bound", why);
	}
	return EXIT_OK;
}

struct finding {
	const struct bound *b;
	uint32_t nodes;
};

static int write_json(const void *what, FILE *out)
{
	const struct finding *f = what;
	const struct bound *b = f->b;
	json_object *o = json_object_new_object();
	int err;

	if (!o)
		return ENOMEM;
	json_object_object_add(o, "nodes", json_object_new_int64(f->nodes));
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

static int tell(const struct command *c, const struct bound *b, uint32_t nodes)
{
	if (!c->quiet && !cmd_is_standard(c->json))
		printf("%zu job%s for %" PRId64 " processor-seconds by %s.\n"
		       "Any method promises at most %" PRId64
		       " of them and refuses at least %.3f %%.\n",
		       b->jobs, b->jobs == 1 ? " asks" : "s ask", b->asked,
		       b->jobs == 1 ? "its deadline" : "their deadlines", b->most,
		       bound_least_pct(b));
	return c->json ? cmd_write(c->json, write_json, &(struct finding){ b, nodes }) : EXIT_OK;
}

static int check(const struct command *c)
{
	char why[1024];

	if (run_options_check(&c->run, why, sizeof(why)) ||
	    run_options_check_workload(&c->run, why, sizeof(why)))
		return cmd_usage_error("pact-sim bound", why);
	return EXIT_OK;
}

int cmd_bound(int argc, char **argv)
{
	struct command c = { .parts = BOUND_PARTS };
	struct cmd_line line = {
		.help = help, .own = own_options, .run = &c.run, .take = take, .arg = &c
	};
	struct watch watch;
	struct run_hooks hooks;
	struct run run;
	struct bound b;
	uint32_t nodes;
	bool done = false;
	int err;

	run_options_init(&c.run);
	err = cmd_take_run_options(&line, argc, argv, &done);
	if (!err && !done)
		err = check(&c);
	if (!err && !done)
		err = cmd_check_run_outputs(argv[0], &c.run, &(struct cmd_output){ "json", c.json },
					    1);
	if (err || done)
		return err;
	hooks = watch_begin(&watch, c.quiet);
	err = run_workload(&c.run, &hooks, &run, &nodes);
	watch_end(&watch);
	if (!err) {
		err = bound_find(&run.w, nodes, (size_t)c.parts, &b);
		if (err)
			hooks.say(hooks.arg, err == PACT_ENOMEM ? "out of memory"
								: "the work or the times are too "
								  "great to be added up");
	}
	run_release(&run);
	return err ? err : tell(&c, &b, nodes);
}

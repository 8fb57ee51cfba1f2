/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options: see options.h. */
#include "contrib/elastic/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/malleable_option.h"
#include "common/number.h"

#define HOST_NAME_MOST 255

enum {
	OPT_JOB = 256,
	OPT_NOTICE,
	OPT_HOOK,
	OPT_CHARM,
	OPT_NODELIST,
	OPT_PES,
	OPT_SRUN,
	OPT_RESTARTS,
	OPT_VERSION,
};

static const struct option options[] = {
	{ "job", required_argument, NULL, OPT_JOB },
	{ "notice", required_argument, NULL, OPT_NOTICE },
	{ "quiet", no_argument, NULL, 'q' },
	{ "srun", required_argument, NULL, OPT_SRUN },
	{ "restarts", required_argument, NULL, OPT_RESTARTS },
	{ "hook", required_argument, NULL, OPT_HOOK },
	{ "charm", required_argument, NULL, OPT_CHARM },
	{ "nodelist", required_argument, NULL, OPT_NODELIST },
	{ "pes", required_argument, NULL, OPT_PES },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static void usage(FILE *out)
{
	fputs("usage: pact-elastic [OPTION...] -- COMMAND [ARGUMENT...]\n"
	      "       pact-elastic [OPTION...] --hook PROGRAM\n"
	      "       pact-elastic [OPTION...] --charm HOST:PORT --nodelist FILE\n"
	      "\n"
	      "Inside a malleable job: gives nodes back when they are wanted, and uses those that "
	      "come.\n"
	      "\n"
	      "  -- COMMAND         one on each node; it gets TERM before its node is given back\n"
	      "  --hook PROGRAM     is called with what is wanted; its exit code is the answer\n"
	      "  --charm HOST:PORT  a Charm++ program is told, over CCS\n"
	      "\n"
	      "  --job ID           the job (SLURM_JOB_ID)\n"
	      "  --notice SECONDS   that the job has to give nodes back (the job's own; 60)\n"
	      "  --srun OPTION      for the srun of each command, such as --srun=--cpu-bind=none\n"
	      "  --restarts N       of a command that fails, on each node (0)\n"
	      "  --nodelist FILE    charmrun's, rewritten when nodes come and go\n"
	      "  --pes N            processes of Charm++ on each node (1)\n"
	      "  -q, --quiet        tell nothing but errors\n"
	      "  --version, -h, --help\n"
	      "\n"
	      "Examples\n"
	      "  pact-elastic -- ./worker --queue /shared/queue\n"
	      "  pact-elastic --hook ./hook.sh\n",
	      out);
}

static bool bad(const char *name, const char *text)
{
	fprintf(stderr, "pact-elastic: --%s: not a value: %s\n", name, text);
	return false;
}

static bool take_number(const char *name, const char *text, int64_t least, int64_t most,
			int64_t *out)
{
	int64_t n;

	if (!number_int(text, &n) || n < least || n > most)
		return bad(name, text);
	*out = n;
	return true;
}

static bool add_srun(struct options *o, const char *text)
{
	size_t n = 0;

	while (o->srun[n])
		n++;
	if (n == SRUN_OPTIONS || !*text)
		return bad("srun", text);
	o->srun[n] = text;
	return true;
}

/* HOST:PORT, as ccs_processors() takes it. */
static bool is_server(const char *text)
{
	const char *colon = strrchr(text, ':');
	int64_t port;

	return colon && colon != text && colon - text <= HOST_NAME_MOST &&
	       number_int(colon + 1, &port) && port >= 1 && port <= 65535;
}

static bool take_text(const char *name, const char *text, bool ok, const char **out)
{
	if (!ok || !*text)
		return bad(name, text);
	*out = text;
	return true;
}

static bool take(struct options *o, int c)
{
	int64_t n = 0;

	switch (c) {
	case OPT_JOB:
		if (!take_number("job", optarg, 1, UINT32_MAX - 1, &n))
			return false;
		o->job = (uint32_t)n;
		return true;
	case OPT_NOTICE:
		return take_number("notice", optarg, 1, 86400, &o->notice);
	case OPT_RESTARTS:
		return take_number("restarts", optarg, 0, 1000000, &o->restarts);
	case OPT_PES:
		return take_number("pes", optarg, 1, 65536, &o->pes);
	case OPT_SRUN:
		return add_srun(o, optarg);
	case OPT_HOOK:
		return take_text("hook", optarg, true, &o->hook);
	case OPT_CHARM:
		return take_text("charm", optarg, is_server(optarg), &o->charm);
	case OPT_NODELIST:
		return take_text("nodelist", optarg, true, &o->nodelist);
	case 'q':
		o->quiet = true;
		return true;
	default:
		return false;
	}
}

/* Is what was given one of the three, with what belongs to it? */
static bool fits(const struct options *o)
{
	const char *what = NULL;

	if (!!o->command + !!o->hook + !!o->charm != 1)
		what = "one of -- COMMAND, --hook and --charm is wanted";
	else if (!o->charm != !o->nodelist)
		what = "--charm and --nodelist belong together";
	else if (!o->charm && o->pes)
		what = "--pes belongs to --charm";
	else if (!o->command && (o->srun[0] || o->restarts))
		what = "--srun and --restarts belong to -- COMMAND";
	if (what)
		fprintf(stderr, "pact-elastic: %s (pact-elastic --help)\n", what);
	return !what;
}

/*
 * A notice shorter than the library's that the job was submitted with: salloc has it in the environment of its command,
 * slurmd in that of a batch script. A longer one need not be what it gets (Strategy of pact.conf), and to look too often
 * does no harm.
 */
static int64_t own_notice(void)
{
	static const char option[] = "SLURM_SPANK__SLURM_SPANK_OPTION_spank_pact_malleable";
	const char *text = getenv(option + strlen("SLURM_SPANK_"));
	struct malleable_option o;
	char why[256];

	text = text ? text : getenv(option);
	if (!text || !malleable_option_read(text, &o, why, sizeof(why)) || o.grace >= NOTICE)
		return 0;
	return o.grace;
}

bool elastic_options(int argc, char **argv, struct options *o, int *status)
{
	static char name[] = "pact-elastic";
	int c;

	argv[0] = name; /* in getopt's messages, too */
	memset(o, 0, sizeof(*o));
	*status = EXIT_ELASTIC;
	while ((c = getopt_long(argc, argv, "+qh", options, NULL)) != -1) {
		if (c == 'h' || c == OPT_VERSION) {
			if (c == 'h')
				usage(stdout);
			else
				printf("pact-elastic %s\n", PACT_VERSION);
			*status = fflush(stdout) ? EXIT_ELASTIC : 0;
			return false;
		}
		if (!take(o, c))
			return false;
	}
	if (optind < argc)
		o->command = argv + optind;
	if (!fits(o))
		return false;
	if (!o->pes)
		o->pes = 1;
	if (!o->notice && !o->job)
		o->notice = own_notice();
	return true;
}

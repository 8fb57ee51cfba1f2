/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options: see options.h. */
#include "node/options.h"

#include <getopt.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/number.h"
#include "common/once.h"

#define NODE_MOST 100

enum {
	OPT_DIR = 256,
	OPT_NODE,
	OPT_CONTROLLER,
	OPT_SLURM_USER,
	OPT_MUNGE,
	OPT_INTERVAL,
	OPT_RATING,
	OPT_PROCESSORS,
	OPT_CAP,
	OPT_GROUP,
	OPT_ROOT,
	OPT_JSON,
	OPT_VERSION,
};

static const struct option options[] = {
	{ "dir", required_argument, NULL, OPT_DIR },
	{ "node", required_argument, NULL, OPT_NODE },
	{ "controller", required_argument, NULL, OPT_CONTROLLER },
	{ "slurm-user", required_argument, NULL, OPT_SLURM_USER },
	{ "munge-socket", required_argument, NULL, OPT_MUNGE },
	{ "interval", required_argument, NULL, OPT_INTERVAL },
	{ "rating", required_argument, NULL, OPT_RATING },
	{ "processors", required_argument, NULL, OPT_PROCESSORS },
	{ "cap", required_argument, NULL, OPT_CAP },
	{ "group", required_argument, NULL, OPT_GROUP },
	{ "cgroup-root", required_argument, NULL, OPT_ROOT },
	{ "foreground", no_argument, NULL, 'D' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static void usage(FILE *out)
{
	fprintf(out, "usage: pactd [OPTION...]\n"
		     "       pactd [--dir DIR] status [--json]\n"
		     "\n"
		     "Gives the jobs of this node their shares of its processors, and tells the "
		     "controller of\ntheir progress.\n"
		     "\n"
		     "  --dir DIR            where spank_pact finds it (/run/pact/HOST)\n"
		     "  --node NODE          Slurm's name of this node (the host's)\n"
		     "  --controller HOST[:PORT]  to report to, port 6827; several in their order\n"
		     "  --slurm-user NAME    whose answers count beside root's\n"
		     "  --munge-socket PATH  of munged, if it is not the usual one\n"
		     "  --interval S         seconds between reports (30)\n"
		     "  --rating N           speed, 1000: as estimates are meant (1000)\n"
		     "  --processors N       to give out (those on line)\n"
		     "  --cap PERCENT        of one processor for all jobs together (no cap)\n"
		     "  --group NAME         of the control group, version 1 (pact_NODE)\n"
		     "  --cgroup-root DIR    where control groups are mounted (/sys/fs/cgroup)\n"
		     "  -D, --foreground     stay, and log to standard error\n"
		     "  -v, --verbose        log more\n"
		     "  --version, -h, --help\n");
}

static bool take_number(const char *name, const char *text, int64_t least, int64_t most,
			uint32_t *out)
{
	int64_t n;

	if (!number_int(text, &n) || n < least || n > most) {
		fprintf(stderr, "pactd: --%s=%s: must be a number from %lld to %lld\n", name, text,
			(long long)least, (long long)most);
		return false;
	}
	*out = (uint32_t)n;
	return true;
}

static bool take_user(const char *name, uid_t *uid)
{
	struct passwd *user = getpwnam(name);

	if (!user) {
		fprintf(stderr, "pactd: --slurm-user=%s: no such user\n", name);
		return false;
	}
	*uid = user->pw_uid;
	return true;
}

static bool take_controller(struct options *o, const char *host)
{
	if (o->controllers == OPTIONS_CONTROLLERS || !host[0]) {
		fprintf(stderr, "pactd: --controller=%s: must be a host, and %d of them at most\n",
			host, OPTIONS_CONTROLLERS);
		return false;
	}
	o->controller[o->controllers++] = host;
	return true;
}

/* A name becomes part of paths. */
static bool take_name(const char *option, const char *name, const char **out)
{
	if (!name[0] || name[0] == '.' || strchr(name, '/') || strlen(name) > NODE_MOST) {
		fprintf(stderr, "pactd: --%s=%s: must be a name without slashes\n", option, name);
		return false;
	}
	*out = name;
	return true;
}

static bool take(struct options *o, int opt)
{
	switch (opt) {
	case OPT_DIR:
		o->dir = optarg;
		return true;
	case OPT_NODE:
		return take_name("node", optarg, &o->node);
	case OPT_CONTROLLER:
		return take_controller(o, optarg);
	case OPT_SLURM_USER:
		return take_user(optarg, &o->slurm_user);
	case OPT_MUNGE:
		o->munge = optarg;
		return true;
	case OPT_INTERVAL:
		return take_number("interval", optarg, 1, 3600, &o->interval);
	case OPT_RATING:
		return take_number("rating", optarg, 1, 1000000, &o->rating);
	case OPT_PROCESSORS:
		return take_number("processors", optarg, 1, UINT16_MAX, &o->processors);
	case OPT_CAP:
		return take_number("cap", optarg, 1, 6553500, &o->cap);
	case OPT_GROUP:
		return take_name("group", optarg, &o->group);
	case OPT_ROOT:
		o->cgroup_root = optarg;
		return true;
	case 'D':
		o->foreground = true;
		return true;
	case 'v':
		o->verbose = true;
		return true;
	case OPT_JSON:
		o->json = true;
		return true;
	default:
		return false;
	}
}

static bool take_once(struct once *once, int opt)
{
	const struct option *o = options;
	char why[512];

	while (o->name && o->val != opt)
		o++;
	if (opt == OPT_CONTROLLER || !o->name || once_add(once, o->name, optarg, why, sizeof(why)))
		return true;
	fprintf(stderr, "pactd: %s\n", why);
	return false;
}

static void set_defaults(struct options *o)
{
	static char host[NODE_MOST + 1], dir[NODE_MOST + 16], group[NODE_MOST + 16];

	gethostname(host, sizeof(host) - 1);
	host[strcspn(host, ".")] = '\0';
	if (!o->node)
		o->node = host;
	if (!o->dir) {
		snprintf(dir, sizeof(dir), "/run/pact/%s", o->node);
		o->dir = dir;
	}
	if (!o->group) {
		snprintf(group, sizeof(group), "pact_%s", o->node);
		o->group = group;
	}
	if (!o->processors) {
		long n = sysconf(_SC_NPROCESSORS_ONLN);

		o->processors = n < 1 ? 1 : n > UINT16_MAX ? UINT16_MAX : (uint32_t)n;
	}
}

static bool take_words(struct options *o, int argc, char **argv)
{
	if (optind < argc && !strcmp(argv[optind], "status")) {
		o->status = true;
		optind++;
	}
	if (optind == argc && (o->status || !o->json) && o->dir[0] == '/')
		return true;
	if (optind < argc)
		fprintf(stderr, "pactd: %s: unknown command\n", argv[optind]);
	else if (o->dir[0] != '/')
		fprintf(stderr, "pactd: --dir=%s: must begin with a slash\n", o->dir);
	else
		fprintf(stderr, "pactd: --json is an option of status\n");
	return false;
}

enum options_result options_read(struct options *o, int argc, char **argv)
{
	struct once once = { 0 };
	int opt;

	*o = (struct options){ .cgroup_root = "/sys/fs/cgroup", .interval = 30, .rating = 1000 };
	while ((opt = getopt_long(argc, argv, "Dvh", options, NULL)) != -1) {
		if (opt == 'h') {
			usage(stdout);
			return OPTIONS_DONE;
		}
		if (opt == OPT_VERSION) {
			printf("pactd %s\n", PACT_VERSION);
			return OPTIONS_DONE;
		}
		if (!take_once(&once, opt) || !take(o, opt))
			return OPTIONS_WRONG;
	}
	set_defaults(o);
	return take_words(o, argc, argv) ? OPTIONS_OK : OPTIONS_WRONG;
}

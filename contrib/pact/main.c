/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pact: what the plan says, and what it would promise. See pact(1).
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contrib/pact/terminal/clean.h"
#include "contrib/pact/command.h"
#include "common/utf8.h"

static const struct command *const commands[] = {
	&command_ask,	 &command_explain, &command_history,
	&command_matrix, &command_plan,	   &command_record,
	&command_stats,	 &command_status,  NULL,
};

static void usage(FILE *out)
{
	fprintf(out, "usage: pact [--socket PATH] [--json] [--colour WHEN] COMMAND [OPTION...]\n"
		     "\n"
		     "What Slurm's plan with promised completion times says, and what it would "
		     "promise.\n"
		     "\n");
	for (int i = 0; commands[i]; i++)
		fprintf(out, "  %-9s %s\n", commands[i]->name, commands[i]->what);
	fprintf(out,
		"\n"
		"  --socket PATH   of the plugin (PACT_SOCKET, else Socket= of pact.conf)\n"
		"  --json          the answer as it came\n"
		"  --colour WHEN   always, never, auto (default: on a terminal)\n"
		"  --version, --help\n"
		"\n"
		"Exit codes: 0 answered; 1 ask: could not be promised; 2 usage; 3 unreachable;\n"
		"4 not for this user; 5 no such job; 6 busy, try again; 10 out of memory.\n"
		"\n"
		"'pact COMMAND --help' says more of each, pact(1) all.\n");
}

/* Options that stand before the command, and behind it too. */
enum { OPT_SOCKET = 256, OPT_JSON, OPT_COLOUR, OPT_VERSION };

static const struct option common_options[] = {
	{ "socket", required_argument, NULL, OPT_SOCKET },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "colour", required_argument, NULL, OPT_COLOUR },
	{ "color", required_argument, NULL, OPT_COLOUR },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static bool colours_by_default(void)
{
	const char *unwanted = getenv("NO_COLOR");

	return isatty(STDOUT_FILENO) && !(unwanted && unwanted[0]);
}

static int set_colour(struct session *s, const char *when)
{
	if (!strcmp(when, "always"))
		s->style.colours = true;
	else if (!strcmp(when, "never"))
		s->style.colours = false;
	else if (!strcmp(when, "auto"))
		s->style.colours = colours_by_default();
	else {
		fprintf(stderr, "pact: --colour=%s: must be always, never or auto\n", when);
		return -1;
	}
	return 0;
}

/* RET whether it may be taken: a second value would silently replace the first */
static bool is_first(struct session *s, const struct option *options, int opt)
{
	const struct option *o = options;
	char why[512];

	while (o->name && o->val != opt)
		o++;
	if (!o->name || once_add(&s->once, o->name, optarg, why, sizeof(why)))
		return true;
	tell_error(STATUS_USAGE, why);
	return false;
}

/* RET -1: not one of these; else STATUS_OK or an exit code; *end: the program is to end. */
static int common_option(struct session *s, int opt, bool *end)
{
	switch (opt) {
	case OPT_SOCKET:
		free(s->socket);
		s->socket = strdup(optarg);
		return s->socket ? STATUS_OK : STATUS_NOMEM;
	case OPT_JSON:
		s->json = true;
		return STATUS_OK;
	case OPT_COLOUR:
		return set_colour(s, optarg) ? STATUS_USAGE : STATUS_OK;
	case OPT_VERSION:
		printf("pact %s\n", PACT_VERSION);
		*end = true;
		return STATUS_OK;
	default:
		return -1;
	}
}

enum status tell_error(enum status status, const char *why)
{
	char *text = utf8_harmless(why);

	fprintf(stderr, "pact: %s\n", text ? text : "out of memory");
	free(text);
	return status;
}

enum status show_answer(const struct session *s, json_object *answer, FILE *out)
{
	if (s->json) {
		clean_json(json_object_to_json_string_ext(
				   answer, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE),
			   out);
		fputc('\n', out);
	} else if (clean_answer(answer)) {
		return tell_error(STATUS_NOMEM, "out of memory");
	} else {
		s->command->show(answer, &s->style, out);
	}
	return s->command->verdict ? s->command->verdict(answer) : STATUS_OK;
}

enum status ask_and_show(struct session *s, FILE *out)
{
	json_object *answer;
	char why[CLIENT_WHY];
	enum status status =
		client_ask(s->socket, s->command->name, json_object_get(s->args), &answer, why);

	if (status != STATUS_OK)
		return tell_error(status, why);
	status = show_answer(s, answer, out);
	json_object_put(answer);
	return status;
}

static void help(const struct command *command)
{
	printf("usage: pact %s %s\n\n"
	       "%c%s\n\n"
	       "  --socket PATH, --json, --colour WHEN, --version: see pact --help\n",
	       command->name, command->usage, toupper((unsigned char)command->what[0]),
	       command->what + 1);
	if (command->examples)
		printf("\nExamples\n%s", command->examples);
	printf("\nMore in pact(1).\n");
}

/* The command's own options and the common ones, in one table. */
static int parse_command(struct session *s, int argc, char **argv, bool *end)
{
	struct option all[64] = { 0 };
	static char name[32];
	char letters[64];
	size_t n = 0;
	int opt, rc;

	for (const struct option *o = s->command->options; o && o->name; o++)
		all[n++] = *o;
	for (const struct option *o = common_options; o->name; o++)
		all[n++] = *o;
	snprintf(letters, sizeof(letters), "%sh", s->command->letters ? s->command->letters : "");
	/* As getopt's messages name it. */
	snprintf(name, sizeof(name), "pact %s", s->command->name);
	argv[0] = name;
	optind = 0;
	while ((opt = getopt_long(argc, argv, letters, all, NULL)) != -1) {
		if (opt == 'h') {
			help(s->command);
			*end = true;
			return STATUS_OK;
		}
		if (!is_first(s, all, opt))
			return STATUS_USAGE;
		rc = common_option(s, opt, end);
		if (rc == -1)
			rc = opt == '?' || !s->command->option ? STATUS_USAGE
							       : s->command->option(s, opt, optarg);
		if (rc != STATUS_OK || *end)
			return rc;
	}
	if (s->json && (s->svg || s->csv || s->prometheus)) {
		fprintf(stderr, "pact: --json and %s: one of them, please\n",
			s->svg	 ? "--svg"
			: s->csv ? "--csv"
				 : "--prometheus");
		return STATUS_USAGE;
	}
	if (s->command->finish)
		return s->command->finish(s, argc - optind, argv + optind);
	if (optind < argc) {
		fprintf(stderr, "pact: %s takes no argument\n", s->command->name);
		return STATUS_USAGE;
	}
	return STATUS_OK;
}

static const struct command *find_command(const char *name)
{
	for (int i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

static int parse(struct session *s, int argc, char **argv, bool *end)
{
	int opt, rc;

	/* Up to the command. */
	while ((opt = getopt_long(argc, argv, "+h", common_options, NULL)) != -1) {
		if (opt == 'h') {
			usage(stdout);
			*end = true;
			return STATUS_OK;
		}
		if (!is_first(s, common_options, opt))
			return STATUS_USAGE;
		rc = common_option(s, opt, end);
		if (rc != STATUS_OK || *end)
			return rc == -1 ? STATUS_USAGE : rc;
	}
	if (optind >= argc) {
		usage(stderr);
		return STATUS_USAGE;
	}
	s->command = find_command(argv[optind]);
	if (!s->command) {
		fprintf(stderr, "pact: no command %s; see pact --help\n", argv[optind]);
		return STATUS_USAGE;
	}
	return parse_command(s, argc - optind, argv + optind, end);
}

int main(int argc, char **argv)
{
	struct session s = { 0 };
	bool end = false;
	int status;

	s.style.colours = colours_by_default();
	s.socket = client_socket();
	s.args = json_object_new_object();
	status = s.socket && s.args ? parse(&s, argc, argv, &end) : STATUS_NOMEM;
	if (status == STATUS_OK && !end)
		status = s.command->run ? s.command->run(&s) : (int)ask_and_show(&s, stdout);
	errno = 0;
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "pact: standard output: %s\n", strerror(errno ? errno : EIO));
		status = STATUS_USAGE;
	}
	json_object_put(s.args);
	free(s.socket);
	return status;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_line: the command line of subcommands that have the options of run. See cmd.h. */
#include "sim/commands/cmd.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "common/number.h"
#include "common/once.h"
#include "sim/workload/workload.h"

#define MAX_OPTIONS 64

int cmd_usage_error(const char *name, const char *why)
{
	fprintf(stderr, "%s: %s; see %s --help\n", name, why, name);
	return EXIT_USAGE;
}

/* "90", "90s", "15m", "12h", "2d". */
static bool parse_time(const char *text, int64_t *out)
{
	static const struct {
		char unit;
		int64_t seconds;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 } };
	size_t length = strlen(text);
	int64_t factor = 1;
	char copy[32];

	if (!length || length >= sizeof(copy))
		return false;
	strcpy(copy, text);
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (copy[length - 1] == units[i].unit) {
			copy[length - 1] = '\0';
			factor = units[i].seconds;
			break;
		}
	return number_int(copy, out) && !__builtin_mul_overflow(*out, factor, out) && *out >= 0 &&
	       *out <= WORKLOAD_MAX_TIME;
}

int cmd_take_time(const char *name, const char *option, const char *value, int64_t *out)
{
	char why[512];

	if (parse_time(value, out))
		return EXIT_OK;
	snprintf(why, sizeof(why), "%s %.256s: not seconds, or a number with s, m, h or d", option,
		 value);
	return cmd_usage_error(name, why);
}

/* For getopt_long(): all of run_options_names() with 'o' for their letter, then the command's own. */
static void list_options(struct option *table, const struct option *own)
{
	size_t n = 0;

	for (const char *const *name = run_options_names(); *name && n < MAX_OPTIONS - 1; name++)
		table[n++] = (struct option){ *name, required_argument, NULL, 'o' };
	for (; own->name && n < MAX_OPTIONS - 1; own++)
		table[n++] = *own;
	table[n] = (struct option){ 0 };
}

/* One option of run. */
static int take(const struct cmd_line *line, const char *command, const char *name,
		const char *value)
{
	char why[1024];

	if (run_options_set(line->run, name, value, why, sizeof(why)))
		return cmd_usage_error(command, why);
	return line->taken ? line->taken(line->arg, name, value) : EXIT_OK;
}

/* One of the command's own. */
static int take_own(const struct cmd_line *line, struct once *once, const char *command,
		    const struct option *option, const char *value)
{
	char why[1024];

	if (!once_add(once, option->name, line->repeated == option->val ? NULL : value, why,
		      sizeof(why)))
		return cmd_usage_error(command, why);
	return line->take(line->arg, option->val, value);
}

static int stray(const char *name, const char *word)
{
	char why[512];

	snprintf(why, sizeof(why), "'%.256s' belongs to no option", word);
	return cmd_usage_error(name, why);
}

int cmd_take_run_options(const struct cmd_line *line, int argc, char **argv, bool *done)
{
	struct option options[MAX_OPTIONS];
	struct once once = { .n = 0 };
	int letter, index = 0, err = EXIT_OK;

	list_options(options, line->own);
	while (!err && (letter = getopt_long(argc, argv, "h", options, &index)) != -1) {
		if (letter == 'h') {
			fputs(line->help, stdout);
			*done = true;
			return EXIT_OK;
		}
		if (letter == 'o')
			err = take(line, argv[0], options[index].name, optarg);
		else
			err = letter == '?'
				      ? EXIT_USAGE
				      : take_own(line, &once, argv[0], &options[index], optarg);
	}
	/* `--set A=1 B=2`: what follows an option's value is taken as more of them. */
	for (; !err && optind < argc; optind++) {
		if (strchr(argv[optind], '='))
			err = take(line, argv[0], "set", argv[optind]);
		else
			err = stray(argv[0], argv[optind]);
	}
	return err;
}

int cmd_check_run_options(const struct run_options *o, const char *name)
{
	char why[1024];

	if (run_options_check_used(o, why, sizeof(why)) || run_options_check(o, why, sizeof(why)))
		return cmd_usage_error(name, why);
	return EXIT_OK;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command.h - the subcommands of pact, one struct each
 */
#ifndef PACT_CONTRIB_PACT_COMMAND_H
#define PACT_CONTRIB_PACT_COMMAND_H

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

#include "contrib/pact/socket/client.h"
#include "contrib/pact/show/show.h"
#include "common/once.h"

struct session;

struct command {
	const char *name;     /* of the request, too */
	const char *what;     /* one line of help */
	const char *usage;    /* options and arguments, and what they mean */
	const char *examples; /* lines of them; NULL: none */
	const char *letters;
	const struct option *options; /* values above 0; or NULL */
	/* One option.  RET an exit code, STATUS_OK: taken; it has told why not.  NULL: no options */
	int (*option)(struct session *s, int opt, const char *value);
	/* The arguments.  NULL: there are none */
	int (*finish)(struct session *s, int argc, char **argv);
	/* Instead of ask_and_show() */
	int (*run)(struct session *s);
	show_fn *show;
	/* The answer as a picture (--svg), clean.  RET 0 or an errno; -1: it has told why not.  NULL: there is none */
	int (*draw)(json_object *answer, FILE *out);
	/* The exit code that the answer means; NULL: STATUS_OK */
	enum status (*verdict)(json_object *answer);
};

struct session {
	const struct command *command;
	struct once once; /* what has been given, before the command's name and behind it */
	char *socket;
	bool json;
	struct style style;
	json_object *args;	    /* of the request */
	long watch;		    /* again after so many seconds; 0: no */
	bool prometheus;	    /* stats */
	bool csv, summary, resizes; /* history */
	const char *svg;	    /* into this file */
};

/* --user: by name, else by number, into the request.  RET STATUS_OK, or it has told why not */
int take_user(struct session *s, const char *value);

/* --watch and --svg of commands that have them, and what is done then. */
enum { WATCH_AGAIN = 1, WATCH_SVG };
int watch_option(struct session *s, int opt, const char *value);
int watch_run(struct session *s);

/* A line on standard error, clean.  RET the status */
enum status tell_error(enum status status, const char *why);

/* The answer of any subcommand, as --json or in words; clean then.  RET the exit code */
enum status show_answer(const struct session *s, json_object *answer, FILE *out);

/* Ask, and show_answer(); an error is told on standard error. */
enum status ask_and_show(struct session *s, FILE *out);

extern const struct command command_ask, command_explain, command_history, command_matrix,
	command_plan, command_record, command_stats, command_status;

#endif /* PACT_CONTRIB_PACT_COMMAND_H */

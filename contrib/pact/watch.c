/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watch.c - commands whose answer is a picture, or is shown again and again
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contrib/pact/terminal/clean.h"
#include "contrib/pact/command.h"
#include "contrib/pact/terminal/screen.h"
#include "common/utf8.h"

int watch_option(struct session *s, int opt, const char *value)
{
	char *end;

	if (opt == WATCH_SVG) {
		s->svg = value;
		return STATUS_OK;
	}
	s->watch = value ? strtol(value, &end, 10) : 2;
	if (value && (*end || end == value || s->watch < 1 || s->watch > 3600)) {
		fprintf(stderr, "pact: --watch=%s: must be seconds from 1 to 3600\n", value);
		return STATUS_USAGE;
	}
	return STATUS_OK;
}

/* A picture takes the name when it is whole. */
static enum status draw(struct session *s)
{
	char why[CLIENT_WHY], *temp = NULL;
	json_object *answer;
	enum status status =
		client_ask(s->socket, s->command->name, json_object_get(s->args), &answer, why);
	FILE *out = NULL;
	int rc = 0;

	if (status != STATUS_OK)
		return tell_error(status, why);
	if (asprintf(&temp, "%s.new", s->svg) < 0)
		temp = NULL;
	errno = 0;
	out = temp ? fopen(temp, "w") : NULL;
	if (out)
		rc = clean_answer(answer) ? ENOMEM : s->command->draw(answer, out);
	if (out && fclose(out) && !rc)
		rc = errno;
	if (!out || rc || rename(temp, s->svg)) {
		rc = rc ? rc : errno;
		if (out)
			unlink(temp);
		if (rc > 0)
			fprintf(stderr, "pact: %s: %s\n", s->svg, strerror(rc));
		status = STATUS_USAGE;
	}
	free(temp);
	json_object_put(answer);
	return status;
}

/* What is watched goes on once slurmctld has come back. */
static bool passes(enum status status)
{
	return status == STATUS_OK || status == STATUS_UNREACHABLE || status == STATUS_BUSY;
}

/* The answer, or why there is none, in place of what is on the screen. */
static enum status redraw(struct session *s)
{
	const struct screen screen = screen_size(STDOUT_FILENO);
	char why[CLIENT_WHY], *text = NULL, *harmless;
	json_object *answer = NULL;
	size_t size;
	FILE *page = open_memstream(&text, &size);
	enum status status =
		client_ask(s->socket, s->command->name, json_object_get(s->args), &answer, why);

	if (status == STATUS_OK && page) {
		status = show_answer(s, answer, page);
	} else if (page && passes(status)) {
		harmless = utf8_harmless(why);
		fprintf(page, "pact: %s\n", harmless ? harmless : "");
		free(harmless);
	} else {
		tell_error(status, status == STATUS_OK ? "out of memory" : why);
		status = status == STATUS_OK ? STATUS_NOMEM : status;
	}
	json_object_put(answer);
	if (page && !fclose(page) && passes(status))
		screen_show(&screen, text, stdout);
	free(text);
	return status;
}

static void resized(int signal)
{
	(void)signal;
}

int watch_run(struct session *s)
{
	/* Without SA_RESTART: a new size ends the sleep. */
	const struct sigaction winch = { .sa_handler = resized };
	bool screen = s->watch && !s->svg && !s->json && isatty(STDOUT_FILENO);
	enum status status;

	if (screen)
		sigaction(SIGWINCH, &winch, NULL);
	do {
		status = s->svg ? draw(s) : screen ? redraw(s) : ask_and_show(s, stdout);
		fflush(stdout);
		if (s->watch && passes(status))
			sleep((unsigned)s->watch);
	} while (s->watch && passes(status) && !ferror(stdout));
	return status;
}

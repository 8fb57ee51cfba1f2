/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pact-sim replay: recordings through the core, to the first decision that differs. See pact-sim(1). */
#include "sim/commands/cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sched.h" /* enum pact_err */
#include "common/progress.h"
#include "tape/play.h"

static const char help[] =
	"usage: pact-sim replay [--quiet] FILE...\n"
	"\n"
	"Plays recordings of what a driver (slurmctld's plugin, or pact-sim run --record) and a\n"
	"scheduler said to each other through the scheduler of this pact-sim, and stops at the\n"
	"first answer that is not the recorded one. A recording can be played on any machine;\n"
	"it holds no program, and nothing of it is carried out. FILE - is standard input.\n"
	"\n"
	"  --quiet   say nothing when all answers are the same, and show no progress\n"
	"\n"
	"Examples\n"
	"  pact-sim replay /var/spool/slurmctld/pact/pact-*.rec\n"
	"  pact-sim run --model poisson --nodes 64 --record a.rec && pact-sim replay a.rec\n"
	"\n"
	"Exit: 0 no answer differs, 1 usage, 2 a file cannot be read or is no recording,\n"
	"3 an answer differs, 10 out of memory.\n";

struct replay {
	const char *path;
	struct play *play;
	struct progress progress;
	uint64_t line;
	bool quiet;
};

static void say(struct replay *r, const char *what)
{
	progress_wipe(&r->progress);
	fprintf(stderr, "pact-sim replay: %s:%" PRIu64 ": %s\n", r->path, r->line, what);
}

static int tell_difference(struct replay *r)
{
	progress_wipe(&r->progress);
	fprintf(stderr,
		"pact-sim replay: %s:%" PRIu64 ": call %" PRIu64 ", after %" PRIu64
		" events, differs: %s\n  recorded: %s\n  now:      %s\n",
		r->path, r->line, play_counts(r->play)->calls, play_counts(r->play)->events,
		play_said(r->play), play_expected(r->play), play_got(r->play));
	return EXIT_INVALID;
}

/* One line, `whole` if its end was there. *stop: what comes behind it is not read. */
static int take_line(struct replay *r, const char *line, size_t length, bool whole, bool *stop)
{
	switch (play_line(r->play, line, length)) {
	case PLAY_OK:
		return EXIT_OK;
	case PLAY_DIFFERS:
		return tell_difference(r);
	case PLAY_MARK:
		say(r, "the recorder stopped here:");
		say(r, play_said(r->play));
		return EXIT_OK;
	case PLAY_BAD:
		break;
	}
	if (whole || play_counts(r->play)->lines == 0) {
		say(r, play_said(r->play));
		return EXIT_INPUT;
	}
	say(r, "the last line is cut off, as a killed program leaves it; what stands before it was "
	       "played");
	*stop = true;
	return EXIT_OK;
}

static int play_stream(struct replay *r, FILE *f)
{
	char *line = NULL;
	size_t room = 0;
	double size = 0, done = 0;
	bool stop = false;
	int err = EXIT_OK;
	ssize_t n;

	if (f != stdin && !fseek(f, 0, SEEK_END)) {
		size = (double)ftell(f);
		rewind(f);
	}
	errno = 0;
	while (!err && !stop && (n = getline(&line, &room, f)) >= 0) {
		bool whole = n > 0 && line[n - 1] == '\n';

		r->line++;
		done += (double)n;
		err = take_line(r, line, (size_t)n - whole, whole, &stop);
		if (size > 0 && r->line % 256 == 0)
			progress_show(&r->progress, "bytes", done, size);
	}
	if (!err && ferror(f)) {
		say(r, strerror(errno));
		err = EXIT_INPUT;
	}
	free(line);
	return err;
}

static int play_file(struct replay *r)
{
	bool standard = !strcmp(r->path, "-");
	FILE *f = standard ? stdin : fopen(r->path, "r");
	uint64_t heads = play_counts(r->play)->heads;
	int err;

	r->line = 0;
	if (!f) {
		fprintf(stderr, "pact-sim replay: %s: %s\n", r->path, strerror(errno));
		return EXIT_INPUT;
	}
	err = play_stream(r, f);
	if (!standard)
		fclose(f);
	if (!err && play_counts(r->play)->heads == heads) {
		fprintf(stderr, "pact-sim replay: %s: no recording begins in it\n", r->path);
		err = EXIT_INPUT;
	} else if (!err && play_beginning(r->play)) {
		say(r, "the recording ends within its beginning, before the first event");
	}
	return err;
}

static void tell_all(const struct replay *r)
{
	const struct play_counts *n = play_counts(r->play);

	printf("no difference: %" PRIu64 " events, %" PRIu64 " decisions, %" PRIu64
	       " starts, in %" PRIu64 " calls from %" PRIu64 " beginnings\n",
	       n->events, n->decisions, n->starts, n->calls, n->heads);
}

int cmd_replay(int argc, char **argv)
{
	struct replay r = { 0 };
	int first = 1, err = EXIT_OK;

	for (; first < argc && argv[first][0] == '-' && argv[first][1]; first++) {
		if (!strcmp(argv[first], "--help") || !strcmp(argv[first], "-h")) {
			fputs(help, stdout);
			return EXIT_OK;
		}
		if (!strcmp(argv[first], "--")) {
			first++;
			break;
		}
		r.quiet = !strcmp(argv[first], "--quiet") || !strcmp(argv[first], "-q");
		if (!r.quiet) {
			fprintf(stderr,
				"pact-sim replay: unknown option '%s'; see pact-sim replay "
				"--help\n",
				argv[first]);
			return EXIT_USAGE;
		}
	}
	if (first >= argc) {
		fprintf(stderr, "pact-sim replay: a FILE is needed; see pact-sim replay --help\n");
		return EXIT_USAGE;
	}
	r.play = play_create();
	if (!r.play) {
		fprintf(stderr, "pact-sim replay: out of memory\n");
		return PACT_ENOMEM;
	}
	progress_begin(&r.progress, r.quiet);
	for (int i = first; i < argc && !err; i++) {
		r.path = argv[i];
		err = play_file(&r);
	}
	progress_wipe(&r.progress);
	if (!err && !r.quiet)
		tell_all(&r);
	play_destroy(r.play);
	return err;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show.c: see show.h.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "contrib/replay/answer.h"
#include "contrib/replay/clock.h"
#include "contrib/replay/show.h"

/* Seconds of the wall between two state lines, on a terminal and in a file. */
#define TERMINAL_PACE 0.25
#define FILE_PACE 10.0

struct show {
	enum show_level level;
	const struct track *track;
	int64_t start;
	bool terminal; /* the state line is rewritten in place */
	bool drawn;    /* it stands there now */
	bool narrow;   /* events are for eyes, and wrapped */
	double last;
};

/* Of the terminal, or 80. */
static size_t columns(int fd)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
		return size.ws_col;
	return 80;
}

static bool can_rewrite(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

struct show *show_create(enum show_level level, const struct track *t, int64_t start)
{
	struct show *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->level = level;
	s->track = t;
	s->start = start;
	s->terminal = can_rewrite();
	s->narrow = isatty(STDOUT_FILENO);
	s->last = clock_wall();
	return s;
}

void show_destroy(struct show *s)
{
	free(s);
}

/* Makes room for other output where the state line stands. */
static void clear_line(struct show *s)
{
	if (s->drawn)
		fputs("\r\033[K", stderr);
	s->drawn = false;
}

__attribute__((format(printf, 3, 4))) static void event(struct show *s, int64_t at,
							const char *format, ...)
{
	char when[32];
	va_list ap;

	clear_line(s);
	clock_span(at - s->start, when, sizeof(when));
	printf("%9s  ", when);
	va_start(ap, format);
	vprintf(format, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
}

static void job_words(const struct show *s, const struct replay_job *job, char *buf, size_t size)
{
	char limit[32], by[32];
	int n;

	clock_span(job->estimate, limit, sizeof(limit));
	n = snprintf(buf, size, "job %-5" PRId64 " %4d node%s x %s", job->id, job->width,
		     job->width == 1 ? " " : "s", limit);
	if (job->deadline == 0 || n < 0 || (size_t)n >= size)
		return;
	clock_span(job->deadline - s->start, by, sizeof(by));
	snprintf(buf + n, size - (size_t)n, " by %s", by);
}

/* A second line below an event, as many as it needs: broken at blanks, set in. */
static void wrapped(const char *text)
{
	const size_t indent = 21, width = columns(STDOUT_FILENO) - indent;
	size_t rest = strlen(text), n;

	while (rest > 0) {
		n = rest;
		if (n > width) {
			for (n = width; n > 0 && text[n] != ' '; n--)
				;
			n = n ? n : width;
		}
		printf("%*s%.*s\n", (int)indent, "", (int)n, text);
		for (; n < rest && text[n] == ' '; n++)
			;
		text += n;
		rest -= n;
	}
	fflush(stdout);
}

void show_submitted(struct show *s, const struct replay_job *job, const char *text)
{
	const char *what = "accepted";
	char words[128], more[ANSWER_WHY + 64] = "", when[32] = "";
	struct answer a;

	if (job->fate == FATE_REFUSED)
		what = "refused ";
	else if (job->fate == FATE_FAILED)
		what = "NOT TAKEN";
	if (s->level < SHOW_DEADLINES)
		return;
	if (s->level < SHOW_EVERYTHING && job->within == 0 && job->fate != FATE_FAILED)
		return;
	job_words(s, job, words, sizeof(words));
	answer_read(text, job->width, job->estimate, &a);
	if (a.start > job->submitted)
		clock_span(a.start - s->start, when, sizeof(when));
	if (a.offer) {
		clock_span(a.offer - s->start, when, sizeof(when));
		snprintf(more, sizeof(more), "%s; %s can be promised", a.why, when);
	} else {
		snprintf(more, sizeof(more), "%s", a.why);
	}
	if (a.share)
		snprintf(when, sizeof(when), ", now, with %d %%", a.share);
	event(s, job->submitted, "%s  %s%s%s%s%s", what, words,
	      a.start == 0 ? "" : (a.start > job->submitted ? ", from " : ", at once"),
	      a.start > job->submitted || a.share ? when : "", *more && !s->narrow ? " | " : "",
	      s->narrow ? "" : more);
	if (s->narrow)
		wrapped(more);
}

static void show_end(struct show *s, const struct replay_job *job)
{
	enum verdict verdict = job_verdict(job);
	char margin[32];

	clock_span(llabs(job->deadline - job->end), margin, sizeof(margin));
	if (verdict == VERDICT_KEPT)
		event(s, job->end, "met       job %-5" PRId64 " %s early%s", job->id, margin,
		      job->ending == END_TIMEOUT ? ", killed at its own limit" : "");
	else if (verdict == VERDICT_BROKEN && job->end > job->deadline)
		event(s, job->end, "BROKEN    job %-5" PRId64 " %s late, %s", job->id, margin,
		      ending_name(job->ending));
	else if (verdict == VERDICT_BROKEN)
		event(s, job->end, "BROKEN    job %-5" PRId64 " ended as %s", job->id,
		      ending_name(job->ending));
	else if (s->level == SHOW_EVERYTHING ||
		 (job->ending != END_COMPLETED && job->ending != END_TIMEOUT))
		event(s, job->end, "ended     job %-5" PRId64 " %s", job->id,
		      ending_name(job->ending));
}

void show_change(struct show *s, const struct replay_job *job, enum fate before)
{
	if (s->level < SHOW_DEADLINES)
		return;
	if (job->fate == FATE_ENDED)
		show_end(s, job);
	else if (job->fate == FATE_LOST)
		event(s, (int64_t)clock_now(),
		      "LOST      job %-5" PRId64 " Slurm has no record of it (JobId=%u)", job->id,
		      job->slurm_id);
	else if (job->fate == FATE_WAITING && before == FATE_RUNNING)
		event(s, (int64_t)clock_now(), "requeued  job %-5" PRId64, job->id);
	else if (job->fate == FATE_RUNNING && s->level == SHOW_EVERYTHING)
		event(s, job->start, "started   job %-5" PRId64, job->id);
}

void show_note(struct show *s, const char *format, ...)
{
	va_list ap;

	if (s->level == SHOW_QUIET)
		return;
	clear_line(s);
	fputs("pact-replay: ", stderr);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
}

static void draw(struct show *s, int64_t lag)
{
	const struct track *t = s->track;
	int64_t done = (int64_t)track_size(t) - track_count(t, FATE_FUTURE);
	int64_t refused = track_count(t, FATE_REFUSED), failed = track_count(t, FATE_FAILED);
	char when[32], behind[48] = "", trouble[64] = "", line[256];

	clock_span((int64_t)clock_now() - s->start, when, sizeof(when));
	if (lag > 0)
		snprintf(behind, sizeof(behind), ", %" PRId64 " s behind", lag);
	if (failed + track_count(t, FATE_LOST) > 0)
		snprintf(trouble, sizeof(trouble), ", not taken %" PRId64 ", lost %" PRId64, failed,
			 track_count(t, FATE_LOST));
	snprintf(line, sizeof(line),
		 "%9s  %" PRId64 "/%zu jobs%s, %" PRId64 " refused%s | running %" PRId64
		 ", waiting %" PRId64 " | met %" PRId64 ", broken %" PRId64,
		 when, done, track_size(t), behind, refused, trouble, track_count(t, FATE_RUNNING),
		 track_count(t, FATE_WAITING), track_verdicts(t, VERDICT_KEPT),
		 track_verdicts(t, VERDICT_BROKEN));
	/* In the last column some terminals go on to the next line. */
	if (s->terminal)
		fprintf(stderr, "\r\033[K%.*s", (int)columns(STDERR_FILENO) - 1, line);
	else
		fprintf(stderr, "%s\n", line);
	fflush(stderr);
	s->drawn = s->terminal;
}

void show_state(struct show *s, int64_t lag)
{
	double wall = clock_wall();

	if (s->level == SHOW_QUIET || wall - s->last < (s->terminal ? TERMINAL_PACE : FILE_PACE))
		return;
	s->last = wall;
	draw(s, lag);
}

void show_finish(struct show *s)
{
	if (s->level == SHOW_QUIET)
		return;
	draw(s, 0);
	if (s->terminal)
		fputc('\n', stderr);
	s->drawn = false;
}

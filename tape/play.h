/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * play: plays a recording through the core and compares, line by line, what the core answers with what
 * was recorded. Lines may come from anywhere: whatever they hold, nothing is done but what is said here.
 */
#ifndef PACT_TAPE_PLAY_H
#define PACT_TAPE_PLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct play;

enum play_verdict {
	PLAY_OK = 0,
	PLAY_DIFFERS = 1, /* the core answers otherwise */
	PLAY_BAD = 2,	  /* this is no line of a recording, or none that can stand here */
	PLAY_MARK = 3,	  /* the recorder itself stopped here, play_said() says why */
};

struct play_counts {
	uint64_t lines;	    /* taken in, notes too */
	uint64_t calls;	    /* events, questions, drains: what was compared */
	uint64_t events;    /* of these, sched_event() */
	uint64_t decisions; /* answers to submissions, changes and questions */
	uint64_t starts;    /* ACT_START */
	uint64_t heads;	    /* beginnings */
};

/* NULL: no memory. */
struct play *play_create(void);
void play_destroy(struct play *p);

struct scheduler;

/* A scheduler that need not be in the registry: what heads with its name mean. Borrowed. */
void play_know(struct play *p, const struct scheduler *scheduler);

/*
 * Take the next line (without its end). After PLAY_DIFFERS the recording must begin anew, by a head.
 * PLAY_BAD has no effect, but that a beginning that it stands in has failed.
 */
enum play_verdict play_line(struct play *p, const char *line, size_t length);

/* What there was to say about the last line that was not PLAY_OK: one line. */
const char *play_said(const struct play *p);
/* After PLAY_DIFFERS: what was recorded, and what the core answers now, as JSON; "": nothing. */
const char *play_expected(const struct play *p);
const char *play_got(const struct play *p);
const struct play_counts *play_counts(const struct play *p);

/* Within a beginning: its head has come, and not yet its last line. */
bool play_beginning(const struct play *p);

#endif

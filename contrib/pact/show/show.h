/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show.h - answers in words
 */
#ifndef PACT_CONTRIB_PACT_SHOW_H
#define PACT_CONTRIB_PACT_SHOW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <json-c/json.h>

struct style {
	bool colours;
};

/* One per subcommand. */
typedef void show_fn(json_object *answer, const struct style *style, FILE *out);

show_fn show_status;
show_fn show_stats;
show_fn show_prometheus;
show_fn show_plan;
show_fn show_ask;
show_fn show_explain;
show_fn show_matrix;
show_fn show_record;
show_fn show_history;
show_fn show_history_csv;
show_fn show_history_resizes;
show_fn show_history_resizes_csv;
show_fn show_summary;
show_fn show_summary_csv;

/* pact matrix as a picture.  RET as command.draw */
int show_matrix_svg(json_object *answer, FILE *out);

/* Members of an object; absent: 0, "", false. */
int64_t get_number(json_object *object, const char *key);
const char *get_text(json_object *object, const char *key);
bool get_bool(json_object *object, const char *key);
json_object *get_member(json_object *object, const char *key);
/* An array's length; no array: 0. */
size_t get_count(json_object *array);

/*
 * A cell of RFC 4180: lines end in CR LF, and what has a comma, a quote or a line's end stands in
 * quotes.
 */
void show_csv_text(const char *text, FILE *out);

/* A time, local, with its offset from UTC as the plugin writes it; 0: "-". */
const char *show_time(int64_t when, char out[32]);
/* For a table: without the date where that is today's (of `now`), without the offset where that is now's. */
const char *show_short_time(int64_t when, int64_t now, char out[32]);
/* Seconds as [days-]hours:minutes:seconds; negative with a sign. */
const char *show_duration(int64_t seconds, char out[32]);
/* A user by name, else by number. */
const char *show_user(int64_t uid, char out[64]);

/* A job's number, "4711" or "4711_3"; and why it waits: "waits for nodes", "is held". */
void show_job_name(json_object *job, char out[32]);
const char *show_wait(const char *word);
/*
 * Of one that takes turns: "runs", "stopped since ..., runs next at ..."; times short where `now` is given. And its rows
 * and shares, a line, or nothing.
 */
void show_turn(json_object *job, int64_t now, FILE *out);
void show_rows(json_object *job, FILE *out);
/* The state of a promise, as plan and explain say it. */
const char *show_promise_word(const char *word);

/* How an object of counts, each with its name, is written. */
struct counts {
	const char *before, *between; /* what stands before the first, and before the others */
	bool zeros;		      /* counts of 0 are told, too */
	void (*tell)(const struct counts *how, const char *name, int64_t count, FILE *out);
	const char *word, *label; /* for tell() */
};

/* RET was any told?  No object: none */
bool show_counts(json_object *counts, const struct counts *how, FILE *out);

/* A way to tell: NAME, word, COUNT. */
void show_count(const struct counts *how, const char *name, int64_t count, FILE *out);

/* All of them for Prometheus: metric{label="NAME"} COUNT, a line each. */
void show_samples(json_object *counts, const char *metric, const char *label, FILE *out);

/* The promised job that the best attempt would have made late, a line; or nothing. */
void show_critical(json_object *answer, FILE *out);

/* Escape sequences, or nothing. */
const char *style_on(const struct style *style, const char *code);
const char *style_off(const struct style *style);
#define STYLE_BOLD "1"
#define STYLE_RED "31"
#define STYLE_GREEN "32"
#define STYLE_YELLOW "33"

#endif /* PACT_CONTRIB_PACT_SHOW_H */

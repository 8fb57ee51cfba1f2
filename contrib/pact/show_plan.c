/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show_plan.c - pact plan as a table
 */
#include <inttypes.h>
#include <string.h>

#include "contrib/pact/clean.h"
#include "contrib/pact/show.h"

void show_job_name(json_object *job, char out[32])
{
	if (get_member(job, "task"))
		snprintf(out, 32, "%" PRId64 "_%" PRId64, get_number(job, "array"),
			 get_number(job, "task"));
	else
		snprintf(out, 32, "%" PRId64, get_number(job, "job"));
}

/* Today without the date, for a table. */
static const char *short_time(int64_t when, int64_t now, char out[32])
{
	char today[32];

	show_time(now, today);
	show_time(when, out);
	if (when && !strncmp(today, out, 11))
		memmove(out, out + 11, strlen(out + 11) + 1);
	return out;
}

const char *show_wait(const char *word)
{
	static const struct {
		const char *word, *text;
	} all[] = {
		{ "due", "starts now" },
		{ "resources", "for nodes" },
		{ "begin", "for its begin time" },
		{ "promises", "for nodes promised to others" },
		{ "not_started", "was not started, is tried again" },
		{ "never", "for nodes that never come free" },
		{ "held", "is held" },
		{ "dependency", "for other jobs" },
		{ "dependency_never", "for what never happens" },
		{ "slurm", "as Slurm says (squeue)" },
		{ "not_planned", "has no place in the plan" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(all[i].word, word))
			return all[i].text;
	return word;
}

static const char *slack_colour(const struct style *style, json_object *job)
{
	const char *promise = get_text(job, "promise");

	if (!strcmp(promise, "broken"))
		return style_on(style, STYLE_RED);
	return get_bool(job, "promised") ? style_on(style, STYLE_GREEN) : "";
}

static void show_row(json_object *job, int64_t now, const struct style *style, FILE *out)
{
	char name[32], user[64], start[32], end[32], deadline[32], slack[32] = "-";
	const char *state = get_text(job, "state");
	bool waits = !strcmp(state, "waiting");

	show_job_name(job, name);
	if (get_member(job, "slack"))
		show_duration(get_number(job, "slack"), slack);
	else if (get_member(job, "promise"))
		snprintf(slack, sizeof(slack), "%s", get_text(job, "promise"));
	fprintf(out, "%-12s ", name);
	clean_column(show_user(get_number(job, "user"), user), 10, out);
	fputc(' ', out);
	clean_column(get_text(job, "partition"), 10, out);
	fprintf(out, " %-7s %5" PRId64 " %-19s %-19s %-19s %s%-11s%s %s\n", state,
		get_number(job, "width"), short_time(get_number(job, "start"), now, start),
		short_time(get_number(job, "end"), now, end),
		short_time(get_number(job, "deadline"), now, deadline), slack_colour(style, job),
		slack, *slack_colour(style, job) ? style_off(style) : "",
		waits ? show_wait(get_text(job, "waits")) : get_text(job, "nodes"));
}

void show_plan(json_object *answer, const struct style *style, FILE *out)
{
	json_object *jobs = get_member(answer, "jobs");
	int64_t now = get_number(answer, "now"), hidden = get_number(answer, "hidden");
	const char *policy = get_text(answer, "policy");
	char at[32];

	fprintf(out, "plan of %s%s%s; ends include a guard of %" PRId64 " s\n",
		show_time(get_number(answer, "at"), at), *policy ? ", by policy " : "", policy,
		get_number(answer, "guard"));
	fprintf(out, "%s%-12s %-10s %-10s %-7s %5s %-19s %-19s %-19s %-11s %s%s\n",
		style_on(style, STYLE_BOLD), "JOBID", "USER", "PARTITION", "STATE", "NODES",
		"START", "END", "DEADLINE", "SLACK", "NODES, OR WAITS", style_off(style));
	for (size_t i = 0; i < get_count(jobs); i++)
		show_row(json_object_array_get_idx(jobs, i), now, style, out);
	if (hidden)
		fprintf(out, "%" PRId64 " more that are not for you to see\n", hidden);
}

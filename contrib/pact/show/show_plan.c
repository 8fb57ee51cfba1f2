/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show_plan.c - pact plan as a table
 */
#include <inttypes.h>
#include <string.h>

#include "contrib/pact/terminal/clean.h"
#include "contrib/pact/show/show.h"

void show_job_name(json_object *job, char out[32])
{
	if (get_member(job, "task"))
		snprintf(out, 32, "%" PRId64 "_%" PRId64, get_number(job, "array"),
			 get_number(job, "task"));
	else
		snprintf(out, 32, "%" PRId64, get_number(job, "job"));
}

/* A withdrawn promise, and one that was never made, because of what stood in its way, look alike. */
const char *show_promise_word(const char *word)
{
	return strcmp(word, "withdrawn") ? word : "not promised";
}

/* Sentences without their subject, the job. */
const char *show_wait(const char *word)
{
	static const struct {
		const char *word, *text;
	} all[] = {
		{ "due", "starts now" },
		{ "resources", "waits for nodes" },
		{ "begin", "waits for its begin time" },
		{ "planned", "waits for nodes planned for others" },
		{ "promises", "waits for nodes promised to others" },
		{ "parts", "waits for whole nodes, others use parts of them" },
		{ "unseen", "waits for what the plan cannot see" },
		{ "reserved", "waits for reserved nodes" },
		{ "down", "waits for nodes that are down or drained" },
		{ "partition", "waits for its partition" },
		{ "not_started", "was not started, is tried again" },
		{ "never", "waits for nodes that never come free" },
		{ "held", "is held" },
		{ "dependency", "waits for other jobs" },
		{ "dependency_never", "waits for what never happens" },
		{ "slurm", "waits as Slurm says (squeue)" },
		{ "not_planned", "has no place in the plan" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(all[i].word, word))
			return all[i].text;
	return word;
}

/* "2+6": two of its own and six on loan; "2-8": so many it will have, or could. */
static void show_width(json_object *job, char out[64])
{
	json_object *range = get_member(job, "range");
	int64_t width = get_number(job, "width"), lent = get_number(range, "lent");

	if (lent)
		snprintf(out, 64, "%" PRId64 "+%" PRId64, width - lent, lent);
	else if (range && !get_member(range, "floor"))
		snprintf(out, 64, "%" PRId64 "-%" PRId64, get_number(range, "least"),
			 get_number(range, "most"));
	else
		snprintf(out, 64, "%" PRId64, width);
}

static void show_asked(json_object *job, FILE *out)
{
	json_object *range = get_member(job, "range");
	char by[32];

	if (!get_number(range, "asked"))
		return;
	fprintf(out, " (%s to be given back by %s", get_text(range, "leaves"),
		show_time(get_number(range, "by"), by));
	for (size_t i = 0; i < get_count(get_member(range, "later")); i++) {
		json_object *one = json_object_array_get_idx(get_member(range, "later"), i);

		fprintf(out, ", of these %s by %s", get_text(one, "leaves"),
			show_time(get_number(one, "by"), by));
	}
	fprintf(out, ")");
}

static bool is_broken(json_object *job)
{
	return !strcmp(get_text(job, "promise"), "broken");
}

static const char *slack_colour(const struct style *style, json_object *job)
{
	if (is_broken(job))
		return style_on(style, STYLE_RED);
	return get_bool(job, "promised") ? style_on(style, STYLE_GREEN) : "";
}

/* ---- the table ---- */

enum { JOBID, USER, PARTITION, STATE, NODES, START, END, DEADLINE, SLACK, COLUMNS };

static const char *const names[COLUMNS] = { "JOBID", "USER", "PARTITION", "STATE", "NODES",
					    "START", "END",  "DEADLINE",  "SLACK" };

/* Names are cut at so many characters. */
#define NAME_MOST 10

struct cells {
	char text[COLUMNS][64];
};

/* A promise can be broken while its job runs and may end in time: not every terminal has colours. */
static void show_slack(json_object *job, char out[64])
{
	char slack[32];

	show_duration(get_number(job, "slack"), slack);
	snprintf(out, 64, "%s%s", slack, is_broken(job) ? " broken" : "");
}

static void fill_cells(json_object *job, int64_t now, struct cells *c)
{
	snprintf(c->text[SLACK], sizeof(c->text[SLACK]), "-");
	show_job_name(job, c->text[JOBID]);
	show_user(get_number(job, "user"), c->text[USER]);
	snprintf(c->text[PARTITION], sizeof(c->text[PARTITION]), "%s", get_text(job, "partition"));
	snprintf(c->text[STATE], sizeof(c->text[STATE]), "%s", get_text(job, "state"));
	show_width(job, c->text[NODES]);
	show_short_time(get_number(job, "start"), now, c->text[START]);
	show_short_time(get_number(job, "end"), now, c->text[END]);
	show_short_time(get_number(job, "deadline"), now, c->text[DEADLINE]);
	if (get_member(job, "slack"))
		show_slack(job, c->text[SLACK]);
	else if (get_member(job, "promise"))
		snprintf(c->text[SLACK], sizeof(c->text[SLACK]), "%s",
			 show_promise_word(get_text(job, "promise")));
}

/* Each column is as wide as what stands in it: today's times are short. */
static void measure(json_object *jobs, int64_t now, int width[COLUMNS])
{
	struct cells c;

	for (int k = 0; k < COLUMNS; k++)
		width[k] = (int)strlen(names[k]);
	for (size_t i = 0; i < get_count(jobs); i++) {
		fill_cells(json_object_array_get_idx(jobs, i), now, &c);
		for (int k = 0; k < COLUMNS; k++) {
			int n = clean_length(c.text[k]);

			if ((k == USER || k == PARTITION) && n > NAME_MOST)
				n = NAME_MOST;
			width[k] = n > width[k] ? n : width[k];
		}
	}
}

static void show_row(json_object *job, int64_t now, const int width[COLUMNS],
		     const struct style *style, FILE *out)
{
	const char *colour = slack_colour(style, job), *wait = show_wait(get_text(job, "waits"));
	bool waits = !strcmp(get_text(job, "state"), "waiting");
	struct cells c;

	fill_cells(job, now, &c);
	for (int k = 0; k < COLUMNS; k++) {
		if (k == SLACK)
			fputs(colour, out);
		if (k == NODES)
			fprintf(out, "%*s", width[k], c.text[k]);
		else
			clean_column(c.text[k], width[k], out);
		if (k == SLACK && *colour)
			fputs(style_off(style), out);
		fputc(' ', out);
	}
	if (waits && !strncmp(wait, "waits ", 6))
		wait += 6;
	fputs(waits ? wait : get_text(job, "nodes"), out);
	if (waits && *get_text(job, "because"))
		fprintf(out, " (%s)", get_text(job, "because"));
	show_asked(job, out);
	fputc('\n', out);
}

/* ---- nodes that jobs share ---- */

static int percent(json_object *of, const char *key)
{
	return (int)((get_number(of, key) + 5000) / 10000);
}

static void show_part(json_object *part, int64_t now, const char *before, FILE *out)
{
	char name[32], end[32];

	show_job_name(part, name);
	fprintf(out, "%s%s %d %%", before, name, percent(part, "share"));
	if (get_member(part, "end"))
		fprintf(out, " to %s", show_short_time(get_number(part, "end"), now, end));
}

static void show_node(json_object *node, json_object *names, int64_t now, FILE *out)
{
	json_object *jobs = get_member(node, "jobs");
	int64_t number = get_number(node, "node");
	const char *name =
		number >= 0 && (size_t)number < get_count(names)
			? json_object_get_string(json_object_array_get_idx(names, (size_t)number))
			: NULL;
	char counted[32];

	snprintf(counted, sizeof(counted), "%" PRId64, number);
	clean_column(name ? name : counted, NAME_MOST, out);
	fprintf(out, " %3d %% ", percent(node, "spare"));
	for (size_t i = 0; i < get_count(jobs); i++)
		show_part(json_object_array_get_idx(jobs, i), now, i ? ", " : " ", out);
	if (get_number(node, "others"))
		fprintf(out, "%s%d %% are not for you to see", get_count(jobs) ? ", " : " ",
			percent(node, "others"));
	fputc('\n', out);
}

static void show_shares(json_object *answer, const struct style *style, FILE *out)
{
	json_object *nodes = get_member(answer, "shares"), *names = get_member(answer, "names");

	if (!get_count(nodes))
		return;
	fprintf(out, "%s%-*s SPARE  JOBS WITH THEIR SHARES, AND UNTIL WHEN%s\n",
		style_on(style, STYLE_BOLD), NAME_MOST, "NODE", style_off(style));
	for (size_t i = 0; i < get_count(nodes); i++)
		show_node(json_object_array_get_idx(nodes, i), names, get_number(answer, "now"),
			  out);
}

void show_plan(json_object *answer, const struct style *style, FILE *out)
{
	json_object *jobs = get_member(answer, "jobs");
	int64_t now = get_number(answer, "now"), hidden = get_number(answer, "hidden");
	const char *policy = get_text(answer, "policy");
	int width[COLUMNS];
	char at[32];

	measure(jobs, now, width);
	fprintf(out, "plan of %s%s%s; ends include a guard of %" PRId64 " s\n",
		show_time(get_number(answer, "at"), at), *policy ? ", by policy " : "", policy,
		get_number(answer, "guard"));
	fputs(style_on(style, STYLE_BOLD), out);
	for (int k = 0; k < COLUMNS; k++)
		fprintf(out, "%*s ", k == NODES ? width[k] : -width[k], names[k]);
	fprintf(out, "NODES, OR WAITS%s\n", style_off(style));
	for (size_t i = 0; i < get_count(jobs); i++)
		show_row(json_object_array_get_idx(jobs, i), now, width, style, out);
	show_shares(answer, style, out);
	if (hidden)
		fprintf(out, "%" PRId64 " more that are not for you to see\n", hidden);
}

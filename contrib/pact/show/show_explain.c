/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show_explain.c - pact explain in words
 */
#include <inttypes.h>
#include <string.h>

#include "contrib/pact/show/show.h"
#include "slurm/base/message.h"

static const char *plural(json_object *of, const char *key)
{
	return get_number(of, key) == 1 ? "" : "s";
}

static void show_decision(json_object *answer, FILE *out)
{
	char when[32], user[64], limit[32], by[80];
	const char *ref = get_text(answer, "reference");

	/* What was accepted has none. */
	fprintf(out, "%s, %s%s%s: %" PRId64 " node%s for %s by %s\n",
		show_time(get_number(answer, "when"), when), ref, *ref ? " of " : "",
		show_user(get_number(answer, "user"), user), get_number(answer, "nodes"),
		get_number(answer, "nodes") == 1 ? "" : "s",
		show_duration(get_number(answer, "limit"), limit),
		show_time(get_number(answer, "deadline"), by));
	fprintf(out, "%s\n", get_text(answer, "text"));
	if (get_number(answer, "attempts"))
		fprintf(out,
			"%" PRId64 " arrangement%s of %" PRId64 " waiting job%s tried, %" PRId64
			" deadline%s missed in the last\n",
			get_number(answer, "attempts"), plural(answer, "attempts"),
			get_number(answer, "waiting"), plural(answer, "waiting"),
			get_number(answer, "violations"), plural(answer, "violations"));
	else if (get_bool(get_member(answer, "critical"), "itself"))
		fprintf(out,
			"it would be late with no other job waiting: no arrangement was tried\n");
	show_critical(answer, out);
	if (get_number(answer, "earliest") && !get_bool(answer, "promised")) {
		message_deadline(by, get_number(answer, "earliest"));
		fprintf(out, "earliest that could be promised then: %s\n", by);
	}
}

static const char *show_outcome(const char *how)
{
	static const char *const words[][2] = {
		{ "kept", "the promise was kept" },
		{ "at_limit", "killed at its own limit: the promise counts as kept" },
		{ "broken", "the promise was broken" },
		{ "withdrawn", "the promise was withdrawn" },
		{ "unknown", "whether the promise was kept is not known" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i][0], how))
			return words[i][1];
	return "it was cancelled";
}

static void show_ended(json_object *answer, const struct style *style, FILE *out)
{
	const char *how = get_text(answer, "outcome");
	char job[32], by[32], end[32], slack[32];
	int64_t left = get_number(answer, "slack");

	show_job_name(answer, job);
	fprintf(out, "job %s was promised to complete by %s\n", job,
		show_time(get_number(answer, "deadline"), by));
	if (get_member(answer, "end"))
		fprintf(out, "ended at %s, %s %s\n", show_time(get_number(answer, "end"), end),
			show_duration(left < 0 ? -left : left, slack),
			left < 0 ? "late" : "before that");
	fprintf(out, "%s%s", style_on(style, strcmp(how, "broken") ? STYLE_GREEN : STYLE_RED),
		show_outcome(how));
	if (get_member(answer, "reason"))
		fprintf(out, ": %s", get_text(answer, "reason"));
	fprintf(out, "%s\n", style_off(style));
}

static void show_promise(json_object *job, FILE *out)
{
	char by[32], slack[32];

	if (!get_member(job, "deadline"))
		return;
	fprintf(out, "deadline %s, %s", show_time(get_number(job, "deadline"), by),
		show_promise_word(get_text(job, "promise")));
	if (get_member(job, "slack"))
		fprintf(out, ", slack %s", show_duration(get_number(job, "slack"), slack));
	fprintf(out, "\n");
}

static void show_reservation(json_object *one, FILE *out)
{
	int64_t width = get_number(one, "width");
	char start[32], until[32];

	fprintf(out, "  reservation %s takes %" PRId64 " node%s%s%s from %s", get_text(one, "name"),
		width, width == 1 ? "" : "s", *get_text(one, "nodes") ? " " : "",
		get_text(one, "nodes"), show_time(get_number(one, "start"), start));
	if (get_member(one, "until"))
		fprintf(out, " until %s\n", show_time(get_number(one, "until"), until));
	else
		fprintf(out, " for ever\n");
}

static void show_blocker(json_object *one, FILE *out)
{
	char name[32] = "", until[32] = "for ever", start[32];

	show_job_name(one, name);
	if (get_member(one, "until"))
		show_time(get_number(one, "until"), until);
	if (get_bool(one, "running"))
		fprintf(out, "  %-14s runs on %s%" PRId64 " node%s%s%s until %s%s\n", name,
			get_bool(one, "partly") ? "part of " : "", get_number(one, "width"),
			get_number(one, "width") == 1 ? "" : "s",
			*get_text(one, "nodes") ? " " : "", get_text(one, "nodes"), until,
			get_bool(one, "promised") ? ", promised" : "");
	else
		fprintf(out,
			"  %-14s is planned before it, %" PRId64 " node%s from %s until %s%s\n",
			name, get_number(one, "width"), get_number(one, "width") == 1 ? "" : "s",
			show_time(get_number(one, "start"), start), until,
			get_bool(one, "promised") ? ", promised" : "");
}

/* ", 3 with jobs"; what there is none of is not said. */
static void show_part(int64_t n, const char *what, FILE *out)
{
	if (n)
		fprintf(out, ", %" PRId64 " %s", n, what);
}

/* Does Slurm's word say more than ours? */
static bool reason_tells(const char *word, const char *reason)
{
	if (!strcmp(word, "slurm") || !strcmp(word, "held"))
		return true;
	return (!strcmp(word, "not_started") || !strcmp(word, "unseen")) &&
	       strcmp(reason, "None") != 0 && strcmp(reason, "Priority") != 0 &&
	       strcmp(reason, "Resources") != 0 && strncmp(reason, "Promised ", 9) != 0;
}

/* "job 7 waits for other jobs (afterok:5)" and what more is known of it in a few words. */
static void show_why(json_object *answer, json_object *job, FILE *out)
{
	const char *word = get_text(job, "waits"), *reason = get_text(answer, "reason");
	const char *dependency = get_text(answer, "dependency");
	char name[32], begin[32];

	show_job_name(job, name);
	fprintf(out, "job %s %s", name, show_wait(word));
	if (!strcmp(word, "begin") && get_member(job, "begin"))
		fprintf(out, ", %s", show_time(get_number(job, "begin"), begin));
	else if (!strncmp(word, "dependency", 10) && *dependency)
		fprintf(out, " (%s)", dependency);
	else if (*reason && reason_tells(word, reason))
		fprintf(out, " (%s)", reason);
	else if (*get_text(job, "because"))
		fprintf(out, " (%s)", get_text(job, "because"));
	fprintf(out, ": needs %" PRId64 " of %" PRId64 " nodes, of which %" PRId64 " %s idle",
		get_number(job, "width"), get_number(answer, "usable"), get_number(answer, "idle"),
		get_number(answer, "idle") == 1 ? "is" : "are");
	show_part(get_number(answer, "busy"), "with jobs", out);
	if (get_number(answer, "partly"))
		fprintf(out, " (%" PRId64 " in part)", get_number(answer, "partly"));
	show_part(get_number(answer, "reserved"), "reserved", out);
	show_part(get_number(get_member(answer, "down"), "width"), "down or drained", out);
	fprintf(out, "\n");
}

/* "in its way: 1 running job, 39 planned before it, 2 of them promised" */
static void show_in_way(json_object *answer, FILE *out)
{
	json_object *in_way = get_member(answer, "in_way");
	int64_t running = get_number(in_way, "running"), planned = get_number(in_way, "planned");
	int64_t promised = get_number(in_way, "promised");

	if (!running && !planned)
		return;
	fprintf(out, "in its way: ");
	if (running)
		fprintf(out, "%" PRId64 " running job%s", running, running == 1 ? "" : "s");
	if (planned)
		fprintf(out, "%s%" PRId64 " planned before it", running ? ", " : "", planned);
	if (promised)
		fprintf(out, ", %" PRId64 " of them promised", promised);
	fprintf(out, "\n");
}

/* Of the nodes that it is to give back, those that are due later than the first. */
static void show_later(json_object *range, FILE *out)
{
	json_object *later = get_member(range, "later");
	char by[32];

	for (size_t i = 0; i < get_count(later); i++) {
		json_object *one = json_object_array_get_idx(later, i);

		fprintf(out, "of these %s by %s, ", get_text(one, "leaves"),
			show_time(get_number(one, "by"), by));
	}
}

/* "2 nodes are its own, 6 are on loan, of 2 to 8" and what it was asked for. */
static void show_range(json_object *job, FILE *out)
{
	json_object *range = get_member(job, "range");
	int64_t floor = get_number(range, "floor"), lent = get_number(range, "lent");
	char by[32];

	if (!range)
		return;
	fprintf(out, "it can use %" PRId64 " to %" PRId64 " nodes", get_number(range, "least"),
		get_number(range, "most"));
	if (get_member(range, "floor"))
		fprintf(out, ": %" PRId64 " %s its own, %" PRId64 " %s on loan", floor,
			floor == 1 ? "is" : "are", lent, lent == 1 ? "is" : "are");
	else if (!get_bool(range, "resized"))
		fprintf(out, ", and keeps those that it is started on");
	if (get_number(range, "lost"))
		fprintf(out, ", %" PRId64 " of its own %s lost", get_number(range, "lost"),
			get_number(range, "lost") == 1 ? "is" : "are");
	fprintf(out, "\n");
	if (get_member(job, "deadline") && get_number(range, "done") > get_number(job, "deadline"))
		fprintf(out, "with the nodes that it has its work is done at %s\n",
			show_time(get_number(range, "done"), by));
	if (!get_number(range, "asked"))
		return;
	fprintf(out, "asked to give back %s by %s, ", get_text(range, "leaves"),
		show_time(get_number(range, "by"), by));
	show_later(range, out);
	fprintf(out, "or they are taken\n");
}

static void show_waiting(json_object *answer, FILE *out)
{
	json_object *list, *job = get_member(answer, "plan");
	char start[32];

	show_why(answer, job, out);
	if (*get_text(answer, "not_planned"))
		fprintf(out, "the plan cannot see all that it needs: %s\n",
			get_text(answer, "not_planned"));
	if (*get_text(answer, "barrier"))
		fprintf(out, "nothing can be promised: %s\n", get_text(answer, "barrier"));
	if (*get_text(job, "scheduler"))
		fprintf(out, "scheduled by %s, whose nodes no other scheduler has\n",
			get_text(job, "scheduler"));
	if (get_member(job, "start"))
		fprintf(out, "planned to start at %s\n",
			show_time(get_number(job, "start"), start));
	show_rows(job, out);
	show_range(job, out);
	show_promise(job, out);
	list = get_member(answer, "reservations");
	for (size_t i = 0; i < get_count(list); i++)
		show_reservation(json_object_array_get_idx(list, i), out);
	if (*get_text(get_member(answer, "down"), "nodes"))
		fprintf(out, "  down or drained: %s\n",
			get_text(get_member(answer, "down"), "nodes"));
	show_in_way(answer, out);
	if (get_number(answer, "more"))
		fprintf(out, "  %" PRId64 " more that end before these\n",
			get_number(answer, "more"));
	list = get_member(answer, "blockers");
	for (size_t i = 0; i < get_count(list); i++)
		show_blocker(json_object_array_get_idx(list, i), out);
	if (get_number(answer, "others"))
		fprintf(out, "  and %" PRId64 " that you may not see\n",
			get_number(answer, "others"));
}

static void show_running(json_object *job, FILE *out)
{
	char name[32], start[32], end[48] = "";

	show_job_name(job, name);
	if (get_number(get_member(job, "turns"), "of")) {
		fprintf(out, "job %s began at %s on %s: ", name,
			show_time(get_number(job, "start"), start), get_text(job, "nodes"));
		show_turn(job, 0, out);
		fprintf(out, "\n");
		show_rows(job, out);
		show_promise(job, out);
		return;
	}
	if (get_member(job, "end"))
		snprintf(end, sizeof(end), "until %s", show_time(get_number(job, "end"), start));
	fprintf(out, "job %s runs since %s on %s, planned %s%s\n", name,
		show_time(get_number(job, "start"), start), get_text(job, "nodes"),
		*end ? end : "for ever", *end ? " at the latest" : "");
	show_range(job, out);
	show_promise(job, out);
}

void show_explain(json_object *answer, const struct style *style, FILE *out)
{
	const char *kind = get_text(answer, "kind");

	if (!strcmp(kind, "decision"))
		show_decision(answer, out);
	else if (!strcmp(kind, "ended"))
		show_ended(answer, style, out);
	else if (!strcmp(kind, "running"))
		show_running(get_member(answer, "plan"), out);
	else
		show_waiting(answer, out);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show_status.c - pact status in words
 */
#include "contrib/pact/show/show.h"

#include <inttypes.h>

/* The history's troubles; one that works is not worth a line. */
static void show_kept(json_object *history, const struct style *style, FILE *out)
{
	const char *trouble = get_text(history, "trouble");

	if (trouble[0])
		fprintf(out, "%shistory is not written%s: %s\n", style_on(style, STYLE_RED),
			style_off(style), trouble);
	if (get_number(history, "lost"))
		fprintf(out, "history: %" PRId64 " %s lost\n", get_number(history, "lost"),
			get_number(history, "lost") == 1 ? "entry was" : "entries were");
}

/* What is wrong with pact.conf; of one that is right nothing is said. */
static void show_conf(json_object *conf, const struct style *style, FILE *out)
{
	json_object *unknown = get_member(conf, "unknown");
	const char *why = get_text(conf, "why");
	char refused[32], taken[32];

	if (get_number(conf, "refused"))
		fprintf(out, "%spact.conf was refused%s at %s, that of %s stays in force: %s\n",
			style_on(style, STYLE_RED), style_off(style),
			show_time(get_number(conf, "refused"), refused),
			show_time(get_number(conf, "taken"), taken),
			why[0] ? why : "slurmctld's log says why");
	for (size_t i = 0; i < get_count(unknown); i++) {
		json_object *one = json_object_array_get_idx(unknown, i);

		fprintf(out, "%spact.conf: %s=%s%s: %s\n", style_on(style, STYLE_YELLOW),
			get_text(one, "key"), get_text(one, "name"), style_off(style),
			get_text(one, "why"));
	}
}

/* Partitions that have their own. */
static void show_schedulers(struct json_object *of, FILE *out)
{
	if (!of)
		return;
	json_object_object_foreach(of, partition, scheduler)
	{
		fprintf(out, "partition %s: scheduler %s\n", partition,
			json_object_get_string(scheduler));
	}
}

/* Their jobs go on, and they get no others. */
static void show_silent(json_object *list, const struct style *style, FILE *out)
{
	size_t n = list ? json_object_array_length(list) : 0;

	if (!n)
		return;
	fprintf(out,
		"%sget no job%s, pactd is silent or lacks something:", style_on(style, STYLE_RED),
		style_off(style));
	for (size_t i = 0; i < n; i++)
		fprintf(out, " %s", json_object_get_string(json_object_array_get_idx(list, i)));
	fprintf(out, "\n");
}

static void show_risk(json_object *answer, FILE *out)
{
	json_object *own = get_member(answer, "risk_limits");

	if (!get_member(answer, "risk_limit"))
		return;
	fprintf(out, "RiskLimit %s", json_object_get_string(get_member(answer, "risk_limit")));
	if (own) {
		json_object_object_foreach(own, partition, limit)
		{
			fprintf(out, ", in %s %s", partition, json_object_get_string(limit));
		}
	}
	fprintf(out, ": chances to miss come from %" PRId64 " job%s that ended\n",
		get_number(answer, "learned"), get_number(answer, "learned") == 1 ? "" : "s");
}

void show_status(json_object *answer, const struct style *style, FILE *out)
{
	char at[32], age[32];

	fprintf(out, "pact %s in slurmctld %s, %s\n", get_text(answer, "version"),
		get_text(answer, "slurm"), get_text(answer, "scheduler"));
	/* An older slurmctld does not say. */
	if (get_member(answer, "tested") && !get_bool(answer, "tested"))
		fprintf(out, "built for a Slurm with which Pact is not tested\n");
	show_schedulers(get_member(answer, "schedulers"), out);
	show_conf(get_member(answer, "conf"), style, out);
	show_kept(get_member(answer, "history"), style, out);
	if (!get_bool(answer, "planned")) {
		fprintf(out, "%s\n",
			*get_text(answer, "no_plan") ? get_text(answer, "no_plan") : "no plan yet");
		return;
	}
	fprintf(out, "plan of %s (%s ago), pass %" PRId64 ", %s %s%s\n",
		show_time(get_number(answer, "at"), at),
		show_duration(get_number(answer, "now") - get_number(answer, "at"), age),
		get_number(answer, "passes"), get_member(answer, "policy") ? "policy" : "mode",
		get_text(answer, get_member(answer, "policy") ? "policy" : "mode"),
		get_bool(answer, "observe") ? ", refusals are only observed" : "");
	fprintf(out, "%" PRId64 " node%s, %" PRId64 " %s, %" PRId64 " wait%s\n",
		get_number(answer, "nodes"), get_number(answer, "nodes") == 1 ? "" : "s",
		get_number(answer, "running"),
		get_number(answer, "running") == 1 ? "job runs" : "jobs run",
		get_number(answer, "waiting"), get_number(answer, "waiting") == 1 ? "s" : "");
	show_silent(get_member(answer, "silent"), style, out);
	fprintf(out, "promises to keep: %" PRId64 ", of these at risk: %s%" PRId64 "%s\n",
		get_number(answer, "open"),
		style_on(style, get_number(answer, "at_risk") ? STYLE_RED : STYLE_GREEN),
		get_number(answer, "at_risk"), style_off(style));
	show_risk(answer, out);
	if (!get_bool(answer, "safe"))
		fprintf(out, "%snothing is promised%s: %s\n", style_on(style, STYLE_RED),
			style_off(style), get_text(answer, "unsafe"));
}

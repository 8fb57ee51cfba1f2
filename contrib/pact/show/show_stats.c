/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show_stats.c - pact stats in words, and in Prometheus' text exposition format
 */
#include <inttypes.h>
#include <string.h>

#include "contrib/pact/show/show_policy.h"

/* The smallest bound under which so many percent lie; -1: above the last one. */
static int64_t percentile(json_object *meter, int percent)
{
	json_object *buckets = get_member(meter, "buckets");
	int64_t want = (get_number(meter, "count") * percent + 99) / 100;

	for (size_t i = 0; i < get_count(buckets); i++) {
		json_object *pair = json_object_array_get_idx(buckets, i);

		if (json_object_get_int64(json_object_array_get_idx(pair, 1)) >= want)
			return json_object_get_int64(json_object_array_get_idx(pair, 0));
	}
	return -1;
}

static const char *below(int64_t us, char out[32])
{
	if (us < 0)
		snprintf(out, 32, "> 5 s");
	else if (us < 1000000)
		snprintf(out, 32, "<= %g ms", (double)us / 1000);
	else
		snprintf(out, 32, "<= %g s", (double)us / 1000000);
	return out;
}

static void show_meter(json_object *times, const char *name, const char *what, FILE *out)
{
	json_object *meter = get_member(times, name);
	int64_t n = get_number(meter, "count");
	char half[32], most[32];

	if (!n)
		return;
	fprintf(out, "  %-38s %9" PRId64 " %10.3f ms  %-10s %-10s %10.3f ms\n", what, n,
		(double)get_number(meter, "sum_us") / (double)n / 1000,
		below(percentile(meter, 50), half), below(percentile(meter, 99), most),
		(double)get_number(meter, "worst_us") / 1000);
}

static void count_first(const struct counts *how, const char *name, int64_t count, FILE *out)
{
	(void)how;
	fprintf(out, "%" PRId64 " %s", count, name);
}

static void count_line(const struct counts *how, const char *name, int64_t count, FILE *out)
{
	(void)how;
	fprintf(out, "  %-24s %" PRId64 "\n", name, count);
}

/* What became of decisions that were not compared with a record; protocol.md has the names. */
static void show_left_out(json_object *counts, FILE *out)
{
	static const struct counts words = {
		.before = "; not compared: ", .between = ", ", .tell = count_first
	};

	show_counts(counts, &words, out);
	fprintf(out, "\n");
}

/* Jobs that were to leave their nodes for others, and C of those that did. */
static void show_migrations(json_object *m, FILE *out)
{
	int64_t moved = get_number(m, "moved"), sum = get_number(m, "cost_sum");

	if (!m)
		return;
	fprintf(out,
		"migrations: %" PRId64 " jobs asked to leave, %" PRId64 " moved, %" PRId64
		" too late, %" PRId64 " could not be asked",
		get_number(m, "asked"), moved, get_number(m, "late"), get_number(m, "not_asked"));
	if (moved)
		fprintf(out, "; C: mean %.1f s, latest %" PRId64 " s", (double)sum / (double)moved,
			get_number(m, "cost_latest"));
	fprintf(out, "\n");
}

/* Rows that were switched, and each matrix. */
static void show_slices(json_object *slices, FILE *out)
{
	json_object *list = get_member(slices, "matrices");

	if (!slices)
		return;
	fprintf(out,
		"slices: %" PRId64 " switches, %" PRId64 " jobs suspended, %" PRId64
		" resumed, %" PRId64 " turns not taken, %" PRId64 " messages repeated\n",
		get_number(slices, "switches"), get_number(slices, "suspended"),
		get_number(slices, "resumed"), get_number(slices, "refused"),
		get_number(slices, "repeated"));
	show_migrations(get_member(slices, "migrations"), out);
	for (size_t i = 0; i < get_count(list); i++) {
		json_object *one = json_object_array_get_idx(list, i);

		fprintf(out,
			"  matrix of %s: %" PRId64 " job%s in %" PRId64 " of %" PRId64
			" rows, %" PRId64 " set aside, %" PRId64 " outside\n",
			get_text(one, "scheduler"), get_number(one, "placed"),
			get_number(one, "placed") == 1 ? "" : "s", get_number(one, "used"),
			get_number(one, "rows"), get_number(one, "aside"),
			get_number(one, "waiting"));
	}
}

/* What became of running jobs' nodes. */
static void show_resizes(json_object *resizes, FILE *out)
{
	static const char *const words[][2] = {
		{ "grown", "grown" },
		{ "called_in", "called in" },
		{ "taken", "taken" },
		{ "shrunk", "seen smaller" },
		{ "refused", "could not be done" },
		{ "not_now", "answered \"not now\"" },
	};
	const char *between = "resizes: ";

	if (!resizes)
		return;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		json_object *one = get_member(resizes, words[i][0]);

		fprintf(out, "%s%s %" PRId64, between, words[i][1], get_number(one, "times"));
		if (get_number(one, "nodes"))
			fprintf(out, " (%" PRId64 " node%s)", get_number(one, "nodes"),
				get_number(one, "nodes") == 1 ? "" : "s");
		between = ", ";
	}
	fprintf(out, "\n");
}

void show_stats(json_object *answer, const struct style *style, FILE *out)
{
	static const struct counts reasons = { .before = "", .between = "", .tell = count_line };
	json_object *times = get_member(answer, "times");

	fprintf(out, "since slurmctld started\n");
	fprintf(out,
		"decisions: %" PRId64 " promises made, %" PRId64 " submissions refused, %" PRId64
		" would have been (observe)\n",
		get_number(answer, "accepted"), get_number(answer, "refused"),
		get_number(answer, "observed"));
	show_counts(get_member(answer, "reasons"), &reasons, out);
	if (get_number(answer, "expected"))
		fprintf(out, "let in without a promise: %" PRId64 " jobs of realms\n",
			get_number(answer, "expected"));
	fprintf(out,
		"promises: %" PRId64 " kept, %" PRId64 " killed at their own limits, %s%" PRId64
		" broken%s, %" PRId64 " cancelled, %" PRId64 " withdrawn, %" PRId64 " unknown\n",
		get_number(answer, "kept"), get_number(answer, "at_limit"),
		style_on(style, get_number(answer, "broken") ? STYLE_RED : STYLE_GREEN),
		get_number(answer, "broken"), style_off(style), get_number(answer, "cancelled"),
		get_number(answer, "withdrawn"), get_number(answer, "unknown"));
	fprintf(out, "to keep: %" PRId64 ", at risk: %" PRId64 "\n", get_number(answer, "open"),
		get_number(answer, "at_risk"));
	fprintf(out, "compared with their records: %" PRId64 " decisions, %s%" PRId64 " differ%s",
		get_number(answer, "compared"),
		style_on(style, get_number(answer, "differing") ? STYLE_RED : STYLE_GREEN),
		get_number(answer, "differing"), style_off(style));
	show_left_out(get_member(answer, "not_compared"), out);
	show_policy(get_member(answer, "dynp"), style, out);
	show_slices(get_member(answer, "slices"), out);
	show_resizes(get_member(answer, "resizes"), out);
	fprintf(out, "%s%-40s %9s %13s  %-10s %-10s %13s%s\n", style_on(style, STYLE_BOLD),
		"time of", "count", "mean", "half", "99 %", "worst", style_off(style));
	show_meter(times, "decision", "a decision", out);
	show_meter(times, "wait", "its wait for the plan", out);
	show_meter(times, "ask", "a question (pact ask)", out);
	show_meter(times, "pass", "a planning pass", out);
	show_meter(times, "pass_cpu", "  of it, processor time", out);
	show_meter(times, "planning", "  of it, planning", out);
	show_meter(times, "snapshot", "  under slurmctld's locks, reading", out);
	show_meter(times, "writing", "  under slurmctld's locks, writing", out);
	show_meter(times, "read_lock", "locks held to read, in one piece", out);
	show_meter(times, "read_lock_cpu", "  of it, processor time", out);
	show_meter(times, "write_lock", "locks held to write, in one piece", out);
	show_meter(times, "write_lock_cpu", "  of it, processor time", out);
	show_meter(times, "switch", "a switch of rows", out);
	show_meter(times, "resize", "a resize, under slurmctld's locks", out);
	show_meter(times, "resize_cpu", "  of it, processor time", out);
}

static void head(FILE *out, const char *name, const char *type, const char *help)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void gauge(FILE *out, json_object *answer, const char *name, const char *key,
		  const char *help)
{
	head(out, name, "gauge", help);
	fprintf(out, "%s %" PRId64 "\n", name, get_number(answer, key));
}

static void labelled(FILE *out, json_object *answer, const char *name, const char *help,
		     const char *const *keys)
{
	head(out, name, "counter", help);
	for (; *keys; keys++)
		fprintf(out, "%s{outcome=\"%s\"} %" PRId64 "\n", name, *keys,
			get_number(answer, *keys));
}

static void histogram(FILE *out, const char *name, const char *help, json_object *meter)
{
	json_object *buckets = get_member(meter, "buckets");

	head(out, name, "histogram", help);
	for (size_t i = 0; i < get_count(buckets); i++) {
		json_object *pair = json_object_array_get_idx(buckets, i);

		fprintf(out, "%s_bucket{le=\"%g\"} %" PRId64 "\n", name,
			(double)json_object_get_int64(json_object_array_get_idx(pair, 0)) / 1e6,
			json_object_get_int64(json_object_array_get_idx(pair, 1)));
	}
	fprintf(out, "%s_bucket{le=\"+Inf\"} %" PRId64 "\n", name, get_number(meter, "count"));
	fprintf(out, "%s_sum %.6f\n", name, (double)get_number(meter, "sum_us") / 1e6);
	fprintf(out, "%s_count %" PRId64 "\n", name, get_number(meter, "count"));
}

/* A sample of each key of each matrix, by its number. */
static void of_matrices(json_object *list, const char *metric, const char *label,
			const char *const *keys, FILE *out)
{
	for (size_t i = 0; i < get_count(list); i++)
		for (const char *const *k = keys; *k; k++)
			fprintf(out, "%s{matrix=\"%zu\",%s=\"%s\"} %" PRId64 "\n", metric, i, label,
				*k, get_number(json_object_array_get_idx(list, i), *k));
}

static void migrations_prometheus(json_object *m, FILE *out)
{
	static const char *const outcomes[] = { "asked", "moved", "late", "not_asked", NULL };

	head(out, "pact_migrations_total", "counter",
	     "Jobs asked to leave their nodes, moved, too late, or that could not be asked.");
	for (const char *const *k = outcomes; *k; k++)
		fprintf(out, "pact_migrations_total{outcome=\"%s\"} %" PRId64 "\n", *k,
			get_number(m, *k));
	head(out, "pact_migration_cost_seconds", "summary",
	     "C of each migration: twice the time from the signal until the job had left.");
	fprintf(out, "pact_migration_cost_seconds_sum %" PRId64 "\n", get_number(m, "cost_sum"));
	fprintf(out, "pact_migration_cost_seconds_count %" PRId64 "\n", get_number(m, "moved"));
	head(out, "pact_migration_cost_latest_seconds", "gauge", "C of the latest migration.");
	fprintf(out, "pact_migration_cost_latest_seconds %" PRId64 "\n",
		get_number(m, "cost_latest"));
}

static void slices_prometheus(json_object *slices, FILE *out)
{
	static const char *const turns[] = { "suspended", "resumed", "refused", NULL };
	static const char *const jobs[] = { "placed", "aside", "waiting", NULL };
	static const char *const rows[] = { "used", "rows", NULL };
	json_object *list = get_member(slices, "matrices");

	if (!slices)
		return;
	head(out, "pact_switches_total", "counter", "Rows that were switched.");
	fprintf(out, "pact_switches_total %" PRId64 "\n", get_number(slices, "switches"));
	head(out, "pact_turns_total", "counter",
	     "Jobs suspended and resumed, and turns not taken.");
	for (const char *const *k = turns; *k; k++)
		fprintf(out, "pact_turns_total{turn=\"%s\"} %" PRId64 "\n", *k,
			get_number(slices, *k));
	head(out, "pact_turns_repeated_total", "counter",
	     "Messages to nodes that were sent again.");
	fprintf(out, "pact_turns_repeated_total %" PRId64 "\n", get_number(slices, "repeated"));
	migrations_prometheus(get_member(slices, "migrations"), out);
	head(out, "pact_matrix_jobs", "gauge",
	     "Jobs that take turns: in a row, set aside, outside.");
	of_matrices(list, "pact_matrix_jobs", "state", jobs, out);
	head(out, "pact_matrix_rows", "gauge", "Rows of the matrix, and those with a job.");
	of_matrices(list, "pact_matrix_rows", "rows", rows, out);
}

static void resizes_prometheus(json_object *resizes, FILE *out)
{
	if (!resizes)
		return;
	head(out, "pact_resizes_total", "counter",
	     "Running jobs that were given nodes, asked for some, or had some taken, and what "
	     "became of it.");
	json_object_object_foreach(resizes, what, one)
		fprintf(out, "pact_resizes_total{what=\"%s\"} %" PRId64 "\n", what,
			get_number(one, "times"));
	head(out, "pact_resized_nodes_total", "counter", "Nodes that this was about.");
	json_object_object_foreach(resizes, kind, each) if (get_member(each, "nodes"))
		fprintf(out, "pact_resized_nodes_total{what=\"%s\"} %" PRId64 "\n", kind,
			get_number(each, "nodes"));
}

void show_prometheus(json_object *answer, const struct style *style, FILE *out)
{
	static const char *const decisions[] = { "accepted", "expected", "refused", "observed",
						 NULL };
	static const char *const ends[] = { "kept",	 "at_limit", "broken", "cancelled",
					    "withdrawn", "unknown",  NULL };
	static const struct {
		const char *key, *name, *help;
	} times[] = {
		{ "decision", "pact_decision_seconds", "Time of one decision about a deadline." },
		{ "wait", "pact_decision_wait_seconds", "What a decision waited for the plan." },
		{ "ask", "pact_ask_seconds", "Time of one question, with its alternatives." },
		{ "pass", "pact_pass_seconds", "Time of one planning pass." },
		{ "pass_cpu", "pact_pass_cpu_seconds", "Processor time of one planning pass." },
		{ "planning", "pact_planning_seconds", "Planning in one pass." },
		{ "snapshot", "pact_lock_read_seconds",
		  "One pass under slurmctld's locks to read the records." },
		{ "writing", "pact_lock_write_seconds",
		  "One pass under slurmctld's locks to write." },
		{ "read_lock", "pact_read_lock_piece_seconds",
		  "slurmctld's locks held to read, in one piece." },
		{ "write_lock", "pact_write_lock_piece_seconds",
		  "slurmctld's locks held to write, in one piece." },
		{ "read_lock_cpu", "pact_read_lock_piece_cpu_seconds",
		  "Processor time in one such piece to read." },
		{ "write_lock_cpu", "pact_write_lock_piece_cpu_seconds",
		  "Processor time in one such piece to write." },
		{ "switch", "pact_switch_seconds",
		  "One switch of rows, from the first job's suspension or resumption to the last "
		  "one's." },
		{ "resize", "pact_resize_seconds",
		  "slurmctld's locks held to resize a running job, or to ask it for nodes." },
		{ "resize_cpu", "pact_resize_cpu_seconds", "Processor time in that." },
	};

	(void)style;
	labelled(out, answer, "pact_decisions_total", "Decisions about deadlines.", decisions);
	head(out, "pact_refusals_total", "counter", "Refused deadlines by reason.");
	show_samples(get_member(answer, "reasons"), "pact_refusals_total", "reason", out);
	labelled(out, answer, "pact_promises_total", "What became of promises.", ends);
	gauge(out, answer, "pact_promises_open", "open", "Promises still to be kept.");
	gauge(out, answer, "pact_promises_at_risk", "at_risk",
	      "Promises that cannot be kept as things stand.");
	head(out, "pact_decisions_compared_total", "counter",
	     "Decisions compared with the terms of their records.");
	fprintf(out, "pact_decisions_compared_total %" PRId64 "\n", get_number(answer, "compared"));
	head(out, "pact_decisions_differing_total", "counter",
	     "Decisions that were for other terms than their records have.");
	fprintf(out, "pact_decisions_differing_total %" PRId64 "\n",
		get_number(answer, "differing"));
	head(out, "pact_decisions_not_compared_total", "counter",
	     "Decisions that were not compared with a record, by cause.");
	show_samples(get_member(answer, "not_compared"), "pact_decisions_not_compared_total",
		     "cause", out);
	show_policy_prometheus(get_member(answer, "dynp"), out);
	slices_prometheus(get_member(answer, "slices"), out);
	resizes_prometheus(get_member(answer, "resizes"), out);
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		histogram(out, times[i].name, times[i].help,
			  get_member(get_member(answer, "times"), times[i].key));
}

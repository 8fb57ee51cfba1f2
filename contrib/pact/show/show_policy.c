/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show_policy.c - sched/dynp's policies, part of pact stats
 */
#include "contrib/pact/show/show_policy.h"

#include <inttypes.h>
#include <string.h>

static const char *quality(json_object *policy, char out[32])
{
	if (!get_member(policy, "keeps_promises"))
		return "-";
	if (!get_bool(policy, "keeps_promises"))
		return "breaks a promise";
	if (!get_member(policy, "quality"))
		return "-";
	snprintf(out, 32, "%.6g", json_object_get_double(get_member(policy, "quality")));
	return out;
}

static void show_cases(json_object *cases, FILE *out)
{
	static const struct counts row = {
		.before = "cases of Table 1: ", .between = ", ", .tell = show_count, .word = " "
	};

	if (show_counts(cases, &row, out))
		fputc('\n', out);
}

void show_policy(json_object *dynp, const struct style *style, FILE *out)
{
	json_object *policies = get_member(dynp, "policies");
	const char *running = get_text(dynp, "running");
	char text[32];

	if (!dynp)
		return;
	fprintf(out, "policy: %s%s%s; %" PRId64 " steps, %" PRId64 " kept the policy",
		style_on(style, STYLE_BOLD), running, style_off(style), get_number(dynp, "steps"),
		get_number(dynp, "kept"));
	if (get_number(dynp, "blocked"))
		fprintf(out, ", in %" PRId64 " none kept all promises",
			get_number(dynp, "blocked"));
	fprintf(out, "\n%s  %-8s %12s %9s  %s at the last step (decider %s)%s\n",
		style_on(style, STYLE_BOLD), "policy", "switched to", "started",
		get_text(dynp, "measure"), get_text(dynp, "decider"), style_off(style));
	for (size_t i = 0; i < get_count(policies); i++) {
		json_object *p = json_object_array_get_idx(policies, i);
		const char *name = get_text(p, "name");

		fprintf(out, "%s %-8s %12" PRId64 " %9" PRId64 "  %s\n",
			strcmp(name, running) ? " " : "*", name, get_number(p, "switches"),
			get_number(p, "started"), quality(p, text));
	}
	show_cases(get_member(dynp, "cases"), out);
}

static void head(FILE *out, const char *name, const char *type, const char *help)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void per_policy(json_object *policies, const char *name, const char *help, const char *key,
		       FILE *out)
{
	head(out, name, "counter", help);
	for (size_t i = 0; i < get_count(policies); i++) {
		json_object *p = json_object_array_get_idx(policies, i);

		fprintf(out, "%s{policy=\"%s\"} %" PRId64 "\n", name, get_text(p, "name"),
			get_number(p, key));
	}
}

static void running_policy(json_object *dynp, json_object *policies, FILE *out)
{
	head(out, "pact_dynp_running", "gauge", "1 for the policy that runs, 0 for the others.");
	for (size_t i = 0; i < get_count(policies); i++) {
		const char *name = get_text(json_object_array_get_idx(policies, i), "name");

		fprintf(out, "pact_dynp_running{policy=\"%s\"} %d\n", name,
			!strcmp(name, get_text(dynp, "running")));
	}
	head(out, "pact_dynp_quality", "gauge",
	     "How good a plan was at the last step, as Quality in pact.conf measures it.");
	for (size_t i = 0; i < get_count(policies); i++) {
		json_object *p = json_object_array_get_idx(policies, i);

		if (get_member(p, "quality"))
			fprintf(out, "pact_dynp_quality{policy=\"%s\"} %.9g\n", get_text(p, "name"),
				json_object_get_double(get_member(p, "quality")));
	}
}

void show_policy_prometheus(json_object *dynp, FILE *out)
{
	static const struct {
		const char *key, *name, *help;
	} counts[] = {
		{ "steps", "pact_dynp_steps_total", "Steps in which plans were made." },
		{ "kept", "pact_dynp_kept_total", "Steps after which the policy was the same." },
		{ "blocked", "pact_dynp_blocked_total",
		  "Steps in which no policy kept all promises." },
		{ "differed", "pact_dynp_differed_total",
		  "Steps in which the simple decider would have taken another policy." },
	};
	json_object *policies = get_member(dynp, "policies");

	if (!dynp)
		return;
	running_policy(dynp, policies, out);
	per_policy(policies, "pact_dynp_switches_total", "Switches to a policy.", "switches", out);
	per_policy(policies, "pact_dynp_started_total", "Jobs started under a policy.", "started",
		   out);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		head(out, counts[i].name, "counter", counts[i].help);
		fprintf(out, "%s %" PRId64 "\n", counts[i].name, get_number(dynp, counts[i].key));
	}
	head(out, "pact_dynp_cases_total", "counter",
	     "Steps by the row of the advanced decider's table.");
	show_samples(get_member(dynp, "cases"), "pact_dynp_cases_total", "case", out);
}

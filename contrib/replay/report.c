/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.c: see report.h.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <json-c/json.h>

#include "contrib/replay/clock.h"
#include "contrib/replay/report.h"

static double pct(int64_t part, int64_t whole)
{
	return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

static void text_head(const struct report *r, FILE *f)
{
	const struct cluster *c = r->cluster;
	char span[32];

	clock_span(r->sum.makespan, span, sizeof(span));
	fprintf(f, "Replay%s of %s%s on cluster %s: %d nodes,\n  Slurm %s, %s%s%s\n",
		r->interrupted ? " (interrupted)" : "", r->feed->trace ? "" : "model ",
		r->feed->trace ? r->feed->trace : r->feed->model, c->name, c->nodes, c->version,
		c->scheduler, *c->plugins ? ", job_submit/" : "", c->plugins);
	fprintf(f,
		"  %s on the cluster's clock (x%.0f), %.0f s on the wall's,\n"
		"  from the first submission to the last end\n",
		span, r->speed, r->wall);
}

static void text_jobs(const struct report *r, FILE *f)
{
	const struct summary *s = &r->sum;

	fprintf(f, "  submitted     %7" PRId64 "  of %zu in the slice", s->submitted,
		track_size(r->track));
	if (r->stats->wide)
		fprintf(f, " (%" PRIu64 " more were wider than the machine)", r->stats->wide);
	fprintf(f, ", %" PRId64 " with a deadline\n", s->with_deadline);
	fprintf(f, "  accepted      %7" PRId64 "  %" PRId64 " with a deadline (%.1f %%)\n",
		s->accepted, s->accepted_deadline, pct(s->accepted_deadline, s->with_deadline));
	fprintf(f, "  refused       %7" PRId64, s->refused);
	if (s->refused)
		fprintf(f, "  (%.1f %% of the node-seconds with a deadline)", s->refused_work_pct);
	fputc('\n', f);
	for (size_t i = 0; i < track_reasons(r->track); i++) {
		const struct reason *why = track_reason(r->track, i);

		if (why->by_deadline)
			fprintf(f, "    %17" PRId64 "  %s\n", why->jobs, why->text);
	}
	if (s->failed)
		fprintf(f, "  not taken     %7" PRId64 "  by Slurm, for other reasons\n",
			s->failed);
	for (size_t i = 0; i < track_reasons(r->track); i++) {
		const struct reason *why = track_reason(r->track, i);

		if (!why->by_deadline)
			fprintf(f, "    %17" PRId64 "  %s\n", why->jobs, why->text);
	}
	if (s->lost)
		fprintf(f, "  LOST          %7" PRId64 "  Slurm has no record of their end\n",
			s->lost);
	if (s->open)
		fprintf(f, "  not ended     %7" PRId64 "\n", s->open);
}

static void text_promises(const struct report *r, FILE *f)
{
	const struct summary *s = &r->sum;

	fprintf(f, "  promises kept %7" PRId64 "  of %" PRId64, s->kept,
		s->accepted_deadline - s->observed - s->expected);
	if (s->kept_killed)
		fprintf(f, ", of these %" PRId64 " killed at their own limit", s->kept_killed);
	if (s->withdrawn)
		fprintf(f, "; %" PRId64 " cancelled", s->withdrawn);
	fprintf(f, "\n  %-13s %7" PRId64, s->broken ? "BROKEN" : "broken", s->broken);
	if (s->broken)
		fprintf(f, "  of these %" PRId64 " told by Pact", s->told);
	fputc('\n', f);
	if (s->observed)
		fprintf(f,
			"    %" PRId64
			" more were accepted without a promise (AdmissionMode=observe would"
			" have refused them)\n",
			s->observed);
	if (s->expected)
		fprintf(f,
			"  expected      %7" PRId64
			"  accepted, nothing promised: late by their own limits; %" PRId64
			" met the deadline\n",
			s->expected, s->expected_met);
	if (s->accepted_deadline > 0 && s->tokens + s->observed + s->expected == 0)
		fprintf(f, "    no job carries Pact's promise: JobSubmitPlugins=deadline is not "
			   "on, and to"
			   " Slurm\n    itself a deadline is a time to kill the job at\n");
}

/* The answer to the one question, last, where the eye ends. */
static void text_verdict(const struct report *r, FILE *f)
{
	const struct summary *s = &r->sum;
	int64_t judged = s->kept + s->broken;

	if (judged == 0)
		fprintf(f, "No promise was given that could be judged.\n");
	else if (s->broken)
		fprintf(f, "BROKEN: %" PRId64 " of %" PRId64 " promises.\n", s->broken, judged);
	else if (judged == 1)
		fprintf(f, "The one promise was kept.\n");
	else
		fprintf(f, "All %" PRId64 " promises were kept.\n", judged);
}

static void text_means(FILE *f, const char *what, const struct means *m)
{
	if (m->jobs == 0)
		return;
	fprintf(f,
		"  %-13s %7" PRId64
		"  mean wait %.0f s, slowdown %.2f (bounded, 10 s: %.2f; highest %.1f)\n",
		what, m->jobs, m->wait, m->slowdown, m->bounded, m->highest);
}

void report_text(const struct report *r, FILE *f)
{
	const struct summary *s = &r->sum;

	text_head(r, f);
	text_jobs(r, f);
	text_promises(r, f);
	fprintf(f,
		"  completed     %7" PRId64 "  killed at their limit %" PRId64
		", cancelled %" PRId64 ", otherwise ended %" PRId64 "\n",
		s->completed, s->killed, s->cancelled, s->other_end);
	if (!isnan(s->utilization))
		fprintf(f, "  utilisation   %6.1f%%\n", 100 * s->utilization);
	/* of jobs that share nodes or take turns that is not the overhead */
	if (s->completed && r->work == WORK_SLEEP)
		fprintf(f,
			"  overhead      %7.1f  s that a job ran longer than the log's, in the "
			"mean; %" PRId64 " at most\n",
			s->over_mean, s->over_max);
	text_means(f, "no deadline", &s->plain);
	text_means(f, "all that ran", &s->all);
	fprintf(f,
		"  timing        %7.1f  s behind the log's in the mean, %" PRId64
		" at most; %" PRId64 " jobs over %d\n",
		s->lag_mean, s->lag_max, s->late, SUMMARY_LATE);
	text_verdict(r, f);
}

static void add_int(json_object *o, const char *key, int64_t v)
{
	json_object_object_add(o, key, json_object_new_int64(v));
}

static void add_num(json_object *o, const char *key, double v)
{
	char text[40];

	/* Seventeen digits of a mean are noise. */
	snprintf(text, sizeof(text), "%.10g", v);
	json_object_object_add(o, key, isfinite(v) ? json_object_new_double_s(v, text) : NULL);
}

static void add_text(json_object *o, const char *key, const char *v)
{
	json_object_object_add(o, key, v ? json_object_new_string(v) : NULL);
}

static json_object *json_reasons(const struct report *r, bool by_deadline)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < track_reasons(r->track); i++) {
		const struct reason *why = track_reason(r->track, i);
		json_object *o;

		if (why->by_deadline != by_deadline)
			continue;
		o = json_object_new_object();
		add_text(o, "reason", why->text);
		add_int(o, "jobs", why->jobs);
		add_int(o, "node_seconds", why->node_seconds);
		json_object_array_add(list, o);
	}
	return list;
}

static void json_setting(const struct report *r, json_object *o)
{
	add_text(o, "trace", r->feed->trace);
	add_text(o, "model", r->feed->trace ? NULL : r->feed->model);
	add_text(o, "cluster", r->cluster->name);
	add_text(o, "slurm", r->cluster->version);
	add_text(o, "scheduler", r->cluster->scheduler);
	add_text(o, "job_submit_plugins", r->cluster->plugins);
	json_object_object_add(o, "seed", json_object_new_uint64(r->feed->seed));
	add_int(o, "nodes", r->cluster->nodes);
	add_text(o, "estimates", r->feed->exact ? "exact" : "log");
	add_int(o, "guard_s", r->feed->guard);
	add_int(o, "slack_s", r->slack);
	add_num(o, "speed", r->speed);
	add_int(o, "started_at", r->start);
	json_object_object_add(o, "interrupted", json_object_new_boolean(r->interrupted));
}

static void json_jobs(const struct report *r, json_object *o)
{
	const struct summary *s = &r->sum;

	add_int(o, "jobs_submitted", s->submitted);
	add_int(o, "jobs_dropped", (int64_t)(r->stats->wide + r->stats->unusable));
	add_int(o, "jobs_accepted", s->accepted);
	add_int(o, "jobs_with_deadline", s->with_deadline);
	add_int(o, "jobs_refused", s->refused);
	json_object_object_add(o, "refusals", json_reasons(r, true));
	add_int(o, "jobs_not_taken", s->failed);
	json_object_object_add(o, "failures", json_reasons(r, false));
	add_int(o, "jobs_completed", s->completed);
	add_int(o, "jobs_killed", s->killed);
	add_int(o, "jobs_cancelled", s->cancelled);
	add_int(o, "jobs_ended_otherwise", s->other_end);
	add_int(o, "jobs_lost", s->lost);
	add_int(o, "jobs_open", s->open);
	add_int(o, "promises", s->accepted_deadline - s->observed - s->expected);
	add_int(o, "jobs_observed", s->observed);
	add_int(o, "jobs_expected", s->expected);
	add_int(o, "jobs_expected_met", s->expected_met);
	add_int(o, "promises_recorded", s->tokens);
	add_int(o, "promises_kept", s->kept);
	add_int(o, "promises_kept_killed", s->kept_killed);
	add_int(o, "promises_broken", s->broken);
	add_int(o, "promises_broken_told", s->told);
	add_int(o, "promises_withdrawn", s->withdrawn);
	add_num(o, "unadmitted_jobs_pct", s->refused_pct);
	add_num(o, "unadmitted_procsec_pct", s->refused_work_pct);
}

static void json_figures(const struct report *r, json_object *o)
{
	const struct summary *s = &r->sum;

	add_num(o, "utilization", s->utilization);
	add_int(o, "makespan_s", s->makespan);
	add_num(o, "wait_mean_s", s->all.wait);
	add_num(o, "response_mean_s", s->all.response);
	add_num(o, "slowdown_mean", s->all.slowdown);
	add_num(o, "slowdown_bounded10_mean", s->all.bounded);
	add_num(o, "slowdown_max", s->all.highest);
	add_int(o, "nondeadline_jobs", s->plain.jobs);
	add_num(o, "nondeadline_wait_mean_s", s->plain.wait);
	add_num(o, "nondeadline_response_mean_s", s->plain.response);
	add_num(o, "nondeadline_slowdown_mean", s->plain.slowdown);
	add_num(o, "nondeadline_slowdown_bounded10_mean", s->plain.bounded);
	add_num(o, "overhead_mean_s", s->over_mean);
	add_int(o, "overhead_max_s", s->over_max);
	add_num(o, "lag_mean_s", s->lag_mean);
	add_int(o, "lag_max_s", s->lag_max);
	add_int(o, "jobs_late", s->late);
	add_num(o, "wall_s", r->wall);
}

static FILE *open_out(const char *path)
{
	return strcmp(path, "-") ? fopen(path, "w") : stdout;
}

/* A full disk shows at the flush. */
static bool close_out(FILE *f)
{
	bool ok = fflush(f) == 0 && !ferror(f);

	if (f != stdout && fclose(f))
		ok = false;
	return ok;
}

bool report_json(const struct report *r, const char *path)
{
	json_object *o = json_object_new_object();
	FILE *f = open_out(path);

	if (!f || !o) {
		json_object_put(o);
		return false;
	}
	json_setting(r, o);
	json_jobs(r, o);
	json_figures(r, o);
	fprintf(f, "%s\n",
		json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY |
							  JSON_C_TO_STRING_SPACED |
							  JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
	return close_out(f);
}

bool report_text_file(const struct report *r, const char *path)
{
	FILE *f = open_out(path);

	if (!f)
		return false;
	report_text(r, f);
	return close_out(f);
}

static const char *csv_state(const struct replay_job *job)
{
	if (job->fate != FATE_ENDED)
		return fate_name(job->fate);
	switch (job->ending) {
	case END_COMPLETED:
		return "completed";
	case END_TIMEOUT:
		return "killed";
	case END_CANCELLED:
		return "cancelled";
	case END_DEADLINE:
		return "deadline";
	case END_NODE_FAIL:
		return "node_fail";
	default:
		return "failed";
	}
}

/* From the replay's start; of a job that was not submitted, as it would be. */
static int64_t csv_deadline(const struct report *r, const struct replay_job *job)
{
	if (job->fate != FATE_FUTURE)
		return job->deadline ? job->deadline - r->start : 0;
	return job->within ? job->arrival + job->within : 0;
}

bool report_csv(const struct report *r, const char *path)
{
	FILE *f = open_out(path);

	if (!f)
		return false;
	fputs("id,submit,width,estimate,runtime,deadline,promised,start,end,state,slurm_job_id,"
	      "ran\n",
	      f);
	for (size_t i = 0; i < track_size(r->track); i++) {
		const struct replay_job *job = track_peek(r->track, i);
		bool submitted = job->fate != FATE_FUTURE;
		bool ended = job->fate == FATE_ENDED;
		bool taken = submitted && job->fate != FATE_REFUSED && job->fate != FATE_FAILED;

		fprintf(f,
			"%" PRId64 ",%" PRId64 ",%d,%" PRId64 ",%" PRId64 ",%" PRId64 ",%d,%" PRId64
			",%" PRId64 ",%s,%u,%" PRId64 "\n",
			job->id, submitted ? job->submitted - r->start : job->arrival, job->width,
			job->estimate, job->runtime, csv_deadline(r, job),
			taken && job->deadline > 0 && !job->observed && !job->expected,
			job->start ? job->start - r->start : -1, ended ? job->end - r->start : -1,
			csv_state(job), job->slurm_id, ended ? job->ran : 0);
	}
	return close_out(f);
}

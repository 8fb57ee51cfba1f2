/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report: see report.h. One table of what is reported feeds both the text and the JSON, so that
 * they cannot differ.
 */
#include "sim/report.h"

#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <string.h>

enum kind { WHOLE, REAL, TEXT };

struct item {
	const char *key;
	const char *label; /* NULL: in the JSON only */
	enum kind kind;
	int64_t whole;
	double real;
	const char *text;
};

#define MAX_ITEMS 40

struct items {
	struct item item[MAX_ITEMS];
	size_t count;
};

static void add_whole(struct items *list, const char *key, const char *label, uint64_t value)
{
	list->item[list->count++] =
		(struct item){ .key = key, .label = label, .kind = WHOLE, .whole = (int64_t)value };
}

static void add_real(struct items *list, const char *key, const char *label, double value)
{
	list->item[list->count++] =
		(struct item){ .key = key, .label = label, .kind = REAL, .real = value };
}

static void add_text(struct items *list, const char *key, const char *label, const char *value)
{
	list->item[list->count++] =
		(struct item){ .key = key, .label = label, .kind = TEXT, .text = value };
}

static void list_counts(const struct report *r, struct items *l)
{
	const struct metrics *m = &r->metrics;

	add_whole(l, "version", NULL, 1);
	add_text(l, "source", "workload", r->source);
	add_text(l, "scheduler", "scheduler", r->scheduler);
	add_whole(l, "seed", "seed", r->seed);
	add_whole(l, "nodes", "nodes", m->nodes);
	add_whole(l, "jobs_submitted", "jobs submitted", m->w->count);
	add_whole(l, "jobs_dropped", "jobs dropped from the source", r->jobs_dropped);
	add_whole(l, "jobs_refused", "jobs refused", metric_count(m, SIM_REFUSED));
	add_whole(l, "jobs_completed", "jobs completed", metric_count(m, SIM_COMPLETED));
	add_whole(l, "jobs_killed", "jobs killed at their estimate", metric_count(m, SIM_KILLED));
	add_whole(l, "jobs_with_deadline", "jobs with a deadline", metric_with_deadline(m));
	add_whole(l, "deadlines_met", "deadlines met", metric_deadlines_met(m));
	add_whole(l, "promises", "promises", metric_promises(m));
	add_whole(l, "promises_broken", "promises broken", metric_promises_broken(m));
	add_whole(l, "violations", "violations found by the validator", r->violations);
}

static void list_figures(const struct report *r, struct items *l)
{
	const struct metrics *m = &r->metrics;

	add_real(l, "unadmitted_jobs_pct", "unadmitted jobs, %", metric_unadmitted_jobs_pct(m));
	add_real(l, "unadmitted_procsec_pct", "unadmitted processor-seconds, %",
		 metric_unadmitted_procsec_pct(m));
	add_real(l, "utilization", "utilization", metric_utilization(m));
	add_real(l, "loss_of_capacity", "loss of capacity", metric_loss_of_capacity(m));
	add_whole(l, "makespan_s", "makespan, s", (uint64_t)metric_makespan(m));
	add_real(l, "wait_mean_s", "mean wait, s", metric_wait_mean(m));
	add_real(l, "response_mean_s", "mean response, s", metric_response_mean(m));
	add_real(l, "artww_s", "response weighted by width, s", metric_artww(m));
	add_real(l, "slowdown_mean", "mean slowdown", metric_slowdown_mean(m));
	add_real(l, "slowdown_bounded10_mean", "mean slowdown, bounded by 10 s",
		 metric_slowdown_bounded10_mean(m));
	add_real(l, "sldww60", "slowdown weighted by width, bounded by 60 s", metric_sldww60(m));
	add_real(l, "nondeadline_response_mean_s", "no deadline: mean response, s",
		 metric_nondeadline_response_mean(m));
	add_real(l, "nondeadline_slowdown_mean", "no deadline: mean slowdown",
		 metric_nondeadline_slowdown_mean(m));
	add_whole(l, "events", "events", r->events);
	add_whole(l, "max_waiting", "longest queue, jobs", r->max_waiting);
	add_real(l, "wall_s", "wall time of this run, s", r->wall_s);
	add_whole(l, "peak_rss_kib", "peak memory of this run, KiB", (uint64_t)r->peak_rss_kib);
}

static void list_all(const struct report *r, struct items *list)
{
	list->count = 0;
	list_counts(r, list);
	list_figures(r, list);
}

void report_text(const struct report *r, FILE *out)
{
	struct items list;

	list_all(r, &list);
	for (size_t i = 0; i < list.count; i++) {
		const struct item *it = &list.item[i];

		if (!it->label)
			continue;
		if (it->kind == TEXT)
			fprintf(out, "%-44s %s\n", it->label, it->text);
		else if (it->kind == WHOLE)
			fprintf(out, "%-44s %" PRId64 "\n", it->label, it->whole);
		else
			fprintf(out, "%-44s %.4f\n", it->label, it->real);
	}
}

/* Ten digits tell all that a figure says and leave off what differs in the last place. */
static json_object *number(double value)
{
	char text[40];

	snprintf(text, sizeof(text), "%.10g", value);
	return json_object_new_double_s(value, text);
}

static int write_error(FILE *out)
{
	if (fflush(out) == 0 && !ferror(out))
		return 0;
	return errno ? errno : EIO;
}

int report_json(const struct report *r, FILE *out)
{
	json_object *o = json_object_new_object();
	struct items list;

	if (!o)
		return ENOMEM;
	list_all(r, &list);
	for (size_t i = 0; i < list.count; i++) {
		const struct item *it = &list.item[i];
		json_object *value = it->kind == TEXT	 ? json_object_new_string(it->text)
				     : it->kind == WHOLE ? json_object_new_int64(it->whole)
							 : number(it->real);

		json_object_object_add(o, it->key, value);
	}
	fprintf(out, "%s\n",
		json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY |
							  JSON_C_TO_STRING_SPACED |
							  JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
	return write_error(out);
}

int report_csv(const struct report *r, FILE *out)
{
	const struct metrics *m = &r->metrics;

	fprintf(out, "id,submit,width,estimate,runtime,deadline,promised,start,end,state\n");
	for (size_t i = 0; i < m->w->count; i++) {
		const struct sim_job *j = &m->w->job[i];
		const struct sim_outcome *o = &m->out[i];

		fprintf(out,
			"%" PRIu64 ",%" PRId64 ",%" PRId32 ",%" PRId64 ",%" PRId64 ",%" PRId64
			",%d,%" PRId64 ",%" PRId64 ",%s\n",
			j->id, j->submit, j->width, j->estimate, j->runtime,
			j->deadline ? j->deadline : -1, o->promised, o->start, o->end,
			sim_state_name(o->state));
	}
	return write_error(out);
}

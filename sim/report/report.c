/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report: see report.h. One table of what is reported feeds the text, the JSON and the rows of a sweep,
 * so that they cannot differ.
 */
#include "sim/report/report.h"

#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"

static struct report_item *add(struct report *r, const char *key, const char *label,
			       enum report_kind kind)
{
	struct report_item *item = &r->item[r->count++];

	*item = (struct report_item){ .key = key, .label = label, .kind = kind };
	return item;
}

static void add_whole(struct report *r, const char *key, const char *label, uint64_t value)
{
	add(r, key, label, REPORT_WHOLE)->whole = (int64_t)value;
}

static void add_real(struct report *r, const char *key, const char *label, double value)
{
	add(r, key, label, REPORT_REAL)->real = value;
}

static void add_text(struct report *r, const char *key, const char *label, const char *value)
{
	add(r, key, label, REPORT_TEXT)->text = value;
}

static void list_counts(struct report *r, const struct figures *f)
{
	const struct metrics *m = &r->metrics;

	add_whole(r, "version", NULL, 1);
	add_text(r, "source", "workload", r->source);
	add_text(r, "scheduler", "scheduler", r->scheduler);
	add_whole(r, "seed", "seed", r->seed);
	add_whole(r, "nodes", "nodes", m->nodes);
	add_whole(r, "jobs_submitted", "jobs submitted", m->w->count);
	add_whole(r, "jobs_dropped", "jobs dropped from the source", r->jobs_dropped);
	add_whole(r, "jobs_refused", "jobs refused", f->state[SIM_REFUSED]);
	add_whole(r, "jobs_completed", "jobs completed", f->state[SIM_COMPLETED]);
	add_whole(r, "jobs_killed", "jobs killed at their estimate", f->state[SIM_KILLED]);
	add_whole(r, "jobs_with_deadline", "jobs with a deadline", f->with_deadline);
	add_whole(r, "deadlines_met", "deadlines met", f->deadlines_met);
	add_whole(r, "promises", "promises", f->promises);
	add_whole(r, "promises_broken", "promises broken", f->promises_broken);
	add_whole(r, "violations", "violations found by the validator", r->violations);
	add_whole(r, "jobs_expected", "jobs accepted, nothing promised", f->expected);
	add_whole(r, "jobs_by_chance", "  by their chance to miss", f->by_chance);
	add_real(r, "chance_told_pct", "  mean chance told, %", f->chance_told_pct);
	add_real(r, "chance_missed_pct", "  that missed, %", f->chance_missed_pct);
	add_real(r, "deadlines_met_pct", "deadlines met, % of jobs submitted",
		 f->deadlines_met_pct);
	add_real(r, "deadlines_met_slowdown_mean", "deadlines met: mean slowdown",
		 f->met_slowdown_mean);
}

static const char *const wait_keys[PERCENTILES] = { "wait_median_s", "wait_p90_s", "wait_p99_s" };
static const char *const slowdown_keys[PERCENTILES] = { "slowdown_bounded10_median",
							"slowdown_bounded10_p90",
							"slowdown_bounded10_p99" };

static void list_percentiles(struct report *r, const struct quantiles *q)
{
	add_whole(r, wait_keys[MEDIAN], "median wait, s", (uint64_t)q->wait[MEDIAN]);
	add_whole(r, wait_keys[P90], "90th percentile of wait, s", (uint64_t)q->wait[P90]);
	add_whole(r, wait_keys[P99], "99th percentile of wait, s", (uint64_t)q->wait[P99]);
	add_real(r, slowdown_keys[MEDIAN], "median slowdown, bounded by 10 s", q->slowdown[MEDIAN]);
	add_real(r, slowdown_keys[P90], "90th percentile of slowdown, bounded by 10 s",
		 q->slowdown[P90]);
	add_real(r, slowdown_keys[P99], "99th percentile of slowdown, bounded by 10 s",
		 q->slowdown[P99]);
}

static const char *const small_keys[] = {
	"small_jobs",
	"small_wait_mean_s",
	"small_wait_sd_s",
	"small_slowdown_bounded10_mean",
	"small_slowdown_bounded10_sd",
};
static const char *const large_keys[] = {
	"large_jobs",
	"large_wait_mean_s",
	"large_wait_sd_s",
	"large_slowdown_bounded10_mean",
	"large_slowdown_bounded10_sd",
};

static void list_spread(struct report *r, const char *const key[5], const char *label,
			const struct spread *s)
{
	add_whole(r, key[0], label, s->jobs);
	add_real(r, key[1], "  mean wait, s", s->wait_mean);
	add_real(r, key[2], "  standard deviation of wait, s", s->wait_sd);
	add_real(r, key[3], "  mean slowdown, bounded by 10 s", s->slowdown_mean);
	add_real(r, key[4], "  standard deviation of this slowdown", s->slowdown_sd);
}

/* gang, section 2.3: how fair it was. */
static void list_spreads(struct report *r, const struct figures *f)
{
	add_real(r, "wait_sd_s", "standard deviation of wait, s", f->all.wait_sd);
	add_real(r, "slowdown_bounded10_sd", "standard deviation of slowdown, by 10 s",
		 f->all.slowdown_sd);
	list_spread(r, small_keys, "jobs of at most 32 nodes", &f->small);
	list_spread(r, large_keys, "jobs of more than 32 nodes", &f->large);
}

/* gang: of jobs that take turns; not for people where none do. */
static void list_turns(struct report *r, const struct turns *t)
{
	size_t first = r->count;

	add_whole(r, "switches", "switches: jobs that began to run", t->switches);
	add_whole(r, "switch_loss_s", "  loss of each, s", (uint64_t)t->switch_loss_s);
	add_whole(r, "switching_node_s", "  loss of all, node seconds", (uint64_t)t->switching_s);
	add_real(r, "switching_share", "  as a share of capacity", t->switching);
	add_whole(r, "migrations", "migrations of jobs", t->migrations);
	add_whole(r, "migrated_tasks", "  tasks migrated", t->tasks);
	add_whole(r, "migrating_node_s", "  loss of all, node seconds", (uint64_t)t->migrating_s);
	add_real(r, "migrating_share", "  as a share of capacity", t->migrating);
	for (size_t i = first; i < r->count && !r->metrics.slices; i++)
		r->item[i].label = NULL;
}

/* malleable: not for people where no job has a range or a value. */
static void list_worth(struct report *r, const struct worth *x)
{
	size_t first = r->count;

	add_whole(r, "jobs_accepted", "jobs accepted", x->accepted);
	add_real(r, "response_submitted_mean_s", "mean response, refused jobs as 0, s",
		 x->response_submitted);
	add_real(r, "profit", "profit", x->profit);
	add_real(r, "profit_possible", "  if all jobs brought what they are worth", x->possible);
	add_whole(r, "malleable_jobs", "malleable jobs", x->ranges);
	add_whole(r, "resizes", "  changes of their width", x->resizes);
	add_real(r, "malleable_response_mean_s", "  their mean response, s", x->range_response);
	add_real(r, "rigid_response_mean_s", "  of the others, s", x->rigid_response);
	for (size_t i = first; i < r->count && !x->ranges && !x->valued; i++)
		r->item[i].label = NULL;
}

static void list_figures(struct report *r, const struct figures *f)
{
	add_real(r, "unadmitted_jobs_pct", "unadmitted jobs, %", f->unadmitted_jobs_pct);
	add_real(r, "unadmitted_procsec_pct", "unadmitted processor-seconds, %",
		 f->unadmitted_procsec_pct);
	add_real(r, "utilization", "utilization", f->utilization);
	add_real(r, "loss_of_capacity", "loss of capacity", f->loss_of_capacity);
	add_whole(r, "makespan_s", "makespan, s", (uint64_t)f->makespan);
	add_real(r, "wait_mean_s", "mean wait, s", f->wait_mean);
	add_real(r, "response_mean_s", "mean response, s", f->response_mean);
	add_real(r, "artww_s", "response weighted by width, s", f->artww);
	add_real(r, "slowdown_mean", "mean slowdown", f->slowdown_mean);
	add_real(r, "slowdown_bounded10_mean", "mean slowdown, bounded by 10 s",
		 f->slowdown_bounded10_mean);
	add_real(r, "sldww60", "slowdown weighted by width, bounded by 60 s", f->sldww60);
	add_real(r, "sldww300", NULL, f->sldww300);
	add_real(r, "nondeadline_response_mean_s", "no deadline: mean response, s",
		 f->nondeadline_response_mean);
	add_real(r, "nondeadline_slowdown_mean", "no deadline: mean slowdown",
		 f->nondeadline_slowdown_mean);
	add_whole(r, "events", "events", r->events);
	add_whole(r, "max_waiting", "longest queue, jobs", r->max_waiting);
	list_percentiles(r, &r->classes.all);
	list_spreads(r, f);
	list_turns(r, &f->turns);
	list_worth(r, &f->worth);
}

/*
 * dynP, Tables 4 to 6: how dynp chose. Keys of a policy and of a row of Table 1 are made from their
 * names, once.
 */
struct dynp_keys {
	char switches[DYNP_ORDERS][40], started[DYNP_ORDERS][40], cases[DYNP_CASES][40];
	char switched[DYNP_ORDERS][48], begun[DYNP_ORDERS][48], rows[DYNP_CASES][48];
};

static const struct dynp_keys *dynp_keys(void)
{
	static struct dynp_keys k;

	for (int i = 0; i < DYNP_ORDERS && !k.cases[0][0]; i++) {
		const char *name = dynp_order_name((enum dynp_order)i);

		snprintf(k.switches[i], sizeof(k.switches[i]), "dynp_switches_to_%s", name);
		snprintf(k.switched[i], sizeof(k.switched[i]), "dynp: switches to %s", name);
		snprintf(k.started[i], sizeof(k.started[i]), "dynp_jobs_started_%s", name);
		snprintf(k.begun[i], sizeof(k.begun[i]), "dynp: jobs started with %s", name);
	}
	for (int i = 0; i < DYNP_CASES && !k.cases[i][0]; i++) {
		const char *name = dynp_case_name(i);

		snprintf(k.cases[i], sizeof(k.cases[i]), "dynp_case_%.*s", (int)strcspn(name, " "),
			 name);
		snprintf(k.rows[i], sizeof(k.rows[i]), "dynp: case %s of Table 1", name);
	}
	return &k;
}

static void list_dynp(struct report *r)
{
	const struct dynp_keys *k = dynp_keys();
	const struct dynp_view *v = &r->dynp;
	size_t first = r->count;

	add_text(r, "dynp_policy", "dynp: policy at the end",
		 r->is_dynp ? dynp_order_name(v->running) : "");
	add_whole(r, "dynp_steps", "dynp: steps", v->steps);
	add_whole(r, "dynp_steps_many", "dynp: steps with two or more waiting jobs", v->many);
	add_whole(r, "dynp_kept", "dynp: steps that kept the policy", v->kept);
	add_whole(r, "dynp_blocked", "dynp: steps in which no policy kept all promises",
		  v->blocked);
	add_whole(r, "dynp_differed", "dynp: steps that differ from the simple decider",
		  v->differed);
	add_real(r, "dynp_backlog_mean", "dynp: mean backlog at a step",
		 v->steps ? (double)v->backlog / (double)v->steps : 0);
	for (int i = 0; i < DYNP_ORDERS; i++)
		add_whole(r, k->switches[i], k->switched[i], v->switches[i]);
	for (int i = 0; i < DYNP_ORDERS; i++)
		add_whole(r, k->started[i], k->begun[i], v->started[i]);
	for (int i = 0; i < DYNP_CASES; i++)
		add_whole(r, k->cases[i], k->rows[i], v->cases[i]);
	for (size_t i = first; i < r->count && !r->is_dynp; i++)
		r->item[i].label = NULL;
}

void report_figures(struct report *r)
{
	struct figures f;

	metrics_figures(&r->metrics, &f);
	classes_find(&r->metrics, &r->classes);
	r->ranges = f.worth.ranges > 0;
	r->count = 0;
	list_counts(r, &f);
	list_figures(r, &f);
	list_dynp(r);
}

void report_cost(struct report *r, double wall_s, long peak_rss_kib)
{
	add_real(r, "wall_s", "wall time of this run, s", wall_s);
	add_whole(r, "peak_rss_kib", "peak memory of this run, KiB", (uint64_t)peak_rss_kib);
}

void report_value(const struct report_item *item, char *text, size_t size)
{
	if (item->kind == REPORT_TEXT)
		snprintf(text, size, "%s", item->text);
	else if (item->kind == REPORT_WHOLE)
		snprintf(text, size, "%" PRId64, item->whole);
	else
		/* Ten digits tell all that a figure says and leave off what differs in the last place. */
		snprintf(text, size, "%.10g", item->real);
}

static void text_class(FILE *out, const char *name, const struct quantiles *q)
{
	if (!q->jobs)
		return;
	fprintf(out, "  %-16s %9" PRIu64, name, q->jobs);
	for (int p = 0; p < PERCENTILES; p++)
		fprintf(out, " %9" PRId64, q->wait[p]);
	for (int p = 0; p < PERCENTILES; p++)
		fprintf(out, " %9.2f", q->slowdown[p]);
	fputc('\n', out);
}

static void text_classes(const struct classes *c, FILE *out)
{
	char name[48];

	if (!c->all.jobs)
		return;
	fprintf(out, "\n%-28s %29s %29s\n", "percentiles", "wait, s", "slowdown, bounded by 10 s");
	fprintf(out, "%-18s %9s", "by width", "jobs");
	for (int i = 0; i < 2; i++)
		fprintf(out, " %9s %9s %9s", "median", "90th", "99th");
	fputc('\n', out);
	for (size_t w = 0; w < CLASSES_WIDTH; w++) {
		int64_t from = classes_width_from(w), to = classes_width_to(w);

		if (from == to)
			snprintf(name, sizeof(name), "%" PRId64, from);
		else
			snprintf(name, sizeof(name), "%" PRId64 " to %" PRId64, from, to);
		text_class(out, name, &c->width[w]);
	}
	fprintf(out, "by runtime\n");
	for (size_t r = 0; r < CLASSES_RUNTIME; r++)
		text_class(out, classes_runtime_name(r), &c->runtime[r]);
}

void report_text(const struct report *r, FILE *out)
{
	for (size_t i = 0; i < r->count; i++) {
		const struct report_item *it = &r->item[i];

		if (!it->label)
			continue;
		if (it->kind == REPORT_TEXT)
			fprintf(out, "%-44s %s\n", it->label, it->text);
		else if (it->kind == REPORT_WHOLE)
			fprintf(out, "%-44s %" PRId64 "\n", it->label, it->whole);
		else
			fprintf(out, "%-44s %.4f\n", it->label, it->real);
	}
	text_classes(&r->classes, out);
}

static json_object *json_value(const struct report_item *item)
{
	json_object *o;
	char text[40];
	char *valid;

	if (item->kind == REPORT_WHOLE)
		return json_object_new_int64(item->whole);
	if (item->kind == REPORT_REAL) {
		report_value(item, text, sizeof(text));
		return json_object_new_double_s(item->real, text);
	}
	valid = utf8_valid(item->text);
	o = valid ? json_object_new_string(valid) : NULL;
	free(valid);
	return o;
}

static int write_error(FILE *out)
{
	if (fflush(out) == 0 && !ferror(out))
		return 0;
	return errno ? errno : EIO;
}

static json_object *json_real(double value)
{
	const struct report_item item = { .kind = REPORT_REAL, .real = value };

	return json_value(&item);
}

static json_object *json_end(int64_t end)
{
	return end == INT64_MAX ? NULL : json_object_new_int64(end);
}

/* A class of a list; width or runtime CLASSES_ALL: of any. */
static void add_class(json_object *list, size_t width, size_t runtime, const struct quantiles *q)
{
	json_object *o = q->jobs ? json_object_new_object() : NULL;

	if (!o)
		return;
	if (width != CLASSES_ALL) {
		json_object_object_add(o, "width_from",
				       json_object_new_int64(classes_width_from(width)));
		json_object_object_add(o, "width_to",
				       json_object_new_int64(classes_width_to(width)));
	}
	if (runtime != CLASSES_ALL) {
		json_object_object_add(o, "runtime_from_s",
				       json_object_new_int64(classes_runtime_from(runtime)));
		json_object_object_add(o, "runtime_below_s",
				       json_end(classes_runtime_below(runtime)));
	}
	json_object_object_add(o, "jobs", json_object_new_int64((int64_t)q->jobs));
	for (int p = 0; p < PERCENTILES; p++)
		json_object_object_add(o, wait_keys[p], json_object_new_int64(q->wait[p]));
	for (int p = 0; p < PERCENTILES; p++)
		json_object_object_add(o, slowdown_keys[p], json_real(q->slowdown[p]));
	json_object_array_add(list, o);
}

static void add_classes(json_object *o, const struct classes *c)
{
	json_object *width = json_object_new_array(), *runtime = json_object_new_array();
	json_object *both = json_object_new_array();

	for (size_t w = 0; w < CLASSES_WIDTH; w++) {
		add_class(width, w, CLASSES_ALL, &c->width[w]);
		for (size_t r = 0; r < CLASSES_RUNTIME; r++)
			add_class(both, w, r, &c->both[w][r]);
	}
	for (size_t r = 0; r < CLASSES_RUNTIME; r++)
		add_class(runtime, CLASSES_ALL, r, &c->runtime[r]);
	json_object_object_add(o, "by_width", width);
	json_object_object_add(o, "by_runtime", runtime);
	json_object_object_add(o, "by_width_and_runtime", both);
}

int report_json(const struct report *r, FILE *out)
{
	json_object *o = json_object_new_object();

	if (!o)
		return ENOMEM;
	for (size_t i = 0; i < r->count; i++)
		json_object_object_add(o, r->item[i].key, json_value(&r->item[i]));
	add_classes(o, &r->classes);
	fprintf(out, "%s\n",
		json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY |
							  JSON_C_TO_STRING_SPACED |
							  JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
	return write_error(out);
}

/* Of a job with a range, or a rigid one among such: what it may have, and the fewest and the most that it had at a time. */
static void print_range(const struct sim_job *j, const struct sim_outcome *o, FILE *out)
{
	int32_t fewest = o->start < 0 ? 0 : j->width, widest = fewest;

	for (size_t i = 0; o->history && i < o->history->n; i++) {
		const struct sim_span *span = &o->history->span[i];

		fewest = !i || span->width < fewest ? span->width : fewest;
		widest = !i || span->width > widest ? span->width : widest;
	}
	fprintf(out, ",%" PRId32 ",%" PRId32 ",%" PRId32, j->most, fewest, widest);
}

int report_csv(const struct report *r, FILE *out)
{
	const struct metrics *m = &r->metrics;

	fprintf(out,
		"id,submit,width,estimate,runtime,deadline,promised,start,end,state,chance%s%s\n",
		r->asides ? ",aside" : "", r->ranges ? ",most,fewest,widest" : "");
	for (size_t i = 0; i < m->w->count; i++) {
		const struct sim_job *j = &m->w->job[i];
		const struct sim_outcome *o = &m->out[i];

		fprintf(out,
			"%" PRIu64 ",%" PRId64 ",%" PRId32 ",%" PRId64 ",%" PRId64 ",%" PRId64
			",%d,%" PRId64 ",%" PRId64 ",%s,%" PRId32,
			j->id, j->submit, j->width, j->estimate, j->runtime,
			j->deadline ? j->deadline : -1, o->promised, o->start, o->end,
			sim_state_name(o->state), o->chance);
		if (r->asides)
			fprintf(out, ",%" PRId64, o->aside);
		if (r->ranges)
			print_range(j, o, out);
		fputc('\n', out);
	}
	return write_error(out);
}

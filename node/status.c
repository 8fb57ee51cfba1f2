/* SPDX-License-Identifier: GPL-2.0-or-later */
/* status: see status.h. */
#include "node/status.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/limits.h"

bool status_fill(const struct daemon *d, struct node_report *r)
{
	r->job = calloc(d->parts.n + 1, sizeof(*r->job));
	if (!r->job)
		return false;
	snprintf(r->node, sizeof(r->node), "%s", d->o->node);
	memcpy(r->boot, d->start, sizeof(r->boot));
	r->rating = (uint32_t)d->parts.rating;
	r->processors = d->parts.processors;
	snprintf(r->cgroup, sizeof(r->cgroup), "%s", d->cgroup.ops ? d->cgroup.ops->name : "");
	snprintf(r->lacks, sizeof(r->lacks), "%s", d->cgroup.lacks);
	/* It goes into JSON for other programs: no byte that is not ASCII. */
	for (char *c = r->lacks; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	for (size_t i = 0; i < d->parts.n; i++) {
		const struct part *p = &d->parts.part[i];

		r->job[r->n++] = (struct report_job){
			.id = p->id,
			.share = (uint32_t)((uint64_t)p->share * 1000000 / SHARE_WHOLE),
			.processes = p->usage.processes,
			.submit = p->terms.submit,
			.deadline = p->terms.deadline,
			.estimate = p->terms.estimate,
			.takes = p->terms.processors,
			.work = p->work,
		};
		snprintf(r->job[i].rule, sizeof(r->job[i].rule), "%s",
			 share_rule_name(p->terms.rule));
	}
	return true;
}

char *status_line(const struct daemon *d)
{
	struct node_report r = { .count = d->count };
	char *report, *line = NULL, controllers[300], own[900];

	if (!status_fill(d, &r))
		return NULL;
	report = report_write(&r);
	report_release(&r);
	if (!report)
		return NULL;
	reporter_state(d->reporter, controllers, sizeof(controllers));
	for (char *c = controllers; *c; c++)
		if (*c < ' ' || *c > '~' || *c == '"' || *c == '\\')
			*c = '?';
	snprintf(own, sizeof(own),
		 "\"controller\":\"%s\",\"interval\":%u,\"cap\":%u,\"group\":\"%s\"", controllers,
		 d->interval, d->cgroup.cap, d->cgroup.group);
	/* Into the object that the report is, before its last brace. */
	if (asprintf(&line, "%.*s,%s}\n", (int)strlen(report) - 1, report, own) < 0)
		line = NULL;
	free(report);
	return line;
}

static int64_t number_of(json_object *o, const char *key)
{
	return json_object_get_int64(json_object_object_get(o, key));
}

static const char *text_of(json_object *o, const char *key)
{
	const char *text = json_object_get_string(json_object_object_get(o, key));

	return text ? text : "";
}

static void show_job(json_object *j, int64_t rating, FILE *out)
{
	time_t deadline = (time_t)number_of(j, "deadline");
	int64_t estimate = number_of(j, "estimate") * 1000 / (rating ? rating : 1);
	char stamp[32] = "";
	struct tm tm;

	if (localtime_r(&deadline, &tm))
		strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%S", &tm);
	fprintf(out, "%-10" PRId64 " %6.2f%% %9.1f s %9" PRId64 " s %9" PRId64 "  %s\n",
		number_of(j, "id"), (double)number_of(j, "share") / 1e4,
		(double)number_of(j, "work") / 1e6, estimate, number_of(j, "processes"), stamp);
}

bool status_show(const char *line, FILE *out)
{
	json_object *o = json_tokener_parse(line), *jobs;
	size_t n;

	if (!json_object_is_type(o, json_type_object)) {
		json_object_put(o);
		return false;
	}
	jobs = json_object_object_get(o, "jobs");
	n = json_object_is_type(jobs, json_type_array) ? json_object_array_length(jobs) : 0;
	fprintf(out, "node %s: %" PRId64 " processors, rating %" PRId64 ", cgroups %s\n",
		text_of(o, "node"), number_of(o, "processors"), number_of(o, "rating"),
		text_of(o, "cgroup")[0] ? text_of(o, "cgroup") : "none");
	if (number_of(o, "cap"))
		fprintf(out, "cap: %" PRId64 " %% of one processor\n", number_of(o, "cap"));
	if (text_of(o, "lacks")[0])
		fprintf(out, "LACKS: %s\n", text_of(o, "lacks"));
	fprintf(out, "reports: %" PRId64 ", every %" PRId64 " s, %s\n", number_of(o, "count"),
		number_of(o, "interval"), text_of(o, "controller"));
	if (n)
		fprintf(out, "%-10s %7s %11s %11s %9s  %s\n", "job", "share", "work", "estimate",
			"processes", "deadline");
	for (size_t i = 0; i < n; i++)
		show_job(json_object_array_get_idx(jobs, i), number_of(o, "rating"), out);
	json_object_put(o);
	return true;
}

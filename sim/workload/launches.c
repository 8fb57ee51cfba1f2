/* SPDX-License-Identifier: GPL-2.0-or-later */
/* launches: see launches.h. */
#include "sim/workload/launches.h"

#include <stdio.h>
#include <string.h>

#include "common/number.h"
#include "common/why.h"
#include "core/sched.h"
#include "sim/workload/job_lines.h"

static bool take_seconds(const char *text, int64_t *seconds)
{
	return number_int(text, seconds) && *seconds >= 0 && *seconds <= WORKLOAD_MAX_TIME;
}

/* SECONDS or SECONDS,LATER, which is changed. */
static bool take_launch(struct launch *l, char *text)
{
	char *later = strchr(text, ',');

	if (later)
		*later++ = '\0';
	return take_seconds(text, &l->start) && take_seconds(later ? later : text, &l->grow);
}

int launches_parse(const char *text, struct launches *l, char *why, size_t size)
{
	struct launches new = { .on = true };
	char copy[64];

	snprintf(copy, sizeof(copy), "%s", text);
	if (!strncmp(text, "file:", 5) && text[5])
		new.file = text + 5;
	else if (strlen(text) >= sizeof(copy) || !take_launch(&new.all, copy))
		return why_set(why, size, PACT_EINVAL,
			       "not SECONDS or SECONDS,LATER, from 0, or file:PATH");
	*l = new;
	return PACT_OK;
}

static bool take_line(struct sim_job *job, char *value)
{
	return take_launch(&job->launch, value);
}

int launches_apply(const struct launches *l, struct workload *w, char *why, size_t size)
{
	static const struct job_lines lines = {
		.shape = "not JOB,SECONDS or JOB,SECONDS,LATER",
		.wrong = "not SECONDS or SECONDS,LATER, from 0 to 10^11",
		.take = take_line,
	};

	for (size_t i = 0; i < w->count; i++)
		w->job[i].launch = l->all;
	return l->file ? job_lines_read(&lines, l->file, w, why, size) : PACT_OK;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobcomp.c: see jobcomp.h. A line is "JobId=7 ... Name=x JobState=COMPLETED ... StartTime=... ",
 * times in ISO 8601 on local time, or "Unknown"; fields are looked for by name.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "contrib/replay/jobcomp.h"

/* The value of " key=" up to the next blank; false: the line has none. */
static bool field(const char *line, const char *key, char *buf, size_t size)
{
	size_t len = strlen(key);
	const char *p = line;

	while ((p = strstr(p, key))) {
		if ((p == line || p[-1] == ' ') && p[len] == '=') {
			snprintf(buf, size, "%.*s", (int)strcspn(p + len + 1, " \n"), p + len + 1);
			return true;
		}
		p += len;
	}
	return false;
}

static int64_t field_time(const char *line, const char *key)
{
	struct tm tm = { .tm_isdst = -1 };
	char text[64];

	if (!field(line, key, text, sizeof(text)) || !strptime(text, "%Y-%m-%dT%H:%M:%S", &tm))
		return 0;
	return (int64_t)mktime(&tm);
}

static enum ending field_state(const char *line)
{
	char text[32];

	if (!field(line, "JobState", text, sizeof(text)))
		return END_OTHER;
	for (int e = END_COMPLETED; e < END_OTHER; e++)
		if (!strcmp(text, ending_name((enum ending)e)))
			return (enum ending)e;
	return END_OTHER;
}

static bool recover_line(const char *line, struct track *t, const struct submitter *s)
{
	char id[32], name[64], ours[64];
	struct replay_job *job;
	int64_t start, end;

	if (!field(line, "JobId", id, sizeof(id)) || !field(line, "Name", name, sizeof(name)))
		return false;
	job = track_find(t, (uint32_t)strtoul(id, NULL, 10));
	if (!job || job->fate != FATE_LOST)
		return false;
	submit_name(s, job, ours, sizeof(ours));
	end = field_time(line, "EndTime");
	if (strcmp(name, ours) || end == 0)
		return false;
	start = field_time(line, "StartTime");
	/* Slurm writes the end as the start of a job that never ran. */
	if (start == end && job->runtime > 0 && field_state(line) != END_COMPLETED)
		start = 0;
	track_end(t, job, field_state(line), start, end, 0);
	return true;
}

int jobcomp_recover(const char *path, struct track *t, const struct submitter *s)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;
	int found = 0;

	if (!f)
		return -1;
	while (getline(&line, &room, f) > 0)
		found += recover_line(line, t, s);
	free(line);
	fclose(f);
	return found;
}

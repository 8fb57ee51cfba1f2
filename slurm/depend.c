/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * depend.c - when the jobs that a job waits for will have ended, for sure
 */
#include "slurm/compat.h"

#include <ctype.h>

#include "slurm/depend.h"

static int64_t track_end(struct bridge *b, const struct track *track)
{
	struct sched_view view;

	if (sched_view(b->core, track->core, &view))
		return PACT_FOREVER;
	if (view.running)
		return view.end;
	if (view.promised && !view.broken)
		return view.deadline;
	return view.artificial > view.end ? view.artificial : view.end;
}

int64_t depend_end(struct bridge *b, uint32_t base_id)
{
	struct track *track = track_find(b, track_key(base_id, NO_VAL));
	int64_t latest = 0, end;
	size_t i = 0;

	if (track)
		return track_end(b, track);
	while ((track = table_next(b->by_key, &i))) {
		if (track->key >> 32 != base_id)
			continue;
		end = track_end(b, track);
		if (end > latest)
			latest = end;
	}
	return latest ? latest : PACT_FOREVER;
}

/* One job of the text: "12", "12_3". */
static bool one_job(struct bridge *b, const char *text, int64_t *begin, char *why, size_t why_size)
{
	char *rest = NULL;
	unsigned long id = strtoul(text, &rest, 10);
	job_record_t *job = find_job_record((uint32_t)id);
	int64_t end;

	/* "after:12+5" means minutes after its start, which only ends when it has started. */
	if (rest != text && *rest == '+') {
		snprintf(why, why_size, "a dependency with a delay (%s)", text);
		return false;
	}
	if (rest == text || (*rest && *rest != '_')) {
		snprintf(why, why_size, "dependency on \"%s\"", text);
		return false;
	}
	if (!job || (IS_JOB_FINISHED(job) && !job->array_recs))
		return true;
	end = depend_end(b, job->array_job_id ? job->array_job_id : job->job_id);
	if (end >= PACT_FOREVER) {
		snprintf(why, why_size, "dependency on job %lu, which has no planned end", id);
		return false;
	}
	if (end > *begin)
		*begin = end;
	return true;
}

/* One condition: "afterok:12:13". */
static bool one_condition(struct bridge *b, char *text, int64_t *begin, char *why, size_t why_size)
{
	static const char *const kinds[] = { "after", "afterany", "afterok" };
	char *rest = NULL, *kind = strtok_r(text, ":", &rest);
	bool known = false;

	for (size_t i = 0; kind && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		known |= !xstrcasecmp(kind, kinds[i]);
	/* A bare job id means afterany. */
	if (kind && !known && isdigit((unsigned char)kind[0]) && !*rest)
		return one_job(b, kind, begin, why, why_size);
	if (!known) {
		snprintf(why, why_size, "dependency \"%s\"", kind ? kind : "");
		return false;
	}
	for (char *id = strtok_r(NULL, ":", &rest); id; id = strtok_r(NULL, ":", &rest))
		if (!one_job(b, id, begin, why, why_size))
			return false;
	return true;
}

bool depend_begin(struct bridge *b, const char *text, int64_t *begin, char *why, size_t why_size)
{
	char *copy, *rest = NULL;
	bool ok = true;

	*begin = 0;
	if (!text || !text[0])
		return true;
	if (strchr(text, '?')) {
		snprintf(why, why_size, "alternative dependencies (\"?\")");
		return false;
	}
	copy = xstrdup(text);
	for (char *one = strtok_r(copy, ",", &rest); ok && one; one = strtok_r(NULL, ",", &rest))
		ok = one_condition(b, one, begin, why, why_size);
	xfree(copy);
	return ok;
}

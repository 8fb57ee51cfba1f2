/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * track.c: see track.h. The jobs are one array in order of arrival; Slurm's ids lead into it
 * through an open hash table of indices (at most half full), since each look at Slurm asks for
 * every job.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/replay/track.h"

struct track {
	struct replay_job *jobs;
	size_t njobs, room;
	size_t *slots; /* index + 1; 0: free */
	size_t nslots, used;
	struct reason *reasons;
	size_t nreasons;
	int64_t fates[FATE_COUNT];
	int64_t verdicts[VERDICT_COUNT];
};

struct track *track_create(void)
{
	return calloc(1, sizeof(struct track));
}

void track_destroy(struct track *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->nreasons; i++)
		free(t->reasons[i].text);
	free(t->reasons);
	free(t->slots);
	free(t->jobs);
	free(t);
}

bool track_add(struct track *t, const struct replay_job *job)
{
	if (t->njobs > 0 && job->arrival < t->jobs[t->njobs - 1].arrival)
		return false;
	if (t->njobs == t->room) {
		size_t room = t->room ? 2 * t->room : 256;
		struct replay_job *jobs = realloc(t->jobs, room * sizeof(*jobs));

		if (!jobs)
			return false;
		t->jobs = jobs;
		t->room = room;
	}
	t->jobs[t->njobs] = *job;
	t->jobs[t->njobs].fate = FATE_FUTURE;
	t->jobs[t->njobs].reason = -1;
	t->njobs++;
	t->fates[FATE_FUTURE]++;
	return true;
}

size_t track_size(const struct track *t)
{
	return t->njobs;
}

struct replay_job *track_job(struct track *t, size_t i)
{
	assert(i < t->njobs);
	return &t->jobs[i];
}

const struct replay_job *track_peek(const struct track *t, size_t i)
{
	assert(i < t->njobs);
	return &t->jobs[i];
}

int64_t track_count(const struct track *t, enum fate fate)
{
	return t->fates[fate];
}

int64_t track_verdicts(const struct track *t, enum verdict v)
{
	return t->verdicts[v];
}

int64_t track_active(const struct track *t)
{
	return t->fates[FATE_WAITING] + t->fates[FATE_RUNNING];
}

/* Fibonacci hashing; linear probing. */
static size_t slot_of(const struct track *t, uint32_t slurm_id)
{
	size_t i = (slurm_id * 2654435769u) & (t->nslots - 1);

	while (t->slots[i] && t->jobs[t->slots[i] - 1].slurm_id != slurm_id)
		i = (i + 1) & (t->nslots - 1);
	return i;
}

static bool slots_grow(struct track *t)
{
	size_t *old = t->slots, nold = t->nslots;
	size_t *slots;

	if (2 * (t->used + 1) <= t->nslots)
		return true;
	slots = calloc(nold ? 2 * nold : 512, sizeof(*slots));
	if (!slots)
		return false;
	t->slots = slots;
	t->nslots = nold ? 2 * nold : 512;
	for (size_t i = 0; i < nold; i++)
		if (old[i])
			t->slots[slot_of(t, t->jobs[old[i] - 1].slurm_id)] = old[i];
	free(old);
	return true;
}

struct replay_job *track_find(struct track *t, uint32_t slurm_id)
{
	size_t index;

	if (t->nslots == 0)
		return NULL;
	index = t->slots[slot_of(t, slurm_id)];
	return index ? &t->jobs[index - 1] : NULL;
}

/* The one place where a fate changes: the counts follow it. */
static void set_fate(struct track *t, struct replay_job *job, enum fate fate)
{
	t->verdicts[job_verdict(job)]--;
	t->fates[job->fate]--;
	job->fate = fate;
	t->fates[fate]++;
	t->verdicts[job_verdict(job)]++;
}

bool track_accept(struct track *t, struct replay_job *job, uint32_t slurm_id, int64_t now,
		  int64_t deadline)
{
	size_t slot;

	if (!slots_grow(t))
		return false;
	/* An id that Slurm gave twice (it forgot the first job in a crash) is the newer job's. */
	slot = slot_of(t, slurm_id);
	if (!t->slots[slot])
		t->used++;
	else
		track_lose(t, &t->jobs[t->slots[slot] - 1]);
	job->slurm_id = slurm_id;
	job->submitted = now;
	job->deadline = deadline;
	t->slots[slot] = (size_t)(job - t->jobs) + 1;
	set_fate(t, job, FATE_WAITING);
	return true;
}

static int32_t reason_index(struct track *t, const char *text, bool by_deadline)
{
	struct reason *reasons;

	for (size_t i = 0; i < t->nreasons; i++)
		if (t->reasons[i].by_deadline == by_deadline && !strcmp(t->reasons[i].text, text))
			return (int32_t)i;
	reasons = realloc(t->reasons, (t->nreasons + 1) * sizeof(*reasons));
	if (!reasons)
		return -1;
	t->reasons = reasons;
	reasons[t->nreasons] = (struct reason){ .text = strdup(text), .by_deadline = by_deadline };
	if (!reasons[t->nreasons].text)
		return -1;
	return (int32_t)t->nreasons++;
}

bool track_refuse(struct track *t, struct replay_job *job, int64_t now, const char *reason,
		  bool by_deadline)
{
	int32_t index = reason_index(t, reason, by_deadline);

	if (index < 0)
		return false;
	job->reason = index;
	job->submitted = now;
	if (job->within > 0)
		job->deadline = now + job->within;
	t->reasons[index].jobs++;
	t->reasons[index].node_seconds += job->width * job->runtime;
	set_fate(t, job, by_deadline ? FATE_REFUSED : FATE_FAILED);
	return true;
}

void track_run(struct track *t, struct replay_job *job, int64_t start)
{
	job->start = start;
	set_fate(t, job, FATE_RUNNING);
}

void track_requeue(struct track *t, struct replay_job *job)
{
	job->start = 0;
	set_fate(t, job, FATE_WAITING);
}

void track_end(struct track *t, struct replay_job *job, enum ending how, int64_t start, int64_t end,
	       int64_t stopped)
{
	/* Take the old verdict out of the counts before the times that it rests on change. */
	t->verdicts[job_verdict(job)]--;
	t->fates[job->fate]--;
	job->ending = how;
	job->start = start;
	job->end = end;
	job->ran = start ? end - start - stopped : 0;
	job->fate = FATE_ENDED;
	t->fates[FATE_ENDED]++;
	t->verdicts[job_verdict(job)]++;
}

void track_lose(struct track *t, struct replay_job *job)
{
	if (job->fate == FATE_WAITING || job->fate == FATE_RUNNING)
		set_fate(t, job, FATE_LOST);
}

enum verdict job_verdict(const struct replay_job *job)
{
	if (job->deadline == 0 || job->observed || job->expected || job->fate == FATE_REFUSED ||
	    job->fate == FATE_FAILED)
		return VERDICT_NONE;
	if (job->fate == FATE_LOST)
		return VERDICT_BROKEN;
	if (job->fate != FATE_ENDED)
		return VERDICT_NONE;
	if (job->ending == END_CANCELLED || job->withdrawn)
		return VERDICT_WITHDRAWN;
	if (job->end > job->deadline)
		return VERDICT_BROKEN;
	return job->ending == END_COMPLETED || job->ending == END_TIMEOUT ? VERDICT_KEPT
									  : VERDICT_BROKEN;
}

size_t track_reasons(const struct track *t)
{
	return t->nreasons;
}

const struct reason *track_reason(const struct track *t, size_t i)
{
	assert(i < t->nreasons);
	return &t->reasons[i];
}

const char *fate_name(enum fate fate)
{
	static const char *const names[FATE_COUNT] = {
		[FATE_FUTURE] = "future",   [FATE_REFUSED] = "refused", [FATE_FAILED] = "failed",
		[FATE_WAITING] = "waiting", [FATE_RUNNING] = "running", [FATE_ENDED] = "ended",
		[FATE_LOST] = "lost",
	};

	return names[fate];
}

const char *ending_name(enum ending how)
{
	static const char *const names[END_COUNT] = {
		[END_NONE] = "NONE",	       [END_COMPLETED] = "COMPLETED",
		[END_TIMEOUT] = "TIMEOUT",     [END_CANCELLED] = "CANCELLED",
		[END_DEADLINE] = "DEADLINE",   [END_FAILED] = "FAILED",
		[END_NODE_FAIL] = "NODE_FAIL", [END_OTHER] = "OTHER",
	};

	return names[how];
}

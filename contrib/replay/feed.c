/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * feed.c: see feed.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/replay/feed.h"
#include "core/sched.h"
#include "sim/models/model.h"
#include "sim/workload/swf.h"
#include "common/why.h"
#include "sim/workload/workload.h"

#define MODEL_JOBS 300
#define MICRO 1000000

static void complain(void *arg, const char *message)
{
	(void)arg;
	fprintf(stderr, "pact-replay: %s (left out)\n", message);
}

static int read_log(const struct feed_options *o, struct workload *w, struct feed_stats *stats,
		    char *why, size_t size)
{
	static const struct swf_hooks hooks = { .complain = complain };
	struct swf_stats swf;
	int rc = swf_read(o->trace, w, &swf, &hooks, why, size);

	if (rc == 0) {
		stats->read = w->count;
		stats->unusable = swf_dropped(&swf);
	}
	return rc;
}

static int set_model(struct model *m, const char *setting, char *why, size_t size)
{
	char key[64];
	const char *value = strchr(setting, '=');

	if (!value || (size_t)(value - setting) >= sizeof(key))
		return why_set(why, size, PACT_EINVAL, "--set %s: key=value is wanted", setting);
	memcpy(key, setting, (size_t)(value - setting));
	key[value - setting] = '\0';
	return model_set(m, key, value + 1, why, size);
}

static int generate(const struct feed_options *o, struct workload *w, struct feed_stats *stats,
		    char *why, size_t size)
{
	struct model *m = model_create(o->model, o->nodes, o->seed, why, size);
	int64_t count = o->first - 1 + (o->count ? o->count : MODEL_JOBS);
	int rc = m ? 0 : PACT_EINVAL;

	for (size_t i = 0; rc == 0 && o->sets && o->sets[i]; i++)
		rc = set_model(m, o->sets[i], why, size);
	if (rc == 0)
		rc = model_begin(m, why, size);
	for (int64_t i = 0; rc == 0 && i < count; i++) {
		struct sim_job job;

		if (model_next(m, &job))
			rc = why_set(why, size, PACT_EINVAL,
				     "job %" PRId64 " would be submitted after 10^11 s", i + 1);
		else if (workload_add(w, &job))
			rc = why_set(why, size, PACT_ENOMEM, "memory is short");
	}
	model_destroy(m);
	stats->read = w->count;
	return rc;
}

/* x * MICRO / micro, at least 1 if x was. No product exceeds WORKLOAD_MAX_TIME * 10^6 < 2^63. */
static int64_t divide(int64_t x, int64_t micro)
{
	int64_t q = x * MICRO / micro;

	return x >= 1 && q < 1 ? 1 : q;
}

static void adapt(const struct feed_options *o, struct workload *w, struct feed_stats *stats)
{
	int64_t first = w->count ? w->job[0].submit : 0;

	for (size_t i = 0; i < w->count; i++) {
		struct sim_job *j = &w->job[i];

		j->submit = divide(j->submit - first, o->scale_micro);
		j->runtime = divide(j->runtime, o->shrink_micro);
		j->estimate = divide(j->estimate, o->shrink_micro);
		stats->killed += j->killed;
		if (o->exact)
			j->estimate = j->runtime;
		j->estimate = (j->estimate + 59) / 60 * 60;
		/* A job that outlives its limit runs to the limit that Slurm has for it. */
		if (j->killed && !o->exact)
			j->runtime = j->estimate;
	}
}

static int hand_over(const struct feed_options *o, const struct workload *w, struct track *t)
{
	for (size_t i = 0; i < w->count; i++) {
		const struct sim_job *j = &w->job[i];
		struct replay_job job = {
			.id = (int64_t)j->id,
			.arrival = j->submit,
			.estimate = j->estimate,
			.runtime = j->runtime,
			.within = j->deadline ? j->deadline - j->submit : 0,
			.width = j->width,
			.overruns = j->killed && !o->exact,
		};

		if (!track_add(t, &job))
			return PACT_ENOMEM;
	}
	return 0;
}

int feed(const struct feed_options *o, struct track *t, struct feed_stats *stats, char *why,
	 size_t size)
{
	struct workload w;
	int rc;

	memset(stats, 0, sizeof(*stats));
	workload_init(&w);
	rc = o->trace ? read_log(o, &w, stats, why, size) : generate(o, &w, stats, why, size);
	if (rc == 0)
		rc = deadlines_read(&o->deadlines, &w, why, size);
	if (rc == 0) {
		workload_slice(&w, (size_t)o->first, o->count ? (size_t)o->count : w.count);
		stats->wide = workload_drop_wide(&w, o->nodes);
		if (w.count == 0)
			rc = why_set(why, size, PACT_EINVAL,
				     "no job in the slice that fits on %u node%s", o->nodes,
				     o->nodes == 1 ? "" : "s");
	}
	if (rc == 0) {
		adapt(o, &w, stats);
		rc = deadlines_assign(&o->deadlines, &w, o->nodes, o->guard, o->seed, why, size);
	}
	if (rc == 0 && (rc = hand_over(o, &w, t)))
		why_set(why, size, rc, "memory is short");
	workload_release(&w);
	return rc;
}

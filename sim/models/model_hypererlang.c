/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_hypererlang: the workloads in gang, sections 2.1 and 2.2, as the model "hypererlang". Jobs come in
 * classes of widths, each with an arrival process and runtimes of its own, both Hyper-Erlang of common order.
 * Its settings:
 *
 *   set=blue     the built-in set, calibrated to section 2.2 (the paper's own was never published), or a file
 *                as `pact-sim trace --hypererlang` writes it
 *   workload=0   0 to 8: runtimes are multiplied by 1 + workload / 10, all else is drawn the same
 *   load=0       all arrivals are stretched alike, so that the first `sample` jobs offer this load on the
 *                machine at workload 0: sum of width x runtime over nodes x (last less first submission). 0: as
 *                the set says (blue: 0.55), or not at all
 *   sample=10000 see there; the paper's number of jobs
 *
 *   Of a class, only the widths that the machine has are drawn. Estimates equal the runtimes (see
 *   `--estimates` for the paper's two models). Per job the draws are: width (none in a class of one width),
 *   runtime, then the time to the next arrival of its class; before the first job a time for each class.
 *
 * The fit is exact on every machine (hypererlang.h), all other arithmetic is on integers.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/sched.h"
#include "sim/models/hypererlang_set.h"
#include "sim/models/model_kind.h"
#include "common/why.h"

__extension__ typedef unsigned __int128 uint128;

#define MICRO 1000000
#define ONE_Q32 (UINT64_C(1) << 32)

#define MAX_SAMPLE 10000000
/* No arrival is later, before and after stretching: far beyond WORKLOAD_MAX_TIME, and sums have room. */
#define MAX_TIME_Q16 (UINT64_C(1) << 62)
/* That is beyond what any log has; the area of all jobs together fits into 128 bits. */
#define MAX_RUNTIME INT64_C(10000000000)

/* A class of the set, for drawing. */
struct source {
	int32_t lo, hi;
	int64_t upper_micro;
	struct hypererlang_draw interarrival, runtime;
	uint64_t next_q16; /* arrival, not stretched */
};

struct hypererlang_model {
	struct model head;
	char *name; /* setting "set"; NULL: not given */
	int64_t workload, load_micro, sample;
	struct source *source;
	size_t sources;
	uint64_t stretch_q32;
	uint64_t last_q16; /* arrival, stretched */
};

static void hypererlang_init(struct model *head)
{
	struct hypererlang_model *m = (struct hypererlang_model *)head;

	m->sample = 10000;
}

static int hypererlang_set(struct model *head, const char *key, const char *value, char *why,
			   size_t size)
{
	struct hypererlang_model *m = (struct hypererlang_model *)head;
	char *copy;

	if (!strcmp(key, "workload"))
		return model_set_count(key, value, 0, 8, &m->workload, why, size);
	if (!strcmp(key, "load"))
		return model_set_fraction(key, value, 0, INT64_C(1000) * MICRO, &m->load_micro, why,
					  size);
	if (!strcmp(key, "sample"))
		return model_set_count(key, value, 2, MAX_SAMPLE, &m->sample, why, size);
	if (strcmp(key, "set") != 0)
		return MODEL_UNKNOWN_KEY;
	copy = strdup(value);
	if (!copy)
		return why_set(why, size, PACT_ENOMEM, "out of memory");
	free(m->name);
	m->name = copy;
	return PACT_OK;
}

/* ---- drawing ---- */

static int32_t draw_width(const struct source *s, struct rng *r)
{
	if (s->lo == s->hi || (int64_t)rng_below(r, MICRO) < s->upper_micro)
		return s->hi;
	return (int32_t)rng_range(r, s->lo, s->hi);
}

static void draw_arrival(struct source *s, struct rng *r)
{
	s->next_q16 += hypererlang_draw_q16(&s->interarrival, r);
	if (s->next_q16 > MAX_TIME_Q16)
		s->next_q16 = MAX_TIME_Q16;
}

/* Longer by the workload, rounded half up. */
static int64_t runtime(uint64_t drawn_q16, int64_t workload)
{
	uint128 v = (uint128)drawn_q16 * (uint64_t)(10 + workload);

	v = (v + (5 << 16)) / (10 << 16);
	return v > MAX_RUNTIME ? MAX_RUNTIME : v ? (int64_t)v : 1;
}

/* The class whose job comes next; the first of those whose jobs come at one time. */
static struct source *next_source(struct hypererlang_model *m)
{
	struct source *best = &m->source[0];

	for (size_t i = 1; i < m->sources; i++)
		if (m->source[i].next_q16 < best->next_q16)
			best = &m->source[i];
	return best;
}

/* Fills the job in; when it arrives, not stretched. */
static uint64_t draw_job(struct hypererlang_model *m, int64_t workload, struct sim_job *job)
{
	struct source *s = next_source(m);
	uint64_t at = s->next_q16;

	job->width = draw_width(s, &m->head.rng);
	job->runtime = runtime(hypererlang_draw_q16(&s->runtime, &m->head.rng), workload);
	job->estimate = job->runtime;
	draw_arrival(s, &m->head.rng);
	return at;
}

static uint64_t hypererlang_next(struct model *head, struct sim_job *job)
{
	struct hypererlang_model *m = (struct hypererlang_model *)head;
	uint128 at = ((uint128)draw_job(m, m->workload, job) * m->stretch_q32) >> 32;
	uint64_t gap;

	if (at > MAX_TIME_Q16)
		at = MAX_TIME_Q16;
	gap = (uint64_t)at - m->last_q16;
	m->last_q16 = (uint64_t)at;
	return gap;
}

/* ---- beginning ---- */

static void restart(struct hypererlang_model *m)
{
	for (size_t i = 0; i < m->sources; i++) {
		m->source[i].next_q16 = 0;
		draw_arrival(&m->source[i], &m->head.rng);
	}
}

/* By how much arrivals are to be stretched for this load, found from a sample that is drawn and forgotten. */
static int find_stretch(struct hypererlang_model *m, int64_t load_micro, char *why, size_t size)
{
	const uint128 most = (uint128)WORKLOAD_MAX_TIME << 16;
	const struct rng rng = m->head.rng;
	uint64_t first = 0, last = 0;
	uint128 area = 0, wanted, stretch;
	struct sim_job job;

	restart(m);
	for (int64_t i = 0; i < m->sample; i++) {
		last = draw_job(m, 0, &job);
		first = i ? first : last;
		area += (uint128)(uint64_t)job.width * (uint64_t)job.runtime;
	}
	m->head.rng = rng;
	if (last == first)
		return why_set(why, size, PACT_EINVAL,
			       "sample=%" PRId64 ": all come at once, no load can be had",
			       m->sample);
	wanted = ((area * MICRO) << 16) / ((uint128)m->head.nodes * (uint64_t)load_micro);
	stretch = wanted > most ? 0 : (wanted << 32) / (last - first);
	if (!stretch || stretch > INT64_MAX)
		return why_set(why, size, PACT_EINVAL,
			       "load %g: the times between arrivals would be too %s",
			       (double)load_micro / MICRO, wanted > most ? "long" : "different");
	m->stretch_q32 = (uint64_t)stretch;
	return PACT_OK;
}

static int load_set(const struct hypererlang_model *m, struct hypererlang_set **set, char *why,
		    size_t size)
{
	const char *name = m->name ? m->name : "blue";
	char reason[256];
	size_t length;
	const char *text = hypererlang_set_builtin(name, &length);
	int err;

	if (text)
		return hypererlang_set_parse(name, text, length, set, why, size);
	err = hypererlang_set_read(name, set, reason, sizeof(reason));
	return err ? why_set(why, size, err, "set=%s%s", reason,
			     access(name, F_OK) ? "; built in is blue" : "")
		   : PACT_OK;
}

/* The classes that the machine has room for, as far as it has. */
static int take_classes(struct hypererlang_model *m, const struct hypererlang_set *set, char *why,
			size_t size)
{
	m->source = calloc(set->classes, sizeof(*m->source));
	if (!m->source)
		return why_set(why, size, PACT_ENOMEM, "out of memory");
	for (size_t i = 0; i < set->classes; i++) {
		const struct hypererlang_class *c = &set->class[i];
		struct source *s = &m->source[m->sources];

		if ((uint32_t)c->lo > m->head.nodes)
			break;
		s->lo = c->lo;
		s->hi = (uint32_t)c->hi > m->head.nodes ? (int32_t)m->head.nodes : c->hi;
		s->upper_micro = c->upper_micro;
		hypererlang_prepare(&c->interarrival.fit, &s->interarrival);
		hypererlang_prepare(&c->runtime.fit, &s->runtime);
		m->sources++;
	}
	if (m->sources)
		return PACT_OK;
	return why_set(why, size, PACT_EINVAL, "set=%s: every class is wider than %u node%s",
		       m->name ? m->name : "blue", m->head.nodes, m->head.nodes == 1 ? "" : "s");
}

static int hypererlang_begin(struct model *head, char *why, size_t size)
{
	struct hypererlang_model *m = (struct hypererlang_model *)head;
	struct hypererlang_set *set = NULL;
	int64_t load_micro = 0;
	int err = load_set(m, &set, why, size);

	if (!err)
		err = take_classes(m, set, why, size);
	if (!err)
		load_micro = m->load_micro ? m->load_micro : set->load_micro;
	hypererlang_set_destroy(set);
	m->stretch_q32 = ONE_Q32;
	if (!err && load_micro)
		err = find_stretch(m, load_micro, why, size);
	if (!err)
		restart(m);
	return err;
}

static void hypererlang_release(struct model *head)
{
	struct hypererlang_model *m = (struct hypererlang_model *)head;

	free(m->source);
	free(m->name);
}

const struct model_kind model_hypererlang = {
	.name = "hypererlang",
	.settings = "set, workload, load, sample",
	.size = sizeof(struct hypererlang_model),
	.init = hypererlang_init,
	.set = hypererlang_set,
	.begin = hypererlang_begin,
	.next = hypererlang_next,
	.release = hypererlang_release,
};

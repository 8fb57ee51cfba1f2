/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_malleable: the model "malleable", the jobs of malleable, chapter 4, with its settings and their defaults:
 *
 *   jobs=adaptive      adaptive jobs, which run on any number of nodes from their least to most; or traditional ones,
 *                      on their least alone. The draws are the same
 *   interarrival=64.5  mean seconds between submissions, 1/lambda of Tables 4.2 to 4.6; Poisson arrivals
 *   time=64.5          mean seconds that a job takes on 64 processors: 100 iterations of the paper's benchmark. The
 *                      number of iterations, and so the time, is exponential. Tables 4.5 and 4.6 are at 60
 *   speedup=linear     how a job runs on fewer: linear (Tables 4.2, 4.5, 4.6), or table, as in Table 4.1 (Table 4.3)
 *   min_width=16       the least is uniform between these: 16 to 64 in Table 4.2, 1 to 64 in the others
 *   max_width=64
 *   most=64            what adaptive jobs may grow to, at least max_width. All three are cut to the machine's size
 *   streams=one        a job's interarrival time and its iterations come from one exponential draw, as they must have
 *                      in Tables 4.2 and 4.3; or two
 *   deadline=0         mean seconds from submission to deadline, exponential; 0: there are none. 3840 in Tables 4.5
 *                      and 4.6
 *   value=0            mean value of a job, exponential; 0: none. 1000 in Tables 4.5 and 4.6
 *   ticks=1000         so many ticks to a second: all times of the workload are in ticks
 *
 *   Width is the least; runtime, which is the estimate, the time on it, rounded up to a tick. Per job the draws are:
 *   interarrival, width, iterations (of two streams), deadline and value (where they are not 0).
 *
 * All arithmetic is on integers, for the sake of repeatability.
 */
#include <string.h>

#include "core/sched.h"
#include "sim/models/model_kind.h"
#include "sim/workload/curve.h"
#include "common/why.h"

__extension__ typedef unsigned __int128 uint128;

#define MICRO INT64_C(1000000)

/* The paper's machine, on which the benchmark's time is given. */
#define FULL_WIDTH 64

/* As of any mean: far from what 64 bits hold, times the largest draw (44 means). */
#define MAX_MEAN INT64_C(1000000000000)
#define MAX_TICKS 1000000

struct malleable {
	struct model head;
	bool traditional, two;
	int64_t interarrival_micro, time_micro, deadline_micro, value_micro;
	int64_t min_width, max_width, most;
	int64_t ticks;
	const struct list64 *speedup;
};

static void malleable_init(struct model *head)
{
	struct malleable *m = (struct malleable *)head;

	m->interarrival_micro = m->time_micro = 64500000;
	m->most = m->max_width = head->nodes < FULL_WIDTH ? head->nodes : FULL_WIDTH;
	m->min_width = m->max_width < 16 ? m->max_width : 16;
	m->ticks = 1000;
	m->speedup = &curve_linear;
}

/* One of two words; *second: it is the second. */
static int set_word(const char *key, const char *value, const char *one, const char *two,
		    bool *second, char *why, size_t size)
{
	if (strcmp(value, one) != 0 && strcmp(value, two) != 0)
		return why_set(why, size, PACT_EINVAL, "%s=%s: %s or %s wanted", key, value, one,
			       two);
	*second = !strcmp(value, two);
	return PACT_OK;
}

static int set_speedup(struct malleable *m, const char *value, char *why, size_t size)
{
	const struct list64 *s = curve_by_name(value);

	if (!s)
		return why_set(why, size, PACT_EINVAL, "speedup=%s: linear or table wanted", value);
	m->speedup = s;
	return PACT_OK;
}

static int malleable_set(struct model *head, const char *key, const char *value, char *why,
			 size_t size)
{
	struct malleable *m = (struct malleable *)head;

	if (!strcmp(key, "jobs"))
		return set_word(key, value, "adaptive", "traditional", &m->traditional, why, size);
	if (!strcmp(key, "streams"))
		return set_word(key, value, "one", "two", &m->two, why, size);
	if (!strcmp(key, "speedup"))
		return set_speedup(m, value, why, size);
	if (!strcmp(key, "interarrival"))
		return model_set_fraction(key, value, 1000, MAX_MEAN, &m->interarrival_micro, why,
					  size);
	if (!strcmp(key, "time"))
		return model_set_fraction(key, value, 1000, MAX_MEAN, &m->time_micro, why, size);
	if (!strcmp(key, "deadline"))
		return model_set_fraction(key, value, 0, MAX_MEAN, &m->deadline_micro, why, size);
	if (!strcmp(key, "value"))
		return model_set_fraction(key, value, 0, MAX_MEAN, &m->value_micro, why, size);
	if (!strcmp(key, "min_width"))
		return model_set_count(key, value, 1, head->nodes, &m->min_width, why, size);
	if (!strcmp(key, "max_width"))
		return model_set_count(key, value, 1, head->nodes, &m->max_width, why, size);
	if (!strcmp(key, "most"))
		return model_set_count(key, value, 1, head->nodes, &m->most, why, size);
	if (!strcmp(key, "ticks"))
		return model_set_count(key, value, 1, MAX_TICKS, &m->ticks, why, size);
	return MODEL_UNKNOWN_KEY;
}

static int malleable_begin(struct model *head, char *why, size_t size)
{
	const struct malleable *m = (struct malleable *)head;

	if (m->min_width > m->max_width)
		return why_set(why, size, PACT_EINVAL, "min_width=%lld is above max_width=%lld",
			       (long long)m->min_width, (long long)m->max_width);
	if (m->max_width > m->most && !m->traditional)
		return why_set(why, size, PACT_EINVAL, "max_width=%lld is above most=%lld",
			       (long long)m->max_width, (long long)m->most);
	return PACT_OK;
}

/* A mean in millionths of a second x a draw x ticks, in ticks x 2^32. */
static uint128 drawn_ticks(const struct malleable *m, int64_t micro, uint64_t draw)
{
	return (uint128)micro * draw / MICRO * (uint64_t)m->ticks;
}

/* Whole ticks, rounded up: 1 to WORKLOAD_MAX_TIME. */
static int64_t whole_ticks(uint128 ticks_q32)
{
	uint128 t = (ticks_q32 + UINT32_MAX) >> 32;

	return t > (uint128)WORKLOAD_MAX_TIME ? WORKLOAD_MAX_TIME : t ? (int64_t)t : 1;
}

static uint64_t malleable_next(struct model *head, struct sim_job *job)
{
	struct malleable *m = (struct malleable *)head;
	uint64_t gap = rng_exponential_q32(&head->rng), iterations = gap;
	int32_t width = (int32_t)rng_range(&head->rng, m->min_width, m->max_width);
	uint128 time;

	if (m->two)
		iterations = rng_exponential_q32(&head->rng);
	/* The time on the full width x what that is faster than this width. */
	time = drawn_ticks(m, m->time_micro, iterations) *
	       (uint64_t)speedup_rate(m->speedup, FULL_WIDTH) /
	       (uint64_t)speedup_rate(m->speedup, width);
	job->width = width;
	job->most = m->traditional ? 0 : (int32_t)m->most;
	job->speedup = m->speedup;
	job->runtime = job->estimate = whole_ticks(time);
	if (m->deadline_micro)
		job->deadline = whole_ticks(
			drawn_ticks(m, m->deadline_micro, rng_exponential_q32(&head->rng)));
	if (m->value_micro)
		job->value =
			(int64_t)(((uint128)m->value_micro * rng_exponential_q32(&head->rng)) >>
				  32);
	return (uint64_t)(drawn_ticks(m, m->interarrival_micro, gap) >> 16);
}

const struct model_kind model_malleable = {
	.name = "malleable",
	.settings =
		"jobs, interarrival, time, speedup, min_width, max_width, most, streams, deadline, "
		"value, ticks",
	.size = sizeof(struct malleable),
	.init = malleable_init,
	.set = malleable_set,
	.begin = malleable_begin,
	.next = malleable_next,
};

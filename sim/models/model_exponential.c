/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_exponential: the model "exponential", the traditional jobs in malleable, section 4.1, with
 * its settings and their defaults:
 *
 *   interarrival=64.5  mean seconds between submissions, 1/lambda of Tables 4.2 and 4.3 (500, 200,
 *                      100, 64.5, 60 and 45 there); Poisson arrivals
 *   time=64.5          mean runtime on 64 processors, in seconds: 100 iterations of the paper's
 *                      benchmark. The number of iterations, and so the runtime, is exponential
 *   speedup=linear     how a job runs on fewer than 64: linear (Table 4.2), or table, as in Table
 *                      4.1 (Table 4.3), linear in between
 *   min_width=16       widths are uniform between these; the paper has 16 to 64 with linear speedup
 *   max_width=64       and 1 to 64 with that of the table. Both are cut to the machine's size.
 *
 *   The paper knows no estimates: they equal the runtimes, which are rounded up to whole seconds.
 *   Per job the draws are: interarrival, width, iterations.
 *
 * All arithmetic is on integers, for the sake of repeatability.
 */
#include <string.h>

#include "core/sched.h"
#include "sim/models/model_kind.h"
#include "common/why.h"

__extension__ typedef unsigned __int128 uint128;

/* The paper's machine, on which the benchmark's time is given. */
#define FULL_WIDTH 64

/* Far beyond what an exponential draw of 64 bits can reach (44 means) with any allowed setting. */
#define MAX_RUNTIME INT64_C(10000000000)

struct exponential {
	struct model head;
	int64_t interarrival_micro;
	int64_t time_micro;
	bool table;
	int64_t min_width, max_width;
};

static void exponential_init(struct model *head)
{
	struct exponential *m = (struct exponential *)head;

	m->interarrival_micro = 64500000;
	m->time_micro = 64500000;
	m->max_width = head->nodes < FULL_WIDTH ? head->nodes : FULL_WIDTH;
	m->min_width = m->max_width < 16 ? m->max_width : 16;
}

static int exponential_set(struct model *head, const char *key, const char *value, char *why,
			   size_t size)
{
	struct exponential *m = (struct exponential *)head;
	int64_t widest = head->nodes < FULL_WIDTH ? head->nodes : FULL_WIDTH;

	if (!strcmp(key, "interarrival"))
		return model_set_fraction(key, value, 1000, INT64_C(1000000000000),
					  &m->interarrival_micro, why, size);
	if (!strcmp(key, "time"))
		return model_set_fraction(key, value, 1000, INT64_C(1000000000000), &m->time_micro,
					  why, size);
	if (!strcmp(key, "min_width"))
		return model_set_count(key, value, 1, m->max_width, &m->min_width, why, size);
	if (!strcmp(key, "max_width"))
		return model_set_count(key, value, m->min_width, widest, &m->max_width, why, size);
	if (strcmp(key, "speedup") != 0)
		return MODEL_UNKNOWN_KEY;
	if (strcmp(value, "linear") != 0 && strcmp(value, "table") != 0)
		return why_set(why, size, PACT_EINVAL, "%s=%s: linear or table wanted", key, value);
	m->table = !strcmp(value, "table");
	return PACT_OK;
}

static int exponential_begin(struct model *head, char *why, size_t size)
{
	(void)head, (void)why, (void)size;
	return PACT_OK;
}

/* malleable, Table 4.1: the benchmark's speedup, in tenths, on 1, 2, 4, ... 64 processors. */
static const int64_t table41[] = { 10, 18, 34, 63, 112, 181, 263 };

/* The speedup on `width` processors x 640, so that values between two columns are whole. */
static int64_t speedup_640(const struct exponential *m, int64_t width)
{
	int column = 0;
	int64_t from;

	if (!m->table)
		return width * 640;
	while (INT64_C(2) << column <= width)
		column++;
	from = table41[column] * 64;
	if (width == INT64_C(1) << column)
		return from;
	return from + (table41[column + 1] - table41[column]) * (width - (INT64_C(1) << column)) *
			      64 / (INT64_C(1) << column);
}

static uint64_t exponential_next(struct model *head, struct sim_job *job)
{
	struct exponential *m = (struct exponential *)head;
	struct rng *r = &head->rng;
	uint128 gap_q16 = ((uint128)m->interarrival_micro << 16) / 1000000;
	uint128 work, runtime;

	gap_q16 = (gap_q16 * rng_exponential_q32(r)) >> 32;
	job->width = (int32_t)rng_range(r, m->min_width, m->max_width);
	/* The time on the full width x what that is faster than this width. */
	work = (uint128)m->time_micro * rng_exponential_q32(r) / 1000000;
	runtime =
		work * (uint64_t)speedup_640(m, FULL_WIDTH) / (uint64_t)speedup_640(m, job->width);
	runtime = (runtime + UINT32_MAX) >> 32;
	job->runtime = runtime > MAX_RUNTIME ? MAX_RUNTIME : runtime ? (int64_t)runtime : 1;
	job->estimate = job->runtime;
	return (uint64_t)gap_q16;
}

const struct model_kind model_exponential = {
	.name = "exponential",
	.settings = "interarrival, time, speedup, min_width, max_width",
	.size = sizeof(struct exponential),
	.init = exponential_init,
	.set = exponential_set,
	.begin = exponential_begin,
	.next = exponential_next,
};

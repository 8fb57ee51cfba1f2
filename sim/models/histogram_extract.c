/* SPDX-License-Identifier: GPL-2.0-or-later */
/* histogram_extract: a histogram from a workload, see histogram.h. */
#include "sim/models/histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/sched.h"
#include "common/why.h"

/* A value with a bin of its own is had by one job in so many. */
#define COMMON_SHARE 50

static int64_t quantity(const struct sim_job *job, int axis)
{
	return axis == HISTOGRAM_WIDTH	    ? job->width
	       : axis == HISTOGRAM_ESTIMATE ? job->estimate
					    : job->runtime;
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* Which half of which octave, of times; which octave, of widths. */
static int shared_bin(int axis, int64_t v)
{
	int octave = v <= 2 ? (int)v : 65 - __builtin_clzll((uint64_t)v - 1);

	if (axis == HISTOGRAM_WIDTH || v <= 2)
		return 2 * octave;
	return 2 * octave + (v > INT64_C(3) << (octave - 3));
}

/* The bin of value[0 .. n), which are sorted. */
static int add_bin(struct histogram *h, int axis, const int64_t *value, size_t n)
{
	struct histogram_bin b = { .lo = value[0], .hi = value[n - 1] };
	__extension__ unsigned __int128 sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (uint64_t)value[i];
	b.mean_milli = (int64_t)((sum * 1000 + n / 2) / n);
	return histogram_add_bin(h, (enum histogram_axis)axis, b);
}

static int make_bins(struct histogram *h, int axis, int64_t *value, size_t n)
{
	size_t open = 0; /* where the shared bin begins that is not closed yet */
	size_t next;
	int err = PACT_OK;

	qsort(value, n, sizeof(*value), by_value);
	for (size_t i = 0; i < n && !err; i = next) {
		bool common;

		for (next = i + 1; next < n && value[next] == value[i];)
			next++;
		common = (next - i) * COMMON_SHARE >= n;
		if (open < i &&
		    (common || shared_bin(axis, value[i]) != shared_bin(axis, value[open]))) {
			err = add_bin(h, axis, value + open, i - open);
			open = i;
		}
		if (!err && common) {
			err = add_bin(h, axis, value + i, next - i);
			open = next;
		}
	}
	if (!err && open < n)
		err = add_bin(h, axis, value + open, n - open);
	return err;
}

static uint16_t find_bin(const struct histogram *h, int axis, int64_t v)
{
	size_t lo = 0, hi = h->bins[axis] - 1;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (h->bin[axis][mid].hi >= v)
			hi = mid;
		else
			lo = mid + 1;
	}
	return (uint16_t)lo;
}

/* The cell of each job as one number, sorted: equal ones are counted. */
static int make_cells(struct histogram *h, const struct workload *w, int64_t *key)
{
	size_t next;
	int err = PACT_OK;

	for (size_t i = 0; i < w->count; i++) {
		key[i] = 0;
		for (int axis = 0; axis < HISTOGRAM_AXES; axis++)
			key[i] = key[i] * HISTOGRAM_MAX_BINS +
				 find_bin(h, axis, quantity(&w->job[i], axis));
	}
	qsort(key, w->count, sizeof(*key), by_value);
	for (size_t i = 0; i < w->count && !err; i = next) {
		uint16_t bin[HISTOGRAM_AXES];
		int64_t k = key[i];

		for (next = i + 1; next < w->count && key[next] == k;)
			next++;
		for (int axis = HISTOGRAM_AXES - 1; axis >= 0; axis--) {
			bin[axis] = (uint16_t)(k % HISTOGRAM_MAX_BINS);
			k /= HISTOGRAM_MAX_BINS;
		}
		err = histogram_add_cell(h, bin, next - i);
	}
	return err;
}

/* What is 0 at the likeliest alpha, and less below it. */
static double likelihood_slope(const struct workload *w, double alpha, double mean_log)
{
	double sum = 0, sum_log = 0;

	for (size_t i = 1; i < w->count; i++) {
		double log_x = log((double)(w->job[i].submit - w->job[i - 1].submit) + 0.5);
		double power = exp(alpha * log_x);

		sum += power;
		sum_log += power * log_x;
	}
	return sum_log / sum - 1 / alpha - mean_log;
}

/* To three digits, in millionths. */
static int64_t rounded_micro(double v)
{
	double unit = pow(10, floor(log10(v)) - 2);

	return (int64_t)llround(round(v / unit) * unit * 1e6);
}

static int fit_weibull(struct histogram *h, const struct workload *w, char *why, size_t size)
{
	double lo = 0.1, hi = 10, mean_log = 0;
	double gaps = (double)w->count - 1;
	double mean;

	if (w->count < 3 || w->job[w->count - 1].submit == w->job[0].submit)
		return why_set(why, size, PACT_EINVAL,
			       "a histogram needs three jobs that are not submitted all at once");
	mean = (double)(w->job[w->count - 1].submit - w->job[0].submit) / gaps;
	for (size_t i = 1; i < w->count; i++)
		mean_log += log((double)(w->job[i].submit - w->job[i - 1].submit) + 0.5) / gaps;
	while (hi - lo > 1e-6) {
		double mid = (lo + hi) / 2;

		if (likelihood_slope(w, mid, mean_log) < 0)
			lo = mid;
		else
			hi = mid;
	}
	h->alpha_micro = rounded_micro(lo);
	h->beta_micro = rounded_micro(mean / tgamma(1 + 1e6 / (double)h->alpha_micro));
	return PACT_OK;
}

int histogram_extract(const struct workload *w, uint32_t nodes, const char *source,
		      struct histogram **out, char *why, size_t size)
{
	struct histogram *h = histogram_create();
	int64_t *value = calloc(w->count + 1, sizeof(*value));
	char *copy = strdup(source ? source : "");
	int err = h && value && copy ? PACT_OK : PACT_ENOMEM;

	*out = NULL;
	if (!err)
		err = fit_weibull(h, w, why, size);
	for (int axis = 0; axis < HISTOGRAM_AXES && !err; axis++) {
		for (size_t i = 0; i < w->count; i++)
			value[i] = quantity(&w->job[i], axis);
		err = make_bins(h, axis, value, w->count);
	}
	if (!err)
		err = make_cells(h, w, value);
	free(value);
	if (!err) {
		free(h->source);
		h->source = copy;
		h->nodes = nodes;
		*out = h;
		return PACT_OK;
	}
	free(copy);
	histogram_destroy(h);
	if (err == PACT_ENOMEM)
		why_set(why, size, err, "histogram: out of memory");
	return err;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* histogram_read: histograms from text, see histogram.h and "Histograms" in doc/formats.md. */
#include "sim/models/histogram.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/sched.h"
#include "sim/models/lines.h"
#include "common/number.h"
#include "common/why.h"

/* More jobs than this in one histogram would not fit into 63 bits, with every cell in use. */
#define MAX_COUNT UINT64_C(1000000000000)

static const char *const axis_name[] = { "width", "estimate", "runtime" };

struct reader {
	struct lines lines;
	bool weibull;
	struct histogram *h;
};

static int take_weibull(struct reader *r)
{
	int err = lines_decimal(&r->lines, "alpha", 100000, 100000000, &r->h->alpha_micro);

	if (!err)
		err = lines_decimal(&r->lines, "beta", 1, INT64_C(1000000000000000),
				    &r->h->beta_micro);
	r->weibull = true;
	return err;
}

/* LO HI MEAN */
static int take_bin(struct reader *r, enum histogram_axis axis)
{
	int64_t most = axis == HISTOGRAM_WIDTH ? INT32_MAX : INT64_C(1000000000);
	struct histogram *h = r->h;
	size_t n = h->bins[axis];
	struct histogram_bin b;
	int64_t mean;
	int err;

	if (h->cells)
		return lines_wrong(&r->lines, "a bin after the first cell");
	if (n == HISTOGRAM_MAX_BINS)
		return lines_wrong(&r->lines, "more than %d bins of %s", HISTOGRAM_MAX_BINS,
				   axis_name[axis]);
	err = lines_int(&r->lines, axis_name[axis], n ? h->bin[axis][n - 1].hi + 1 : 1, most,
			&b.lo);
	if (!err)
		err = lines_int(&r->lines, axis_name[axis], b.lo, most, &b.hi);
	if (!err)
		err = lines_decimal(&r->lines, "mean", b.lo * 1000000, b.hi * 1000000, &mean);
	if (err)
		return err;
	b.mean_milli = mean / 1000;
	return histogram_add_bin(h, axis, b);
}

/* RUNTIME:COUNT */
static int take_count(struct reader *r, uint16_t bin[HISTOGRAM_AXES])
{
	uint64_t runtime, count;
	char *colon = strchr(r->lines.word, ':');

	if (colon)
		*colon = '\0';
	if (!colon || !number_unsigned(r->lines.word, &runtime) ||
	    !number_unsigned(colon + 1, &count) || runtime < 1 ||
	    runtime > r->h->bins[HISTOGRAM_RUNTIME] || count < 1 || count > MAX_COUNT) {
		if (colon)
			*colon = ':';
		return lines_wrong(
			&r->lines,
			"'%s': RUNTIME:COUNT wanted, a bin from 1 to %zu and 1 to %" PRIu64,
			r->lines.word, r->h->bins[HISTOGRAM_RUNTIME], MAX_COUNT);
	}
	bin[HISTOGRAM_RUNTIME] = (uint16_t)(runtime - 1);
	if (r->h->cells == HISTOGRAM_MAX_CELLS)
		return lines_wrong(&r->lines, "more than %d cells", HISTOGRAM_MAX_CELLS);
	return histogram_add_cell(r->h, bin, count);
}

/* WIDTH ESTIMATE RUNTIME:COUNT... */
static int take_cells(struct reader *r)
{
	uint16_t bin[HISTOGRAM_AXES];
	size_t before = r->h->cells;
	int err = PACT_OK;

	for (int axis = 0; axis < HISTOGRAM_RUNTIME && !err; axis++) {
		int64_t v;

		if (!r->h->bins[axis])
			return lines_wrong(&r->lines, "a cell before the bins of %s",
					   axis_name[axis]);
		err = lines_int(&r->lines, axis_name[axis], 1, (int64_t)r->h->bins[axis], &v);
		bin[axis] = (uint16_t)(v - 1);
	}
	while (!err && *lines_word(&r->lines))
		err = take_count(r, bin);
	if (!err && r->h->cells == before)
		err = lines_wrong(&r->lines, "a cell without RUNTIME:COUNT");
	return err;
}

static int take_line(struct lines *lines, const char *key, void *arg)
{
	struct reader *r = arg;

	if (!strcmp(key, "source"))
		return lines_rest(lines, &r->h->source);
	if (!strcmp(key, "nodes"))
		return lines_int(lines, "nodes", 1, INT32_MAX, &r->h->nodes);
	if (!strcmp(key, "weibull"))
		return take_weibull(r);
	if (!strcmp(key, "cell"))
		return take_cells(r);
	for (int axis = 0; axis < HISTOGRAM_AXES; axis++)
		if (!strcmp(key, axis_name[axis]))
			return take_bin(r, (enum histogram_axis)axis);
	return lines_wrong(
		lines, "unknown key '%s' (source, nodes, weibull, width, estimate, runtime, cell)",
		key);
}

static int take_all(struct reader *r)
{
	int err = lines_each(&r->lines, take_line, r);

	if (!err && !r->weibull)
		err = lines_wrong(&r->lines, "no line 'weibull ALPHA BETA'");
	if (!err && !r->h->cells)
		err = lines_wrong(&r->lines, "no cells");
	return err;
}

int histogram_parse(const char *name, const char *text, size_t length, struct histogram **h,
		    char *why, size_t size)
{
	struct reader r = { .lines = { .kind = "histogram",
				       .name = name,
				       .at = text,
				       .end = text + length,
				       .why = why,
				       .size = size } };
	int err;

	*h = NULL;
	r.h = histogram_create();
	err = r.h ? take_all(&r) : PACT_ENOMEM;
	if (!err) {
		*h = r.h;
		return PACT_OK;
	}
	histogram_destroy(r.h);
	if (err == PACT_ENOMEM)
		why_set(why, size, err, "%s: out of memory", name);
	return err;
}

int histogram_read(const char *path, struct histogram **h, char *why, size_t size)
{
	char *text;
	size_t length;
	int err = lines_slurp(path, "a histogram", &text, &length, why, size);

	*h = NULL;
	if (!err)
		err = histogram_parse(path, text, length, h, why, size);
	free(text);
	return err;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* histogram: making, drawing and writing; see histogram.h. Its reader is histogram_read.c. */
#include "sim/models/histogram.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/sched.h"

#define MILLI 1000

struct histogram *histogram_create(void)
{
	struct histogram *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->source = calloc(1, 1);
	if (h->source)
		return h;
	free(h);
	return NULL;
}

void histogram_destroy(struct histogram *h)
{
	if (!h)
		return;
	for (int axis = 0; axis < HISTOGRAM_AXES; axis++)
		free(h->bin[axis]);
	free(h->cell);
	free(h->source);
	free(h);
}

int histogram_add_bin(struct histogram *h, enum histogram_axis axis, struct histogram_bin bin)
{
	struct histogram_bin *grown;

	/* There are few: one by one will do. */
	grown = realloc(h->bin[axis], (h->bins[axis] + 1) * sizeof(*grown));
	if (!grown)
		return PACT_ENOMEM;
	h->bin[axis] = grown;
	grown[h->bins[axis]++] = bin;
	return PACT_OK;
}

static uint64_t total(const struct histogram *h)
{
	return h->cells ? h->cell[h->cells - 1].upto : 0;
}

int histogram_add_cell(struct histogram *h, const uint16_t bin[HISTOGRAM_AXES], uint64_t count)
{
	struct histogram_cell *cell;

	if (h->cells == h->room) {
		size_t room = h->room ? 2 * h->room : 256;

		cell = realloc(h->cell, room * sizeof(*cell));
		if (!cell)
			return PACT_ENOMEM;
		h->cell = cell;
		h->room = room;
	}
	cell = &h->cell[h->cells];
	memcpy(cell->bin, bin, sizeof(cell->bin));
	cell->upto = total(h) + count;
	h->cells++;
	return PACT_OK;
}

int histogram_fit(struct histogram *h, uint32_t nodes)
{
	const struct histogram_bin *width = h->bin[HISTOGRAM_WIDTH];
	uint64_t before = 0, kept_jobs = 0;
	size_t kept = 0;

	for (size_t i = 0; i < h->bins[HISTOGRAM_WIDTH]; i++) {
		struct histogram_bin *b = &h->bin[HISTOGRAM_WIDTH][i];

		if (b->lo > (int64_t)nodes || b->hi <= (int64_t)nodes)
			continue;
		b->hi = nodes;
		if (b->mean_milli > b->hi * MILLI)
			b->mean_milli = b->hi * MILLI;
	}
	for (size_t i = 0; i < h->cells; i++) {
		struct histogram_cell cell = h->cell[i];
		uint64_t count = cell.upto - before;

		before = cell.upto;
		if (width[cell.bin[HISTOGRAM_WIDTH]].lo > (int64_t)nodes)
			continue;
		kept_jobs += count;
		cell.upto = kept_jobs;
		h->cell[kept++] = cell;
	}
	h->cells = kept;
	return kept ? PACT_OK : PACT_EINVAL;
}

/* The first cell whose sum reaches beyond x. */
static const struct histogram_cell *find_cell(const struct histogram *h, uint64_t x)
{
	size_t lo = 0, hi = h->cells - 1;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (h->cell[mid].upto > x)
			hi = mid;
		else
			lo = mid + 1;
	}
	return &h->cell[lo];
}

/*
 * Uniform in [lo, k] or in [k, hi], k next to the mean m: the first with the chance p that solves
 * p (lo + k) / 2 + (1 - p) (k + hi) / 2 = m, which is (k + hi - 2 m) / (hi - lo).
 */
static int64_t draw_value(const struct histogram_bin *b, struct rng *r)
{
	int64_t k = (b->mean_milli + MILLI / 2) / MILLI;
	int64_t below = (k + b->hi) * MILLI - 2 * b->mean_milli;

	if (b->lo == b->hi)
		return b->lo;
	if ((int64_t)rng_below(r, (uint64_t)(b->hi - b->lo) * MILLI) < below)
		return rng_range(r, b->lo, k);
	return rng_range(r, k, b->hi);
}

void histogram_draw(const struct histogram *h, struct rng *r, struct sim_job *job)
{
	const struct histogram_cell *cell = find_cell(h, rng_below(r, total(h)));
	const struct histogram_bin *bin[HISTOGRAM_AXES];
	int64_t value[HISTOGRAM_AXES];

	for (int axis = 0; axis < HISTOGRAM_AXES; axis++) {
		bin[axis] = &h->bin[axis][cell->bin[axis]];
		value[axis] = draw_value(bin[axis], r);
	}
	job->width = (int32_t)value[HISTOGRAM_WIDTH];
	job->estimate = value[HISTOGRAM_ESTIMATE];
	job->runtime = value[HISTOGRAM_RUNTIME];
	job->killed = false;
	if (job->runtime <= job->estimate)
		return;
	job->killed = bin[HISTOGRAM_RUNTIME]->lo > bin[HISTOGRAM_ESTIMATE]->hi;
	if (!job->killed)
		job->estimate = value[HISTOGRAM_RUNTIME];
	job->runtime = value[HISTOGRAM_ESTIMATE];
}

/* A number given in `unit`ths, without needless zeros. */
static void write_decimal(int64_t v, int64_t unit, FILE *f)
{
	fprintf(f, " %" PRId64, v / unit);
	if (!(v %= unit))
		return;
	putc('.', f);
	while (v) {
		unit /= 10;
		fprintf(f, "%" PRId64, v / unit);
		v %= unit;
	}
}

int histogram_write(const struct histogram *h, FILE *f)
{
	static const char *const axis_name[] = { "width", "estimate", "runtime" };
	const struct histogram_cell *last = NULL;
	uint64_t before = 0;

	errno = 0;
	fprintf(f, "pact-histogram 1\n");
	if (*h->source)
		fprintf(f, "source %s\n", h->source);
	if (h->nodes)
		fprintf(f, "nodes %" PRId64 "\n", h->nodes);
	fprintf(f, "weibull");
	write_decimal(h->alpha_micro, 1000000, f);
	write_decimal(h->beta_micro, 1000000, f);
	putc('\n', f);
	for (int axis = 0; axis < HISTOGRAM_AXES; axis++)
		for (size_t i = 0; i < h->bins[axis]; i++) {
			const struct histogram_bin *b = &h->bin[axis][i];

			fprintf(f, "%s %" PRId64 " %" PRId64, axis_name[axis], b->lo, b->hi);
			write_decimal(b->mean_milli, MILLI, f);
			putc('\n', f);
		}
	for (size_t i = 0; i < h->cells; i++) {
		const struct histogram_cell *c = &h->cell[i];
		bool same = last && last->bin[HISTOGRAM_WIDTH] == c->bin[HISTOGRAM_WIDTH] &&
			    last->bin[HISTOGRAM_ESTIMATE] == c->bin[HISTOGRAM_ESTIMATE];

		if (!same)
			fprintf(f, "%scell %d %d", last ? "\n" : "", c->bin[HISTOGRAM_WIDTH] + 1,
				c->bin[HISTOGRAM_ESTIMATE] + 1);
		fprintf(f, " %d:%" PRIu64, c->bin[HISTOGRAM_RUNTIME] + 1, c->upto - before);
		before = c->upto;
		last = c;
	}
	fprintf(f, "\n");
	if (fflush(f) || ferror(f))
		return errno ? errno : EIO;
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* histogram_read: histograms from text, see histogram.h and "Histograms" in doc/formats.md. */
#include "sim/models/histogram.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sched.h"
#include "common/number.h"
#include "common/why.h"

#define MAX_FILE ((size_t)64 << 20)
#define MAX_WORD 32

/* More jobs than this in one histogram would not fit into 63 bits, with every cell in use. */
#define MAX_COUNT UINT64_C(1000000000000)

static const char *const axis_name[] = { "width", "estimate", "runtime" };

struct reader {
	const char *name;
	const char *at, *line_end, *end; /* what is left of the text, of its line */
	uint64_t line;
	bool header, weibull;
	struct histogram *h;
	char word[MAX_WORD + 1]; /* the last one read */
	char *why;
	size_t size;
};

static int wrong(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int wrong(struct reader *r, const char *format, ...)
{
	char text[160];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	return why_set(r->why, r->size, PACT_EINVAL, "%s:%" PRIu64 ": %s", r->name, r->line, text);
}

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* The next word of the line, cut if it is longer than any that could be right; "": there is none. */
static const char *next_word(struct reader *r)
{
	size_t n = 0;

	while (r->at < r->line_end && blank(*r->at))
		r->at++;
	for (; r->at < r->line_end && !blank(*r->at); r->at++)
		if (n < MAX_WORD)
			r->word[n++] = *r->at;
	r->word[n] = '\0';
	return r->word;
}

static int take_int(struct reader *r, const char *what, int64_t lo, int64_t hi, int64_t *out)
{
	const char *word = next_word(r);

	if (number_int(word, out) && *out >= lo && *out <= hi)
		return PACT_OK;
	return wrong(r, "%s '%s': a whole number from %" PRId64 " to %" PRId64 " wanted", what,
		     word, lo, hi);
}

static int take_decimal(struct reader *r, const char *what, int64_t lo_micro, int64_t hi_micro,
			int64_t *out)
{
	const char *word = next_word(r);

	if (number_micro(word, out) && *out >= lo_micro && *out <= hi_micro)
		return PACT_OK;
	return wrong(r, "%s '%s': a number from %g to %g wanted", what, word,
		     (double)lo_micro / 1e6, (double)hi_micro / 1e6);
}

/* The rest of the line. */
static int take_source(struct reader *r)
{
	char *text;

	while (r->at < r->line_end && blank(*r->at))
		r->at++;
	text = strndup(r->at, (size_t)(r->line_end - r->at));
	if (!text)
		return PACT_ENOMEM;
	free(r->h->source);
	r->h->source = text;
	r->at = r->line_end;
	return PACT_OK;
}

static int take_weibull(struct reader *r)
{
	int err = take_decimal(r, "alpha", 100000, 100000000, &r->h->alpha_micro);

	if (!err)
		err = take_decimal(r, "beta", 1, INT64_C(1000000000000000), &r->h->beta_micro);
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
		return wrong(r, "a bin after the first cell");
	if (n == HISTOGRAM_MAX_BINS)
		return wrong(r, "more than %d bins of %s", HISTOGRAM_MAX_BINS, axis_name[axis]);
	err = take_int(r, axis_name[axis], n ? h->bin[axis][n - 1].hi + 1 : 1, most, &b.lo);
	if (!err)
		err = take_int(r, axis_name[axis], b.lo, most, &b.hi);
	if (!err)
		err = take_decimal(r, "mean", b.lo * 1000000, b.hi * 1000000, &mean);
	if (err)
		return err;
	b.mean_milli = mean / 1000;
	return histogram_add_bin(h, axis, b);
}

/* RUNTIME:COUNT */
static int take_count(struct reader *r, uint16_t bin[HISTOGRAM_AXES])
{
	uint64_t runtime, count;
	char *colon = strchr(r->word, ':');

	if (colon)
		*colon = '\0';
	if (!colon || !number_unsigned(r->word, &runtime) || !number_unsigned(colon + 1, &count) ||
	    runtime < 1 || runtime > r->h->bins[HISTOGRAM_RUNTIME] || count < 1 ||
	    count > MAX_COUNT) {
		if (colon)
			*colon = ':';
		return wrong(r, "'%s': RUNTIME:COUNT wanted, a bin from 1 to %zu and 1 to %" PRIu64,
			     r->word, r->h->bins[HISTOGRAM_RUNTIME], MAX_COUNT);
	}
	bin[HISTOGRAM_RUNTIME] = (uint16_t)(runtime - 1);
	if (r->h->cells == HISTOGRAM_MAX_CELLS)
		return wrong(r, "more than %d cells", HISTOGRAM_MAX_CELLS);
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
			return wrong(r, "a cell before the bins of %s", axis_name[axis]);
		err = take_int(r, axis_name[axis], 1, (int64_t)r->h->bins[axis], &v);
		bin[axis] = (uint16_t)(v - 1);
	}
	while (!err && *next_word(r))
		err = take_count(r, bin);
	if (!err && r->h->cells == before)
		err = wrong(r, "a cell without RUNTIME:COUNT");
	return err;
}

static int take_line(struct reader *r)
{
	const char *key = next_word(r);
	int64_t version;

	if (!*key || *key == '#') {
		r->at = r->line_end;
		return PACT_OK;
	}
	if (!r->header) {
		r->header = !strcmp(key, "pact-histogram");
		if (!r->header)
			return wrong(r, "not a histogram: the first line must be "
					"'pact-histogram 1'");
		return take_int(r, "version", 1, 1, &version);
	}
	if (!strcmp(key, "source"))
		return take_source(r);
	if (!strcmp(key, "nodes"))
		return take_int(r, "nodes", 1, INT32_MAX, &r->h->nodes);
	if (!strcmp(key, "weibull"))
		return take_weibull(r);
	if (!strcmp(key, "cell"))
		return take_cells(r);
	for (int axis = 0; axis < HISTOGRAM_AXES; axis++)
		if (!strcmp(key, axis_name[axis]))
			return take_bin(r, (enum histogram_axis)axis);
	return wrong(r, "unknown key '%s' (source, nodes, weibull, width, estimate, runtime, cell)",
		     key);
}

static int take_all(struct reader *r)
{
	int err = PACT_OK;

	while (!err && r->at < r->end) {
		const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));

		r->line++;
		r->line_end = newline ? newline : r->end;
		if (memchr(r->at, '\0', (size_t)(r->line_end - r->at)))
			return wrong(r, "the line holds a zero byte");
		err = take_line(r);
		if (!err && *next_word(r))
			err = wrong(r, "'%s' is more than this line can hold", r->word);
		r->at = newline ? newline + 1 : r->end;
	}
	if (!err && !r->header)
		err = wrong(r, "not a histogram: the file is empty");
	if (!err && !r->weibull)
		err = wrong(r, "no line 'weibull ALPHA BETA'");
	if (!err && !r->h->cells)
		err = wrong(r, "no cells");
	return err;
}

int histogram_parse(const char *name, const char *text, size_t length, struct histogram **h,
		    char *why, size_t size)
{
	struct reader r = {
		.name = name, .at = text, .end = text + length, .why = why, .size = size
	};
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

/* The whole file in memory; a pipe will do. *text is the caller's. */
static int slurp(const char *path, FILE *f, char **text, size_t *length, char *why, size_t size)
{
	size_t room = 0, n;

	for (;;) {
		if (*length == room) {
			char *grown = realloc(*text, room = room ? 2 * room : 65536);

			if (!grown)
				return why_set(why, size, PACT_ENOMEM, "%s: out of memory", path);
			*text = grown;
		}
		n = fread(*text + *length, 1, room - *length, f);
		*length += n;
		if (*length > MAX_FILE)
			return why_set(why, size, PACT_EINVAL,
				       "%s: larger than 64 MiB, not a histogram", path);
		if (n)
			continue;
		if (ferror(f))
			return why_set(why, size, PACT_EINVAL, "%s: %s", path, strerror(errno));
		return PACT_OK;
	}
}

int histogram_read(const char *path, struct histogram **h, char *why, size_t size)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	size_t length = 0;
	int err;

	*h = NULL;
	if (!f)
		return why_set(why, size, PACT_EINVAL, "%s: %s", path, strerror(errno));
	err = slurp(path, f, &text, &length, why, size);
	fclose(f);
	if (!err)
		err = histogram_parse(path, text, length, h, why, size);
	free(text);
	return err;
}

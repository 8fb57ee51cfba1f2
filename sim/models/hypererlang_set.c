/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hypererlang_set: see hypererlang_set.h. */
#include "sim/models/hypererlang_set.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/sched.h"
#include "common/why.h"
#include "sim/models/lines.h"

#define MICRO INT64_C(1000000)

extern const char hypererlang_blue[];
extern const size_t hypererlang_blue_length;

const char *hypererlang_set_builtin(const char *name, size_t *length)
{
	if (strcmp(name, "blue") != 0)
		return NULL;
	*length = hypererlang_blue_length;
	return hypererlang_blue;
}

struct hypererlang_set *hypererlang_set_create(void)
{
	struct hypererlang_set *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->source = calloc(1, 1);
	if (s->source)
		return s;
	free(s);
	return NULL;
}

void hypererlang_set_destroy(struct hypererlang_set *s)
{
	if (!s)
		return;
	free(s->source);
	free(s->class);
	free(s);
}

int hypererlang_set_add(struct hypererlang_set *s, const struct hypererlang_class *class)
{
	/* There are few: one by one will do. */
	struct hypererlang_class *grown = realloc(s->class, (s->classes + 1) * sizeof(*grown));

	if (!grown)
		return PACT_ENOMEM;
	s->class = grown;
	grown[s->classes++] = *class;
	return PACT_OK;
}

int hypererlang_times_fit(struct hypererlang_times *t, char *why, size_t size)
{
	int err = hypererlang_fit(t->moment, &t->fit, why, size);

	if (err || t->fit.order <= HYPERERLANG_MAX_DRAWN)
		return err;
	return why_set(why, size, PACT_EINVAL, "order %" PRId64 " is needed, %d are drawn at most",
		       t->fit.order, HYPERERLANG_MAX_DRAWN);
}

/* ---- reading ---- */

/* A class that its two lines have not completed yet is wrong wherever the next one begins. */
static int check_last(struct lines *r, const struct hypererlang_set *s)
{
	const struct hypererlang_class *c = s->classes ? &s->class[s->classes - 1] : NULL;

	if (!c || (c->interarrival.fit.order && c->runtime.fit.order))
		return PACT_OK;
	return lines_wrong(r, "the class before, %" PRId32 " to %" PRId32 ", has no %s", c->lo,
			   c->hi, c->interarrival.fit.order ? "runtime" : "interarrival");
}

/* LO HI UPPER */
static int take_class(struct lines *r, struct hypererlang_set *s)
{
	int64_t from = s->classes ? s->class[s->classes - 1].hi + INT64_C(1) : 1, lo, hi;
	struct hypererlang_class c = { 0 };
	int err = check_last(r, s);

	if (!err && s->classes == HYPERERLANG_MAX_CLASSES)
		err = lines_wrong(r, "more than %d classes", HYPERERLANG_MAX_CLASSES);
	if (!err)
		err = lines_int(r, "width", from, INT32_MAX, &lo);
	if (!err)
		err = lines_int(r, "width", lo, INT32_MAX, &hi);
	if (!err)
		err = lines_decimal(r, "chance", 0, MICRO, &c.upper_micro);
	if (err)
		return err;
	c.lo = (int32_t)lo;
	c.hi = (int32_t)hi;
	return hypererlang_set_add(s, &c);
}

/* M1 M2 M3 */
static int take_times(struct lines *r, struct hypererlang_set *s, const char *key)
{
	static const char *const name[HYPERERLANG_MOMENTS] = { "m1", "m2", "m3" };
	struct hypererlang_class *c = s->classes ? &s->class[s->classes - 1] : NULL;
	struct hypererlang_times *t;
	char reason[160];
	int err = PACT_OK;

	if (!c)
		return lines_wrong(r, "%s before the first class", key);
	t = !strcmp(key, "runtime") ? &c->runtime : &c->interarrival;
	if (t->fit.order)
		return lines_wrong(r, "a second %s of this class", key);
	for (int k = 0; k < HYPERERLANG_MOMENTS && !err; k++)
		err = lines_real(r, name[k], &t->moment[k]);
	if (err)
		return err;
	return hypererlang_times_fit(t, reason, sizeof(reason))
		       ? lines_wrong(r, "%s: %s", key, reason)
		       : PACT_OK;
}

static int take_line(struct lines *r, const char *key, void *arg)
{
	struct hypererlang_set *s = arg;

	if (!strcmp(key, "source"))
		return lines_rest(r, &s->source);
	if (!strcmp(key, "nodes"))
		return lines_int(r, "nodes", 1, INT32_MAX, &s->nodes);
	if (!strcmp(key, "load"))
		return lines_decimal(r, "load", 1, 1000 * MICRO, &s->load_micro);
	if (!strcmp(key, "class"))
		return take_class(r, s);
	if (!strcmp(key, "interarrival") || !strcmp(key, "runtime"))
		return take_times(r, s, key);
	return lines_wrong(
		r, "unknown key '%s' (source, nodes, load, class, interarrival, runtime)", key);
}

int hypererlang_set_parse(const char *name, const char *text, size_t length,
			  struct hypererlang_set **out, char *why, size_t size)
{
	struct lines r = { .kind = "hypererlang",
			   .name = name,
			   .at = text,
			   .end = text + length,
			   .why = why,
			   .size = size };
	struct hypererlang_set *s = hypererlang_set_create();
	int err = s ? lines_each(&r, take_line, s) : PACT_ENOMEM;

	*out = NULL;
	if (!err && !s->classes)
		err = lines_wrong(&r, "no classes");
	if (!err)
		err = check_last(&r, s);
	if (!err) {
		*out = s;
		return PACT_OK;
	}
	hypererlang_set_destroy(s);
	if (err == PACT_ENOMEM)
		why_set(why, size, err, "%s: out of memory", name);
	return err;
}

int hypererlang_set_read(const char *path, struct hypererlang_set **s, char *why, size_t size)
{
	char *text;
	size_t length;
	int err = lines_slurp(path, "a hypererlang set", &text, &length, why, size);

	*s = NULL;
	if (!err)
		err = hypererlang_set_parse(path, text, length, s, why, size);
	free(text);
	return err;
}

/* ---- writing ---- */

static void write_times(FILE *f, const char *key, const struct hypererlang_times *t)
{
	fprintf(f, "%s", key);
	for (int k = 0; k < HYPERERLANG_MOMENTS; k++)
		fprintf(f, " %.17g", t->moment[k]);
	fputc('\n', f);
}

void hypererlang_set_write(const struct hypererlang_set *s, FILE *f)
{
	if (*s->source)
		fprintf(f, "source %s\n", s->source);
	if (s->nodes)
		fprintf(f, "nodes %" PRId64 "\n", s->nodes);
	if (s->load_micro)
		fprintf(f, "load %" PRId64 ".%06" PRId64 "\n", s->load_micro / MICRO,
			s->load_micro % MICRO);
	for (size_t i = 0; i < s->classes; i++) {
		const struct hypererlang_class *c = &s->class[i];

		fprintf(f, "class %" PRId32 " %" PRId32 " %" PRId64 ".%06" PRId64 "\n", c->lo,
			c->hi, c->upper_micro / MICRO, c->upper_micro % MICRO);
		write_times(f, "interarrival", &c->interarrival);
		write_times(f, "runtime", &c->runtime);
	}
}

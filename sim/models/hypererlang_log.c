/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hypererlang_log: see hypererlang_log.h. */
#include "sim/models/hypererlang_log.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/sched.h"
#include "common/exits.h"
#include "common/why.h"

#define MICRO 1000000

/* Sums over the jobs of a class. */
struct sums {
	int32_t lo, hi;
	uint64_t jobs, upper; /* of these, as wide as hi */
	int64_t first, last;  /* submissions */
	double width, gap[HYPERERLANG_MOMENTS], runtime[HYPERERLANG_MOMENTS];
};

static int class_of(int32_t width)
{
	return width < 2 ? 0 : 32 - __builtin_clz((uint32_t)width - 1);
}

static int32_t class_from(int k)
{
	return k < 2 ? k + 1 : (INT32_C(1) << (k - 1)) + 1;
}

/* As far as the machine goes, whose size is 0 if it is not known. */
static int32_t class_to(int k, int64_t nodes)
{
	int32_t to = k < 31 ? INT32_C(1) << k : INT32_MAX;

	return nodes && nodes < to ? (int32_t)nodes : to;
}

static void add_powers(double sum[HYPERERLANG_MOMENTS], int64_t value)
{
	double power = 1;

	for (int k = 0; k < HYPERERLANG_MOMENTS; k++) {
		power *= (double)value;
		sum[k] += power;
	}
}

static void add_up(struct sums s[HYPERERLANG_LOG_CLASSES], const struct workload *w)
{
	for (size_t i = 0; i < w->count; i++) {
		const struct sim_job *j = &w->job[i];
		struct sums *c = &s[class_of(j->width)];

		if (c->jobs++)
			add_powers(c->gap, j->submit - c->last);
		else
			c->first = j->submit;
		c->last = j->submit;
		c->upper += j->width == c->hi;
		c->width += j->width;
		add_powers(c->runtime, j->runtime);
	}
}

/* The chance that, beside the uniform draw, makes the share of the widest come out. */
static int64_t upper_chance(const struct sums *s)
{
	double uniform = 1 / ((double)s->hi - s->lo + 1);
	double share = (double)s->upper / (double)s->jobs;

	if (s->lo == s->hi || share <= uniform)
		return 0;
	return llround((share - uniform) / (1 - uniform) * MICRO);
}

static void fit_times(const double sum[HYPERERLANG_MOMENTS], uint64_t n,
		      struct hypererlang_times *t, struct hypererlang_log_times *told)
{
	for (int k = 0; k < HYPERERLANG_MOMENTS; k++)
		t->moment[k] = told->wanted[k] = sum[k] / (double)n;
	if (hypererlang_times_fit(t, told->raised, sizeof(told->raised)) == PACT_OK)
		return;
	hypererlang_raise(t->moment, HYPERERLANG_MAX_DRAWN);
	hypererlang_times_fit(t, NULL, 0);
}

static int fit_class(struct hypererlang_log *l, const struct sums *s,
		     struct hypererlang_log_class *told)
{
	struct hypererlang_class c = { .lo = s->lo, .hi = s->hi };

	told->lo = s->lo;
	told->hi = s->hi;
	told->jobs = s->jobs;
	told->width_mean = s->jobs ? s->width / (double)s->jobs : 0;
	if (s->jobs < 3)
		snprintf(told->left_out, sizeof(told->left_out), "fewer than three jobs");
	else if (s->last == s->first)
		snprintf(told->left_out, sizeof(told->left_out), "all submitted at once");
	if (*told->left_out)
		return PACT_OK;
	c.upper_micro = upper_chance(s);
	fit_times(s->gap, s->jobs - 1, &c.interarrival, &told->interarrival);
	fit_times(s->runtime, s->jobs, &c.runtime, &told->runtime);
	return hypererlang_set_add(l->set, &c);
}

int hypererlang_log_fit(struct hypererlang_log *l, const struct workload *w, int64_t nodes,
			const char *source, char *why, size_t size)
{
	struct sums *s = calloc(HYPERERLANG_LOG_CLASSES, sizeof(*s));
	char *copy = strdup(source ? source : "");
	int err;

	memset(l, 0, sizeof(*l));
	l->set = hypererlang_set_create();
	err = s && copy && l->set ? PACT_OK : PACT_ENOMEM;
	for (int k = 0; k < HYPERERLANG_LOG_CLASSES && !err; k++) {
		s[k].lo = class_from(k);
		s[k].hi = class_to(k, nodes);
	}
	if (!err)
		add_up(s, w);
	for (int k = 0; k < HYPERERLANG_LOG_CLASSES && !err; k++)
		err = fit_class(l, &s[k], &l->class[k]);
	free(s);
	if (err) {
		free(copy);
		return why_set(why, size, err, "out of memory");
	}
	free(l->set->source);
	l->set->source = copy;
	l->set->nodes = nodes;
	if (l->set->classes)
		return PACT_OK;
	return why_set(why, size, PACT_EINVAL,
		       "no class of widths has three jobs that are not submitted all at once");
}

void hypererlang_log_release(struct hypererlang_log *l)
{
	hypererlang_set_destroy(l->set);
	l->set = NULL;
}

/* ---- telling ---- */

static void tell_times(const char *prefix, const char *name, const struct hypererlang_times *t,
		       const struct hypererlang_log_times *told, FILE *f)
{
	double got[HYPERERLANG_MOMENTS], off = 0;

	hypererlang_moments(&t->fit, got);
	for (int k = 0; k < HYPERERLANG_MOMENTS; k++)
		off = fmax(off, fabs(got[k] / told->wanted[k] - 1));
	fprintf(f,
		"%s  %-12s n=%-4" PRId64
		" wanted %.6g %.6g %.6g, got %.6g %.6g %.6g, off by %.1e\n",
		prefix, name, t->fit.order, told->wanted[0], told->wanted[1], told->wanted[2],
		got[0], got[1], got[2], off);
	if (*told->raised)
		fprintf(f, "%s  %-12s not feasible: %s; raised to the nearest that is\n", prefix,
			"", told->raised);
}

/* Of what is drawn. */
static double width_mean(const struct hypererlang_class *c)
{
	double upper = (double)c->upper_micro / MICRO;

	return upper * c->hi + (1 - upper) * ((double)c->lo + c->hi) / 2;
}

void hypererlang_log_tell(const struct hypererlang_log *l, const char *prefix, FILE *f)
{
	const struct hypererlang_class *c = l->set->class;

	fprintf(f, "%sHyper-Erlang fits of %s: n stages, the means of x, x^2, x^3 in seconds\n",
		prefix, *l->set->source ? l->set->source : "a log");
	for (int k = 0; k < HYPERERLANG_LOG_CLASSES; k++) {
		const struct hypererlang_log_class *told = &l->class[k];

		if (!told->jobs)
			continue;
		fprintf(f, "%swidths %" PRId32 " to %" PRId32 ", %" PRIu64 " job%s: ", prefix,
			told->lo, told->hi, told->jobs, told->jobs == 1 ? "" : "s");
		if (*told->left_out) {
			fprintf(f, "left out, %s\n", told->left_out);
			continue;
		}
		fprintf(f, "mean width wanted %.6g, got %.6g\n", told->width_mean, width_mean(c));
		tell_times(prefix, "interarrival", &c->interarrival, &told->interarrival, f);
		tell_times(prefix, "runtime", &c->runtime, &told->runtime, f);
		c++;
	}
}

static int write_all(const struct hypererlang_log *l, FILE *f)
{
	fprintf(f, "pact-hypererlang 1\n");
	hypererlang_log_tell(l, "# ", f);
	hypererlang_set_write(l->set, f);
	if (fflush(f) == 0 && !ferror(f))
		return 0;
	return errno ? errno : EIO;
}

static int write_to(const struct hypererlang_log *l, const char *path)
{
	FILE *f = fopen(path, "w");
	int err = f ? write_all(l, f) : errno;

	if (f && fclose(f) && !err)
		err = errno;
	return err;
}

static int fit_survey(struct hypererlang_log *l, const struct survey *s, const char *path,
		      char *why, size_t size)
{
	const char *slash = strrchr(path, '/');
	struct workload w;
	int err;

	workload_init(&w);
	err = survey_workload(s, &w);
	if (err)
		why_set(why, size, err, "out of memory");
	else
		err = hypererlang_log_fit(l, &w, s->nodes, slash ? slash + 1 : path, why, size);
	workload_release(&w);
	return err;
}

int hypererlang_log_to_file(const struct survey *s, const char *path, const char *out, bool tell)
{
	struct hypererlang_log l = { 0 };
	char why[256];
	int err = fit_survey(&l, s, path, why, sizeof(why));

	if (err) {
		fprintf(stderr, "pact-sim: %s: %s\n", path, why);
		hypererlang_log_release(&l);
		return err == PACT_EINVAL ? EXIT_INPUT : err;
	}
	if (tell)
		hypererlang_log_tell(&l, "", stdout);
	err = strcmp(out, "-") != 0 ? write_to(&l, out) : write_all(&l, stdout);
	hypererlang_log_release(&l);
	if (!err)
		return EXIT_OK;
	fprintf(stderr, "pact-sim: cannot write %s: %s\n", out, strerror(err));
	return EXIT_OUTPUT;
}

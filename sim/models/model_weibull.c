/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_weibull: the generator in dynP, section 4, as the models "weibull" and "histogram". The
 * interarrival times are Weibull; width, estimate and runtime are drawn from a joint histogram. Their
 * settings:
 *
 *   histogram=NAME|FILE  one of the built-in ones, ctc (the default of "weibull"), kth, pc2 and
 *                        sdsc, or a file as `pact-sim trace --histogram` writes it, which "histogram"
 *                        needs
 *   alpha=0, beta=0      of F(x) = 1 - exp(-(x / beta)^alpha), x in seconds; 0: the histogram's. The
 *                        built-in ones have those of Table 2: ctc 0.35 and 60, kth 0.35 and 200,
 *                        pc2 0.25 and 40, sdsc 0.4 and 290. A smaller beta is a higher load.
 *
 * Jobs wider than the machine are left out of the histogram before drawing. Per job the draws are:
 * interarrival time, then histogram_draw()'s.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/sched.h"
#include "sim/models/histogram.h"
#include "sim/models/model_kind.h"
#include "common/why.h"

struct weibull {
	struct model head;
	char *name; /* setting "histogram"; NULL: not given */
	int64_t alpha_micro, beta_micro;
	struct histogram *histogram;
};

static void weibull_init(struct model *head)
{
	(void)head;
}

static int weibull_set(struct model *head, const char *key, const char *value, char *why,
		       size_t size)
{
	struct weibull *m = (struct weibull *)head;
	char *copy;

	if (!strcmp(key, "alpha"))
		return model_set_fraction(key, value, 100000, 100000000, &m->alpha_micro, why,
					  size);
	if (!strcmp(key, "beta"))
		return model_set_fraction(key, value, 1000, INT64_C(1000000000000), &m->beta_micro,
					  why, size);
	if (strcmp(key, "histogram") != 0)
		return MODEL_UNKNOWN_KEY;
	copy = strdup(value);
	if (!copy)
		return why_set(why, size, PACT_ENOMEM, "out of memory");
	free(m->name);
	m->name = copy;
	return PACT_OK;
}

static int load_histogram(struct weibull *m, char *why, size_t size)
{
	const char *name = m->name;
	char reason[256];
	const char *text;
	size_t length;
	int err;

	if (!name && m->head.kind == &model_histogram)
		return why_set(why, size, PACT_EINVAL,
			       "model histogram needs the setting histogram=FILE (pact-sim trace "
			       "--histogram makes one)");
	if (!name)
		name = "ctc";
	text = histogram_builtin(name, &length);
	if (text)
		return histogram_parse(name, text, length, &m->histogram, why, size);
	err = histogram_read(name, &m->histogram, reason, sizeof(reason));
	return err ? why_set(why, size, err, "histogram=%s%s", reason,
			     access(name, F_OK) ? "; built in are ctc, kth, pc2 and sdsc" : "")
		   : PACT_OK;
}

static int weibull_begin(struct model *head, char *why, size_t size)
{
	struct weibull *m = (struct weibull *)head;
	int err = load_histogram(m, why, size);

	if (err)
		return err;
	if (histogram_fit(m->histogram, head->nodes))
		return why_set(why, size, PACT_EINVAL,
			       "histogram %s: every job is wider than %u node%s",
			       m->name ? m->name : "ctc", head->nodes, head->nodes == 1 ? "" : "s");
	if (!m->alpha_micro)
		m->alpha_micro = m->histogram->alpha_micro;
	if (!m->beta_micro)
		m->beta_micro = m->histogram->beta_micro;
	return PACT_OK;
}

static uint64_t weibull_next(struct model *head, struct sim_job *job)
{
	struct weibull *m = (struct weibull *)head;
	uint64_t gap = rng_weibull_q16(&head->rng, m->alpha_micro, m->beta_micro);

	histogram_draw(m->histogram, &head->rng, job);
	return gap;
}

static void weibull_release(struct model *head)
{
	struct weibull *m = (struct weibull *)head;

	histogram_destroy(m->histogram);
	free(m->name);
}

#define WEIBULL_KIND \
	.settings = "histogram, alpha, beta", .size = sizeof(struct weibull), \
	.init = weibull_init, .set = weibull_set, .begin = weibull_begin, .next = weibull_next, \
	.release = weibull_release

const struct model_kind model_weibull = { .name = "weibull", WEIBULL_KIND };
const struct model_kind model_histogram = { .name = "histogram", WEIBULL_KIND };

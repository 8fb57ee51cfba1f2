/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_options: see run_options.h. */
#include "sim/commands/run_options.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sim/workload/load.h"
#include "sim/models/model.h"
#include "common/number.h"
#include "common/why.h"

#define MICRO INT64_C(1000000)
#define MAX_KEY 64

void run_options_init(struct run_options *o)
{
	*o = (struct run_options){
		.shrink_micro = MICRO,
		.delay_micro = MICRO,
		.load_micro = MICRO,
		.seed = 1,
	};
	sched_config_init(&o->config);
	deadlines_parse("none", &o->deadlines, NULL, 0);
	ranges_init(&o->ranges);
	answers_init(&o->answers);
}

static int wrong(char *why, size_t size, const char *option, const char *value, const char *what)
{
	return why_set(why, size, PACT_EINVAL, "--%s %s: %s", option, value, what);
}

static int set_trace(struct run_options *o, const char *value, char *why, size_t size)
{
	(void)why;
	(void)size;
	o->trace = value;
	return PACT_OK;
}

static int set_model(struct run_options *o, const char *value, char *why, size_t size)
{
	(void)why;
	(void)size;
	o->model = value;
	return PACT_OK;
}

static int set_nodes(struct run_options *o, const char *value, char *why, size_t size)
{
	int64_t v;

	if (!number_int(value, &v) || v < 1)
		return wrong(why, size, "nodes", value, "not a number of nodes");
	if (v > RUN_MAX_NODES)
		return why_set(why, size, PACT_EINVAL, "--nodes %s: more than %d nodes", value,
			       RUN_MAX_NODES);
	o->nodes = v;
	return PACT_OK;
}

/* FIRST:COUNT, both at least 1. */
static int set_jobs(struct run_options *o, const char *value, char *why, size_t size)
{
	char copy[64], *colon;
	uint64_t first, count;

	snprintf(copy, sizeof(copy), "%s", value);
	colon = strchr(copy, ':');
	if (colon)
		*colon++ = '\0';
	if (strlen(value) >= sizeof(copy) || !colon || !number_unsigned(copy, &first) ||
	    !number_unsigned(colon, &count) || !first || !count || first > SIZE_MAX / 2 ||
	    count > SIZE_MAX / 2)
		return wrong(why, size, "jobs", value, "not FIRST:COUNT, both from 1");
	o->first = first;
	o->count = count;
	return PACT_OK;
}

/* A factor, kept in millionths. */
static int set_factor(int64_t *micro, const char *key, const char *value, char *why, size_t size)
{
	int64_t v;

	if (!number_micro(value, &v) || v < 1 || v > LOAD_MAX_MICRO)
		return wrong(why, size, key, value, "not a factor above 0, up to 1000");
	*micro = v;
	return PACT_OK;
}

static int set_shrink(struct run_options *o, const char *value, char *why, size_t size)
{
	return set_factor(&o->shrink_micro, "shrink", value, why, size);
}

/* As a factor, but 0 is one. */
static int set_delay(struct run_options *o, const char *value, char *why, size_t size)
{
	int64_t v;

	if (!number_micro(value, &v) || v > LOAD_MAX_MICRO)
		return wrong(why, size, "arrival-delay", value, "not a factor from 0 to 1000");
	o->delay_micro = v;
	return PACT_OK;
}

static int set_load(struct run_options *o, const char *value, char *why, size_t size)
{
	return set_factor(&o->load_micro, "load", value, why, size);
}

static int set_load_by(struct run_options *o, const char *value, char *why, size_t size)
{
	bool expand = !strcmp(value, "expand");

	if (!expand && strcmp(value, "duplicate") != 0)
		return wrong(why, size, "load-by", value, "duplicate or expand wanted");
	o->expand = expand;
	return PACT_OK;
}

static int set_estimates(struct run_options *o, const char *value, char *why, size_t size)
{
	struct estimates e;
	char reason[128];

	if (estimates_parse(value, &e, reason, sizeof(reason)))
		return wrong(why, size, "estimates", value, reason);
	o->estimates = e;
	return PACT_OK;
}

static int set_deadlines(struct run_options *o, const char *value, char *why, size_t size)
{
	struct deadlines d;
	int err = deadlines_parse(value, &d, why, size);

	/* Keys that were given by themselves hold, too, whichever comes first. */
	for (size_t i = 0; i < o->ngiven && !err; i++)
		if (deadlines_has_key(o->given[i].option))
			err = deadlines_set(&d, o->given[i].option, o->given[i].value, why, size);
	if (err)
		return err;
	o->deadlines = d;
	if (d.relax_micro >= 0)
		o->config.relax_milli = d.relax_micro / 1000;
	return PACT_OK;
}

static int set_malleable(struct run_options *o, const char *value, char *why, size_t size)
{
	struct ranges r;
	char reason[256];

	if (ranges_parse(value, &r, reason, sizeof(reason)))
		return wrong(why, size, "malleable", value, reason);
	o->ranges = r;
	return PACT_OK;
}

static int set_answers(struct run_options *o, const char *value, char *why, size_t size)
{
	struct answers a;
	char reason[256];

	if (answers_parse(value, &a, reason, sizeof(reason)))
		return wrong(why, size, "answers", value, reason);
	o->answers = a;
	return PACT_OK;
}

static int set_launch(struct run_options *o, const char *value, char *why, size_t size)
{
	char reason[128];

	return launches_parse(value, &o->launches, reason, sizeof(reason))
		       ? wrong(why, size, "launch", value, reason)
		       : PACT_OK;
}

static int set_seed(struct run_options *o, const char *value, char *why, size_t size)
{
	uint64_t v;

	if (!number_unsigned(value, &v) || v > INT64_MAX)
		return wrong(why, size, "seed", value, "not a whole number from 0 to 2^63-1");
	o->seed = v;
	return PACT_OK;
}

static int set_scheduler(struct run_options *o, const char *value, char *why, size_t size)
{
	char names[256] = "", reason[200];

	if (sched_name_valid(value, reason, sizeof(reason))) {
		o->scheduler = value;
		return PACT_OK;
	}
	if (strpbrk(value, "@+"))
		return wrong(why, size, "scheduler", value, reason);
	for (const char *const *p = sched_names(); *p; p++) {
		size_t used = strlen(names);

		snprintf(names + used, sizeof(names) - used, " %s", *p);
	}
	return why_set(why, size, PACT_EINVAL, "--scheduler %s: there are%s", value, names);
}

static int set_mode(struct run_options *o, const char *value, char *why, size_t size)
{
	return settings_apply(&o->config, "Mode", value, why, size) ? PACT_OK : PACT_EINVAL;
}

static int set_guard(struct run_options *o, const char *value, char *why, size_t size)
{
	return settings_apply(&o->config, "Guard", value, why, size) ? PACT_OK : PACT_EINVAL;
}

/* A scheduler's key goes into the configuration at once, a model's waits for the model. */
static int set_setting(struct run_options *o, const char *text, char *why, size_t size)
{
	const char *value = strchr(text, '=');
	char key[MAX_KEY], reason[512];

	if (!value || value == text)
		return wrong(why, size, "set", text, "not KEY=VALUE");
	if ((size_t)(value - text) >= sizeof(key))
		return wrong(why, size, "set", text, "unknown setting");
	if (!strncmp(text, "model.", 6)) {
		if (o->nsettings == RUN_MAX_SETTINGS)
			return wrong(why, size, "set", text, "too many settings");
		o->setting[o->nsettings++] = text + 6;
		return PACT_OK;
	}
	snprintf(key, sizeof(key), "%.*s", (int)(value - text), text);
	if (settings_apply(&o->config, key, value + 1, reason, sizeof(reason)))
		return PACT_OK;
	return why_set(why, size, PACT_EINVAL, "--set %s", reason);
}

static const struct {
	const char *name;
	int (*set)(struct run_options *o, const char *value, char *why, size_t size);
} options[] = {
	{ "trace", set_trace },		{ "model", set_model },
	{ "nodes", set_nodes },		{ "jobs", set_jobs },
	{ "shrink", set_shrink },	{ "arrival-delay", set_delay },
	{ "load", set_load },		{ "load-by", set_load_by },
	{ "estimates", set_estimates }, { "deadlines", set_deadlines },
	{ "malleable", set_malleable }, { "answers", set_answers },
	{ "launch", set_launch },	{ "seed", set_seed },
	{ "scheduler", set_scheduler }, { "mode", set_mode },
	{ "guard", set_guard },		{ "set", set_setting },
};

#define OPTIONS (sizeof(options) / sizeof(options[0]))

const char *const *run_options_names(void)
{
	static const char *names[OPTIONS + 1];

	for (size_t i = 0; i < OPTIONS; i++)
		names[i] = options[i].name;
	return names;
}

/* One key of --deadlines. */
static int set_deadline_key(struct run_options *o, const char *key, const char *value, char *why,
			    size_t size)
{
	int err = deadlines_set(&o->deadlines, key, value, why, size);

	if (!err && o->deadlines.relax_micro >= 0)
		o->config.relax_milli = o->deadlines.relax_micro / 1000;
	return err;
}

/* ---- what was given ---- */

/* The key of a setting or of a list, as far as one of `ends`. */
static void take_name(char name[MAX_KEY], const char *text, const char *ends)
{
	size_t n = strcspn(text, ends);

	snprintf(name, MAX_KEY, "%.*s", (int)(n < MAX_KEY ? n : MAX_KEY - 1), text);
}

/* Is it one thing under two names? */
static bool same_name(const char *a, const char *b)
{
	const char *x = strcasecmp(a, "relax") ? a : "Relaxation";
	const char *y = strcasecmp(b, "relax") ? b : "Relaxation";

	return !strcasecmp(x, y);
}

/* Does --deadlines say something about this key of it? "none" and a file leave nothing to be said. */
static bool deadlines_tell(const char *text, const char *key)
{
	char name[MAX_KEY];

	if (!deadlines_is_list(text))
		return deadlines_has_key(key);
	for (const char *at = text; at; at = strchr(at, ',')) {
		at += *at == ',';
		take_name(name, at, ":");
		if (same_name(name, key))
			return true;
	}
	return false;
}

static bool is_named(const struct run_given *g, const char *name)
{
	char key[MAX_KEY];

	if (!strcmp(g->option, "deadlines") && strcmp(name, "deadlines") != 0)
		return deadlines_tell(g->value, name);
	if (strcmp(g->option, "set") != 0)
		return same_name(g->option, name);
	take_name(key, g->value, "=");
	return same_name(key, name);
}

const struct run_given *run_options_given(const struct run_options *o, const char *name)
{
	for (size_t i = 0; i < o->ngiven; i++)
		if (is_named(&o->given[i], name))
			return &o->given[i];
	return NULL;
}

void run_options_reopen(struct run_options *o, const char *option)
{
	size_t kept = 0;

	for (size_t i = 0; i < o->ngiven; i++)
		if (strcmp(o->given[i].option, option) != 0)
			o->given[kept++] = o->given[i];
	o->ngiven = kept;
}

/* What was given before and is told once more by this, or NULL. */
static const struct run_given *given_before(const struct run_options *o, const char *option,
					    const char *value)
{
	const struct run_given *before;
	char key[MAX_KEY];

	if (!strcmp(option, "set")) {
		take_name(key, value, "=");
		return run_options_given(o, key);
	}
	before = run_options_given(o, option);
	for (const char *const *k = deadlines_keys(); !before && *k; k++)
		if (!strcmp(option, "deadlines") && deadlines_tell(value, *k))
			before = run_options_given(o, *k);
	return before;
}

static int set_option(struct run_options *o, const char *name, const char *value, char *why,
		      size_t size)
{
	int err;

	for (size_t i = 0; i < OPTIONS; i++)
		if (!strcmp(options[i].name, name))
			return options[i].set(o, value, why, size);
	err = set_deadline_key(o, name, value, why, size);
	return err == PACT_ENOENT ? why_set(why, size, err, "unknown option --%s", name) : err;
}

int run_options_set(struct run_options *o, const char *name, const char *value, char *why,
		    size_t size)
{
	const struct run_given *before = given_before(o, name, value);
	int err;

	if (before)
		return why_set(why, size, PACT_EINVAL, "--%s %s: it is given already, as --%s %s",
			       name, value, before->option, before->value);
	if (o->ngiven == RUN_MAX_GIVEN)
		return wrong(why, size, name, value, "too many options");
	err = set_option(o, name, value, why, size);
	if (!err)
		o->given[o->ngiven++] = (struct run_given){ name, value };
	return err;
}

const char *run_options_scheduler(const struct run_options *o)
{
	return o->scheduler ? o->scheduler : o->deadlines.on ? "qops" : "easy";
}

/* A setting of the scheduler, whatever the option is called that gives it: its key, or false. */
static bool scheduler_key(const struct run_given *g, char key[MAX_KEY])
{
	if (!strcmp(g->option, "set")) {
		take_name(key, g->value, "=");
		return strncmp(key, "model.", 6) != 0;
	}
	if (!strcmp(g->option, "mode") || !strcmp(g->option, "guard"))
		take_name(key, g->option, "");
	else if (!strcmp(g->option, "relax") ||
		 (!strcmp(g->option, "deadlines") && strstr(g->value, "relax:")))
		take_name(key, "Relaxation", "");
	else
		return false;
	return true;
}

/* Does the scheduler, or one of several, look at the setting? If none does: why the first does not. */
static bool is_used(const struct run_options *o, const char *key, char *why, size_t size)
{
	char part[64], other[256];

	for (uint32_t i = 0; sched_name_part(run_options_scheduler(o), i, part, sizeof(part));
	     i++) {
		if (settings_used(&o->config, part, key, i ? other : why, i ? sizeof(other) : size))
			return true;
	}
	return false;
}

bool run_options_uses(const struct run_options *o, size_t i, char *why, size_t size)
{
	const struct run_given *g = &o->given[i];
	char key[MAX_KEY], reason[256];

	if (!strcmp(g->option, "load-by") && !run_options_given(o, "load")) {
		wrong(why, size, g->option, g->value, "there is no --load");
		return false;
	}
	if (!strcmp(g->option, "answers") && !o->config.resize_grace) {
		wrong(why, size, g->option, g->value,
		      "no job is given notice without --set ResizeGrace");
		return false;
	}
	if (!scheduler_key(g, key))
		return true;
	/* The guard is part of the deadlines, too. */
	if (!strcasecmp(key, "Guard") && deadlines_use_guard(&o->deadlines))
		return true;
	if (is_used(o, key, reason, sizeof(reason)))
		return true;
	why_set(why, size, 0, "--%s %s: %s%s", g->option, g->value, reason,
		o->scheduler	  ? ""
		: o->deadlines.on ? "; qops is the default with deadlines"
				  : "; easy is the default without --deadlines");
	return false;
}

int run_options_check_used(const struct run_options *o, char *why, size_t size)
{
	for (size_t i = 0; i < o->ngiven; i++)
		if (!run_options_uses(o, i, why, size))
			return PACT_EINVAL;
	return PACT_OK;
}

int run_options_check_workload(const struct run_options *o, char *why, size_t size)
{
	char key[MAX_KEY];

	for (size_t i = 0; i < o->ngiven; i++) {
		const struct run_given *g = &o->given[i];
		bool guard = scheduler_key(g, key) && !strcasecmp(key, "Guard");

		if (!strcmp(g->option, "scheduler") ||
		    (scheduler_key(g, key) && !(guard && deadlines_use_guard(&o->deadlines))))
			return wrong(why, size, g->option, g->value,
				     "nothing is scheduled here, it has no part in the workload");
		if (!guard && !run_options_uses(o, i, why, size))
			return PACT_EINVAL;
	}
	return PACT_OK;
}

struct model *run_options_model(const struct run_options *o, char *why, size_t size)
{
	char reason[256], key[MAX_KEY];
	struct model *m =
		model_create(o->model, (uint32_t)o->nodes, o->seed, reason, sizeof(reason));
	int err = m ? PACT_OK : PACT_EINVAL;

	for (size_t i = 0; i < o->nsettings && !err; i++) {
		const char *value = strchr(o->setting[i], '=');

		snprintf(key, sizeof(key), "%.*s", (int)(value - o->setting[i]), o->setting[i]);
		err = model_set(m, key, value + 1, reason, sizeof(reason));
	}
	if (!err)
		return m;
	why_set(why, size, err, "model: %s", reason);
	model_destroy(m);
	return NULL;
}

/* Settings of the scheduler, or of one of several, that do not go together, or not with this one. */
static int check_scheduler(const struct run_options *o, char *why, size_t size)
{
	const char *name = run_options_scheduler(o);
	char reason[256], part[64];

	for (uint32_t i = 0; sched_name_part(name, i, part, sizeof(part)); i++) {
		struct sched *s = sched_create(part, 1, &o->config, reason, sizeof(reason));

		if (!s)
			return why_set(why, size, PACT_EINVAL, "--scheduler %s: %s", name, reason);
		sched_destroy(s);
	}
	return PACT_OK;
}

int run_options_check(const struct run_options *o, char *why, size_t size)
{
	struct model *m;

	if (!o->trace && !o->model)
		return why_set(why, size, PACT_EINVAL,
			       "either --trace FILE or --model NAME is needed");
	if (o->trace && o->model)
		return why_set(why, size, PACT_EINVAL,
			       "--trace %s, --model %s: only one of them can be run", o->trace,
			       o->model);
	if (o->model && o->count && o->first + o->count - 1 > RUN_MODEL_MAX_JOBS)
		return why_set(why, size, PACT_EINVAL,
			       "--jobs %zu:%zu: a model makes %d jobs at most", o->first, o->count,
			       RUN_MODEL_MAX_JOBS);
	if (o->model && !o->nodes)
		return wrong(why, size, "model", o->model, "needs --nodes N");
	if (o->trace && o->nsettings)
		return why_set(why, size, PACT_EINVAL,
			       "--set model.%s: model.* settings need --model", o->setting[0]);
	if (o->load_micro < MICRO && !o->expand)
		return why_set(why, size, PACT_EINVAL,
			       "--load %g: duplicates cannot make it less than 1; there are "
			       "--load-by expand and --shrink",
			       (double)o->load_micro / MICRO);
	if (check_scheduler(o, why, size))
		return PACT_EINVAL;
	if (!o->model)
		return PACT_OK;
	m = run_options_model(o, why, size);
	model_destroy(m);
	return m ? PACT_OK : PACT_EINVAL;
}
